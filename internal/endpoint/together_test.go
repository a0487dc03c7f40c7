package endpoint

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/llm/llmtest"
)

// TestTogether: of many clients at once each has its own answer whole, with what the memory has for its own question.
func TestTogether(t *testing.T) {
	t.Parallel()
	const clients, times = 64, 5
	b := newBed(t, "")
	b.model.Reply(func(r llmtest.Request) llmtest.Script {
		_, asked, _ := strings.Cut(string(r.Body), `[end of memories]\n\n`)
		return llmtest.Text(asked[:8], fmt.Sprint(strings.Contains(string(r.Body), "kettle")))
	})
	b.state("the staging host is kettle", "")
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for n := range times {
				mine := fmt.Sprintf("q%03d-%03d", i, n)
				body := strings.Replace(about, "the staging", mine+" the staging", 1)
				status, h, text := b.ask(body)
				if status != http.StatusOK || h.Get("Ken-Memory") != "1" || !strings.Contains(text, mine) || !strings.Contains(text, `"true"`) ||
					!strings.HasSuffix(text, llmtest.Done) {
					t.Errorf("%s: %d %v %s", mine, status, h, text)
				}
			}
		})
	}
	all.Wait()
}

// BenchmarkFirstToken asks the model itself and the endpoint in turn, and reports the medians until the first byte of the body, and
// their difference.
func BenchmarkFirstToken(b *testing.B) {
	bed := benchBed(b)
	var direct, through []time.Duration
	for b.Loop() {
		direct = append(direct, first(b, bed.model.URL+"/v1/chat/completions", strings.Replace(about, "ken/fast", "tiny", 1)))
		through = append(through, first(b, bed.http.URL, about))
	}
	slices.Sort(direct)
	slices.Sort(through)
	a, c := direct[len(direct)/2], through[len(through)/2]
	b.ReportMetric(float64(a.Microseconds()), "us-direct")
	b.ReportMetric(float64(c.Microseconds()), "us-through")
	b.ReportMetric(float64((c - a).Microseconds()), "us-more")
}

// first is how long it takes until the first byte of an answer is there; the answer is read to its end.
func first(b *testing.B, url, body string) time.Duration {
	b.Helper()
	began := time.Now()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url, bytes.NewReader([]byte(body)))
	if err != nil {
		b.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	one := make([]byte, 1)
	if _, err := res.Body.Read(one); err != nil {
		b.Fatal(err)
	}
	took := time.Since(began)
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		b.Fatal(err)
	}
	return took
}

// benchBed is a bed with a thousand memories.
func benchBed(b *testing.B) *bed {
	b.Helper()
	bed := newBed(b, "")
	bed.model.Always(llmtest.Text("yes"))
	bed.state("the staging host is kettle", "")
	for i := range 999 {
		bed.state(fmt.Sprintf("note %d says that drawer %d holds thing %d", i, i*7, i*13), "")
	}
	return bed
}
