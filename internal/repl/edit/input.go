//go:build linux || darwin

package edit

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"ken/internal/escape"
	"ken/internal/pty/pair"
)

const (
	// chunk is how many bytes the library is given at a time, which is what it
	// reads at a time: a character that it would read in two is lost.
	chunk = 1000
	// typedAtOnce is how many bytes may come together of what is typed by hand.
	typedAtOnce = 32
	// backlog is how much is read ahead of the library.
	backlog = 64 << 10
)

// How long the select of a pump waits.
const (
	escapeWait = 25 * time.Millisecond  // for the rest of a key's sequence
	blockWait  = time.Second            // for the rest of a pasted block
	ringWait   = 50 * time.Millisecond  // for the letters to be opened
	cursorWait = 300 * time.Millisecond // for an answer of the terminal
	roomWait   = 200 * time.Microsecond // for the library to read
)

// A pump brings what a person types to the library. It knows what a key is, what
// was pasted and what the terminal says on its own; the library, which takes all
// of that for keys, gets the keys.
type pump struct {
	tty    int
	filter filter

	keysR, keysW *os.File // what the library reads
	askR, askW   *os.File // a terminal, at which it asks where the cursor is
	wakeR, wakeW *os.File
	asked        atomic.Int64 // which question where the cursor is waits for its answer; 0: none
	asks         int64        // how often that was asked
	ended        atomic.Bool  // the run is over
	rung         atomic.Bool  // nobody has looked for letters since
	running      sync.WaitGroup
	out          []byte        // for the library; it has not read it
	sizes        []int         // of the pieces of out
	guess        func() []byte // an answer that may be wrong
	hungUp       bool
	alone        bool        // what comes next does, since it follows on a control
	single       atomic.Bool // each key comes alone
	escape       atomic.Bool // what was given last ends with the key Esc
	pasting      atomic.Bool // a block is under way, or what was given last looks like one without marks

	mu    sync.Mutex
	inbox []letter
	plain *singles // which keys may be marked now; nil for none
}

// A letter is something that is no key.
type letter struct {
	pasted []byte
	size   int  // of what was pasted; more than there is: it was too long
	gone   bool // the terminal
}

func newPump(tty int, limit int, known func(string) bool) (_ *pump, err error) {
	p := &pump{tty: tty}
	p.filter = filter{known: known, limit: limit, keys: p.put, pasted: p.pasted, cursor: p.cursor}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.keysR, p.keysW, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.wakeR, p.wakeW, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.askW, p.askR, err = pair.Open(); err != nil {
		return nil, err
	}
	_, err = term.MakeRaw(int(p.askR.Fd()))
	return p, err
}

func (p *pump) close() {
	for _, f := range []*os.File{p.keysR, p.keysW, p.askR, p.askW, p.wakeR, p.wakeW} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// start lets what is typed flow, until stop.
func (p *pump) start() {
	p.ended.Store(false)
	p.running.Add(1)
	go p.run()
}

// stop ends the flow. What was read and not taken by the library waits for the
// next start.
func (p *pump) stop() {
	p.ended.Store(true)
	p.wake()
	p.running.Wait()
	p.asked.Store(0)
}

func (p *pump) wake() { _, _ = p.wakeW.Write([]byte{0}) }

// ask says that the library is about to ask the terminal where the cursor is.
// It waits for the answer, so there is one: in time, a guess.
func (p *pump) ask() {
	p.asks++
	n := p.asks
	p.asked.Store(n)
	time.AfterFunc(cursorWait, func() {
		if p.asked.CompareAndSwap(n, 0) {
			_, _ = p.askW.Write(p.guess())
		}
	})
}

// post leaves a letter and rings.
func (p *pump) post(l letter) {
	p.mu.Lock()
	p.inbox = append(p.inbox, l)
	p.mu.Unlock()
	p.put([]byte(string(bell)))
}

// letters are those that have come.
func (p *pump) letters() []letter {
	p.rung.Store(false)
	p.wake()
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.inbox
	p.inbox = nil
	return l
}

// ring rings without a letter, from any goroutine.
func (p *pump) ring() { _, _ = p.wakeW.Write([]byte{1}) }

func (p *pump) put(b []byte) {
	p.out = append(p.out, b...)
	p.sizes = append(p.sizes, len(b))
}

func (p *pump) pasted(b []byte, size int) { p.post(letter{pasted: b, size: size}) }

func (p *pump) cursor(seq []byte) {
	if p.asked.Swap(0) != 0 {
		_, _ = p.askW.Write(seq)
	}
}

// run brings keys until the end. Select is used since poll knows no terminals on
// macOS.
func (p *pump) run() {
	defer p.running.Done()
	buf := make([]byte, 4096)
	for !p.ended.Load() {
		reads, err := p.wait()
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			p.gone()
			return
		}
		if reads.IsSet(int(p.wakeR.Fd())) {
			p.woken()
		}
		if reads.IsSet(p.tty) && !p.ended.Load() {
			n, err := unix.Read(p.tty, buf)
			switch {
			case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR):
			case err != nil || n <= 0:
				p.gone()
			default:
				p.filter.feed(buf[:n])
			}
		}
		p.give()
	}
}

// wait waits for something to do, and ends what took too long to go on.
func (p *pump) wait() (reads unix.FdSet, err error) {
	wake := int(p.wakeR.Fd())
	reads.Set(wake)
	last := wake
	if !p.hungUp && len(p.out) < backlog {
		reads.Set(p.tty)
		last = max(last, p.tty)
	}
	wait := time.Duration(-1)
	switch {
	case p.rung.Load():
		wait = ringWait
	case len(p.out) > 0:
		wait = roomWait
	case p.filter.stage == atBlock:
		wait = blockWait
	case p.filter.pending():
		wait = escapeWait
	}
	var timeout *unix.Timeval
	if wait >= 0 {
		tv := unix.NsecToTimeval(wait.Nanoseconds())
		timeout = &tv
	}
	n, err := unix.Select(last+1, &reads, nil, nil, timeout)
	if err != nil || n > 0 {
		return reads, err
	}
	reads.Zero()
	switch wait {
	case blockWait, escapeWait:
		p.filter.flush()
	case ringWait: // the library takes what follows on a prefix for nothing
		p.bell()
	}
	return reads, nil
}

// woken takes what woke the pump.
func (p *pump) woken() {
	var b [64]byte
	n, _ := p.wakeR.Read(b[:])
	for _, c := range b[:n] {
		if c == 1 {
			p.bell()
			return
		}
	}
}

// gone says that nobody can type any more.
func (p *pump) gone() {
	if !p.hungUp {
		p.hungUp = true
		p.post(letter{gone: true})
		p.give()
	}
}

// give gives the library as much as it reads at a time, once it has read what
// it had. A command of the library that asks for one more key drops what comes with
// that key, so what follows on a control comes alone.
func (p *pump) give() {
	block := p.filter.stage == atBlock
	if len(p.out) == 0 || p.rung.Load() || p.unread() > 0 {
		if block {
			p.pasting.Store(true) // the bell at its end says otherwise
		}
		return
	}
	if bytes.HasPrefix(p.out, []byte(string(bell))) {
		p.out, p.sizes = append(p.out[:0], p.out[p.sizes[0]:]...), append(p.sizes[:0], p.sizes[1:]...)
		p.pasting.Store(block)
		p.bell()
		return
	}
	alone := p.alone || p.single.Load()
	n, pieces := 0, 0
	for _, size := range p.sizes {
		if pieces > 0 && (alone || p.alone || n+size > chunk || bytes.HasPrefix(p.out[n:], []byte(string(bell)))) {
			break
		}
		p.alone = p.out[n] < ' ' || p.out[n] == 0x7f
		n, pieces = n+size, pieces+1
	}
	p.pasting.Store(block || n > typedAtOnce)
	p.send(p.out[:n])
	p.out, p.sizes = append(p.out[:0], p.out[n:]...), append(p.sizes[:0], p.sizes[pieces:]...)
}

// send writes keys, a plain one with its mark. After any other it is not known what the next
// one does before the library has seen to it.
func (p *pump) send(keys []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(keys) == 1 && p.plain != nil && keys[0] < utf8.RuneSelf && p.plain[keys[0]] {
		_, _ = p.keysW.Write(utf8.AppendRune([]byte{keys[0]}, mark))
		return
	}
	p.plain = nil
	p.escape.Store(bytes.HasSuffix(keys, []byte{escape.ESC}))
	_, _ = p.keysW.Write(keys)
}

// settled is called by the library's goroutine before it waits for keys. If nothing is left
// of those that it was given, plain are those that insert themselves now.
func (p *pump) settled(empty bool, plain *singles) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if empty && p.unread() == 0 {
		p.plain = plain
	}
}

// bell rings, and nothing more is given until somebody has looked for letters.
func (p *pump) bell() {
	p.rung.Store(true)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.plain = nil
	_, _ = p.keysW.WriteString(string(bell))
}

func (p *pump) unread() int {
	n, err := unix.IoctlGetInt(int(p.keysR.Fd()), toRead)
	if err != nil {
		return 0
	}
	return n
}

// position is a report of the terminal that the cursor is in a cell, both from 1.
func position(row, col int) []byte { return fmt.Appendf(nil, "\x1b[%d;%dR", row, col) }
