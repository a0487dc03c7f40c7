package httpapi

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/proctest"

	"ken/internal/app"
	"ken/internal/fault"
)

func personally() app.Actor { return app.Actor{Kind: app.Person} }

// TestClients: a token is kept as its sum, in a file that is the person's alone; names are unique, and what others wrote stays.
func TestClients(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := Clients{Path: filepath.Join(dir, "clients.jsonl"), Lock: dir, Now: time.Now}
	if list, err := c.List(); err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
	one, err := c.Add(t.Context(), "one", false)
	if err != nil {
		t.Fatal(err)
	}
	two, err := c.Add(t.Context(), "two", true)
	if err != nil || one == two || len(one) != len(tokenMark)+43 {
		t.Fatal(one, two, err)
	}
	text, err := os.ReadFile(c.Path)
	if err != nil || strings.Contains(string(text), strings.TrimPrefix(one, tokenMark)) {
		t.Errorf("%v, %s", err, text)
	}
	if fi, err := os.Stat(c.Path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", fi, err)
	}
	if _, err := c.Add(t.Context(), "one", false); fault.KindOf(err) != fault.Refused {
		t.Errorf("a name twice: %v", err)
	}
	for _, name := range []string{"", "A", "a b", "-a", "../x", strings.Repeat("a", 40)} {
		if _, err := c.Add(t.Context(), name, false); fault.KindOf(err) != fault.Usage {
			t.Errorf("%q: %v", name, err)
		}
	}
	other := `{"name":"bad","sha256":"00"}` + "\nnot a line\n" + `{"later":"field"}`
	if err := os.WriteFile(c.Path, append(text, other...), 0o600); err != nil {
		t.Fatal(err)
	}
	three, err := c.Add(t.Context(), "three", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Revoke(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	if err := c.Revoke(t.Context(), "one"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("revoked twice: %v", err)
	}
	list, err := c.List()
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	for token, want := range map[string]string{one: "", two: "two", three: "three", "": "", tokenMark: ""} {
		if who, ok := of(list, token); who.Name != want || ok != (want != "") {
			t.Errorf("%q is %+v", token[:min(len(token), 6)], who)
		}
	}
	if text, err := os.ReadFile(c.Path); err != nil || !strings.Contains(string(text), other) {
		t.Errorf("what others wrote is gone: %v, %s", err, text)
	}
}

// TestRevoked: a token that is taken away is refused from the next request on, and one that is added counts at once.
func TestRevoked(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	health := asked{method: "GET", path: "/health"}
	if got := b.ask(health); got.status != http.StatusOK {
		t.Fatal(got.status)
	}
	if err := b.s.o.Clients.Revoke(t.Context(), "notes"); err != nil {
		t.Fatal(err)
	}
	b.refused("revoked", b.ask(health), http.StatusUnauthorized)
	token, err := b.s.o.Clients.Add(t.Context(), "late", false)
	if err != nil {
		t.Fatal(err)
	}
	health.token = "Bearer " + token
	if got := b.ask(health); got.status != http.StatusOK {
		t.Errorf("added: %d", got.status)
	}
}

// TestRevokedStream: an answer that lasts ends within a second of its token being taken away, whether its client reads or not;
// one of another client goes on.
func TestRevokedStream(t *testing.T) {
	t.Parallel()
	ended := make(chan string, 8)
	lasts := func(_ *Server, w http.ResponseWriter, r *http.Request, who Client) {
		out := http.NewResponseController(w)
		for full := r.URL.Path == "/full"; r.Context().Err() == nil; {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				break
			}
			if err := out.Flush(); err != nil {
				break
			}
			if !full {
				select {
				case <-r.Context().Done():
				case <-time.After(20 * time.Millisecond):
				}
			}
		}
		ended <- who.Name + r.URL.Path
	}
	b := newBed(t, func(s *Server) {
		for _, path := range []string{"/lasts", "/full"} {
			s.table = append(s.table, route{method: "GET", path: path, reads: true, raw: lasts})
		}
	})
	open := func(path, token string) net.Conn {
		c, err := net.Dial("tcp", b.host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: "+b.host+"\r\nAuthorization: Bearer "+token+"\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(c, make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		return c
	}
	reads, other := open("/lasts", b.token), open("/lasts", b.reader)
	open("/full", b.token) // and nobody reads it
	time.Sleep(lookEvery * 2)
	began := time.Now()
	if err := b.s.o.Clients.Revoke(t.Context(), "notes"); err != nil {
		t.Fatal(err)
	}
	if err := reads.SetReadDeadline(began.Add(8 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, reads); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("it is read on")
	}
	for range 2 {
		select {
		case who := <-ended:
			if !strings.HasPrefix(who, "notes/") {
				t.Errorf("%s has ended", who)
			}
		case <-time.After(8 * time.Second):
			t.Fatal("it goes on")
		}
	}
	if took := time.Since(began); lookEvery > time.Second/2 || took > 3*time.Second { // of which a busy machine may have taken two
		t.Errorf("it ended after %v", took)
	}
	if _, err := io.ReadFull(other, make([]byte, 1<<18)); err != nil {
		t.Errorf("the other client: %v", err)
	}
}

// TestSocket: the socket is the person's alone; a stale one is replaced, a live one and a file are left alone, and of two that begin
// at once one listens.
func TestSocket(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	path := filepath.Join(dir, "s")
	l, hosts, err := ListenSocket(t.Context(), path)
	if err != nil || len(hosts) != 1 {
		t.Fatal(hosts, err)
	}
	for name, want := range map[string]fs.FileMode{path: 0o600, dir: 0o700} {
		if fi, err := os.Stat(name); err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, fi, err)
		}
	}
	if _, _, err := ListenSocket(t.Context(), path); fault.KindOf(err) != fault.Refused {
		t.Errorf("a live one: %v", err)
	}
	unix, ok := l.(*net.UnixListener)
	if !ok {
		t.Fatalf("%T", l)
	}
	unix.SetUnlinkOnClose(false) // as one that was killed
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	var listen []net.Listener
	for range 8 {
		all.Go(func() {
			l, _, err := ListenSocket(t.Context(), path)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				listen = append(listen, l)
			} else if fault.KindOf(err) != fault.Refused {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(listen) != 1 {
		t.Fatalf("%d listen", len(listen))
	}
	if err := listen[0].Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it leaves its socket: %v", err)
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ListenSocket(t.Context(), path); fault.KindOf(err) != fault.Refused {
		t.Errorf("a file: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("the file: %q, %v", text, err)
	}
	if _, _, err := ListenSocket(t.Context(), filepath.Join(dir, strings.Repeat("x", 120))); fault.KindOf(err) != fault.Usage {
		t.Errorf("a long path: %v", err)
	}
}

// TestLoopback: nothing listens where other machines could reach it.
func TestLoopback(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"0.0.0.0:0", "[::]:0", ":0", "192.0.2.1:0", "localhost:0", "127.0.0.1", "127.0.0.1:x", "[::ffff:127.0.0.1]:0", "[fe80::1]:0",
		"evil.example:0", "", "127.0.0.1:99999", "0:0",
	} {
		l, _, err := ListenTCP(t.Context(), "--tcp", address)
		if fault.KindOf(err) != fault.Usage || l != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
	l, hosts, err := ListenTCP(t.Context(), "--tcp", "127.0.0.1:0")
	if err != nil || len(hosts) != 2 || strings.HasSuffix(hosts[0], ":0") {
		t.Fatal(hosts, err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// TestAsked: it is kept when each client last asked, once a minute, and nobody who has no token leaves anything.
func TestAsked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	clients := Clients{Path: filepath.Join(dir, "clients.jsonl"), Lock: dir, Asked: filepath.Join(dir, "asked")}
	clients.Now = func() time.Time { return now }
	token, err := clients.Add(t.Context(), "widget", false)
	if err != nil {
		t.Fatal(err)
	}
	memory := app.Open(app.Options{Getenv: in(dir), Now: time.Now})
	s := New(Options{App: memory, Clients: clients, Now: clients.Now, Warn: func(err error) { t.Error(err) }}, "here")
	ask := func(token string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://here/api/openapi.json", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		s.ServeHTTP(httptest.NewRecorder(), r)
	}
	ask("ken_wrong")
	if _, err := os.Stat(clients.Asked); err == nil || !clients.LastAsked("widget").IsZero() || !clients.LastAsked("../clients").IsZero() {
		t.Error("nobody asked")
	}
	ask(token)
	if at := clients.LastAsked("widget"); !at.Equal(now) {
		t.Errorf("asked at %v", at)
	}
	first := now
	now = now.Add(59 * time.Second)
	if ask(token); !clients.LastAsked("widget").Equal(first) {
		t.Error("it is kept at each request")
	}
	now = now.Add(time.Second)
	if ask(token); !clients.LastAsked("widget").Equal(now) {
		t.Error("it is not kept after a minute")
	}
}

// TestIdle: who is being answered is looked after while anybody is, and a server that answers nobody sets itself no alarm.
func TestIdle(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	watches := func() bool {
		b.s.mu.Lock()
		defer b.s.mu.Unlock()
		return b.s.watches
	}
	if watches() {
		t.Error("before the first request")
	}
	if got := b.ask(asked{method: "GET", path: "/health"}); got.status != http.StatusOK || !watches() {
		t.Errorf("%d", got.status)
	}
	if !proctest.Within(10*time.Second, func() bool { return !watches() }) {
		t.Fatal("it still looks, and answers nobody")
	}
}
