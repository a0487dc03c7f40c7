package engine

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/memory/logtest"
)

// answer is what a person learns of a receipt.
func answer(r Receipt, err error) string {
	if err != nil {
		return err.Error()
	}
	s := "wrote " + refs(r)
	if !r.Same.IsZero() {
		s = "same as " + r.Same.String()
	}
	for _, it := range r.Near {
		s += " near " + it.Ref()
	}
	return s
}

// TestS49Duplicates: what says the same is not written again, unless something of
// it would be lost; what says nearly the same is written and named.
func TestS49Duplicates(t *testing.T) {
	t.Parallel()
	const text = "the staging host is called teapot"
	later := noon().Add(48 * time.Hour).Truncate(time.Second)
	for _, c := range []struct {
		name, there string
		d           Draft
		want        string
	}{
		{"the same", `{"id":1,"content":"the staging host is called teapot"}`, Draft{}, "same as 1"},
		{"other spaces", `{"id":1,"content":" the staging\nhost is  called teapot"}`, Draft{}, "same as 1"},
		{"other case", `{"id":1,"content":"The staging host is called Teapot"}`, Draft{}, "wrote 2 near 1"},
		{"another word", `{"id":1,"content":"the staging host is called kettle"}`, Draft{}, "wrote 2 near 1"},
		{"something else", `{"id":1,"content":"tea at noon"}`, Draft{}, "wrote 2"},
		{"another kind", `{"id":1,"kind":"pref","content":"the staging host is called teapot"}`, Draft{}, "wrote 2 near 1"},
		{"the kind spelled out", `{"id":1,"kind":"preference","content":"the staging host is called teapot"}`, Draft{Kind: "pref"}, "same as 1"},
		{"everywhere, and here", `{"id":1,"content":"the staging host is called teapot"}`, Draft{Scope: "repo:example.com/x"}, "wrote 2 near 1"},
		{"here, and everywhere", `{"id":1,"content":"the staging host is called teapot","scope":"repo:example.com/x"}`, Draft{}, "wrote 2 near 1"},
		{"here and there", `{"id":1,"content":"the staging host is called teapot","scope":"repo:example.com/x"}`, Draft{Scope: "repo:example.com/y"}, "wrote 2"},
		{"here again", `{"id":1,"content":"the staging host is called teapot","scope":"repo:example.com/x"}`, Draft{Scope: "repo:example.com/X"}, "same as 1"},
		{"forgotten", `{"id":1,"content":"the staging host is called teapot"}` + "\n" + `{"id":2,"kind":"forget","target":1}`, Draft{}, "wrote 3"},
		{"undone", `{"id":1,"content":"the staging host is called teapot"}` + "\n" + `{"id":2,"kind":"undo","target":1}`, Draft{}, "wrote 3"},
		{"edited to it", `{"id":1,"content":"tea"}` + "\n" + `{"id":2,"kind":"edit","target":1,"content":"the staging host is called teapot"}`, Draft{}, "same as 1"},
		{"edited away", `{"id":1,"content":"the staging host is called teapot"}` + "\n" + `{"id":2,"kind":"edit","target":1,"content":"tea"}`, Draft{}, "wrote 3"},
		{"waiting", `{"id":1,"content":"the staging host is called teapot","origin":"model"}`, Draft{}, "wrote 2"},
		{"let in, of less trust", `{"id":1,"content":"the staging host is called teapot","origin":"model","by":"user"}`, Draft{}, "wrote 2 near 1"},
		{"to be pinned", `{"id":1,"content":"the staging host is called teapot"}`, Draft{Pinned: true}, "wrote 2 near 1"},
		{"pinned", `{"id":1,"content":"the staging host is called teapot","pinned":true}`, Draft{}, "same as 1"},
		{"with its tag", `{"id":1,"content":"the staging host is called teapot","tags":["x","y"]}`, Draft{Tags: []string{"y"}}, "same as 1"},
		{"with another tag", `{"id":1,"content":"the staging host is called teapot","tags":["x"]}`, Draft{Tags: []string{"y"}}, "wrote 2 near 1"},
		{"of more weight", `{"id":1,"content":"the staging host is called teapot"}`, Draft{Importance: 9}, "wrote 2 near 1"},
		{"of the usual weight", `{"id":1,"content":"the staging host is called teapot"}`, Draft{Importance: 5}, "same as 1"},
		{"archived", `{"id":1,"content":"the staging host is called teapot","tier":"archive"}`, Draft{}, "wrote 2 near 1"},
		{"expired", `{"id":1,"content":"the staging host is called teapot","expires":"2020-01-01T00:00:00Z"}`, Draft{}, "wrote 2"},
		{"about to end", `{"id":1,"content":"the staging host is called teapot","expires":"2026-11-22T12:00:00Z"}`, Draft{}, "wrote 2 near 1"},
		{"to end earlier", `{"id":1,"content":"the staging host is called teapot","expires":"2026-11-22T12:00:00Z"}`, Draft{Expires: later}, "wrote 2 near 1"},
		{"to end, where it does not", `{"id":1,"content":"the staging host is called teapot"}`, Draft{Expires: later}, "same as 1"},
		{"with a key", `{"id":1,"content":"the staging host is called teapot"}`, Draft{Key: "host"}, "wrote 2 near 1"},
		{"with its key", `{"id":1,"content":"the staging host is called teapot","key":"host"}`, Draft{Key: "host"}, "same as 1"},
		{"in the place of its key", `{"id":1,"content":"the staging host is called kettle","key":"host"}`, Draft{Key: "host"}, "wrote 2"},
		{"superseding it", `{"id":1,"content":"the staging host is called teapot"}`, Draft{Supersedes: []memory.ID{memory.Num(1)}}, "wrote 2"},
		{"of two", `{"id":1,"content":"the staging host is called teapot"}` + "\n" + `{"id":2,"content":"the staging host is called kettle"}`, Draft{}, "same as 1"},
		{"what contradicts it, then the nearest", `{"id":1,"content":"the staging host is called kettle"}` + "\n" + `{"id":2,"content":"The staging host is called teapot"}` + "\n" + `{"id":3,"content":"the new staging host is called teapot"}`, Draft{}, "wrote 4 near 1 near 2 near 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := c.d
			d.Content, d.Near = text, true
			k := newKit(t, strings.Split(c.there, "\n")...)
			if got := answer(k.Remember(t.Context(), d)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			h := house{t}
			dir := t.TempDir()
			h.write(dir, c.there+"\n")
			if got := answer(h.openSketched(dir).Remember(t.Context(), d)); got != c.want {
				t.Errorf("in a file: %s, want %s", got, c.want)
			}
			// Unless asked for, what is near is not looked for.
			d.Near = false
			k = newKit(t, strings.Split(c.there, "\n")...)
			want, _, _ := strings.Cut(c.want, " near")
			if got := answer(k.Remember(t.Context(), d)); got != want {
				t.Errorf("without near ones: %s, want %s", got, want)
			}
		})
	}
}

// openSketched is open with sketches, as the commands of ken have it.
func (h house) openSketched(dir string, replicas ...Replica) *Writer {
	o := h.options(dir)
	o.Sketches, o.Rand = Sketches, rand.Reader
	return over(filelog.Open(filepath.Join(dir, "memory.jsonl"), o), replicas...)
}

// TestDuplicateOfReplica: what another device of the person says counts.
func TestDuplicateOfReplica(t *testing.T) {
	t.Parallel()
	desk := logtest.NewMemory("desk-0001")
	desk.Insert(`{"id":4,"content":"the staging host is called teapot"}`)
	replica := Replica{Name: "desk-0001", Log: desk}
	for _, e := range []*Writer{over(logtest.NewMemory("laptop-7f3a"), replica), house{t}.openSketched(t.TempDir(), replica)} {
		d := Draft{Content: "the staging host is called  teapot", Near: true}
		if got := answer(e.Remember(t.Context(), d)); got != "same as desk-0001/4" {
			t.Error(got)
		}
		d.Content = "the staging host is called kettle"
		if got := answer(e.Remember(t.Context(), d)); got != "wrote 1 near desk-0001/4" {
			t.Error(got)
		}
	}
}

// TestRememberLikeTheState: with sketches, whatever happened to the files, the
// answers are those of a log that is read each time.
func TestRememberLikeTheState(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		dir := filepath.Join(base, fmt.Sprint(n))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			rt.Fatal(err)
		}
		h := house{t}
		plain := newKit(t)
		kept := h.openSketched(dir)
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			var got, want string
			switch rapid.IntRange(0, 9).Draw(rt, "step") {
			case 0:
				kept = h.openSketched(dir) // another process
				continue
			case 1:
				id := memory.Num(rapid.Int64Range(1, 9).Draw(rt, "id"))
				got = answer(kept.Forget(t.Context(), "", id))
				want = answer(plain.Forget(t.Context(), "", id))
			case 2:
				id := memory.Num(rapid.Int64Range(1, 9).Draw(rt, "id"))
				text := "say " + strings.Join(words(rt, 3), " ")
				got = answer(kept.Edit(t.Context(), id, Edit{Content: &text}))
				want = answer(plain.Edit(t.Context(), id, Edit{Content: &text}))
			case 3:
				hurt(rt, dir)
				continue
			default:
				d := Draft{Content: "say " + strings.Join(words(rt, 3), " "), Near: rapid.Bool().Draw(rt, "near")}
				got, want = answer(kept.Remember(t.Context(), d)), answer(plain.Remember(t.Context(), d))
			}
			if got != want {
				rt.Fatalf("%s, want %s; the log:\n%s", got, want, strings.Join(plain.log.Lines(), "\n"))
			}
		}
	})
}

// hurt does something to the derived files, or to the log as a person may.
func hurt(t *rapid.T, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "cache", "*"))
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "memory.jsonl")
	if _, err := os.Stat(log); err == nil {
		files = append(files, log)
	}
	if len(files) == 0 {
		return
	}
	file := rapid.SampledFrom(files).Draw(t, "file")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case file == log:
		b = append(b, '\n') // a blank line
	case rapid.Bool().Draw(t, "remove"):
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		return
	case len(b) > 0 && rapid.Bool().Draw(t, "cut"):
		b = b[:rapid.IntRange(0, len(b)-1).Draw(t, "to")]
	case len(b) > 0:
		b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= 0x10
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSameTextAtOnce: several at the same time state the same; one of them writes.
func TestSameTextAtOnce(t *testing.T) {
	t.Parallel()
	h := house{t}
	dir := t.TempDir()
	for round := range 10 {
		var wg sync.WaitGroup
		answers := make([]string, 6)
		for i := range answers {
			wg.Go(func() {
				e := h.openSketched(dir)
				answers[i] = answer(e.Remember(t.Context(), Draft{Content: fmt.Sprintf("round number %d", round), Near: i%2 == 0}))
			})
		}
		wg.Wait()
		wrote := 0
		for _, a := range answers {
			switch {
			case a == fmt.Sprintf("wrote %d", round+1):
				wrote++
			case a != fmt.Sprintf("same as %d", round+1):
				t.Errorf("round %d: %s", round, a)
			}
		}
		if wrote != 1 {
			t.Errorf("round %d: %d of them wrote: %q", round, wrote, answers)
		}
	}
}

// TestRememberUnreadableSketch: a look that fails is no reason not to remember.
func TestRememberUnreadableSketch(t *testing.T) {
	t.Parallel()
	h := house{t}
	dir := t.TempDir()
	d := Draft{Content: "tea at noon", Near: true}
	if got := answer(h.openSketched(dir).Remember(t.Context(), d)); got != "wrote 1" {
		t.Fatal(got)
	}
	files, err := filepath.Glob(filepath.Join(dir, "cache", "*sketches"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := errors.Join(os.Remove(files[0]), os.Mkdir(files[0], 0o700)); err != nil {
		t.Fatal(err)
	}
	if got := answer(h.openSketched(dir).Remember(t.Context(), d)); got != "same as 1" {
		t.Error(got)
	}
	d.Content = "coffee at one"
	if got := answer(h.openSketched(dir).Remember(t.Context(), d)); got != "wrote 2" {
		t.Error(got)
	}
}

// words are some of a few, as texts that are alike have.
func words(t *rapid.T, most int) []string {
	return rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 60), func(n int) string { return fmt.Sprintf("w%d", n) }), 0, most).Draw(t, "words")
}
