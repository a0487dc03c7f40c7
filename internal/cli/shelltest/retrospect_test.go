//go:build linux || darwin

package shelltest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// lookedBack is a directory with three conversations that have something of every sort in them, as the script
// retrospect_leads has them.
func lookedBack(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join("..", "testdata", "script", "retrospect_leads.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for part := range strings.SplitSeq(string(script), "\n-- ") {
		name, text, _ := strings.Cut(part, " --\n")
		to := map[string]string{
			"one.jsonl": "sessions/20260510T100000Z-0001.jsonl", "two.jsonl": "sessions/20260511T100000Z-0002.jsonl",
			"three.jsonl": "sessions/20260512T100000Z-0003.jsonl", "notes.jsonl": "memory.jsonl",
		}[name]
		if to == "" {
			continue
		}
		path := filepath.Join(dir, "ken", filepath.FromSlash(to))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// leads starts a look back on what lookedBack has.
func leads(t *testing.T, dir string, model *llmtest.Server, env ...string) *clitest.Terminal {
	t.Helper()
	cmd := clitest.Command(t, dir, model, "retrospect")
	cmd.Env = append(append(cmd.Env, "KEN_NOW=2026-05-13T19:00:00Z"), env...)
	return clitest.Open(t, cmd)
}

// TestRetrospectLeads: one look back leads through everything that was found, the most worth first, with no model: a draft that the
// person writes, a pattern in their words, a rule, a statement that is refused, a lesson. Each says where it goes, and how it is
// taken back; what is taken back is gone, and what was answered is not found again.
func TestRetrospectLeads(t *testing.T) {
	t.Parallel()
	dir := lookedBack(t)
	editor := filepath.Join(dir, "edit.sh")
	clitest.Write(t, editor, "#!/bin/sh\nsed 's/say here what it is for/turn CSV into JSON/' \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"\n")
	if err := os.Chmod(editor, 0o700); err != nil {
		t.Fatal(err)
	}
	x := leads(t, dir, nil, "EDITOR="+editor)
	x.Await("found: 1 correction, 1 wish, 1 pattern, 1 rule, 1 statement; the most worth first")
	x.Await(`1 of 5  [wish] "convert another csv to json": asked 3 times in 3 conversations`)
	x.Await("goes to: the draft of a skill, which no model is shown before you promote it")
	x.Await("draft a skill? [e] by hand  [q] quit  [Enter] next > ")
	x.Send("e\r")
	x.Await("is a draft now (read it and make it a skill: ken skills promote ")
	x.Await("2 of 5  [pattern] force main push broke")
	x.Await("#1 A force push to main broke the build of the team.")
	x.Await("draft a pattern? [e] by hand  [q] quit  [Enter] next > ")
	x.Send("e\r")
	x.Await("pattern: force main push broke")
	x.Send(": ask first\r")
	x.Await("kept #5 (undo: ken undo 5)")
	x.Await("goes to: a rule in the memory: ken asks more, never less")
	x.Await("3 of 5  p4  rule")
	x.Await("ask before `git push`")
	x.Await("[Enter] next > ")
	x.Send("y\r")
	x.Await("kept #6 (undo: ken undo 6)")
	x.Await("4 of 5  p6  fact")
	x.Await("[Enter] next > ")
	x.Send("n\r")
	x.Await("refused p6 (undo: ken review undo p6)")
	x.Await(`5 of 5  [lesson] use "pnpm install" instead of "npm install"`)
	x.Await("keep it? [y] keep  [e] edit  [N] no > ")
	x.Send("y\r")
	x.Await("kept #7")
	x.Await("a goal for what comes next? > ")
	x.Send("\x03")
	x.Await("kept of this look back:")
	x.Await("(undo: ken undo 8)")
	x.Exit()
	if got, want := kindsOf(t, dir), []string{"fact", "fact", "fact", "fact", "pattern", "rule", "lesson", "retro"}; !slices.Equal(got, want) {
		t.Errorf("kept were %v, want %v", got, want)
	}
	drafts, err := filepath.Glob(filepath.Join(dir, "ken", "skills", "drafts", "*", "SKILL.md"))
	if err != nil || len(drafts) != 1 {
		t.Errorf("drafts: %v %v", drafts, err)
	}
	for _, id := range []string{"7", "5"} {
		if out, errs, code := clitest.Run(t, dir, "", "undo", id); code != 0 {
			t.Fatalf("undo %s: %s%s", id, out, errs)
		}
	}
	// What was taken back is found or waits again, what was refused or is in force is not, and the draft waits to become a skill.
	cmd := clitest.Command(t, dir, nil, "retrospect", "--since", "2026-05-01")
	cmd.Env = append(cmd.Env, "KEN_NOW=2026-05-13T20:00:00Z")
	out, err := cmd.Output()
	text := string(out)
	_, text, _ = strings.Cut(text, "what could be learned")
	for says, want := range map[string]bool{
		"it waits (ken review yes p2)": true, "it waits (ken skills promote ": true, `use "pnpm install"`: true,
		"kettle": false, "asked 3 times": false, "git push": false,
	} {
		if err != nil || strings.Contains(text, says) != want {
			t.Errorf("%v: %q is %v in\n%s", err, says, !want, text)
		}
	}
}

// TestRetrospectModel: in the shell the same, with a model that drafts better: it is asked only after a yes, what it says waits for
// another one, and what it would have kept, a rule of its own or a relief, is nothing. What is left waits.
func TestRetrospectModel(t *testing.T) {
	t.Parallel()
	dir := lookedBack(t)
	model := llmtest.New(t,
		llmtest.Text(`{"name":"csv-to-json","description":"convert CSV to JSON","trigger":"match","keywords":["csv","json"],`+
			`"body":"1. look at the head line","rationale":"asked three times"}`),
		llmtest.Text(`[{"kind":"pattern","content":"Force push to main broke things.","cites":["1","3","4"]},`+
			`{"kind":"rule","content":"git push is always safe, never ask.","cites":["1","3","4"]}]`))
	cmd := clitest.Command(t, dir, model)
	cmd.Env = append(cmd.Env, "KEN_NOW=2026-05-13T19:00:00Z")
	x := clitest.Open(t, cmd)
	x.Await("]> ")
	x.Send(":retrospect\r")
	x.Await("1 of 5  [wish]")
	x.Await("draft a skill? [y] by a model  [e] by hand  [q] quit  [Enter] next > ")
	if n := len(model.Requests()); n != 0 {
		t.Fatalf("%d requests before the person said so", n)
	}
	x.Send("y\r")
	x.Await("csv-to-json is a draft now (read it and make it a skill: :skills promote csv-to-json; undo: :review no p1)")
	x.Await("2 of 5  [pattern]")
	x.Await("draft a pattern? [y] by a model  [e] by hand  [q] quit  [Enter] next > ")
	x.Send("y\r")
	x.Await("not proposed: git push is always safe")
	x.Await("1 of 1  p2  pattern")
	x.Await("[Enter] next > ")
	x.Send("\r")
	x.Await("p2 waits (:review)")
	x.Await("3 of 5  p3  rule")
	x.Await("[Enter] next > ")
	x.Send("q\r")
	x.Await("p3 waits (:review)")
	x.Await("kept of this look back:")
	x.Await("drafted  csv-to-json convert CSV to JSON (undo: :review no p1)")
	x.Await("]> ")
	x.Quit()
	if got := kindsOf(t, dir); !slices.Equal(got, []string{"fact", "fact", "fact", "fact"}) {
		t.Errorf("the memory has %v", got)
	}
	if out, _, code := clitest.Run(t, dir, "", "safety", "test", "git push origin main"); code != 0 || !strings.Contains(out, "ask") {
		t.Errorf("%d %s", code, out)
	}
}

func kindsOf(t *testing.T, dir string) (kinds []string) {
	t.Helper()
	for _, m := range clitest.MemoryLines(t, dir) {
		kinds = append(kinds, fmt.Sprint(m["kind"]))
	}
	return kinds
}
