package scrub_test

import (
	"os"
	"path/filepath"
	"testing"

	"ken/internal/scrub"
)

// TestSkills: an erased text is in no skill and in no draft; a draft goes whole, and of a
// skill the lines that say it. What says nothing of it stays, byte for byte.
func TestSkills(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	everyFile(h, "nothing to hide")
	const head = "---\nname: a\ndescription: d\n---"
	h.write("skills/drafts/a/SKILL.md", head, "as with the kettle of the staging host")
	h.write("skills/drafts/.tmp-12/SKILL.md", head, "the kettle of the staging host") // of a run that was ended
	h.write("skills/drafts/b/SKILL.md", head, "tea")
	h.write("skills/live/SKILL.md", head, "first", "then The  Kettle of the staging host, so", "last")
	h.write("skills/across.md", "the kettle of", "the staging host")
	h.write("skills/other.md", head, "tea")
	_, proof, err := h.run(scrub.Want{Texts: []string{"the kettle of the staging host"}})
	if err != nil || len(proof.Left) > 0 {
		t.Fatal(proof.Left, err)
	}
	for _, gone := range []string{"skills/drafts/a/SKILL.md", "skills/drafts/.tmp-12/SKILL.md", "skills/across.md"} {
		if _, err := os.Lstat(filepath.Join(h.dir, gone)); !os.IsNotExist(err) {
			t.Errorf("%s is there still: %v", gone, err)
		}
	}
	for name, want := range map[string]string{
		"skills/drafts/b/SKILL.md": head + "\ntea\n", "skills/live/SKILL.md": head + "\nfirst\nlast\n", "skills/other.md": head + "\ntea\n",
	} {
		if got := h.read(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
