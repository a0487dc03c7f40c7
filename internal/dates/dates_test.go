package dates

import (
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("CET", 3600)
	now := time.Date(2026, 3, 1, 0, 30, 0, 0, berlin) // still February in UTC
	for text, want := range map[string][2]string{
		"today":                     {"2026-03-01T00:00:00+01:00", "2026-03-02T00:00:00+01:00"},
		"Yesterday":                 {"2026-02-28T00:00:00+01:00", "2026-03-01T00:00:00+01:00"},
		" tomorrow ":                {"2026-03-02T00:00:00+01:00", "2026-03-03T00:00:00+01:00"},
		"now":                       {"2026-03-01T00:30:00+01:00", "2026-03-01T00:30:00+01:00"},
		"2026-03-05":                {"2026-03-05T00:00:00+01:00", "2026-03-06T00:00:00+01:00"},
		"2024-02-29":                {"2024-02-29T00:00:00+01:00", "2024-03-01T00:00:00+01:00"},
		"2026-12":                   {"2026-12-01T00:00:00+01:00", "2027-01-01T00:00:00+01:00"},
		"2026":                      {"2026-01-01T00:00:00+01:00", "2027-01-01T00:00:00+01:00"},
		"2026-03-05T14:30:00Z":      {"2026-03-05T14:30:00Z", "2026-03-05T14:30:00Z"},
		"2026-03-05T14:30:00-08:00": {"2026-03-05T14:30:00-08:00", "2026-03-05T14:30:00-08:00"},
		"2026-03-05T14:30Z":         {"2026-03-05T14:30:00Z", "2026-03-05T14:30:00Z"},
		"2026-03-05 14:30":          {"2026-03-05T14:30:00+01:00", "2026-03-05T14:30:00+01:00"},
		"2026-03-05T14:30:15":       {"2026-03-05T14:30:15+01:00", "2026-03-05T14:30:15+01:00"},
	} {
		got, err := Parse(text, now)
		if err != nil || got.From.Format(time.RFC3339) != want[0] || got.To.Format(time.RFC3339) != want[1] {
			t.Errorf("%q: %v to %v, %v; want %v", text, got.From, got.To, err, want)
		}
	}
	for _, text := range []string{"", "soon", "2026-13", "2026-02-29", "5.3.2026", "03/05/2026", "26-03-05", "1850-01-01", "9999-01-01", "2026-3-5", "12"} {
		if got, err := Parse(text, now); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// TestDays: the day on which clocks change is as long as it is.
func TestDays(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no zones on this machine")
	}
	for text, hours := range map[string]float64{"2026-03-29": 23, "2026-10-25": 25, "2026-10-26": 24} {
		got, err := Parse(text, time.Date(2026, 1, 1, 0, 0, 0, 0, zone))
		if err != nil || got.To.Sub(got.From).Hours() != hours {
			t.Errorf("%s: %v, %v; want %v hours", text, got, err, hours)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"today", "2026-03", "2026-03-05T14:30:00Z", "2026-02-30", "now"} {
		f.Add(s)
	}
	now := time.Date(2026, 3, 1, 0, 30, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := Parse(s, now); err == nil && (got.To.Before(got.From) || got.Last().Before(got.From) || got.From.Year() < 1899) {
			t.Errorf("%q is %v", s, got)
		}
	})
}

func TestLifetimes(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for s, want := range map[string]time.Duration{
		"30d": 30 * day, "8w": 56 * day, "12h": 12 * time.Hour, "1h30m": 90 * time.Minute, "36500d": 36500 * day, "90s": 90 * time.Second,
	} {
		if got, err := Life(s); got != want || err != nil {
			t.Errorf("%q: %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "d", "w", "x", "5", "1.5d", "0d", "-1d", "-5h", "36501d", "5215w", "9223372036854775807d", "99999999999999999999d", "2562047h47m17s", "d1"} {
		if got, err := Life(s); err == nil {
			t.Errorf("%q is %v", s, got)
		}
	}
}

// FuzzLife: a life is longer than nothing and at most a hundred years.
func FuzzLife(f *testing.F) {
	for _, seed := range []string{"30d", "8w", "12h", "-1d", "1e9d", "9223372036854775807w"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := Life(s); err == nil && (got <= 0 || got > 100*365*24*time.Hour) {
			t.Errorf("%q is %v", s, got)
		}
	})
}

// TestExpiry: how long, or until when; what may be minutes or months is asked back.
func TestExpiry(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("CET", 3600)
	now := time.Date(2026, 1, 31, 23, 30, 0, 7, berlin)
	for text, want := range map[string]string{
		"12h": "2026-02-01T10:30:00Z", "30d": "2026-03-02T22:30:00Z", " 2w ": "2026-02-14T22:30:00Z", "1h30m": "2026-02-01T00:00:00Z",
		"6mo": "2026-07-31T22:30:00Z", "1y": "2027-01-31T22:30:00Z", "100y": "2126-01-31T22:30:00Z",
		"today": "2026-01-31T23:00:00Z", "2026-02-01": "2026-02-01T23:00:00Z", "2026-02": "2026-02-28T23:00:00Z", "2026-02-01T00:00:00+05:00": "2026-01-31T19:00:00Z past",
		"2026-02-01T05:00:00+05:00": "2026-02-01T00:00:00Z", "tomorrow": "2026-02-01T23:00:00Z",
	} {
		got, err := Expiry(text, now)
		if want, past := strings.CutSuffix(want, " past"); past {
			if err == nil || err.Error() != "that is past already" {
				t.Errorf("%q: %v, %v", text, got, err)
			}
		} else if err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "want a time", "soon": "want a time", "1.5d": "want a time", "30D": "want a time", "+1mo": "want a time", "mo": "want a time",
		"6m": "is that 6 minutes or months? say 360s or 6mo", "0mo": "at most 100 years", "101y": "at most 100 years", "-1y": "at most 100 years",
		"99999999999999999999y": "want a time", "0d": "at most 100 years", "99999w": "at most 100 years", "yesterday": "past", "2199": "at most 100 years",
	} {
		if got, err := Expiry(text, now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
}
