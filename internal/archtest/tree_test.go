//ken:slow

package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// modulePath is what import paths of this module begin with.
const modulePath = "ken"

// benchModule is the directory of the measurements: a module of its own, whose import
// paths begin with modulePath as well. Sources there are held to what sources here are.
const benchModule = "bench"

// browserModule is that of what leads a browser, for which neither ken nor benchModule requires anything.
const browserModule = benchModule + "/browser"

// A tree is the sources of a module, parsed.
type tree struct {
	fsys  fs.FS
	fset  *token.FileSet
	files []*source // in path order
	whole bool      // this repository, not what a test made up
}

// A source is one Go file.
type source struct {
	path  string // slash-separated, from the root of the module
	dir   string
	test  bool // a _test.go file
	lines int
	long  int // lines of more than maxColumns
	ast   *ast.File
}

// A gate is one rule about the tree.
type gate struct {
	name  string
	check func(*tree) []string
	// bad are trees that break the rule. Each must draw a complaint that holds
	// want.
	bad []badTree
	// good is a tree that is near to breaking the rule and does not.
	good map[string]string
}

type badTree struct {
	files map[string]string
	want  string
}

func gates() []gate {
	var all []gate
	for _, part := range [][]gate{
		floorGates(), importGates(), docGates(), pageGates(), nameGates(),
		varGates(), callGates(), voiceGates(), measureGates(), modGates(), paperGates(), rowGates(), processGates(), tourGates(), retiredGates(),
		shapeGates(), lineGates(), logGates(), markGates(),
	} {
		all = append(all, part...)
	}
	return all
}

//ken:unraced
func TestTree(t *testing.T) {
	t.Parallel()
	tr := loadRepository(t)
	for _, g := range gates() {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			for _, complaint := range g.check(tr) {
				t.Error(complaint)
			}
		})
	}
}

func TestEveryGateBites(t *testing.T) {
	t.Parallel()
	for _, g := range gates() {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			if len(g.bad) == 0 {
				t.Fatal("no source shows that this gate can fail")
			}
			for i, bad := range g.bad {
				got := g.check(loadFiles(t, bad.files))
				if !strings.Contains(strings.Join(got, "\n"), bad.want) {
					t.Errorf("bad tree %d: complaints %q, want one with %q", i+1, got, bad.want)
				}
			}
			if got := g.check(loadFiles(t, g.good)); len(got) > 0 {
				t.Errorf("good tree: complaints %q, want none", got)
			}
		})
	}
}

// loadRepository returns the repository that this test stands in, parsed once for all
// tests. Nobody writes to it.
func loadRepository(t *testing.T) *tree {
	t.Helper()
	tr, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

var repository = sync.OnceValues(func() (*tree, error) {
	const root = "../.."
	if _, err := os.Stat(root + "/go.mod"); err != nil {
		return nil, fmt.Errorf("the tree test must run in internal/archtest: %w", err)
	}
	tr, err := load(os.DirFS(root))
	if err == nil {
		tr.whole = true
	}
	return tr, err
})

func loadFiles(t *testing.T, files map[string]string) *tree {
	t.Helper()
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tr, err := load(m)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func load(fsys fs.FS) (*tree, error) {
	tr := &tree{fsys: fsys, fset: token.NewFileSet()}
	names, err := tr.glob(".go")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		parsed, err := parser.ParseFile(tr.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		tr.files = append(tr.files, &source{
			path:  name,
			dir:   path.Dir(name),
			test:  strings.HasSuffix(name, "_test.go"),
			lines: strings.Count(string(src), "\n"),
			long:  longLines(string(src)),
			ast:   parsed,
		})
	}
	return tr, nil
}

// glob returns the paths that end in suffix, in order. Left out are testdata,
// what is derived (bin), directories with a leading dot or underscore, and
// directories with a go.mod of their own, but for benchModule and browserModule.
func (tr *tree) glob(suffix string) ([]string, error) {
	var names []string
	err := fs.WalkDir(tr.fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return tr.skip(name, d.Name())
		}
		if strings.HasSuffix(name, suffix) && d.Type().IsRegular() {
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

func (tr *tree) skip(name, last string) error {
	if name == "." {
		return nil
	}
	if last == "testdata" || last == "bin" || last[0] == '.' || last[0] == '_' {
		return fs.SkipDir
	}
	if _, err := fs.Stat(tr.fsys, name+"/go.mod"); err == nil && name != benchModule && name != browserModule {
		return fs.SkipDir
	}
	return nil
}

// at formats a complaint about a place in the sources.
func (tr *tree) at(pos token.Pos, format string, args ...any) string {
	p := tr.fset.Position(pos)
	return fmt.Sprintf("%s:%d: ", p.Filename, p.Line) + fmt.Sprintf(format, args...)
}

// code yields the files that go into programs: no tests.
func (tr *tree) code(yield func(*source) bool) {
	for _, f := range tr.files {
		if !f.test && !yield(f) {
			return
		}
	}
}

// packages groups the files by directory, in path order.
func (tr *tree) packages() [][]*source {
	var out [][]*source
	index := map[string]int{}
	for _, f := range tr.files {
		i, ok := index[f.dir]
		if !ok {
			i = len(out)
			index[f.dir] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], f)
	}
	return out
}

// imports yields the import paths of f.
func (f *source) imports(yield func(*ast.ImportSpec, string) bool) {
	for _, spec := range f.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err == nil && !yield(spec, p) {
			return
		}
	}
}

// short is the name by which the floors know a directory: "memory/filelog" for
// internal/memory/filelog, "cmd/ken" as it is.
func short(dir string) string { return strings.TrimPrefix(dir, "internal/") }

// isSuite reports whether a package is made for tests: a fake, a fault layer or
// a conformance suite. Such packages are named after what they test: llmtest.
func isSuite(pkg string) bool { return strings.HasSuffix(pkg, "test") }
