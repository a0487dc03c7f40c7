package agent

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
)

// withMemory is a conversation that remembers texts, the newest first.
func withMemory(texts ...string) *Conversation {
	return New(Options{
		Record: session.Discard(), Now: func() time.Time { return time.Unix(0, 0) },
		Memory: &mind{background: func(context.Context) (recall.Choice, error) {
			items := make([]memory.Item, len(texts))
			for i, text := range texts {
				items[i].Record = &memory.Record{ID: memory.Num(int64(i + 1)), Kind: memory.KindFact, Content: text}
			}
			return recall.Background(items, recall.Query{Tokens: 500}), nil
		}},
	})
}

// TestR163Order: one system message, first; the base before the memory.
func TestR163Order(t *testing.T) {
	t.Parallel()
	msgs := withMemory("the kettle is blue").Request(t.Context()).Messages
	if len(msgs) != 1 || msgs[0].Role != "system" {
		t.Fatalf("the messages: %+v", msgs)
	}
	want := BasePrompt() + "\n\n" + recall.BackgroundHeader + "\n- (fact) the kettle is blue"
	if msgs[0].Content != want {
		t.Errorf("system message:\n%s\nwant:\n%s", msgs[0].Content, want)
	}
}

// TestR164BaseIsNeverAltered: whatever is remembered, the base stands unchanged,
// and without memory it stands alone.
func TestR164BaseIsNeverAltered(t *testing.T) {
	t.Parallel()
	base := BasePrompt()
	c := withMemory("one", "two")
	for range 3 {
		c.Refresh()
		if got := c.Request(t.Context()).Messages[0].Content; !strings.HasPrefix(got, base+"\n\n[background]") || strings.Count(got, base) != 1 {
			t.Errorf("system message:\n%s", got)
		}
	}
	for _, c := range []*Conversation{withMemory(), New(Options{Record: session.Discard(), Now: time.Now})} {
		if got := c.Request(t.Context()).Messages[0].Content; got != base {
			t.Errorf("without memory: %q", got)
		}
	}
	if BasePrompt() != base {
		t.Error("the base changed")
	}
}

// TestR166Anchors: the base is short, and a full block costs what its budget
// says: 500 tokens, 2,000 characters.
func TestR166Anchors(t *testing.T) {
	t.Parallel()
	if n := utf8.RuneCountInString(BasePrompt()); n > 700 {
		t.Errorf("the base prompt has %d characters, at most 700", n)
	}
	long := make([]string, 100)
	for i := range long {
		long[i] = strings.Repeat("word ", 20)
	}
	full := withMemory(long...).Request(t.Context()).Messages[0].Content
	if n := utf8.RuneCountInString(full) - utf8.RuneCountInString(BasePrompt()) - len("\n\n"); n > 2000 || n < 1500 {
		t.Errorf("a full block has %d characters, want nearly 2,000", n)
	}
}
