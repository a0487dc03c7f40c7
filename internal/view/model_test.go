package view

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/llm"
	"ken/internal/session"
)

func TestListText(t *testing.T) {
	t.Parallel()
	got := ModelList{
		{Name: "deep", Model: "large-9", Host: "api.example.com", ContextTokens: 128000, From: "config"},
		{Name: "fast", Model: "qwen\x1b[31m3", Host: "127.0.0.1:11434", ContextTokens: 8192, From: "found", Current: true},
	}.Text(0)
	want := "   name  from    context  host             model\n" +
		"   deep  config  128000   api.example.com  large-9\n" +
		"*  fast  found   8192     127.0.0.1:11434  qwen3"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTokensText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		give UsedTokens
		want []string
	}{
		{"no model", UsedTokens{System: 160, Total: 160}, []string{
			"context  about 160 tokens; no model says how many it reads", "  system 160", "  memory 0", "  turns  0 (0 turns)",
		}},
		{"stated", UsedTokens{ContextTokens: 1000, System: 160, Memory: 40, Turns: 55, Total: 255, Live: 1}, []string{
			"context  about 255 of 1000 tokens (26 %)", "  system 160", "  memory 40", "  turns  55 (1 turn)",
		}},
		{"assumed, with a count", UsedTokens{
			ContextTokens: 8192, Assumed: true, Total: 8192,
			Last: &llm.Usage{Prompt: 9000, Completion: 5}, Run: Spending{Answers: 2, Uncounted: 1, Prompt: 9000, Completion: 5},
		}, []string{
			"context  about 8192 of 8192 tokens (100 %); the size is assumed, context_tokens states it", "  system 0", "  memory 0", "  turns  0 (0 turns)",
			"last     9000 read, 5 written, as its server counted", "this run 9000 read, 5 written in 2 answers, 1 of them not counted",
		}},
		{"as its server said", UsedTokens{ContextTokens: 131072, WindowBy: "server", WindowAt: "2026-11-02", Total: 1311}, []string{
			"context  about 1311 of 131072 tokens (1 %), as its server said on 2026-11-02", "  system 0", "  memory 0", "  turns  0 (0 turns)",
		}},
		{"with a price", UsedTokens{Run: Spending{
			Answers: 1, Prompt: 10, Completion: 20,
			Cost: 0.1 + 0.2, Currency: "EUR", PriceBy: "settings",
		}}, []string{
			"context  about 0 tokens; no model says how many it reads", "  system 0", "  memory 0", "  turns  0 (0 turns)",
			"this run 10 read, 20 written in 1 answer", "cost     0.3 EUR (price_in, price_out)",
		}},
		{"with some prices", UsedTokens{Run: Spending{
			Answers: 3, Prompt: 10, Completion: 20,
			Cost: 1234.5, Unpriced: 2, Currency: "USD", PriceBy: "table", PriceAt: "2026-11-01",
			Others: map[string]float64{"EUR": 2, "CHF": 1},
		}}, []string{
			"context  about 0 tokens; no model says how many it reads", "  system 0", "  memory 0", "  turns  0 (0 turns)",
			"this run 10 read, 20 written in 3 answers",
			"cost     1234.5 USD and 1 CHF and 2 EUR, 2 answers without a price (public prices of 2026-11-01)",
		}},
	} {
		if diff := cmp.Diff(strings.Join(c.want, "\n"), c.give.Text()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestFullText(t *testing.T) {
	t.Parallel()
	for want, give := range map[string]UsedTokens{
		"context: about 800 of 1000 tokens are used (80 %)":         {Total: 800, ContextTokens: 1000},
		"context: about 800 of 1000 assumed tokens are used (80 %)": {Total: 800, ContextTokens: 1000, Assumed: true},
	} {
		if got := give.FullText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSpending(t *testing.T) {
	t.Parallel()
	var s Spending
	two := Price{In: 2, Out: 10, Currency: "USD", By: "server", At: "2026-11-02"}
	s.Add(&llm.Usage{Prompt: 1000, Completion: 100}, two)
	s.Add(&llm.Usage{Prompt: 500, Completion: 1}, Price{})
	s.Add(nil, two)
	s.Add(&llm.Usage{Prompt: 1000}, Price{In: 1, Out: 1, Currency: "EUR", By: "settings"})
	s.Add(&llm.Usage{Prompt: 1000}, Price{Currency: "USD", By: "server", At: "2026-11-03"}) // for nothing
	want := Spending{
		Answers: 5, Uncounted: 1, Prompt: 3500, Completion: 101, Cost: 0.003, Currency: "USD", PriceBy: "server", PriceAt: "2026-11-03",
		Unpriced: 1,
		Others:   map[string]float64{"EUR": 0.001},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLastUsage(t *testing.T) {
	t.Parallel()
	turn := func(role session.Role, usage string) session.Turn {
		return session.Turn{Role: role, Usage: json.RawMessage(usage)}
	}
	for _, c := range []struct {
		name  string
		turns []session.Turn
		want  int // tokens read; -1: none is known
	}{
		{"no turns", nil, -1},
		{"no answer", []session.Turn{turn("user", "")}, -1},
		{"the newest", []session.Turn{turn("assistant", `{"prompt":1}`), turn("assistant", `{"prompt":2}`), turn("user", "")}, 2},
		{"not counted", []session.Turn{turn("assistant", `{"prompt":1}`), {Role: "assistant"}}, -1},
		{"an empty count", []session.Turn{turn("assistant", `{}`)}, -1},
		{"damaged by hand", []session.Turn{turn("assistant", `{"prompt":"x"}`)}, -1},
	} {
		got := -1
		if u := LastUsage(c.turns); u != nil {
			got = u.Prompt
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if percent(1, 0) != 0 || percent(1, 3) != 33 || percent(2, 3) != 67 {
		t.Error("percent")
	}
}
