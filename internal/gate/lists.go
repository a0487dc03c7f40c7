package gate

import (
	"errors"
	"fmt"
)

// Lists are the patterns of the settings.
type Lists struct{ allow, ask, deny []Pattern }

// ParseLists reads the patterns of the settings. If one cannot be read, the error names its list: a
// pattern that denies must not be lost.
func ParseLists(allow, ask, deny []string) (Lists, error) {
	var l Lists
	for _, list := range []struct {
		name string
		text []string
		to   *[]Pattern
	}{{"allow", allow, &l.allow}, {"ask", ask, &l.ask}, {"deny", deny, &l.deny}} {
		for _, text := range list.text {
			p, err := ParsePattern(text)
			if err == nil && list.name == "allow" && len(p.words) == 0 {
				err = errors.New("pattern \"*\": that would be everything")
			}
			if err != nil {
				return Lists{}, fmt.Errorf("safety.%s: %w", list.name, err)
			}
			*list.to = append(*list.to, p)
		}
	}
	return l, nil
}

// A Session holds what was approved for as long as a shell runs: exact bytes in one project. The
// zero Session and a nil one approve nothing.
type Session struct{ lines map[[2]string]bool }

// Approve approves a line in a project. The caller has asked a person.
func (s *Session) Approve(line, project string) {
	if s.lines == nil {
		s.lines = make(map[[2]string]bool)
	}
	s.lines[[2]string{line, project}] = true
}

// Len returns the number of approved lines.
func (s *Session) Len() int { return len(s.lines) }

// Has reports whether a line was approved in a project. A nil Session has nothing.
func (s *Session) Has(line, project string) bool {
	return s != nil && s.lines[[2]string{line, project}]
}
