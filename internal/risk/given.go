package risk

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"ken/internal/risk/programs"
)

// elements are the words of an array at an offset of the text, nil if they are not known.
func (f *flow) elements(name string, at int) []*syntax.Word {
	v := f.names[name]
	if v == nil || f.wild || len(v.sets) != 1 || special(name) || f.assoc[name] {
		return nil
	}
	if s := &v.sets[0]; s.list && s.end <= at {
		return s.words
	}
	return nil
}

// named is the name of a command that is a variable: what the text has set it to, as far
// as was seen. It rests on it that nothing else sets it.
func (f *flow) named(w *syntax.Word) (name string, ok bool) {
	p := alone(w)
	if !f.known || p == nil || f.names[p.Param.Value] == nil {
		return "", false
	}
	sets := f.names[p.Param.Value].sets
	if len(sets) != 1 {
		return "", false
	}
	switch s := sets[0]; {
	case s.list && whole(p):
		name, ok = literal(s.words[0])
	case s.top && p.Index == nil && isFound(s.value):
		name, ok = foundProgram(substitution(s.value)), true
	case s.top && p.Index == nil:
		name, ok = literal(s.value)
		name, _, _ = strings.Cut(name, " ")
	}
	if !ok || name == "" || strings.ContainsAny(name, "\t\n =*?[") {
		return "", false
	}
	f.rested = append(f.rested, p)
	return name, true
}

// substitution is the command substitution that a word is, quoted or not.
func substitution(w *syntax.Word) *syntax.CmdSubst {
	if w == nil || len(w.Parts) != 1 {
		return nil
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && !q.Dollar && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	c, _ := part.(*syntax.CmdSubst)
	return c
}

func isFound(w *syntax.Word) bool {
	c := substitution(w)
	return c != nil && foundProgram(c) != ""
}

// alone is the parameter that a word is, quoted or not, and without any change to it.
func alone(w *syntax.Word) *syntax.ParamExp {
	if w == nil || len(w.Parts) != 1 {
		return nil
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && !q.Dollar && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Param == nil || p.Exp != nil || p.Repl != nil || p.Slice != nil || p.Excl || p.Length || p.Width || p.Names != 0 {
		return nil
	}
	return p
}

// whole reports whether a parameter is all the elements of an array, each a word.
func whole(p *syntax.ParamExp) bool {
	w, ok := p.Index.(*syntax.Word)
	return ok && w.Lit() == "@"
}

// elements are the words that "${a[@]}" stands for, nil if they are not known.
func (j *judge) elements(w *syntax.Word) []programs.Word {
	p := alone(w)
	if p == nil || p.Index == nil || !whole(p) || j.flow == nil {
		return nil
	}
	_, quoted := w.Parts[0].(*syntax.DblQuoted)
	var out []programs.Word
	for _, e := range j.flow.elements(p.Param.Value, int(p.Pos().Offset())) {
		v := j.word(e)
		if v.Hole || v.Glob || !quoted && (v.Text == "" || strings.ContainsAny(v.Text, " \t\n*?[")) {
			return nil
		}
		v.Given, v.At, v.End = true, int(w.Pos().Offset()), int(w.End().Offset())
		out = append(out, v)
	}
	return out
}
