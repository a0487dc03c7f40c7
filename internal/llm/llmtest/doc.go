// Package llmtest is a chat model with a script: an HTTP server on the loopback
// that speaks the OpenAI-compatible interface and says exactly the bytes it was
// asked to, for tests, benchmarks and programs that run ken as a process.
//
// Each request takes the next Script; when none is left, the one that Always or
// Reply set answers, and without those the request fails and the test with it.
// Every request is kept. A script waits only for what it names: a channel, or
// the client's going away.
//
//	s := llmtest.New(t, llmtest.Text("Hel", "lo"), llmtest.Error(500, "boom"))
//	c := llm.New(llm.Preset{BaseURL: s.URL, Model: "test"}, llm.Options{})
package llmtest
