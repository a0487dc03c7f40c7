package learned

import (
	"fmt"

	"ken/internal/engine"
	"ken/internal/review"
)

// A Suggested is what became of one change that was suggested. It is no view.Outcome,
// which is about one memory: a change may be about many, and says why it is suggested.
type Suggested struct {
	Ref   string   `json:"ref,omitempty"` // of the proposal: "p7"
	Do    string   `json:"do"`            // "forget", or the phase that the memories are to have
	Refs  []string `json:"refs"`          // of the memories
	Why   string   `json:"why"`           // masked, on one line
	New   bool     `json:"new"`
	Known string   `json:"known,omitempty"` // why it is not new
}

// SuggestedOf is what became of s. clean masks a text and makes one line of it.
func SuggestedOf(s engine.Suggestion, p engine.Proposed, clean func(string) string) Suggested {
	d := s.Record.Details()
	v := Suggested{Do: string(s.Record.Kind), Why: clean(s.Why), New: p.New, Known: p.Known}
	if p.ID > 0 {
		v.Ref = fmt.Sprintf("p%d", p.ID)
	}
	if d.Phase != "" {
		v.Do = string(d.Phase)
	}
	if !s.Record.Target.IsZero() {
		v.Refs = []string{s.Record.Target.String()}
	}
	for _, id := range d.Targets {
		v.Refs = append(v.Refs, id.String())
	}
	return v
}

// Waits reports whether it waits for a person now.
func (p Suggested) Waits() bool { return p.New || p.Known == string(review.Pending) }

// Text is it for a person, on one line.
func (p Suggested) Text() string {
	line := p.Ref + ": " + p.Do + " " + refs(p.Refs) + ": " + p.Why
	switch {
	case p.Known == engine.Relaxing:
		return "not proposed, no suggestion relaxes a rule" + line
	case p.Known == string(review.Refused):
		return "not proposed, you refused it: " + line
	case p.Known == string(review.Pending):
		return line + " (it waits already)"
	case !p.New:
		return "not proposed, it was answered: " + line
	}
	return line
}

// refs names memories, and not more than a person reads.
func refs(list []string) string {
	const most = 8
	text := ""
	for i, r := range list {
		if i == most {
			return fmt.Sprintf("%s and %d more", text, len(list)-most)
		}
		if i > 0 {
			text += " "
		}
		text += "#" + r
	}
	return text
}
