package learned

import (
	"strings"
	"time"

	"ken/internal/view"
)

// An Evolution is the JSON shape of what conversations show, and of the draft that was made of it.
type Evolution struct {
	Read     int      `json:"read"`     // conversations that were looked at
	Signals  []Signal `json:"signals"`  // the most frequent first
	Covered  int      `json:"covered"`  // signals left out, since a skill is there for them
	Known    int      `json:"known"`    // signals left out, since a draft for them waits or was refused
	Draft    *Skill   `json:"draft"`    // null if none was made
	Proposal string   `json:"proposal"` // under which the draft waits; "" without one
	Flags    []string `json:"flags"`    // what to look at twice in it
	Why      string   `json:"why"`      // why there is no draft; "" if there is one
}

// A Signal is the JSON shape of something that costs the same effort again and again.
type Signal struct {
	Kind     string   `json:"kind"` // "repeated", "failing" or "corrected"
	Text     string   `json:"text"`
	Says     string   `json:"says"`
	Count    int      `json:"count"`
	Sessions int      `json:"sessions"`
	Seen     []string `json:"seen"` // turns, "<session>:<n>"
}

// A Made is the JSON shape of a draft that was made earlier.
type Made struct {
	Time   time.Time `json:"time"`
	Name   string    `json:"name"`
	SHA256 string    `json:"sha256"`
	Became string    `json:"became"` // "waits", "refused", "promoted" or "gone"
	Seen   []string  `json:"seen"`   // turns that it was made of
}

// Text is what was found, in lines.
func (e Evolution) Text() string {
	var b strings.Builder
	b.WriteString(view.Count(e.Read, "conversation") + " looked at")
	if n := e.Covered + e.Known; n > 0 {
		b.WriteString(" (" + view.Count(n, "signal") + " left out: a skill or a draft is there for it, or was refused)")
	}
	for _, s := range e.Signals {
		b.WriteString("\n- " + s.Says)
	}
	return b.String()
}

// MadeTable lists drafts that were made earlier.
func MadeTable(list []Made, when func(time.Time) string, width int) string {
	rows := make([][]string, len(list))
	for i, m := range list {
		rows[i] = []string{when(m.Time), m.Name, m.Became, strings.Join(m.Seen, " ")}
	}
	return view.Table([]string{"made", "draft", "now", "seen in"}, rows, width)
}
