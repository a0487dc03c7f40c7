package wire

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Members and Elements see what encoding/json sees.
func TestWalkAgrees(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{
		`{}`, `[]`, ` { } `, `{"a":1}`, `{"a":{"b":[1,"]}",{"c":"\\\""}]},"d":null}`, `{"\u0061":"\ud83d\ude00","b":"\ud800x"}`,
		`{"a" : [ ] , "b" : true }`, "{\n\t\"a\": \"x:,{}\",\r\n \"b\": -1.5e+3\n}", `{"":{"":""}}`, `{"a":"` + strings.Repeat(`\\`, 999) + `","b":2}`,
		`[1, "a", [2], {"x":3}, null]`, `{"a":1,"a":2}`, "{\"a\":\"\xff\"}",
	} {
		checkWalk(t, []byte(doc))
	}
}

func checkWalk(t *testing.T, doc []byte) {
	t.Helper()
	var object map[string]json.RawMessage
	if IsObject(doc) && json.Unmarshal(doc, &object) == nil {
		got := map[string]json.RawMessage{}
		for name, v := range Members(doc) {
			got[string(name)] = v
		}
		if d := cmp.Diff(object, got); d != "" {
			t.Errorf("%q: %s", doc, d)
		}
		for _, v := range object {
			checkWalk(t, v)
		}
	}
	var list []json.RawMessage
	if json.Unmarshal(doc, &list) == nil && list != nil {
		got := []json.RawMessage{}
		for v := range Elements(doc) {
			got = append(got, v)
			checkWalk(t, v)
		}
		if d := cmp.Diff(list, got); d != "" {
			t.Errorf("%q: %s", doc, d)
		}
	}
	var s *string
	if json.Unmarshal(doc, &s) == nil && s != nil {
		if got, ok := Text(doc[blank(doc, 0):skip(doc, blank(doc, 0))]); !ok || got != *s {
			t.Errorf("%q is %q, want %q", doc, got, *s)
		}
	}
}

func TestAppendString(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(r, "bytes"))
		raw := AppendString(nil, s)
		var got string
		if err := json.Unmarshal(raw, &got); err != nil {
			r.Fatalf("%q is written as %s: %v", s, raw, err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); !sameRunes(got, s) {
			r.Fatalf("%q comes back as %q, want about %q", s, got, want)
		}
	})
}

// sameRunes: each broken byte is a rune of its own.
func sameRunes(got, s string) bool { return got == string([]rune(s)) }

// One event may be large; one that never ends is given up, whether it is one line
// or many.
func TestEndlessEvent(t *testing.T) {
	t.Parallel()
	for _, start := range []string{"data: ", "data: a\n"} {
		d := NewReader(io.MultiReader(strings.NewReader(start), endless(start)))
		d.max = 1 << 20
		for {
			_, err := d.Next()
			if err == nil {
				continue
			}
			if !errors.Is(err, ErrTooLarge) || len(d.buf) > d.max || len(d.pending) > d.max {
				t.Errorf("%v with %d bytes of a line and %d of an event", err, len(d.buf), len(d.pending))
			}
			break
		}
	}
}

// endless says the same for ever.
type endless string

func (e endless) Read(p []byte) (int, error) { return copy(p, e), nil }

func TestLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                          "",
		" a \r\n\t b ":              "a b",
		"a\x1b[31mb\x07\u202ec\x00": "a[31mbc",
		strings.Repeat("é", 10):     "ééé...",
	} {
		if got := Line(in, 7); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func FuzzWalk(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"\"]"}],"c":null}`))
	f.Add([]byte(`["\ud83d\ude00", -1e9 , []]`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		if json.Valid(doc) {
			checkWalk(t, doc)
		}
	})
}

func TestReader(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body string
		want       []string // data, with a mark in front: ! failed, ? bad, ~ torn
	}{
		{"empty", "", nil},
		{"space", "\ufeff \r\n\n", nil},
		{"one", "data: {}\n\n", []string{"{}"}},
		{"line ends", "data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n", []string{"1", "2", "3"}},
		{"no blank lines", "data: 1\ndata: 2\ndata: [DONE]\n", []string{"1", "2", "[DONE]"}},
		{"no last end", "data: 1\n\ndata: 2", []string{"1", "2"}},
		{"two lines", "data: {\"a\":\ndata: 1}\n\n", []string{"{\"a\":\n1}"}},
		{"two lines, the second an object", "data: {\"a\":\ndata: {\"b\":1}\ndata: }\n\n", []string{"{\"a\":\n{\"b\":1}\n}"}},
		{"fields", "id: 1\nevent: x\nretry: 3\n: c\ndata: 1\nnonsense\n\n", []string{"1"}},
		{"named errors", "event: error\ndata: {}\n\nerror: {}\ndata: 1\n\nevent: error\ndata: text: more\n\n", []string{"!{}", "!{}", "1", "!text: more"}},
		{"bad", "data: {\n\ndata: 1\n\n", []string{"?{", "1"}},
		{"bad, no blank line", "data: {\ndata: {\"choices\":1}\n", []string{"?{", `{"choices":1}`}},
		{"bad, then the end mark", "data: {\ndata: [DONE]\n", []string{"?{", "[DONE]"}},
		{"torn", "data: 1\n\ndata: {\"a", []string{"1", "~{\"a"}},
		{"lines of JSON", "{\"a\":1}\n\n{\"a\":2}\n", []string{`{"a":1}`, `{"a":2}`}},
		{"JSON on lines", "{\n\"a\":\n\n1}\n", []string{"{\n\"a\":\n1}"}},
		{"JSON in a stream", "data: 1\n\n{\"error\":1}\n", []string{"1", `{"error":1}`}},
	} {
		d := NewReader(iotest.OneByteReader(strings.NewReader(test.body)))
		var got []string
		for {
			ev, err := d.Next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Errorf("%s: %v", test.name, err)
				}
				break
			}
			mark := ""
			switch {
			case ev.Torn:
				mark = "~"
			case ev.Bad:
				mark = "?"
			case ev.Failed:
				mark = "!"
			}
			got = append(got, mark+string(ev.Data))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
		if d.Bytes() != int64(len(test.body)) || d.Head() != test.body {
			t.Errorf("%s: %d bytes, head %q", test.name, d.Bytes(), d.Head())
		}
	}
}

// A source that fails, or that gives nothing for ever, ends the reader.
func TestReaderErrors(t *testing.T) {
	t.Parallel()
	errLost := errors.New("lost")
	d := NewReader(io.MultiReader(strings.NewReader("data: 1\n\ndata: 2"), iotest.ErrReader(errLost)))
	for _, want := range []string{"1", "2"} {
		if ev, err := d.Next(); string(ev.Data) != want || err != nil {
			t.Errorf("%q, %v, want %s", ev.Data, err, want)
		}
	}
	for range 2 {
		if _, err := d.Next(); !errors.Is(err, errLost) {
			t.Errorf("error %v", err)
		}
	}
	if _, err := NewReader(idle{}).Next(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error %v", err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestFaultIn(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]*Fault{
		`{"error":{"message":"m","type":"t","code":500,"param":"p"}}`: {Message: "m", Code: "500", Param: "p", Status: 500},
		`{"error":{"message":"m","type":"t","code":null}}`:            {Message: "m", Code: "t"},
		`{"error":{"code":"c","type":"t"}}`:                           {Message: `{"code":"c","type":"t"}`, Code: "c"},
		`{"error":"m"}`:                                               {Message: "m"},
		`{"error":["m","n"]}`:                                         {Message: "m"},
		`{"error":true}`:                                              {Message: "true"},
		`[{"error":{"message":"m","code":429}}]`:                      {Message: "m", Code: "429", Status: 429},
		`[[{"a":1}],{"error":"m"}]`:                                   {Message: "m"},
		`{"object":"error","message":"m","code":40001}`:               {Message: "m", Code: "40001"},
		`{"error":{"message":{"error":{"message":"m"}}}}`:             {Message: "m"},
		`{"error":{"failed_generation":"g","message":"m"}}`:           {Message: "m: g"},
		`{"error":null}`:                                              nil, `{"error":{}}`: nil, `{"error":""}`: nil, `{"error":false}`: nil, `{}`: nil, `[]`: nil, `1`: nil,
		`{"message":"m"}`: nil, `{"detail":"m"}`: nil, `{"choices":[]}`: nil,
	} {
		got, ok := FaultIn([]byte(raw), false)
		if ok != (want != nil) || ok && got != *want {
			t.Errorf("%s: %+v, %v", raw, got, ok)
		}
	}
	for raw, want := range map[string]string{
		`{"detail":"m"}`: "m",
		`{"detail":[{"loc":["body",0,"x"],"msg":"m"}]}`: "body.x: m",
		`{"detail":[{"msg":"m"}]}`:                      "m",
		`{"detail":[{"loc":"x","msg":"m"}]}`:            "m",
		`{"message":"m","code":"c"}`:                    "m",
		`{"errors":[{"message":"m"}]}`:                  "m",
		`{"detail":{"other":1}}`:                        `{"other":1}`,
	} {
		if got, ok := FaultIn([]byte(raw), true); !ok || got.Message != want {
			t.Errorf("%s: %+v, %v", raw, got, ok)
		}
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{`"a"`: "a", `12`: "12", `"12"`: "12", `1.5`: "1.5", `null`: "", `true`: "", `{}`: "", `""`: ""} {
		if got := Word([]byte(raw)); got != want {
			t.Errorf("Word(%s) is %q", raw, got)
		}
	}
	for raw, want := range map[string]bool{`1`: true, `"2"`: true, `-1e3`: true, `null`: false, `"NaN"`: false, `""`: false, `"x"`: false, `{}`: false, `""x`: false} {
		if _, ok := Number([]byte(raw)); ok != want {
			t.Errorf("Number(%s) is %v", raw, ok)
		}
	}
	if !IsString([]byte(`""`)) || IsString(nil) || IsObject(nil) || !IsObject([]byte(" {}")) || !Nothing(nil) || Nothing([]byte("0")) {
		t.Error("kinds of values")
	}
}
