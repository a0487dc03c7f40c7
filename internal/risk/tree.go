package risk

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"ken/internal/risk/shape"
)

func (j *judge) stmts(list []*syntax.Stmt, s scene) {
	for _, st := range list {
		j.stmt(st, s)
	}
}

func (j *judge) stmt(st *syntax.Stmt, s scene) {
	if j.count > maxCommands {
		return // it is a danger already
	}
	if st.Negated || st.Background || len(st.Redirs) > 0 {
		s.around = true
	}
	for _, r := range st.Redirs {
		switch r.Op {
		case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.WordHdoc:
			s.input = s.input || r.N == nil || r.N.Value == "0"
		case syntax.Hdoc, syntax.DashHdoc:
			s.input = true
		}
		if w, ok := j.document(r); ok {
			s.doc = &w
		}
	}
	for _, r := range st.Redirs {
		j.redirect(r, st, s)
	}
	if st.Cmd != nil {
		j.command(st.Cmd, s)
	}
}

func (j *judge) redirect(r *syntax.Redirect, st *syntax.Stmt, s scene) {
	if r.N != nil && harmfulVariable(strings.Trim(r.N.Value, "{}")) { // {PATH}>f
		j.node(Danger, "sets a variable that programs obey", s, r)
	}
	if r.Hdoc != nil {
		j.expansions(r.Hdoc, s)
	}
	if r.Word == nil {
		return
	}
	j.expansions(r.Word, s)
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return
	}
	w := j.word(r.Word)
	if r.Op == syntax.DplOut || r.Op == syntax.DplIn {
		if w.Text == "-" || strings.Trim(w.Text, "0123456789-") == "" {
			return
		}
	}
	if r.Op == syntax.RdrIn || r.Op == syntax.DplIn {
		if j.paths.Class(w.Text) == shape.Net {
			j.node(Danger, shape.Net.Why(), s, r)
		}
		return
	}
	j.write(w, s, false)
	if (r.Op == syntax.RdrOut || r.Op == syntax.RdrClob || r.Op == syntax.RdrAll) && saysNothing(st.Cmd) && j.paths.Class(w.Text) != shape.Nothing {
		j.node(Danger, "empties a file", s, r)
	}
}

// saysNothing says that a command prints nothing, so that a file that gets its
// output is emptied.
func saysNothing(c syntax.Command) bool {
	if c == nil {
		return true
	}
	call, ok := c.(*syntax.CallExpr)
	if !ok {
		return false
	}
	switch len(call.Args) {
	case 0:
		return true
	case 1:
		return in(call.Args[0].Lit(), ":", "true", "false")
	case 2:
		return call.Args[0].Lit() == "cat" && call.Args[1].Lit() == "/dev/null" || in(call.Args[0].Lit(), "printf", "echo") && (quotedEmpty(call.Args[1]) || call.Args[1].Lit() == "-n")
	}
	return false
}

func quotedEmpty(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.SglQuoted:
		return p.Value == ""
	case *syntax.DblQuoted:
		return len(p.Parts) == 0
	}
	return false
}

func (j *judge) command(c syntax.Command, s scene) {
	inside := s
	inside.around = true
	switch c := c.(type) {
	case *syntax.CallExpr:
		j.call(c, s)
	case *syntax.Block:
		j.stmts(c.Stmts, inside)
	case *syntax.Subshell:
		j.stmts(c.Stmts, inside)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			j.stmts(c.Cond, inside)
			j.stmts(c.Then, inside)
		}
	case *syntax.WhileClause:
		j.stmts(c.Cond, inside)
		j.stmts(c.Do, inside)
	case *syntax.ForClause:
		j.loop(c, inside)
	case *syntax.CaseClause:
		j.expansions(c.Word, inside)
		for _, it := range c.Items {
			for _, p := range it.Patterns {
				j.expansions(p, inside)
			}
			j.stmts(it.Stmts, inside)
		}
	case *syntax.BinaryCmd:
		j.binary(c, inside)
	case *syntax.FuncDecl:
		j.function(c, inside)
	case *syntax.ArithmCmd:
		j.arithmetic(c, inside)
	case *syntax.LetClause:
		j.arithmetic(c, inside)
	case *syntax.TestClause:
		j.arithmetic(c, inside)
	case *syntax.DeclClause:
		for _, a := range c.Args {
			j.assign(a, inside, c.Variant.Value == "export")
		}
		j.reference(c, inside)
		j.arithmetic(c, inside)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			j.stmt(c.Stmt, inside)
		}
	case *syntax.CoprocClause:
		if c.Name != nil && harmfulVariable(c.Name.Lit()) {
			j.node(Danger, "sets a variable that programs obey", inside, c.Name)
		}
		j.stmt(c.Stmt, inside)
		first := c.Stmt.Cmd
		for b, ok := first.(*syntax.BinaryCmd); ok; b, ok = first.(*syntax.BinaryCmd) {
			first = b.X.Cmd
		}
		if simple, ok := first.(*syntax.CallExpr); ok && c.Name != nil {
			// A name stands before a compound command only: this is the program.
			j.call(&syntax.CallExpr{Args: append([]*syntax.Word{c.Name}, simple.Args...)}, inside)
		}
	default:
		j.node(Danger, "a construct that is not known", s, c)
	}
}

func (j *judge) loop(c *syntax.ForClause, s scene) {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		tainted := false
		for _, w := range l.Items {
			j.expansions(w, s)
			tainted = tainted || j.word(w).Subst
		}
		if l.Name != nil {
			if harmfulVariable(l.Name.Value) {
				j.node(Danger, "sets a variable that programs obey", s, l.Name)
			}
			j.vars[l.Name.Value] = variable{tainted: tainted}
		}
	case *syntax.CStyleLoop:
		j.arithmetic(l, s)
	}
	j.stmts(c.Do, s)
}

// binary judges a list or a pipe. A long one is a chain to the left, which is
// walked without recursion.
func (j *judge) binary(c *syntax.BinaryCmd, s scene) {
	if c.Op != syntax.Pipe && c.Op != syntax.PipeAll {
		chain := []*syntax.Stmt{c.Y}
		left := c.X
		for {
			b, ok := left.Cmd.(*syntax.BinaryCmd)
			if !ok || b.Op == syntax.Pipe || b.Op == syntax.PipeAll || len(left.Redirs) > 0 {
				break
			}
			chain = append(chain, b.Y)
			left = b.X
		}
		j.stmt(left, s)
		for _, st := range slices.Backward(chain) {
			j.stmt(st, s)
		}
		return
	}
	var stages []*syntax.Stmt
	var flatten func(st *syntax.Stmt)
	flatten = func(st *syntax.Stmt) {
		if b, ok := st.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) && len(st.Redirs) == 0 {
			flatten(b.X)
			flatten(b.Y)
			return
		}
		stages = append(stages, st)
	}
	flatten(c.X)
	flatten(c.Y)
	for i, st := range stages {
		at := s
		if i > 0 {
			at.piped, at.doc = true, nil
		}
		j.stmt(st, at)
		s.before = append(slices.Clip(s.before), j.callsOf(st)...)
	}
}

func (j *judge) function(c *syntax.FuncDecl, s scene) {
	if c.Name == nil {
		j.node(Danger, "a function without a name", s, c)
		j.stmt(c.Body, s)
		return
	}
	name := c.Name.Value
	bombs := false
	syntax.Walk(c.Body, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == name {
			bombs = true
		}
		return true
	})
	if bombs {
		j.node(Danger, "a function that runs itself without end", s, c)
	}
	j.funcs = append(j.funcs, name)
	s.piped, s.input, s.before = false, false, nil
	j.stmt(c.Body, s)
}

// expansions judges the commands inside a word.
func (j *judge) expansions(w *syntax.Word, s scene) {
	if w == nil {
		return
	}
	j.inside(w, s)
}

// inside judges every command that a node holds in its words.
func (j *judge) inside(root syntax.Node, s scene) {
	s.piped, s.input, s.before, s.doc, s.around = false, false, nil, nil, true
	syntax.Walk(root, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			j.stmts(n.Stmts, s)
			return false
		case *syntax.ProcSubst:
			at := s
			at.piped = n.Op == syntax.CmdOut
			j.stmts(n.Stmts, at)
			return false
		case *syntax.ArithmExp:
			j.arithmetic(n, s)
			return false
		case *syntax.ParamExp:
			j.parameter(n, s)
		}
		return true
	})
}

func (j *judge) parameter(p *syntax.ParamExp, s scene) {
	if p.Index != nil {
		j.hidden(p.Index, s)
	}
	if p.Exp != nil && p.Param != nil && (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull) {
		if harmfulVariable(p.Param.Value) {
			j.node(Danger, "sets a variable that programs obey", s, p)
		}
		j.vars[p.Param.Value] = variable{tainted: true}
	}
	if p.Exp != nil && p.Exp.Op == syntax.OtherParamOps && p.Exp.Word != nil && p.Exp.Word.Lit() == "P" {
		j.node(Danger, "runs what a variable holds", s, p)
	}
}

// arithmetic judges what a shell evaluates: also quoted text in it can hold
// commands, in a subscript.
func (j *judge) arithmetic(n syntax.Node, s scene) {
	j.hidden(n, s)
	syntax.Walk(n, func(m syntax.Node) bool {
		switch m := m.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			j.inside(m, s)
			return false
		case *syntax.BinaryArithm:
			if w, ok := m.X.(*syntax.Word); ok && strings.HasSuffix(m.Op.String(), "=") && harmfulVariable(w.Lit()) {
				j.node(Danger, "sets a variable that programs obey", s, m)
			}
		}
		return true
	})
}

// hidden looks for commands in text that is evaluated though it is quoted.
func (j *judge) hidden(root syntax.Node, s scene) {
	syntax.Walk(root, func(n syntax.Node) bool {
		text := ""
		switch n := n.(type) {
		case *syntax.CmdSubst:
			return false
		case *syntax.SglQuoted:
			text = n.Value
		case *syntax.Lit:
			text = n.Value
		}
		if strings.Contains(text, "$(") || strings.Contains(text, "`") {
			j.node(Danger, "a command hidden in text that is evaluated", s, n)
			j.script(text[strings.IndexAny(text, "$`"):], j.innerScene(s, n))
		}
		return true
	})
}

// innerScene is s for a text that stands in the node n.
func (j *judge) innerScene(s scene, n syntax.Node) scene {
	if !s.inner {
		s.inner, s.from, s.to = true, int(n.Pos().Offset()), int(n.End().Offset())
	}
	s.depth++
	s.around = true
	return s
}
