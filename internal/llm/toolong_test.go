package llm_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
)

// TestWindowOfRefusal: what servers of each kind write of a request that is too long says how much their model takes,
// and what the request had; nothing is read out of what says no window.
func TestWindowOfRefusal(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/refusals.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		number := func(i int) int { n, _ := strconv.Atoi(row[i]); return n } // "-" is none
		t.Run(row[0], func(t *testing.T) {
			t.Parallel()
			answer := llmtest.JSON(row[4])
			answer.Status = number(1)
			c, _ := client(t, answer)
			_, err := c.Complete(t.Context(), question("q"))
			e := failure(t, err)
			if e.Window() != number(2) || e.Sent() != number(3) || e.TooLong() == (row[2] == "-") {
				t.Errorf("%v: too long %v, window %d of %d sent", e, e.TooLong(), e.Window(), e.Sent())
			}
		})
	}
}

// FuzzWindowOfRefusal: whatever a server writes, a window that is read out of it can be one, and less than what was sent.
func FuzzWindowOfRefusal(f *testing.F) {
	f.Add("prompt is too long: 210000 tokens > 200000 maximum")
	f.Add("This model's maximum context length is 4,097 tokens. However, you requested 99999999999999999999 tokens")
	f.Fuzz(func(t *testing.T, message string) {
		e := &llm.Error{Kind: llm.BadRequest, Status: 400, Message: message}
		if n := e.Window(); n != 0 && (n < 256 || n > 100_000_000 || !e.TooLong()) || e.Sent() != 0 && e.Sent() <= n {
			t.Errorf("%q: window %d of %d sent", message, n, e.Sent())
		}
	})
}
