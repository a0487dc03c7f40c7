package lifecycle

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/memory"
)

// fates are what a plan does to each memory.
func fates(p Plan) map[string]string {
	by := make(map[string]string)
	for _, a := range p.Actions {
		for _, ref := range a.Refs() {
			by[ref] = fmt.Sprintf("%s %s %v", a.Do, a.To, a.Review)
		}
	}
	return by
}

// sayable is a policy of the fields that a profile has, in any order.
func sayable(t *rapid.T) Policy {
	p := usual()
	p.Name, p.Title = "mine", "Mine"
	days := func(name string) time.Duration { return time.Duration(rapid.IntRange(1, 80).Draw(t, name)) * day }
	for i := range rapid.IntRange(0, 6).Draw(t, "rules") {
		r := Rule{Name: fmt.Sprintf("rule %d", i)}
		for range rapid.IntRange(0, 2).Draw(t, "kinds") {
			r.Kinds = append(r.Kinds, rapid.SampledFrom([]memory.Kind{memory.KindFact, memory.KindSetting, memory.KindGoal}).Draw(t, "kind"))
		}
		switch rapid.IntRange(0, 3).Draw(t, "what") {
		case 0:
			r.Do, r.Unused = Archive, days("unused")
		case 1:
			r.Do, r.Unused = Forget, days("unused")
		case 2:
			r.Do, r.MaxHot = Archive, rapid.IntRange(1, 4).Draw(t, "most")
		default:
			r.Do, r.Older = Settle, days("older")
			r.To = rapid.SampledFrom([]memory.Phase{memory.PhaseFluid, memory.PhaseStabilized, memory.PhaseRigid}).Draw(t, "to")
			r.From = rapid.SampledFrom([]memory.Phase{"", memory.PhaseFluid, memory.PhaseStabilized}).Draw(t, "from")
		}
		p.Rules = append(p.Rules, r)
	}
	p.Tokens, p.Items = rapid.IntRange(0, 900).Draw(t, "tokens"), rapid.IntRange(0, 9).Draw(t, "items")
	return p
}

// TestR366ReadBack: a policy of which nothing is lost plans the same for each memory when its profile is read back; of one of which
// something is lost, each rule that is not said is told.
func TestR366ReadBack(t *testing.T) {
	t.Parallel()
	whole := 0
	rapid.Check(t, func(t *rapid.T) {
		p := usual()
		if rapid.Bool().Draw(t, "of all fields") {
			p = somePolicy(t)
			p.Name = "mine"
		} else {
			p = sayable(t)
		}
		src, lost := p.Profile(usual())
		r := ParseProfile(src, usual())
		if len(r.Faults) > 0 || len(r.Notes) > 0 {
			t.Fatalf("%s\nfaults %v, notes %v", src, r.Faults, r.Notes)
		}
		lines := append(someLines(t), recently(100))
		in := Input{State: fold(lines...), Now: noon()}
		in.Policy = p
		want := Make(in)
		in.Policy = r.Policy
		got := Make(in)
		if len(lost) == 0 {
			whole++
			if diff := cmp.Diff(fates(want), fates(got)); diff != "" {
				t.Fatalf("%s\nrules %+v\nread back %+v\nplans (-want +got):\n%s", src, p.Rules, r.Policy.Rules, diff)
			}
			if r.Policy.Name != p.Name || r.Policy.Title != p.Title || r.Policy.Tokens != p.Tokens || r.Policy.Items != p.Items {
				t.Fatalf("%+v", r.Policy)
			}
		}
		again, more := r.Policy.Profile(usual())
		if len(more) > 0 || string(again) == "" {
			t.Fatalf("what was read is not said again: %v\n%s", more, src)
		}
		in.Policy = ParseProfile(again, usual()).Policy
		if diff := cmp.Diff(fates(got), fates(Make(in))); diff != "" {
			t.Fatalf("a second time (-want +got):\n%s", diff)
		}
	})
	if whole == 0 {
		t.Error("no policy was said whole")
	}
}

// TestR366Lost: what a profile cannot say is told by its field, and left out.
func TestR366Lost(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]string{
		"tags":                   "tags = [\"shell\"]\ndo = \"archive\"\nunused_for = \"3d\"",
		"that something is kept": "do = \"keep\"",
		"a scope":                "scope = \"user\"\ndo = \"stabilized\"",
		"newer_than":             "newer_than = \"3d\"\ndo = \"stabilized\"",
		"used_over":              "used_over = 3\ndo = \"stabilized\"",
		"importance_under":       "importance_under = 3\ndo = \"fluid\"",
		"less than days":         "older_than = \"3h\"\ndo = \"stabilized\"",
		"review = true":          "review = true\nunused_for = \"3d\"\ndo = \"archive\"",
		"it goes by use":         "older_than = \"3d\"\ndo = \"archive\"",
		"a phase":                "phase = \"fluid\"\nunused_for = \"3d\"\ndo = \"archive\"",
		"several kinds together": "kinds = [\"fact\", \"goal\"]\nmax_hot = 3\ndo = \"archive\"",
		"at any age":             "do = \"archive\"",
		"the second of its kind": "unused_for = \"3d\"\ndo = \"archive\"\n[[rule]]\nunused_for = \"4d\"\ndo = \"archive\"",
		"later than it archives": "unused_for = \"3d\"\ndo = \"forget\"\n[[rule]]\nunused_for = \"4d\"\ndo = \"archive\"",
		"the other way round":    "unused_for = \"3d\"\ndo = \"archive\"\n[[rule]]\nkinds = [\"fact\"]\ndo = \"stabilized\"",
	} {
		r := ParseTOML([]byte("[[rule]]\n"+p+"\n"), usual())
		if len(r.Faults) > 0 {
			t.Fatal(p, r.Faults)
		}
		src, lost := r.Policy.Profile(usual())
		if len(lost) != 1 || !strings.Contains(lost[0].What, want) || !strings.HasPrefix(lost[0].Field, "rule[") {
			t.Errorf("%s: want %q, told %v\n%s", p, want, lost, src)
		}
	}
	p := usual()
	p.Sweep.HotDays = 9
	if _, lost := p.Profile(usual()); len(lost) != 1 || lost[0].Field != "hygiene" {
		t.Errorf("told %v", lost)
	}
	base := usual()
	base.Tokens = 100
	if _, lost := usual().Profile(base); len(lost) != 1 || lost[0].Field != "activation.max_tokens" {
		t.Errorf("told %v", lost)
	}
}

// TestR366Profile: the profile of a policy has the fields of version 1, and what other programs ask for.
func TestR366Profile(t *testing.T) {
	t.Parallel()
	r := ParseTOML([]byte(`title = "work"
[activation]
max_tokens = 300
[[rule]]
name = "what holds"
kinds = ["decision"]
phase = "fluid"
older_than = "14d"
do = "stabilized"
[[rule]]
kinds = ["context", "fact"]
unused_for = "7d"
do = "archive"
[[rule]]
kinds = ["context"]
unused_for = "30d"
do = "forget"
[[rule]]
kinds = ["fact"]
max_hot = 50
do = "archive"
`), usual())
	r.Policy.Name = "work"
	src, lost := r.Policy.Profile(usual())
	const want = `{
  "activation": {
    "max_tokens": 300
  },
  "id": "work",
  "limits": {
    "fact": {
      "max_items": 50
    }
  },
  "memory_kinds": [
    "context",
    "decision",
    "fact"
  ],
  "metadata": {
    "phase_transitions": [
      {
        "from_phase": "fluid",
        "kind": "decision",
        "min_age_days": 14,
        "reason": "what holds",
        "to_phase": "stabilized"
      }
    ]
  },
  "policy": {
    "durable_writes": "review-gated",
    "required_labels": [],
    "secrets_allowed": false
  },
  "retention": {
    "context": {
      "delete_after_days": 30,
      "stale_after_days": 7
    },
    "fact": {
      "stale_after_days": 7
    }
  },
  "schema_version": "markitect.memory.profile.v1",
  "title": "work"
}
`
	if diff := cmp.Diff(want, string(src)); diff != "" || len(lost) > 0 {
		t.Errorf("lost %v (-want +got):\n%s", lost, diff)
	}
}
