package lifecycle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"ken/internal/fault"
	"ken/internal/memory"
)

// ProfileVersion is the schema_version of the profiles that ParseProfile reads.
const ProfileVersion = "markitect.memory.profile.v1"

// ParseProfile reads a memory profile, version 1, in JSON, as far as its wishes can
// be carried out here. base is what holds where it says nothing.
func ParseProfile(src []byte, base Policy) Reading {
	r := &reader{rows: map[string]int{}}
	r.Policy = base
	var tree any
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(src, []byte("\ufeff"))))
	dec.UseNumber()
	err := dec.Decode(&tree)
	if err == nil {
		if _, more := dec.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the profile")
		}
	}
	if err != nil {
		f := Fault{What: "no JSON: " + strings.TrimPrefix(err.Error(), "json: ")}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			f.Row = 1 + bytes.Count(src[:min(int(syntax.Offset), len(src))], []byte{'\n'})
		}
		r.Faults = append(r.Faults, f)
		return r.done()
	}
	r.profile(tree)
	return r.done()
}

func (r *reader) profile(tree any) {
	t, ok := tree.(table)
	if !ok {
		r.fault("", "want an object, not %s", kindOf(tree))
		return
	}
	switch version := t["schema_version"]; {
	case version == nil:
		r.fault("schema_version", "missing: want %q", ProfileVersion)
	case version != ProfileVersion:
		r.fault("schema_version", "%s: want %q", show(version), ProfileVersion)
	}
	if t["id"] == nil {
		r.fault("id", "missing")
	}
	p := &r.Policy
	before := len(p.Rules)
	r.each("", tree, func(name, field string, v any) bool {
		switch name {
		case "schema_version":
		case "id":
			r.id(field, v)
		case "title":
			r.text(field, v, &p.Title)
		case "intent":
			var intent string
			r.text(field, v, &intent)
		case "memory_kinds":
			for _, k := range r.texts(field, v) {
				r.kind(field, k)
			}
		case "limits":
			r.each(field, v, r.limit)
		case "retention":
			r.retention(field, v)
		case "activation":
			r.each(field, v, r.activation)
		case "policy":
			r.each(field, v, r.terms)
		case "metadata":
			r.each(field, v, r.metadata)
		case "stores":
			r.note(field, "ken keeps one memory: which file a kind is kept in is not chosen")
		case "refresh":
			r.note(field, "nothing is refreshed: memories are not copies of documents")
		case "compaction":
			r.note(field, "near texts are proposed by %s when you ask for it", fault.Command("memory tidy compact"))
		case "observability":
			r.note(field, "each automatic change stands in audit.jsonl in any case")
		case "failure":
			r.note(field, "a policy that cannot be read is only ever planned, whatever this says")
		default:
			return false
		}
		return true
	})
	// What says how long something stays goes before what is about numbers.
	slices.SortStableFunc(p.Rules[before:], func(a, b Rule) int { return order(a) - order(b) })
}

// order is that of rules that come from different parts of a profile.
func order(r Rule) int {
	switch {
	case r.Do == Settle:
		return 0
	case r.Do == Forget:
		return 1
	case r.MaxHot == 0:
		return 2
	}
	return 3
}

func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil || len(b) > 60 {
		return kindOf(v)
	}
	return string(b)
}

// id makes the name that lines say.
func (r *reader) id(field string, v any) {
	var s string
	if r.text(field, v, &s); s == "" {
		return
	}
	if !GoodName(s) {
		r.fault(field, "%q: want 1 to 40 of a-z, 0-9 and -", s)
		return
	}
	r.Policy.Name = s
}

// GoodName reports whether a policy may be called so.
func GoodName(s string) bool {
	return s != "" && len(s) <= 40 && s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// kind is the kind of memories that a profile means; ok is false if there is none.
func (r *reader) kind(field, name string) (k memory.Kind, ok bool) {
	switch k, _ = memory.ParseKind(name); {
	case name == "conversation", name == "history":
		return memory.KindSetting, true
	case k.Known() && !k.Changes():
		return k, true
	}
	r.note(field, "%q: no memories are of such a kind", name)
	return "", false
}

// of are the kinds that a field named so is about: one, or all for "default".
func (r *reader) of(field, name string) (kinds []memory.Kind, ok bool) {
	if name == "default" {
		return nil, true
	}
	k, ok := r.kind(field, name)
	return []memory.Kind{k}, ok
}

// limit reads limits{kind -> max_items|max_nodes}.
func (r *reader) limit(name, in string, v any) bool {
	kinds, ok := r.of(in, name)
	r.each(in, v, func(field, at string, v any) bool {
		if field != "max_items" && field != "max_nodes" {
			return false
		}
		n := 0
		if r.number(at, v, 1, &n); n > 0 && ok {
			r.Policy.Rules = append(r.Policy.Rules, Rule{
				Name: fmt.Sprintf("%s: more than %d", name, n), Kinds: kinds, MaxHot: n, Do: Archive,
			})
		}
		return true
	})
	return true
}

// retention reads retention{kind -> stale_after_days, delete_after_days}; a rule
// without a kind counts for all.
func (r *reader) retention(in string, v any) {
	t, ok := v.(table)
	if !ok {
		r.fault(in, "want a table, not %s", kindOf(v))
		return
	}
	if t["stale_after_days"] != nil || t["delete_after_days"] != nil {
		r.stay(in, "default", v)
		return
	}
	// The default goes last, or it would decide for all.
	names := make([]string, 0, len(t))
	for name := range t {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if (a == "default") != (b == "default") {
			return map[bool]int{true: 1, false: -1}[a == "default"]
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		r.stay(join(in, name), name, t[name])
	}
}

// stay reads how long memories of one kind stay.
func (r *reader) stay(in, name string, v any) {
	kinds, ok := r.of(in, name)
	stale, gone := 0, 0
	r.each(in, v, func(field, at string, v any) bool {
		switch field {
		case "stale_after_days":
			r.number(at, v, 1, &stale)
		case "delete_after_days":
			r.number(at, v, 1, &gone)
		default:
			return false
		}
		return true
	})
	switch {
	case stale > 0 && gone > 0 && gone <= stale:
		r.fault(join(in, "delete_after_days"), "%d is not above stale_after_days, %d", gone, stale)
		return
	case !ok:
		return
	}
	if gone > 0 {
		r.Policy.Rules = append(r.Policy.Rules, Rule{
			Name: fmt.Sprintf("%s: unused for more than %d days", name, gone), Kinds: kinds, Unused: time.Duration(gone) * day, Do: Forget,
		})
	}
	if stale > 0 {
		r.Policy.Rules = append(r.Policy.Rules, Rule{
			Name: fmt.Sprintf("%s: unused for more than %d days", name, stale), Kinds: kinds, Unused: time.Duration(stale) * day, Do: Archive,
		})
	}
}

// terms reads policy{...}: ken's own are as strict, and cannot be loosened.
func (r *reader) terms(name, field string, v any) bool {
	switch name {
	case "secrets_allowed":
		allowed := false
		if r.truth(field, v, &allowed); allowed {
			r.fault(field, "secrets are never kept unmasked by a policy")
		}
	case "durable_writes":
		var s string
		if r.text(field, v, &s); s != "" && s != "review-gated" {
			r.fault(field, "%q: what is made durable is reviewed, always", s)
		}
	case "required_labels":
		if len(r.texts(field, v)) > 0 {
			r.note(field, "labels are not required here")
		}
	default:
		return false
	}
	return true
}

func (r *reader) metadata(name, field string, v any) bool {
	if name != "phase_transitions" {
		r.note(field, "not read")
		return true
	}
	list, ok := v.([]any)
	if !ok {
		r.fault(field, "want a list, not %s", kindOf(v))
		return true
	}
	for i, e := range list {
		r.passage(fmt.Sprintf("%s[%d]", field, i+1), e)
	}
	return true
}

// passage reads one of phase_transitions.
func (r *reader) passage(in string, v any) {
	before := len(r.Faults)
	rule := Rule{Do: Settle}
	kind, reason, days := "default", "", 0
	r.each(in, v, func(name, field string, v any) bool {
		switch name {
		case "kind":
			r.text(field, v, &kind)
		case "from_phase":
			r.phase(field, v, &rule.From)
		case "to_phase":
			r.phase(field, v, &rule.To)
		case "min_age_days":
			r.number(field, v, 0, &days)
		case "reason":
			r.text(field, v, &reason)
		default:
			return false
		}
		return true
	})
	if t, ok := v.(table); ok && t["to_phase"] == nil {
		r.fault(join(in, "to_phase"), "missing")
	}
	if rule.To == memory.PhaseEphemeral {
		r.fault(join(in, "to_phase"), "what is remembered is not made ephemeral again")
	}
	var ok bool
	if rule.Kinds, ok = r.of(join(in, "kind"), kind); !ok || len(r.Faults) > before {
		return
	}
	rule.Older = time.Duration(days) * day
	if rule.Name = strings.TrimSpace(reason); rule.Name == "" {
		rule.Name = fmt.Sprintf("%s: to %s", kind, rule.To)
	}
	r.Policy.Rules = append(r.Policy.Rules, rule)
}
