package lifecycle

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"ken/internal/memory"
)

// ParseTOML reads a file of policies/. base is what holds where it says nothing;
// its Name is that of the policy.
func ParseTOML(src []byte, base Policy) Reading {
	r := &reader{rows: rowsOf(src)}
	r.Policy = base
	var tree table
	if err := toml.Unmarshal(src, &tree); err != nil {
		f := Fault{What: err.Error()}
		var de *toml.DecodeError
		if errors.As(err, &de) {
			f.Row, _ = de.Position()
			f.What = strings.TrimPrefix(de.Error(), "toml: ")
		}
		r.Faults = append(r.Faults, f)
		return r.done()
	}
	p := &r.Policy
	r.each("", tree, func(name, field string, v any) bool {
		switch name {
		case "title":
			r.text(field, v, &p.Title)
		case "hygiene":
			r.each(field, v, r.hygiene)
		case "retention":
			r.each(field, v, func(name, field string, v any) bool {
				if name != "prune_older_than_days" {
					return false
				}
				r.number(field, v, 0, &p.Sweep.PruneDays)
				return true
			})
		case "activation":
			r.each(field, v, r.activation)
		case "propose":
			r.each(field, v, r.propose)
		case "rule":
			list, ok := v.([]any)
			if !ok {
				r.fault(field, "want [[rule]] tables, not %s", kindOf(v))
				return true
			}
			for i, e := range list {
				r.rule(fmt.Sprintf("rule[%d]", i+1), e)
			}
		default:
			return false
		}
		return true
	})
	return r.done()
}

func (r *reader) hygiene(name, field string, v any) bool {
	s := &r.Policy.Sweep
	switch name {
	case "hot_days":
		r.number(field, v, 0, &s.HotDays)
	case "archive_days":
		r.number(field, v, 0, &s.ArchiveDays)
	case "hot_max":
		r.number(field, v, 0, &s.HotMax)
	case "batch":
		r.number(field, v, 1, &s.Batch)
	case "forget":
		r.truth(field, v, &s.Forget)
	default:
		return false
	}
	return true
}

func (r *reader) activation(name, field string, v any) bool {
	switch name {
	case "max_tokens":
		r.number(field, v, 1, &r.Policy.Tokens)
	case "max_items":
		r.number(field, v, 1, &r.Policy.Items)
	default:
		return false
	}
	return true
}

func (r *reader) propose(name, field string, v any) bool {
	switch name {
	case "synthesis_after":
		r.number(field, v, 1, &r.Policy.Propose.Synthesis)
	case "retrospect_after":
		r.span(field, v, &r.Policy.Propose.Retrospect)
	default:
		return false
	}
	return true
}

// rule reads one table. A rule with a fault is left out: without the field that is
// wrong it would fit more than was meant.
func (r *reader) rule(in string, v any) {
	before := len(r.Faults)
	rule := Rule{}
	do := ""
	r.each(in, v, func(name, field string, v any) bool {
		switch name {
		case "name":
			r.text(field, v, &rule.Name)
		case "kinds":
			rule.Kinds = r.kinds(field, v)
		case "tags":
			rule.Tags = r.texts(field, v)
		case "scope":
			r.scope(field, v, &rule.Scope)
		case "phase":
			r.phase(field, v, &rule.From)
		case "older_than":
			r.span(field, v, &rule.Older)
		case "newer_than":
			r.span(field, v, &rule.Newer)
		case "unused_for":
			r.span(field, v, &rule.Unused)
		case "used_over":
			r.number(field, v, 1, &rule.UsedOver)
		case "importance_under":
			r.number(field, v, 1, &rule.ImportanceUnder)
		case "max_hot":
			r.number(field, v, 1, &rule.MaxHot)
		case "review":
			r.truth(field, v, &rule.Review)
		case "do":
			r.text(field, v, &do)
		default:
			return false
		}
		return true
	})
	if len(r.Faults) > before {
		return
	}
	switch do {
	case string(Keep), string(Archive), string(Forget):
		rule.Do = Do(do)
	case string(memory.PhaseFluid), string(memory.PhaseStabilized), string(memory.PhaseRigid):
		rule.Do, rule.To = Settle, memory.Phase(do)
	default:
		r.fault(join(in, "do"), "%q: want keep, archive, forget, fluid, stabilized or rigid", do)
		return
	}
	if rule.MaxHot > 0 && rule.Do != Archive {
		r.fault(join(in, "max_hot"), "goes with do = \"archive\" only")
		return
	}
	rule.Name = ruleName(rule)
	r.Policy.Rules = append(r.Policy.Rules, rule)
}

// scope reads a scope that a rule may name: one that holds wherever it is asked
// from.
func (r *reader) scope(field string, v any, to *memory.Scope) {
	var s string
	if r.text(field, v, &s); s == "" {
		if _, ok := v.(string); ok {
			r.fault(field, "want user, repo:IDENTITY or dir:PATH")
		}
		return
	}
	kind, place, _ := strings.Cut(s, ":")
	switch {
	case s == string(memory.ScopeUser), kind == "repo" && place != "",
		kind == "dir" && (strings.HasPrefix(place, "~") || strings.HasPrefix(place, "/")):
		*to = memory.Scope(s)
	default:
		r.fault(field, "%q: want user, repo:IDENTITY or dir:PATH, from ~ or /", s)
	}
}

// ruleName says what a rule does where its writer gave it no name.
func ruleName(r Rule) string {
	if name := strings.TrimSpace(r.Name); name != "" {
		return name
	}
	var words []string
	for _, k := range r.Kinds {
		words = append(words, string(k))
	}
	words = append(words, r.Tags...)
	if r.Scope != "" {
		words = append(words, string(r.Scope))
	}
	if r.From != "" {
		words = append(words, string(r.From))
	}
	for _, a := range [...]struct {
		word string
		span time.Duration
	}{{"older than", r.Older}, {"newer than", r.Newer}, {"unused for", r.Unused}} {
		if a.span > 0 {
			words = append(words, a.word+" "+spanText(a.span))
		}
	}
	if r.UsedOver > 0 {
		words = append(words, fmt.Sprintf("used more than %d times", r.UsedOver))
	}
	if r.MaxHot > 0 {
		words = append(words, fmt.Sprintf("beyond the newest %d", r.MaxHot))
	}
	if len(words) == 0 {
		return "a rule about everything"
	}
	return strings.Join(words, ", ")
}

func spanText(d time.Duration) string {
	if d%day == 0 {
		return fmt.Sprintf("%d days", d/day)
	}
	return fmt.Sprintf("%d hours", d/time.Hour)
}

// rowsOf finds where the fields of a TOML file stand. The decoder that makes values
// does not say.
func rowsOf(src []byte) map[string]int {
	rows := make(map[string]int)
	var p unstable.Parser
	p.Reset(src)
	in, count := "", make(map[string]int)
	for p.NextExpression() {
		e := p.Expression()
		name, row := "", 0
		for it := e.Key(); it.Next(); {
			n := it.Node()
			name = join(name, string(n.Data))
			row = 1 + bytes.Count(src[:n.Raw.Offset], []byte{'\n'})
		}
		switch e.Kind {
		case unstable.Table:
			in = name
			rows[in] = row
		case unstable.ArrayTable:
			count[name]++
			in = fmt.Sprintf("%s[%d]", name, count[name])
			rows[in] = row
		case unstable.KeyValue:
			rows[join(in, name)] = row
		}
	}
	for i := range count["rule"] {
		in := fmt.Sprintf("rule[%d]", i+1)
		if rows[join(in, "do")] == 0 {
			rows[join(in, "do")] = rows[in]
		}
	}
	return rows
}
