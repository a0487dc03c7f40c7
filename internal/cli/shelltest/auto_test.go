//go:build linux || darwin

package shelltest

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// halts is the end of the question at a halt.
const halts = "[N] skip it > "

// calls is an answer that calls the shell with a line.
func calls(id, line string) llmtest.Script {
	args, _ := json.Marshal(map[string]string{"command": line}) // of strings
	return llmtest.Call(id, "shell", string(args))
}

// TestS92Norris: at a terminal a run shows its steps, and the old name begins one; what is safe runs unasked.
func TestS92Norris(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := clitest.Start(t, dir, llmtest.New(t, calls("a", "echo one two"), llmtest.Text("It is done.\nGOAL: complete\n"), llmtest.Text("sure")))
	x.Await("]> ")
	x.Send(":norris off\r")
	x.Await("no run is on")
	x.Await("]> ")
	x.Send(":norris look around\r")
	x.Await("auto: look around")
	x.Await("step 1 of 16")
	x.Await("one two")
	x.Await("auto: done: look around")
	x.Await("exit 0, safe, by its level")
	x.Await("]> ")
	x.Send("and now?\r")
	x.Await("sure")
	x.Await("]> ")
	x.Quit()
}

// TestS93Halts: what is not safe halts; y does it once, n passes it over with a result for the model, q ends the run;
// after three in a row that were skipped the person is asked whether it has any sense, and may give another goal.
func TestS93Halts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t,
		calls("a", "mkdir made"), calls("b", "mkdir not"),
		calls("c", "mkdir c"), calls("d", "mkdir d"), // with b three in a row
		llmtest.Text("The other goal.\nGOAL: complete"),
		calls("e", "rm -rf build"), // of the second run
		llmtest.Text("as you say"))
	if err := os.Mkdir(filepath.Join(dir, "build"), 0o700); err != nil {
		t.Fatal(err)
	}
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send(":auto make it\r")
	x.Await("halted: caution")
	x.Await("  | mkdir made")
	x.Await(halts)
	x.Send("y")
	for _, key := range []string{"n", "\r", "n\r"} {
		x.Await(halts)
		x.Send(key)
	}
	x.Await("3 acts in a row were skipped")
	x.Await("[e] change the goal")
	x.Send("e")
	x.Await("the goal is > ")
	x.Send("leave it\r")
	x.Await("auto: done: leave it")
	x.Await("]> ")
	x.Send(":auto clean up\r")
	x.Await("halted: danger") // in the home directory it is one
	x.Await("  | rm -rf build")
	x.Await("[yes] do it")
	x.Await(halts)
	x.Send("q")
	x.Await("auto: aborted")
	x.Await("]> ")
	x.Send("well?\r")
	x.Await("as you say")
	x.Await("]> ")
	x.Quit()
	for name, want := range map[string]bool{"made": true, "not": false, "c": false, "d": false, "build": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	asked := model.Requests()
	if body := string(asked[2].Body); !strings.Contains(body, "the person skipped this") {
		t.Errorf("the model was not told of the skip: %s", body)
	}
	msgs := asked[4].Messages()
	if !strings.Contains(msgs[0].Content, "until it is reached:\nleave it") || msgs[len(msgs)-1].Content != "leave it" {
		t.Errorf("the model was not told of the other goal: %+v", msgs)
	}
	for i, r := range asked {
		if err := (llmtest.Rules{}).Legal(r.Body); err != nil {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
}

// TestS93Ends: a budget of steps ends a loop, a model that does nothing is nudged once and then stalls, and Ctrl-C ends the
// run after the act in hand.
func TestS93Ends(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Configure(t, dir, "[auto]\nmax_steps = 2\n")
	model := llmtest.New(t,
		calls("a", "echo 1"), calls("b", "echo 2"),
		llmtest.Text("Hm."), llmtest.Text("Hm again."),
		calls("c", "echo up; sleep 1; echo over"))
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send(":auto count\r")
	x.Await("auto: budget (auto.max_steps): count")
	x.Await("]> ")
	x.Send(":auto think\r")
	x.Await("auto: stalled (the model called nothing, gave no command and did not say that the goal is reached)")
	if rest := x.Await("]> "); strings.Contains(rest, "stalled") || !strings.Contains(rest, "say what to do instead") {
		t.Errorf("it is said again, or without what to do: %q", rest)
	}
	x.Send(":auto wait\r")
	x.Await("\nup")
	x.Send("\x03")
	x.Await("it ends after the act in hand")
	x.Await("over")
	x.Await("auto: stopped")
	x.Await("]> ")
	x.Quit()
	if n := len(model.Requests()); n != 5 {
		t.Errorf("the model was asked %d times", n)
	}
}

// TestS92Resume: a run that was killed in the middle of an act is told when its conversation is gone on with, can be looked at
// without being gone on with, and be gone on with from outside by its name or as the newest one, and from another conversation;
// the act is not done again. One that reached its goal is none.
func TestS92Resume(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, calls("a", "echo begun; sleep 600; echo again"))
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send(":auto make it\r")
	x.Await("\nbegun")
	if err := x.Cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	x.Exit()

	x = clitest.Start(t, dir, model, "-c")
	x.Await("a run in it has no end (make it, 1 step): see what was done, and go on with it: :auto")
	x.Await("]> ")
	x.Quit()

	x = clitest.Start(t, dir, model) // another conversation
	x.Await("]> ")
	x.Send(":resume --run\r")
	x.Await("going on with ")
	x.Await("auto: killed: make it")
	x.Await("$ echo begun; sleep 600; echo again")
	x.Await("ended with ken, which was killed after ")
	x.Await("go on with it?")
	x.Send("n\r")
	x.Await("]> ")
	x.Quit()
	if n := len(model.Requests()); n != 1 {
		t.Errorf("the model was asked %d times", n)
	}

	slow := make(chan struct{})
	model.Add(llmtest.Text("I see.\nGOAL: complete").Gate(0, slow))
	x = clitest.Start(t, dir, model, "resume", "--run")
	x.Await("auto: killed: make it")
	x.Await("go on with it?")
	x.Send("y\r")
	x.Await("step 2 of 16")
	x.Await("waiting for ")
	close(slow)
	x.Await("auto: done: make it")
	x.Await("]> ")
	quiet := len(x.Raw())
	time.Sleep(600 * time.Millisecond) // a line that counts is drawn five times meanwhile
	if more := x.Raw()[quiet:]; strings.Contains(more, "waiting for") {
		t.Errorf("it is waited for still: %q", more)
	}
	x.Quit()
	last := model.Requests()[1]
	if body := string(last.Body); !strings.Contains(body, "ended with ken, which was killed after ") || strings.Contains(body, `\nbegun`) {
		t.Errorf("sent: %s", body)
	}
	if err := (llmtest.Rules{}).Legal(last.Body); err != nil {
		t.Error(err)
	}
	if n := strings.Count(clitest.Sessions(t, dir), `"state":"begun","run"`); n != 1 {
		t.Errorf("%d acts began", n)
	}
	out, err := clitest.Command(t, dir, model, "resume", "--run").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no run here is without an end") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestO4Plan: with --plan the model writes a plan first; what each command of it could do stands beside it, none runs, and neither
// does a call. After no nothing was done; e changes the plan, and the model works by what it was changed to.
func TestO4Plan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plan := "1. Look.\nCMD: ls\n2. Make it.\nCMD: mkdir made\n"
	model := llmtest.New(t,
		llmtest.Text(plan), // no
		calls("a", "mkdir called"), llmtest.Text(plan), llmtest.Text("CMD: echo as agreed\n"), llmtest.Text("GOAL: complete"))
	x := clitest.Command(t, dir, model)
	clitest.Write(t, filepath.Join(dir, "changes"), "#!/bin/sh\nsed -i.old 's/mkdir made/echo as agreed/' \"$1\"\n")
	if err := os.Chmod(filepath.Join(dir, "changes"), 0o700); err != nil {
		t.Fatal(err)
	}
	x.Env = append(x.Env, "VISUAL="+filepath.Join(dir, "changes"))
	tty := clitest.Open(t, x)
	tty.Await("]> ")
	tty.Send(":auto --plan make it\r")
	tty.Await("its plan first: nothing is done before you agree to it")
	tty.Await("1. Look.")
	tty.Await("safe  ls  (it only reads)")
	tty.Await("caution  mkdir made  (mkdir: makes or changes files)")
	tty.Await("work by this plan? [y] yes  [e] edit  [N] no > ")
	tty.Send("\r")
	tty.Await("auto: aborted (you said no to its plan): make it")
	tty.Await("nothing was done")
	tty.Await("]> ")
	tty.Send(":auto --plan make it\r")
	tty.Await("[N] no > ")
	tty.Send("e")
	tty.Await("safe  echo as agreed")
	tty.Await("[N] no > ")
	tty.Send("y")
	tty.Await("\nas agreed")
	tty.Await("auto: done: make it")
	tty.Await("1  $ echo as agreed")
	tty.Await("]> ")
	tty.Quit()
	asked := model.Requests()
	for i, want := range map[int]string{
		0: "But first a plan, and nothing else", 1: "But first a plan, and nothing else", 2: "the user has agreed to no plan yet",
		3: `the user has changed the plan: begin, and work by this one)\n\n1. Look.\nCMD: ls\n2. Make it.\nCMD: echo as agreed`,
		4: "You now work by yourself",
	} {
		if body := string(asked[i].Body); !strings.Contains(body, want) {
			t.Errorf("request %d has no %q: %s", i+1, want, body)
		}
	}
	if strings.Contains(string(asked[3].Body), "But first a plan") {
		t.Error("it is asked for a plan still")
	}
	legal(t, model)
	for _, name := range []string{"made", "called"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
}

// TestO4Undo: the command that the account of a run ends with takes all changes of files back, byte for byte: of a file that was
// changed twice, of one that was made, and of one that was written anew; as it stands in the shell, and as it stands outside.
func TestO4Undo(t *testing.T) {
	t.Parallel()
	dir, at := t.TempDir(), project(t)
	run := func(goal string) []llmtest.Script {
		return []llmtest.Script{
			llmtest.Call(goal+"1", "edit_file", `{"path":"sum.go","old":"\t\tn -= x\n","new":"\t\tn += x\n"}`),
			llmtest.Call(goal+"2", "write_file", `{"path":"made.txt","content":"made\n"}`),
			llmtest.Call(goal+"3", "edit_file", `{"path":"sum.go","old":"// Of is the sum of numbers.","new":"// Of adds numbers up."}`),
			llmtest.Call(goal+"4", "write_file", `{"path":"go.mod","content":"module other\n"}`),
			llmtest.Text("It is done.\nGOAL: complete"),
		}
	}
	files := func() map[string]string {
		t.Helper()
		all := make(map[string]string)
		entries, err := os.ReadDir(at)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, err := os.ReadFile(filepath.Join(at, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			all[e.Name()] = string(text)
		}
		return all
	}
	before := files()
	cmd := clitest.Command(t, dir, llmtest.New(t, append(run("x"), run("y")...)...))
	cmd.Dir = at
	x := clitest.Open(t, cmd)
	x.Await("]> ")
	for _, goal := range []string{"inside", "outside"} {
		x.Send(":auto " + goal + "\r")
		if goal == "inside" { // one yes is for edits of source code and prose; go.mod is obeyed by a program, and asked about still
			x.Await("[s] session (edits in this project)")
			x.Await(halts)
			x.Send("s")
		}
		x.Await("other programs may run or obey it")
		if said := x.Await(halts); strings.Contains(said, "[s] session") {
			t.Errorf("what is obeyed may be let for the session: %q", said)
		}
		x.Send("y")
		x.Await("auto: done: " + goal)
		x.Await("takes back the 4 edits: :")
		line := strings.TrimSpace(x.Await("\r\n"))
		x.Await("]> ")
		if now := files(); maps.Equal(now, before) || now["made.txt"] != "made\n" || len(strings.Fields(line)) != 5 {
			t.Fatalf("%q: %q", line, now)
		}
		if goal == "inside" {
			x.Send(":" + line + "\r")
			for range 4 {
				x.Await("undid a")
			}
			x.Await("]> ")
		}
		if goal == "outside" {
			x.Quit()
			out, errs, code := clitest.Run(t, dir, "", "sessions", "account", newest(t, dir))
			_, line, found := strings.Cut(out[strings.LastIndex(out, "outside"):], "takes back the 4 edits: ken ")
			if !found || code != 0 {
				t.Fatalf("exit %d: %s\n%s", code, out, errs)
			}
			line, _, _ = strings.Cut(line, "\n")
			if out, errs, code := clitest.Run(t, dir, "", strings.Fields(line)...); code != 0 || strings.Count(out, "undid a") != 4 {
				t.Errorf("exit %d: %s\n%s", code, out, errs)
			}
		}
		if diff := cmp.Diff(before, files()); diff != "" {
			t.Errorf("%s: %s", goal, diff)
		}
	}
}

// newest is the only session below dir.
func newest(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "ken", "sessions", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	return strings.TrimSuffix(filepath.Base(files[0]), ".jsonl")
}

// TestS92Again: a run is gone on with in a way that every server takes, and with its goal, whatever came last: nothing of an answer,
// an answer that did nothing, one that the person ended, or a question of theirs.
func TestS92Again(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scripts []llmtest.Script
		ends    string // the run
		key     string
		kill    bool
		ask     bool
	}{
		"killed before an answer": {[]llmtest.Script{llmtest.Hang()}, "step 1 of 16", "", true, false},
		"killed in an answer":     {[]llmtest.Script{llmtest.Hang("I thi")}, "I thi", "", true, false},
		"stalled":                 {[]llmtest.Script{llmtest.Text("Hm."), llmtest.Text("Hm again.")}, "auto: stalled", "", false, false},
		"stopped in an answer":    {[]llmtest.Script{llmtest.Hang("I thi")}, "I thi", "\x03", false, false},
		"stopped before one":      {[]llmtest.Script{llmtest.Hang()}, "step 1 of 16", "\x03", false, false},
		"asked since": {
			[]llmtest.Script{calls("a", "echo 1"), llmtest.Hang("I thi"), llmtest.Text("Well.")}, "I thi", "\x03", false, true,
		},
		"killed, asked since": {[]llmtest.Script{calls("a", "echo up; sleep 600"), llmtest.Text("Well.")}, "\nup", "", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			model := llmtest.New(t, c.scripts...)
			x := clitest.Start(t, dir, model)
			x.Await("]> ")
			x.Send(":auto reach it\r")
			x.Await(c.ends)
			if _, err := model.Await(1); err != nil {
				t.Fatal(err)
			}
			x.Send(c.key)
			if c.kill {
				if err := x.Cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				x.Exit()
				x = clitest.Start(t, dir, model, "-c")
			} else if c.key != "" {
				x.Await("auto: stopped")
			}
			x.Await("]> ")
			if c.ask {
				x.Send("how is it?\r")
				x.Await("Well.")
				x.Await("]> ")
			}
			model.Add(llmtest.Text("Yes.\nGOAL: complete"))
			x.Send(":auto\r")
			x.Await("go on with it?")
			x.Send("y\r")
			x.Await("auto: done: reach it")
			x.Await("]> ")
			x.Quit()
			legal(t, model)
			all := model.Requests()
			last := all[len(all)-1]
			msgs := last.Messages()
			if !strings.Contains(msgs[0].Content, "until it is reached:\nreach it") {
				t.Errorf("it does not know the goal: %+v", msgs)
			}
		})
	}
}

// TestS92Asked: who goes on with a conversation that was killed in the middle of an act of a question, and asks something else,
// reads that the model is told what is known; it is told that the act is unknown and the rest was not run.
func TestS92Asked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, several("x", "echo one", "echo begun; sleep 600", "echo never"))
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send("make it\r")
	x.Await("\nbegun")
	if err := x.Cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	x.Exit()
	model.Add(llmtest.Text("I look first."))
	x = clitest.Start(t, dir, model, "-c")
	x.Await("]> ")
	x.Send("how far are we?\r")
	x.Await("it is told what is known of them")
	x.Await("I look first.")
	x.Await("]> ")
	x.Quit()
	legal(t, model)
	got := answered(t, dir)
	for id, want := range map[string]string{
		"xa": "exit 0", "xb": "ended with ken, which was killed after ", "xc": "not run: ken was ended before",
	} {
		if !strings.Contains(got[id], want) {
			t.Errorf("%s: %q, want %q", id, got[id], want)
		}
		sent(t, model.Requests()[1], want)
	}
}
