package ask

import (
	"strings"
	"time"
)

const (
	// Alone is how long a key has to stand alone to be an answer: nobody who types a word is that slow.
	Alone = 500 * time.Millisecond
	// Behind is how long nothing may come behind Enter: what is pasted goes on.
	Behind = 150 * time.Millisecond
)

// A Reading is the keys that are pressed at a question, up to its answer. It is told of what comes and of the
// pauses between; it reads nothing, prints nothing and has no clock.
type Reading struct {
	q      Question
	strict bool // what was typed once was no answer

	line  []byte
	ended bool // by Enter
	left  bool
	loose bool // it is no answer whatever the line says: a paste, a key with no letter
	only  bool // it is Escape alone, so far
	dark  bool // something followed Escape: a paste, or a key that is none; nothing is shown of what comes with it
}

// Read begins a reading.
func Read(q Question) *Reading { return &Reading{q: q} }

// Keys takes what came at once. It returns what is to be shown of it, of Enter a line end.
func (r *Reading) Keys(p []byte) (echo string) {
	var b strings.Builder
	for _, c := range p {
		switch {
		case c == 3:
			r.left = true
		case r.dark:
		case r.only:
			r.loose, r.dark, r.only = true, true, false
		case r.ended:
			r.loose = true
		case c == 4 && len(r.line) == 0 && !r.loose:
			r.left = true
		case c == 27 && len(r.line) == 0 && !r.loose:
			r.only = true
		case c == 27:
			r.loose, r.dark = true, true
		case c == '\r', c == '\n':
			r.ended = true
			b.WriteByte('\n')
		case c == 8, c == 127:
			if n := len(r.line); n > 0 {
				r.line = r.line[:n-1]
				b.WriteString("\b \b")
			}
		case c < ' ' || c > '~':
			r.loose = true
		case len(r.line) < mostTyped:
			r.line = append(r.line, c)
			b.WriteByte(c)
		default:
			r.loose = true
		}
	}
	return b.String()
}

// mostTyped is how long a line is that is kept: no answer is as long.
const mostTyped = 40

// Pause is for how long nothing may come until Paused is to be called; forever means that nothing but a key goes on.
func (r *Reading) Pause() (d time.Duration, forever bool) {
	switch {
	case r.loose:
		return Alone, false
	case r.left, r.ended, r.only:
		return Behind, false
	case len(r.line) == 0:
		return 0, true
	}
	a, ok := r.q.Of(string(r.line))
	switch {
	case ok && len(r.line) == 1 && (!r.strict || a == No || a == Stop):
		return Alone, false
	case ok, r.q.begins(string(r.line)):
		return 0, true // until Enter
	}
	return Alone, false
}

// An Outcome is what a pause came to.
type Outcome int

// The outcomes.
const (
	Waits    Outcome = iota // nothing yet
	Answered                // with an answer
	Again                   // it was no answer: the question is put once more
)

// Paused says what was typed comes to, when nothing came for as long as Pause said. note is what is to be said of
// it; "" is nothing.
func (r *Reading) Paused() (o Outcome, a Answer, note string) {
	if _, forever := r.Pause(); forever {
		return Waits, "", ""
	}
	if r.left || r.only && !r.loose {
		return Answered, Stop, ""
	}
	if a, ok := r.q.Of(string(r.line)); ok && !r.loose {
		return Answered, a, ""
	}
	what := "that"
	if len(r.line) > 0 && len(r.line) < mostTyped {
		what = `"` + string(r.line) + `"`
	}
	if r.strict {
		return Answered, Stop, what + " is no answer either: no"
	}
	*r = Reading{q: r.q, strict: true}
	return Again, "", what + " is no answer; type one of these, and Enter"
}

// Left reports whether the person left by Ctrl-C.
func (r *Reading) Left() bool { return r.left }

// End is what ends the line on which was typed; "" where Enter did.
func (r *Reading) End() string {
	switch {
	case r.left:
		return "^C\n"
	case r.ended:
		return ""
	}
	return "\n"
}
