//go:build unix

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
)

// answers says a line and answers the question that it leads to by keys.
func (p *typist) answers(line, question, keys string, then ...string) {
	p.t.Helper()
	if p.shell == nil {
		p.shell = clitest.Start(p.t, p.dir, p.model)
	}
	p.shell.Await("]> ")
	p.shell.Send(line + "\r")
	for part := range strings.SplitSeq(question, "|") {
		p.shell.Await(part)
	}
	p.shell.Send(keys)
	for _, text := range then {
		p.shell.Await(text)
	}
	if p.model != nil {
		p.shell.Await("fine\r\n")
	}
}

const (
	replaceIt = "replace it? [y] replace  [never] do not ask this again  [N] keep both > "
	whichOf   = "what becomes of them? forget, replace or keep, with numbers where not all"
)

// TestR381Noticed: a line that says in passing that somebody left, or gives another value to what has one, is noticed before the
// model has it: what is touched is shown once, and forgotten, replaced or kept.
func TestR381Noticed(t *testing.T) {
	t.Parallel()
	withAndWithout(t, func(p *typist) {
		p.says(":remember Tom reviews our schema changes", "remembered #1")
		p.says(":remember Tom sits in room 4", "remembered #2")
		p.says(":remember Anna reviews the texts", "remembered #3")
		p.says("has Tom left the team?")
		p.says("Mark says \"Tom has left the team\"")
		p.says("Tom has left for lunch")
		p.answers("Tom has left the team, Aisha reviews our schema changes now",
			`#2: "Tom sits in room 4": it may be over (Tom)|#1: "Tom reviews our schema changes"|`+whichOf+"|again) ", "replace 1, forget 2\r",
			"remembered #4 in the place of #1 (undo: :undo 4)", "forgot #2 (undo: :undo 5)")
		if p.model != nil {
			asked := p.model.Requests()
			last := string(asked[len(asked)-1].Body)
			if strings.Contains(last, "Tom reviews") || strings.Contains(last, "room 4") ||
				!strings.Contains(last, "Aisha reviews our schema changes") {
				t.Errorf("the model has what is over:\n%s", last)
			}
		}
		log := p.kept()
		if !strings.Contains(log, `"content":"Aisha reviews our schema changes now"`) || !strings.Contains(log, `"supersedes":1`) {
			t.Errorf("the memory:\n%s", log)
		}
	})
}

// TestR381Budget: of its own accord ken asks twice a day, about each thing once; what it may not ask waits, and never ends it
// until the person wants it again. What they ask ken to keep is asked about all the same.
func TestR381Budget(t *testing.T) {
	t.Parallel()
	withAndWithout(t, func(p *typist) {
		p.says("from now on answer in German", "remembered #1")
		p.answers("actually answer in English again, not in German", replaceIt, "\r")
		p.says("actually answer in English again, not in German") // it was kept once, and is not asked about again
		p.answers("antworte ab jetzt auf Französisch", "[N] keep both > ", "y", "remembered #2 in the place of #1")
		p.says(":remember Will owns the parser", "remembered #3")
		p.says(":remember project tea deploys with make", "remembered #4")
		p.answers("Bilal owns the parser", replaceIt, "never\r", "not asked any more (back: :config set --unset questions.off)")
		p.says("Will has left", "not asked about today: p2: :review")
		p.says("tea is now called kettle", "not asked about today: p3: :review")
		p.answers("from now on answer in Dutch", "[N] keep both > ", "n", "remembered #5")
		p.says(":config show questions", "replace")
		p.leaves()
		log := p.kept()
		for _, not := range []string{"Bilal", "kettle", "English"} {
			if strings.Contains(log, not) {
				t.Errorf("%s was kept:\n%s", not, log)
			}
		}
		queue, err := os.ReadFile(filepath.Join(p.dir, "ken", "review.jsonl"))
		if err != nil || !strings.Contains(string(queue), "project kettle deploys with make") || !strings.Contains(string(queue), `"forget"`) {
			t.Errorf("the queue: %v\n%s", err, queue)
		}
		noted, err := os.ReadFile(filepath.Join(p.dir, "ken", "questions.jsonl"))
		if err != nil || strings.Contains(string(noted), "parser") || strings.Contains(string(noted), "answer") {
			t.Errorf("what was asked: %v\n%s", err, noted)
		}

		p.says(":review", "Bilal owns the parser", "[Enter] next > ")
		p.shell.Send("y")
		p.shell.Await(`against #3 (fact, user): "Will owns the parser"`)
		p.shell.Await("[Enter] next > ")
		p.shell.Send("q")
	})
}

// TestR381ReadOnly: of a memory that is only read nothing is asked, and nothing of what comes by a pipe.
func TestR381ReadOnly(t *testing.T) {
	t.Parallel()
	p := &typist{t: t, dir: t.TempDir()}
	p.says(":remember Tom reviews our schema changes", "remembered #1")
	p.leaves()
	_, stderr, _ := clitest.Run(t, p.dir, "Tom has left the team\nAisha reviews our schema changes now\n")
	if strings.Contains(stderr, "may be over") || strings.Contains(stderr, "replace") {
		t.Errorf("asked in a pipe: %s", stderr)
	}
	clitest.Configure(t, p.dir, "[memory]\nread_only = true\n")
	p.says("Tom has left the team")
	p.says("Aisha reviews our schema changes now")
	p.leaves()
	if _, err := os.Stat(filepath.Join(p.dir, "ken", "questions.jsonl")); err == nil {
		t.Error("something was noted")
	}
}
