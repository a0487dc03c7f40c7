package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/session"
)

func testDir(t *testing.T) session.Dir {
	t.Helper()
	data := t.TempDir()
	return session.Dir{
		Path: filepath.Join(data, "sessions"), Lock: data, Run: filepath.Join(data, "run"),
		Now: func() time.Time { return time.Date(2026, 5, 10, 0, 0, 0, 0, time.UTC) },
	}
}

func read(t *testing.T, text string) []Turn {
	t.Helper()
	turns, bad, err := ReadTurns(strings.NewReader(text), Options{})
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	return turns
}

// TestReadTurns: a line is a turn, or is told with its number and why.
func TestReadTurns(t *testing.T) {
	t.Parallel()
	mask := func(s string) string { return strings.ReplaceAll(s, "SECRET", "[masked]") }
	for _, c := range []struct {
		line string
		want Turn
		bad  string
	}{
		{
			line: `{"session":"a/b:c","turn":3,"ts":"2026-05-10T19:00:04Z","speaker":"Ada","text":"hi"}`,
			want: Turn{Session: "a/b:c", Name: []byte("3"), Time: time.Date(2026, 5, 10, 19, 0, 4, 0, time.UTC), Role: "user", Speaker: "Ada", Text: "hi", Scope: "team"},
		},
		{
			line: `{"session":12,"turn":"D1:3","ts":"2026-05-10T19:00","role":"assistant","text":"x SECRET\u001b[31m","scope":"conv 1","speaker":null,"mood":"SECRET","more":[1, 2]}`,
			want: Turn{
				Session: "12", Given: []byte("12"), Name: []byte(`"D1:3"`), Time: time.Date(2026, 5, 10, 19, 0, 0, 0, time.UTC), Role: "assistant",
				Text: "x [masked]", Scope: "conv 1", Extra: []session.Field{{Name: "given_mood", Value: []byte(`"[masked]"`)}, {Name: "given_more", Value: []byte("[1, 2]")}},
			},
		},
		{line: `{"session":"s","turn":1,"text":"x","ts":0}`, want: Turn{Session: "s", Name: []byte("1"), Time: time.Unix(0, 0).UTC(), Role: "user", Text: "x", Scope: "team"}},
		{line: `{"turn":1,"text":"x"}`, bad: "no session"},
		{line: `{"session":"s","text":"x"}`, bad: "no turn"},
		{line: `{"session":"s","turn":1}`, bad: "no text"},
		{line: `{"session":"s","turn":1,"text":" \n"}`, bad: "no text"},
		{line: `{"session":"s","turn":1,"text":7}`, bad: "text: want a string, got 7"},
		{line: `{"session":true,"turn":1,"text":"x"}`, bad: "session: want a string or a whole number, got true"},
		{line: `{"session":"s","turn":1.5,"text":"x"}`, bad: "turn: want a string or a whole number, got 1.5"},
		{line: `{"session":"SECRET","turn":1,"text":"x"}`, bad: "session: not a name"},
		{line: `{"session":"a\nb","turn":1,"text":"x"}`, bad: "session: not a name"},
		{line: `{"session":"` + strings.Repeat("x", maxName+1) + `","turn":1,"text":"x"}`, bad: "session: not a name"},
		{line: `{"session":"s","turn":1,"text":"x","ts":"yesterday"}`, bad: "ts: want a time"},
		{line: `{"session":"s","turn":1,"text":"x","speaker":7}`, bad: "speaker: want a string, got 7"},
		{line: `{"session":"s","turn":1,"text":"x","scope":""}`, bad: "scope: not a name"},
		{line: `{"session":"s","turn":1,"text":"x","role":""}`, bad: "role: not a name"},
		{line: `{"session":"s","turn":1,"text":"x","text":"y"}`, bad: "text stands there twice"},
		{line: `{"session":"s","turn":1,"text":"x","SECRET":1}`, bad: "[masked]: seems to hold a secret"},
		{line: `{"session":"s","turn":1,"text":"x","deep":["SECRET"]}`, bad: "deep: seems to hold a secret"},
		{line: `[]`, bad: "object"},
		{line: `{"session"`, bad: ""},
	} {
		turns, bad, err := ReadTurns(strings.NewReader("\n"+c.line+"\n"), Options{Scope: "team", Mask: mask})
		if err != nil {
			t.Fatal(err)
		}
		if c.want.Session == "" {
			if len(turns) != 0 || len(bad) != 1 || bad[0].Line != 2 || !strings.Contains(bad[0].Error(), c.bad) || !strings.HasPrefix(bad[0].Error(), "line 2: ") {
				t.Errorf("%s: turns %v, told %v", c.line, turns, bad)
			}
			continue
		}
		if diff := cmp.Diff([]Turn{c.want}, turns); diff != "" || len(bad) != 0 {
			t.Errorf("%s: %v\n%s", c.line, bad, diff)
		}
	}
	broken := errors.New("broken")
	if _, _, err := ReadTurns(failing{broken}, Options{}); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
	_, bad, err := ReadTurns(strings.NewReader(`{"text":"`+strings.Repeat("x", session.MaxLine)+`"}`), Options{})
	if err != nil || len(bad) != 1 || !errors.Is(bad[0], session.ErrTooLong) {
		t.Errorf("a line without end: %v, %v", err, bad)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestImport: turns come back as they were given, doing it twice changes no
// byte, and a text that changed replaces the older one under its number.
func TestImport(t *testing.T) {
	t.Parallel()
	dir := testDir(t)
	first := `{"session":"a/b","turn":"x","ts":"2026-05-10T19:00:04Z","speaker":"Ada","text":"one","mood":1}
{"session":7,"turn":1,"text":"other","scope":"q"}
{"session":"a/b","turn":2,"text":"two","scope":"q"}
{"session":"a/b","turn":"x","text":"one of q","scope":"q"}
{"session":"a/b","turn":9,"text":"nine"}
`
	want := func(when string, got Counts, err error, want Counts) {
		t.Helper()
		if err != nil || got != want {
			t.Fatalf("%s: %+v, %v, want %+v", when, got, err, want)
		}
	}
	c, _, err := Import(t.Context(), dir, read(t, first))
	want("first", c, err, Counts{Sessions: 2, Added: 5})
	before := files(t, dir)
	c, _, err = Import(t.Context(), dir, read(t, first))
	want("again", c, err, Counts{Sessions: 2, Same: 5})
	if diff := cmp.Diff(before, files(t, dir)); diff != "" {
		t.Fatalf("importing again changed a file:\n%s", diff)
	}
	path, err := dir.Find("a/b")
	if err != nil {
		t.Fatal(err)
	}
	text := before[filepath.Base(path)]
	wantText := `{"meta":{"format":1,"session":"a/b","started":"2026-05-10T19:00:04Z","channel":"import","scope":"user"}}
{"ts":"2026-05-10T19:00:04Z","role":"user","content":"one","n":1,"from":"import","speaker":"Ada","given":"x","given_mood":1}
{"role":"user","content":"two","n":2,"scope":"q","from":"import"}
{"role":"user","content":"one of q","n":3,"from":"import","given":"x"}
{"role":"user","content":"nine","n":4,"scope":"user","from":"import","given":9}
`
	if diff := cmp.Diff(wantText, text); diff != "" {
		t.Fatalf("the file:\n%s", diff)
	}
	if seven, err := dir.Find("7"); err != nil || !strings.Contains(before[filepath.Base(seven)], `"given":7`) {
		t.Errorf("the number of a session: %v", err)
	}

	c, _, err = Import(t.Context(), dir, read(t, strings.Replace(first, `"nine"`, `"ten"`, 1)+`{"session":"a/b","turn":10,"text":"new"}`))
	want("changed", c, err, Counts{Sessions: 2, Same: 4, Changed: 1, Added: 1})
	tr, err := session.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := tr.Turn(4); got.Content != "ten" {
		t.Errorf("the changed turn: %+v", got)
	}
	if got, _ := tr.Turn(5); got.Content != "new" || string(got.Extra[0].Value) != "10" {
		t.Errorf("the new turn: %+v", got)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(after, []byte(text)) {
		t.Errorf("%v; what was there before changed", err)
	}
}

// TestImportHeld: a session that somebody goes on with is not written to.
func TestImportHeld(t *testing.T) {
	t.Parallel()
	dir := testDir(t)
	turns := read(t, `{"session":"s","turn":1,"text":"x"}`)
	if _, _, err := Import(t.Context(), dir, turns); err != nil {
		t.Fatal(err)
	}
	path, err := dir.Find("s")
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := dir.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	_, _, err = Import(t.Context(), dir, read(t, `{"session":"s","turn":2,"text":"y"}`))
	if !errors.Is(err, session.ErrHeld) || !strings.Contains(err.Error(), "session s") {
		t.Errorf("while it is open: %v", err)
	}
}

// TestImportTogether: imports of the same turns at the same time leave them
// there once.
func TestImportTogether(t *testing.T) {
	t.Parallel()
	dir := testDir(t)
	var text strings.Builder
	for i := range 50 {
		fmt.Fprintf(&text, `{"session":"s%d","turn":%d,"text":"t"}`+"\n", i%7, i)
	}
	turns := read(t, text.String())
	done := make(chan error)
	for range 4 {
		go func() {
			for {
				_, _, err := Import(t.Context(), dir, turns)
				if !errors.Is(err, session.ErrHeld) {
					done <- err
					return
				}
			}
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for name, text := range files(t, dir) {
		if strings.Count(text, `"meta"`) != 1 {
			t.Errorf("%s has two headers:\n%s", name, text)
		}
		n += strings.Count(text, `"role"`)
	}
	if n != 50 {
		t.Errorf("%d turns, want 50", n)
	}
}

// TestFileName: every name of a session gives a name of a file, each its own.
func TestFileName(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, name := range []string{"s", "S", "a/b", "a:b", "..", ".", "-x", "ß", strings.Repeat("x", maxName), strings.Repeat("x", maxName-1), "con"} {
		file := fileName(name)
		if before, ok := seen[strings.ToLower(file)]; ok {
			t.Errorf("%q and %q are both %s", before, name, file)
		}
		seen[strings.ToLower(file)] = name
		if len(file) > 100 || file != filepath.Base(file) || file[0] == '.' || file[0] == '-' || strings.ContainsAny(file, ":/\\ ") {
			t.Errorf("%q: file %q", name, file)
		}
	}
}

func files(t *testing.T, dir session.Dir) map[string]string {
	t.Helper()
	paths, err := dir.Imports().Paths()
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string)
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(p)] = string(b)
	}
	return texts
}

// FuzzReadTurns: every line is a turn, told, or blank; and a turn that was read
// can be written and read back.
func FuzzReadTurns(f *testing.F) {
	f.Add([]byte(`{"session":"a","turn":3,"ts":"2026-05-10T19:00:04Z","speaker":"Ada","text":"hi","x":{"y":[1]}}`))
	f.Add([]byte("{\"session\":1,\"turn\":\"D1:3\",\"text\":\"a\\u0000b\",\"role\":\"tool\"}\n\n[]\n{"))
	f.Fuzz(func(t *testing.T, b []byte) {
		turns, bad, err := ReadTurns(bytes.NewReader(b), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(b, []byte("\n")) + 1; len(turns)+len(bad) > lines {
			t.Fatalf("%d turns and %d told of %d lines", len(turns), len(bad), lines)
		}
		for _, turn := range turns {
			line, err := turn.turn(1).Line()
			if err != nil {
				t.Fatalf("turn %+v cannot be written: %v", turn, err)
			}
			tr, err := session.Read(bytes.NewReader(line), "s")
			if err != nil || len(tr.Problems) > 0 || len(tr.Turns()) != 1 || tr.Turns()[0].Content != turn.Text {
				t.Fatalf("%s is read back as %+v, %v", line, tr, err)
			}
		}
	})
}
