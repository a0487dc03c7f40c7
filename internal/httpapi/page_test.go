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

// TestPageToken: the token of the page is good for the page alone, and no other token for the page; made anew it voids the one before.
func TestPageToken(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(*Server) {})
	ask := paged(t, b)
	own, err := b.s.o.Clients.AddPage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pages := []string{"/", "/enter", "/memory", "/memory/1", "/review", "/sessions", "/timeline", "/static/page.css", "/undo/1"}
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
	for token, want := range map[string]int{own: http.StatusUnauthorized, renewed: http.StatusOK, "": http.StatusUnauthorized} {
		if code, _ := ask(http.MethodGet, "/memory", token); code != want {
			t.Errorf("after the renewal: %d, want %d", code, want)
		}
	}
	if list, err := b.s.o.Clients.List(); err != nil || len(list) != 3 {
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
