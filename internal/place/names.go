package place

import (
	"fmt"
	"slices"
	"strings"
)

// Names are what repositories are called where a person reads or types them: the last
// part of an identity, or of the directory in which a repository was met that has no
// remote; more of the path where that may be several. What is neither keeps its identity.
// User, dir and other scopes are called what they are.
type Names struct {
	parts map[string][]string // by scope in small letters: of the path, as they are written
	ends  map[string]int      // by an end of a path in small letters: of how many scopes
}

// NamesOf returns the names of scopes. dirs are the directories in which repositories were
// met, by identity.
func NamesOf(scopes []string, dirs map[string]string) *Names {
	n := &Names{parts: map[string][]string{}, ends: map[string]int{}}
	for _, s := range scopes {
		n.add(s, dirs)
	}
	for id := range dirs {
		n.add("repo:"+id, dirs)
	}
	return n
}

func (n *Names) add(scope string, dirs map[string]string) {
	id, ok := strings.CutPrefix(scope, "repo:")
	key := strings.ToLower(scope)
	if _, known := n.parts[key]; !ok || id == "" || known {
		return
	}
	path := id
	if isRootID(id) {
		path = dirs[strings.ToLower(id)]
	}
	var parts []string
	for part := range strings.SplitSeq(strings.ReplaceAll(path, `\`, "/"), "/") {
		if part != "" && part != "~" {
			parts = append(parts, part)
		}
	}
	n.parts[key] = parts
	for i := range parts {
		n.ends[end(parts, len(parts)-i)]++
	}
}

// end is the last so many parts of a path, to be compared.
func end(parts []string, count int) string {
	return strings.ToLower(strings.Join(parts[len(parts)-count:], "/"))
}

// Of returns what a scope is called: repo:tea. It names that scope alone, of those that are
// known.
func (n *Names) Of(scope string) string {
	parts := n.parts[strings.ToLower(scope)]
	for count := 1; count <= len(parts); count++ {
		if n.ends[end(parts, count)] == 1 {
			return "repo:" + strings.Join(parts[len(parts)-count:], "/")
		}
	}
	return scope
}

// Scope returns the scope that a name means, which may have a blank behind its colon.
// With ok false no repository is called so; the error is that of a name of several, and
// says what would do.
func (n *Names) Scope(name string) (scope string, ok bool, err error) {
	want, ok := strings.CutPrefix(name, "repo:")
	want = strings.ToLower(strings.Trim(strings.TrimSpace(want), "/"))
	if !ok || want == "" {
		return "", false, nil
	}
	var found []string
	for s, parts := range n.parts {
		count := strings.Count(want, "/") + 1
		if s == "repo:"+want {
			return s, true, nil
		}
		if count <= len(parts) && end(parts, count) == want {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return "", false, nil
	case 1:
		return found[0], true, nil
	}
	for i, s := range found {
		found[i] = n.Of(s)
	}
	slices.Sort(found)
	return "", false, fmt.Errorf("%q may be any of %s: want more of the path", want, strings.Join(found, ", "))
}
