package archtest

import (
	"go/ast"
	"slices"
	"strings"
)

// startsOf are what starts a process, by the path of the package: functions, and types
// that may be filled in by hand.
func startsOf(path string) []string {
	switch path {
	case "os/exec":
		return []string{"Command", "CommandContext", "Cmd"}
	case "os":
		return []string{"StartProcess"}
	case "syscall", "golang.org/x/sys/unix":
		return []string{"ForkExec", "StartProcess", "Exec"}
	}
	return nil
}

// processGates have the processes of tests be started by one helper, which leaves them
// nothing of whoever runs the tests: no terminal to ask a person on, no ignored signals, no
// environment.
func processGates() []gate {
	const (
		helper = "internal/proctest/a.go"
		script = "import \"github.com/rogpeppe/go-internal/testscript\"\nfunc TestScript(t *testing.T) { testscript.Run(t, testscript.Params{}) }\n"
	)
	return []gate{{
		name:  "processes of tests",
		check: checkProcesses,
		bad: []badTree{
			{map[string]string{"internal/pty/a_test.go": "package pty\nimport \"os/exec\"\nvar c = exec.Command(\"ls\")\n"}, "exec.Command: a test starts a process by internal/proctest"},
			{map[string]string{"internal/pty/a_test.go": "package pty\nimport run \"os/exec\"\nfunc f() { _ = run.CommandContext }\n"}, "exec.CommandContext: a test starts"},
			{map[string]string{"internal/pty/a_test.go": "package pty\nimport \"os/exec\"\nvar c = &exec.Cmd{Path: \"/bin/ls\"}\n"}, "exec.Cmd: a test starts"},
			{map[string]string{"internal/pty/a_test.go": "package pty\nimport \"os/exec\"\nvar c = new(exec.Cmd)\n"}, "exec.Cmd: a test starts"},
			{map[string]string{"bench/crowd/a_test.go": "package bench\nimport \"os\"\nfunc f() { os.StartProcess(\"/bin/ls\", nil, nil) }\n"}, "os.StartProcess: a test starts"},
			{map[string]string{"internal/llm/llmtest/a.go": "package llmtest\nimport \"syscall\"\nfunc f() { syscall.ForkExec(\"/bin/ls\", nil, nil) }\n"}, "syscall.ForkExec: a test starts"},
			{map[string]string{"internal/cli/a_test.go": "package cli\n" + script}, "internal/cli: scripts are run, and no TestMain has proctest.Apart or clitest.Main"},
		},
		good: map[string]string{
			helper:                       "package proctest\nimport \"os/exec\"\nvar c = exec.Command(\"ls\")\n",
			"internal/pty/a.go":          "package pty\nimport \"os/exec\"\nvar c = exec.Command(\"ls\")\n",
			"internal/pty/a_test.go":     "package pty\nimport \"os/exec\"\nfunc f(c *exec.Cmd) (*exec.Cmd, error) { return c, exec.ErrDot }\n",
			"internal/cli/a_test.go":     "package cli\n" + script,
			"internal/cli/main_test.go":  "package cli\nimport \"ken/internal/cli/clitest\"\nfunc TestMain(m *testing.M) { clitest.Main(m) }\n",
			"internal/repl/main_test.go": "package repl\nimport \"ken/internal/proctest\"\nfunc TestMain(m *testing.M) { proctest.Apart() }\n",
			"internal/repl/a_test.go":    "package repl\n" + script,
		},
	}}
}

func checkProcesses(tr *tree) []string {
	var out []string
	scripted, apart := map[string]bool{}, map[string]bool{}
	for _, f := range tr.files {
		if !f.test && !isSuite(short(f.dir)) || short(f.dir) == "proctest" {
			continue
		}
		local := localNames(f)
		pointed := map[ast.Expr]bool{} // types that are only pointed at
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StarExpr:
				pointed[n.X] = true
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok {
					return true
				}
				from := local[x.Name]
				switch {
				case slices.Contains(startsOf(from), n.Sel.Name) && !pointed[n]:
					out = append(out, tr.at(n.Pos(), "%s.%s: a test starts a process by internal/proctest", from[strings.LastIndexByte(from, '/')+1:], n.Sel.Name))
				case strings.HasSuffix(from, "/testscript") && n.Sel.Name == "Run":
					scripted[f.dir] = true
				case strings.HasSuffix(from, "/proctest") && n.Sel.Name == "Apart", strings.HasSuffix(from, "/clitest") && n.Sel.Name == "Main":
					apart[f.dir] = true
				}
			}
			return true
		})
	}
	for dir := range scripted {
		if !apart[dir] {
			out = append(out, dir+": scripts are run, and no TestMain has proctest.Apart or clitest.Main")
		}
	}
	return out
}
