package memory

import (
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/dates"
	"ken/internal/fault"
)

// timeFlags say when a memory holds.
type timeFlags struct{ from, to, ttl string }

func (t *timeFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.ttl, "ttl", "", "forget it by itself after `TIME`: 12h, 30d, 8w, 6mo, 1y, or a date")
	f.StringVar(&t.from, "valid-from", "", "it holds from the beginning of `DATE`: 2026-03-05, 2026-03, today, or a time")
	f.StringVar(&t.to, "valid-to", "", "it holds to the end of `DATE`, or to a time")
}

// read gives the times that the flags name; zero where one is empty.
func (t timeFlags) read(a *term.Run) (expires, from, to time.Time, err error) {
	now := a.Env.Now()
	if t.ttl != "" {
		if expires, err = dates.Expiry(t.ttl, now); err != nil {
			return expires, from, to, fault.Usagef("--ttl %s: %w", t.ttl, err)
		}
	}
	var begin, end dates.Span
	if begin, err = date("--valid-from", t.from, now); err == nil {
		end, err = date("--valid-to", t.to, now)
	}
	if err == nil && t.from != "" && t.to != "" && !begin.From.Before(end.To) {
		err = fault.Usagef("--valid-from %s is not before the end of --valid-to %s", t.from, t.to)
	}
	return expires, stored(begin.From), stored(end.To), err
}

// stored is a time as a line has it.
func stored(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Second)
}

// date reads the value of a flag; the zero Span if there is none.
func date(flag, value string, now time.Time) (s dates.Span, err error) {
	if value == "" {
		return s, nil
	}
	if s, err = dates.Parse(value, now); err != nil {
		return s, fault.Usagef("%s %s: %w", flag, value, err)
	}
	return s, nil
}
