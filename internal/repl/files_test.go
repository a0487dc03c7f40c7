package repl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// someFiles is a directory to complete in.
func someFiles(t *testing.T) Files {
	t.Helper()
	dir := t.TempDir()
	f := Files{Dir: filepath.Join(dir, "here"), Home: filepath.Join(dir, "home"), Path: filepath.Join(dir, "bin") + string(os.PathListSeparator) + filepath.Join(dir, "nowhere")}
	for name, mode := range map[string]os.FileMode{
		"here/notes.txt": 0o600, "here/notes two.txt": 0o600, "here/it's.txt": 0o600, "here/größe.txt": 0o600, "here/.hidden": 0o600,
		"here/sub/deep.txt": 0o600, "here/sub dir/x": 0o600, "here/run.sh": 0o700, "here/bad\x1b[2J": 0o600, "here/$HOME": 0o600,
		"home/dotfile": 0o600, "bin/nano": 0o700, "bin/nam e": 0o700, "bin/nodata": 0o600,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// TestFiles: programs where a command begins, files elsewhere, quoted as the
// line is.
func TestFiles(t *testing.T) {
	t.Parallel()
	f := someFiles(t)
	for _, c := range []struct{ line, want string }{
		{"na", "nam\\ e |nano "},
		{"ls; na", "nam\\ e |nano "},
		{"ls && na", "nam\\ e |nano "},
		{"echo $(na", "nam\\ e |nano "},
		{"no", ""}, // it cannot be run
		{"cat no", "notes.txt |notes\\ two.txt "},
		{"cat <no", "notes.txt |notes\\ two.txt "},
		{"cat notes\\ ", "notes\\ two.txt "},
		{`cat "notes`, `"notes two.txt" |"notes.txt" `},
		{`cat 'notes t`, `'notes two.txt' `},
		{"cat it", `it\'s.txt `},
		{"cat 'it", ""}, // cannot be said so
		{`cat "it`, `"it's.txt" `},
		{"cat su", "sub/|sub\\ dir/"},
		{`cat "sub `, `"sub dir/`},
		{"cat sub/", "sub/deep.txt "},
		{"cat ./sub/d", "./sub/deep.txt "},
		{"cat grö", "größe.txt "},
		{"cat .h", ".hidden "},
		{"cat bad", ""},
		{"cat '$", "'$HOME' "},
		{"cat \\$", "\\$HOME "},
		{"cat ~/d", "~/dotfile "},
		{"cat '~/d", ""},
		{"cat nowhere/x", ""},
		{"./r", "./run.sh "},
		{"./n", ""},
		{"su", ""},
	} {
		got := f.Complete(c.line, 0)
		var words []string
		for _, w := range got.Words {
			if !strings.HasPrefix(w.Text, c.line[got.From:]) {
				t.Errorf("%q: %q does not go on with %q", c.line, w.Text, c.line[got.From:])
			}
			words = append(words, w.Text)
		}
		if diff := cmp.Diff(c.want, strings.Join(words, "|")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.line, diff)
		}
	}
	if got := f.Complete(": $cat no", 3); got.From != 7 || len(got.Words) != 2 {
		t.Errorf("behind a sigil: %v", got)
	}
}

// FuzzFiles: a line never panics; and a name comes out of the shell's own quoting as
// it is.
func FuzzFiles(f *testing.F) {
	for _, seed := range []string{"", "a b", "'x", "~/a", "$x `y` !z", "a\\", "ls | \"", "#{}[]*?~="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at, _ := lastWord(s)
		if at < 0 || at > len(s) {
			t.Fatalf("%q: at %d", s, at)
		}
		unquote(s[at:])
		if s == "" || strings.ContainsAny(s, "\x00\n\r") || hasControl(s) || strings.HasPrefix(s, "~/") {
			return
		}
		for _, quote := range []byte{0, '\'', '"'} {
			text := requote(s, quote, true)
			if text == "" {
				continue
			}
			file, err := parse("x " + text)
			if err != nil {
				t.Fatalf("%q as %q: %v", s, text, err)
			}
			call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
			if !ok || len(call.Args) != 2 {
				t.Fatalf("%q as %q is no word", s, text)
			}
			if got, err := expand.Fields(&expand.Config{}, call.Args[1]); err != nil || len(got) != 1 || got[0] != s {
				t.Errorf("%q as %q is %q, %v", s, text, got, err)
			}
		}
	})
}

// TestIncomplete: where Enter begins another line of the same one.
func TestIncomplete(t *testing.T) {
	t.Parallel()
	w := testContext()
	for text, want := range map[string]bool{
		"":                         false,
		"hello":                    false,
		"hello \\":                 true,
		"hello \\\\":               false,
		"hello \\\nworld":          false,
		"it's fine":                false, // a sentence
		"git isn't for me":         false,
		"git commit -m \"one":      true,
		"git commit -m \"one\ntwo": true,
		"git commit -m \"a\nb\"":   false,
		"$for i in 1 2; do":        true,
		"$for i in 1; do\ndone":    false,
		"$cat <<E":                 true,
		"$cat <<E\ntext\nE":        false,
		"$ls |":                    true,
		"$ls &&":                   true,
		"$ls \\":                   true,
		"$echo 'a":                 true,
		"$)":                       false, // wrong, and not because it ends
		":remember it's":           false,
		":remember a\\":            false,
	} {
		if got := Incomplete(text, w); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestShortDir: what a prompt shows of a directory fits.
func TestShortDir(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dir   string
		cells int
		want  string
	}{
		{"~", 10, "~"},
		{"~/src/ken", 9, "~/src/ken"},
		{"~/src/go/ken", 11, "~/…/go/ken"},
		{"~/src/go/ken", 9, "~/…/ken"},
		{"/usr/share/doc/ken", 12, "…/doc/ken"},
		{"/usr/日本語/ken", 12, "…/日本語/ken"},
		{"/a/" + strings.Repeat("x", 40), 12, "…/xxxxxxxxx…"},
		{"", 10, ""},
		{"~/src/go/ken", -5, "~/…/ken"},
	} {
		if got := ShortDir(c.dir, c.cells, "…"); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.dir, c.cells, got, c.want)
		}
	}
}
