package risk

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"ken/internal/risk/programs"
)

// words are the words of a command as it would get them, as far as that is known:
// braces are expanded, and variables that the line sets.
func (j *judge) words(args []*syntax.Word) []programs.Word {
	out := make([]programs.Word, 0, len(args))
	for _, a := range args {
		if len(a.Parts) == 1 {
			if l, ok := a.Parts[0].(*syntax.Lit); ok && !strings.Contains(l.Value, "{") {
				out = append(out, j.word(a))
				continue
			}
		}
		if all := j.elements(a); all != nil {
			out = append(out, all...)
			continue
		}
		for _, w := range j.braces(a) {
			v := j.marked(w)
			fields := []string{v.Text}
			if strings.Contains(v.Text, blankMark) {
				fields = strings.FieldsFunc(v.Text, func(r rune) bool { return r == '\x1f' })
			}
			for _, f := range fields {
				part := v
				part.Text = f
				out = append(out, part)
			}
		}
	}
	return out
}

const maxBraces = 12 // commas in the braces of a word that are expanded

// braces expands the lists in a word, if there are few.
func (j *judge) braces(w *syntax.Word) []*syntax.Word {
	commas, open := 0, 0
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			commas += strings.Count(l.Value, ",")
			open += strings.Count(l.Value, "{")
			if strings.Contains(l.Value, "..") {
				return []*syntax.Word{w}
			}
		}
	}
	if open == 0 || commas == 0 || open > 2 || commas > maxBraces {
		return []*syntax.Word{w}
	}
	copied := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	var out []*syntax.Word
	for part, err := range expand.BracesSeq(nil, copied) {
		if err != nil {
			return []*syntax.Word{w}
		}
		out = append(out, part)
	}
	return out
}

// blankMark stands for a blank of a value that no quotes keep together.
const blankMark = "\x1f"

// word is one word without its quotes.
func (j *judge) word(w *syntax.Word) programs.Word {
	out := j.marked(w)
	if strings.Contains(out.Text, blankMark) {
		out.Text = strings.ReplaceAll(out.Text, blankMark, " ")
	}
	return out
}

// marked is a word in which it is marked where values come apart.
func (j *judge) marked(w *syntax.Word) programs.Word {
	out := programs.Word{}
	if w == nil {
		return out
	}
	if len(w.Parts) > 0 {
		out.At, out.End = int(w.Pos().Offset()), int(w.End().Offset())
	}
	if len(w.Parts) == 1 {
		if l, ok := w.Parts[0].(*syntax.Lit); ok {
			out.Text, out.Glob = unescape(l.Value, false), globs(l.Value)
			return j.bounded(out)
		}
	}
	var b strings.Builder
	for _, p := range w.Parts {
		j.part(&out, &b, p, false)
	}
	if len(w.Parts) > 1 {
		out.Found = ""
	}
	out.Text = b.String()
	return j.bounded(out)
}

// foundProgram is the program of which a substitution is the path: $(command -v name).
func foundProgram(c *syntax.CmdSubst) string {
	if len(c.Stmts) != 1 || len(c.Stmts[0].Redirs) > 0 || c.Stmts[0].Negated || c.Stmts[0].Background {
		return ""
	}
	plain, ok := c.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(plain.Assigns) > 0 || len(plain.Args) < 2 || len(plain.Args) > 3 {
		return ""
	}
	name := plain.Args[len(plain.Args)-1].Lit()
	how := plain.Args[0].Lit()
	if len(plain.Args) == 3 {
		how += " " + plain.Args[1].Lit()
	}
	if !in(how, "which", "command -v", "type -P", "type -p") || name == "" ||
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+.-") != "" || strings.ContainsAny(name[:1], "-.") {
		return ""
	}
	return name
}

// bounded counts a word that was written out, and empties it if there are too many.
func (j *judge) bounded(out programs.Word) programs.Word {
	if j.made += len(out.Text); j.made > j.mayMake() {
		if j.made -= len(out.Text); !j.full {
			j.full = true
			j.say(Danger, "more text than anybody reads", scene{}, 0, len(clip(j.line)))
		}
		out.Text, out.Hole, out.Set = "$", true, true
	}
	return out
}

func (j *judge) part(out *programs.Word, b *strings.Builder, p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		b.WriteString(unescape(p.Value, quoted))
		out.Glob = out.Glob || !quoted && globs(p.Value)
	case *syntax.SglQuoted:
		if !p.Dollar {
			b.WriteString(p.Value)
			return
		}
		text, err := expand.Literal(nil, &syntax.Word{Parts: []syntax.WordPart{p}})
		if err != nil {
			text, out.Hole = p.Value, true
		}
		b.WriteString(text)
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			j.part(out, b, q, true)
		}
		if len(p.Parts) > 1 {
			out.Found = ""
		}
	case *syntax.ParamExp:
		j.value(out, b, p, quoted)
	case *syntax.CmdSubst:
		out.Hole, out.Subst, out.Split = true, true, out.Split || !quoted
		out.Found = foundProgram(p)
		out.Secret = out.Secret || j.sources(p.Stmts)
		b.WriteString("$(" + firstName(p.Stmts) + ")")
	case *syntax.ProcSubst:
		out.Hole = true
		out.Secret = out.Secret || j.sources(p.Stmts)
		b.WriteString("<()")
	case *syntax.ArithmExp:
		out.Hole = true
		b.WriteString("$((")
		b.WriteString("))")
	case *syntax.BraceExp:
		out.Glob = true
		b.WriteString("{}")
	case *syntax.ExtGlob:
		out.Glob = true
		b.WriteString("*")
	default:
		out.Hole, out.Subst = true, true
	}
}

// document is the text that a here-document or here-string gives to a command.
func (j *judge) document(r *syntax.Redirect) (programs.Word, bool) {
	if r.Op == syntax.WordHdoc {
		return j.word(r.Word), true
	}
	if r.Hdoc == nil {
		return programs.Word{}, false
	}
	raw := false // a quoted end: nothing in the text means anything
	for _, p := range r.Word.Parts {
		l, ok := p.(*syntax.Lit)
		raw = raw || !ok || strings.Contains(l.Value, `\`)
	}
	out := programs.Word{At: int(r.Pos().Offset()), End: int(r.Hdoc.End().Offset())}
	var b strings.Builder
	for _, p := range r.Hdoc.Parts {
		if l, ok := p.(*syntax.Lit); ok && raw {
			b.WriteString(l.Value)
			continue
		} else if ok {
			b.WriteString(unescapeDocument(l.Value))
			continue
		}
		j.part(&out, &b, p, true)
	}
	out.Text = b.String()
	return out, true
}

func unescapeDocument(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\$`, `$`, "\\`", "`", "\\\n", "").Replace(s)
}

// firstName is the name of the first command of a list, if it is plain.
func firstName(list []*syntax.Stmt) string {
	for len(list) > 0 {
		switch c := list[0].Cmd.(type) {
		case *syntax.CallExpr:
			if len(c.Args) > 0 {
				return c.Args[0].Lit()
			}
			return ""
		case *syntax.BinaryCmd:
			list = []*syntax.Stmt{c.X}
		default:
			return ""
		}
	}
	return ""
}

// unescape takes the backslashes out of unquoted or double-quoted text.
func unescape(s string, quoted bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case s[i] == '\n':
		case quoted && !strings.ContainsRune("$`\"\\", rune(s[i])):
			b.WriteByte('\\')
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// globs reports whether unquoted text would be matched with file names, or be several words.
func globs(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return true
		case '{':
			if strings.Contains(s[i:], "}") && (strings.Contains(s[i:], ",") || strings.Contains(s[i:], "..")) {
				return true
			}
		}
	}
	return false
}

// callsOf are the commands of a stage of a pipe, outermost first.
func (j *judge) callsOf(st *syntax.Stmt) [][]programs.Word {
	var out [][]programs.Word
	syntax.Walk(st, func(n syntax.Node) bool {
		if st, ok := n.(*syntax.Stmt); ok && len(out) < 20 {
			for _, r := range st.Redirs {
				w := programs.Word{}
				if r.Op == syntax.RdrIn {
					w = j.word(r.Word)
				} else if r.Op == syntax.DplIn {
					w = j.open[r.Word.Lit()]
				}
				if w.Text != "" && j.isSecret(w) { // as if it were read by its name
					out = append(out, []programs.Word{{Text: "cat"}, w})
				}
			}
		}
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 && len(out) < 20 {
			out = append(out, j.words(c.Args))
		}
		if d, ok := n.(*syntax.DeclClause); ok && len(out) < 20 {
			words := []programs.Word{{Text: d.Variant.Value}}
			for _, a := range d.Args {
				if a.Name == nil {
					words = append(words, j.word(a.Value))
				} else {
					words = append(words, programs.Word{Text: a.Name.Value})
				}
			}
			out = append(out, words)
		}
		return true
	})
	return out
}

// assign judges NAME=value, and keeps it.
func (j *judge) assign(a *syntax.Assign, s scene, exported bool) {
	j.expansions(a.Value, s)
	if a.Index != nil {
		j.arithmetic(a.Index, s)
	}
	if a.Array != nil {
		j.inside(a.Array, s)
	}
	if a.Name == nil {
		if a.Value != nil && strings.Contains(j.word(a.Value).Text, "=") {
			w := j.word(a.Value)
			name, value, _ := strings.Cut(w.Text, "=")
			w.Text = value
			j.variableReason(name, w, exported, s, a)
		}
		return
	}
	name := a.Name.Value
	w := j.word(a.Value)
	if a.Naked && exported && j.flow != nil && j.flow.names[name] != nil {
		j.variableReason(name, programs.Word{Hole: true}, true, s, a)
	}
	if !a.Naked {
		j.variableReason(name, w, exported || j.flow != nil && j.flow.exports, s, a)
		_, index, _ := strings.Cut(w.Text, "[")
		evaluated := j.flow != nil && len(j.flow.doubts) > 0 && (strings.Contains(index, "$(") || strings.Contains(index, "`"))
		if !w.Subst && (evaluated || strings.Contains(w.Text, "[$(") || strings.Contains(w.Text, "[`")) {
			j.node(Danger, "a command hidden in text that is evaluated", s, a)
		}
	}
}

// reference judges declare -n: the name stands for another variable from then on.
func (j *judge) reference(c *syntax.DeclClause, s scene) {
	refers := c.Variant.Value == "nameref"
	for _, a := range c.Args {
		if a.Name == nil && a.Value != nil {
			t := j.word(a.Value).Text
			refers = refers || len(t) > 1 && t[0] == '-' && strings.Contains(t, "n")
		}
	}
	for _, a := range c.Args {
		if !refers || a.Name == nil {
			continue
		}
		w := j.word(a.Value)
		if target, _, _ := strings.Cut(w.Text, "["); w.Hole || harmfulVariable(target) {
			j.node(Danger, "a name for a variable that programs obey", s, a)
		} else {
			j.node(Caution, "a name for another variable", s, a)
		}
	}
}
