package models

import (
	"strings"
	"testing"

	"ken/internal/llm"
)

// tooLong is a refusal in these words.
func tooLong(words string) *llm.Error {
	return &llm.Error{Kind: llm.BadRequest, Status: 400, Preset: "p", Message: words}
}

// TestTooLong: the window that a refusal says, or that the server says anew, holds from then on in this run
// and is kept for others; it is told once, and with what would keep it where the settings say another.
func TestTooLong(t *testing.T) {
	t.Parallel()
	const states = "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens"
	for _, tt := range []struct {
		name, settings, words string
		says, anew            map[string]string // what the server says before the question, and after the refusal
		want, holds           int
		told                  string
	}{
		{
			name: "it says so", words: states, says: list(""), want: 4096, holds: 4096,
			told: "m takes 4096 tokens, not 8192: its server refused more\n",
		},
		{
			name: "less than its list", words: states, says: list(`"context_length":131072`), want: 4096, holds: 4096,
			told: "m takes 4096 tokens, not 131072: its server refused more\n",
		},
		{
			name: "less than the settings", settings: "context_tokens = 9000\n", words: states, says: list(""), want: 4096, holds: 4096,
			told: "m takes 4096 tokens, not 9000: its server refused more; to keep it: ken config set models.p.context_tokens=4096\n",
		},
		{name: "as was known", words: states, says: list(`"max_model_len":4096`), want: 4096, holds: 4096},
		{name: "more than was known", words: states, says: list(`"max_model_len":2048`), want: 4096, holds: 4096},
		{
			name: "it says so when asked", words: "the input length exceeds the context length", says: list(`"max_model_len":8192`),
			anew: list(`"max_model_len":2048`), want: 2048, holds: 2048, told: "m takes 2048 tokens, not 8192: its server refused more\n",
		},
		{name: "it says nothing new", words: "prompt is too long", says: list(`"max_model_len":8192`), holds: 8192},
		{name: "it says nothing", words: "prompt is too long", says: list(""), anew: map[string]string{}, holds: Assumed},
		{
			name: "a guess", words: "prompt is too long", holds: 4096,
			says: map[string]string{
				"/v1/models":     `{"data":[{"id":"m"}]}`,
				"/api/v0/models": `{"data":[{"id":"m","max_context_length":131072}]}`,
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLister(t, tt.says)
			r, p := deskAt(t, l.URL, tt.settings)
			r.study(t, p)
			r.told.Reset()
			if tt.anew != nil {
				l.says = tt.anew
			}
			for range 2 {
				if n := r.TooLong(t.Context(), "p", tooLong(tt.words)); n != tt.want && !(n == 0 && tt.anew != nil) {
					t.Errorf("%d", n)
				}
			}
			if f := r.Facts(p); f.Window != tt.holds {
				t.Errorf("%+v", f)
			}
			if got := r.told.String(); got != tt.told {
				t.Errorf("told %q", got)
			}
			other, _ := deskAt(t, l.URL, "")
			other.Kept, other.now = r.Kept, r.now
			if f := other.Facts(p); tt.told != "" && f.Window != tt.holds && !strings.Contains(tt.settings, "context_tokens") {
				t.Errorf("another run: %+v", f)
			}
		})
	}
	// A refusal of a preset that is none, or in words that say nothing, of a server that is gone.
	r, p := deskAt(t, "http://127.0.0.1:1/v1", "")
	if n := r.TooLong(t.Context(), "", &llm.Error{Kind: llm.BadRequest, Preset: "gone", Message: states}); n != 0 {
		t.Error(n)
	}
	if n := r.TooLong(t.Context(), "p", tooLong("prompt is too long")); n != 0 || r.Facts(p).WindowBy != ByNobody {
		t.Error(n)
	}
}
