package risk

import (
	"mvdan.cc/sh/v3/syntax"
)

// functions are those that a text defines once and for sure, at its top.
func functions(file *syntax.File, calls []*syntax.CallExpr) map[*syntax.FuncDecl]bool {
	for _, c := range calls {
		if len(c.Args) > 0 && in(c.Args[0].Lit(), "", "unset", "alias", "unalias", "eval", "source", ".", "shopt", "enable", "builtin", "command", "exec", "set", "trap") {
			return nil // they may change what a name means
		}
	}
	found := map[*syntax.FuncDecl]bool{}
	named := map[string]int{}
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.FuncDecl); ok && c.Name != nil {
			named[c.Name.Value]++
		}
		return true
	})
	for _, st := range file.Stmts {
		if c, ok := st.Cmd.(*syntax.FuncDecl); ok && c.Name != nil && named[c.Name.Value] == 1 && !st.Background && !st.Coprocess && !st.Negated && len(st.Redirs) == 0 {
			found[c] = true
		}
	}
	return found
}

// unset reports whether a word is $1 or its like, which the line gives nothing.
func (f *flow) unset(w *syntax.Word) bool {
	if w == nil || len(w.Parts) != 1 || f.args {
		return false
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	return ok && p.Param != nil && position(p.Param.Value) && p.Exp == nil && p.Repl == nil && p.Slice == nil && p.Index == nil && !p.Excl
}

// defines reports whether a name is a function that the line defines, for sure and before.
func (j *judge) defines(name string, s scene) bool {
	return j.flow != nil && !s.behind && j.flow.ready[name]
}

// isArray reports whether a declaration only says that names are arrays.
func isArray(c *syntax.DeclClause) bool {
	return len(c.Args) > 1 && c.Args[0].Name == nil && c.Args[0].Value != nil && in(c.Args[0].Value.Lit(), "-A", "-a") &&
		in(c.Variant.Value, "declare", "local", "typeset")
}

func hasLit(words []*syntax.Word, text string) bool {
	for _, w := range words {
		if w.Lit() == text {
			return true
		}
	}
	return false
}
