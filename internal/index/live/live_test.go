//ken:slow

package live_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/jsonl"
	"ken/internal/proctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/engine"
	"ken/internal/index"
	"ken/internal/index/live"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/recall"
	"ken/internal/session"
)

// A home is a memory and conversations on the disk.
type home struct {
	dir string
	now time.Time
}

func (h *home) path(name ...string) string { return filepath.Join(append([]string{h.dir}, name...)...) }

func (h *home) clock() time.Time { return h.now }

// open is a new one over the files, as a new process would have it.
func (h *home) open() *live.Index {
	own := filelog.Open(h.path("memory.jsonl"), filelog.Options{DeviceFile: h.path("device.json"), Head: h.path("cache", "head"), Now: h.clock})
	e := engine.New(engine.Options{Own: own, Now: h.clock}).As(engine.Actor{Kind: engine.Person})
	dir := session.Dir{Path: h.path("sessions"), Lock: h.dir, Run: h.path("run"), Now: h.clock}
	return live.New(live.Options{
		State: e.State, Own: own, Logs: []live.Log{{Path: own.Path()}}, Also: []string{h.path("erased.jsonl")},
		Sessions: []session.Dir{dir, dir.Imports()}, Dir: h.path("cache", "index"), Now: h.clock, Clock: time.Now, Least: 1,
	})
}

// age makes the files look as if they had been written a while ago.
func (h *home) age(t testing.TB) {
	t.Helper()
	back := time.Now().Add(-time.Minute)
	err := filepath.Walk(h.dir, func(path string, fi os.FileInfo, err error) error {
		if err == nil && !fi.IsDir() && strings.HasSuffix(path, ".jsonl") {
			err = os.Chtimes(path, back, back)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.settle(t)
}

// settle waits until a later change of any file would show in its times: that of the inode cannot be set.
func (h *home) settle(t testing.TB) {
	t.Helper()
	err := filepath.Walk(h.dir, func(path string, fi os.FileInfo, err error) error {
		if err != nil || fi.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		if !proctest.Within(10*time.Second, func() bool { _, sure := jsonl.StampAt(path, time.Now()); return sure }) {
			return fmt.Errorf("%s does not settle", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (h *home) write(t testing.TB, name string, lines ...string) {
	t.Helper()
	path := h.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, l := range lines {
		if _, err := f.WriteString(l + "\n"); err != nil {
			t.Fatal(err)
		}
	}
}

// An answer is all that an index says to a question.
type answer struct {
	Hits     []hit
	Problems []memory.Problem
	Own      string
	Items    []memory.Item
	Warnings []string
}

type hit struct {
	Doc   index.Document
	Score float64
	Parts []recall.Part
}

func ask(t testing.TB, s *live.Index, questions ...string) (all []answer) {
	t.Helper()
	for _, q := range questions {
		a, err := answerTo(s, q)
		if err != nil {
			s.Invalidate() // as whoever asks does
			a, err = answerTo(s, q)
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

func answerTo(s *live.Index, q string) (a answer, err error) {
	ctx := context.Background()
	m, err := s.Memory(ctx)
	if err != nil {
		return a, err
	}
	c, err := s.Conversations(ctx, m)
	if err != nil {
		return a, err
	}
	a = answer{Problems: m.Problems, Own: m.Own, Warnings: c.Warnings}
	corpora, err := index.Complete(append(slices.Clone(m.Corpora), c.Corpora...), q)
	if err != nil {
		return a, err
	}
	hits, err := recall.Search(ctx, corpora, recall.Question{Text: q})
	if err != nil {
		return a, err
	}
	for _, h := range hits {
		a.Hits = append(a.Hits, hit{*h.Document, h.Score, h.Parts})
	}
	for i, c := range m.Corpora {
		for doc := range int32(c.Rows.Len()) {
			if c.Rows.Deleted(doc) {
				continue
			}
			it, err := m.Item(i, doc)
			if err != nil {
				return a, err
			}
			it.Line, it.Order = 0, 0 // of the whole log
			a.Items = append(a.Items, it)
		}
	}
	return a, nil
}

// plain is what an index without an index says.
func (h *home) plain(t testing.TB, questions ...string) []answer {
	t.Helper()
	own := filelog.Open(h.path("memory.jsonl"), filelog.Options{DeviceFile: h.path("device.json"), Now: h.clock})
	e := engine.New(engine.Options{Own: own, Now: h.clock}).As(engine.Actor{Kind: engine.Person})
	dir := session.Dir{Path: h.path("sessions"), Lock: h.dir, Run: h.path("run"), Now: h.clock}
	return ask(t, live.New(live.Options{State: e.State, Own: own, Logs: []live.Log{{Path: own.Path()}}, Sessions: []session.Dir{dir, dir.Imports()}, Now: h.clock}), questions...)
}

var texts = []string{
	"the staging host is kettle.example.org", "tea is drunk at four", "the nightly job runs on Sundays", "Ada sold the boat to Bob",
	"parseHTTPHeader panics on an empty line", "紅茶は朝に飲む", "the deploy key lives in the vault", "boats are kept in the shed near the vault",
}

// genLine makes a line of a log whose next number is n.
func genLine(t *rapid.T, n int) string {
	target := rapid.IntRange(1, max(n-1, 1)).Draw(t, "target")
	text := rapid.SampledFrom(texts).Draw(t, "text")
	ts := time.Date(2026, 5, 1, 0, 0, n, 0, time.UTC).Format(time.RFC3339)
	switch rapid.IntRange(0, 14).Draw(t, "line") {
	case 0:
		return fmt.Sprintf(`{"id":%d,"ts":"%s","kind":"forget","target":%d}`, n, ts, target)
	case 1:
		return fmt.Sprintf(`{"id":%d,"ts":"%s","kind":"edit","target":%d,"content":"%s, edited"}`, n, ts, target, text)
	case 2:
		return fmt.Sprintf(`{"id":%d,"ts":"%s","kind":"pin","target":%d}`, n, ts, target)
	case 3:
		return fmt.Sprintf(`{"id":%d,"ts":"%s","kind":"undo","target":%d}`, n, ts, target)
	case 4:
		return fmt.Sprintf(`{"id":%d,"ts":"%s","kind":"fact","content":"%s","supersedes":[%d]}`, n, ts, text, target)
	case 5:
		return fmt.Sprintf(`{"id":%d,"ts":"%s","kind":"pref","content":"%s","key":"k"}`, n, ts, text)
	case 6:
		return fmt.Sprintf(`{"id":%d,"ts":"%s","kind":"fact","content":"%s","expires":"2026-06-0%dT00:00:00Z"}`, n, ts, text, rapid.IntRange(1, 3).Draw(t, "day"))
	case 7:
		return fmt.Sprintf(`{"id":%d,"ts":"%s","kind":"tier","targets":[%d],"tier":"archive"}`, n, ts, target)
	case 8:
		return fmt.Sprintf(`{"id":%d,"kind":"fact","content":"%s"}`, n, text)
	case 9:
		return fmt.Sprintf(`{"id":%d,"ts":"%s","kind":"fact","content":"%s","origin":"model"}`, n, ts, text)
	case 10:
		return `{"broken`
	case 11:
		return fmt.Sprintf(`{"id":%d,"ts":"%s","kind":"fact","content":"%s","source":{"session":"s%d","turn":%d}}`, n, ts, text, rapid.IntRange(0, 2).Draw(t, "session"), rapid.IntRange(1, 3).Draw(t, "turn"))
	}
	return fmt.Sprintf(`{"id":%d,"ts":"%s","kind":"%s","content":"%s %d"}`, n, ts, rapid.SampledFrom([]string{"fact", "gotcha", "rule"}).Draw(t, "kind"), text, n)
}

func genTurns(t *rapid.T, from int) (lines []string) {
	for n := from; n < from+rapid.IntRange(0, 3).Draw(t, "turns"); n++ {
		text := rapid.SampledFrom(texts).Draw(t, "said")
		switch rapid.IntRange(0, 5).Draw(t, "turn") {
		case 0:
			lines = append(lines, fmt.Sprintf(`{"ts":"2026-05-10T12:00:%02dZ","event":"exec","cmd":"echo %s","exit":1}`, n, text))
		case 1:
			lines = append(lines, fmt.Sprintf(`{"ts":"2026-05-10T12:00:%02dZ","role":"assistant","content":"%s","n":%d,"scope":"dir:~/b"}`, n, "I see: "+text+"!", n))
		default:
			lines = append(lines, fmt.Sprintf(`{"ts":"2026-05-10T12:00:%02dZ","role":"user","content":"%s","n":%d,"speaker":"Ada"}`, n, text, n))
		}
	}
	return lines
}

// TestL2IndexIsTheFiles (L2, L5): whatever is written to the files, before the
// index was made or after, an index that is there answers as an index without.
//
//ken:unraced
func TestL2IndexIsTheFiles(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	questions := []string{"where is the staging kettle", "who sold the boat", "deploy key vault", "茶", "parse http header", "echo tea at four", "kett", "who sol a boa in the she"}
	rapid.Check(t, func(rt *rapid.T) {
		h := &home{dir: t.TempDir(), now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
		h.write(t, "memory.jsonl", `{"meta":{"format":1,"log":"desk-19c4","created":"2026-05-01T00:00:00Z"}}`)
		h.write(t, "device.json", `{"log":"desk-19c4"}`)
		next := 1
		for range rapid.IntRange(1, 5).Draw(rt, "rounds") {
			var lines []string
			for range rapid.IntRange(0, 8).Draw(rt, "lines") {
				lines = append(lines, genLine(rt, next))
				next++
			}
			h.write(t, "memory.jsonl", lines...)
			for i := range 3 {
				name := fmt.Sprintf("sessions/s%d.jsonl", i)
				if _, err := os.Stat(h.path(name)); err != nil {
					h.write(t, name, fmt.Sprintf(`{"meta":{"format":1,"session":"s%d","scope":"dir:~/a"}}`, i))
				}
				h.write(t, name, genTurns(rt, 10*next)...)
			}
			h.age(t)
			if rapid.Bool().Draw(rt, "later") {
				h.now = h.now.Add(24 * time.Hour)
			}
			s := h.open()
			for turn := range 2 {
				if diff := cmp.Diff(h.plain(t, questions...), ask(t, s, questions...)); diff != "" {
					rt.Fatalf("round %d (-files +index):\n%s", turn, diff)
				}
				if err := s.Rebuild(ctx); err != nil {
					rt.Logf("tend: %v", err)
				}
			}
			if diff := cmp.Diff(h.plain(t, questions...), ask(t, h.open(), questions...)); diff != "" {
				rt.Fatalf("a new process (-files +index):\n%s", diff)
			}
		}
	})
}

// TestIndexIsUsed: what did not change since the index was made is not read, nor
// what a simple line that came since leaves as it was.
func TestIndexIsUsed(t *testing.T) {
	t.Parallel()
	h := &home{dir: t.TempDir(), now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
	h.write(t, "device.json", `{"log":"desk-19c4"}`)
	h.write(t, "memory.jsonl", `{"meta":{"format":1,"log":"desk-19c4"}}`,
		`{"id":1,"ts":"2026-05-01T00:00:00Z","kind":"fact","content":"the staging host is kettle"}`,
		`{"id":2,"ts":"2026-05-01T00:00:01Z","kind":"edit","target":1,"content":"the staging host is teapot","tags":["ssh"]}`,
		`{"id":3,"ts":"2026-05-01T00:00:02Z","kind":"fact","content":"boats are in the shed"}`)
	var turns []string
	for n := 1; n <= 250; n++ {
		turns = append(turns, fmt.Sprintf(`{"ts":"2026-05-10T12:00:00Z","role":"user","content":"turn %d about kettles","n":%d}`, n, n))
	}
	h.write(t, "sessions/s.jsonl", append([]string{`{"meta":{"format":1,"session":"s"}}`}, turns...)...)
	h.age(t)
	s := h.open()
	ask(t, s, "kettle")
	if err := s.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, lines := range map[string][]string{
		"as it was": nil,
		"stated":    {`{"id":4,"ts":"2026-05-01T00:00:03Z","kind":"fact","content":"the kettle is red"}`},
		"forgotten": {`{"id":5,"ts":"2026-05-01T00:00:04Z","kind":"forget","target":3}`},
	} {
		h.write(t, "memory.jsonl", lines...)
		s := h.unread()
		m, err := s.Memory(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c, err := s.Conversations(t.Context(), m)
		if err != nil || c.Corpora[0].Rows.Len() != 250 {
			t.Fatalf("%s: %v, %d turns of a segment", name, err, c.Corpora[0].Rows.Len())
		}
	}
	h.write(t, "memory.jsonl", `{"id":6,"ts":"2026-05-01T00:00:04Z","kind":"pin","target":1}`)
	if _, err := h.unread().Memory(t.Context()); err == nil {
		t.Error("a changed item was not read again")
	}
}

// unread is an index that cannot read the whole memory.
func (h *home) unread() *live.Index {
	own := filelog.Open(h.path("memory.jsonl"), filelog.Options{DeviceFile: h.path("device.json"), Head: h.path("cache", "head"), Now: h.clock})
	dir := session.Dir{Path: h.path("sessions"), Lock: h.dir, Run: h.path("run"), Now: h.clock}
	return live.New(live.Options{
		State: func(context.Context) (*memory.State, error) { return nil, errors.New("all of it was read") },
		Own:   own, Logs: []live.Log{{Path: own.Path()}}, Also: []string{h.path("erased.jsonl")},
		Sessions: []session.Dir{dir, dir.Imports()}, Dir: h.path("cache", "index"), Now: h.clock, Clock: time.Now, Least: 1,
	})
}

// TestIndexIsUsedWithForgotten: whatever became of what is forgotten now, its text is
// read again from its lines alone, and is still known.
func TestIndexIsUsedWithForgotten(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][]string{
		"plain":   {`{"id":2,"ts":"2026-05-01T00:00:01Z","kind":"fact","content":"the attic key is under the third stone"}`},
		"waiting": {`{"id":2,"ts":"2026-05-01T00:00:01Z","kind":"fact","content":"the attic key is under the third stone","origin":"model"}`},
		"twice": {
			`{"id":2,"ts":"2026-05-01T00:00:01Z","kind":"fact","content":"the attic key is in the hall"}`,
			`{"id":2,"ts":"2026-05-01T00:00:02Z","kind":"fact","content":"the attic key is under the third stone"}`,
		},
		"edited": {
			`{"id":2,"ts":"2026-05-01T00:00:01Z","kind":"fact","content":"the attic key is in the hall"}`,
			`{"id":3,"ts":"2026-05-01T00:00:01Z","kind":"edit","target":2,"content":"the attic key is under the third stone"}`,
		},
		"superseded": {
			`{"id":2,"ts":"2026-05-01T00:00:01Z","kind":"fact","content":"the attic key is under the third stone"}`,
			`{"id":3,"ts":"2026-05-01T00:00:02Z","kind":"fact","content":"there is no key","supersedes":[2]}`,
		},
		"superseding": {
			`{"id":2,"ts":"2026-05-01T00:00:01Z","kind":"fact","content":"the attic key is under the third stone","supersedes":[1]}`,
			`{"id":3,"ts":"2026-05-01T00:00:01Z","kind":"fact","content":"the kettle is blue"}`,
		},
		"expired": {`{"id":2,"ts":"2026-05-01T00:00:01Z","kind":"fact","content":"the attic key is under the third stone","expires":"2026-05-02T00:00:00Z"}`},
		"beside a bad line": {
			`{"id":2,"ts":"2026-05-01T00:00:01Z","kind":"fact","content":"the attic key is under the third stone"}`,
			`{"id":3,"ts":"2026-05-01T00:00:01Z","kind":"fact","content":`, `{"id":4,"ts":"2026-05-01T00:00:01Z","kind":"forget","target":3}`,
		},
	} {
		h := &home{dir: t.TempDir(), now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
		h.write(t, "device.json", `{"log":"desk-19c4"}`)
		h.write(t, "memory.jsonl", `{"meta":{"format":1,"log":"desk-19c4"}}`,
			`{"id":1,"ts":"2026-05-01T00:00:00Z","kind":"fact","content":"the staging host is kettle"}`)
		h.write(t, "memory.jsonl", lines...)
		h.write(t, "memory.jsonl", `{"id":9,"ts":"2026-05-01T00:00:03Z","kind":"forget","target":2}`)
		h.write(t, "sessions/s.jsonl", `{"meta":{"format":1,"session":"s"}}`,
			`{"ts":"2026-05-10T12:00:00Z","role":"user","content":"so the attic key is under the third stone, and the attic is cold","n":1}`)
		h.age(t)
		want := h.plain(t, "attic", "kettle")
		if len(want[0].Hits) > 0 {
			t.Fatalf("%s: found without an index: %v", name, want[0].Hits)
		}
		s := h.open()
		ask(t, s, "kettle")
		if err := s.Rebuild(t.Context()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s = h.unread()
		got, err := answerTo(s, "attic")
		if err != nil || len(got.Hits) > 0 {
			t.Errorf("%s: %v, %v", name, got.Hits, err)
		}
		if diff := cmp.Diff(want, ask(t, h.open(), "attic", "kettle")); diff != "" {
			t.Errorf("%s (-files +index):\n%s", name, diff)
		}
	}
}

// TestForgottenIsRepeated (L5): what repeats a forgotten text does not come back by
// way of an index, though none of its words must stand there as they are.
func TestForgottenIsRepeated(t *testing.T) {
	t.Parallel()
	for text, said := range map[string]string{
		"紅茶は朝に飲む":                    "では紅茶は朝に飲むと言った茶",
		"kettle.staging.example.org": "at xkettle.staging.example.organic tea",
		"blueberry marmalades":       "no blueberry marmalades with tea",
		"one two three four five":    "someone two three four fivefold tea",
	} {
		h := &home{dir: t.TempDir(), now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
		h.write(t, "device.json", `{"log":"desk-19c4"}`)
		h.write(t, "memory.jsonl", `{"meta":{"format":1,"log":"desk-19c4"}}`,
			fmt.Sprintf(`{"id":1,"ts":"2026-05-01T00:00:00Z","kind":"fact","content":"%s"}`, text), `{"id":2,"ts":"2026-05-01T00:00:03Z","kind":"forget","target":1}`)
		h.write(t, "sessions/s.jsonl", `{"meta":{"format":1,"session":"s"}}`,
			fmt.Sprintf(`{"ts":"2026-05-10T12:00:00Z","role":"user","content":"%s","n":1}`, said), `{"ts":"2026-05-10T12:00:00Z","role":"user","content":"green tea, 緑茶","n":2}`)
		h.age(t)
		s := h.open()
		for range 2 {
			for _, q := range []string{"tea", "茶", text} {
				if hits := ask(t, s, q)[0].Hits; slices.ContainsFunc(hits, func(x hit) bool { return x.Doc.Ref == "s:1" }) {
					t.Errorf("%s: %s finds it", text, q)
				}
			}
			if err := s.Rebuild(t.Context()); err != nil {
				t.Fatal(err)
			}
			s = h.open()
		}
	}
}
