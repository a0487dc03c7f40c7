package oauth

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func get(t *testing.T, c *http.Client, method, address string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader("code=x"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(r)
	if err == nil {
		t.Cleanup(func() { _ = resp.Body.Close() })
	}
	return resp, err
}

// TestClient: what asks the addresses that a server names asks nothing of this machine for one elsewhere, sends no form where it
// is sent on to, and takes no more than it must.
func TestClient(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch r.URL.Path {
		case "/on":
			http.Redirect(w, r, "/there", http.StatusTemporaryRedirect)
		case "/huge":
			_, _ = w.Write(make([]byte, 2*mostAnswer))
		}
	}))
	t.Cleanup(srv.Close)
	far, _ := url.Parse("https://mcp.example.com/mcp")
	for _, address := range []string{srv.URL, strings.Replace(srv.URL, "http:", "https:", 1), "http://169.254.169.254/"} {
		if _, err := get(t, newClient(far, nil), http.MethodGet, address); !errors.Is(err, errUnsafe) { //nolint:bodyclose // there is none
			t.Errorf("%s: %v", address, err)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("asked %d times", n)
	}
	near, _ := url.Parse(srv.URL)
	c := newClient(near, nil)
	resp, err := get(t, c, http.MethodPost, srv.URL+"/on") //nolint:bodyclose // closed by get
	if err != nil || resp.StatusCode != http.StatusTemporaryRedirect || asked.Load() != 1 {
		t.Errorf("%v, asked %d times", err, asked.Load())
	}
	resp, err = get(t, c, http.MethodGet, srv.URL+"/on") //nolint:bodyclose // closed by get
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%v", err)
	}
	resp, err = get(t, c, http.MethodGet, srv.URL+"/huge") //nolint:bodyclose // closed by get
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, resp.Body); err == nil || n > mostAnswer {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// TestPlainHTTP: nobody signs in over plain http to another machine, and what is kept for such an address is not sent.
func TestPlainHTTP(t *testing.T) {
	t.Parallel()
	at, _ := url.Parse("http://mcp.example.com/mcp")
	asked := false
	ask := func(context.Context, Visit) (string, error) { asked = true; return "", nil }
	l := New(Options{Server: "t", URL: at, Dir: t.TempDir(), Now: time.Now, Person: func() Ask { return ask }})
	save := func() error { return l.save(t.Context(), kept{Access: "kept for it", Refresh: "as well"}) }
	if err := l.locked(t.Context(), save); err != nil {
		t.Fatal(err)
	}
	if token, err := l.Token(); token != nil || err != nil {
		t.Errorf("%v, %v", token, err)
	}
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, at.String(), http.NoBody)
	refusal := &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{}, Body: http.NoBody}
	for _, err := range []error{l.Authorize(t.Context(), req, refusal), l.SignIn(t.Context(), ask)} {
		if err == nil || !strings.Contains(err.Error(), "use https") {
			t.Errorf("%v", err)
		}
	}
	if asked {
		t.Error("the person is asked")
	}
}

// endless is a body that never comes.
type endless struct{ closed chan struct{} }

func (e endless) Read([]byte) (int, error) { <-e.closed; return 0, io.EOF }
func (e endless) Close() error             { close(e.closed); return nil }

// TestRefusalWithoutEnd: of a refusal no more is waited for than its header.
func TestRefusalWithoutEnd(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(srv.Close)
	at, _ := url.Parse(srv.URL)
	l := New(Options{Server: "t", URL: at, Dir: t.TempDir(), Now: time.Now, Person: func() Ask {
		return func(context.Context, Visit) (string, error) { return "", nil }
	}})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL, http.NoBody)
	done := make(chan error, 1)
	body := endless{make(chan struct{})}
	go func() {
		done <- l.Authorize(t.Context(), req, &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{}, Body: body})
	}()
	select {
	case err := <-done:
		if err == nil {
			t.Error("signed in")
		}
	case <-time.After(answering):
		t.Error("it waits for the body")
	}
	select {
	case <-body.closed:
	default:
		t.Error("the body is not closed")
	}
}
