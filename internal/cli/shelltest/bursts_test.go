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

// TestR15Bursts: at each question of ken a word, typed at once or pasted, and lines that are pasted, let nothing in and
// take nothing away; what is no answer says so, a second one is no, and nothing of it reaches the next line.
func TestR15Bursts(t *testing.T) {
	t.Parallel()
	type scene struct {
		lines []string // what is typed before the question; none: args is asked outside the shell
		args  []string
		asks  string
		again string // what ends the question when it is put again
		model []llmtest.Script
	}
	for name, c := range map[string]scene{
		"offer": {
			lines: []string{"go"}, asks: "run it? ", again: keysEnd,
			model: []llmtest.Script{llmtest.Text("CMD: touch made\nCMD: touch other\n")},
		},
		"danger": {
			lines: []string{"go"}, asks: "run it? [yes] run", again: keysEnd,
			model: []llmtest.Script{llmtest.Text("CMD: touch made && rm -rf ~/x ~\n")},
		},
		"shell":      {lines: []string{"go"}, asks: "run it? ", again: keysEnd, model: []llmtest.Script{calls("a", "touch made")}},
		"run":        {lines: []string{":auto go"}, asks: "do it? ", again: halts, model: []llmtest.Script{calls("a", "touch made")}},
		"as model":   {args: []string{"exec", "--as-model", "touch made"}, asks: "run it? ", again: keysEnd},
		"review":     {args: []string{"review"}, asks: "keep it? ", again: "[Enter] next > "},
		"forget":     {args: []string{"forget", "kettle"}, asks: "forget it? ", again: "[N] no > "},
		"erase":      {args: []string{"erase", "1"}, asks: "erase for good", again: "[N] no > "},
		"clear":      {lines: []string{":memory clear"}, asks: "forget all ", again: "[N] no > "},
		"contradict": {args: []string{"remember", "my editor is helix"}, asks: "replace it? ", again: "keep both > "},
	} {
		for _, burst := range []string{"wait", "hey", "why not", "yikes", "y\rtouch made\ry\r", "\x1b[200~y\r\x1b[201~", "always!"} {
			t.Run(name+" "+burst, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				ran(t, dir, nil, "remember", "the staging host is a kettle")
				ran(t, dir, nil, "remember", "my editor is vim")
				ran(t, dir, []string{"KEN_ORIGIN=tool"}, "remember", "the tool says so")
				before := memories(t, dir)
				var model *llmtest.Server
				if c.lines != nil {
					model = llmtest.New(t, c.model...)
					model.Always(llmtest.Text("fine"))
				}
				x := clitest.Start(t, dir, model, c.args...)
				for _, line := range c.lines {
					x.Await("]> ")
					x.Send(line + "\r")
				}
				x.Await(c.asks)
				x.Await(c.again)
				for _, key := range burst {
					x.Send(string(key))
				}
				x.Await("is no answer; type one of these, and Enter")
				x.Await(c.again)
				x.Send(burst)
				x.Await("is no answer either: no")
				if c.lines == nil {
					x.Exit()
				} else {
					x.Await("]> ")
					x.Quit() // what had reached the next line would stand before it
				}
				if after := memories(t, dir); after != before {
					t.Errorf("the memory changed:\n%s\n%s", before, after)
				}
				for _, name := range []string{"made", "ken/approvals.jsonl"} {
					if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
						t.Errorf("%s is there", name)
					}
				}
				if model != nil {
					for _, r := range model.Requests() {
						if body := string(r.Body); strings.Contains(body, "touch made\\ny") {
							t.Errorf("the burst was sent: %s", body)
						}
					}
				}
			})
		}
	}
}
