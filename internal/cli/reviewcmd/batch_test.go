package reviewcmd

import (
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
	text := batchText(waiting())
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
		{"a text of nothing", func(string) string { return "| x" }, "a text without a block"},
	} {
		answers, err := parseBatch(test.edit(text), waiting())
		if err != nil {
			if test.want == "" || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		var got []string
		for _, w := range waiting() {
			ans, ok := answers[w.Ref]
			if !ok {
				continue
			}
			s := w.Ref + " " + string(ans.Verdict)
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
	want := "1 of 2  p1  rule  for user  from agent:bot (bot, s:3)\n  never‹U+200B› push\n  " + long + "\n  match: git push *\n  raise: danger\n  why: because\n  a rule: once kept, it is in force"
	if diff := cmp.Diff(want, card(w, s, 1, 2)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	w = engine.Waiting{Ref: "p2", Proposal: &review.Proposal{Of: review.OfChange, Record: memory.Record{Kind: memory.KindEdit, Target: memory.Num(4), Content: "new", Origin: memory.OriginTool}}}
	want = "2 of 2  p2  edit  from tool\n  edit #4: the old text\n  to:  new"
	if diff := cmp.Diff(want, card(w, s, 2, 2)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
