package foreign

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/termsafe"
)

// An Entry is what a part of a file holds: turns of one session, in their order,
// candidates, or both.
type Entry struct {
	Turns      []Turn
	Candidates []Candidate
}

// Read reads a file of that format as it comes, part by part. A part that cannot
// be read gives a *LineError, and the loop goes on; any other error is that of r,
// and the last. Nothing is looked up elsewhere, whatever the file names.
func Read(r io.Reader, f Format, o Options) iter.Seq2[Entry, error] {
	o.Scope = cmp.Or(o.Scope, "user")
	if o.Mask == nil {
		o.Mask = func(s string) string { return s }
	}
	return func(yield func(Entry, error) bool) {
		rd := &reader{Options: o, r: bufio.NewReaderSize(r, HeadSize), yield: yield}
		switch f {
		case Turns:
			rd.each(inLines, func(p piece) error { return rd.turnLine(p) })
		case Ken:
			rd.kenLog()
		case KeyValue:
			rd.each(rd.shape(), rd.keyValue)
		case Objects:
			w := &window{rd: rd, byID: make(map[string]int), dirs: make(map[string]string)}
			rd.each(rd.shape("memories", "items", "objects", "results", "observations"), w.object)
			w.flush()
		case ServerMemory:
			rd.each(rd.shape("entities", "relations"), rd.graph)
		case ClaudeMD, MemoryMD:
			rd.markdown(f == MemoryMD)
		case ChatGPT:
			rd.each(rd.shape("conversations", "memories"), rd.chatGPT)
		case Claude:
			rd.each(rd.shape("conversations", "projects"), rd.claude)
		case ClaudeCode:
			rd.each(inLines, rd.claudeCode)
		case Codex:
			c := &codex{rd: rd, session: "codex-" + rd.stem()}
			rd.each(inLines, c.line)
		case Gemini:
			g := &gemini{rd: rd}
			rd.each(rd.shape("messages"), g.piece)
		default:
			rd.end(fmt.Errorf("no format %q", f))
		}
	}
}

// A reader goes through one file.
type reader struct {
	Options
	r       *bufio.Reader
	yield   func(Entry, error) bool
	stopped bool
	at      piece // what is being read
}

// shape looks at the beginning of the file.
func (rd *reader) shape(lists ...string) shape {
	head, _ := rd.r.Peek(HeadSize) // an error comes again when it is read
	return shapeOf(head, lists...)
}

// each hands over the values of the file one by one. An error of do is about the
// value.
func (rd *reader) each(s shape, do func(piece) error) {
	for p, err := range pieces(rd.r, s) {
		if err != nil {
			rd.end(fmt.Errorf("read: %w", err))
			return
		}
		rd.at = p
		if err = p.Err; err == nil {
			err = do(p)
		}
		if err != nil {
			rd.bad(err)
		}
		if rd.stopped {
			return
		}
	}
}

// give hands over an entry, unless there is nothing in it.
func (rd *reader) give(e Entry) {
	if !rd.stopped && len(e.Turns)+len(e.Candidates) > 0 {
		rd.stopped = !rd.yield(e, nil)
	}
}

// bad reports why the value that is being read, or a part of it, is left out.
func (rd *reader) bad(cause error) {
	e := &LineError{Line: rd.at.Line, Cause: cause}
	if rd.at.Line == 1 {
		e.Offset = rd.at.Offset
	}
	if !rd.stopped {
		rd.stopped = !rd.yield(Entry{}, e)
	}
}

// end reports an error that nothing comes after.
func (rd *reader) end(err error) {
	if !rd.stopped {
		rd.yield(Entry{}, err)
		rd.stopped = true
	}
}

func (rd *reader) turnLine(p piece) error {
	if len(p.Bytes) > session.MaxLine {
		return session.ErrTooLong
	}
	t, err := rd.turn(p.Bytes)
	if err == nil {
		rd.give(Entry{Turns: []Turn{t}})
	}
	return err
}

// stem is the name of the file without its directory and its suffix.
func (o Options) stem() string {
	name := filepath.Base(cmp.Or(o.File, "-"))
	return cmp.Or(strings.TrimSuffix(name, filepath.Ext(name)), name)
}

// from says of which file something is.
func (o Options) from() string {
	if o.File == "" || o.File == "-" {
		return "standard input"
	}
	return filepath.Base(o.File)
}

// dirScope is where something holds that was said in a directory.
func (o Options) dirScope(dir string) string {
	if o.Dir != nil && dir != "" && !o.unsafe(dir) {
		if scope := o.Dir(dir); scope != "" && !o.unsafe(scope) {
			return scope
		}
	}
	return o.Scope
}

// maxText is the longest text of a turn, in bytes: escaped it still fits on a line
// of a session.
const maxText = 4 << 20

var errLongText = fmt.Errorf("a turn longer than %d MiB", maxText>>20)

// A talk is a conversation that is being read.
type talk struct {
	rd      *reader
	session string
	scope   string
	title   string // kept with the first turn
	turns   []Turn
	n       int // messages seen, given or not
}

// talk begins a conversation. Without an id its name is made of what is there, so
// that it is the same the next time.
func (rd *reader) talk(f Format, id string, otherwise ...string) *talk {
	if id == "" || len(id) > maxName/2 || rd.unsafe(id) {
		sum := sha256.Sum256([]byte(strings.Join(append(otherwise, id), "\n")))
		id = hex.EncodeToString(sum[:8])
	}
	return &talk{rd: rd, session: string(f) + "-" + id, scope: rd.Scope}
}

// add adds a turn, unless its text is blank. name is what the program calls the
// turn; a turn that has no name is called by its number.
func (t *talk) add(role session.Role, name, speaker string, at time.Time, text string) {
	t.n++
	if len(text) > maxText {
		t.rd.bad(errLongText)
		return
	}
	text = t.rd.Mask(termsafe.Clean(text))
	if strings.TrimSpace(text) == "" {
		return
	}
	turn := Turn{
		Session: t.session, Time: at, Role: role, Text: text, Scope: t.scope,
		Speaker: t.rd.Mask(termsafe.Line(speaker)), Name: json.RawMessage(fmt.Sprint(t.n)),
	}
	if name != "" && len(name) <= maxName && !t.rd.unsafe(name) {
		turn.Name = jsonl.AppendString(nil, name)
	}
	if title := termsafe.Line(t.rd.Mask(t.title)); title != "" && len(t.turns) == 0 {
		turn.Extra = []session.Field{{Name: "given_title", Value: jsonl.AppendString(nil, title)}}
	}
	t.turns = append(t.turns, turn)
}

// give hands the conversation over.
func (t *talk) give(also ...Candidate) {
	t.rd.give(Entry{Turns: t.turns, Candidates: also})
	t.turns = nil
}

// maxDocument is the largest document that is read, in bytes.
const maxDocument = 16 << 20

// markdown reads the whole file.
func (rd *reader) markdown(written bool) {
	data, err := io.ReadAll(io.LimitReader(rd.r, maxDocument+1))
	rd.at = piece{Line: 1}
	switch {
	case err != nil:
		rd.end(fmt.Errorf("read: %w", err))
		return
	case len(data) > maxDocument:
		rd.bad(fmt.Errorf("longer than %d MiB", maxDocument>>20))
		return
	case bytes.IndexByte(data, 0) >= 0:
		rd.bad(errors.New("not a text"))
		return
	}
	for _, c := range rd.points(string(data), written) {
		if rd.at.Line = c.Line; rd.stopped {
			return
		}
		if made, err := rd.made(c); err != nil {
			rd.bad(err)
		} else {
			rd.give(Entry{Candidates: []Candidate{made}})
		}
	}
}

// points are the candidates of a page. What a person's own page orders, which holds
// everywhere, is a preference.
func (o Options) points(text string, written bool) []Candidate {
	points, topic := readPage(text, written)
	list := make([]Candidate, len(points))
	for i, p := range points {
		c := &list[i]
		c.Line, c.Why = p.Line, o.why(o.Time, clip(p.Heads, 80))
		if p.Kind == memory.KindConvention && o.Scope == string(memory.ScopeUser) {
			p.Kind = memory.KindPref
		}
		if topic != "" && pageKind(topic) != memory.KindRule {
			kinded(&c.Record, topic)
		} else {
			c.Record.Kind = p.Kind
		}
		c.Record.Content = p.Text
	}
	return list
}

// oneOf reports whether a word is one of words, in whatever case.
func oneOf(word string, words ...string) bool {
	return slices.Contains(words, strings.ToLower(strings.TrimSpace(word)))
}
