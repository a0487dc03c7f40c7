package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ken/internal/web"
)

// paged gives a bed a page, and returns what asks it with a token.
func paged(t *testing.T, b *bed) (ask func(method, path, token string) (int, string)) {
	t.Helper()
	page, err := web.New(web.Options{Owner: web.OwnerOf(b.app), Now: time.Now, Warn: b.warn})
	if err != nil {
		t.Fatal(err)
	}
	b.s.o.Page = page
	return func(method, path, token string) (int, string) {
		r := httptest.NewRequest(method, "http://"+b.host+path, nil)
		r.SetBasicAuth("ken", token)
		w := httptest.NewRecorder()
		b.s.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
}

// TestPageToken: the token of the page is good for the page alone, and no other token for the page; those that
// were made before stay good, some of them, and all are taken away at once.
func TestPageToken(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(*Server) {})
	ask := paged(t, b)
	own, err := b.s.o.Clients.AddPage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pages := []string{
		"/", "/enter", "/memory", "/memory/1", "/review", "/sessions", "/timeline", "/import", "/import/do", "/health/files",
		"/static/page.css", "/undo/1",
	}
	programs := []string{
		"/api/recall?q=x", "/api/memories", "/api/status", "/api/review", "/api/events", "/api/openapi.json", "/mcp", "/v1/models",
	}
	for _, path := range pages {
		if code, body := ask(http.MethodGet, path, own); code == http.StatusForbidden || code == http.StatusUnauthorized {
			t.Errorf("%s to the page: %d %.200s", path, code, body)
		}
		for _, token := range []string{b.token, b.reader} {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				if code, body := ask(method, path, token); code != http.StatusForbidden || strings.Contains(body, "kettle") {
					t.Errorf("%s %s to a program: %d %.200s", method, path, code, body)
				}
			}
		}
	}
	for _, path := range programs {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if code, body := ask(method, path, own); code != http.StatusForbidden || strings.Contains(body, "kettle") {
				t.Errorf("%s %s to the page: %d %.200s", method, path, code, body)
			}
		}
	}
	if code, body := ask(http.MethodGet, "/memory", own); code != http.StatusOK || !strings.Contains(body, "kettle") {
		t.Errorf("the memory: %d %.200s", code, body)
	}
	// Of one path each has its own.
	if _, body := ask(http.MethodGet, "/health", own); !strings.Contains(body, "<!DOCTYPE html>") {
		t.Errorf("health to the page: %.200s", body)
	}
	if _, body := ask(http.MethodGet, "/health", b.token); !strings.Contains(body, `"client":"notes"`) {
		t.Errorf("health to a program: %.200s", body)
	}

	renewed, err := b.s.o.Clients.AddPage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	good := func(when string, want map[string]int) {
		t.Helper()
		for token, code := range want {
			if got, _ := ask(http.MethodGet, "/memory", token); got != code {
				t.Errorf("%s: %d, want %d", when, got, code)
			}
		}
	}
	good("with another", map[string]int{own: http.StatusOK, renewed: http.StatusOK, "": http.StatusUnauthorized})
	for range mostPages - 1 {
		if _, err := b.s.o.Clients.AddPage(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	good("with too many", map[string]int{own: http.StatusUnauthorized, renewed: http.StatusOK})
	if list, err := b.s.o.Clients.List(); err != nil || len(list) != 2+mostPages {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := b.s.o.Clients.Add(t.Context(), pageName, false); err == nil {
		t.Error("a program is called as the page")
	}
	if err := b.s.o.Clients.Revoke(t.Context(), pageName); err != nil {
		t.Fatal(err)
	}
	if code, _ := ask(http.MethodGet, "/memory", renewed); code != http.StatusUnauthorized {
		t.Errorf("after it was taken away: %d", code)
	}

	// Where there is no page, as at a socket, its token is good for nothing.
	own, err = b.s.o.Clients.AddPage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b.s.o.Page = nil
	for _, path := range append(pages, "/health", "/api/status") {
		if code, _ := ask(http.MethodGet, path, own); code != http.StatusForbidden {
			t.Errorf("without a page, %s: %d", path, code)
		}
	}
}

// TestAnswers: a server of ken is known as one, and nothing else is taken for it: a token would be sent there.
func TestAnswers(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	if !Answers(t.Context(), b.host) {
		t.Error("a server of ken is none")
	}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="other"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(other.Close)
	for _, at := range []string{strings.TrimPrefix(other.URL, "http://"), "127.0.0.1:1", "192.0.2.1:80", "example.com:80", "", "x"} {
		if Answers(t.Context(), at) {
			t.Errorf("%q is a server of ken", at)
		}
	}
}
