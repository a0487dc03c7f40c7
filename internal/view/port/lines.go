package port

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"ken/internal/jsonl"
	"ken/internal/learn/extract"
	"ken/internal/view"
)

// A TextLine is a line that is sent to redact and clean.
type TextLine struct {
	ID   json.RawMessage `json:"id"`
	Text *string         `json:"text"` // nil: it has none
}

// A TextReply is the answer to it: a text and, of redact, what was masked; or an error.
type TextReply struct {
	ID    json.RawMessage `json:"id"` // null if the line has none that can be read
	Text  *string         `json:"text,omitempty"`
	Hits  *[]SecretHit    `json:"hits,omitempty"`
	Error string          `json:"error,omitempty"`
}

// A SecretHit has of a secret what may be shown of it.
type SecretHit struct {
	Kind string `json:"kind"`
}

// A CommandLine is a line that is sent to risk; its answer is a safety.Verdict.
type CommandLine struct {
	ID  json.RawMessage `json:"id"`
	Cmd *string         `json:"cmd"` // nil: it has none
}

// A Said is a turn of a transcript of another program, as extract reads it.
type Said struct {
	Role    string `json:"role"` // user, assistant, tool (tool:web), import, agent:NAME; any other is external
	Content string `json:"content"`
}

// A TranscriptLine is a line that is sent to extract.
type TranscriptLine struct {
	ID         json.RawMessage `json:"id"`
	Transcript *[]Said         `json:"transcript"` // nil: it has none
}

// A TranscriptReply is the answer to it.
type TranscriptReply struct {
	ID         json.RawMessage `json:"id"`
	Candidates []Candidate     `json:"candidates"` // never null
	// Active is how many candidates became active without an act of a person: none,
	// since nothing is written.
	Active int    `json:"active"`
	Error  string `json:"error,omitempty"`
}

// A Candidate is what of a conversation might be remembered.
type Candidate struct {
	Kind    string   `json:"kind"`
	Content string   `json:"content"` // masked
	Origin  string   `json:"origin"`
	Flags   []string `json:"flags"`          // what to look at twice; never null
	Turn    int      `json:"turn,omitempty"` // that it rests on, from 1
}

// CandidatesOf is list for a program; never nil.
func CandidatesOf(list []extract.Candidate, mask func(string) string) []Candidate {
	out := make([]Candidate, len(list))
	for i, c := range list {
		flags := c.Flags
		if flags == nil {
			flags = []string{}
		}
		out[i] = Candidate{string(c.Kind), mask(c.Content), cmp.Or(string(c.Origin), "user"), flags, c.Turn}
	}
	return out
}

// A QueryLine is a line that is sent to recall.
type QueryLine struct {
	ID    json.RawMessage `json:"id"`
	Query string          `json:"query"`
	Scope *string         `json:"scope"` // as --scope takes it; nil: that of the command line
	K     *int            `json:"k"`     // nil: that of the command line
}

// AppendQueryReply appends the answer to it, with its id as it was given, on one line
//
//	{"id","hits":[{"ref","score","parts","content","session","turn"}]}
//
// of n hits the fields of view.Hit that programs were promised. A program asks by the thousand,
// so it is put together by hand. The error is that of an id or a name of a conversation
// that is no JSON.
func AppendQueryReply(to []byte, id json.RawMessage, n int, hit func(n int) *view.Hit) ([]byte, error) {
	b := bytes.NewBuffer(to)
	b.WriteString(`{"id":`)
	if err := appendValue(b, id); err != nil {
		return nil, err
	}
	b.WriteString(`,"hits":[`)
	for i := range n {
		h := hit(i)
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"ref":`)
		b.Write(jsonl.AppendString(b.AvailableBuffer(), h.Ref))
		b.WriteString(`,"score":`)
		b.Write(view.AppendScore(b.AvailableBuffer(), h.Score))
		b.WriteString(`,"parts":`)
		b.Write(h.Parts.AppendJSON(b.AvailableBuffer()))
		b.WriteString(`,"content":`)
		b.Write(jsonl.AppendString(b.AvailableBuffer(), h.Content))
		b.WriteString(`,"session":`)
		if err := appendValue(b, h.Session); err != nil {
			return nil, err
		}
		b.WriteString(`,"turn":`)
		if err := appendValue(b, h.Turn); err != nil {
			return nil, err
		}
		b.WriteByte('}')
	}
	b.WriteString("]}")
	return b.Bytes(), nil
}

// appendValue appends a value as it was given, on one line.
func appendValue(b *bytes.Buffer, v json.RawMessage) error {
	if v == nil {
		b.WriteString("null")
		return nil
	}
	if err := json.Compact(b, v); err != nil {
		return fmt.Errorf("print reply: %w", err)
	}
	return nil
}
