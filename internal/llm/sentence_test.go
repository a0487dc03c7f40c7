package llm

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestSentence: of a call to a server a person is told one sentence, without the address and all that it sent, whatever stands around.
func TestSentence(t *testing.T) {
	t.Parallel()
	call := &Error{
		Op: "connect", Kind: Server, Status: 500, URL: "http://127.0.0.1:9/v1/chat/completions", Preset: "fast",
		Head: `{"trace": "at main.go"}`,
	}
	for _, err := range []error{call, fmt.Errorf("ask: %w", call), errors.Join(call)} {
		const want = "model fast: the server failed (500 Internal Server Error)"
		if got := Sentence(err); !strings.HasSuffix(got, want) || strings.Contains(got, "trace") {
			t.Errorf("%q", got)
		}
	}
	if got := Sentence(errors.New("another")); got != "another" {
		t.Errorf("%q", got)
	}
}
