package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/app"
	"ken/internal/llm/llmtest"
)

// TestExplain: who asks for it finds in the answer itself what the model was given, in a chunk of its own before the end or as the
// first field; every other byte is the model's. Who does not ask, and what failed, is answered as ever.
func TestExplain(t *testing.T) {
	t.Parallel()
	const first = `data: {"id":"c-1","object":"chat.completion.chunk","created":7,"model":"tiny",` +
		`"choices":[{"delta":{"content":"a"}}]}` + "\n\n"
	whole := func(text string) llmtest.Script {
		return llmtest.Script{Status: 200, ContentType: "application/json; charset=utf-8", Steps: []llmtest.Step{{Write: text}}}
	}
	slow := llmtest.Raw(strings.Split(first+llmtest.Done, "")...)
	for name, c := range map[string]struct {
		script llmtest.Script
		want   string // # is what is put in
	}{
		"a stream":       {llmtest.Raw(first, llmtest.Done), first + "#" + llmtest.Done},
		"byte for byte":  {slow, first + "#" + llmtest.Done},
		"no blank":       {llmtest.Raw(first + "data:[DONE]\r\n\r\n"), first + "#data:[DONE]\r\n\r\n"},
		"no end":         {llmtest.Raw(first), first + "#"},
		"half a line":    {llmtest.Raw(first + "data: [DO"), first + "data: [DO"},
		"nearly the end": {llmtest.Raw(first + "data: [DONO]\n\n" + llmtest.Done), first + "data: [DONO]\n\n#" + llmtest.Done},
		"in a text":      {llmtest.Raw(first + ": data: [DONE]\n\n" + llmtest.Done), first + ": data: [DONE]\n\n#" + llmtest.Done},
		"a comment":      {llmtest.Raw(": hello\n\n" + first + llmtest.Done), ": hello\n\n" + first + "#" + llmtest.Done},
		"an object":      {whole(" {\n \"id\":1}\n"), " {\n #,\"id\":1}\n"},
		"an empty one":   {whole("{ }"), "{ #}"},
		"a list":         {whole("[{}]"), "[{}]"},
		"a page":         {llmtest.Script{Status: 200, ContentType: "text/html", Steps: []llmtest.Step{{Write: "{}"}}}, "{}"},
		"an error":       {llmtest.Error(429, "slow"), `{"error":{"message":"slow","type":"test_error"}}`},
		"pressed":        {whole("{}").With("Content-Encoding", "br"), "{}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t, "", c.script, c.script)
			b.state("the staging host is kettle", "")
			if _, _, text := b.ask(about); text != strings.ReplaceAll(c.want, "#,", "") && text != strings.ReplaceAll(c.want, "#", "") {
				t.Errorf("not asked for: %q", text)
			}
			_, h, text := b.ask(about, "Ken-Explain", "1")
			before, after, put := strings.Cut(c.want, "#")
			if !put {
				if text != c.want {
					t.Errorf("%q, want %q", text, c.want)
				}
				return
			}
			if !strings.HasPrefix(text, before) || !strings.HasSuffix(text, after) {
				t.Fatalf("%q, want %q", text, c.want)
			}
			more := text[len(before) : len(text)-len(after)]
			if strings.HasPrefix(c.script.ContentType, "application/json") {
				more = "{" + more + "}"
			} else {
				line, begins := strings.CutPrefix(more, "data: ")
				var ends bool
				if more, ends = strings.CutSuffix(line, "\n\n"); !begins || !ends || strings.Contains(more, "\n") {
					t.Errorf("no line of its own: %q", more)
				}
				if !strings.HasPrefix(more, `{"id":"c-1","object":"chat.completion.chunk","created":7,"model":"tiny","choices":[],`) {
					t.Errorf("it is not called as the others: %s", more)
				}
			}
			var got struct {
				Ken struct {
					Memory, Ref string
					Memories    []struct{ Ref, Content string }
				}
			}
			if err := json.Unmarshal([]byte(more), &got); err != nil || got.Ken.Memory != "1" || got.Ken.Ref != h.Get("Ken-Why") ||
				len(got.Ken.Memories) != 1 || got.Ken.Memories[0].Content != "the staging host is kettle" {
				t.Errorf("%v: %s", err, more)
			}
		})
	}
}

// TestExplainNothing: who is given nothing is told so.
func TestExplainNothing(t *testing.T) {
	t.Parallel()
	b := newBed(t, "")
	b.model.Always(llmtest.Text("yes"))
	for model, want := range map[string]string{"ken/fast": "none", "fast": "off"} {
		_, _, text := b.ask(strings.Replace(about, "ken/fast", model, 1), "Ken-Explain", "1")
		if !strings.Contains(text, fmt.Sprintf(`"ken":{"memory":%q}}`, want)+"\n\n"+llmtest.Done) {
			t.Errorf("%s: %s", model, text)
		}
	}
}

// TestAlways: what is pinned, and rules, go with every question that has words, once, in front of what it calls for, and what goes so is
// told apart; a question of a program's own, and one of somebody else's, has none of it.
func TestAlways(t *testing.T) {
	t.Parallel()
	b := newBed(t, "")
	b.model.Always(llmtest.Text("yes"))
	person := b.app.View(app.Standing{Actor: app.Actor{Kind: app.Person}})
	for _, s := range []app.Statement{
		{Text: "the staging host is kettle"},
		{Text: "answers are short", Kind: "rule"},
		{Text: "the person is called Mara"},
		{Text: "the key of the shed is under the pot", Scope: "dir:/srv/project"},
	} {
		if _, err := person.Remember(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, ref := range []string{"3", "4"} {
		if _, err := person.Pin(t.Context(), ref, true, ""); err != nil {
			t.Fatal(err)
		}
	}
	_, h, _ := b.ask(msgs("user", `"what is the weather?"`))
	sent := string(b.last().Body)
	if h.Get("Ken-Memory") != "2" || !strings.Contains(sent, "answers are short") || !strings.Contains(sent, "Mara") ||
		strings.Contains(sent, "kettle") || strings.Contains(sent, "shed") {
		t.Errorf("%s: %s", h.Get("Ken-Memory"), sent)
	}
	_, h, _ = b.ask(about)
	sent = string(b.last().Body)
	if h.Get("Ken-Memory") != "3" || strings.Count(sent, "[memories]") != 1 || strings.Count(sent, "Mara") != 1 ||
		strings.Index(sent, "kettle") < strings.Index(sent, "answers are short") {
		t.Errorf("%s: %s", h.Get("Ken-Memory"), sent)
	}
	notes := Client{Name: "notes", Memory: b.app.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: "notes"}, Kept: true})}
	g, ok := b.end.Grounds(t.Context(), notes, h.Get("Ken-Why"))
	always := map[string]string{}
	for _, m := range g.Memories {
		always[m.Ref] = m.Always
	}
	if !ok || len(always) != 3 || always["1"] != "" || always["2"] != "rule" || always["3"] != "pinned" {
		t.Errorf("%+v", g)
	}
	if _, h, _ := b.ask(msgs("system", `"You are a title generator"`, "user", `"the staging host?"`)); h.Get("Ken-Memory") != "none" {
		t.Errorf("a title: %s", h.Get("Ken-Memory"))
	}
	_, h, _ = b.ask(about, "X-OpenWebUI-User-Id", "you")
	if h.Get("Ken-Memory") != "off" || strings.Contains(string(b.last().Body), "Mara") {
		t.Errorf("of somebody else: %s", h.Get("Ken-Memory"))
	}
	more := strings.Replace(about, "}]}", `},{"role":"assistant","content":null,"tool_calls":[]},{"role":"tool","content":"x"}]}`, 1)
	b.ask(about)
	if _, err := person.Pin(t.Context(), "3", false, ""); err != nil {
		t.Fatal(err)
	}
	log, err := os.OpenFile(filepath.Join(b.dir, "memory.jsonl"), os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = log.WriteString(`{"id":99,"kind":"forget","target":2}` + "\n") // by hand: nobody is asked whether they mean it here
	if err := errors.Join(err, log.Close()); err != nil {
		t.Fatal(err)
	}
	if b.ask(more); strings.Contains(string(b.last().Body), "answers are short") {
		t.Errorf("a rule that was forgotten: %s", b.last().Body)
	}
}
