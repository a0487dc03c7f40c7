package foreign

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// cut is what Pieces makes of a text: "line@offset name=bytes" or "!cause".
func cut(t testing.TB, r io.Reader, s shape) []string {
	t.Helper()
	var out []string
	for p, err := range pieces(bufio.NewReader(r), s) {
		if err != nil {
			t.Fatal(err)
		}
		text := string(p.Bytes)
		if p.Err != nil {
			text = "!" + p.Err.Error()
		}
		if p.Name != "" {
			text = p.Name + "=" + text
		}
		out = append(out, fmt.Sprintf("%d@%d %s", p.Line, p.Offset, text))
	}
	return out
}

func TestPieces(t *testing.T) {
	t.Parallel()
	const end = "!cut off: the file ends in the middle"
	for _, c := range []struct {
		text  string
		shape shape
		want  []string
	}{
		{"", InValues, nil},
		{" [ ]\n", InValues, nil},
		{`[1, "a]\"", {"b":[2]},` + "\n" + `[3],null]`, InValues, []string{"1@1 1", `1@4 "a]\""`, `1@12 {"b":[2]}`, "2@23 [3]", "2@27 null"}},
		{"\xef\xbb\xbf{\"a\":1} {\"a\":2}", InValues, []string{`1@3 {"a":1}`, `1@11 {"a":2}`}},
		{`[{"a":x},{"b":2}]`, InValues, []string{`1@1 {"a":x}`, `1@9 {"b":2}`}},
		{`[{"a":1},{"b":`, InValues, []string{`1@1 {"a":1}`, "1@9 " + end}},
		{`[1,`, InValues, []string{"1@1 1", "1@3 " + end}},
		{`]1`, InValues, []string{"1@0 !not JSON here", "1@1 1"}},
		{`[:}]`, InValues, []string{"1@1 !not JSON here", "1@2 !not JSON here"}},
		{`{"v":1,"list":[{"a":1},2],"w":{"x":[]}}`, InFields, []string{"1@5 v=1", `1@15 list={"a":1}`, "1@23 list=2", `1@30 w={"x":[]}`}},
		{`{"list":[1`, InFields, []string{"1@9 list=1", "1@10 list=" + end}},
		{`{"list"`, InFields, []string{"1@7 " + end}},
		{`{"a" "b":1}`, InFields, []string{"1@1 !not JSON here", "1@9 b=1"}},
		{`{"a":}`, InFields, nil},
		{"{\"a\":1}\n\n{\"b\n", inLines, []string{`1@0 {"a":1}`, `3@9 {"b`}},
	} {
		if got := cut(t, strings.NewReader(c.text), c.shape); !cmp.Equal(got, c.want) {
			t.Errorf("%q:\n%s", c.text, cmp.Diff(c.want, got))
		}
	}
	broken := errors.New("broken")
	for _, s := range []shape{inLines, InValues, InFields} {
		var last error
		for _, err := range pieces(bufio.NewReader(io.MultiReader(strings.NewReader("[1,{"), iotest.ErrReader(broken))), s) {
			last = err
		}
		if !errors.Is(last, broken) {
			t.Errorf("a reader that fails: %v", last)
		}
	}
}

// TestPieceTooLong: a value beyond all measure is passed over in bounded memory.
//
//ken:unraced
func TestPieceTooLong(t *testing.T) {
	t.Parallel()
	r := io.MultiReader(strings.NewReader(`["`), io.LimitReader(same('x'), maxPiece+10), strings.NewReader(`", 7]`))
	if got := cut(t, r, InValues); len(got) != 2 || !strings.Contains(got[0], "longer than 64 MiB") || !strings.HasSuffix(got[1], " 7") {
		t.Errorf("%.200s", got)
	}
}

// same is a reader of one byte without end.
type same byte

func (s same) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(s)
	}
	return len(p), nil
}

func TestShapeOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]shape{
		"":                                InValues,
		"[1]":                             InValues,
		`{"a":1}`:                         InValues,
		"{\"a\":1}\n":                     InValues,
		"{\"a\":1}\n{\"a\":2}":            inLines,
		"{\"a\":1}\n{\"a":                 inLines,
		"{\n\"a\": 1\n}\n":                InValues,
		"{\"v\":1, \"list\" : [{\"a\":1}": InFields,
		"{\"v\":1, \"list\" : 3}":         InValues,
	} {
		if got := shapeOf([]byte(text), "list"); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestObject(t *testing.T) {
	t.Parallel()
	o, err := Parse([]byte(`{"s":" a ","n":1.5,"ms":1700000000000,"sec":1700000000,"day":"2026-01-02 03:04","l":["x",1,"y"],"c":"a, b","t":true,"o":{"in":"side"},"nil":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if o.Text("none", "n", "s") != " a " || !o.Yes("t") || o.Yes("s") || o.In("o").Text("in") != "side" || o.In("s") != nil || !o.Has("nil") || o.Has("none") {
		t.Error("fields")
	}
	if diff := cmp.Diff([]string{"x", "y", "a", "b"}, append(o.List("l"), o.List("c")...)); diff != "" {
		t.Error(diff)
	}
	want := time.Unix(1700000000, 0).UTC()
	if !o.Time("none", "nil", "ms").Equal(want) || !o.Time("sec").Equal(want) || o.Time("day").Format(time.DateTime) != "2026-01-02 03:04:00" || !o.Time("s").IsZero() {
		t.Error("times", o.Time("ms"), o.Time("sec"), o.Time("day"))
	}
	for name, want := range map[string]string{"s": " a ", "n": "1.5", "l": `["x",1,"y"]`, "nil": "", "none": ""} {
		if got := Words(o.Get(name)); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for text, want := range map[string]string{`"a"`: "a", `["a",{"type":"text","text":"b"},{"type":"image","text":"c"},7,{"text":"d"}]`: "a\n\nb", "7": ""} {
		if got := prose([]byte(text), "text"); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
	for text, want := range map[string]string{"7": "want an object, got 7", "x": "not JSON here", "{": "not JSON", "": "JSON"} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzPieces: of a good list the pieces are its elements, as encoding/json has
// them; of anything they are the same however it is read, and all lie in it.
func FuzzPieces(f *testing.F) {
	for _, s := range []string{`[1,"a",{"b":[2]}]`, `{"a":1,"list":[{"x":"]"}]}`, "{\"a\":1}\n{\"b", `[[[`, `"\`, "\xef\xbb\xbf[tru", "}{"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range []shape{inLines, InValues, InFields} {
			got := cut(t, bytes.NewReader(data), s)
			if s != inLines {
				if other := cut(t, iotest.OneByteReader(bytes.NewReader(data)), s); !cmp.Equal(got, other) {
					t.Fatalf("read byte by byte: %s", cmp.Diff(got, other))
				}
			}
			for p, err := range pieces(bufio.NewReader(bytes.NewReader(data)), s) {
				if err != nil {
					t.Fatal(err)
				}
				if p.Err == nil && !bytes.HasPrefix(data[p.Offset:], p.Bytes) && p.Offset > 0 {
					t.Fatalf("piece %q is not at byte %d", p.Bytes, p.Offset)
				}
			}
		}
		var list []json.RawMessage
		if json.Unmarshal(data, &list) != nil {
			return
		}
		i := 0
		for p, err := range pieces(bufio.NewReader(bytes.NewReader(data)), InValues) {
			if err != nil || i >= len(list) || p.Err != nil || !bytes.Equal(p.Bytes, list[i]) {
				t.Fatalf("piece %d is %q, %v", i, p.Bytes, p.Err)
			}
			i++
		}
		if i != len(list) {
			t.Fatalf("%d pieces of %d", i, len(list))
		}
	})
}
