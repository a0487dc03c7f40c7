package archtest

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Code below the faces says what happened as values of package fault: errors with a
// kind, warnings and notes. A face shows them, and the command line alone makes exit
// codes of them, in one table. doc.go of package fault has the rules.

// quietFiles are the files of the command line that belong to no face and wait to go
// below the faces: a directory, or a file. A row goes out with what it names.
func quietFiles() []string {
	return []string{
		"internal/cli/keep",
	}
}

// voices are the methods by which the command line speaks.
func voices() []string {
	return []string{
		"Say", "WarnOnce", "Footnote", "Report", "Verb", "NextStep", "Println", "PrintJSON",
		"Confirm", "OnTerminal", "AskLine", "AskText",
	}
}

// exitName is the name of an exit code. Every name of the tree is held against it, so
// it is compiled once.
var exitName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[eE]xit(Code)?(Failure|Usage|Model|Refused|Limit|Incomplete|Interrupted|ClosedPipe|NotRun)$`)
})

func voiceGates() []gate {
	const (
		keeping = "package keep\nimport \"ken/internal/cli/app\"\n"
		repl    = "import _ \"ken/internal/repl\"\n"
	)
	return []gate{
		{
			name:  "exit codes are the command line's",
			check: checkExits,
			bad: []badTree{
				{map[string]string{"internal/engine/a.go": "package engine\nconst ExitUsage = 2\n"}, "ExitUsage: an error has a kind"},
				{map[string]string{
					"internal/recall/a.go": "package recall\nimport \"ken/internal/cli/app\"\nvar x = app.ExitRefused\n",
				}, "ExitRefused: an error has a kind"},
			},
			good: map[string]string{
				"internal/cli/app/a.go":   "package app\nconst ExitUsage = 2\n",
				"internal/tool/lane/a.go": "package lane\nfunc f(e interface{ ExitCode() int }) int { return e.ExitCode() }\n",
			},
		},
		{
			name:  "what waits to go below the faces is silent",
			check: checkQuiet,
			bad: []badTree{
				{map[string]string{
					"internal/cli/keep/a.go": keeping + "func f(a *app.App) {}\n",
				}, "app.App is the face: take *app.Core"},
				{map[string]string{
					"internal/cli/keep/a.go": "package keep\nfunc f(a interface{ Say(string) }) { a.Say(\"x\") }\n",
				}, "Say speaks"},
				{map[string]string{
					"internal/cli/keep/a.go": keeping + "var x = app.Told(nil)\n",
				}, "app.Told is of the face"},
				{map[string]string{
					"internal/cli/keep/a.go": "package keep\n" + repl,
				}, "imports ken/internal/repl"},
				{map[string]string{
					"internal/cli/app/core.go": "package app\nfunc (c *Core) F(a *App) {}\n",
				}, "App is the face: Core belongs to none"},
				{map[string]string{
					"internal/cli/app/core.go": "package app\nfunc (c *Core) F() { c.app.Say(\"x\") }\n",
				}, "Say speaks"},
				{map[string]string{
					"internal/cli/app/core.go": "package app\n" + repl + "func (c *Core) F() {}\n",
				}, "imports ken/internal/repl"},
			},
			good: map[string]string{
				"internal/cli/keep/a.go":      keeping + "func f(a *app.Core) { a.Warn(nil); a.Notef(\"x\") }\n",
				"internal/cli/keep/a_test.go": keeping + "func f(a *app.App) {}\n",
				"internal/cli/app/core.go":    "package app\nfunc (c *Core) F() { c.Warn(nil) }\n",
				"internal/cli/app/voice.go":   "package app\n" + repl + "func (a *App) F() { a.Say(\"x\") }\n",
				"internal/cli/find/choose.go": "package find\nimport \"ken/internal/cli/app\"\nfunc f(a *app.App) { a.Say(\"x\") }\n",
			},
		},
	}
}

// checkExits looks for the names of exit codes outside the command line.
func checkExits(tr *tree) []string {
	var out []string
	for f := range tr.code {
		pkg := short(f.dir)
		if pkg == "cli" || strings.HasPrefix(pkg, "cli/") || isOutside(pkg) {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && exitName().MatchString(id.Name) {
				out = append(out, tr.at(id.Pos(), "%s: an error has a kind (package fault), and cli makes exit codes of them", id.Name))
			}
			return true
		})
	}
	return out
}

// checkQuiet looks for the voice in what belongs to no face.
func checkQuiet(tr *tree) []string {
	var out []string
	for f := range tr.code {
		core := f.dir == "internal/cli/app" && f.hasMethodOf("Core")
		if core || slices.Contains(quietFiles(), f.path) || slices.Contains(quietFiles(), f.dir) {
			out = append(out, tr.heard(f, core)...)
		}
	}
	for _, row := range quietFiles() {
		gone := !slices.ContainsFunc(tr.files, func(f *source) bool { return f.path == row || f.dir == row })
		if gone && tr.whole {
			out = append(out, fmt.Sprintf("%s: no such code; take it out of the table in voice_test.go", row))
		}
	}
	return out
}

// heard says where f speaks to a terminal, or knows who does. core: it declares Core.
func (tr *tree) heard(f *source, core bool) []string {
	var out []string
	for spec, imported := range f.imports {
		if strings.HasPrefix(imported, modulePath+"/internal/repl") || strings.HasPrefix(imported, "github.com/spf13/") ||
			imported == "golang.org/x/term" {
			out = append(out, tr.at(spec.Pos(), "%s imports %s, which is a face's", path.Base(f.path), imported))
		}
	}
	local := localNames(f)
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, isName := n.X.(*ast.Ident)
			ofApp := isName && local[x.Name] == modulePath+"/internal/cli/app"
			switch {
			case ofApp && n.Sel.Name == "App":
				out = append(out, tr.at(n.Pos(), "app.App is the face: take *app.Core, which belongs to none"))
			case ofApp && (n.Sel.Name == "Told" || n.Sel.Name == "Exit" || exitName().MatchString(n.Sel.Name)):
				out = append(out, tr.at(n.Pos(), "app.%s is of the face: return an error of package fault", n.Sel.Name))
			case slices.Contains(voices(), n.Sel.Name):
				out = append(out, tr.at(n.Pos(), "%s speaks: use Warn and Note, and fault.Command for a command of ken", n.Sel.Name))
			}
		case *ast.StarExpr:
			if id, ok := n.X.(*ast.Ident); ok && core && id.Name == "App" {
				out = append(out, tr.at(n.Pos(), "App is the face: Core belongs to none"))
			}
		case *ast.Ident:
			if core && exitName().MatchString(n.Name) {
				out = append(out, tr.at(n.Pos(), "%s: an error has a kind (package fault)", n.Name))
			}
		}
		return true
	})
	return out
}

// hasMethodOf reports whether f declares a method of a type.
func (f *source) hasMethodOf(typ string) bool {
	return slices.ContainsFunc(f.ast.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Recv != nil && len(fn.Recv.List) > 0 && receiver(fn.Recv.List[0].Type) == typ
	})
}
