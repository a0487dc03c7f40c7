package jsonc

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const server = `{"command": "/home/u/bin/ken", "args": ["mcp"]}`

func TestSet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want string }{
		{"empty object", "{}\n", "{\n" +
			"  \"s\": {\n    \"ken\": {\n      \"command\": \"/home/u/bin/ken\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"},
		{"one line", `{"x":1}`, `{"x":1, "s": { "ken": {"command": "/home/u/bin/ken", "args": ["mcp"]} }}`},
		{"empty servers", "{\n  \"s\": {}\n}\n", "{\n  \"s\": {\"ken\": {\"command\": \"/home/u/bin/ken\", \"args\": [\"mcp\"]}}\n}\n"},
		{
			"behind the comment of a line", "{\n\t\"s\": {\n\t\t\"a\": 1 // one\n\t}\n}\n",
			"{\n\t\"s\": {\n\t\t\"a\": 1, // one\n" +
				"\t\t\"ken\": {\n\t\t\t\"command\": \"/home/u/bin/ken\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}\n",
		},
		{
			"windows, mark, trailing comma", "\ufeff{\r\n  \"s\": {\r\n    \"a\": 1, /* c */\r\n  },\r\n}",
			"\ufeff{\r\n  \"s\": {\r\n    \"a\": 1, /* c */\r\n" +
				"    \"ken\": {\r\n      \"command\": \"/home/u/bin/ken\",\r\n      \"args\": [\"mcp\"]\r\n    },\r\n  },\r\n}",
		},
		{
			"only a comment", "{\n  // nothing yet\n}\n",
			"{\n  // nothing yet\n  \"s\": {\n    \"ken\": {\n      \"command\": \"/home/u/bin/ken\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n",
		},
		{
			"another value",
			"{\n  \"s\": {\n    // kept\n    \"ken\": {\"command\": \"old\", /* goes */ \"x\": 1}, // tail\n    \"b\": {}\n  }\n}\n",
			"{\n  \"s\": {\n    // kept\n" +
				"    \"ken\": {\n      \"command\": \"/home/u/bin/ken\",\n      \"args\": [\"mcp\"]\n    }, // tail\n    \"b\": {}\n  }\n}\n",
		},
		{
			"the same in another form", "{\"s\": {\"ken\": {\"args\":[\"mcp\"],\"command\":\"/home/u/bin/\\u006ben\",}}}",
			"{\"s\": {\"ken\": {\"args\":[\"mcp\"],\"command\":\"/home/u/bin/\\u006ben\",}}}",
		},
		{"twice", `{"s": {"ken": 1, "ken": 2}}`, `{"s": {"ken": 1, "ken": {"command": "/home/u/bin/ken", "args": ["mcp"]}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Set([]byte(tt.src), server, "s", "ken")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"[]": "no object", `{"s": []}`: "s: no object", `{"s": null}`: "s: no object",
		"{\n a: 1}": "line 2, column 2", "{\n # x\n}": "line 2, column 2",
		`{"s": 1`: "line 1", strings.Repeat("[", 2_000_000): "nested too deeply", "{} {}": "line 1, column 4",
	} {
		_, err := Set([]byte(src), server, "s", "ken")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Set(%.40q): %v; want %q", src, err, want)
		}
	}
}

func TestUnset(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want string }{
		{"first of a line", `{"s": {"ken": {}, "b": 1}}`, `{"s": {"b": 1}}`},
		{"middle of a line", `{"s": {"a": 1, "ken": {}, "b": 1}}`, `{"s": {"a": 1, "b": 1}}`},
		{"last of a line", `{"s": {"a": 1, "ken": {}}}`, `{"s": {"a": 1}}`},
		{"first line", "{\"s\": {\n  \"ken\": {}, // mine\n  \"b\": 1\n}}", "{\"s\": { // mine\n  \"b\": 1\n}}"},
		{"behind a comment", "{\"s\": {\n  // about ken\n  \"ken\": {}, \"b\": 1\n}}", "{\"s\": {\n  // about ken\n \"b\": 1\n}}"},
		{"twice", "{\"s\": {\"ken\": 1, \"b\": 1, \"ken\": {}}}", `{"s": {"b": 1}}`},
		{"the parents", "{\n  \"a\": 1,\n  \"s\": {\n    \"ken\": {}\n  }\n}\n", "{\n  \"a\": 1\n}\n"},
		{"not a parent with a comment", "{\n  \"s\": {\n    // keep\n    \"ken\": {}\n  }\n}\n", "{\n  \"s\": {\n    // keep\n  }\n}\n"},
		{"all", "{\n  \"s\": {\n    \"ken\": {}\n  }\n}\n", "{}\n"},
		{"one of two parents", "{\"s\": {\"a\": 1}, \"s\": { \"ken\": 1 }}", "{\"s\": {\"a\": 1}, \"s\": {  }}"},
		{"not there", "{\"s\": []}", "{\"s\": []}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, was, err := Unset([]byte(tt.src), "s", "ken")
			if err != nil || was != (tt.src != tt.want) {
				t.Fatal(was, err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	strict, comments, loose := Reader{}, Reader{Comments: true}, Reader{Comments: true, TrailingCommas: true}
	for _, tt := range []struct {
		src  string
		r    Reader
		want string
	}{
		{"", strict, ""},
		{"\ufeff{}", strict, ""},
		{`{"a": "// no /* comment", "b": [1, 2]}`, strict, ""},
		{"{\n  // c\n  \"a\": 1\n}", strict, "line 2, column 3: a comment"},
		{"{\n  \"a\": 1 // c\n}", strict, "line 2, column 10: a comment"},
		{"{\n  \"a\": 1,\n}", strict, "line 2, column 9: a comma"},
		{"{\n  \"a\": 1,\n}", comments, "line 2, column 9: a comma"},
		{"{\n  \"a\": [1,]\n}", comments, "line 2, column 10: a comma"},
		{"{\n  \"a\": [1, /* c */ ]\n}", Reader{TrailingCommas: true}, "line 2, column 12: a comment"},
		{"{ /* c */ }", strict, "line 1, column 3: a comment"},
		{"{}\n// end", strict, "line 2, column 1: a comment"},
		{"{ /* c */ \"a\": 1,\n}", loose, ""},
		{"{\n\"a\" 1}", loose, "line 2, column 5:"},
	} {
		err := Check([]byte(tt.src), tt.r)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("Check(%q, %+v) = %v; want %q", tt.src, tt.r, err, tt.want)
		}
		if fault := (*Fault)(nil); err != nil && !errors.As(err, &fault) {
			t.Errorf("Check(%q): %T", tt.src, err)
		}
	}
}

// documents draws texts of objects with comments and commas, most of them in lines.
func documents() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		nl := rapid.SampledFrom([]string{"\n", "\n", "\r\n", " "}).Draw(t, "nl")
		unit := rapid.SampledFrom([]string{"  ", "\t", ""}).Draw(t, "unit")
		said := []string{"", "", "", " ", " /* b */", "  \n", "\t/* a\n b */ "}
		if nl != " " {
			said = append(said, " // c", "// d ")
		}
		extra := func() string {
			s := rapid.SampledFrom(said).Draw(t, "extra")
			if strings.Contains(s, "//") {
				s += nl
			}
			return s
		}
		list := func(in string) string {
			b := "[" + extra()
			n := rapid.IntRange(0, 3).Draw(t, "elements")
			for i := range n {
				if rapid.Bool().Draw(t, "line") {
					b += nl + in + unit
				}
				b += rapid.SampledFrom([]string{"1", `"x, ]"`, "{ }", "[1]", recall, `"rec\u0061ll"`}).Draw(t, "element")
				if i < n-1 || rapid.IntRange(0, 3).Draw(t, "comma") == 0 {
					b += extra() + ","
				}
				b += extra()
			}
			return b + rapid.SampledFrom([]string{nl + in, " ", ""}).Draw(t, "close") + "]"
		}
		var object func(depth int, in string) string
		object = func(depth int, in string) string {
			b := "{" + extra()
			n := rapid.IntRange(0, 3).Draw(t, "members")
			for i := range n {
				value := rapid.SampledFrom([]string{"1", `"x // y"`, "[1, 2]", "{}", "{ }", "{\n}"}).Draw(t, "value")
				if depth > 0 && rapid.Bool().Draw(t, "deeper") {
					value = object(depth-1, in+unit)
				} else if rapid.Bool().Draw(t, "list") {
					value = list(in + unit)
				}
				b += nl + in + unit + `"` + rapid.SampledFrom([]string{"a", "b", "s", "s", "ken"}).Draw(t, "key") + `":` + extra() + value
				if i < n-1 || rapid.IntRange(0, 3).Draw(t, "comma") == 0 {
					b += extra() + ","
				}
				b += extra()
			}
			return b + rapid.SampledFrom([]string{nl + in, nl + in, ""}).Draw(t, "close") + "}"
		}
		return rapid.SampledFrom([]string{"", "", mark}).Draw(t, "mark") + extra() + object(2, "") + extra() +
			rapid.SampledFrom([]string{"", nl}).Draw(t, "end")
	})
}

// TestLaws sets and unsets a key of random documents.
func TestLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { checkLaws(t, documents().Draw(t, "src")) })
}

type failer interface {
	Fatalf(format string, args ...any)
	Helper()
}

func checkLaws(t failer, src string) {
	t.Helper()
	before, err := Decode([]byte(src))
	if err != nil {
		return
	}
	_, had, _ := Get([]byte(src), "s", "ken")
	out, err := Set([]byte(src), server, "s", "ken")
	if errors.Is(err, ErrShape) {
		return
	}
	if err != nil {
		t.Fatalf("set: %v\n%s", err, src)
	}
	want := put(before)
	if got, err := Decode(out); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("set changed the meaning: %v\n%q\n->\n%q", err, src, out)
	}
	if again, err := Set(out, server, "s", "ken"); err != nil || !bytes.Equal(again, out) {
		t.Fatalf("set again: %v\n%q\n->\n%q", err, out, again)
	}
	back, was, err := Unset(out, "s", "ken")
	if err != nil || !was {
		t.Fatalf("unset: %v, %v\n%q", was, err, out)
	}
	if _, still, err := Get(back, "s", "ken"); still || err != nil {
		t.Fatalf("unset left it: %v\n%q\n->\n%q", err, out, back)
	}
	if strings.Trim(strings.TrimPrefix(src, mark), spaces) != "" && !had && string(back) != src {
		t.Fatalf("unset did not take it back:\n%q\n->\n%q\n->\n%q", src, out, back)
	}
	if !had {
		return
	}
	back, _, err = Unset([]byte(src), "s", "ken")
	if err != nil {
		t.Fatalf("unset: %v\n%q", err, src)
	}
	if got, err := Decode(back); err != nil || !reflect.DeepEqual(without(got), without(before)) {
		t.Fatalf("unset changed the meaning: %v\n%q\n->\n%q", err, src, back)
	}
	for line := range strings.Lines(src) {
		if _, said, ok := strings.Cut(line, "// c"); ok && said == "" && !bytes.Contains(back, []byte("// c")) {
			t.Fatalf("a comment is gone:\n%q\n->\n%q", src, back)
		}
	}
}

// put is what Set does to the meaning of a text, of which it leaves the original alone.
func put(v any) any {
	root, _ := v.(map[string]any)
	now := map[string]any{}
	for k, v := range root {
		now[k] = v
	}
	below := map[string]any{}
	if s, ok := root["s"].(map[string]any); ok {
		for k, v := range s {
			below[k] = v
		}
	}
	below["ken"] = map[string]any{"command": "/home/u/bin/ken", "args": []any{"mcp"}}
	now["s"] = below
	return now
}

// without is the meaning without the key, and without what held nothing else.
func without(v any) any {
	root, _ := put(v).(map[string]any)
	below, _ := root["s"].(map[string]any)
	delete(below, "ken")
	if len(below) == 0 {
		delete(root, "s")
	}
	return root
}

func FuzzSet(f *testing.F) {
	for _, src := range []string{
		"", "{}", "{ }", "{\n}", `{"s":{}}`, "{\"s\":{\"a\":1 // c\r\n}}",
		"{\"s\":{\"ken\":1,/*c*/}}", "\ufeff{\"s\": { /* a */ },}",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) { checkLaws(t, src) })
}
