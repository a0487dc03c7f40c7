package memcmd

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/engine"
	"ken/internal/memory"
)

// draftFlags are the flags of all commands that state a memory.
type draftFlags struct {
	kind, key, ttl, scope string
	here, pin, force      bool
	asJSON                bool
	importance            int
	tags, supersedes      []string
}

func (d *draftFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SetInterspersed(false) // what follows the first word is the text
	f.StringVar(&d.key, "key", "", "a later memory with the same `KEY` and scope takes this one's place")
	f.BoolVar(&d.here, "here", false, "only for this repository, or this directory where there is none")
	f.StringVar(&d.scope, "scope", "", "where it holds: user, here, repo, dir, or a full `SCOPE`")
	f.StringArrayVar(&d.tags, "tag", nil, "add the tag `T`; may be given again")
	f.StringVar(&d.ttl, "ttl", "", "forget it by itself after `TIME`: 12h, 30d, 8w")
	f.BoolVar(&d.pin, "pin", false, "keep it in front")
	f.IntVar(&d.importance, "importance", 0, "`N` from 1 to 10; 5 if not given")
	f.StringArrayVar(&d.supersedes, "supersedes", nil, "it takes the place of the memory `REF`; may be given again")
	f.BoolVar(&d.force, "force", false, "keep the text although it seems to hold a secret")
	jsonFlag(cmd, &d.asJSON)
}

func rememberCommand(a *app.App) *cobra.Command {
	var d draftFlags
	cmd := &cobra.Command{
		Use:   "remember [flags] TEXT",
		Short: "keep a memory",
		Long: `Remember keeps TEXT, in force at once. Flags stand before the first word of the
text; everything after it is taken as it stands. What is remembered already in
the same words is not written again; what is nearly the same is named.`,
		Annotations: app.TextArgument(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return remember(a, cmd, d, strings.Join(args, " "))
		},
	}
	d.add(cmd)
	cmd.Flags().StringVar(&d.kind, "kind", "", "`KIND`: "+kindNames())
	return cmd
}

// remember states one memory and answers with how to take it back.
func remember(a *app.App, cmd *cobra.Command, d draftFlags, text string) error {
	if a.Shell != nil && !a.MemoryOn() {
		return a.MemoryIsOff()
	}
	e, err := a.Memory()
	if err != nil {
		return err
	}
	draft, err := readDraft(cmd.Context(), a, d, text)
	if err != nil {
		return err
	}
	r, err := e.Remember(cmd.Context(), draft)
	if err != nil {
		return notSaved(err)
	}
	if !r.Same.IsZero() {
		same := r.Same.String()
		return tell(a, d.asJSON, deed{Did: "duplicate", Ref: same, Text: draft.Content, Duplicate: same})
	}
	a.MemoryChanged()
	id := r.IDs[0].String()
	done := deed{Did: "remembered", Ref: id, Line: id, Text: draft.Content, Undo: a.Verb("undo " + id)}
	for _, it := range r.Near {
		done.Near = append(done.Near, it.Ref())
	}
	err = tell(a, d.asJSON, done)
	a.TellNear(r)
	return err
}

// readDraft makes a draft of the flags and the text.
func readDraft(ctx context.Context, a *app.App, d draftFlags, text string) (engine.Draft, error) {
	draft := engine.Draft{
		Kind: memory.Kind(d.kind), Content: text, Key: d.key, Tags: d.tags,
		Pinned: d.pin, Importance: d.importance, Force: d.force, Near: true,
	}
	if d.force && !a.Asks() {
		return draft, app.Fail(app.ExitRefused, errors.New("--force needs a person at a terminal")).
			Hint("leave the secret out, or type the command on a terminal")
	}
	if d.importance < 0 || d.importance > 10 {
		return draft, app.Usage("--importance %d: must be 1 to 10", d.importance)
	}
	scope := d.scope
	if d.here {
		if scope != "" {
			return draft, app.Usage("--here and --scope cannot be given together")
		}
		scope = "here"
	}
	if scope != "" {
		full, err := a.FullScope(ctx, scope)
		if err != nil {
			return draft, err
		}
		if full != string(memory.ScopeUser) {
			draft.Scope = memory.Scope(full)
		}
	}
	if d.ttl != "" {
		life, err := parseLife(d.ttl)
		if err != nil {
			return draft, app.Failf(app.ExitUsage, "--ttl %s: %w", d.ttl, err)
		}
		draft.Expires = a.Env.Now().UTC().Truncate(time.Second).Add(life)
	}
	for _, ref := range d.supersedes {
		id, err := memory.ParseID(ref)
		if err != nil {
			return draft, app.Fail(app.ExitUsage, err)
		}
		draft.Supersedes = append(draft.Supersedes, id)
	}
	draft.Source = a.Source()
	return draft, nil
}

// notSaved says in plain words that a writing command did not write.
func notSaved(err error) error {
	var (
		secret *engine.SecretError
		kind   *engine.KindError
	)
	if errors.As(err, &secret) || errors.As(err, &kind) || errors.Is(err, engine.ErrEmpty) {
		return err
	}
	return fmt.Errorf("not saved: %w", err)
}

// parseLife reads a time span as people write it: 30d, 8w, 12h, or Go's form.
func parseLife(s string) (time.Duration, error) {
	var unit time.Duration
	switch {
	case strings.HasSuffix(s, "d"):
		unit = 24 * time.Hour
	case strings.HasSuffix(s, "w"):
		unit = 7 * 24 * time.Hour
	}
	const longest = 100 * 365 * 24 * time.Hour
	var life time.Duration
	var err error
	if unit != 0 {
		var n int
		n, err = strconv.Atoi(s[:len(s)-1])
		if n > int(longest/unit) {
			n = int(longest/unit) + 1
		}
		life = time.Duration(n) * unit
	} else {
		life, err = time.ParseDuration(s)
	}
	switch {
	case err != nil:
		return 0, errors.New("want a time like 12h, 30d or 8w")
	case life <= 0 || life > longest:
		return 0, errors.New("must be longer than nothing and at most 100 years")
	}
	return life, nil
}

func kindNames() string {
	var names []string
	for _, k := range memory.StatingKinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
