package risk

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"ken/internal/risk/programs"
)

func (j *judge) stmts(list []*syntax.Stmt, s scene) {
	for _, st := range list {
		dirs := j.dirs
		j.stmt(st, s)
		j.either(dirs) // a change of directory may have failed
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
			if r.Op == syntax.RdrIn && r.Word != nil {
				s.inputs = append(slices.Clip(s.inputs), j.word(r.Word))
				j.opened(st, r)
			}
			if w, ok := j.open[r.Word.Lit()]; ok && r.Op == syntax.DplIn {
				s.inputs = append(slices.Clip(s.inputs), w)
			}
		case syntax.Hdoc, syntax.DashHdoc:
			s.input = true
		}
		if w, ok := j.document(r); ok {
			s.doc = &w
		}
	}
	read, written := j.read, len(j.written)
	for _, r := range st.Redirs {
		j.redirect(r, st, s)
	}
	if st.Cmd != nil {
		j.command(st.Cmd, s)
	}
	if slices.ContainsFunc(s.inputs, j.isSecret) {
		j.read++
	}
	j.warm(read, written)
}

// showsAll reports whether a declaration names nothing and prints all that there is.
func showsAll(c *syntax.DeclClause) bool {
	for _, a := range c.Args {
		if a.Name != nil || a.Value == nil {
			return false
		}
		if t := a.Value.Lit(); len(t) < 2 || t[0] != '-' || strings.ContainsAny(t, "fF") {
			return false
		}
	}
	return c.Variant.Value != "local" && c.Variant.Value != "readonly" && c.Variant.Value != "nameref"
}

// opened keeps what exec opens under a number, for what reads it later.
func (j *judge) opened(st *syntax.Stmt, r *syntax.Redirect) {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || r.N == nil || len(c.Args) != 1 || c.Args[0].Lit() != "exec" {
		return
	}
	if j.open == nil {
		j.open = map[string]programs.Word{}
	}
	if w := j.word(r.Word); j.isSecret(w) || j.open[r.N.Value].Text == "" {
		j.open[r.N.Value] = w
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
	kept := j.pick
	for _, p := range j.choices(r.Word) {
		j.pick = p
		w := j.word(r.Word)
		j.everywhere(func() { j.redirected(w, r, st, s) })
	}
	j.pick = kept
}

// redirected judges a redirection to or from w.
func (j *judge) redirected(w programs.Word, r *syntax.Redirect, st *syntax.Stmt, s scene) {
	if r.Op == syntax.DplOut || r.Op == syntax.DplIn {
		if w.Text == "-" || strings.Trim(w.Text, "0123456789-") == "" {
			return
		}
	}
	if r.Op == syntax.RdrIn || r.Op == syntax.DplIn {
		if j.paths.Class(w.Text) == netPath {
			j.node(Danger, netPath.Why(), s, r)
		}
		if j.paths.Secret(w.Text) && shows(st.Cmd) {
			j.node(Caution, "shows what may be a secret", s, r)
		}
		return
	}
	j.write(w, s, false)
	if fetchesAndRuns(st.Cmd) && j.paths.Class(w.Text) != noPath {
		j.node(Danger, "writes down a command that runs what it fetches", s, r)
	}
	if (r.Op == syntax.RdrOut || r.Op == syntax.RdrClob || r.Op == syntax.RdrAll) && saysNothing(st.Cmd) && j.paths.Class(w.Text) != noPath {
		j.node(Danger, "empties a file", s, r)
	}
}

// fetchesAndRuns reports whether a command prints a text that runs what it fetches.
func fetchesAndRuns(c syntax.Command) bool {
	plain, ok := c.(*syntax.CallExpr)
	if !ok || len(plain.Args) < 2 || !in(plain.Args[0].Lit(), "echo", "printf") {
		return false
	}
	for _, w := range plain.Args[1:] {
		text, _ := literal(w)
		tight := strings.ReplaceAll(text, " ", "")
		if programs.HasAny(tight, "curl", "wget") && programs.HasAny(tight, "|sh", "|bash", "|sudo", "|zsh", "|python") {
			return true
		}
	}
	return false
}

// shows reports whether a command may show the content of what it is fed.
func shows(c syntax.Command) bool {
	plain, ok := c.(*syntax.CallExpr)
	if !ok || len(plain.Args) == 0 {
		return true
	}
	name, known := literal(plain.Args[0])
	return !known || programs.Prints(name)
}

// saysNothing reports whether a command prints nothing, so that a file that gets its output is
// emptied.
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
		return in(call.Args[0].Lit(), ":", "true", "false") || alone(call.Args[0]) != nil
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
		j.round(inside, c.Cond, c.Do)
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
			j.assign(a, inside, c.Variant.Value == "export" || declares(c, 'x'))
		}
		j.reference(c, inside)
		if showsAll(c) {
			j.node(Caution, "shows all variables, which may hold secrets", inside, c)
		}
		if declares(c, 'f') && (c.Variant.Value == "export" || declares(c, 'x')) && len(c.Args) > 1 {
			j.node(Danger, "gives a function to every shell that runs later", inside, c)
		}
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
		for _, w := range l.Items {
			j.expansions(w, s)
		}
		if l.Name != nil && harmfulVariable(l.Name.Value) {
			j.node(Danger, "sets a variable that programs obey", s, l.Name)
		}
	case *syntax.CStyleLoop:
		j.arithmetic(l, s)
	}
	j.round(s, c.Do)
}

// round judges the body of a loop, and once more if it goes to another directory:
// there its second round begins.
func (j *judge) round(s scene, lists ...[]*syntax.Stmt) {
	stood, moved := len(j.stood), j.moved
	for _, list := range lists {
		j.stmts(list, s)
	}
	if len(j.stood) == stood && j.moved == moved {
		return
	}
	var none []Simple
	s.into = &none
	j.either([]string{""})
	for _, list := range lists {
		j.stmts(list, s)
	}
}

// binary judges a list or a pipe. A long one is a chain to the left, which is
// walked without recursion.
func (j *judge) binary(c *syntax.BinaryCmd, s scene) {
	if c.Op != syntax.Pipe && c.Op != syntax.PipeAll {
		chain, ors := []*syntax.Stmt{c.Y}, []bool{c.Op == syntax.OrStmt}
		left := c.X
		for {
			b, ok := left.Cmd.(*syntax.BinaryCmd)
			if !ok || b.Op == syntax.Pipe || b.Op == syntax.PipeAll || len(left.Redirs) > 0 {
				break
			}
			chain, ors = append(chain, b.Y), append(ors, b.Op == syntax.OrStmt)
			left = b.X
		}
		// What stands behind && is done where a change of directory did not fail.
		dirs := j.dirs
		j.stmt(left, s)
		for i, st := range slices.Backward(chain) {
			if ors[i] {
				j.either(dirs)
			}
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
			at.piped, at.doc, at.inputs = true, nil, nil
		}
		at.names = i+1 < len(stages) && onlyNames(stages[i+1:])
		j.stmt(st, at)
		s.before = append(slices.Clip(s.before), j.callsOf(st)...)
	}
}

// onlyNames reports whether of lines NAME=VALUE only the names, or their number, come out of the
// next stages of a pipe.
func onlyNames(stages []*syntax.Stmt) bool {
	var words []string
	for _, st := range stages {
		c, ok := st.Cmd.(*syntax.CallExpr)
		if !ok || len(st.Redirs) > 0 || len(c.Assigns) > 0 || len(c.Args) == 0 {
			return false
		}
		words = words[:0]
		for _, w := range c.Args {
			text, known := literal(w)
			if !known && !opens(w.Parts) {
				text, known = w.Lit(), true
			}
			if !known {
				return false
			}
			words = append(words, text)
		}
		if words[0] != "sort" || len(words) > 1 {
			break
		}
	}
	return in(strings.Join(words, " "), "cut -d= -f1", "cut -d = -f 1", "cut -d= -f 1", "cut -f1 -d=", "cut -f 1 -d =", "awk -F= {print $1}",
		"awk -F = {print $1}", "wc -l", "sed s/=.*//", "sed s/=.*$//")
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
	switch {
	case in(name, "command_not_found_handle", "cd", "pushd", "ls", "ll", "sudo", "su", "doas", "git", "ssh", "scp", "rm", "cp", "mv", "cat", "less", "vim", "vi", "source", ".", "eval", "exec", "command", "builtin", "echo", "printf", "read", "exit", "return", "export", "unset", "set", "trap", "[", "alias", "curl", "docker", "kubectl", "npm", "python", "python3", "bash", "sh", "ken", "gpg", "passwd", "history"):
		j.node(Danger, "changes what a usual command does", s, c)
	case programs.Known(name) && !(j.flow.surely[c] && j.flow.called[name]):
		j.node(Caution, "changes what a name means", s, c)
	}
	if j.flow.surely[c] {
		if j.flow.ready == nil {
			j.flow.ready = map[string]bool{}
		}
		j.flow.ready[name] = true
	}
	if bombs {
		j.node(Danger, "a function that runs itself without end", s, c)
	}
	s.piped, s.input, s.before = false, false, nil
	dirs := j.dirs
	j.stmt(c.Body, s)
	j.either(dirs)
	var none []Simple
	s.into = &none
	flow := j.flow
	j.later = append(j.later, func() {
		kept := j.flow
		j.flow = flow
		j.stmt(c.Body, s)
		j.flow = kept
	})
}

// expansions judges the commands inside a word.
func (j *judge) expansions(w *syntax.Word, s scene) {
	if w == nil || !opens(w.Parts) {
		return
	}
	j.inside(w, s)
}

// opens reports whether something in a word is more than text.
func opens(parts []syntax.WordPart) bool {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
		case *syntax.DblQuoted:
			if opens(p.Parts) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// inside judges every command that a node holds in its words.
func (j *judge) inside(root syntax.Node, s scene) {
	s.piped, s.input, s.before, s.doc, s.inputs, s.around = false, false, nil, nil, nil, true
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
