package view

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/jsonl"
	"ken/internal/termsafe"
)

// Hit is the JSON shape of a memory or turn that was found. Programs that
// measure read its first six fields; they are always there.
type Hit struct {
	Ref     string  `json:"ref"` // for use in other commands
	Score   float64 `json:"score"`
	Parts   Parts   `json:"parts"`   // what the score is made of
	Content string  `json:"content"` // the whole text
	// Session is the conversation of a turn, or the one a memory comes from, as
	// it was given if it was imported; Turn is the turn in it. null: none.
	Session json.RawMessage `json:"session"`
	Turn    json.RawMessage `json:"turn"`

	In      string `json:"in,omitempty"`   // "memory", "sessions" or "commands"
	Kind    string `json:"kind,omitempty"` // of a memory; of a turn its role; of a command "exec"
	Exit    *int   `json:"exit,omitempty"` // of a command: its exit code
	Scope   string `json:"scope,omitempty"`
	TS      string `json:"ts,omitempty"`
	Speaker string `json:"speaker,omitempty"`
}

// A Part is a named share of a score.
type Part struct {
	Name  string
	Score float64
}

// Parts are an object in JSON, whose values sum to the score.
type Parts []Part

// Text is a score and what it is made of: "2.10 = words 1.80 + stems 0.50 - archive 0.20".
func (p Parts) Text(score float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%.2f =", score)
	for i, part := range p {
		sign, v := "+ ", part.Score
		if v < 0 {
			sign, v = "- ", -v
		} else if i == 0 {
			sign = ""
		}
		fmt.Fprintf(&b, " %s%s %.2f", sign, part.Name, v)
	}
	return b.String()
}

// MarshalJSON implements json.Marshaler. Parts keep their order.
func (p Parts) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil), nil }

// AppendJSON appends what MarshalJSON gives.
func (p Parts) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	for i, part := range p {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendScore(append(jsonl.AppendString(b, part.Name), ':'), part.Score)
	}
	return append(b, '}')
}

// AppendScore appends a score, a finite number, as encoding/json does.
func AppendScore(b []byte, score float64) []byte {
	if abs := math.Abs(score); abs != 0 && abs < 1e-6 || abs >= 1e21 {
		b = strconv.AppendFloat(b, score, 'e', -1, 64)
		if n := len(b); b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' { // e-09 is e-9
			b[n-2], b = b[n-1], b[:n-1]
		}
		return b
	}
	return strconv.AppendFloat(b, score, 'f', -1, 64)
}

// maxHit is the widest that the text of a hit gets on one line, in cells.
const maxHit = 240

// Text returns a hit for a person, on one line: "- [ref] text (date, scope)", with
// who said it in front of the text, or "$" of a command. explain adds a line that says what its
// score is made of. at is its time, zero if not known.
func (h Hit) Text(at time.Time, explain bool) string {
	text := h.Content
	switch {
	case h.Exit != nil:
		text = "$ " + text
	case h.Speaker != "":
		text = h.Speaker + ": " + text
	case h.In == "sessions" && h.Kind == "user":
		text = "you: " + text
	case h.In == "sessions" && h.Kind == "assistant":
		text = "ken: " + text
	case h.In == "sessions":
		text = h.Kind + ": " + text
	}
	about := []string{"no date"}
	if !at.IsZero() {
		about[0] = at.UTC().Format(time.DateOnly)
	}
	if h.Exit != nil {
		about = slices.Insert(about, 0, fmt.Sprintf("exit %d", *h.Exit))
	}
	if h.Scope != "" {
		about = append(about, termsafe.Line(h.Scope))
	}
	line := fmt.Sprintf("- [%s] %s (%s)", termsafe.Line(h.Ref), Excerpt(text, maxHit), strings.Join(about, ", "))
	if !explain {
		return line
	}
	var sum strings.Builder
	for i, p := range h.Parts {
		sign := " + "
		switch {
		case i == 0 && p.Score < 0:
			sign = "-"
		case i == 0:
			sign = ""
		case p.Score < 0:
			sign = " - "
		}
		fmt.Fprintf(&sum, "%s%s %.2f", sign, p.Name, math.Abs(p.Score))
	}
	return fmt.Sprintf("%s\n    %.2f = %s", line, h.Score, sum.String())
}
