package session

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"ken/internal/jsonl"
	"ken/internal/regular"
	"ken/internal/text"
)

// partName is the file of what has come of an answer of the session id, in Dir.Run.
func partName(id string) string { return "part." + text.CutBytes(url.QueryEscape(id), maxName) }

// Part keeps t, what has come so far of the turn that is to be appended next, in a file beside the session,
// in the place of what was kept of it before. Appending the turn removes it; if ken is killed before that, whoever opens
// the session next has it as a turn that is truncated. It is not synced: only a process that ends is meant, no loss of power.
func (w *Writer) Part(t Turn) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.discard || w.dir.Hold {
		return nil
	}
	t.N, t.Time, t.Finish = w.last+1, w.time(t.Time), FinishTruncated
	b, err := t.Line()
	if err != nil {
		return fmt.Errorf("keep a part of turn %d of session %s: %w", t.N, w.header.Session, err)
	}
	path := w.part()
	if err := os.WriteFile(path+".new", b, 0o600); err != nil {
		return fmt.Errorf("keep a part of turn %d: %w", t.N, err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("keep a part of turn %d: %w", t.N, err)
	}
	w.parted = true
	return nil
}

// part is where Part keeps it.
func (w *Writer) part() string { return filepath.Join(w.dir.Run, partName(w.header.Session)) }

// takeOver appends what had come of an answer as its ken was killed, unless the session went on since.
// It reports whether there was something. The caller has just opened the session.
func (w *Writer) takeOver() (bool, error) {
	b, err := regular.Read(w.part(), MaxLine)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("what had come of an answer: %w", err)
	}
	w.parted = true
	fields, _, err := jsonl.Fields(b, nil)
	if err == nil {
		if got, perr := parseFields("role", fields); perr == nil && got.turn.N == w.last+1 && got.turn.Role == RoleAssistant {
			_, err := w.AppendTurn(*got.turn)
			return true, err
		}
	}
	return false, w.dropPart() // it is in the session, or no turn
}

// dropPart removes what Part kept. The turn is in the session, or nothing is to be kept of it.
func (w *Writer) dropPart() error {
	if !w.parted {
		return nil
	}
	w.parted = false
	if err := os.Remove(w.part()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Settle takes over, in a session that nobody has open, what had come of an answer as ken was killed.
func (d Dir) Settle(path string) error {
	head, err := readHeader(path)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(d.Run, partName(head.Session))); err != nil {
		return nil // as nearly always
	}
	w, _, err := d.Open(path)
	if errors.Is(err, ErrHeld) {
		return nil // it is being written
	}
	if err != nil {
		return err
	}
	return w.Close()
}
