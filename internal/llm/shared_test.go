package llm_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
)

func noSleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func question(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: "user", Content: text}}}
}

// client is a client of a server with these scripts, which does not really wait.
func client(t *testing.T, scripts ...llmtest.Script) (*llm.Client, *llmtest.Server) {
	t.Helper()
	s := llmtest.New(t, scripts...)
	c := llm.New(preset(s), llm.Options{Sleep: noSleep})
	t.Cleanup(c.Close)
	return c, s
}

func preset(s *llmtest.Server) llm.Preset {
	return llm.Preset{Name: "fast", BaseURL: s.URL, Model: "test"}
}

// failure is the *llm.Error in err.
func failure(t *testing.T, err error) *llm.Error {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %v, want an *llm.Error", err)
	}
	return e
}
