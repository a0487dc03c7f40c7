package pick

import (
	"strings"

	"ken/internal/fault"
	"ken/internal/memory"
)

// Refs reads references and spans of them, in all the ways in which they are printed:
// "3", "[3]", "#3", "5,6", "laptop-7f3a/3", "3-9". None are none.
func Refs(refs []string) ([]memory.ID, error) {
	ids, err := memory.ParseTyped(refs...)
	if err != nil {
		return nil, fault.New(fault.Usage, err)
	}
	return ids, nil
}

// Ref reads one reference.
func Ref(text string) (memory.ID, error) {
	ids, err := Refs([]string{text})
	switch {
	case err != nil:
		return memory.ID{}, err
	case len(ids) != 1:
		return memory.ID{}, fault.Usagef("%q: one memory at a time", text)
	}
	return ids[0], nil
}

// Bare is one reference of any kind without what stands around it where it is printed:
// "p5" of "[p5]"; text itself if it is none or several.
func Bare(text string) string {
	if refs := memory.TypedRefs(text); len(refs) == 1 && !strings.ContainsAny(strings.TrimSpace(text), " \t") {
		return refs[0]
	}
	return text
}

// AllNumbers reports whether words were meant for references, right or wrong: there are
// some, and each begins as a number does.
func AllNumbers(words []string) bool {
	refs := memory.TypedRefs(words...)
	for _, w := range refs {
		if w[0] < '0' || w[0] > '9' {
			return false
		}
	}
	return len(refs) > 0
}
