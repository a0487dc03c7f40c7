//ken:slow

package scrub_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/jsonl"
	"ken/internal/jsonl/jsonltest"
	"ken/internal/memory"
	"ken/internal/scrub"
	"ken/internal/session"
	"ken/internal/text"
)

// respelled is a text in other letters, blanks and forms of Unicode.
func respelled(t *rapid.T, text string) string {
	var b strings.Builder
	for _, r := range text {
		switch pick := rapid.IntRange(0, 5).Draw(t, "spelling"); {
		case r == ' ' && pick < 3:
			b.WriteString([]string{"\n", "  ", "\u00a0"}[pick])
		case pick == 0:
			b.WriteString(strings.ToUpper(string(r)))
		case pick == 1 && r == 'é':
			b.WriteString("e\u0301")
		case pick == 2:
			b.WriteString(string(r) + "\u00ad")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// TestLawErased (L5): whatever a memory, its replicas, conversations, imports and
// proposals hold, and however they spell it, the text of an erased item is in no
// byte afterwards; what does not have it is as it was, and every turn has its
// number, its role and its time.
func TestLawErased(t *testing.T) {
	t.Parallel()
	base := jsonltest.Dir(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		h := &house{t: t, dir: filepath.Join(base, fmt.Sprint(n)), fs: noSync{}}
		defer func() { _ = os.RemoveAll(h.dir) }()
		words := rapid.SampledFrom([]string{"kettle", "größe", "café", `back\slash`, `quo"te`, "host", "日本", "7", "–"})
		// A short text, such as one word among dashes, is compared whole: TestShort has those.
		text := rapid.Map(rapid.SliceOfN(words, 3, 6), func(w []string) string { return "pot " + strings.Join(w, " ") }).
			Filter(func(s string) bool { return !text.Short(s) }).Draw(t, "text")
		others := []string{"tea on Mondays", "nothing", "café", "erased", "a host of reasons"}
		other := rapid.SampledFrom(others)
		said := func(name string) string {
			s := other.Draw(t, name)
			if rapid.Bool().Draw(t, name+" says it") {
				s = strings.TrimSpace(s + " " + respelled(t, text) + " " + other.Draw(t, name+" after"))
			}
			return s
		}
		str := func(s string) string { return string(jsonl.AppendString(nil, s)) }
		content := func(name string) string { return str(said(name)) }
		exact := func(name string) string {
			if rapid.Bool().Draw(t, name+" is it") {
				return str(respelled(t, text))
			}
			return str(other.Draw(t, name))
		}
		h.write("device.json", `{"log":"desk-19c4"}`)
		h.write("memory.jsonl", meta,
			`{"id":1,"kind":"fact","content":`+exact("1")+`}`,
			`{"id":2,"kind":"fact","content":`+str(respelled(t, text))+`,"source":{"session":"s1","turn":2}}`,
			`{"id":3,"kind":"edit","target":2,"content":`+exact("3")+`,"reason":`+content("reason")+`}`,
			`{"id":4,"kind":"forget","target":2,"reason":`+content("why")+`}`,
			`{"id":5,"kind":"fact","content":`+str(said("damaged")))
		h.write("peers/phone-7f3a.jsonl", phone,
			`{"id":1,"kind":"fact","content":`+exact("phone")+`}`,
			`{"id":2,"kind":"edit","target":"desk-19c4/2","content":`+content("phone edits")+`}`)
		h.write("review.jsonl", `{"id":1,"kind":"proposal","of":"memory","record":{"content":`+content("proposal")+`},"origin":"model","why":`+content("proposal why")+`}`)
		arguments := string(jsonl.AppendString(nil, `{"q":`+content("call")+`}`))
		h.write("sessions/s1.jsonl", head,
			`{"ts":"2026-05-10T19:00:04Z","role":"user","content":`+content("turn 1")+`,"n":1}`,
			`{"ts":"2026-05-10T19:00:05Z","role":"assistant","content":`+content("turn 2")+`,"raw":{"x":`+content("raw")+`},"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":`+arguments+`}}]}`,
			`{"ts":"2026-05-10T19:00:06Z","role":"tool","content":`+content("turn 3")+`,"tool_call_id":"c"}`,
			`{"event":"compact","summary":`+content("summary")+`,"keep_from":2}`, strings.ReplaceAll(said("torn"), "\n", " "))
		h.write("sessions/import/x.jsonl", `{"role":"user","content":`+content("import")+`,"given_title":`+content("given")+`}`)
		h.write("history", strings.ReplaceAll(said("typed"), "\n", `\n`))
		before, err := session.Load(filepath.Join(h.dir, "sessions/s1.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		plan, proof, err := h.run(scrub.Want{IDs: ids("2")})
		if err != nil {
			t.Fatal(err)
		}
		if found := h.grep(text); len(found) > 0 || !proof.Clean() {
			t.Fatalf("%q is in %v, says grep; the proof says %+v\n%s", text, found, proof, h.read("memory.jsonl"))
		}
		after, err := session.Load(filepath.Join(h.dir, "sessions/s1.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		was, is := before.Turns(), after.Turns()
		for i := range was {
			if was[i].N != is[i].N || was[i].Role != is[i].Role || !was[i].Time.Equal(is[i].Time) {
				t.Fatalf("turn %+v became %+v", was[i], is[i])
			}
			said := fmt.Sprintf("%v %s %s", was[i], was[i].ToolCalls, was[i].Raw)
			edited := slices.Contains(others, was[i].Content) // an edit of the item may say that
			if is[i].Content != was[i].Content && (is[i].Content != "[erased]" || !plan.Texts().InBytes([]byte(said)) && i != 1 && !edited) {
				t.Fatalf("turn %+v became %+v", was[i], is[i])
			}
		}
		if _, eng := h.open(); eng != nil {
			if s, err := eng.State(h.context()); err != nil || s.Status(memory.Num(2)) != memory.StatusErased {
				t.Fatalf("afterwards: %v, %v", s.Status(memory.Num(2)), err)
			}
		}
	})
}

// TestCutOff (F2, F7): whatever call fails or never comes back, the item is still
// there to be erased, or erased and noted; erasing it again does the rest, and what
// was begun is told.
//
//ken:unraced
func TestCutOff(t *testing.T) {
	t.Parallel()
	begin := func() (*house, *jsonltest.Disk) {
		h := furnished(&house{t: t, dir: jsonltest.Dir(t)})
		disk, err := jsonltest.New(h.dir)
		if err != nil {
			t.Fatal(err)
		}
		h.fs = disk
		return h, disk
	}
	h, disk := begin()
	h.must(scrub.Want{IDs: ids("2")})
	calls := len(disk.Trace())
	if calls < 50 {
		t.Fatalf("an erasing of everything is %d calls", calls)
	}
	for k := 1; k <= calls; k++ {
		for _, f := range []jsonltest.Fault{{}, {Err: errors.New("no space left on device"), Done: 7}} {
			h, disk := begin()
			disk.FailAt(k, f)
			_, _, err := h.run(scrub.Want{IDs: ids("2")})
			disk.Calm()
			found := h.grep(gone[:]...)
			_, eng := h.open()
			s, told := eng.State(t.Context())
			if s == nil {
				t.Fatalf("call %d: %v", k, told)
			}
			inLog := len(h.grepIn("memory.jsonl", gone[:]...)) > 0
			switch {
			case err == nil && len(found) > 0:
				t.Errorf("call %d: no error, and it is in %v", k, found)
			case s.Status(memory.Num(2)) == memory.StatusErased && inLog:
				t.Errorf("call %d: the log says that it is erased, and has it", k)
			case err != nil && s.Status(memory.Num(2)) != memory.StatusErased && !inLog:
				t.Errorf("call %d: it is neither there nor erased: %v", k, err)
			}
			want := scrub.Want{IDs: ids("2")}
			if s.Status(ids("phone-7f3a/3")[0]) != memory.StatusUnknown {
				want.IDs = append(want.IDs, ids("phone-7f3a/3")...)
			}
			h.must(want)
			if found := h.grep(gone[:]...); len(found) > 0 {
				t.Errorf("call %d of %s: after another try it is in %v", k, disk.Trace()[k-1], found)
			}
			_, eng = h.open()
			if _, err := eng.State(t.Context()); err != nil {
				t.Errorf("call %d: afterwards %v", k, err)
			}
		}
	}
}

// grepIn is grep in one file.
func (h *house) grepIn(name string, texts ...string) []string {
	var found []string
	for _, f := range h.grep(texts...) {
		if f == name {
			found = append(found, f)
		}
	}
	return found
}
