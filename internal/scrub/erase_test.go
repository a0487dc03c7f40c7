package scrub_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/memory/tombstone"
	"ken/internal/scrub"
	"ken/internal/typed"
)

func (h *house) context() context.Context { return context.Background() }

const (
	meta  = `{"meta":{"format":1,"log":"desk-19c4","created":"2026-05-13T19:00:00Z"}}`
	phone = `{"meta":{"format":1,"log":"phone-7f3a","created":"2026-05-13T19:00:00Z"}}`
	head  = `{"meta":{"format":1,"session":"s1","started":"2026-05-10T19:00:01Z","channel":"terminal","scope":"repo:example.org/a"}}`
)

// furnished has the text of #2 in every place where it can be.
func furnished(h *house) *house {
	h.write("device.json", `{"log":"desk-19c4"}`)
	h.write("memory.jsonl", meta,
		`{"id":1,"ts":"2026-05-13T19:01:00Z","kind":"fact","content":"prefers tea"}`,
		`{"id":2,"ts":"2026-05-13T19:02:00Z","kind":"fact","content":"the staging host is kettle","source":{"session":"s1","turn":1},"review":1,"by":"user"}`,
		`{"id":3,"ts":"2026-05-13T19:03:00Z","kind":"edit","target":2,"content":"the staging host is called  Kettle"}`,
		`{"id":4,"ts":"2026-05-13T19:04:00Z","kind":"pattern","content":"hosts are named after vessels","cites":[2]}`,
		`{"id":5,"kind":"fact","content":"The  staging host is KETTLE`,
		`{"id":6,"ts":"2026-05-13T19:05:00Z","kind":"forget","target":2,"reason":"the staging host is kettle no more"}`)
	h.write("peers/phone-7f3a.jsonl", phone,
		`{"id":1,"ts":"2026-05-13T19:01:00Z","kind":"fact","content":"runs on Mondays"}`,
		`{"id":2,"ts":"2026-05-13T19:06:00Z","kind":"edit","target":"desk-19c4/2","content":"on the phone: kettle"}`,
		`{"id":3,"ts":"2026-05-13T19:07:00Z","kind":"fact","content":"the staging host is kettle"}`)
	h.write("review.jsonl",
		`{"id":1,"ts":"2026-05-10T12:00:00Z","kind":"proposal","of":"memory","record":{"kind":"fact","content":"staging runs on a kettle"},"origin":"model"}`,
		`{"id":2,"ts":"2026-05-10T12:00:00Z","kind":"proposal","of":"memory","record":{"kind":"fact","content":"likes Earl Grey"},"origin":"model"}`,
		`{"id":3,"kind":"proposal","record":{"content":"the staging host is kettle`)
	h.write("sessions/s1.jsonl", head,
		`{"ts":"2026-05-10T19:00:04Z","role":"user","content":"our vessel for staging","n":1}`,
		`{"ts":"2026-05-10T19:00:09Z","role":"assistant","content":"Noted: the staging\nhost is kettle.","n":2,"model":"fast","finish":"stop"}`,
		`{"ts":"2026-05-10T19:01:00Z","role":"user","content":"thanks","n":3}`,
		`{"ts":"2026-05-10T19:01:30Z","event":"exec","cmd":"echo the staging host is kettle","exit":0}`,
		`{"ts":"2026-05-10T19:03:00Z","event":"compact","summary":"The staging host is kettle.","keep_from":3}`)
	h.write("sessions/copy.jsonl",
		`{"meta":{"format":1,"session":"s2","copied_from":"s1","copied_to":2}}`,
		`{"role":"user","content":"our vessel for staging","n":1}`, `{"role":"user","content":"mine","n":3}`)
	h.write("sessions/import/standup.jsonl", `{"meta":{"format":1,"session":"standup","channel":"import"}}`,
		`{"role":"user","content":"Ada: staging runs on a kettle","n":1,"from":"import","speaker":"Ada"}`)
	h.write("history", "git status", ":remember the staging host is kettle", "hello")
	h.write("MEMORY.md", "# Memory", "- the staging host is called Kettle")
	h.write("working.md", "You work on tea.", "The staging host is kettle.")
	h.write("sessions/.s9.jsonl.new", `{"content":"the staging host is kettle"}`)
	h.write("cache/index/0123/segment", "opaque")
	h.write("cache/fold/snapshot", "the staging host is kettle")
	h.write("cache/places/x", "somewhere")
	return h
}

// gone are the texts that an erasing of #2 is to take everywhere.
var gone = [...]string{"the staging host is kettle", "the staging host is called kettle", "on the phone: kettle", "staging runs on a kettle", "our vessel for staging"}

// TestErase takes an item out of every file; what is next to it keeps its bytes.
func TestErase(t *testing.T) {
	t.Parallel()
	h := furnished(newHouse(t))
	plan, proof := h.must(scrub.Want{IDs: ids("2")})
	if found := h.grep(gone[:]...); len(found) > 0 {
		t.Errorf("it is still in %v", found)
	}
	if proof.Files < 10 || proof.Bytes == 0 {
		t.Errorf("looked into %d files, %d bytes", proof.Files, proof.Bytes)
	}
	want := &scrub.Plan{
		Memories: []scrub.Memory{
			{Ref: "2", Text: "on the phone: kettle"},
			{Ref: "phone-7f3a/3", Text: "the staging host is kettle", Same: true},
		},
		Lines: 5, Sessions: 3, Proposals: 1, CitedBy: []string{"4"},
		Turns: []scrub.Turn{
			{Ref: "s2:1", Why: scrub.WhyTaught},
			{Ref: "s1:1", Why: scrub.WhyTaught},
			{Ref: "s1:2", Why: scrub.WhySays},
			{Ref: "standup:1", Why: scrub.WhySays},
		},
	}
	if diff := cmp.Diff(want, plan, cmpopts.IgnoreUnexported(scrub.Plan{}), cmpopts.IgnoreFields(scrub.Plan{}, "Files", "Similar")); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	for name, want := range map[string][]string{
		"memory.jsonl": {
			meta, `{"id":1,"ts":"2026-05-13T19:01:00Z","kind":"fact","content":"prefers tea"}`,
			`{"id":2,"kind":"erased"}`, `{"id":3,"kind":"erased"}`,
			`{"id":4,"ts":"2026-05-13T19:04:00Z","kind":"pattern","content":"hosts are named after vessels","cites":[2]}`,
			`{"kind":"erased","target":"h29916fd0","keyed":true}`, `{"id":6,"ts":"2026-05-13T19:05:00Z","kind":"forget","target":2}`,
			`{"id":7,"ts":"2026-11-21T12:00:00Z","kind":"erased","target":"phone-7f3a/3"}`,
		},
		"peers/phone-7f3a.jsonl": {
			phone, `{"id":1,"ts":"2026-05-13T19:01:00Z","kind":"fact","content":"runs on Mondays"}`,
			`{"id":2,"kind":"erased"}`, `{"id":3,"kind":"erased"}`,
		},
		"review.jsonl": {
			`{"id":1,"kind":"erased"}`,
			`{"id":2,"ts":"2026-05-10T12:00:00Z","kind":"proposal","of":"memory","record":{"kind":"fact","content":"likes Earl Grey"},"origin":"model"}`,
			`{"id":3,"kind":"erased"}`,
		},
		"sessions/s1.jsonl": {
			head, `{"ts":"2026-05-10T19:00:04Z","role":"user","content":"[erased]","n":1}`,
			`{"ts":"2026-05-10T19:00:09Z","role":"assistant","content":"[erased]","n":2,"model":"fast","finish":"stop"}`,
			`{"ts":"2026-05-10T19:01:00Z","role":"user","content":"thanks","n":3}`,
			`{"ts":"2026-05-10T19:01:30Z","event":"exec","cmd":"[erased]","exit":0}`,
			`{"ts":"2026-05-10T19:03:00Z","event":"compact","summary":"[erased]","keep_from":3}`,
		},
		"history":        {"git status", "hello"},
		"working.md":     {"You work on tea."},
		"cache/places/x": {"somewhere"},
	} {
		if diff := cmp.Diff(strings.Join(want, "\n")+"\n", h.read(name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, name := range []string{"MEMORY.md", "sessions/.s9.jsonl.new", "cache/index/0123/segment", "cache/fold/snapshot"} {
		if _, err := os.Stat(filepath.Join(h.dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s is there still", name)
		}
	}
	// Again: there is nothing to do, and no file changes.
	before := h.snapshot()
	plan, _ = h.must(scrub.Want{IDs: ids("2", "phone-7f3a/3")})
	if plan.Known() {
		t.Error("an erased text is known")
	}
	if diff := cmp.Diff(before, h.snapshot()); diff != "" {
		t.Errorf("erased again (-before +after):\n%s", diff)
	}
}

// snapshot is all files but derived ones and locks.
func (h *house) snapshot() map[string]string {
	h.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(h.dir, func(path string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(h.dir, path)
		if err != nil || !d.Type().IsRegular() || strings.HasPrefix(name, "cache/") || strings.HasSuffix(name, ".lock") {
			return err
		}
		files[name] = h.read(name)
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return files
}

// TestKeepSessions leaves conversations alone, and counts what they hold.
func TestKeepSessions(t *testing.T) {
	t.Parallel()
	h := furnished(newHouse(t))
	before := h.snapshot()
	plan, proof, err := h.run(scrub.Want{IDs: ids("2"), KeepSessions: true})
	if err != nil || proof.Hits != 0 || proof.Kept < 4 || len(plan.Turns) != 0 {
		t.Errorf("%+v, %+v, %v", plan.Turns, proof, err)
	}
	for name, text := range h.snapshot() {
		if was := before[name]; strings.HasPrefix(name, "sessions/") && was != text {
			t.Errorf("%s became %s", name, text)
		}
	}
	if found := h.grep(gone[:4]...); slices.ContainsFunc(found, func(f string) bool { return !strings.HasPrefix(f, "sessions/") }) {
		t.Errorf("it is still in %v", found)
	}
}

// TestShort: a short text takes whole texts with it, and no sentence that has the
// word in it.
func TestShort(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("memory.jsonl", meta, `{"id":1,"kind":"fact","content":"tea"}`, `{"id":2,"kind":"fact","content":"Tea"}`, `{"id":3,"kind":"fact","content":"drinks tea"}`)
	h.write("history", ":remember tea", "tell me about tea", "tea")
	h.write("sessions/s1.jsonl", head, `{"role":"user","content":"TEA","n":1}`, `{"role":"user","content":"a tea party","n":2}`, `{"role":"user","content":"steamed","n":3}`)
	h.write("review.jsonl", `{"id":1,"kind":"proposal","of":"memory","record":{"content":"tea"},"origin":"model"}`, `{"id":2,"kind":"proposal","of":"memory","record":{"content":"tea time"},"origin":"model"}`)
	plan, _ := h.must(scrub.Want{IDs: ids("1")})
	if plan.Untouched != 1 || len(plan.Memories) != 2 || plan.Proposals != 1 {
		t.Errorf("%+v", plan)
	}
	text := h.read("memory.jsonl") + h.read("history") + h.read("sessions/s1.jsonl") + h.read("review.jsonl")
	for _, kept := range []string{"drinks tea", "tell me about tea", "a tea party", "steamed", "tea time"} {
		if !strings.Contains(text, kept) {
			t.Errorf("%q is gone:\n%s", kept, text)
		}
	}
	if strings.Contains(text, "TEA") || strings.Contains(text, `"tea"`) || strings.Contains(text, "remember tea") {
		t.Errorf("it is there still:\n%s", text)
	}
}

// TestScope takes everything of a scope: what is remembered, suggested and was said
// there.
func TestScope(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("memory.jsonl", meta, `{"id":1,"kind":"fact","content":"deploy with make ship","scope":"repo:example.org/a"}`, `{"id":2,"kind":"fact","content":"sails on Sundays"}`)
	h.write("sessions/s1.jsonl", head, `{"role":"user","content":"what about it?","n":1}`, `{"role":"assistant","content":"fine","n":2,"scope":"repo:example.org/b"}`)
	h.write("review.jsonl", `{"id":1,"kind":"proposal","of":"memory","record":{"content":"uses go","scope":"repo:example.org/a"},"origin":"model"}`)
	at := func(dir, scope string) string {
		line, _, _ := strings.Cut(string(typed.Append(nil, "", typed.Where{Dir: dir, Scope: scope})), "\n")
		return line
	}
	h.write("history", "typed of old", at("~/a", "repo:example.org/a"), "typed in a", "of an older ken",
		at("~/b", "repo:example.org/b"), "typed in b",
		at("~/b", "repo:example.org/b"), ":remember deploy with make ship", "of an older ken again")
	in := func(scope string) bool { return scope == "repo:example.org/a" }
	plan, _ := h.must(scrub.Want{IDs: ids("1"), Scope: in})
	if diff := cmp.Diff([]scrub.Turn{{Ref: "s1:1", Why: scrub.WhyScope}}, plan.Turns); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
	if found := h.grep("make ship", "what about it", "uses go", "typed in a"); len(found) > 0 {
		t.Errorf("it is still in %v", found)
	}
	want := "typed of old\nof an older ken\n" + at("~/b", "repo:example.org/b") + "\ntyped in b\nof an older ken again\n"
	if got := h.read("history"); got != want {
		t.Errorf("what was typed is now %q, want %q", got, want)
	}
	if !strings.Contains(h.read("sessions/s1.jsonl"), "fine") || !strings.Contains(h.read("memory.jsonl"), "Sundays") {
		t.Error("what is of another scope is gone")
	}
}

// TestSimilar: what resembles the text is listed, and stays.
func TestSimilar(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("memory.jsonl", meta,
		`{"id":1,"kind":"fact","content":"the staging host is kettle"}`,
		`{"id":2,"kind":"fact","content":"Kettle is our staging host"}`,
		`{"id":3,"kind":"fact","content":"note: the staging host is kettle, since May"}`,
		`{"id":4,"kind":"fact","content":"the staging host is down on Mondays and nobody knows why"}`,
		`{"id":5,"kind":"fact","content":"the staging host"}`,
		`{"id":6,"kind":"fact","content":"another"}`, `{"id":7,"kind":"edit","target":6,"content":"the staging host is kettle"}`, `{"id":8,"kind":"edit","target":6,"content":"tea is good"}`)
	h.write("sessions/s1.jsonl", head, `{"role":"user","content":"the staging host, it is Kettle","n":1}`, `{"role":"user","content":"hello","n":2}`)
	plan, proof, err := h.run(scrub.Want{IDs: ids("1")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range plan.Similar {
		got = append(got, s.Ref)
		if s.Says != (s.Ref == "3" || s.Ref == "6") {
			t.Errorf("%+v", s)
		}
	}
	if diff := cmp.Diff([]string{"3", "6", "2", "5", "s1:1"}, got, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("similar (-want +got):\n%s", diff)
	}
	if proof.Hits != 2 || len(proof.Left) != 1 || !slices.Equal(proof.Left[0].Lines, []int{4, 8}) {
		t.Errorf("what stays and says it is not told: %+v", proof)
	}
	plan, proof, err = h.run(scrub.Want{IDs: ids("1", "2", "3", "6"), Texts: []string{"the staging host is kettle"}, Turns: []memory.Turn{{Session: "s1", N: 1}}})
	if err != nil || !proof.Clean() || len(plan.Similar) != 1 {
		t.Errorf("%+v, %+v, %v", plan.Similar, proof, err)
	}
	if found := h.grep("kettle"); len(found) > 0 {
		t.Errorf("it is still in %v: %s", found, h.read("memory.jsonl"))
	}
}

// TestText takes a text out that no memory says.
func TestText(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("sessions/s1.jsonl", head, `{"role":"user","content":"my number is 0170 1234567","n":1}`)
	h.write("profile.md", "My number is 0170 1234567.")
	e, _ := h.open()
	p, err := e.Plan(h.context(), scrub.Want{Texts: []string{"nobody ever said so"}})
	if err != nil || !p.Nothing() {
		t.Errorf("%+v, %v", p, err)
	}
	_, proof, err := h.run(scrub.Want{Texts: []string{"number is 0170  1234567"}})
	if err != nil || proof.Hits != 1 || len(proof.Left) != 1 || filepath.Base(proof.Left[0].Path) != "profile.md" || !slices.Equal(proof.Left[0].Lines, []int{1}) {
		t.Errorf("%+v, %v", proof, err)
	}
	if found := h.grep("0170"); !slices.Equal(found, []string{"profile.md"}) {
		t.Errorf("it is in %v", found)
	}
}

// TestNoResurrection: an older copy of a log shows nothing of what was erased, says
// so, and can be erased again.
func TestNoResurrection(t *testing.T) {
	t.Parallel()
	h := furnished(newHouse(t))
	old, stale := h.read("memory.jsonl"), h.read("peers/phone-7f3a.jsonl")
	h.must(scrub.Want{IDs: ids("2")})
	for _, c := range []struct {
		name, file, text string
	}{
		{"a backup over it", "memory.jsonl", old},
		{"a backup behind it", "memory.jsonl", h.read("memory.jsonl") + old},
		{"a replica of last week", "peers/phone-7f3a.jsonl", stale},
	} {
		if err := os.WriteFile(filepath.Join(h.dir, c.file), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, eng := h.open()
		s, err := eng.State(t.Context())
		var back *tombstone.ReturnedError
		if s == nil || !errors.As(err, &back) || len(back.Returned) == 0 || !strings.Contains(back.Hint(), "ken forget --for-good ") {
			t.Fatalf("%s: no error: %v", c.name, err)
		}
		for _, it := range s.Items() {
			if strings.Contains(strings.ToLower(it.Record.Content), "kettle") {
				t.Errorf("%s: #%s is back: %s", c.name, it.Ref(), it.Record.Content)
			}
		}
		h.must(scrub.Want{IDs: append(back.Returned, ids("2")...)})
		if found := h.grep(gone[:4]...); len(found) > 0 {
			t.Errorf("%s: erased again, it is in %v", c.name, found)
		}
		_, eng = h.open()
		if _, err := eng.State(t.Context()); err != nil {
			t.Errorf("%s: afterwards %v", c.name, err)
		}
	}
	// A number that is given out again is another memory.
	h.write("memory.jsonl", meta, `{"id":1,"kind":"fact","content":"prefers tea"}`)
	_, eng := h.open()
	if _, err := eng.Remember(t.Context(), engine.Draft{Content: "a new second one"}); err != nil {
		t.Fatal(err)
	}
	if s, err := eng.State(t.Context()); err != nil || s.Status(memory.Num(s.MaxID(""))) != memory.StatusActive {
		t.Errorf("the new memory is %v, %v", s.Status(memory.Num(s.MaxID(""))), err)
	}
}

// TestRefused: a file that cannot be replaced is told before anything is done.
func TestRefused(t *testing.T) {
	t.Parallel()
	h := furnished(newHouse(t))
	if err := os.Link(filepath.Join(h.dir, "sessions/s1.jsonl"), filepath.Join(h.dir, "other")); err != nil {
		t.Skip("no hard links:", err)
	}
	before := h.snapshot()
	_, _, err := h.run(scrub.Want{IDs: ids("2")})
	if err == nil || !strings.Contains(err.Error(), "hard links") || !strings.Contains(err.Error(), "nothing was done") {
		t.Errorf("a file with two names: %v", err)
	}
	if diff := cmp.Diff(before, h.snapshot()); diff != "" {
		t.Errorf("something was done (-before +after):\n%s", diff)
	}
	if _, _, err := h.run(scrub.Want{IDs: ids("99")}); !errors.Is(err, engine.ErrNotActive) {
		t.Errorf("a number that nothing has: %v", err)
	}
	if _, _, err := h.run(scrub.Want{IDs: ids("6")}); !errors.Is(err, engine.ErrNotActive) {
		t.Errorf("a line that changes another: %v", err)
	}
}

// TestLinks: files behind symbolic links are erased from and looked into, and the
// links stay.
func TestLinks(t *testing.T) {
	t.Parallel()
	h := furnished(newHouse(t))
	elsewhere := t.TempDir()
	for _, name := range []string{"memory.jsonl", "sessions"} {
		to := filepath.Join(elsewhere, name)
		if err := os.Rename(filepath.Join(h.dir, name), to); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(h.dir, name)); err != nil {
			t.Skip("no symbolic links:", err)
		}
	}
	if err := os.Mkdir(filepath.Join(h.dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, proof := h.must(scrub.Want{IDs: ids("2")})
	if len(proof.Beyond) != 1 {
		t.Errorf("a history of git is not told: %+v", proof)
	}
	h2 := &house{t: t, dir: elsewhere}
	if found := h2.grep(gone[:]...); len(found) > 0 {
		t.Errorf("it is still in %v", found)
	}
	if fi, err := os.Lstat(filepath.Join(h.dir, "memory.jsonl")); err != nil || fi.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
}
