package said

import (
	"iter"
	"slices"
	"time"
)

// A Date is a date as a question names one: a day, a month, a season or a year.
type Date struct {
	year   int // 0 if it is not named
	month  int // 1 to 12; 0 if it is not named
	months int // how many: 1, of a season 3
	day    int // 1 to 31; 0 if it is not named
	// relative says that it was reckoned from when it was asked; then days are it.
	relative bool
	days     Days
}

// Asked returns the dates that a question names, in its order. at, if not zero, is when
// it is asked: then what is relative to that counts as well.
func Asked(question string, at time.Time) []Date {
	list := slices.Collect(dates(question))
	if len(list) == 0 && !at.IsZero() {
		if m := Read(question, at); m.Days.Any() {
			list = append(list, Date{relative: true, days: m.Days})
		}
	}
	return list
}

// Exact returns how much of the calendar the date leaves: 1 for a day, less for what
// is longer.
func (d Date) Exact() float64 {
	// Set by hand: what is longer holds more that is beside the point.
	const whole, month, year = 1, 0.7, 0.2
	switch long := d.days.To - d.days.From; {
	case d.relative && long > 31, !d.relative && d.month == 0:
		return year
	case d.relative && long > 2, !d.relative && d.day == 0:
		return month
	}
	return whole
}

// Meets reports whether the date is in these days. A date without a year is in
// any year.
func (d Date) Meets(o Days) bool {
	if d.relative || !o.Any() {
		return d.days.Meets(o) && d.relative
	}
	const day = 24 * time.Hour
	from := time.Unix(0, 0).UTC().Add(time.Duration(o.From) * day).Year()
	to := time.Unix(0, 0).UTC().Add(time.Duration(o.To) * day).Year()
	// A winter begins in the year before.
	for y := max(from-1, to-20); y <= to; y++ {
		if (d.year == 0 || d.year == y) && d.in(y).Meets(o) {
			return true
		}
	}
	return false
}

// in are the days of d, in that year if it names none.
func (d Date) in(year int) Days {
	if d.year != 0 {
		year = d.year
	}
	switch {
	case d.month == 0:
		return months(year, 1, 12)
	case d.day == 0:
		return months(year, time.Month(d.month), d.months)
	}
	at := DayOf(time.Date(year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC))
	return Days{at, at}
}

// dates yields the dates that a text names: "8 May 2023", "May 8th, 2023", "May of
// 2023", "2023-05-08", "summer 2021", "in December", "2022".
func dates(text string) iter.Seq[Date] {
	return func(yield func(Date) bool) {
		s := scanner{text: text}
		var last [back]word
		w, ok := s.next()
		for ok {
			d, used := Date{}, false
			var next word
			next, ok = s.next()
			switch {
			case w.class == month && named(w, last[0], next):
				d, used = Date{month: int(w.n), months: 1}, true
				if before := last[0]; day(before) && !w.comma {
					d.day = int(before.n)
				} else if before.class == the && day(last[1]) {
					d.day = int(last[1].n)
				}
			case w.class == season && (next.class == year || next.class == the && !next.comma):
				d, used = Date{month: int(w.n), months: 3}, true
			case w.class == year:
				d.year = int(w.n)
				if day(next) && next.n <= 12 { // 2023-05-08
					d.month, d.months = int(next.n), 1
					if next, ok = s.next(); day(next) {
						d.day = int(next.n)
						next, ok = s.next()
					}
				}
				if !yield(d) {
					return
				}
			}
			if used {
				if day(next) && d.day == 0 && w.class == month {
					d.day = int(next.n)
					next, ok = s.next()
				}
				if next.class == the {
					if next, ok = s.next(); next.class != year && ok {
						// "May of ..." something else
						if !yield(d) {
							return
						}
						used = false
					}
				}
				if used && next.class == year {
					d.year = int(next.n)
					next, ok = s.next()
				}
				if used && (w.class == month || d.year != 0) && !yield(d) {
					return
				}
			}
			copy(last[1:], last[:])
			last[0] = w
			w = next
		}
	}
}

func day(w word) bool {
	return w.digits && (w.class == number || w.class == ordinal) && w.n >= 1 && w.n <= 31
}

// named reports whether a word that may be a month is one.
func named(w, before, after word) bool {
	return w.capital && (w.n != 5 && w.n != 3 || before.class != other || after.class != other) || day(before) || day(after) || after.class == year
}
