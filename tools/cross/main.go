// Command cross checks that the packages of the module in the current directory, and their
// tests, compile for other systems, with what go vet looks for. It does so from source,
// down to the standard library: go vet would compile, for each system, everything that
// they import, only to throw it away.
//
// usage: cross GOOS...
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
)

func main() {
	found := 0
	for _, system := range os.Args[1:] {
		list, err := check(".", system)
		if err != nil {
			fmt.Fprintf(os.Stderr, "cross: %s: %v\n", system, err)
			os.Exit(2)
		}
		for _, line := range list {
			fmt.Fprintf(os.Stderr, "%s: %s\n", system, line)
		}
		found += len(list)
	}
	if found > 0 {
		os.Exit(1)
	}
}

// check returns what is wrong with the module of a directory on a system, each once: a
// package and its tests are seen twice.
func check(dir, system string) (found []string, err error) {
	roots, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax | packages.NeedModule | packages.NeedEmbedFiles, Tests: true, Dir: dir,
		Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
	}, "./...")
	if err != nil {
		return nil, err
	}
	if len(roots) == 0 {
		return nil, fmt.Errorf("no packages")
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			found = append(found, e.Error())
		}
	})
	if len(found) == 0 {
		found, err = look(roots)
	}
	slices.Sort(found)
	return slices.Compact(found), err
}

// look returns what go vet would say of packages that compile.
func look(roots []*packages.Package) (found []string, err error) {
	suite, err := looks()
	if err != nil {
		return nil, err
	}
	graph, err := checker.Analyze(suite, roots, nil)
	if err != nil {
		return nil, err
	}
	for act := range graph.All() {
		if act.Err != nil {
			err = cmp.Or(err, fmt.Errorf("%s: %w", act, act.Err))
		}
		for _, d := range act.Diagnostics {
			if act.IsRoot {
				found = append(found, fmt.Sprintf("%s: %s", act.Package.Fset.Position(d.Pos), d.Message))
			}
		}
	}
	return found, err
}

// looks is what the go vet of this Go looks for: the library may be of a later one.
func looks() ([]*analysis.Analyzer, error) {
	text, err := exec.Command("go", "tool", "vet", "-flags").Output()
	if err != nil {
		return nil, fmt.Errorf("go tool vet -flags: %w", err)
	}
	var flags []struct{ Name string }
	if err := json.Unmarshal(text, &flags); err != nil {
		return nil, fmt.Errorf("go tool vet -flags: %w", err)
	}
	var suite []*analysis.Analyzer
	for _, a := range vet.Suite {
		if slices.ContainsFunc(flags, func(f struct{ Name string }) bool { return f.Name == a.Name }) {
			suite = append(suite, a)
		}
	}
	if len(suite) < 30 {
		return nil, fmt.Errorf("go vet and the library have only %d analyzers in common", len(suite))
	}
	return suite, nil
}
