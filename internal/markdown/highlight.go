package markdown

import "strings"

// A codeKind is what a piece of code is.
type codeKind uint8

// The kinds of pieces. The last four are lines of a comparison.
const (
	codePlain codeKind = iota
	codeComment
	codeString
	codeNumber
	codeKeyword
	codeAdded
	codeRemoved
	codePlace // where in the file
	codeFile  // which file
)

// A highlighter distinguishes comments, strings, numbers and keywords in one block of code.
// That needs no grammar, only to know how a language writes them; where it is
// wrong, a word has the wrong colour.
type highlighter struct {
	lang  language
	until string   // what ends the comment or string that runs over lines
	in    codeKind // what that is
}

// newHighlighter returns a highlighter for what stands behind a fence of markdown, as in
// ```go. Of languages that it does not know all is plain.
func newHighlighter(about string) highlighter { return highlighter{lang: languageOf(about)} }

// Line hands the pieces of the next line, which together are the line, to show.
func (l *highlighter) Line(s string, show func(text string, kind codeKind)) {
	if is, ok := l.lang.whole(s); ok {
		show(s, is)
		return
	}
	from := 0 // what is not shown yet
	add := func(to int, is codeKind) {
		if to > from {
			show(s[from:to], is)
			from = to
		}
	}
	i := 0
	if l.until != "" {
		i = l.inside(s, 0)
		add(i, l.in)
	}
	for i < len(s) && l.until == "" {
		end, is := l.token(s, i)
		if is != codePlain {
			add(i, codePlain)
			add(end, is)
		}
		i = end
	}
	add(len(s), codePlain)
}

// inside finds where in s[i:] that ends which runs over lines.
func (l *highlighter) inside(s string, i int) int {
	n := strings.Index(s[i:], l.until)
	if n < 0 {
		return len(s)
	}
	i += n + len(l.until)
	l.until = ""
	return i
}

// token finds the end of the token that begins at i.
func (l *highlighter) token(s string, i int) (end int, is codeKind) {
	rest := s[i:]
	for _, c := range l.lang.comments {
		if strings.HasPrefix(rest, c) && (c != "#" || i == 0 || s[i-1] == ' ' || s[i-1] == '\t') {
			return len(s), codeComment
		}
	}
	for _, b := range l.lang.blocks {
		if strings.HasPrefix(rest, b.open) {
			l.until, l.in = b.end, b.is
			return l.inside(s, i+len(b.open)), b.is
		}
	}
	c := s[i]
	switch {
	case strings.IndexByte(l.lang.quotes, c) >= 0:
		if end = l.lang.quoted(s, i); end > i+1 {
			return end, codeString
		}
		return end, codePlain
	case isDigit(c):
		end = i + 1
		for end < len(s) && (beginsName(s[end]) || isDigit(s[end]) || s[end] == '.') {
			end++
		}
		return end, codeNumber
	case beginsName(c):
		end = i + 1
		for end < len(s) && (beginsName(s[end]) || isDigit(s[end])) {
			end++
		}
		if l.lang.isKeyword(s[i:end]) {
			return end, codeKeyword
		}
		return end, codePlain
	case c == '<' && l.lang.tags && i+1 < len(s) && (beginsName(s[i+1]) || s[i+1] == '/'):
		end = i + 2
		for end < len(s) && (beginsName(s[end]) || isDigit(s[end]) || s[end] == '-') {
			end++
		}
		return end, codeKeyword
	}
	return i + 1, codePlain
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// beginsName reports whether a name may begin with c; other scripts have names too.
func beginsName(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// A language says how code is written.
type language struct {
	comments []string // what comments to the end of the line begin with
	blocks   []block
	quotes   string // characters that strings on one line stand between
	literal  string // those of them inside which a backslash means itself
	keywords string // blank before and after each
	anyCase  bool   // keywords count in any case
	tags     bool   // <tag>
	diff     bool
	prompt   bool // lines of a terminal: a prompt and a command, or output
}

// A block is a comment or string that may run over lines.
type block struct {
	open, end string
	is        codeKind
}

func (g language) isKeyword(word string) bool {
	if g.anyCase {
		word = strings.ToLower(word)
	}
	return g.keywords != "" && strings.Contains(g.keywords, " "+word+" ")
}

// quoted is the end of the string that begins at i; without its closing quote it
// is only a quote, as in don't.
func (g language) quoted(s string, i int) int {
	literal := strings.IndexByte(g.literal, s[i]) >= 0
	for j := i + 1; j < len(s); j++ {
		switch {
		case s[j] == '\\' && !literal:
			j++
		case s[j] == s[i]:
			return j + 1
		}
	}
	return i + 1
}

// whole is the kind of lines that have one as a whole.
func (g language) whole(s string) (is codeKind, ok bool) {
	if !g.diff {
		return codePlain, g.prompt && !strings.HasPrefix(s, "$ ") && !strings.HasPrefix(s, "# ")
	}
	switch {
	case strings.HasPrefix(s, "+"):
		return codeAdded, true
	case strings.HasPrefix(s, "-"):
		return codeRemoved, true
	case strings.HasPrefix(s, "@@"):
		return codePlace, true
	case strings.HasPrefix(s, " "), s == "":
		return codePlain, true
	}
	return codeFile, true
}

// languageOf knows a language by what stands behind the fence. Of others nothing
// is coloured.
func languageOf(about string) language {
	name, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(about, "{. ")), " ")
	name = strings.TrimRight(name, "}")
	slashes := []string{"//"}
	blocks := []block{{"/*", "*/", codeComment}}
	c := language{comments: slashes, blocks: blocks, quotes: `"'`}
	switch name {
	case "go", "golang":
		c.blocks = append(blocks, block{"`", "`", codeString})
		c.keywords = " break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false iota "
	case "js", "javascript", "jsx", "mjs", "ts", "typescript", "tsx":
		c.blocks = append(blocks, block{"`", "`", codeString})
		c.keywords = " as async await break case catch class const continue debugger default delete do else enum export extends false finally for from function if implements import in instanceof interface let new null of private protected public readonly return static super switch this throw true try type typeof undefined var void while with yield "
	case "rust", "rs":
		c.quotes = `"`
		c.keywords = " as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while "
	case "c", "h", "cpp", "c++", "cc", "hpp", "cxx":
		c.keywords = " auto bool break case catch char class const constexpr continue default delete do double else enum explicit extern false float for friend if inline int long namespace new nullptr operator private protected public return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while NULL include define ifdef ifndef endif "
	case "java", "kotlin", "kt", "cs", "csharp", "swift", "scala", "php", "dart":
		c.keywords = " abstract as async await boolean break byte case catch char class const continue data default do double else enum extends false final finally float for foreach fun func function guard if implements import in instanceof int interface internal is let long namespace new nil null object override package private protected public return sealed short static string String struct super switch this throw throws true try using val var void when where while "
	case "py", "python", "python3":
		c = language{comments: []string{"#"}, quotes: `"'`, blocks: []block{{`"""`, `"""`, codeString}, {"'''", "'''", codeString}}}
		c.keywords = " and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match case None nonlocal not or pass raise return True try while with yield self "
	case "rb", "ruby", "pl", "perl", "r", "elixir", "ex", "lua":
		c = language{comments: []string{"#"}, quotes: `"'`}
		if name == "lua" {
			c.comments = []string{"--"}
		}
		c.keywords = " and begin break case class def do else elsif elseif end ensure false for function if in local module my next nil not or raise repeat require rescue return self sub super then true unless until use when while yield "
	case "sh", "bash", "shell", "zsh", "fish", "dockerfile", "docker", "makefile", "make", "console", "shell-session", "terminal":
		c = language{comments: []string{"#"}, quotes: `"'`, literal: "'"}
		c.keywords = " if then else elif fi for while until do done case esac in function return export local set unset source exit cd echo FROM RUN COPY CMD ENTRYPOINT ENV WORKDIR EXPOSE ARG "
		c.prompt = name == "console" || name == "shell-session" || name == "terminal"
	case "json", "jsonc", "json5", "jsonl":
		c.quotes, c.keywords = `"`, " true false null "
	case "yaml", "yml", "toml", "ini", "conf", "properties", "env", "hcl", "tf", "terraform":
		c = language{comments: []string{"#"}, quotes: `"'`, literal: "'", keywords: " true false null yes no on off "}
		if name == "ini" {
			c.comments = []string{"#", ";"}
		}
	case "sql", "postgres", "postgresql", "mysql", "sqlite":
		c = language{comments: []string{"--"}, blocks: blocks, quotes: `"'`, literal: `"'`, anyCase: true}
		c.keywords = " add all alter and any as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists false foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then true union unique update using values view when where with "
	case "html", "xml", "svg", "vue", "svelte":
		c = language{blocks: []block{{"<!--", "-->", codeComment}}, quotes: `"`, tags: true}
	case "css", "scss", "less":
		c = language{blocks: blocks, quotes: `"'`}
	case "diff", "patch":
		c = language{diff: true}
	default:
		c = language{}
	}
	return c
}
