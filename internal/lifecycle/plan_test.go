package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/memory"
)

func noon() time.Time { return time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC) }

// usual is what the settings say when nobody has changed them.
func usual() Policy {
	return Policy{Name: Builtin, Sweep: Sweep{HotDays: 60, ArchiveDays: 90, HotMax: 20, Batch: 5}}
}

// ago is a time so many days before noon, as lines have it.
func ago(n float64) string {
	return noon().Add(-time.Duration(n * float64(day))).Format(time.RFC3339)
}

func fold(lines ...string) *memory.State {
	l := memory.Lines{Own: true, Log: "desk-0001"}
	for i, text := range lines {
		e := memory.ParseLine([]byte(text))
		e.Line = i + 1
		l.Entries = append(l.Entries, e)
	}
	return memory.Fold(l)
}

// steps are the actions of a plan as "archive 1 2".
func steps(p Plan) []string {
	var out []string
	for _, a := range p.Actions {
		s := string(a.Do)
		if a.Do == Settle {
			s = "to " + string(a.To)
		}
		if a.Review {
			s += "?"
		}
		out = append(out, s+" "+strings.Join(a.Refs(), " "))
	}
	return out
}

func stated(id int, days float64, more string) string {
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"id":%d,"ts":%q,"kind":"fact","content":"text %d"%s}`, id, ago(days), id, more)
}

// recently is a line that shows that somebody was here, and about which there is
// nothing to do.
func recently(id int) string { return stated(id, 1.5, `"pinned":true`) }

// many are n facts, the oldest first, the newest stated two days ago.
func many(from, n int, more string) []string {
	var lines []string
	for i := range n {
		lines = append(lines, stated(from+i, float64(n-i+2), more))
	}
	return lines
}

// TestS70Plan: what a sweep does to items of every age, number and protection.
func TestS70Plan(t *testing.T) {
	t.Parallel()
	forget := usual()
	forget.Sweep.Forget = true
	tests := []struct {
		name   string
		policy Policy
		lines  []string
		used   map[string]float64 // days ago
		want   []string
	}{
		{"nothing at all", usual(), nil, nil, nil},
		{"idle 61 days", usual(), []string{stated(1, 61, ""), recently(2)}, nil, []string{"archive 1"}},
		{"idle 59 days", usual(), []string{stated(1, 59, ""), recently(2)}, nil, nil},
		{"used 59 days ago", usual(), []string{stated(1, 300, ""), recently(2)}, map[string]float64{"1": 59}, nil},
		{"edited 59 days ago", usual(), []string{stated(1, 300, ""), fmt.Sprintf(`{"id":2,"ts":%q,"kind":"edit","target":1,"content":"new"}`, ago(59)), recently(3)}, nil, nil},
		{"several are one action", usual(), []string{stated(1, 80, ""), stated(2, 70, ""), recently(3)}, nil, []string{"archive 1 2"}},
		{"26 hot", usual(), many(1, 26, ""), nil, []string{"archive 1 2 3 4 5"}},
		{"26 hot, the oldest used", usual(), many(1, 26, ""), map[string]float64{"1": 1, "2": 1}, []string{"archive 3 4 5 6 7"}},
		{"20 hot", usual(), many(1, 20, ""), nil, nil},
		{"13 and 13 of two scopes", usual(), append(many(1, 13, ""), many(14, 13, `"scope":"repo:example.org/a"`)...), nil, nil},
		{"protected", usual(), []string{
			stated(1, 90, `"pinned":true`), stated(2, 90, `"phase":"rigid"`), stated(3, 90, `"phase":"stabilized"`),
			fmt.Sprintf(`{"id":4,"ts":%q,"kind":"pref","content":"tea"}`, ago(90)),
			fmt.Sprintf(`{"id":5,"ts":%q,"kind":"rule","content":"ask"}`, ago(90)),
			fmt.Sprintf(`{"id":6,"ts":%q,"kind":"goal","content":"ship"}`, ago(90)), recently(8),
		}, nil, nil},
		{"no time is no age", usual(), []string{`{"id":1,"content":"by hand"}`, recently(2)}, nil, nil},
		{"without a time, behind one", usual(), []string{stated(1, 80, ""), `{"id":2,"content":"by hand"}`, recently(3)}, nil, []string{"archive 1 2"}},
		{"archived 200 days ago, never forgotten", usual(), []string{stated(1, 200, `"tier":"archive"`), recently(2)}, nil, nil},
		{"archived 91 days ago", forget, []string{stated(1, 400, ""), archived(2, 91, 1), recently(3)}, nil, []string{"forget 1"}},
		{"archived 89 days ago, last used long before", forget, []string{stated(1, 400, ""), archived(2, 89, 1), recently(3)}, nil, nil},
		{"archived and used since", forget, []string{stated(1, 400, ""), archived(2, 200, 1), recently(3)}, map[string]float64{"1": 10}, nil},
		{"never forgotten", forget, []string{
			fmt.Sprintf(`{"id":1,"ts":%q,"kind":"pref","content":"tea","tier":"archive"}`, ago(300)),
			stated(2, 300, `"tier":"archive","pinned":true`), stated(3, 300, `"tier":"archive","phase":"rigid"`), recently(4),
		}, nil, nil},
		{"hot and very old: not forgotten at once", forget, []string{stated(1, 300, ""), recently(2)}, nil, []string{"archive 1"}},
		{"one transition a day", forget, []string{stated(1, 300, ""), archived(2, 0.5, 1), recently(3)}, nil, nil},
		{"taken back: left alone", usual(), []string{stated(1, 300, ""), archived(2, 30, 1), fmt.Sprintf(`{"id":3,"ts":%q,"kind":"undo","target":2}`, ago(2)), recently(4)}, nil, nil},
		{"taken back long ago", usual(), []string{stated(1, 300, ""), archived(2, 90, 1), fmt.Sprintf(`{"id":3,"ts":%q,"kind":"undo","target":2}`, ago(80)), recently(4)}, nil, []string{"archive 1"}},
		{"expired: hidden, and left", usual(), []string{stated(1, 300, fmt.Sprintf(`"expires":%q`, ago(100))), recently(2)}, nil, nil},
		{"expired", forget, []string{stated(1, 300, fmt.Sprintf(`"expires":%q`, ago(100))), recently(2)}, nil, []string{"forget 1"}},
		{"expired a week ago", forget, []string{stated(1, 300, fmt.Sprintf(`"expires":%q`, ago(7))), recently(2)}, nil, nil},
		{"waiting for the person", usual(), []string{stated(1, 300, `"origin":"model"`), recently(2)}, nil, nil},
		{"pruned", Policy{Name: "p", Sweep: Sweep{PruneDays: 90}}, []string{stated(1, 91, ""), stated(2, 89, ""), stated(3, 200, `"pinned":true`), recently(4)}, map[string]float64{"1": 1}, []string{"forget 1"}},
		{"all switched off", Policy{}, append([]string{stated(90, 300, "")}, many(1, 40, "")...), nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := Input{State: fold(tt.lines...), Policy: tt.policy, Now: noon(), LastUse: func(ref string) time.Time {
				if d, ok := tt.used[ref]; ok {
					return noon().Add(-time.Duration(d * float64(day)))
				}
				return time.Time{}
			}}
			if diff := cmp.Diff(tt.want, steps(Make(in))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestPruneSays: why something is forgotten for its age says what the age was counted from.
func TestPruneSays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seen float64 // days ago
		want []string
	}{
		"stated here":     {400, []string{"stated more than 90 days ago"}},
		"put in place":    {91, []string{"here for more than 90 days"}},
		"put here lately": {89, nil},
	} {
		in := Input{
			State: fold(stated(1, 300, ""), recently(2)), Policy: Policy{Name: "p", Sweep: Sweep{PruneDays: 90}}, Now: noon(),
			Seen: func(memory.Item) time.Time { return noon().Add(-time.Duration(c.seen * float64(day))) },
		}
		var got []string
		for _, a := range Make(in).Actions {
			got = append(got, a.Why)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// archived is a line of the sweep.
func archived(id int, days float64, target int) string {
	return fmt.Sprintf(`{"id":%d,"ts":%q,"kind":"tier","target":%d,"tier":"archive","by":"policy:hygiene"}`, id, ago(days), target)
}

// TestRules: every condition of a rule, and what rules do.
func TestRules(t *testing.T) {
	t.Parallel()
	workflow := fmt.Sprintf(`{"id":1,"ts":%q,"kind":"workflow","content":"release"}`, ago(40))
	tests := []struct {
		name  string
		rule  Rule
		lines []string
		want  []string
	}{
		{"kind", Rule{Kinds: []memory.Kind{memory.KindWorkflow}, Do: Archive}, []string{workflow, stated(2, 40, "")}, []string{"archive 1"}},
		{"tag", Rule{Tags: []string{"a", "b"}, Do: Archive}, []string{stated(1, 2, `"tags":["b"]`), stated(2, 2, `"tags":["c"]`)}, []string{"archive 1"}},
		{"scope", Rule{Scope: "dir:~/a", Do: Archive}, []string{stated(1, 2, `"scope":"dir:~/a"`), stated(2, 2, `"scope":"dir:~/a/b"`), stated(3, 2, `"scope":"dir:~/ab"`), stated(4, 2, "")}, []string{"archive 1 2"}},
		{"phase", Rule{From: memory.PhaseFluid, Do: Archive}, []string{stated(1, 2, `"phase":"ephemeral"`), stated(2, 2, "")}, []string{"archive 2"}},
		{"older", Rule{Older: 48 * time.Hour, Do: Archive}, []string{stated(1, 2.1, ""), stated(2, 1.9, "")}, []string{"archive 1"}},
		{"newer", Rule{Newer: 48 * time.Hour, Do: Archive}, []string{stated(1, 2.1, ""), stated(2, 1.9, "")}, []string{"archive 2"}},
		{"used", Rule{UsedOver: 5, Do: Archive}, []string{stated(5, 2, ""), stated(6, 2, "")}, []string{"archive 6"}},
		{"importance", Rule{ImportanceUnder: 7, Do: Archive}, []string{stated(1, 2, ""), stated(2, 2, `"importance":7`)}, []string{"archive 1"}},
		{"the newest stay", Rule{MaxHot: 2, Do: Archive}, many(1, 4, ""), []string{"archive 1 2"}},
		{"up asks", Rule{Do: Settle, To: memory.PhaseStabilized}, []string{stated(1, 2, ""), stated(2, 2, `"phase":"stabilized"`)}, []string{"to stabilized? 1"}},
		{"each is asked about", Rule{Do: Settle, To: memory.PhaseRigid}, []string{stated(1, 2, ""), stated(2, 2, "")}, []string{"to rigid? 1", "to rigid? 2"}},
		{"down does not ask", Rule{Do: Settle, To: memory.PhaseFluid}, []string{stated(1, 2, `"phase":"rigid"`), stated(2, 2, `"phase":"rigid","pinned":true`)}, []string{"to fluid 1"}},
		{"a rule stays rigid", Rule{Do: Settle, To: memory.PhaseFluid}, []string{fmt.Sprintf(`{"id":1,"ts":%q,"kind":"rule","content":"ask"}`, ago(9))}, nil},
		{"forgetting asks", Rule{Older: day, Do: Forget}, []string{stated(1, 2, "")}, []string{"forget? 1"}},
		{"what is hot is archived before", Rule{Unused: day, Do: Forget}, []string{stated(1, 3, ""), stated(2, 3, `"tier":"archive"`)}, []string{"archive 1", "forget? 2"}},
		{"review", Rule{Do: Archive, Review: true}, []string{stated(1, 2, "")}, []string{"archive? 1"}},
		{"keep", Rule{Tags: []string{"keep"}, Do: Keep}, []string{stated(1, 99, `"tags":["keep"]`), stated(2, 99, ""), recently(3)}, []string{"archive 2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := usual()
			tt.rule.Name = "a rule"
			p.Rules = []Rule{tt.rule}
			in := Input{
				State: fold(tt.lines...), Policy: p, Now: noon(), Uses: func(ref string) int { return int(ref[0] - '0') },
				Within: func(scope, outer memory.Scope) bool { return strings.HasPrefix(string(scope), string(outer)+"/") },
			}
			if diff := cmp.Diff(tt.want, steps(Make(in))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// carry appends the lines of actions to those of a log, as the engine does.
func carry(lines []string, actions []Action, now time.Time) []string {
	out := slices.Clone(lines)
	for _, a := range actions {
		for _, rec := range a.Records("policy:test") {
			rec.ID, rec.Time = memory.Num(int64(1000+len(out))), now
			out = append(out, string(rec.AppendJSON(nil)))
		}
	}
	return out
}

func somePolicy(t *rapid.T) Policy {
	n := func(name string, most int) int { return rapid.IntRange(0, most).Draw(t, name) }
	p := Policy{Name: "test", Sweep: Sweep{
		HotDays: n("hot days", 40), ArchiveDays: n("archive days", 40), HotMax: n("hot max", 4), Batch: 1 + n("batch", 3),
		Forget: rapid.Bool().Draw(t, "forget"), PruneDays: n("prune", 60),
	}}
	for range n("rules", 3) {
		r := Rule{
			Name: "rule", Do: rapid.SampledFrom([]Do{Keep, Archive, Forget, Settle}).Draw(t, "do"),
			To:     rapid.SampledFrom([]memory.Phase{memory.PhaseFluid, memory.PhaseStabilized, memory.PhaseRigid}).Draw(t, "to"),
			Older:  time.Duration(n("older", 30)) * day,
			Unused: time.Duration(n("unused", 30)) * day,
			Review: rapid.Bool().Draw(t, "review"),
		}
		if rapid.Bool().Draw(t, "of a kind") {
			r.Kinds = []memory.Kind{rapid.SampledFrom([]memory.Kind{memory.KindFact, memory.KindPref, memory.KindGoal}).Draw(t, "kind")}
		}
		if r.Do == Archive {
			r.MaxHot = n("max hot", 2)
		}
		p.Rules = append(p.Rules, r)
	}
	return p
}

func someLines(t *rapid.T) []string {
	var lines []string
	for i := range rapid.IntRange(0, 12).Draw(t, "items") {
		kind := rapid.SampledFrom([]string{"fact", "fact", "context", "pref", "rule", "goal"}).Draw(t, "kind")
		more := rapid.SampledFrom([]string{"", "", `,"tier":"archive"`, `,"pinned":true`, `,"phase":"stabilized"`, `,"phase":"rigid"`, `,"expires":"2026-08-01T00:00:00Z"`, `,"scope":"repo:a/b"`}).Draw(t, "more")
		lines = append(lines, fmt.Sprintf(`{"id":%d,"ts":%q,"kind":%q,"content":"x"%s}`, i+1, ago(float64(rapid.IntRange(0, 80).Draw(t, "age"))), kind, more))
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "lines") {
		lines = append(lines, archived(100+i, float64(rapid.IntRange(0, 50).Draw(t, "put away")), rapid.IntRange(1, 12).Draw(t, "target")))
	}
	return lines
}

// TestL8Law: a plan is pure; carried out, it is empty when it is made again; and no
// plan touches what is protected or settles anything more without a person.
func TestL8Law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines, p := someLines(t), somePolicy(t)
		in := Input{State: fold(lines...), Policy: p, Now: noon()}
		plan := Make(in)
		if diff := cmp.Diff(steps(plan), steps(Make(in))); diff != "" {
			t.Fatalf("made twice, two plans\n%s", diff)
		}
		for _, a := range plan.Actions {
			for _, it := range a.Items {
				switch {
				case (a.Do == Archive || a.Do == Forget) && Protected(&it):
					t.Fatalf("%s of %s, which is protected", a.Do, it.Ref())
				case a.Do == Settle && Raises(it.Phase, a.To) && !a.Review:
					t.Fatalf("%s is settled without a person", it.Ref())
				}
			}
		}
		for _, list := range [][]Action{plan.Due(), plan.Actions} {
			in.State = fold(carry(lines, list, noon())...)
			again := Make(in)
			left := again.Due()
			if len(list) == len(plan.Actions) {
				left = again.Actions
			}
			if len(left) > 0 {
				t.Fatalf("done: %v; made again: %v", steps(plan), steps(Plan{Actions: left}))
			}
		}
	})
}

// TestL8Clock: a clock that is behind plans nothing for age, and one that is a century
// ahead neither.
func TestL8Clock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := somePolicy(t)
		p.Rules, p.Sweep.HotMax = nil, 0
		lines := someLines(t)
		for _, now := range []time.Time{noon().AddDate(-1, 0, 0), noon().AddDate(100, 0, 0)} {
			if got := steps(Make(Input{State: fold(lines...), Policy: p, Now: now})); len(got) > 0 {
				t.Fatalf("at %v: %v", now, got)
			}
		}
	})
	plan := Make(Input{State: fold(stated(1, 1, "")), Policy: usual(), Now: noon().AddDate(100, 0, 0)})
	if want := "nothing was written or used since 2026-10-31: nothing is moved for its age"; plan.Note != want {
		t.Errorf("it says %q", plan.Note)
	}
}

// TestRecords: each action is the shortest lines that do it, and no line is too long
// to be read.
func TestRecords(t *testing.T) {
	t.Parallel()
	var items []memory.Item
	for i := range 2*MaxTargets + 1 {
		items = append(items, memory.Item{ID: memory.Num(int64(i + 1))})
	}
	for _, tt := range []struct {
		a    Action
		want []string
	}{
		{Action{Do: Archive, Items: items[:1], Why: "old"}, []string{`{"kind":"tier","target":1,"by":"policy:p","tier":"archive","reason":"old"}`}},
		{Action{Do: Forget, Items: items[:2]}, []string{`{"kind":"forget","targets":[1,2],"by":"policy:p"}`}},
		{Action{Do: Settle, To: memory.PhaseRigid, Items: items[2:3]}, []string{`{"kind":"phase","target":3,"by":"policy:p","phase":"rigid"}`}},
		{Action{Do: Keep, Items: items[:1]}, nil},
	} {
		var got []string
		for _, rec := range tt.a.Records("policy:p") {
			got = append(got, string(rec.AppendJSON(nil)))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v (-want +got)\n%s", tt.a.Do, diff)
		}
	}
	recs := Action{Do: Archive, Items: items}.Records("user")
	if len(recs) != 3 || len(recs[0].Detail.Targets) != MaxTargets || recs[2].Target != memory.Num(2*MaxTargets+1) {
		t.Errorf("%d lines: %v", len(recs), recs)
	}
}
