package prompts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/fault"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"plain.md": "Say hello.\n",
		"review.md": "\ufeff---\r\ndescription: \"look at: a change\"\r\nargs: FILE\r\nmodel: deep\r\nallowed-tools: Bash(*)\r\n" +
			"---\r\n\r\nRead $1.\r\n\r\n---\r\nend\r\n",
		"claude.md":    "---\nargument-hint: [FILE]\n---\nRead $ARGUMENTS.",
		"bytes.md":     "fine\n\xff\xfe\n",
		"control.md":   "one\ntwo \x1b[2J\n",
		"hidden.md":    "one\ntwo \u202e evil\n",
		"empty.md":     "---\ndescription: x\n---\n\n",
		"open.md":      "---\ndescription: x\n",
		"big.md":       strings.Repeat("x", MaxBytes+1),
		"Upper.md":     "no",
		"notes.txt":    "no",
		".dotted.md":   "no",
		"a\x1b[2J.md":  "no",
		"includes.md":  "@includes.md and !`ls`",
		"just-fits.md": strings.Repeat("x", MaxBytes),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("circle.md", filepath.Join(dir, "circle.md")); err != nil {
		t.Fatal(err)
	}
	d := Dir(dir)
	names, others := d.Names()
	want := strings.Fields("big bytes circle claude control empty folder hidden includes just-fits open plain review")
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names (-want +got)\n%s", diff)
	}
	if strings.Join(others, " ") != "Upper.md a.md" {
		t.Errorf("others: %q", others)
	}
	for name, want := range map[string]Prompt{
		"plain":    {Text: "Say hello."},
		"review":   {About: "look at: a change", Args: "FILE", Model: "deep", Text: "Read $1.\n\n---\nend"},
		"claude":   {Args: "[FILE]", Text: "Read $ARGUMENTS."},
		"includes": {Text: "@includes.md and !`ls`"},
	} {
		want.Name, want.Path = name, filepath.Join(dir, name+".md")
		got, err := d.Load(name)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", name, err, diff)
		}
	}
	for name, want := range map[string]string{
		"bytes": "line 2 is not UTF-8", "control": "line 2 holds a control character", "hidden": "line 2 holds", "empty": "it has no text",
		"open": "its head has no end", "big": "it is longer than 64 kB", "folder": "not a regular file", "circle": "links",
	} {
		if _, err := d.Load(name); err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), name+".md") != 1 {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	for _, name := range []string{"none", "../plain", "", "Upper", "a b", strings.Repeat("a", 41)} {
		if _, err := d.Load(name); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%q: %v, want not found", name, err)
		}
	}
	if names, others := Dir(filepath.Join(dir, "nowhere")).Names(); names != nil || others != nil {
		t.Errorf("of a directory that is not there: %q %q", names, others)
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, all, want string }{
		{"Say hello.", "", "Say hello."},
		{"Say hello.", " to Ada ", "Say hello.\n\nto Ada"},
		{"Read $ARGUMENTS twice: {{args}}, {{ args }}", "a b", "Read a b twice: a b, a b"},
		{"From $2 to $1 and $3.", "a b", "From b to a and ."},
		{"It costs $10 or \\$1; $1st, $ARGUMENTSX, {{other}}", "x", "It costs $10 or $1; $1st, $ARGUMENTSX, {{other}}\n\nx"},
		{"$1", "$ARGUMENTS {{args}} $2", "$ARGUMENTS"},
		{"{{args}}", "{{args}} $1 @file", "{{args}} $1 @file"},
	} {
		got, err := Prompt{Name: "x", Text: c.text}.Fill(c.all, strings.Fields(c.all))
		if got != c.want || err != nil {
			t.Errorf("%q of %q: %q %v, want %q", c.text, c.all, got, err, c.want)
		}
	}
	if _, err := (Prompt{Name: "x", Args: "FILE", Text: "Read $1"}).Fill(" ", nil); fault.KindOf(err) != fault.Usage {
		t.Errorf("without a wanted argument: %v", err)
	}
	if _, err := (Prompt{Name: "x", Args: "[FILE]", Text: "Read $1"}).Fill("", nil); err != nil {
		t.Errorf("without one that is not wanted: %v", err)
	}
	if _, err := (Prompt{Name: "x", Text: "Read $1"}).Role(); fault.KindOf(err) != fault.Usage {
		t.Errorf("a command as a role: %v", err)
	}
	if got, err := (Prompt{Text: `Be brief. \$5`}).Role(); got != "Be brief. $5" || err != nil {
		t.Errorf("a role: %q %v", got, err)
	}
}

// TestFillOnce: what is put in place of an argument comes through as it is, whatever it is.
func TestFillOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		all := strings.TrimSpace(rapid.StringMatching(`[a-z$1{}\\]{0,12}( \$ARGUMENTS| \{\{args\}\}| \\\$)?`).Draw(rt, "all"))
		got, err := Prompt{Text: "<$ARGUMENTS|{{args}}>"}.Fill(all, nil)
		if err != nil || got != "<"+all+"|"+all+">" {
			rt.Fatalf("%q: %q %v", all, got, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("---\ndescription: x\n---\ntext $1")
	f.Fuzz(func(t *testing.T, raw string) {
		p := Prompt{}
		if p.parse(raw) == nil && strings.TrimSpace(p.Text) == "" {
			t.Errorf("%q has no text", raw)
		}
		_, _ = p.Fill("a b", []string{"a", "b"})
	})
}
