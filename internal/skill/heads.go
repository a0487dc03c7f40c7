package skill

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

const (
	// maxHeads is how large the file of heads may be, in bytes.
	maxHeads = 4 << 20
	// headsFormat is its first line: another one is the file of another version.
	headsFormat = "ken skills 1"
	// between parts the words of a list in a line of it.
	between = "\x1f"
)

// Heads is what files said of themselves when they were read last, in a derived file: it may
// be deleted at any time. What it says of a file counts as long as the file system says
// that the file is the same.
//
// It is not safe for concurrent use.
type Heads struct {
	Path string                   // of the file
	Now  func() time.Time         // the machine's clock, which files have their times from
	Mask func(text string) string // what it would change is not written

	known   map[string]known // by path; nil: the file was not read yet
	changed bool
}

// known is a line of the file.
type known struct {
	Skill
	stamp  string
	sha256 string
	bad    string
}

// tell has a file say what is known of it.
func (k known) tell(f *File) {
	name := f.Name
	f.Skill, f.SHA256 = k.Skill, k.sha256
	if k.bad != "" {
		f.Name, f.Bad = name, errors.New(k.bad)
	}
}

// stampOf is what the file system says of a file, in a word; fi is nil if it says nothing.
func stampOf(path string) (stamp string, fi fs.FileInfo) {
	fi, err := os.Stat(path)
	if err != nil {
		return "", nil
	}
	s, ok := jsonl.StampOf(fi)
	if !ok {
		return "", fi
	}
	b := make([]byte, 0, 80)
	for _, n := range [...]int64{int64(s.Dev), int64(s.Ino), s.Size, s.Mtime, s.Ctime} { //nolint:gosec // as bits
		b = strconv.AppendInt(append(b, ' '), n, 36)
	}
	return string(b[1:]), fi
}

// settled reports whether a later change of a file is sure to show in its stamp.
func (h *Heads) settled(fi fs.FileInfo) bool {
	s, ok := jsonl.StampOf(fi)
	return ok && h.Now != nil && s.Settled(h.Now())
}

// get is what is known of a file that has that stamp.
func (h *Heads) get(path, stamp string) (known, bool) {
	if h == nil || stamp == "" {
		return known{}, false
	}
	if h.known == nil {
		h.load()
	}
	k, ok := h.known[path]
	return k, ok && k.stamp == stamp
}

// put notes what a file said that had that stamp.
func (h *Heads) put(path, stamp string, fi fs.FileInfo, f File) {
	if h == nil || stamp == "" || !h.settled(fi) || errors.Is(f.Bad, fs.ErrPermission) {
		return
	}
	k := known{Skill: f.Skill, stamp: stamp, sha256: f.SHA256}
	if f.Bad != nil {
		k = known{stamp: stamp, bad: f.Bad.Error(), sha256: f.SHA256}
	}
	k.Other = nil
	if strings.ContainsAny(path, "\t\n"+between) || len(k.line(path)) == 0 {
		return
	}
	if h.known == nil {
		h.load()
	}
	h.known[path], h.changed = k, true
}

// line is what is known of a file as the file of heads has it; nil if it cannot.
func (k known) line(path string) []byte {
	fields := []string{
		path, k.stamp, k.Name, k.Description, string(k.Trigger), strings.Join(k.Keywords, between), strings.Join(k.Tags, between),
		strings.Join(k.Related, between), k.License, strings.Join(k.AllowedTools, between), k.sha256, k.bad,
	}
	line := strings.Join(fields, "\t")
	if strings.Count(line, "\t") != len(fields)-1 || strings.ContainsAny(line, "\n\r") {
		return nil
	}
	return []byte(line)
}

// load reads the file of heads. One that cannot be read, or is of another version, says
// nothing.
func (h *Heads) load() {
	h.known = make(map[string]known)
	text, err := regular.Read(h.Path, maxHeads)
	if err != nil {
		return
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	if first != headsFormat {
		return
	}
	for line := range strings.Lines(rest) {
		line, whole := strings.CutSuffix(line, "\n")
		var f [12]string
		n := 0
		for n < len(f)-1 {
			var more bool
			if f[n], line, more = strings.Cut(line, "\t"); !more {
				break
			}
			n++
		}
		if n != len(f)-1 || !whole || strings.Contains(line, "\t") {
			continue
		}
		f[n] = line
		k := known{stamp: f[1], sha256: f[10], bad: f[11], Skill: Skill{
			Name: f[2], Description: f[3], Trigger: Trigger(f[4]), Keywords: words(f[5]), Tags: words(f[6]), Related: words(f[7]), License: f[8],
			AllowedTools: words(f[9]),
		}}
		if k.bad != "" || ValidName(k.Name) {
			h.known[f[0]] = k
		}
	}
}

func words(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, between)
}

// Save writes the file of heads if what is known has changed; files that are gone are left
// out, and so are those that say a secret.
func (h *Heads) Save() error {
	if h == nil || !h.changed {
		return nil
	}
	h.changed = false
	var b bytes.Buffer
	b.WriteString(headsFormat + "\n")
	for path, k := range h.known {
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		line := k.line(path)
		if line == nil || b.Len()+len(line) >= maxHeads {
			continue
		}
		if said := k.Description + "\n" + strings.Join(k.Keywords, "\n"); h.Mask != nil && h.Mask(said) != said {
			continue // it is read each time
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return regular.PutDerived(h.Path, b.String())
}
