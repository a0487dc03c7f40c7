package memory

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/pick"
)

// fieldFlags are those of an edit. One that is given and empty takes the field
// away.
type fieldFlags struct {
	key, scope       string
	here, noTTL      bool
	importance       int
	tags, supersedes []string
	times            timeFlags
}

func (d *fieldFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&d.key, "key", "", "a later memory with the same `KEY` and scope takes its place; \"\" takes the key away")
	f.BoolVar(&d.here, "here", false, "only for this repository, or this directory where there is none")
	f.StringVar(&d.scope, "scope", "", "where it holds: user, here, repo, dir, or a full `SCOPE`")
	f.StringArrayVar(&d.tags, "tag", nil, "the tag `T` in place of all that it had; may be given again; \"\" for none")
	f.IntVar(&d.importance, "importance", 0, "`N` from 1 to 10")
	f.StringArrayVar(&d.supersedes, "supersedes", nil, "it takes the place of the memory `REF`; may be given again; \"\" for none")
	d.times.add(cmd)
	f.BoolVar(&d.noTTL, "no-ttl", false, "it does not expire any more; same as --ttl \"\"")
}

// read gives the fields that the flags change; any says whether there are some.
func (d *fieldFlags) read(a *term.Run, cmd *cobra.Command) (ed engine.Edit, any bool, err error) {
	given := func(names ...string) bool {
		for _, name := range names {
			if cmd.Flags().Changed(name) {
				any = true
				return true
			}
		}
		return false
	}
	expires, from, to, err := d.times.read(a)
	if err != nil {
		return ed, false, err
	}
	if given("ttl", "no-ttl") {
		if d.noTTL && d.times.ttl != "" {
			return ed, false, fault.Usagef("--ttl and --no-ttl cannot be given together")
		}
		ed.Expires = &expires
	}
	for name, to := range map[string]struct {
		field **time.Time
		value *time.Time
	}{"valid-from": {&ed.ValidFrom, &from}, "valid-to": {&ed.ValidTo, &to}} {
		if given(name) {
			*to.field = to.value
		}
	}
	if given("key") {
		ed.Key = &d.key
	}
	if given("importance") {
		if d.importance < 1 || d.importance > 10 {
			return ed, false, fault.Usagef("--importance %d: must be 1 to 10", d.importance)
		}
		ed.Importance = &d.importance
	}
	if given("tag") {
		ed.Tags = &d.tags
	}
	if given("here", "scope") {
		scope, err := readScope(cmd.Context(), a, d.here, d.scope)
		if err != nil {
			return ed, false, err
		}
		ed.Scope = &scope
	}
	if given("supersedes") {
		ids, err := readRefs(d.supersedes)
		if err != nil {
			return ed, false, err
		}
		ed.Supersedes = &ids
	}
	return ed, any, nil
}

// readScope is the scope that --here and --scope mean; "" is the user's.
func readScope(ctx context.Context, a *term.Run, here bool, scope string) (memory.Scope, error) {
	if here {
		if scope != "" {
			return "", fault.Usagef("--here and --scope cannot be given together")
		}
		scope = "here"
	}
	if scope == "" {
		return "", nil
	}
	full, err := a.Home.Memory.FullScope(ctx, scope)
	if err != nil {
		return "", err
	}
	if here {
		a.Home.Meetings.BeginPlace()
	}
	if full == string(memory.ScopeUser) {
		full = ""
	}
	return memory.Scope(full), nil
}

// readRefs reads references; empty ones stand for none.
func readRefs(refs []string) (ids []memory.ID, err error) {
	return pick.Refs(slices.DeleteFunc(slices.Clone(refs), func(ref string) bool { return ref == "" }))
}

// misplaced is the first word of a text if it is a flag of the command: it was
// meant as one, and would be taken for the new text.
func misplaced(cmd *cobra.Command, text string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
	if strings.HasPrefix(word, "--") && cmd.Flags().Lookup(name) != nil {
		return word
	}
	return ""
}
