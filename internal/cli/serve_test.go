//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/proctest"
	"ken/internal/ttytest"

	"ken/internal/cli/clitest"
)

// TestServeEnds: a server at its socket answers who has a token; a signal ends it in order, with exit code 0, and nothing
// stays behind. What one that was killed left is replaced.
func TestServeEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	token, _, code := clitest.Run(t, dir, "", "serve", "token", "add", "notes")
	token = strings.TrimSpace(token)
	if code != 0 || token == "" {
		t.Fatal(code, token)
	}
	socket := filepath.Join(dir, "ken", "run", "serve.sock")
	client := http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		},
	}}
	for _, end := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT} {
		cmd := clitest.Command(t, dir, nil, "serve")
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		text := ""
		proctest.Within(ttytest.Patience, func() bool {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/health", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+token)
			resp, err := client.Do(r)
			if err != nil { // it does not listen yet
				return false
			}
			b, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			text = resp.Status + " " + string(b)
			return true
		})
		if !strings.HasPrefix(text, "200 OK") || !strings.Contains(text, `"client":"notes"`) {
			t.Errorf("before %v: %q", end, text)
		}
		client.CloseIdleConnections()
		if fi, err := os.Stat(socket); err != nil || fi.Mode() != fs.ModeSocket|0o600 {
			t.Errorf("the socket: %v, %v", fi, err)
		}
		_, errs, code := clitest.Run(t, dir, "", "serve")
		if code == 0 || !strings.Contains(errs, "another server listens") {
			t.Errorf("a second server: %d %s", code, errs)
		}
		if err := cmd.Process.Signal(end); err != nil {
			t.Fatal(err)
		}
		err := cmd.Wait()
		_, gone := os.Lstat(socket)
		if end != syscall.SIGKILL && (err != nil || !os.IsNotExist(gone)) {
			t.Errorf("%v: %v, socket %v\n%s", end, err, gone, said.String())
		}
		if strings.Contains(said.String(), token) {
			t.Error("the token is said")
		}
	}
}
