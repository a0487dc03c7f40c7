//go:build linux || darwin

package choose

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

const (
	firstWait  = 20 * time.Millisecond // for entries before an empty list is drawn
	drawWait   = 40 * time.Millisecond // before entries that come are drawn, so that many are at once
	escapeWait = 25 * time.Millisecond // for the rest of a key's sequence
	blockWait  = time.Second           // for the rest of a pasted block
	findWait   = 80 * time.Millisecond // how long the filter rests before Find is asked
	rawAgain   = 50 * time.Millisecond // after ken goes on: who looks after the terminal comes first
)

// batch is how many entries are taken in between two looks at the keys.
const batch = 1000

// A picker is a list on a terminal.
type picker struct {
	*list
	fd   int
	tty  *os.File
	out  io.Writer
	keys decoder

	behind []byte // what was typed behind the key that ended it

	found     *term.State // how the terminal was
	drawn     bool
	due       bool // it will be drawn by and by
	finding   context.CancelFunc
	findAt    <-chan time.Time
	findings  chan finding
	findsDone sync.WaitGroup
}

type finding struct {
	filter string
	ids    map[string]bool
}

// Pick has the person at tty choose. out is where the list is drawn: the same terminal.
// Nobody else may be reading from tty. A choice that was not made is no error: Taken is
// false then. Errors: ErrUnable before anything was drawn, the cause of ctx, io.EOF if the
// terminal is gone, and those of the terminal.
func Pick(ctx context.Context, tty *os.File, out io.Writer, o Options) (c Choice, err error) {
	p := &picker{list: newList(o), fd: int(tty.Fd()), tty: tty, out: out, findings: make(chan finding, 1)}
	if p.fd >= unix.FD_SETSIZE || !term.IsTerminal(p.fd) {
		return c, fmt.Errorf("%w: no terminal", ErrUnable)
	}
	if p.found, err = term.MakeRaw(p.fd); err != nil {
		return c, fmt.Errorf("%w: %w", ErrUnable, err)
	}
	defer func() { err = errors.Join(err, term.Restore(p.fd, p.found)) }()
	ahead := p.waiting()
	ctx, cancel := context.WithCancel(ctx)
	feed := newFeed(ctx, o.Entries)
	typing, err := read(p.fd)
	if err != nil {
		cancel()
		return Choice{Ahead: ahead}, err
	}
	taken, err := p.run(ctx, feed, typing.keys)
	cancel()
	err = errors.Join(err, p.erase())
	typing.end()
	feed.ended.Wait()
	p.findsDone.Wait()
	c = p.choice(taken)
	c.Ahead = slices.Concat(ahead, p.behind, typing.left())
	return c, err
}

// waiting takes what had been typed by now.
func (p *picker) waiting() (typed []byte) {
	buf := make([]byte, 4096)
	for ready(p.fd, -1, 0) == p.fd && len(typed) < 1<<20 {
		n, err := unix.Read(p.fd, buf)
		if err != nil || n <= 0 {
			break
		}
		typed = append(typed, buf[:n]...)
	}
	return typed
}

// run shows the list and does what keys ask for.
func (p *picker) run(ctx context.Context, feed *feed, typing <-chan []byte) (taken bool, err error) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, unix.SIGWINCH, unix.SIGCONT)
	defer signal.Stop(signals)
	draw := time.NewTimer(firstWait)
	defer draw.Stop()
	var escape, raw <-chan time.Time
	p.resized()
	for {
		var pressed []key
		select {
		case <-ctx.Done():
			return false, context.Cause(ctx)
		case b, ok := <-typing:
			if !ok {
				return false, io.EOF
			}
			pressed = p.keys.feed(b)
			escape = nil
			switch {
			case p.keys.pasting():
				escape = time.After(blockWait)
			case p.keys.pending():
				escape = time.After(escapeWait)
			}
		case <-escape:
			escape = nil
			pressed = p.keys.flush()
		case <-feed.more:
			p.take(feed)
			if enough := len(p.shown) >= p.rows || p.whole; !p.drawn && enough {
				draw.Reset(0)
			} else if p.drawn && !p.due {
				p.due = true
				draw.Reset(drawWait)
			}
			continue
		case <-draw.C:
			if err := p.show(); err != nil {
				return false, err
			}
			continue
		case <-p.findAt:
			p.ask(ctx)
			continue
		case f := <-p.findings:
			if f.filter == string(p.filter) && len(f.ids) > 0 {
				p.find(f.ids)
				draw.Reset(0)
			}
			continue
		case sig := <-signals:
			if sig == unix.SIGCONT {
				raw = time.After(rawAgain)
			}
			p.resized()
		case <-raw:
			raw = nil
			if _, err := term.MakeRaw(p.fd); err != nil {
				return false, err
			}
			p.drawn = false
		}
		if over, taken := p.press(pressed); over {
			return taken, nil
		}
		if err := p.show(); err != nil {
			return false, err
		}
	}
}

// press does what was pressed.
func (p *picker) press(keys []key) (over, taken bool) {
	was := string(p.filter)
	for i, k := range keys {
		if over, taken = p.key(k); over {
			for _, k := range keys[i+1:] { // they are the next line's
				p.behind = append(p.behind, k.sent...)
			}
			p.behind = append(p.behind, p.keys.held...)
			return over, taken
		}
	}
	if string(p.filter) != was && p.o.Find != nil {
		if p.finding != nil {
			p.finding()
			p.finding = nil
		}
		p.findAt = time.After(findWait)
	}
	return false, false
}

// ask has Options.Find look for the filter.
func (p *picker) ask(ctx context.Context) {
	p.findAt = nil
	filter := string(p.filter)
	if strings.TrimSpace(filter) == "" {
		return
	}
	ctx, p.finding = context.WithCancel(ctx)
	p.findsDone.Go(func() {
		ids, err := p.o.Find(ctx, filter)
		if err != nil {
			return // what the entries say themselves is searched all the same
		}
		select {
		case p.findings <- finding{filter, ids}:
		case <-ctx.Done():
		}
	})
}

// take takes in what has come.
func (p *picker) take(f *feed) {
	entries, whole := f.take()
	p.add(entries)
	if whole && !p.whole {
		p.end()
	}
}

// resized asks how large the screen is.
func (p *picker) resized() {
	_, high := p.size()
	p.resize(high)
}

func (p *picker) size() (wide, high int) {
	wide, high, err := term.GetSize(p.fd)
	if err != nil || wide <= 0 || high <= 0 {
		return 80, 24
	}
	return wide, high
}

// show draws the list where it is, all of it in one write, and leaves the cursor, hidden,
// where it begins.
func (p *picker) show() error {
	wide, _ := p.size()
	rows := p.draw(wide)
	var b strings.Builder
	b.WriteString("\x1b[?25l\x1b[?7l\r")
	if !p.drawn {
		b.WriteString("\x1b[?2004h")
	}
	for i, row := range rows {
		if i > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString(row + "\x1b[K")
	}
	b.WriteString("\x1b[J")
	if n := len(rows) - 1; n > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", n)
	}
	b.WriteString("\r\x1b[?7h")
	p.drawn, p.due = true, false
	_, err := io.WriteString(p.out, b.String())
	return err
}

// erase takes the list off the screen.
func (p *picker) erase() error {
	_, err := io.WriteString(p.out, "\r\x1b[J\x1b[?2004l\x1b[?25h")
	return err
}

// A feed is what comes from Options.Entries.
type feed struct {
	more  chan struct{} // something came, or the end
	ended sync.WaitGroup

	mu      sync.Mutex
	entries []Entry
	whole   bool
}

func newFeed(ctx context.Context, entries func(context.Context) iter.Seq[Entry]) *feed {
	f := &feed{more: make(chan struct{}, 1)}
	f.ended.Go(func() {
		if entries != nil {
			for e := range entries(ctx) {
				if ctx.Err() != nil {
					return
				}
				f.put(func() { f.entries = append(f.entries, e) })
			}
		}
		f.put(func() { f.whole = true })
	})
	return f
}

func (f *feed) put(what func()) {
	f.mu.Lock()
	what()
	f.mu.Unlock()
	select {
	case f.more <- struct{}{}:
	default: // it is known
	}
}

func (f *feed) take() (entries []Entry, whole bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := min(len(f.entries), batch)
	entries, f.entries = f.entries[:n], f.entries[n:]
	if len(f.entries) > 0 {
		select {
		case f.more <- struct{}{}:
		default: // it is known
		}
		return entries, false
	}
	return entries, f.whole
}

// A typing is what a person types, until end.
type typing struct {
	keys         chan []byte // closed when the terminal is gone
	stop         chan struct{}
	wakeR, wakeW *os.File
	ended        sync.WaitGroup
	over         []byte // was read and not taken
}

// read reads from the terminal fd.
func read(fd int) (*typing, error) {
	t := &typing{keys: make(chan []byte), stop: make(chan struct{})}
	var err error
	if t.wakeR, t.wakeW, err = os.Pipe(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnable, err)
	}
	wake := int(t.wakeR.Fd())
	t.ended.Go(func() {
		defer close(t.keys)
		for {
			if ready(fd, wake, -1) != fd {
				return
			}
			b := make([]byte, 4096)
			n, err := unix.Read(fd, b)
			switch {
			case errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN):
				continue
			case err != nil || n <= 0:
				return
			}
			select {
			case t.keys <- b[:n]:
			case <-t.stop:
				t.over = b[:n]
				return
			}
		}
	})
	return t, nil
}

// end takes the terminal back.
func (t *typing) end() {
	close(t.stop)
	_, _ = t.wakeW.Write([]byte{0}) // it is ours
	t.ended.Wait()
	_, _ = t.wakeR.Close(), t.wakeW.Close()
}

// left is what was read and not taken.
func (t *typing) left() []byte { return t.over }

// ready waits until there is something to read at one of two files, and says at which,
// wake first; -1 for neither. It waits for ever if wait is negative.
func ready(fd, wake int, wait time.Duration) int {
	for {
		var set unix.FdSet
		set.Set(fd)
		if wake >= 0 {
			set.Set(wake)
		}
		var timeout *unix.Timeval
		if wait >= 0 {
			tv := unix.NsecToTimeval(wait.Nanoseconds())
			timeout = &tv
		}
		n, err := unix.Select(max(fd, wake)+1, &set, nil, nil, timeout)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil || n == 0:
			return -1
		case wake >= 0 && set.IsSet(wake):
			return wake
		}
		return fd
	}
}
