package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// line is what most lines of a memory look like.
const line = `{"id":1234,"ts":"2026-05-13T19:02:00Z","kind":"context","content":"Current project: a small shell in LuaJIT with MCP tools.","tags":["shell","luajit"],"scope":"repo:github.com/me/shell","source":{"session":"20260510T190001Z-7f3a","turn":12}}`

// objects are lines of every kind of fault and freedom; the fuzz target starts
// from them too.
func objects() []string {
	return []string{
		line, `{}`, ` { } `, "\t{\"a\" : 1 ,\r\n \"b\":[ ] }", `{"a":null,"b":true,"c":false}`,
		`{"a":-0.5e+10,"b":0,"c":1E5,"d":-0}`, `{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}`,
		`{"a":"\ud800"}`, `{"a":"\ud800\u0041"}`, `{"a":"\udc00\ud800"}`, `{"a":"\ud83d\ud83d\ude00"}`,
		"{\"a\":\"\xff\xfe\"}", "{\"\xff\":1}", `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"A":1,"a":2}`,
		"{\"a\":\"\u2028\u2029\x7f\"}", `{"":""}`, `{"a":{"b":[{"c":[[]]}]}}`,
		// not one object
		"", " ", "null", "[]", `"a"`, "1", `{}{}`, `{} x`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`,
		`{,"a":1}`, `{"a" 1}`, `{a:1}`, `{'a':1}`, `{"a":}`, `{"a":tru}`, `{"a":nul`, `{"a":NaN}`, `{"a":Infinity}`,
		`{"a":01}`, `{"a":-}`, `{"a":+1}`, `{"a":.5}`, `{"a":1.}`, `{"a":1e}`, `{"a":1e+}`, `{"a":0x1}`, `{"a":--1}`,
		`{"a":"`, `{"a":"\`, `{"a":"\x"}`, `{"a":"\u12"}`, `{"a":"\u12G4"}`, "{\"a\":\"\x00\"}", "{\"a\":\"\n\"}",
		`{"a":[1,]}`, `{"a":[,1]}`, `{"a":[1 2]}`, `{"a":[}`, `{"a":[1}}`, `{"a":{"b":1]}`, "{\"a\":1}\x00", "\x00{}",
		`{"a":1 "b":2}`, `{"a":1;}`, "\ufeff{}", `//{}`, `{"a":1}//`, `{"a":"` + strings.Repeat("x", 7) + "\x1f\"}",
		`{"a":` + strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth) + `}`,
		`{"a":1e400}`, `{"a":123456789012345678901234567890}`,
	}
}

// compare checks Object, and what Value reads, against encoding/json.
func compare(t testing.TB, in []byte) {
	t.Helper()
	fields := make(map[string]Value)
	var scanErr error
	for f, err := range Object(in) {
		if err != nil {
			scanErr = err
			break
		}
		fields[string(f.Name)] = f.Value
	}
	var want map[string]json.RawMessage
	wantErr := json.Unmarshal(in, &want)
	if wantErr == nil && want == nil {
		wantErr = errors.New("null")
	}
	if scanErr != nil && strings.Contains(scanErr.Error(), "nested more than") {
		return // encoding/json allows ten times as much
	}
	if (scanErr == nil) != (wantErr == nil) {
		t.Fatalf("Object(%q): %v; encoding/json: %v", in, scanErr, wantErr)
	}
	if scanErr != nil {
		var syntax *SyntaxError
		if !errors.As(scanErr, &syntax) || syntax.Offset < 0 || syntax.Offset > len(in) {
			t.Fatalf("Object(%q): error %#v has no place in the line", in, scanErr)
		}
		return
	}
	if len(fields) != len(want) {
		t.Fatalf("Object(%q) has fields %v, want %v", in, fields, want)
	}
	for name, raw := range want {
		got, ok := fields[name]
		if !ok || !bytes.Equal(got, raw) {
			t.Fatalf("Object(%q): field %q is %q, want %q", in, name, got, raw)
		}
		compareValue(t, got)
	}
}

func compareValue(t testing.TB, v Value) {
	t.Helper()
	var want any
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatalf("value %q: %v", v, err)
	}
	text, isText := v.Text()
	b, isBool := v.Bool()
	n, isInt := v.Int()
	switch w := want.(type) {
	case string:
		if !isText || text != w {
			t.Fatalf("Text of %q is %q, want %q", v, text, w)
		}
		if v.Lossy() && !strings.ContainsRune(text, utf8.RuneError) {
			t.Fatalf("%q is called lossy", v)
		}
	case bool:
		if !isBool || b != w {
			t.Fatalf("Bool of %q is %v", v, b)
		}
	case json.Number:
		i, err := w.Int64()
		if fits := err == nil && i < 1<<53 && i > -1<<53 && len(v) <= 17; isInt && n != i || isInt != fits {
			t.Fatalf("Int of %q is %d, %v", v, n, isInt)
		}
		f, err := w.Float64()
		if got, ok := v.Float(); ok != (err == nil) || ok && got != f {
			t.Fatalf("Float of %q is %v, %v", v, got, ok)
		}
	case []any:
		i := 0
		for e := range v.Elements() {
			compareValue(t, e)
			i++
		}
		if i != len(w) {
			t.Fatalf("%q has %d elements, want %d", v, i, len(w))
		}
	case nil:
		if !v.Null() {
			t.Fatalf("%q is not null", v)
		}
	case map[string]any:
		compare(t, v)
	}
	_, isTime := v.Time()
	_, isTexts := v.Texts()
	kinds := 0
	for _, is := range []bool{isText, isBool, v.Type() == "number", isTexts || v.Type() == "array", v.Null(), v.Type() == "object"} {
		if is {
			kinds++
		}
	}
	if kinds != 1 || isTime && v.Type() != "number" && v.Type() != "string" {
		t.Fatalf("%q is read as %d types", v, kinds)
	}
}

func TestObject(t *testing.T) {
	for _, in := range objects() {
		compare(t, []byte(in))
		// Every cut of a line is a line that may be on a disk.
		for n := range min(len(in), 400) {
			compare(t, []byte(in[:n]))
		}
	}
}

func TestObjectNamesThePlace(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1,}`:      "byte 7: a comma before the end",
		`{"a" 1}`:       "byte 5: want a colon here",
		`{"a":1`:        "byte 6: the line ends too early",
		`{"a":tru`:      "byte 5: no JSON value",
		`{"a":"\q"}`:    "byte 7: no such escape",
		"{\"a\":\"\n\"": "byte 6: a control character in a string",
		`{} {}`:         "byte 3: text after the object",
		`x`:             "byte 0: not an object",
		`{"a":` + strings.Repeat("[", MaxDepth+1): fmt.Sprintf("byte %d: nested more than 1000 deep", 5+MaxDepth),
	} {
		var err error
		for _, e := range Object([]byte(in)) {
			err = e
		}
		if err == nil || err.Error() != want {
			t.Errorf("Object(%.20q): %v, want %s", in, err, want)
		}
	}
}

func TestObjectStops(t *testing.T) {
	n := 0
	for _, err := range Object([]byte(`{"a":1,"b":2,`)) {
		n++
		if err != nil || n == 1 {
			break
		}
	}
	if n != 1 {
		t.Errorf("%d fields after a break", n)
	}
}

// TestPlain checks the eight bytes at a time against one at a time.
func TestPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.SampledFrom([]byte{0, 1, 0x1f, 0x20, '!', '"', '#', '[', '\\', ']', 0x7f, 0x80, 0xa2, 0xdc, 0xff})).Draw(t, "b")
		i := rapid.IntRange(0, len(b)).Draw(t, "from")
		want := i
		for want < len(b) && b[want] >= 0x20 && b[want] != '"' && b[want] != '\\' {
			want++
		}
		if got := plain(b, i); got != want {
			t.Fatalf("plain(%q, %d) = %d, want %d", b, i, got, want)
		}
	})
}

func FuzzObject(f *testing.F) {
	for _, in := range objects() {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		compare(t, in)
		fields, twice, err := Fields(in, nil)
		all := 0
		var scanErr error
		for _, e := range Object(in) {
			if scanErr = e; e == nil {
				all++
			}
		}
		if err == nil && len(fields)+len(twice) != all || (err == nil) != (scanErr == nil) {
			t.Fatalf("Fields(%q): %d fields, %d twice, %v; Object: %d, %v", in, len(fields), len(twice), err, all, scanErr)
		}
		if n := LargestNumber(in, "id", "target", "targets"); n < 0 || n > 1<<53-1 {
			t.Fatalf("LargestNumber(%q) = %d", in, n)
		}
		out := AppendString(nil, string(in))
		var back string
		if err := json.Unmarshal(out, &back); err != nil || back != strings.ToValidUTF8(string(in), "\ufffd") && utf8.Valid(in) {
			t.Fatalf("AppendString(%q) = %q: %v", in, out, err)
		}
		if got, ok := Value(out).Text(); !ok || got != back || Value(out).Lossy() {
			t.Fatalf("Text(%q) = %q, want %q", out, got, back)
		}
	})
}

func TestFields(t *testing.T) {
	many := &strings.Builder{}
	many.WriteString(`{"x":0`)
	for i := range 100 {
		fmt.Fprintf(many, `,"f%d":%d,"x":%d`, i, i, i)
	}
	many.WriteString("}")
	for _, tt := range []struct {
		line  string
		want  string
		twice int
	}{
		{`{"a":1,"b":2}`, "a=1 b=2", 0},
		{`{"a":1,"b":2,"a":3}`, "a=3 b=2", 1},
		{`{"a":1,"\u0061":2,"a":3,"A":4}`, "a=3 A=4", 2},
		{many.String(), "x=99 f0=0", 100},
	} {
		fields, twice, err := Fields([]byte(tt.line), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range fields {
			got = append(got, string(f.Name)+"="+string(f.Value))
		}
		if s := strings.Join(got, " "); !strings.HasPrefix(s, tt.want) || len(twice) != tt.twice {
			t.Errorf("Fields(%.40s) = %.60s, twice %v; want %s, %d", tt.line, s, twice, tt.want, tt.twice)
		}
	}
}

func TestDamage(t *testing.T) {
	for in, want := range map[string]string{
		"\x00\x00\x00":         "NUL bytes, from byte 0 on",
		"{\"a\":\"b\x00":       "NUL bytes, from byte 7 on",
		`[{"id":1},`:           "a JSON array: each line holds one object of its own",
		`]`:                    "a JSON array: each line holds one object of its own",
		`<<<<<<< HEAD`:         "the mark of a merge conflict",
		`=======`:              "the mark of a merge conflict",
		`>>>>>>> theirs`:       "the mark of a merge conflict",
		`||||||| base`:         "the mark of a merge conflict",
		`  "id": 3,`:           "part of an object: a record stands on one line",
		`}`:                    "part of an object: a record stands on one line",
		`{`:                    "not JSON: byte 1: the line ends too early",
		`{"id":1},`:            "not JSON: byte 8: text after the object",
		`buy milk`:             "not JSON: plain text",
		"\xef\xbb\xbf{\"a\":1": "not JSON: plain text",
	} {
		_, _, err := Fields([]byte(in), nil)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
	_, _, err := Fields([]byte("buy milk"), nil)
	if !errors.Is(err, ErrPlainText) {
		t.Errorf("plain text: %v", err)
	}
}

func TestLargestNumber(t *testing.T) {
	for in, want := range map[string]int64{
		`{"id":7,"content":"x`:                        7,
		`{"id" : 7 , "target":9,`:                     9,
		`{"id":7,"targets":[1, 20 ,3],`:               20,
		`{"id":7,"targets":[1,2`:                      7,
		`{"id":9007199254740991,`:                     9007199254740991,
		`{"id":9007199254740992,`:                     0,
		`{"id":99999999999999999999999999,"target":5`: 5,
		`{"content":"\"id\":77","id":3`:               3,
		`{"id":-4,`:                                   0,
		`{"id":`:                                      0,
		`{"id"`:                                       0,
		`"id""id":5`:                                  5,
		`"targets":[,,,8]`:                            8,
		`{"ids":8,"Id":9`:                             0,
		strings.Repeat(`"id":[`, 1000) + strings.Repeat(`1`, 9): 111111111,
	} {
		if got := LargestNumber([]byte(in), "id", "target", "targets"); got != want {
			t.Errorf("LargestNumber(%.60s) = %d, want %d", in, got, want)
		}
	}
}

func TestTime(t *testing.T) {
	day := time.Date(2026, 5, 13, 19, 1, 1, 0, time.UTC)
	for in, want := range map[string]time.Time{
		`"2026-05-13T19:01:01Z"`:           day,
		`"2026-05-13t19:01:01z"`:           day,
		`"2026-05-13 19:01:01Z"`:           day,
		`"2026-05-13T21:01:01+02:00"`:      day,
		`"2026-05-13T19:01:01.25Z"`:        day.Add(250 * time.Millisecond),
		`"2026-05-13T19:01:01.000000001Z"`: day.Add(1),
		`"2026-05-13"`:                     time.Date(2026, 5, 13, 0, 0, 0, 0, time.UTC),
		`1778698861`:                       day,
		`1778698861.5`:                     day.Add(500 * time.Millisecond),
		`1.778698861e9`:                    day,
		`0`:                                time.Unix(0, 0).UTC(),
		`-1.5`:                             time.Unix(-2, 5e8).UTC(),
	} {
		got, ok := Value(in).Time()
		if !ok || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("Time(%s) = %v, %v, want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{
		`""`, `"soon"`, `"2026-13-01T00:00:00Z"`, `"2026-02-30"`, `"2026-05-13T19:01:01"`, `"2026-05-13T19:01Z"`,
		`"0000-01-01T00:00:00+01:00"`, `1e400`, `1e300`, `-1e300`, `253402300800`, `1778698861000`, `true`, `null`, `[]`, `{}`,
		`"` + strings.Repeat("2", 10000) + `"`,
	} {
		if got, ok := Value(in).Time(); ok {
			t.Errorf("Time(%.40s) = %v", in, got)
		}
	}
}

func TestValueTypes(t *testing.T) {
	if _, ok := Value(nil).Text(); ok || !Value(nil).Null() {
		t.Error("no value is not null")
	}
	for in, want := range map[string]bool{`null`: true, `false`: true, `""`: true, `[ ]`: true, `[]`: true, `true`: false, `0`: false, `"a"`: false, `[0]`: false, `{}`: false} {
		if got := Value(in).Empty(); got != want {
			t.Errorf("Empty(%s) = %v", in, got)
		}
	}
	for in, want := range map[string]string{`[1]`: "an array", `{}`: "an object", `12`: "12", `"x"`: `"x"`, `null`: "null"} {
		if got := Value(in).Show(); got != want {
			t.Errorf("Show(%s) = %s, want %s", in, got, want)
		}
	}
	if got := Clip(strings.Repeat("é", 30) + "x"); got != strings.Repeat("é", 20)+"..." {
		t.Errorf("Clip = %q", got)
	}
	if got := Clip("x" + strings.Repeat("é", 30)); !utf8.ValidString(got) {
		t.Errorf("Clip cuts a rune: %q", got)
	}
	for _, in := range []string{"\"a\xff\"", `"\ud800"`, "[\"a\",\"\xff\"]", `["\udc00"]`} {
		if !Value(in).Lossy() {
			t.Errorf("%q is not lossy", in)
		}
	}
	for _, in := range []string{`"\ufffd"`, `"�"`, `"\ud83d\ude00"`, `["\\ud800"]`, `12`, `{"a":"\ud800"}`} {
		if Value(in).Lossy() {
			t.Errorf("%q is lossy", in)
		}
	}
	if list, ok := Value(`["a",1]`).Texts(); ok {
		t.Errorf("Texts of mixed types = %q", list)
	}
	if list, ok := Value(`[]`).Texts(); !ok || list == nil {
		t.Errorf("Texts of an empty array = %v, %v", list, ok)
	}
}

func TestAppendField(t *testing.T) {
	text, n, big, yes, list := "a\n<b>&\u2028\x01\x7f\"\\\b\f\r\té\xff", 3, int64(1)<<53, true, []string{"x", "y"}
	when := time.Date(2026, 5, 13, 21, 1, 1, 250e6, time.FixedZone("", 7200))
	zero, none := "", time.Time{}
	dst := []byte("{")
	for i, place := range []any{&zero, &none, &text, &n, &big, &yes, &list, &when, new([]string), new(bool), new(int), new(int64), 7} {
		dst = AppendField(dst, fmt.Sprint("f", i), place)
	}
	want := "{" + `"f2":"a\n<b>&\u2028\u0001` + "\x7f" + `\"\\\b\f\r\té` + "\ufffd" + `","f3":3,"f4":9007199254740992,"f5":true,"f6":["x","y"],"f7":"2026-05-13T19:01:01.25Z"`
	if diff := cmp.Diff(want, string(dst)); diff != "" {
		t.Error(diff)
	}
}

func TestIntLimits(t *testing.T) {
	for in, want := range map[string]int64{`9007199254740991`: math.MaxInt64 >> 10, `-9007199254740991`: -(1<<53 - 1), `0`: 0, `-0`: 0} {
		if got, ok := Value(in).Int(); !ok || got != want {
			t.Errorf("Int(%s) = %d, %v", in, got, ok)
		}
	}
	for _, in := range []string{`9007199254740992`, `-9007199254740992`, `3.0`, `3e0`, `"3"`, `99999999999999999999`, `true`, `-`} {
		if got, ok := Value(in).Int(); ok {
			t.Errorf("Int(%s) = %d", in, got)
		}
	}
}

func BenchmarkObject(b *testing.B) {
	in := []byte(line)
	b.Run("scan", func(b *testing.B) {
		b.SetBytes(int64(len(in)))
		b.ReportAllocs()
		for b.Loop() {
			for _, err := range Object(in) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.SetBytes(int64(len(in)))
		b.ReportAllocs()
		for b.Loop() {
			var v map[string]json.RawMessage
			if err := json.Unmarshal(in, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("valid", func(b *testing.B) {
		b.SetBytes(int64(len(in)))
		for b.Loop() {
			if !json.Valid(in) {
				b.Fatal("not valid")
			}
		}
	})
}

// TestMapFields: what is not changed keeps its name, its place and its bytes.
func TestMapFields(t *testing.T) {
	to := func(name string, v Value) Value {
		switch name {
		case "a":
			return AppendString(nil, "new")
		case "b":
			return nil
		}
		return v
	}
	for line, want := range map[string]string{
		`{}`:                                   `{}`,
		` {"x":{"a" : 1},"a":1,"b":2,"y":1.0}`: `{"x":{"a" : 1},"a":"new","y":1.0}`,
		`{"a":1,"a":2}`:                        `{"a":"new","a":"new"}`,
		`{"a":1`:                               "",
	} {
		got, err := MapFields([]byte(line), to)
		if string(got) != want || (err != nil) != (want == "") {
			t.Errorf("%s became %s, %v", line, got, err)
		}
	}
}
