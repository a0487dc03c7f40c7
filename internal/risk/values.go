package risk

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"ken/internal/risk/programs"
)

const (
	maxValue   = 2 << 10 // of a value that is known, in bytes; what is longer is not known
	maxMade    = 1 << 20 // bytes of words that are written out for one line, beside sixteen times the line
	maxWays    = 12      // in which a command is judged, by what its variables may hold
	maxLookups = 2000    // of what names may hold
	maxTries   = 400     // such ways of all commands of a line
)

// values are what a name may hold by what the texts say, wherever they say it. open
// says that it may hold something else; more, that there are more than are looked at.
func (j *judge) values(name string) (vals []programs.Word, open, more bool) {
	key := held{j.flow, name}
	if m, ok := j.memo[key]; ok {
		return m.vals, m.open, m.more
	}
	if j.lookups++; j.lookups > maxLookups {
		return nil, true, true
	}
	cuts := j.cuts
	if position(name) {
		vals, open, more = j.positions()
	} else {
		vals, open, more = j.lookUp(name)
	}
	if j.cuts == cuts { // nothing was left out that is being looked up
		if j.memo == nil {
			j.memo = map[held]values{}
		}
		j.memo[key] = values{vals, open, more}
	}
	return vals, open, more
}

// held is a name in a text.
type held struct {
	in   *flow
	name string
}

// values are what a name may hold.
type values struct {
	vals       []programs.Word
	open, more bool
}

func (j *judge) lookUp(name string) (vals []programs.Word, open, more bool) {
	for f := j.flow; f != nil; f = f.outer {
		open = open || f.wild
		v := f.names[name]
		if v == nil {
			continue
		}
		if v.busy {
			j.cuts++
			return vals, true, more
		}
		if len(v.sets) > 4*maxValues {
			return vals, true, true
		}
		v.busy = true
		kept := j.flow
		j.flow = f
		for _, s := range v.sets {
			open = open || s.opaque && !s.number
			words := s.words
			if s.value != nil {
				words = []*syntax.Word{s.value}
			}
			vals, more = j.add(vals, words, more)
		}
		j.flow = kept
		v.busy = false
	}
	if leaked := j.leaked[name]; len(leaked) > 0 {
		vals, open = append(slices.Clip(vals), leaked...), true
	}
	return vals, open, more
}

// add adds what words may stand for, each in all ways.
func (j *judge) add(vals []programs.Word, words []*syntax.Word, more bool) ([]programs.Word, bool) {
	for _, w := range words {
		for _, pick := range j.choices(w) {
			kept := j.pick
			j.pick = pick
			for _, b := range j.braces(w) {
				if len(vals) >= maxValues {
					j.pick = kept
					return vals, true
				}
				vals = append(vals, j.word(b))
			}
			j.pick = kept
		}
	}
	return vals, more
}

func position(name string) bool {
	return name == "@" || name == "*" || name != "" && name[0] >= '1' && name[0] <= '9'
}

// positions are what $1 and its like may hold.
func (j *judge) positions() (vals []programs.Word, open, more bool) {
	f := j.flow
	if f == nil || !f.args || f.busy {
		j.cuts++
		return nil, f != nil && f.args, false
	}
	f.busy = true
	vals, more = j.add(vals, f.words, false)
	f.busy = false
	for _, w := range f.given {
		if len(vals) >= maxValues {
			return vals, true, true
		}
		vals = append(vals, w)
	}
	return vals, true, more
}

// constant is the value that a name has for sure.
func (j *judge) constant(name string, at int) (w programs.Word, ok bool) {
	if j.flow == nil {
		return w, false
	}
	s := j.flow.constant(name, at)
	if s == nil || s.busy {
		return w, false
	}
	if s.word == nil {
		s.busy = true
		kept := j.pick
		j.pick = nil
		w := j.word(s.value)
		j.pick = kept
		s.word = &w
		s.busy = false
	}
	return *s.word, true
}

// A pick is what names stand for in one of the ways in which a command is judged.
type pick map[string]programs.Word

// choices are the ways in which words are judged: first with what is known for sure
// alone, then with each value that a name in them may have.
func (j *judge) choices(words ...*syntax.Word) []pick {
	out := []pick{nil}
	if j.flow == nil || j.pick != nil {
		return append(out[:0], j.pick)
	}
	names := map[string][]programs.Word{}
	var order []string
	for _, w := range words {
		if w == nil || !expands(w.Parts) {
			continue
		}
		syntax.Walk(w, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ArithmExp:
				return false
			case *syntax.ParamExp:
				key, vals := j.choice(n)
				if _, seen := names[key]; !seen && len(vals) > 0 {
					names[key] = vals
					order = append(order, key)
				}
			}
			return true
		})
	}
	product := 1
	for _, key := range order {
		product *= len(names[key])
	}
	switch {
	case len(order) == 0:
	case product <= maxWays: // all with all
		all := []pick{{}}
		for _, key := range order {
			var next []pick
			for _, p := range all {
				for _, v := range names[key] {
					q := pick{key: v}
					for k, w := range p {
						q[k] = w
					}
					next = append(next, q)
				}
			}
			all = next
		}
		out = append(out, all...)
	default: // each by itself
		for _, key := range order {
			for _, v := range names[key] {
				out = append(out, pick{key: v})
			}
		}
	}
	if j.tries += len(out) - 1; j.tries > maxTries {
		j.tooMany()
		return out[:1]
	}
	return out
}

// tooMany says that the variables of the line may hold more than is looked at.
func (j *judge) tooMany() {
	j.say(Danger, "variables that may hold more than anybody follows", scene{}, 0, len(clip(j.line)))
}

// expands reports whether something in a word is a parameter.
func expands(parts []syntax.WordPart) bool {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.ParamExp:
			return true
		case *syntax.DblQuoted:
			if expands(p.Parts) {
				return true
			}
		}
	}
	return false
}

// choice is what a parameter may stand for, and the name by which a pick has it.
func (j *judge) choice(p *syntax.ParamExp) (key string, vals []programs.Word) {
	if p.Param == nil || p.Length || p.Excl || p.Names != 0 {
		return "", nil
	}
	name := p.Param.Value
	if byDefault(p) {
		key = name + ":" + p.Param.Pos().String()
		if kept := j.pick; p.Exp.Word != nil {
			j.pick = nil
			vals = append(vals, j.word(p.Exp.Word))
			j.pick = kept
		}
	} else if p.Exp != nil || p.Repl != nil || p.Slice != nil {
		return "", nil
	} else {
		key = name
	}
	at := int(p.Pos().Offset())
	if w, ok := j.constant(name, at); ok && !w.Hole || p.Index != nil && whole(p) && j.flow.elements(name, at) != nil {
		return key, vals
	}
	own, _, more := j.values(name)
	if more {
		j.tooMany()
	}
	return key, append(vals, own...)
}

// byDefault reports whether what stands in a parameter may be what is used: ${x:-this}.
func byDefault(p *syntax.ParamExp) bool {
	if p.Exp == nil {
		return false
	}
	switch p.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return true
	}
	return false
}

// value is what a parameter stands for, if the line says so.
func (j *judge) value(out *programs.Word, b *strings.Builder, p *syntax.ParamExp, quoted bool) {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	plain := p.Exp == nil && p.Repl == nil && p.Slice == nil && !p.Excl && !p.Length && p.Names == 0
	var w programs.Word
	ok, sure := false, false
	if byDefault(p) {
		w, ok = j.pick[name+":"+p.Param.Pos().String()]
	} else if plain {
		if w, ok = j.pick[name]; !ok && p.Index == nil {
			w, ok = j.constant(name, int(p.Pos().Offset()))
			sure = ok && !w.Hole && w.Text != ""
			if sure && j.known != nil {
				j.known(j.flow.text, int(p.Pos().Offset()), w.Text)
			}
		}
	}
	out.Given = out.Given || sure
	out.Split = out.Split || !quoted && !sure
	if ok {
		j.stands(out, b, name, w, quoted)
		return
	}
	out.Hole = true
	if p.Length {
		b.WriteString("0")
		return
	}
	b.WriteString(j.unknown(out, p, name, plain))
}

// stands writes what a name stands for.
func (j *judge) stands(out *programs.Word, b *strings.Builder, name string, w programs.Word, quoted bool) {
	out.Hole = out.Hole || w.Hole
	out.Tainted = out.Tainted || w.Tainted || w.Subst
	out.Set = out.Set || w.Set
	out.Secret = out.Secret || w.Secret
	out.Found = w.Found
	out.Glob = out.Glob || !quoted && (w.Glob || strings.ContainsAny(w.Text, "*?["))
	if b.Len()+len(w.Text) > maxValue || j.made > j.mayMake() {
		out.Hole, out.Set = true, true
		b.WriteString("$" + name)
		return
	}
	text := w.Text
	if !quoted && strings.ContainsAny(text, " \t\n") {
		text = strings.Map(func(r rune) rune {
			if r == ' ' || r == '\t' || r == '\n' {
				return '\x1f'
			}
			return r
		}, text)
	}
	b.WriteString(text)
}

func (j *judge) mayMake() int { return maxMade + 16*len(j.line) }

// unknown says of a parameter whose value is not known where it is from, and how it is
// written.
func (j *judge) unknown(out *programs.Word, p *syntax.ParamExp, name string, plain bool) (text string) {
	text = "$" + name
	if p.Excl || p.Names != 0 || p.Exp != nil && p.Exp.Op == syntax.OtherParamOps && p.Exp.Word != nil && p.Exp.Word.Lit() == "P" {
		out.Set = true
		if p.Index == nil {
			text = "$!" + name // it may be any variable
		}
		return text
	}
	if p.Exp != nil && p.Exp.Word != nil {
		// ${x:-rm}: what stands there may be what is used.
		_, known := literal(p.Exp.Word)
		out.Tainted = out.Tainted || !known && byDefault(p)
		out.Set = out.Set || byDefault(p) && !plain
	}
	if p.Repl != nil {
		out.Set = out.Set || p.Repl.With != nil && len(p.Repl.With.Parts) > 0
	}
	if j.flow == nil || j.flow.isNumber(name) && !j.flow.hasArgs(name) && (!special(name) || !j.flow.moves && in(name, "PWD", "OLDPWD") || in(name, "UID", "EUID", "PPID", "RANDOM", "SECONDS", "LINENO", "HOSTNAME", "OPTIND")) {
		return text
	}
	vals, open, _ := j.values(name)
	for _, w := range vals {
		out.Tainted = out.Tainted || w.Subst || w.Tainted
		open = open || w.Set
		out.Secret = out.Secret || w.Secret
	}
	out.Set = out.Set || open || special(name) || !plain && len(vals) > 0
	if plain && !open && len(vals) == 1 && vals[0].Hole {
		return vals[0].Text // what a known command prints
	}
	return text
}

// hasArgs reports whether name is one of $1 and its like, and the line says what they are.
func (f *flow) hasArgs(name string) bool { return f.args && position(name) }
