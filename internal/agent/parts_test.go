package agent

import (
	"strings"
	"testing"
	"time"

	"ken/internal/llm"
	"ken/internal/session"
)

// A partRecord counts what it is given of answers.
type partRecord struct {
	Recorder
	last  string
	bytes int
}

func (r *partRecord) Part(t session.Turn) error {
	r.last, r.bytes = t.Content, r.bytes+len(t.Content)
	return nil
}

// TestParts: what has come of an answer is kept without the word that is still being written, and all that is masked and written
// for it is a few times the answer, however long that is and however fast it comes.
func TestParts(t *testing.T) {
	t.Parallel()
	for name, between := range map[string]time.Duration{"at once": 0, "slowly": 100 * time.Millisecond} {
		record := &partRecord{Recorder: session.Discard()}
		now := time.Unix(1, 0)
		c := New(Options{Record: record, Now: func() time.Time { return now }})
		keep := c.parts(Question{}, &Answer{}, nil)
		word := strings.Repeat("x", 15) + " "
		for range 20_000 {
			now = now.Add(between)
			if err := keep(llm.Delta{Text: word}); err != nil {
				t.Fatal(err)
			}
		}
		if err := keep(llm.Delta{Text: strings.Repeat("half", 50_000)}); err != nil {
			t.Fatal(err)
		}
		all := 20_000 * len(word)
		if strings.Contains(record.last, "half") || len(record.last) < all/2 {
			t.Errorf("%s: %d bytes of %d are kept", name, len(record.last), all)
		}
		if record.bytes > 12*all {
			t.Errorf("%s: %d bytes were masked for an answer of %d", name, record.bytes, all)
		}
	}
}
