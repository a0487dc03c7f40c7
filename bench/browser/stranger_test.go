//go:build unix

package browser_test

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// attack is a page of a stranger: it does what a page can do without being asked to, and says what came of it.
const attack = `<!DOCTYPE html><title>stranger</title><body><script>
const base = %q, talk = %q;
const said = {};
const forms = [["/memory", "text"], ["/memory/2/forget", "was"], ["/memory/2/edit", "text"], ["/undo/1", "ref"], ["/ask", "text"],
	["/talk/" + talk + "/branch", "text"], ["/talk/" + talk + "/undo", "line"], ["/talk/" + talk + "/stop", "once"]];
const types = ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"];
const loads = (e) => new Promise((done) => { e.onload = () => done("came"); e.onerror = () => done("refused"); document.body.append(e); });
async function all() {
	for (const [path, name] of forms) {
		for (const enctype of types) {
			const frame = document.createElement("iframe");
			frame.name = path + enctype;
			const shown = loads(frame);
			const form = document.createElement("form");
			Object.assign(form, { method: "post", action: base + path, enctype, target: frame.name });
			const field = document.createElement("input");
			Object.assign(field, { name, value: "the stranger was here" });
			form.append(field);
			document.body.append(form);
			form.submit();
			await shown;
		}
		for (const init of [
			{ mode: "no-cors", body: new URLSearchParams({ [name]: "the stranger was here" }) },
			{ headers: { "HX-Request": "true" }, body: new URLSearchParams({ [name]: "the stranger was here" }) },
			{ headers: { "Content-Type": "application/json" }, body: JSON.stringify({ [name]: "the stranger was here" }) },
		]) {
			try {
				const got = await fetch(base + path, { method: "POST", credentials: "include", ...init });
				said["POST " + path] = (await got.text()) ? "read" : "";
			} catch { /* as it should */ }
		}
	}
	for (const path of ["/", "/memory", "/memory/1", "/api/status", "/talk/" + talk, "/talk/" + talk + "/events"]) {
		try {
			const got = await fetch(base + path, { credentials: "include" });
			said["GET " + path] = await got.text();
		} catch { /* as it should */ }
		const frame = document.createElement("iframe");
		frame.src = base + path;
		await loads(frame);
		try {
			if (frame.contentDocument?.body?.innerText) said["frame of " + path] = frame.contentDocument.body.innerText;
		} catch { /* as it should */ }
	}
	for (const path of ["/static/htmx.js", "/memory"]) {
		const script = document.createElement("script");
		script.src = base + path;
		if (await loads(script) === "came") said["script " + path] = "came";
	}
	const image = document.createElement("img");
	image.src = base + "/memory?q=x";
	if (await loads(image) === "came") said.image = "came";
	return JSON.stringify(said);
}
</script>`

// stranger: another page in the same browser, for which the browser would sign in by itself, changes nothing and reads nothing.
func stranger(t *testing.T, s *stage) {
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, attack, s.base, s.talk)
	}))
	defer evil.Close()
	before := s.kept(t)
	b := s.open(t, 1440, false)
	b.elsewhere, b.refusals = evil.URL, []string{""} // the browser says of each that it was refused
	b.do(chromedp.Navigate(evil.URL))
	if got := is[string](b, "all()"); got != "{}" {
		t.Errorf("a stranger's page got %.600s", got)
	}
	if after := s.kept(t); after != before {
		t.Errorf("a stranger's page changed what is kept: %d bytes, then %d", len(before), len(after))
	}
	b.to("/memory")
	b.says("The staging host is called kettle") // it still is signed in
	if strings.Contains(b.text(), "stranger") {
		t.Error("the stranger is remembered")
	}
}

// kept is all of the memory and the conversations, as one text.
func (s *stage) kept(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(s.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		text, err := os.ReadFile(path)
		all.WriteString(path + "\n" + string(text) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
