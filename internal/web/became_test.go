package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
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

// TestMemoryOff: a conversation has no memory while the person has it so: nothing of it is in a request, nothing is kept, and it
// stays so when an answer is asked for again, in a branch, and when the conversation was closed meanwhile. Other conversations have it.
func TestMemoryOff(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false)
	d.model.Always(llmtest.Text("All right."))
	d.state("the kettle is blue", "fact")
	const on, off = `<option value="on" selected>`, `<option value="off" selected>`
	knows := func(what string, want bool) {
		t.Helper()
		all := d.model.Requests()
		if last := string(all[len(all)-1].Body); strings.Contains(last, "kettle is blue") != want {
			t.Errorf("%s: the model is told: %v\n%s", what, !want, last)
		}
	}
	send := func(path string, form url.Values) string {
		t.Helper()
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("HX-Request", "true")
		code, body, h := d.do(r)
		if code != http.StatusOK {
			t.Fatalf("%v: %d %.300s", form, code, body)
		}
		id := strings.TrimPrefix(h.Get("HX-Redirect"), "/talk/")
		if id == "" {
			id = form.Get("id")
		}
		return id
	}
	_, body := d.get("/")
	wants(t, "a new one", body, "Memory<select", on)
	id := send("/ask", url.Values{"text": {"which colour?"}, "memory": {"off"}})
	wants(t, "without", d.whole(id), off, "Why: no memory")
	knows("the first", false)
	send("/ask", url.Values{"id": {id}, "text": {"remember that the drum prints"}})
	d.whole(id)
	knows("the second", false)
	_, stream := d.ask(id, "/remember the drum prints")
	d.events(stream, "", 0)
	wants(t, "a command", d.whole(id), "memory is off in this conversation")
	if strings.Contains(d.memory(), "drum") {
		t.Errorf("kept: %s", d.memory())
	}
	other := send("/ask", url.Values{"text": {"which colour is it?"}})
	wants(t, "another", d.whole(other), on)
	knows("another", true)
	for n, want := range map[string]string{"1": "which", "3": "remember"} {
		branch := send("/talk/"+id+"/branch", url.Values{"n": {n}, "text": {"and in other words?"}})
		wants(t, "a branch before "+want, d.whole(branch), off)
		knows("a branch before "+want, false)
	}
	d.page.End(t.Context())
	env := map[string]string{"KEN_HOME": d.dir, "HOME": d.dir, "OPENAI_BASE_URL": d.model.URL, "KEN_MODEL": "test"}
	d.serve(func(n string) string { return env[n] }, false)
	_, body = d.get("/talk/" + id)
	wants(t, "after a start", body, off)
	send("/ask", url.Values{"id": {id}, "again": {"1"}})
	wants(t, "again", d.whole(id), off)
	knows("again", false)
	send("/ask", url.Values{"id": {id}, "text": {"and the kettle?"}, "memory": {"on"}})
	wants(t, "with memory", d.whole(id), on)
	knows("with memory", true)
	if code, _ := d.post("/ask", url.Values{"id": {id}, "text": {"x"}, "memory": {"some"}}); code != http.StatusBadRequest {
		t.Error(code)
	}
}

// TestAmiss: that a memory had nothing to do with an answer is noted by reference in the conversation, once, while it is open and when
// it is closed, with and without script; the memory stays as it is. Of what an answer did not have nothing can be said.
func TestAmiss(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false)
	d.model.Always(llmtest.Text("All right."))
	d.state("the kettle is blue", "fact")
	d.state("the kettle stands in the kitchen", "fact")
	id, _ := d.ask("", "where is the kettle?")
	d.whole(id)
	before := d.memory()
	path := "/talk/" + id + "/why/2"
	_, body := d.get(path)
	wants(t, "the panel", body, `action="`+path+`"`, `aria-label="Not relevant here: #1"`, `aria-label="Not relevant here: #2"`)
	for range 2 {
		if code, body := d.post(path, url.Values{"ref": {"1"}}); code != http.StatusOK || !strings.Contains(body, "Noted: it had nothing") {
			t.Errorf("%d %s", code, body)
		}
	}
	_, body = d.get(path)
	wants(t, "the panel then", body, "Noted: it had nothing", `aria-label="Not relevant here: #2"`)
	if strings.Contains(body, "here: #1") {
		t.Error("it can be said again")
	}
	for at, ref := range map[string]string{path: "3", "/talk/" + id + "/why/1": "1", "/talk/none/why/2": "1", "/talk/" + id + "/why/x": "1"} {
		if code, body := d.post(at, url.Values{"ref": {ref}}); code != http.StatusNotFound {
			t.Errorf("%s of %s: %d %.200s", ref, at, code, body)
		}
	}
	once := d.once()
	d.page.End(t.Context())
	for word, want := range map[string]int{"": http.StatusForbidden, once: http.StatusSeeOther} {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(url.Values{"ref": {"2"}, "once": {word}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		code, _, h := d.do(r)
		if at := h.Get("Location"); code != want || code == http.StatusSeeOther && !strings.HasSuffix(at, path) {
			t.Errorf("with the word %q: %d to %q", word, code, at)
		}
	}
	if got := d.became(id); !slices.Equal(got, []string{"0: rejected memory 1 @2", "0: rejected memory 2 @2"}) {
		t.Errorf("%q", got)
	}
	if d.memory() != before {
		t.Error("the memory was changed")
	}
}
