package llm

import (
	"strings"
	"testing"
)

// BenchmarkRead is reading and assembling alone, without HTTP.
func BenchmarkRead(b *testing.B) {
	event := `data: {"id":"chatcmpl-0123456789abcdef","object":"chat.completion.chunk","created":1767225600,"model":"some-model-8b-instruct","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}]}` + "\n\n"
	const tokens = 10_000
	body := strings.Repeat(event, tokens)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if r := read(strings.NewReader(body)); len(r.Answer.Message.Content) != 5*tokens {
			b.Fatal(r.Err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*tokens), "ns/token")
}
