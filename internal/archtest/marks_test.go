package archtest

import (
	"go/ast"
	"slices"
	"strings"
)

// markPrefix begins the lines by which tests say how they are run. CONTRIBUTING.md has the words.
const markPrefix = "//ken:"

// markGates have each such line stand where the Makefile finds it.
func markGates() []gate {
	const name = "internal/jsonl/a_test.go"
	test := func(text string) map[string]string { return map[string]string{name: "package jsonl\n" + text} }
	return []gate{{
		name:  "how tests are run",
		check: checkMarks,
		bad: []badTree{
			{test("//ken:norace\nfunc TestA(t *testing.T) {}\n"), "//ken:norace: no such word"},
			{test("//ken:unraced: long\nfunc TestA(t *testing.T) {}\n"), "//ken:unraced: long: no such word"},
			{test("//ken:unraced\n\nfunc TestA(t *testing.T) {}\n"), "//ken:unraced: it stands right above no test"},
			{test("//ken:indexed\nfunc help(t *testing.T) {}\n"), "//ken:indexed: it stands right above no test"},
			{test("//ken:unraced\n//nolint:paralleltest // why\nfunc TestA(t *testing.T) {}\n"), "//ken:unraced: it stands right above no test"},
			{map[string]string{"internal/jsonl/a.go": "package jsonl\n//ken:slow\n"}, "//ken:slow: it is no file of tests"},
			{
				map[string]string{
					name:                      "package jsonl\n//ken:unraced\nfunc TestA(t *testing.T) {}\n",
					"internal/text/a_test.go": "package text\nfunc TestA(t *testing.T) {}\n",
				},
				"internal/text/a_test.go:2: TestA is //ken:unraced elsewhere, and goes by its name",
			},
		},
		good: map[string]string{
			name:                      "//ken:slow\n\npackage jsonl\n// TestA: so.\n//\n//ken:unraced\nfunc TestA(t *testing.T) {}\n",
			"internal/text/a_test.go": "package text\n//ken:unraced\nfunc TestA(t *testing.T) {}\n//ken:indexed\nfunc TestB(t *testing.T) {}\n",
		},
	}}
}

func checkMarks(tr *tree) []string {
	var out []string
	unraced, plain := map[string]bool{}, map[string][]*ast.FuncDecl{}
	for _, f := range tr.files {
		above := map[*ast.Comment]bool{} // the last lines above tests
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Test") {
				continue
			}
			if fn.Doc != nil && fn.Doc.List[len(fn.Doc.List)-1].Text == markPrefix+"unraced" {
				unraced[fn.Name.Name] = true
			} else {
				plain[fn.Name.Name] = append(plain[fn.Name.Name], fn)
			}
			if fn.Doc != nil {
				above[fn.Doc.List[len(fn.Doc.List)-1]] = true
			}
		}
		for _, group := range f.ast.Comments {
			for _, c := range group.List {
				word, ok := strings.CutPrefix(c.Text, markPrefix)
				switch {
				case !ok:
				case !f.test:
					out = append(out, tr.at(c.Pos(), "%s: it is no file of tests", c.Text))
				case !slices.Contains([]string{"unraced", "indexed", "slow"}, word):
					out = append(out, tr.at(c.Pos(), "%s: no such word", c.Text))
				case word != "slow" && !above[c]:
					out = append(out, tr.at(c.Pos(), "%s: it stands right above no test", c.Text))
				}
			}
		}
	}
	for name, tests := range plain {
		for _, fn := range tests {
			if unraced[name] {
				out = append(out, tr.at(fn.Pos(), "%s is %sunraced elsewhere, and goes by its name", name, markPrefix))
			}
		}
	}
	return out
}
