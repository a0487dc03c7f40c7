package recall

import (
	"strings"
	"time"

	"ken/internal/dates/said"
	"ken/internal/index"
)

// asks is what a question asks for beyond its words.
type asks struct {
	dates []said.Date // that it names
	// asked has the flag of what a text should have: index.When, Lasting, Place.
	asked index.Flags
	// subjects are the words that may name whom it asks about: those that are no
	// possessive, by how they are searched, in their order.
	subjects []string
}

// readQuestion reads what a question asks for. at is when; zero if that does not
// matter.
func readQuestion(text string, at time.Time) asks {
	a := asks{dates: said.Asked(text, at)}
	before := ""
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, ".,;:!?\"()")
		low := strings.ToLower(word)
		switch {
		case low == "when", before == "since" && low == "when",
			(before == "what" || before == "which") && (low == "date" || low == "day" || low == "month" || low == "year" || low == "time"):
			a.asked |= index.When
		case before == "how" && low == "long":
			a.asked |= index.Lasting
		case low == "where", (before == "what" || before == "which") && (low == "city" || low == "country" || low == "place" || low == "state"):
			a.asked |= index.Place
		}
		if !strings.HasSuffix(low, "'s") && !strings.HasSuffix(low, "’s") {
			a.subjects = append(a.subjects, low)
		}
		before = low
	}
	return a
}

// onDate is how exactly the days are those that are asked for; 0 if they are not.
func (a *asks) onDate(d said.Days) float64 {
	best := 0.0
	for _, asked := range a.dates {
		if asked.Meets(d) {
			best = max(best, asked.Exact())
		}
	}
	return best
}
