package patterns

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"ken/internal/memory"
)

// Bounds of an answer.
const (
	// MostDrafts is how many drafts of an answer are checked; one with more is refused whole.
	MostDrafts = 16
	// MostAnswer is the longest answer, in bytes.
	MostAnswer = 64 << 10
	// MostRunes is the longest text of a draft, and of a claim.
	MostRunes  = 400
	mostClaims = 8
	mostCites  = 64
)

// A Draft is a pattern or convention as somebody put it. Nothing of it is believed.
type Draft struct {
	Kind    string
	Content string
	Cites   []string // as they were written
	Claims  []Claim  // what it comes to, piece by piece; may be empty
	// Fault says what is wrong with its form; "" if nothing is.
	Fault string
}

// A Claim is a part of what a draft says, with what it rests on.
type Claim struct {
	Text  string
	Cites []string // of the draft's; all of them if empty
}

// shown is an item as a model is shown it.
type shown struct {
	Cluster int    `json:"cluster"`
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Content string `json:"content"`
}

// Material is what a model is shown of clusters: a line of JSON for each memory, and no
// more of them than limit bytes hold. mask is what every text passes. n is how many of
// the clusters are in it.
func Material(list []Cluster, limit int, mask func(string) string) (text string, n int) {
	var b bytes.Buffer
	for i, c := range list {
		before := b.Len()
		for _, it := range c.Items {
			// A value of strings and numbers can be marshalled.
			line, _ := json.Marshal(shown{i + 1, it.Ref(), string(it.Record.Kind), mask(it.Record.Content)})
			b.Write(append(line, '\n'))
		}
		if b.Len() > limit {
			b.Truncate(before)
			return b.String(), i
		}
	}
	return b.String(), len(list)
}

// An AnswerError says why an answer counts for nothing.
type AnswerError struct{ Why string }

func (e *AnswerError) Error() string { return "the model's answer is refused: " + e.Why }

// Read reads an answer: a JSON array of drafts and nothing else, but for one fence around
// it. What is no such array is refused whole; a draft of another form than was asked for
// comes back with its Fault. The error is an *AnswerError.
func Read(answer string) ([]Draft, error) {
	if len(answer) > MostAnswer {
		return nil, &AnswerError{fmt.Sprintf("it has %d bytes, of %d at most", len(answer), MostAnswer)}
	}
	if !utf8.ValidString(answer) {
		return nil, &AnswerError{"it is no text"}
	}
	body := unfenced(answer)
	if body == "" {
		return nil, &AnswerError{"it is empty"}
	}
	var elements []json.RawMessage
	if body[0] != '[' {
		return nil, &AnswerError{"it is no list of JSON"}
	}
	if err := json.Unmarshal([]byte(body), &elements); err != nil {
		return nil, &AnswerError{"it is no list of JSON: " + err.Error()}
	}
	if len(elements) > MostDrafts {
		return nil, &AnswerError{fmt.Sprintf("it has %d drafts, of %d at most", len(elements), MostDrafts)}
	}
	drafts := make([]Draft, len(elements))
	for i, e := range elements {
		if err := drafts[i].read(e); err != nil {
			drafts[i].Fault = err.Error()
		}
	}
	return drafts, nil
}

// unfenced is an answer without the fence around it.
func unfenced(s string) string {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "```"); ok {
		info, body, found := strings.Cut(rest, "\n")
		inner, closed := strings.CutSuffix(strings.TrimSpace(body), "```")
		if info = strings.TrimSpace(info); found && closed && (info == "" || info == "json") {
			return strings.TrimSpace(inner)
		}
	}
	return s
}

// read reads a draft. A field that is there twice, or that nobody asked for, is a fault:
// a draft does not say where it comes from, what it is worth or where it holds.
func (d *Draft) read(b []byte) error {
	return fields(b, func(name string, value json.RawMessage) error {
		switch name {
		case "kind":
			return textOf(name, value, &d.Kind)
		case "content":
			return textOf(name, value, &d.Content)
		case "cites":
			var err error
			d.Cites, err = cites(value)
			return err
		case "claims":
			var list []json.RawMessage
			if err := json.Unmarshal(value, &list); err != nil || len(list) > mostClaims {
				return errors.New("claims is no list, or too long")
			}
			for _, e := range list {
				var c Claim
				if err := c.read(e); err != nil {
					return err
				}
				d.Claims = append(d.Claims, c)
			}
			return nil
		}
		return fmt.Errorf("it has a field %q, which nobody asked for", name)
	})
}

func (c *Claim) read(b []byte) error {
	return fields(b, func(name string, value json.RawMessage) error {
		switch name {
		case "text":
			return textOf(name, value, &c.Text)
		case "cites":
			var err error
			c.Cites, err = cites(value)
			return err
		}
		return fmt.Errorf("a claim has a field %q, which nobody asked for", name)
	})
}

// fields calls do for each field of an object, in its order.
func fields(b []byte, do func(name string, value json.RawMessage) error) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return errors.New("it is no object")
	}
	seen := make(map[string]bool)
	for dec.More() {
		t, err := dec.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return errors.New("it is no object")
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return errors.New("it is no object")
		}
		if seen[name] {
			return fmt.Errorf("the field %q is there twice", name)
		}
		seen[name] = true
		if err := do(name, value); err != nil {
			return err
		}
	}
	return nil
}

func textOf(name string, value json.RawMessage, to *string) error {
	if len(value) == 0 || value[0] != '"' || json.Unmarshal(value, to) != nil {
		return fmt.Errorf("%s is no text", name)
	}
	return nil
}

// cites reads references: "3", 3 or "laptop-7f3a/3".
func cites(value json.RawMessage) ([]string, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(value, &list); err != nil || len(list) > mostCites {
		return nil, errors.New("cites is no list, or too long")
	}
	var refs []string
	for _, e := range list {
		var id memory.ID
		ref := strings.Trim(string(e), `"`)
		id, err := memory.ParseID(ref)
		if err != nil || id.String() != ref {
			return nil, errors.New("cites has what is no reference")
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

//go:embed prompt.txt
var prompt string

// Prompt returns the instructions for a model that is to answer Material.
func Prompt() string { return prompt }
