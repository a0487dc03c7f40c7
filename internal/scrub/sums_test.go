package scrub_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/gate"
	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/scrub"
	"ken/internal/session"
	"ken/internal/trace"
)

// hexes are the hexadecimal words of every file of the house.
func (h *house) hexes() map[string][]string {
	h.t.Helper()
	found := make(map[string][]string)
	word := regexp.MustCompile(`[0-9a-f]{8,64}`)
	err := filepath.WalkDir(h.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == "mask.key" {
			return err
		}
		b, err := os.ReadFile(path)
		for _, w := range word.FindAllString(string(b), -1) {
			if name := filepath.Base(path); !slices.Contains(found[w], name) {
				found[w] = append(found[w], name)
			}
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return found
}

// guesses are the sums that a stranger makes of a text that it guesses: those of the
// line, of the command and of the words alone.
func guesses(texts ...string) []string {
	var all []string
	for _, text := range texts {
		sum := sha256.Sum256([]byte(text))
		whole := hex.EncodeToString(sum[:])
		all = append(all, memory.SumOf([]byte(text)).String(), whole[:8], whole[:16], whole)
	}
	return all
}

const (
	pin     = "4711"
	pinLine = `{"id":1,"ts":"2026-05-10T19:00:00Z","kind":"fact","content":"the number of the safe in the cellar is %s"}`
	pinCmd  = "echo %s > /dev/lock"
)

// TestErasedBySum (L5): of a text with four digits that was erased nothing is left from
// which the digits are found by trying all ten thousand, whatever wrote about it, before
// this version and since.
func TestErasedBySum(t *testing.T) {
	t.Parallel()
	for _, old := range []bool{false, true} {
		h := newHouse(t)
		line := fmt.Sprintf(pinLine, pin)
		h.write("device.json", `{"log":"desk-19c4"}`)
		h.write("memory.jsonl", meta, line, `{"id":2,"kind":"fact","content":"tea"}`)
		item := memory.Item{Sum: memory.SumOf([]byte(line)), Record: &memory.Record{ID: memory.Num(1), Kind: memory.KindFact, Content: "the number of the safe in the cellar is " + pin}}
		given := trace.Trace{N: 2, Time: noon(), Chosen: []trace.Given{{Ref: "1", Sum: trace.SumOf(item), Tokens: 4, Parts: []recall.Part{{Name: "words", Score: 1}}}}}
		s, _ := seal()
		if old {
			s = nil
		}
		e, eng := h.open()
		w, err := e.Sessions.Create(session.Header{Channel: session.ChannelTerminal})
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range []session.Turn{{Role: session.RoleUser, Content: "which number?"}, {Role: session.RoleAssistant, Content: "it stands in your memory"}} {
			if _, err := w.AppendTurn(turn); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.AppendEvent(given.Event(s)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		cmd := fmt.Sprintf(pinCmd, pin)
		if old {
			sum := sha256.Sum256([]byte(cmd))
			h.write("audit.jsonl", `{"ts":"2026-05-13T19:00:00Z","act":"run","how":"once","level":"caution","cmd":"`+hex.EncodeToString(sum[:4])+`","lane":"user"}`)
			h.write("erased.jsonl", `{"ts":"2026-05-13T19:00:00Z","ref":"desk-19c4/1","sum":"`+memory.SumOf([]byte(line)).String()+`"}`)
		} else if err := gate.Audit(t.Context(), e.Paths.Audit(), gate.Act{Time: noon(), How: gate.HowOnce, Line: cmd, Lane: "user", Seal: s}); err != nil {
			t.Fatal(err)
		}
		if _, err := eng.State(t.Context()); err != nil && !old {
			t.Fatal(err)
		}
		h.must(scrub.Want{IDs: []memory.ID{memory.Num(1)}})
		hexes := h.hexes()
		for n := range 10_000 {
			d := fmt.Sprintf("%04d", n)
			for _, g := range guesses(fmt.Sprintf(pinLine, d), "the number of the safe in the cellar is "+d, fmt.Sprintf(pinCmd, d), d, strings.TrimSuffix(fmt.Sprintf(pinLine, d), "}")) {
				if files := hexes[g]; files != nil {
					t.Errorf("old %v: %s gives %s away: it is in %v", old, g, d, files)
				}
			}
		}
		if text := h.read("erased.jsonl"); strings.Count(text, `"keyed":true`) != strings.Count(text, "\n") {
			t.Errorf("old %v: not all is sealed:\n%s", old, text)
		}
		// An older copy that comes back is still known.
		h.write("memory.jsonl", meta, line)
		_, eng = h.open()
		state, err := eng.State(t.Context())
		if state == nil || err == nil || !strings.Contains(err.Error(), "is in a memory file again") || len(state.Items()) != 0 {
			t.Errorf("old %v: what came back shows: %v", old, err)
		}
	}
}

// TestErasedByName (L5): a line that was written without id is named by a hash of its
// bytes. Of one that was erased no name is left, in whatever file, that tells its four
// digits; what named it still says that it is erased, and what was forgotten stays so.
func TestErasedByName(t *testing.T) {
	t.Parallel()
	const idless = `{"content":"the number of the safe in the cellar is %s"}`
	line := fmt.Sprintf(idless, pin)
	name := memory.HashID([]byte(line)).String()
	edit := `{"kind":"edit","target":"` + name + `","content":"%s"}`
	citing := `{"content":"the safe is in the cellar","cites":["` + name + `"]}`
	for _, old := range []bool{false, true} {
		h := newHouse(t)
		h.write("device.json", `{"log":"desk-19c4"}`)
		lines := []string{
			meta, line, citing,
			`{"id":1,"kind":"fact","content":"tea","supersedes":"` + name + `"}`,
			`{"id":2,"kind":"edit","target":"` + name + `","content":"the number is ` + pin + `"}`,
			`{"id":3,"kind":"forget","targets":["` + memory.HashID([]byte(citing)).String() + `","desk-19c4/` + name + `"]}`,
			fmt.Sprintf(edit, pin),
			`{"id":4,"content":"milk"}`,
		}
		want := memory.Num(4)
		if old { // an older version erased it
			lines[1] = `{"kind":"erased","target":"` + name + `"}`
			lines[4], lines[6] = `{"id":2,"kind":"erased"}`, `{"kind":"erased","target":"`+name+`"}`
		} else if want, _ = memory.ParseID(name); want.IsZero() {
			t.Fatal(name)
		}
		h.write("memory.jsonl", lines...)
		h.write("peers/phone.jsonl", `{"meta":{"format":1,"log":"phone"}}`, `{"id":1,"kind":"forget","target":"desk-19c4/`+name+`"}`)
		h.write("usage.jsonl", `{"ts":"2026-05-13T19:00:00Z","ref":"`+name+`"}`)
		h.write("sessions/20260513T190000Z-7f3a.jsonl", `{"session":"20260513T190000Z-7f3a"}`,
			`{"n":1,"role":"user","content":"what is [`+name+`]?"}`)
		h.must(scrub.Want{IDs: []memory.ID{want}})
		hexes := h.hexes()
		for n := range 10_000 {
			d := fmt.Sprintf("%04d", n)
			for _, g := range guesses(fmt.Sprintf(idless, d), fmt.Sprintf(edit, d)) {
				if files := hexes[g]; files != nil {
					t.Errorf("old %v: %s gives %s away: it is in %v", old, g, d, files)
				}
			}
		}
		_, eng := h.open()
		state, err := eng.State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, _ := seal()
		id, _ := memory.ParseID(name)
		if got := state.Status(s.ID(id)); got != memory.StatusErased {
			t.Errorf("old %v: the line is %v under its sealed name", old, got)
		}
		var left []string
		for _, it := range state.Items() {
			left = append(left, it.Record.Content)
		}
		if got := strings.Join(left, ", "); got != map[bool]string{false: "milk, tea", true: "tea"}[old] {
			t.Errorf("old %v: the memory holds %q", old, got)
		}
		for _, p := range state.Problems() {
			t.Errorf("old %v: line %d of %s: %s", old, p.Line, p.Log, p.What)
		}
		if !old { // again changes nothing
			before := h.read("memory.jsonl")
			if h.must(scrub.Want{IDs: []memory.ID{id}}); h.read("memory.jsonl") != before {
				t.Errorf("again:\n%s\nwas\n%s", h.read("memory.jsonl"), before)
			}
		}
	}
}

// TestErasedSumTestCanFail: what an older version wrote is found by guessing.
func TestErasedSumTestCanFail(t *testing.T) {
	t.Parallel()
	line := fmt.Sprintf(pinLine, pin)
	h := newHouse(t)
	h.write("erased.jsonl", `{"ref":"desk-19c4/1","sum":"`+memory.SumOf([]byte(line)).String()+`"}`)
	if len(h.hexes()[guesses(line)[0]]) != 1 {
		t.Error("the sum of the line is not seen")
	}
}

// TestRemains: what a change that was cut off left behind goes, of whatever file it was to
// be, and so does what an editor was given if it holds the text; nothing else goes.
func TestRemains(t *testing.T) {
	t.Parallel()
	const text = "the staging host is called kettle"
	h := newHouse(t)
	h.write("device.json", `{"log":"desk-19c4"}`)
	h.write("memory.jsonl", meta, `{"id":1,"kind":"fact","content":"`+text+`"}`)
	gone := []string{
		".working.md.new", ".history.new", ".usage.jsonl.new", ".MEMORY.md.new", "sessions/.s1.jsonl.new", "run/.shell.1.new", "policies/.strict.toml.new",
		"drafts/0a/.question.txt.swp",
	}
	kept := []string{"drafts/0b/question.txt", "tmp/other.txt", "notes.new", "working.md"}
	for _, name := range gone {
		h.write(name, "the staging host is  called KETTLE")
	}
	for _, name := range kept {
		h.write(name, "nothing of it")
	}
	h.write("tmp/other.txt", "a file of the person's")
	h.must(scrub.Want{IDs: []memory.ID{memory.Num(1)}})
	for _, name := range gone {
		if _, err := os.Lstat(filepath.Join(h.dir, name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	for _, name := range kept {
		if _, err := os.Lstat(filepath.Join(h.dir, name)); err != nil {
			t.Errorf("%s is gone", name)
		}
	}
}
