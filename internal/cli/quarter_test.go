//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// A quarter is a week that goes on: a person who corrects what a model does, and looks back.
type quarter struct{ week }

// answers is the model: it does as its own habits have it, unless what it is sent says otherwise, and judges what it is asked to judge.
func (q quarter) answers(r llmtest.Request) llmtest.Script {
	list := r.Messages()
	system, asked, all := list[0].Content, list[len(list)-1].Content, string(r.Body)
	switch {
	case strings.Contains(system, `"cites"`):
		return llmtest.Text(`[{"kind":"convention","content":"use pnpm for packages","cites":[1,3,4]}]`)
	case strings.Contains(system, `"keywords"`):
		return llmtest.Text(`{"name":"csv-to-json","description":"convert CSV files to JSON","trigger":"match","keywords":["csv","json"],` +
			`"body":"1. look at the head line\n2. run mlr --icsv --ojson cat FILE","rationale":"it was asked three times"}`)
	case strings.Contains(system, `"op":"add"`):
		return llmtest.Text(`{"rules":[{"op":"add","text":"ask before ` + "`git push`" + `","because":"it was refused"},` +
			`{"op":"remove","text":"ask before ` + "`git push`" + `","because":"it is in the way"}]}`)
	case strings.HasSuffix(asked, "packages"):
		if strings.Contains(all, "pnpm install") {
			return llmtest.Text("Like this:\n\nCMD: pnpm install\n")
		}
		return llmtest.Text("Like this:\n\nCMD: npm install\n")
	case strings.HasSuffix(asked, "upstream"):
		return llmtest.Text("CMD: git push --force\n")
	}
	return llmtest.Text("Understood.")
}

// at is ken at a time, in the repository.
func (q quarter) at(now string, args ...string) *exec.Cmd {
	cmd := clitest.Command(q.t, q.dir, q.model, args...)
	cmd.Dir = filepath.Join(q.dir, "tea")
	cmd.Env = append(cmd.Env, "KEN_NOW="+now, "PATH="+filepath.Join(q.dir, "bin")+":/usr/bin:/bin")
	return cmd
}

// says runs ken at a time, without a terminal, and gives what it said.
func (q quarter) says(now string, args ...string) string {
	q.t.Helper()
	out, err := q.at(now, args...).CombinedOutput()
	if err != nil {
		q.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// sends is what a question sends: all of the request.
func (q quarter) sends(now, question string) string {
	q.t.Helper()
	q.says(now, "ask", question)
	list := q.model.Requests()
	return string(list[len(list)-1].Body)
}

// plays types keys where a text stands, on a terminal: what is awaited and what is typed then, in turn.
func (q quarter) plays(cmd *exec.Cmd, steps ...string) string {
	q.t.Helper()
	x := clitest.Open(q.t, cmd)
	for i := 0; i+1 < len(steps); i += 2 {
		x.Await(steps[i])
		x.Send(steps[i+1])
	}
	x.Exit()
	return x.Text()
}

// TestQuarter: what a person corrects in January is a lesson, lessons come to a convention, what they refuse twice is a rule, and what
// they ask again and again a skill. Each says what it came from and changes what is sent; each is taken back by one command, and then
// a question sends what it sent on the first day.
func TestQuarter(t *testing.T) {
	t.Parallel()
	q := quarter{week{t: t, dir: t.TempDir(), model: llmtest.New(t)}}
	q.model.Reply(q.answers)
	q.repository()
	if err := os.Mkdir(filepath.Join(q.dir, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(q.dir, "bin", "pnpm"), []byte("#!/bin/sh\necho done\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	const question = "what is next?"
	first := q.sends("2026-01-05T08:00:00Z", question)

	// January: the model is corrected, and the person looks back.
	q.plays(q.at("2026-01-05T09:00:00Z"), "]> ", "install the packages\r", "[N] no > ", "e", "$npm install", "\x15$pnpm install\r",
		"done", "", "]> ", ":quit\r")
	said := q.plays(q.at("2026-01-09T17:00:00Z", "retrospect"), "[lesson] ", "", "[N] no > ", "y\r", "kept #1", "", "[N] no > ", "\x03")
	q.holds("the first look back", said, "1 revised", "npm install -> pnpm install", `use "pnpm install" instead of "npm install"`)
	said = q.plays(q.at("2026-01-12T09:00:00Z"), "]> ", "get me the packages\r", "CMD: pnpm install", "", "[N] no > ", "y", "done", "",
		"]> ", ":why\r", "]> ", ":quit\r")
	q.holds("the next time", said, "!CMD: npm install", `use "pnpm install" instead of "npm install"`)

	// February: three lessons of one matter come to a convention.
	q.says("2026-02-02T09:00:00Z", "remember", "--here", "--kind", "lesson", "use pnpm for packages in CI as well")
	q.says("2026-02-03T09:00:00Z", "remember", "--here", "--kind", "lesson", "use pnpm for packages of the docs")
	said = q.plays(q.at("2026-02-06T17:00:00Z", "retrospect", "--synthesize"), "[Enter] next > ", "y", "kept #5", "")
	q.holds("what they come to", said, "use pnpm for packages", "rests on #1 #3 #4", "neutral")
	said = q.plays(q.at("2026-02-09T09:00:00Z"), "]> ", "which tool for the packages of the docs?\r", "]> ", ":why\r", "]> ", ":quit\r")
	q.holds("why", said, "use pnpm for packages", `use "pnpm install" instead of "npm install"`)

	// What they do not let run twice comes to a rule; nothing that takes one away is proposed.
	for _, now := range []string{"2026-02-16T09:00:00Z", "2026-02-17T09:00:00Z"} {
		q.plays(q.at(now), "]> ", "send this upstream\r", "[N] no > ", "n", "]> ", ":quit\r")
	}
	said = q.says("2026-02-20T17:00:00Z", "rules", "propose")
	q.holds("rules", said, "p3: +1 rule, safety impact: tightens", "+ rule: ask before `git push`", "!-1 rule")
	said = q.plays(q.at("2026-02-20T17:05:00Z", "rules", "approve", "p3"), "it waits > ", "y", "kept #6", "")
	q.holds("the approval", said, "git push is caution, in repo:example.org/ada/tea (tightens)")
	q.holds("a rule", q.says("2026-02-23T09:00:00Z", "safety", "test", "git push origin main"), "decision: ask (rule #6)")
	q.holds("a rule in the prompt", q.sends("2026-02-23T09:00:00Z", question), "ask before `git push`")

	// March: what was asked three times is a skill.
	for _, now := range []string{"2026-03-02T09:00:00Z", "2026-03-03T09:00:00Z", "2026-03-04T09:00:00Z"} {
		how := map[byte]string{'2': "please", '3': "again", '4': "once more"}[now[9]]
		q.plays(q.at(now), "]> ", "convert a csv to json, "+how+"\r", "Understood.", "", "]> ", ":quit\r")
	}
	said = q.says("2026-03-06T17:00:00Z", "skills", "evolve")
	q.holds("what comes again", said, "csv-to-json is a draft")
	q.holds("a draft", q.sends("2026-03-06T18:00:00Z", question), "!csv-to-json", "!mlr")
	said = q.plays(q.at("2026-03-06T19:00:00Z", "skills", "promote", "csv-to-json"), "[N] no > ", "y\r", "promote --undo csv-to-json", "")
	q.holds("the promotion", said, "1. look at the head line", "ken skills promote --undo csv-to-json")
	q.holds("a skill", q.sends("2026-03-09T09:00:00Z", question), "csv-to-json", "!mlr")
	q.holds("a skill that matches", q.sends("2026-03-09T09:00:00Z", "convert this csv to json"), "csv-to-json", "mlr --icsv")

	// What it came to is on the page, with what it came from.
	q.says("2026-03-30T09:00:00Z", "memory", "page")
	page, err := os.ReadFile(filepath.Join(q.dir, "ken", "MEMORY.md"))
	if err != nil {
		t.Fatal(err)
	}
	q.holds("the page", string(page), "- [5] use pnpm for packages (repo:example.org/ada/tea, 2026-02-06, from #1 #3 #4, used 2026-02-09)",
		`- [1] use "pnpm install" instead of "npm install"`)

	// All of it is taken back, by one command each.
	const end = "2026-03-30T10:00:00Z"
	q.holds("the skill", q.says(end, "skills", "promote", "--undo", "csv-to-json"), "csv-to-json")
	said = q.plays(q.at(end, "rules", "rollback", "1"), "type relax", "relax\r", "in force (undo:", "")
	q.holds("the rules", said, "-1 rule, safety impact: relaxes")
	for _, ref := range []string{"5", "4", "3", "2", "1"} {
		q.holds("undo", q.says(end, "undo", ref), "undid #"+ref)
	}
	last := strings.ReplaceAll(q.sends(end, question), "2026-03-30", "2026-01-05") // the day is told
	if last != first {
		t.Errorf("the last question sends\n%s\nwhich is not what the first sent\n%s", last, first)
	}
}
