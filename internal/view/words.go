package view

import (
	"fmt"
	"time"

	"ken/internal/text"
)

// Age returns how long ago something was, in the largest unit that fits: "now",
// "5m", "3h", "12d", "9w", "2y"; "-" where no time is known. What lies in the
// future is "now".
func Age(now, then time.Time) string {
	if then.IsZero() {
		return "-"
	}
	const day = 24 * time.Hour
	switch d := now.Sub(then); {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 2*day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 60*day:
		return fmt.Sprintf("%dd", d/day)
	case d < 2*365*day:
		return fmt.Sprintf("%dw", d/(7*day))
	default:
		return fmt.Sprintf("%dy", d/(365*day))
	}
}

// When returns a time as a person is shown it: RFC 3339 in UTC, to the second; "-"
// where none is known.
func When(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return Stamp(t)
}

// Stamp returns a time as JSON has it: RFC 3339 in UTC, to the second; "" where none
// is known, so that omitempty leaves it out.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// Count is text.Count, which every face needs beside the shapes of this package.
func Count(n int, noun string) string { return text.Count(n, noun) }

// Memories is "1 memory", "2 memories".
func Memories(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}
