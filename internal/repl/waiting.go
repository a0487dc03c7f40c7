package repl

import (
	"fmt"
	"io"
	"sync"
	"time"

	"ken/internal/termsafe"
)

const (
	// waitQuiet is how long nothing is drawn: most answers have begun by then.
	waitQuiet = 400 * time.Millisecond
	// waitTick is how often what is drawn changes.
	waitTick = 125 * time.Millisecond
)

// Look says what a terminal can show.
type Look struct {
	Unicode bool
	Width   int // cells of a line
}

// A Waiting is a line on the terminal that says what is waited for, and for how
// long. The line is drawn over itself and goes before anything else is printed. One does for all
// that an answer is waited for, so that there are never two lines. A
// nil *Waiting draws nothing. It is safe for concurrent use.
type Waiting struct {
	w   io.Writer
	now func() time.Time

	mu    sync.Mutex
	look  Look
	from  time.Time
	what  string
	timer *time.Timer // nil once it is over
	drawn int         // how often
	shown bool
}

// Wait begins to wait for name, and to say so on w if that takes long.
func Wait(w io.Writer, now func() time.Time, look Look, name string) *Waiting {
	x := &Waiting{w: w, now: now}
	x.Again(look, name)
	return x
}

// Again waits for name from now on, whether or not it was over.
func (x *Waiting) Again(look Look, name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.end()
	x.look, x.from, x.what = look, x.now(), "waiting for "+termsafe.Line(name)
	x.timer = time.AfterFunc(waitQuiet, x.tick)
}

// tick draws the line anew.
func (x *Waiting) tick() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.timer == nil {
		return
	}
	frames := []rune(`|/-\`)
	if x.look.Unicode {
		frames = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	}
	seconds := int(x.now().Sub(x.from) / time.Second)
	text := fmt.Sprintf("%c %s  %d s (Ctrl-C stops)", frames[x.drawn%len(frames)], x.what, seconds)
	// What cannot be drawn need not be: the answer's own writes tell of a closed
	// terminal.
	_, _ = io.WriteString(x.w, "\r"+termsafe.CutWith(text, x.look.Width-1, termsafe.Sign(!x.look.Unicode))+"\x1b[K")
	x.drawn, x.shown = x.drawn+1, true
	x.timer.Reset(waitTick)
}

// erase takes the line off the screen.
func (x *Waiting) erase() {
	if x.shown {
		_, _ = io.WriteString(x.w, "\r\x1b[K")
		x.shown = false
	}
}

// Think says from now on that the model is thinking.
func (x *Waiting) Think() {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.what = "thinking"
}

// Calls says from now on that a call is being written, which begins so.
func (x *Waiting) Calls(begins string) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.what = "calling " + termsafe.Line(begins)
}

// Around calls say while the line is not on the screen.
func (x *Waiting) Around(say func()) {
	if x != nil {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.erase()
	}
	say()
}

// Stop takes the line off the screen for good. It may be called again.
func (x *Waiting) Stop() {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.end()
}

// end takes the line off the screen.
func (x *Waiting) end() {
	if x.timer != nil {
		x.timer.Stop()
		x.timer = nil
	}
	x.erase()
}
