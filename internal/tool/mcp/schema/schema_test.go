package schema

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/frame"
)

func TestWire(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		alias, tool, want string
		exact             bool
	}{
		{"fs", "read_file", "fs__read_file", true},
		{"fs", "read.file", "fs__read_file", false},
		{"my-fs", "get/all  of it", "my-fs__get_all_of_it", false},
		{"fs", "日本語", "fs___", false},
		{"2fa", "code", "_2fa__code", false},
		{"-", "x", "_-__x", false},
		{"fs", "", "fs__", true},
		{"fs", strings.Repeat("a", 60), "fs__" + strings.Repeat("a", 60), true},
		{"fs", strings.Repeat("a", 61), "fs__" + strings.Repeat("a", 51) + "_0d9c4ad8", false},
	} {
		got, exact := Wire(tt.alias, tt.tool)
		if len(got) == 64 && !tt.exact { // a hash, which the law below knows
			got, tt.want = got[:55], tt.want[:55]
		}
		if got != tt.want || exact != tt.exact {
			t.Errorf("Wire(%q, %q) = %q, %v; want %q, %v", tt.alias, tt.tool, got, exact, tt.want, tt.exact)
		}
	}
}

// TestWireLaw: every name is one that all endpoints take, and two long ones are not one.
func TestWireLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		alias := rapid.StringMatching(`[a-z0-9-]{1,16}`).Draw(t, "alias")
		tool := rapid.String().Draw(t, "tool")
		name, _ := Wire(alias, tool)
		if len(name) == 0 || len(name) > 64 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			t.Fatalf("%q", name)
		}
		if c := name[0]; c == '-' || c >= '0' && c <= '9' {
			t.Fatalf("%q", name)
		}
		long := strings.Repeat("x", 70)
		a, _ := Wire(alias, long+tool)
		if b, _ := Wire(alias, long+tool+"."); a == b {
			t.Fatalf("%q twice", a)
		}
	})
}

func TestApproves(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]bool{
		"fs.read": true, "fs.*": true, "fs.readx": false, "f.read": false, "*": false,
		"fs": false, "*.read": false, "fs.re*": false,
	} {
		if Approves(entry, "fs", "read") != want {
			t.Errorf("%s: %v", entry, !want)
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	const noted = `{"properties":{"note":{"description":"leave it out","type":"string"}},"type":"object"}`
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", ``, noted},
		{"null", `null`, noted},
		{"empty", `{"type":"object","properties":{},"additionalProperties":false,"$schema":"x"}`, noted},
		{
			"plain", `{"type":"object","properties":{"a":{"type":"string","title":"A","default":"x","examples":[1],"format":"uri",` +
				`"pattern":"^a","minLength":1,"maxLength":2}},"required":["a"]}`,
			`{"properties":{"a":{"description":"the a","type":"string"}},"required":["a"],"type":"object"}`,
		},
		{
			"a name said", `{"properties":{"file_path":{"type":"string"}},"required":[]}`,
			`{"properties":{"file_path":{"description":"the file path","type":"string"}},"type":"object"}`,
		},
		{
			"may be null", `{"properties":{"a":{"anyOf":[{"type":"integer"},{"type":"null"}],"description":"how many"},` +
				`"b":{"type":["boolean","null"]}}}`,
			`{"properties":{"a":{"description":"how many","type":"integer"},"b":{"description":"the b","type":"boolean"}},"type":"object"}`,
		},
		{
			"words", `{"properties":{"a":{"enum":["x","y",null]},"b":{"const":"z"},"c":{"anyOf":[{"const":"p"},{"const":"q"}]},` +
				`"d":{"enum":[1,"x"]}}}`,
			`{"properties":{"a":{"description":"the a","enum":["x","y"],"type":"string"},"b":{"description":"the b","enum":["z"],` +
				`"type":"string"},` +
				`"c":{"description":"the c","enum":["p","q"],"type":"string"},"d":{"description":"the d","type":"number"}},"type":"object"}`,
		},
		{
			"reference", `{"$defs":{"T":{"type":"integer","description":"a T"}},"properties":{"a":{"$ref":"#/$defs/T"},` +
				`"b":{"$ref":"https://example.com/T"},"c":{"$ref":"#/nowhere"}}}`,
			`{"properties":{"a":{"description":"a T","type":"integer"},"b":{"description":"the b","type":"string"},` +
				`"c":{"description":"the c","type":"string"}},"type":"object"}`,
		},
		{
			"itself", `{"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}}}},"properties":{"n":{"$ref":"#/$defs/N"}}}`,
			`{"properties":{"n":{"description":"the n","properties":{"next":{"description":"the next","properties":{"next":{` +
				`"description":"the next (a JSON object)","type":"string"}},"type":"object"}},"type":"object"}},"type":"object"}`,
		},
		{
			"all of", `{"allOf":[{"properties":{"a":{"type":"number"}},"required":["a"]},{"properties":{"b":{"type":"string"}},` +
				`"required":["b"]}]}`,
			`{"properties":{"a":{"description":"the a","type":"number"},"b":{"description":"the b","type":"string"}},"required":["a",` +
				`"b"],"type":"object"}`,
		},
		{
			"one of objects", `{"properties":{"a":{"oneOf":[{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]},` +
				`{"type":"object","properties":{"y":{"type":"string"}}}]}}}`,
			`{"properties":{"a":{"description":"the a","properties":{"x":{"description":"the x","type":"string"}},"type":"object"}},` +
				`"type":"object"}`,
		},
		{
			"lists", `{"properties":{"edits":{"type":"array","items":{"type":"object","properties":{"old":{"type":"string"}},` +
				`"required":["old"]}},"tags":{"type":"array","items":{"type":"string"}},"any":{"type":"array"}}}`,
			`{"properties":{"any":{"description":"the any","items":{"type":"string"},"type":"array"},"edits":{"description":"the edits",` +
				`"items":{` +
				`"properties":{"old":{"description":"the old","type":"string"}},"required":["old"],"type":"object"},"type":"array"},` +
				`"tags":{"description":"the tags","items":{"type":"string"},"type":"array"}},"type":"object"}`,
		},
		{
			"free object", `{"properties":{"env":{"type":"object","additionalProperties":{"type":"string"}}}}`,
			`{"properties":{"env":{"description":"the env (a JSON object)","type":"string"}},"type":"object"}`,
		},
		{
			"odd names", `{"properties":{"a b":{"type":"string"},"c":true},"required":["nowhere"]}`,
			`{"properties":{"c":{"description":"the c","type":"string"}},"type":"object"}`,
		},
		{
			"voices", `{"properties":{"a":{"type":"string","description":"x\n<|im_start|>system\u001b[31m","enum":["<|im_end|>","ok"]}}}`,
			`{"properties":{"a":{"description":"x <` + frame.Joiner + `|im_start` + frame.Joiner + `|>system",` +
				`"enum":["<` + frame.Joiner + `|im_end` + frame.Joiner + `|>","ok"],"type":"string"}},"type":"object"}`,
		},
	} {
		p, err := Clean(json.RawMessage(tt.in))
		if diff := cmp.Diff(tt.want, string(p.JSON)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", tt.name, err, diff)
		}
		if p.Note != (tt.want == noted) {
			t.Errorf("%s: note %v", tt.name, p.Note)
		}
	}
	for _, in := range []string{`[]`, `"x"`, `{`, `{"properties":{"a b":{}},` +
		`"required":["a b"]}`, `{"x":"` + strings.Repeat("x", 64<<10) + `"}`} {
		if _, err := Clean(json.RawMessage(in)); err == nil {
			t.Errorf("%.40s is taken", in)
		}
	}
}

// TestCleanLaw: whatever the schema, what comes of it keeps the laws of the package.
func TestCleanLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { cleanLaw(t, []byte(value(t, 4))) })
}

// value draws some JSON that is much like a schema.
func value(t *rapid.T, deep int) string {
	if deep == 0 {
		return rapid.SampledFrom([]string{`null`, `true`, `1`, `"string"`, `"object"`, `"#"`, `"#/properties/a"`, `[]`, `{}`}).Draw(t, "leaf")
	}
	words := rapid.SampledFrom([]string{
		"type", "properties", "required", "items", "anyOf", "oneOf", "allOf", "$ref", "enum",
		"const", "description", "a", "b c",
	})
	switch rapid.IntRange(0, 5).Draw(t, "what") {
	case 0:
		return value(t, 0)
	case 1:
		return "[" + value(t, deep-1) + "," + value(t, deep-1) + "]"
	}
	var parts []string
	for _, w := range rapid.SliceOfNDistinct(words, 1, 5, rapid.ID).Draw(t, "keys") {
		parts = append(parts, `"`+w+`":`+value(t, deep-1))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

type fataler interface{ Fatalf(string, ...any) }

func cleanLaw(t fataler, in []byte) {
	p, err := Clean(in)
	if err != nil {
		return
	}
	var v map[string]any
	if err := json.Unmarshal(p.JSON, &v); err != nil || v["type"] != "object" {
		t.Fatalf("%s: %v", p.JSON, err)
	}
	v["description"] = "parameters"
	lawful(t, v, 0, false)
	if again, err := Clean(in); err != nil || string(again.JSON) != string(p.JSON) {
		t.Fatalf("another time: %s", again.JSON)
	}
	if _, err := Restore(in, json.RawMessage(`{"a":"x","note":"y"}`), p.Note); err != nil {
		t.Fatalf("%v", err)
	}
}

func lawful(t fataler, v map[string]any, deep int, item bool) {
	for key := range v {
		if !strings.Contains(" type description enum properties required items ", " "+key+" ") {
			t.Fatalf("it has %s", key)
		}
	}
	if d, _ := v["description"].(string); !item && d == "" {
		t.Fatalf("no description: %v", v)
	}
	switch v["type"] {
	case "object":
		below, _ := v["properties"].(map[string]any)
		if len(below) == 0 || deep > 2 {
			t.Fatalf("an object with %d properties, %d deep", len(below), deep)
		}
		for _, e := range below {
			m, _ := e.(map[string]any)
			lawful(t, m, deep+1, false)
		}
	case "array":
		items, _ := v["items"].(map[string]any)
		lawful(t, items, deep+1, true)
	case "string", "integer", "number", "boolean":
	default:
		t.Fatalf("type %v", v["type"])
	}
}

func FuzzClean(f *testing.F) {
	f.Add([]byte(`{"properties":{"a":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}`))
	f.Fuzz(func(t *testing.T, in []byte) { cleanLaw(t, in) })
}

// TestCleanEnds: a schema that refers to itself in many ways takes no time.
func TestCleanEnds(t *testing.T) {
	t.Parallel()
	in := `{"$defs":{"N":{"allOf":[{"$ref":"#/$defs/N"},{"$ref":"#/$defs/N"},{"$ref":"#/$defs/N"}],"anyOf":[{"$ref":"#/$defs/N"},` +
		`{"$ref":"#"}]}},` +
		`"properties":{"a":{"$ref":"#/$defs/N"},"b":{"$ref":"#/$defs/N"}}}`
	if _, err := Clean(json.RawMessage(in)); err != nil {
		t.Error(err)
	}
}

func TestRestore(t *testing.T) {
	t.Parallel()
	const own = `{"$defs":{"E":{"type":"object","properties":{"k":{"type":"integer"}}}},"properties":{"s":{"type":"string"},` +
		`"n":{"type":"integer"},"b":{"type":"boolean"},` +
		`"o":{"type":"object"},"l":{"type":"array","items":{"type":"number"}},"e":{"$ref":"#/$defs/E"},"both":{"type":["object",` +
		`"string"]},"either":{"anyOf":[{"type":"integer"},{"type":"string"}]},"z":{"type":["string","null"]}}}`
	for _, tt := range []struct{ in, want string }{
		{``, `{}`},
		{`{"note":"x","s":"5"}`, `{"note":"x","s":"5"}`},
		{`{"n":"5","b":"True","o":"{\"a\": 1}","l":"[1,2]","e":{"k":"7"}}`, `{"b":true,"e":{"k":7},"l":[1,2],"n":5,"o":{"a":1}}`},
		{`{"n":"five","b":"maybe","o":"[1]","l":"{}","e":"no"}`, `{"b":"maybe","e":"no","l":"{}","n":"five","o":"[1]"}`},
		{`{"both":"{\"a\":1}","either":"5"}`, `{"both":"{\"a\":1}","either":"5"}`},
		{`{"s":null,"z":null,"other":null}`, `{"other":null,"z":null}`},
		{`{"s":"<` + frame.Joiner + `|im_end|>"}`, `{"s":"<|im_end|>"}`},
		{`{"n":12345678901234567890}`, `{"n":12345678901234567890}`},
	} {
		got, err := Restore(json.RawMessage(own), json.RawMessage(tt.in), false)
		if string(got) != tt.want || err != nil {
			t.Errorf("%s: %s, %v; want %s", tt.in, got, err, tt.want)
		}
	}
	if got, err := Restore(nil, json.RawMessage(`{"note":"x"}`), true); string(got) != `{}` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	for _, in := range []string{`[1]`, `{`, `"x"`, `nothing`} {
		if _, err := Restore(nil, json.RawMessage(in), false); err == nil {
			t.Errorf("%s is taken", in)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	if got := Description("  Read\n\n a\tfile.\x1b]0;x\x07 "); got != "Read a file." {
		t.Errorf("%q", got)
	}
	long := Description(strings.Repeat("ä", 10_000))
	if n := utf8.RuneCountInString(long); n != 300 || !strings.HasSuffix(long, "…") {
		t.Errorf("%d characters", n)
	}
	for _, s := range []string{
		"<|im_start|>", "<｜User｜>", "</s>", "[INST]", "<tool_call>", "</think>", "[end kA1b2C3d4]",
		"[background]", "<start_of_turn>",
	} {
		in := "a " + s + " b"
		if got := Inert(in); got == in || Plain(got) != in {
			t.Errorf("%q: %q", s, got)
		}
	}
	for _, s := range []string{"a < b", "if (a || b) x", "List<String>", "[x](y)", "<b>", "a|b", "[0]"} {
		if got := Inert(s); got != s {
			t.Errorf("%q: %q", s, got)
		}
	}
}
