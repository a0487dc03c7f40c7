package web_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"ken/internal/app"
)

// chosen is what the boxes of a queue send, by reference.
func chosen(body string) map[string]string {
	of := make(map[string]string)
	for _, m := range regexp.MustCompile(`name="choose" value="(\S+) (\S+)"`).FindAllStringSubmatch(body, -1) {
		of[m[1]] = m[1] + " " + m[2]
	}
	return of
}

// TestReview: what waits is shown whole, several are decided together, and one button takes that back; what cannot be
// decided is said, and what binds has no box.
func TestReview(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	rule := b.state("never run rm -rf", "rule")
	agent := b.app.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: "notes"}})
	for _, s := range []app.Statement{
		{Text: "the drum prints"},
		{Text: "the kettle is\n  blue <b>"},
		{Text: "short answers", Kind: "pref"},
		{Text: "never run git push", Kind: "rule"},
	} {
		if _, err := agent.Remember(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := agent.Pin(t.Context(), rule, true, "often"); err != nil {
		t.Fatal(err)
	}
	_, body := b.get("/review")
	wants(t, "the queue", body, "5 wait for you", "the kettle is\n  blue &lt;b&gt;", "it is decided at the terminal", "why: often",
		"5 of 5 shown", "all that are shown", `name="say" value="later"`)
	boxes := chosen(body)
	if len(boxes) != 3 || boxes["p4"] != "" || boxes["p5"] != "" {
		t.Fatalf("boxes: %q", boxes)
	}
	if _, body := b.get("/review?kind=pref&from=agent%3Anotes"); len(chosen(body)) != 1 || !strings.Contains(body, "1 of 5 shown") {
		t.Errorf("preferences: %.1500s", body)
	}
	before := b.files()
	for what, form := range map[string]url.Values{
		"none":      {"say": {"yes"}},
		"a verdict": {"say": {"always"}, "choose": {boxes["p1"]}},
	} {
		if code, _ := b.post("/review/say", form); code != http.StatusBadRequest {
			t.Errorf("%s: %d", what, code)
		}
	}
	// What binds and what was not seen is left, whatever is sent.
	code, body := b.post("/review/say", url.Values{"say": {"yes"}, "choose": {"p4 x", "p5", "p1 another", "p77 x"}})
	wants(t, "nothing decided", body, "Nothing was decided; 4 answers could not be followed",
		"p4: it binds", "p5: it binds", "p1: it was changed meanwhile", "p77: ")
	if code != http.StatusOK || b.files() != before || strings.Contains(body, `hx-post="/review/back"`) {
		t.Errorf("%d, or something was written", code)
	}
	_, body = b.post("/review/say", url.Values{"say": {"yes"}, "choose": {boxes["p1"], boxes["p2"], "p4 x"}, "kind": {"fact"}})
	wants(t, "two kept", body, "Kept: p1, p2; written as #2, #3", "p4: it binds", "3 wait for you", `hx-post="/review/back"`, "0 of 3 shown")
	if _, list := b.get("/memory"); !strings.Contains(list, "the drum prints") {
		t.Error("it is not remembered")
	}
	back := url.Values{}
	for _, m := range regexp.MustCompile(`name="ref" value="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		back.Add("ref", html.UnescapeString(m[1]))
	}
	_, body = b.post("/review/back", back)
	wants(t, "taken back", body, "Taken back: ", "5 wait for you", "the drum prints")
	if _, list := b.get("/memory"); strings.Contains(list, "the drum prints") {
		t.Error("it is remembered still")
	}
	_, body = b.post("/review/say", url.Values{"say": {"no"}, "choose": {boxes["p1"], boxes["p3"]}})
	wants(t, "refused", body, "Refused: p1, p3", "3 wait for you", `value="p1"`, `value="p3"`)
	_, body = b.post("/review/back", url.Values{"ref": {"p1", "p3"}})
	wants(t, "asked again", body, "Taken back: p1, p3", "5 wait for you")
	_, body = b.post("/review/say", url.Values{"say": {"later"}, "choose": {boxes["p1"]}})
	wants(t, "put off", body, "Put off, behind the others: p1", "5 wait for you")
	if strings.Contains(body, `hx-post="/review/back"`) {
		t.Error("what was put off has an undo")
	}
}
