package edit

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"
)

func TestSet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, key, value, want string }{
		{"empty file", "", "model", `"a"`, "model = \"a\"\n"},
		{"empty file, table", "", "ui.color", `"a"`, "[ui]\ncolor = \"a\"\n"},
		{"replace", "model = \"a\" # why\nx = 1\n", "model", `"b"`, "model = \"b\" # why\nx = 1\n"},
		{"replace, odd space", "  model\t=  'a'  # why\r\n", "model", `"b"`, "  model\t=  \"b\"  # why\r\n"},
		{"replace a list of lines", "a = [\n  1, # one\n  2,\n] # end\nb = 1\n", "a", "[]", "a = [] # end\nb = 1\n"},
		{"replace text of lines", "a = \"\"\"\nx = 1\n\"\"\"\nx = 2\n", "x", "3", "a = \"\"\"\nx = 1\n\"\"\"\nx = 3\n"},
		{"dotted", "a.b = 1\n", "a.b", "2", "a.b = 2\n"},
		{"quoted", "[keys]\n\"\\\\C-n\" = \"x\"\n", `keys."\\C-n"`, `"y"`, "[keys]\n\"\\\\C-n\" = \"y\"\n"},
		{"quoted otherwise", "[keys]\n'\\C-n' = \"x\"\n", `keys."\\C-n"`, `"y"`, "[keys]\n'\\C-n' = \"y\"\n"},
		{"inline", "[models]\nfast = { model = \"a\", images = true }\n", "models.fast.images", "false", "[models]\nfast = { model = \"a\", images = false }\n"},
		{"into inline", "models.fast = { model = \"a\" } # x\n", "models.fast.images", "true", "models.fast = { model = \"a\", images = true } # x\n"},
		{"into empty inline", "models = {}\n", "models.fast.images", "true", "models = { fast.images = true }\n"},
		{"into inline of lines", "a = {\n # c\n}\n", "a.b", "1", "a = { b = 1\n # c\n}\n"},
		{"into inline, trailing comma", "a = { b = 1, }\n", "a.c", "2", "a = { b = 1, c = 2, }\n"},
		{"behind the last key", "[a]\nx = 1\n\n# about b\n[b]\ny = 1\n", "a.z", "2", "[a]\nx = 1\nz = 2\n\n# about b\n[b]\ny = 1\n"},
		{"behind a list of lines", "[a]\nx = [\n1,\n]\n[b]\n", "a.z", "2", "[a]\nx = [\n1,\n]\nz = 2\n[b]\n"},
		{"indented as the last key", "[a]\n  x = 1\n", "a.z", "2", "[a]\n  x = 1\n  z = 2\n"},
		{"empty table", "[a]\n\n[b]\ny = 1\n", "a.z", "2", "[a]\nz = 2\n\n[b]\ny = 1\n"},
		{"root before tables", "[a]\nx = 1\n", "z", "2", "z = 2\n\n[a]\nx = 1\n"},
		{"root before a table's comment", "# all\n\n# about a\n[a]\nx = 1\n", "z", "2", "# all\n\nz = 2\n\n# about a\n[a]\nx = 1\n"},
		{"root behind root keys", "x = 1\n\n[a]\n", "z", "2", "x = 1\nz = 2\n\n[a]\n"},
		{"behind its own comment", "#x = 1\n#z = 1\n#y = 1\n\n[a]\n", "z", "2", "#x = 1\n#z = 1\nz = 2\n#y = 1\n\n[a]\n"},
		{"not behind another table's comment", "#x = 1\n#[a]\n#z = 1\n", "z", "2", "#x = 1\n#[a]\n#z = 1\nz = 2\n"},
		{"new table beside its relative", "[models.a]\nx = 1\n\n[ui]\nquiet = true\n", "models.b.x", "2", "[models.a]\nx = 1\n\n[models.b]\nx = 2\n\n[ui]\nquiet = true\n"},
		{"new table at the end", "[ui]\nquiet = true\n", "a.b", "1", "[ui]\nquiet = true\n\n[a]\nb = 1\n"},
		{"no last line end", "x = 1", "z", "2", "x = 1\nz = 2"},
		{"no last line end, table", "x = 1", "a.z", "2", "x = 1\n\n[a]\nz = 2"},
		{"windows", "x = 1\r\n[a]\r\ny = 1\r\n", "a.z", "2", "x = 1\r\n[a]\r\ny = 1\r\nz = 2\r\n"},
		{"mark", "\ufeffx = 1\n", "x", "2", "\ufeffx = 2\n"},
		{"opened by dots", "memory.enabled = true\n[ui]\n", "memory.path", `"/x"`, "memory.enabled = true\nmemory.path = \"/x\"\n[ui]\n"},
		{"opened by dots deeper", "[a]\nb.c = 1\n[a.b.d]\nq = 1\n", "a.b.x.y", "2", "[a]\nb.c = 1\nb.x.y = 2\n[a.b.d]\nq = 1\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			key, err := ParseKey(tt.key)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Set([]byte(tt.src), key, tt.value)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			var tree map[string]any
			if err := toml.Unmarshal([]byte(strings.TrimPrefix(string(got), byteOrderMark)), &tree); err != nil {
				t.Errorf("%s\n%v", got, err)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, key, value, want string }{
		{"a = \n", "b", "1", "line 1: not TOML"},
		{"a = 1\n\nb c\n", "b", "1", "line 3: not TOML"},
		{"", "a", "1\nb = 2", "is not one value"},
		{"", "a", "", "is not one value"},
		{"", "a", "1 # x", "is not one value"},
		{"", "a", "x", "is not one value"},
		{"[a]\n", "a", "1", "it is a table"},
		{"[a.b]\n", "a", "1", "it is a table"},
		{"a.b = 1\n", "a", "1", "it is a table"},
		{"a = {}\n", "a", "1", "it is a table"},
		{"a = 1\n", "a.b", "1", "a is a value, not a table"},
		{"[[a]]\n", "a.b", "1", "a is a list of tables"},
		{"a = 1\na = 2\n", "a", "1", "set twice"},
	} {
		key, err := ParseKey(tt.key)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Set([]byte(tt.src), key, tt.value)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Set(%q, %s, %s) = %q, %v; want %q", tt.src, tt.key, tt.value, got, err, tt.want)
		}
	}
	if _, err := Set(nil, nil, "1"); err == nil {
		t.Error("no key is taken")
	}
	if _, _, err := Unset([]byte("a ="), []string{"a"}); !errors.Is(err, ErrSyntax) {
		t.Errorf("Unset of no TOML: %v", err)
	}
}

func TestUnset(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, key, want string }{
		{"line", "a = 1 # x\nb = 2\n", "a", "b = 2\n"},
		{"last line without end", "b = 2\na = 1", "a", "b = 2"},
		{"a last table that Set made", "x = 1\n\n[a]\nz = 2\ny = [\"b\"]\n", "a", "x = 1\n"},
		{"a last table of another hand", "x = 1\n\n[a] # mine\nz = 2\n", "a", "x = 1\n\n"},
		{"the last key of a table", "x = 1\n\n[a]\nz = 2\n", "a.z", "x = 1\n"},
		{"the last key of a table with a comment", "[a]\n# why\nz = 2\n", "a.z", "[a]\n# why\n"},
		{"lines", "a = [\n1,\n]\nb = 2\n", "a", "b = 2\n"},
		{"comments stay", "# about a\na = 1\nb = 2\n", "a", "# about a\nb = 2\n"},
		{"table", "x = 1\n\n[a]\nb = 1\n\n# c\n[c]\n", "a", "x = 1\n\n# c\n[c]\n"},
		{"table and those below", "[a.b]\nx = 1\n[a.c]\n[d]\n", "a", "[d]\n"},
		{"one of a table", "[a]\nx = 1\ny = 2\n", "a.x", "[a]\ny = 2\n"},
		{"dotted", "a.x = 1\nb = 1\na.y = 2\n", "a", "b = 1\n"},
		{"inline first", "a = { x = 1, y = 2 }\n", "a.x", "a = { y = 2 }\n"},
		{"inline last", "a = { x = 1, y = 2 }\n", "a.y", "a = { x = 1 }\n"},
		{"inline only", "a = { x = 1 }\n", "a.x", "a = {}\n"},
		{"inline only, comma", "a = { x = 1, }\n", "a.x", "a = {}\n"},
		{"inline dotted", "a = { b.x = 1, c = 2, b.y = 3 }\n", "a.b", "a = { c = 2 }\n"},
		{"twice", "a = 1\nb = 1\na = 2\n", "a", "b = 1\n"},
		{"mark", "\ufeffa = 1\nb = 1\n", "a", "\ufeffb = 1\n"},
		{"list of tables", "[[a]]\nx = 1\n[[a]]\nx = 2\n[b]\n", "a", "[b]\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			key, err := ParseKey(tt.key)
			if err != nil {
				t.Fatal(err)
			}
			got, was, err := Unset([]byte(tt.src), key)
			if err != nil || !was {
				t.Fatalf("was %v, %v", was, err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if again, was, err := Unset(got, key); was || err != nil || string(again) != string(got) {
				t.Errorf("again: %q, %v, %v", again, was, err)
			}
		})
	}
}

func TestParseKey(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]string{
		"a": {"a"}, "a.b": {"a", "b"}, ` a . "b.c" `: {"a", "b.c"}, `keys."\\C-n"`: {"keys", `\C-n`}, `k.'\C-n'`: {"k", `\C-n`},
		`""`: {""}, "a = 1": nil, "": nil, " ": nil, "a.": nil, ".a": nil, "a b": nil, "[a]": nil, "a\nb": nil, "a=1\nb": nil, "a #": nil, "a = 1 #": nil, `"a`: nil,
	} {
		got, err := ParseKey(s)
		if (err != nil) != (want == nil) || !slices.Equal(got, want) {
			t.Errorf("ParseKey(%q) = %q, %v; want %q", s, got, err, want)
		}
		if err == nil {
			if again, err := ParseKey(Key(got...)); err != nil || !slices.Equal(again, got) {
				t.Errorf("ParseKey(Key(%q)) = %q, %v", got, again, err)
			}
		}
	}
}

func TestLiteral(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		v    any
		want string
	}{
		{"a\"\\\t\n\r\x00\x7fé\u2028", `"a\"\\\t\n\r\u0000\u007Fé\u2028"`},
		{true, "true"},
		{8192, "8192"},
		{0.2, "0.2"},
		{2.0, "2.0"},
		{1e21, "1000000000000000000000.0"},
		{[]string{"a", "b\""}, `["a", "b\""]`},
		{[]string(nil), "[]"},
		{10 * time.Minute, `"10m"`},
		{2 * time.Hour, `"2h"`},
		{90 * time.Second, `"1m30s"`},
		{1500 * time.Millisecond, `"1.5s"`},
		{time.Duration(0), `"0"`},
	} {
		got := Literal(tt.v)
		if got != tt.want {
			t.Errorf("Literal(%v) = %s, want %s", tt.v, got, tt.want)
		}
		if _, ok := Value(got); !ok {
			t.Errorf("Literal(%v) = %s, which is no value", tt.v, got)
		}
	}
}

// TestQuote checks that any text comes back as it was.
func TestQuote(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		var tree map[string]string
		if err := toml.Unmarshal([]byte("x = "+Quote(s)), &tree); err != nil || tree["x"] != s {
			t.Fatalf("%q -> %s -> %q, %v", s, Quote(s), tree["x"], err)
		}
		if key, err := ParseKey("a." + Key(s)); err != nil || key[1] != s {
			t.Fatalf("key %q: %q, %v", s, key, err)
		}
	})
}

// names are few, so that what is set often meets what is there.
func names() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"a", "b", "c", "d-1", `\C-n`, "x.y"})
}

func paths(longest int) *rapid.Generator[[]string] {
	return rapid.SliceOfN(names(), 1, longest)
}

// values of all forms in which lines and braces could be taken for others.
func values() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"1", "true", "1979-05-27T07:32:00Z", "0x1f", `"s"`, `"# no = comment"`, `'li\t'`, `"""` + "\n[a]\nb = 1\n" + `"""`, "'''\n# x\n'''",
		"[]", `["a", "]"]`, "[\n  1, # one }\n  2,\n]", "[{a = 1}, {b = 2}]",
		"{}", "{ }", "{ a = 1 }", "{a = 1, b = {c = 2}}", "{ a.b = 1, a.c = 2 }", "{\n  a = 1, # one\n  b = 2,\n}", "{ # nothing\n}",
	})
}

// documents draws texts of a few lines, most of them TOML.
func documents() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		eol := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "eol")
		var b strings.Builder
		for range rapid.IntRange(0, 8).Draw(t, "lines") {
			indent := rapid.SampledFrom([]string{"", "", "  ", "\t"}).Draw(t, "indent")
			tail := rapid.SampledFrom([]string{"", "", " # why", "  "}).Draw(t, "tail")
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				b.WriteString(indent + "[" + Key(paths(3).Draw(t, "table")...) + "]" + tail)
			case 1:
				b.WriteString(rapid.SampledFrom([]string{"", "# text", "#a = 1", "# b = 2", "#[a]"}).Draw(t, "comment"))
			default:
				value := strings.ReplaceAll(values().Draw(t, "value"), "\n", eol)
				b.WriteString(indent + Key(paths(2).Draw(t, "key")...) + rapid.SampledFrom([]string{" = ", "=", "  =\t"}).Draw(t, "is") + value + tail)
			}
			b.WriteString(eol)
		}
		s := b.String()
		if rapid.Bool().Draw(t, "cut") {
			s = strings.TrimSuffix(s, eol)
		}
		return s
	})
}

// lookup finds what stands at a key. blocked means that it is below a value.
func lookup(tree map[string]any, key []string) (v any, there, blocked bool) {
	for i, part := range key {
		v, there = tree[part]
		if !there || i == len(key)-1 {
			return v, there, false
		}
		below, ok := v.(map[string]any)
		if !ok {
			return nil, false, true
		}
		tree = below
	}
	return v, there, false
}

// put is what Set should do to the meaning of a text.
func put(tree map[string]any, key []string, v any) {
	for _, part := range key[:len(key)-1] {
		below, ok := tree[part].(map[string]any)
		if !ok {
			below = map[string]any{}
			tree[part] = below
		}
		tree = below
	}
	tree[key[len(key)-1]] = v
}

// prune drops tables that are empty: whether one is there means nothing.
func prune(tree map[string]any) map[string]any {
	maps.DeleteFunc(tree, func(_ string, v any) bool {
		below, ok := v.(map[string]any)
		return ok && len(prune(below)) == 0
	})
	return tree
}

// kept counts the bytes of before that are still there around what changed.
func kept(before, after string) int {
	n := 0
	for n < len(before) && n < len(after) && before[n] == after[n] {
		n++
	}
	m := 0
	for m < len(before)-n && m < len(after)-n && before[len(before)-1-m] == after[len(after)-1-m] {
		m++
	}
	return n + m
}

// TestLaws sets and unsets keys of random documents: the key has the value,
// every other key has its own, and all other bytes are there.
func TestLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := documents().Draw(t, "src")
		key := paths(3).Draw(t, "set")
		value := rapid.SampledFrom([]string{`"new"`, "42", "false", `["x", "y"]`}).Draw(t, "new")
		checkLaws(t, src, key, value)
	})
}

type failer interface {
	Fatalf(format string, args ...any)
	Helper()
}

func checkLaws(t failer, src string, key []string, value string) {
	t.Helper()
	var before, want, wanted map[string]any
	if toml.Unmarshal([]byte(strings.TrimPrefix(src, byteOrderMark)), &before) != nil {
		return
	}
	_ = toml.Unmarshal([]byte(strings.TrimPrefix(src, byteOrderMark)), &want)
	if err := toml.Unmarshal([]byte("v = "+value), &wanted); err != nil {
		return
	}
	if want == nil {
		want, before = map[string]any{}, map[string]any{}
	}
	old, there, blocked := lookup(want, key)
	oldTable, isTable := old.(map[string]any)
	out, err := Set([]byte(src), key, value)
	switch {
	case isTable || blocked:
		if err == nil {
			t.Fatalf("set %q over a table or below a value:\n%s\n->\n%s", key, src, out)
		}
	case err != nil:
		t.Fatalf("set %q: %v:\n%s", key, err, src)
	default:
		put(want, key, wanted["v"])
		checkMeaning(t, "set", src, string(out), want)
		if same := kept(src, string(out)); !there && same < len(src) {
			t.Fatalf("set %q lost %d bytes:\n%s\n->\n%s", key, len(src)-same, src, out)
		}
		if again, err := Set(out, key, value); err != nil || string(again) != string(out) {
			t.Fatalf("set %q again: %v\n%s\n->\n%s", key, err, out, again)
		}
	}
	out, was, err := Unset([]byte(src), key)
	if err != nil || was != (there && !(isTable && len(oldTable) == 0)) && !isTable {
		t.Fatalf("unset %q: was %v, %v:\n%s", key, was, err, src)
	}
	if there && !blocked {
		drop(before, key)
	}
	checkMeaning(t, "unset", src, string(out), before)
}

func drop(tree map[string]any, key []string) {
	for _, part := range key[:len(key)-1] {
		tree, _ = tree[part].(map[string]any)
	}
	delete(tree, key[len(key)-1])
}

func checkMeaning(t failer, verb, src, out string, want map[string]any) {
	t.Helper()
	var got map[string]any
	if err := toml.Unmarshal([]byte(strings.TrimPrefix(out, byteOrderMark)), &got); err != nil {
		t.Fatalf("%s made no TOML: %v\n%s\n->\n%s", verb, err, src, out)
	}
	if got == nil {
		got = map[string]any{}
	}
	if want, got := prune(want), prune(got); !reflect.DeepEqual(want, got) {
		t.Fatalf("%s changed the meaning:\n%s\n->\n%s\n%s", verb, src, out, cmp.Diff(want, got))
	}
}

func FuzzSet(f *testing.F) {
	all, err := os.ReadFile(filepath.Join("..", "testdata", "all.toml"))
	if err != nil {
		f.Fatal(err)
	}
	for _, src := range []string{string(all), "", "a = 1", "a = {b = 1,}\n", "[a]\nb.c = 1\n[a.b.d]\n", "\ufeffa=[\n1]\r\n", "[[a]]\n", "a = '''\n[b]\n'''\n"} {
		f.Add(src, "a.b", `"x"`)
		f.Add(src, `keys."\\C-n"`, "[]")
		f.Add(src, "0", ` ""`)
	}
	f.Fuzz(func(t *testing.T, src, dotted, value string) {
		key, err := ParseKey(dotted)
		if kind, ok := Value(value); err != nil || !ok || kind.String() == "InlineTable" || strings.Contains(value, "{") {
			return
		}
		checkLaws(t, src, key, value)
	})
}

// TestThereAndBack takes out of random documents what was put in, one key or the keys of a table of its own: all bytes are
// as before. Only an empty table that was there already goes with its last key.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := documents().Draw(t, "src") + rapid.SampledFrom([]string{"", "", "\n", "\n\n", "  "}).Draw(t, "end")
		if rapid.Bool().Draw(t, "marked") {
			src = byteOrderMark + src
		}
		table := paths(2).Draw(t, "table")
		out, unset := []byte(src), table
		keys := rapid.SliceOfNDistinct(names(), 1, 3, rapid.ID).Draw(t, "keys")
		if rapid.Bool().Draw(t, "one") {
			keys = keys[:1]
			unset = append(slices.Clone(table), keys[0])
		}
		if toml.Unmarshal([]byte(strings.TrimPrefix(src, byteOrderMark)), new(map[string]any)) != nil || stands(t, src, unset) {
			return
		}
		for _, key := range keys {
			value := rapid.SampledFrom([]string{`"new"`, `["x", "y"]`, "{ a = 1 }"}).Draw(t, "value")
			now, err := Set(out, append(slices.Clone(table), key), value)
			if err != nil {
				return
			}
			out = now
		}
		back, was, err := Unset(out, unset)
		if err != nil || !was || string(back) != src {
			t.Fatalf("unset %q: %v, %v\n%q\n->\n%q\n->\n%q", unset, was, err, src, out, back)
		}
	})
}

// stands reports whether a text has something at a key, or an empty table for it.
func stands(t failer, src string, key []string) bool {
	t.Helper()
	d, err := parse([]byte(strings.TrimPrefix(src, byteOrderMark)))
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, s := range d.sections[1:] {
		if slices.Equal(s.path, key[:len(key)-1]) && len(d.keysOf(s)) == 0 {
			return true
		}
	}
	_, there := d.find(key)
	return there
}
