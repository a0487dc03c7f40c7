package delta

import (
	"encoding/json"

	"ken/internal/llm/wire"
)

// Usage counts tokens as the server reported them; 0 if it did not.
type Usage struct {
	Prompt     int `json:"prompt,omitempty"`     // read, cached ones included on most servers
	Completion int `json:"completion,omitempty"` // written, reasoning included
	Total      int `json:"total,omitempty"`
	Cached     int `json:"cached,omitempty"`    // of the prompt
	Reasoning  int `json:"reasoning,omitempty"` // of the completion
}

// JSON is u for a record, nil for a nil u.
func (u *Usage) JSON() json.RawMessage {
	if u == nil {
		return nil
	}
	b, err := json.Marshal(u)
	if err != nil {
		return nil
	}
	return b
}

// addUsage takes a usage object. The last one that counts something wins: some
// servers send a running count with every chunk, some an empty one at the end.
func (a *Assembler) addUsage(raw []byte) {
	if !wire.IsObject(raw) {
		return
	}
	var u Usage
	for name, v := range wire.Members(raw) {
		switch string(name) {
		case "prompt_tokens":
			u.Prompt = count(v)
		case "completion_tokens":
			u.Completion = count(v)
		case "total_tokens":
			u.Total = count(v)
		case "prompt_cache_hit_tokens": // DeepSeek
			u.Cached = max(u.Cached, count(v))
		case "prompt_tokens_details":
			u.Cached = max(u.Cached, within(v, "cached_tokens"))
		case "completion_tokens_details":
			u.Reasoning = within(v, "reasoning_tokens")
		}
	}
	if u != (Usage{}) {
		a.usage = &u
	}
}

// timings reads llama.cpp's own count, which older versions send alone.
func timings(raw []byte) *Usage {
	u := Usage{
		Prompt:     within(raw, "prompt_n") + within(raw, "cache_n"),
		Completion: within(raw, "predicted_n"),
		Cached:     within(raw, "cache_n"),
	}
	if u == (Usage{}) {
		return nil
	}
	u.Total = u.Prompt + u.Completion
	return &u
}

// within returns the count of that name in an object, 0 if there is none.
func within(raw []byte, name string) int {
	for n, v := range wire.Members(raw) {
		if string(n) == name {
			return count(v)
		}
	}
	return 0
}

// count decodes a number of tokens. What is no such number is 0.
func count(raw []byte) int {
	f, ok := wire.Number(raw)
	if !ok || !(f >= 0 && f < 1<<50) {
		return 0
	}
	return int(f)
}
