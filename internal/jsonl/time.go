package jsonl

import (
	"bytes"
	"math"
	"time"
)

// Time reads a time, as UTC: RFC 3339 with any offset and with fractions, a
// date alone for its midnight in UTC, or seconds since 1970. Years are 0 to
// 9999, what RFC 3339 can write. Fractions of numbers are rounded to the
// microsecond, which is what a float64 can hold of today.
func (v Value) Time() (t time.Time, ok bool) {
	switch v.Type() {
	case "number":
		t, ok = v.epoch()
	case "string":
		text := v[1 : len(v)-1]
		ok = t.UnmarshalText(text) == nil || oddTime(text, &t)
	}
	if t = t.UTC(); !ok || t.Year() < 0 || t.Year() > 9999 {
		return time.Time{}, false
	}
	return t, true
}

// oddTime reads the forms of RFC 3339 that UnmarshalText is too strict for
// (lower-case letters, a space for the T), and a date alone.
func oddTime(text []byte, t *time.Time) bool {
	if len(text) > len("2006-01-02T15:04:05.000000000+00:00") {
		return false
	}
	if len(text) == len(time.DateOnly) {
		d, err := time.Parse(time.DateOnly, string(text))
		*t = d
		return err == nil
	}
	text = bytes.ToUpper(text)
	if len(text) > len(time.DateOnly) && text[len(time.DateOnly)] == ' ' {
		text[len(time.DateOnly)] = 'T'
	}
	return t.UnmarshalText(text) == nil
}

func (v Value) epoch() (time.Time, bool) {
	if n, ok := v.Int(); ok {
		return time.Unix(n, 0), true
	}
	f, ok := v.Float()
	if !ok || math.Abs(f) > 1<<53 {
		return time.Time{}, false
	}
	sec, frac := math.Modf(f)
	return time.Unix(int64(sec), int64(math.Round(frac*1e6))*1e3), true
}
