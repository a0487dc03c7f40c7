package expected

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ken/internal/app"
	"ken/internal/recall"
	"ken/internal/trace"
)

// TestLoad: what cannot be read as tests says in which line, and nothing of it is used.
func TestLoad(t *testing.T) {
	t.Parallel()
	for text, bad := range map[string]string{
		"":                                       "",
		"# nothing\n":                            "",
		"[[test]]\nask = \"a\"\n":                "",
		"[[test]]\nask = \"a\"\nfoo = 1":         "line 3: unknown key test.foo",
		"[[test]]\nask = 1":                      "line 2: ",
		"ask = \"a\"":                            "line 1: unknown key ask",
		"[[test]\n":                              "line 1: ",
		"[[test]]\nthese = \"#1\"":               "line 2: ",
		"\xff\xfe":                               "line 1: ",
		strings.Repeat("[[test]]\n", maxTests+1): "1001 tests are more than",
	} {
		path := filepath.Join(t.TempDir(), "a.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f := Load(path)
		if bad == "" && f.Bad != nil || bad != "" && (f.Bad == nil || !strings.HasPrefix(f.Bad.Error(), bad)) {
			t.Errorf("%.40q: %v, want %q", text, f.Bad, bad)
		}
		if f.Bad != nil && len(f.Tests) > 0 {
			t.Errorf("%.40q: %v, and tests", text, f.Bad)
		}
	}
	if f := Load(t.TempDir()); f.Bad == nil {
		t.Error("a directory is a file of tests")
	}
}

// TestAdd: what is added is read back, behind what stood there; a file that is none stays.
func TestAdd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "tests", "added.toml")
	list := []Test{
		{Ask: "a \"b\"\nc = 1 [[test]] 'd'", In: "~/tea", These: []string{"#1", "phone:7"}},
		{Ask: "ü", Not: []string{"#2"}},
	}
	for _, one := range list {
		if err := Add(t.Context(), path, dir, one); err != nil {
			t.Fatal(err)
		}
	}
	f := Load(path)
	if f.Bad != nil || len(f.Tests) != 2 {
		t.Fatalf("%+v", f)
	}
	for i, want := range list {
		if diff := cmp.Diff(want, f.Tests[i], cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	}
	broken := filepath.Join(dir, "broken.toml")
	if err := os.WriteFile(broken, []byte("[[test"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Add(t.Context(), broken, dir, list[0]); err == nil {
		t.Error("a test was added to what is no file of tests")
	}
	if text, _ := os.ReadFile(broken); string(text) != "[[test" {
		t.Errorf("it is %q now", text)
	}
}

// TestReadIn: the tests of a repository are read inside of it alone.
func TestReadIn(t *testing.T) {
	t.Parallel()
	top, out := t.TempDir(), filepath.Join(t.TempDir(), "out.toml")
	if files, err := ReadIn(top); err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
	err := errors.Join(os.MkdirAll(Dir(top), 0o700), os.WriteFile(out, []byte("[[test]]\nask = \"secret\"\n"), 0o600),
		os.WriteFile(filepath.Join(Dir(top), "b.toml"), []byte("[[test]]\nask = \"b\"\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(out, filepath.Join(Dir(top), "a.toml")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	files, err := ReadIn(top)
	if err != nil || len(files) != 2 || files[0].Bad == nil || len(files[0].Tests) > 0 || len(files[1].Tests) != 1 || files[1].Root != top {
		t.Errorf("%+v, %v", files, err)
	}
	if files, err = Read(filepath.Join(top, "nowhere")); err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
}

// TestDir: a test is asked in a directory that is there; one of a repository nowhere else.
func TestDir(t *testing.T) {
	t.Parallel()
	userDir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	top := filepath.Join(userDir, "tea")
	if err := errors.Join(os.MkdirAll(filepath.Join(top, "sub"), 0o700), os.Symlink("/", filepath.Join(top, "way"))); err != nil {
		t.Fatal(err)
	}
	h := app.Open(app.Options{
		Getenv: func(name string) string {
			return map[string]string{"HOME": userDir, "KEN_HOME": filepath.Join(userDir, "k")}[name]
		},
		Now: time.Now,
	}).View(app.Standing{})
	if _, err := h.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ root, in, want string }{
		{"", "", ""},
		{"", "~/tea", top},
		{"", "~", userDir},
		{"", top, top},
		{"", "tea", "want a whole path"},
		{"", "~/nowhere", "no such file"},
		{top, "", top},
		{top, "sub", filepath.Join(top, "sub")},
		{top, ".", top},
		{top, "..", "leads out"},
		{top, "~", "leads out"},
		{top, "/", "leads out"},
		{top, "way", "leads out"},
		{top, "sub/../..", "leads out"},
	} {
		got, err := File{Root: c.root}.dir(h, c.in)
		if err != nil && strings.Contains(err.Error(), c.want) {
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("in %q: %q = %q, %v; want %q", c.root, c.in, got, err, c.want)
		}
	}
}

// TestWhen: the time of a test is one of TOML or a text.
func TestWhen(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"":                            "2026-06-01T09:00:00Z",
		"at = 2026-07-02":             "2026-07-02T12:00:00Z",
		"at = 2026-07-02T08:00:00":    "2026-07-02T08:00:00Z",
		"at = 2026-07-02T08:00:00Z":   "2026-07-02T08:00:00Z",
		`at = "2026-07-02"`:           "2026-07-02T12:00:00Z",
		`at = "2026-07-02T08:00:00Z"`: "2026-07-02T08:00:00Z",
		`at = "soon"`:                 "",
		`at = 3`:                      "",
		`at = 08:00:00`:               "",
		`at = ["2026-07-02"]`:         "",
	} {
		f := File{}
		f.parse([]byte("[[test]]\n"+text), nil)
		if f.Bad != nil {
			t.Fatal(f.Bad)
		}
		at, err := f.Tests[0].when(now)
		if got := at.Format(time.RFC3339); err == nil && got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %s, %v; want %q", text, got, err, want)
		}
	}
}

// TestOf: a test of an answer expects what the question called up, and what is named.
func TestOf(t *testing.T) {
	t.Parallel()
	tr := trace.Trace{Chosen: []trace.Given{
		{Ref: "1", Parts: []recall.Part{{Name: recall.PartWords, Score: 1}}},
		{Ref: "2", Parts: []recall.Part{{Name: recall.PartWords, Score: 1}}},
		{Ref: "3", Standing: true},
		{Ref: "4", Standing: true, Parts: []recall.Part{{Name: recall.PartWords, Score: 1}}},
	}}
	got := Of("q", tr, "~/tea", []string{"9", "#1"}, []string{"2"})
	if got.Ask != "q" || got.In != "~/tea" || !slices.Equal(got.These, []string{"#1", "#4", "#9"}) || !slices.Equal(got.Not, []string{"#2"}) {
		t.Errorf("%+v", got)
	}
}

// FuzzParse: no file of tests ends the program, what is read can be written, and is read the same.
func FuzzParse(f *testing.F) {
	f.Add([]byte("[[test]]\nask = \"a\"\nthese = [\"#1\"]\n"))
	f.Add([]byte("[[test]]\nask = '''\n[[test]]'''\nat = 2026-01-01\nnot = [\"\u202ex\"]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var file File
		file.parse(text, nil)
		if file.Bad != nil || len(file.Tests) == 0 || len(file.Tests) > 3 {
			return
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "a.toml")
		for _, one := range file.Tests {
			one.At = nil // any value of TOML: it is kept as it is, or not
			if err := Add(t.Context(), path, dir, one); err != nil {
				t.Fatal(err)
			}
		}
		back := Load(path)
		if errors.Is(back.Bad, fs.ErrNotExist) || back.Bad != nil || len(back.Tests) != len(file.Tests) {
			t.Fatalf("%+v: %+v", file.Tests, back)
		}
		for i := range back.Tests {
			if back.Tests[i].Ask != file.Tests[i].Ask {
				t.Errorf("%q is %q now", file.Tests[i].Ask, back.Tests[i].Ask)
			}
		}
	})
}
