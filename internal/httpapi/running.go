package httpapi

import (
	"context"
	"net/http"
	"slices"
	"time"
)

// lookEvery is how often it is looked whether those who are being answered still have their tokens.
const lookEvery = 400 * time.Millisecond

// A running is an answer that is being given.
type running struct {
	who Client
	end func() // has it end, whether its client reads or not
}

// during returns the request as its answer has it until done is called: it ends when the client's token is taken away, also one
// that lasts, and one that waits for a client that does not read. ok is false if too many are being answered.
func (s *Server) during(w http.ResponseWriter, r *http.Request, who Client) (with *http.Request, done func(), ok bool) {
	ctx, cancel := context.WithCancel(r.Context())
	conn := http.NewResponseController(w)
	is := &running{who: who, end: func() {
		cancel()
		past := time.Unix(1, 0)
		_ = conn.SetWriteDeadline(past) // a writer in a test has none
		_ = conn.SetReadDeadline(past)
	}}
	s.mu.Lock()
	defer s.mu.Unlock()
	theirs := 0
	for other := range s.running {
		if other.who.Name == who.Name {
			theirs++
		}
	}
	if len(s.running) >= mostBusy || theirs >= mostOfOne {
		cancel()
		return r, nil, false
	}
	s.running[is] = true
	return r.WithContext(ctx), func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, is)
	}, true
}

// watch ends what clients are being answered whose tokens were taken away, until ctx is done.
func (s *Server) watch(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.look()
		}
	}
}

// look ends what is answered to who has no token any more. If that cannot be known, nobody has one.
func (s *Server) look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.running) == 0 {
		return
	}
	list, err := s.o.Clients.List()
	for is := range s.running {
		if err != nil || !slices.ContainsFunc(list, is.who.is) {
			is.end()
		}
	}
}

// is reports whether another is the same client with the same token.
func (c Client) is(other Client) bool {
	return c.Name == other.Name && string(c.sum) == string(other.sum)
}
