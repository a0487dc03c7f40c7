//go:build linux || darwin

package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/reeflective/readline"
	"github.com/reeflective/readline/inputrc"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"ken/internal/termsafe"
	"ken/internal/typed"
)

// An Editor reads lines from a terminal on which they can be edited. It is used
// by one goroutine, but for Lend and Close.
type Editor struct {
	o      Options
	rl     *readline.Shell
	screen *screen
	pump   *pump
	folder folder

	ctx     context.Context // of the line that is read
	prompt  string
	asking  bool   // a question, and not a line
	begin   string // what the next line begins with
	busy    bool   // a command is under way
	ran     bool   // a command was, and nothing was drawn since
	drawing bool   // the line is about to be drawn
	put     []rune // aside while the history is searched
	putAt   int    // where the cursor was in it
	idle    rune   // a key that does nothing, for narrow; 0: none was free
	look    look   // that search
	whole   func() // waits until what the library wrote is on the screen; see output
	known   map[string]bool
	single  map[string]*singles // of each keymap in which a person types

	begun    begun    // what the line may go on with
	problems []string // with keys

	stdin os.File // what os.Stdin was; see input

	shell atomic.Pointer[readline.Shell] // rl, for other goroutines
	fresh atomic.Bool                    // the screen: where the cursor is has to be asked
}

// Open makes an editor for the terminal, which from then on is the editor's
// until Close: what is typed is not shown before a line is asked for, and then
// begins that line. typed is what had been typed and has to be read by who reads
// instead, if the error is ErrUnable.
func Open(o Options) (_ *Editor, typed []byte, err error) {
	switch {
	case o.Input == nil || o.In != *o.Input || o.Out.Fd() != 1:
		return nil, nil, fmt.Errorf("%w: it is for standard input and output only", ErrUnable)
	case o.Term == "" || o.Term == "dumb":
		return nil, nil, fmt.Errorf("%w: TERM is %q", ErrUnable, o.Term)
	}
	fd := int(o.In.Fd())
	for _, f := range []*os.File{o.In, o.Out} {
		if !term.IsTerminal(int(f.Fd())) {
			return nil, nil, fmt.Errorf("%w: %s is no terminal", ErrUnable, f.Name())
		}
	}
	e := &Editor{o: o}
	s, err := newScreen(fd, o.Out, e.changed)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrUnable, err)
	}
	s.set(ahead)
	typed, ok := probe(fd, o.Out)
	if !ok {
		s.close()
		return nil, typed, fmt.Errorf("%w: the terminal does not say where its cursor is", ErrUnable)
	}
	e.screen = s
	e.pump, err = newPump(fd, o.Limit, e.isKey)
	if err != nil {
		s.close()
		return nil, typed, fmt.Errorf("%w: %w", ErrUnable, err)
	}
	e.pump.guess = e.guess
	e.setUp()
	// It was typed while Enter was still turned into a line end.
	e.pump.filter.feed([]byte(strings.ReplaceAll(string(typed), "\n", "\r")))
	return e, nil, nil
}

// setUp makes the library's shell and teaches it what it has to do otherwise.
func (e *Editor) setUp() {
	e.rl = readline.NewShell(inputrc.WithApp("ken"))
	if e.o.History == nil {
		e.o.History = &History{}
	}
	e.rl.History.Add("history", source{e})
	e.rl.Prompt.Primary(func() string {
		e.begins()
		if e.asking || e.o.Paint == nil {
			return e.prompt
		}
		return e.o.Paint(e.prompt)
	})
	e.rl.Prompt.Secondary(func() string { return "" })
	e.rl.AcceptMultiline = func(line []rune) bool {
		return e.asking || e.o.More == nil || !e.o.More(e.folder.unfold(string(line)))
	}
	e.rl.Completer = e.complete
	e.rl.Hint.SetProvider(e.beforeDrawing)
	e.variables()
	e.commands()
	e.bindings()
	e.shell.Store(e.rl)
}

// ReadLine reads a line, which may have line ends inside. Errors: io.EOF after
// Ctrl-D on an empty line and when the terminal is gone, ErrInterrupted with what
// had been typed, ErrTooLong, or
// the cause of ctx.
func (e *Editor) ReadLine(ctx context.Context, prompt string) (string, error) {
	e.asking = false
	line, err := e.read(ctx, prompt)
	if errors.Is(err, ErrInterrupted) {
		return line, err
	}
	if err != nil {
		return "", err
	}
	text := e.folder.unfold(line)
	if len(text) > e.o.Limit {
		e.begin = line
		return "", ErrTooLong
	}
	return text, nil
}

// Ask reads the answer to a question: no history, nothing is completed, and
// the key for cancel ends it.
func (e *Editor) Ask(ctx context.Context, question string) (string, error) {
	e.asking = true
	defer func() { e.asking = false }()
	line, err := e.read(ctx, question)
	if err != nil {
		return "", err
	}
	return e.folder.unfold(line), nil
}

// read lets the library read a line.
func (e *Editor) read(ctx context.Context, prompt string) (string, error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	e.ctx, e.prompt = ctx, termsafe.Line(prompt)
	if e.o.Here != nil {
		dir, scope := e.o.Here()
		e.o.History.Stand(typed.Where{Dir: dir, Scope: scope})
	}
	e.screen.set(editor)
	if e.rl.Config.GetString("editing-mode") == "vi" {
		e.rl.Keymap.SetMain("vi-insert")
	}
	e.put, e.ran, e.drawing = nil, false, false
	e.endLook()
	e.fresh.Store(true)
	e.pump.start()
	e.input(true)
	stop := context.AfterFunc(ctx, e.pump.ring)
	if e.begin != "" {
		e.pump.ring()
	}
	e.whole = e.output()
	line, err := e.rl.Readline()
	e.whole()
	stop()
	e.input(false)
	e.pump.stop()
	e.screen.set(ahead)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.Is(err, readline.ErrInterrupt):
		return line, ErrInterrupted
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, ErrInterrupted):
		return "", fmt.Errorf("read from the terminal: %w", err)
	}
	return line, err
}

// input makes what the pump brings the library's input, or takes it back. The
// library reads keys from the file that os.Stdin was when the program began, and the
// cursor from the one that it is now.
func (e *Editor) input(own bool) {
	if own {
		e.stdin = *e.o.In
		*e.o.In = *e.pump.keysR
		*e.o.Input = e.pump.askR
		return
	}
	*e.o.In = e.stdin
	*e.o.Input = e.o.In
}

// output takes the colours out of what the library writes until whole is called,
// if that is wanted.
func (e *Editor) output() (whole func()) {
	if !e.o.Plain || e.o.Output == nil {
		return func() {}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return func() {}
	}
	*e.o.Output = w
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(&plain{w: e.o.Out}, r) // a terminal that is gone is reported by reading
	}()
	return func() {
		*e.o.Output = e.o.Out
		_ = w.Close()
		<-done
		_ = r.Close()
	}
}

// Begin has the next line begin with text, cleaned, for the person to change and to
// enter.
func (e *Editor) Begin(text string) { e.begin = e.folder.foldEntry(clean(text)) }

// Ahead takes what was typed while no line was read, for the next one.
func (e *Editor) Ahead(keys []byte) {
	e.pump.filter.feed(bytes.ReplaceAll(keys, []byte{'\n'}, []byte{'\r'}))
}

// flush waits until what the library wrote is on the screen.
func (e *Editor) flush() {
	e.whole()
	e.whole = e.output()
}

// Remember adds what was read to the history. keep says whether it may be
// written to the file.
func (e *Editor) Remember(text string, keep bool) error { return e.o.History.Add(text, keep) }

// Drop takes entries out of the history, as History.Drop does.
func (e *Editor) Drop(gone func(entry string) bool) { e.o.History.Drop(gone) }

// Problems returns what of Options.Keys could not be done, each in a line.
func (e *Editor) Problems() []string { return e.problems }

// Lend returns the terminal to somebody else as it was found, until back is
// called.
func (e *Editor) Lend() (back func()) {
	was := e.screen.set(usual)
	return func() { e.screen.set(was) }
}

// Close gives the terminal back for good.
func (e *Editor) Close() {
	e.screen.close()
	e.pump.close()
}

// size is that of the screen in cells.
func (e *Editor) size() (cols, rows int) {
	w, err := unix.IoctlGetWinsize(e.screen.fd, unix.TIOCGWINSZ)
	if err != nil || w.Col == 0 || w.Row == 0 {
		return 80, 24
	}
	return int(w.Col), int(w.Row)
}

// changed has the line drawn anew where it is now.
func (e *Editor) changed() {
	e.fresh.Store(true)
	if rl := e.shell.Load(); rl != nil {
		rl.Keys.RequestRefresh()
	}
}

// begins is called when the prompt is drawn, which is what the drawing of a line begins with
// after a command. The library draws it once more further on.
func (e *Editor) begins() {
	if e.ran {
		e.ran, e.drawing = false, !e.rl.Config.GetBool("history-autosuggest")
	}
}

// guess is where the cursor may be if the terminal does not say it: at the end
// of the prompt in the last row.
func (e *Editor) guess() []byte {
	_, rows := e.size()
	return position(rows, termsafe.Width(e.prompt)+1)
}

// suggest has the library show what the line may go on with: the newest entry that begins
// like it, if all of it fits into the row. Commands take it away before they do anything,
// so that nothing of it is left on the screen. While something is pasted there is none.
func (e *Editor) suggest(line string, cols int) {
	if e.o.Suggest == nil {
		return
	}
	e.rl.ClearInlineSuggestion()
	if e.busy || e.asking || line == "" || e.rl.Keymap.Local() != "" || e.pump.pasting.Load() {
		return
	}
	entry := e.begun.find(e.o.History, line, e.o.Suggest)
	cells := termsafe.Width(entry)
	if cells == utf8.RuneCountInString(entry) && termsafe.Width(e.prompt)+cells < cols-1 && entry != "" {
		e.rl.SetInlineSuggestion(entry)
	}
}

// beforeDrawing is called by the library before it draws the line, and nothing
// else is done between this and the question where the cursor is. That question
// is a round trip to the person's terminal for every key, so it is asked only
// where the answer matters: if there is more than one row to draw.
func (e *Editor) beforeDrawing(line []rune, _ int) []rune {
	e.drawing = false
	e.pump.settled(e.rl.Keys.Empty(), e.plainKeys())
	e.pump.single.Store(!e.rl.Keymap.IsEmacs() && e.rl.Keymap.Main() != "vi-insert")
	if e.put != nil && e.rl.Keymap.Local() == "" {
		if len(line) == 0 {
			line = e.put
			e.rl.Line().Set(line...)
			e.rl.Cursor().Set(e.putAt)
		}
		e.put = nil
	}
	cols, _ := e.size()
	e.tellSpan(cols)
	e.suggest(string(line), cols)
	ask := e.fresh.Swap(false) || e.rl.Keymap.Local() != "" || len(e.prompt)+2*len(line)+2 > cols
	for _, r := range line {
		ask = ask || r == '\n'
	}
	for _, r := range e.prompt {
		ask = ask || r >= 0x80 // how wide it is, the terminal knows better
	}
	e.rl.Config.Vars["cursor-position-probe"] = ask
	if ask {
		e.pump.ask()
	}
	return nil
}
