package programs

import (
	"strings"
)

// computes says that code of a language only reckons and prints: every name in it is a
// word of the language, a function that is known to do no more, or a variable whose name
// is that of none; what stands behind a dot is a method of values. What reaches a value by
// another way than by such a name, and what could be read in two ways, is not among it.
//
// Modules are those that it imports: a file of the directory could have their names.
func computes(language, code string) (modules []string, ok bool) {
	name := strings.TrimRight(language, "0123456789.")
	if name == "perl" && substitutes(code) {
		return nil, true
	}
	switch name {
	case "nodejs":
		name = "node"
	case "pypy":
		name = "python"
	case "jruby":
		name = "ruby"
	case "R":
		name = "Rscript"
	}
	s := speechOf(name)
	if s == nil || len(code) > 2000 || HasAny(code, `"""`, "'''", "<!--", "-->", "//", "/*", "?>", "<<", "__", "\n=", "\r") {
		return nil, false
	}
	r := &reader{speech: s, name: name}
	return r.modules, r.read(code, 0) && r.fine()
}

// A reader goes through code.
type reader struct {
	*speech
	name    string
	modules []string
}

// fine says that no module is imported but the ones that are known.
func (r *reader) fine() bool {
	for _, m := range r.modules {
		if !holds(r.speech.modules, m) {
			return false
		}
	}
	return true
}

func holds(list, word string) bool { return strings.Contains(list, " "+word+" ") }

func isNameByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// What stands before a place in code.
type before struct {
	kind byte   // 'v' a value, 'w' a word, 's' a sign, 0 nothing
	text string // the word or the sign
}

func (r *reader) read(c string, depth int) bool {
	was := before{}
	for i := 0; i < len(c); {
		b := c[i]
		end := 0 // behind what is read next; 0: it is not known
		switch {
		case b == ' ' || b == '\t' || b == '\n':
			i++
			continue
		case strings.IndexByte(r.quotes, b) >= 0:
			if i > 0 && isNameByte(c[i-1]) || was.kind == 'v' || depth > 3 {
				return false
			}
			end = r.text(c, i, depth)
			was = before{'v', "text"}
		case b >= '0' && b <= '9':
			end = i
			for end < len(c) && (isNameByte(c[end]) || c[end] == '.' && end+1 < len(c) && c[end+1] >= '0' && c[end+1] <= '9') {
				end++
			}
			was = before{'v', "number"}
		case strings.IndexByte(r.sigils, b) >= 0 && (b != '%' || was.kind != 'v'):
			end = r.variable(c, i)
			was = before{'v', "variable"}
		case isNameByte(b):
			end, was = r.word(c, i, was)
		case b == '/' && r.terms != "":
			end, was = r.slash(c, i, was)
		default:
			end, was = r.sign(c, i, was)
		}
		if end <= i {
			return false
		}
		i = end
	}
	return true
}

// text is the end of the text that begins at i; 0: it is not known.
func (r *reader) text(c string, i, depth int) int {
	quote := c[i]
	for k := i + 1; k < len(c); k++ {
		switch b := c[k]; {
		case b == quote:
			return k + 1
		case b == '\n' && r.name != "perl":
			return 0
		case b == '\\':
			if k++; k >= len(c) || strings.IndexByte("ntr\\'\"$@.swdb-()[]{}+*?^|/", c[k]) < 0 || quote == '`' {
				return 0
			}
		case quote != '\'' && strings.IndexByte(r.put, b) >= 0:
			if k = r.inText(c, k, quote, depth); k == 0 {
				return 0
			}
		}
	}
	return 0
}

// inText is the last place of the value that is put into a text at k; 0: it is not known.
func (r *reader) inText(c string, k int, quote byte, depth int) int {
	next := byte(0)
	if k+1 < len(c) {
		next = c[k+1]
	}
	switch {
	case next == '{' && (r.name == "ruby" || quote == '`'): // #{x} ${x}
		inner, _, ok := strings.Cut(c[k+2:], "}")
		if !ok || strings.ContainsAny(inner, "{\"'`\\") || !r.read(inner, depth+1) {
			return 0
		}
		return k + 2 + len(inner)
	case r.name == "ruby", quote == '`':
		if next == '$' || next == '@' {
			return 0
		}
		return k
	case next == '_' || next >= 'a' && next <= 'z' || next >= 'A' && next <= 'Z' || next >= '0' && next <= '9':
		end := k + 1
		for end < len(c) && isNameByte(c[end]) {
			end++
		}
		if r.hidden(c[k+1:end]) || end < len(c) && c[end] == '{' || end < len(c) && strings.HasPrefix(c[end:], "->") ||
			end < len(c) && c[end] == ':' {
			return 0
		}
		if end < len(c) && c[end] == '[' { // its element, by a number
			inner, _, ok := strings.Cut(c[end+1:], "]")
			if !ok || strings.Trim(inner, "0123456789-") != "" {
				return 0
			}
		}
		return end - 1
	case next == ' ' || next == quote || next == '.' || next == ',':
		if r.name == "perl" && next != ' ' {
			return 0
		}
		return k
	}
	return 0
}

// hidden says that a variable holds what should not be seen, or is obeyed.
func (r *reader) hidden(name string) bool {
	return isOneOf(name, "ENV", "ARGV", "INC", "SIG", "GLOBALS", "ARGVOUT", "PROGRAM_NAME", "LOAD_PATH", "LOADED_FEATURES",
		"stdout", "stderr") ||
		strings.HasPrefix(name, "_") && name != "_"
}

// variable is the end of a variable behind its sign.
func (r *reader) variable(c string, i int) int {
	end := i + 1
	if r.name == "perl" && strings.HasPrefix(c[end:], "#") {
		end++
	}
	from := end
	for end < len(c) && isNameByte(c[end]) {
		end++
	}
	if end == from {
		if r.name == "perl" && c[i] == '$' && from == i+1 && end < len(c) && strings.IndexByte("./,\\;&\"", c[end]) >= 0 {
			return end + 1
		}
		return 0
	}
	rest := strings.TrimLeft(c[end:], " ")
	if r.hidden(c[from:end]) || strings.HasPrefix(rest, "(") || strings.HasPrefix(c[end:], "::") || strings.HasPrefix(c[end:], "'") {
		return 0
	}
	return end
}

// isVariable says that a name can only be that of a variable: no function has it.
func isVariable(name string) bool {
	return len(name) == 1 || len(name) == 2 && name[1] >= '0' && name[1] <= '9' || isOneOf(name, "total", "res", "result", "arr",
		"nums", "data", "line",
		"word", "name", "item", "acc", "val", "rows", "row", "text", "out", "idx", "ans", "cnt", "num", "lst", "obj", "str1", "prev", "cur")
}

// word judges the name at i, and says where what is known of it ends.
func (r *reader) word(c string, i int, was before) (end int, is before) {
	end = i
	for end < len(c) && (isNameByte(c[end]) || r.name == "Rscript" && c[end] == '.') {
		end++
	}
	word := c[i:end]
	dotted := was.text == "." && r.methods != "" || was.text == "::" || was.text == "&:"
	switch {
	case dotted:
		if r.name == "ruby" && end < len(c) && (c[end] == '?' || c[end] == '!') && !strings.HasPrefix(c[end+1:], "=") {
			end++
		}
		if !holds(r.methods, word) {
			return 0, was
		}
		return end, before{'v', word}
	case r.name == "python" && word == "import" && (was.kind == 0 || was.text == ";"):
		line, _, _ := strings.Cut(c[end:], ";")
		for m := range strings.SplitSeq(line, ",") {
			r.modules = append(r.modules, strings.TrimSpace(m))
		}
		return end + len(line), before{'s', ";"}
	case word == "open" && r.name == "python":
		return r.opens(c, end), before{'v', "opened"}
	case holds(r.words, word):
		if r.terms != "" && !holds(r.terms, word) && r.name != "node" {
			return end, before{'w', word}
		}
		return end, before{'t', word}
	case isVariable(word) && r.sigils != "$@%":
		return end, before{'v', word}
	}
	for _, m := range r.modules {
		if m == word {
			return end, before{'v', word}
		}
	}
	return 0, was
}

// opens is the end of a call of open that only reads a file of a plain name, here.
func (r *reader) opens(c string, end int) int {
	rest := c[end:]
	if len(rest) < 4 || rest[0] != '(' || rest[1] != '\'' && rest[1] != '"' {
		return 0
	}
	name, after, ok := strings.Cut(rest[2:], rest[1:2])
	mode := 0 // bytes of it: , "rb"
	if cut, found := strings.CutPrefix(after, ","); found {
		cut = strings.TrimPrefix(cut, " ")
		for _, m := range []string{`"rb")`, `'rb')`, `"r")`, `'r')`, `"rt")`, `'rt')`} {
			if strings.HasPrefix(cut, m) {
				mode = len(after) - len(cut) + len(m) - 1
			}
		}
		after = after[mode:]
	}
	if !ok || !strings.HasPrefix(after, ")") ||
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") != "" ||
		name == "" || strings.ContainsAny(name[:1], "./-") || HasAny(name, "..", "/.") ||
		hasAnyFold(name, "secret", "token", "key", "passw", "cred", "ssh", "shadow", "auth", "private", "vault", "cookie") {
		return 0
	}
	return end + 2 + len(name) + 2 + mode
}

// slash judges a slash: it divides behind a value, and begins an expression where none
// can stand. Where it could do both nothing is known.
func (r *reader) slash(c string, i int, was before) (end int, is before) {
	switch {
	case was.kind == 'v' && was.text != "}" && (was.text != ")" || r.name != "node"):
		return i + 1, before{'s', "/"}
	case was.kind == 'v', was.kind == 'w', was.kind == 't' && !holds(r.terms, was.text), was.text == "++", was.text == "--":
		return 0, was
	}
	for k := i + 1; k < len(c); k++ {
		switch c[k] {
		case '\n', '`':
			return 0, was
		case '\\':
			k++
		case '/':
			body := c[i+1 : k]
			if HasAny(body, "(?{", "(??", "@{", "${", "#{", "$ENV") || strings.Count(body, "[") != strings.Count(body, "]") ||
				strings.ContainsAny(body, "@$") && strings.ContainsAny(body, "[") {
				return 0, was
			}
			end = k + 1
			for end < len(c) && isNameByte(c[end]) {
				end++
			}
			return end, before{'v', "expression"}
		}
	}
	return 0, was
}

// sign judges one sign of code.
func (r *reader) sign(c string, i int, was before) (end int, is before) {
	rest := c[i+1:]
	next := byte(0)
	if rest != "" {
		next = rest[0]
	}
	switch b := c[i]; b {
	case ')', ']', '}':
		if b == ']' && r.name == "node" && strings.HasPrefix(strings.TrimLeft(rest, " "), ":") {
			return 0, was
		}
		return i + 1, before{'v', string(b)}
	case '(':
		if was.kind == 'v' && isOneOf(was.text, "]", "}", ")", "text", "expression", "number") {
			return 0, was // calls what an expression is
		}
	case '[':
		if r.name == "node" && (was.kind == 'v' || was.kind != 's' && was.kind != 0 &&
			!holds(r.terms, was.text)) { // by a text anything is reached
			inner, _, ok := strings.Cut(rest, "]")
			if !ok || strings.Trim(inner, "0123456789-+ ") != "" {
				return 0, was
			}
		}
		if was.text == "{" && r.name == "node" {
			return 0, was
		}
	case '%':
		if was.kind != 'v' || isOneOf(r.name, "ruby", "Rscript") && next != ' ' && (next < '0' || next > '9') || r.name == "Rscript" {
			return 0, was
		}
	case '?':
		if r.name == "ruby" && next != ' ' {
			return 0, was
		}
	case '*':
		if was.kind != 'v' && was.text != "*" {
			return 0, was // a name of a name
		}
	case '&':
		if r.name == "ruby" && next == ':' {
			return i + 2, before{'s', "&:"}
		}
		if next != '&' && was.text != "&" {
			return 0, was
		}
	case '-':
		if next == '>' && r.name != "julia" && !(r.name == "perl" && len(rest) > 1 && (rest[1] == '[' || rest[1] == '{')) {
			return 0, was
		}
		if next == '-' {
			return i + 2, before{'s', "--"}
		}
	case '+':
		if next == '+' {
			return i + 2, before{'s', "++"}
		}
	case ':':
		if next == ':' {
			if r.name != "ruby" || was.kind == 's' {
				return 0, was
			}
			return i + 2, before{'s', "::"}
		}
		if r.name == "ruby" && next != ' ' {
			return 0, was // a symbol names a method
		}
	case '/', '=', '<', '>', '!', ',', ';', '{', '^', '~', '|', '.':
		if b == '|' && r.name == "julia" {
			return 0, was
		}
	default:
		return 0, was
	}
	return i + 1, before{'s', string(c[i])}
}

// substitutes says that code of perl is one substitution of texts in which nothing is
// evaluated, as in s/a/b/g.
func substitutes(code string) bool {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSpace(code), ";"), "/")
	if len(parts) != 4 || parts[0] != "s" && parts[0] != "y" && parts[0] != "tr" || parts[1] == "" {
		return false
	}
	pattern, text, how := parts[1], parts[2], parts[3]
	bare := text
	for _, group := range []string{"$1", "$2", "$3", "$4", "$&"} {
		bare = strings.ReplaceAll(bare, group, "")
	}
	return !HasAny(pattern, "(?", "@", "${", "$E", "`") && !strings.ContainsAny(strings.TrimSuffix(pattern, "$"), "$\n") &&
		!strings.ContainsAny(bare, "$@`\n") && !strings.HasSuffix(pattern, "\\") &&
		!strings.HasSuffix(text, "\\") && strings.Trim(how, "gimsrd") == ""
}
