package web_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/agent/talk"
	"ken/internal/app"
	"ken/internal/llm/llmtest"
	"ken/internal/upkeep"
	"ken/internal/web"
)

// A desk is a page with conversations, behind a real server, and a model.
type desk struct {
	*bed
	model *llmtest.Server
	url   string

	first   sync.Once
	watched chan struct{} // closed when an answer is watched for the first time
}

// held is a script that says nothing until an answer is watched: an answer that is whole before its page was asked for has no stream.
func (d *desk) held(s llmtest.Script) llmtest.Script {
	if len(s.Steps) > 0 && s.Steps[0].Wait == nil {
		return s.Gate(0, d.watched)
	}
	return s
}

func newDesk(t *testing.T, readOnly bool, scripts ...llmtest.Script) *desk {
	t.Helper()
	d := &desk{bed: &bed{t: t, dir: t.TempDir()}, watched: make(chan struct{})}
	for i, s := range scripts {
		scripts[i] = d.held(s)
	}
	d.model = llmtest.New(t, scripts...)
	env := map[string]string{"KEN_HOME": d.dir, "HOME": d.dir, "OPENAI_BASE_URL": d.model.URL, "KEN_MODEL": "test"}
	getenv := func(n string) string { return env[n] }
	d.serve(getenv, readOnly)
	return d
}

// serve opens the memory and serves the page of it, as after a start.
func (d *desk) serve(getenv func(string) string, readOnly bool) {
	t := d.t
	t.Helper()
	d.app = app.Open(app.Options{
		Getenv: getenv, Now: time.Now, Clock: time.Now, Local: []string{}, Flags: &app.Flags{ReadOnly: readOnly},
	})
	d.app.Subscribe(upkeep.Follow)
	if err := d.app.Check(); err != nil {
		t.Fatal(err)
	}
	memory := d.app
	d.own = web.OwnerOf(memory)
	page, err := web.New(web.Options{
		Owner: d.own, Now: time.Now, Warn: func(err error) { t.Errorf("a warning: %v", err) }, Talk: &talk.Options{
			Memory: memory, Warn: func(err error) { t.Errorf("warned: %v", err) },
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	d.page = page
	server := httptest.NewServer(page)
	d.url = server.URL
	t.Cleanup(func() {
		page.End(context.WithoutCancel(t.Context()))
		server.CloseClientConnections()
		server.Close()
		_ = memory.Close()
	})
}

// once is what the forms of the page carry.
func (d *desk) once() string {
	d.t.Helper()
	_, body := d.get("/")
	m := regexp.MustCompile(`name="once" value="([^"]+)"`).FindStringSubmatch(body)
	if m == nil {
		d.t.Fatalf("no form: %.500s", body)
	}
	return m[1]
}

// ask asks by the page's script in a new conversation or in one, and returns its id, and the address of the stream of the answer.
func (d *desk) ask(id, text string) (talk, stream string) {
	d.t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/ask", strings.NewReader(url.Values{"id": {id}, "text": {text}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("HX-Request", "true")
	code, body, h := d.do(r)
	if code != http.StatusOK {
		d.t.Fatalf("%q: %d %.600s", text, code, body)
	}
	if at := h.Get("HX-Redirect"); at != "" {
		if _, body = d.get(at); id != "" {
			d.t.Fatalf("sent elsewhere: %s", at)
		}
		id = strings.TrimPrefix(at, "/talk/")
	}
	if m := regexp.MustCompile(`hx-sse:connect="([^"]+)"`).FindStringSubmatch(body); m != nil {
		stream = m[1]
	}
	return id, stream
}

// until waits until an answer has a text.
func (d *desk) until(stream, text string) {
	d.t.Helper()
	if list := d.read(stream, "", func(e event) bool { return strings.Contains(e.data, text) }); len(list) == 0 {
		d.t.Fatal("the answer does not begin")
	}
}

// whole waits until an answer is, and returns the page of the conversation.
func (d *desk) whole(id string) string {
	d.t.Helper()
	_, body := d.get("/talk/" + id)
	if m := regexp.MustCompile(`hx-sse:connect="([^"]+)"`).FindStringSubmatch(body); m != nil {
		d.events(m[1], "", 0)
		_, body = d.get("/talk/" + id)
	}
	return body
}

// An event is one of a stream.
type event struct{ id, name, data string }

// events reads a stream to its end, or to the n-th event.
func (d *desk) events(at, last string, n int) []event {
	d.t.Helper()
	return d.read(at, last, func(event) bool {
		n--
		return n == 0
	})
}

// read reads a stream to its end, or to the event that is enough.
func (d *desk) read(at, last string, enough func(event) bool) (list []event) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url+at, http.NoBody)
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Last-Event-Id", last)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" {
		b, _ := io.ReadAll(resp.Body)
		d.t.Fatalf("%s: %s %.300s", at, kind, b)
	}
	d.first.Do(func() { close(d.watched) })
	in := bufio.NewReader(resp.Body)
	var e event
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return list
		}
		switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); {
		case line == "\n" && e != (event{}):
			list = append(list, e)
			if enough(e) {
				return list
			}
			e = event{}
		case name == "id":
			e.id = value
		case name == "event":
			e.name = value
		case name == "data":
			e.data += value + "\n"
		}
	}
}

// TestConversation: what is asked on the page is answered as it is written, recorded as of the page, and stands there when it is
// loaded again.
func TestConversation(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false, llmtest.Text("It is ", "**blue**", "."), llmtest.Text("Two."))
	d.state("the kettle is blue", "fact")
	_, body := d.get("/")
	wants(t, "the page", body, `id="ask"`, `action="/ask"`, `aria-current="page">Conversation`, "live.js", "talk.js", "everywhere", "test")
	_, live := d.get("/static/live.js")
	wants(t, "the script", live, string(read(t, "static/htmx.js")), string(read(t, "static/hx-sse.js")))
	id, stream := d.ask("", "which colour has the kettle?")
	list := d.events(stream, "", 0)
	if n := len(list); n < 2 || list[n-1].name != "done" {
		t.Fatalf("%d events: %+v", n, list)
	}
	wants(t, "the last event", list[len(list)-2].data, "It is <strong>blue</strong>.", "which colour", "Why: 1 memory", "The answer is there.",
		`hx-target="#seen"`, `value="2"`)
	body = d.whole(id)
	wants(t, "the conversation", body, "It is <strong>blue</strong>.", `id="t1"`, `id="t2"`, `name="seen" id="seen" value="2"`)
	if strings.Contains(body, "hx-sse:connect") {
		t.Error("what is whole is streamed")
	}
	_, panel := d.get("/talk/" + id + "/why/2")
	wants(t, "why", panel, "the kettle is blue", `href="/memory/1"`, "In the start-up block", "shaped by", "ken why "+id+":2", `class="bar"`)
	_, stream = d.ask(id, "how many?")
	if list := d.events(stream, "", 0); !strings.Contains(list[len(list)-2].data, "Two.") {
		t.Errorf("%+v", list)
	}
	body = d.whole(id)
	wants(t, "the second", body, `id="t3"`, `id="t4"`)
	for _, path := range []string{"/", "/sessions"} {
		_, body := d.get(path)
		wants(t, path, body, id, "which colour has the kettle?")
	}
	record, err := filepath.Glob(filepath.Join(d.dir, "sessions", "*.jsonl"))
	if err != nil || len(record) != 1 {
		t.Fatal(record, err)
	}
	if text, err := os.ReadFile(record[0]); err != nil || !strings.Contains(string(text), `"channel":"web"`) {
		t.Errorf("%v\n%s", err, text)
	}
	if code, _ := d.get("/talk/" + id + "/why/1"); code != http.StatusNotFound {
		t.Errorf("why of a question: %d", code)
	}
	for _, path := range []string{"/talk/none", "/talk/none/why/1", "/talk/" + id + "/why/x", "/talk", "/talk/" + id + "/nothing", "/ask"} {
		if code, _ := d.get(path); code != http.StatusNotFound {
			t.Errorf("%s: %d", path, code)
		}
	}
}

// TestTabs: an answer belongs to the server. A tab that is loaded anew, or comes back, has all of it; in the meantime a second tab is
// told that it is written; one that is closed stops nothing.
func TestTabs(t *testing.T) {
	t.Parallel()
	more := make(chan struct{})
	d := newDesk(t, false, llmtest.Text("one ", "two ", "three").Gate(2, more), llmtest.Text("And more."))
	id, stream := d.ask("", "count")
	first := d.events(stream, "", 1) // and the tab is closed
	if len(first) != 1 {
		t.Fatal(first)
	}
	_, body := d.get("/talk/" + id)
	wants(t, "the page meanwhile", body, stream, "data-stop", "count", `aria-busy="true"`)
	code, body := d.post("/ask", url.Values{"id": {id}, "text": {"and you?"}})
	if code != http.StatusUnprocessableEntity || !strings.Contains(body, "an answer is being written") {
		t.Errorf("a second tab: %d %.300s", code, body)
	}
	close(more)
	list := d.events(stream, first[0].id, 0)
	wants(t, "after it came back", list[len(list)-2].data, "one two three")
	if n := strings.Count(list[len(list)-2].data, "one two three"); n != 1 {
		t.Errorf("it stands there %d times", n)
	}
	list = d.events(stream, list[len(list)-2].id, 0) // once more, when it is over
	if len(list) != 2 || list[1].name != "done" {
		t.Errorf("%+v", list)
	}
	// The second tab, which has seen nothing of that, is given it with its own question.
	code, body = d.post("/ask", url.Values{"id": {id}, "text": {"and then?"}, "seen": {"0"}})
	if code != http.StatusOK {
		t.Fatal(code, body)
	}
	wants(t, "the second tab", body, "count", "one two three", "and then?")
	wants(t, "the end", d.whole(id), "And more.")
	list = d.events("/talk/"+id+"/events?turn=long-ago", "", 0)
	wants(t, "an answer of before the start", list[0].data, "not written any more", "/talk/"+id)
}

// TestStopGoOn: an answer is stopped, and keeps what came; it is gone on with, or asked for again.
func TestStopGoOn(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false, llmtest.Hang("It begins ", "well.\n\n", "And "), llmtest.Text("It ends."), llmtest.Text("Anew."))
	id, stream := d.ask("", "a story")
	d.until(stream, "It begins well.")
	if code, _ := d.post("/talk/"+id+"/stop", nil); code != http.StatusNoContent {
		t.Error(code)
	}
	list := d.events(stream, "", 0)
	wants(t, "stopped", list[len(list)-2].data, "It begins", "Stopped.", "Continue", "Ask again")
	wants(t, "the page", d.whole(id), "It begins", "Continue", "Ask again")
	_, stream = d.ask(id, "go on")
	d.events(stream, "", 0)
	body := d.whole(id)
	wants(t, "gone on with", body, "It ends.")
	if strings.Contains(body, "Continue") {
		t.Error("a whole answer is to be gone on with")
	}
	code, body := d.post("/ask", url.Values{"id": {id}, "again": {"1"}})
	if code != http.StatusOK {
		t.Fatal(code, body)
	}
	wants(t, "asked again", d.whole(id), "Anew.", "It ends.", "(replaced)")
}

// TestBranches: from an answer, and from before a question, which is asked there in other words. The conversation stays.
func TestBranches(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false)
	d.model.Always(llmtest.Text("All right."))
	id, _ := d.ask("", "one")
	d.whole(id)
	d.ask(id, "two")
	before := d.whole(id)
	for _, c := range []struct {
		form       url.Values
		has, lacks []string
	}{
		{url.Values{"n": {"2"}}, []string{"one", "All right."}, []string{"two"}},
		{url.Values{"n": {"3"}, "text": {"zwei"}}, []string{"one", "zwei"}, []string{"two"}},
		{url.Values{"n": {"1"}, "text": {"eins"}}, []string{"eins"}, []string{"one", "two"}},
	} {
		r := httptest.NewRequest(http.MethodPost, "/talk/"+id+"/branch", strings.NewReader(c.form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("HX-Request", "true")
		code, body, h := d.do(r)
		at := h.Get("HX-Redirect")
		if code != http.StatusOK || !strings.HasPrefix(at, "/talk/") || at == "/talk/"+id {
			t.Errorf("%v: %d to %q: %.300s", c.form, code, at, body)
			continue
		}
		body = d.whole(strings.TrimPrefix(at, "/talk/"))
		said := regexp.MustCompile(`(?s)<div id="turns".*<div id="end">`).FindString(body)
		wants(t, c.form.Encode(), said, c.has...)
		for _, no := range c.lacks {
			if strings.Contains(said, "<p>"+no+"</p>") {
				t.Errorf("%v has %q", c.form, no)
			}
		}
	}
	turns := regexp.MustCompile(`(?s)<div id="turns".*<div id="end">`)
	if now := d.whole(id); turns.FindString(now) != turns.FindString(before) {
		t.Error("the conversation is another")
	}
	if code, body := d.post("/talk/"+id+"/branch", url.Values{"n": {"99"}}); code < 400 {
		t.Errorf("no such turn: %d %.200s", code, body)
	}
}

// TestKept: what the person types is kept or forgotten as on the phone, is undone where it is said, and binds no command; what a model
// or a program says is kept by nobody.
func TestKept(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false)
	d.model.Always(llmtest.Text("remember that I like spam"))
	id, stream := d.ask("", "remember that the staging host is kettle")
	list := d.events(stream, "", 0)
	wants(t, "told", list[len(list)-2].data, "remembered #1", "Undo #1", `name="line" value="1"`)
	wants(t, "loaded again", d.whole(id), "remembered #1", "Undo #1")
	if code, body := d.post("/talk/"+id+"/undo", url.Values{"line": {"1"}}); code != http.StatusOK || !strings.Contains(body, "took back #1") {
		t.Errorf("%d %s", code, body)
	}
	if body := d.whole(id); strings.Contains(body, "Undo #1") {
		t.Error("what is undone can be undone")
	}
	for _, c := range [][2]string{
		{"/remember the drum prints", "remembered #3"},
		{"/memory drum", "the drum prints"},
		{"/why", "nothing was called up"},
		{"rule: never run git push", "needs the terminal"},
		{"/forget 3", "forgot #3"},
	} {
		_, stream := d.ask(id, c[0])
		d.events(stream, "", 0)
		wants(t, c[0], d.whole(id), c[1])
	}
	log := d.files()
	if strings.Contains(log, "I like spam") && strings.Contains(d.memory(), "spam") || strings.Contains(d.memory(), "git push") {
		t.Errorf("kept:\n%s", d.memory())
	}
	if n := strings.Count(d.memory(), `"channel":"web"`); n != 2 {
		t.Errorf("%d are noted as of the page\n%s", n, d.memory())
	}
}

func (d *desk) memory() string { return string(read(d.t, filepath.Join(d.dir, "memory.jsonl"))) }

// TestWithoutScript: a form that no script sent shows the answer when it is whole, if it is of this page; else nothing is done, and
// what was written stands there.
func TestWithoutScript(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false)
	d.model.Always(llmtest.Text("All right."))
	send := func(path string, form url.Values) (int, string, http.Header) {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return d.do(r)
	}
	once := d.once()
	code, _, h := send("/ask", url.Values{"once": {once}, "text": {"what is new?"}})
	at, err := url.Parse(h.Get("Location"))
	if code != http.StatusSeeOther || err != nil || !strings.HasPrefix(at.Path, "/talk/") || at.Fragment != "end" {
		t.Fatalf("%d to %s", code, h.Get("Location"))
	}
	_, body := d.get(at.Path)
	wants(t, "the answer", body, "All right.", "what is new?")
	if strings.Contains(body, "data-stop") {
		t.Error("it is not whole")
	}
	if code, _, h := send(at.Path+"/stop", url.Values{"once": {once}}); code != http.StatusSeeOther ||
		!strings.Contains(h.Get("Location"), at.Path) {
		t.Errorf("stop: %d", code)
	}
	before := d.files()
	for _, form := range []url.Values{{"text": {"say <b>hello</b>"}}, {"text": {"say <b>hello</b>"}, "once": {"of another page"}}} {
		code, body, _ := send("/ask", form)
		if code != http.StatusForbidden {
			t.Errorf("%v: %d", form, code)
		}
		wants(t, "refused", body, "nothing was asked", "say &lt;b&gt;hello")
		for _, path := range []string{at.Path + "/stop", at.Path + "/branch", at.Path + "/undo"} {
			if code, _, _ := send(path, form); code != http.StatusForbidden {
				t.Errorf("%s: %d", path, code)
			}
		}
	}
	for _, kind := range []string{"text/plain", "multipart/form-data; boundary=x", ""} {
		r := httptest.NewRequest(http.MethodPost, "/ask", strings.NewReader("once="+once+"&text=x"))
		r.Header.Set("Content-Type", kind)
		if code, _, _ := d.do(r); code != http.StatusUnsupportedMediaType {
			t.Errorf("as %q: %d", kind, code)
		}
	}
	if d.files() != before {
		t.Error("something was done")
	}
	if code, body, _ := send("/ask", url.Values{"once": {once}, "text": {" \x00 "}}); code != http.StatusBadRequest ||
		!strings.Contains(body, "nothing was typed") {
		t.Errorf("nothing: %d", code)
	}
	if code, _, _ := send("/ask", url.Values{"once": {once}, "text": {"x"}, "model": {"other"}}); code != http.StatusBadRequest {
		t.Errorf("another model: %d", code)
	}
	if code, _, _ := send("/ask", url.Values{"once": {once}, "text": {"x"}, "place": {"/etc"}}); code != http.StatusBadRequest {
		t.Errorf("another place: %d", code)
	}
}

// TestModelFails: what a model's server says is one error with one step, once, and the question can be asked again.
func TestModelFails(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false, llmtest.Error(http.StatusUnauthorized, "the key <b>is</b> wrong"), llmtest.Text("Now."))
	id, stream := d.ask("", "are you there?")
	list := d.events(stream, "", 0)
	last := list[len(list)-2].data
	wants(t, "failed", last, `class="fault"`, "There is no answer.", "Ask again", "are you there?")
	if strings.Count(last, `class="fault"`) != 1 || strings.Contains(last, "<b>") {
		t.Errorf("%s", last)
	}
	wants(t, "loaded again", d.whole(id), `class="fault"`, "Ask again")
	if code, body := d.post("/ask", url.Values{"id": {id}, "again": {"1"}}); code != http.StatusOK {
		t.Fatal(code, body)
	}
	wants(t, "again", d.whole(id), "Now.")
}

// TestLookedAtItsEnd: whoever loads the page while an answer ends sees the answer, or its stream: never neither.
func TestLookedAtItsEnd(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false)
	id := ""
	for i := range 40 {
		said := fmt.Sprintf("Answer %d.", i)
		d.model.Always(llmtest.Text(said))
		form := url.Values{"id": {id}, "text": {fmt.Sprintf("question %d", i)}}
		r := httptest.NewRequest(http.MethodPost, "/ask", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("HX-Request", "true")
		code, _, h := d.do(r)
		if code != http.StatusOK {
			t.Fatal(code)
		}
		if at := h.Get("HX-Redirect"); at != "" {
			id = strings.TrimPrefix(at, "/talk/")
		}
		for body := ""; !strings.Contains(body, said); {
			if code, body = d.get("/talk/" + id); code != http.StatusOK {
				t.Fatal(code)
			}
			if !strings.Contains(body, said) && !strings.Contains(body, "hx-sse:connect") {
				t.Fatalf("question %d has no answer and no stream", i)
			}
		}
		d.whole(id)
	}
}

// TestManyPieces: an answer of five thousand pieces comes whole, in far fewer steps; who never reads holds up nothing, and is cut off.
func TestManyPieces(t *testing.T) {
	t.Parallel()
	pieces := make([]string, 5000)
	for i := range pieces {
		pieces[i] = "word "
	}
	d := newDesk(t, false, llmtest.Text(pieces...))
	id, stream := d.ask("", "many words")
	slow, err := http.Get(d.url + stream) //nolint:noctx // it is never read
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = slow.Body.Close() }()
	list := d.events(stream, "", 0)
	if n := len(list); n > 1000 || strings.Count(list[n-2].data, "word") < 5000 {
		t.Errorf("%d events, %d words", n, strings.Count(list[n-2].data, "word"))
	}
	if n := strings.Count(d.whole(id), "word"); n < 5000 {
		t.Errorf("%d words", n)
	}
}

// TestLarge: what is too long is refused, and nothing of it is asked.
func TestLarge(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false)
	r := httptest.NewRequest(http.MethodPost, "/ask", io.LimitReader(zeros{}, 100<<20))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if code, _, _ := d.do(r); code != http.StatusRequestEntityTooLarge {
		t.Error(code)
	}
	if n := len(d.model.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestViewingOnly: where the memory is only read, conversations are looked at and nothing is asked, by whatever way.
func TestViewingOnly(t *testing.T) {
	t.Parallel()
	d := newDesk(t, true)
	_, body := d.get("/")
	wants(t, "the page", body, "only read here")
	if strings.Contains(body, `id="ask"`) {
		t.Error("there is a box")
	}
	if code, body := d.post("/ask", url.Values{"text": {"x"}}); code != http.StatusUnprocessableEntity ||
		!strings.Contains(body, "only read") {
		t.Errorf("%d %s", code, body)
	}
	if n := len(d.model.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// TestForeignTalk: nothing that a model writes or that was typed becomes live, while it is written and afterwards.
func TestForeignTalk(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false)
	all := strings.Join(attacks(), "\n\n")
	d.model.Always(llmtest.Text(all))
	id, stream := d.ask("", all)
	own := strings.NewReplacer(`<hx-partial hx-target="#seen" hx-swap="outerHTML">`, "", "</hx-partial>", "") // of the template
	for _, e := range d.events(stream, "", 0) {
		if tag := bad(own.Replace(e.data)); tag != "" {
			t.Errorf("an event has %s", tag)
		}
	}
	for _, path := range []string{"/talk/" + id, "/", "/talk/" + id + "/why/2", "/?text=" + url.QueryEscape(all), "/sessions/" + id} {
		_, body := d.get(path)
		if tag := bad(body); tag != "" {
			t.Errorf("%s has %s", path, tag)
		}
	}
	for _, x := range attacks() {
		_, body := d.post("/ask", url.Values{"id": {x}, "text": {x}, "model": {x}, "place": {x}})
		if tag := bad(body); tag != "" {
			t.Errorf("%q answers with %s", x, tag)
		}
	}
}

// TestServerEnds: with the server the answer ends, what came of it is kept, and after a start the page says so and goes on.
func TestServerEnds(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false, llmtest.Hang("It begins ", "well.\n\n", "And "), llmtest.Text("It goes on."))
	id, stream := d.ask("", "a story")
	d.until(stream, "It begins well.")
	d.page.End(t.Context())
	if code, body := d.post("/ask", url.Values{"text": {"still there?"}}); code < 400 {
		t.Errorf("asked after the end: %d %.200s", code, body)
	}
	env := map[string]string{"KEN_HOME": d.dir, "HOME": d.dir, "OPENAI_BASE_URL": d.model.URL, "KEN_MODEL": "test"}
	d.serve(func(n string) string { return env[n] }, false)
	list := d.events(stream, "", 0)
	wants(t, "the stream after the start", list[0].data, "not written any more")
	wants(t, "the page after the start", d.whole(id), "It begins", "Continue")
	d.ask(id, "go on")
	wants(t, "gone on with", d.whole(id), "It goes on.")
}

// TestLooking: looking at conversations changes nothing, not even a file of the state.
func TestLooking(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false)
	d.model.Always(llmtest.Text("All right."))
	id, _ := d.ask("", "what is new?")
	d.whole(id)
	d.page.End(t.Context())
	before := d.tree()
	for _, path := range []string{
		"/", "/?text=x", "/talk/" + id, "/talk/" + id + "/why/2", "/talk/" + id + "/events?turn=x",
		"/talk/" + id + "/stop", "/ask?text=remember+that+x",
	} {
		d.get(path)
	}
	if after := d.tree(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// tree is what stands in the person's directory, each file by its sum.
func (d *desk) tree() string {
	d.t.Helper()
	var all strings.Builder
	if err := filepath.WalkDir(d.dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			sum := sha256.Sum256(read(d.t, path))
			fmt.Fprintf(&all, "%s %x\n", path, sum[:4])
		}
		return err
	}); err != nil {
		d.t.Fatal(err)
	}
	return all.String()
}

// TestUnrecorded: a conversation of which nothing is recorded stands there while it is open.
func TestUnrecorded(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false)
	if err := os.WriteFile(filepath.Join(d.dir, "config.toml"), []byte("[session]\nautosave = false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.model.Always(d.held(llmtest.Text("All right.")))
	id, stream := d.ask("", "what is new?")
	d.events(stream, "", 0)
	wants(t, "the page", d.whole(id), "what is new?", "All right.", `id="t2"`)
	_, stream = d.ask(id, "and then?")
	list := d.events(stream, "", 0)
	wants(t, "the second", list[len(list)-2].data, "and then?", "All right.")
	if body := d.whole(id); strings.Count(body, "All right.") != 2 {
		t.Errorf("%s", body)
	}
	if found, err := filepath.Glob(filepath.Join(d.dir, "sessions", "*.jsonl")); err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
}

// TestModels: the model that is chosen answers from then on, and stands in the list.
func TestModels(t *testing.T) {
	t.Parallel()
	d := newDesk(t, false)
	other := llmtest.New(t)
	other.Always(llmtest.Text("The other one."))
	d.model.Always(llmtest.Text("The first one."))
	config := "model = \"first\"\n"
	for name, s := range map[string]*llmtest.Server{"first": d.model, "other": other} {
		config += "[models." + name + "]\nbase_url = \"" + s.URL + "\"\nmodel = \"test\"\n"
	}
	if err := os.WriteFile(filepath.Join(d.dir, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"KEN_HOME": d.dir, "HOME": d.dir}
	d.page.End(t.Context())
	d.serve(func(n string) string { return env[n] }, false)
	_, body := d.get("/")
	wants(t, "the page", body, `<option value="first" selected>`, `<option value="other">`)
	id, _ := d.ask("", "who?")
	wants(t, "the first", d.whole(id), "The first one.", `<option value="first" selected>`)
	if code, body := d.post("/ask", url.Values{"id": {id}, "text": {"and who now?"}, "model": {"other"}}); code != http.StatusOK {
		t.Fatal(code, body)
	}
	wants(t, "the other", d.whole(id), "The other one.", `<option value="other" selected>`)
	_, body = d.get("/")
	wants(t, "a new one", body, `<option value="first" selected>`)
}
