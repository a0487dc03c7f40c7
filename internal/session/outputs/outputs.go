package outputs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"ken/internal/regular"
)

const (
	// Most is how many bytes of an output are kept.
	Most = 64 << 10
	// MostBytes is how many are, of all conversations together; the oldest go first.
	MostBytes = 64 << 20
	// Age is how long an output stays.
	Age = 30 * 24 * time.Hour
)

// ErrNone says that nothing is kept under a name.
var ErrNone = fmt.Errorf("no such output is kept: %w", fs.ErrNotExist)

// A Room is where the outputs of one conversation are.
type Room struct {
	Dir string // of all rooms: config.OutputsIn
	ID  string // of the session; "" has no room
	Now func() time.Time
}

// An Output is a text as it was kept.
type Output struct {
	Text string // clean and masked, at most Most bytes
	From string // its origin, as a turn has it
}

// Name is the name of output i, from 0, of turn n, which has several of them; below 0: it has one.
func Name(n, i int) string {
	if i < 0 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d.%d", n, i+1)
}

// TurnOf is the turn of a name; 0 if that is none.
func TurnOf(name string) int {
	first, second, several := strings.Cut(name, ".")
	n, err := strconv.Atoi(first)
	if err != nil || n < 1 || strconv.Itoa(n) != first {
		return 0
	}
	if i, err := strconv.Atoi(second); several && (err != nil || i < 1 || strconv.Itoa(i) != second) {
		return 0
	}
	return n
}

// Keep has an output in the room under a name that no other one has there, the middle of a long one left out. What is
// too old or too much goes.
func (r Room) Keep(name string, o Output) error {
	if r.ID == "" || TurnOf(name) == 0 || strings.ContainsRune(o.From, '\n') {
		return fmt.Errorf("keep output %q: %w", name, ErrNone)
	}
	if err := os.MkdirAll(r.path(), 0o700); err != nil {
		return fmt.Errorf("keep output %s: %w", name, err)
	}
	path := filepath.Join(r.path(), name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("keep output %s: %w", name, err)
	}
	_, err = f.WriteString(o.From + "\n" + middleOut(o.Text))
	now := r.Now()
	if err = errors.Join(err, f.Close(), os.Chtimes(path, now, now)); err != nil {
		return fmt.Errorf("keep output %s: %w", name, errors.Join(err, os.Remove(path)))
	}
	return r.sweep()
}

// Get returns an output, or ErrNone.
func (r Room) Get(name string) (Output, error) {
	if r.ID == "" || TurnOf(name) == 0 {
		return Output{}, ErrNone
	}
	b, err := regular.Read(filepath.Join(r.path(), name), 2*Most)
	if errors.Is(err, fs.ErrNotExist) {
		return Output{}, ErrNone
	}
	if err != nil {
		return Output{}, fmt.Errorf("read output %s: %w", name, err)
	}
	from, text, _ := strings.Cut(string(b), "\n")
	return Output{Text: text, From: from}, nil
}

// Names are those of all outputs of the room, the oldest turn first.
func (r Room) Names() []string {
	if r.ID == "" {
		return nil
	}
	entries, err := os.ReadDir(r.path())
	if err != nil {
		return nil // a room that is not there has none
	}
	var list []string
	for _, e := range entries {
		if TurnOf(e.Name()) > 0 {
			list = append(list, e.Name())
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(TurnOf(a)-TurnOf(b), len(a)-len(b), strings.Compare(a, b))
	})
	return list
}

// Drop removes the outputs of a turn.
func (r Room) Drop(turn int) error {
	for _, name := range r.Names() {
		if TurnOf(name) != turn {
			continue
		}
		if err := os.Remove(filepath.Join(r.path(), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove output %s: %w", name, err)
		}
	}
	return nil
}

// Remove removes the room with all that is in it.
func (r Room) Remove() error {
	if r.ID == "" || r.Dir == "" {
		return nil
	}
	if err := os.RemoveAll(r.path()); err != nil {
		return fmt.Errorf("remove outputs of %s: %w", r.ID, err)
	}
	return nil
}

// CopyTo has what the room holds of turns up to n in the room of a copy of its conversation.
func (r Room) CopyTo(other Room, n int) error {
	for _, name := range r.Names() {
		if TurnOf(name) > n {
			continue
		}
		o, err := r.Get(name)
		if errors.Is(err, ErrNone) {
			continue // it went meanwhile
		}
		if err == nil {
			err = other.Keep(name, o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// path is the directory of the room. An id that ken made stands as it is; others may hold anything.
func (r Room) path() string {
	const longest = 200
	id := url.QueryEscape(r.ID)
	return filepath.Join(r.Dir, id[:min(len(id), longest)]+".d")
}

// sweep removes what is too old, and the oldest of what is too much, of all rooms.
func (r Room) sweep() error {
	type held struct {
		path string
		fs.FileInfo
	}
	var list []held
	total := int64(0)
	paths, err := filepath.Glob(filepath.Join(escaped(r.Dir), "*", "*"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() {
			list, total = append(list, held{path, fi}), total+fi.Size()
		}
	}
	slices.SortFunc(list, func(a, b held) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range list {
		if total <= MostBytes && r.Now().Sub(f.ModTime()) <= Age {
			break
		}
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("tidy outputs: %w", err)
		}
		total -= f.Size()
		_ = os.Remove(filepath.Dir(f.path)) // where others are it stays
	}
	return nil
}

// escaped is a path as a pattern that only it matches.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// middleOut is a text in at most Most bytes: a third of its beginning and the rest of its end, by whole lines where
// there are some, with a line between that says so.
func middleOut(text string) string {
	if len(text) <= Most {
		return text
	}
	const mark = "[... %d bytes left out ...]\n"
	room := Most - len(mark) - 16
	at := room / 3
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	head, tail := text[:at], text[len(text)-(room-room/3):]
	for tail != "" && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	if i := strings.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)-1 {
		tail = tail[i+1:]
	}
	return head + "\n" + fmt.Sprintf(mark, len(text)-len(head)-len(tail)) + tail
}
