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

// withAndWithout runs a test of typed lines in a shell without a model, and in one with it, whose
// answer is awaited behind each line but commands and those in quiet.
func withAndWithout(t *testing.T, test func(t *testing.T, dir string, says func(line string, answers ...string))) {
	t.Helper()
	for _, asked := range []bool{false, true} {
		name := "without a model"
		if asked {
			name = "with a model"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var model *llmtest.Server
			if asked {
				model = llmtest.New(t)
				model.Always(llmtest.Text("fine"))
			}
			x := clitest.Start(t, dir, model)
			test(t, dir, func(line string, answers ...string) {
				t.Helper()
				own := strings.HasPrefix(line, ":") || strings.HasPrefix(line, "forget") || strings.HasPrefix(line, "vergiss")
				x.Await("]> ")
				x.Send(line + "\r")
				for _, want := range answers {
					if want == "y" || want == "n" {
						x.Send(want + "\r")
						continue
					}
					x.Await(want)
				}
				if asked && !own {
					x.Await("fine\r\n")
				}
			})
			x.Await("]> ")
			x.Send(":quit\r")
			x.Exit()
		})
	}
}

// kept is the memory of a test.
func kept(t *testing.T, dir string) string {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(log)
}

// TestTaughtPlaces: a place that a sentence names is where it holds; of one that is not there nothing is
// kept, nowhere, and the line goes to the model. What has a key is forgotten after a question.
func TestTaughtPlaces(t *testing.T) {
	t.Parallel()
	withAndWithout(t, func(t *testing.T, dir string, says func(line string, answers ...string)) {
		says(":remember --scope repo:example.org/me/tea --key brew tea is green", "remembered #1")
		says("in project tea always use tabs", "[ken] remembered #2 (undo: :undo 2)")
		says("for the project nosuch: always use spaces", "not remembered: no repository \"nosuch\" is", "to keep it everywhere: :remember TEXT")
		says("remember that in the nosuch repo we use spaces", "not remembered: no repository \"nosuch\" is")
		says("in the folder /nosuch/at/all always use spaces", "not remembered: no directory \"/nosuch/at/all\"")
		says("in this folder we never use spaces", "worth keeping? p1 waits")
		says("in project nosuch we never use spaces", "not suggested: no repository \"nosuch\" is")
		log := kept(t, dir)
		if !strings.Contains(log, `"scope":"repo:example.org/me/tea","content":"always use tabs"`) &&
			!strings.Contains(log, `"content":"always use tabs","scope":"repo:example.org/me/tea"`) || strings.Contains(log, "spaces") {
			t.Errorf("the memory:\n%s", log)
		}
		says("forget the key brew", "all under the key brew", "tea is green", "forget 1 item? [y/N] ", "n", "nothing was forgotten")
		says("vergiss alles, was du unter dem Schlüssel brew hast", "all under the key brew", "forget 1 item? [y/N] ", "y", "forgot #1")
		says("vergiss alles über das Projekt tea", "all of repo:tea", "always use tabs", "[y/N] ", "y", "forgot #2")
	})
}

// TestTaughtBadly: teaching that repeats, contradicts, holds a secret or is none is told as it is, and
// nothing else of it is kept.
func TestTaughtBadly(t *testing.T) {
	t.Parallel()
	withAndWithout(t, func(t *testing.T, dir string, says func(line string, answers ...string)) {
		says("remember that my editor is vim", "remembered #1")
		says("please remember that my editor is vim.", "already remembered as #1")
		says("remember that my editor is helix", "remembered #", "against #1")
		says("from now on log in with password="+"hunter2"+"Zq9!x", "not remembered: not stored: the text seems to hold a secret")
		says("rem\u200bember that the lift is closed", "to keep something: :remember TEXT")
		says("🙂🙂🙂🙂")
		says("bitte remember que el ascensor está cerrado", "to keep something: :remember TEXT")
		says("he wrote: \"remember that the lift is green\"")
		says("```remember that the lift is green```")
		says("> remember that the lift is green")
		says("\"remember that the lift is green\"")
		says("translate to German: remember that the lift is green")
		log := kept(t, dir)
		if strings.Contains(log, "green") || strings.Contains(log, "hunter2") || strings.Contains(log, "lift is closed") ||
			strings.Count(log, "my editor is vim") != 1 {
			t.Errorf("the memory:\n%s", log)
		}
	})
}
