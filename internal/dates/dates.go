package dates

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Span is a stretch of time: From is its first moment, To the first one behind
// it. What was written as a moment has both the same.
type Span struct{ From, To time.Time }

// Last returns the last moment of the span, to the nanosecond.
func (s Span) Last() time.Time {
	if s.From.Equal(s.To) {
		return s.To
	}
	return s.To.Add(-time.Nanosecond)
}

// End returns the moment that a look back at the span is about: its last one, or now
// if that lies within.
func (s Span) End(now time.Time) time.Time {
	if last := s.Last(); !last.After(now) || s.From.After(now) {
		return last
	}
	return now
}

// ErrDate says which forms are read.
var ErrDate = errors.New("want a date like 2026-03-05, 2026-03, 2026, today, yesterday, tomorrow, or a time like 2026-03-05T14:30:00Z")

// Parse reads a date. What has no zone is in that of now, which also says what
// today is. The years go from 1900 to 2199: another one is a slip of the finger.
func Parse(text string, now time.Time) (Span, error) {
	zone := now.Location()
	text = strings.TrimSpace(text)
	days := func(t time.Time, y, m, d int) Span {
		from := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone)
		return Span{from, time.Date(t.Year()+y, t.Month()+time.Month(m), t.Day()+d, 0, 0, 0, 0, zone)}
	}
	switch strings.ToLower(text) {
	case "now":
		return Span{now, now}, nil
	case "today":
		return days(now, 0, 0, 1), nil
	case "yesterday":
		return days(now.AddDate(0, 0, -1), 0, 0, 1), nil
	case "tomorrow":
		return days(now.AddDate(0, 0, 1), 0, 0, 1), nil
	}
	for _, form := range [...]struct {
		layout  string
		y, m, d int // how long it is; a moment if it is none of them
	}{
		{time.DateOnly, 0, 0, 1},
		{"2006-01", 0, 1, 0},
		{"2006", 1, 0, 0},
		{time.RFC3339, 0, 0, 0},
		{"2006-01-02T15:04Z07:00", 0, 0, 0},
		{"2006-01-02T15:04:05", 0, 0, 0},
		{"2006-01-02T15:04", 0, 0, 0},
		{"2006-01-02 15:04:05", 0, 0, 0},
		{"2006-01-02 15:04", 0, 0, 0},
	} {
		t, err := time.ParseInLocation(form.layout, text, zone)
		switch {
		case err != nil:
			continue
		case t.Year() < 1900 || t.Year() > 2199:
			return Span{}, errors.New("the year is out of reach: 1900 to 2199")
		case form.y+form.m+form.d == 0:
			return Span{t, t}, nil
		}
		return days(t, form.y, form.m, form.d), nil
	}
	return Span{}, ErrDate
}

// Life reads how long something lives: 30d, 8w, 12h, or Go's form. It is longer
// than nothing and at most 100 years.
func Life(s string) (time.Duration, error) {
	var unit time.Duration
	switch {
	case strings.HasSuffix(s, "d"):
		unit = 24 * time.Hour
	case strings.HasSuffix(s, "w"):
		unit = 7 * 24 * time.Hour
	}
	const longest = 100 * 365 * 24 * time.Hour
	var life time.Duration
	var err error
	if unit != 0 {
		var n int
		n, err = strconv.Atoi(s[:len(s)-1])
		if n > int(longest/unit) {
			n = int(longest/unit) + 1
		}
		life = time.Duration(n) * unit
	} else {
		life, err = time.ParseDuration(s)
	}
	switch {
	case err != nil:
		return 0, errors.New("want a time like 12h, 30d or 8w")
	case life <= 0 || life > longest:
		return 0, errors.New("must be longer than nothing and at most 100 years")
	}
	return life, nil
}

// errExpiry says which forms Expiry reads.
var errExpiry = errors.New("want a time like 12h, 30d, 8w, 6mo or 1y, or a date")

// Expiry reads when something ends: a Life from now, a number of months (6mo) or
// years (1y), or the end of a date. It lies behind now, by at most 100 years. The
// result is whole seconds, in UTC.
func Expiry(text string, now time.Time) (time.Time, error) {
	end, err := expiry(strings.TrimSpace(text), now)
	switch {
	case err != nil:
		return time.Time{}, err
	case !end.After(now):
		return time.Time{}, errors.New("that is past already")
	case end.After(now.AddDate(100, 0, 0)):
		return time.Time{}, errors.New("must be longer than nothing and at most 100 years")
	}
	return end.UTC().Truncate(time.Second), nil
}

func expiry(text string, now time.Time) (time.Time, error) {
	const most = 100 * 12
	for unit, months := range map[string]int{"mo": 1, "y": 12} {
		digits, ok := strings.CutSuffix(text, unit)
		if n, err := strconv.Atoi(digits); ok && err == nil && digits[0] != '+' {
			if n <= 0 || n > most/months {
				return time.Time{}, errors.New("must be longer than nothing and at most 100 years")
			}
			return now.AddDate(0, n*months, 0), nil
		}
	}
	if digits, ok := strings.CutSuffix(text, "m"); ok {
		if n, err := strconv.Atoi(digits); err == nil {
			return time.Time{}, fmt.Errorf("is that %d minutes or months? say %ds or %dmo", n, n*60, n)
		}
	}
	if span, err := Parse(text, now); err == nil {
		return span.To, nil
	}
	life, err := Life(text)
	if err != nil && strings.HasPrefix(err.Error(), "want") {
		err = errExpiry
	}
	return now.Add(life), err
}
