package help

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestOlderNamesUnsaid: no text of ken's sends people to an older name, but for the page of that name itself.
func TestOlderNamesUnsaid(t *testing.T) {
	t.Parallel()
	var older, paged []string
	for _, o := range Names() {
		older = append(older, o.Name)
		if o.Flag != "" {
			paged = append(paged, o.Name)
		}
	}
	path := `(?:` + strings.Join(older, "|") + `)(?:[ "')]|$)`
	u := unsaid{said: regexp.MustCompile(`(?:\bken |(?:^|[ (]):)` + path), named: regexp.MustCompile("^" + path), paged: paged}
	for text, want := range map[string]bool{
		"try: ken erase 3": true, "see :check": true, "ken check": true, "ken memory scan --mask": true,
		"ken checks nothing": false, "ken memory tidy scan": false, "ken doctor --files": false, "to check: x": false,
	} {
		if u.said.MatchString(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
	files := 0
	err := filepath.WalkDir(filepath.Join("..", "..", ".."), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"bench", "bin", "docs", ".git", "testdata"}, d.Name()):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		for _, lit := range u.find(file) {
			t.Errorf("%s: %s: an older name; %s has the newer ones", set.Position(lit.Pos()), lit.Value, "older.go")
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("%d files, %v", files, err)
	}
}

// unsaid finds texts that name an older command: in a sentence, or where one is made of a path.
type unsaid struct {
	said, named *regexp.Regexp
	paged       []string // those that have a page of their own
}

func (u unsaid) find(file *ast.File) (found []*ast.BasicLit) {
	own := make(map[ast.Node]bool) // pages of older names: what is below is theirs
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if u.isOlder(n) {
				for _, e := range n.Elts {
					if key := name(e); key == "Example" || key == "Long" {
						own[e] = true
					}
				}
			}
		case *ast.CallExpr:
			if key := name(n.Fun); (key == "Command" || key == "Verb" || key == "verb" || key == "Fix") && len(n.Args) == 1 {
				if lit := begins(n.Args[0]); lit != nil && u.named.MatchString(value(lit)) {
					found = append(found, lit)
				}
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && u.said.MatchString(value(n)) {
				found = append(found, n)
			}
		}
		return !own[n]
	})
	return found
}

// isOlder reports whether lit is a command of an older name.
func (u unsaid) isOlder(lit *ast.CompositeLit) bool {
	return slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok || name(e) != "Use" {
			return false
		}
		use := begins(pair.Value)
		return use != nil && slices.Contains(u.paged, strings.Fields(value(use) + " ")[0])
	})
}

// name is what a field, a function or a method is called.
func name(n ast.Node) string {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		return name(n.Key)
	case *ast.SelectorExpr:
		return n.Sel.Name
	case *ast.Ident:
		return n.Name
	}
	return ""
}

// begins is the literal that a text begins with; nil where it begins with another thing.
func begins(e ast.Expr) *ast.BasicLit {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e
	case *ast.BinaryExpr:
		return begins(e.X)
	}
	return nil
}

func value(lit *ast.BasicLit) string {
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return text
}
