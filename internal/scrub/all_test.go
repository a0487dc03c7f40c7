package scrub_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/config"
	"ken/internal/memory"
	"ken/internal/scrub"
)

// everyFile writes text into a file of each kind that may have one, and returns their
// names. It fails when a kind appears that it has no example of.
func everyFile(h *house, text string) (names []string) {
	h.t.Helper()
	e, _ := h.open()
	said := `{"ts":"2026-05-10T19:00:04Z","role":"user","content":"` + text + `","n":1}`
	examples := map[string]struct {
		name  string
		lines []string
	}{
		"memory":                {"memory.jsonl", []string{meta, `{"id":1,"kind":"fact","content":"` + text + `"}`}},
		"replica":               {"peers/phone-7f3a.jsonl", []string{phone, `{"id":2,"kind":"fact","content":"kettles"}`}},
		"suggestions":           {"review.jsonl", []string{`{"id":1,"kind":"proposal","record":{"content":"` + text + `"},"origin":"model"}`}},
		"conversation":          {"sessions/s1.jsonl", []string{head, said}},
		"imported conversation": {"sessions/import/a.jsonl", []string{strings.ReplaceAll(head, "s1", "a"), said}},
		"use of memories":       {"usage.jsonl", []string{`{"ts":"2026-05-10T19:00:04Z","refs":["1"]}`}},
		"what was done":         {"audit.jsonl", []string{`{"ts":"2026-05-10T19:00:04Z","act":"run"}`}},
		"who the person is":     {"profile.md", []string{"likes kettles"}},
		"recent context":        {"working.md", []string{"talks of it", text}},
		"daily log": {"daily/2026-05-10.md", []string{
			"# 2026-05-10", "", "## 12:00 ask s1:1-2", "- you: " + text, "", "## 13:00 ask s9:1-2", "- you: kettles",
		}},
		"page of the memory": {"MEMORY.md", []string{"- " + text}},
		"lasting approvals": {"approvals.jsonl", []string{
			`{"id":1,"ts":"2026-05-10T19:00:04Z","pattern":"git push"}`,
			`{"id":2,"ts":"2026-05-10T19:00:04Z","pattern":"echo ` + text + `"}`,
		}},
		"tools approved of": {"tools.jsonl", []string{
			`{"server":"s","at":"0","tool":"t","sha256":"0","said":"{}"}`,
			`{"server":"s","at":"0","tool":"u","sha256":"1","said":"{\"description\":\"` + text + `\"}"}`,
			`{"server":"s","at":"0","tool":"` + text + `","sha256":"2","said":"{}"}`,
			`{"server":"s","at":"0","tool":"v","sha256":"3","said":"` + text + `"`,
		}},
		"what was typed":             {"history", []string{":remember " + text}},
		"tests of the memory":        {"tests/tea.toml", []string{"[[test]]", `ask = "` + text + `"`, "", "[[test]]", `ask = "kettles?"`}},
		"what a shell last ran":      {"run/shell.12", []string{"echo " + text}},
		"what has come of an answer": {"run/part.s1", []string{`{"role":"assistant","content":"` + text + `","n":9,"finish":"truncated"}`}},
		"drafts of skills":           {"skills/drafts/tea/SKILL.md", []string{"---", "name: tea", "---", text}},
		"what files held before":     {"undo/0123456789abcdef", []string{text}},

		"what files of assistants held before": {"setup/copilot-mcp-config.json-20261121T120000.000000000Z", []string{text}},
		"what an editor has":                   {"drafts/0123456789abcdef/question.txt~", []string{text}},
		"index":                                {"cache/index/0123/segment", []string{text}},
		"vectors":                              {strings.TrimPrefix(e.Paths.Vectors(), h.dir+string(os.PathSeparator)), []string{text}},
		"what tools printed":                   {"cache/out/s1.d/2", []string{"tool", text}},
		"other derived files":                  {"cache/fold/snapshot", []string{text}},
	}
	for _, f := range e.Paths.Files() {
		if !f.Text {
			continue
		}
		x, ok := examples[f.What]
		if !ok {
			h.t.Fatalf("no example of the files of the kind %q: what holds text of the person is erased and masked", f.What)
		}
		if found, _ := config.Find(e.Paths.Files(), filepath.Join(h.dir, x.name)); found != f {
			h.t.Fatalf("%s is of the kind %q, want %q", x.name, found.What, f.What)
		}
		h.write(x.name, x.lines...)
		names = append(names, x.name)
	}
	return names
}

// TestEveryFile: what is erased, and a secret that is masked, is in no file of any kind.
func TestEveryFile(t *testing.T) {
	t.Parallel()
	t.Run("erase", func(t *testing.T) {
		t.Parallel()
		h := newHouse(t)
		const text = "the kettle of the staging host"
		everyFile(h, text)
		h.must(scrub.Want{IDs: ids("1")})
		if left := h.grep(text); len(left) > 0 {
			t.Errorf("it stands in %v", left)
		}
	})
	t.Run("mask", func(t *testing.T) {
		t.Parallel()
		h := newHouse(t)
		everyFile(h, "password="+secrets[0])
		if _, proof, err := h.mask(scrub.MaskWant{}); err != nil || !proof.Clean() {
			t.Errorf("%v, %+v", err, proof)
		}
		if left := h.grep(secrets[0]); len(left) > 0 {
			t.Errorf("it stands in %v", left)
		}
	})
}

// TestGranted: of what the person allowed, what says an erased text goes: of a tool what its server said, so that it is
// still known to be another when it is, and else the line; what else they allowed stays, byte for byte.
func TestGranted(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const text = "the kettle of the staging host"
	everyFile(h, text)
	h.must(scrub.Want{IDs: ids("1")})
	for name, want := range map[string]string{
		"approvals.jsonl": `{"id":1,"ts":"2026-05-10T19:00:04Z","pattern":"git push"}` + "\n",
		"tools.jsonl": `{"server":"s","at":"0","tool":"t","sha256":"0","said":"{}"}` + "\n" +
			`{"server":"s","at":"0","tool":"u","sha256":"1","said":""}` + "\n",
	} {
		if diff := cmp.Diff(want, h.read(name)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// TestWhole: what a file held before goes whole where a secret or an erased text is in it, since its
// name says what it holds; what has none stays as it is.
func TestWhole(t *testing.T) {
	t.Parallel()
	for name, scrubbed := range map[string]func(h *house) error{
		"erase": func(h *house) error {
			_, _, err := h.run(scrub.Want{Texts: []string{"the kettle of the staging host"}})
			return err
		},
		"mask": func(h *house) error { _, _, err := h.mask(scrub.MaskWant{}); return err },
	} {
		h := newHouse(t)
		everyFile(h, "nothing to hide")
		h.write("undo/ab", "package a", "// the kettle of the staging host", "password="+secrets[0])
		h.write("undo/cd", "package a", "// tea")
		if err := scrubbed(h); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(filepath.Join(h.dir, "undo", "ab")); !os.IsNotExist(err) {
			t.Errorf("%s: what a file held is there still: %v", name, err)
		}
		if got := h.read("undo/cd"); got != "package a\n// tea\n" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestOutputs: what a tool printed goes with its turn, whatever it says, and with its conversation.
func TestOutputs(t *testing.T) {
	t.Parallel()
	h := furnished(newHouse(t))
	for _, name := range []string{"s1.d/2", "s1.d/2.1", "s1.d/1", "s2.d/2"} {
		h.write("cache/out/"+name, "tool", "what it printed")
	}
	left := func() (names []string) {
		for _, name := range []string{"s1.d/1", "s1.d/2", "s1.d/2.1", "s2.d/2"} {
			if _, err := os.Lstat(filepath.Join(h.dir, "cache", "out", name)); err == nil {
				names = append(names, name)
			}
		}
		return names
	}
	h.must(scrub.Want{Turns: []memory.Turn{{Session: "s1", N: 2}}})
	if got := left(); !slices.Equal(got, []string{"s1.d/1", "s2.d/2"}) {
		t.Errorf("left: %q", got)
	}
	e, _ := h.open()
	r, err := e.PlanRemoval(h.context(), filepath.Join(h.dir, "sessions", "s1.jsonl"))
	if err == nil {
		err = e.Remove(h.context(), r)
	}
	if got := left(); err != nil || !slices.Equal(got, []string{"s2.d/2"}) {
		t.Errorf("left: %q, %v", got, err)
	}
}

// TestFilesKnown: no file appears in a home that the list of files does not know.
func TestFilesKnown(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*house) *house{
		"furnished": furnished, "loose": loose,
		"every kind": func(h *house) *house { everyFile(h, "kettles of the staging host"); return h },
	} {
		h := make(newHouse(t))
		e, _ := h.open()
		h.must(scrub.Want{Texts: []string{"nothing of this kind"}})
		if _, _, err := h.mask(scrub.MaskWant{}); err != nil {
			t.Fatal(err)
		}
		for _, path := range unknown(t, e.Paths.Files(), h.dir) {
			t.Errorf("%s: config.Paths.Files does not know %s", name, path)
		}
		h.write("new.kind", "")
		if list := unknown(t, e.Paths.Files(), h.dir); len(list) != 1 || list[0] != "new.kind" {
			t.Errorf("%s: of a file of no kind it is told %v", name, list)
		}
	}
}

// unknown are the files below dir that the list does not know.
func unknown(t *testing.T, files []config.File, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if _, ok := config.Find(files, path); !ok {
				list = append(list, strings.TrimPrefix(path, dir+string(os.PathSeparator)))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
