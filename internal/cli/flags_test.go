package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ken/internal/cli/chat"
	"ken/internal/cli/term"
)

// at is a ken whose files are in home, and what it prints.
func at(t *testing.T, home string) (*program, *bytes.Buffer) {
	t.Helper()
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	var out bytes.Buffer
	return &program{app: term.New(Env{
		Stdin: in, Stdout: &out, Stderr: &out, Dir: home, Now: time.Now, Clock: time.Now, Local: []string{},
		Getenv:  func(name string) string { return map[string]string{"KEN_HOME": home, "HOME": home}[name] },
		Environ: func() []string { return nil },
	})}, &out
}

// told is the exit code of an error, and what is said of it.
func told(t *testing.T, err error) (code int, text string) {
	t.Helper()
	if err == nil {
		return 0, ""
	}
	p, out := at(t, t.TempDir())
	return p.app.Report(err), out.String()
}

// each visits every command below cmd.
func each(cmd *cobra.Command, visit func(*cobra.Command)) {
	for _, c := range cmd.Commands() {
		visit(c)
		each(c, visit)
	}
}

// TestFlagsAnywhere: outside the shell every command of the tree takes its flags before
// and behind its words, and none behind a "--"; a flag that it does not have is an error that
// says how to write it as text. What takes the command line of another program leaves
// that program its flags, and refuses its own there.
func TestFlagsAnywhere(t *testing.T) {
	t.Parallel()
	p, _ := at(t, t.TempDir())
	n := 0
	each(p.Root(), func(c *cobra.Command) {
		if c.DisableFlagParsing {
			t.Errorf("%s looks at no flags", c.CommandPath())
		}
		n++
		path := chat.CommandPath(c)
		p, _ := at(t, t.TempDir())
		cmd, _, err := p.Root().Find(strings.Fields(path))
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.ParseFlags([]string{"one", "--no-memory", "two", "-q", "--", "--verbose"}); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if got := cmd.Flags().Args(); !slices.Equal(got, []string{"one", "two", "--verbose"}) || !p.app.Flags.NoMemory || !p.app.Flags.Quiet || p.app.Flags.Verbose {
			t.Errorf("%s: words %q, flags %+v", path, got, p.app.Flags)
		}
		p, _ = at(t, t.TempDir())
		err = p.Run(t.Context(), append(strings.Fields(path), "one two", "--no-such-flag"))
		code, text := told(t, err)
		_, operands, some := strings.Cut(strings.Replace(c.Use, "[flags] ", "", 1), " ")
		if code != term.ExitUsage || !strings.Contains(text, "no-such-flag") || some && !strings.Contains(text, "ken "+path+" -- "+operands+"\n") {
			t.Errorf("%s: a flag that is none: exit code %d, %s", path, code, text)
		}
		if term.TakesLine(c.Annotations) {
			checkLine(t, c, path)
		}
	})
	if n < 70 {
		t.Errorf("%d commands", n)
	}
}

func checkLine(t *testing.T, c *cobra.Command, path string) {
	t.Helper()
	p, _ := at(t, t.TempDir())
	words := strings.Fields(path)
	for _, test := range []struct{ args, want []string }{
		{[]string{"git", "log", "--oneline", "-2"}, []string{"--", "git", "log", "--oneline", "-2"}},
		{[]string{"--json", "git", "log", "--oneline"}, []string{"--json", "--", "git", "log", "--oneline"}},
		{[]string{"--", "grep", "-v", "--json"}, []string{"--", "grep", "-v", "--json"}},
		{[]string{"git log --oneline", "--json"}, []string{"git log --oneline", "--json"}},
		{[]string{"npm", "ls", "--json"}, nil},
		{[]string{"-q", "grep", "-v", "x"}, nil},
	} {
		got, err := p.lineWords(p.Root(), append(slices.Clone(words), test.args...))
		if test.want == nil {
			if code, text := told(t, err); code != term.ExitUsage || !strings.Contains(text, " -- ") {
				t.Errorf("%s %q: %q, %v", path, test.args, got, err)
			}
			continue
		}
		// The words of the command may stand behind flags.
		if _, rest, ferr := c.Root().Find(got); err != nil || ferr != nil || !slices.Equal(rest, test.want) {
			t.Errorf("%s %q: %q, %v", path, test.args, got, err)
		}
	}
}

// TestFlagsOfALine: inside the shell a text is the rest of its line, and a flag of the very
// command in it is refused, whichever it is, with both that can have been meant.
func TestFlagsOfALine(t *testing.T) {
	t.Parallel()
	p, _ := at(t, t.TempDir())
	p.shell = chat.NewREPL(p.app, p.upkeep, p)
	n := 0
	each(p.Root(), func(c *cobra.Command) {
		if !term.TakesText(c.Annotations) {
			return
		}
		n++
		verb := ":" + chat.CommandPath(c)
		check := func(f *pflag.Flag) {
			for _, word := range []string{"--" + f.Name, "--" + f.Name + "=x", "-" + f.Shorthand} {
				if word == "-" {
					continue
				}
				text := "don't say " + word + " x"
				args, err := chat.ShellArgs(c, text)
				if code, hint := told(t, err); code != term.ExitUsage || !strings.Contains(hint, verb+" "+word) || !strings.Contains(hint, verb+" -- "+text) {
					t.Errorf("%s %s: %q, %v", verb, text, args, err)
				}
				if args, err := chat.ShellArgs(c, "-- "+text); err != nil || !slices.Equal(args, []string{"--", text}) {
					t.Errorf("%s -- %s: %q, %v", verb, text, args, err)
				}
			}
		}
		c.LocalFlags().VisitAll(check)
		c.InheritedFlags().VisitAll(check)
		for _, text := range []string{"say --no-such-flag and -5", "a - b", "use '--here", "x--pin"} {
			if args, err := chat.ShellArgs(c, text); err != nil || !slices.Equal(args, []string{"--", text}) {
				t.Errorf("%s %s: %q, %v", verb, text, args, err)
			}
		}
	})
	if n < 6 {
		t.Errorf("%d commands take a text", n)
	}
}

// TestNoMemoryAnywhere: under --no-memory no command reads or writes memory: each of the
// tree says whether it does, and those that do are refused before they begin.
func TestNoMemoryAnywhere(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	log := filepath.Join(home, "memory.jsonl")
	const line = `{"id":1,"kind":"fact","content":"the kettle is blue"}` + "\n"
	if err := os.WriteFile(log, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	before := listing(t, home)
	p, _ := at(t, home)
	refused := 0
	for _, c := range p.Root().Commands() {
		if _, said := term.MemoryUse(c.Annotations); !said && c.Name() != "help" {
			t.Errorf("%s does not say whether it uses memory", c.CommandPath())
		}
	}
	each(p.Root(), func(c *cobra.Command) {
		path := strings.Fields(chat.CommandPath(c))
		if !usesMemory(c) || !c.Runnable() {
			return
		}
		refused++
		for _, operands := range [][]string{nil, {"1"}, {"fact", "x"}, {"repo:x"}} {
			for _, args := range [][]string{slices.Concat([]string{"--no-memory"}, path, operands), slices.Concat(path, operands, []string{"--no-memory"})} {
				p, out := at(t, home)
				err := p.Run(t.Context(), args)
				code, _ := told(t, err)
				if fits := c.ValidateArgs(operands) == nil; fits && code != term.ExitRefused || !fits && code != term.ExitUsage {
					t.Errorf("%q: exit code %d, %v", args, code, err)
				}
				if strings.Contains(out.String(), "kettle") {
					t.Errorf("%q prints %s", args, out)
				}
			}
		}
	})
	if refused < 40 {
		t.Errorf("%d commands use memory", refused)
	}
	if after := listing(t, home); after != before {
		t.Errorf("the files were\n%sand are\n%s", before, after)
	}
	for _, name := range []string{"remember", "memory list", "memory show", "recall", "forget", "undo", "review", "review list", "export", "why", "why-not", "erase", "import", "extract", "port recall-preferences", "memory policy list", "memory trust"} {
		if c, _, err := p.Root().Find(strings.Fields(name)); err != nil || !usesMemory(c) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"ask", "exec", "risk", "safety test", "config show", "redact", "sessions list", "suggest", "init", "version"} {
		if c, _, err := p.Root().Find(strings.Fields(name)); err != nil || usesMemory(c) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What is new and says nothing is refused.
	p, _ = at(t, home)
	root := p.bare()
	root.AddCommand(&cobra.Command{Use: "new", RunE: func(*cobra.Command, []string) error { return nil }})
	root.SetArgs([]string{"new", "--no-memory"})
	if err := root.ExecuteContext(t.Context()); err == nil {
		t.Error("a command that does not say is let through")
	}
}

// listing is the names, sizes and texts of all files below dir.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%s: %s", path, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// TestPrintFlag: -p means ask wherever flags of ken itself may stand.
func TestPrintFlag(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"-p hi":                     "ask hi",
		"--print hi":                "ask hi",
		"-q -p hi":                  "ask -q hi",
		"-qp hi":                    "ask -q hi",
		"-pq hi":                    "ask -q hi",
		"--config f -p hi":          "ask --config f hi",
		"--config=f --no-memory -p": "ask --config=f --no-memory",
		"-p -q hi":                  "ask -q hi",
		"-p":                        "ask",
		"remember -p":               "remember -p",
		"-q remember -p":            "-q remember -p",
		"-- -p":                     "-- -p",
		"-q":                        "-q",
		"-m fast -p hi":             "ask -m fast hi",
		"-q -m fast --print hi":     "ask -q -m fast hi",
		"--json -p hi -c":           "ask --json hi -c",
		"-m -p hi":                  "-m -p hi",
		"-m fast hi -p":             "-m fast hi -p",
	} {
		p, _ := at(t, t.TempDir())
		if got := strings.Join(p.printed(strings.Fields(line)), " "); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
