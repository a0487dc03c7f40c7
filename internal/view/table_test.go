package view

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestE20Narrow: on a narrow terminal what a row is about keeps its room, and the columns
// between give way; in a pipe nothing is cut.
func TestE20Narrow(t *testing.T) {
	t.Parallel()
	head := []string{"id", "age", "kind", "scope", "content"}
	rows := [][]string{
		{"3", "12d", "preference", "repo:tea", "the tea is green and comes from a long way off"},
		{"laptop-7f3a/41", "2h", "fact", "user", "short"},
	}
	for width, want := range map[int]string{
		0: "id              age  kind        scope     content\n" +
			"3               12d  preference  repo:tea  the tea is green and comes from a long way off\n" +
			"laptop-7f3a/41  2h   fact        user      short",
		80: "id              age  kind        scope     content\n" +
			"3               12d  preference  repo:tea  the tea is green and comes from a lo…\n" +
			"laptop-7f3a/41  2h   fact        user      short",
		60: "id              age  kind        content\n" +
			"3               12d  preference  the tea is green and comes…\n" +
			"laptop-7f3a/41  2h   fact        short",
		40: "id              content\n" +
			"3               the tea is green and co…\n" +
			"laptop-7f3a/41  short",
		20: "id              content\n" +
			"3               the tea i…\n" +
			"laptop-7f3a/41  short",
	} {
		if diff := cmp.Diff(want, Table(head, rows, width)); diff != "" {
			t.Errorf("%d cells (-want +got):\n%s", width, diff)
		}
	}
	want := "id  age  content\n3   12d  the tea is green and comes fro…"
	if diff := cmp.Diff(want, Table(head, rows[:1], 40)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
