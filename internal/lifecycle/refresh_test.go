package lifecycle

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestR261Refresh: of a file that has changed what it says in other words is to be changed, what it says no more is to be forgotten, what
// it still says stays; what the person said themselves is theirs to look at.
func TestR261Refresh(t *testing.T) {
	t.Parallel()
	was, is := strings.Repeat("0", 64), strings.Repeat("1", 64)
	of := func(id int, content, file, more string) string {
		const form = `{"id":%d,"ts":%q,"kind":"fact","content":%q,"source":{"file":%q,"digest":%q}%s}`
		return fmt.Sprintf(form, id, ago(3), content, file, was, more)
	}
	const let = `,"origin":"import","by":"user"`
	s := fold(
		of(1, "Deploy with make ship", "~/CLAUDE.md", let),
		of(2, "The staging host is kettle", "~/CLAUDE.md", let),
		of(3, "Use tabs everywhere", "~/CLAUDE.md", let),
		of(4, "Reviews are on Monday", "~/CLAUDE.md", ""),
		of(5, "Nobody let this in", "~/CLAUDE.md", `,"origin":"import"`),
		of(6, "It was forgotten", "~/CLAUDE.md", let),
		`{"id":7,"kind":"forget","target":6}`,
		of(8, "It is as it was", "~/same.md", let),
		of(9, "It is gone", "~/gone.md", let),
		stated(10, 3, ""),
	)
	read := 0
	got := Refreshes(s, func(file string) File {
		switch read++; file {
		case "~/CLAUDE.md":
			return FileOf([]byte("# Notes\n\n- Deploy with  make SHIP\n* The staging host is teapot\n1. Ask before you push\n"), is)
		case "~/same.md":
			return FileOf([]byte("other words"), was)
		}
		return File{}
	})
	var says []string
	for _, r := range got {
		says = append(says, fmt.Sprintf("%s %s %s: %s", r.Item.Ref(), r.Do, r.To, r.Why))
	}
	want := []string{
		"2 edit The staging host is teapot: CLAUDE.md says it in other words now",
		"3 forget : CLAUDE.md says it no more",
		"4 look : CLAUDE.md has changed since",
		"9 look : gone.md cannot be read any more",
	}
	if diff := cmp.Diff(want, says); diff != "" || read != 3 {
		t.Errorf("%d files were read (-want +got):\n%s", read, diff)
	}
}
