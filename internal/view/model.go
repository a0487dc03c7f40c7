package view

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"ken/internal/llm"
	"ken/internal/session"
)

// A ListedModel is the JSON shape of a model that can be asked.
type ListedModel struct {
	Name          string `json:"name"`
	Current       bool   `json:"current"`
	Model         string `json:"model"`             // as its server calls it
	Host          string `json:"host"`              // host and port
	ContextTokens int    `json:"context_tokens"`    // what it reads at once
	Assumed       bool   `json:"assumed,omitempty"` // nobody says how much it reads
	Listed        bool   `json:"listed,omitempty"`  // its server lists it, and no preset is for it
	From          string `json:"from"`              // config, environment or found
}

// Call is what a person calls it: the preset, or the name that its server lists.
func (m ListedModel) Call() string {
	if m.Listed {
		return m.Model
	}
	return m.Name
}

// A ModelList is the models that can be asked.
type ModelList []ListedModel

// Text lists them, a star in front of the one in force.
func (l ModelList) Text(width int) string {
	rows := make([][]string, len(l))
	for i, m := range l {
		star := " "
		if m.Current {
			star = "*"
		}
		from := m.From
		if m.Listed {
			from = "listed"
		}
		size := strconv.Itoa(m.ContextTokens)
		if m.Assumed && m.Listed {
			size = "-"
		}
		rows[i] = []string{star, m.Call(), from, size, m.Host, m.Model}
	}
	return Table([]string{" ", "name", "from", "context", "host", "model"}, rows, width)
}

// Few is the list with at most so many of those that servers list, and how many are left out.
func (l ModelList) Few(most int) (few ModelList, more int) {
	for _, m := range l {
		switch {
		case !m.Listed:
		case most == 0:
			more++
			continue
		default:
			most--
		}
		few = append(few, m)
	}
	return few, more
}

// UsedTokens is the JSON shape of what a context holds and what was used so far.
type UsedTokens struct {
	Preset        string `json:"preset,omitempty"`
	ContextTokens int    `json:"context_tokens,omitempty"` // 0: no model is known
	Assumed       bool   `json:"assumed,omitempty"`        // nobody says so
	WindowBy      string `json:"window_by,omitempty"`      // settings, server, guess, table or assumed
	WindowAt      string `json:"window_at,omitempty"`      // the day when the server said so, or the table was made

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
	Cost       float64 `json:"cost,omitempty"`
	Currency   string  `json:"currency,omitempty"` // of Cost: three letters
	PriceBy    string  `json:"price_by,omitempty"` // settings, server or table: how the newest price is known
	PriceAt    string  `json:"price_at,omitempty"` // the day when it was, if it is not stated
	Unpriced   int     `json:"unpriced,omitempty"`
	// Others are what answers came to that are paid in other currencies, by these.
	Others map[string]float64 `json:"cost_in,omitempty"`
}

// A Price is what a model costs.
type Price struct {
	In, Out  float64 // of a million tokens sent and received
	Currency string  // three letters
	By       string  // settings, server or table; "": the price is not known
	At       string  // the day when it was known; "": it is stated
}

// Add counts one answer.
func (s *Spending) Add(u *llm.Usage, p Price) {
	s.Answers++
	if u == nil {
		s.Uncounted++
		return
	}
	s.Prompt += u.Prompt
	s.Completion += u.Completion
	if p.By == "" {
		s.Unpriced++
		return
	}
	const million = 1e6
	cost := (float64(u.Prompt)*p.In + float64(u.Completion)*p.Out) / million
	s.PriceBy, s.PriceAt = p.By, p.At
	if s.Currency == "" {
		s.Currency = p.Currency
	}
	if p.Currency == s.Currency {
		s.Cost += cost
		return
	}
	if s.Others == nil {
		s.Others = make(map[string]float64)
	}
	s.Others[p.Currency] += cost
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
func (t UsedTokens) FullText() string {
	size := strconv.Itoa(t.ContextTokens)
	if t.Assumed {
		size += " assumed"
	}
	return fmt.Sprintf("context: about %d of %s tokens are used (%d %%)", t.Total, size, percent(t.Total, t.ContextTokens))
}

// windowKnown says how the size of the window is known.
func (t UsedTokens) windowKnown() string {
	switch {
	case t.Assumed:
		return "; the size is assumed, context_tokens states it"
	case t.WindowBy == "server":
		return ", as its server said on " + t.WindowAt
	case t.WindowBy == "guess":
		return ", as such a server gives; it says how much once the model is loaded"
	case t.WindowBy == "table":
		return ", as its vendor said on " + t.WindowAt
	}
	return ""
}

// cost says what answers came to, and by which prices.
func (s Spending) cost() string {
	const digits = 1e6
	money := func(n float64, currency string) string {
		return strconv.FormatFloat(math.Round(n*digits)/digits, 'f', -1, 64) + " " + currency
	}
	cost := money(s.Cost, s.Currency)
	for _, currency := range slices.Sorted(maps.Keys(s.Others)) {
		cost += " and " + money(s.Others[currency], currency)
	}
	if s.Unpriced > 0 {
		cost += fmt.Sprintf(", %s without a price", Count(s.Unpriced, "answer"))
	}
	switch s.PriceBy {
	case "server":
		return cost + " (prices of its server, of " + s.PriceAt + ")"
	case "table":
		return cost + " (public prices of " + s.PriceAt + ")"
	}
	return cost + " (price_in, price_out)"
}

// Text says it to a person, a line each.
func (t UsedTokens) Text() string {
	var lines []string
	add := func(name, format string, args ...any) {
		lines = append(lines, fmt.Sprintf("%-8s ", name)+fmt.Sprintf(format, args...))
	}
	switch {
	case t.ContextTokens == 0:
		add("context", "about %d tokens; no model says how many it reads", t.Total)
	default:
		add("context", "about %d of %d tokens (%d %%)%s", t.Total, t.ContextTokens, percent(t.Total, t.ContextTokens), t.windowKnown())
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
	if r.Currency != "" {
		add("cost", "%s", r.cost())
	}
	return strings.Join(lines, "\n")
}
