package memory

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/expected"
	"ken/internal/fault"
	"ken/internal/view"
)

// testFlags are those of `memory test`.
type testFlags struct {
	asJSON, add bool
	answer      string
	these, not  []string
}

// testCommand stands below `memory`.
func testCommand(a *term.Run) *cobra.Command {
	var f testFlags
	cmd := &cobra.Command{
		Use:   "test [FILE...]",
		Short: "run your tests of what questions call up",
		Long: `Test runs the tests in tests/*.toml beside your memory, and in .ken/tests/*.toml of the
repository where you are: "on this question, in this directory: these memories, not
those". Below each test that fails it says which memory was missing or there, and why.
The exit code is 1 if one fails. It changes nothing, and counts as no use of a memory.

With --add it makes a test of the last answer, or of --answer: its question has those
memories that it called up for you. --these and --not name others by reference. It is
put at the end of FILE, tests/added.toml if there is none.`,
		Example:     "  ken memory test\n  ken memory test tests/tea.toml --json\n  ken memory test --add --not 9",
		Annotations: term.Writes{Person: "writes tests of the memory", When: []string{"--add"}, Look: "memory test"}.Note(term.UsesMemory()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.add {
				return addTest(cmd.Context(), a, f, args)
			}
			if f.answer != "" || len(f.these)+len(f.not) > 0 {
				return fault.Usagef("test takes --answer, --these and --not only with --add")
			}
			return runTests(cmd.Context(), a, args, f.asJSON)
		},
	}
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "as one JSON object")
	cmd.Flags().BoolVar(&f.add, "add", false, "make a test of an answer")
	cmd.Flags().StringVar(&f.answer, "answer", "", "with --add, of this `ANSWER`: N, or SESSION:N")
	cmd.Flags().StringArrayVar(&f.these, "these", nil, "with --add, the memory `REF` as well")
	cmd.Flags().StringArrayVar(&f.not, "not", nil, "with --add, not the memory `REF`")
	return cmd
}

// runTests runs the files named, or all.
func runTests(ctx context.Context, a *term.Run, paths []string, asJSON bool) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	files, err := testFiles(a, paths)
	if err != nil {
		return err
	}
	var results []view.ExpectedResult
	for _, f := range files {
		list, err := expected.Run(ctx, a.Home, f)
		if err != nil {
			return err
		}
		results = append(results, list...)
	}
	r := view.ExpectedOf(results)
	if r.Tests == 0 && !asJSON {
		a.Status("there are no tests in %s; make one of the last answer: %s",
			a.Home.Settings.Short(config.TestsIn(a.Home.Settings.Paths())), a.Verb("memory test --add"))
		return nil
	}
	err = term.Answer(a, asJSON, r, func() string { return view.ExpectedText(r) })
	if err == nil && r.Failed > 0 {
		err = term.Reported(fault.Failuref("%d of %d tests failed", r.Failed, r.Tests))
	}
	return err
}

// testFiles are the files of tests at paths; without paths those beside the memory and those
// of the repository where the person stands.
func testFiles(a *term.Run, paths []string) ([]expected.File, error) {
	var files []expected.File
	repo := a.Home.Here.Place().Repo
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(a.Env.Dir, path)
		}
		if repo != nil && filepath.Dir(path) == expected.Dir(repo.Top) {
			list, err := expected.ReadIn(repo.Top)
			if err != nil {
				return nil, err
			}
			i := slices.IndexFunc(list, func(f expected.File) bool { return f.Path == path })
			if i < 0 {
				files = append(files, expected.File{Path: path, Bad: errors.New("there is no such file of tests")})
			} else {
				files = append(files, list[i])
			}
			continue
		}
		files = append(files, expected.Load(path))
	}
	if len(paths) > 0 {
		return files, nil
	}
	files, err := expected.Read(config.TestsIn(a.Home.Settings.Paths()))
	if err != nil || repo == nil {
		return files, err
	}
	brought, err := expected.ReadIn(repo.Top)
	return append(files, brought...), err
}

// addTest makes a test of an answer.
func addTest(ctx context.Context, a *term.Run, f testFlags, args []string) error {
	if f.asJSON || len(args) > 1 {
		return fault.Usagef("test --add takes one FILE at most, and no --json")
	}
	w, err := resolve(ctx, a, f.answer)
	if err != nil {
		return err
	}
	if w.Question == "" {
		return fault.Failuref("the question of answer %s is not to be read any more: there is nothing to test", w.name())
	}
	here := a.Home.Here.Place()
	if w.Scope != here.Scope() {
		return fault.Failuref("answer %s was given elsewhere, in %s", w.name(), w.Scope).WithHint("go there first")
	}
	var refs [2][]string
	for i, list := range [...][]string{f.these, f.not} {
		for _, arg := range list {
			ref, err := refOf(ctx, a, arg)
			if err != nil {
				return err
			}
			refs[i] = append(refs[i], ref)
		}
	}
	in := a.Env.Dir
	if here.Repo != nil {
		in = here.Repo.Top
	}
	path := filepath.Join(config.TestsIn(a.Home.Settings.Paths()), "added.toml")
	if len(args) == 1 {
		if path = args[0]; !filepath.IsAbs(path) {
			path = filepath.Join(a.Env.Dir, path)
		}
	}
	in = a.Home.Settings.Short(in)
	if here.Repo != nil && filepath.Dir(path) == expected.Dir(here.Repo.Top) {
		in = "" // a test of a repository is asked there, wherever it lies
	}
	t := expected.Of(a.Home.Keys.MaskText(w.Question), w.Trace, in, refs[0], refs[1])
	if len(t.These)+len(t.Not) == 0 {
		return fault.Failuref("answer %s called up no memory: there is nothing to expect", w.name()).
			WithHint("say what it should have had: %s", fault.Command("memory test --add --these REF"))
	}
	if err := expected.Add(ctx, path, a.Home.Settings.Paths().Data, t); err != nil {
		return fault.New(fault.Failure, err)
	}
	a.Status("added to %s: %s", a.Home.Settings.Short(path), expectedBy(t))
	return nil
}

// expectedBy says what a test expects.
func expectedBy(t expected.Test) string {
	var parts []string
	if len(t.These) > 0 {
		parts = append(parts, "these "+strings.Join(t.These, " "))
	}
	if len(t.Not) > 0 {
		parts = append(parts, "not "+strings.Join(t.Not, " "))
	}
	return strings.Join(parts, ", ")
}
