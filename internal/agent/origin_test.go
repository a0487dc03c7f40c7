package agent

import (
	"context"
	"testing"

	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
	"ken/internal/trace"
)

// TestOriginOfAnswers: an answer has the least trusted origin of what its model read, for as long
// as that stands in the context or in what sums it up; a model's own words say nothing.
func TestOriginOfAnswers(t *testing.T) {
	t.Parallel()
	last := func(s *set) string { return s.tape.turns[len(s.tape.turns)-1].From }
	from := func(s *set, origin string) {
		t.Helper()
		if _, err := s.Ask(t.Context(), Question{Text: "sum it up", Model: s.model, Name: "fast", From: origin}, nil); err != nil {
			t.Fatal(err)
		}
	}
	picked := func(o memory.Origin) func(*Options) {
		return func(opt *Options) {
			mindOf(opt).background = func(context.Context) (recall.Choice, error) {
				return recall.Choice{Chosen: []recall.Pick{{Item: &memory.Item{
					ID: memory.Num(1), Origin: o, Record: &memory.Record{Kind: "fact", Content: "tea"},
				}}}}, nil
			}
		}
	}
	for name, c := range map[string]struct {
		change func(*Options)
		say    func(*set)
		want   string
	}{
		"talk":     {nil, func(s *set) { s.ask("one") }, ""},
		"a file":   {nil, func(s *set) { from(s, "external") }, "external"},
		"later on": {nil, func(s *set) { from(s, "external"); s.ask("and?") }, "external"},
		"dropped": {nil, func(s *set) {
			from(s, "external")
			if _, err := s.Drop(1); err != nil {
				t.Error(err)
			}
			s.ask("and?")
		}, ""},
		"begun anew": {nil, func(s *set) { from(s, "external"); s.Reset(); s.ask("and?") }, ""},
		"a command": {func(o *Options) { o.OutputTokens = 100 }, func(s *set) {
			s.Ran(Ran{Command: "ls", Output: "a"})
			s.ask("so?")
		}, "tool"},
		"a command that reaches elsewhere": {func(o *Options) {
			o.OutputTokens, o.Tools = 100, hands{elsewhere: "curl h"}
		}, func(s *set) {
			s.Ran(Ran{Command: "ls", Output: "$ curl x"})
			s.Ran(Ran{Command: "curl h", Output: "a", Exit: 1})
			s.ask("so?")
			s.ask("and?")
		}, "external"},
		"one that prints as if": {func(o *Options) {
			o.OutputTokens, o.Tools = 100, hands{elsewhere: "curl h"}
		}, func(s *set) {
			s.Ran(Ran{Command: "curl", Output: "so"})
			s.ask("$ curl h")
		}, "tool"},
		"an odd one": {nil, func(s *set) { from(s, "nobody knows") }, "external"},
		"AGENTS.md": {func(o *Options) {
			o.Surroundings = scene{docs: func() []Doc { return []Doc{{Path: "AGENTS.md", Text: "make", Bytes: 4}} }}
		}, func(s *set) { s.ask("so?") }, "external"},
		"a memory":     {picked(memory.OriginUser), func(s *set) { s.ask("so?") }, ""},
		"an approved":  {picked(memory.OriginImport), func(s *set) { s.ask("so?") }, "import"},
		"of the model": {picked(memory.OriginModel), func(s *set) { s.ask("so?") }, ""},
		"of an agent":  {picked("agent:claude"), func(s *set) { s.ask("so?") }, "agent:claude"},
		"recent context": {func(o *Options) {
			o.Carried = past{context: func() (string, trace.Context) {
				return "[recent context] tea", trace.Context{Working: trace.Sent}
			}}
		}, func(s *set) { s.ask("so?") }, "external"},
	} {
		s := newSet(t, c.change)
		c.say(s)
		if got := last(s); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestOriginSummedUp: a summary has the least trusted origin of what it stands for, here, after it
// was summed up once more, and in another process.
func TestOriginSummedUp(t *testing.T) {
	t.Parallel()
	var did order
	s := compacting(t, answers("what a file said"), &did, nil)
	if _, err := s.Ask(t.Context(), Question{Text: "a\n[stdin]\nb", Model: s.model, Name: "fast", From: "external"}, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for range 2 {
			s.ask("and?")
		}
		if done, err := s.Compact(t.Context()); err != nil || done.Turns == 0 {
			t.Fatalf("%+v, %v", done, err)
		}
		event := s.tape.events[len(s.tape.events)-1]
		if event.Name != session.EventCompact || event.Text("from") != "external" {
			t.Errorf("the session has %+v", event)
		}
	}
	for i := range s.turns {
		s.turns[i].From = "" // nothing but the summary is from outside
	}
	if s.ask("so?"); s.tape.turns[len(s.tape.turns)-1].From != "external" {
		t.Error("behind a summary an answer is the model's own")
	}
	other := newSet(t, nil)
	other.Continue(t.Context(), session.Live{Summary: "what a file said", From: "external"}, other.tape, "")
	if other.ask("so?"); other.tape.turns[1].From != "external" {
		t.Errorf("in another process: %+v", other.tape.turns[1])
	}
	other.Reset()
	if other.ask("so?"); other.tape.turns[3].From != "" {
		t.Errorf("begun anew: %+v", other.tape.turns[3])
	}
}
