//go:build linux || darwin

package shelltest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// several is an answer that calls the shell with lines, the ids of which are a, b and so on behind name.
func several(name string, lines ...string) llmtest.Script {
	var list []string
	for i, line := range lines {
		args, _ := json.Marshal(map[string]string{"command": line}) // of strings
		call, _ := json.Marshal(map[string]any{
			"index": i, "id": name + string(rune('a'+i)), "type": "function",
			"function": map[string]string{"name": "shell", "arguments": string(args)},
		})
		list = append(list, string(call))
	}
	said := llmtest.Delta(`{"tool_calls":[` + strings.Join(list, ",") + `]}`)
	return llmtest.Raw(said, llmtest.Finish("tool_calls")+llmtest.Usage(10, 1)+llmtest.Done)
}

// answered fails unless each call in the sessions below dir has one result, and returns what the results say by their call.
func answered(t *testing.T, dir string) map[string]string {
	t.Helper()
	called, got := []string{}, make(map[string]string)
	for line := range strings.Lines(clitest.Sessions(t, dir)) {
		var turn struct {
			Role, Content string
			ToolCallID    string                `json:"tool_call_id"`
			ToolCalls     []struct{ ID string } `json:"tool_calls"`
		}
		if err := json.Unmarshal([]byte(line), &turn); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		for _, c := range turn.ToolCalls {
			called = append(called, c.ID)
		}
		if turn.Role == "tool" {
			if _, twice := got[turn.ToolCallID]; twice {
				t.Errorf("%s has two results", turn.ToolCallID)
			}
			got[turn.ToolCallID] = turn.Content
		}
	}
	for _, id := range called {
		if got[id] == "" {
			t.Errorf("%s has no result", id)
		}
	}
	if len(called) != len(got) {
		t.Errorf("%d calls, %d results", len(called), len(got))
	}
	return got
}

// legal fails unless all requests are ones that every server takes.
func legal(t *testing.T, model *llmtest.Server) {
	t.Helper()
	for i, r := range model.Requests() {
		if err := (llmtest.Rules{}).Legal(r.Body); err != nil {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
}

// TestS93Stops: Ctrl-C in a run ends it after the act in hand, and a second one ends that as well; one while a model answers
// ends the answer. The terminal is as it was, each call has its result, and the conversation goes on.
func TestS93Stops(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t,
		several("x", "echo up; sleep 1; echo over", "echo never"),
		llmtest.Text("So far."),
		several("y", "echo long; sleep 600; echo lost", "echo never"),
		llmtest.Text("And so far."),
		llmtest.Hang("I thi"),
		llmtest.Text("Here still."))
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	before := x.Settings()
	for _, c := range []struct{ goal, shows, says, then string }{
		{"once", "\nup", "", "So far."},
		{"twice", "\nlong", "stopped by the person after", "And so far."},
		{"answer", "I thi", "", "Here still."},
	} {
		x.Send(":auto " + c.goal + "\r")
		x.Await(c.shows)
		x.Send("\x03")
		if c.goal != "answer" {
			x.Await("it ends after the act in hand; Ctrl-C: at once")
		}
		if c.goal == "twice" {
			x.Send("\x03")
		}
		x.Await("auto: stopped (you stopped it): " + c.goal)
		x.Await("]> ")
		x.IsAsBefore(before)
		x.Send("and now?\r")
		x.Await(c.then)
		x.Await("]> ")
	}
	x.Quit()
	legal(t, model)
	got := answered(t, dir)
	for id, want := range map[string]string{
		"xa": "exit 0", "xb": "not run: the person stopped it", "ya": "stopped by the person after", "yb": "not run: the person stopped it",
	} {
		if !strings.Contains(got[id], want) {
			t.Errorf("%s: %q, want %q", id, got[id], want)
		}
	}
	if !strings.Contains(got["xa"], "over") || strings.Contains(got["ya"], "lost") {
		t.Errorf("%q, %q", got["xa"], got["ya"])
	}
}

// TestR90Stops: Ctrl-C in a round of calls ends the one in hand and makes none of the rest; each has its result, the terminal is
// as it was. Ctrl-C at the question about one, or where the reason for a no is asked, ends the step as well: nothing behind it is
// asked about, and the model is not asked again before the person says something. Enter is a no to that one alone.
func TestR90Stops(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Configure(t, dir, "[safety]\nallow = [\"touch *\", \"sleep *\"]\n")
	model := llmtest.New(t,
		several("x", "echo one", "echo two; sleep 600; touch lost", "touch never"), llmtest.Text("Fine."),
		several("y", "mkdir declined", "mkdir asked", "mkdir behind"), llmtest.Text("Then not."),
		llmtest.Call("za", "write_file", `{"path":"asked","content":"x\n"}`), llmtest.Text("Nor that."),
		llmtest.Call("zb", "write_file", `{"path":"asked","content":"x\n"}`), llmtest.Text("Well."))
	at := project(t)
	cmd := clitest.Command(t, dir, model)
	cmd.Dir = at
	x := clitest.Open(t, cmd)
	x.Await("]> ")
	before := x.Settings()
	x.Send("do it\r")
	x.Await("\ntwo")
	x.Send("\x03")
	x.Await("stopped")
	x.Await("]> ")
	x.IsAsBefore(before)
	x.Send("and now?\r")
	x.Await("Fine.")
	x.Await("]> ")
	for _, c := range []struct{ line, question, key, then, reason, answer string }{
		{"make it", "| mkdir asked", "\x03", "", "", "Then not."},
		{"write it", "asked, +1 -0:", "\x03", "", "", "Nor that."},
		{"write it now", "asked, +1 -0:", "r", "why not? ", "\x03", "Well."},
	} {
		x.Send(c.line + "\r")
		if c.line == "make it" {
			x.Await("| mkdir declined")
			x.Await(keysEnd)
			x.Send("\r")
		}
		x.Await(c.question)
		x.Await(keysEnd)
		x.Send(c.key)
		if c.then != "" {
			x.Await(c.then)
			x.Send(c.reason)
		}
		n := len(model.Requests())
		x.Await("the model was")
		x.Await("]> ")
		x.IsAsBefore(before)
		if asked := len(model.Requests()); asked != n {
			t.Errorf("%s: the model was asked %d times more", c.line, asked-n)
		}
		x.Send("what now?\r")
		x.Await(c.answer)
		x.Await("]> ")
	}
	x.Quit()
	legal(t, model)
	if strings.Contains(x.Text(), "| mkdir behind") {
		t.Error("what stood behind it was asked about")
	}
	got := answered(t, dir)
	for id, want := range map[string]string{
		"xa": "exit 0", "xb": "stopped by the person", "xc": "not run: the person stopped it",
		"ya": "not run: the person said no", "yb": "not run: the person stopped it", "yc": "not run: the person stopped it",
		"za": "not run: the person stopped it", "zb": "not run: the person stopped it",
	} {
		if !strings.Contains(got[id], want) {
			t.Errorf("%s: %q, want %q", id, got[id], want)
		}
	}
	for _, name := range []string{"lost", "never", "declined", "asked", "behind"} {
		if _, err := os.Stat(filepath.Join(at, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
}

// TestR373Key: the key that begins a run on an empty line ends the one that is on after the act in hand, and Ctrl-C that act then.
// What else is typed meanwhile stands on the next line; at a halt keys are the halt's, and the terminal is as it was.
func TestR373Key(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t,
		several("x", "echo up; sleep 1; echo over", "echo never"),
		several("y", "echo long; sleep 600; echo lost"),
		several("z", "mkdir asked", "echo more; sleep 1"),
		llmtest.Text("Yes."))
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	before := x.Settings()
	x.Send("\x0eonce\r") // begins :auto
	x.Await("\nup")
	x.Send("well\x0e?\x0e")
	x.Await("it ends after the act in hand; Ctrl-C: at once")
	x.Await("over")
	x.Await("auto: stopped (you stopped it): once")
	x.AwaitRow("[ken:test ~]> well?")
	x.IsAsBefore(before)
	x.Send("\x15:auto twice\r")
	x.Await("\nlong")
	x.Send("\x0e")
	x.Await("it ends after the act in hand")
	x.Send("\x03")
	x.Await("auto: stopped (you stopped it): twice")
	x.Await("]> ")
	x.Send(":auto ask\r")
	x.Await("| mkdir asked")
	x.Await(halts)
	x.Send("\x0e")
	x.Await("that is no answer")
	x.Await(halts)
	x.Send("n")
	x.Await("\nmore")
	x.Send("\x0e")
	x.Await("auto: stopped (you stopped it): ask")
	x.Await("]> ")
	x.IsAsBefore(before)
	x.Send("all well?\r")
	x.Await("Yes.")
	x.Await("]> ")
	x.Quit()
	legal(t, model)
	got := answered(t, dir)
	for id, want := range map[string]string{
		"xa": "over", "xb": "not run: the person stopped it", "ya": "stopped by the person after",
		"za": "the person skipped this", "zb": "exit 0",
	} {
		if !strings.Contains(got[id], want) {
			t.Errorf("%s: %q, want %q", id, got[id], want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "asked")); err == nil {
		t.Error("what was skipped was done")
	}
}
