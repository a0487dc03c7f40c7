//go:build linux || darwin

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// TestG15Kept: yes to a model that was found is kept in the settings, so that the next start looks for nothing; s is for
// this conversation. No says what it means and how it is changed, and so does Enter, which is asked again another day.
func TestG15Kept(t *testing.T) {
	t.Parallel()
	const day1, later, day2 = "2026-03-01T09:00:00Z", "2026-03-01T20:00:00Z", "2026-03-02T10:00:00Z"
	type start struct {
		now, key string // key "" is that nothing is asked
		sent     bool
		says     string
	}
	for name, starts := range map[string][]start{
		"yes":  {{day1, "y", true, ":config set --unset models.local)"}, {later, "", true, ""}},
		"this": {{day1, "s", true, ""}, {later, "n", false, ":memory trust met use 127.0.0.1:"}},
		"no":   {{day1, "n", false, "you say otherwise"}, {day2, "", false, ""}},
		"enter": {
			{day1, "\r", false, ":memory trust met use 127.0.0.1:"},
			{later, "", false, ""},
			{day2, "y", true, "kept in "},
		},
		"left": {{day1, "\x03", false, "for now"}, {later, "n", false, ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			model := llmtest.New(t)
			model.Always(llmtest.Text("fine"))
			at := strings.TrimPrefix(model.URL, "http://")
			ran(t, dir, nil, "remember", "the kettle is blue")
			for i, c := range starts {
				env := []string{"KEN_TEST_LOCAL=" + at, "KEN_NOW=" + c.now}
				if name == "yes" && i > 0 {
					env = env[1:] // nothing is found any more
				}
				x := clitest.StartEnv(t, dir, env)
				for range 2 {
					x.Await("]> ")
					x.Send("what colour is it?\r")
					if c.key != "" {
						x.Await("[Enter] not now > ")
						x.Send(c.key)
						if c.says != "" {
							x.Await(c.says)
						}
						c.key = ""
					}
					x.Await("fine")
				}
				x.Await("]> ")
				x.Quit()
				requests := model.Requests()
				if got := strings.Contains(string(requests[len(requests)-1].Body), "the kettle is blue"); got != c.sent {
					t.Errorf("start %d: memory was sent: %v", i, got)
				}
				if n := strings.Count(x.Text(), "memory and conversations?"); n > 1 || starts[i].key == "" && n > 0 {
					t.Errorf("start %d: asked %d times", i, n)
				}
			}
			text, err := os.ReadFile(filepath.Join(dir, "ken", "config.toml"))
			if kept := strings.Contains(string(text), `base_url = "http://`+at); kept != (name == "yes" || name == "enter") {
				t.Errorf("kept: %v, %v:\n%s", kept, err, text)
			}
		})
	}
}

// TestG14Dumb: where lines cannot be edited, a text that is to be changed is shown and typed anew, and Enter keeps it;
// questions are answered by the same letters with Enter, and what is pasted behind one is nobody's.
func TestG14Dumb(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const found = "- fact: the staging host is kettle\n- pref: tabs over spaces\n- fact: lunch is at noon\n"
	model := llmtest.New(t, llmtest.Text("fine"), llmtest.Text(found))
	clitest.Configure(t, dir, "[memory]\nauto_extract = \"off\"\n")
	cmd := clitest.Command(t, dir, model)
	cmd.Env = append(cmd.Env, "TERM=dumb")
	x := clitest.Open(t, cmd)
	x.Await("]> ")
	x.Send("the staging host is kettle, I want tabs over spaces, and lunch is at noon\r")
	x.Await("fine")
	x.Await("]> ")
	x.Send(":memory summarize\r")
	x.Await("[Enter] next > ")
	x.Send("e\r")
	x.Await("it says: the staging host is kettle\r\n")
	x.Await("anew (Enter keeps it) text: ")
	x.Send("\r")
	x.Await("[Enter] next > ")
	x.Send("e\r")
	x.Await("anew (Enter keeps it) text: ")
	x.Send("tabs in Go\r")
	x.Await("[Enter] next > ")
	x.Send("y\r:forget 1\ry\r")
	x.Await("that is no answer; type one of these, and Enter")
	x.Await("[Enter] next > ")
	x.Send("n\r")
	x.Await("added 2 of 3")
	x.Await("]> ")
	x.Send(":memory list\r")
	x.Await("tabs in Go")
	x.Await("the staging host is kettle")
	x.Await("]> ")
	x.Quit()
	if got := memories(t, dir); strings.Contains(got, "noon") || strings.Contains(got, "tabs over") {
		t.Errorf("kept:\n%s", got)
	}
}
