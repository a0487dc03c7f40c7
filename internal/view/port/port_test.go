package port

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/foreign"
)

// anyJSON draws a JSON value.
func anyJSON(t *rapid.T, depth int) string {
	text := rapid.OneOf(
		rapid.SampledFrom([]string{"true", "false", "null", "3", "", " x ", "a b c d e", "k: k", "{}", "[1]", `"quoted"`, "a\nb", "\x00", "é", "🙂", "<b>", "1e5", "\u2028", "\ufffd"}),
		rapid.StringMatching(`(k: )?(k: k: )?[a-z: ]{0,12}`), rapid.String(),
	)
	most := 6
	if depth > 2 {
		most = 3
	}
	switch rapid.IntRange(0, most).Draw(t, "type") {
	case 0:
		return rapid.SampledFrom([]string{"true", "false", "null", "0", "-0", "3", "1.50", "1e5", "123456789012345678901234567890"}).Draw(t, "plain")
	case 1, 2, 3:
		b, err := json.Marshal(text.Draw(t, "text"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	case 4:
		return `"\ud800 \u0041\/"`
	case 5:
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return anyJSON(t, depth+1) }), 0, 3).Draw(t, "list")
		return "[" + strings.Join(list, " , ") + "]"
	}
	return `{"a": ` + anyJSON(t, depth+1) + `, "b": ` + anyJSON(t, depth+1) + "}"
}

// TestValueRoundTrip: a value comes back as it was given, whatever JSON it is.
func TestValueRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom([]string{"k", "a b", "k: k"}).Draw(t, "key")
		value := anyJSON(t, 0)
		text, ok := TextOf(json.RawMessage(value))
		if !ok {
			t.Fatalf("%s is no value", value)
		}
		got := ValueOf(key, foreign.Stated(key, text))
		var short bytes.Buffer
		if err := json.Compact(&short, []byte(value)); err != nil {
			t.Fatal(err)
		}
		if string(got) == short.String() {
			return
		}
		var was, is string // a string may be written otherwise
		if json.Unmarshal([]byte(value), &was) != nil || json.Unmarshal(got, &is) != nil || was != is {
			t.Fatalf("%s of %q comes back as %s (kept as %q)", value, key, got, foreign.Stated(key, text))
		}
	})
	for content, want := range map[string]string{"42": `"42"`, "k: 42": "42", "true": `"true"`, "a b c": `"a b c"`} {
		if got := string(ValueOf("k", content)); got != want {
			t.Errorf("%q is %s, want %s", content, got, want)
		}
	}
	if got := string(ValueOf("", "42")); got != `"42"` {
		t.Errorf("without a key: %s", got)
	}
	for _, none := range []string{"", "{", "nul"} {
		if text, ok := TextOf(json.RawMessage(none)); ok {
			t.Errorf("%q is a value: %q", none, text)
		}
	}
}

// TestAbout: what a call is about is its strings, whatever holds them.
func TestAbout(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       "x",
		`null`:                                   "x",
		`"a b"`:                                  "x a b",
		`{"z":["a",{"b":"c"}],"n":7,"m":"d"}`:    "x d a c",
		`{"cwd":"/a/b","git_root":"/a","q":"c"}`: "x c",
	} {
		p := Call{TaskClass: "x", Activation: json.RawMessage(text)}
		if got := p.About(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestValueIn: what is typed as one word is JSON where it is some, and a text otherwise, and comes back so.
func TestValueIn(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"true": "true", "3": "3", "-1.50": "-1.50", "null": "null", `{"a": [1]}`: `{"a":[1]}`, "[]": "[]", `"true"`: `"true"`,
		"vim": `"vim"`, "True": `"True"`, "1.2.3": `"1.2.3"`, "{a}": `"{a}"`, "yes please": `"yes please"`, "01": `"01"`,
	} {
		text, ok := TextOf(ValueIn(typed))
		if got := string(ValueOf("k", "k: "+text)); !ok || got != want {
			t.Errorf("%s: %s, want %s", typed, got, want)
		}
	}
}
