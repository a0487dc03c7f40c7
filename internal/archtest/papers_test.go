package archtest

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const scriptDir = "internal/cli/testdata/script"

func paperGates() []gate {
	return []gate{
		{
			name:  "links",
			check: checkLinks,
			bad: []badTree{
				{map[string]string{"a.md": "[b](b.md)\n"}, "a.md:1: link to b.md, which does not exist"},
				{map[string]string{"docs/a.md": "\n[b](../b/)\n"}, "docs/a.md:2: link to ../b/"},
				{map[string]string{"a.md": "[b]: b.md\n"}, "a.md:1: link to b.md"},
				{map[string]string{"a.md": "[b](#no-such)\n# Such\n"}, "no heading for #no-such"},
				{map[string]string{"a.md": "[b](b.md#x)\n", "b.md": "# Y\n"}, "no heading for b.md#x"},
				{map[string]string{"a.md": "[b](../b.md)\n"}, "leaves the repository"},
			},
			good: map[string]string{
				"a.md":      "[w](https://x.org/no) [b](docs/b.md#a-word-of-mine) [d](docs) [t](#top-of-it)\n# `Top`, of it\n`[no](no.md)`\n```\n[no](no.md)\n```\n",
				"docs/b.md": "## A word of_mine\n## A word of mine\n[a](../a.md)\n",
			},
		},
		{
			name:  "shown commands are tested",
			check: checkShownCommands,
			bad: []badTree{
				{map[string]string{"docs/a.md": "```console\n$ ken ask --json hi\n```\n"}, "docs/a.md:2: no script runs ken ask --json"},
				{map[string]string{"docs/a.md": "```sh\nken ask --json hi\n```\n", scriptDir + "/ask.txtar": "exec ken ask hi\n"}, "no script runs ken ask --json"},
				{map[string]string{"docs/a.md": "```sh\ncat x | ken memory list\n```\n", scriptDir + "/m.txtar": "exec ken memory add x\n"}, "no script runs ken memory list"},
				{map[string]string{"README.md": "```console\n$ ken ask hi\n```\n"}, "README.md: nothing runs its console blocks"},
			},
			good: map[string]string{
				"README.md":                 "```console\n$ ken ask hi\n```\n",
				"internal/cli/ken_test.go":  "package cli\nfunc TestReadme(t *testing.T) {}\n",
				"docs/a.md":                 "```sh\n# say hi\nKEN_HOME=x ken ask \"a | ken no\" && ken -v memory list --json | less\nkennel x\n```\n```toml\nken no\n```\n",
				scriptDir + "/memory.txtar": "! exec ken memory list --json --all -v\n-- x --\nken no\n",
			},
		},
		{
			name:  "no secrets",
			check: checkSecrets,
			bad: []badTree{
				{map[string]string{"a.txt": "key sk-" + strings.Repeat("a1B2", 8)}, "a.txt:1: looks like a key"},
				{map[string]string{"internal/llm/testdata/a.json": "\nghp_" + strings.Repeat("a1B2", 9)}, "a.json:2: looks like a key"},
				{map[string]string{"a.go": "// AKIA" + strings.Repeat("Q2W3", 4) + "\npackage a\n"}, "a.go:1: looks like a key"},
				{map[string]string{"k": "-----BEGIN RSA PRIVATE KEY-----\nMIIE"}, "k:1: looks like a key"},
			},
			good: map[string]string{"a.go": "package a\n\nconst p = \"sk-\" + \"ghp_x\" + \"-----BEGIN \"\n"},
		},
	}
}

// prose returns the lines of md with code blocks and code spans blanked.
func prose(md []byte) []string {
	lines := strings.Split(string(md), "\n")
	for _, f := range fences(md) {
		for i := range f.lines {
			lines[f.line-1+i] = ""
		}
	}
	return lines
}

func checkLinks(tr *tree) []string {
	papers, err := tr.glob(".md")
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	for _, paper := range papers {
		md, err := fs.ReadFile(tr.fsys, paper)
		if err != nil {
			return append(out, err.Error())
		}
		for _, l := range links(md) {
			if why := tr.badLink(paper, l.to); why != "" {
				out = append(out, fmt.Sprintf("%s:%d: %s", paper, l.line, why))
			}
		}
	}
	return out
}

// A link is one of a Markdown file, with the line it stands in, counted from 1.
type link struct {
	line int
	to   string
}

// links returns those of md that are no code.
func links(md []byte) []link {
	form := regexp.MustCompile(`\]\(([^()\s]+)\)|^\[[^\]]+\]: +(\S+)`)
	span := regexp.MustCompile("`[^`]*`")
	var out []link
	for i, line := range prose(md) {
		for _, m := range form.FindAllStringSubmatch(span.ReplaceAllString(line, ""), -1) {
			out = append(out, link{i + 1, m[1] + m[2]})
		}
	}
	return out
}

// badLink says what is wrong with a link that stands in paper, or "". Addresses
// elsewhere are not looked at: the network is no part of this test.
func (tr *tree) badLink(paper, link string) string {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
		return ""
	}
	target, anchor, _ := strings.Cut(link, "#")
	file := paper
	if target != "" {
		file = path.Join(path.Dir(paper), target)
	}
	if strings.HasPrefix(file, "..") {
		return "link to " + link + ", which leaves the repository"
	}
	if _, err := fs.Stat(tr.fsys, file); err != nil {
		return "link to " + link + ", which does not exist"
	}
	if anchor == "" || path.Ext(file) != ".md" {
		return ""
	}
	md, err := fs.ReadFile(tr.fsys, file)
	if err != nil {
		return err.Error()
	}
	for _, line := range prose(md) {
		if heading := strings.TrimLeft(line, "#"); heading != line && slug(heading) == anchor {
			return ""
		}
	}
	return "no heading for " + link
}

// slug is the anchor that the usual renderers give a heading.
func slug(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(heading)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

// A call is one use of ken, as far as it decides which code runs.
type call struct {
	name  string // "ask", "memory list"; "" for the shell
	flags []string
}

func (c call) String() string {
	return strings.TrimSpace("ken " + strings.TrimSpace(c.name+" "+strings.Join(c.flags, " ")))
}

// covers reports whether a test that runs c runs what d does.
func (c call) covers(d call) bool {
	return c.name == d.name && !slices.ContainsFunc(d.flags, func(f string) bool { return !slices.Contains(c.flags, f) })
}

// checkShownCommands compares what the papers show with what the scripts run:
// a reader types these lines first. The console blocks of README.md are run as
// they stand by TestReadme of package cli.
func checkShownCommands(tr *tree) []string {
	papers, err := tr.glob(".md")
	if err != nil {
		return []string{err.Error()}
	}
	tested, err := tr.scriptCalls()
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	readme, _ := fs.ReadFile(tr.fsys, "README.md")
	for _, block := range ConsoleBlocks(readme) {
		for _, c := range block {
			tested = append(tested, calls(c.Text)...)
		}
	}
	if len(ConsoleBlocks(readme)) > 0 && !slices.Contains(tr.testNames()["internal/cli"], "TestReadme") {
		out = append(out, "README.md: nothing runs its console blocks: internal/cli has no TestReadme")
	}
	for _, paper := range papers {
		md, err := fs.ReadFile(tr.fsys, paper)
		if err != nil {
			return append(out, err.Error())
		}
		for _, f := range fences(md) {
			if !slices.Contains([]string{"console", "sh", "bash", "shell"}, f.lang) {
				continue
			}
			for i, line := range f.lines {
				text, typed := strings.CutPrefix(line, "$ ")
				if f.lang == "console" && !typed {
					continue
				}
				for _, shown := range calls(text) {
					if !slices.ContainsFunc(tested, func(c call) bool { return c.covers(shown) }) {
						out = append(out, fmt.Sprintf("%s:%d: no script runs %s", paper, f.line+i, shown))
					}
				}
			}
		}
	}
	return out
}

// scriptCalls returns what the scripts of package cli run.
func (tr *tree) scriptCalls() ([]call, error) {
	scripts, err := fs.Glob(tr.fsys, scriptDir+"/*.txtar")
	if err != nil {
		return nil, err
	}
	var out []call
	for _, name := range scripts {
		text, err := fs.ReadFile(tr.fsys, name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "-- ") {
				break // files from here on
			}
			line = strings.TrimLeft(line, "!? ")
			out = append(out, calls(strings.TrimPrefix(line, "exec "))...)
		}
	}
	return out, nil
}

// calls returns the uses of ken in a line of shell.
func calls(line string) []call {
	var out []call
	for _, words := range simpleCommands(line) {
		for len(words) > 0 && strings.Contains(words[0], "=") {
			words = words[1:]
		}
		if len(words) == 0 || words[0] != "ken" {
			continue
		}
		var c call
		for _, w := range words[1:] {
			switch flag, _, _ := strings.Cut(w, "="); {
			case strings.HasPrefix(w, "-") && len(w) > 1 && w != "--":
				c.flags = append(c.flags, flag)
			case c.name == "":
				c.name = w
			case slices.Contains([]string{"memory", "sessions", "rules", "skills", "config"}, c.name):
				c.name += " " + w
			}
		}
		out = append(out, c)
	}
	return out
}

// simpleCommands splits a line of shell at its operators and each part into
// words, as far as quotes go. It is made for lines that papers show.
func simpleCommands(line string) [][]string {
	var out [][]string
	var words []string
	var word strings.Builder
	var quote rune
	inWord := false
	endWord := func() {
		if inWord {
			words = append(words, word.String())
			word.Reset()
			inWord = false
		}
	}
	endCommand := func() {
		endWord()
		if len(words) > 0 {
			out = append(out, words)
			words = nil
		}
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == '#' && !inWord:
			endCommand()
			return out
		case strings.ContainsRune("|&;()", r):
			endCommand()
		case r == ' ' || r == '\t' || r == '\n' || r == '<' || r == '>':
			endWord()
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	endCommand()
	return out
}

// checkSecrets looks for what a scanner of public repositories would take for a
// key that leaked. Tests make up such texts at run time.
func checkSecrets(tr *tree) []string {
	key := regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{32,}|gh[opsu]_[A-Za-z0-9]{36}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|` +
		`xox[bp]-[0-9A-Za-z-]{20,}|glpat-[0-9A-Za-z_-]{20})\b|-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]`)
	var out []string
	err := tr.every(func(name string, text []byte) {
		if at := key.FindIndex(text); at != nil {
			line := 1 + strings.Count(string(text[:at[0]]), "\n")
			out = append(out, fmt.Sprintf("%s:%d: looks like a key: make it up at run time", name, line))
		}
	})
	if err != nil {
		out = append(out, err.Error())
	}
	return out
}
