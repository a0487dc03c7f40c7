package archtest

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// Every line of ken's own goes to the terminal through one writer: the voice (Say,
// Status, Warn, Report, Println), or a question, and in the end package wrap. What is
// written past it is no line of ken's own, and its file has a row here.

// past are the files that write to an output themselves, each with what.
func past() []exception {
	return []exception{
		{"cli/chat/commands.go", "the sequence that clears the screen"},
		{"cli/pipe/redact.go", "what was piped in, for the next program"},
		{"cli/run/frame.go", "the rules around the output of a command, cut to the width"},
		{"cli/search/export.go", "the lines of a conversation's file, for a program"},
		{"cli/serve/page.go", "the link to the page in one piece, at the terminal itself, so that no file or pipe has its token"},
		{"cli/shellinit/init.go", "the script of a shell, which a shell reads"},
		{"cli/term/lines.go", "JSON lines, for a program"},
		{"cli/term/voice.go", "the voice itself"},
		{"repl/terminal.go", "the prompt and the questions, which are wrapped before"},
	}
}

func lineGates() []gate {
	return []gate{{
		name:  "lines go through one writer",
		check: checkLines,
		bad: []badTree{
			{map[string]string{
				"internal/cli/memory/a.go": "package memory\nimport \"fmt\"\nfunc f(a *term.Run) { fmt.Fprintln(a.Env.Stderr, \"x\") }\n",
			}, "cli/memory/a.go writes to Stderr"},
			{map[string]string{
				"internal/cli/run/a.go": "package run\nimport \"io\"\nfunc f(a *term.Run) { _, _ = io.WriteString(a.Env.Stdout, \"x\") }\n",
			}, "writes to Stdout"},
			{map[string]string{
				"internal/cli/a.go": "package cli\nfunc f(a *term.Run) { _, _ = a.Env.Stdout.Write(nil) }\n",
			}, "writes to Stdout"},
			{map[string]string{
				"internal/repl/a.go": "package repl\nimport \"fmt\"\nfunc f(t *Terminal) { fmt.Fprintf(t.Err, \"x\") }\n",
			}, "writes to Err"},
		},
		good: map[string]string{
			"internal/cli/run/frame.go":  "package run\nimport \"io\"\nfunc f(a *term.Run) { _, _ = io.WriteString(a.Env.Stdout, \"x\") }\n",
			"internal/cli/a.go":          "package cli\nimport \"fmt\"\nfunc f(a *X) { fmt.Fprintln(a.Stderr, wrap.List(a.Stderr, \"x\")) }\n",
			"internal/cli/memory/a.go":   "package memory\nimport \"fmt\"\nfunc f(b *strings.Builder) { fmt.Fprintln(b, \"x\"); b.Write(nil) }\n",
			"internal/repl/edit/a.go":    "package edit\nimport \"io\"\nfunc f(o Options) { io.WriteString(o.Out, \"x\") }\n",
			"internal/cli/clitest/a.go":  "package clitest\nimport \"fmt\"\nfunc f() { fmt.Fprintln(cmd.Stderr, \"x\") }\n",
			"internal/cli/run/a_test.go": "package run\nimport \"fmt\"\nfunc f() { fmt.Fprintln(cmd.Stderr, \"x\") }\n",
		},
	}}
}

// checkLines looks for what is written to an output of the command line and the shell.
func checkLines(tr *tree) []string {
	var out []string
	found := map[string]bool{}
	for f := range tr.code {
		pkg := short(f.dir)
		if pkg != "repl" && pkg != "cli" && !strings.HasPrefix(pkg, "cli/") || pkg == "cli/clitest" {
			continue
		}
		name := pkg + f.path[strings.LastIndexByte(f.path, '/'):]
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			to := writtenTo(call)
			if to == "" || mentionsWrap(call) {
				return true
			}
			found[name] = true
			if !slices.ContainsFunc(past(), func(e exception) bool { return e.name == name }) {
				out = append(out, tr.at(n.Pos(), "%s writes to %s: what ken says goes through the voice or package wrap; "+
					"what is no line of ken's has a row in lines_test.go", name, to))
			}
			return true
		})
	}
	for _, e := range past() {
		if tr.whole && !found[e.name] {
			out = append(out, fmt.Sprintf("%s writes nothing past the voice: take its row out of lines_test.go", e.name))
		}
	}
	return out
}

// outputs are the fields that are one.
func outputs() []string { return []string{"Stdout", "Stderr", "Out", "Err", "stdout", "stderr"} }

// writtenTo is the output that a call writes to: Stdout, Stderr, Out or Err of something;
// "" if it writes to none.
func writtenTo(call *ast.CallExpr) string {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	target := fun.X // of a Write
	switch x, _ := fun.X.(*ast.Ident); {
	case x != nil && (x.Name == "io" && fun.Sel.Name == "WriteString" || x.Name == "fmt" && strings.HasPrefix(fun.Sel.Name, "Fprint")):
		if len(call.Args) == 0 {
			return ""
		}
		target = call.Args[0]
	case fun.Sel.Name != "Write" && fun.Sel.Name != "WriteString":
		return ""
	}
	if sel, ok := target.(*ast.SelectorExpr); ok && slices.Contains(outputs(), sel.Sel.Name) {
		return sel.Sel.Name
	}
	if id, ok := target.(*ast.Ident); ok && id.Name == "to" {
		return id.Name
	}
	return ""
}

// mentionsWrap reports whether a call of package wrap stands in a call.
func mentionsWrap(call *ast.CallExpr) bool {
	is := false
	ast.Inspect(call, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if x, isName := selected(sel, ok); isName && x == "wrap" {
			is = true
		}
		return !is
	})
	return is
}

func selected(sel *ast.SelectorExpr, ok bool) (string, bool) {
	if !ok {
		return "", false
	}
	x, isName := sel.X.(*ast.Ident)
	if !isName {
		return "", false
	}
	return x.Name, true
}
