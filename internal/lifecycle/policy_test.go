package lifecycle

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
)

// told are faults or notes as a person reads them.
func told(list []Fault) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.String())
	}
	return out
}

const fourWishes = `title = "mine"
[hygiene]
hot_days = 90
forget = true
[retention]
prune_older_than_days = 400
[activation]
max_tokens = 8000
max_items = 9
[[rule]] # 30 days of what happened in the shell stay as they are
tags = ["shell"]
newer_than = "30d"
do = "keep"
[[rule]]
name = "used again"
kinds = ["workflow", "synthesized_convention"]
used_over = 5
do = "stabilized"
[[rule]]
scope = "dir:~/src/aish"
do = "stabilized"
[[rule]]
kinds = ["context"]
older_than = "48h"
importance_under = 7
review = true
do = "archive"
[[rule]]
kinds = ["source"]
phase = "fluid"
unused_for = "8w"
max_hot = 3
do = "archive"
`

// TestR264Wishes: a policy says all that the documents wish for.
func TestR264Wishes(t *testing.T) {
	t.Parallel()
	got := ParseTOML([]byte(fourWishes), usual())
	if len(got.Faults)+len(got.Notes) > 0 {
		t.Fatalf("%v %v", told(got.Faults), told(got.Notes))
	}
	want := Policy{
		Name: Builtin, Title: "mine", Tokens: 8000, Items: 9,
		Sweep: Sweep{HotDays: 90, ArchiveDays: 90, HotMax: 20, Batch: 5, Forget: true, PruneDays: 400},
		Rules: []Rule{
			{Name: "shell, newer than 30 days", Tags: []string{"shell"}, Newer: 30 * day, Do: Keep},
			{Name: "used again", Kinds: []memory.Kind{memory.KindWorkflow, memory.KindConvention}, UsedOver: 5, Do: Settle, To: memory.PhaseStabilized},
			{Name: "dir:~/src/aish", Scope: "dir:~/src/aish", Do: Settle, To: memory.PhaseStabilized},
			{Name: "context, older than 2 days", Kinds: []memory.Kind{memory.KindSetting}, Older: 48 * time.Hour, ImportanceUnder: 7, Review: true, Do: Archive},
			{Name: "source, fluid, unused for 56 days, beyond the newest 3", Kinds: []memory.Kind{memory.KindSource}, From: memory.PhaseFluid, Unused: 56 * day, MaxHot: 3, Do: Archive},
		},
	}
	if diff := cmp.Diff(want, got.Policy); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestFaults: what is wrong is told by field and row, and a rule with a fault is none.
func TestFaults(t *testing.T) {
	t.Parallel()
	tests := []struct{ src, want string }{
		{"hot_days = 3", "row 1: hot_days: no such field"},
		{"[hygiene]\nhot_weeks = 3", "row 2: hygiene.hot_weeks: no such field"},
		{"hygiene.hot_days = -1", "row 1: hygiene.hot_days: -1: want 0 to 1000000"},
		{"hygiene.batch = 0", "row 1: hygiene.batch: 0: want 1 to 1000000"},
		{"hygiene.forget = 1", "row 1: hygiene.forget: want true or false, not a number"},
		{"hygiene = 3", "row 1: hygiene: want a table, not a number"},
		{"retention.days = 3", "row 1: retention.days: no such field"},
		{"activation.max_tokens = 1.5", "row 1: activation.max_tokens: want a whole number, not a number"},
		{"rule = 3", "row 1: rule: want [[rule]] tables, not a number"},
		{"[[rule]]", `row 1: rule[1].do: "": want keep, archive, forget, fluid, stabilized or rigid`},
		{"[[rule]]\ndo='ephemeral'", `row 2: rule[1].do: "ephemeral": want keep, archive, forget, fluid, stabilized or rigid`},
		{"[[rule]]\ndo='keep'\nkinds='fact'", "row 3: rule[1].kinds: want a list of texts, not a text"},
		{"[[rule]]\ndo='keep'\nkinds=['forget']", `row 3: rule[1].kinds: "forget" is no kind of memory`},
		{"[[rule]]\ndo='keep'\ntags=[1]", "row 3: rule[1].tags: element 1: want a text, not a number"},
		{"[[rule]]\ndo='keep'\nscope='here'", `row 3: rule[1].scope: "here": want user, repo:IDENTITY or dir:PATH, from ~ or /`},
		{"[[rule]]\ndo='keep'\nolder_than='soon'", `row 3: rule[1].older_than: "soon": want a time like 48h, 30d or 8w`},
		{"[[rule]]\ndo='keep'\nolder_than=3", "row 3: rule[1].older_than: want a text, not a number"},
		{"[[rule]]\ndo='keep'\nphase='firm'", `row 3: rule[1].phase: "firm": want ephemeral, fluid, stabilized or rigid`},
		{"[[rule]]\ndo='keep'\nmax_hot=3", `row 3: rule[1].max_hot: goes with do = "archive" only`},
		{"a = ", "row 1: "},
		{"title = 2026-01-01", "row 1: title: want a text, not a time"},
	}
	for _, tt := range tests {
		r := ParseTOML([]byte(tt.src), usual())
		if len(r.Faults) != 1 || !strings.HasPrefix(r.Faults[0].String(), tt.want) {
			t.Errorf("%q: %q, want %q", tt.src, told(r.Faults), tt.want)
		}
		if len(r.Policy.Rules) > 0 {
			t.Errorf("%q: a rule with a fault counts: %+v", tt.src, r.Policy.Rules)
		}
	}
}

// TestR265Profile: a profile of version 1 is read, each part of it carried out, noted
// or found fault with by its field.
func TestR265Profile(t *testing.T) {
	t.Parallel()
	const good = `{"schema_version":"markitect.memory.profile.v1","id":"cya-assistant-v1","title":"T","intent":"i",
"memory_kinds":["conversation","preference","dream"],"limits":{"decision":{"max_nodes":2}},
"retention":{"default":{"stale_after_days":40},"conversation":{"stale_after_days":7,"delete_after_days":30}},
"activation":{"max_items":3,"max_tokens":30},"policy":{"durable_writes":"review-gated","secrets_allowed":false},
"metadata":{"owner":"me","phase_transitions":[{"kind":"workflow","from_phase":"fluid","to_phase":"stabilized","min_age_days":3,"reason":"proved"}]}}`
	got := ParseProfile([]byte(good), usual())
	want := usual()
	want.Name, want.Title, want.Items, want.Tokens = "cya-assistant-v1", "T", 3, 30
	talk := []memory.Kind{memory.KindSetting}
	want.Rules = []Rule{
		{Name: "proved", Kinds: []memory.Kind{memory.KindWorkflow}, From: memory.PhaseFluid, Older: 3 * day, Do: Settle, To: memory.PhaseStabilized},
		{Name: "conversation: unused for more than 30 days", Kinds: talk, Unused: 30 * day, Do: Forget},
		{Name: "conversation: unused for more than 7 days", Kinds: talk, Unused: 7 * day, Do: Archive},
		{Name: "default: unused for more than 40 days", Unused: 40 * day, Do: Archive},
		{Name: "decision: more than 2", Kinds: []memory.Kind{memory.KindDecision}, MaxHot: 2, Do: Archive},
	}
	if diff := cmp.Diff(want, got.Policy); diff != "" || len(got.Faults) > 0 {
		t.Errorf("%v (-want +got)\n%s", told(got.Faults), diff)
	}
	if diff := cmp.Diff([]string{`memory_kinds: "dream": no memories are of such a kind`, "metadata.owner: not read"}, told(got.Notes)); diff != "" {
		t.Errorf("notes (-want +got)\n%s", diff)
	}
	single := ParseProfile([]byte(`{"schema_version":"markitect.memory.profile.v1","id":"a","retention":{"stale_after_days":5}}`), Policy{})
	if len(single.Faults) > 0 || len(single.Policy.Rules) != 1 || single.Policy.Rules[0].Kinds != nil {
		t.Errorf("one rule for all: %v, %+v", told(single.Faults), single.Policy.Rules)
	}
	for field, src := range map[string]string{
		"schema_version":                         `{"schema_version":"v2","id":"a"}`,
		"id":                                     `{"schema_version":"markitect.memory.profile.v1","id":"A b"}`,
		"":                                       `{"schema_version"`,
		"colour":                                 `{"schema_version":"markitect.memory.profile.v1","id":"a","colour":1}`,
		"retention.context":                      `{"schema_version":"markitect.memory.profile.v1","id":"a","retention":{"context":3}}`,
		"retention.context.delete_after_days":    `{"schema_version":"markitect.memory.profile.v1","id":"a","retention":{"context":{"stale_after_days":9,"delete_after_days":9}}}`,
		"limits.context.max_items":               `{"schema_version":"markitect.memory.profile.v1","id":"a","limits":{"context":{"max_items":0}}}`,
		"policy.durable_writes":                  `{"schema_version":"markitect.memory.profile.v1","id":"a","policy":{"durable_writes":"free"}}`,
		"metadata.phase_transitions[1].to_phase": `{"schema_version":"markitect.memory.profile.v1","id":"a","metadata":{"phase_transitions":[{"kind":"fact"}]}}`,
	} {
		r := ParseProfile([]byte(src), usual())
		if len(r.Faults) != 1 || r.Faults[0].Field != field {
			t.Errorf("%s: %v, want one about %q", src, told(r.Faults), field)
		}
	}
}

// FuzzPolicy: whatever a file holds, reading it ends well, twice the same, and what is
// without a fault makes a plan.
func FuzzPolicy(f *testing.F) {
	f.Add([]byte(fourWishes), false)
	f.Add([]byte("[[rule]]\nrule = [[1]]\n[[a.b]]"), false)
	f.Add([]byte(`{"schema_version":"markitect.memory.profile.v1","id":"a","retention":{"":{}},"limits":{"default":{"max_items":1e3}}}`), true)
	f.Add([]byte("\ufeff[]"), true)
	state := fold(many(1, 3, "")...)
	f.Fuzz(func(t *testing.T, src []byte, profile bool) {
		read := ParseTOML
		if profile {
			read = ParseProfile
		}
		r := read(src, usual())
		if diff := cmp.Diff(r, read(src, usual())); diff != "" {
			t.Fatalf("read twice:\n%s", diff)
		}
		if len(r.Faults) > 0 {
			return
		}
		if !GoodName(r.Policy.Name) {
			t.Fatalf("the name is %q", r.Policy.Name)
		}
		Make(Input{State: state, Policy: r.Policy, Now: noon()})
	})
}

// TestPage: the same bytes for the same items in any order, texts on one line, and
// kinds that this version does not know behind the others.
func TestPage(t *testing.T) {
	t.Parallel()
	s := fold(stated(1, 3, `"tier":"archive"`), stated(2, 2, `"pinned":true,"tier":"archive"`), `{"id":3,"kind":"dream","content":"of\nsheep"}`, stated(4, 1, `"scope":"dir:~/a"`))
	p := Page{Title: "Memory", Items: s.Items(), Line: func(s string) string { return strings.ReplaceAll(s, "\n", " ") }}
	got := string(p.Markdown())
	want := PageMark + `

# Memory

Total: 4 (hot: 3, archive: 1)

## Hot

### fact (2)

- [4] text 4 (dir:~/a, 2026-10-31)
- [2] text 2 (2026-10-30, pinned)

### dream (1)

- [3] of sheep

## Archive

### fact (1)

- [1] text 1 (2026-10-29)
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	p.Items = s.With(memory.StatusActive)
	if diff := cmp.Diff(want, string(p.Markdown())); diff != "" {
		t.Errorf("in another order (-want +got)\n%s", diff)
	}
	p.Items = nil
	if got := string(p.Markdown()); !strings.HasSuffix(got, "Total: 0 (hot: 0, archive: 0)\n\n(empty)\n") {
		t.Errorf("empty: %s", got)
	}
}
