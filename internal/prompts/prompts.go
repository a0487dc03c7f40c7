package prompts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/regular"
	"ken/internal/termsafe"
)

const (
	// MaxBytes is the largest file that is a prompt.
	MaxBytes = 64 << 10
	// most is how many files are looked at.
	most   = 200
	suffix = ".md"
)

// A Prompt is one file.
type Prompt struct {
	Name  string // of the command
	About string // one line; "" if the file has none
	Args  string // what follows the name, as it is shown; "" if nothing is said of it
	Model string // the preset that is asked; "": the one in force
	Text  string // without the head
	Path  string
}

// A Dir is a directory of prompts, which need not be there.
type Dir string

// path is the file of a name.
func (d Dir) path(name string) string { return filepath.Join(string(d), name+suffix) }

// IsName reports whether a word can be the name of a prompt: small letters, digits, "-"
// and "_", 40 at most, the first a letter.
func IsName(word string) bool {
	if word == "" || len(word) > 40 || word[0] < 'a' || word[0] > 'z' {
		return false
	}
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// Names are the names of the files that may be prompts, in order, without reading them;
// others are the names of files of Markdown whose names are none of a command.
func (d Dir) Names() (names, others []string) {
	if d == "" {
		return nil, nil
	}
	list, err := os.ReadDir(string(d))
	if err != nil {
		return nil, nil // there are none
	}
	for _, e := range list {
		name, md := strings.CutSuffix(e.Name(), suffix)
		switch {
		case !md || strings.HasPrefix(name, "."):
		case !IsName(name):
			others = append(others, termsafe.Line(e.Name()))
		case len(names) < most:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, others
}

// Has reports whether there is a file of that name, without reading it.
func (d Dir) Has(name string) bool {
	if d == "" || !IsName(name) {
		return false
	}
	_, err := os.Stat(d.path(name))
	return err == nil
}

// Load reads the prompt of a name. The error is of kind NotFound where there is none.
func (d Dir) Load(name string) (Prompt, error) {
	p := Prompt{Name: name, Path: d.path(name)}
	if !IsName(name) {
		return p, fault.New(fault.NotFound, fmt.Errorf("%q is no name of a command of your own: small letters, digits, - and _", name))
	}
	if d == "" {
		return p, fault.New(fault.NotFound, errors.New("there is no directory of settings, so no command of your own"))
	}
	raw, err := regular.Read(p.Path, MaxBytes)
	if theirs := config.Own(p.Path); err == nil && theirs != nil {
		err = theirs
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, fault.New(fault.NotFound, fmt.Errorf("there is no command of your own called %s", name)).
			WithHint("those there are: %s", fault.Command("commands"))
	case errors.Is(err, regular.ErrTooLong):
		err = fmt.Errorf("it is longer than %d kB", MaxBytes>>10)
	case err == nil:
		err = p.parse(string(raw))
	}
	if err != nil {
		return p, fault.New(fault.Failure, at(p.Path, err))
	}
	return p, nil
}

// at says of an error, which may have it already, that it is about the file at path.
func at(path string, err error) error {
	if in := (*fs.PathError)(nil); errors.As(err, &in) {
		err = in.Err
	}
	if strings.HasPrefix(err.Error(), path+": ") {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// parse reads what a file holds.
func (p *Prompt) parse(raw string) error {
	raw = strings.ReplaceAll(strings.TrimPrefix(raw, "\ufeff"), "\r\n", "\n")
	if err := clean(raw); err != nil {
		return err
	}
	text := raw
	if rest, ok := strings.CutPrefix(raw, "---\n"); ok {
		head, body, closed := strings.Cut("\n"+rest, "\n---\n")
		if !closed {
			if head, closed = strings.CutSuffix("\n"+rest, "\n---"); !closed {
				return errors.New("its head has no end: a line ---")
			}
		}
		p.head(head)
		text = body
	}
	p.Text = strings.Trim(text, "\n")
	if strings.TrimSpace(p.Text) == "" {
		return errors.New("it has no text")
	}
	return nil
}

// clean says where a text holds what is no text.
func clean(raw string) error {
	n := 0
	for line := range strings.SplitSeq(raw, "\n") {
		n++
		if !utf8.ValidString(line) {
			return fmt.Errorf("line %d is not UTF-8", n)
		}
		if termsafe.Clean(line) != line {
			return fmt.Errorf("line %d holds a control character or one that is not shown", n)
		}
	}
	return nil
}

// head reads the lines of the head.
func (p *Prompt) head(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		switch strings.TrimSpace(key) {
		case "description":
			p.About = value
		case "args", "argument-hint":
			p.Args = value
		case "model":
			p.Model = value
		}
	}
}

// places finds what stands for arguments.
func places() *regexp.Regexp {
	return regexp.MustCompile(`\\\$|\$ARGUMENTS\b|\{\{ *args *\}\}|\$[1-9]\b`)
}

// Takes reports whether something in the text stands for an argument.
func (p Prompt) Takes() bool {
	return slices.ContainsFunc(places().FindAllString(p.Text, -1), func(s string) bool { return s != `\$` })
}

// Fill is the text with the arguments in their places: all of them as they were typed, and
// their words. Wanted ones that are not there are an error of kind Usage.
func (p Prompt) Fill(all string, words []string) (string, error) {
	all = strings.TrimSpace(all)
	if wanted := p.Args != "" && !strings.HasPrefix(p.Args, "["); wanted && all == "" {
		return "", fault.Usagef("%s wants %s", p.Name, termsafe.Line(p.Args))
	}
	takes := p.Takes()
	text := places().ReplaceAllStringFunc(p.Text, func(s string) string {
		switch {
		case s == `\$`:
			return "$"
		case s[0] == '{' || s == "$ARGUMENTS":
			return all
		}
		if n := int(s[1] - '1'); n < len(words) {
			return words[n]
		}
		return ""
	})
	if !takes && all != "" {
		text += "\n\n" + all
	}
	return text, nil
}

// Role is the text as a role, which takes no arguments. One that has a place for them is
// an error of kind Usage.
func (p Prompt) Role() (string, error) {
	if p.Takes() {
		return "", fault.Usagef("%s takes arguments, so it is a command and no role", p.Name).
			WithHint("%s", fault.Command(p.Name+" ..."))
	}
	return strings.ReplaceAll(p.Text, `\$`, "$"), nil
}
