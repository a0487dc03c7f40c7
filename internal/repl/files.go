package repl

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/regular"
	"ken/internal/repl/edit"
	"ken/internal/termsafe"
)

// Files are those that a command line can name.
type Files struct {
	Dir  string // where the person stands
	Home string // "" for none
	Path string // where programs are, as in PATH
	// Servers are the names of tool servers, which stand behind "@" as well; none: nil.
	Servers []string
	// Resources are the URIs of what a server has to read.
	Resources func(server string) []edit.Word
}

// maxNames is the most names that are offered, and as many more are looked at as
// that takes; a directory of a million files is no list to choose from.
const maxNames = 500

// Complete returns what the last word of line, a command line for the shell from
// byte from on, can be: a program where a command begins, and a file elsewhere.
func (f Files) Complete(line string, from int) edit.Completion {
	at, begins := lastWord(line[from:])
	c := edit.Completion{From: from + at}
	raw := line[c.From:]
	word, quote := unquote(raw)
	switch {
	case begins && !strings.Contains(word, "/"):
		c.Words = f.programs(word, quote)
	default:
		c.Words = f.names(word, quote, begins)
	}
	return c
}

// Names returns what the word from byte at on, an operand that is a file, can be.
func (f Files) Names(line string, at int) edit.Completion {
	word, quote := unquote(line[at:])
	return edit.Completion{From: at, Words: f.names(word, quote, false)}
}

// lastWord finds the byte at which the last word of a command line begins, and
// whether it names a program.
func lastWord(line string) (at int, begins bool) {
	begins = true
	between, program := true, true // words; the next one names a program
	var quote byte
	for i := 0; i < len(line); i++ {
		c := line[i]
		blank := c == ' ' || c == '\t'
		sign := strings.IndexByte("\n;|&()<>", c) >= 0
		switch {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
			continue
		case blank || sign:
			if sign {
				program = c != '<' && c != '>'
			}
			between = true
			at, begins = i+1, program
			continue
		}
		if between {
			at, begins, between = i, program, false
			program = false
		}
		switch c {
		case '\\':
			i++
		case '\'', '"':
			quote = c
		}
	}
	return min(at, len(line)), begins
}

// unquote is what a word that may be unfinished stands for, and the quote that it
// begins with; 0 for none.
func unquote(raw string) (word string, quote byte) {
	if raw != "" && (raw[0] == '\'' || raw[0] == '"') {
		quote, raw = raw[0], raw[1:]
	}
	if quote == '\'' {
		return raw, quote
	}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' && i+1 < len(raw) {
			i++
		}
		b.WriteByte(raw[i])
	}
	return b.String(), quote
}

// requote writes a name as it has to be typed behind quote; whole says that
// nothing follows. It is "" for a name that cannot be.
func requote(name string, quote byte, whole bool) string {
	special := " \t'\"\\$`;|&()<>*?[]{}#!~="
	end := ""
	switch quote {
	case '\'':
		if strings.Contains(name, "'") {
			return ""
		}
		special = ""
	case '"':
		special = "\"\\$`"
	}
	var b strings.Builder
	if quote != 0 {
		b.WriteByte(quote)
		end = string(quote)
	}
	for i := 0; i < len(name); i++ {
		home := i == 0 && quote == 0 && strings.HasPrefix(name, "~/")
		if strings.IndexByte(special, name[i]) >= 0 && !home {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	if whole {
		b.WriteString(end + " ")
	}
	return b.String()
}

// names are the files that word is the beginning of.
func (f Files) names(word string, quote byte, programs bool) []edit.Word {
	return f.each(word, quote, programs, func(path string, isDir bool) string {
		return requote(path, quote, !isDir)
	})
}

// each offers the files that word is the beginning of as write writes them; "" is not offered.
func (f Files) each(word string, quote byte, programs bool, write func(path string, isDir bool) string) []edit.Word {
	dir, begin := "", word
	if i := strings.LastIndexByte(word, '/'); i >= 0 {
		dir, begin = word[:i+1], word[i+1:]
	}
	d, err := os.Open(f.resolve(dir, quote))
	if err != nil {
		return nil
	}
	defer d.Close()
	var words []edit.Word
	for len(words) < maxNames {
		list, err := d.ReadDir(maxNames)
		for _, e := range list {
			name := e.Name()
			if !strings.HasPrefix(name, begin) || begin == "" && name[0] == '.' || hasControl(name) {
				continue
			}
			fi, err := os.Stat(filepath.Join(d.Name(), name)) // through a link
			isDir := err == nil && fi.IsDir()
			if programs && (err != nil || !isDir && fi.Mode()&0o111 == 0) {
				continue
			}
			tail := ""
			if isDir {
				tail = "/"
			}
			if text := write(dir+name+tail, isDir); text != "" {
				words = append(words, edit.Word{Text: text})
			}
		}
		if err != nil {
			break
		}
	}
	sortWords(words)
	return words
}

// Mention returns what the last word of a line can be, if it names a file behind "@", or a resource of a tool
// server, and whether it does.
func (f Files) Mention(line string) (c edit.Completion, ok bool) {
	at := 0
	for i := len(line) - 1; i >= 0 && at == 0; i-- { // a backslash takes what follows it as it is
		if strings.IndexByte(" \t\n(", line[i]) >= 0 && (i == 0 || line[i-1] != '\\') {
			at = i + 1
		}
	}
	if i := strings.LastIndex(line, `@"`); i >= 0 && !strings.Contains(line[i+2:], `"`) {
		at = i // a name with blanks
	}
	if at > 0 && !strings.ContainsRune(" \t\n(", rune(line[at-1])) || !strings.HasPrefix(line[at:], "@") {
		return edit.Completion{}, false
	}
	word, quoted := strings.CutPrefix(line[at+1:], `"`)
	if !quoted {
		word, _ = unquote(word)
	}
	if server, uri, ok := strings.Cut(word, ":"); ok && slices.Contains(f.Servers, server) {
		return edit.Completion{From: at, Words: f.resources(server, uri, quoted)}, true
	}
	c = edit.Completion{From: at, Words: f.each(word, 0, false, func(path string, isDir bool) string { return mention(path, quoted, !isDir) })}
	for _, name := range f.Servers {
		if strings.HasPrefix(name, word) {
			c.Words = append(c.Words, edit.Word{Text: mention(name+":", quoted, false), About: "a tool server"})
		}
	}
	return c, true
}

// mention writes what stands behind "@"; whole says that nothing follows. It is "" for what cannot be written.
func mention(name string, quoted, whole bool) string {
	end := map[bool]string{true: " "}[whole]
	switch {
	case quoted && strings.Contains(name, `"`):
		return ""
	case quoted && whole:
		return `@"` + name + `" `
	case quoted:
		return `@"` + name
	}
	escape := strings.NewReplacer(" ", `\ `, "(", `\(`, ")", `\)`, "'", `\'`, `"`, `\"`, "&", `\&`, ";", `\;`, `\`, `\\`)
	return "@" + escape.Replace(name) + end
}

// resources are those of a server that begin with uri. Of one with parts to fill in only what stands before
// them is written.
func (f Files) resources(server, uri string, quoted bool) (words []edit.Word) {
	for _, r := range f.Resources(server) {
		whole := true
		if at := strings.IndexByte(r.Text, '{'); at >= 0 {
			r.About = strings.TrimSpace(r.Text + "  " + r.About)
			r.Text, whole = r.Text[:at], false
		}
		if !strings.HasPrefix(r.Text, uri) || len(words) == maxNames {
			continue
		}
		if text := mention(server+":"+r.Text, quoted, whole); text != "" {
			words = append(words, edit.Word{Text: text, About: r.About})
		}
	}
	return words
}

// resolve is the directory that dir stands for on a command line.
func (f Files) resolve(dir string, quote byte) string {
	if quote == 0 {
		dir, _ = regular.Expand(dir, f.Home)
	}
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(f.Dir, dir)
}

// programs are those in Path that word is the beginning of, and the directories
// in which more can be.
func (f Files) programs(word string, quote byte) []edit.Word {
	seen := map[string]bool{}
	var words []edit.Word
	for _, dir := range filepath.SplitList(f.Path) {
		list, _ := os.ReadDir(dir)
		for _, e := range list {
			name := e.Name()
			if len(words) == maxNames || !strings.HasPrefix(name, word) || seen[name] || hasControl(name) {
				continue
			}
			fi, err := os.Stat(filepath.Join(dir, name))
			if err != nil || !fi.Mode().IsRegular() || fi.Mode()&0o111 == 0 {
				continue
			}
			seen[name] = true
			if text := requote(name, quote, true); text != "" {
				words = append(words, edit.Word{Text: text})
			}
		}
	}
	sortWords(words)
	return words
}

func sortWords(words []edit.Word) {
	slices.SortFunc(words, func(a, b edit.Word) int { return cmp.Compare(a.Text, b.Text) })
}

// hasControl reports whether a name holds what must not be shown or typed.
func hasControl(name string) bool { return termsafe.Line(name) != name }

// IsProgram reports whether word, the first one of a line without a sigil, can be
// meant as a program.
func (w LineContext) IsProgram(word string) bool {
	return slices.Contains(w.programs(), word) || isWordToo(word) || isPath(word) || word == "export"
}

// ProgramsLike returns the names that run without a sigil and begin with word.
func (w LineContext) ProgramsLike(word string) []string {
	var names []string
	for _, name := range w.programs() {
		if strings.HasPrefix(name, word) {
			names = append(names, name)
		}
	}
	return names
}

func (w LineContext) programs() []string {
	if len(w.Known) > 0 {
		return w.Known
	}
	return KnownCommands()
}
