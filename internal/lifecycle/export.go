package lifecycle

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"ken/internal/memory"
)

// Profile returns a policy as a memory profile, version 1, in JSON, and what of it such a profile cannot say. base is what holds
// where a profile says nothing, as in ParseProfile: read back with it the profile plans for each memory what the policy plans
// without what is lost.
func (p Policy) Profile(base Policy) (src []byte, lost []Fault) {
	x := exporter{out: table{
		"schema_version": ProfileVersion,
		"id":             p.Name,
		"title":          p.Title,
		"policy":         table{"durable_writes": "review-gated", "required_labels": []string{}, "secrets_allowed": false},
	}}
	for i, r := range p.Rules {
		x.field = fmt.Sprintf("rule[%d]", i+1)
		x.rule(r)
	}
	x.field = "hygiene"
	if p.Sweep != base.Sweep {
		x.lose("a profile has no sweep: where it is read, the settings' own holds")
	}
	x.field = "propose"
	if p.Propose != base.Propose {
		x.lose("a profile reminds of nothing")
	}
	x.activation(p, base)
	var kinds []string
	for _, r := range p.Rules {
		for _, k := range r.Kinds {
			kinds = append(kinds, string(k))
		}
	}
	slices.Sort(kinds)
	x.out["memory_kinds"] = slices.Compact(append([]string{}, kinds...))
	if len(x.passages) > 0 {
		x.out["metadata"] = table{"phase_transitions": x.passages}
	}
	src, err := json.MarshalIndent(x.out, "", "  ")
	if err != nil { // texts and numbers alone
		panic(err)
	}
	return append(src, '\n'), x.lost
}

// An exporter says the rules of a policy in the fields of a profile. A profile has them in an order of its own: passages, what is
// forgotten, what is archived for its age, what is archived for number; of each the ones for all kinds last.
type exporter struct {
	out      table
	passages []any
	lost     []Fault
	field    string // that is being said
	said     []Rule // each of one kind or all
}

func (x *exporter) lose(format string, args ...any) {
	x.lost = append(x.lost, Fault{Field: x.field, What: fmt.Sprintf(format, args...)})
}

// rule says a rule, a kind at a time.
func (x *exporter) rule(r Rule) {
	if why := unsaid(r); why != "" {
		x.lose("a profile cannot say %s", why)
		return
	}
	each := [][]memory.Kind{nil}
	if len(r.Kinds) > 0 {
		each = nil
		for _, k := range r.Kinds {
			if len(each) == 0 || !slices.ContainsFunc(each, func(e []memory.Kind) bool { return e[0] == k }) {
				each = append(each, []memory.Kind{k})
			}
		}
	}
	for _, kinds := range each {
		one := r
		if one.Kinds = kinds; !x.fits(one) {
			continue
		}
		x.said = append(x.said, one)
		x.write(one)
	}
}

// unsaid is what of a rule a profile has no words for; "" if there is nothing.
func unsaid(r Rule) string {
	wholeDays := func(d time.Duration) bool { return d%day == 0 }
	switch {
	case r.Do == Keep:
		return "that something is kept"
	case len(r.Tags) > 0:
		return "tags"
	case r.Scope != "":
		return "a scope"
	case r.Newer > 0:
		return "newer_than"
	case r.UsedOver > 0:
		return "used_over"
	case r.ImportanceUnder > 0:
		return "importance_under"
	case !wholeDays(r.Older) || !wholeDays(r.Unused):
		return "less than days"
	case r.Do == Settle && r.Unused > 0:
		return "that something settles since it is unused"
	case r.Do == Settle && r.Review && !alwaysRaises(r):
		return "review = true"
	case r.Do == Settle:
		return ""
	case r.Review:
		return "review = true"
	case r.Older > 0:
		return "that what is older is archived or forgotten: it goes by use"
	case r.From != "":
		return "a phase of what is archived or forgotten"
	case r.MaxHot > 0 && r.Unused > 0:
		return "max_hot of what is unused"
	case r.MaxHot > 0 && len(r.Kinds) > 1:
		return "max_hot of several kinds together"
	case r.MaxHot == 0 && r.Unused == 0:
		return "that something is archived or forgotten at any age"
	}
	return ""
}

// alwaysRaises reports whether all that a rule settles becomes more settled, and so waits for a person in any case.
func alwaysRaises(r Rule) bool { return r.From != "" && Raises(r.From, r.To) }

// fits reports whether a rule of one kind can be said behind those that are, and is lost if not.
func (x *exporter) fits(r Rule) bool {
	for _, s := range x.said {
		alike := s.Do == r.Do && (s.MaxHot > 0) == (r.MaxHot > 0) && r.Do != Settle
		same := len(s.Kinds) == len(r.Kinds)
		later := s.Do == Archive && r.Unused > s.Unused || r.Do == Archive && s.Unused > r.Unused
		switch {
		case len(r.Kinds) > 0 && len(s.Kinds) > 0 && r.Kinds[0] != s.Kinds[0]:
			continue // they are about other memories: their order does not matter
		case alike && same:
			x.lose("%q is the second of its kind: a profile has one", r.Name)
			return false
		case same && byAge(s) && byAge(r) && !later:
			x.lose("%q and %q: a profile forgets later than it archives", s.Name, r.Name)
			return false
		case byAge(s) && byAge(r) && s.Do != r.Do:
			// What is hot is archived by either, and what is archived only forgotten: their order does not matter.
		case order(s) > order(r), alike && placeOf(s) > placeOf(r):
			x.lose("%q stands behind %q: a profile has it the other way round", r.Name, s.Name)
			return false
		}
	}
	return true
}

// byAge reports whether a rule is of a profile's retention.
func byAge(r Rule) bool { return r.Do != Settle && r.MaxHot == 0 }

// placeOf is where a profile is read that has a rule: its limits by name, its retention with the default last.
func placeOf(r Rule) string {
	switch {
	case len(r.Kinds) > 0:
		return string(r.Kinds[0])
	case r.MaxHot > 0:
		return "default"
	}
	return "\xff"
}

// write puts a rule of one kind, or of all, where a profile has it.
func (x *exporter) write(r Rule) {
	kind := "default"
	if len(r.Kinds) > 0 {
		kind = string(r.Kinds[0])
	}
	in := func(field string) table {
		all, _ := x.out[field].(table)
		if all == nil {
			all = table{}
			x.out[field] = all
		}
		one, _ := all[kind].(table)
		if one == nil {
			one = table{}
			all[kind] = one
		}
		return one
	}
	switch {
	case r.Do == Settle:
		e := table{"kind": kind, "to_phase": string(r.To), "min_age_days": int(r.Older / day), "reason": r.Name}
		if r.From != "" {
			e["from_phase"] = string(r.From)
		}
		x.passages = append(x.passages, e)
	case r.Do == Forget:
		in("retention")["delete_after_days"] = int(r.Unused / day)
	case r.MaxHot > 0:
		in("limits")["max_items"] = r.MaxHot
	default:
		in("retention")["stale_after_days"] = int(r.Unused / day)
	}
}

// activation says the budgets.
func (x *exporter) activation(p, base Policy) {
	a := table{}
	for _, f := range []struct {
		name   string
		is, by int
	}{{"max_tokens", p.Tokens, base.Tokens}, {"max_items", p.Items, base.Items}} {
		switch {
		case f.is > 0:
			a[f.name] = f.is
		case f.by > 0:
			x.field = "activation." + f.name
			x.lose("a profile cannot lift what the settings say, %d", f.by)
		}
	}
	if len(a) > 0 {
		x.out["activation"] = a
	}
}
