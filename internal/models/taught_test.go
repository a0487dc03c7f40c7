package models

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"ken/internal/llm"
	"ken/internal/llm/discover"
	"ken/internal/llm/llmtest"
)

// TestTaughtIsKept: what a server refused is asked otherwise in the next run as well, without a refusal and without a word, for
// as long as what servers say of themselves is held for true; a server that takes it again is asked as at first.
func TestTaughtIsKept(t *testing.T) {
	t.Parallel()
	const refused = "registry.ollama.ai/library/m does not support tools"
	takes := false
	server := llmtest.New(t)
	server.Reply(func(r llmtest.Request) llmtest.Script {
		switch has := strings.Contains(string(r.Body), `"tools"`); {
		case has && !takes:
			return llmtest.Error(400, refused)
		case !has && takes:
			return llmtest.Error(400, "a list of tools is wanted")
		}
		return llmtest.Text("ok")
	})
	dir, now := t.TempDir(), time.Date(2026, 5, 12, 10, 0, 0, 0, time.UTC)
	run := func() (warnings, requests int) {
		t.Helper()
		r, p := deskAt(t, server.URL, "")
		r.Kept, r.now = func() string { return dir }, now
		c, err := r.Client(p)
		if err != nil {
			t.Fatal(err)
		}
		before := len(server.Requests())
		a, err := c.Complete(t.Context(), llm.Request{
			Messages: []llm.Message{{Role: "user", Content: "hi"}},
			Tools:    []json.RawMessage{json.RawMessage(`{"type":"function","function":{"name":"f"}}`)},
		})
		if err != nil {
			t.Fatal(err)
		}
		r.change(p, func(k *known) { k.take([]discover.Model{{Name: "other"}}, now) }) // which lists it not
		return len(a.Warnings), len(server.Requests()) - before
	}
	for _, tt := range []struct {
		name               string
		age                time.Duration
		takes              bool
		warnings, requests int
	}{
		{"at first", 0, false, 1, 2},
		{"the next run", time.Minute, false, 0, 1},
		{"long after", freshHere, false, 1, 2},
		{"and then again", freshHere - time.Second, false, 0, 1},
		{"by a clock that was wrong", -24 * time.Hour, false, 1, 2},
		{"another server", time.Minute, true, 0, 2},
		{"which is known", time.Minute, true, 0, 1},
	} {
		now, takes = now.Add(tt.age), tt.takes
		if warnings, requests := run(); warnings != tt.warnings || requests != tt.requests {
			t.Errorf("%s: %d warnings, %d requests; want %d, %d", tt.name, warnings, requests, tt.warnings, tt.requests)
		}
	}
}

// TestTaughtInTheFile: lines with and without it are read; those that cannot be are passed over.
func TestTaughtInTheFile(t *testing.T) {
	t.Parallel()
	const base = "http://h/v1"
	now := time.Date(2026, 5, 12, 10, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	want := known{at: now, models: []knownModel{
		{Model: discover.Model{Name: "old", Window: 512}},
		{Model: discover.Model{Name: "blind", Images: discover.No}},
		{Model: discover.Model{Name: "m"}, taught: []string{"no-tools", "one-call"}, since: now},
		{Model: discover.Model{Name: "sees", Images: discover.Yes}, taught: []string{"no-system"}, since: now},
	}}
	writeKnown(dir, base, want)
	got := readKnown(dir, base)
	if len(got.models) != len(want.models) {
		t.Fatalf("%+v", got)
	}
	for i, m := range got.models {
		w := want.models[i]
		if m.Model != w.Model || strings.Join(m.taught, ",") != strings.Join(w.taught, ",") || !m.since.Equal(w.since) {
			t.Errorf("%+v, want %+v", m, w)
		}
	}
	head := "ken models 1\t2026-05-12T10:00:00Z\t" + base + "\n"
	for _, line := range []string{
		"m\t0\t-\t-\t-\t-\t-", "m\t0\t-\t-\t-\t-\tmaybe\tno-tools\t2026-05-12T10:00:00Z", "m\t0\t-\t-\t-\t-\t-\tno-tools\tthen",
		"m\t0\t-\t-\t-\t-\t-\tno-tools",
	} {
		if err := os.WriteFile(knownAt(dir, base), []byte(head+line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if k := readKnown(dir, base); len(k.models) > 0 {
			t.Errorf("%q is read: %+v", line, k.models)
		}
	}
}
