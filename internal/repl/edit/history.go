package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/regular"
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

// A History is what was entered, oldest first, and the file that keeps it. The
// file has one line an entry: a newline inside is written \n, a backslash \\. It
// is only ever added to, so several shells can use one file; each sees what the
// others enter when it starts.
type History struct {
	path    string
	entries []string
	version int // counts the changes of entries
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
	for _, line := range lines[max(0, len(lines)-1-MaxEntries) : len(lines)-1] {
		if entry := clean(unescape(string(line))); entry != "" {
			h.remember(entry)
		}
	}
	return h, nil
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
	if strings.TrimSpace(entry) == "" || entry[0] == ' ' || !h.remember(entry) {
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
	_, err = f.WriteString(escapeEntry(entry) + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write history %s: %w", h.path, err)
	}
	return nil
}

// remember takes an entry in, and reports whether it is not the newest again.
func (h *History) remember(entry string) bool {
	if n := len(h.entries); n > 0 && h.entries[n-1] == entry {
		return false
	}
	h.entries = append(h.entries, entry)
	h.version++
	return true
}

// Drop takes out the entries that gone names. The file is not touched.
func (h *History) Drop(gone func(entry string) bool) {
	h.entries = slices.DeleteFunc(h.entries, gone)
	h.version++
}

// Entries returns what was entered, oldest first.
func (h *History) Entries() []string { return h.entries }

func escapeEntry(s string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(s)
}

func unescape(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(s)
}

// A source is a history as the library asks for it. It gives nothing to a
// question.
type source struct {
	h     *History
	fold  func(string) string
	quiet *bool
}

var errNone = errors.New("no such entry")

// Write is called for every line; what is kept is the editor's business.
func (s source) Write(string) (int, error) { return s.Len(), nil }

func (s source) GetLine(i int) (string, error) {
	if i < 0 || i >= s.Len() {
		return "", errNone
	}
	return s.fold(s.h.entries[i]), nil
}

func (s source) Len() int {
	if *s.quiet {
		return 0
	}
	return len(s.h.entries)
}

func (s source) Dump() any { return nil }
