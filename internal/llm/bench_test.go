package llm_test

import (
	"fmt"
	"strings"
	"testing"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
)

// tokenEvent is an event of the size that servers send.
const tokenEvent = `data: {"id":"chatcmpl-0123456789abcdef","object":"chat.completion.chunk","created":1767225600,"model":"some-model-8b-instruct","system_fingerprint":"fp_0123456789","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}]}` + "\n\n"

// BenchmarkStream reads an answer over loopback, server included. "bulk" has the
// tokens in large writes, which shows what reading costs; "live" has each token
// in a write and a flush of its own, which shows what the kernel costs as well.
func BenchmarkStream(b *testing.B) {
	for _, tokens := range []int{10_000, 100_000} {
		for _, live := range []bool{false, true} {
			name := fmt.Sprintf("bulk/%d", tokens)
			if live {
				name = fmt.Sprintf("live/%d", tokens)
			}
			b.Run(name, func(b *testing.B) {
				var script llmtest.Script
				if live {
					step := llmtest.Step{Write: tokenEvent}
					for range tokens {
						script.Steps = append(script.Steps, step)
					}
				} else {
					for range tokens / 100 {
						script.Steps = append(script.Steps, llmtest.Step{Write: strings.Repeat(tokenEvent, 100)})
					}
				}
				script.Steps = append(script.Steps, llmtest.Step{Write: llmtest.Finish("stop") + llmtest.Done})
				s := llmtest.New(b)
				s.Always(script)
				c := llm.New(llm.Preset{BaseURL: s.URL, Model: "m"}, llm.Options{})
				defer c.Close()
				shown := 0
				b.ReportAllocs()
				for b.Loop() {
					before := cpu()
					a, err := c.Stream(b.Context(), question("q"), func(d llm.Delta) error { shown += len(d.Text); return nil })
					if err != nil || len(a.Message.Content) != 5*tokens {
						b.Fatalf("%d bytes, %v", len(a.Message.Content), err)
					}
					b.ReportMetric(float64(cpu()-before)/float64(tokens), "cpu-ns/token")
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*tokens), "ns/token")
			})
		}
	}
}
