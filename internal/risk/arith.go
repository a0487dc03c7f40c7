package risk

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// evaluates notes where a text evaluates as arithmetic what is not known to be a
// number: bash then runs the commands in the subscripts of it.
func (f *flow) evaluates(n syntax.Node) {
	var parts []syntax.Node
	add := func(all ...syntax.ArithmExpr) {
		for _, x := range all {
			if x != nil {
				parts = append(parts, x)
			}
		}
	}
	switch n := n.(type) {
	case *syntax.ArithmExp:
		add(n.X)
	case *syntax.ArithmCmd:
		add(n.X)
	case *syntax.LetClause:
		add(n.Exprs...)
	case *syntax.CStyleLoop:
		add(n.Init, n.Cond, n.Post)
	case *syntax.ParamExp:
		if n.Index != nil && n.Param != nil && !f.assoc[n.Param.Value] {
			add(n.Index)
		}
		if n.Slice != nil {
			add(n.Slice.Offset, n.Slice.Length)
		}
	case *syntax.Assign:
		if n.Index != nil && n.Name != nil && !f.assoc[n.Name.Value] {
			add(n.Index)
		}
	case *syntax.BinaryTest:
		switch n.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			parts = append(parts, n.X, n.Y)
		}
	case *syntax.UnaryTest:
		if n.Op == syntax.TsVarSet {
			parts = append(parts, n.X)
		}
	case *syntax.DeclClause:
		for _, a := range n.Args {
			if a.Name == nil && a.Value != nil {
				if text, ok := literal(a.Value); !ok && strings.Contains(text, "[") || strings.Contains(text, "[$") || strings.Contains(text, "[`") {
					f.twice = append(f.twice, n)
				}
			}
			if a.Name != nil && a.Value != nil && declares(n, 'i') {
				parts = append(parts, a.Value)
			}
		}
	case *syntax.CallExpr:
		// What names a variable may name an element of an array.
		if len(n.Args) > 2 && in(n.Args[0].Lit(), "test", "[") && hasLit(n.Args[1:3], "-v") ||
			len(n.Args) > 1 && in(n.Args[0].Lit(), "unset", "read", "printf", "wait", "getopts") {
			parts = append(parts, f.subscripts(n)...)
		}
	}
	for _, p := range parts {
		if f.doubtful(p) {
			f.doubts = append(f.doubts, n)
			return
		}
	}
}

// hidesCommand reports whether a text sets a name to what is a command, once it is evaluated.
func (f *flow) hidesCommand() bool {
	for ; f != nil; f = f.outer {
		for _, v := range f.names {
			for _, s := range v.sets {
				for _, w := range append([]*syntax.Word{s.value}, s.words...) {
					if text, _ := literal(w); strings.Contains(text, "$(") || strings.Contains(text, "`") {
						return true
					}
				}
			}
		}
	}
	return false
}

// subscripts are the words of a command that may name an element of an array.
func (f *flow) subscripts(c *syntax.CallExpr) (out []syntax.Node) {
	for i, w := range c.Args[1:] {
		text, ok := literal(w)
		name, _ := literal(c.Args[0])
		if name == "printf" && (i > 1 || i == 1 && c.Args[1].Lit() != "-v" || i == 0 && !strings.HasPrefix(text, "-v")) {
			continue
		}
		if open := strings.IndexByte(text, '['); !ok && (open > 0 || text == "" && in(name, "unset", "test", "[")) {
			out = append(out, w)
		}
	}
	return out
}

// declares reports whether a declaration has an option.
func declares(c *syntax.DeclClause, option byte) bool {
	for _, a := range c.Args {
		if a.Name == nil && a.Value != nil {
			if text := a.Value.Lit(); strings.HasPrefix(text, "-") && strings.IndexByte(text, option) > 0 {
				return true
			}
		}
	}
	return false
}

// doubtful reports whether something in n may be text that is no number, by what the line says.
// What the person's environment holds is theirs.
func (f *flow) doubtful(n syntax.Node) bool {
	doubt := false
	text := func(s string) {
		for _, name := range strings.FieldsFunc(s, func(r rune) bool { return !isNameRune(r) }) {
			doubt = doubt || isName(name) && !f.isNumber(name)
		}
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lit:
			text(n.Value)
		case *syntax.SglQuoted:
			text(n.Value)
		case *syntax.CmdSubst:
			doubt = doubt || !counts(n.Stmts)
			return false
		case *syntax.ParamExp:
			switch {
			case n.Length || n.Param == nil:
			case position(n.Param.Value):
				for _, w := range f.words {
					doubt = doubt || !numeral(w)
				}
				doubt = doubt || len(f.given) > 0
			case n.Excl || n.Names != 0:
				doubt = true
			default:
				doubt = doubt || !f.isNumber(n.Param.Value)
			}
			return false
		}
		return !doubt
	})
	return doubt
}
