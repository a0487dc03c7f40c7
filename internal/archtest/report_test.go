package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestReport prints what no gate counts, for people to read and judge: make house.
func TestReport(t *testing.T) {
	t.Parallel()
	for _, line := range loadRepository(t).report() {
		t.Log(line)
	}
}

// report is the figures of the programs, without tests and what measures.
func (tr *tree) report() []string {
	var (
		total, closures int
		sizes           = map[string]int{}
		importers       = map[string]map[string]bool{}
		methods, fields = map[string]int{}, map[string]int{}
		branches        = map[string]int{}
	)
	for f := range tr.code {
		pkg := short(f.dir)
		if isOutside(pkg) || isSuite(pkg) {
			continue
		}
		total += f.lines
		sizes[pkg] += f.lines
		for _, imported := range f.imports {
			if to, ours := strings.CutPrefix(imported, modulePath+"/"); ours {
				if importers[short(to)] == nil {
					importers[short(to)] = map[string]bool{}
				}
				importers[short(to)][pkg] = true
			}
		}
		for _, fn := range f.funcs() {
			name := pkg + "." + fn.Name.Name
			if fn.Recv != nil && len(fn.Recv.List) > 0 {
				of := pkg + "." + receiver(fn.Recv.List[0].Type)
				methods[of]++
				name = of + "." + fn.Name.Name
			}
			branches[name] = cyclomatic(fn)
		}
		for spec := range typeSpecs(f) {
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					fields[pkg+"."+spec.Name.Name] += max(1, len(field.Names))
					if _, ok := field.Type.(*ast.FuncType); ok {
						closures += max(1, len(field.Names))
					}
				}
			}
		}
	}
	var alone []string
	for pkg := range sizes {
		if len(importers[pkg]) == 1 {
			alone = append(alone, pkg)
		}
	}
	slices.Sort(alone)
	both := maps.Clone(methods)
	for name, n := range fields {
		both[name] += n
	}
	out := []string{
		fmt.Sprintf("%d lines in %d packages", total, len(sizes)),
		fmt.Sprintf("%d packages with one importer: %s", len(alone), strings.Join(alone, " ")),
		fmt.Sprintf("%d fields of function type", closures),
	}
	for _, name := range largest(both, 10) {
		out = append(out, fmt.Sprintf("type %s: %d methods, %d fields", name, methods[name], fields[name]))
	}
	for _, name := range largest(branches, 10) {
		out = append(out, fmt.Sprintf("func %s: cyclomatic %d", name, branches[name]))
	}
	return out
}

// largest returns the n names with the highest figures, highest first.
func largest(figures map[string]int, n int) []string {
	names := slices.Sorted(maps.Keys(figures))
	slices.SortStableFunc(names, func(a, b string) int { return figures[b] - figures[a] })
	return names[:min(n, len(names))]
}

// cyclomatic is one and the branches of fn: if, for, case, && and ||.
func cyclomatic(fn *ast.FuncDecl) int {
	n := 1
	ast.Inspect(fn, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// funcs are the functions and methods that f declares.
func (f *source) funcs() []*ast.FuncDecl {
	var all []*ast.FuncDecl
	for _, d := range f.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			all = append(all, fn)
		}
	}
	return all
}

func (tr *tree) lineCount(n ast.Node) int {
	return tr.fset.Position(n.End()).Line - tr.fset.Position(n.Pos()).Line + 1
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
