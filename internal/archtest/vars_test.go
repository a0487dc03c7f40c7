package archtest

import (
	"go/ast"
	"go/token"
	"strings"
)

// What a package may hold at its top, beside constants:
//
//   - var _ T = v, which the compiler checks and forgets;
//   - an error made by errors.New or fmt.Errorf, named err... or Err...;
//   - what //go:embed fills;
//   - a function made by sync.OnceFunc, OnceValue or OnceValues, the way to have
//     a table or a regular expression that nobody pays for who does not use it;
//   - an array (not a slice) of constants that nothing in the package writes to,
//     slices or takes the address of: the linker lays it out and starting the
//     program costs nothing;
//   - in cmd/ken, version, which the linker fills.
//
// Everything else is either state that two tests share without knowing it, or
// work done at every start by people who do not need it.
func varGates() []gate {
	bad := func(src, want string) badTree {
		return badTree{map[string]string{"internal/llm/a.go": "package llm\n" + src}, want}
	}
	return []gate{
		{
			name:  "package variables",
			check: checkVars,
			bad: []badTree{
				bad("var x int\n", "x is a variable of the package"),
				bad("var x = map[string]int{}\n", "x is a variable of the package"),
				bad("var x = []int{1}\n", "x is a variable of the package"),
				bad("var re = regexp.MustCompile(`a`)\n", "re is a variable of the package"),
				bad("var mu sync.Mutex\n", "mu is a variable of the package"),
				bad("var failed = errors.New(\"a\")\n", "failed is a variable of the package"),
				bad("var t = [2]int{f(), 1}\n", "t is a variable of the package"),
				bad("var t = [1][]int{{1}}\n", "t is a variable of the package"),
				bad("var t = [2]int{1, 2}\nfunc f() { t[0] = 3 }\n", "t is written to"),
				bad("var t = [2]int{1, 2}\nfunc f() { t[0]++ }\n", "t is written to"),
				bad("var t = [2][2]int{}\nfunc f() { t[0][1] += 2 }\n", "t is written to"),
				bad("var t = [2]int{1, 2}\nfunc f() { t = [2]int{} }\n", "t is written to"),
				bad("var t = [2]int{1, 2}\nfunc f() []int { return t[:] }\n", "t is sliced"),
				bad("var t = [2]int{1, 2}\nfunc f() *int { return &t[0] }\n", "address of t"),
				bad("var version string\n", "version is a variable of the package"),
			},
			good: map[string]string{
				"internal/llm/a.go": `package llm
var _ I = T{}
// ErrA is.
var ErrA = errors.New("a")
var errB, errC = errors.New("b"), fmt.Errorf("c")
//go:embed a.txt
var text string
var table = sync.OnceValue(func() map[string]int { return nil })
var kinds = [...]string{kindA: "a", 'b': "b" + "c"}
var grid = [2][2]rune{{1, 2}, {-3, 'x'}}
var pairs = [1]pair{{"a", true}}
func f() { for i, k := range kinds { _ = k + kinds[i] } }
`,
				"internal/llm/a_test.go": "package llm\nvar update bool\n",
				"cmd/ken/main.go":        "package main\nvar version string\n",
			},
		},
		{
			name:  "no init",
			check: checkInit,
			bad: []badTree{
				bad("func init() {}\n", "init runs at every start"),
				{map[string]string{"internal/llm/a_test.go": "package llm\nfunc init() {}\n"}, "init runs at every start"},
			},
			good: map[string]string{"internal/llm/a.go": "package llm\ntype t int\nfunc (t) init() {}\n"},
		},
	}
}

func checkInit(tr *tree) []string {
	var out []string
	for _, f := range tr.files {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				out = append(out, tr.at(fn.Pos(), "init runs at every start, for everybody"))
			}
		}
	}
	return out
}

func checkVars(tr *tree) []string {
	var out []string
	for _, files := range tr.packages() {
		tables := map[string]bool{}
		for _, f := range files {
			if f.test {
				continue
			}
			for _, d := range f.ast.Decls {
				if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.VAR {
					out = append(out, tr.varDecl(f, gen, tables)...)
				}
			}
		}
		for _, f := range files {
			if len(tables) > 0 {
				out = append(out, tr.tableWrites(f, tables)...)
			}
		}
	}
	return out
}

// varDecl complains about the variables of one declaration and adds the arrays
// of constants among them to tables.
func (tr *tree) varDecl(f *source, gen *ast.GenDecl, tables map[string]bool) []string {
	var out []string
	for _, s := range gen.Specs {
		spec, ok := s.(*ast.ValueSpec)
		if !ok || embedded(gen.Doc) || embedded(spec.Doc) {
			continue
		}
		for i, name := range spec.Names {
			var value ast.Expr
			if i < len(spec.Values) {
				value = spec.Values[i]
			}
			switch {
			case name.Name == "_" || allowedValue(name.Name, value):
			case f.dir == "cmd/ken" && name.Name == "version":
			case isArrayOfConstants(value):
				tables[name.Name] = true
			default:
				out = append(out, tr.at(name.Pos(), "%s is a variable of the package: see vars_test.go for what may stand there", name.Name))
			}
		}
	}
	return out
}

func embedded(doc *ast.CommentGroup) bool {
	if doc == nil {
		return false
	}
	for _, c := range doc.List {
		if strings.HasPrefix(c.Text, "//go:embed ") {
			return true
		}
	}
	return false
}

func allowedValue(name string, value ast.Expr) bool {
	call, ok := value.(*ast.CallExpr)
	if !ok {
		return false
	}
	fun := call.Fun
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	switch selector(fun) {
	case "errors.New", "fmt.Errorf":
		return strings.HasPrefix(name, "err") || strings.HasPrefix(name, "Err")
	case "sync.OnceFunc", "sync.OnceValue", "sync.OnceValues":
		return true
	}
	return false
}

// selector returns "pkg.Name" for such an expression, else "".
func selector(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok {
			return x.Name + "." + s.Sel.Name
		}
	}
	return ""
}

func isArrayOfConstants(value ast.Expr) bool {
	lit, ok := value.(*ast.CompositeLit)
	if !ok {
		return false
	}
	array, ok := lit.Type.(*ast.ArrayType)
	return ok && array.Len != nil && isElemType(array.Elt) && constantElems(lit.Elts)
}

// isElemType reports whether a value of type e, as far as it can be read here,
// holds no slice, map, pointer, function or channel.
func isElemType(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return true
	case *ast.ArrayType:
		return e.Len != nil && isElemType(e.Elt)
	case *ast.StructType:
		for _, field := range e.Fields.List {
			if !isElemType(field.Type) {
				return false
			}
		}
		return true
	}
	return false
}

func constantElems(elems []ast.Expr) bool {
	for _, e := range elems {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if !constant(e) {
			return false
		}
	}
	return true
}

func constant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit, *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return selector(e) != ""
	case *ast.ParenExpr:
		return constant(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.AND && e.Op != token.ARROW && constant(e.X)
	case *ast.BinaryExpr:
		return constant(e.X) && constant(e.Y)
	case *ast.CompositeLit:
		return (e.Type == nil || isElemType(e.Type)) && constantElems(e.Elts)
	}
	return false
}

// tableWrites complains about what could change an array of constants. It goes
// by name; a local variable should not have the name of a table anyway.
func (tr *tree) tableWrites(f *source, tables map[string]bool) []string {
	var out []string
	tell := func(e ast.Expr, format string) {
		if name := root(e); tables[name] {
			out = append(out, tr.at(e.Pos(), format, name))
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if n.Tok != token.DEFINE {
					tell(lhs, "%s is written to: it is an array of constants")
				}
			}
		case *ast.IncDecStmt:
			tell(n.X, "%s is written to: it is an array of constants")
		case *ast.SliceExpr:
			tell(n.X, "%s is sliced: the slice could be written to")
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				tell(n.X, "address of %s: it could be written to")
			}
		}
		return true
	})
	return out
}

// root returns the name that an expression like t[0].x[1] begins with.
func root(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.IndexExpr:
		return root(e.X)
	case *ast.SelectorExpr:
		return root(e.X)
	case *ast.ParenExpr:
		return root(e.X)
	}
	return ""
}
