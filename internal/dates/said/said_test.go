package said

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const layout = time.DateOnly

func span(d Days) string {
	if !d.Any() {
		return ""
	}
	text := func(n int32) string { return time.Unix(int64(n)*86400, 0).UTC().Format(layout) }
	if d.From == d.To {
		return text(d.From)
	}
	return text(d.From) + ".." + text(d.To)
}

// TestRead: what a text of Wednesday, 10 May 2023, says of time.
func TestRead(t *testing.T) {
	t.Parallel()
	at := time.Date(2023, 5, 10, 13, 56, 0, 0, time.UTC)
	type want struct {
		Days                 string
		When, Lasting, Place bool
	}
	for text, w := range map[string]want{
		"":                                     {},
		"I bought a kettle":                    {},
		"I was there yesterday":                {Days: "2023-05-09", When: true},
		"We meet tomorrow, or today":           {Days: "2023-05-11", When: true},
		"last night it rained":                 {Days: "2023-05-09", When: true},
		"last week we met":                     {Days: "2023-05-01..2023-05-07", When: true},
		"NEXT WEEK":                            {Days: "2023-05-15..2023-05-21", When: true},
		"this weekend":                         {Days: "2023-05-13..2023-05-14", When: true},
		"last weekend":                         {Days: "2023-05-06..2023-05-07", When: true},
		"last month":                           {Days: "2023-04-01..2023-04-30", When: true},
		"next year":                            {Days: "2024-01-01..2024-12-31", When: true},
		"last Friday":                          {Days: "2023-05-05", When: true},
		"last Wednesday":                       {Days: "2023-05-03", When: true},
		"next Monday":                          {Days: "2023-05-15", When: true},
		"on Tuesday":                           {Days: "2023-05-09", When: true},
		"Tuesdays are long":                    {},
		"last August":                          {Days: "2022-08-01..2022-08-31", When: true},
		"this August":                          {Days: "2023-08-01..2023-08-31", When: true},
		"last summer":                          {Days: "2022-06-01..2022-08-31", When: true},
		"next summer":                          {Days: "2023-06-01..2023-08-31", When: true},
		"last winter":                          {Days: "2022-12-01..2023-02-28", When: true},
		"two days ago":                         {Days: "2023-05-08", When: true, Lasting: true},
		"3 weeks ago":                          {Days: "2023-04-16..2023-04-22", When: true, Lasting: true},
		"a couple of months ago":               {Days: "2023-03-01..2023-03-31", When: true},
		"a few years back":                     {Days: "2020-01-01..2020-12-31", When: true, Lasting: true},
		"99999999 years ago":                   {When: true, Lasting: true},
		"recently":                             {When: true},
		"for ten years":                        {Lasting: true},
		"since I was a child":                  {Lasting: true},
		"it was 8 May 2021":                    {Days: "2021-05-08", When: true},
		"it was May 8th, 2021, at noon":        {Days: "2021-05-08", When: true},
		"on the 8th of May":                    {Days: "2023-05-08", When: true},
		"it was 2021-05-08":                    {Days: "2021-05-08", When: true},
		"in June":                              {Days: "2023-06-01..2023-06-30", When: true},
		"a June wedding":                       {Days: "2023-06-01..2023-06-30", When: true},
		"back in 2019":                         {Days: "2019-01-01..2019-12-31", When: true},
		"summer of 2021":                       {Days: "2021-06-01..2021-08-31", When: true},
		"you may come, we march on":            {},
		"I moved here from Sweden in May 2020": {Days: "2020-05-01..2020-05-31", When: true, Place: true},
		"yesterday, not on 3 June":             {Days: "2023-05-09", When: true},
		"room 2034 has 8 chairs":               {Days: "2034-01-01..2034-12-31", When: true},
		"Ünter den Linden":                     {},
		"the 5th":                              {},
		"she lives near Ávila":                 {},
		"we drove to Oslo":                     {Place: true},
		"12345678901234567890 in 31 May 20230": {Days: "2023-05-31", When: true},
		"in December 2020 and also in March 2021": {Days: "2020-12-01..2020-12-31", When: true},
	} {
		m := Read(text, at)
		if diff := cmp.Diff(w, want{span(m.Days), m.When, m.Lasting, m.Place}); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	if m := Read("yesterday and in June", time.Time{}); m.Days.Any() || !m.When {
		t.Errorf("without a time: %+v", m)
	}
}

// TestAsked: the dates of a question, and what is in them.
func TestAsked(t *testing.T) {
	t.Parallel()
	day := func(text string) Days {
		at, err := time.Parse(layout, text)
		if err != nil {
			t.Fatal(err)
		}
		return Days{DayOf(at), DayOf(at)}
	}
	at := time.Date(2023, 5, 10, 13, 56, 0, 0, time.UTC)
	for _, c := range []struct {
		question string
		on       string
		meets    bool
		exact    float64
	}{
		{"What did Ada do on 8 May, 2023?", "2023-05-08", true, 1},
		{"What did Ada do on 8 May, 2023?", "2023-05-09", false, 1},
		{"What did Ada do on May 8, 2023?", "2023-05-08", true, 1},
		{"what happened in june 2022?", "2022-06-30", false, 0}, // a name is written with a capital
		{"What happened in June 2022?", "2022-06-30", true, 0.7},
		{"What happened in June 2022?", "2023-06-30", false, 0.7},
		{"What happened in June?", "2021-06-01", true, 0.7},
		{"What happened in 2021?", "2021-12-31", true, 0.2},
		{"Where were we in the winter of 2021?", "2022-01-01", true, 0.7},
		{"where were we last week", "2023-05-03", true, 0.7},
		{"where were we yesterday", "2023-05-09", true, 1},
		{"where were we last year", "2022-05-09", true, 0.2},
	} {
		list := Asked(c.question, at)
		if c.exact == 0 {
			continue
		}
		if len(list) != 1 || list[0].Meets(day(c.on)) != c.meets || list[0].Exact() != c.exact {
			t.Errorf("%s: %+v, want %s in it: %v, exact %g", c.question, list, c.on, c.meets, c.exact)
		}
	}
	if list := Asked("Which kettle is it?", at); len(list) != 0 {
		t.Errorf("no date: %+v", list)
	}
	if list := Asked("between 3 May and 5 June 2021", time.Time{}); len(list) != 2 {
		t.Errorf("two dates: %+v", list)
	}
	if (Date{year: 2021}).Meets(None()) || None().Meets(Days{math.MinInt32, math.MaxInt32}) {
		t.Error("no day is in a date")
	}
}

// FuzzRead: no text is too strange, days are in order, and reading does not depend
// on where the words stand.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"the 8th of May 2021", "2021-05-08", "summer of 2021", "two weeks ago", "May of", "\xff in Ä", "31 Feb", "2021-"} {
		f.Add(s, int64(1683727000))
	}
	f.Fuzz(func(t *testing.T, s string, sec int64) {
		at := time.Unix(sec%(1<<33), 0)
		m := Read(s, at)
		if m.Days.From > m.Days.To && m.Days != None() {
			t.Fatalf("%q: %+v", s, m)
		}
		if again := Read(" "+s+" ", at); again != m {
			t.Fatalf("%q: %+v, with spaces around it %+v", s, m, again)
		}
		for _, d := range Asked(s, at) {
			if e := d.Exact(); e <= 0 || e > 1 || d.Meets(None()) {
				t.Fatalf("%q: %+v is exact %g", s, d, e)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	const text = "I went to the market near the old harbour last Friday, and bought a kettle that will hold for ten years."
	for b.Loop() {
		Read(text, time.Unix(1683727000, 0))
	}
	b.SetBytes(int64(len(text)))
}

// TestName: a name inside a sentence, which is no date and not of who is greeted.
func TestName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"":                                 false,
		"A dentist from Bergen, in cash":   true,
		"it's a book by Patrick Rothfuss":  true,
		"Max ran away":                     false,
		"we named him Max":                 true,
		"Hey Caroline! I saw it. The end.": false,
		"Thanks, Mel, I'm fine":            false,
		"we met in May on a Friday":        false,
		"I think I’m right, as I'd be":     false,
		"a plan B":                         false,
	} {
		if got := Read(text, time.Time{}).Name; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
