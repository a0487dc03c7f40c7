package pick

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/memory"
)

// ErrNoMatch says that nothing is meant by a text.
var ErrNoMatch = errors.New("nothing matches")

// MostListed is how many matches a person is asked to choose from.
const MostListed = 9

// noMatch is ErrNoMatch of a text, with the next step.
func noMatch(text string) error {
	return fault.New(fault.NotFound, fmt.Errorf("%w %q", ErrNoMatch, text)).
		WithHint("see what there is: %s", fault.Command("memory list"))
}

// Memories finds the memories that a text may mean, best first, at least one. Errors: one that wraps ErrNoMatch, and what the
// files say.
func Memories(ctx context.Context, h *app.View, text string) ([]app.Found, error) {
	l, err := app.OpenLibrary(ctx, h, index.Memory)
	if err != nil {
		return nil, err
	}
	found, err := l.Find(ctx, app.Query{Text: text})
	if err == nil && len(found) == 0 {
		err = noMatch(text)
	}
	return found, err
}

// Clear is the reference of what text means beyond doubt: the only match, or the
// only one that says just that; "" if there is none.
func Clear(found []app.Found, text string) string {
	if len(found) == 1 {
		return found[0].Ref
	}
	ref := ""
	for _, f := range found {
		if strings.EqualFold(strings.Join(strings.Fields(f.Content), " "), strings.Join(strings.Fields(text), " ")) {
			if ref != "" {
				return ""
			}
			ref = f.Ref
		}
	}
	return ref
}

// A Reading is how an answer of a person names some of a list.
type Reading struct {
	One bool // it may name one of them only
	// Numbered says that the list is numbered, since its references are too long to be typed.
	Numbered bool
}

// Chosen are those of all that an answer names, each once, in its order. One that
// names anything else names nothing: a slip of the finger must do no harm.
func (c Reading) Chosen(all []string, answer string) (refs []string, err error) {
	words := strings.FieldsFunc(answer, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
	if len(words) == 1 {
		switch strings.ToLower(words[0]) {
		case "all", "y", "yes":
			if !c.One {
				return all, nil
			}
		case "n", "no", "none":
			return nil, nil
		}
	}
	for _, w := range words {
		ref := strings.Trim(w, "#[]")
		if n, err := strconv.Atoi(ref); c.Numbered && err == nil && n >= 1 && n <= len(all) {
			ref = all[n-1]
		}
		if !slices.Contains(all, ref) {
			return nil, fault.Usagef("%q is not in the list; nothing was done", w)
		}
		if !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}
	if c.One && len(refs) > 1 {
		return nil, fault.Usagef("one at a time; nothing was done")
	}
	return refs, nil
}

// RefsOf are the references of what was found.
func RefsOf(found []app.Found) []string {
	refs := make([]string, len(found))
	for i, f := range found {
		refs[i] = f.Ref
	}
	return refs
}

// IDs are the memories that references name. Errors: of one that is none.
func IDs(refs []string) (ids []memory.ID, err error) {
	ids = make([]memory.ID, len(refs))
	for i, ref := range refs {
		if ids[i], err = memory.ParseID(ref); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
