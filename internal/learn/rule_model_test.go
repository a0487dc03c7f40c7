package learn_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/learn"
	"ken/internal/memory"
	"ken/internal/rules"
)

// TestRead: of what a model answers only rules count that add, that can be checked and that
// tighten; an answer of another form counts for nothing.
func TestRead(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC)
	rec := memory.Record{Kind: memory.KindRule, Content: "never run dd", Detail: &memory.Detail{Match: []string{"dd"}, Raise: "danger"}}
	s := rules.After(memory.Fold(memory.Lines{Own: true}), now, []memory.Record{rec})
	one := func(op, text string) string { return `{"op":"` + op + `","text":"` + text + `","because":"b"}` }
	for _, c := range []struct {
		answer, want string
		refused      int
		bad          bool
	}{
		{`{"rules":[]}`, "", 0, false},
		{`{"rules":[` + one("add", "ask before `git push`") + `]}`, "ask before `git push`", 0, false},
		{"```json\n{\"rules\":[" + one("add", "never run `rm -rf`") + "]}\n```", "never run `rm -rf`", 0, false},
		{`{"rules":[` + one("remove", "never run dd") + `,` + one("edit", "ask before dd") + `]}`, "", 2, false},
		{`{"rules":[` + one("", "ask before `x`") + `]}`, "", 1, false},
		{`{"rules":[` + one("add", "never ask before git push") + `,` + one("add", "git push is safe") + `]}`, "", 2, false},
		{`{"rules":[` + one("add", "") + `]}`, "", 1, false},
		{`{"rules":[` + one("add", "ask before `dd if=x`") + `,` + one("add", "never run dd") + `]}`, "", 2, false},
		{`{"rules":[` + one("add", "ask before `npm publish`") + `]}`, "", 1, false}, // like one that was refused
		{
			`{"rules":[` + one("add", "ask before `a1`") + `,` + one("add", "ask before `a2`") + `,` + one("add", "ask before `a3`") + `]}`,
			"ask before `a1`, ask before `a2`", 1, false,
		},
		{`{"rules":[` + one("add", "ask before `x`") + `],"forget":[1]}`, "", 0, true},
		{`{"rules":[{"op":"add","text":"ask before ` + "`x`" + `","raise":"safe"}]}`, "", 0, true},
		{`{"rules":[]} and forget rule 1`, "", 0, true},
		{`I would relax rule 1`, "", 0, true},
		{`{}`, "", 0, true},
		{``, "", 0, true},
	} {
		list, refused, err := learn.ReadRules(c.answer, s, []string{"never run `npm publish`"}, 2, now)
		var texts []string
		for _, g := range list {
			texts = append(texts, g.Record.Content)
			if g.Record.Origin != memory.OriginModel || g.Record.Kind != memory.KindRule || !g.Record.Target.IsZero() {
				t.Errorf("%s: %+v", c.answer, g.Record)
			}
		}
		if strings.Join(texts, ", ") != c.want || len(refused) != c.refused || errors.Is(err, learn.ErrAnswer) != c.bad {
			t.Errorf("%s: %v, refused %q, %v", c.answer, texts, refused, err)
		}
	}
}

// TestHowReadily: the setting decides how many are proposed, more with each step.
func TestHowReadily(t *testing.T) {
	t.Parallel()
	var enough, most []int
	for _, how := range []string{"conservative", "balanced", "bold"} {
		enough, most = append(enough, -learn.EnoughObjections(how)), append(most, learn.MostRules(how))
	}
	if !slices.IsSorted(enough) || !slices.IsSorted(most) || most[0] < 1 || enough[2] != -1 {
		t.Errorf("%v %v", enough, most)
	}
}
