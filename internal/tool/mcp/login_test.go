package mcp_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ken/internal/config"
	"ken/internal/tool/mcp"
	"ken/internal/tool/mcp/mcptest"
	"ken/internal/tool/mcp/oauth"
)

// A person signs in as they are told to, and counts how often.
type person struct {
	visits atomic.Int32
	last   atomic.Pointer[oauth.Visit]
	do     func(ctx context.Context, v oauth.Visit) (string, error) // nil: with a browser on this machine
}

func (p *person) visit(ctx context.Context, v oauth.Visit) (string, error) {
	p.visits.Add(1)
	p.last.Store(&v)
	if p.do != nil {
		return p.do(ctx, v)
	}
	if _, err := mcptest.Browse(v.URL, true); err != nil {
		return "", err
	}
	<-ctx.Done() // the browser came back
	return "", ctx.Err()
}

// locked is a server that one signs in to, and options for it with that person. secrets are those that were told.
func locked(t *testing.T, p *person) (l *mcptest.Locked, o mcp.Options, secrets func() []string) {
	t.Helper()
	l = mcptest.Lock()
	t.Cleanup(l.Stop)
	o = options(t, map[string]config.Server{"t": {URL: l.URL}})
	o.Logins = filepath.Join(o.Home, "logins")
	if p != nil {
		o.Visit = p.visit
	}
	var mu sync.Mutex
	var told []string
	o.Secret = func(s string) { mu.Lock(); defer mu.Unlock(); told = append(told, s) }
	return l, o, func() []string { mu.Lock(); defer mu.Unlock(); return slices.Clone(told) }
}

// signedIn is such a server with the person signed in.
func signedIn(t *testing.T, o mcp.Options) *mcp.Servers {
	t.Helper()
	s := mcp.New(o)
	t.Cleanup(s.Close)
	if err := s.Login(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	return s
}

// broken has an address answered by something else.
func broken(path, how string) func(*mcptest.Locked) {
	return func(l *mcptest.Locked) { l.Broken = map[string]string{path: how} }
}

// refused wants a server to be not connected for a reason.
func refused(t *testing.T, s *mcp.Servers, why string) {
	t.Helper()
	if st := s.List()[0]; st.Is != "failed" || !strings.Contains(st.Why, why) {
		t.Errorf("%+v; want %s", st, why)
	}
}

// noSecret wants none of what was given out in texts, nor in any file but the login's own.
func noSecret(t *testing.T, l *mcptest.Locked, o mcp.Options, texts ...string) {
	t.Helper()
	err := filepath.WalkDir(o.Home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Dir(path) == o.Logins {
			return err
		}
		b, err := os.ReadFile(path)
		texts = append(texts, string(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range l.Given() {
		for _, text := range texts {
			if strings.Contains(text, secret) {
				t.Errorf("a secret stands in %q", text)
			}
		}
	}
}

// TestWantsLogin: a server that wants the person to sign in is said in one line, with what to do, and nobody is registered
// or asked anywhere before they are.
func TestWantsLogin(t *testing.T) {
	t.Parallel()
	l, o, _ := locked(t, nil)
	s := up(t, o)
	refused(t, s, "it wants you to sign in: mcp login t")
	if said := s.Said(); !slices.Equal(said, []string{"t: it wants you to sign in: mcp login t"}) {
		t.Errorf("%q", said)
	}
	if err := s.Login(t.Context(), "t"); !errors.Is(err, mcp.ErrNobody) {
		t.Errorf("%v", err)
	}
	for _, r := range l.Seen() {
		if !strings.HasSuffix(r, "/mcp") {
			t.Errorf("asked for %q", r)
		}
	}
	if _, err := os.Stat(o.Logins); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is kept: %v", err)
	}
}

// TestWantsLoginFirst: what a server says after it refused a request does not hide that.
func TestWantsLoginFirst(t *testing.T) {
	t.Parallel()
	l, o, _ := locked(t, nil)
	l.Set(func(l *mcptest.Locked) { l.Strict = true })
	refused(t, up(t, o), "it wants you to sign in: mcp login t")
}

// TestLogin: one signs in once; it holds for the next run, is kept for nobody else to read, and every secret is made known and
// shown nowhere. Logging out forgets it.
func TestLogin(t *testing.T) {
	t.Parallel()
	p := &person{}
	l, o, told := locked(t, p)
	s := signedIn(t, o)
	if r := call(t, s, "t__echo", `{"text":"x"}`); r.Text != "x" {
		t.Errorf("%+v", r)
	}
	files, _ := filepath.Glob(filepath.Join(o.Logins, "*.json"))
	if len(files) != 1 {
		t.Fatalf("%v", files)
	}
	for path, want := range map[string]fs.FileMode{files[0]: 0o600, o.Logins: 0o700} {
		if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != want && os.PathSeparator == '/' {
			t.Errorf("%s: %v, %v", path, fi.Mode(), err)
		}
	}
	s.Close()

	next := up(t, o) // in the next run
	if r := call(t, next, "t__echo", `{"text":"y"}`); r.Text != "y" || p.visits.Load() != 1 {
		t.Errorf("%+v, %d visits", r, p.visits.Load())
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, secret := range l.Given() {
		if strings.Contains(string(b), secret) {
			kept++
			if !slices.Contains(told(), secret) {
				t.Errorf("nobody was told of %s", secret)
			}
		}
	}
	if kept != 2 {
		t.Errorf("%d secrets are kept, want the token and what renews it", kept)
	}
	if len(l.Given()) == 0 {
		t.Error("nothing was given out")
	}
	noSecret(t, l, o, fmt.Sprintf("%+v %q", next.List(), next.Said()))

	if had, err := next.Logout(t.Context(), "t"); !had || err != nil {
		t.Errorf("%v, %v", had, err)
	}
	if files, _ := filepath.Glob(filepath.Join(o.Logins, "*.json")); len(files) > 0 {
		t.Errorf("%v", files)
	}
	next.Start()
	next.Await(t.Context())
	refused(t, next, "sign in")
	if had, err := next.Logout(t.Context(), "t"); had || err != nil {
		t.Errorf("%v, %v", had, err)
	}
}

// TestLoginKept: a login is for one server and its address: the same name at another address has none, nor has another name.
func TestLoginKept(t *testing.T) {
	t.Parallel()
	p := &person{}
	l, o, _ := locked(t, p)
	signedIn(t, o).Close()
	other := mcptest.Lock()
	t.Cleanup(other.Stop)
	o.Settings.Servers = map[string]config.Server{"t": {URL: other.URL}, "u": {URL: l.URL}}
	for _, st := range up(t, o).List() {
		if st.Is != "failed" {
			t.Errorf("%+v", st)
		}
	}
	for _, r := range other.Seen() {
		if strings.Contains(r, "Bearer") {
			t.Errorf("%q", r)
		}
	}
}

// TestLoginTyped: where the browser is on another machine the address at which it ended is typed. What is none, or has
// another state, is none, and the third one ends it.
func TestLoginTyped(t *testing.T) {
	t.Parallel()
	wrong := []string{}
	p := &person{}
	p.do = func(_ context.Context, v oauth.Visit) (string, error) {
		to, err := mcptest.Browse(v.URL, false)
		wrong = append(wrong, v.Wrong)
		switch len(wrong) {
		case 1:
			return "what?", err
		case 2:
			return strings.Replace(to, "state=", "state=x", 1), err
		}
		return to, err
	}
	_, o, _ := locked(t, p)
	signedIn(t, o)
	want := []string{"", "want the whole address at which the browser ended", "it is not the answer to this question"}
	if !slices.Equal(wrong, want) {
		t.Errorf("%q", wrong)
	}

	_, o, _ = locked(t, p)
	p.do = func(context.Context, oauth.Visit) (string, error) {
		return "http://127.0.0.1/callback?code=c&state=s", nil
	}
	p.visits.Store(0)
	s := mcp.New(o)
	t.Cleanup(s.Close)
	err := s.Login(t.Context(), "t")
	if n := p.visits.Load(); err == nil || !strings.Contains(err.Error(), "not the answer to this question") || n != 3 {
		t.Errorf("%v, %d visits", err, n)
	}
}

// TestLoginRefused: a browser that comes back with another state is not believed; a no is one, of the person or the page;
// they are asked once.
func TestLoginRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  func(*mcptest.Locked)
		do   func(ctx context.Context, v oauth.Visit) (string, error)
		want string
	}{
		"state": {func(l *mcptest.Locked) { l.State = "other" }, func(ctx context.Context, v oauth.Visit) (string, error) {
			_, err := mcptest.Browse(v.URL, true)
			select {
			case <-ctx.Done():
				return "", errors.New("it was believed")
			case <-time.After(200 * time.Millisecond):
			}
			return "", err
		}, "you did not sign in"},
		"no":   {func(*mcptest.Locked) {}, func(context.Context, oauth.Visit) (string, error) { return "", nil }, "you did not sign in"},
		"page": {func(l *mcptest.Locked) { l.Denies = true }, nil, "you were not signed in: access_denied"},
		"code": {broken("/token", `{"error":"invalid_request"}`), nil, "you were not signed in"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &person{do: c.do}
			l, o, _ := locked(t, p)
			l.Set(c.set)
			s := mcp.New(o)
			t.Cleanup(s.Close)
			err := s.Login(t.Context(), "t")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %s", err, c.want)
			}
			if n := p.visits.Load(); n != 1 {
				t.Errorf("asked %d times", n)
			}
			noSecret(t, l, o, fmt.Sprint(err), fmt.Sprintf("%+v %q", s.List(), s.Said()))
		})
	}
}

// TestLoginQuotes: what those who sign people in answer is in no error: it may be a token.
func TestLoginQuotes(t *testing.T) {
	t.Parallel()
	word := rand.Text()
	const known = "/.well-known/oauth-"
	for _, path := range []string{"/register", "/token", known + "authorization-server", known + "protected-resource/mcp"} {
		for _, form := range []string{"%s", `{"error":"x","error_description":%q}`, `{"client_id":"","client_secret":%q}`, `{"issuer":%q}`} {
			l, o, _ := locked(t, &person{})
			l.Set(broken(path, fmt.Sprintf(form, word)))
			s := mcp.New(o)
			t.Cleanup(s.Close)
			err := s.Login(t.Context(), "t")
			if text := fmt.Sprintf("%v %+v %q", err, s.List(), s.Said()); strings.Contains(text, word) {
				t.Errorf("%s: %s", path, text)
			}
		}
	}
}

// TestLoginRenewed: a token that ended is renewed without the person, also one that nobody said would end, and by one of those
// that would at once; where it cannot be, they are told to sign in.
func TestLoginRenewed(t *testing.T) {
	t.Parallel()
	p := &person{}
	l, o, _ := locked(t, p)
	l.Lives = 3600
	signedIn(t, o).Close()
	past := o
	past.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	l.Set(func(l *mcptest.Locked) { l.Lives = 4 * 3600 })
	ended, before := l.Given()[1], len(l.Seen())
	var all sync.WaitGroup
	for range 4 { // each would use up what renews it
		all.Go(func() {
			s := up(t, past)
			if st := s.List()[0]; st.Is != "ready" {
				t.Errorf("%+v", st)
			}
		})
	}
	all.Wait()
	renewals := 0
	for _, r := range l.Seen()[before:] {
		if strings.Contains(r, "Bearer "+ended) {
			t.Errorf("a token that ended is sent: %q", r)
		}
		if strings.Contains(r, "grant_type=refresh_token") {
			renewals++
		}
	}
	if renewals != 1 {
		t.Errorf("renewed %d times", renewals)
	}

	s := up(t, o) // it does not count any more, though its time is not over
	l.Revoke(true)
	if r := call(t, s, "t__echo", `{"text":"x"}`); r.Text != "x" || p.visits.Load() != 1 {
		t.Errorf("%+v, %d visits", r, p.visits.Load())
	}
	s.Close()
	o.Visit = nil
	s = up(t, o)
	l.Revoke(false)
	want := "t: mem://note could not be read: it wants you to sign in: mcp login t"
	if _, err := s.Wares().Resource(t.Context(), "t", "mem://note"); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	s.Close()
	s = up(t, o)
	refused(t, s, "it wants you to sign in: mcp login t")
	noSecret(t, l, o, fmt.Sprintf("%+v %q", s.List(), s.Said()))
}

// TestLoginOnce: a token that the server does not take, fresh as it is, is not asked for again and again.
func TestLoginOnce(t *testing.T) {
	t.Parallel()
	p := &person{}
	l, o, _ := locked(t, p)
	p.do = func(ctx context.Context, v oauth.Visit) (string, error) {
		to, err := mcptest.Browse(v.URL, false)
		return to, err
	}
	l.Set(broken("/token", `{"access_token":"`+strings.Repeat("ab1", 9)+`","token_type":"Bearer"}`))
	s := mcp.New(o)
	t.Cleanup(s.Close)
	if err := s.Login(t.Context(), "t"); err == nil || !strings.Contains(err.Error(), "does not take what signing in gave") {
		t.Errorf("%v", err)
	}
	if n := p.visits.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// TestLoginMoves: where a server sends people to others, what those before gave and were told is not for them: the person is asked
// again, and ken registers anew.
func TestLoginMoves(t *testing.T) {
	t.Parallel()
	p := &person{}
	l, o, _ := locked(t, p)
	s := signedIn(t, o)
	before := p.last.Load().At
	l.Move()
	if r := call(t, s, "t__echo", `{"text":"x"}`); r.Text != "x" || p.visits.Load() != 2 {
		t.Errorf("%+v, %d visits; %v", r, p.visits.Load(), s.Said())
	}
	after := p.last.Load().At
	registered := 0
	for _, r := range l.Seen() {
		if r == after+"/register" {
			registered++
		}
		if strings.HasPrefix(r, before) && strings.Contains(r, "refresh_token=") {
			t.Errorf("renewed by those before: %q", r)
		}
	}
	if before == after || registered != 1 {
		t.Errorf("from %s to %s, registered %d times", before, after, registered)
	}
}

// TestStepUp: a tool that needs more is asked for in the middle of its call, with what was allowed before; where nobody can be
// asked the call was not made, the person is told, and the next login asks for it.
func TestStepUp(t *testing.T) {
	t.Parallel()
	p := &person{}
	l, o, _ := locked(t, p)
	s := signedIn(t, o)
	s.Close()
	l.Set(func(l *mcptest.Locked) { l.Needs = "write" })

	o.Visit = nil
	s = up(t, o)
	r := call(t, s, "t__echo", `{"text":"x"}`)
	if !r.Failed || r.Unknown || r.Text != "not run: t: it wants you to allow it more: mcp login t" {
		t.Errorf("%+v", r)
	}
	if said := s.Said(); len(said) != 1 || !strings.Contains(said[0], "mcp login t") {
		t.Errorf("%q", said)
	}
	if st := s.List()[0]; st.Is != "ready" {
		t.Errorf("%+v", st)
	}
	s.Close()
	o.Visit = p.visit
	s = signedIn(t, o)
	if got := p.last.Load().URL; !strings.Contains(got, "read+write") && !strings.Contains(got, "write") {
		t.Errorf("asked for %s", got)
	}
	if r := call(t, s, "t__echo", `{"text":"x"}`); r.Text != "x" {
		t.Errorf("%+v", r)
	}
	l.Set(func(l *mcptest.Locked) { l.Needs = "admin" })
	visits := p.visits.Load()
	if r := call(t, s, "t__echo", `{"text":"y"}`); r.Text != "y" || p.visits.Load() != visits+1 {
		t.Errorf("%+v, %d visits", r, p.visits.Load())
	}
	for _, scope := range []string{"read", "write", "admin"} {
		if !strings.Contains(p.last.Load().URL, scope) {
			t.Errorf("%s is not asked for in %s", scope, p.last.Load().URL)
		}
	}
}

// TestMetadata: what describes a server is under its own address; what is too large, or hangs, costs that login alone; and
// nothing is sent to where a server may not send.
func TestMetadata(t *testing.T) {
	t.Parallel()
	stranger := mcptest.Lock()
	t.Cleanup(stranger.Stop)
	const prm, asm = "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"
	for name, c := range map[string]struct {
		set  func(*mcptest.Locked)
		want string // "": they are signed in
	}{
		"of another": {func(l *mcptest.Locked) { l.Metadata = stranger.URL + "/described" }, ""},
		"huge":       {func(l *mcptest.Locked) { l.Broken = map[string]string{prm: "huge", asm: "huge"} }, "you were not signed in"},
		"redirected": {broken(asm, "to "+stranger.URL+"/redirected"), "you were not signed in"},
		"token":      {broken("/token", "to "+stranger.URL+"/token"), "you were not signed in"},
		"of a cloud": {func(l *mcptest.Locked) {
			at := fmt.Sprintf(`{"resource":%q,"authorization_servers":["http://169.254.169.254/"]}`, l.URL)
			l.Broken = map[string]string{prm: at}
		}, "you were not signed in"},
		"not a page":  {broken(asm, "[1]"), "you were not signed in"},
		"no register": {broken("/register", "{}"), "you were not signed in: ken could not register itself there"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, o, _ := locked(t, &person{})
			l.Set(c.set)
			s := mcp.New(o)
			t.Cleanup(s.Close)
			err := s.Login(t.Context(), "t")
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
	t.Run("hang", func(t *testing.T) {
		t.Parallel()
		l, o, _ := locked(t, &person{})
		l.Set(broken("/token", "hang"))
		o.Settings.ConnectTimeout = 500 * time.Millisecond
		s := mcp.New(o)
		t.Cleanup(s.Close)
		began := time.Now()
		if err := s.Login(t.Context(), "t"); err == nil || time.Since(began) > 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
	t.Cleanup(func() {
		if seen := stranger.Seen(); len(seen) > 0 {
			t.Errorf("a stranger was asked: %q", seen)
		}
	})
}

// TestLoginEnds: a login that is broken off asks nobody any more when it returns.
func TestLoginEnds(t *testing.T) {
	t.Parallel()
	asking, asked := atomic.Bool{}, make(chan struct{})
	p := &person{do: func(ctx context.Context, _ oauth.Visit) (string, error) {
		asking.Store(true)
		close(asked)
		<-ctx.Done()
		time.Sleep(50 * time.Millisecond)
		asking.Store(false)
		return "", ctx.Err()
	}}
	_, o, _ := locked(t, p)
	s := mcp.New(o)
	t.Cleanup(s.Close)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if err := s.Login(ctx, "t"); !errors.Is(err, context.Canceled) || asking.Load() {
		t.Errorf("%v, asking: %v", err, asking.Load())
	}
}

// TestLoginOf: there is nothing to sign in to where a token is named, or at a program, and over plain http to another
// machine nobody does.
func TestLoginOf(t *testing.T) {
	t.Parallel()
	_, o, _ := locked(t, &person{})
	o.Settings.Servers = map[string]config.Server{
		"token": {URL: "https://192.0.2.1/mcp", AuthEnv: "MY_API_KEY"}, "program": odd(t, "plain"),
	}
	s := mcp.New(o)
	t.Cleanup(s.Close)
	for name, want := range map[string]string{"token": "nothing to sign in to", "program": "nothing to sign in to", "none": "no such server"} {
		if err := s.Login(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := s.Logout(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
