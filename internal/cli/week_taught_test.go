//go:build unix

package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// sit opens a shell on a terminal, there and then.
func (w week) sit(now, where string, args ...string) *clitest.Terminal {
	w.t.Helper()
	cmd := clitest.Command(w.t, w.dir, w.model, args...)
	cmd.Dir = filepath.Join(w.dir, where)
	cmd.Env = append(cmd.Env, "KEN_NOW="+now)
	x := clitest.Open(w.t, cmd)
	if len(args) == 0 {
		x.Await("]> ")
	}
	return x
}

// asked is the newest message that the model got, with all that went with it.
func (w week) asked() string {
	w.t.Helper()
	reqs := w.model.Requests()
	msgs := reqs[len(reqs)-1].Messages()
	return msgs[0].Content + "\n" + msgs[len(msgs)-1].Content
}

// taught is what memory has, one text a line, with kind and scope.
func (w week) taught() string {
	w.t.Helper()
	var all []string
	for _, l := range clitest.MemoryLines(w.t, w.dir) {
		if text, ok := l["content"].(string); ok {
			kind, _ := l["kind"].(string)
			scope, _ := l["scope"].(string)
			all = append(all, kind+" "+scope+" "+text)
		}
	}
	return strings.Join(all, "\n")
}

// TestWeek: the week of a person who never types a command to remember anything. They say
// things in their own words, and it knows them: on later days, in the place that they are
// about, until they say that it is to forget them. With a model and without one.
//
//ken:indexed
func TestWeek(t *testing.T) {
	t.Parallel()
	t.Run("model", func(t *testing.T) {
		t.Parallel()
		w := week{t: t, dir: t.TempDir(), model: llmtest.New(t)}
		w.model.Reply(func(llmtest.Request) llmtest.Script { return llmtest.Text("understood") })
		w.taughtWeek()
	})
	t.Run("no model", func(t *testing.T) {
		t.Parallel()
		week{t: t, dir: t.TempDir()}.taughtWeek()
	})
}

func (w week) taughtWeek() {
	w.t.Helper()
	w.repository()
	clitest.Configure(w.t, w.dir, "[memory]\nuser_namespace = \"ada\"\n")
	w.monday()
	w.tuesday()
	w.wednesday()
	w.thursday()
	w.friday()
}

// say types a line, waits for these texts in their order and for the next prompt.
func (w week) say(x *clitest.Terminal, line string, want ...string) {
	w.t.Helper()
	x.Send(line + "\r")
	for _, text := range want {
		x.Await(text)
	}
	x.Await("]> ")
}

// monday: what they ask to be kept is kept, with its kind and its place; what they state waits.
func (w week) monday() {
	w.t.Helper()
	x := w.sit("2026-05-11T09:00:00Z", "tea")
	w.say(x, "note to self: in this repo we install packages with pnpm", "remembered #1 (undo: :undo 1)")
	w.say(x, "from now on keep your answers short", "remembered #2 (undo: :undo 2)")
	w.say(x, "can you remember that my staging host is kettle.example.org?", "remembered #3 (undo: :undo 3)")
	w.say(x, "We never deploy on Fridays.", "worth keeping? p1 waits: :review")
	x.Quit()
	w.holds("Monday", x.Text(), "!candidate") // what was kept does not wait as well
	cmd := clitest.Command(w.t, w.dir, nil, "memory", "stats")
	cmd.Env = append(cmd.Env, "KEN_NOW=2026-05-11T20:00:00Z")
	stats, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Errorf("%v\n%s", err, stats)
	}
	w.holds("Monday's uses", string(stats), "called up by a question: 0 within 30 days, 3 never") // to teach it is no use of it
	if w.model != nil {
		w.holds("what the model gets of Monday", w.asked(), "keep your answers short")
	}
	w.holds("Monday's memory", w.taught(),
		"context repo:example.org/ada/tea in this repo we install packages with pnpm", "pref  keep your answers short",
		"fact  my staging host is kettle.example.org", "!Fridays")
}

// tuesday: a new shell knows it, and says what it went by; elsewhere it has nothing to do with it.
func (w week) tuesday() {
	w.t.Helper()
	x := w.sit("2026-05-12T09:00:00Z", "tea")
	if w.model == nil {
		w.say(x, "how do we install packages?", "in this repo we install packages with pnpm")
		x.Quit()
		x = w.sit("2026-05-12T10:00:00Z", ".")
		w.say(x, "which is my staging host?", "my staging host is kettle.example.org")
		x.Quit()
		w.holds("outside of the repository", x.Text(), "!pnpm")
		return
	}
	w.say(x, "how do we install packages?", `shaped by the project context "in this repo we install packages with pnpm"`)
	w.say(x, ":why --without 1", "without [1]: the rest, and nothing in its place")
	x.Quit()
	w.holds("what the model gets on Tuesday", w.asked(), "we install packages with pnpm", "keep your answers short")
	x = w.sit("2026-05-12T10:00:00Z", ".")
	w.say(x, "which is my staging host?", `shaped by the fact "my staging host is kettle.example.org"`)
	x.Quit()
	w.holds("what the model gets outside of the repository", w.asked(),
		"(fact) my staging host", "(pref) keep your answers short", "!(context)")
}

// wednesday: what they stated is theirs to let in.
func (w week) wednesday() {
	w.t.Helper()
	x := w.sit("2026-05-13T09:00:00Z", "tea", "review")
	x.Await("We never deploy on Fridays")
	x.Await("[Enter] next > ")
	x.Send("y")
	x.Await("kept #4 (undo: ken undo 4)")
	if code := x.Exit(); code != 0 {
		w.t.Errorf("exit code %d", code)
	}
	x = w.sit("2026-05-13T10:00:00Z", "tea")
	w.say(x, "on which days do we never deploy?", "We never deploy on Fridays")
	x.Quit()
	if w.model != nil {
		w.holds("what the model gets on Wednesday", w.asked(), "We never deploy on Fridays")
	}
}

// thursday: what they correct is replaced and what they take back is gone, once they said yes
// to what was found.
func (w week) thursday() {
	w.t.Helper()
	x := w.sit("2026-05-14T08:00:00Z", "tea")
	x.Send("correction: we install packages with bun, not pnpm\r")
	x.Await("in this repo we install packages with pnpm")
	x.Await("[N] no > ")
	x.Send("y\r")
	x.Await("in the place of #1 (undo: :undo ")
	x.Await("]> ")
	x.Quit()
	x = w.sit("2026-05-14T09:00:00Z", ".")
	x.Send("forget what I told you about the staging host\r")
	x.Await("my staging host is kettle.example.org")
	x.Await("[N] no > ")
	x.Send("y\r")
	x.Await("forgot #3: my staging host is kettle.example.org (undo: :undo ")
	x.Await("]> ")
	w.say(x, "which is my staging host?")
	x.Quit()
	if w.model != nil {
		w.holds("what the model gets on Thursday", w.asked(), "!kettle", "keep your answers short")
	}
}

// friday: the rest is still known, and nobody typed a command for it.
func (w week) friday() {
	w.t.Helper()
	x := w.sit("2026-05-15T09:00:00Z", "tea")
	if w.model == nil {
		w.say(x, "what do you know about packages?", "we install packages with bun")
		w.say(x, "what do you know about the staging host?", "Nothing is known")
		x.Quit()
		return
	}
	w.say(x, "how do we install packages, and can I deploy today?", "shaped by")
	w.say(x, ":why", "we install packages with bun")
	x.Quit()
	w.holds("Friday", x.Text(), "!kettle", "!in this repo we install packages with pnpm")
	// The recent context is of Monday, and says what was said then.
	w.holds("what the model gets on Friday", w.asked(),
		"we install packages with bun", "We never deploy on Fridays", "keep your answers short", "!kettle",
		"!(context) in this repo we install packages with pnpm")
}
