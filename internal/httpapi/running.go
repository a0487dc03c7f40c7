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
	if s.running[is] = true; !s.watches { // a server that answers nobody wakes for nobody
		s.watches = true
		time.AfterFunc(lookEvery, s.watch)
	}
	return r.WithContext(ctx), func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, is)
	}, true
}

// watch ends what clients are being answered whose tokens were taken away, while any is. If that cannot be known, nobody has one.
func (s *Server) watch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watches = len(s.running) > 0; !s.watches {
		return
	}
	list, err := s.o.Clients.List()
	for is := range s.running {
		if err != nil || !slices.ContainsFunc(list, is.who.is) {
			is.end()
		}
	}
	time.AfterFunc(lookEvery, s.watch)
}

// is reports whether another is the same client with the same token.
func (c Client) is(other Client) bool {
	return c.Name == other.Name && string(c.sum) == string(other.sum)
}
