package web

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"

	"ken/internal/web/hall"
)

const (
	// mostStreams is how many answers are watched at once.
	mostStreams = 32
	// alive is how often a stream says that it is there, and reads how long a browser may take to read what it was sent.
	alive, reads = 15 * time.Second, 10 * time.Second
	// pace is how long at least a stream waits between two steps, and paceOf how long more for each so many bytes of a step.
	pace, paceOf = 60 * time.Millisecond, 1 << 10
)

// stream shows an answer while it is written: each event is how it stands, and its id which step that is. The last one has what was
// recorded, and "done" is behind it.
func (p *Page) stream(w http.ResponseWriter, r *http.Request, a asked) {
	if p.streams.Add(1) > mostStreams {
		p.streams.Add(-1)
		w.Header().Set("Retry-After", "5")
		p.show(w, http.StatusServiceUnavailable, "fault", &trouble{What: errTooMany.Error()})
		return
	}
	defer p.streams.Add(-1)
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Time{}) // it lasts; a writer in a test has no deadlines
	_ = conn.SetWriteDeadline(time.Time{})
	slow := time.AfterFunc(p.reads, func() { _ = conn.SetWriteDeadline(time.Unix(1, 0)) })
	defer slow.Stop()
	say := func(text string) bool {
		slow.Reset(p.reads)
		defer slow.Stop()
		_, err := w.Write([]byte(text))
		return err == nil && conn.Flush() == nil
	}
	w.Header().Set("Content-Type", "text/event-stream")
	run := p.watched(a)
	if run == nil { // the server was started anew, or it is long ago
		v := &running{Talk: a.path[1], Once: p.once, Done: true, Status: "Look at the conversation as it stands now."}
		say(p.event("gone", "gone", v) + "event: done\ndata: \n\n")
		return
	}
	if !say(": ken\n\n") { // the headers, before there is a word
		return
	}
	tick := time.NewTicker(alive)
	defer tick.Stop()
	last := r.Header.Get("Last-Event-Id")
	for rev := -1; ; {
		s := run.Look()
		if id := fmt.Sprintf("%s-%d", run.ID, s.Rev); s.Done || s.Rev > rev && id != last {
			text := p.event(id, "run", p.run(a.ctx, run))
			if s.Done {
				say(text + "event: done\ndata: \n\n")
				return
			}
			if !say(text) {
				return
			}
			select {
			case <-a.ctx.Done():
				return
			case <-time.After(pace + time.Duration(len(text)/paceOf)*time.Millisecond):
			}
		}
		rev = s.Rev
		select {
		case <-a.ctx.Done():
			return
		case <-tick.C:
			if !say(": alive\n\n") {
				return
			}
		case <-run.Changed(rev):
		}
	}
}

// watched is the answer that a stream is asked for; nil: there is none any more.
func (p *Page) watched(a asked) *hall.Run {
	if p.hall == nil {
		return nil
	}
	open, ok := p.hall.Open(a.path[1])
	if !ok || open.Run == nil || open.Run.ID != a.form.Get("turn") {
		return nil
	}
	return open.Run
}

// event is a template as an event.
func (p *Page) event(id, name string, v any) string {
	var b bytes.Buffer
	if err := p.pages.ExecuteTemplate(&b, name, v); err != nil {
		p.o.Warn(fmt.Errorf("the page cannot be shown: %w", err))
		return ""
	}
	lines := strings.ReplaceAll(strings.ReplaceAll(b.String(), "\r", ""), "\n", "\ndata: ")
	return "id: " + id + "\ndata: " + lines + "\n\n"
}
