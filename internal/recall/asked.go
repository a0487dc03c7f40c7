package recall

import (
	"strings"
	"time"

	"ken/internal/dates/said"
	"ken/internal/index"
	"ken/internal/text"
)

// An asked is what a question asks for beyond its words: a date, a kind of answer
// (when, how long, where), and whom it may be about.
type asked struct {
	Dates []said.Date // that it names
	// For has the flags of what a text should have: index.When, Lasting, Place.
	For index.Flags
	// Who says that it asks for somebody or something by name: who, which, where.
	Who bool
	// Several says that it asks for several: which books, how many times, what are the.
	Several bool
	// How says that it asks how or why, and for no number or length.
	How bool
	// Subjects are the words that may name whom it asks about: those that are no
	// possessive, by how they are searched, in their order.
	Subjects []string
	// Keywords says that it is no sentence: it does not end with a question mark nor begin
	// with a word that only holds others together, and has next to none of those.
	Keywords bool
}

// readAsked reads what a question asks for. at is when; zero if that does not matter.
func readAsked(question string, at time.Time) asked {
	a := asked{Dates: said.Asked(question, at)}
	before := ""
	open := 0 // how many words may follow yet up to the one that says of what there are several
	all, idle, sentence := 0, 0, strings.ContainsAny(question, "?？¿؟;")
	for word := range strings.FieldsSeq(question) {
		word = strings.Trim(word, ".,;:!?\"()")
		low := strings.ToLower(word)
		if text.IsStop(low) {
			sentence = sentence || all == 0
			idle++
		}
		all++
		switch {
		case low == "when", before == "since" && low == "when",
			(before == "what" || before == "which") && (low == "date" || low == "day" || low == "month" || low == "year" || low == "time"):
			a.For |= index.When
		case before == "how" && low == "long":
			a.For |= index.Lasting
		case low == "where", (before == "what" || before == "which") && (low == "city" || low == "country" || low == "place" || low == "state"):
			a.For |= index.Where
		}
		switch open--; {
		case low == "what", low == "which":
			open = 3
		case before == "how" && low == "many", before == "what" && (low == "are" || low == "were"), open > 0 && isSeveral(word):
			a.Several = true
		case text.IsStop(low):
			open = 0 // "what does he": a sentence of its own
		}
		if low == "why" || before == "how" && low != "many" && low != "much" && low != "long" && low != "often" {
			a.How = true
		}
		switch low {
		case "who", "whom", "which", "where", "name", "names", "named", "called":
			a.Who = true
		}
		if !strings.HasSuffix(low, "'s") && !strings.HasSuffix(low, "’s") {
			a.Subjects = append(a.Subjects, low)
		}
		before = low
	}
	a.Keywords = !sentence && all > 0 && idle*mostIdle <= all+mostIdle-1
	if a.Keywords {
		a.Several, a.How = false, false
	}
	return a
}

// isSeveral reports whether a word looks like one for several things: "books", not "chess", "bus",
// "tennis", "does" or "Ada's", nor a name.
func isSeveral(word string) bool {
	n := len(word)
	if n <= 3 || word[n-1] != 's' || strings.ContainsRune("siu'", rune(word[n-2])) || strings.HasSuffix(word, "’s") {
		return false
	}
	return word[0] >= 'a' && word[0] <= 'z' && !text.IsStop(word)
}

// onDate is how exactly the days are those that are asked for; 0 if they are not.
func (a *asked) onDate(d said.Days) float64 {
	best := 0.0
	for _, date := range a.Dates {
		if date.Meets(d) {
			best = max(best, date.Exact())
		}
	}
	return best
}
