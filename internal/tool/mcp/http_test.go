package mcp_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ken/internal/config"
)

// TestHTTPErrorWithoutEnd: what a server says with an error has an end, whatever it calls it.
func TestHTTPErrorWithoutEnd(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"text/event-stream", "application/json", "TEXT/event-stream; x"} {
		t.Run(strings.ReplaceAll(kind, "/", " "), func(t *testing.T) {
			t.Parallel()
			const most = 256 << 20
			var sent atomic.Int64
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", kind)
				w.WriteHeader(http.StatusBadRequest)
				for piece := bytes.Repeat([]byte("x"), 1<<20); sent.Load() < most && r.Context().Err() == nil; {
					n, err := w.Write(piece)
					if sent.Add(int64(n)); err != nil {
						return
					}
				}
			}))
			t.Cleanup(srv.Close)
			began := time.Now()
			s := up(t, options(t, map[string]config.Server{"p": {URL: srv.URL}}))
			if st := s.List()[0]; st.Is != "failed" {
				t.Errorf("%+v", st)
			}
			if n := sent.Load(); n > most/2 {
				t.Errorf("it took %d MB, %v", n>>20, time.Since(began))
			}
		})
	}
}
