package scrub_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/redact"
	"ken/internal/redact/literals"
	"ken/internal/scrub"
	"ken/internal/secret"
)

// knowing is the mask of a person whose key is not secret.
func knowing(secrets []literals.Secret) secret.Mask {
	return redact.New([]byte("key")).Knowing(secrets).Mask
}

// loose has secrets in every place where they can be. What hunter2Zq9 is, only #1
// says; what orchid7Kettle is, only a turn.
func loose(h *house) *house {
	h.write("device.json", `{"log":"desk-19c4"}`)
	h.write("memory.jsonl", meta,
		`{"id":1,"ts":"2026-05-13T19:01:00Z","kind":"fact","content":"the staging password=hunter2Zq9 is new"}`,
		`{"id":2,"ts":"2026-05-13T19:02:00Z","kind":"fact","content":"orchid7Kettle opens the door","tags":["door"]}`,
		`{"kind":"fact","content":"without a number: hunter2Zq9"}`,
		`{"kind":"fact","content":"hidden by the phone: hunter2Zq9"}`,
		`{"id":3,"kind":"fact","content":"cut off: hunter2Zq9`)
	h.write("peers/phone-7f3a.jsonl", phone,
		`{"id":1,"ts":"2026-05-13T19:01:00Z","kind":"forget","target":"desk-19c4/`+memory.HashID([]byte(`{"kind":"fact","content":"hidden by the phone: hunter2Zq9"}`)).String()+`"}`)
	h.write("review.jsonl", `{"id":1,"ts":"2026-05-10T12:00:00Z","kind":"proposal","of":"memory","record":{"kind":"fact","content":"try hunter2Zq9"},"origin":"model"}`)
	h.write("sessions/s1.jsonl", head,
		`{"ts":"2026-05-10T19:00:04Z","role":"user","content":"try hunter2Zq9","n":1}`,
		`{"ts":"2026-05-10T19:00:05Z","role":"user","content":"password=orchid7Kettle","n":2}`)
	h.write("working.md", "the door: orchid7Kettle")
	h.write("history", ":remember hunter2Zq9")
	h.write("usage.jsonl", `{"id":1,"note":"hunter2Zq9"}`)
	h.write("cache/fold/snapshot", "hunter2Zq9")
	return h
}

// mask masks, as one process does.
func (h *house) mask(want scrub.MaskWant) (*scrub.MaskPlan, scrub.MaskProof, error) {
	h.t.Helper()
	e, _ := h.open()
	p, err := e.PlanMask(h.context(), knowing, want)
	if err != nil {
		return nil, scrub.MaskProof{}, err
	}
	if err := e.RunMask(h.context(), p); err != nil {
		return p, scrub.MaskProof{}, err
	}
	proof, err := e.VerifyMask(h.context(), p)
	return p, proof, err
}

var secrets = [...]string{"hunter2Zq9", "orchid7Kettle"}

// active are the texts in force.
func (h *house) active() string {
	h.t.Helper()
	_, eng := h.open()
	s, err := eng.State(h.context())
	if s == nil {
		h.t.Fatal(err)
	}
	var list []string
	for _, it := range s.Items() {
		list = append(list, it.Record.Content)
	}
	return strings.Join(list, "; ")
}

// TestMask: no secret is left, what was hidden stays hidden, and again changes nothing.
func TestMask(t *testing.T) {
	t.Parallel()
	h := loose(newHouse(t))
	h.write("drafts/0a/question.txt~", "an editor has hunter2Zq9")
	h.write("drafts/0b/question.txt", "an editor has nothing")
	p, proof, err := h.mask(scrub.MaskWant{})
	if text := h.read("drafts/0a/question.txt~"); strings.Contains(text, "hunter2Zq9") || !strings.HasPrefix(text, "an editor has [") {
		t.Errorf("what an editor has: %q", text)
	}
	if text := h.read("drafts/0b/question.txt"); text != "an editor has nothing\n" {
		t.Errorf("what an editor has, without a secret: %q", text)
	}
	if err != nil || !proof.Clean() || len(proof.Kept) > 0 {
		t.Fatalf("%v, %+v", err, proof)
	}
	if found := h.grep(secrets[:]...); len(found) > 0 {
		t.Errorf("it is still in %v", found)
	}
	if p.Lines != 12 {
		t.Errorf("%d lines were changed:\n%+v", p.Lines, p.Places)
	}
	if got := h.active(); strings.Contains(got, "hidden by the phone") || !strings.Contains(got, "without a number") || strings.Count(got, ";") != 2 {
		t.Errorf("in force: %s", got)
	}
	if log := h.read("memory.jsonl"); !strings.Contains(log, `"kind":"forget","targets":["h`) {
		t.Errorf("nothing hides what the phone had hidden:\n%s", log)
	}
	before := h.read("memory.jsonl")
	if p, _, err := h.mask(scrub.MaskWant{}); err != nil || !p.Nothing() || h.read("memory.jsonl") != before {
		t.Errorf("again: %v, %+v", err, p.Places)
	}
}

// TestMaskReturned: a line that was erased, and that a backup brought back, stays
// hidden though the journal knew it by its bytes.
func TestMaskReturned(t *testing.T) {
	t.Parallel()
	h := loose(newHouse(t))
	old := h.read("memory.jsonl")
	h.must(scrub.Want{IDs: ids("2")})
	if err := os.WriteFile(filepath.Join(h.dir, "memory.jsonl"), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	h.write("sessions/s2.jsonl", head, `{"role":"user","content":"password=orchid7Kettle","n":1}`)
	if _, _, err := h.mask(scrub.MaskWant{}); err != nil {
		t.Fatal(err)
	}
	if got := h.active(); strings.Contains(got, "opens the door") {
		t.Errorf("it is back: %s", got)
	}
}

// failing is a disk on which the n-th rename fails, and what is done before it.
type failing struct {
	noSync
	left   *int
	before func(path string)
}

func (f failing) Rename(from, to string) error {
	*f.left--
	if *f.left == 0 {
		return errors.New("the disk is gone")
	}
	return f.noSync.Rename(from, to)
}

func (f failing) OpenFile(name string, flag int, perm fs.FileMode) (jsonl.File, error) {
	if f.before != nil && strings.HasSuffix(name, ".new") {
		f.before(name)
	}
	return f.noSync.OpenFile(name, flag, perm)
}

// TestMaskCutOff: wherever a masking ends, the next one finishes it; nothing is
// masked in the place that tells before it is masked everywhere else.
func TestMaskCutOff(t *testing.T) {
	t.Parallel()
	for n := 1; ; n++ {
		h := loose(newHouse(t))
		left := n
		h.fs = failing{left: &left}
		_, _, err := h.mask(scrub.MaskWant{})
		if left > 0 {
			if n < 6 {
				t.Fatalf("only %d files were replaced: %v", n-1, err)
			}
			break
		}
		if err == nil {
			t.Fatalf("rename %d fails, and nobody says so", n)
		}
		h.fs = noSync{}
		_, proof, err := h.mask(scrub.MaskWant{})
		if err != nil || !proof.Clean() {
			t.Fatalf("after rename %d: %v, %+v", n, err, proof)
		}
		if found := h.grep(secrets[:]...); len(found) > 0 {
			t.Errorf("cut off at rename %d, and finished: it is still in %v", n, found)
		}
	}
}

// TestMaskChanged: a file that somebody writes to meanwhile is left as they have it.
func TestMaskChanged(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"memory.jsonl", "review.jsonl", "working.md", "s1.jsonl"} {
		h := loose(newHouse(t))
		path := filepath.Join(h.dir, name)
		if name == "s1.jsonl" {
			path = filepath.Join(h.dir, "sessions", name)
		}
		left, typed := -1, `{"kind":"fact","content":"typed meanwhile"}`+"\n"
		h.fs = failing{left: &left, before: func(temp string) {
			if filepath.Base(temp) != "."+name+".new" {
				return
			}
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString(typed); err != nil {
				t.Fatal(err)
			}
			_ = f.Close()
		}}
		_, _, err := h.mask(scrub.MaskWant{})
		if !errors.Is(err, jsonl.ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
		if b, err := os.ReadFile(path); err != nil || !strings.HasSuffix(string(b), typed) {
			t.Errorf("%s lost what was typed: %v\n%s", name, err, b)
		}
	}
}
