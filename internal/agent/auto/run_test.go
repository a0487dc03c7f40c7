package auto_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ken/internal/agent/auto"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/risk"
	"ken/internal/runner"
	"ken/internal/session/acts"
)

// said answers every halt with the same.
type said struct {
	auto.Said
	err   error
	asked int
	last  auto.Halt
}

func (s *said) Halted(_ context.Context, h auto.Halt) (auto.Said, error) {
	s.asked, s.last = s.asked+1, h
	return s.Said, s.err
}

func (s *said) Planned(context.Context, string) (auto.Said, error) {
	s.asked++
	return s.Said, s.err
}

func request(level risk.Level) runner.Request {
	return runner.Request{Line: "x", Decision: gate.Decision{Level: level}}
}

func limits() auto.Limits { return auto.Limits{Steps: 4, Time: time.Minute, Tokens: 100, Skips: 3} }

// TestR100Sentinel: only a whole line of the answer says that the goal is reached, outside blocks of code.
func TestR100Sentinel(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"GOAL: complete": true, "done\nGOAL: complete\n": true, "GOAL: complete  \r\nbye": true, "GOAL: complete\t": true,
		" GOAL: complete": false, "GOAL: completed": false, "goal: complete": false, "say GOAL: complete": false,
		"> GOAL: complete": false, "```\nGOAL: complete\n```": false, "GOAL:complete": false, "": false,
	} {
		if auto.Complete(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

// TestS93NoActWithoutAYes: whatever the levels and the answers, an act is let by a yes of the person to it alone, no answer
// aborts, and nothing is let once the run is over.
func TestS93NoActWithoutAYes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		who := &said{}
		r := auto.New(auto.Options{Goal: "g", Limits: limits(), Person: who})
		for range rapid.IntRange(1, 12).Draw(t, "halts") {
			over, _ := r.Outcome()
			who.Choice = rapid.SampledFrom([]auto.Choice{auto.Abort, auto.Proceed, auto.Skip, auto.Change, "what"}).Draw(t, "choice")
			who.Words = rapid.SampledFrom([]string{"", "another goal"}).Draw(t, "words")
			who.err = rapid.SampledFrom([]error{nil, nil, nil, runner.ErrNobody, errors.New("gone")}).Draw(t, "err")
			asked := who.asked
			how, err := r.Approve(t.Context(), request(rapid.SampledFrom([]risk.Level{risk.Caution, risk.Danger}).Draw(t, "level")))
			let := how != gate.HowRefused
			switch {
			case let && (over != "" || who.asked == asked || who.err != nil || who.Choice != auto.Proceed || how != gate.HowOnce):
				t.Fatalf("let by %q: %+v, over %q", how, who, over)
			case !let && err == nil:
				t.Fatalf("refused without a word: %+v", who)
			}
			if now, _ := r.Outcome(); over == "" && who.err == nil && who.Choice == auto.Abort && now != auto.Aborted {
				t.Fatalf("no answer, and %q", now)
			}
			if over != "" && who.asked != asked {
				t.Fatal("asked after the end")
			}
		}
	})
}

// TestS93Bounded: a run ends by what it may spend whatever the answers are, and goes on from what was spent.
func TestS93Bounded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := auto.Options{Goal: "g", Limits: limits(), Person: &said{}}
		if rapid.Bool().Draw(t, "resumed") {
			steps, tokens := rapid.IntRange(0, 9).Draw(t, "steps"), rapid.IntRange(0, 200).Draw(t, "spent")
			o.Last = &acts.Pursuit{Run: "r1", Spent: acts.Spent{Steps: steps, Tokens: tokens}}
		}
		r := auto.New(o)
		before, n := r.Spent().Steps, 0
		for ; ; n++ {
			if _, ok := r.May(); !ok {
				break
			}
			r.Answered(auto.Step{Took: time.Second, Tokens: rapid.IntRange(0, 60).Draw(t, "tokens")})
			if _, ok := r.After(auto.Came{Text: "hm", Acts: rapid.IntRange(0, 2).Draw(t, "acts")}); !ok {
				break
			}
		}
		out, _ := r.Outcome()
		if out == "" || n+before > max(limits().Steps, before) {
			t.Fatalf("%q after %d steps of this run and %d before", out, n, before)
		}
		if out == auto.Budget && fault.KindOf(r.Error()) != fault.Limit {
			t.Fatalf("%v", r.Error())
		}
	})
}

// TestS93Cost: a run ends once its answers came to auto.max_cost. One whose price is not known, or is in another currency, is
// not counted and said once; without the bound nobody asks for a price.
func TestS93Cost(t *testing.T) {
	t.Parallel()
	step := func(cost float64, currency string) auto.Step { return auto.Step{Cost: cost, Currency: currency} }
	for name, c := range map[string]struct {
		most  float64
		steps []auto.Step
		told  int
		want  auto.Outcome
		cost  float64
	}{
		"below":            {1, []auto.Step{step(0.4, "USD"), step(0.5, "USD")}, 0, "", 0.9},
		"reached":          {1, []auto.Step{step(0.4, "USD"), step(0.6, "USD")}, 0, auto.Budget, 1},
		"no price":         {1, []auto.Step{step(0, ""), step(0, "")}, 1, "", 0},
		"a price later":    {1, []auto.Step{step(0, ""), step(2, "USD")}, 1, auto.Budget, 2},
		"another currency": {1, []auto.Step{step(0.4, "USD"), step(5, "EUR")}, 1, "", 0.4},
		"no bound":         {0, []auto.Step{step(5, "USD"), step(0, "")}, 0, "", 5},
	} {
		l := limits()
		l.Cost = c.most
		r := auto.New(auto.Options{Goal: "g", Limits: l, Person: &said{}})
		told := 0
		for _, s := range c.steps {
			if _, unpriced := r.Answered(s); unpriced {
				told++
			}
		}
		_, may := r.May()
		out, why := r.Outcome()
		if told != c.told || out != c.want || may != (c.want == "") || r.Spent().Cost != c.cost {
			t.Errorf("%s: told %d times, %q (%s), %+v", name, told, out, why, r.Spent())
		}
		if p, ok := acts.PursuitOf(r.Stepped()); !ok || p.Unpriced != r.Spent().Unpriced || p.Cost != r.Spent().Cost {
			t.Errorf("%s: in the session %+v, is %+v", name, p.Spent, r.Spent())
		}
	}
}

// TestO4Plan: nothing but a yes has a run begin with its plan; what is no plan is asked for once more; a changed plan goes to
// the model in the person's words, and a run that was killed before the yes plans again.
func TestO4Plan(t *testing.T) {
	t.Parallel()
	plan := auto.Came{Text: "1. look\nCMD: ls"}
	for name, c := range map[string]struct {
		said  auto.Said
		err   error
		came  []auto.Came
		next  string // a part of what the model is told then
		want  auto.Outcome
		asked int
	}{
		"yes":             {auto.Said{Choice: auto.Proceed}, nil, []auto.Came{plan}, "agreed to the plan", "", 1},
		"changed":         {auto.Said{Choice: auto.Proceed, Words: "1. weigh"}, nil, []auto.Came{plan}, "\n\n1. weigh", "", 1},
		"no":              {auto.Said{}, nil, []auto.Came{plan}, "", auto.Aborted, 1},
		"another answer":  {auto.Said{Choice: auto.Skip}, nil, []auto.Came{plan}, "", auto.Aborted, 1},
		"nobody":          {auto.Said{Choice: auto.Proceed}, runner.ErrNobody, []auto.Came{plan}, "", auto.Refused, 1},
		"gone":            {auto.Said{Choice: auto.Proceed}, errors.New("gone"), []auto.Came{plan}, "", auto.Aborted, 1},
		"no plan":         {auto.Said{Choice: auto.Proceed}, nil, []auto.Came{{}}, "write it, in words", "", 0},
		"no plan twice":   {auto.Said{Choice: auto.Proceed}, nil, []auto.Came{{}, {}}, "", auto.Stalled, 0},
		"broken off":      {auto.Said{Choice: auto.Proceed}, nil, []auto.Came{{Text: "1. lo", Partial: true}}, "write it", "", 0},
		"a plan at last":  {auto.Said{Choice: auto.Proceed}, nil, []auto.Came{{}, plan}, "agreed to the plan", "", 1},
		"says it is done": {auto.Said{}, nil, []auto.Came{{Text: auto.Sentinel}}, "", auto.Aborted, 1},
	} {
		who := &said{Said: c.said, err: c.err}
		r := auto.New(auto.Options{Goal: "g", Plan: true, Limits: limits(), Person: who})
		var next auto.Next
		for i, came := range c.came {
			if p, _ := acts.PursuitOf(r.Stepped()); !p.Plans || !auto.New(auto.Options{Last: &p}).Plans() {
				t.Errorf("%s: the session does not know that nobody agreed: %+v", name, p)
			}
			next, _ = r.Planned(t.Context(), came, i)
		}
		out, _ := r.Outcome()
		if out != c.want || who.asked != c.asked || !strings.Contains(next.Text, c.next) || next.Person {
			t.Errorf("%s: %q, asked %d times, %+v", name, out, who.asked, next)
		}
		if p, _ := acts.PursuitOf(r.Stepped()); p.Plans != r.Plans() || r.Plans() == strings.Contains(next.Text, "begin") {
			t.Errorf("%s: plans %t, %+v", name, r.Plans(), p)
		}
	}
}

// TestS93Escalates: the third act in a row that is skipped is asked about once more, and can be skipped no further.
func TestS93Escalates(t *testing.T) {
	t.Parallel()
	who := &said{Said: auto.Said{Choice: auto.Skip}}
	r := auto.New(auto.Options{Goal: "g", Limits: limits(), Person: who})
	for range 2 {
		if _, err := r.Approve(t.Context(), request(risk.Caution)); err == nil || who.last.Escalates {
			t.Fatalf("%v, %+v", err, who.last)
		}
	}
	_, err := r.Approve(t.Context(), request(risk.Caution))
	if out, _ := r.Outcome(); err == nil || who.asked != 4 || !who.last.Escalates || out != auto.Aborted {
		t.Errorf("%v, asked %d times, %+v, %q", err, who.asked, who.last, out)
	}
}

// TestS93Nobody: where nobody can be asked a halt is refused, and the third ends the run.
func TestS93Nobody(t *testing.T) {
	t.Parallel()
	r := auto.New(auto.Options{Goal: "g", Limits: limits(), Person: &said{err: runner.ErrNobody}})
	for i := range 3 {
		if out, _ := r.Outcome(); out != "" {
			t.Fatalf("over after %d: %q", i, out)
		}
		if how, err := r.Approve(t.Context(), request(risk.Caution)); how != gate.HowRefused || !errors.Is(err, runner.ErrNobody) {
			t.Fatalf("%q, %v", how, err)
		}
	}
	if out, _ := r.Outcome(); out != auto.Refused || fault.KindOf(r.Error()) != fault.Refused {
		t.Errorf("%q: %v", out, r.Error())
	}
}

// TestS93Words: the goal counts as reached only with all that was asked for in the same answer done, and never by an answer
// that broke off; a model that does nothing is nudged once.
func TestS93Words(t *testing.T) {
	t.Parallel()
	const says = auto.Sentinel
	for name, c := range map[string]struct {
		came []auto.Came
		want auto.Outcome
	}{
		"alone":              {[]auto.Came{{Text: says}}, auto.Done},
		"with acts":          {[]auto.Came{{Text: says, Acts: 2}}, auto.Done},
		"with a failed one":  {[]auto.Came{{Text: says, Acts: 2, Undone: 1}}, ""},
		"broken off":         {[]auto.Came{{Text: says, Partial: true}}, ""},
		"nothing":            {[]auto.Came{{Text: "hm"}}, ""},
		"nothing again":      {[]auto.Came{{Text: "hm"}, {}}, auto.Stalled},
		"an act between":     {[]auto.Came{{Text: "hm"}, {Acts: 1}, {Text: "hm"}}, ""},
		"in a circle":        {[]auto.Came{{Acts: 1, Round: true}}, auto.Stalled},
		"in a circle, ended": {[]auto.Came{{Text: says, Acts: 1, Round: true, Undone: 1}}, auto.Stalled},
	} {
		r := auto.New(auto.Options{Goal: "g", Limits: limits(), Person: &said{}})
		for _, came := range c.came {
			r.After(came)
		}
		if out, _ := r.Outcome(); out != c.want {
			t.Errorf("%s: %q, want %q", name, out, c.want)
		}
	}
}

// TestStoppingFromAnywhere: whoever looks on from elsewhere sees the run end, and reads nothing that the run writes meanwhile.
// The race detector is the judge of that.
func TestStoppingFromAnywhere(t *testing.T) {
	t.Parallel()
	r := auto.New(auto.Options{Goal: "g", Limits: limits(), Person: &said{}})
	if r.Stopping() {
		t.Fatal("it has not begun")
	}
	seen := make(chan struct{})
	go func() {
		defer close(seen)
		for !r.Stopping() {
			runtime.Gosched()
		}
	}()
	r.Fail(errors.New("the model is gone"))
	<-seen
	if o, why := r.Outcome(); o != auto.Failed || why != "the model is gone" {
		t.Errorf("%s, %s", o, why)
	}
}
