package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ken/internal/jsonl"
	"ken/internal/termsafe"
	"ken/internal/text"
)

const (
	diaryWait = time.Second // for who else writes
	daySuffix = ".md"
	entryHead = "## "
)

// AddDay writes a question and its answer into the daily log: a file for each day of the zone of at, for people to read. The file is
// Markdown: a heading for the day, and for each question an entry of a heading with the time, the channel and the turns of the
// session h, and a line for each side, masked by the caller, of at most so many characters as most says. calls is how often tools were
// called. Nothing reads it back but DropDays.
func (d Dir) AddDay(ctx context.Context, at time.Time, h Header, q, a Turn, calls int, most [2]int) error {
	day := at.Format(time.DateOnly)
	path := filepath.Join(d.days(), day+daySuffix)
	lock, err := jsonl.LockDir(ctx, d.Lock, diaryWait)
	if err != nil {
		return fmt.Errorf("the daily log does not have this: %w", err)
	}
	text := entry(at, h, q, a, calls, most)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		text = "# " + day + "\n" + text
	}
	err = errors.Join(jsonl.Append(d.fs(), path, []byte(text), false), lock.Unlock())
	if err != nil {
		return fmt.Errorf("the daily log does not have this: %w", err)
	}
	return nil
}

// days is the directory of the daily log: config.DailyIn.
func (d Dir) days() string { return filepath.Join(d.Lock, "daily") }

// entry is a question with its answer as it stands in the file.
func entry(at time.Time, h Header, q, a Turn, calls int, most [2]int) string {
	var b strings.Builder
	b.WriteString("\n" + entryHead + at.Format("15:04") + " " + termsafe.Line(string(h.Channel)))
	if h.Session != "" {
		fmt.Fprintf(&b, " %s:%d-%d", h.Session, q.N, a.N)
	}
	b.WriteByte('\n')
	for i, side := range [...]struct{ who, said string }{{"you", q.Content}, {"ken", a.Content}} {
		if said := clipped(termsafe.Line(side.said), most[i]); said != "" {
			b.WriteString("- " + side.who + ": " + said + "\n")
		}
	}
	if calls > 0 {
		fmt.Fprintf(&b, "- tool_calls: %d\n", calls)
	}
	return b.String()
}

// clipped is a text of so many characters at most.
func clipped(said string, most int) string {
	said = strings.TrimSpace(said)
	if cut := text.CutRunes(said, most); cut != said {
		return strings.TrimSpace(cut) + "…"
	}
	return said
}

// DropDays takes the entries out of the daily log that gone accepts: their lines, and the turns that they are of. A file without
// entries goes. The caller holds the lock.
func (d Dir) DropDays(ctx context.Context, gone func(text []byte, session string, from, to int) bool) error {
	paths, err := filepath.Glob(filepath.Join(d.days(), "*"+daySuffix))
	if err != nil {
		return err
	}
	for _, path := range paths {
		empty := false
		edit := jsonl.Edit{Path: path, FS: d.FS, Most: mostDay}
		if _, err := edit.Bytes(ctx, func(old []byte) ([]byte, error) {
			now := withoutEntries(old, gone)
			empty = len(now) < len(old) && !bytes.Contains(now, []byte("\n"+entryHead))
			return now, nil
		}); err != nil {
			return fmt.Errorf("the daily log: %w", err)
		}
		if empty {
			if err := d.fs().Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("the daily log: %w", err)
			}
		}
	}
	return nil
}

// mostDay is how much of a file is read.
const mostDay = 256 << 20

// withoutEntries is a file without the entries that gone accepts. What stands before the first one is a piece like them.
func withoutEntries(text []byte, gone func(text []byte, session string, from, to int) bool) []byte {
	kept, piece := []byte{}, []byte{}
	keep := func() {
		session, from, to := turnsOf(piece)
		if !gone(piece, session, from, to) {
			kept = append(kept, piece...)
		}
		piece = piece[:0]
	}
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(entryHead)) {
			keep()
		}
		piece = append(piece, line...)
	}
	keep()
	return kept
}

// turnsOf are the turns that an entry is of, by its heading; "" if it names none.
func turnsOf(piece []byte) (session string, from, to int) {
	line, _, _ := strings.Cut(string(piece[:min(len(piece), 400)]), "\n")
	if !strings.HasPrefix(line, entryHead) {
		return "", 0, 0
	}
	words := strings.Fields(line)
	ref := words[len(words)-1]
	i := strings.LastIndexByte(ref, ':')
	if i <= 0 {
		return "", 0, 0
	}
	first, last, _ := strings.Cut(ref[i+1:], "-")
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err != nil || err2 != nil {
		return "", 0, 0
	}
	return ref[:i], from, to
}
