package recall

import (
	"slices"
	"testing"
	"time"

	"ken/internal/dates/said"
	"ken/internal/index"
)

// TestReadAsked: what kind of answer is asked for, and whom it may be about.
func TestReadAsked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want index.Flags
		who  string // one of the subjects; "" asks nothing
		not  string // none of them
	}{
		{"When did Ada's brother call Bob?", index.When, "bob", "ada's"},
		{"Since when does Bob row?", index.When, "bob", ""},
		{"In which year was it?", index.When, "", ""},
		{"How long did it take?", index.Lasting, "", ""},
		{"Where does he live, and in what city?", index.Where, "", ""},
		{"Where and when?", index.Where | index.When, "", ""},
		{"Who is longing for a place?", 0, "", ""},
		{"", 0, "", ""},
	} {
		q := readAsked(c.text, time.Time{})
		if q.For != c.want || c.who != "" && !slices.Contains(q.Subjects, c.who) || c.not != "" && slices.Contains(q.Subjects, c.not) {
			t.Errorf("%q: %+v", c.text, q)
		}
	}
}

// TestAskedWho: who asks for somebody or something by name.
func TestAskedWho(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Who bought the boat?": true, "Where does she live?": true, "and which one?": true, "What is the cat called?": true,
		"What is its name": true, "When did she go?": false, "What did she do?": false, "the whole thing": false,
	} {
		if got := readAsked(text, time.Time{}).Who; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestAskedSeveral: who asks for several, and who asks how or why; keywords ask for neither.
func TestAskedSeveral(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]bool{ // several, how
		"Which books has she read?": {true, false}, "What outdoor sports does Ada like?": {true, false},
		"How many times did he row?": {true, false},
		"What are the names?":        {true, false}, "In what ways does it help?": {true, false}, "What kinds of tea are there?": {true, false},
		"What does she play?": {}, "What is the tennis club?": {}, "Which chess club?": {},
		"What bus is it?": {}, "What does James do?": {},
		"What was Ada's gift?": {}, "Which Athens?": {}, "Which of his brothers?": {}, "What did she say of the kettles?": {},
		"How did she do it?": {false, true}, "Why?": {false, true}, "and why that?": {false, true},
		"How long was it?": {}, "How much is it?": {}, "How often?": {},
		"kettle why boats oars": {}, "boats which kettles whistle": {}, "": {},
	} {
		if q := readAsked(text, time.Time{}); [2]bool{q.Several, q.How} != want {
			t.Errorf("%q: several %v, how %v", text, q.Several, q.How)
		}
	}
}

// TestOnDate: a date that is named, and none.
func TestOnDate(t *testing.T) {
	t.Parallel()
	day := said.DayOf(time.Date(2026, 5, 2, 9, 0, 0, 0, time.UTC))
	on := func(text string) float64 {
		q := readAsked(text, time.Date(2026, 5, 9, 0, 0, 0, 0, time.UTC))
		return q.onDate(said.Days{From: day, To: day})
	}
	if exact, month := on("What was on 2026-05-02?"), on("What was in May 2026?"); exact <= 0 || month <= 0 || month > exact {
		t.Errorf("the day counts %v, the month %v", exact, month)
	}
	if got := on("What was on 2026-05-03?") + on("What was?"); got != 0 {
		t.Errorf("another day, and none: %v", got)
	}
}
