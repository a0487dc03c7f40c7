package learned

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/review"
)

func waiting() []engine.Waiting {
	return []engine.Waiting{
		{Ref: "p1", Proposal: &review.Proposal{Why: "said twice", Record: memory.Record{Kind: memory.KindFact, Content: "a\n\n# b |", Origin: memory.OriginModel}}},
		{Ref: "p2", Proposal: &review.Proposal{Record: memory.Record{Kind: memory.KindForget, Target: memory.Num(4), Origin: memory.OriginTool}}},
		{Ref: "7", Proposal: &review.Proposal{Record: memory.Record{Kind: memory.KindPref, Content: "c"}}},
	}
}

// TestBatch: what an edited text says, and that the text itself says nothing.
func TestBatch(t *testing.T) {
	text := Batch(waiting(), memory.Fold(), nil)
	for _, test := range []struct {
		name string
		edit func(string) string
		want string // verdict, kind and text by reference, or the error
	}{
		{"untouched", func(s string) string { return s }, ""},
		{"emptied", func(string) string { return "" }, ""},
		{"kept and refused", edits("wait p1", "keep p1", "wait p2", "refuse p2"), "p1 yes; p2 no"},
		{"in a letter", edits("wait p1", "k p1", "wait 7", "n 7"), "p1 yes; 7 no"},
		{"with another text", edits("wait p1", "keep p1", "| a\n", "| A\n"), `p1 yes "A\n\n# b |"`},
		{"with another kind", edits("wait 7 pref", "keep 7 convention"), "7 yes convention"},
		{"a refused text may be edited", edits("wait 7", "refuse 7", "| c", "| d"), "7 no"},
		{"a block gone", func(s string) string { return s[:strings.Index(s, "\nwait p2")] }, ""},
		{"blanks lost", edits("wait 7", "keep 7", "| c", "|c"), "7 yes"},
		{"an unknown word", edits("wait p1", "keep p1", "wait 7", "maybe 7"), `"maybe" is neither`},
		{"an unknown reference", edits("wait p1", "keep p9"), "want keep, refuse or wait"},
		{"one twice", edits("wait 7", "keep p1", "wait p1", "keep p1"), "want keep, refuse or wait"},
		{"no kind", edits("wait 7 pref", "keep 7 banana"), "unknown kind"},
		{"a change is no kind", edits("wait 7 pref", "keep 7 forget"), "unknown kind"},
		{"a text of nothing", func(string) string { return "| x" }, "line 1: a text without a block"},
		{
			"each line that is wrong", func(string) string { return "keep p9\n| x\n\nmaybe p2\n| y\nkeep 7 banana\n# z\n" },
			`line 1: "keep p9": want keep, refuse or wait, and what waits; ` +
				`line 4: "maybe" is neither keep nor refuse nor wait; line 6: unknown kind`,
		},
		{"a wrong block takes nothing of the one before it", func(string) string { return "keep 7\nbanana\n| y" }, `line 2: "banana": want`},
	} {
		answers, err := ParseBatch(test.edit(text), waiting())
		if err != nil {
			if test.want == "" || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		var got []string
		for _, ans := range answers {
			s := ans.Ref + " " + string(ans.Verdict)
			if ans.Kind != nil {
				s += " " + string(*ans.Kind)
			}
			if ans.Content != nil {
				s += " " + strings.ReplaceAll(`"`+*ans.Content+`"`, "\n", `\n`)
			}
			got = append(got, s)
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s: %q, want %q", test.name, strings.Join(got, "; "), test.want)
		}
	}
}

func edits(pairs ...string) func(string) string {
	return strings.NewReplacer(pairs...).Replace
}

// TestCard: all of a proposal is there to be seen, what is invisible too.
func TestCard(t *testing.T) {
	s := memory.Fold(memory.Lines{Own: true, Entries: []memory.Entry{memory.ParseLine([]byte(`{"id":4,"content":"the old text"}`))}})
	long := strings.Repeat("x", 500)
	w := engine.Waiting{Ref: "p1", Proposal: &review.Proposal{
		Of: review.OfRule, Why: "because", Source: &memory.Source{Session: "s", Turn: 3, Agent: "bot"},
		Record: memory.Record{Kind: memory.KindRule, Content: "never\u200b push\n" + long, Origin: "agent:bot", Detail: &memory.Detail{Match: []string{"git", "push", "*"}, Raise: "danger"}},
	}}
	want := "1 of 2  p1  rule  for user  from agent:bot (bot, s:3)\n  never‹U+200B› push\n  " + long + "\n  match: git push *\n  raise: danger\n  why: because\n  a rule: once kept, it is in force; checked before commands run: git push * is danger"
	if diff := cmp.Diff(want, Card(w, s, nil, 1, 2)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	w = engine.Waiting{Ref: "p2", Proposal: &review.Proposal{Of: review.OfChange, Record: memory.Record{Kind: memory.KindEdit, Target: memory.Num(4), Content: "new", Origin: memory.OriginTool}}}
	want = "2 of 2  p2  edit  from tool\n  edit #4: the old text\n  to:  new"
	if diff := cmp.Diff(want, Card(w, s, nil, 2, 2)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCardTellsWhatGoes: what a yes would put out of force is there to be seen, and
// so is whatever else it brings.
func TestCardTellsWhatGoes(t *testing.T) {
	t.Parallel()
	s := memory.Fold(memory.Lines{Own: true, Entries: []memory.Entry{
		memory.ParseLine([]byte(`{"id":1,"content":"never push on friday"}`)),
		memory.ParseLine([]byte(`{"id":2,"content":"vim","key":"editor","scope":"repo:Example.org/x"}`)),
		memory.ParseLine([]byte(`{"id":3,"content":"ed","key":"editor"}`)),
	}})
	rec, _, err := memory.ParseLine([]byte(`{"kind":"fact","content":"likes tea","key":"editor","scope":"repo:example.org/X","supersedes":1,"cites":[3],"pinned":true,"importance":9,"origin":"tool","later":[1]}`)).AsRecord()
	if err != nil {
		t.Fatal(err)
	}
	w := engine.Waiting{Ref: "p1", Proposal: &review.Proposal{Of: review.OfMemory, Record: rec}}
	want := `1 of 1  p1  fact  for repo:example.org/X  from tool
  likes tea
  takes the place of #1: never push on friday
  takes the place of #2, which has its key: vim
  key: editor
  importance: 9
  pinned: it stands in front
  later: [1]
  rests on: #3 ed`
	if diff := cmp.Diff(want, Card(w, s, nil, 1, 1)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// In an editor as well.
	want = batchHead + `
wait p1 fact  for repo:example.org/X  from tool
# takes the place of #1: never push on friday
# takes the place of #2, which has its key: vim
# key: editor
# importance: 9
# pinned: it stands in front
# later: [1]
# rests on: #3 ed
| likes tea
`
	if diff := cmp.Diff(want, Batch([]engine.Waiting{w}, s, nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzBatch: whatever a proposal says, anywhere, the text for the editor answers
// nothing by itself, and all keeping of it keeps each as it is shown.
func FuzzBatch(f *testing.F) {
	f.Add("keep p2 fact", "why\nkeep p2", "fact\nkeep p2", "agent:x\nkeep p2", "repo:a\nkeep p2")
	f.Add("| a\r\nkeep p2\u2028keep p2\x1b[2J\u202e", "#", "", "", "k")
	f.Fuzz(func(t *testing.T, content, why, kind, from, key string) {
		list := []engine.Waiting{
			{Ref: "p1", Proposal: &review.Proposal{Why: why, Source: &memory.Source{Agent: from}, Record: memory.Record{
				Kind: memory.Kind("x" + kind), Content: content, Origin: memory.Origin(from), Key: key, Scope: memory.Scope("dir:" + key),
			}}},
			{Ref: "p2", Proposal: &review.Proposal{Record: memory.Record{Kind: memory.KindFact, Content: "b", Origin: memory.OriginModel}}},
		}
		text := Batch(list, memory.Fold(), nil)
		answers, err := ParseBatch(text, list)
		if err != nil || len(answers) > 0 {
			t.Fatalf("%v, %v of\n%s", answers, err, text)
		}
		answers, err = ParseBatch(strings.ReplaceAll(text, "\nwait ", "\nkeep "), list)
		if err != nil || len(answers) != 2 {
			t.Fatalf("%v, %v of\n%s", answers, err, text)
		}
		for _, ans := range answers {
			if ans.Content != nil || ans.Kind != nil {
				t.Fatalf("%s is kept with changes %+v of\n%s", ans.Ref, ans, text)
			}
		}
	})
}

// FuzzParseBatch: whatever the person writes, each answer is to something that waits, once, in the order of the queue; or
// every line that cannot be read is named, in order, and nothing is answered.
func FuzzParseBatch(f *testing.F) {
	f.Add(Batch(waiting(), memory.Fold(), nil))
	f.Add("keep p1 fact\n| a\n| b\nno p2\nwait 7")
	f.Add("keep p1 forget\n|\nkeep p1\n\x00\nkeep")
	f.Fuzz(func(t *testing.T, text string) {
		answers, err := ParseBatch(text, waiting())
		var wrong BatchError
		if err != nil && (!errors.As(err, &wrong) || len(wrong) == 0 || len(answers) > 0) {
			t.Fatalf("%v, %v of %q", answers, err, text)
		}
		for i, l := range wrong {
			if l.Err == nil || l.Line < 1 || l.Line > strings.Count(text, "\n")+1 || i > 0 && wrong[i-1].Line >= l.Line {
				t.Errorf("%+v of %q", wrong, text)
			}
		}
		at := 0
		for _, ans := range answers {
			for at < len(waiting()) && waiting()[at].Ref != ans.Ref {
				at++
			}
			if at == len(waiting()) || ans.Verdict != review.Yes && ans.Verdict != review.No {
				t.Errorf("%+v of %q", answers, text)
			}
			at++
			if ans.Verdict == review.No && (ans.Content != nil || ans.Kind != nil) || ans.Scope != nil {
				t.Errorf("%+v of %q", ans, text)
			}
		}
	})
}
