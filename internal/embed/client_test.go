package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ken/internal/llm"
)

const secret = "sk-0123456789abcdef"

// clientOf asks a server with that handler.
func clientOf(t *testing.T, h http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	c := New(Endpoint{BaseURL: s.URL, Model: "m", Key: llm.NewSecret(secret)}, time.Now)
	t.Cleanup(func() { c.Close(); s.Close() })
	return c
}

// TestR352Embed: the request is what servers know, and the vectors come in the
// order of the texts, whatever the order in which they are sent.
func TestR352Embed(t *testing.T) {
	t.Parallel()
	c := clientOf(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer "+secret {
			t.Errorf("%s %s %v", r.Method, r.URL.Path, r.Header)
		}
		if want := `{"model":"m","input":["one","two","three"]}`; string(body) != want {
			t.Errorf("%s, want %s", body, want)
		}
		_, _ = io.WriteString(w, `{"object":"list","data":[{"index":2,"embedding":[0,-3]},{"index":0,"embedding":[2,0]},{"index":1,"embedding":[3,4]}],"usage":{}}`)
	})
	got, err := c.Embed(t.Context(), []string{"one", "two", "three"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "[[1 0] [0.6 0.8] [0 -1]]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestR352WrongAnswers: what is no vector for each text is an error that says so,
// without the key, and with a next step.
func TestR352WrongAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status     int
		body, want string
	}{
		"too few":          {200, `{"data":[{"index":0,"embedding":[1,0]}]}`, "1 vectors came back for 2 texts"},
		"too many":         {200, `{"data":[{"embedding":[1]},{"embedding":[1]},{"embedding":[1]}]}`, "3 vectors came back for 2 texts"},
		"twice":            {200, `{"data":[{"index":1,"embedding":[1,0]},{"index":1,"embedding":[1,0]}]}`, "as that of text 1"},
		"beyond":           {200, `{"data":[{"index":0,"embedding":[1,0]},{"index":2,"embedding":[1,0]}]}`, "as that of text 2"},
		"two lengths":      {200, `{"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":[1,0,0]}]}`, "vectors of 2 and of 3 numbers"},
		"no numbers":       {200, `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`, "vectors of 0 and of 0 numbers"},
		"null":             {200, `{"data":[{"index":0,"embedding":[1,null]},{"index":1,"embedding":[1,0]}]}`, "has no direction"},
		"NaN":              {200, `{"data":[{"index":0,"embedding":[1,NaN]},{"index":1,"embedding":[1,0]}]}`, "no list of vectors"},
		"too large":        {200, `{"data":[{"index":0,"embedding":[1,1e99]},{"index":1,"embedding":[1,0]}]}`, "no list of vectors"},
		"zero":             {200, `{"data":[{"index":0,"embedding":[0,0]},{"index":1,"embedding":[1,0]}]}`, "has no direction"},
		"a page":           {200, `<html>sign in</html>`, "no list of vectors"},
		"an error inside":  {200, `{"error":{"message":"no such thing"}}`, "no such thing"},
		"nothing":          {200, ``, "no list of vectors"},
		"base64":           {200, `{"data":[{"index":0,"embedding":"AACAPw=="},{"index":1,"embedding":"AACAPw=="}]}`, "no list of vectors"},
		"key refused":      {401, `{"error":{"message":"bad key ` + secret + `"}}`, "401 Unauthorized: bad key [key]"},
		"not there":        {404, `{"error":"model not found"}`, "404 Not Found: model not found"},
		"too many of them": {429, ``, "429 Too Many Requests"},
		"broken":           {500, "oh\x1b[31m no", "500 Internal Server Error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := clientOf(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			got, err := client.Embed(t.Context(), []string{"a", "b"})
			var e interface{ Hint() string }
			if got != nil || !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("%v, %v; want %q", got, err, c.want)
			} else if e.Hint() == "" && c.status != http.StatusInternalServerError {
				t.Error("no hint")
			}
		})
	}
}

// TestR352Elsewhere: a server that sends the request on to another host gets no
// second one there, nor the key.
func TestR352Elsewhere(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(other.Close)
	c := clientOf(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	})
	if _, err := c.Embed(t.Context(), []string{"a"}); err == nil || asked.Load() != 0 {
		t.Errorf("%v; the other host was asked %d times", err, asked.Load())
	}
}

// TestR352Rest: after a failure nothing is asked for a while, and what a person
// stopped is no failure.
func TestR352Rest(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	var asked atomic.Int32
	hang := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			_, _ = io.Copy(io.Discard, r.Body)
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	c := New(Endpoint{BaseURL: s.URL, Model: "m"}, func() time.Time { return now })
	t.Cleanup(func() { close(hang); c.Close(); s.Close() })
	ask := func(ctx context.Context, want int32) {
		t.Helper()
		if _, err := c.Embed(ctx, []string{"a"}); err == nil || asked.Load() != want {
			t.Errorf("asked %d times, want %d: %v", asked.Load(), want, err)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	ask(stopped, 0)
	late, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	ask(late, 1) // too slow
	ask(t.Context(), 1)
	now = now.Add(Rest - 1)
	ask(t.Context(), 1)
	now = now.Add(1)
	ask(t.Context(), 2)
	if _, err := New(Endpoint{BaseURL: "nowhere", Model: "m"}, time.Now).Embed(t.Context(), []string{"a"}); err == nil {
		t.Error("no address, and no error")
	}
	if _, err := c.Embed(t.Context(), make([]string, MostTexts+1)); err == nil {
		t.Error("too many texts, and no error")
	}
}

// FuzzParse: whatever comes back is vectors of length 1, all of one size, or an
// error.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"data":[{"index":1,"embedding":[1,2]},{"index":0,"embedding":[3,-4e-3]}]}`))
	f.Add([]byte(`{"data":[{"embedding":[1e38,1e38]},{"embedding":[1e-40,0]}]}`))
	f.Add([]byte(`{"data":null,"error":{"message":"x"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := parse(b, 2)
		if err != nil {
			return
		}
		if !json.Valid(b) || len(list) != 2 || len(list[0]) != len(list[1]) {
			t.Fatalf("%q: %v", b, list)
		}
		for _, v := range list {
			sum := 0.0
			for _, x := range v {
				sum += float64(x) * float64(x)
			}
			if math.Abs(sum-1) > 1e-3 {
				t.Fatalf("%q: of length %f", b, sum)
			}
		}
	})
}
