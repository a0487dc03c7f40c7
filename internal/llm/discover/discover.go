package discover

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Within is how long the likelier of several servers is waited for once another one answered: an answer of a server on the
// same machine takes a few milliseconds. Where nobody listens a connection is refused in less than one.
const Within = 150 * time.Millisecond

// connectWithin is how long a connection may take: the system makes it, however busy the server is.
const connectWithin = 500 * time.Millisecond

var (
	// ErrNone says that no server answered with a list of models.
	ErrNone = errors.New("no model was found on this machine")
	// ErrEmpty says that a server answered, and has no model to offer. It wraps
	// nothing; the error that holds it names the address.
	ErrEmpty = errors.New("the server there lists no model")
	// ErrSilent says that somebody listens there and did not answer in time. It wraps
	// nothing; the error that holds it names the address.
	ErrSilent = errors.New("the server there does not answer")
	// ErrAbsent says that nobody listens there.
	ErrAbsent = errors.New("nobody listens there")
	// ErrNotLocal says that an address is not one of this machine. Nothing was
	// sent.
	ErrNotLocal = errors.New("not an address of this machine")
)

// Found is a model that answers.
type Found struct {
	Address string // host:port, to be shown
	BaseURL string // of the interface, without user and password: http://127.0.0.1:11434/v1
	Model   string // as the server calls it
}

// Addresses returns where models of this machine usually answer, the likeliest first:
// Ollama, llama.cpp, LM Studio. ollamaHost is the value of OLLAMA_HOST; if it
// names a place on this machine, that stands for Ollama's.
func Addresses(ollamaHost string) []string {
	list := []string{"127.0.0.1:11434", "127.0.0.1:8080", "127.0.0.1:1234"}
	if at := ollamaAddress(ollamaHost); at != "" {
		list[0] = at
	}
	return list
}

// ollamaAddress reads what Ollama reads: a host, a port behind a colon, both, or
// a URL. It is "" for anything elsewhere. A server that listens everywhere (0.0.0.0)
// listens here.
func ollamaAddress(s string) string {
	s = strings.TrimSpace(s)
	if _, rest, ok := strings.Cut(s, "://"); ok {
		s = rest
	}
	s, _, _ = strings.Cut(s, "/")
	if s == "" {
		return ""
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		host, port = strings.Trim(s, "[]"), "11434"
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() || host == "" {
		host = "127.0.0.1"
	}
	if !isLocalHost(host) || !isPort(port) {
		return ""
	}
	return net.JoinHostPort(host, port)
}

func isPort(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != "" && len(s) <= 5
}

// IsLocal reports whether the address of an interface names this machine: a
// loopback address, or localhost.
func IsLocal(baseURL string) bool {
	u, err := url.Parse(strings.TrimSpace(baseURL))
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && isLocalHost(u.Hostname())
}

func isLocalHost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// First looks at all addresses at once and returns the first of them in their order at which a model answers. Whoever listens may
// take so long to answer, but no longer than Within once another one did. The error is ErrNone, ErrEmpty where a server answered
// without a model, ErrSilent where one did not answer, or the cause of ctx.
func First(ctx context.Context, addresses []string, within time.Duration) (Found, error) {
	type result struct {
		i     int
		found Found
		err   error
	}
	look, cancel := context.WithTimeout(ctx, within)
	results := make(chan *result, len(addresses))
	var all sync.WaitGroup
	for i, at := range addresses {
		all.Go(func() {
			found, err := ask(look, "http://"+at+"/v1")
			results <- &result{i, found, err}
		})
	}
	defer all.Wait()
	defer cancel()                          // first: what still goes on then ends at once
	list := make([]*result, len(addresses)) // of those that are through
	var late <-chan time.Time
	for left := len(addresses); left > 0; {
		select {
		case r := <-results:
			left--
			if list[r.i] = r; r.err == nil && late == nil {
				t := time.NewTimer(min(Within, within))
				defer t.Stop()
				late = t.C
			}
		case <-late:
			left = 0 // the likelier ones had their time
		}
		for _, r := range list {
			if r == nil && left > 0 {
				break // a likelier one may answer yet
			}
			if r != nil && r.err == nil {
				return r.found, nil
			}
		}
	}
	if ctx.Err() != nil {
		return Found{}, context.Cause(ctx)
	}
	for _, kind := range []error{ErrEmpty, ErrSilent} {
		for i, r := range list {
			if errors.Is(r.err, kind) {
				return Found{}, fmt.Errorf("%s: %w", addresses[i], kind)
			}
		}
	}
	return Found{}, ErrNone
}

// At asks the interface at an address of this machine for its models, for at most
// within. The error is ErrNotLocal, or says why no model was found there.
func At(ctx context.Context, baseURL string, within time.Duration) (Found, error) {
	if !IsLocal(baseURL) {
		return Found{}, ErrNotLocal
	}
	look, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	found, err := ask(look, baseURL)
	if err != nil && ctx.Err() != nil {
		return Found{}, context.Cause(ctx)
	}
	return found, err
}
