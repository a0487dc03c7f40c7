//go:build unix

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// A typist types lines in the shells of one home, one shell after the other.
type typist struct {
	t     *testing.T
	dir   string
	model *llmtest.Server   // nil: there is none
	shell *clitest.Terminal // nil: none is open
}

// says types a line and awaits what is said to it; what stands behind a question is typed at it. The model's
// answer is awaited last, but for lines that reach no model.
func (p *typist) says(line string, answers ...string) {
	p.t.Helper()
	if p.shell == nil {
		p.shell = clitest.Start(p.t, p.dir, p.model)
	}
	p.shell.Await("]> ")
	p.shell.Send(line + "\r")
	question := false
	for _, text := range answers {
		if question {
			p.shell.Send(text + "\r")
			question = false
			continue
		}
		p.shell.Await(text)
		question = strings.HasSuffix(text, "? ") || strings.HasSuffix(text, "> ") || strings.HasSuffix(text, "[N] no > ")
	}
	own := strings.HasPrefix(line, ":") || strings.HasPrefix(line, "forget") || strings.HasPrefix(line, "vergiss")
	if p.model != nil && !own {
		p.shell.Await("fine\r\n")
	}
}

// leaves ends the shell; the next line is typed in another one.
func (p *typist) leaves() {
	p.t.Helper()
	p.shell.Await("]> ")
	p.shell.Send(":quit\r")
	p.shell.Exit()
	p.shell = nil
}

// withAndWithout runs a test of typed lines without a model, and with one that answers each line; at its end the shell
// is left, if one is open.
func withAndWithout(t *testing.T, test func(*typist)) {
	t.Helper()
	for _, name := range []string{"without a model", "with a model"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &typist{t: t, dir: t.TempDir()}
			if name == "with a model" {
				p.model = llmtest.New(t)
				p.model.Always(llmtest.Text("fine"))
			}
			test(p)
			if p.shell != nil {
				p.leaves()
			}
		})
	}
}

// kept is the memory.
func (p *typist) kept() string {
	p.t.Helper()
	log, err := os.ReadFile(filepath.Join(p.dir, "ken", "memory.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	return string(log)
}

// TestTaughtPlaces: a place that a sentence names is where it holds; of one that is not there nothing is
// kept, nowhere, and the line goes to the model. What has a key is forgotten after a question.
func TestTaughtPlaces(t *testing.T) {
	t.Parallel()
	withAndWithout(t, func(p *typist) {
		p.says(":remember --scope repo:example.org/me/tea --key brew tea is green", "remembered #1")
		p.says("in project tea always use tabs", "[ken] remembered #2 (undo: :undo 2)")
		p.says("for the project nosuch: always use spaces",
			"not remembered: no repository \"nosuch\" is", "to keep it everywhere: :remember TEXT")
		p.says("remember that in the nosuch repo we use spaces", "not remembered: no repository \"nosuch\" is")
		p.says("in the folder /nosuch/at/all always use spaces", "not remembered: no directory \"/nosuch/at/all\"")
		p.says("in this folder we never use spaces", "worth keeping? p1 waits")
		p.says("in project nosuch we never use spaces", "not suggested: no repository \"nosuch\" is")
		log := p.kept()
		if !strings.Contains(log, `"scope":"repo:example.org/me/tea","content":"always use tabs"`) &&
			!strings.Contains(log, `"content":"always use tabs","scope":"repo:example.org/me/tea"`) || strings.Contains(log, "spaces") {
			p.t.Errorf("the memory:\n%s", log)
		}
		p.says("forget the key brew", "all under the key brew", "tea is green", "forget 1 item? [y] yes  [N] no > ", "n", "nothing was forgotten")
		p.says("vergiss alles, was du unter dem Schlüssel brew hast", "all under the key brew", "forget 1 item? [y] yes  [N] no > ", "y", "forgot #1")
		p.says("vergiss alles über das Projekt tea", "all of repo:tea", "always use tabs", "[N] no > ", "y",
			"as they are > ", "relax", "forgot #2")
	})
}

// TestTaughtBadly: teaching that repeats, contradicts, holds a secret or is none is told as it is, and
// nothing else of it is kept.
func TestTaughtBadly(t *testing.T) {
	t.Parallel()
	withAndWithout(t, func(p *typist) {
		p.says("remember that my editor is vim", "remembered #1")
		p.says("please remember that my editor is vim.", "already remembered as #1")
		p.answers("remember that my editor is helix", `#1: "my editor is vim": both can hardly be true|[N] keep both > `, "n", "remembered #")
		p.says("from now on log in with password="+"hunter2"+"Zq9!x", "not remembered: not stored: the text seems to hold a secret")
		p.says("rem\u200bember that the lift is closed", "to keep something: :remember TEXT")
		p.says("🙂🙂🙂🙂")
		p.says("bitte remember que el ascensor está cerrado", "to keep something: :remember TEXT")
		p.says("he wrote: \"remember that the lift is green\"")
		p.says("```remember that the lift is green```")
		p.says("> remember that the lift is green")
		p.says("\"remember that the lift is green\"")
		p.says("translate to German: remember that the lift is green")
		log := p.kept()
		if strings.Contains(log, "green") || strings.Contains(log, "hunter2") || strings.Contains(log, "lift is closed") ||
			strings.Count(log, "my editor is vim") != 1 {
			p.t.Errorf("the memory:\n%s", log)
		}
	})
}
