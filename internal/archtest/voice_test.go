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

// silent are the packages that stand right below the faces, each with its rooms: what
// they have to say are values, and what they ask goes through a port.
func silent() []string { return []string{"app", "agent", "upkeep", "runner"} }

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
	return []gate{
		{
			name:  "exit codes are the command line's",
			check: checkExits,
			bad: []badTree{
				{map[string]string{"internal/engine/a.go": "package engine\nconst ExitUsage = 2\n"}, "ExitUsage: an error has a kind"},
				{map[string]string{
					"internal/recall/a.go": "package recall\nimport \"ken/internal/cli/term\"\nvar x = app.ExitRefused\n",
				}, "ExitRefused: an error has a kind"},
			},
			good: map[string]string{
				"internal/cli/term/a.go":  "package app\nconst ExitUsage = 2\n",
				"internal/tool/lane/a.go": "package lane\nfunc f(e interface{ ExitCode() int }) int { return e.ExitCode() }\n",
			},
		},
		{
			name:  "what stands below the faces is silent",
			check: checkSilent,
			bad: []badTree{
				{map[string]string{
					"internal/app/a.go": "package app\nimport _ \"ken/internal/cli/term\"\n",
				}, "a.go imports ken/internal/cli/term, which is a face's"},
				{map[string]string{
					"internal/app/a.go": "package app\nimport _ \"ken/internal/cli\"\n",
				}, "imports ken/internal/cli, which is a face's"},
				{map[string]string{
					"internal/agent/turn/a.go": "package turn\nimport _ \"ken/internal/repl/edit\"\n",
				}, "imports ken/internal/repl/edit"},
				{map[string]string{
					"internal/agent/a.go": "package agent\nimport _ \"github.com/spf13/cobra\"\n",
				}, "imports github.com/spf13/cobra"},
				{map[string]string{
					"internal/agent/a.go": "package agent\nfunc f(a interface{ Say(string) }) { a.Say(\"x\") }\n",
				}, "Say speaks: below the faces (app, agent, upkeep, runner)"},
			},
			good: map[string]string{
				"internal/agent/a.go": "package agent\nimport \"ken/internal/app\"\n" +
					"func f(v *app.View) { v.Warn(nil); h.Notef(\"x\") }\n",
				"internal/agent/a_test.go":     "package agent\nfunc f(a interface{ Say(string) }) { a.Say(\"x\") }\n",
				"internal/cli/term/voice.go":   "package app\nimport _ \"ken/internal/repl\"\nfunc (a *App) F() { a.Say(\"x\") }\n",
				"internal/cli/which/choose.go": "package which\nimport \"ken/internal/cli/term\"\nfunc f(a *app.App) { a.Say(\"x\") }\n",
				"internal/searches/a.go":       "package searches\nfunc f(a interface{ Say(string) }) { a.Say(\"x\") }\n",
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

// checkSilent looks for the voice in what stands below the faces.
func checkSilent(tr *tree) []string {
	var out []string
	found := map[string]bool{}
	for f := range tr.code {
		pkg := short(f.dir)
		i := slices.IndexFunc(silent(), func(p string) bool { return pkg == p || strings.HasPrefix(pkg, p+"/") })
		if i >= 0 {
			found[silent()[i]] = true
			out = append(out, tr.heard(f)...)
		}
	}
	for _, pkg := range silent() {
		if tr.whole && !found[pkg] {
			out = append(out, fmt.Sprintf("%s: no such package; take it out of the table in voice_test.go", pkg))
		}
	}
	return out
}

// faces reports whether only a face imports this.
func faces(imported string) bool {
	for _, p := range []string{modulePath + "/internal/cli", modulePath + "/internal/repl"} {
		if imported == p || strings.HasPrefix(imported, p+"/") {
			return true
		}
	}
	return strings.HasPrefix(imported, "github.com/spf13/") || imported == "golang.org/x/term"
}

// isImport reports whether an expression is the name of a package that f imports: what that has is no method.
func (f *source) isImport(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	for spec, imported := range f.imports {
		if spec.Name == nil && path.Base(imported) == id.Name || spec.Name != nil && spec.Name.Name == id.Name {
			return true
		}
	}
	return false
}

// heard says where f speaks to a terminal, or knows who does.
func (tr *tree) heard(f *source) []string {
	var out []string
	for spec, imported := range f.imports {
		if faces(imported) {
			out = append(out, tr.at(spec.Pos(), "%s imports %s, which is a face's", path.Base(f.path), imported))
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(voices(), sel.Sel.Name) && !f.isImport(sel.X) {
			out = append(out, tr.at(n.Pos(),
				"%s speaks: below the faces (%s) use Warn and Note, fault.Command for a command of ken, and a port to ask",
				sel.Sel.Name, strings.Join(silent(), ", ")))
		}
		return true
	})
	return out
}
