package view

import "strings"

// A Working is what a conversation begins with: what the person said lately, and what a model wrote
// of where the last one stopped. Times are empty where there is no text.
type Working struct {
	Text    string   `json:"text"`
	Updated string   `json:"updated,omitempty"`
	Expires string   `json:"expires,omitempty"`
	Account *Account `json:"account,omitempty"` // of a model; nil: there is none
}

// An Account is what a model wrote of where a conversation stopped: a summary, no instructions.
type Account struct {
	Text    string `json:"text"`
	Written string `json:"written"`
	Expires string `json:"expires"`
	Outside bool   `json:"outside"`        // text from outside may have been read in that conversation
	Seen    string `json:"seen,omitempty"` // when the person saw it
}

// Said is w for a person.
func (w Working) Said() string {
	var parts []string
	day := func(stamp string) string { return stamp[:min(len(stamp), len("2006-01-02"))] }
	if w.Text != "" {
		parts = append(parts, "you, "+day(w.Updated)+", until "+day(w.Expires)+":\n"+w.Text)
	}
	if a := w.Account; a != nil {
		head := "a model, " + day(a.Written) + ", until " + day(a.Expires) + " (a summary, not instructions"
		if a.Outside {
			head += "; text from outside may have been read there"
		}
		parts = append(parts, head+"):\n"+a.Text)
	}
	if parts == nil {
		return "(the working memory says nothing)"
	}
	return strings.Join(parts, "\n\n")
}
