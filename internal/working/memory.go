package working

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"ken/internal/termsafe"
	"ken/internal/tokens"
)

// Limits of the settings: days until a working memory expires, and tokens of its
// text.
const (
	MostDays  = 365
	MinTokens = 100
	MaxTokens = 4000
)

// head is the first line of every working memory.
const head = "# Working Memory"

// MaxBytes is the most that is read of a file. The largest text that is written,
// MaxTokens of the widest characters, is a quarter of it.
const MaxBytes = 256 << 10

// A Memory is what the file says.
type Memory struct {
	Updated time.Time // in UTC, to the second
	Expires time.Time // from then on it says nothing
	Text    string    // the person's part
	Account Account   // the model's
	// Other are lines of the head that say something else, which ken keeps and sends
	// to nobody.
	Other []string
}

// ErrExpired says that a working memory has expired. What it said comes with the
// error, for a person who asks; no model is to see it.
var ErrExpired = errors.New("it has expired")

// ErrMalformed says that a file is no working memory.
var ErrMalformed = errors.New("it is no working memory")

// Parse reads a file. The error wraps ErrMalformed or is ErrExpired; with either,
// Text is empty.
func Parse(b []byte, now time.Time) (Memory, error) {
	if len(b) > MaxBytes {
		return Memory{}, fmt.Errorf("%w: it is larger than %d KiB", ErrMalformed, MaxBytes>>10)
	}
	text := strings.ReplaceAll(strings.TrimPrefix(string(b), "\ufeff"), "\r\n", "\n")
	first, rest, ok := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != head {
		return Memory{}, fmt.Errorf("%w: line 1 is not %q", ErrMalformed, head)
	}
	var m Memory
	for line := ""; ok; {
		line, rest, ok = strings.Cut(rest, "\n")
		if ok && strings.TrimSpace(line) == "" {
			if m.Updated.IsZero() || m.Expires.IsZero() {
				break
			}
			m.Text = strings.TrimSpace(termsafe.Clean(strings.ToValidUTF8(rest, string(utf8.RuneError))))
			if !now.Before(m.Expires) {
				m.Text = ""
				return m, ErrExpired
			}
			m.cutAccount(now)
			return m, nil
		}
		if !ok && line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		var at *time.Time
		switch name {
		case "Updated":
			at = &m.Updated
		case "Expires":
			at = &m.Expires
		default:
			m.Other = append(m.Other, line) // somebody's own, and no text
			continue
		}
		t, day, ok := timeOf(strings.TrimSpace(value))
		if !ok {
			return Memory{}, fmt.Errorf("%w: %s is no time", ErrMalformed, name)
		}
		if day && name == "Expires" {
			t = t.AddDate(0, 0, 1) // the day that is named is the last one
		}
		*at = t
	}
	switch {
	case m.Updated.IsZero():
		return Memory{}, fmt.Errorf("%w: Updated is missing", ErrMalformed)
	case m.Expires.IsZero():
		return Memory{}, fmt.Errorf("%w: Expires is missing", ErrMalformed)
	}
	return Memory{}, fmt.Errorf("%w: no blank line ends its head", ErrMalformed)
}

// timeOf reads a time as people write it; day says that it is a date alone. Without a
// zone it is UTC.
func timeOf(text string) (at time.Time, day, ok bool) {
	for _, layout := range [...]string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04",
		"2006-01-02 15:04:05 MST", "2006-01-02 15:04 MST", time.RFC1123, time.RFC1123Z, time.ANSIC, time.UnixDate,
	} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), false, true
		}
	}
	for _, layout := range [...]string{time.DateOnly, "2006/01/02", "2006.01.02", "02.01.2006", "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), true, true
		}
	}
	return time.Time{}, false, false
}

// New returns a working memory that is written now, for so many days.
func New(text string, now time.Time, days int) Memory {
	now = now.UTC().Truncate(time.Second)
	return Memory{Updated: now, Expires: now.AddDate(0, 0, min(max(days, 1), MostDays)), Text: text}
}

// Bytes is m as a file, its text cut to a budget in tokens.
func (m Memory) Bytes(budget int) []byte {
	others := ""
	for _, line := range m.Other {
		others += line + "\n"
	}
	return fmt.Appendf(nil, "%s\nUpdated: %s\nExpires: %s\n%s\n%s\n%s", head,
		m.Updated.UTC().Format(time.RFC3339), m.Expires.UTC().Format(time.RFC3339), others, Cut(m.Text, budget), m.Account.bytes())
}

// Cut returns the beginning of a text that a budget in tokens holds, with whole lines
// if that costs no more than a fifth of it.
func Cut(text string, budget int) string {
	text = strings.TrimSpace(text)
	cut, short := tokens.Cut(text, budget)
	if !short {
		return text
	}
	if end := strings.LastIndexByte(cut, '\n'); end >= len(cut)*4/5 {
		cut = cut[:end]
	}
	return strings.TrimSpace(cut)
}
