package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"ken/internal/llm/llmtest"
	"ken/internal/session"
	"ken/internal/session/feedback"
)

// became are the outcomes that conversations have, in the order of their lines.
func (d *desk) became(ids ...string) (list []string) {
	d.t.Helper()
	dir := session.Dir{Path: d.dir + "/sessions"}
	for i, id := range ids {
		path, err := dir.Find(id)
		if err != nil {
			d.t.Fatal(id, err)
		}
		t, err := dir.Load(path)
		if err != nil {
			d.t.Fatal(err)
		}
		for _, o := range feedback.Read(t) {
			list = append(list, fmt.Sprintf("%d: %s %s %s @%d", i, o.Kind, o.Of, o.Ref, o.N))
		}
	}
	return list
}

// TestTakenBack: what is taken back on the page is noted once, in the conversation in which it was stated: by its own button or
// under Memory, while the conversation is open and when it is closed. What changed a memory is no outcome, and neither is what was
// stated in no conversation, when nobody is in one.
func TestTakenBack(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false)
	d.model.Always(llmtest.Text("All right."))
	say := func(id, text string) string {
		t.Helper()
		id, _ = d.ask(id, text)
		d.whole(id)
		return id
	}
	undo := func(path, line string) {
		t.Helper()
		if code, body := d.post(path, url.Values{"line": {line}, "ref": {line}}); code != http.StatusOK {
			t.Fatalf("%s: %d %.300s", path, code, body)
		}
	}
	first := say("", "remember that the staging host is kettle") // #1
	say(first, "remember that the drum prints labels")           // #2
	second := say("", "remember that the harbour is closed")     // #3
	say(second, "/remember the ladle is of brass")               // #4, in no turn
	undo("/talk/"+first+"/undo", "1")
	undo("/undo/2", "2")
	undo("/talk/"+first+"/undo", "3") // of the other one
	undo("/talk/"+second+"/undo", "4")
	d.state("the kettle is blue", "fact") // #9, elsewhere
	if code, _ := d.post("/memory/9/pin", nil); code != http.StatusOK {
		t.Fatal(code)
	}
	undo("/undo/10", "10")
	undo("/undo/9", "9")
	third := say("", "remember that the boat is called Annabel") // #13
	d.page.End(t.Context())
	undo("/undo/13", "13")
	want := []string{
		"0: undone memory 1 @1", "0: undone memory 2 @3", "1: undone memory 3 @1", "1: undone memory 4 @0", "2: undone memory 13 @1",
	}
	if got := d.became(first, second, third); !slices.Equal(got, want) {
		t.Errorf("%q, want %q\n%s", got, want, d.memory())
	}
}
