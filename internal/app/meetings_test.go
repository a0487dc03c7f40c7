package app

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMetLines: the bytes of the file of what is known, and which of its lines stand; a
// line that is none costs itself.
func TestMetLines(t *testing.T) {
	t.Parallel()
	r := openView(t, "")
	if _, err := r.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	for _, m := range []meeting{
		{Repo: "example.org/me/tea", Path: "/home/me/<tea>", Stamp: "1.2", Use: true},
		{Server: "127.0.0.1:11434", Model: "m", Use: true},
		{Repo: "example.org/me/TEA", Path: "/home/me/<tea>", Stamp: "1.3", Again: true},
	} {
		if err := r.Meetings.keep(m); err != nil {
			t.Fatal(err)
		}
	}
	path := r.Settings.paths.Met()
	got, err := os.ReadFile(path)
	want := `{"ts":"2026-05-10T12:00:00Z","repo":"example.org/me/tea","path":"/home/me/\u003ctea\u003e","stamp":"1.2","use":true}
{"ts":"2026-05-10T12:00:00Z","server":"127.0.0.1:11434","model":"m","use":true}
{"ts":"2026-05-10T12:00:00Z","repo":"example.org/me/TEA","path":"/home/me/\u003ctea\u003e","stamp":"1.3","use":false,"again":true}
`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if err := os.WriteFile(path, []byte("no line\n"+want+`{"ts":`), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := r.Meetings.all()
	if err != nil || len(list) != 2 || list[0].Model != "m" || !list[1].Again {
		t.Errorf("%v, %+v", err, list)
	}
}
