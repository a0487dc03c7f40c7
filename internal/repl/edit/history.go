package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/regular"
	"ken/internal/typed"
)

// Bounds of a history.
const (
	// MaxEntries are how many entries of a file are read: the newest.
	MaxEntries = 10_000
	// maxRead is how many bytes of a file are looked at for them: its end.
	maxRead = 4 << 20
	// MaxEntry is the longest entry that is written to a file, in bytes.
	MaxEntry = 64 << 10
)

// A History is what was entered, oldest first, with where, and the file that keeps it,
// whose form package typed has. It is only ever added to, so several shells can use one
// file; each sees what the others enter when it starts.
type History struct {
	path    string
	entries []string
	at      []typed.Where // as long as entries
	here    typed.Where
	version int // counts the changes of all of these
}

// OpenHistory reads the newest entries of the file at path, which need not
// exist. With an error the history is empty and can be used. "" is a history
// without a file.
func OpenHistory(path string) (*History, error) {
	h := &History{path: path}
	if path == "" {
		return h, nil
	}
	text, err := readEnd(path, maxRead)
	if err != nil {
		return h, fmt.Errorf("read history %s: %w", path, err)
	}
	lines := bytes.Split(text, []byte{'\n'})
	var r typed.Reader
	for _, line := range lines[max(0, len(lines)-1-2*MaxEntries) : len(lines)-1] { // each may have one before it that says where
		if entry, at, ok := r.Line(string(line)); ok {
			if entry = clean(entry); entry != "" {
				h.remember(entry, at)
			}
		}
	}
	old := max(0, len(h.entries)-MaxEntries)
	h.entries, h.at = h.entries[old:], h.at[old:]
	return h, nil
}

// Stand says where what is added from now on is typed.
func (h *History) Stand(here typed.Where) {
	if here != h.here {
		h.here = here
		h.version++
	}
}

// readEnd reads the whole lines in the last most bytes of a file; nothing if
// there is none.
func readEnd(path string, most int64) ([]byte, error) {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, fi.Size()-most)
	text, err := io.ReadAll(io.NewSectionReader(f, from, most))
	if err != nil {
		return nil, err
	}
	if from > 0 {
		_, text, _ = bytes.Cut(text, []byte{'\n'})
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n') // the last one may have been cut off; it is shown, not run
	}
	return text, nil
}

// Add takes an entry in, unless it is blank, begins with a blank or is the
// newest one again. keep says whether it may be written to the file.
func (h *History) Add(entry string, keep bool) error {
	if strings.TrimSpace(entry) == "" || entry[0] == ' ' || !h.remember(entry, h.here) {
		return nil
	}
	if h.path == "" || !keep || len(entry) > MaxEntry {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	f, err := regular.OpenFile(h.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	_, err = f.Write(typed.Append(nil, entry, h.here))
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write history %s: %w", h.path, err)
	}
	return nil
}

// remember takes an entry in, and reports whether it is not the newest again.
func (h *History) remember(entry string, at typed.Where) bool {
	if n := len(h.entries); n > 0 && h.entries[n-1] == entry && h.at[n-1] == at {
		return false
	}
	h.entries, h.at = append(h.entries, entry), append(h.at, at)
	h.version++
	return true
}

// Drop takes out the entries that gone names. The file is not touched.
func (h *History) Drop(gone func(entry string) bool) {
	n := 0
	for i, entry := range h.entries {
		if !gone(entry) {
			h.entries[n], h.at[n] = entry, h.at[i]
			n++
		}
	}
	clear(h.entries[n:])
	h.entries, h.at = h.entries[:n], h.at[:n]
	h.version++
}

// Entries returns what was entered, oldest first.
func (h *History) Entries() []string { return h.entries }
