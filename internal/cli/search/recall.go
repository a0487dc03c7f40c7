package search

import (
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/dates"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/view"
)

// Commands are those that stand at the top.
func Commands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{recallCommand(a), importCommand(a)}
}

// MemorySearch is recall by its second name, which stands below `memory`.
func MemorySearch(a *term.Run) *cobra.Command {
	cmd := recallCommand(a)
	cmd.Use, cmd.Short = "search [flags] QUERY", "same as "+a.Verb("recall")
	return cmd
}

// sessionsSearch stands below `sessions`.
func sessionsSearch(a *term.Run) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "search [flags] QUERY",
		Short: "search conversations and the commands that ran",
		Long: `Search finds turns and commands that are about QUERY, best first; -C shows what was said
around them. What a hit is called goes into ken sessions show and, in the shell, into
:resume, which goes on with that conversation.`,
		Example:     "  ken sessions search -C 2 kettle",
		Annotations: term.Writes{Nothing: true}.Note(term.TextArgument()),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.in = []string{string(index.Sessions)}
			return recall(a, cmd, f, strings.Join(args, " "))
		},
	}
	f.add(cmd)
	cmd.Flags().IntVarP(&f.around, "context", "C", 0, "with `N` turns before and behind each hit")
	return cmd
}

// most is how many hits there are unless -k says otherwise.
const most = 50

// flags are those of a search.
type flags struct {
	k       int
	in      []string
	kinds   []string
	scope   string
	asOf    string
	task    string
	budget  int
	explain bool
	asJSON  bool
	lines   bool
	around  int
}

// add adds the flags that every search has.
func (f *flags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.IntVarP(&f.k, "limit", "k", most, "at most `N` hits")
	fl.StringVar(&f.scope, "scope", "", "only what is of `SCOPE`: user, here, repo, dir, or a full one")
	fl.StringVar(&f.asOf, "as-of", "", "as it stood at the end of `DATE`: 2026-03-05, 2026-03, yesterday, or a time")
	fl.StringVar(&f.task, "task", "", "what is about `TEXT` as well")
	fl.IntVar(&f.budget, "budget", 0, "no more hits than fit in `N` tokens")
	fl.BoolVar(&f.explain, "explain", false, "what each score is made of")
	fl.BoolVar(&f.asJSON, "json", false, "as a JSON array")
}

func recallCommand(a *term.Run) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "recall [flags] QUERY",
		Short: "search memories and conversations",
		Long: `Recall searches what is remembered, what was said and which commands ran in the
shell, best first. It needs no
model. What was forgotten is not found, nor the turns that taught it; to find
nothing is no error.

With --as-of it looks in what was known at the end of that date, and was true then.

With --jsonl it answers lines {"id","query","scope","k"} of standard input, one
line {"id","hits"} each, until the input ends.`,
		Example: "  ken recall staging host\n  ken recall --in memory -k 3 --explain tea\n" +
			`  echo '{"id":1,"query":"tea"}' | ken recall --jsonl`,
		Annotations: term.Writes{Nothing: true}.Note(term.TextArgument()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.lines {
				return answerLines(a, cmd, f, args)
			}
			return recall(a, cmd, f, strings.Join(args, " "))
		},
	}
	f.add(cmd)
	cmd.Flags().StringSliceVar(&f.in, "in", []string{string(index.Memory), string(index.Sessions)}, "where to look: `memory,sessions`; commands: only what ran")
	cmd.Flags().StringSliceVar(&f.kinds, "kind", nil, "only memories of `KIND`; may be given again")
	cmd.Flags().BoolVar(&f.lines, "jsonl", false, "answer queries from standard input, line by line")
	return cmd
}

// question checks the flags, and is what they ask for, without its text.
func (f *flags) question(a *term.Run, cmd *cobra.Command) (q app.Question, err error) {
	if f.k < 1 {
		return q, fault.Usagef("-k %d: want at least 1", f.k)
	}
	if f.around < 0 {
		return q, fault.Usagef("-C %d: want 0 or more", f.around)
	}
	if f.budget < 0 || f.budget == 0 && cmd.Flags().Changed("budget") {
		return q, fault.Usagef("--budget %d: want at least 1", f.budget)
	}
	for _, k := range f.kindsOf() {
		if !k.Known() || k.Changes() {
			return q, &engine.KindError{Kind: k}
		}
	}
	q = app.Question{Limit: f.k, Scope: f.scope, Kinds: f.kinds, Anywhere: true}
	for _, name := range f.in {
		switch s := index.Source(name); s {
		case index.Sessions:
			q.In = append(q.In, s, index.Commands)
		case index.Memory, index.Commands:
			q.In = append(q.In, s)
		default:
			return q, fault.Usagef("--in %s: want memory, sessions or commands, or several of them", name)
		}
	}
	if f.asOf == "" {
		return q, nil
	}
	day, err := dates.Parse(f.asOf, a.Env.Now())
	if err != nil {
		return q, fault.Usagef("--as-of %s: %w", f.asOf, err)
	}
	q.At = day.End(a.Env.Now())
	return q, nil
}

// kindsOf are the kinds that are wanted, older names resolved.
func (f *flags) kindsOf() []memory.Kind {
	var kinds []memory.Kind
	for _, name := range f.kinds {
		k, _ := memory.ParseKind(name)
		kinds = append(kinds, k)
	}
	return kinds
}

func recall(a *term.Run, cmd *cobra.Command, f flags, text string) error {
	if strings.TrimSpace(text) == "" {
		return fault.Usagef("search for what?").WithHint("%s QUERY", strings.TrimSpace(a.Verb(strings.TrimPrefix(cmd.CommandPath(), "ken "))))
	}
	if a.Shell == nil {
		a.Process.Brief()
	}
	q, err := f.question(a, cmd)
	if err != nil {
		return err
	}
	q.Text = strings.TrimSpace(text + "\n" + f.task)
	found, err := a.Home.Search(cmd.Context(), q)
	if err != nil {
		return err
	}
	if n := app.Fitting(found, f.budget); n < len(found) {
		a.Status("%s more than fit in %s (--budget)", view.Count(len(found)-n, "hit"), view.Count(f.budget, "token"))
		if found = found[:n]; n == 0 && !f.asJSON {
			return nil // what is known and has no room is not "nothing is known"
		}
	}
	if f.asJSON {
		hits := make([]view.Hit, len(found))
		for i, h := range found {
			hits[i] = h.Hit
		}
		return a.PrintJSON(hits)
	}
	if f.around > 0 && len(found) > 0 {
		text, err := around(cmd.Context(), a, found, f.around, f.explain)
		if err != nil {
			return err
		}
		return a.Println(text)
	}
	return a.Println(app.NamedText(a.Home, found, f.explain))
}
