package archtest

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

func modGates() []gate {
	const (
		mod   = "module ken\n\ngo 1.26.0\n\nrequire (\n\ta.org/x v1.0.0\n\tb.org/y v1.0.0 // indirect\n)\n"
		paper = "| module | why |\n|---|---|\n| `a.org/x` | it reads what nobody else reads |\n"
		use   = "package llm\nimport _ \"a.org/x/sub\"\n"
	)
	files := func(mod, paper, use string) map[string]string {
		return map[string]string{"go.mod": mod, "docs/dependencies.md": paper, "internal/llm/a.go": use}
	}
	return []gate{{
		name:  "dependencies",
		check: checkDependencies,
		bad: []badTree{
			{map[string]string{}, "go.mod"},
			{files(mod+"replace a.org/x => ../x\n", paper, use), "replace"},
			{files(mod, "", use), "a.org/x: no reason in docs/dependencies.md"},
			{files(mod, strings.Replace(paper, "it reads what nobody else reads", "good", 1), use), "a.org/x: no reason"},
			{files(mod, paper, "package llm\n"), "a.org/x: required and not imported"},
			{files(mod, paper, use+"import _ \"b.org/y\"\n"), "b.org/y: imported and marked // indirect"},
			{files(mod, paper, use+"import _ \"c.org/z\"\n"), "c.org/z: imported and not in go.mod"},
			{files(mod, paper+"| `d.org/old` | it was used once upon a time |\n", use), "names d.org/old, which is not used"},
			{map[string]string{
				"go.mod": mod, "docs/dependencies.md": paper, "internal/llm/a.go": use,
				"bench/go.mod": "module ken/bench\nrequire (\n\ta.org/x v1.0.0\n)\n",
			}, "bench/go.mod: want replace"},
			{map[string]string{
				"go.mod": mod, "docs/dependencies.md": paper, "internal/llm/a.go": use,
				"bench/go.mod": "module ken/bench\nrequire a.org/x v1.1.0\nreplace ken => ../\n",
			}, "bench/go.mod: a.org/x v1.1.0 is not what go.mod requires"},
			{map[string]string{
				"go.mod": mod, "docs/dependencies.md": paper, "internal/llm/a.go": "package llm\n", "bench/a.go": use,
				"bench/go.mod": "module ken/bench\nrequire a.org/x v1.0.0\nreplace ken => ../\n",
			}, "a.org/x: required and not imported"},
			{map[string]string{
				"go.mod": mod, "docs/dependencies.md": paper, "internal/llm/a.go": use,
				"bench/browser/go.mod": "module ken/bench/browser\nrequire (\n\tf.org/chrome v1.0.0\n\tken v0.0.0\n)\nreplace ken => ../../\n",
			}, "f.org/chrome: no reason"},
			{map[string]string{
				"go.mod": mod, "docs/dependencies.md": paper, "internal/llm/a.go": use,
				"bench/browser/go.mod": "module ken/bench/browser\nrequire ken v0.0.0\n",
			}, "bench/browser/go.mod: want replace"},
			{map[string]string{
				"go.mod": mod, "docs/dependencies.md": paper, "internal/llm/a.go": use,
				"tools/go.mod": "module ken/tools\ntool (\n\te.org/cmd/lint\n)\n",
			}, "e.org/cmd/lint: no reason"},
		},
		good: map[string]string{
			"go.mod": mod, "internal/llm/a.go": use,
			"docs/dependencies.md": paper + "| `e.org/cmd/lint` | looks for mistakes of many kinds |\n",
			"tools/go.mod":         "module ken/tools\ntool e.org/cmd/lint\nrequire e.org v1.0.0 // indirect\n",
			"bench/go.mod":         "module ken/bench\nrequire (\n\ta.org/x v1.0.0\n\tken v0.0.0\n)\nreplace ken => ../\n",
			"bench/a.go":           "package main\nimport _ \"a.org/x\"\n",
		},
	}}
}

func checkDependencies(tr *tree) []string {
	mod, err := fs.ReadFile(tr.fsys, "go.mod")
	if err != nil {
		return []string{err.Error()}
	}
	direct, indirect, out := requirements(string(mod))
	benchMod, err := fs.ReadFile(tr.fsys, benchModule+"/go.mod")
	inBench := err == nil
	if inBench {
		out = append(out, checkBenchModule(string(mod), string(benchMod))...)
	}
	used := map[string]bool{}
	for _, f := range tr.files {
		if inBench && (f.dir == benchModule || strings.HasPrefix(f.dir, benchModule+"/")) {
			continue // its own go.mod answers for it
		}
		for spec, imported := range f.imports {
			first, _, _ := strings.Cut(imported, "/")
			if !strings.Contains(first, ".") {
				continue // the standard library, or ours
			}
			if m := moduleOf(imported, direct); m != "" {
				used[m] = true
			} else if m := moduleOf(imported, indirect); m != "" {
				out = append(out, tr.at(spec.Pos(), "%s: imported and marked // indirect in go.mod", m))
			} else {
				out = append(out, tr.at(spec.Pos(), "%s: imported and not in go.mod", imported))
			}
		}
	}
	for _, m := range direct {
		if !used[m] {
			out = append(out, fmt.Sprintf("go.mod: %s: required and not imported", m))
		}
	}
	more, faults := tr.browser(direct)
	out = append(out, faults...)
	return append(out, tr.checkReasons(slices.Concat(direct, tr.tools(), more))...)
}

// browser returns what the module that leads a browser requires beyond what ken does. It is of this tree, and beside the rest.
func (tr *tree) browser(direct []string) (more, faults []string) {
	const at = browserModule + "/go.mod"
	mod, err := fs.ReadFile(tr.fsys, at)
	if err != nil {
		return nil, nil
	}
	if !regexp.MustCompile(`(?m)^replace ken => \.\./\.\./?$`).Match(mod) {
		faults = append(faults, at+": want replace ken => ../../")
	}
	own, _, _ := requirements(string(mod))
	for _, m := range own {
		if m != "ken" && !slices.Contains(direct, m) {
			more = append(more, m)
		}
	}
	return more, faults
}

// checkBenchModule wants of the module of measurements that it is of this tree, and
// requires nothing that this module does not: what is measured is what is shipped.
func checkBenchModule(mod, bench string) []string {
	var out []string
	if !regexp.MustCompile(`(?m)^replace ken => \.\./?$`).MatchString(bench) {
		out = append(out, benchModule+"/go.mod: want replace ken => ../")
	}
	required := regexp.MustCompile(`(?m)^(?:require )?\s*(\S+\.\S+/\S+ v\S+)`)
	for _, m := range required.FindAllStringSubmatch(bench, -1) {
		if !strings.Contains(mod, m[1]) {
			out = append(out, fmt.Sprintf("%s/go.mod: %s is not what go.mod requires", benchModule, m[1]))
		}
	}
	return out
}

// requirements reads the require and replace directives of a go.mod file.
func requirements(mod string) (direct, indirect, complaints []string) {
	block := ""
	for line := range strings.Lines(mod) {
		line = strings.TrimSpace(line)
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(line, "//"):
			continue
		case line == ")":
			block = ""
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case block != "":
			words = append([]string{block}, words...)
		}
		switch {
		case words[0] == "replace":
			complaints = append(complaints, "go.mod: a replace directive is not seen by go install: "+line)
		case words[0] == "require" && strings.HasSuffix(line, "// indirect"):
			indirect = append(indirect, words[1])
		case words[0] == "require":
			direct = append(direct, words[1])
		}
	}
	return direct, indirect, complaints
}

// moduleOf returns the longest of the modules that holds package imported.
func moduleOf(imported string, modules []string) string {
	found := ""
	for _, m := range modules {
		if (imported == m || strings.HasPrefix(imported, m+"/")) && len(m) > len(found) {
			found = m
		}
	}
	return found
}

// tools returns the tool directives of tools/go.mod, where the programs that
// only developers run are pinned.
func (tr *tree) tools() []string {
	mod, err := fs.ReadFile(tr.fsys, "tools/go.mod")
	if err != nil {
		return nil
	}
	var out []string
	inBlock := false
	for line := range strings.Lines(string(mod)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == ")":
			inBlock = false
		case words[0] == "tool" && words[1] == "(":
			inBlock = true
		case words[0] == "tool":
			out = append(out, words[1])
		case inBlock:
			out = append(out, words[0])
		}
	}
	return out
}

// checkReasons compares the modules and tools in use with the tables of
// docs/dependencies.md: each has a row with a reason of a few words, and no row
// has outlived its use.
func (tr *tree) checkReasons(used []string) []string {
	var out []string
	paper, err := fs.ReadFile(tr.fsys, "docs/dependencies.md")
	if err != nil {
		out = append(out, err.Error())
	}
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\|(.*)\\|$")
	reasons := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(string(paper), -1) {
		reasons[m[1]] = m[2]
	}
	for _, m := range used {
		if len(strings.Fields(reasons[m])) < 4 {
			out = append(out, m+": no reason in docs/dependencies.md")
		}
	}
	for _, m := range slices.Sorted(maps.Keys(reasons)) {
		if !slices.Contains(used, m) {
			out = append(out, fmt.Sprintf("docs/dependencies.md names %s, which is not used", m))
		}
	}
	return out
}
