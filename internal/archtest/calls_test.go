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
