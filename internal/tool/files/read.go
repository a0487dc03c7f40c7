package files

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"ken/internal/attach"
	"ken/internal/ignore"
	"ken/internal/regular"
	"ken/internal/termsafe"
	"ken/internal/tool/swap"
)

const (
	// usualLines is how many lines a part has where none is said.
	usualLines = 400
	// longestLine is how many bytes of a line are shown.
	longestLine = 2000
	// widestKept is how many bytes a line of a kept text has: all of it can be read, whatever room there is.
	widestKept = 1000
	// mostCounted is how far into a file lines are counted, in bytes.
	mostCounted = 64 << 20
	// mostWide is how much of a file in UTF-16 is read, in bytes.
	mostWide = 8 << 20
	// mostListed is how many names of a directory are looked at.
	mostListed = 20_000
)

// Read returns the lines of a text file from offset (from 1) on, at most limit of them (0: 400), or
// the names in a directory. What is shown of how much stands in the last line. t remembers what a
// file held; nil remembers nothing.
func (p Place) Read(ctx context.Context, t *Turn, at Target, offset, limit int) (string, error) {
	offset, limit = max(offset, 1), max(limit, 0)
	if limit == 0 {
		limit = usualLines
	}
	text, unsaved := p.held(at)
	switch {
	case unsaved:
		t.of(at.Path).seen = swap.Sum(text)
		part, err := p.part(ctx, bytes.NewReader(text), int64(len(text)), offset, limit)
		return part + "[as it is in the editor, not saved]", err
	case !at.There:
		return "", refuse("no such file: %s", at.Name)
	case at.Dir:
		return p.list(at, offset, limit)
	}
	f, err := regular.Open(at.Path)
	if errors.Is(err, regular.ErrNotFile) {
		if fi, err := os.Stat(at.Path); err == nil {
			return "", irregular(at.Name, fi.Mode())
		}
	}
	if err != nil {
		return "", p.failed(at.Name, err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return "", p.failed(at.Name, err)
	}
	t.saw(at.Path, fi.Size())
	part, err := p.part(ctx, f, fi.Size(), offset, limit)
	if err != nil && ctx.Err() == nil {
		err = p.failed(at.Name, err)
	}
	return part, err
}

// Page is Read of a text that is kept under a name, and in no file. Longer lines than a page should have are several.
func (p Place) Page(ctx context.Context, text string, offset, limit int) (string, error) {
	text = folded(text)
	if limit <= 0 {
		limit = usualLines
	}
	return p.part(ctx, strings.NewReader(text), int64(len(text)), max(offset, 1), limit)
}

// folded is a text whose lines have at most widestKept bytes.
func folded(text string) string {
	var sb strings.Builder
	for line := range strings.Lines(text) {
		for len(line) > widestKept {
			at := widestKept
			for at > 1 && !utf8.RuneStart(line[at]) {
				at--
			}
			sb.WriteString(line[:at] + "\n")
			line = line[at:]
		}
		sb.WriteString(line)
	}
	return sb.String()
}

// part reads lines of a file.
func (p Place) part(ctx context.Context, f io.ReadSeeker, size int64, offset, limit int) (string, error) {
	head := make([]byte, 8000)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	what, isText := attach.Sniff(head[:n])
	if n == 0 {
		return "[empty]", nil
	}
	if !isText {
		return binary(size, what), nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	in := io.LimitReader(f, mostCounted)
	if what != "" { // UTF-16
		wide, err := io.ReadAll(io.LimitReader(f, mostWide))
		if err != nil {
			return "", err
		}
		in = bytes.NewReader(attach.Narrow(wide))
	}
	var sb strings.Builder
	lines := bufio.NewReaderSize(in, 64<<10)
	number, last, cut, bad := 0, 0, 0, false
	for {
		line, wasCut, err := nextLine(lines)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		if number++; number%4096 == 0 && ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if number == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if number < offset || number >= offset+limit || last > 0 && last < number-1 || sb.Len() > 0 && sb.Len()+len(line) > p.most() {
			continue
		}
		if !utf8.ValidString(line) {
			line, bad = strings.ToValidUTF8(line, "\ufffd"), true
		}
		if wasCut {
			cut++
		}
		sb.WriteString(line + "\n")
		last = number
	}
	return sb.String() + said(number, offset, last, cut, bad, what, size), nil
}

// nextLine reads a line without its end, or the beginning of a long one.
func nextLine(r *bufio.Reader) (line string, cut bool, err error) {
	var sb strings.Builder
	for {
		piece, err := r.ReadSlice('\n')
		left := longestLine + 2 - sb.Len()
		cut = cut || len(piece) > left
		sb.Write(piece[:max(min(len(piece), left), 0)])
		if err == nil || errors.Is(err, io.EOF) && (sb.Len() > 0 || cut) {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return "", false, err
		}
	}
	line = strings.TrimSuffix(strings.TrimSuffix(sb.String(), "\n"), "\r")
	if len(line) > longestLine {
		line, cut = line[:longestLine], true
	}
	if cut {
		for len(line) > 0 && !utf8.RuneStart(line[len(line)-1]) {
			line = line[:len(line)-1]
		}
		if len(line) > 0 && line[len(line)-1] >= utf8.RuneSelf {
			line = line[:len(line)-1]
		}
		line += " [... cut]"
	}
	return line, cut, nil
}

// said is the last line of a part: what was shown of how much, and what was not as it stands.
func said(lines, offset, last, cut int, bad bool, coding string, size int64) string {
	var notes []string
	total := fmt.Sprint(lines)
	if size > mostCounted {
		total = "more than " + total
	}
	switch {
	case last == 0:
		notes = append(notes, fmt.Sprintf("there is no line %d: the file has %s", offset, total))
	case offset > 1 || last < lines || size > mostCounted:
		note := fmt.Sprintf("lines %d-%d of %s", offset, last, total)
		if last < lines {
			note += fmt.Sprintf("; next: offset %d", last+1)
		}
		notes = append(notes, note)
	}
	if cut > 0 {
		notes = append(notes, fmt.Sprintf("%d long lines cut", cut))
	}
	if bad {
		notes = append(notes, "not UTF-8, so some characters are not shown and it cannot be edited here")
	}
	if coding != "" {
		notes = append(notes, "shown from "+coding+", so it cannot be edited here")
	}
	if len(notes) == 0 {
		return ""
	}
	return "[" + strings.Join(notes, "; ") + "]"
}

// list returns the names in a directory: with a slash those of directories, with their size those
// of files. What git leaves out is marked.
func (p Place) list(at Target, offset, limit int) (string, error) {
	f, err := os.Open(at.Path)
	if err != nil {
		return "", p.failed(at.Name, err)
	}
	defer f.Close()
	entries, err := f.ReadDir(mostListed)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", p.failed(at.Name, err)
	}
	if len(entries) == 0 {
		return "[empty]", nil
	}
	sortEntries(entries)
	top := ignore.Top(at.Path)
	rel, err := filepath.Rel(top, at.Path)
	if err != nil {
		return "", p.failed(at.Name, err)
	}
	rel = filepath.ToSlash(rel)
	rules := ignore.Above(top, rel).With(at.Path, rel)
	var sb strings.Builder
	last := 0
	for i, e := range entries {
		if i+1 < offset || i+1 >= offset+limit || sb.Len() > p.most() {
			continue
		}
		line := nameOf(e)
		if rules.Ignore(strings.TrimPrefix(rel+"/"+e.Name(), "./"), e.IsDir()) {
			line += " (ignored by git)"
		}
		sb.WriteString(line + "\n")
		last = i + 1
	}
	total := fmt.Sprint(len(entries))
	if len(entries) == mostListed {
		total = "more than " + total
	}
	switch {
	case last == 0:
		fmt.Fprintf(&sb, "[there is no entry %d: the directory has %s]", offset, total)
	case offset > 1 || last < len(entries):
		fmt.Fprintf(&sb, "[entries %d-%d of %s", offset, last, total)
		if last < len(entries) {
			fmt.Fprintf(&sb, "; next: offset %d", last+1)
		}
		sb.WriteString("]")
	}
	return sb.String(), nil
}

func nameOf(e fs.DirEntry) string {
	name := termsafe.Line(e.Name())
	fi, err := e.Info()
	switch {
	case e.IsDir():
		return name + "/"
	case e.Type()&fs.ModeSymlink != 0:
		return name + " (a link)"
	case e.Type().IsRegular() && err == nil:
		return name + " " + attach.Size(fi.Size())
	}
	return name + " (no regular file)"
}

// saw remembers that the model knows what the file holds, if it is one that can be changed.
func (t *Turn) saw(path string, size int64) {
	if t == nil || size > swap.Most {
		return
	}
	if b, _, err := swap.Read(path); err == nil {
		t.of(path).seen = swap.Sum(b)
	}
}
