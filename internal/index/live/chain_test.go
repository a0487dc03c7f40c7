package live_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
	"ken/internal/memory/filelog"
)

// remember appends as ken does.
func (h *home) remember(t *testing.T, text string) {
	t.Helper()
	own := filelog.Open(h.path("memory.jsonl"), filelog.Options{DeviceFile: h.path("device.json"), Head: h.path("cache", "head"), Now: h.clock})
	tip, err := own.Tip(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = own.Append(t.Context(), tip.At, func(later []memory.Entry) ([]memory.Record, error) {
		return []memory.Record{{ID: memory.Num(tip.MaxID + 1), Time: h.now, Kind: memory.KindFact, Content: text}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestChain (L4): once an index knows in which chain of appends the log is, what was
// appended since is read without what stands before it; and what somebody changes
// there by hand is seen all the same.
func TestChain(t *testing.T) {
	t.Parallel()
	h, segments := indexed(t, "desk-19c4")
	link := segments[0] + ".link"
	questions := []string{"kettle", "where is the teapot", "samovar"}
	check := func(what string) {
		t.Helper()
		s := h.open()
		if diff := cmp.Diff(h.plain(t, questions...), ask(t, s, questions...)); diff != "" {
			t.Fatalf("%s (-files +index):\n%.2000s", what, diff)
		}
		if err := s.Rebuild(t.Context()); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	h.remember(t, "the teapot is in the hall")
	check("appended")
	was := read(t, link)
	h.remember(t, "the samovar is in the attic")
	check("appended again")
	if string(read(t, link)) != string(was) {
		t.Error("the link was written again")
	}
	// Lines of the same length, in place: only the times of the file tell.
	text := strings.Replace(string(read(t, h.path("memory.jsonl"))), "teapot is in the hall", "samovar is in the tub", 1)
	put(t, h.path("memory.jsonl"), []byte(text))
	check("changed by hand behind the index")
	text = strings.Replace(text, " 300 of desk-19c4", " 301 of desk-19c4", 1)
	put(t, h.path("memory.jsonl"), []byte(text))
	h.settle(t)
	check("changed by hand in the index")
	check("made anew")
	for i, b := range [][]byte{nil, []byte("x"), was, []byte(strings.Replace(string(was), "chain", "chair", 1))} {
		put(t, link, b)
		h.remember(t, fmt.Sprintf("samovar %d", i))
		check(fmt.Sprintf("with the link %q", b))
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	check("without the link")
}
