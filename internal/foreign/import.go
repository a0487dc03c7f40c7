package foreign

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/jsonl"
	"ken/internal/session"
)

// Counts say what an import came to.
type Counts struct {
	Sessions int // that the turns belong to
	Added    int // turns that were not there
	Changed  int // turns that were there with another text
	Same     int // turns that were there
}

// lockWait is how long an import waits for others that write.
const lockWait = 5 * time.Second

// Import adds turns to the imported sessions of dir, in the order given, and has
// them on the disk when it returns: the files are synced together, after the last
// was written. After an error the sessions before the one it names are imported;
// doing it again does the rest. The Additions are for TakeBack.
func Import(ctx context.Context, dir session.Dir, turns []Turn) (Counts, []Addition, error) {
	var order []string
	by := make(map[string][]Turn)
	for _, t := range turns {
		if by[t.Session] == nil {
			order = append(order, t.Session)
		}
		by[t.Session] = append(by[t.Session], t)
	}
	c := Counts{Sessions: len(order)}
	var files []Addition // those with nothing new too: an import that died may have left them unsynced
	var err error
	for _, name := range order {
		w := Addition{path: filepath.Join(dir.Imports().Path, fileName(name))}
		if err = importSession(ctx, dir.Imports(), by[name], &w, &c); err != nil {
			err = fmt.Errorf("import session %s: %w", name, err)
			break
		}
		files = append(files, w)
	}
	err = errors.Join(err, syncAll(ctx, dir, files))
	return c, slices.DeleteFunc(files, Addition.isEmpty), err
}

// importSession adds the turns of one session. A file that is there is held as
// by one who goes on with the session, so that nobody does meanwhile.
func importSession(ctx context.Context, dir session.Dir, turns []Turn, w *Addition, c *Counts) error {
	for {
		held, _, err := dir.Open(w.path)
		made := err == nil
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		err = addTurns(ctx, dir, made, turns, w, c)
		if made {
			err = errors.Join(err, held.Close())
		}
		if !errors.Is(err, errMade) {
			return err
		}
	}
}

// errMade says that somebody made the file that was not there: it is not held.
var errMade = errors.New("the file was made meanwhile")

// addTurns adds to the file of w what it lacks, under the lock of all who
// write. made says that it was there before.
func addTurns(ctx context.Context, dir session.Dir, made bool, turns []Turn, w *Addition, c *Counts) (err error) {
	path := w.path
	lock, err := jsonl.LockDir(ctx, dir.Lock, lockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	there, err := session.Load(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		there = new(session.Transcript)
	case err != nil:
		return err
	case !made:
		return errMade
	}
	lines, counts, err := missing(there, turns)
	if err != nil {
		return err
	}
	if !there.Headed && len(there.Entries) == 0 && len(there.Problems) == 0 {
		head, err := header(turns[0], dir).Line()
		if err != nil {
			return err
		}
		lines = append(head, lines...)
	}
	if len(lines) > 0 {
		if err := jsonl.MakeDir(diskOf(dir), dir.Path); err != nil {
			return err
		}
		if w.before, err = sizeOf(path); err != nil {
			return err
		}
		if err := jsonl.Append(diskOf(dir), path, lines, false); err != nil {
			return err
		}
		if w.after, err = sizeOf(path); err != nil {
			return err
		}
	}
	c.Added += counts.Added
	c.Changed += counts.Changed
	c.Same += counts.Same
	return nil
}

func header(first Turn, dir session.Dir) session.Header {
	h := session.Header{Format: session.Format, Session: first.Session, Started: first.Time, Channel: session.ChannelImport, Scope: first.Scope}
	if h.Started.IsZero() {
		h.Started = dir.Now()
	}
	if first.Given != nil {
		h.Extra = []session.Field{{Name: session.Given, Value: first.Given}}
	}
	return h
}

// A known turn of a session: what it is called, and its line as it was written.
type known struct {
	n    int
	line []byte
}

// missing makes the lines that a session lacks to have the turns.
func missing(there *session.Transcript, turns []Turn) (lines []byte, c Counts, err error) {
	have := make(map[string]known)
	scope := there.Header.Scope // of the line before
	for _, e := range there.Entries {
		if e.Turn == nil {
			continue
		}
		t := *e.Turn
		if t.Scope != "" {
			scope = t.Scope
		}
		t.Scope = scope
		line, err := t.Line()
		if err != nil {
			return nil, c, fmt.Errorf("turn %d: %w", t.N, err)
		}
		have[key(scope, nameOf(t))] = known{t.N, line}
	}
	if !there.Headed {
		scope = turns[0].Scope // as the header will have it
	}
	last := there.Last()
	for _, given := range turns {
		k := key(given.Scope, given.Name)
		before, again := have[k]
		n := before.n
		if !again {
			n = last + 1
		}
		t := given.turn(n)
		line, err := t.Line()
		switch {
		case err != nil:
			return nil, c, fmt.Errorf("turn %s: %w", given.Name, err)
		case again && bytes.Equal(line, before.line):
			c.Same++
			continue
		case again:
			c.Changed++
		default:
			last = n
			c.Added++
		}
		have[k] = known{n, line}
		if t.Scope == scope {
			t.Scope = "" // it did not change
			if line, err = t.Line(); err != nil {
				return nil, c, fmt.Errorf("turn %s: %w", given.Name, err)
			}
		} else {
			scope = t.Scope
		}
		lines = append(lines, line...)
	}
	return lines, c, nil
}

// turn is the turn as number n of its session, the scope spelled out.
func (t Turn) turn(n int) session.Turn {
	s := session.Turn{
		N: n, Time: t.Time, Role: t.Role, Content: t.Text, Scope: t.Scope, Speaker: t.Speaker, From: "import",
	}
	if number := fmt.Sprint(n); string(t.Name) != number {
		s.Extra = append(s.Extra, session.Field{Name: session.Given, Value: t.Name})
	}
	s.Extra = append(s.Extra, t.Extra...)
	return s
}

// nameOf is what the transcript called a turn.
func nameOf(t session.Turn) json.RawMessage {
	i := slices.IndexFunc(t.Extra, func(f session.Field) bool { return f.Name == session.Given })
	if i < 0 {
		return json.RawMessage(fmt.Sprint(t.N))
	}
	return t.Extra[i].Value
}

func key(scope string, name json.RawMessage) string { return scope + "\n" + string(name) }

// fileName is the name of the file of a session: what can be read of its name,
// and a part of its hash, since many names of sessions can be none of files.
func fileName(name string) string {
	readable := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name), "-")
	const most = 60
	sum := sha256.Sum256([]byte(name))
	return strings.TrimLeft(readable[:min(len(readable), most)]+"-", "-") + hex.EncodeToString(sum[:8]) + ".jsonl"
}
