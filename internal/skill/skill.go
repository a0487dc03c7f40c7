package skill

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ken/internal/frame"
	"ken/internal/termsafe"
)

const (
	// MaxFile is the largest file of a skill, in bytes.
	MaxFile = 1 << 20
	// MaxHead is how much of a file is read for its front matter, in bytes.
	MaxHead = 2048
	// MaxName is the longest name, in characters.
	MaxName = 64
	// MaxDescription is the longest description that is written, in characters.
	MaxDescription = 1024
	// MaxWords is how many keywords, tags or related names one skill has at most.
	MaxWords = 32
)

// A Trigger says when the body of a skill goes with a question unasked.
type Trigger string

// The triggers.
const (
	Manual Trigger = "manual" // never: it is asked for by its name
	Auto   Trigger = "auto"   // when the question has a keyword, or the two or more words of its name
	Match  Trigger = "match"  // when the question has a keyword
)

// A Skill is what a file says.
type Skill struct {
	Name        string // 1 to MaxName of letters, digits, "-" and "_"
	Description string // one line: what it is for
	Trigger     Trigger
	Keywords    []string
	Tags        []string
	Related     []string // names of skills
	License     string
	// AllowedTools is what it says that it wants. It allows nothing.
	AllowedTools []string
	Other        []Field // keys that are none of these, in their order
	Body         string  // Markdown, behind the front matter
}

// A Field is a key of front matter that is kept as it was written.
type Field struct {
	Key string
	Raw string // all behind the colon, without the end of the last line
}

// ValidName reports whether a skill may be called so: 1 to MaxName of A-Z, a-z, 0-9, "-"
// and "_".
func ValidName(name string) bool {
	return name != "" && len(name) <= MaxName && strings.IndexFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}) < 0
}

// Parse reads the text of a skill's file. called is the name of its directory, or of the
// file without ".md", which a skill has that names itself not. Without front matter it
// is Manual, and all of the text is its body. It fails where the text is not UTF-8, is
// more than MaxFile bytes, or has front matter that cannot be read or goes on beyond
// MaxHead; the error says which line.
func Parse(text []byte, called string) (Skill, error) {
	switch {
	case len(text) > MaxFile:
		return Skill{}, fmt.Errorf("more than the %d bytes that are read", MaxFile)
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		return Skill{}, errors.New("it is no text in UTF-8")
	}
	h, err := readHead(text[:min(len(text), MaxHead)], len(text) > MaxHead)
	if err != nil {
		return Skill{}, err
	}
	s, err := h.skill(called)
	if err != nil {
		return Skill{}, err
	}
	s.Body = strings.Trim(lineEnds(string(text[h.end:])), "\n")
	return s, nil
}

// lineEnds has each line end in "\n", and no byte order mark in front.
func lineEnds(s string) string {
	s = strings.TrimPrefix(s, "\ufeff")
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// skill is what a head says.
func (h head) skill(called string) (Skill, error) {
	s := Skill{Name: called, Trigger: Manual}
	if h.end == 0 {
		if !ValidName(called) {
			return Skill{}, errName(called)
		}
		return s, nil
	}
	said := ""
	for _, f := range h.fields {
		var err error
		switch f.Key {
		case "name":
			s.Name, err = f.text()
		case "description":
			s.Description, err = f.text()
		case "license":
			s.License, err = f.text()
		case "trigger":
			said, err = f.text()
		case "keywords":
			s.Keywords, err = f.list(",")
		case "tags":
			s.Tags, err = f.list(",")
		case "related":
			s.Related, err = f.list(",")
		case "allowed-tools":
			s.AllowedTools, err = f.list(", ")
		default:
			s.Other = append(s.Other, f.Field)
		}
		if err != nil {
			return Skill{}, fmt.Errorf("line %d: %s: %w", f.line, termsafe.Line(f.Key), err)
		}
	}
	s.Description = strings.Join(strings.Fields(s.Description), " ")
	if !ValidName(s.Name) {
		return Skill{}, errName(s.Name)
	}
	switch s.Trigger = Trigger(said); {
	case said == "" && len(s.Keywords) > 0:
		s.Trigger = Match
	case said == "":
		s.Trigger = Auto
	case !slices.Contains([]Trigger{Manual, Auto, Match}, s.Trigger):
		return Skill{}, fmt.Errorf("trigger %q: want manual, auto or match", clip(said))
	}
	return s, nil
}

func errName(name string) error {
	return fmt.Errorf("the name %q: want 1 to %d of letters, digits, - and _", clip(name), MaxName)
}

// clip is a text as an error shows it.
func clip(s string) string { return termsafe.CutWith(termsafe.Line(s), 80, "...") }

// Validate says what is wrong with a skill before it is written, nil if nothing is: what
// would not be read as it is meant, and what would pass for something else where it is
// read. An error names the key.
func (s Skill) Validate() error {
	var wrong []error
	no := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if !ValidName(s.Name) {
		wrong = append(wrong, errName(s.Name))
	}
	switch n := utf8.RuneCountInString(s.Description); {
	case strings.TrimSpace(s.Description) == "":
		no("description: there is none")
	case n > MaxDescription:
		no("description: %d characters, more than %d", n, MaxDescription)
	}
	if why := badLine(s.Description); why != "" {
		no("description: %s", why)
	}
	if !slices.Contains([]Trigger{Manual, Auto, Match}, s.Trigger) {
		no("trigger %q: want manual, auto or match", clip(string(s.Trigger)))
	}
	if s.Trigger == Match && len(s.Keywords) == 0 {
		no("keywords: there are none, and trigger match goes by them")
	}
	for _, l := range []struct {
		key   string
		words []string
	}{
		{"keywords", s.Keywords}, {"tags", s.Tags}, {"related", s.Related}, {"allowed-tools", s.AllowedTools}, {"license", []string{s.License}},
	} {
		if len(l.words) > MaxWords {
			no("%s: %d, more than %d", l.key, len(l.words), MaxWords)
		}
		for _, w := range l.words {
			switch why := badLine(w); {
			case why != "":
				no("%s: %s", l.key, why)
			case l.key != "license" && (strings.TrimSpace(w) == "" || utf8.RuneCountInString(w) > MaxName):
				no("%s: %q: want 1 to %d characters", l.key, clip(w), MaxName)
			}
		}
	}
	for _, name := range s.Related {
		if !ValidName(name) {
			no("related: %w", errName(name))
		}
	}
	if why := badBody(s.Body); why != "" {
		no("body: %s", why)
	}
	if len(wrong) == 0 {
		text := s.Format()
		if h, err := readHead(text[:min(len(text), MaxHead)], len(text) > MaxHead); err != nil || h.end == 0 {
			no("front matter: more than the %d bytes that are read", MaxHead)
		}
	}
	return errors.Join(wrong...)
}

// badLine says why a text is none of one line; "" if it is.
func badLine(s string) string {
	switch {
	case !utf8.ValidString(s):
		return "it is no text in UTF-8"
	case strings.ContainsAny(s, "\n\r\u2028\u2029\u0085\v\f"):
		return "more than one line"
	case termsafe.Clean(s) != s:
		return "it has control characters, or characters that are not seen"
	case frame.Inert(s) != s:
		return "it opens a block of a prompt"
	}
	return ""
}

// badBody says why a text is no body; "" if it is one.
func badBody(s string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(s, " \t\n\r\ufeff"), "\n")
	switch {
	case strings.TrimSpace(s) == "":
		return "there is none"
	case len(s) > MaxFile-MaxHead:
		return fmt.Sprintf("%d bytes, more than %d", len(s), MaxFile-MaxHead)
	case !utf8.ValidString(s):
		return "it is no text in UTF-8"
	case strings.TrimRight(first, " \t\r") == fence:
		return "it begins with front matter"
	case termsafe.Clean(s) != s:
		return "it has control characters, or characters that are not seen"
	case frame.Data(s) != s:
		return "it opens a block of a prompt"
	}
	return ""
}

// Format is a skill as a file has it, with a line end behind the last line.
func (s Skill) Format() []byte {
	var b bytes.Buffer
	b.WriteString(fence + "\n")
	line := func(key, value string) {
		if value != "" {
			b.WriteString(key + ": " + scalar(value) + "\n")
		}
	}
	list := func(key string, words []string) {
		if len(words) > 0 {
			quoted := make([]string, len(words))
			for i, w := range words {
				quoted[i] = scalar(w)
			}
			b.WriteString(key + ": [" + strings.Join(quoted, ", ") + "]\n")
		}
	}
	line("name", s.Name)
	line("description", s.Description)
	line("license", s.License)
	line("trigger", string(s.Trigger))
	list("keywords", s.Keywords)
	list("tags", s.Tags)
	list("related", s.Related)
	list("allowed-tools", s.AllowedTools)
	for _, f := range s.Other {
		b.WriteString(f.Key + ":" + f.Raw + "\n")
	}
	b.WriteString(fence + "\n")
	if body := strings.Trim(s.Body, "\n"); body != "" {
		b.WriteString("\n" + body + "\n")
	}
	return b.Bytes()
}
