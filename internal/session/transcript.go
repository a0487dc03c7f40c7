package session

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

// A Transcript is what a session file holds.
type Transcript struct {
	Path   string // "" if it was read from no file
	Name   string // the file's name without suffix
	Header Header
	// Headed says that the file has a header. Without one, Header.Session is
	// the name, and the rest of Header is zero.
	Headed  bool
	Entries []Entry // in the order of the file
	// Problems are the lines, in the order of the file, of which not all could
	// be read.
	Problems []LineError

	last int // the largest turn number, or what a damaged line may have had
}

// An Entry is one line of a transcript: a turn or an event, the other is nil.
type Entry struct {
	Line   int   // from 1
	Offset int64 // of the line's first byte in the file
	Len    int64 // in bytes, without line end
	Turn   *Turn
	Event  *Event
	Left   Left // of a turn: why it is not in the context; "" otherwise
	LeftAt int  // the line of the event that says so; 0: none does
	LeftBy int  // of one that was replaced: the question that stands in its place; 0: none
}

// A LineError is a line that could not be read, or not in all its parts. It is
// reported, never removed.
type LineError struct {
	Line   int // from 1
	Offset int64
	Len    int64
	Torn   bool // the last line, without line end: an append that was cut off
	// Partly says that the line was read, but for what Cause names.
	Partly bool
	Cause  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Cause) }

func (e *LineError) Unwrap() error { return e.Cause }

// Load reads the session file at path. Lines that cannot be read are among the
// Problems; the error is about the file alone. An empty file is an empty
// transcript. The line that another process is just writing may look torn:
// Dir.Load makes sure.
func Load(path string) (*Transcript, error) { return load(path, false) }

// readHeader reads the header of the file at path, and no more of the file than
// it must. A file without one has its name as session.
func readHeader(path string) (Header, error) {
	t, err := load(path, true)
	if err != nil {
		return Header{}, err
	}
	return t.Header, nil
}

func load(path string, headOnly bool) (*Transcript, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	t, err := read(f, stem(path), headOnly)
	if err != nil {
		return nil, fmt.Errorf("read session %s: %w", path, err)
	}
	t.Path = path
	return t, nil
}

// Events reads the header of the session file at path, and its events of these names. It holds nothing else in memory.
func Events(path string, names ...string) (*Transcript, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	src, err := section(f)
	if err != nil {
		return nil, fmt.Errorf("read session %s: %w", path, err)
	}
	t, err := EventsIn(src, stem(path), names...)
	if err != nil {
		return nil, fmt.Errorf("read session %s: %w", path, err)
	}
	t.Path = path
	return t, nil
}

// EventsIn is Events of what src holds; name is the session's id if that has no header. Without names there are no events.
// The only errors are those of src.
func EventsIn(src *io.SectionReader, name string, names ...string) (*Transcript, error) {
	t := &Transcript{Name: name}
	begun := false // the header, a turn or an event was there
	for g, err := range glances(src) {
		if err != nil {
			return nil, err
		}
		wanted := g.kind == "event" && slices.Contains(names, g.name())
		if begun && !wanted {
			continue
		}
		parsed, err := g.parse()
		if err != nil {
			continue
		}
		switch {
		case wanted && g.line.Len <= MaxLine:
			t.Entries = append(t.Entries, Entry{Line: g.line.Number, Offset: g.line.Offset, Len: g.line.Len, Event: parsed.event})
		case g.kind == "meta" && !begun:
			t.Header, t.Headed = *parsed.header, true
		}
		begun = true
	}
	t.Header.Session = cmp.Or(t.Header.Session, name)
	return t, nil
}

// A Line is one line of a session file, whatever it holds.
type Line struct {
	// Entry has Turn or Event if the line is one, and Line, Offset and Len of every line.
	Entry
	// Text is the line as it stands, without its end and a byte order mark, until the next one is asked for; nil if it
	// is longer than MaxLine.
	Text  []byte
	Ended bool // it has its line end
	Bad   bool // it cannot be read
	// Header is that of the session, as far as the file was read: it stands before every turn and event. Headed says that
	// this line is it.
	Header Header
	Headed bool

	last int // Transcript.Last as far as the file was read
}

// Lines yields the lines of a session in src, one at a time; name is its id if it has no header. An Entry has no Left. The
// only errors are those of src.
func Lines(src *io.SectionReader, name string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		t := &Transcript{Name: name}
		turns := 0
		for l, err := range jsonl.Lines(io.NewSectionReader(src, 0, src.Size()), MaxLine) {
			if err != nil {
				yield(Line{}, err)
				return
			}
			headed, before := t.Headed, len(t.Entries)
			t.Problems = nil
			t.add(l, &turns)
			got := Line{
				Entry: Entry{Line: l.Number, Offset: l.Offset, Len: l.Len}, Text: l.Bytes, Ended: l.Ended,
				Bad: len(t.Problems) > 0 && !t.Problems[0].Partly, Header: t.Header, Headed: t.Headed && !headed, last: t.last,
			}
			if len(t.Entries) > before {
				got.Entry = t.Entries[before]
				t.Entries = t.Entries[:1] // a header behind it is none
			}
			got.Header.Session = cmp.Or(t.Header.Session, name)
			if !yield(got, nil) {
				return
			}
		}
	}
}

// HasTurn reports whether the session file at path has a turn. It reads no further than the first one.
func HasTurn(path string) (bool, error) {
	f, err := regular.Open(path)
	if err != nil {
		return false, fmt.Errorf("read session: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	src, err := section(f)
	if err != nil {
		return false, fmt.Errorf("read session %s: %w", path, err)
	}
	for g, err := range glances(src) {
		if err != nil {
			return false, fmt.Errorf("read session %s: %w", path, err)
		}
		if g.kind != "role" || g.line.Len > MaxLine {
			continue
		}
		if _, err := g.parse(); err == nil {
			return true, nil
		}
	}
	return false, nil
}

// Load is Load for a file of d: a tail that looks torn is read once more while
// nobody can be writing it. If the lock cannot be had, what was read counts.
func (d Dir) Load(path string) (*Transcript, error) {
	t, err := Load(path)
	if err != nil || !t.torn() {
		return t, err
	}
	again := t
	err = d.locked(d.wait(), func() error {
		again, err = Load(path)
		return err
	})
	if err != nil {
		return t, nil
	}
	return again, nil
}

// Read reads a transcript from r. name is the session's id if the text has no
// header. The only errors are those of r.
func Read(r io.Reader, name string) (*Transcript, error) { return read(r, name, false) }

func read(r io.Reader, name string, headOnly bool) (*Transcript, error) {
	t := &Transcript{Name: name}
	turns := 0
	for l, err := range jsonl.Lines(r, MaxLine) {
		if err != nil {
			return nil, err
		}
		t.add(l, &turns)
		if headOnly && (t.Headed || len(t.Entries) > 0) {
			break
		}
	}
	t.Header.Session = cmp.Or(t.Header.Session, name)
	t.Mark()
	return t, nil
}

// add takes one line in. turns counts the turns so far: the number of a turn
// that brings none along.
func (t *Transcript) add(l jsonl.Line, turns *int) {
	if l.Bytes != nil && len(bytes.TrimSpace(l.Bytes)) == 0 {
		return // a blank line
	}
	var got line
	err := error(ErrTooLong)
	if l.Bytes != nil {
		got, err = parseLine(l.Bytes)
	}
	if err != nil {
		// It may have been a turn: its number is not given out again.
		t.last = min(t.last+1, MaxTurn)
		t.problem(l, false, err)
		return
	}
	e := Entry{Line: l.Number, Offset: l.Offset, Len: l.Len, Turn: got.turn, Event: got.event}
	switch {
	case got.header != nil && (t.Headed || len(t.Entries) > 0):
		got.notes = append(got.notes, "a header that is not the first line")
	case got.header != nil:
		t.Header, t.Headed = *got.header, true
	case got.turn != nil:
		*turns++
		if got.turn.N == 0 {
			got.turn.N = *turns
		}
		t.last = max(t.last, got.turn.N)
		t.Entries = append(t.Entries, e)
	default:
		t.Entries = append(t.Entries, e)
	}
	if len(got.notes) > 0 {
		t.problem(l, true, errors.New(strings.Join(got.notes, "; ")))
	}
}

func (t *Transcript) problem(l jsonl.Line, partly bool, cause error) {
	t.Problems = append(t.Problems, LineError{
		Line: l.Number, Offset: l.Offset, Len: l.Len,
		Torn: !l.Ended && !partly, Partly: partly, Cause: cause,
	})
}

func (t *Transcript) torn() bool {
	return len(t.Problems) > 0 && t.Problems[len(t.Problems)-1].Torn
}

// Turns returns all turns in the order of the file.
func (t *Transcript) Turns() []Turn {
	var turns []Turn
	for _, e := range t.Entries {
		if e.Turn != nil {
			turns = append(turns, *e.Turn)
		}
	}
	return turns
}

// Turn returns turn n; of several lines with that number, the last.
func (t *Transcript) Turn(n int) (Turn, bool) {
	for i := len(t.Entries) - 1; i >= 0; i-- {
		if turn := t.Entries[i].Turn; turn != nil && turn.N == n {
			return *turn, true
		}
	}
	return Turn{}, false
}

// Remembers is what was said last of whether the conversation has memory; said is false if nothing was.
func (t *Transcript) Remembers() (on, said bool) {
	for _, e := range slices.Backward(t.Entries) {
		if e.Event != nil && e.Event.Name == eventMemory {
			return e.Event.Int("on") > 0, true
		}
	}
	return false, false
}

// Last returns the largest number that a turn has, or that a line which cannot
// be read may have had; 0 if there is none. The next turn gets the one above.
func (t *Transcript) Last() int { return t.last }

// A Live is what of a session a resumed conversation begins with.
type Live struct {
	// Summary stands for turns that were compacted away; "" if none were.
	Summary string
	// From is the least trusted origin of what Summary stands for; "" if that is the person
	// or a model, and in files of older versions.
	From string
	// Outside says that text of neither the person nor a model was read in those.
	Outside bool
	// Words are what the person said in those, without what any model wrote; "" in files
	// of older versions as well.
	Words string
	Turns []Turn
	// Aside are the turns since the last reset that left the context by themselves; Left says why.
	Aside []Entry
	// Dropped are those of them that can come back, as they left together, the last ones last.
	Dropped [][]Entry
	// Failed is the newest question, if it got no answer and nothing was said since.
	Failed *Turn
	// Instead says that Failed was asked in the place of the last question of Turns.
	Instead bool
	// Shortened says what of Turns is sent shorter.
	Shortened Shortened
}

// Live returns what is live at the end of the session: everything since the
// last reset, of which a compaction leaves its summary and the turns from
// keep_from on, without the turns that left the context by themselves.
func (t *Transcript) Live() Live {
	var l Live
	for _, e := range t.Entries {
		switch {
		case e.Turn != nil && e.Left != "":
			l.Instead = false
			l.Aside = append(l.Aside, e)
			switch {
			case e.Left.Taken():
				l.Dropped, l.Failed = dropped(l.Dropped, e), nil
			case e.Turn.ByPerson():
				l.Failed = e.Turn
			}
		case e.Turn != nil:
			l.Turns, l.Failed, l.Instead = append(l.Turns, *e.Turn), nil, false
		case e.Event.Name == EventReset:
			l = Live{}
		case e.Event.Name == eventShortened:
			l.Shortened = shortened(*e.Event)
		case e.Event.Name == EventLeft, e.Event.Name == EventUnanswered && e.Event.Text("why") != "":
			l.Instead = l.Failed != nil && e.Event.Text("why") == "" && e.Event.Int("by") == l.Failed.N
		case e.Event.Name == EventCompact:
			l.Summary, l.Words, l.From = e.Event.Text("summary"), e.Event.Text("words"), e.Event.Text("from")
			l.Outside = e.Event.Int("outside") == 1
			from := e.Event.Int("keep_from")
			l.Turns = since(l.Turns, from)
			l.Dropped = slices.DeleteFunc(l.Dropped, func(s []Entry) bool { return gone(s, from) })
		}
	}
	return l
}

// since returns the turns whose number is n or larger; none for 0.
func since(turns []Turn, n int) []Turn {
	var kept []Turn
	for _, t := range turns {
		if n > 0 && t.N >= n {
			kept = append(kept, t)
		}
	}
	return kept
}

// Warning says in one line which lines could not be read, or not in full, and
// why the first one could not; "" if all could.
func (t *Transcript) Warning() string {
	var numbers []string
	skipped := 0
	for _, p := range t.Problems {
		numbers = append(numbers, strconv.Itoa(p.Line))
		if !p.Partly {
			skipped++
		}
	}
	var what string
	switch n := len(t.Problems); {
	case n == 0:
		return ""
	case skipped == 0:
		what = "read in part"
	case skipped == n:
		what = "skipped"
	default:
		what = fmt.Sprintf("skipped (%d) or read in part", skipped)
	}
	if len(numbers) > 10 {
		numbers = append(numbers[:10], fmt.Sprintf("... (%d lines)", len(t.Problems)))
	}
	return fmt.Sprintf("session %s: %s: line %s: %v", t.Name, what, strings.Join(numbers, ", "), t.Problems[0].Cause)
}

// stem returns the name of a session file without directory and suffix.
func stem(path string) string { return strings.TrimSuffix(filepath.Base(path), suffix) }
