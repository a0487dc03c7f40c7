//go:build linux || darwin

package shelltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
)

// kills is how often the run is killed: KEN_BATTERY=full is make kills.
func kills() int {
	if os.Getenv("KEN_BATTERY") != "" {
		return 200
	}
	return 6
}

// endless answers for ever with acts that were not asked for before: calls, several in one answer, command lines, and both.
func endless() func(llmtest.Request) llmtest.Script {
	var acts, kind atomic.Int64
	line := func() string { return fmt.Sprintf("mkdir %d", acts.Add(1)) }
	return func(r llmtest.Request) llmtest.Script {
		if !bytes.Contains(r.Body, []byte("[autonomous mode]")) { // it is to sum up
			return llmtest.Text("Acts were done.")
		}
		name := fmt.Sprintf("c%07d", acts.Load())
		switch kind.Add(1) % 4 {
		case 0:
			return several(name, line(), line(), line())
		case 1:
			return llmtest.Text("Now:\nCMD: " + line() + "\nCMD: " + line() + "\n")
		case 2:
			s := several(name, line(), line())
			s.Steps = append([]llmtest.Step{{Write: llmtest.Token("And:\nCMD: " + line() + "\n")}}, s.Steps...)
			return s
		default:
			return several(name, line())
		}
	}
}

// A told is what the account of a run says.
type told struct {
	Goal, Outcome string
	Acts          []struct {
		What, Outcome string
		Exit          *int
	}
}

// TestS92Killed: a run whose process is killed at any moment can be looked at and gone on with, and no act of it is done twice:
// what had begun is unknown. Each act, a mkdir of the test's own, writes its
// number into a file: nothing but the acts themselves says what ran.
func TestS92Killed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Configure(t, dir, "[auto]\nmax_steps = 100000\nmax_tokens = 0\n[safety]\nallow = [\"mkdir *\"]\n")
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, filepath.Join(bin, "mkdir"), "#!/bin/sh\necho $1 >>ran\nsleep 0.00$1\n")
	if err := os.Chmod(filepath.Join(bin, "mkdir"), 0o700); err != nil {
		t.Fatal(err)
	}
	model := llmtest.New(t)
	model.Reply(endless())
	for i := range kills() {
		args := []string{"resume", "--run"}
		if i == 0 {
			args = nil
		}
		cmd := clitest.Command(t, dir, model, args...)
		cmd.Env = append(cmd.Env, "PATH="+bin+string(os.PathListSeparator)+proctest.Path())
		x := clitest.Open(t, cmd)
		if i == 0 {
			x.Await("]> ")
			x.Send(":auto act\r")
		} else {
			x.Await("auto: killed: act")
			x.Await("go on with it?")
			x.Send("y\r")
		}
		x.Await("at most 100000 steps")
		time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond) // any moment
		if err := x.Cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		x.Exit()
		_ = x.TTY.Close()
		looked(t, dir, "killed")
	}
	model.Reply(func(llmtest.Request) llmtest.Script { return llmtest.Text("Enough.\nGOAL: complete") })
	x := clitest.Start(t, dir, model, "resume", "--run")
	x.Await("go on with it?")
	x.Send("y\r")
	x.Await("auto: done: act")
	x.Await("]> ")
	x.Quit()
	legal(t, model)

	text, err := os.ReadFile(filepath.Join(dir, "ran"))
	if err != nil {
		t.Fatal(err)
	}
	ran := strings.Fields(string(text))
	once := slices.Compact(slices.Sorted(slices.Values(ran)))
	if len(once) != len(ran) {
		t.Errorf("%d acts ran, %d of them again", len(once), len(ran)-len(once))
	}
	one := looked(t, dir, "done")
	count := make(map[string]int)
	for _, a := range one.Acts {
		count[a.Outcome]++
		_, nr, _ := strings.Cut(a.What, "mkdir ")
		did := slices.Contains(ran, nr)
		switch a.Outcome {
		case "done":
			if !did || a.Exit == nil || *a.Exit != 0 {
				t.Errorf("%s is said to be done: %+v", a.What, a)
			}
		case "killed": // with ken, before or after it did something
		default:
			t.Errorf("%s: %q", a.What, a.Outcome)
		}
	}
	if len(ran) > len(one.Acts) || count["killed"] > kills() {
		t.Errorf("%d ran, the account has %d: %v", len(ran), len(one.Acts), count)
	}
	t.Logf("%d kills: %d acts ran, each once; the account has %v", kills(), len(ran), count)
}

// looked is the account of the only run below dir, which ended so.
func looked(t *testing.T, dir, outcome string) told {
	t.Helper()
	out, errs, code := clitest.Run(t, dir, "", "sessions", "account", "--json", newest(t, dir))
	var list []told
	err := json.Unmarshal([]byte(out), &list)
	if err != nil || code != 0 || len(list) != 1 || list[0].Goal != "act" || list[0].Outcome != outcome {
		t.Fatalf("exit %d, %v: %s\n%s", code, err, out, errs)
	}
	return list[0]
}
