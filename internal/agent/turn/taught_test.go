package turn_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/app"
	"ken/internal/memory"
)

// TestSuggestedScope: what a line states of the work holds in the repository, as what is
// extracted of a conversation does; what it states of the person holds everywhere.
func TestSuggestedScope(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{
		"memory.jsonl": staging, "tea/.git/HEAD": "ref: refs/heads/main\n", "tea/.git/objects/x": "", "tea/.git/refs/x": "",
		"tea/.git/config": "[remote \"origin\"]\n\turl = https://example.org/ada/tea.git\n",
	})
	d := held(t, open(t, dir, nil, func(_ *app.Options, who *app.Standing) {
		who.Dir = filepath.Join(dir, "tea") // a home is no repository
	}))
	for text, kind := range map[string]memory.Kind{
		"tests lie beside the code": memory.KindConvention, "the lamp at home is green": memory.KindFact,
	} {
		p, err := d.Lesson(false).Suggest(t.Context(), text, kind, "")
		if err != nil || !p.New {
			t.Fatalf("%+v, %v", p, err)
		}
	}
	queue, err := os.ReadFile(filepath.Join(dir, "review.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(queue)) {
		if work := strings.Contains(line, "tests lie"); work != strings.Contains(line, "repo:example.org/ada/tea") {
			t.Error(line)
		}
	}
}
