package run

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/session/feedback"
	"ken/internal/termsafe"
	"ken/internal/upkeep/ruling"
)

// mostRefused is how many refused command lines are listed.
const mostRefused = 8

// keeping are the flags of `safety remember`.
type keeping struct {
	kind                     string
	never, here, yes, asJSON bool
}

func rememberCommand(a *term.Run) *cobra.Command {
	var k keeping
	cmd := &cobra.Command{
		Use: "remember [flags] [N|COMMAND]", Short: "keep a decision about safety as a memory, after your yes",
		Long: `Remember makes a memory of what you decided about commands: of approval N that it runs without a question, of
a COMMAND that you refused that you are asked before what begins like it, or with --never that it is not to run. You
choose the kind, a rule or a preference; it is shown as it is understood, and kept after your yes. Without a word
the decisions are listed. A memory only adds care: what was approved is approved by its number alone.`,
		Example:     "  ken safety remember\n  ken safety remember 3\n  ken safety remember --never 'git push --force'",
		Annotations: term.Writes{Person: "remembers decisions about safety", Look: "safety list"}.Note(term.CommandLine()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return decisions(cmd.Context(), a)
			}
			line, err := Joined(args)
			if err != nil {
				return err
			}
			return k.keep(cmd.Context(), a, line)
		},
	}
	cmd.Flags().StringVar(&k.kind, "kind", "", "`KIND`: rule or pref; without it a rule of a command, a preference of an approval")
	cmd.Flags().BoolVar(&k.never, "never", false, "it is not to run, rather than to be asked about")
	cmd.Flags().BoolVar(&k.here, "here", false, "in this repository or directory only")
	cmd.Flags().BoolVarP(&k.yes, "yes", "y", false, "say yes beforehand")
	cmd.Flags().BoolVar(&k.asJSON, "json", false, "as one JSON object")
	return cmd
}

// decisions lists what could be remembered.
func decisions(ctx context.Context, a *term.Run) error {
	d, err := Runner(a).Open(ctx)
	if err != nil {
		return err
	}
	var lines []string
	say := func(what, how string) {
		lines = append(lines, fmt.Sprintf("%s (%s)", termsafe.Visible(what), a.Verb("safety remember "+how)))
	}
	for _, p := range d.Approvals.Standing {
		say("approved: "+p.Pattern.Shape(), strconv.FormatInt(p.ID, 10))
	}
	refused, _, err := ruling.Objections(ctx, a.Home)
	if err != nil {
		return err
	}
	var seen []string
	for _, o := range refused {
		if o.Kind == feedback.Rejected && len(seen) < mostRefused && !slices.Contains(seen, o.Line) {
			seen = append(seen, o.Line)
			say("refused: "+o.Line, "'"+strings.ReplaceAll(o.Line, "'", `'\''`)+"'")
		}
	}
	if len(lines) == 0 {
		return a.Println("(nothing was approved for good, and nothing was refused lately)")
	}
	return a.Println(strings.Join(lines, "\n"))
}

// draft is the memory of a decision: about approval N, or else about a command line.
func (k keeping) draft(ctx context.Context, a *term.Run, line string) (draft engine.Draft, err error) {
	r := Runner(a)
	d, err := r.Open(ctx)
	if err != nil {
		return draft, err
	}
	if n, err := strconv.ParseInt(strings.TrimPrefix(line, "#"), 10, 64); err == nil {
		i := slices.IndexFunc(d.Approvals.Standing, func(p gate.Approval) bool { return p.ID == n })
		switch {
		case i < 0:
			return draft, fault.New(fault.NotFound, gate.ErrNoApproval).WithHint("see them: %s", fault.Command("safety list"))
		case k.never:
			return draft, fault.Usagef("#%d is approved; to take that back: %s", n, a.Verb("safety revoke "+line))
		}
		text := fmt.Sprintf("`%s` was approved for good (#%d): it runs without a question", d.Approvals.Standing[i].Pattern.String(), n)
		return engine.Draft{Kind: memory.KindPref, Content: text}, nil
	}
	for _, c := range d.Gate.Decide(line, r.Here(), risk.Caution).Assessment.Commands {
		if text, ok := ruling.RuleOn(c, k.never); ok {
			return engine.Draft{Kind: memory.KindRule, Content: text}, nil
		}
	}
	return draft, fault.Usagef("no command is to be read in it").WithHint("in words: %s", fault.Command("remember --kind rule TEXT"))
}

func (k keeping) keep(ctx context.Context, a *term.Run, line string) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	if !a.Home.Settings.MemoryOn() {
		return a.MemoryIsOff()
	}
	draft, err := k.draft(ctx, a, line)
	if err != nil {
		return err
	}
	switch k.kind {
	case "":
	case string(memory.KindRule), string(memory.KindPref):
		draft.Kind = memory.Kind(k.kind)
	default:
		return fault.Usagef("--kind %q: want rule or pref", termsafe.Line(k.kind))
	}
	if k.here {
		full, err := a.Home.Memory.FullScope(ctx, "here")
		if err != nil {
			return err
		}
		a.Home.Meetings.BeginPlace()
		draft.Scope = memory.Scope(full)
	}
	if !k.yes {
		said := fmt.Sprintf("%s: %s", draft.Kind, draft.Content)
		if binds := app.Understood(draft); binds != "" {
			said += "\n  " + binds
		}
		a.Say("", termsafe.Clean(said))
		ok, err := a.Person.Confirm(ctx, "keep it?")
		if err != nil {
			return err
		}
		if !ok {
			return a.Println("nothing was remembered")
		}
	}
	st, err := a.Home.State(ctx, draft, "")
	if err != nil {
		return term.NotSaved(err)
	}
	out := a.Own(st.Outcome)
	return term.Answer(a, k.asJSON, out, func() string {
		if out.Duplicate != "" {
			return "already remembered as #" + out.Duplicate + " (nothing written)"
		}
		says := draft.Content
		if out.Binds != "" {
			says += "; " + out.Binds
		}
		return fmt.Sprintf("%s #%s: %s (undo: %s)", out.Did, out.Ref, says, out.Undo)
	})
}
