package verbs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ken/internal/verbs"
)

// TestOneMeaning: at one face a word means one verb, and what is offered to be typed says what it does.
func TestOneMeaning(t *testing.T) {
	t.Parallel()
	for _, face := range []verbs.Face{verbs.Terminal, verbs.Editor, verbs.Page, verbs.Phone} {
		means := make(map[string]string)
		for _, v := range verbs.On(face) {
			for _, word := range append([]string{v.Name}, v.Aliases...) {
				if other, twice := means[word]; twice {
					t.Errorf("face %d: %q means %s and %s", face, word, other, v.Name)
				}
				means[word] = v.Name
			}
			if face == verbs.Editor && v.Does == "" || v.Wants != "" && v.Takes == "" {
				t.Errorf("%s: %+v", v.Name, v)
			}
		}
	}
}

// TestSlashed: what is offered somewhere is read there, as the beginning of what was typed, and nothing else is.
func TestSlashed(t *testing.T) {
	t.Parallel()
	for _, face := range []verbs.Face{verbs.Editor, verbs.Page} {
		for _, v := range verbs.All() {
			if strings.Contains(v.Name, " ") {
				continue
			}
			got, rest, ok := verbs.Slashed(face, "  /"+v.Name+"  tea at five ")
			if on := v.On&face != 0; ok != on || on && (got.Name != v.Name || rest != "tea at five") {
				t.Errorf("face %d: /%s: %q, %q, %v", face, v.Name, got.Name, rest, ok)
			}
			if _, _, ok := verbs.Slashed(face, "say /"+v.Name); ok {
				t.Errorf("face %d: say /%s is a command", face, v.Name)
			}
		}
	}
	for _, text := range []string{"", "/", "/nothing", "remember tea", "/remember\tx"} {
		if v, _, ok := verbs.Slashed(verbs.Page, text); ok {
			t.Errorf("%q is %s", text, v.Name)
		}
	}
}

// TestWrites: a script fails with what writes, by all the words of it.
func TestWrites(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"remember tea": true, "memory edit 1": true, "edit": false, "memory": false, "memory list": false, "review": true, "erase 1": true,
		"clear": true, "new": true, "why": false, "": false, "nothing": false, "lesson": true,
	} {
		if got := verbs.Writes(strings.Fields(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// TestOneTable: no face has a list of its own: two of the verbs that faces share stand nowhere side by side, be it in a case or in
// a literal.
func TestOneTable(t *testing.T) {
	t.Parallel()
	shared := []string{"quit", "exit", "clear"}
	for _, v := range verbs.All() {
		if v.On&^verbs.Terminal != 0 {
			shared = append(shared, v.Name)
		}
	}
	read := 0
	for _, dir := range []string{"acp", "agent/talk", "cli/chat", "repl", "telegram", "web/hall"} {
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range lists(t, path, src, shared) {
				t.Errorf("%s: a list of verbs of its own: it is to be a column of package verbs", found)
			}
			read++
		}
	}
	if read < 40 {
		t.Errorf("read %d files", read)
	}
	for _, src := range []string{ // the forms that it finds
		`package a; var verbs = []string{"remember", "forget"}`,
		`package a; func f(s string) bool { switch s { case "undo", "why": return true }; return false }`,
		`package a; type c struct { Name string }; var verbs = []c{{Name: "remember"}, {Name: "memory"}}`,
		`package a; var verbs = map[string]bool{"undo": true, "stop": true}`,
	} {
		if len(lists(t, "a.go", []byte(src), shared)) == 0 {
			t.Errorf("not found: %s", src)
		}
	}
}

// lists are the places in a file where two words or more stand side by side.
func lists(t *testing.T, path string, src []byte, words []string) (found []string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		var list []ast.Expr
		switch n := n.(type) {
		case *ast.CaseClause:
			list = n.List
		case *ast.CompositeLit:
			list = n.Elts
		}
		has := make(map[string]bool)
		for _, e := range list {
			for _, text := range literals(e) {
				if slices.Contains(words, text) {
					has[text] = true
				}
			}
		}
		if len(has) > 1 {
			found = append(found, set.Position(n.Pos()).String())
		}
		return true
	})
	return found
}

// literals are the words of an element: itself, its key, and those of its fields.
func literals(e ast.Expr) (list []string) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return []string{text}
		}
	case *ast.KeyValueExpr:
		return append(literals(e.Key), literals(e.Value)...)
	case *ast.CompositeLit:
		for _, one := range e.Elts {
			list = append(list, literals(one)...)
		}
	}
	return list
}
