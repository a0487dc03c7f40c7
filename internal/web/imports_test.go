package web_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// send sends a form with files, as the page's script does. fields are names and values in turn; a name with a dot is a file's.
func (b *bed) send(path string, fields ...string) (int, string) {
	b.t.Helper()
	code, body, _ := b.do(form(b.t, path, fields...))
	return code, body
}

func form(t *testing.T, path string, fields ...string) *http.Request {
	t.Helper()
	var to bytes.Buffer
	m := multipart.NewWriter(&to)
	for i := 0; i < len(fields); i += 2 {
		w, err := m.CreateFormField(fields[i])
		if strings.Contains(fields[i], ".") {
			w, err = m.CreateFormFile("file", fields[i])
		}
		if err == nil {
			_, err = io.WriteString(w, fields[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, path, &to)
	r.Header.Set("Content-Type", m.FormDataContentType())
	r.Header.Set("HX-Request", "true")
	return r
}

// hidden is the value of a field or button of a piece of the page.
func hidden(t *testing.T, body, name string) string {
	t.Helper()
	m := regexp.MustCompile(`name="` + name + `" value="([^"]+)"`).FindStringSubmatch(body)
	if m == nil {
		t.Fatalf("no %s in\n%s", name, body)
	}
	return m[1]
}

// TestImport: files are looked into first, which writes nothing; what was seen comes in, waits in the review, and is taken back.
func TestImport(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	turn := `{"session":"standup","turn":1,"text":"the kettle is red"}`
	files := []string{"CLAUDE.md", "- Answer in <b>English</b>\n", "standup.jsonl", turn + "\noops\n"}
	code, body := b.send("/import/look", files...)
	if code != http.StatusOK {
		t.Fatalf("%d: %s", code, body)
	}
	wants(t, "what was seen", body, "Would propose 1 memory; would import 1 turn",
		"Answer in &lt;b&gt;English", "standup.jsonl: line 2:", "Import")
	if _, review := b.get("/review"); !strings.Contains(review, "Nothing waits for you") {
		t.Error("looking wrote something")
	}
	was := hidden(t, body, "was")
	if code, body := b.send("/import/do", append(files, "was", strings.Repeat("0", len(was)))...); code != http.StatusConflict {
		t.Errorf("others than were seen: %d: %s", code, body)
	}
	code, body = b.send("/import/do", append(files, "was", was)...)
	if code != http.StatusOK {
		t.Fatalf("%d: %s", code, body)
	}
	wants(t, "what came in", body, "Proposed 1 memory; imported 1 turn of 1 session", `href="/review"`, "Undo")
	_, review := b.get("/review")
	wants(t, "the review", review, "One waits for you", "English")
	_, found := b.get("/sessions?q=kettle")
	wants(t, "the conversations", found, "1 conversation", "imported")
	undo := url.Values{"of": {hidden(t, body, "of")}}
	code, body = b.post("/import/undo", undo)
	if code != http.StatusOK {
		t.Fatalf("%d: %s", code, body)
	}
	wants(t, "taken back", body, "Took back: 1 suggestion refused; 1 session without what was imported")
	_, review = b.get("/review")
	wants(t, "the review", review, "Nothing waits for you")
	if code, _ := b.post("/import/undo", undo); code != http.StatusNotFound {
		t.Errorf("taken back twice: %d", code)
	}
}

// TestImportRefused: a form that another page could send, one without a file, and a file that is nothing known are refused with a
// word of what to do; none of it is a fault of the memory.
func TestImportRefused(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	other := form(t, "/import/do", "CLAUDE.md", "- x\n")
	other.Header.Del("HX-Request")
	plain := httptest.NewRequest(http.MethodPost, "/import/do", strings.NewReader("x"))
	plain.Header.Set("HX-Request", "true")
	for name, r := range map[string]*http.Request{"without the header": other, "another type": plain} {
		if code, body, _ := b.do(r); code != http.StatusUnsupportedMediaType {
			t.Errorf("%s: %d: %s", name, code, body)
		}
	}
	for name, tt := range map[string]struct {
		fields []string
		code   int
		says   string
	}{
		"no file":         {[]string{"scope", "user"}, http.StatusBadRequest, "choose one first"},
		"nothing known":   {[]string{"notes.json", `{"a": 1}`}, http.StatusUnprocessableEntity, "choose its format"},
		"nothing in it":   {[]string{"blank.md", "\n"}, http.StatusUnprocessableEntity, "nothing in it reads like a fact"},
		"packed":          {[]string{"x.json", "\x1f\x8b"}, http.StatusUnprocessableEntity, "unpack it"},
		"no such format":  {[]string{"a.md", "- x y z\n", "format", "none"}, http.StatusUnprocessableEntity, "no format"},
		"no such scope":   {[]string{"a.md", "- x y z\n", "scope", "nowhere"}, http.StatusUnprocessableEntity, "no scope"},
		"too long a word": {[]string{"a.md", "- x\n", "scope", strings.Repeat("x", 1<<20)}, http.StatusRequestEntityTooLarge, "too long"},
	} {
		if code, body := b.send("/import/look", tt.fields...); code != tt.code || !strings.Contains(body, tt.says) {
			t.Errorf("%s: %d: %s", name, code, body)
		}
	}
}

// TestHealth: what is missing stands first with what closes it; servers are asked, and files checked, when the person says so.
func TestHealth(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	_, body := b.get("/health")
	wants(t, "health", body, "1 gap.", "it was not asked", "ken init", "Check all files")
	if strings.Index(body, ">gap<") > strings.Index(body, ">ok<") {
		t.Error("the gap does not stand first")
	}
	_, body = b.post("/health/servers", nil)
	wants(t, "asked", body, "it answers", "Look again")
	_, body = b.post("/health/files", nil)
	wants(t, "checked", body, "1 error", "/m.jsonl:2: error: not JSON: &lt;b&gt;", "mend the line")
	if code, _ := b.post("/health/else", nil); code != http.StatusNotFound {
		t.Error(code)
	}
}
