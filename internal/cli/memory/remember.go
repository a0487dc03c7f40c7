package memory

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ken/internal/agent/turn"
	"ken/internal/app"
	"ken/internal/cli/question"
	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/pick"
	"ken/internal/stdin"
	"ken/internal/upkeep"
)

// draftFlags are the flags of all commands that state a memory.
type draftFlags struct {
	kind, key, scope string
	file             string
	here, pin, force bool
	asJSON           bool
	importance       int
	tags, supersedes []string
	times            timeFlags
}

func (d *draftFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&d.key, "key", "", "a later memory with the same `KEY` and scope takes this one's place")
	f.BoolVar(&d.here, "here", false, "only for this repository, or this directory where there is none")
	f.StringVar(&d.scope, "scope", "", "where it holds: user, here, repo, dir, or a full `SCOPE`")
	f.StringArrayVar(&d.tags, "tag", nil, "add the tag `T`; may be given again")
	d.times.add(cmd)
	f.StringVar(&d.file, "source", "", "it is of `FILE`: tidy refresh tells when that has changed")
	f.BoolVar(&d.pin, "pin", false, "keep it in front")
	f.IntVar(&d.importance, "importance", 0, "`N` from 1 to 10; 5 if not given")
	f.StringArrayVar(&d.supersedes, "supersedes", nil, "it takes the place of the memory `REF`; may be given again")
	f.BoolVar(&d.force, "force", false, "keep the text although it seems to hold a secret")
	jsonFlag(cmd, &d.asJSON)
}

func rememberCommand(a *term.Run) *cobra.Command {
	var d draftFlags
	cmd := &cobra.Command{
		Use:   "remember [flags] TEXT",
		Short: "keep a memory",
		Long: `Remember keeps TEXT, in force at once. What is remembered already in
the same words is not written again; what is nearly the same is named. On a terminal
you are asked what to do with a memory that contradicts it.

Where TEXT is - or missing, it is what is piped in.

Flags may stand before and behind the words; after -- all is text. In the shell flags
stand first, and what follows is taken as it stands.`,
		Annotations: term.Writes{Memory: "a memory"}.Note(term.TextArgument()),
		RunE: func(cmd *cobra.Command, args []string) error {
			return remember(a, cmd, d, strings.Join(args, " "))
		},
	}
	d.add(cmd)
	cmd.Flags().StringVar(&d.kind, "kind", "", "`KIND`: "+kindNames())
	return cmd
}

// remember states one memory and answers with how to take it back.
func remember(a *term.Run, cmd *cobra.Command, d draftFlags, text string) error {
	if a.Shell != nil && !a.Home.Settings.MemoryOn() {
		return a.MemoryIsOff()
	}
	if err := noneEmpty(cmd); err != nil {
		return err
	}
	text, err := orStdin(cmd.Context(), a, text)
	if err != nil {
		return err
	}
	w, err := a.Home.Memory.Writer()
	if err != nil {
		return err
	}
	draft, err := readDraft(cmd.Context(), a, d, text)
	if err != nil {
		return err
	}
	var fate pick.Fate
	if asks(a, d.asJSON) {
		if fate, err = which.Beside(cmd.Context(), a, w, draft, pick.Stated); err != nil {
			return term.NotSaved(err)
		}
		if fate.Nothing {
			return nothing(a, d.asJSON, "nothing was remembered")
		}
		draft.Near, draft.Supersedes = draft.Near && !fate.Shown, append(draft.Supersedes, fate.Replace...)
	}
	st, err := a.Home.State(cmd.Context(), draft, "")
	if err != nil {
		return term.NotSaved(err)
	}
	if err := which.Settle(cmd.Context(), a, w, fate); err != nil {
		return err
	}
	if (len(draft.Supersedes) > 0 || fate.Any()) && len(st.Receipt.Proposed) == 0 {
		turn.Replaced(cmd.Context(), a.Home)
	}
	done := a.Own(st.Outcome)
	if done.Line != "" && d.here { // what that is here they did not say
		done.Note, done.Wider = a.Where(done.Ref, draft.Scope)
	}
	err = tell(a, d.asJSON, done)
	a.TellNear(st.Receipt)
	return err
}

// orStdin is the text that was given, or what is piped in where there is none or it is "-".
func orStdin(ctx context.Context, a *term.Run, text string) (string, error) {
	need := stdin.Needed
	switch {
	case text == "-":
		need = stdin.Demanded
	case strings.TrimSpace(text) != "":
		return text, nil
	}
	if a.Shell != nil && text == "-" {
		return "", fault.Usagef("- is standard input, which is the shell's").WithHint("leave the shell, then: ken remember -")
	}
	text, err := question.Stdin(ctx, a, need, "remember")
	return strings.TrimSpace(text), err
}

// noneEmpty refuses a flag that was given without a value: what a script left empty
// would make a memory hold everywhere, or for good.
func noneEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if v := f.Value.String(); v == "" || v == "[]" || v == "0" || v == `[""]` {
			err = fault.Usagef("--%s is empty; nothing was remembered", f.Name)
		}
	})
	return err
}

// readDraft makes a draft of the flags and the text.
func readDraft(ctx context.Context, a *term.Run, d draftFlags, text string) (engine.Draft, error) {
	draft := engine.Draft{
		Holds: func(s memory.Scope) bool { return a.Home.Here.Place().Holds(string(s)) },
		Kind:  memory.Kind(d.kind), Content: text, Key: d.key, Tags: d.tags,
		Pinned: d.pin, Importance: d.importance, Force: d.force, Near: true,
	}
	if a.Shell != nil {
		draft.Tags = append(slices.Clone(draft.Tags), app.ShellTags(draft.Kind, text, a.Shell.Ran())...)
	}
	if d.force && !a.Person.Present() {
		return draft, fault.New(fault.Refused, errors.New("--force needs a person at a terminal")).
			WithHint("leave the secret out, or type the command on a terminal")
	}
	if d.importance < 0 || d.importance > 10 {
		return draft, fault.Usagef("--importance %d: must be 1 to 10", d.importance)
	}
	var err error
	if draft.Scope, err = readScope(ctx, a, d.here, d.scope); err != nil {
		return draft, err
	}
	if draft.Expires, draft.ValidFrom, draft.ValidTo, err = d.times.read(a); err != nil {
		return draft, err
	}
	if draft.Supersedes, err = readRefs(d.supersedes); err != nil {
		return draft, err
	}
	draft.Source = a.Source()
	if d.file != "" {
		of, err := upkeep.SourceOf(a.Home, d.file)
		if err != nil {
			return draft, err
		}
		if draft.Source != nil {
			of.Session, of.Turn, of.Agent, of.Channel = draft.Source.Session, draft.Source.Turn, draft.Source.Agent, draft.Source.Channel
		}
		draft.Source = of
	}
	return draft, nil
}

func kindNames() string {
	var names []string
	for _, k := range memory.StatingKinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
