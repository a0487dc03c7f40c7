package archtest

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// The sizes that keep the tree a house, in lines. Well-kept Go programs of this
// kind stay below them; the ones that rotted are far above. A package has no cap:
// docs/decisions/0028 says why, and measures_test.go what is counted instead.
const (
	maxFunc     = 150
	maxFunc99   = 100 // no more than one function in a hundred is longer
	maxFile     = 600
	maxTestFile = 1200
	maxMethods  = 4 // of an interface
)

func sizeGates() []gate {
	return []gate{
		{
			name:  "functions",
			check: checkFuncs,
			bad: []badTree{
				{map[string]string{"internal/memory/a.go": "package memory\nfunc f() {\n" + lines(149) + "}\n"}, "f has 151 lines"},
				{map[string]string{"internal/memory/a.go": "package memory\nfunc f() {\n" + lines(100) + "}\nfunc g() {\n" + lines(100) + "}\n"}, "more than one in a hundred"},
			},
			good: map[string]string{
				"internal/memory/a.go":      "package memory\nfunc f() {\n" + lines(148) + "}\nfunc g() {\n" + lines(98) + "}\n",
				"internal/memory/a_test.go": "package memory\nfunc f() {\n" + lines(200) + "}\n",
			},
		},
		{
			name:  "files",
			check: checkFiles,
			bad: []badTree{
				{map[string]string{"internal/memory/a.go": "package memory\n" + lines(600)}, "internal/memory/a.go: 601 lines"},
				{map[string]string{"internal/memory/a_test.go": "package memory\n" + lines(1200)}, "internal/memory/a_test.go: 1201 lines"},
			},
			good: map[string]string{"internal/memory/a.go": "package memory\n" + lines(599), "internal/memory/a_test.go": "package memory\n" + lines(1199)},
		},
		{
			name:  "interfaces",
			check: checkInterfaces,
			bad: []badTree{
				{map[string]string{"internal/memory/a.go": "package memory\ntype I interface{ A(); B(); C(); D(); E() }\n"}, "interface with 5 methods"},
				{map[string]string{"internal/memory/a.go": "package memory\ntype I interface{ J; D(); E() }\ntype J interface{ A(); B(); C() }\n"}, "interface with 5 methods"},
				{map[string]string{"internal/memory/a.go": "package memory\nfunc f(interface{ io.ReadWriteCloser; A(); B() }) {}\n"}, "interface with 5 methods"},
			},
			good: map[string]string{"internal/memory/a.go": "package memory\ntype I interface{ io.ReadWriter; A(); B() }\ntype N interface{ ~int | ~int8 | ~int16 | ~int32 | ~int64 }\n"},
		},
	}
}

// lines is n lines of nothing.
func lines(n int) string { return strings.Repeat("\n", n) }

func checkFuncs(tr *tree) []string {
	var out []string
	type size struct {
		lines int
		where string
	}
	var all []size
	for f := range tr.code {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			n := tr.fset.Position(fn.End()).Line - tr.fset.Position(fn.Pos()).Line + 1
			where := tr.at(fn.Pos(), "%s has %d lines", fn.Name.Name, n)
			if n > maxFunc {
				out = append(out, fmt.Sprintf("%s: want <= %d", where, maxFunc))
			}
			all = append(all, size{n, where})
		}
	}
	slices.SortFunc(all, func(a, b size) int { return b.lines - a.lines })
	// One function may always be long, else no young tree could have one.
	allowed := max(1, len(all)/100)
	if len(all) > allowed && all[allowed].lines > maxFunc99 {
		out = append(out, fmt.Sprintf("%s: more than one in a hundred is longer than %d lines", all[allowed].where, maxFunc99))
	}
	return out
}

func checkFiles(tr *tree) []string {
	var out []string
	for _, f := range tr.files {
		limit := maxFile
		if f.test {
			limit = maxTestFile
		}
		if f.lines > limit {
			out = append(out, fmt.Sprintf("%s: %d lines, want <= %d", f.path, f.lines, limit))
		}
	}
	return out
}

func checkInterfaces(tr *tree) []string {
	var out []string
	for _, files := range tr.packages() {
		named := map[string]*ast.InterfaceType{}
		for _, f := range files {
			for spec := range typeSpecs(f) {
				if it, ok := spec.Type.(*ast.InterfaceType); ok {
					named[spec.Name.Name] = it
				}
			}
		}
		for _, f := range files {
			if f.test {
				continue
			}
			ast.Inspect(f.ast, func(n ast.Node) bool {
				if it, ok := n.(*ast.InterfaceType); ok {
					if c := countMethods(it, named, 0); c > maxMethods {
						out = append(out, tr.at(it.Pos(), "interface with %d methods, want <= %d", c, maxMethods))
					}
				}
				return true
			})
		}
	}
	return out
}

// countMethods counts what it asks for, embedded interfaces of the same package
// and the composite ones of package io included; others count as one. depth
// stops at interfaces that embed themselves, which do not compile.
func countMethods(it *ast.InterfaceType, named map[string]*ast.InterfaceType, depth int) int {
	n := 0
	for _, field := range it.Methods.List {
		switch e := field.Type.(type) {
		case *ast.FuncType:
			n += len(field.Names)
		case *ast.Ident:
			if inner := named[e.Name]; inner != nil && depth < 8 {
				n += countMethods(inner, named, depth+1)
			} else if e.Name != "any" && e.Name != "comparable" {
				n++
			}
		case *ast.SelectorExpr:
			n += max(1, strings.Count(e.Sel.Name, "Read")+strings.Count(e.Sel.Name, "Write")+
				strings.Count(e.Sel.Name, "Close")+strings.Count(e.Sel.Name, "Seek"))
		}
	}
	return n
}

// typeSpecs yields every type that f declares, inside functions too.
func typeSpecs(f *source) func(yield func(*ast.TypeSpec) bool) {
	return func(yield func(*ast.TypeSpec) bool) {
		more := true
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && more {
				more = yield(spec)
			}
			return more
		})
	}
}
