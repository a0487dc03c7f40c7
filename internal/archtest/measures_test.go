package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// What a package offers and knows: this is what rots, not how long it is.
const (
	maxColumns     = 140
	maxTypeMethods = 25  // exported, of one type
	maxExported    = 60  // names at the top of one package
	maxOurs        = 15  // packages of this module that one package imports
	maxOursCLI     = 25  // the same, of the root of the command line
	minLines       = 400 // from here on a package needs no second importer
)

// A measured is a place of the tree with its figure.
type measured struct {
	name   string // the key of its row in the tables of excepted_test.go
	figure int
	where  string // for complaints
}

// over complains about what is over its limit, or not at the figure that a row of the
// table allows it: what has become less stays so. A tree that a test makes up is spared
// the latter.
func (tr *tree) over(all []measured, limit func(name string) int, table []exception, what string) []string {
	var out []string
	for _, m := range all {
		allowed, excepted := limit(m.name), false
		if i := slices.IndexFunc(table, func(e exception) bool { return e.name == m.name }); i >= 0 {
			allowed, excepted = max(allowed, table[i].figure), true
		}
		switch {
		case m.figure > allowed:
			out = append(out, fmt.Sprintf("%s has %d %s, want <= %d", m.where, m.figure, what, allowed))
		case !excepted || !tr.whole:
		case m.figure <= limit(m.name):
			out = append(out, fmt.Sprintf("%s has %d %s by now, within the measure: take its row out of excepted_test.go", m.where, m.figure, what))
		case m.figure < allowed:
			out = append(out, fmt.Sprintf("%s has %d %s by now: in its row in excepted_test.go, lower it to %d", m.where, m.figure, what, m.figure))
		}
	}
	return append(out, tr.idle(all, table)...)
}

// idle complains about rows of a table that name nothing in the tree, or say too little.
// A tree that a test makes up holds few packages, and is spared.
func (tr *tree) idle(all []measured, table []exception) []string {
	var out []string
	for _, e := range table {
		if len(strings.Fields(e.why)) < 4 {
			out = append(out, e.name+": no reason in excepted_test.go")
		}
		if tr.whole && !slices.ContainsFunc(all, func(m measured) bool { return m.name == e.name }) {
			out = append(out, e.name+": stands in excepted_test.go and not in the tree: take its row out")
		}
	}
	return out
}

func always(n int) func(string) int { return func(string) int { return n } }

func oursLimit(pkg string) int {
	if pkg == "cli" {
		return maxOursCLI
	}
	return maxOurs
}

func measureGates() []gate {
	const near = "import _ \"ken/internal/near\"\n"
	return []gate{
		{
			name:  "columns",
			check: checkColumns,
			bad: []badTree{
				{longFiles("internal/memory/a%d.go", 1000), "code has 1000 lines of more than 140 columns"},
				{longFiles("internal/memory/a%d_test.go", 1500), "tests has 1500 lines of more than 140 columns"},
			},
			good: map[string]string{"internal/memory/a.go": "package memory\n// " + strings.Repeat("é", 137) + "\n"},
		},
		{
			name: "methods of a type",
			check: func(tr *tree) []string {
				return tr.over(tr.methods(), always(maxTypeMethods), exceptMethods(), "exported methods")
			},
			bad: []badTree{
				{map[string]string{
					"internal/memory/a.go": "package memory\n" + repeat(13, "func (T) M%d() {}\n"),
					"internal/memory/b.go": "package memory\n" + repeat(13, "func (t *T) N%d() {}\n"),
				}, "memory.T has 26 exported methods, want <= 25"},
				{map[string]string{
					"internal/memory/a.go": "package memory\n" + repeat(20, "func (*T) M%d() {}\n") + "type Again T\n",
					"internal/engine/a.go": "package engine\nimport m \"ken/internal/memory\"\ntype U struct{ *m.T }\n" +
						repeat(6, "func (U) N%d() {}\n") + "func (U) M1() {}\ntype Also struct{ U }\n",
				}, "engine.Also has 26 exported methods, want <= 25"},
				{map[string]string{
					"internal/memory/a.go": "package memory\ntype I interface{ A(); B() }\ntype T struct{ I }\n" + repeat(24, "func (T) M%d() {}\n"),
				}, "memory.T has 26 exported methods, want <= 25"},
			},
			good: map[string]string{
				"internal/memory/a.go":      "package memory\n" + repeat(25, "func (T[K]) M%d() {}\n") + "func (U) M() {}\nfunc (t *T[K]) m() {}\n",
				"internal/memory/a_test.go": "package memory\nfunc (T) More() {}\n",
				"internal/engine/a.go": "package engine\nimport \"ken/internal/memory\"\ntype U struct{ *memory.T[int]; io.Reader }\n" +
					"func (U) M1() {}\ntype V struct{ U U; T memory.T[int] }\nfunc (V) M() {}\n",
			},
		},
		{
			name: "exported names",
			check: func(tr *tree) []string {
				return tr.over(tr.exported(), always(maxExported), exceptExported(), "exported names")
			},
			bad: []badTree{
				{map[string]string{
					"internal/llm/a.go": "package llm\nconst (\n" + repeat(58, "C%d = 1\n") + ")\ntype T int\nvar V, W int\n",
				}, "llm has 61 exported names, want <= 60"},
			},
			good: map[string]string{
				"internal/llm/a.go": "package llm\nconst (\n" + repeat(57, "C%d = 1\n") + ")\ntype T int\n" +
					"var V, w int\nfunc F() {}\nfunc (T) M() {}\n",
			},
		},
		{
			name:  "imports of ours",
			check: func(tr *tree) []string { return tr.over(tr.knows(), oursLimit, exceptImports(), "imports of ours") },
			bad: []badTree{
				{map[string]string{
					"internal/engine/a.go": "package engine\nimport (\n" + repeat(16, "_ \"ken/internal/p%d\"\n") + ")\n",
				}, "engine has 16 imports of ours, want <= 15"},
			},
			good: map[string]string{
				"internal/engine/a.go":      "package engine\nimport (\n\"io\"\n" + repeat(15, "_ \"ken/internal/p%d\"\n") + ")\n",
				"internal/engine/b.go":      "package engine\nimport \"ken/internal/p1\"\nimport \"ken/internal/fault\"\n",
				"internal/engine/a_test.go": "package engine\nimport (\n" + repeat(30, "_ \"ken/internal/p%d\"\n") + ")\n",
				"bench/a.go":                "package main\nimport (\n" + repeat(30, "_ \"ken/internal/p%d\"\n") + ")\n",
			},
		},
		{
			name:  "a package has a reason",
			check: checkReasonsToBe,
			bad: []badTree{
				{map[string]string{
					"internal/near/a.go": "package near\n", "internal/cli/a.go": "package cli\n" + near,
					"cmd/ken/main.go": "package main\nimport _ \"ken/internal/cli\"\n",
				}, "near: 1 importers and 1 lines"},
				{map[string]string{
					"internal/near/a.go": "package near\n", "internal/cli/a_test.go": "package cli\n" + near,
				}, "near: 0 importers and 1 lines"},
				{map[string]string{"internal/near/a.go": "package near\n", "bench/a.go": "package bench\n" + near}, "near: 0 importers"},
			},
			good: map[string]string{
				"internal/near/a.go": "package near\n", "internal/long/a.go": "package long\n" + lines(399), "cmd/ken/main.go": "package main\n",
				"internal/llm/a.go": "package llm\n" + near + lines(400), "internal/cli/a.go": "package cli\n" + near + lines(400),
				"internal/llm/llmtest/a.go": "package llmtest\n", "internal/a/a_test.go": "package a\nimport _ \"ken/internal/llm/llmtest\"\n",
				"internal/long/a_test.go": "package long\nimport _ \"ken/internal/llm/llmtest\"\n",
				"internal/a/a.go":         "package a\n" + lines(400),
			},
		},
	}
}

// repeat is n lines of format, numbered from 1.
func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+1)
	}
	return b.String()
}

// longFiles is files with n lines that are too long.
func longFiles(format string, n int) map[string]string {
	files := map[string]string{}
	for i := 0; n > 0; i++ {
		here := min(n, 500)
		n -= here
		files[fmt.Sprintf(format, i)] = "package memory\n" + strings.Repeat("// "+strings.Repeat("é", 138)+"\n", here)
	}
	return files
}

// checkColumns counts over the whole tree: lines move between packages, and a row for
// each file would be in everybody's way.
func checkColumns(tr *tree) []string {
	out := tr.over(tr.longer(), always(0), exceptLines(), fmt.Sprintf("lines of more than %d columns", maxColumns))
	if strings.Contains(strings.Join(out, "\n"), "want <=") {
		out = append(out, "yours are listed by: git diff -U0 main -- '*.go' | grep -E '^[+].{141}'")
	}
	return out
}

// longer counts the lines of more than maxColumns in code and in tests.
func (tr *tree) longer() []measured {
	code, tests := measured{name: "code", where: "code"}, measured{name: "tests", where: "tests"}
	for _, f := range tr.files {
		if f.test {
			tests.figure += f.long
		} else {
			code.figure += f.long
		}
	}
	return []measured{code, tests}
}

// longLines counts the lines of src that are longer than maxColumns characters. A tab
// is one.
func longLines(src string) int {
	n := 0
	for line := range strings.Lines(src) {
		if len(line) > maxColumns && utf8.RuneCountInString(strings.TrimRight(line, "\r\n")) > maxColumns {
			n++
		}
	}
	return n
}

// exported counts the names that a package offers: types, functions, constants and
// variables, not methods and fields.
func (tr *tree) exported() []measured {
	count := map[string]int{}
	for f := range tr.code {
		n := 0
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					n++
				}
			case *ast.GenDecl:
				n += exportedIn(d)
			}
		}
		count[short(f.dir)] += n
	}
	return figures(count)
}

func exportedIn(d *ast.GenDecl) int {
	n := 0
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() {
				n++
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if token.IsExported(name.Name) {
					n++
				}
			}
		}
	}
	return n
}

// knows counts the packages of this module that each package of the programs imports,
// but for the one that has the words for errors and notes: everybody speaks it, as
// everybody knows package errors, and it knows nobody.
func (tr *tree) knows() []measured {
	seen := map[[2]string]bool{}
	count := map[string]int{}
	for f := range tr.code {
		from := short(f.dir)
		if isOutside(from) {
			continue
		}
		count[from] += 0
		for _, imported := range f.imports {
			if to, ours := strings.CutPrefix(imported, modulePath+"/"); ours && short(to) != "fault" && !seen[[2]string{from, to}] {
				seen[[2]string{from, to}] = true
				count[from]++
			}
		}
	}
	return figures(count)
}

func figures(count map[string]int) []measured {
	var out []measured
	for _, name := range slices.Sorted(maps.Keys(count)) {
		out = append(out, measured{name, count[name], name})
	}
	return out
}

// checkReasonsToBe wants of each package two packages of the programs that import it,
// or so many lines that it is a noun of its own, or a row in the table. Of a package
// that is made for tests the tests are the importers.
func checkReasonsToBe(tr *tree) []string {
	importers, sizes := map[string]map[string]bool{}, map[string]int{}
	for _, f := range tr.files {
		from := short(f.dir)
		if !f.test && f.ast.Name.Name != "main" && !isOutside(from) {
			sizes[from] += f.lines
		}
		for _, imported := range f.imports {
			to := short(strings.TrimPrefix(imported, modulePath+"/"))
			if from != to && (isSuite(to) || !f.test && !isOutside(from) && !isSuite(from)) {
				if importers[to] == nil {
					importers[to] = map[string]bool{}
				}
				importers[to][from] = true
			}
		}
	}
	var out []string
	var all []measured
	table := exceptPackages()
	for _, pkg := range slices.Sorted(maps.Keys(sizes)) {
		all = append(all, measured{name: pkg})
		excepted := slices.ContainsFunc(table, func(e exception) bool { return e.name == pkg })
		if n := len(importers[pkg]); n < 2 && sizes[pkg] < minLines && !excepted {
			out = append(out, fmt.Sprintf("%s: %d importers and %d lines: join it with what it is a part of, "+
				"or give a reason in excepted_test.go", pkg, n, sizes[pkg]))
		}
	}
	return append(out, tr.idle(all, table)...)
}

func TestIdleRows(t *testing.T) {
	t.Parallel()
	const why = "one of the oldest reasons"
	tr := &tree{whole: true}
	all := []measured{{"memory", 3, "memory"}}
	if got := strings.Join(tr.over(all, always(3), []exception{{"memory", 4, why}}, "names"), "\n"); !strings.Contains(got, "take its row out") {
		t.Errorf("within the measure: complaints %q", got)
	}
	for want, row := range map[string]exception{
		"":                              {"memory", 3, why},
		"near: stands in":               {"near", 3, why},
		"memory: no reason":             {"memory", 3, "it is so"},
		"memory has 3 names, want <= 2": {"memory", 2, why},
		"lower it to 3":                 {"memory", 4, why},
	} {
		got := strings.Join(tr.over(all, always(1), []exception{row}, "names"), "\n")
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("row %v: complaints %q, want %q", row, got, want)
		}
	}
}
