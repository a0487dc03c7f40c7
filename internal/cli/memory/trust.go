package memory

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/trust"
	"ken/internal/view"
)

func trustCommand(a *term.Run) *cobra.Command {
	cmd := trustListCommand(a)
	cmd.Use, cmd.Short = "trust", "memory and AGENTS.md of a repository: what of it is used"
	cmd.Long = `A repository may bring memory: .ken/memory/LOG.jsonl. It counts, as the word of
others, once you have seen it and said use; when the file changes you are asked
again. Rules in it wait in any case.

AGENTS.md, else CLAUDE.md, else GEMINI.md, of the directory where you stand and of
those above it in the repository, goes with your questions in the same way: once you
have seen it and said use, as text of others, which allows nothing. It is no memory.
Without a word both are listed.`
	cmd.AddCommand(
		trustListCommand(a),
		trustUseCommand(a),
		verdictCommand(a, trust.Ignore, "do not use a log or a file until it changes"),
		verdictCommand(a, trust.Never, "do not use a log or a file, and do not ask about it"),
		revokeCommand(a),
		metCommand(a),
	)
	return cmd
}

func trustListCommand(a *term.Run) *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:         "list",
		Short:       "what this repository brings, and what you said about it",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := repoLogs(a, cmd, all)
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(list)
			}
			if len(list) == 0 {
				return a.Println("(this repository brings nothing)")
			}
			rows, scopes := make([][]string, len(list)), make([]string, len(list))
			for i, l := range list {
				scopes[i] = l.Scope
			}
			names := a.Home.Here.Names(scopes...)
			for i, l := range list {
				rows[i] = []string{l.Log, l.Status, l.TS, names.Of(l.Scope), l.About()}
			}
			return a.Println(view.Table([]string{"log", "status", "since", "scope", "file"}, rows, a.Screen.Width()))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	cmd.Flags().BoolVar(&all, "all", false, "and what you said about other repositories")
	return cmd
}

// repoLogs are the logs of this repository and, if all is set, those of others
// that there is a decision about.
func repoLogs(a *term.Run, cmd *cobra.Command, all bool) ([]view.RepoLog, error) {
	if _, err := a.Home.Settings.Read(); err != nil {
		return nil, err
	}
	logs, err := a.Home.RepoLogs.All(cmd.Context())
	if err != nil {
		return nil, err
	}
	here := a.Home.Here.Place()
	list := []view.RepoLog{}
	for _, l := range logs {
		v := view.RepoLog{
			Log: l.Log, Scope: here.RepoScope(), File: l.Path, Status: statusOf(l),
			Lines: len(l.New), Gone: l.Gone, SHA256: l.SHA256, TS: view.Stamp(l.Time),
		}
		if l.Refused != nil {
			v.Why = l.Refused.Error()
		}
		list = append(list, v)
	}
	if !all {
		return list, nil
	}
	decisions, err := trust.Load(a.Home.Settings.Paths().Trust())
	if err != nil {
		return nil, err
	}
	for _, d := range decisions.Standing() {
		if here.Same(d.Scope, here.RepoScope()) {
			continue
		}
		list = append(list, view.RepoLog{
			Log: logArg(d.File), Scope: d.Scope, File: d.File,
			Status: said(d.Verdict), SHA256: d.SHA256, TS: view.Stamp(d.Time),
		})
	}
	return list, nil
}

func statusOf(l trust.Brought) string {
	switch {
	case l.Refused != nil:
		return "refused"
	case l.Verdict != "":
		return said(l.Verdict)
	case l.Changed:
		return "changed"
	}
	return "new"
}

func said(v trust.Verdict) string {
	switch v {
	case trust.Use:
		return "used"
	case trust.Ignore:
		return "ignored"
	}
	return string(v)
}

// logArg is the log or the doc that a person means: by its name, or that of its file.
func logArg(arg string) string {
	if trust.IsText(arg) {
		return path.Clean(filepath.ToSlash(arg))
	}
	return strings.TrimSuffix(path.Base(arg), ".jsonl")
}

// fileArg is the path of the file that a person means, in its repository.
func fileArg(arg string) string {
	if trust.IsText(arg) {
		return logArg(arg)
	}
	return trust.PathOf(logArg(arg))
}

// pickLog finds the logs of this repository that args name; none: those about which
// nothing is decided.
func pickLog(a *term.Run, cmd *cobra.Command, args []string) ([]trust.Brought, error) {
	if _, err := a.Home.Settings.Read(); err != nil {
		return nil, err
	}
	logs, err := a.Home.RepoLogs.All(cmd.Context())
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		logs = slices.DeleteFunc(logs, func(l trust.Brought) bool { return !l.Undecided() })
		if len(logs) == 0 {
			return nil, fault.Failuref("nothing here waits for a decision").WithHint("see what there is: %s", fault.Command("memory trust list"))
		}
		return logs, nil
	}
	var picked []trust.Brought
	for _, arg := range args {
		i := slices.IndexFunc(logs, func(l trust.Brought) bool { return l.Log == logArg(arg) })
		if i < 0 {
			return nil, fault.Failuref("this repository brings no %q", arg).WithHint("see what there is: %s", fault.Command("memory trust list"))
		}
		picked = append(picked, logs[i])
	}
	return picked, nil
}

func trustUseCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use:         "use [LOG|FILE...]",
		Short:       "look at what this repository brings, and let it in",
		Annotations: term.Writes{Person: "judges what a repository brings"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			logs, err := pickLog(a, cmd, args)
			if err != nil {
				return err
			}
			for _, l := range logs {
				if err := letIn(a, cmd, l); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// letIn shows a log and asks.
func letIn(a *term.Run, cmd *cobra.Command, l trust.Brought) error {
	switch {
	case l.Refused != nil:
		return fmt.Errorf("%s: %w", l.Path, l.Refused)
	case l.Verdict == trust.Use:
		return a.Println(l.Log + " is used already")
	case !a.Person.Present():
		return fault.New(fault.Refused, errors.New("what a repository brings is let in at a terminal only")).
			WithHint("type the command on a terminal")
	}
	yes, err := a.Person.ShowRepoLog(cmd.Context(), l)
	if yes {
		yes, err = a.Person.Confirm(cmd.Context(), "use it in this repository?")
	}
	if err != nil {
		return err
	}
	if !yes {
		return a.Println(l.Log + " is not used")
	}
	return decide(a, cmd, trust.Use, l)
}

func decide(a *term.Run, cmd *cobra.Command, v trust.Verdict, l trust.Brought) error {
	if err := a.Home.RepoLogs.Decide(cmd.Context(), v, l); err != nil {
		return err
	}
	text := map[trust.Verdict]string{
		trust.Use:    "%s is used (take it back: %s)",
		trust.Ignore: "%s is ignored until it changes (take it back: %s)",
		trust.Never:  "%s is never used (take it back: %s)",
	}[v]
	return a.Println(fmt.Sprintf(text, l.Log, a.Verb("memory trust revoke "+l.Log)))
}

func verdictCommand(a *term.Run, v trust.Verdict, short string) *cobra.Command {
	return &cobra.Command{
		Use:         string(v) + " LOG|FILE...",
		Short:       short,
		Args:        cobra.MinimumNArgs(1),
		Annotations: term.Writes{Person: "judges what a repository brings"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			logs, err := pickLog(a, cmd, args)
			if err != nil {
				return err
			}
			for _, l := range logs {
				if err := decide(a, cmd, v, l); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func revokeCommand(a *term.Run) *cobra.Command {
	var scope string
	cmd := &cobra.Command{
		Use:         "revoke LOG|FILE...",
		Short:       "take back what you said; it is asked about again",
		Args:        cobra.MinimumNArgs(1),
		Annotations: term.Writes{Person: "judges what a repository brings"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return revoke(a, cmd, scope, args)
		},
	}
	cmd.Flags().StringVar(&scope, "scope", "", "of the repository `SCOPE`, as list --all shows it, instead of this one")
	return cmd
}

// revoke works for files that are gone as well.
func revoke(a *term.Run, cmd *cobra.Command, scope string, args []string) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	decisions, err := trust.Load(a.Home.Settings.Paths().Trust())
	if err != nil {
		return err
	}
	here := a.Home.Here.Place()
	if scope == "" {
		scope = here.RepoScope()
	}
	var list []trust.Decision
	for _, arg := range args {
		file := fileArg(arg)
		found := false
		for _, d := range decisions.Standing() {
			if d.File == file && here.Same(d.Scope, scope) {
				found = true
				list = append(list, trust.Decision{Time: a.Env.Now(), Scope: d.Scope, File: file, Verdict: trust.Revoke})
			}
		}
		if !found {
			return fault.Failuref("%s: you said nothing about it", arg).WithHint("see what there is: %s", fault.Command("memory trust list --all"))
		}
	}
	if err := trust.Decide(cmd.Context(), a.Home.Settings.Paths().Trust(), list...); err != nil {
		return err
	}
	a.Home.Memory.Changed()
	for _, arg := range args {
		if err := a.Println(fmt.Sprintf("%s is not used any more, and is asked about again", logArg(arg))); err != nil {
			return err
		}
	}
	return nil
}
