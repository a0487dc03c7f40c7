package delta

import (
	"strings"
	"testing"

	"ken/internal/llm/wire"
)

// BenchmarkRead is reading and assembling alone, without HTTP.
func BenchmarkRead(b *testing.B) {
	event := `data: {"id":"chatcmpl-0123456789abcdef","object":"chat.completion.chunk","created":1767225600,"model":"some-model-8b-instruct","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}]}` + "\n\n"
	const tokens = 10_000
	body := strings.Repeat(event, tokens)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		r, a := wire.NewReader(strings.NewReader(body)), New()
		for {
			ev, err := r.Next()
			if err != nil {
				break
			}
			if _, fault := a.Take(ev); fault != nil {
				b.Fatal(fault)
			}
		}
		if w := a.Whole(nil); len(w.Content) != 5*tokens {
			b.Fatalf("%d bytes", len(w.Content))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*tokens), "ns/token")
}
