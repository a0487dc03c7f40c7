package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"ken/internal/cli/chat"
	"ken/internal/cli/help"
	"ken/internal/cli/term"
	"ken/internal/termsafe"
)

var updateHelp = flag.Bool("update-help", false, "write the pages of help to testdata/help")

// TestR16HelpListsEveryCommand: `:help all` has one line for each command of the tree
// that is not hidden, with what it does; and what it lists is a command.
func TestR16HelpListsEveryCommand(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	home := t.TempDir()
	p := &program{app: term.New(Env{
		Stdin: os.Stdin, Stdout: &out, Stderr: &out, Dir: home, Now: time.Now, Local: []string{},
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": home, "HOME": home}[name] },
	})}
	p.shell = chat.NewREPL(p.app, p.upkeep, p)
	if err := p.Run(t.Context(), []string{"help", "all"}); err != nil {
		t.Fatal(err)
	}
	said := map[string]string{} // by command, what it does
	all, older, _ := strings.Cut(out.String(), "\nolder names")
	for _, o := range help.Names() {
		if !strings.Contains(older, ":"+o.Name+" ") || !strings.Contains(older, "is now :"+o.Now()+"\n") {
			t.Errorf(":help all does not say that %s is %s", o.Name, o.Now())
		}
	}
	for line := range strings.SplitSeq(all, "\n") {
		if use, about, ok := strings.Cut(line, "  "); ok && strings.HasPrefix(use, ":") {
			var words []string
			for w := range strings.FieldsSeq(use[1:]) {
				if w != strings.ToLower(w) || strings.HasPrefix(w, "-") || strings.ContainsAny(w, "[.") {
					break // an operand
				}
				words = append(words, w)
			}
			said[strings.Join(words, " ")] = strings.TrimSpace(about)
		}
	}
	n := 0
	var walk func(cmd *cobra.Command, path string)
	walk = func(cmd *cobra.Command, path string) {
		for _, c := range cmd.Commands() {
			name := strings.TrimSpace(path + " " + c.Name())
			if c.Hidden {
				continue
			}
			n++
			if about, ok := said[name]; !ok || about != c.Short || about == "" {
				t.Errorf(":help all says %q of :%s, whose line is %q", about, name, c.Short)
			}
			walk(c, name)
		}
	}
	walk(p.Root(), "")
	if n < 20 || n != len(said) {
		t.Errorf(":help all lists %d commands, of %d", len(said), n)
	}
	for _, name := range strings.Fields("help quit reset history model tokens save resume exec remember recall forget undo ask sessions clear") {
		if said[name] == "" {
			t.Errorf(":%s is not in\n%s", name, out.String())
		}
	}
}

// helpSheets are the pages of help of both faces at a width.
func helpSheets(width int) map[string]help.Sheet {
	outside := &program{app: term.New(Env{})}
	inside := &program{app: term.New(Env{})}
	inside.shell = chat.NewREPL(inside.app, inside.upkeep, inside)
	sheets := map[string]help.Sheet{}
	for name, p := range map[string]*program{"ken": outside, "shell": inside} {
		s := p.sheet(p.Root())
		s.Width = width
		sheets[name] = s
	}
	return sheets
}

// TestHelpScreens: what a stranger sees first, at the widths of screens.
func TestHelpScreens(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 80, 200} {
		for name, s := range helpSheets(width) {
			for page, text := range map[string]string{"overview": s.Overview(), "memory": s.Topic("memory"), "keys": s.Topic("keys")} {
				file := filepath.Join("testdata", "help", fmt.Sprintf("%s_%s_%d.txt", name, page, width))
				if *updateHelp {
					if err := os.WriteFile(file, []byte(text+"\n"), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text+"\n", "\n")); diff != "" {
					t.Errorf("%s (-want +got; if it is meant: go test ./internal/cli -run TestHelpScreens -update-help)\n%s", file, diff)
				}
			}
		}
	}
}

// TestHelpFits: no page has a line that is wider than the screen, but of one word or one
// command, and none loses a word to that.
func TestHelpFits(t *testing.T) {
	t.Parallel()
	pages := func(width int) map[string]string {
		all := map[string]string{}
		for name, s := range helpSheets(width) {
			all[name], all[name+" all"] = s.Overview(), s.All()
			for _, topic := range help.Topics() {
				all[name+" "+topic.Use] = s.Topic(topic.Use)
			}
			allCommands(s.Root, func(path string, c *cobra.Command) { all[name+" command "+path] = s.Command(c) })
		}
		return all
	}
	for name, text := range pages(0) { // into a pipe, where the list of all has a line for each
		for line := range strings.SplitSeq(text, "\n") {
			if typed := strings.TrimSpace(line); termsafe.Width(line) > 80 && !strings.HasSuffix(name, " all") &&
				!strings.HasPrefix(typed, ":") && !strings.HasPrefix(typed, "ken ") {
				t.Errorf("%s in a pipe: %q", name, line)
			}
		}
	}
	wide := pages(1000)
	for _, width := range []int{20, 40, 80, 200} {
		for name, text := range pages(width) {
			for line := range strings.SplitSeq(text, "\n") {
				typed := strings.TrimSpace(line)
				whole := strings.HasPrefix(typed, ":") || strings.HasPrefix(typed, "ken ") || !strings.Contains(typed, " ")
				if termsafe.Width(line) > width && !whole {
					t.Errorf("%s at %d cells: %q", name, width, line)
				}
			}
			if got, want := strings.Fields(text), strings.Fields(wide[name]); !slices.Equal(got, want) {
				t.Errorf("%s at %d cells has other words: %s", name, width, cmp.Diff(want, got))
			}
		}
	}
}

// TestFront: what ken is for stands in front, in five groups, with three lines that can be typed before them; each is a
// command that is there.
func TestFront(t *testing.T) {
	t.Parallel()
	text := helpSheets(80)["ken"].Overview()
	begin, rest, ok := strings.Cut(text, "\ntalk\n")
	front, _, ok2 := strings.Cut(rest, "\nflags\n")
	if !ok || !ok2 {
		t.Fatalf("%s", text)
	}
	var got []string
	for line := range strings.SplitSeq("talk\n"+front, "\n") {
		switch {
		case line != "" && !strings.HasPrefix(line, " "):
			got = append(got, line+":")
		case strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "   "):
			name, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
			got = append(got, name)
		}
	}
	want := "talk: ask resume sessions remember: remember recall forget undo why memory look after it: review config doctor " +
		"use it elsewhere: setup serve import export let it work: ask --auto skills rules"
	if got := strings.Join(got, " "); got != want {
		t.Errorf("in front are\n%s, want\n%s", got, want)
	}
	if n := strings.Count(begin, "\n  ken ") + strings.Count(begin, "| ken "); n != 3 {
		t.Errorf("%d examples, want 3:\n%s", n, begin)
	}
	shell := helpSheets(80)["shell"].Overview()
	if n := strings.Count("\n"+strings.Split(shell, "\n\n")[1], "\n:"); n != 9 {
		t.Errorf("%d commands in front in the shell, want 9:\n%s", n, shell)
	}
}

// TestTopicsCanBeTyped: each line of a topic that begins with ken names a command and flags that are there, and each key of the
// settings in it is one.
func TestTopicsCanBeTyped(t *testing.T) {
	t.Parallel()
	sheet := helpSheets(0)["ken"]
	sheet.Width = 1000
	seen := 0
	for _, topic := range help.Topics() {
		for line := range strings.SplitSeq(sheet.Topic(topic.Use), "\n") {
			typed, _, _ := strings.Cut(line, "  ")
			args := strings.Fields(typed)
			if len(args) < 2 || args[0] != "ken" || !strings.Contains(line, "  ") {
				continue
			}
			seen++
			cmd, rest, err := sheet.Root.Find(args[1:])
			if err != nil || !cmd.HasParent() {
				t.Errorf("%s: %q: %v", topic.Use, typed, err)
				continue
			}
			for _, word := range rest {
				name := strings.TrimLeft(word, "-")
				if flag := strings.HasPrefix(word, "--"); flag && cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil {
					t.Errorf("%s: %q: no flag %s", topic.Use, typed, word)
				}
				// Words in capitals are for the person to put in: with a value of its own there is nothing to find out.
				if key, value, ok := strings.Cut(strings.Trim(word, "'"), "="); ok && cmd.Name() == "set" && value != strings.ToUpper(value) {
					if _, errs, code := newLaneHome(t).run(t, "", "", []string{"config", "set", "--dry-run", key + "=" + value}); code != 0 {
						t.Errorf("%s: %q: %s", topic.Use, typed, errs)
					}
				}
			}
		}
	}
	if seen < 30 {
		t.Errorf("%d lines", seen)
	}
}

// TestOlderNames: an older name and what it is now print the same bytes, fail alike, and
// change the same; the older ones are shown beside nothing else.
func TestOlderNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ was, is, stdin string }{
		{"why-not 1", "why --not 1", ""},
		{"why-not 1 --answer x", "-q why --answer x --not 1", ""},
		{"why-not", "why --not", ""},
		{"why-not --help", "why --not --help", ""},
		{"erase --yes 1", "forget --for-good --yes 1", ""},
		{"erase --dry-run --json 2", "forget --dry-run 2 --json --for-good", ""},
		{"erase --rehash", "forget --rehash --for-good=true", ""},
		{"erase --keep-sessions --yes -- 1", "forget --keep-sessions --for-good --yes -- 1", ""},
		{"erase", "forget --for-good", ""},
		{"check", "doctor --files", ""},
		{"check --json", "doctor --json --files", ""},
		{"check x", "doctor x --files", ""},
		{"risk ls", "safety test --level ls", ""},
		{"risk --jsonl", "safety test --level --jsonl", `{"id":1,"cmd":"rm -rf /"}` + "\n"},
		{"risk -", "safety test --level -", "git push --force"},
		{"risk --posix git push -f", "safety test --posix --level git push -f", ""},
		{"extract trip", "memory summarize --dry-run trip", ""},
		{"extract --jsonl", "memory summarize --jsonl --dry-run", "{}\n"},
		{"suggest list files", "ask --command list files", ""},
		{"suggest --shell zsh", "ask --shell zsh --command", ""},
		{"memory hygiene --dry-run", "memory tidy hygiene --dry-run", ""},
		{"memory policy list", "memory tidy policy list", ""},
		{"memory scan", "memory tidy scan", ""},
		{"memory reset --all", "memory tidy reset --all", ""},
		{"memory stabilize 1", "memory tidy stabilize 1", ""},
		{"memory compact", "memory tidy compact", ""},
		{"memory plan --json", "memory tidy --json", ""},
		{"memory apply --dry-run", "memory tidy apply --dry-run", ""},
		{"recall tea", "memory search tea", ""},
		{"memory list", "memory", ""},
		{"config show", "config", ""},
		{"memory list --json", "memory --json", ""},
	} {
		t.Run(c.is, func(t *testing.T) {
			t.Parallel()
			type outcome struct {
				Out, Errs string
				Code      int
				Changed   []string
			}
			var got [2]outcome
			for i, line := range []string{c.was, c.is} {
				home := newLaneHome(t)
				var out bytes.Buffer
				o := &got[i]
				o.Changed, o.Errs, o.Code = home.runInto(t, &out, "", c.stdin, strings.Fields(line))
				o.Out = strings.ReplaceAll(out.String(), string(home), "HOME")
				o.Errs = strings.ReplaceAll(o.Errs, string(home), "HOME")
				o.Out = regexp.MustCompile(`masked:api-key:\w+`).ReplaceAllString(o.Out, "masked") // each home has its key
				for _, name := range help.Names() {                                                // what a usage error quotes
					o.Errs = strings.ReplaceAll(o.Errs, "ken "+name.Is, "ken "+name.Name)
				}
			}
			if diff := cmp.Diff(got[0], got[1]); diff != "" {
				t.Errorf("(-%s +%s)\n%s", c.was, c.is, diff)
			}
			if got[0].Out+got[0].Errs == "" {
				t.Error("it says nothing, so it shows nothing")
			}
		})
	}
}

// TestNotRespelled: a word that is text stands for no older name.
func TestNotRespelled(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"ask -- what does --command do", "safety test grep --level x", "recall --not x", "ask what --commander is",
		"forget --for-good=false 1", "x --not",
	} {
		args := strings.Fields(line)
		if got := help.Respell((&program{app: term.New(Env{})}).Root(), args); !slices.Equal(got, args) {
			t.Errorf("%q became %q", args, got)
		}
	}
}
