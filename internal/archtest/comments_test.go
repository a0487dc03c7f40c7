package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// contracts are the packages that promise something to several implementations
// or to files that outlive the program. Their page says what always holds and
// what bites.
func contracts() []string { return []string{"memory"} }

func docGates() []gate {
	return []gate{
		{
			name:  "package comments",
			check: checkPackageComments,
			bad: []badTree{
				{map[string]string{"internal/llm/a.go": "package llm\n"}, "internal/llm: no package comment"},
				{map[string]string{"internal/archtest/a_test.go": "package archtest\n"}, "internal/archtest: no package comment"},
				{map[string]string{"internal/llm/a.go": "// Package llm does.\npackage llm\n", "internal/llm/b.go": "// Package llm does.\npackage llm\n"}, "2 package comments"},
				{map[string]string{"internal/llm/a.go": "// Talks.\npackage llm\n"}, `begins with "Package llm "`},
				{map[string]string{"cmd/ken/main.go": "// Package main runs.\npackage main\n"}, `begins with "Ken " or "Command ken "`},
				{map[string]string{"internal/llm/a.go": "// Package llm a\n// b\n// c\n// d\npackage llm\n"}, "belongs in doc.go"},
				{map[string]string{"internal/memory/doc.go": "// Package memory does.\n//\n// # Laws\n//\n// One.\npackage memory\n"}, "no heading Caveats"},
			},
			good: map[string]string{
				"internal/llm/a.go":         "// Package llm a\n// b\n// c\npackage llm\n",
				"internal/llm/b.go":         "package llm\n",
				"internal/memory/doc.go":    "// Package memory does.\n//\n// # Laws\n//\n// One.\n//\n// # Caveats\n//\n// Two.\npackage memory\n",
				"internal/memory/a_test.go": "package memory_test\n",
				"cmd/ken/main.go":           "// Ken remembers.\npackage main\n",
			},
		},
		{
			name:  "exported names documented",
			check: checkExported,
			bad: []badTree{
				{map[string]string{"internal/llm/a.go": "package llm\nfunc F() {}\n"}, "F is exported and not documented"},
				{map[string]string{"internal/llm/a.go": "package llm\n// T is.\ntype T int\nfunc (t *T) M() {}\n"}, "T.M is exported and not documented"},
				{map[string]string{"internal/llm/a.go": "package llm\ntype T struct{}\n"}, "T is exported and not documented"},
				{map[string]string{"internal/llm/a.go": "package llm\ntype (\n\tt int\n\tU int\n)\n"}, "U is exported and not documented"},
				{map[string]string{"internal/llm/a.go": "package llm\nconst (\n\tA = 1\n)\n"}, "A is exported and not documented"},
				{map[string]string{"internal/llm/a.go": "package llm\nvar ErrA = errors.New(\"a\")\n"}, "ErrA is exported and not documented"},
				{map[string]string{"internal/llm/a.go": "package llm\n// T is.\ntype T interface {\n\tM()\n\tN() // N does.\n}\n"}, "T.M is exported and not documented"},
			},
			good: map[string]string{"internal/llm/a.go": `package llm
// T is.
type T interface {
	// M does.
	M()
	N() // N does.
}
type t int
func (t) M() {}
// One does.
type One interface{ M() }
// G is.
type G[K any] struct{ k K }
// M does.
func (G[K]) M() {}
func (G[K]) String() string { return "" }
// Both are.
const (
	A = 1
	B = 2
)
const (
	C = 3 // C is.
)
func f() {}
`},
		},
		{
			name:  "nothing left to do",
			check: checkLeftovers,
			bad: []badTree{
				{map[string]string{"internal/llm/a.go": "package llm\n// TO" + "DO: later\nfunc f() {}\n"}, "comment puts work off"},
				{map[string]string{"internal/llm/a_test.go": "package llm\nfunc f() {} // FIX" + "ME(me)\n"}, "comment puts work off"},
			},
			good: map[string]string{"internal/llm/a.go": "package llm\n// a context.TO" + "DOs\nvar s = \"TO" + "DO\"\n"},
		},
	}
}

func checkPackageComments(tr *tree) []string {
	var out []string
	for _, files := range tr.packages() {
		dir, name := files[0].dir, strings.TrimSuffix(files[0].ast.Name.Name, "_test")
		var commented []*source
		for _, f := range files {
			if f.ast.Doc != nil && !f.test {
				commented = append(commented, f)
			}
		}
		if len(commented) == 0 {
			out = append(out, dir+": no package comment")
			continue
		}
		if n := len(commented); n > 1 {
			out = append(out, fmt.Sprintf("%s: %d package comments, want one", dir, n))
		}
		f := commented[0]
		text := f.ast.Doc.Text()
		if want, ok := opening(dir, name, text); !ok {
			out = append(out, fmt.Sprintf("%s: want a package comment that begins with %s", f.path, want))
		}
		if strings.Count(text, "\n") > 3 && path.Base(f.path) != "doc.go" {
			out = append(out, f.path+": a package comment of more than 3 lines belongs in doc.go")
		}
		if slices.Contains(contracts(), short(dir)) {
			for _, heading := range []string{"Laws", "Caveats"} {
				if !strings.Contains(text, "\n# "+heading+"\n") {
					out = append(out, fmt.Sprintf("%s: a contract, and its comment has no heading %s", f.path, heading))
				}
			}
		}
	}
	return out
}

func opening(dir, name, text string) (want string, ok bool) {
	if name != "main" {
		want = "Package " + name + " "
		return strconv.Quote(want), strings.HasPrefix(text, want)
	}
	command := path.Base(dir)
	a, b := strings.ToUpper(command[:1])+command[1:]+" ", "Command "+command+" "
	return strconv.Quote(a) + " or " + strconv.Quote(b), strings.HasPrefix(text, a) || strings.HasPrefix(text, b)
}

func checkExported(tr *tree) []string {
	var out []string
	for f := range tr.code {
		tell := func(pos token.Pos, name string) {
			out = append(out, tr.at(pos, "%s is exported and not documented", name))
		}
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if name, visible := funcName(d); visible && d.Doc == nil {
					tell(d.Pos(), name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					checkSpec(d, spec, tell)
				}
			}
		}
	}
	return out
}

// funcName returns T.M or F, and whether others see it. Methods that everybody
// knows from the standard library need no words of their own.
func funcName(d *ast.FuncDecl) (name string, visible bool) {
	name = d.Name.Name
	visible = d.Name.IsExported()
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return name, visible
	}
	switch name {
	case "Error", "String", "Unwrap", "Read", "Write", "ServeHTTP", "Len", "Less", "Swap":
		visible = false
	}
	recv := receiver(d.Recv.List[0].Type)
	return recv + "." + name, visible && token.IsExported(recv)
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func checkSpec(d *ast.GenDecl, spec ast.Spec, tell func(token.Pos, string)) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		// The comment of a group of types says nothing of one type.
		documented := spec.Doc != nil || spec.Comment != nil || !d.Lparen.IsValid() && d.Doc != nil
		if !spec.Name.IsExported() {
			return
		}
		if !documented {
			tell(spec.Pos(), spec.Name.Name)
		}
		// The comment of an interface with one method is the comment of the method.
		if it, ok := spec.Type.(*ast.InterfaceType); ok && len(it.Methods.List) > 1 {
			for _, m := range it.Methods.List {
				if len(m.Names) > 0 && m.Names[0].IsExported() && m.Doc == nil && m.Comment == nil {
					tell(m.Pos(), spec.Name.Name+"."+m.Names[0].Name)
				}
			}
		}
	case *ast.ValueSpec:
		if spec.Doc != nil || spec.Comment != nil || d.Doc != nil {
			return
		}
		for _, name := range spec.Names {
			if name.IsExported() {
				tell(name.Pos(), name.Name)
			}
		}
	}
}

func checkLeftovers(tr *tree) []string {
	word := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|X` + `XX|HA` + `CK)\b`)
	var out []string
	for _, f := range tr.files {
		for _, group := range f.ast.Comments {
			for _, c := range group.List {
				if word.MatchString(c.Text) && !strings.Contains(c.Text, "context.TO"+"DO") {
					out = append(out, tr.at(c.Pos(), "comment puts work off: do it, or open an issue"))
				}
			}
		}
	}
	return out
}
