package mcp

import (
	"fmt"
	"slices"
	"strings"

	"ken/internal/text"
)

// narrow is the window, in tokens, below which no tool of a server is sent unasked.
const narrow = 16_000

// A Room is what there is for the tools of servers in a request.
type Room struct {
	Bytes  int      // for their definitions
	Window int      // of the model, in tokens; 0: not known
	Sent   []string // the wire names that the conversation has sent or loaded already, in their order
}

// An Offer is which tools a request holds.
type Offer struct {
	Tools    []Tool // those that were sent already, in their order, and the new ones behind them
	Deferred int    // how many more there are, which a model finds by a word
}

// Offer says which tools a request holds: those of the conversation, whatever room there is,
// and the others if all of them fit. A model with a narrow window is sent none unasked.
func (s *Servers) Offer(r Room) Offer {
	var o Offer
	all := map[string]Tool{}
	var rest []Tool
	for _, v := range s.all() {
		for _, t := range v.offered() {
			all[t.Wire] = t
			if !slices.Contains(r.Sent, t.Wire) {
				rest = append(rest, t)
			}
		}
	}
	size := 0
	for _, name := range r.Sent {
		if t, ok := all[name]; ok {
			o.Tools = append(o.Tools, t)
			size += len(t.Definition())
		}
	}
	for _, t := range rest {
		size += len(t.Definition())
	}
	if size > r.Bytes || r.Window > 0 && r.Window < narrow {
		o.Deferred = len(rest)
		return o
	}
	o.Tools = append(o.Tools, rest...)
	return o
}

// mostFound is how many tools a search gives.
const mostFound = 12

// Search finds tools by the words of their names, servers and descriptions, the best first. No
// words find all. more is how many were found beside.
func (s *Servers) Search(query string) (found []Tool, more int) {
	type hit struct {
		tool  Tool
		score int
	}
	var hits []hit
	words := stems(query)
	for _, v := range s.all() {
		for _, t := range v.offered() {
			names, said := stems(t.Server+" "+t.Name), stems(t.Description)
			score := 0
			for _, w := range words {
				switch {
				case slices.Contains(names, w):
					score += 3
				case slices.Contains(said, w):
					score++
				}
			}
			if score > 0 || len(words) == 0 {
				hits = append(hits, hit{t, score})
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return b.score - a.score })
	for _, h := range hits[:min(len(hits), mostFound)] {
		found = append(found, h.tool)
	}
	return found, len(hits) - len(found)
}

// stems are the words of a text, also those that names are made of.
func stems(s string) []string {
	var out []string
	text.Chunks(s, func(chunk string) {
		for _, part := range append(text.Parts(chunk), chunk) {
			if w := text.FoldWord(part); w != "" && !text.IsStop(w) {
				out = append(out, text.Stem(w))
			}
		}
	})
	return out
}

// Listing is what a model is told of the tools that it searched for, one a line.
func Listing(found []Tool, more int) string {
	if len(found) == 0 {
		return "no tool of a connected server has such a word"
	}
	var b strings.Builder
	for _, t := range found {
		fmt.Fprintf(&b, "%s: %s\n", t.Wire, t.Description)
	}
	if more > 0 {
		fmt.Fprintf(&b, "%d more: use other words\n", more)
	}
	return b.String()
}
