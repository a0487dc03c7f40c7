package live_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/index/live"
)

// TestL5Repeats: a turn that repeats what is forgotten is in no answer from the
// index either, in whatever form it has it, and comes back when it is undone.
func TestL5Repeats(t *testing.T) {
	t.Parallel()
	for name, turn := range map[string]string{
		"as it was":     "so the vault opens at dawn & dusk, kettle",
		"of an address": "GET /q?note=the+vault+opens+at+dawn+%26+dusk kettle",
		"for a page":    "<b>the vault opens at dawn &amp; dusk</b> kettle",
		"for JSON":      `{"kettle":"{\\"say\\":\\"the vault opens\\\\nat dawn & dusk\\"}"}`,
		"in base64":     "kettle dGhlIHZhdWx0IG9wZW5zIGF0IGRhd24gJiBkdXNr",
		"in capitals":   "THE VAULT OPENS AT DAWN & DUSK kettle",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repeated(t, "the vault opens at dawn & dusk", turn)
		})
	}
	for name, pair := range map[string][2]string{
		"no spaces":       {"紅茶は朝に飲むことにする", "kettle 紅茶は朝に飲むことにすると言った"},
		"one word":        {"tea-kettles.example.net", "kettle https://www.tea-kettles.example.net/path"},
		"in a long word":  {"staging.example.net", "kettle mystaging.example.nettle"},
		"case inside":     {"we call parseHTTPHeader here", "kettle: we call parsehttpheader here"},
		"across escapes":  {"one two three four", `kettle "one\\ttwo\\nthree four"`},
		"a symbol inside": {"ship it 🚀 on friday", "kettle SHIP it 🚀 on fridays"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repeated(t, pair[0], pair[1])
		})
	}
}

// repeated checks it of a memory and a turn, of which other turns have the word
// kettle as well.
func repeated(t *testing.T, text, turn string) {
	h := &home{dir: t.TempDir(), now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
	h.write(t, "device.json", `{"log":"desk-19c4"}`)
	h.write(t, "memory.jsonl", `{"meta":{"format":1,"log":"desk-19c4"}}`, `{"id":1,"ts":"2026-05-01T00:00:00Z","kind":"fact","content":"`+text+`"}`)
	h.write(t, "sessions/s.jsonl", `{"meta":{"format":1,"session":"s"}}`,
		`{"ts":"2026-05-10T12:00:00Z","role":"user","content":"the kettle is red","n":1}`,
		`{"ts":"2026-05-10T12:00:01Z","role":"assistant","content":"`+strings.ReplaceAll(turn, `"`, `\"`)+`","n":2}`)
	ends := func(why string, wanted bool) {
		t.Helper()
		h.age(t)
		for _, made := range []string{"made", "used"} {
			s := h.open()
			for n := 0; ; n++ {
				a, err := answerTo(s, "kettle")
				if errors.Is(err, live.ErrLateHit) && n < 3 {
					continue // as whoever asks does
				}
				if err != nil {
					t.Fatal(err)
				}
				got := false
				for _, hit := range a.Hits {
					got = got || hit.Doc.Ref == "s:2"
				}
				if got != wanted {
					t.Errorf("%s, the index %s: found: %v", why, made, got)
				}
				break
			}
			if err := s.Rebuild(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	ends("known", true)
	h.write(t, "memory.jsonl", `{"id":2,"ts":"2026-05-01T00:00:01Z","kind":"forget","target":1}`)
	ends("forgotten", false)
	h.write(t, "memory.jsonl", `{"id":3,"ts":"2026-05-01T00:00:02Z","kind":"undo","target":2}`)
	ends("undone", true)
}

// TestStatedAgain: what is stated again behind the lines of the index hides no turn, though it was forgotten once; and what is
// forgotten there hides none while an item that is true at another time states it too.
func TestStatedAgain(t *testing.T) {
	t.Parallel()
	const said = `"kind":"fact","content":"the vault opens at dawn"`
	for name, c := range map[string]struct{ before, after []string }{
		"forgotten before": {
			[]string{
				`{"id":1,"ts":"2026-05-01T00:00:00Z",` + said + `}`,
				`{"id":2,"ts":"2026-05-01T00:00:01Z","kind":"forget","target":1}`,
				`{"id":3,"ts":"2026-05-01T00:00:02Z","kind":"fact","content":"boats are in the shed"}`,
			},
			[]string{`{"id":4,"ts":"2026-05-01T00:00:03Z",` + said + `}`},
		},
		"true at another time": {
			[]string{
				`{"id":1,"ts":"2026-05-01T00:00:00Z",` + said + `,"expires":"2026-05-09T00:00:00Z"}`,
				`{"id":2,"ts":"2026-05-01T00:00:01Z",` + said + `}`,
			},
			[]string{`{"id":3,"ts":"2026-05-01T00:00:02Z","kind":"forget","target":2}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := &home{dir: t.TempDir(), now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
			h.write(t, "device.json", `{"log":"desk-19c4"}`)
			h.write(t, "memory.jsonl", append([]string{`{"meta":{"format":1,"log":"desk-19c4"}}`}, c.before...)...)
			h.write(t, "sessions/s.jsonl", `{"meta":{"format":1,"session":"s"}}`,
				`{"ts":"2026-05-10T12:00:00Z","role":"user","content":"the vault opens at dawn, they say","n":1}`)
			h.age(t)
			s := h.open()
			ask(t, s, "vault")
			if err := s.Rebuild(t.Context()); err != nil {
				t.Fatal(err)
			}
			h.write(t, "memory.jsonl", c.after...)
			h.age(t)
			if diff := cmp.Diff(h.plain(t, "vault"), ask(t, h.open(), "vault")); diff != "" {
				t.Errorf("-files +index:\n%s", diff)
			}
		})
	}
}
