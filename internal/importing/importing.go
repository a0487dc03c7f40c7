package importing

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/foreign"
	"ken/internal/memory"
	"ken/internal/view"
)

// A Request says how sources are read.
type Request struct {
	Format string // what every source is, one of Formats; "": each is recognised by its name and content
	// Scope is where it holds what names no scope, as people type it; for turns it may be any name. "": it follows from the
	// format and from where the file lies.
	Scope  string
	DryRun bool // nothing is written
}

// A Source is something to read.
type Source struct {
	// Name is a path, or what a stream is called: its file name, or "-" for one that has none.
	Name string
	// Data is the stream; nil: the file or directory at the path is read. A stream can be a zip file only if it is also an
	// io.ReaderAt with a method Size, as a bytes.Reader is.
	Data io.Reader
}

// A Result is what an import came to.
type Result struct {
	view.Imported
	Pages  []string // files in Markdown that no known assistant wrote; they were read as pages
	Unread []error  // why sources could not be read, where others could
	Undo   Undo     // takes back what was written
}

// Formats are the names of the formats that are read.
func Formats() []string {
	names := make([]string, len(foreign.Formats()))
	for i, format := range foreign.Formats() {
		names[i] = string(format)
	}
	return names
}

// Limits of what is told and of what is held before it is written.
const (
	mostBad    = 1000
	mostWould  = 1000
	batchCount = 50_000   // candidates
	batchBytes = 16 << 20 // of texts and what goes with each
	besides    = 256      // of what goes with a text, about
)

// An importing is one import.
type importing struct {
	h          *app.View
	ctx        context.Context
	request    Request
	done       Result
	turns      []foreign.Turn
	candidates []foreign.Candidate
	size       int             // of what is held, in bytes of turns
	sessions   map[string]bool // whose turns were seen
	found      int             // candidates seen
	of         *memory.Source  // the page that is read; nil: none, or no file that stays
}

// Run reads the sources and writes what they hold: what other programs remember becomes suggestions, which wait for the person;
// conversations become sessions that can be searched. Parts that cannot be read are left out, and Result says which. The result
// counts even beside an error: what was written before it stays. Errors: of the settings; that the memory is only read; of the
// one source there is; that nothing was found.
func Run(ctx context.Context, h *app.View, r Request, sources ...Source) (Result, error) {
	i := &importing{h: h, ctx: ctx, request: r, sessions: make(map[string]bool)}
	i.done.Bad, i.done.Files, i.done.DryRun = []view.ImportGap{}, []string{}, r.DryRun
	if _, err := h.Settings.Read(); err != nil {
		return i.done, err
	}
	switch {
	case h.Settings.ReadOnly() && !r.DryRun:
		return i.done, engine.OnlyRead()
	case r.Format != "" && !slices.Contains(Formats(), r.Format):
		return i.done, fault.Usagef("no format %q: want one of %s", r.Format, strings.Join(Formats(), ", "))
	}
	for _, s := range sources {
		if err := i.source(s); err != nil {
			if len(sources) == 1 || ctx.Err() != nil {
				return i.done, err
			}
			i.done.Unread = append(i.done.Unread, err)
		}
	}
	if err := i.flush(); err != nil {
		return i.done, err
	}
	i.done.Sessions = len(i.sessions)
	if i.done.Turns+i.found+i.done.Left == 0 && len(i.done.Unread) == 0 {
		return i.done, i.nothing(sources)
	}
	return i.done, nil
}

// nothing is the error of sources in which nothing was found.
func (i *importing) nothing(sources []Source) error {
	names := make([]string, len(sources))
	for n, s := range sources {
		names[n] = s.Name
	}
	if len(names) == 1 && i.request.Format == "" && foreign.Unnamed(names[0]) {
		return fault.Failuref("import %s: a page in Markdown, and nothing in it reads like a fact or a rule", names[0]).
			WithHint("to ask about it: %s", fault.Command("ask -f "+names[0]+" \"...\""))
	}
	return fault.Failuref("import %s: nothing was found in it", strings.Join(names, ", ")).
		WithHint("is it the right file? if so, say what it is: %s --format FORMAT FILE", fault.Command("import"))
}

// source imports a stream, a file, or all of a directory.
func (i *importing) source(s Source) error {
	if s.Data != nil {
		return i.stream(s)
	}
	stat, err := os.Stat(s.Name)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	if !stat.IsDir() {
		return i.open(s.Name, false)
	}
	files, err := filesBelow(s.Name)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	before := len(i.done.Files)
	for _, path := range files {
		if err := i.open(path, true); err != nil {
			return err
		}
	}
	if len(i.done.Files) == before {
		return fault.Failuref("import %s: nothing that is known is in it", s.Name).WithHint("name the file, and say what it is: --format")
	}
	return nil
}

// stream imports what lies in no file of this machine.
func (i *importing) stream(s Source) error {
	err := i.file(part{name: s.Name, stream: true}, s.Data)
	if !errors.Is(err, foreign.ErrZip) {
		return err
	}
	packed, ok := s.Data.(interface {
		io.ReaderAt
		Size() int64
	})
	if !ok {
		return fault.Failuref("import: a zip file cannot be read from standard input").
			WithHint("name the file: %s FILE.zip", fault.Command("import"))
	}
	return i.zip(part{name: s.Name, stream: true}, packed, packed.Size())
}

func (i *importing) open(path string, among bool) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	p := part{name: path, among: among}
	stat, err := f.Stat()
	if err == nil {
		p.at = stat.ModTime()
	}
	if abs, unknown := filepath.Abs(path); unknown == nil {
		i.of, _ = foreign.PageOf(abs, i.h.Settings.Short(abs)) // of what is larger no memory says where it is from
	}
	err = i.file(p, f)
	i.of = nil
	if errors.Is(err, foreign.ErrZip) && stat != nil {
		err = i.zip(p, f, stat.Size())
	}
	return errors.Join(err, f.Close())
}

// A part is one file of what is imported.
type part struct {
	name   string
	at     time.Time // when it was written; zero: that is not known
	among  bool      // it is one of many: what it is was not said of it
	stream bool      // it lies nowhere on this machine
}

// zip imports what is known in a zip file, which is read where it lies.
func (i *importing) zip(p part, r io.ReaderAt, size int64) error {
	before := len(i.done.Files)
	err := foreign.Unpack(r, size, func(in foreign.Packed) error {
		name := filepath.Join(p.name, filepath.FromSlash(in.Name))
		return i.file(part{name: name, at: in.Time, among: true, stream: p.stream}, in)
	})
	switch {
	case err != nil:
		return fault.Failuref("import %s: %w", p.name, err).WithHint("unzip it, and import the files that were in it")
	case len(i.done.Files) == before && !p.among:
		return fault.Failuref("import %s: nothing that is known is in it", p.name).WithHint("unzip it, name a file, and say what it is: --format")
	}
	return nil
}

// file imports one file. Among many, one that is nothing known is passed over. The error is foreign.ErrZip if it is a zip file.
func (i *importing) file(p part, r io.Reader) error {
	br := bufio.NewReaderSize(r, foreign.HeadSize)
	head, err := br.Peek(foreign.HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("import %s: %w", p.name, err)
	}
	format := foreign.Format(i.request.Format)
	guess, err := foreign.Guess(p.name, head)
	switch {
	case errors.Is(err, foreign.ErrZip):
		return err
	case err != nil && p.among:
		i.done.Other++
		return nil
	case err != nil:
		return fault.Failuref("import %s: %w", p.name, err).WithHint("unpack it, and import the files that were in it")
	case format == "":
		format = guess
	case p.among && guess != "" && guess != format:
		format = ""
	}
	if format == "" && p.among {
		i.done.Other++
		return nil
	}
	if format == "" {
		return fault.Usagef("import %s: it is not clear what that is", p.name).
			WithHint("say it: %s --format FORMAT FILE", fault.Command("import"))
	}
	if i.request.Format == "" && format == foreign.ClaudeMD && !p.among && foreign.Unnamed(p.name) {
		i.done.Pages = append(i.done.Pages, p.name)
	}
	scope, err := i.scopeOf(format, p)
	if err != nil {
		return err
	}
	i.done.Files = append(i.done.Files, p.name)
	o := foreign.Options{Scope: scope, Mask: i.h.Keys.MaskText, File: p.name, Time: p.at, Dir: i.dirScope}
	if p.name == "-" {
		o.File = ""
	}
	for e, err := range foreign.Read(br, format, o) {
		var bad *foreign.LineError
		if errors.As(err, &bad) {
			i.bad(p.name, bad)
			continue
		}
		if err != nil {
			return fmt.Errorf("import %s: %w", p.name, err)
		}
		if format == foreign.ClaudeMD && i.of != nil { // each line of a page says one thing
			for n := range e.Candidates {
				e.Candidates[n].Record.Source = i.of
			}
		}
		if err := i.take(e); err != nil {
			return err
		}
	}
	return nil
}

func (i *importing) bad(path string, e *foreign.LineError) {
	i.done.Left++
	if len(i.done.Bad) < mostBad {
		cause := i.h.Keys.MaskText(e.Cause.Error())
		i.done.Bad = append(i.done.Bad, view.ImportGap{File: path, Line: e.Line, Offset: e.Offset, Cause: cause})
	}
}

// take keeps an entry until there are enough of them to be written at once.
func (i *importing) take(e foreign.Entry) error {
	i.done.Turns += len(e.Turns)
	i.found += len(e.Candidates)
	for _, t := range e.Turns {
		i.sessions[t.Session] = true
		i.size += len(t.Text) + besides
	}
	if i.request.DryRun {
		i.done.Proposed += len(e.Candidates)
		for _, c := range e.Candidates {
			if len(i.done.Would) < mostWould {
				scope := string(c.Record.Scope)
				if scope == "" {
					scope = "user"
				}
				i.done.Would = append(i.done.Would, view.ImportFound{
					Kind: string(c.Record.Kind), Scope: scope, Content: i.h.Keys.MaskText(c.Record.Content),
				})
			}
		}
		return i.ctx.Err()
	}
	i.turns = append(i.turns, e.Turns...)
	i.candidates = append(i.candidates, e.Candidates...)
	for _, c := range e.Candidates {
		i.size += len(c.Record.Content) / 8 // the queue is read anew at each append: rather fewer
	}
	if i.size < batchBytes && len(i.candidates) < batchCount {
		return nil
	}
	return i.flush()
}

// flush writes what is held: the turns session by session, the candidates in one
// append.
func (i *importing) flush() error {
	if len(i.turns) > 0 {
		c, added, err := foreign.Import(i.ctx, i.h.Conversations.Dir(), i.turns)
		i.done.Added, i.done.Changed, i.done.Same = i.done.Added+c.Added, i.done.Changed+c.Changed, i.done.Same+c.Same
		i.done.Undo.turns = append(i.done.Undo.turns, added...)
		if err != nil {
			return err
		}
	}
	if len(i.candidates) > 0 {
		w, err := i.h.Memory.Writer()
		if err != nil {
			return err
		}
		list := make([]engine.Suggestion, len(i.candidates))
		for n, c := range i.candidates {
			list[n] = engine.Suggestion{Record: c.Record, Why: c.Why}
		}
		got, err := w.Propose(i.ctx, list...)
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		for _, p := range got {
			if p.New {
				i.done.Proposed++
				i.done.Undo.proposals = append(i.done.Undo.proposals, p.ID)
			} else {
				i.done.Known++
			}
		}
	}
	i.turns, i.candidates, i.size = nil, nil, 0
	return nil
}
