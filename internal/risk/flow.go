package risk

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"ken/internal/risk/programs"
)

// A flow is what one text of a shell does to variables and to the directory. It is found before any
// command of the text is judged. The value of a name is known only if the text sets the name once,
// at its top level and before the use, if nothing can keep that from happening, and if nothing else
// in the text could set it.
type flow struct {
	outer   *flow  // of the text around it
	text    string // as it was parsed
	names   map[string]*variable
	wild    bool                      // something may set any name: eval, source, a name that is not known
	moves   bool                      // something goes to another directory
	words   []*syntax.Word            // what $1 and its like may be; of the calls of functions in the text
	given   []programs.Word           // so do these, that the text itself is given
	args    bool                      // $1 and its like are what the line says, and not what the person's shell has
	assoc   map[string]bool           // arrays whose subscripts are no arithmetic
	doubts  []syntax.Node             // arithmetic on what is not known to be a number
	twice   []syntax.Node             // declarations whose words name an element by what is made first
	traps   bool                      // a command runs between others, of this text or of one in it
	exports bool                      // all that is set goes to what runs
	busy    bool                      // the values of $1 and its like are being looked up
	known   bool                      // names of commands that the text sets first are taken as they are set
	rested  []*syntax.ParamExp        // the parameters that this rests on
	surely  map[*syntax.FuncDecl]bool // functions that are defined whatever happens, and stay so
	called  map[string]bool           // functions of the text that the text calls
	ready   map[string]bool           // the names of those that the judge has come past
}

// A variable is one that a text sets.
type variable struct {
	sets []setting
	busy bool // its values are being looked up
}

// A setting is one place where a variable gets a value.
type setting struct {
	value  *syntax.Word   // nil: one that is not known
	words  []*syntax.Word // elements of an array, or what a loop goes through: one of them
	loop   *syntax.ForClause
	end    int  // offset behind it
	top    bool // it is done, whatever happens, before what stands behind it
	joins  bool // it is put behind the old value
	opaque bool // not all values are known
	number bool // it is a number, whatever it is
	busy   bool
	word   *programs.Word // what value is, once it was asked for
	list   bool           // words are all the elements of an array, set whatever happens
}

// most of a variable's values that are looked at; a name with more is a danger where
// it matters.
const maxValues = 12

// flowOf looks through a text. A command whose name is a variable could set anything. So
// such names are first taken to be what the text sets: if then nothing in it changes one
// of them, that is what they are. Else nothing is known.
func flowOf(file *syntax.File, outer *flow, given []programs.Word) *flow {
	f := lookThrough(file, outer, given, true)
	for _, p := range f.rested {
		name, at := p.Param.Value, int(p.Pos().Offset())
		if f.constant(name, at) == nil && f.elements(name, at) == nil {
			return lookThrough(file, outer, given, false)
		}
	}
	return f
}

func lookThrough(file *syntax.File, outer *flow, given []programs.Word, known bool) *flow {
	f := &flow{outer: outer, names: map[string]*variable{}, assoc: map[string]bool{}, called: map[string]bool{}, given: given, known: known}
	f.args = len(given) > 0 || outer != nil && outer.args
	tops := map[*syntax.Assign]bool{}
	for _, st := range file.Stmts {
		top(st, tops)
	}
	// What is found of one node may rest on others: these are looked at afterwards.
	defined := map[string]bool{}
	var calls []*syntax.CallExpr
	var later []syntax.Node
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Word:
			return opens(n.Parts)
		case *syntax.FuncDecl:
			if n.Name != nil {
				defined[n.Name.Value] = true
			}
		case *syntax.CallExpr:
			calls = append(calls, n)
		case *syntax.Lit, *syntax.SglQuoted:
		default:
			f.node(n, tops)
			later = append(later, n)
		}
		return true
	})
	f.surely = functions(file, calls)
	f.exports = outer != nil && outer.exports
	f.traps = outer != nil && outer.traps
	f.wild = f.wild || f.traps
	f.args = f.args || len(defined) > 0
	for _, c := range calls {
		f.call(c, defined)
	}
	for _, c := range calls {
		f.evaluates(c)
	}
	for _, n := range later {
		f.evaluates(n)
	}
	f.wild = f.wild || len(f.doubts) > 0 // a value may hold an assignment, too
	return f
}

// top collects the assignments of a statement that are done for sure, if it stands at
// the top of a text.
func top(st *syntax.Stmt, tops map[*syntax.Assign]bool) {
	for {
		if st.Background || st.Coprocess || len(st.Redirs) > 0 {
			return
		}
		switch c := st.Cmd.(type) {
		case *syntax.CallExpr:
			if len(c.Args) == 0 {
				for _, a := range c.Assigns {
					tops[a] = true
				}
			}
			return
		case *syntax.DeclClause:
			if c.Variant.Value != "local" && plainDecl(c) {
				for _, a := range c.Args {
					tops[a] = true
				}
			}
			return
		case *syntax.BinaryCmd:
			if c.Op != syntax.AndStmt && c.Op != syntax.OrStmt {
				return
			}
			st = c.X
		default:
			return
		}
	}
}

// plainDecl reports whether a declaration changes no value that it sets: it has no option but -x,
// -r and -g.
func plainDecl(c *syntax.DeclClause) bool {
	if c.Variant.Value == "nameref" {
		return false
	}
	for _, a := range c.Args {
		if a.Name != nil {
			continue
		}
		if option := a.Value.Lit(); len(option) < 2 || option[0] != '-' || strings.Trim(option[1:], "xrg-") != "" {
			return false
		}
	}
	return true
}

func (f *flow) set(name string, s setting) {
	v := f.names[name]
	if v == nil {
		v = &variable{}
		f.names[name] = v
	}
	v.sets = append(v.sets, s)
}

// touch says of a name that its value is not known.
func (f *flow) touch(name string) {
	if isName(name) {
		f.set(name, setting{opaque: true})
	}
}

// touchAll touches every name in a text.
func (f *flow) touchAll(text string) {
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return !isNameRune(r) }) {
		f.touch(name)
	}
}

func isNameRune(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

func isName(s string) bool {
	return s != "" && (s[0] < '0' || s[0] > '9') && strings.IndexFunc(s, func(r rune) bool { return !isNameRune(r) }) < 0
}

// node notes what one node of the tree sets.
func (f *flow) node(n syntax.Node, tops map[*syntax.Assign]bool) {
	switch n := n.(type) {
	case *syntax.DeclClause:
		f.declares(n)
	case *syntax.Assign:
		f.assigns(n, tops[n])
	case *syntax.ForClause:
		if l, ok := n.Loop.(*syntax.WordIter); ok && l.Name != nil {
			f.set(l.Name.Value, setting{words: l.Items, loop: n, opaque: n.Select || !l.InPos.IsValid()})
			if n.Select {
				f.touch("REPLY")
			}
		}
	case *syntax.CoprocClause:
		f.touch("COPROC")
		if n.Name != nil {
			f.touchAll(n.Name.Lit())
			f.touchAll(n.Name.Lit() + "_PID")
		}
	case *syntax.Redirect:
		if n.N != nil {
			f.touchAll(strings.Trim(n.N.Value, "{}"))
		}
	case *syntax.ParamExp:
		if n.Exp != nil && n.Param != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
			f.set(n.Param.Value, setting{value: n.Exp.Word, opaque: n.Exp.Word == nil})
		}
	case *syntax.BinaryArithm:
		if w, ok := n.X.(*syntax.Word); ok && assignsArithm(n.Op) {
			f.number(w)
		}
	case *syntax.UnaryArithm:
		if w, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.Inc || n.Op == syntax.Dec) {
			f.number(w)
		}
	case *syntax.TestClause:
		f.touch("BASH_REMATCH")
	}
}

func assignsArithm(op syntax.BinAritOperator) bool {
	s := op.String()
	return strings.HasSuffix(s, "=") && s != "==" && s != "!=" && s != "<=" && s != ">="
}

// number notes that arithmetic sets the name that a word is.
func (f *flow) number(w *syntax.Word) {
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if isName(p.Value) {
				f.set(p.Value, setting{opaque: true, number: true})
			} else {
				f.touchAll(p.Value)
			}
		case *syntax.ParamExp:
			if p.Short || p.Param == nil {
				f.wild = true // $x=3 sets what x holds
				return
			}
			f.touchAll(p.Param.Value)
		default:
			f.wild = true
		}
	}
}

func (f *flow) declares(c *syntax.DeclClause) {
	plain := plainDecl(c)
	for _, a := range c.Args {
		switch {
		case a.Name != nil && a.Naked && isArray(c):
			f.set(a.Name.Value, setting{opaque: true, number: true}) // it has no elements yet
		case a.Name != nil && (!plain || a.Naked && (c.Variant.Value == "local" || c.Variant.Value == "typeset" || c.Variant.Value == "declare")):
			f.touch(a.Name.Value)
		case a.Name == nil:
			text, ok := literal(a.Value)
			switch {
			case !ok:
				f.wild = true
			case strings.HasPrefix(text, "-") && strings.Contains(text, "A"):
				for _, b := range c.Args {
					if b.Name != nil {
						f.assoc[b.Name.Value] = true
					}
				}
			case strings.HasPrefix(text, "-") && strings.Contains(text, "n") && c.Variant.Value != "export":
				f.wild = true // a name for another
			case !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+"):
				f.touchAll(text)
			}
		}
	}
	f.wild = f.wild || c.Variant.Value == "nameref"
}

func (f *flow) assigns(a *syntax.Assign, top bool) {
	if a.Name == nil || a.Naked {
		return
	}
	s := setting{value: a.Value, end: int(a.End().Offset()), top: top, joins: a.Append}
	if a.Array != nil {
		s.list = top && !a.Append && a.Index == nil && len(a.Array.Elems) > 0
		s.opaque, s.top = true, false
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				s.words = append(s.words, e.Value)
			}
			_, plain := literal(e.Value)
			s.list = s.list && plain && e.Value != nil && e.Index == nil
		}
	}
	s.opaque = s.opaque || a.Index != nil || a.Append
	s.top = s.top && !s.opaque
	s.number = a.Array == nil && (a.Index == nil || f.assoc[a.Name.Value]) && numeral(a.Value)
	f.set(a.Name.Value, s)
}

// numeral reports whether a word is a number, whatever its value.
func numeral(w *syntax.Word) bool {
	if w == nil {
		return true
	}
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if strings.Trim(p.Value, "0123456789") != "" && p.Value != "-" {
				return false
			}
		case *syntax.ArithmExp:
		case *syntax.ParamExp:
			if !p.Length && (p.Param == nil || !in(p.Param.Value, "#", "?", "$", "!")) {
				return false
			}
		case *syntax.DblQuoted:
			if !numeral(&syntax.Word{Parts: p.Parts}) {
				return false
			}
		case *syntax.SglQuoted:
			if strings.Trim(p.Value, "0123456789") != "" {
				return false
			}
		case *syntax.CmdSubst:
			if !counts(p.Stmts) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// counts reports whether a list prints a number and nothing else: it ends in a program that counts
// what it is fed.
func counts(list []*syntax.Stmt) bool {
	if len(list) != 1 {
		return false
	}
	st := list[0]
	for {
		b, ok := st.Cmd.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		if b.Op != syntax.Pipe {
			return false
		}
		st = b.Y
	}
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return false
	}
	if c.Args[0].Lit() == "seq" {
		for _, w := range c.Args[1:] {
			if strings.HasPrefix(w.Lit(), "-") && strings.Trim(w.Lit(), "-0123456789") != "" {
				return false
			}
		}
		return true
	}
	var words []string
	for _, w := range c.Args {
		text, known := literal(w)
		if !known {
			return false
		}
		words = append(words, text)
	}
	args := words[1:]
	switch words[0] {
	case "wc":
		return len(args) == 1 && in(args[0], "-l", "-c", "-w", "-m", "--lines")
	case "grep":
		return len(args) >= 2 && len(args) <= 3 && args[0] == "-c"
	case "stat":
		return len(args) == 3 && in(args[0], "-c", "-f") && in(args[1], "%s", "%Y", "%z", "%m")
	case "git":
		return len(args) > 1 && args[0] == "rev-list" && args[1] == "--count"
	case "nproc":
		return len(args) == 0
	case "id":
		return len(args) == 1 && in(args[0], "-u", "-g")
	case "date":
		return len(args) == 1 && in(args[0], "+%s", "+%Y", "+%u", "+%j")
	}
	return false
}

// literal is the text of a word in which nothing is expanded.
func literal(w *syntax.Word) (text string, ok bool) {
	if w == nil {
		return "", true
	}
	var b strings.Builder
	ok = literalParts(&b, w.Parts, false)
	return b.String(), ok
}

func literalParts(b *strings.Builder, parts []syntax.WordPart, quoted bool) bool {
	ok := true
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value, quoted))
			ok = ok && (quoted || !strings.ContainsAny(p.Value, "{*?["))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
			ok = ok && !p.Dollar
		case *syntax.DblQuoted:
			ok = literalParts(b, p.Parts, true) && ok
		default:
			ok = false
		}
	}
	return ok
}

// call notes what a simple command sets, if it is a builtin or a function.
func (f *flow) call(c *syntax.CallExpr, defined map[string]bool) {
	args := c.Args
	for len(args) > 0 && in(args[0].Lit(), "builtin", "command", "-p", "--", "time", "!") {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	name, ok := literal(args[0])
	if !ok {
		name, ok = f.named(args[0])
	}
	if args[0].Lit() == "[" {
		name, ok = "[", true // no pattern, but a program
	}
	args = args[1:]
	if !ok {
		f.wild, f.moves = true, true
		return
	}
	if defined[name] {
		f.words = append(f.words, args...)
		f.called[name] = true
	}
	switch name {
	case "eval", "source", ".", "trap", "alias", "bind", "fc", "complete", "compgen", "compopt", "enable":
		f.wild = f.wild || !(name == "trap" && atExit(args)) && len(args) > 0
		f.traps = f.traps || name == "trap" && !atExit(args) && len(args) > 0
		f.moves = f.moves || in(name, "eval", "source", ".")
	case "cd", "pushd", "popd", "chdir":
		f.moves = true
		f.touch("PWD")
		f.touch("OLDPWD")
	case "set", "shift":
		for _, w := range args {
			t := w.Lit()
			f.exports = f.exports || t == "allexport" || len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.ContainsAny(t, "ak")
		}
		f.args = true
		f.words = append(f.words, args...)
	case "printf":
		if len(args) > 0 {
			first, known := literal(args[0])
			switch {
			case strings.HasPrefix(first, "-v"):
				f.touches(args[:min(len(args), 2)])
			case !known && first == "":
				f.wild = true
			}
		}
	case "read", "mapfile", "readarray", "unset", "getopts", "wait", "let", "declare", "local", "typeset", "export", "readonly", "test", "[":
		if in(name, "test", "[") && !hasLit(args, "-v") {
			return
		}
		f.touch("REPLY")
		f.touch("MAPFILE")
		f.touch("OPTARG")
		f.touch("OPTIND")
		f.touches(args)
		f.wild = f.wild || in(name, "mapfile", "readarray") && hasLit(args, "-C") ||
			in(name, "declare", "local", "typeset") // behind "command" or "builtin"; else it is a clause
	}
}

// atExit reports whether trap has a text for the end of the shell alone: all else is done by then.
func atExit(args []*syntax.Word) bool {
	if len(args) > 0 && args[0].Lit() == "--" {
		args = args[1:]
	}
	for _, w := range args[min(1, len(args)):] {
		if !in(w.Lit(), "EXIT", "0") {
			return false
		}
	}
	return len(args) > 1
}

// touches touches every name in words.
func (f *flow) touches(words []*syntax.Word) {
	for _, w := range words {
		text, ok := literal(w)
		f.touchAll(text)
		f.wild = f.wild || !ok
	}
}

// special are the parameters that bash itself sets.
func special(name string) bool {
	return in(name, "_", "REPLY", "MAPFILE", "OPTARG", "OPTIND", "OPTERR", "RANDOM", "SRANDOM", "SECONDS", "LINENO", "EPOCHSECONDS", "EPOCHREALTIME",
		"HISTCMD", "FUNCNAME", "PIPESTATUS", "DIRSTACK", "GROUPS", "UID", "EUID", "PPID", "PWD", "OLDPWD", "COPROC", "SHELLOPTS", "BASHOPTS", "HOSTNAME", "IFS") ||
		strings.HasPrefix(name, "BASH") || strings.HasPrefix(name, "COMP_") || strings.HasPrefix(name, "READLINE_")
}

// constant is the word that a name has as its value at an offset of the text, nil if
// that is not known.
func (f *flow) constant(name string, at int) *setting {
	v := f.names[name]
	if v == nil || f.wild || len(v.sets) != 1 || special(name) {
		return nil
	}
	if s := &v.sets[0]; s.top && s.end <= at {
		return s
	}
	return nil
}

// indexes reports whether a word is the numbers of an array's elements.
func (f *flow) indexes(w *syntax.Word) bool {
	parts := w.Parts
	if len(parts) == 1 {
		if q, ok := parts[0].(*syntax.DblQuoted); ok {
			parts = q.Parts
		}
	}
	if len(parts) != 1 {
		return false
	}
	p, ok := parts[0].(*syntax.ParamExp)
	return ok && p.Excl && p.Index != nil && p.Param != nil && f.names[p.Param.Value] != nil && !f.assoc[p.Param.Value]
}

// isNumber reports whether a name holds a number wherever the text says what it holds; one
// that no text sets is the person's.
//
// A word like $1 is the person's own, where the line gives none.
func (f *flow) isNumber(name string) bool {
	for ; f != nil; f = f.outer {
		if f.wild {
			return false
		}
		if v := f.names[name]; v != nil {
			for _, s := range v.sets {
				if len(s.words) > 0 && (s.loop == nil || !s.opaque) {
					for _, w := range s.words {
						if !numeral(w) && !strings.Contains(w.Lit(), "..") && !f.indexes(w) {
							return false
						}
					}
					continue
				}
				if !s.number && !f.unset(s.value) {
					return false
				}
			}
		}
	}
	return true
}
