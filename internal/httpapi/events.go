package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"ken/internal/app"
)

// Bounds of streams of events.
const (
	mostStreams  = 48 // at once
	streamsOfOne = 8  // of one client
	mostFor      = 86_400
)

// beats are how often a stream looks and says that it is there.
type beats struct {
	look, alive time.Duration
	reads       time.Duration // a client may take to read what it was sent
}

func usualBeats() beats { return beats{500 * time.Millisecond, 15 * time.Second, 10 * time.Second} }

// serveEvents tells a client when the memory, or what waits, was written to, until it hangs up. What was written it asks for by
// the other routes. The id of an event is how things stood: who comes back with it learns at once whether it missed something.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request, who Client) {
	end := make(<-chan time.Time)
	if text := r.URL.Query().Get("for"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > mostFor {
			refuse(w, http.StatusBadRequest, "bad_request", fmt.Sprintf("for: want a whole number from 0 to %d", mostFor), s.more())
			return
		}
		end = time.After(time.Duration(n) * time.Second)
	}
	if !s.opens(who) {
		w.Header().Set("Retry-After", "15")
		refuse(w, http.StatusTooManyRequests, "too_many", "too many streams are open", fmt.Sprintf("open at most %d", streamsOfOne))
		return
	}
	defer s.closes(who)
	was, err := s.o.App.View(app.Standing{}).Stamp()
	if err != nil {
		s.o.Warn(err)
		refuse(w, http.StatusInternalServerError, "memory", "the memory could not do that", "at the machine: ken doctor")
		return
	}
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Time{}) // it lasts; a writer in a test has no deadlines
	_ = conn.SetWriteDeadline(time.Time{})
	reads := time.AfterFunc(s.beats.reads, func() { _ = conn.SetWriteDeadline(time.Unix(1, 0)) })
	defer reads.Stop()
	say := func(text string) bool {
		reads.Reset(s.beats.reads)
		defer reads.Stop()
		_, err := w.Write([]byte(text))
		return err == nil && conn.Flush() == nil
	}
	w.Header().Set("Content-Type", "text/event-stream")
	last := r.Header.Get("Last-Event-Id")
	if !say(event(was, last != "" && last != was)) {
		return
	}
	look, alive := time.NewTicker(s.beats.look), time.NewTicker(s.beats.alive)
	defer look.Stop()
	defer alive.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-s.ending:
			return
		case <-end:
			return
		case <-alive.C:
			if !say(": alive\n\n") {
				return
			}
		case <-look.C:
			if now, err := s.o.App.View(app.Standing{}).Stamp(); err == nil && now != was {
				if was = now; !say(event(now, true)) {
					return
				}
			}
		}
	}
}

// event says how things stand, and whether they were written to.
func event(stamp string, changed bool) string {
	return fmt.Sprintf("id: %s\ndata: {\"changed\":%t}\n\n", stamp, changed)
}

// opens counts a stream of a client; false: it may open none now.
func (s *Server) opens(who Client) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := 0
	for _, n := range s.streams {
		all += n
	}
	if all >= mostStreams || s.streams[who.Name] >= streamsOfOne {
		return false
	}
	s.streams[who.Name]++
	return true
}

func (s *Server) closes(who Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.streams[who.Name]--; s.streams[who.Name] == 0 {
		delete(s.streams, who.Name)
	}
}
