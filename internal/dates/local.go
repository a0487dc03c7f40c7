package dates

import "time"

// Local is a time in a list for people, in the zone of now: the clock alone on its day,
// the day as well in its year, else the date; "-" where none is known.
func Local(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	t = t.In(now.Location())
	switch {
	case t.Year() != now.Year():
		return t.Format("2 Jan 2006")
	case t.YearDay() != now.YearDay():
		return t.Format("2 Jan 15:04")
	}
	return t.Format("15:04")
}
