package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestEraseShown: what erasing would take is shown, with the command that does it, and nothing is erased by looking.
func TestEraseShown(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	plain, rule := b.state("the kettle is <b>blue</b> and stands in the kitchen", "fact"), b.state("never run rm -rf", "rule")
	b.state("the kettle is <b>blue</b> and stands in the kitchen of the old house", "fact")
	before := b.files()
	code, body := b.get("/memory/" + plain)
	wants(t, "the memory", body, `href="/memory/`+plain+`/erase"`)
	if code != http.StatusOK {
		t.Error(code)
	}
	code, body = b.get("/memory/" + plain + "/erase")
	wants(t, "what it takes", body, "Erase #"+plain+"?", "there is no undo", "1 line of the memory", "&lt;b&gt;blue",
		"ken forget --for-good "+plain, "resembles it, and would be asked about: #3")
	if code != http.StatusOK || b.files() != before {
		t.Errorf("%d, or something was written", code)
	}
	if code, body := b.get("/memory/" + rule + "/erase"); code != http.StatusUnprocessableEntity || strings.Contains(body, "--for-good") {
		t.Errorf("a rule: %d %.300s", code, body)
	}
	for _, path := range []string{"/memory/99/erase", "/memory/x/erase", "/sessions/1/erase", "/memory/1/erase/2"} {
		if code, _ := b.get(path); code != http.StatusNotFound && code != http.StatusBadRequest {
			t.Errorf("%s: %d", path, code)
		}
	}
}
