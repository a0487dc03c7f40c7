package memory

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/pick"
	"ken/internal/scrub"
	"ken/internal/view"
	"ken/internal/view/history"
)

func memoryCommand(a *term.Run, more []*cobra.Command) *cobra.Command {
	cmd := listCommand(a)
	cmd.Use, cmd.Short = "memory", "see and change what is remembered; without a word: list it"
	cmd.AddCommand(
		listCommand(a), showCommand(a), addCommand(a), editCommand(a),
		pinCommand(a), historyCommand(a), memoryForgetCommand(a), clearCommand(a), memoryExportCommand(a),
		switchCommand(a, true), switchCommand(a, false), trustCommand(a), embedCommand(a),
	)
	cmd.AddCommand(more...)
	return cmd
}

func listCommand(a *term.Run) *cobra.Command {
	var asJSON, phases bool
	var c choice
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list active memories, newest first",
		Long: `List shows the memories that hold now. With --all also those that have expired, are
not valid yet or no longer, or were replaced; with --as-of those that held on that
date, as it was recorded by then. What was forgotten is in none of them.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return list(a, cmd, asJSON, phases, c)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "whole records, as a JSON array")
	c.add(cmd)
	cmd.Flags().BoolVar(&c.past, "all", false, "also what does not hold, with its status")
	cmd.Flags().BoolVar(&phases, "phase", false, "with how settled each is: ephemeral, fluid, stabilized or rigid")
	return cmd
}

func list(a *term.Run, cmd *cobra.Command, asJSON, phases bool, c choice) error {
	sel, err := chosen(a, cmd, c)
	if err != nil {
		return err
	}
	s, items := sel.State, sel.Items
	a.TellOwed(s)
	cites := view.CitesOf(s, a.Home.Keys.Seal)
	off := func(it memory.Item) bool { return a.Home.Here.ScopeOff(string(it.Record.Scope)) }
	if asJSON {
		return term.PrintList(a, items.Len(), func(n int) any {
			it := items.Item(n)
			v := view.ItemOf(it.Item)
			v.Off = off(it.Item)
			if c.past {
				v.Status = it.Status
			}
			v.CitesGone, v.CitesChanged = cites.Gone(it.Item)
			return v
		})
	}
	if items.Len() == 0 {
		return a.Println("(no memory items)")
	}
	scopes := make([]string, items.Len())
	for i := range scopes {
		scopes[i] = string(items.Item(i).Record.Scope)
	}
	names := a.Home.Here.Names(scopes...)
	item := func(n int) (memory.Item, string) {
		it := items.Item(n)
		if it.Status == memory.StatusActive.String() {
			it.Status = ""
		}
		return it.Item, it.Status
	}
	flag := cites.Flag
	if phases {
		flag = func(it memory.Item) string { return "[" + string(it.Phase) + "] " + cites.Flag(it) }
	}
	return term.Pour(a, func(w io.Writer) error {
		return view.StatusTable(w, items.Len(), item, sel.At, a.Screen.Width(), off, flag, names.Of)
	})
}

func showCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:         "show REF|TEXT",
		Short:       "show one memory in full",
		Args:        cobra.MinimumNArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			ref, err := meantOne(a, cmd, args, "memory show")
			if err != nil || ref == "" {
				return err
			}
			s, it, _, err := named(a, cmd, ref)
			if err != nil {
				return err
			}
			status := asof.Status(s, it, a.Env.Now())
			cites := view.CitesOf(s, a.Home.Keys.Seal)
			basis := cites.Tree(it, a.Home.Keys.MaskText)
			last, _ := a.Home.Uses.Counts()
			used := view.Stamp(last(it.Ref()))
			if asJSON {
				v := view.ItemOf(it)
				v.Status = status
				v.CitesGone, v.CitesChanged = cites.Gone(it)
				v.Basis, v.Used = basis, used
				return a.PrintJSON(v)
			}
			names := a.Home.Here.Names(scopesIn(s)...)
			text := view.ItemText(in(it, names.Of), status, seeHistory(a, s, it))
			if used != "" && it.Record.Kind.Is(memory.Learned) {
				text += "\n  last of use " + used
			}
			for _, line := range basis.Lines() {
				text += "\n  " + line
			}
			for _, line := range givenLines(a, it.Ref()) {
				text += "\n  " + line
			}
			return a.Println(text)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole record, as JSON")
	return cmd
}

// in is an item with its scope as a person calls it.
func in(it memory.Item, name func(scope string) string) memory.Item {
	if it.Record.Scope != "" {
		r := *it.Record
		r.Scope = memory.Scope(name(string(r.Scope)))
		it.Record = &r
	}
	return it
}

// scopesIn are the scopes of all memories, each as often as it is there.
func scopesIn(s *memory.State) []string {
	var scopes []string
	for _, it := range s.Items() {
		scopes = append(scopes, string(it.Record.Scope))
	}
	return scopes
}

// seeHistory says how to see the lines that made it what it is; "" if it is as
// it was stated.
func seeHistory(a *term.Run, s *memory.State, it memory.Item) string {
	n := len(s.History(it.ID))
	if n <= 1 {
		return ""
	}
	return fmt.Sprintf("%d lines: %s", n, a.Verb("memory history "+it.Ref()))
}

// named resolves a reference to an item, whatever became of it.
func named(a *term.Run, cmd *cobra.Command, ref string) (*memory.State, memory.Item, memory.Status, error) {
	id, err := pick.Ref(ref)
	if err != nil {
		return nil, memory.Item{}, 0, err
	}
	s, err := a.Home.Memory.State(cmd.Context())
	if err != nil {
		return nil, memory.Item{}, 0, err
	}
	it, status := s.Get(id)
	switch status {
	case memory.StatusUnknown, memory.StatusErased, memory.StatusChange:
		return nil, it, status, fault.Failuref("%s: no memory has this number (%s)", id, status).
			WithHint("see what there is: %s", fault.Command("memory list"))
	}
	return s, it, status, nil
}

func addCommand(a *term.Run) *cobra.Command {
	var d draftFlags
	cmd := &cobra.Command{
		Use:         "add [flags] KIND TEXT",
		Short:       "keep a memory of the kind named",
		Long:        "Add keeps TEXT as a memory of KIND: one of " + kindNames() + ".",
		Annotations: term.Writes{Memory: "a memory"}.Note(term.TextArgument()),
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, text, _ := strings.Cut(strings.TrimSpace(strings.Join(args, " ")), " ")
			if kind == "" {
				return fault.Usagef("add what? %s KIND TEXT", a.Verb("memory add"))
			}
			d.kind = kind
			return remember(a, cmd, d, text)
		},
	}
	d.add(cmd)
	return cmd
}

func historyCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:         "history REF|TEXT",
		Short:       "show the history of a memory, oldest line first",
		Args:        cobra.MinimumNArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			ref, err := meantOne(a, cmd, args, "memory history")
			if err != nil || ref == "" {
				return err
			}
			id, err := pick.Ref(ref)
			if err != nil {
				return err
			}
			s, err := a.Home.Memory.State(cmd.Context())
			if err != nil {
				return err
			}
			changes := s.History(id)
			if len(changes) == 0 {
				return fault.Failuref("%s: no line states or changes it", id).
					WithHint("see what there is: %s", fault.Command("memory list"))
			}
			if asJSON {
				return a.PrintJSON(history.Of(changes))
			}
			text := history.Text(changes)
			for _, it := range asof.Replacing(s, id) {
				text += fmt.Sprintf("\n#%s  %s  took its place: %s", it.Ref(), view.When(it.Record.Time), view.Excerpt(it.Record.Content, 120))
			}
			for _, line := range givenLines(a, id.String()) {
				text += "\n" + line
			}
			return a.Println(text)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "whole records, as a JSON array")
	return cmd
}

// memoryForgetCommand is the older name of forget, beside its neighbours.
func memoryForgetCommand(a *term.Run) *cobra.Command {
	cmd := forgetCommand(a)
	cmd.Short = "same as " + a.Verb("forget")
	return cmd
}

// memoryExportCommand is export beside its neighbours.
func memoryExportCommand(a *term.Run) *cobra.Command {
	cmd := exportCommand(a)
	cmd.Short = "same as " + a.Verb("export")
	return cmd
}

// givenLines say which other assistants were given a memory. That it cannot be read is a warning.
func givenLines(a *term.Run, ref string) (lines []string) {
	given, err := scrub.GivenTo(a.Home.Conversations.Dir(), func(other string) bool { return other == ref })
	if err != nil {
		a.Warn(err)
	}
	for _, g := range given {
		lines = append(lines, g.Text())
	}
	return lines
}
