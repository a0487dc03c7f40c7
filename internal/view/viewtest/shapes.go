package viewtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// Update is the variable of the environment that, if it is set, has Shapes write the
// golden file anew.
const Update = "KEN_UPDATE"

// Shapes compares zero values of the shapes of the package under test with
// testdata/shapes.golden, and wants every exported struct of the package that has a JSON
// tag among them. Those of room types that an interface field may hold are the caller's.
func Shapes(t *testing.T, zero ...any) {
	t.Helper()
	var got bytes.Buffer
	var listed []string
	for _, v := range zero {
		typ := reflect.TypeOf(v)
		listed = append(listed, typ.Name())
		full := reflect.New(typ).Elem()
		fill(full, 0)
		fmt.Fprintf(&got, "== %s\n%s\n-- empty\n%s\n", typ.Name(), marshal(t, full.Interface()), marshal(t, v))
	}
	for _, name := range tagged(t) {
		if !slices.Contains(listed, name) {
			t.Errorf("%s is a shape, and no value of it is held to the golden file", name)
		}
	}
	path := filepath.Join("testdata", "shapes.golden")
	if os.Getenv(Update) != "" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		is, was := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
		for i := range max(len(is), len(was)) {
			if line(is, i) != line(was, i) {
				t.Fatalf("%s:%d: %q, now %q (%s=1 writes it anew)", path, i+1, line(was, i), line(is, i), Update)
			}
		}
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no line)"
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatalf("%T: %v", v, err)
	}
	return b
}

// deepest is how far into a value of its own kind fill goes.
const deepest = 6

// fill puts something into every field of v, the same each time.
func fill(v reflect.Value, depth int) {
	if depth > deepest || !v.CanSet() {
		return
	}
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Date(2026, 5, 10, 19, 0, 1, 0, time.UTC)))
		return
	case json.RawMessage:
		v.Set(reflect.ValueOf(json.RawMessage(`{"raw":1}`)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(7)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth+1)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, depth+1)
		fill(value, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf("any"))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), depth+1)
		}
	}
}

// tagged are the names of the exported structs of the package under test with a JSON tag.
func tagged(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok && slices.ContainsFunc(s.Fields.List, hasTag) {
				names = append(names, spec.Name.Name)
			}
			return true
		})
	}
	return names
}

func hasTag(f *ast.Field) bool { return f.Tag != nil && strings.Contains(f.Tag.Value, `json:"`) }
