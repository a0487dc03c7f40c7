package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSecretIsNotPrinted(t *testing.T) {
	t.Parallel()
	key := "sk-" + strings.Repeat("a1B2", 10)
	p := Preset{Name: "fast", APIKey: NewSecret(key)}
	var out strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%p"} {
		for _, v := range []any{p.APIKey, &p.APIKey, p, &p, New(p, Options{}), []any{p}, map[string]any{"p": p}, struct{ hidden Secret }{p.APIKey}} {
			fmt.Fprintf(&out, verb+"\n", v)
		}
	}
	b, err := json.Marshal(map[string]any{"p": p, "key": &p.APIKey})
	if err != nil {
		t.Fatal(err)
	}
	out.Write(b)
	slog.New(slog.NewTextHandler(&out, nil)).Info("a", "key", p.APIKey, "preset", p)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("a", "key", p.APIKey, "preset", p)
	for _, form := range []string{key, fmt.Sprintf("%x", key), fmt.Sprintf("%X", key)} {
		if strings.Contains(out.String(), form) {
			t.Errorf("the key is in %s", out.String())
		}
	}
	if p.APIKey.Reveal() != key || p.APIKey.IsZero() || !NewSecret(" \n").IsZero() || NewSecret("").Reveal() != "" || !p.APIKey.Equal(NewSecret(key+"\n")) {
		t.Error("a Secret does not hold what it was given")
	}
}

func TestEndpoint(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"http://127.0.0.1:8080":                              "http://127.0.0.1:8080/v1/chat/completions",
		"http://127.0.0.1:8080/":                             "http://127.0.0.1:8080/v1/chat/completions",
		"http://127.0.0.1:8080/v1":                           "http://127.0.0.1:8080/v1/chat/completions",
		" http://127.0.0.1:8080/v1/ ":                        "http://127.0.0.1:8080/v1/chat/completions",
		"https://api.example.com":                            "https://api.example.com/v1/chat/completions",
		"https://api.example.com/api/v1":                     "https://api.example.com/api/v1/chat/completions",
		"https://g.example.com/v1beta/openai/":               "https://g.example.com/v1beta/openai/chat/completions",
		"https://e.example.com/v1/chat/completions":          "https://e.example.com/v1/chat/completions",
		"https://z.example.com/openai?api-version=1#part":    "https://z.example.com/openai/chat/completions?api-version=1",
		"http://user:secret@[::1]:1234/v1":                   "http://user:secret@[::1]:1234/v1/chat/completions",
		"":                                                   "no base_url is set",
		"localhost:8080":                                     "does not begin with http://",
		"ftp://example.com":                                  "does not begin with http://",
		"http://":                                            "does not begin with http://",
		"http://user:secret@host:badport/":                   "no URL",
		"127.0.0.1:8080/v1?key=secret":                       "base_url",
		"file:///secret/../etc":                              "does not begin with http://",
		"https:/api.example.com?key=secret":                  "does not begin with http://",
		"https://user:secret@/path?secret=secret#secret":     "does not begin with http://",
		"https://h.example.com/base/chat/completions/?a=b&c": "https://h.example.com/base/chat/completions?a=b&c",
	} {
		u, err := endpoint(base, "/chat/completions")
		if err != nil {
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "user:") || strings.Contains(err.Error(), "key=") {
				t.Errorf("%q: %v, want %s", base, err, want)
			}
			continue
		}
		if u.String() != want {
			t.Errorf("%q: %s, want %s", base, u, want)
		}
		if s := shown(u); strings.ContainsAny(s, "?#@") {
			t.Errorf("%q is shown as %s", base, s)
		}
	}
}

func TestProxyNeverForLoopback(t *testing.T) {
	// Not parallel, and before any other use: net/http reads the environment once.
	t.Setenv("HTTP_PROXY", "http://proxy.example.com:3128")
	t.Setenv("NO_PROXY", "")
	for _, host := range []string{"127.0.0.1:8080", "127.9.9.9", "[::1]:1", "localhost", "LOCALHOST:11434", "x.localhost"} {
		u, err := proxy(&http.Request{URL: &url.URL{Scheme: "http", Host: host}})
		if u != nil || err != nil {
			t.Errorf("%s goes through %v, %v", host, u, err)
		}
	}
}

// A split message gives the same text and thought, however it is cut.
func TestThinkSplits(t *testing.T) {
	t.Parallel()
	pieces := []string{"<think>", "</think>", "<thinking>", "</thinking>", "<THINK>", "```\n", "`", "~~~\n", "\n", " ", "a", "b c", "<", "</", "<t", "<thin", ">"}
	rapid.Check(t, func(r *rapid.T) {
		content := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(r, "pieces"), "")
		checkSplits(r, content, rapid.SliceOfN(rapid.IntRange(0, len(content)), 0, 10).Draw(r, "cuts"))
	})
}

type failer interface {
	Errorf(format string, args ...any)
}

func checkSplits(t failer, content string, cuts []int) {
	whole := newSplitter()
	whole.add(content)
	whole.finish()
	s := newSplitter()
	var shown string
	from := 0
	step := func(chunk string) {
		text, _, rethought := s.add(chunk)
		if rethought {
			shown = ""
		}
		shown += text
	}
	for _, at := range cuts {
		if at > from {
			step(content[from:at])
			from = at
		}
	}
	step(content[from:])
	shown += s.finish()
	if string(s.text) != string(whole.text) || string(s.thought) != string(whole.thought) {
		t.Errorf("%q cut at %v: text %q, thought %q; whole: text %q, thought %q", content, cuts, s.text, s.thought, whole.text, whole.thought)
	}
	if !strings.HasSuffix(string(s.text), shown) && !strings.HasSuffix(shown, string(s.text)) {
		t.Errorf("%q cut at %v: shown %q of text %q", content, cuts, shown, s.text)
	}
	if !strings.Contains(strings.ToLower(content), "<think") && !strings.Contains(strings.ToLower(content), "</think") && string(s.text) != content {
		t.Errorf("%q without tags became %q", content, s.text)
	}
	// Nothing that is no space and no tag is lost, and nothing is added.
	if a, b := letters(content), letters(string(s.thought)+string(s.text)); len(b) > len(a) {
		t.Errorf("%q became text %q and thought %q", content, s.text, s.thought)
	}
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// A walk sees what encoding/json sees.
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
	if isObject(doc) && json.Unmarshal(doc, &object) == nil {
		got := map[string]json.RawMessage{}
		for w := members(doc); ; {
			name, v, ok := w.member()
			if !ok {
				break
			}
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
		for w := elements(doc); ; {
			v, ok := w.element()
			if !ok {
				break
			}
			got = append(got, v)
			checkWalk(t, v)
		}
		if d := cmp.Diff(list, got); d != "" {
			t.Errorf("%q: %s", doc, d)
		}
	}
	var s *string
	if json.Unmarshal(doc, &s) == nil && s != nil {
		if got, ok := text(doc[blank(doc, 0):skip(doc, blank(doc, 0))]); !ok || got != *s {
			t.Errorf("%q is %q, want %q", doc, got, *s)
		}
	}
}

func TestAppendString(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(r, "bytes"))
		raw := appendString(nil, s)
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

// One event may be large; one that never ends is given up.
func TestEndlessLine(t *testing.T) {
	t.Parallel()
	d := newEvents(io.MultiReader(strings.NewReader("data: "), endless{}))
	for {
		_, err := d.next()
		if err == nil {
			continue
		}
		if !errors.Is(err, errTooLarge) || len(d.buf) > maxEvent {
			t.Errorf("%v with a buffer of %d bytes", err, len(d.buf))
		}
		return
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func TestManyBadEvents(t *testing.T) {
	t.Parallel()
	a := newAssembler()
	d := newEvents(strings.NewReader(strings.Repeat("data: {bad\n\n", 100)))
	for {
		ev, err := d.next()
		if err != nil {
			break
		}
		if _, e := a.take(ev); e != nil {
			t.Fatal(e)
		}
	}
	if w := a.answer(nil).Warnings; len(w) != maxWarned+1 || !strings.Contains(w[maxWarned], "97 more") {
		t.Errorf("warnings %q", w)
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                          "",
		" a \r\n\t b ":              "a b",
		"a\x1b[31mb\x07\u202ec\x00": "a[31mbc",
		strings.Repeat("é", 10):     "ééé...",
	} {
		if got := line(in, 7); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestParseToolCalls(t *testing.T) {
	t.Parallel()
	calls, err := ParseToolCalls(json.RawMessage(`[{"id":"1","type":"function","function":{"name":"f","arguments":"{"}}]`))
	if err != nil || len(calls) != 1 || calls[0].Problem == "" || calls[0].Arguments != "{" {
		t.Errorf("%+v, %v", calls, err)
	}
	for _, none := range []string{"", " ", "null", "[]"} {
		if calls, err := ParseToolCalls(json.RawMessage(none)); err != nil || len(calls) != 0 {
			t.Errorf("%q: %v, %v", none, calls, err)
		}
	}
	for _, bad := range []string{"{", `{"a":1}`, `[1]`, `["a"]`} {
		if calls, err := ParseToolCalls(json.RawMessage(bad)); err == nil {
			t.Errorf("%q gives %v", bad, calls)
		}
	}
	broken := []ToolCall{{ID: "1", Name: "f", Arguments: "{}", Extra: map[string]json.RawMessage{"x": json.RawMessage("{")}}}
	if got := string(MarshalToolCalls(broken)); got != `[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]` {
		t.Errorf("a broken field gives %s", got)
	}
	if MarshalToolCalls(nil) != nil || (*Usage)(nil).JSON() != nil || string((&Usage{Prompt: 3, Total: 3}).JSON()) != `{"prompt":3,"total":3}` {
		t.Error("JSON of nothing, or of a usage")
	}
}
