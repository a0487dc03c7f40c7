//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// A week is one person at one machine, in a repository and outside of it.
type week struct {
	t     *testing.T
	dir   string // of everything; the repository is tea below it
	model *llmtest.Server
}

// day holds a conversation of these lines and gives what was printed and said, and the
// system message of the last question.
func (w week) day(now, where string, lines ...string) (said, system string) {
	w.t.Helper()
	cmd := clitest.Command(w.t, w.dir, w.model)
	cmd.Dir = filepath.Join(w.dir, where)
	cmd.Env = append(cmd.Env, "KEN_NOW="+now)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("%v\n%s", err, out)
	}
	reqs := w.model.Requests()
	return string(out), reqs[len(reqs)-1].Messages()[0].Content
}

// repository makes the repository that they work in.
func (w week) repository() {
	w.t.Helper()
	git := filepath.Join(w.dir, "tea", ".git")
	if err := os.MkdirAll(git, 0o700); err != nil {
		w.t.Fatal(err)
	}
	for name, text := range map[string]string{
		"HEAD": "ref: refs/heads/main\n", "config": "[remote \"origin\"]\n\turl = https://example.org/ada/tea.git\n",
	} {
		if err := os.WriteFile(filepath.Join(git, name), []byte(text), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w week) holds(what, text string, want ...string) {
	w.t.Helper()
	for _, s := range want {
		if strings.HasPrefix(s, "!") == strings.Contains(text, strings.TrimPrefix(s, "!")) {
			w.t.Errorf("%s: want %q in\n%s", what, s, text)
		}
	}
}

// TestWeekByCommand: five conversations of one person, and one a month later. What each start
// announces and sends, and why; what is remembered, summed up, proposed, let in and
// archived.
//
//ken:indexed
func TestWeekByCommand(t *testing.T) {
	t.Parallel()
	w := week{t: t, dir: t.TempDir(), model: llmtest.New(t)}
	w.model.Reply(func(llmtest.Request) llmtest.Script { return llmtest.Text("understood") })
	w.repository()
	clitest.Configure(t, w.dir, "[memory]\nuser_namespace = \"ada\"\n[context]\nkeep_turns = 2\n")
	// In March something was remembered that nobody has asked for since.
	for _, args := range [][]string{{"remember", "--scope", "repo:example.org/ada/office", "the old printer is in room 4"}, nil} {
		cmd := clitest.Command(t, w.dir, nil, args...)
		cmd.Env = append(cmd.Env, "KEN_NOW=2026-03-01T09:00:00Z")
		cmd.Stdin = strings.NewReader(":quit\n")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}

	said, system := w.day("2026-05-11T09:00:00Z", "tea", ":remember --here we install packages with pnpm",
		"The staging host is kettle.example.org.", "We never deploy on Fridays.", "how do I get to staging?")
	w.holds("Monday", said, "!injected", "remembered #2", "!recent context",
		"[ken] memory: 2 candidates wait (ken review)", "[ken] archived 1 memory (unused for more than 60 days); undo: ken undo 3")
	w.holds("Monday's prompt", system, "!the old printer", "we install packages with pnpm", "!Recent context")

	said, system = w.day("2026-05-12T09:00:00Z", "tea", "how do we install packages?", ":why")
	w.holds("Tuesday", said, "[ken] memory: 1 item injected", "[ken] recent context: 5 lines of 2026-05-11, until 2026-05-25",
		": 1 memory\n", "session context: working memory of 2026-05-11, until 2026-05-25; no profile", "repo match; words: install packages", "!candidate")
	w.holds("Tuesday's prompt", system, "we install packages with pnpm", "--- Recent context ---", "- The staging host is kettle.example.org.", "!the old printer")

	// Outside of the repository, and after a yes to what waited.
	cmd := clitest.Command(t, w.dir, nil, "review")
	cmd.Env = append(cmd.Env, "KEN_NOW=2026-05-13T08:59:00Z")
	x := clitest.Open(t, cmd)
	x.Await("The staging host is kettle.example.org")
	x.Await("[Enter] next > ")
	x.Send("n")
	x.Await("We never deploy on Fridays")
	x.Await("[Enter] next > ")
	x.Send("y")
	x.Await("kept #4 (undo: ken undo 4)")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	said, system = w.day("2026-05-13T09:00:00Z", ".", "can I deploy tomorrow?", ":why")
	w.holds("Wednesday", said, "!injected", "[ken] recent context: 5 lines of 2026-05-11", ": no memory\n", "session context: working memory of 2026-05-11")
	w.holds("Wednesday's prompt", system, "!pnpm", "- The staging host is kettle.example.org.")

	said, system = w.day("2026-05-14T09:00:00Z", "tea", "I prefer short answers.", "the port is 8443", "what is left?", ":compact", "can I deploy tomorrow?", ":why")
	w.holds("Thursday", said, "[ken] memory: 2 items injected", "[ken] context: 4 turns summed up", "[ken] updated ada/working after compaction",
		"[ken] memory: 1 candidate waits (:review)", ": 2 memories\n", "We never deploy on Fridays (convention, stabilized,", "repo match; kind convention")
	w.holds("Thursday's prompt", system, "We never deploy on Fridays.", "[summary of the earlier conversation]", "- the port is 8443")

	said, system = w.day("2026-05-15T09:00:00Z", "tea", "which port was it?", ":why")
	w.holds("Friday", said, "[ken] memory: 2 items injected", "of 2026-05-14, until 2026-05-28", "session context: working memory of 2026-05-14")
	w.holds("Friday's prompt", system, "- the port is 8443", "!short answers. (", "!the old printer")

	// A month later the working memory is no more; what was remembered is, and what was said is found.
	said, system = w.day("2026-06-15T09:00:00Z", "tea", "which port was it?", ":why", ":sessions search 8443")
	w.holds("June", said, "[ken] memory: 2 items injected", "!recent context:", "session context: the working memory expired on 2026-05-28, not sent; no profile", "you: the port is 8443")
	w.holds("June's prompt", system, "We never deploy on Fridays", "we install packages with pnpm", "!8443", "!Recent context")
}
