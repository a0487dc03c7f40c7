package chat

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/repl"
)

func tree() *cobra.Command {
	root := &cobra.Command{Use: "ken"}
	text := &cobra.Command{Use: "remember TEXT", Annotations: term.TextArgument()}
	text.Flags().BoolP("pin", "p", false, "")
	text.Flags().StringP("tag", "t", "", "")
	memory := &cobra.Command{Use: "memory"}
	memory.AddCommand(&cobra.Command{Use: "list"}, &cobra.Command{Use: "show"}, &cobra.Command{Use: "history"}, &cobra.Command{Use: "hygiene"})
	root.AddCommand(text, memory, &cobra.Command{Use: "quit", Aliases: []string{"q"}}, &cobra.Command{Use: "reset"}, &cobra.Command{Use: "version", Hidden: true})
	return root
}

func TestResolve(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		path string
		rest string
	}{
		{"", "", ""},
		{"   ", "", ""},
		{"memory list", "memory list", ""},
		{"mem li", "memory list", ""},
		{"m h", "memory", "h"}, // history or hygiene
		{"m hi 3", "memory history", "3"},
		{"q", "quit", ""}, // an alias goes before a beginning
		{"qui", "quit", ""},
		{"re", "", "re"}, // remember or reset
		{"rem  two  blanks ", "remember", "two  blanks"},
		{"remember list", "remember", "list"},
		{"vers", "", "vers"}, // hidden names are written out
		{"version", "version", ""},
		{"nonsense list", "", "nonsense list"},
		{"memory nonsense", "memory", "nonsense"},
		{"memory -h", "memory", "-h"},
		{"-v memory", "", "-v memory"},
		{"Memory", "", "Memory"},
	} {
		path, _, rest := ResolveCommand(tree(), c.line)
		if got := strings.Join(path, " "); got != c.path || rest != c.rest {
			t.Errorf("%q: %q and %q, want %q and %q", c.line, got, rest, c.path, c.rest)
		}
	}
}

// TestLineArgs: a text is the rest of its line as it was typed.
func TestLineArgs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		want []string
		err  error
	}{
		{"remember", nil, nil},
		{"remember don't use tabs", []string{"--", "don't use tabs"}, nil},
		{`remember say "hi"  \n`, []string{"--", `say "hi"  \n`}, nil},
		{"remember -p tea", []string{"-p", "--", "tea"}, nil},
		{"remember --pin -5 degrees", []string{"--pin", "-5", "--", "degrees"}, nil},
		{"remember --pin -- -5 degrees", []string{"--pin", "--", "-5 degrees"}, nil},
		{"remember --tag x tea", []string{"--tag", "x", "--", "tea"}, nil},
		{"remember -t 'x y' it's", []string{"-t", "x y", "--", "it's"}, nil},
		{"remember --tag=x it's", []string{"--tag=x", "--", "it's"}, nil},
		{"remember --tag", []string{"--tag"}, nil},
		{"remember --tag 'x", nil, repl.ErrQuote},
		{"remember -- tea --pin", []string{"--", "tea --pin"}, nil},
		{"remember tea --pins", []string{"--", "tea --pins"}, nil},
		{"memory show 3", []string{"3"}, nil},
		{`reset 'a b' "c d" e\ f ''`, []string{"a b", "c d", "e f", ""}, nil},
		{`reset a'b "c'd`, []string{`ab "cd`}, nil},
		{`reset "a\"b" 'a\b' \\`, []string{`a"b`, `a\b`, `\`}, nil},
		{`reset a\`, []string{`a\`}, nil},
		{"reset it's", nil, repl.ErrQuote},
		{`reset "`, nil, repl.ErrQuote},
	} {
		_, cmd, rest := ResolveCommand(tree(), c.line)
		got, err := ShellArgs(cmd, rest)
		if diff := cmp.Diff(c.want, got); diff != "" || !errors.Is(err, c.err) {
			t.Errorf("%q: %v, arguments (-want +got):\n%s", c.line, err, diff)
		}
	}
}

// TestBehind: a flag in a text is refused, with where it belongs, and with how it is text.
func TestBehind(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"remember tea --pin":          ":remember --pin tea; or say that all is text: :remember -- tea --pin",
		"remember it's -t x tea":      ":remember -t x it's tea; or say that all is text: :remember -- it's -t x tea",
		"remember it's --tag=x tea":   ":remember --tag=x it's tea; ",
		"remember tea -tx":            ":remember -tx tea; ",
		"remember tea -pt x cup":      ":remember -pt x tea cup; ",
		"remember -p tea --tag x":     ":remember --tag x tea; ",
		"remember tea --help":         ":remember --help tea; ",
		"remember tea -p -- it -t x":  ":remember -p tea -- it -t x; ",
		"remember tea -pz":            "",
		"remember tea -- --pin":       "",
		"remember tea - or 'no --pin": ":remember --pin tea - or 'no; ",
	} {
		_, cmd, rest := ResolveCommand(tree(), line)
		args, err := ShellArgs(cmd, rest)
		if want == "" {
			if err != nil || args[len(args)-1] != strings.TrimPrefix(line, "remember ") {
				t.Errorf("%q: %q, %v", line, args, err)
			}
			continue
		}
		var out strings.Builder
		code := term.New(term.Env{Stderr: &out, Getenv: func(string) string { return "" }}).Report(err)
		if code != term.ExitUsage || !strings.Contains(out.String(), "flags stand first: "+want) {
			t.Errorf("%q: %q, exit code %d\n%s", line, args, code, out.String())
		}
	}
}

// FuzzLineArgs: a line never panics, and a text that does not begin with a dash, and in
// which nothing does, is one argument, byte for byte.
func FuzzLineArgs(f *testing.F) {
	for _, seed := range []string{"", "remember don't", "rem -t x y", "m show 'x", "remember --", "remember -- -x", ":"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		path, cmd, rest := ResolveCommand(tree(), line)
		args, err := ShellArgs(cmd, rest)
		if len(path) == 0 || cmd.Name() != "remember" || rest == "" || rest[0] == '-' || strings.Contains(rest, "-") && err != nil {
			return
		}
		if diff := cmp.Diff([]string{"--", rest}, args); err != nil || diff != "" {
			t.Errorf("%q: %v, arguments (-want +got):\n%s", line, err, diff)
		}
	})
}
