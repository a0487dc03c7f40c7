package app

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
)

// TestR387Tags: what is remembered of what a shell ran is tagged with it and its programs, whatever they run behind;
// what is about the person, and names none of them, is not.
func TestR387Tags(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind  memory.Kind
		text  string
		lines []string
		want  []string
	}{
		"nothing ran":     {memory.KindLesson, "use pnpm", nil, nil},
		"a lesson":        {memory.KindLesson, "use pnpm", []string{"npm install"}, []string{"shell", "npm"}},
		"two, once each":  {memory.KindWorkflow, "release so", []string{"make dist | tee log", "/usr/bin/make ship"}, []string{"shell", "make", "tee"}},
		"behind another":  {memory.KindConvention, "so", []string{"sudo env A=1 apt-get update"}, []string{"shell", "sudo", "env", "apt-get"}},
		"in a string":     {memory.KindGotcha, "so", []string{`bash -c 'git push'`}, []string{"shell", "bash", "git"}},
		"about nothing":   {memory.KindPref, "I like tea", []string{"ls"}, nil},
		"also, not ls":    {memory.KindFact, "tea also helps", []string{"ls"}, nil},
		"names it":        {memory.KindPref, "I prefer `rg` to grep", []string{"rg x"}, []string{"shell", "rg"}},
		"no name to read": {memory.KindLesson, "so", []string{`"$x" y`, "(("}, []string{"shell"}},
	} {
		if diff := cmp.Diff(c.want, ShellTags(c.kind, c.text, c.lines)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
