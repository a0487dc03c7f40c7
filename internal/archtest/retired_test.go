package archtest

import (
	"fmt"
	"go/ast"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// termsPage has the table of retired words.
const termsPage = "docs/terms.md"

// leastRetired is how many words the table of this repository has at least, so that a
// table that is not found, or is cut, fails.
const leastRetired = 35

// A retired word is no longer used in exported names.
type retired struct {
	pkg string // the last parts of the package's directory; "" for all
	// word is a whole name if it begins with a capital, else a word in any part of one.
	word string
	say  string // what to say instead
}

// matches reports whether an exported name of the package has the word.
func (r retired) matches(dir, name string) bool {
	if r.pkg != "" && dir != r.pkg && !strings.HasSuffix(dir, "/"+r.pkg) {
		return false
	}
	if unicode.IsUpper(rune(r.word[0])) {
		return name == r.word
	}
	words := camelWords(name)
	return slices.Contains(words, r.word) || slices.Contains(words, r.word+"s")
}

func retiredGates() []gate {
	const table = "# Terms\n## Not used\n| not | but |\n|---|---|\n" +
		"| `rival`, `Dead` | conflict, deleted |\n| `recall.Need` | activation request |\n"
	with := func(name, text string) map[string]string {
		return map[string]string{termsPage: table, name: text}
	}
	return []gate{{
		name:  "retired words",
		check: checkRetired,
		bad: []badTree{
			{with("internal/scan/a.go", "package scan\ntype Rival struct{}\n"), `Rival: "rival" is retired: say conflict, deleted`},
			{with("internal/scan/a.go", "package scan\nfunc FindRivals() {}\n"), `FindRivals: "rival" is retired`},
			{with("internal/scan/a.go", "package scan\ntype a struct{ Rivals int }\n"), `Rivals: "rival" is retired`},
			{with("internal/scan/a.go", "package scan\ntype a interface{ AskRival() }\n"), `AskRival: "rival" is retired`},
			{with("internal/scan/a.go", "package scan\ntype a int\nfunc (a) Dead() {}\n"), `Dead: "Dead" is retired`},
			{with("internal/scan/a.go", "package scan\nconst (\n\tAlive = iota\n\tDead\n)\n"), `Dead: "Dead" is retired`},
			{with("internal/recall/a.go", "package recall\ntype Need struct{}\n"), `Need: "Need" is retired: say activation request`},
			{map[string]string{termsPage: "# Terms\n"}, "docs/terms.md: no table of retired words"},
		},
		good: map[string]string{
			termsPage:                 table,
			"internal/scan/a.go":      "package scan\ntype rival struct{ near int }\nfunc (rival) Deadline() { type Rival int }\nvar Arrivals int\n",
			"internal/scan/a_test.go": "package scan\ntype Rival int\n",
			"internal/stdin/a.go":     "package stdin\ntype Need int\n",
		},
	}}
}

func checkRetired(tr *tree) []string {
	words := retiredWords(tr)
	if len(words) == 0 || tr.whole && len(words) < leastRetired {
		if _, err := fs.Stat(tr.fsys, termsPage); err != nil {
			return nil
		}
		return []string{fmt.Sprintf("%s: no table of retired words, or %d of at least %d", termsPage, len(words), leastRetired)}
	}
	var out []string
	for _, f := range tr.files {
		if f.test {
			continue
		}
		for name := range exportedNames(f.ast) {
			for _, w := range words {
				if w.matches(f.dir, name.Name) {
					out = append(out, tr.at(name.Pos(), "%s: %q is retired: say %s", name.Name, w.word, w.say))
				}
			}
		}
	}
	return out
}

// retiredWords reads the table of the page of terms.
func retiredWords(tr *tree) []retired {
	text, err := fs.ReadFile(tr.fsys, termsPage)
	if err != nil {
		return nil
	}
	_, after, ok := strings.Cut(string(text), "| not | but |\n|---|---|\n")
	if !ok {
		return nil
	}
	code := regexp.MustCompile("`([A-Za-z/]+\\.)?([A-Za-z]+)`")
	var words []retired
	for line := range strings.Lines(after) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			break
		}
		for _, m := range code.FindAllStringSubmatch(cells[1], -1) {
			words = append(words, retired{pkg: strings.TrimSuffix(m[1], "."), word: m[2], say: strings.TrimSpace(cells[2])})
		}
	}
	return words
}

// exportedNames yields the exported names that a file declares at its top: of types,
// their fields and methods, functions, variables and constants.
func exportedNames(f *ast.File) func(yield func(*ast.Ident) bool) {
	return func(yield func(*ast.Ident) bool) {
		more := true
		give := func(names ...*ast.Ident) {
			for _, n := range names {
				if more && n.IsExported() {
					more = yield(n)
				}
			}
		}
		fields := func(list *ast.FieldList) {
			if list != nil {
				for _, field := range list.List {
					give(field.Names...)
				}
			}
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				give(d.Name)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.ValueSpec:
						give(spec.Names...)
					case *ast.TypeSpec:
						give(spec.Name)
						switch t := spec.Type.(type) {
						case *ast.StructType:
							fields(t.Fields)
						case *ast.InterfaceType:
							fields(t.Methods)
						}
					}
				}
			}
		}
	}
}
