package trust

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// file is a log as Read gives it.
func file(name, text string) File {
	f := File{Log: name, Path: PathOf(name), Text: []byte(text)}
	f.SHA256 = sumOf(f.Text)
	return f
}

func TestDecide(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "trust.jsonl")
	if b, err := Load(path); err != nil || len(b.All)+len(b.Bad) != 0 {
		t.Fatalf("a missing file: %+v, %v", b, err)
	}
	f := file("team", "{\"content\":\"a\"}\n\n{\"content\":\"b\"}")
	want := []Decision{
		f.Decide("repo:h/a", Use, noon()),
		f.Decide("repo:h/b", Ignore, noon()),
		f.Decide("dir:~/x \"y\"", Never, noon()),
		{Time: noon(), Scope: "repo:h/a", File: f.Path, Verdict: Revoke},
	}
	if err := Decide(t.Context(), path, want[:1]...); err != nil {
		t.Fatal(err)
	}
	if err := Decide(t.Context(), path, want[1:]...); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil || len(got.Bad) > 0 {
		t.Fatal(got.Bad, err)
	}
	if diff := cmp.Diff(want, got.All); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if n := len(want[0].Lines); n != 3 {
		t.Errorf("%d lines have names, want 3", n)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "content") {
		t.Errorf("what the repository says was copied:\n%s", text)
	}
	if runtime.GOOS != "windows" {
		for name, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
			if fi, err := os.Stat(name); err != nil || fi.Mode().Perm() != mode {
				t.Errorf("%s: %v, %v", name, fi.Mode(), err)
			}
		}
	}
}

// TestLoadDamaged: a line that cannot be read is reported, and costs itself.
func TestLoadDamaged(t *testing.T) {
	t.Parallel()
	good := string(file("team", "x\n").Decide("repo:h/a", Use, noon()).appendJSON(nil))
	bad := []string{
		"noise",
		`{}`,
		`[]`,
		`{"scope":"repo:h/a","file":"x","verdict":"yes"}`,
		`{"scope":"repo:h/a","file":"x","verdict":"use"}`,
		`{"scope":"repo:h/a","verdict":"never"}`,
		`{"file":"x","verdict":"never"}`,
		`{"scope":7,"file":"x","verdict":"never"}`,
		`{"scope":"repo:h/a","file":"x","sha256":"a","verdict":"use","lines":"x"}`,
		strings.TrimSuffix(good, "}"),
	}
	path := filepath.Join(t.TempDir(), "trust.jsonl")
	text := strings.Join(append(bad, good, "", strings.TrimSuffix(good, "}")+`,"more":[1]}`), "\n")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := Load(path)
	if err != nil || len(b.All) != 2 || len(b.Bad) != len(bad) {
		t.Fatalf("%d decisions, %d bad: %v, %v", len(b.All), len(b.Bad), b.Bad, err)
	}
	if want := path + ": line 1: "; !strings.HasPrefix(b.Bad[0].Error(), want) {
		t.Errorf("%v, want %s", b.Bad[0], want)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil {
		t.Error("a directory was read")
	}
}

// TestOf: what was said about a file, for these bytes and for others.
func TestOf(t *testing.T) {
	t.Parallel()
	a, b := file("team", "one\ntwo\n"), file("team", "one\ntwo\nthree\n")
	other := file("else", "one\ntwo\n")
	say := func(f File, scope string, v Verdict) Decision { return f.Decide(scope, v, noon()) }
	const here, elsewhere = "repo:h/a", "repo:h/b"
	for _, c := range []struct {
		name      string
		decisions []Decision
		f         File
		want      Verdict
		news      string // the lines to be shown
		gone      int
		clash     string
	}{
		{"nothing said", nil, a, "", "one two", 0, ""},
		{"used", []Decision{say(a, here, Use)}, a, Use, "", 0, ""},
		{"changed", []Decision{say(a, here, Use)}, b, "", "three", 0, ""},
		{"cut", []Decision{say(b, here, Use)}, a, "", "", 1, ""},
		{"cut and back", []Decision{say(b, here, Use), say(a, here, Use)}, b, Use, "", 0, ""},
		{"edited", []Decision{say(a, here, Use)}, file("team", "one\ndue\n"), "", "due", 1, ""},
		{"another order", []Decision{say(a, here, Use)}, file("team", "two\none\n"), "", "one", 1, ""},
		{"said twice", []Decision{say(a, here, Use)}, file("team", "one\ntwo\none\n"), "", "one", 0, ""},
		{"a line end less", []Decision{say(a, here, Use)}, file("team", "one\ntwo"), "", "", 0, ""},
		{"another line end", []Decision{say(a, here, Use)}, file("team", "one\r\ntwo\n"), "", "one\r", 1, ""},
		{"emptied", []Decision{say(a, here, Use)}, file("team", ""), "", "", 2, ""},
		{"ignored", []Decision{say(a, here, Ignore)}, a, Ignore, "one two", 0, ""},
		{"ignored, then changed: all is new", []Decision{say(a, here, Ignore)}, b, "", "one two three", 0, ""},
		{"used, then more ignored, then changed", []Decision{say(a, here, Use), say(b, here, Ignore)}, file("team", "one\ntwo\nthree\nfour\n"), "", "three four", 0, ""},
		{"used, then ignored", []Decision{say(a, here, Use), say(a, here, Ignore)}, a, Ignore, "", 0, ""},
		{"never", []Decision{say(a, here, Never)}, b, Never, "one two three", 0, ""},
		{"used, then never", []Decision{say(a, here, Use), say(a, here, Never)}, a, Never, "", 0, ""},
		{"never, then used", []Decision{say(a, here, Never), say(a, here, Use)}, a, Use, "", 0, ""},
		{"revoked", []Decision{say(a, here, Use), say(a, here, Revoke)}, a, "", "one two", 0, ""},
		{"never, then revoked", []Decision{say(a, here, Never), say(a, here, Revoke)}, a, "", "one two", 0, ""},
		{"revoked elsewhere", []Decision{say(a, here, Use), say(a, elsewhere, Revoke)}, a, Use, "", 0, ""},
		{"never elsewhere", []Decision{say(a, elsewhere, Never)}, a, "", "one two", 0, ""},
		{"used elsewhere: a copy", []Decision{say(a, elsewhere, Use)}, b, "", "one two three", 0, ""},
		{"used elsewhere: another log", []Decision{say(a, elsewhere, Use)}, file("team", "x\n"), "", "x", 0, elsewhere},
		{"used elsewhere and taken back: another log", []Decision{say(a, elsewhere, Use), say(a, elsewhere, Revoke)}, file("team", "x\n"), "", "x", 0, elsewhere},
		{"used elsewhere under another name", []Decision{say(other, elsewhere, Use)}, file("team", "x\n"), "", "x", 0, ""},
		{"another file", []Decision{say(other, here, Use)}, a, "", "one two", 0, ""},
	} {
		s := Decisions{All: c.decisions}.Of(c.f, func(scope string) bool { return scope == here })
		var news []string
		lines := strings.Split(string(c.f.Text), "\n")
		for _, l := range s.New {
			news = append(news, string(l.Text))
			if lines[l.Number-1] != string(l.Text) {
				t.Errorf("%s: line %d is %q", c.name, l.Number, l.Text)
			}
		}
		if c.want == Ignore || c.want == Never {
			continue // what is new is for those who change their mind
		}
		if s.Verdict != c.want || strings.Join(news, " ") != c.news || s.Gone != c.gone || s.Clash != c.clash {
			t.Errorf("%s: %q, new %q, %d gone, clash %q; want %q, %q, %d, %q", c.name, s.Verdict, news, s.Gone, s.Clash, c.want, c.news, c.gone, c.clash)
		}
		if (s.Verdict == "") == !s.Time.IsZero() {
			t.Errorf("%s: decided at %v", c.name, s.Time)
		}
	}
	for _, c := range []struct {
		name      string
		decisions []Decision
		want      Verdict
	}{
		{"ignored", []Decision{say(a, here, Use), say(a, here, Ignore)}, Ignore},
		{"never", []Decision{say(a, here, Use), say(b, here, Never)}, Never},
	} {
		if s := (Decisions{All: c.decisions}).Of(a, func(scope string) bool { return scope == here }); s.Verdict != c.want || s.Time != noon() {
			t.Errorf("%s: %q at %v", c.name, s.Verdict, s.Time)
		}
	}
}

func TestStanding(t *testing.T) {
	t.Parallel()
	a, b := file("team", "one\n"), file("else", "two\n")
	list := []Decision{
		a.Decide("repo:h/a", Use, noon()), b.Decide("repo:h/a", Never, noon()), a.Decide("repo:h/b", Use, noon()),
		a.Decide("repo:h/a", Ignore, noon()), a.Decide("repo:h/b", Revoke, noon()),
	}
	if diff := cmp.Diff([]Decision{list[1], list[3]}, Decisions{All: list}.Standing()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestCommon: what stays is a sequence of both, and no longer one exists.
func TestCommon(t *testing.T) {
	t.Parallel()
	words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 8)
	rapid.Check(t, func(t *rapid.T) {
		before, now := words.Draw(t, "before"), words.Draw(t, "now")
		var kept []string
		for i, k := range common(before, now) {
			if k {
				kept = append(kept, now[i])
			}
		}
		rest := before
		for _, w := range kept {
			i := 0
			for i < len(rest) && rest[i] != w {
				i++
			}
			if i == len(rest) {
				t.Fatalf("%v is no sequence of %v", kept, before)
			}
			rest = rest[i+1:]
		}
		if n := longest(before, now); n != len(kept) {
			t.Fatalf("%v and %v: kept %v, %d are possible", before, now, kept, n)
		}
	})
}

// longest is the length of the longest common sequence, by trying all.
func longest(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if a[0] == b[0] {
		return 1 + longest(a[1:], b[1:])
	}
	return max(longest(a[1:], b), longest(a, b[1:]))
}

// TestCommonIsBounded: two long files that share nothing in order take no
// quadratic time, and all of what lies between counts as changed.
func TestCommonIsBounded(t *testing.T) {
	t.Parallel()
	many := make([]string, 70_000)
	for i := range many {
		many[i] = strings.Repeat("x", i%7) + string(rune('a'+i%26))
	}
	turned := append([]string{many[0]}, many[2:]...)
	turned = append(turned, "end")
	kept := 0
	for _, k := range common(many, turned) {
		if k {
			kept++
		}
	}
	if kept != 1 {
		t.Errorf("%d lines of %d are kept", kept, len(turned))
	}
}

// FuzzDecision: what is read is written back as it was understood.
func FuzzDecision(f *testing.F) {
	f.Add(file("team", "one\n").Decide("repo:h/a", Use, noon()).appendJSON(nil))
	f.Add([]byte(`{"scope":"dir:~","file":"x","verdict":"never","ts":1}`))
	f.Add([]byte(`{"scope":"\ud800","file":"x","verdict":"revoke","lines":[]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		d, err := parseDecision(line)
		if err != nil {
			return
		}
		again, err := parseDecision(d.appendJSON(nil))
		if err != nil {
			t.Fatalf("%s: %v", d.appendJSON(nil), err)
		}
		if len(d.Lines) == 0 {
			d.Lines = again.Lines
		}
		if diff := cmp.Diff(d, again); diff != "" {
			t.Errorf("(-read +read again)\n%s", diff)
		}
	})
}
