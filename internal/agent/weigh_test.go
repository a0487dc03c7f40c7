package agent

import (
	"strings"
	"testing"

	"ken/internal/llm"
	"ken/internal/session"
)

// TestWeighed: a question that is said to fit is sent whole, and one that would not be is said not to fit: what goes
// with every question is counted, the tools above all.
func TestWeighed(t *testing.T) {
	t.Parallel()
	const window = 8192
	fitted, refused := 0, 0
	for words := 500; words < 9000; words += 250 {
		rec, err := shelf(t).Create(session.Header{})
		if err != nil {
			t.Fatal(err)
		}
		o := Options{
			Record: rec, Now: clock, Keys: masks(masker()), Role: "Speak of tea.", Tools: hands{tools: toolDefinitions()},
			Compaction: Compaction{At: 0.75, Keep: 6, Tokens: 300},
		}
		c := New(o)
		q := Question{Text: strings.Repeat("tea ", words), Window: window}
		s, large := c.Weigh(t.Context(), q)
		whole := false
		q.Model = &busy{text: func(int) string { return "ok" }, look: func(r llm.Request) {
			whole = strings.Count(r.Messages[len(r.Messages)-1].Content, "tea ") == words
		}}
		if err := drive(t.Context(), c, q, nil); err != nil {
			t.Fatal(err)
		}
		if fits := !large || s.Fits(); fits != whole {
			t.Errorf("%d words: %+v, large %v, sent whole %v", words, s, large, whole)
		} else if fits {
			fitted++
		} else {
			refused++
		}
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	}
	if fitted < 5 || refused < 5 {
		t.Errorf("%d fitted, %d did not", fitted, refused)
	}
}

// TestSmallWindow: tools are offered where they leave room in the window, and not where they would fill it.
func TestSmallWindow(t *testing.T) {
	t.Parallel()
	for window, offers := range map[int]bool{0: true, 2000: false, 4096: true, 8192: true} {
		rec, err := shelf(t).Create(session.Header{})
		if err != nil {
			t.Fatal(err)
		}
		c := New(Options{Record: rec, Now: clock, Keys: masks(masker()), Tools: hands{tools: toolDefinitions()}})
		offered := false
		q := Question{Text: "tea?", Window: window}
		q.Model = &busy{text: func(int) string { return "ok" }, look: func(r llm.Request) { offered = len(r.Tools) > 0 }}
		if err := drive(t.Context(), c, q, nil); err != nil {
			t.Fatal(err)
		}
		if offered != offers {
			t.Errorf("window %d: tools are offered: %v", window, offered)
		}
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	}
}
