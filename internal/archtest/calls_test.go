package archtest

import (
	"go/ast"
	"path"
	"slices"
	"strings"
)

// A reach is something a function takes from its surroundings behind its
// caller's back. Such functions cannot be tested with a clock, an environment or
// an output of one's own.
type reach struct {
	path   string
	names  []string
	homes  []string // short package names that may
	suites bool     // packages made for tests may too
	why    string
}

func reaches() []reach {
	return []reach{
		{"time", []string{"Now", "Since", "Until"}, []string{"cmd/ken", "cli"}, true, "take the time, or a clock, as an argument"},
		{"fmt", []string{"Print", "Printf", "Println"}, nil, false, "write to the io.Writer you were given"},
		{"os", []string{"Stdin", "Stdout", "Stderr"}, []string{"cmd/ken", "cli"}, false, "read and write what you were given"},
		{"os", []string{"Getenv", "LookupEnv"}, []string{"cmd/ken", "cli"}, true, "take a getenv function as an argument"},
		{"os", []string{"Exit"}, []string{"cmd/ken"}, false, "return an error; only main exits"},
	}
}

func callGates() []gate {
	return []gate{{
		name:  "no reaching out",
		check: checkReaches,
		bad: []badTree{
			{map[string]string{"internal/memory/a.go": "package memory\nimport \"time\"\nfunc f() { _ = time.Now() }\n"}, "time.Now: take the time"},
			{map[string]string{"internal/llm/a.go": "package llm\nimport clock \"time\"\nvar _ = clock.Since\n"}, "time.Since: take the time"},
			{map[string]string{"internal/cli/a.go": "package cli\nimport \"fmt\"\nfunc f() { fmt.Println() }\n"}, "fmt.Println: write to"},
			{map[string]string{"internal/agent/a.go": "package agent\nimport \"os\"\nvar _ = os.Stderr\n"}, "os.Stderr: read and write"},
			{map[string]string{"internal/place/a.go": "package place\nimport \"os\"\nvar _ = os.Getenv(\"HOME\")\n"}, "os.Getenv: take"},
			{map[string]string{"internal/cli/a.go": "package cli\nimport \"os\"\nfunc f() { os.Exit(1) }\n"}, "only main exits"},
			{map[string]string{"internal/llm/a.go": "package llm\nfunc f() { println() }\n"}, "println writes"},
		},
		good: map[string]string{
			"internal/cli/a.go":            "package cli\nimport (\n\"os\"\n\"time\"\n)\nvar _ = os.Stdout\nfunc f() { time.Now() }\n",
			"internal/memory/a_test.go":    "package memory\nimport \"time\"\nfunc f() { time.Now() }\n",
			"internal/memory/a.go":         "package memory\nimport \"time\"\nfunc f(t time.Time) { t.UTC() }\n",
			"internal/memory/logtest/a.go": "package logtest\nimport \"time\"\nfunc f() { time.Now() }\n",
			"bench/main.go":                "package main\nimport \"os\"\nfunc main() { os.Exit(1) }\n",
			"cmd/ken/main.go":              "package main\nimport \"os\"\nfunc main() { os.Exit(1) }\n",
		},
	}}
}

func logGates() []gate {
	const server = "package acp\nimport \"net/http\"\nvar s = "
	return []gate{{
		name:  "no server logs by itself",
		check: checkServerLogs,
		bad: []badTree{
			{map[string]string{"internal/acp/a.go": server + "&http.Server{Handler: nil}\n"}, "without ErrorLog"},
			{map[string]string{"internal/acp/a.go": server + "new(http.Server)\n"}, "without ErrorLog"},
			{map[string]string{"internal/acp/a.go": server + "http.ListenAndServe(\"\", nil)\n"}, "without ErrorLog"},
			{map[string]string{"internal/acp/a.go": "package acp\nimport \"log/slog\"\nfunc f() { slog.Info(\"\") }\n"}, "slog.Info logs"},
		},
		good: map[string]string{
			"internal/acp/a.go":      server + "&http.Server{ErrorLog: nil}\n",
			"internal/acp/a_test.go": server + "&http.Server{}\n",
			"internal/cli/a.go":      "package cli\nimport \"log/slog\"\nfunc f() { slog.SetDefault(slog.New(slog.DiscardHandler)) }\n",
		},
	}}
}

// checkServerLogs looks for what would write to standard error what others sent: servers with the log of net/http, and logs themselves.
// What libraries log cannot be seen here: cli.Run drops it.
func checkServerLogs(tr *tree) []string {
	var out []string
	for f := range tr.code {
		if !strings.HasPrefix(f.dir, "internal/") {
			continue // what measures says what it sees
		}
		local := localNames(f)
		is := func(e ast.Expr, path string) (name string, ok bool) {
			s, ok := e.(*ast.SelectorExpr)
			if !ok {
				return "", false
			}
			x, ok := s.X.(*ast.Ident)
			return s.Sel.Name, ok && local[x.Name] == path
		}
		logged := map[ast.Expr]bool{} // the types of servers that have a log
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok && slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok {
					return false
				}
				key, ok := kv.Key.(*ast.Ident)
				return ok && key.Name == "ErrorLog"
			}) {
				logged[lit.Type] = true
			}
			if star, ok := n.(*ast.StarExpr); ok {
				logged[star.X] = true // a pointer to one that was made elsewhere
			}
			e, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if name, ok := is(e, "net/http"); ok && !logged[e] &&
				(name == "Server" || strings.HasPrefix(name, "ListenAndServe") || name == "Serve" || name == "ServeTLS") {
				out = append(out, tr.at(e.Pos(), "http.%s without ErrorLog writes to standard error what clients sent", name))
			}
			if name, ok := is(e, "log/slog"); ok &&
				!slices.Contains([]string{"New", "NewLogLogger", "SetDefault", "DiscardHandler", "LevelError", "Logger"}, name) {
				out = append(out, tr.at(e.Pos(), "slog.%s logs: return an error, or report it to the person", name))
			}
			return true
		})
	}
	return out
}

func checkReaches(tr *tree) []string {
	var out []string
	for f := range tr.code {
		local := localNames(f)
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok {
					return true
				}
				for _, r := range reaches() {
					if local[x.Name] == r.path && slices.Contains(r.names, n.Sel.Name) && !r.admits(short(f.dir)) {
						out = append(out, tr.at(n.Pos(), "%s.%s: %s", r.path, n.Sel.Name, r.why))
					}
				}
			case *ast.CallExpr:
				if fn, ok := n.Fun.(*ast.Ident); ok && (fn.Name == "print" || fn.Name == "println") {
					out = append(out, tr.at(n.Pos(), "%s writes to standard error: write to the io.Writer you were given", fn.Name))
				}
			}
			return true
		})
	}
	return out
}

func (r reach) admits(pkg string) bool {
	return slices.Contains(r.homes, pkg) || r.suites && isSuite(pkg) || isOutside(pkg)
}

// localNames maps the names by which f knows its imports to their paths.
func localNames(f *source) map[string]string {
	names := map[string]string{}
	for spec, imported := range f.imports {
		name := path.Base(strings.TrimSuffix(imported, "/v2"))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = imported
	}
	return names
}
