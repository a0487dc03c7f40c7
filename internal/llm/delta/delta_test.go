package delta

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"ken/internal/llm/wire"
)

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

func TestManyBadEvents(t *testing.T) {
	t.Parallel()
	a := New()
	d := wire.NewReader(strings.NewReader(strings.Repeat("data: {bad\n\n", 100)))
	for {
		ev, err := d.Next()
		if err != nil {
			break
		}
		if _, e := a.Take(ev); e != nil {
			t.Fatal(e)
		}
	}
	if w := a.Whole(nil).Warnings; len(w) != maxWarned+1 || !strings.Contains(w[maxWarned], "97 more") {
		t.Errorf("warnings %q", w)
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
