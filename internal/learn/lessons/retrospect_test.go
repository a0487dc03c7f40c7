package lessons_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/learn/lessons"
	"ken/internal/memory"
	"ken/internal/session"
)

// conversation is a session of these lines behind a header.
func conversation(t *testing.T, id string, lines ...string) *session.Transcript {
	t.Helper()
	text := `{"meta":{"format":1,"session":"` + id + `","started":"2026-05-10T19:00:01Z"}}` + "\n" + strings.Join(lines, "\n") + "\n"
	tr, err := session.Read(strings.NewReader(text), id)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

const ts = `{"ts":"2026-05-10T19:00:04Z",`

func offers(lines ...string) string {
	return ts + fmt.Sprintf(`"role":"assistant","content":"Look:\n\nCMD: %s\n"}`, strings.Join(lines, `\nCMD: `))
}

func ran(line string, exit int) string {
	return ts + fmt.Sprintf(`"event":"exec","cmd":%q,"lane":"user","exit":%d}`, line, exit)
}

func became(kind, ref string) string {
	return ts + fmt.Sprintf(`"event":"feedback","kind":%q,"of":"command","ref":%q,"n":2}`, kind, ref)
}

const asks = ts + `"role":"user","content":"q"}`

// TestDraftsHoldWhereTheyWereSeen: what was seen in one repository or directory holds there alone; what was seen in two, everywhere.
func TestDraftsHoldWhereTheyWereSeen(t *testing.T) {
	t.Parallel()
	const tea, office = "repo:example.org/ada/tea", "repo:example.org/ada/office"
	in := func(id, at, later string) *session.Transcript {
		c := conversation(t, id, asks, offers("npm install"), ran("pnpm install", 0), became("revised", "2.1"))
		c.Header.Scope = at
		c.Entries[0].Turn.Scope = later
		return c
	}
	for name, c := range map[string]struct {
		list []*session.Transcript
		want string
	}{
		"one":       {[]*session.Transcript{in("a", tea, ""), in("b", tea, "")}, tea},
		"moved":     {[]*session.Transcript{in("a", "", tea)}, tea},
		"two":       {[]*session.Transcript{in("a", tea, ""), in("b", office, "")}, ""},
		"three":     {[]*session.Transcript{in("a", tea, ""), in("b", office, ""), in("c", tea, "")}, ""},
		"directory": {[]*session.Transcript{in("a", "dir:~/notes", "")}, "dir:~/notes"},
		"nowhere":   {[]*session.Transcript{in("a", "", ""), in("b", tea, "")}, ""},
	} {
		got := lessons.Of(time.Time{}, c.list...).Drafts()
		if len(got) != 1 || got[0].Scope != c.want {
			t.Errorf("%s: %+v, want it in %q", name, got, c.want)
		}
	}
}

// TestDrafts: what could be learned is what the person ran in the place of what was offered, what they did not want or what
// failed more than once, and nothing else; three drafts at most.
func TestDrafts(t *testing.T) {
	t.Parallel()
	lesson, rule := memory.KindLesson, memory.KindRule
	const why = "you ran it in the place of what was offered"
	instead := lessons.Draft{Kind: lesson, Text: `use "pnpm install" instead of "npm install"`, Why: why}
	for name, c := range map[string]struct {
		lines []string
		want  []lessons.Draft
	}{
		"nothing": {[]string{asks, offers("ls")}, nil},
		"revised": {[]string{asks, offers("npm install"), ran("pnpm install", 0), became("revised", "2.1")}, []lessons.Draft{instead}},
		"failed, mended": {[]string{
			asks, offers("npm install"), ran("npm install", 1), became("accepted", "2.1"), became("failed", "2.1"),
			ran("pnpm install", 0),
		}, []lessons.Draft{instead}},
		"refused, run otherwise": {
			[]string{asks, offers("npm install"), became("rejected", "2.1"), ran("pnpm install", 0)},
			[]lessons.Draft{instead},
		},
		"another thing": {[]string{asks, offers("npm install"), became("rejected", "2.1"), ran("git status", 0)}, nil},
		"later":         {[]string{asks, offers("npm install"), became("rejected", "2.1"), asks, ran("pnpm install", 0)}, nil},
		"in vain": {
			[]string{asks, offers("npm install"), ran("npm install", 1), became("failed", "2.1"), ran("pnpm install", 1)}, nil,
		},
		"other blanks alone": {[]string{asks, offers("npm install"), ran("npm  install", 0), became("revised", "2.1")}, nil},
		"refused twice": {
			[]string{asks, offers("git push", "git push"), became("rejected", "2.1"), became("rejected", "2.2")},
			[]lessons.Draft{{Kind: rule, Text: "always confirm git push", Why: "you did not let it run 2 times"}},
		},
		"failed twice": {
			[]string{asks, offers("make", "make"), became("failed", "2.1"), became("failed", "2.2")},
			[]lessons.Draft{{Kind: lesson, Text: `"make" fails here`, Why: "it failed 2 times"}},
		},
		"erased": {[]string{asks, ts + `"role":"assistant","content":"[erased]"}`, ran("[erased]", 0), became("revised", "2.1")}, nil},
		"long": {[]string{
			asks, offers("npm " + strings.Repeat("x", 200)), ran("pnpm "+strings.Repeat("x", 200), 0),
			became("revised", "2.1"),
		}, nil},
	} {
		got := lessons.Of(time.Time{}, conversation(t, "20260510T190001Z-7f3a", c.lines...)).Drafts()
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	var list []*session.Transcript
	for i := range 9 {
		list = append(list, conversation(t, fmt.Sprintf("20260510T19000%dZ-7f3a", i), asks, offers("npm install"), ran("pnpm install", 0),
			became("revised", "2.1"), became("revised", "2.1"), asks, offers(fmt.Sprintf("npm run %d", i)), ran(fmt.Sprintf("pnpm run %d", i), 0),
			strings.ReplaceAll(became("revised", "4.1"), `"n":2`, `"n":4`)))
	}
	look := lessons.Of(time.Time{}, list...)
	if d := look.Drafts(); len(d) != lessons.MostDrafts || d[0].Why != "you ran it in the place of what was offered 9 times" {
		t.Errorf("of ten corrections the drafts are %v", d)
	}
	if late := lessons.Of(time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), list...); late.Sessions+len(late.Outcomes)+len(late.Drafts()) > 0 {
		t.Errorf("what is older was looked at: %+v", late)
	}
}

// TestUsed: what a question called up, what stood in the start-up block alone, and the recent context are told apart (C29).
func TestUsed(t *testing.T) {
	t.Parallel()
	given := func(n int, chosen, rest string) string {
		const budget = `"budget":{"tokens":1,"items":1,"background":1}`
		return ts + fmt.Sprintf(`"event":"why","n":%d,"chosen":[%s],"passed":[],%s%s}`, n, chosen, budget, rest)
	}
	const (
		called = `{"ref":"3","h":"00000000","parts":{"text":1.5},"tokens":6}`
		both   = `{"ref":"4","h":"00000000","parts":{"text":1.5},"tokens":6,"in":"background"}`
		stood  = `{"ref":"5","h":"00000000","tokens":6,"in":"background"}`
	)
	look := lessons.Of(time.Time{}, nil, conversation(t, "20260510T190001Z-7f3a",
		asks, offers("ls"), given(2, called+","+both+","+stood, ""),
		asks, offers("ls"), given(4, called+","+stood, `,"context":{"working":"sent"}`)))
	var got []string
	for _, u := range look.Used {
		got = append(got, fmt.Sprint(u.Ref, " ", u.Activated, u.Standing, u.Answers))
	}
	want := []string{"3 2 0 [20260510T190001Z-7f3a:4 20260510T190001Z-7f3a:2]", "4 1 0 [20260510T190001Z-7f3a:2]", "5 0 2 []"}
	if diff := cmp.Diff(want, got); diff != "" || look.Recent != 1 || look.Answers != 2 || look.Sessions != 1 {
		t.Errorf("%d with the context, %d answers, %d conversations (-want +got):\n%s", look.Recent, look.Answers, look.Sessions, diff)
	}
}

// TestR292Risky: a text that names a dangerous command is told so, quoted or not, and a plain lesson is not.
func TestR292Risky(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"never run rm -rf build before a look":  "rm -rf build before a look",
		"always use `sudo rm -rf /` to tidy up": "sudo rm -rf /",
		`use "git push --force" after a rebase`: "git push --force",
		"answer briefly, and in German":         "",
		"use pnpm instead of npm":               "",
		"the tests need a database":             "",
		"":                                      "",
	} {
		if level, got := lessons.Risky(text); got != want || (level == "danger") != (want != "") {
			t.Errorf("%q: %s %q, want %q", text, level, got, want)
		}
	}
	if _, what := lessons.Risky(strings.Repeat("word ", 1<<14)); what != "" {
		t.Errorf("a long text names %.40q", what)
	}
}

// TestR383Revised: the last command of a conversation stands for one that was refused if it does that otherwise, soon enough.
func TestR383Revised(t *testing.T) {
	t.Parallel()
	const refused = ts + `"event":"act","id":"c1","tool":"shell","what":"$ npm install","how":"refused","state":"refused"}`
	const skipped = ts + `"event":"act","id":"c1","tool":"shell","what":"$ npm install","how":"refused","state":"skipped"}`
	const begun, ended = ts + `"event":"auto","run":"r","state":"begun"}`, ts + `"event":"auto","run":"r","state":"ended","outcome":"done"}`
	no, ls := became("rejected", "2.1"), ran("ls", 0)
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"offered":           {[]string{asks, offers("npm install"), no, ran("pnpm install", 0)}, "2.1"},
		"the second of two": {[]string{asks, offers("make", "npm install"), no, became("rejected", "2.2"), ran("pnpm install", 0)}, "2.2"},
		"after some lines":  {[]string{asks, offers("npm install"), no, ls, ls, ran("pnpm install", 127)}, "2.1"},
		"too late":          {[]string{asks, offers("npm install"), no, ls, ls, ls, ls, ls, ran("pnpm install", 0)}, ""},
		"after a question":  {[]string{asks, offers("npm install"), no, asks, ran("pnpm install", 0)}, ""},
		"not the last":      {[]string{asks, offers("npm install"), no, ran("pnpm install", 0), ls}, ""},
		"known already": {
			[]string{asks, offers("npm install"), no, ran("pnpm install", 0), became("revised", "2.1"), ran("pnpm install", 0)}, "",
		},
		"as it was":             {[]string{asks, offers("npm install"), no, ran("npm  install", 0)}, ""},
		"something else":        {[]string{asks, offers("npm install"), no, ran("git status", 0)}, ""},
		"erased":                {[]string{asks, offers("npm install"), no, ran("[erased]", 0)}, ""},
		"a call":                {[]string{asks, refused, offers(), ran("pnpm install", 0)}, "c1"},
		"in a run":              {[]string{asks, begun, skipped, offers(), asks, offers(), ended, ran("pnpm install", 0)}, "c1"},
		"a question after runs": {[]string{asks, begun, skipped, offers(), ended, asks, offers(), ran("pnpm install", 0)}, ""},
		"nothing":               {nil, ""},
	} {
		r, ok := lessons.Revised(conversation(t, "20260510T190001Z-7f3a", c.lines...))
		if ok != (c.want != "") || r.Ref != c.want || ok && r.Kind != "revised" {
			t.Errorf("%s: %v %+v, want %q", name, ok, r, c.want)
		}
	}
}
