package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/termsafe"
)

func (a *app) memoryCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "memory",
		Short: "see and change what is remembered",
		Args:  noSubcommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SuggestionsMinimumDistance: 2,
	}
	cmd.AddCommand(
		a.memoryListCommand(), a.memoryShowCommand(), a.memoryAddCommand(), a.memoryEditCommand(),
		a.memoryPinCommand(), a.memoryHistoryCommand(), a.memoryForgetCommand(), a.memoryClearCommand(),
	)
	if a.shell != nil {
		cmd.AddCommand(a.shell.injectCommand())
	}
	return cmd
}

// noSubcommand refuses words after a command that only groups others.
func noSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := usage("%q is no command of %s", args[0], cmd.CommandPath())
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return err.hint("did you mean: %s %s", cmd.CommandPath(), near[0])
	}
	return err.hint("see %s --help", cmd.CommandPath())
}

func (a *app) memoryListCommand() *cobra.Command {
	var asJSON bool
	var scope string
	var kinds []string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "all active memories, newest first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.memoryList(cmd, asJSON, scope, kinds)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "whole records, as a JSON array")
	cmd.Flags().StringVar(&scope, "scope", "", "only those of `SCOPE`: user, here, repo, dir, or a full one")
	cmd.Flags().StringSliceVar(&kinds, "kind", nil, "only those of `KIND`; may be given again")
	return cmd
}

func (a *app) memoryList(cmd *cobra.Command, asJSON bool, scope string, kinds []string) error {
	s, err := a.state(cmd.Context())
	if err != nil {
		return err
	}
	a.tellProblems(s)
	items := s.Items()
	now := a.env.Now()
	items = slices.DeleteFunc(slices.Clone(items), func(it memory.Item) bool { return !it.Current(now) })
	if scope != "" {
		full, err := a.place().Resolve(scope)
		if err != nil {
			return &exitError{code: exitUsage, err: fmt.Errorf("--scope %s: %w", scope, err)}
		}
		items = slices.DeleteFunc(items, func(it memory.Item) bool {
			return !strings.EqualFold(string(scopeOf(it)), full)
		})
	}
	if len(kinds) > 0 {
		items = slices.DeleteFunc(items, func(it memory.Item) bool {
			return !slices.Contains(kinds, string(it.Record.Kind))
		})
	}
	if asJSON {
		views := make([]itemView, len(items))
		for i, it := range items {
			views[i] = viewItem(it)
		}
		return a.printJSON(views)
	}
	if len(items) == 0 {
		return a.println("(no memory items)")
	}
	rows := make([][]string, len(items))
	for i, it := range items {
		rows[i] = []string{
			it.Ref(), age(now, it.Record.Time), string(it.Record.Kind), string(scopeOf(it)), mark(it) + it.Record.Content,
		}
	}
	return a.printTable([]string{"id", "age", "kind", "scope", "content"}, rows)
}

// mark tells in front of a text what is not ordinary about it.
func mark(it memory.Item) string {
	m := ""
	if it.Pinned {
		m += "[pinned] "
	}
	if it.Tier == memory.TierArchive {
		m += "[archive] "
	}
	return m
}

func scopeOf(it memory.Item) memory.Scope {
	if it.Record.Scope == "" {
		return memory.ScopeUser
	}
	return it.Record.Scope
}

func (a *app) memoryShowCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show REF",
		Short: "one memory, whole",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, it, status, err := a.find(cmd, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				v := viewItem(it)
				v.Status = status.String()
				return a.printJSON(v)
			}
			return a.printItem(s, it, status)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole record, as JSON")
	return cmd
}

// find resolves a reference to an item, whatever became of it.
func (a *app) find(cmd *cobra.Command, ref string) (*memory.State, memory.Item, memory.Status, error) {
	id, err := memory.ParseID(ref)
	if err != nil {
		return nil, memory.Item{}, 0, &exitError{code: exitUsage, err: err}
	}
	s, err := a.state(cmd.Context())
	if err != nil {
		return nil, memory.Item{}, 0, err
	}
	it, status := s.Get(id)
	switch status {
	case memory.StatusUnknown, memory.StatusErased, memory.StatusChange:
		return nil, it, status, (&exitError{code: exitFailure, err: fmt.Errorf("%s: no memory has this number (%s)", id, status)}).
			hint("see what there is: %s", a.verb("memory list"))
	}
	return s, it, status, nil
}

func (a *app) memoryAddCommand() *cobra.Command {
	var d draftFlags
	cmd := &cobra.Command{
		Use:         "add [flags] KIND TEXT",
		Short:       "keep a memory of the kind named",
		Long:        "Add keeps TEXT as a memory of KIND: one of " + kindNames() + ".",
		Annotations: textArgument(),
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, text, _ := strings.Cut(strings.TrimSpace(strings.Join(args, " ")), " ")
			if kind == "" {
				return usage("add what? %s KIND TEXT", a.verb("memory add"))
			}
			d.kind = kind
			return a.remember(cmd, d, text)
		},
	}
	d.add(cmd)
	return cmd
}

func (a *app) memoryEditCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "edit REF [TEXT]",
		Short: "change a memory's text; without TEXT in your editor",
		Long: `Edit appends a line with the new text. The earlier one stays in the memory's
history, and undo brings it back.`,
		Annotations: textArgument(),
		RunE: func(cmd *cobra.Command, args []string) error {
			ref, text, _ := strings.Cut(strings.TrimSpace(strings.Join(args, " ")), " ")
			if ref == "" {
				return usage("edit what? %s REF [TEXT]", a.verb("memory edit"))
			}
			return a.memoryEdit(cmd, ref, text, force)
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().BoolVar(&force, "force", false, "keep the text although it seems to hold a secret")
	return cmd
}

func (a *app) memoryEdit(cmd *cobra.Command, ref, text string, force bool) error {
	_, it, status, err := a.find(cmd, ref)
	if err != nil {
		return err
	}
	if !standing(status) {
		return fmt.Errorf("%s: %w", it.ID, engine.ErrNotActive)
	}
	if force && !a.asks() {
		return &exitError{code: exitRefused, err: errors.New("--force needs a person at a terminal")}
	}
	if strings.TrimSpace(text) == "" {
		if text, err = a.editText(cmd.Context(), it.Record.Content); err != nil {
			return err
		}
	}
	if strings.TrimSpace(text) == it.Record.Content {
		return a.println("nothing changed")
	}
	r, err := a.engine.Edit(cmd.Context(), it.ID, engine.Edit{Content: &text, Force: force})
	if err != nil {
		return notSaved(err)
	}
	a.memoryChanged()
	return a.println(fmt.Sprintf("edited #%s (undo: %s)", it.Ref(), a.verb("undo "+r.IDs[0].String())))
}

func (a *app) memoryPinCommand() *cobra.Command {
	var off bool
	cmd := &cobra.Command{
		Use:   "pin REF...",
		Short: "keep memories in front; --off to let go",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := parseRefs(args)
			if err != nil {
				return err
			}
			e, err := a.memory()
			if err != nil {
				return err
			}
			r, err := e.Pin(cmd.Context(), !off, ids...)
			if err != nil {
				return notSaved(err)
			}
			a.memoryChanged()
			did := "pinned"
			if off {
				did = "unpinned"
			}
			for i, id := range ids {
				if err := a.println(fmt.Sprintf("%s #%s (undo: %s)", did, id, a.verb("undo "+r.IDs[i].String()))); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&off, "off", false, "unpin")
	return cmd
}

func (a *app) memoryHistoryCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "history REF",
		Short: "every line that made a memory what it is, oldest first",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := memory.ParseID(args[0])
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			s, err := a.state(cmd.Context())
			if err != nil {
				return err
			}
			changes := s.History(id)
			if len(changes) == 0 {
				return (&exitError{code: exitFailure, err: fmt.Errorf("%s: no line states or changes it", id)}).
					hint("see what there is: %s", a.verb("memory list"))
			}
			if asJSON {
				return a.printJSON(viewChanges(changes))
			}
			for _, ch := range changes {
				if err := a.println(historyLine(ch)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "whole records, as a JSON array")
	return cmd
}

func historyLine(ch memory.Change) string {
	r := ch.Record
	line := fmt.Sprintf("#%s  %s  %s", ch.ID, when(r.Time), r.Kind)
	if r.Content != "" {
		line += "  " + termsafe.Line(r.Content)
	}
	if r.Scope != "" {
		line += "  scope=" + termsafe.Line(string(r.Scope))
	}
	if r.Reason != "" {
		line += "  (" + termsafe.Line(r.Reason) + ")"
	}
	if len(r.Clear) > 0 {
		line += "  without " + termsafe.Line(strings.Join(r.Clear, ", "))
	}
	if ch.Undone {
		line += "  [undone]"
	}
	return line
}

// memoryForgetCommand is the older name of forget, beside its neighbours.
func (a *app) memoryForgetCommand() *cobra.Command {
	cmd := a.forgetCommand()
	cmd.Short = "same as " + a.verb("forget")
	return cmd
}

func (a *app) memoryClearCommand() *cobra.Command {
	var yes, dryRun bool
	cmd := &cobra.Command{
		Use:   "clear",
		Short: "forget everything, after a question",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.memoryClear(cmd, yes, dryRun)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say how much would be forgotten")
	return cmd
}

func (a *app) memoryClear(cmd *cobra.Command, yes, dryRun bool) error {
	s, err := a.state(cmd.Context())
	if err != nil {
		return err
	}
	items := s.Items()
	ids := make([]memory.ID, len(items))
	for i, it := range items {
		ids[i] = it.ID
	}
	if len(ids) == 0 {
		return a.println("(no memory items)")
	}
	if dryRun {
		return a.println("would forget " + count(len(ids), "item"))
	}
	if !yes {
		ok, err := a.confirm(cmd.Context(), fmt.Sprintf("forget all %s?", count(len(ids), "item")))
		if err != nil {
			return err
		}
		if !ok {
			return a.println("nothing was forgotten")
		}
	}
	r, err := a.engine.Forget(cmd.Context(), "", ids...)
	if err != nil {
		return notSaved(err)
	}
	a.memoryChanged()
	back := r.IDs[0].String()
	if len(r.IDs) > 1 {
		back += "-" + r.IDs[len(r.IDs)-1].String()
	}
	return a.println(fmt.Sprintf("cleared %s (undo: %s)", count(len(ids), "item"), a.verb("undo "+back)))
}

// count is "1 item", "2 items".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
