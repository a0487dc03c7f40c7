package connect

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/jsonc"
)

// hooksFile is the file of codex that has hooks, in a home of its own.
func hooksFile(t *testing.T, when When) File {
	t.Helper()
	a, _ := Find("codex")
	return a.Files(place(t), Want{Command: "/opt/bin/ken", Hooks: when})[0]
}

// TestHooksBesideOthers: hooks of the person's stay as they are, in whatever form the file is; ken's come and go, and all bytes
// are as before.
func TestHooksBesideOthers(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"object": "{}\n", "no hooks": "{\"hooks\": {}}", "a list": "{\n  \"hooks\": {\"SessionStart\": []}\n}\n",
		"mark": "\ufeff{\"x\": 1}\n", "windows": "{\r\n  \"x\": 1\r\n}\r\n", "no last line end": "{\n\t\"x\": 1\n}",
		"another hook": "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\"hooks\": [{\"command\": \"date\"}]}\n    ],\n" +
			"    \"Stop\": [{\"hooks\": []}]\n  }\n}\n",
		"a hook of another ken": "{\"hooks\": {\"SessionStart\": [{\"hooks\": [{\"command\": \"'/bin/kenobi' hook codex\"}]}]}}\n",
		"a hook for another":    "{\"hooks\": {\"UserPromptSubmit\": [{\"hooks\": [{\"command\": \"ken hook claude\"}]}]}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := hooksFile(t, AtPrompt)
			write(t, f.Path, src)
			if _, changed, err := apply(t, f, false); !changed || err != nil {
				t.Fatal(changed, err)
			}
			text := read(t, f.Path)
			if n := strings.Count(text, "'/opt/bin/ken' hook codex"); n != 2 {
				t.Errorf("%d hooks: %s", n, text)
			}
			if _, changed, err := apply(t, f, false); changed || err != nil {
				t.Errorf("again: %v, %v", changed, err)
			}
			if _, changed, err := apply(t, f, true); !changed || err != nil {
				t.Fatal(changed, err)
			}
			if got := read(t, f.Path); got != src {
				t.Error(cmp.Diff(src, got))
			}
		})
	}
}

// TestHooksOlder: a hook of ken's that says something else, that the person changed, or that stands there twice, becomes the one that is
// meant; without hooks all of them go, and what is not ken's stays.
func TestHooksOlder(t *testing.T) {
	t.Parallel()
	const mine = `{"hooks":[{"type":"command","command":"date"}]}`
	for _, ours := range []string{
		`{"matcher":"startup","hooks":[{"type":"command","command":"/old/ken hook codex","timeout":9}]}`,
		`{"hooks":[{"type":"command","command":"\"C:\\old dir\\ken.exe\" hook codex"}]}`,
		`{"hooks":[{"command":"ken hook codex"}]},{"hooks":[{"command":"ken hook codex prompt"}]}`,
	} {
		src := `{"hooks":{"SessionStart":[` + mine + `,` + ours + `]}}`
		for _, when := range []When{AtStart, Never} {
			f := hooksFile(t, when)
			write(t, f.Path, src)
			if _, changed, err := apply(t, f, false); !changed || err != nil {
				t.Fatal(changed, err)
			}
			is, _, err := jsonc.Get([]byte(read(t, f.Path)), "hooks", "SessionStart")
			list, _ := is.([]any)
			if err != nil || count(list, func(v any) bool { return runsOnly(v, "codex") }) != int(when) || len(list) != 1+int(when) {
				t.Errorf("%s: %v, %v", ours, is, err)
			}
		}
	}
}

// TestHooksMixed: a hook of ken's that the person put beside another one in one element is not torn out of it.
func TestHooksMixed(t *testing.T) {
	t.Parallel()
	f := hooksFile(t, AtStart)
	src := `{"hooks":{"SessionStart":[{"hooks":[{"command":"date"},{"command":"ken hook codex"}]}]}}`
	write(t, f.Path, src)
	for _, remove := range []bool{false, true} {
		foreign := (*ForeignError)(nil)
		_, err := Plan(f, remove)
		if !errors.As(err, &foreign) || !strings.Contains(err.Error(), "hooks.SessionStart") || read(t, f.Path) != src {
			t.Error(remove, err)
		}
	}
	for _, src := range []string{`{"hooks": []}`, `{"hooks": {"SessionStart": {}}}`, `{"hooks": null}`, "{\n// c\n}", `{"hooks": 1,}`} {
		write(t, f.Path, src)
		rejected := (*RejectedError)(nil)
		if _, err := Plan(f, false); !errors.As(err, &rejected) || read(t, f.Path) != src {
			t.Errorf("%s: %v", src, err)
		}
	}
}

// TestHooksProof: an edit that touches a hook of somebody else's, or leaves out one of ken's, is not written.
func TestHooksProof(t *testing.T) {
	t.Parallel()
	f := hooksFile(t, AtPrompt)
	before := []byte(`{"hooks":{"SessionStart":[{"hooks":[{"command":"date"}]}]}}`)
	good, err := f.put(before)
	if err != nil || f.prove(before, good, true) != nil {
		t.Fatal(err)
	}
	one := hooksFile(t, AtStart)
	less, err := one.put(before)
	if err != nil {
		t.Fatal(err)
	}
	for name, after := range map[string][]byte{
		"another is gone": []byte(strings.Replace(string(good), "date", "time", 1)), "one is missing": less, "nothing": before,
		"another says something else": []byte(strings.Replace(string(good), "'/opt/bin/ken' hook", "'/usr/bin/ken' hook", 1)),
	} {
		if f.prove(before, after, true) == nil {
			t.Errorf("%s: %s", name, after)
		}
	}
}

// TestEvent: what assistants say to their hooks.
func TestEvent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		said, word string
		want       Event
	}{
		{`{"hook_event_name":"SessionStart","source":"startup","cwd":"/x"}`, "", Event{Is: Starts, Dir: "/x", name: "SessionStart"}},
		{`{"hook_event_name":"SessionStart","source":"resume"}`, "", Event{Is: Another, name: "SessionStart"}},
		{`{"hook_event_name":"UserPromptSubmit","prompt":"a"}`, "", Event{Is: Asks, Text: "a", name: "UserPromptSubmit"}},
		{`{"hook_event_name":"BeforeAgent","prompt":"a","cwd":"rel"}`, "", Event{Is: Asks, Text: "a", name: "BeforeAgent"}},
		{`{"sessionId":"s","cwd":"/x","prompt":"a"}`, "prompt", Event{Is: Asks, Dir: "/x", Text: "a"}},
		{`{"sessionId":"s","cwd":"/x"}`, "", Event{Is: Starts, Dir: "/x"}},
		{`{"sessionId":"s"}`, "end", Event{}},
		{`{"hook_event_name":"Stop"}`, "", Event{name: "Stop"}},
		{`{"hook_event_name":"PreToolUse","tool_name":"mcp__plugin_ken_ken__recall"}`, "", Event{Is: Leave, name: "PreToolUse"}},
		{`{"hook_event_name":"PreToolUse","tool_name":"mcp__plugin_ken_ken__recalls"}`, "", Event{name: "PreToolUse"}},
		{`{"prompt": 1}`, "prompt", Event{}},
		{"no JSON", "", Event{Is: Starts}},
	} {
		got := ReadEvent(strings.NewReader(tt.said), tt.word)
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(Event{})); diff != "" {
			t.Errorf("%s %s:\n%s", tt.said, tt.word, diff)
		}
	}
}
