package lifecmd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/fault"
	"ken/internal/lifecycle"
	"ken/internal/memory"
)

// patience is how long what happens by itself waits for a lock: nobody who leaves
// should have to wait for it.
const patience = 2 * time.Second

// Sweep does what is due by itself, when a conversation is saved or ends. It asks before
// the first sweep alone, if that is more than a handful, tells in one line what it did, and a fault of it is one warning: it stops
// nobody from leaving.
func Sweep(ctx context.Context, a *app.App) { byItself(ctx, a, lifecycle.Plan.Due) }

// Prune does at the start of a conversation what memory.prune_older_than_days asks
// for, if it does.
func Prune(ctx context.Context, a *app.App) {
	cfg, err := a.Settings()
	if err != nil || cfg.Memory.PruneOlderThanDays == 0 {
		return
	}
	byItself(ctx, a, func(p lifecycle.Plan) []lifecycle.Action {
		var forget []lifecycle.Action
		for _, x := range p.Due() {
			if x.Do == lifecycle.Forget {
				forget = append(forget, x)
			}
		}
		return forget
	})
}

func byItself(ctx context.Context, a *app.App, choose func(lifecycle.Plan) []lifecycle.Action) {
	cfg, err := a.Settings()
	if err != nil || !cfg.Memory.Hygiene.Auto || !a.MemoryOn() || a.InLane() {
		return
	}
	defer func() {
		if fault := recover(); fault != nil {
			a.WarnOnce(fmt.Errorf("memory hygiene: %v", fault)) // a bug in it must not cost the conversation
		}
	}()
	person := ctx
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := sweep(ctx, person, a, choose); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = memory.ErrBusy
		}
		a.WarnOnce(fmt.Errorf("memory hygiene was left out: %w", err))
	}
}

// begins asks the person who leaves a shell whether a first sweep may begin that is more
// than a handful. In the middle of a conversation, where nobody can be asked, and when they
// are being sent away, it does not.
func begins(person context.Context, a *app.App, what string) bool {
	if a.Shell != nil || person.Err() != nil || !app.IsTerminal(a.Env.Stdin) || !app.IsTerminal(a.Env.Stderr) {
		return false
	}
	yes, err := a.Confirm(person, what+", for the first time?")
	return err == nil && yes
}

func sweep(ctx, person context.Context, a *app.App, choose func(lifecycle.Plan) []lifecycle.Action) error {
	r, err := a.Policy("")
	if err != nil {
		return err
	}
	if n := len(r.Faults); n > 0 {
		return fault.Failuref("the policy %s: %s", r.Policy.Name, r.Faults[0]).
			WithHint("see all of it: %s", fault.Command("memory policy check "+r.Policy.Name))
	}
	if err := see(ctx, a); err != nil {
		return err
	}
	p, err := plan(ctx, a, r.Policy, false)
	if err != nil {
		return err
	}
	due := choose(p)
	if n := items(due); !p.Swept && n > max(r.Policy.Sweep.Batch, 1) {
		// Nothing was ever put away here, and this would be more than a handful: it
		// is the person's to begin.
		yes := begins(person, a, "hygiene would "+summary(due))
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(person), patience) // they may have thought about it
		defer cancel()
		if !yes {
			a.Status("hygiene would %s, for the first time, and waits for you: %s", summary(due), a.Verb("memory hygiene"))
			return renew(ctx, a, false)
		}
	}
	var done []deed
	if len(due) > 0 {
		if done, err = carry(ctx, a, r.Policy, lifecycle.ByPolicy+r.Policy.Name, choose); err != nil {
			return err
		}
	}
	if len(done) > 0 {
		a.Status("%s; undo: %s", sentence(done), undo(a, done))
	}
	return renew(ctx, a, len(done) > 0)
}

// items counts what actions are about.
func items(list []lifecycle.Action) (n int) {
	for _, x := range list {
		n += len(x.Items)
	}
	return n
}

// see notes which lines of the own log are seen for the first time: a file that somebody
// put in place begins to age now.
func see(ctx context.Context, a *app.App) error {
	s, err := a.State(ctx)
	if err != nil {
		return err
	}
	first := a.FirstSeen()
	var refs []string
	for _, it := range s.With(memory.StatusActive) {
		if it.ID.Log == "" && first(it.Ref()).IsZero() {
			refs = append(refs, it.Ref())
		}
	}
	a.See(ctx, refs...)
	return nil
}

func hygieneCommand(a *app.App) *cobra.Command {
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "hygiene",
		Short: "put away what has not been used for long",
		Long: `Hygiene archives what was not used for memory.hygiene.hot_days days, and the oldest of
a scope that has more than hot_max memories. What is archived is not told to a model
unasked and weighs less in a search; nothing is lost, and undo brings it back. It forgets
only if memory.hygiene.forget is set, what was archived for archive_days days. Pinned
memories, rules, preferences and what is stabilized or rigid stay as they are. The shell
does the same by itself when it is left and at :save (memory.hygiene.auto).`,
		Example:     "  ken memory hygiene --dry-run\n  ken memory hygiene --json",
		Args:        cobra.NoArgs,
		Annotations: app.Writes{Person: "puts memories away", When: []string{"no --dry-run"}}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return hygiene(a, cmd, dryRun, asJSON) },
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be done")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return cmd
}

func hygiene(a *app.App, cmd *cobra.Command, dryRun, asJSON bool) error {
	if _, err := a.Settings(); err != nil {
		return err
	}
	r, err := a.Policy("")
	if err != nil {
		return err
	}
	p, err := plan(cmd.Context(), a, r.Policy, true)
	if err != nil {
		return err
	}
	out := reportOf(a, p, dryRun || len(r.Faults) > 0)
	out.Faults = diagnoses(a, r)
	if !out.DryRun {
		done, err := carry(cmd.Context(), a, r.Policy, lifecycle.ByPolicy+r.Policy.Name, lifecycle.Plan.Due)
		if err != nil {
			return app.NotSaved(err)
		}
		out.done(done)
		if err := renew(cmd.Context(), a, true); err != nil {
			a.Warn(err)
		}
	}
	return out.tell(a, asJSON, r, source{})
}

// done puts what was done in the place of what was planned.
func (r *report) done(done []deed) {
	planned := r.Actions
	r.Actions, r.Archived, r.Forgotten, r.Settled, r.Waiting = []deed{}, 0, 0, 0, 0
	for _, d := range done {
		r.add(d)
	}
	for _, d := range planned {
		if d.Review {
			r.add(d)
		}
	}
}

// tell answers with a report, and with the error that it ends in.
func (r report) tell(a *app.App, asJSON bool, read lifecycle.Reading, from source) error {
	if asJSON {
		if err := a.PrintJSON(r); err != nil {
			return err
		}
	} else {
		tellFaults(a, read)
		if err := a.Println(r.text(a)); err != nil {
			return err
		}
		if r.Waiting > 0 {
			a.Status("%s for your yes: %s", waits(r.Waiting), a.Verb("memory apply"+from.flags()))
		}
	}
	if n := len(read.Faults); n > 0 {
		return fault.Failuref("the policy has %s: nothing was written", faults(n)).
			WithHint("mend it, then: %s", fault.Command("memory policy check"+strings.Replace(from.flags(), " --policy", "", 1)))
	}
	return nil
}

func waits(n int) string {
	if n == 1 {
		return "1 action waits"
	}
	return fmt.Sprintf("%d actions wait", n)
}

func faults(n int) string {
	if n == 1 {
		return "a fault"
	}
	return fmt.Sprintf("%d faults", n)
}
