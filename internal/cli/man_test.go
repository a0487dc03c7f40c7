package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"ken/internal/cli/help"
	"ken/internal/cli/term"
	"ken/internal/proctest"
)

// TestManPages: every visible command has a page that says what it is, how it is
// called and what its flags do, and that a formatter takes without a word.
func TestManPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	var out strings.Builder
	env := Env{Args: []string{"man", dir}, Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }}
	if code := Main(t.Context(), env); code != 0 {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.Base(f)] = string(text)
	}
	wanted := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		wanted++
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		page := pages[name]
		if cmd.Short == "" || !strings.Contains(page, escape(cmd.Short)) {
			t.Errorf("%s does not say what the command is: %q", name, page)
		}
		for _, line := range strings.Split(cmd.Flags().FlagUsages(), "\n") {
			if _, flag, ok := strings.Cut(line, "--"); ok {
				flag, _, _ = strings.Cut(flag, " ")
				if flag != "help" && !strings.Contains(page, `\-\-`+escape(flag)+`\fR`) {
					t.Errorf("%s does not tell --%s", name, flag)
				}
			}
		}
		for _, c := range cmd.Commands() {
			if (!c.Hidden || help.HasPage(c)) && c.Name() != "help" {
				walk(c)
			}
		}
	}
	walk((&program{app: term.New(env)}).Root())
	if len(pages) != wanted {
		t.Errorf("%d pages of %d commands", len(pages), wanted)
	}
	for _, c := range []string{`.TH "KEN" 1`, ".SH IN THE SHELL", `\fB:rename\fR`, `\fBKEN_HOME\fR`, ".SH EXIT STATUS"} {
		if !strings.Contains(pages["ken.1"], c) {
			t.Errorf("ken.1 has no %s", c)
		}
	}
	for _, formatter := range [][]string{{"groff", "-man", "-Tutf8", "-ww", "-z"}, {"mandoc", "-Tlint", "-Werror"}} {
		if _, err := exec.LookPath(formatter[0]); err != nil {
			continue
		}
		out, err := proctest.Command(t, formatter[0], append(slices.Clone(formatter[1:]), files...)...).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", formatter[0], err, out)
		}
	}
}

func TestRoffText(t *testing.T) {
	t.Parallel()
	r := &roff{}
	r.text("It's a \\ and\n.SH no\n\n'quoted' -x:\n\n  exact  blanks\n  .and dots\nback")
	want := `It\(aqs a \e and
\&.SH no
.PP
\(aqquoted\(aq \-x:
.PP
.PP
.nf
  exact  blanks
  .and dots
.fi
back
`
	if diff := cmp.Diff(want, r.b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCommandsAtAGlance: what a command does fits on its line of a list of commands
// on a terminal of 80 cells, begins small and is no sentence.
func TestCommandsAtAGlance(t *testing.T) {
	t.Parallel()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			if !c.Hidden && (len(c.Short) > 66 || strings.HasSuffix(c.Short, ".") || strings.ToLower(c.Short[:1]) != c.Short[:1]) {
				t.Errorf("%s: %q", c.CommandPath(), c.Short)
			}
			walk(c)
		}
	}
	walk((&program{app: term.New(Env{})}).Root())
}
