package battery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/memory/tombstone"
	"ken/internal/review"
	"ken/internal/session"
)

// ErrLost says that something that was acknowledged is not there.
var ErrLost = errors.New("an acknowledged write is lost")

// Found is what a fresh reader sees of a home.
type Found struct {
	state    *memory.State
	queue    *review.Queue
	waiting  map[string]bool
	refused  map[string]bool
	turns    []string
	shown    map[string]map[string]bool // by view: what it shows
	said     map[string]bool            // turns
	asked    map[string]bool            // proposals
	problems map[string][]int           // by path: the lines that were reported
	work     string                     // the working memory
}

// Read opens everything anew and reads it.
func Read(ctx context.Context, h *Home) (*Found, error) {
	f := &Found{problems: make(map[string][]int), waiting: make(map[string]bool), refused: make(map[string]bool)}
	e := h.Engine()
	var err error
	f.state, err = e.State(ctx)
	if back := (*tombstone.ReturnedError)(nil); err != nil && !errors.As(err, &back) {
		return nil, err
	}
	for _, p := range f.state.Problems() {
		path := h.Memory()
		if p.Log != "" && p.Log != f.state.OwnLog() {
			path = filepath.Join(h.Dir, "peers", p.Log+".jsonl")
		}
		f.problems[path] = append(f.problems[path], p.Line)
	}
	pending, refused, problems, err := e.Queue(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range pending {
		f.waiting[w.Proposal.Record.Content] = true
	}
	for _, w := range refused {
		f.refused[w.Proposal.Record.Content] = true
	}
	for _, p := range problems {
		f.problems[h.Review()] = append(f.problems[h.Review()], p.Line)
	}
	if f.queue, err = h.queue().Read(); err != nil {
		return nil, err
	}
	paths, err := h.sessionFiles()
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		t, err := session.Load(path)
		if err != nil {
			return nil, err
		}
		for _, turn := range t.Turns() {
			f.turns = append(f.turns, turn.Content)
		}
		for _, p := range t.Problems {
			f.problems[path] = append(f.problems[path], p.Line)
		}
	}
	if f.work, err = h.work(); err != nil {
		return nil, err
	}
	if h.Bug.Read != nil {
		h.Bug.Read(f)
	}
	f.shown = make(map[string]map[string]bool)
	for _, v := range h.views() {
		f.shown[v.Name] = setOf(v.Texts(f.state, h.Now()))
	}
	f.said, f.asked = setOf(f.turns), setOf(f.proposals())
	return f, nil
}

func setOf(texts []string) map[string]bool {
	set := make(map[string]bool, len(texts))
	for _, text := range texts {
		set[text] = true
	}
	return set
}

// proposals are the texts that were suggested.
func (f *Found) proposals() []string {
	var texts []string
	for _, p := range f.queue.All() {
		texts = append(texts, p.Record.Content)
	}
	return texts
}

// Check reads a home anew and says what is wrong with it by the ledger; off says
// that the power failed. It writes nothing.
func Check(ctx context.Context, h *Home, l *Ledger, off bool) error {
	f, err := Read(ctx, h)
	if err != nil {
		return fmt.Errorf("it cannot be opened: %w", err)
	}
	var errs []error
	l.all(func(r Realm, text string, w Want) {
		if err := f.keeps(h, r, text, w, off); err != nil {
			errs = append(errs, err)
		}
	})
	errs = append(errs, f.whole(l), f.numbers(h), f.agrees(l), f.told(h))
	if !off { // what a power failure leaves was written by the test
		errs = append(errs, modes(h.Dir))
	}
	return errors.Join(errs...)
}

// keeps checks one promise.
func (f *Found) keeps(h *Home, r Realm, text string, w Want, off bool) error {
	if w == Either || w == UntilOff && off {
		return nil
	}
	var there bool
	switch r {
	case Active:
		for view, texts := range f.shown {
			if texts[text] && w == Gone {
				return fmt.Errorf("%.40q is in %s: it was forgotten, or its writing failed", text, view)
			}
			there = there || texts[text]
		}
	case Said:
		there = f.said[text]
	case Asked:
		there = f.asked[text]
	case Refused:
		there = f.refused[text]
	case Work:
		there = f.work == text
	case Bytes:
		if w == Stands {
			return present(h.Dir, text)
		}
		return absent(h.Dir, text)
	}
	switch {
	case w == Gone && there:
		return fmt.Errorf("%s: %.40q is there although it failed", r, text)
	case w != Gone && !there:
		return fmt.Errorf("%w: %s: %.40q", ErrLost, r, text)
	}
	return nil
}

// whole checks that everything there is was meant by somebody, in full and once.
func (f *Found) whole(l *Ledger) error {
	var errs []error
	once := func(r Realm, texts []string) {
		seen := make(map[string]bool)
		for _, text := range texts {
			if text == session.Gone {
				continue // it was erased, and its place stays
			}
			if _, ok := l.Get(r, text); !ok {
				errs = append(errs, fmt.Errorf("%s: nobody wrote %.60q", r, text))
			}
			if seen[text] {
				errs = append(errs, fmt.Errorf("%s: %.40q is there twice", r, text))
			}
			seen[text] = true
		}
	}
	once(Active, contents(f.state.Items()))
	once(Said, f.turns)
	once(Asked, f.proposals())
	return errors.Join(errs...)
}

// agrees checks that memory and queue say the same: what is active was accepted,
// and does not wait.
func (f *Found) agrees(l *Ledger) error {
	active := setOf(contents(f.state.Items()))
	for _, p := range f.queue.All() {
		text := p.Record.Content
		is := active[text]
		if is && (f.waiting[text] || f.refused[text]) {
			return fmt.Errorf("%.40q is remembered and waits, or was refused, all the same", text)
		}
		if w, ok := l.Get(Active, text); !is && !f.waiting[text] && !f.refused[text] && (!ok || w != Gone) {
			return fmt.Errorf("%w: %.40q is neither remembered nor waits nor was refused", ErrLost, text)
		}
	}
	return nil
}

// numbers checks that no two lines have one number.
func (f *Found) numbers(h *Home) error {
	for _, path := range []string{h.Memory(), h.Review()} {
		seen := make(map[int64]int)
		err := eachLine(path, func(l jsonl.Line) error {
			var line struct {
				ID   int64
				Kind string
			}
			if json.Unmarshal(l.Bytes, &line) != nil || line.ID == 0 || line.Kind == "erased" {
				return nil
			}
			if before := seen[line.ID]; before > 0 {
				return fmt.Errorf("%s: lines %d and %d have the number %d", filepath.Base(path), before, l.Number, line.ID)
			}
			seen[line.ID] = l.Number
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// told checks that every line that is no JSON is reported, and nothing else.
func (f *Found) told(h *Home) error {
	paths, err := h.sessionFiles()
	if err != nil {
		return err
	}
	for _, path := range append(append(paths, h.peers()...), h.Memory(), h.Review()) {
		err := errors.Join(f.tells(path), f.tellsOnly(path))
		if err != nil {
			return err
		}
	}
	return nil
}

// tells checks that every line of the file that is no JSON is reported.
func (f *Found) tells(path string) error {
	return eachLine(path, func(l jsonl.Line) error {
		if unreadableLine(l.Bytes) && !slices.Contains(f.problems[path], l.Number) {
			return fmt.Errorf("%s: line %d cannot be read, and nothing reports it: %.40q", filepath.Base(path), l.Number, l.Bytes)
		}
		return nil
	})
}

// tellsOnly checks that no sound line is reported.
func (f *Found) tellsOnly(path string) error {
	return eachLine(path, func(l jsonl.Line) error {
		if !unreadableLine(l.Bytes) && slices.Contains(f.problems[path], l.Number) {
			return fmt.Errorf("%s: line %d is reported as damaged: %.60q", filepath.Base(path), l.Number, l.Bytes)
		}
		return nil
	})
}

// GoOn does one of everything in what is left, and checks all promises again, old
// and new. Lines that were there must stay, byte for byte.
func GoOn(ctx context.Context, h *Home, l *Ledger, off bool) error {
	l = l.Copy()
	before, err := linesOf(h)
	if err != nil {
		return err
	}
	e := h.Engine()
	errs := []error{
		stated(ctx, h, l, e, "afterwards"),
		hidden(ctx, l, e, "afterwards"),
		stated(ctx, h, l, e, "after that"),
		hidden(ctx, l, e, secondText),
	}
	ref, perr := proposed(ctx, l, e, "proposed afterwards")
	errs = append(errs, perr)
	if perr == nil {
		errs = append(errs, accepted(ctx, h, l, e, ref, "proposed afterwards"))
	}
	w, werr := h.Sessions(true).Create(session.Header{Channel: session.ChannelTerminal})
	errs = append(errs, werr)
	if werr == nil {
		errs = append(errs, talk(w, l, true, "said afterwards"))
	}
	errs = append(errs, Check(ctx, h, l, off), stay(h, before))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("afterwards: %w", err)
	}
	return nil
}

// linesOf are the bytes of every file of lines.
func linesOf(h *Home) (map[string]string, error) {
	paths, err := h.sessionFiles()
	if err != nil {
		return nil, err
	}
	files := make(map[string]string)
	for _, path := range append(paths, h.Memory(), h.Review()) {
		b, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		files[path] = string(b)
	}
	return files, nil
}

// stay checks that files only grew.
func stay(h *Home, before map[string]string) error {
	now, err := linesOf(h)
	if err != nil {
		return err
	}
	for path, was := range before {
		if !strings.HasPrefix(now[path], was) {
			return fmt.Errorf("%w: bytes of %s that were there are not any more", ErrLost, filepath.Base(path))
		}
	}
	return nil
}
