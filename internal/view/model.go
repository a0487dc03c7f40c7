package view

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"ken/internal/llm"
	"ken/internal/session"
)

// Model is the JSON shape of a model that can be asked.
type Model struct {
	Name          string `json:"name"`
	Current       bool   `json:"current"`
	Model         string `json:"model"`          // as its server calls it
	Host          string `json:"host"`           // host and port
	ContextTokens int    `json:"context_tokens"` // what it reads at once
	From          string `json:"from"`           // config, environment or found
}

// ModelTable lists models, a star in front of the one in force.
func ModelTable(models []Model, width int) string {
	rows := make([][]string, len(models))
	for i, m := range models {
		star := " "
		if m.Current {
			star = "*"
		}
		rows[i] = []string{star, m.Name, m.From, strconv.Itoa(m.ContextTokens), m.Host, m.Model}
	}
	return Table([]string{" ", "name", "from", "context", "host", "model"}, rows, width)
}

// Tokens is the JSON shape of what a context holds and what was used so far.
type Tokens struct {
	Preset        string `json:"preset,omitempty"`
	ContextTokens int    `json:"context_tokens,omitempty"` // 0: no model is known
	Assumed       bool   `json:"assumed,omitempty"`        // context_tokens was not stated

	// The parts of the next request, as ken estimates them.
	System int `json:"system"`
	Memory int `json:"memory"`
	Turns  int `json:"turns"`
	// Recalled is what went with the last question, as something will with the next.
	Recalled int `json:"recalled"`
	Total    int `json:"total"`
	Live     int `json:"live_turns"`

	Last *llm.Usage `json:"last,omitempty"` // of the newest answer, as its server counted
	Run  Spending   `json:"run"`
}

// Spending is what the answers of one run came to.
type Spending struct {
	Answers    int     `json:"answers"`
	Uncounted  int     `json:"uncounted,omitempty"` // answers of which no server reported the tokens
	Prompt     int     `json:"prompt"`
	Completion int     `json:"completion"`
	Cost       float64 `json:"cost,omitempty"` // in the currency of price_in and price_out
	Unpriced   int     `json:"unpriced,omitempty"`
}

// Add counts one answer. in and out are the prices of a million tokens; both 0:
// none is known.
func (s *Spending) Add(u *llm.Usage, in, out float64) {
	s.Answers++
	if u == nil {
		s.Uncounted++
		return
	}
	s.Prompt += u.Prompt
	s.Completion += u.Completion
	if in == 0 && out == 0 {
		s.Unpriced++
	}
	const million = 1e6
	s.Cost += (float64(u.Prompt)*in + float64(u.Completion)*out) / million
}

// LastUsage returns the usage that the server reported of the newest answer; nil if it reported none.
func LastUsage(turns []session.Turn) *llm.Usage {
	for i := len(turns) - 1; i >= 0; i-- {
		if turns[i].Role != session.RoleAssistant {
			continue
		}
		var u llm.Usage
		if turns[i].Usage == nil || json.Unmarshal(turns[i].Usage, &u) != nil || u == (llm.Usage{}) {
			return nil
		}
		return &u
	}
	return nil
}

// percent is part of whole in percent, rounded; 0 of nothing.
func percent(part, whole int) int {
	if whole <= 0 {
		return 0
	}
	return int(math.Round(100 * float64(part) / float64(whole)))
}

// FullText says that a context fills up.
func (t Tokens) FullText() string {
	size := strconv.Itoa(t.ContextTokens)
	if t.Assumed {
		size += " assumed"
	}
	return fmt.Sprintf("context: about %d of %s tokens are used (%d %%)", t.Total, size, percent(t.Total, t.ContextTokens))
}

// Text says it to a person, a line each.
func (t Tokens) Text() string {
	var lines []string
	add := func(name, format string, args ...any) {
		lines = append(lines, fmt.Sprintf("%-8s ", name)+fmt.Sprintf(format, args...))
	}
	switch {
	case t.ContextTokens == 0:
		add("context", "about %d tokens; no model says how many it reads", t.Total)
	case t.Assumed:
		add("context", "about %d of %d tokens (%d %%); the size is assumed, context_tokens states it", t.Total, t.ContextTokens, percent(t.Total, t.ContextTokens))
	default:
		add("context", "about %d of %d tokens (%d %%)", t.Total, t.ContextTokens, percent(t.Total, t.ContextTokens))
	}
	add("  system", "%d", t.System)
	add("  memory", "%d", t.Memory)
	add("  turns", "%d (%s)", t.Turns, Count(t.Live, "turn"))
	if t.Recalled > 0 {
		add("  recalled", "%d for the last question", t.Recalled)
	}
	if t.Last != nil {
		add("last", "%d read, %d written, as its server counted", t.Last.Prompt, t.Last.Completion)
	}
	r := t.Run
	if r.Answers == 0 {
		return strings.Join(lines, "\n")
	}
	run := fmt.Sprintf("%d read, %d written in %s", r.Prompt, r.Completion, Count(r.Answers, "answer"))
	if r.Uncounted > 0 {
		run += fmt.Sprintf(", %d of them not counted", r.Uncounted)
	}
	add("this run", "%s", run)
	if r.Cost > 0 {
		const digits = 1e6
		cost := strconv.FormatFloat(math.Round(r.Cost*digits)/digits, 'f', -1, 64)
		if r.Unpriced > 0 {
			cost += fmt.Sprintf(", %s without a price", Count(r.Unpriced, "answer"))
		}
		add("cost", "%s (price_in, price_out)", cost)
	}
	return strings.Join(lines, "\n")
}
