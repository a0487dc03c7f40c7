package discover

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestModels(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	t.Cleanup(elsewhere.Close)
	for _, tt := range []struct {
		name string
		path string // of the base URL
		code int
		body string
		want []string
		err  error
	}{
		{name: "a list", code: 200, body: `{"object":"list","data":[{"id":"b"},{"id":""},{"id":"a"}]}`, want: []string{"b", "a"}},
		{name: "none", code: 200, body: `{"data":[]}`, want: []string{}},
		{name: "none, as Ollama says it", code: 200, body: `{"object":"list","data":null}`, want: []string{}},
		{name: "standing by itself", code: 200, body: `[{"id":"a"},{"id":7},"c"]`, want: []string{"a"}},
		{
			name: "names that are none", code: 200,
			body: `{"data":[{"id":"a\u001b[2J"},{"id":" b"},{"id":"` + strings.Repeat("c", 300) + `"},{"id":"d"}]}`,
			want: []string{"d"},
		},
		{name: "with path", path: "/v1/", code: 200, body: `{"data":[{"id":"a"}]}`, want: []string{"a"}},
		{name: "with the whole path", path: "/v1/chat/completions", code: 200, body: `{"data":[{"id":"a"}]}`, want: []string{"a"}},
		{name: "key", code: 401, err: ErrKey},
		{name: "forbidden", code: 403, err: ErrKey},
		{name: "no such path", code: 404, body: "nothing", err: ErrNoList},
		{name: "a page", code: 200, body: "<p>hello", err: ErrNoList},
		{name: "another object", code: 200, body: `{"ok":true}`, err: ErrNoList},
		{name: "a list of another form", code: 200, body: `["a"]`, err: ErrNoList},
		{name: "redirect", code: 307, err: ErrNoList},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v1/models" || r.Method != http.MethodGet || r.Header.Get("Authorization") != "Bearer k" {
					t.Errorf("%s %s, authorization %q", r.Method, r.URL, r.Header.Get("Authorization"))
				}
				w.Header().Set("Location", elsewhere.URL)
				w.WriteHeader(tt.code)
				_, _ = w.Write([]byte(tt.body))
			}))
			t.Cleanup(s.Close)
			list, err := Models(t.Context(), Server{BaseURL: s.URL + tt.path, Key: "k"})
			var got []string
			for _, m := range list {
				got = append(got, m.Name)
			}
			if !errors.Is(err, tt.err) || !slices.Equal(got, tt.want) {
				t.Errorf("%q, %v; want %q, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestModelsOfNobody(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	address := strings.Replace(s.URL, "http://", "http://me:secret@", 1)
	_, err := Models(t.Context(), Server{BaseURL: address, Key: "k"})
	if err == nil || strings.Contains(err.Error(), "secret") || errors.Is(err, ErrNoList) {
		t.Errorf("nobody there: %v", err)
	}
	for _, address := range []string{"", "127.0.0.1:1", "ftp://h/", "http://", "http://h:port"} {
		if _, err := Models(t.Context(), Server{BaseURL: address}); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
}

// TestModelsOfASilentServer checks that the context ends the wait.
func TestModelsOfASilentServer(t *testing.T) {
	t.Parallel()
	asked := make(chan bool)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- r.Header.Get("Authorization") == ""
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	go func() {
		if !<-asked {
			t.Error("a key was sent that there is not")
		}
		cancel()
	}()
	if _, err := Models(ctx, Server{BaseURL: s.URL}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
