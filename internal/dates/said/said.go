package said

import (
	"math"
	"time"
)

// Days are a stretch of days of the calendar, counted from 1 January 1970, the
// last one included.
type Days struct{ From, To int32 }

// None is no day: its From is behind its To.
func None() Days { return Days{math.MaxInt32, math.MinInt32} }

// Any reports whether there is a day in d.
func (d Days) Any() bool { return d.From <= d.To }

// Meets reports whether the two have a day in common.
func (d Days) Meets(o Days) bool { return d.From <= o.To && o.From <= d.To && d.Any() && o.Any() }

// A Mention is what a text says of time.
type Mention struct {
	// Days are those that it speaks of; None if it names none that can be known.
	Days Days
	// When says that it says when something is: "last week", "recently", "in May".
	When bool
	// Lasting says that it says how long something is: "for three weeks", "since".
	Lasting bool
	// Place says that it has a name behind a word of place: "in Paris".
	Place bool
	// Name says that it has a name inside a sentence, which is no date and not that of who
	// is greeted: "it was by Rothfuss".
	Name bool
}

// DayOf returns the day of a moment in UTC.
func DayOf(t time.Time) int32 { return int32(math.Floor(float64(t.Unix()) / 86400)) }

// back is how many words before one are looked at.
const back = 4

// Read reads a text that was written at that time. The zero time is not known, and
// then nothing relative can be known.
func Read(text string, at time.Time) Mention {
	m := Mention{Days: None()}
	dated, relative := None(), None()
	s := scanner{text: text}
	var last [back]word // of the words before, the nearest first
	for {
		w, ok := s.next()
		if !ok {
			break
		}
		if w.capital && w.class == other && last[0].class == position {
			m.Place = true
		}
		if w.name && !w.comma && w.class == other && last[0].before {
			m.Name = true
		}
		if d, tells := moment(w, &last, at); tells {
			m.When = true
			if !relative.Any() {
				relative = d
			}
		}
		if w.class == vague {
			m.When = true
		}
		if w.class == since || w.class == unit && last[0].class == number {
			m.Lasting = true
		}
		copy(last[1:], last[:])
		last[0] = w
	}
	for p := range dates(text) {
		m.When = true
		if !dated.Any() && (p.year != 0 || !at.IsZero()) {
			dated = p.in(at.Year())
		}
	}
	if m.Days = relative; !relative.Any() {
		m.Days = dated
	}
	return m
}

// moment reads what a word and those before it say of a time that depends on when
// it is said: "yesterday", "last Friday", "two weeks ago", "on Sunday".
func moment(w word, last *[back]word, at time.Time) (d Days, tells bool) {
	switch {
	case w.class == fixed:
		d, tells = days(at, w.n, w.n), true
	case last[0].class == toward && (w.class == unit && w.n != unitHour || w.class == season || w.class == weekday || w.class == month):
		d, tells = turn(w, last[0].n, at), true
	case w.class == ago && last[0].class == unit && last[1].class == number,
		w.class == ago && last[0].class == unit && last[1].class == the && last[2].class == number:
		n := last[1].n
		if last[1].class == the { // a couple of
			n = last[2].n
		}
		d, tells = before(last[0].n, n, at), true
	case w.class == weekday:
		// The last one: people speak of what was.
		d, tells = turn(w, -1, at), last[0].class == in
	}
	if at.IsZero() {
		d = None()
	}
	return d, tells
}

// days are those from the day of at on.
func days(at time.Time, from, to int32) Days {
	d := DayOf(at)
	return Days{d + from, d + to}
}

// months are n months from that one on.
func months(year int, month time.Month, n int) Days {
	from := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return Days{DayOf(from), DayOf(from.AddDate(0, n, 0)) - 1}
}

// turn is the last (-1), this (0) or next (1) of what w names, seen from at. Weeks
// begin on Monday.
func turn(w word, toward int32, at time.Time) Days {
	at = at.UTC()
	weekday0 := int32(at.Weekday()+6) % 7 // Monday is 0
	year, now := at.Year(), at.Month()
	t := int(toward)
	switch w.class {
	case weekday:
		on := w.n - weekday0
		if toward < 0 && on >= 0 {
			on -= 7
		} else if toward > 0 && on <= 0 {
			on += 7
		}
		return days(at, on, on)
	case month:
		of := time.Month(w.n)
		if toward < 0 && of >= now {
			year--
		} else if toward > 0 && of <= now {
			year++
		}
		return months(year, of, 1)
	case season:
		first := time.Month(w.n)
		if toward < 0 && first+2 >= now {
			year--
		} else if toward > 0 && first <= now {
			year++
		}
		return months(year, first, 3)
	}
	switch w.n {
	case unitWeek:
		return days(at, 7*toward-weekday0, 7*toward-weekday0+6)
	case unitWeekend:
		return days(at, 7*toward-weekday0+5, 7*toward-weekday0+6)
	case unitMonth:
		return months(year, now+time.Month(t), 1)
	case unitYear:
		return months(year+t, 1, 12)
	}
	return days(at, toward, toward)
}

// before is n units before at: of weeks the days around, of months and years all
// of it.
func before(unit, n int32, at time.Time) Days {
	const far = 1200 // units back; more is no time of which people tell
	if n > far {
		return None()
	}
	at = at.UTC()
	switch unit {
	case unitWeek, unitWeekend:
		return days(at, -7*n-3, -7*n+3)
	case unitMonth:
		return months(at.Year(), at.Month()-time.Month(n), 1)
	case unitYear:
		return months(at.Year()-int(n), 1, 12)
	case unitHour:
		return days(at, 0, 0)
	}
	return days(at, -n, -n)
}
