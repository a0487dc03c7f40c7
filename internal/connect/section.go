package connect

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

const (
	sectionBegin = "<!-- ken:begin -->"
	sectionEnd   = "<!-- ken:end -->"
)

// section is what a file of instructions says of ken. It names no memory: such files are given to others.
func section() []string {
	return []string{
		sectionBegin,
		"The person you work for keeps a memory in ken, which you have as the server `ken`.",
		"Call its tool `recall` before you answer what depends on them, their preferences or the conventions of this project.",
		"What they ask you to remember you suggest with its tool `remember`; they decide later whether it is kept.",
		sectionEnd,
	}
}

var errSection = errors.New("the marks of ken's lines in it do not go in pairs") //nolint:gochecknoglobals // a value to compare with

// sectioned is a file of instructions with ken's lines, at its end or where they stand.
func (f File) sectioned(old []byte) ([]byte, error) {
	from, to, nl, err := f.find(old)
	if err != nil {
		return nil, err
	}
	text := strings.Join(section(), nl)
	switch {
	case from >= 0:
		return bytes.Join([][]byte{old[:from], []byte(text), old[to:]}, nil), nil
	case old == nil:
		return []byte(text + nl), nil
	case len(old) == 0:
		return []byte(text), nil
	case bytes.HasSuffix(old, []byte("\n")):
		return []byte(string(old) + nl + text + nl), nil
	}
	return []byte(string(old) + nl + nl + text), nil
}

// unsectioned is sectioned, the other way: nil if there is nothing else in it, and it was begun so.
func (f File) unsectioned(old []byte) ([]byte, error) {
	from, to, nl, err := f.find(old)
	if err != nil || from < 0 {
		return old, err
	}
	before, behind := string(old[:from]), string(old[to:])
	switch {
	case before == "" && behind == nl:
		return nil, nil
	case before == "" && behind == "":
		return []byte{}, nil
	case behind == "" && strings.HasSuffix(before, nl+nl): // the last line had no end
		before = strings.TrimSuffix(before, nl+nl)
	case strings.HasPrefix(behind, nl) && strings.HasSuffix(before, nl+nl):
		before, behind = strings.TrimSuffix(before, nl), strings.TrimPrefix(behind, nl)
	default:
		behind = strings.TrimPrefix(behind, nl)
	}
	return []byte(before + behind), nil
}

// find is where ken's lines stand in a file of instructions, -1 if they do not, and how its lines end.
func (f File) find(text []byte) (from, to int, nl string, err error) {
	nl = "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		nl = "\r\n"
	}
	begins, ends := bytes.Count(text, []byte(sectionBegin)), bytes.Count(text, []byte(sectionEnd))
	from, to = bytes.Index(text, []byte(sectionBegin)), bytes.Index(text, []byte(sectionEnd))
	switch {
	case begins == 0 && ends == 0:
		return -1, -1, nl, nil
	case begins != 1 || ends != 1 || to < from:
		return 0, 0, nl, &RejectedError{f.Path, fmt.Errorf("%w: %s and %s", errSection, sectionBegin, sectionEnd)}
	}
	return from, to + len(sectionEnd), nl, nil
}

// instructions is the file of instructions of an assistant for all that its person does, with ken's lines if there is true.
func (a Agent) instructions(dir string, there bool) []File {
	if a.tells == "" {
		return nil
	}
	return []File{{Path: filepath.Join(dir, a.tells), lines: true, told: there}}
}
