package oauth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"ken/internal/termsafe"
)

const (
	callback = "/callback"
	tries    = 3       // addresses that the person may give
	longest  = 8 << 10 // bytes of an address
)

// A back is where the browser comes back to: a port of this machine that is open while the person signs in.
type back struct {
	redirect string // its address
	state    string // that the answer must have
	port     net.Listener
	serve    *http.Server // of the port, once the state is known
	got      chan answer
}

// An answer is what the browser brought, or the person typed.
type answer struct {
	result *auth.AuthorizationResult
	err    error
}

// listen opens the port of an address that was registered before, if there is one and it is free, else any.
func listen(ctx context.Context, registered string) (*back, error) {
	var ln net.Listener
	err := errors.New("none")
	var l net.ListenConfig
	if u, perr := url.Parse(registered); perr == nil && u.Port() != "" && Loopback(u.Hostname()) {
		ln, err = l.Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", u.Port()))
	}
	if err != nil {
		if ln, err = l.Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
			return nil, fmt.Errorf("no port is free for the browser to come back to: %w", err)
		}
	}
	return &back{redirect: "http://" + ln.Addr().String() + callback, port: ln, got: make(chan answer, 1)}, nil
}

// expect begins to take answers with a state.
func (b *back) expect(state string) {
	b.state = state
	b.serve = &http.Server{
		Handler: b, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 5 * time.Second, IdleTimeout: time.Second, MaxHeaderBytes: 4 * longest,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), // it would have what was sent there
	}
	go func() { _ = b.serve.Serve(b.port) }() // it ends with close
}

// close ends it. What is being answered is, within a second.
func (b *back) close() {
	if b.serve == nil {
		_ = b.port.Close()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if b.serve.Shutdown(ctx) != nil {
		_ = b.serve.Close()
	}
	_ = b.port.Close() // where it was closed before it began
}

// ServeHTTP takes the first answer with the right state. Others are told so, and the wait goes on: any page can ask
// for an address of this machine.
func (b *back) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Connection", "close")
	a := b.read(r.URL.Query())
	switch {
	case r.Method != http.MethodGet || r.URL.Path != callback:
		w.WriteHeader(http.StatusNotFound)
		return
	case errors.Is(a.err, errState):
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, "This is not the answer that ken waits for.\n")
		return
	}
	select {
	case b.got <- a:
	default:
	}
	_, _ = io.WriteString(w, "ken has the answer. You can close this page and go back to the terminal.\n")
}

var (
	errState = errors.New("it is not the answer to this question")
	errCode  = errors.New("there is no code in it")
)

// read is the answer that the parameters of an address are.
func (b *back) read(q url.Values) answer {
	switch code := q.Get("code"); {
	case b.state == "" || subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(b.state)) != 1:
		return answer{err: errState}
	case q.Get("error") != "":
		return answer{err: wrongf("you were not signed in: %s", word(q.Get("error")))}
	case code == "":
		return answer{err: errCode}
	default:
		return answer{result: &auth.AuthorizationResult{Code: code, State: q.Get("state"), Iss: q.Get("iss")}}
	}
}

// typed is the answer that the person gave: the address at which their browser ended.
func (b *back) typed(line string) answer {
	u, err := url.Parse(strings.TrimSpace(line))
	if err != nil || len(line) > longest || u.RawQuery == "" {
		return answer{err: errors.New("want the whole address at which the browser ended")}
	}
	return b.read(u.Query())
}

// word is an error code of somebody else, for the person.
func word(s string) string {
	return termsafe.Cut(termsafe.Visible(strings.Join(strings.Fields(s), " ")), 60)
}

// ask has the person sign in at an address, and returns what the browser came back with. ctx bounds it.
func (l *Login) ask(ctx context.Context, ask Ask, b *back, address string) (*auth.AuthorizationResult, error) {
	u, err := url.Parse(address)
	if err != nil || !safe(u, l.here()) || len(address) > longest || termsafe.Visible(address) != address {
		return nil, errUnsafe
	}
	b.expect(u.Query().Get("state"))
	v := Visit{Server: l.o.Server, For: l.o.URL.Host, At: u.Host, URL: address}
	for range tries {
		a, err := l.once(ctx, ask, b, v)
		switch {
		case err != nil:
			return nil, err
		case errors.As(a.err, new(*Error)):
			return nil, a.err
		case a.err == nil:
			return a.result, nil
		}
		v.Wrong = a.err.Error()
	}
	return nil, wrongf("you were not signed in: %s", v.Wrong)
}

// once waits for the browser, and for what the person types.
func (l *Login) once(ctx context.Context, ask Ask, b *back, v Visit) (answer, error) {
	asking, stop := context.WithCancel(ctx)
	defer stop()
	type reply struct {
		line string
		err  error
	}
	replied := make(chan reply, 1)
	go func() {
		line, err := ask(asking, v)
		replied <- reply{line, err}
	}()
	select {
	case a := <-b.got:
		stop()
		<-replied // the terminal is given back
		return a, nil
	case r := <-replied:
		select {
		case a := <-b.got:
			return a, nil
		default:
		}
		switch {
		case ctx.Err() != nil:
			return answer{}, wrongf("you did not sign in in time")
		case r.err != nil || r.line == "":
			return answer{}, wrongf("you did not sign in")
		}
		return b.typed(r.line), nil
	}
}
