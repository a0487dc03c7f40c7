package memcmd

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ken/internal/engine"
)

func TestParseLife(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for s, want := range map[string]time.Duration{
		"30d": 30 * day, "8w": 56 * day, "12h": 12 * time.Hour, "1h30m": 90 * time.Minute, "36500d": 36500 * day, "90s": 90 * time.Second,
	} {
		if got, err := parseLife(s); got != want || err != nil {
			t.Errorf("%q: %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "d", "w", "x", "5", "1.5d", "0d", "-1d", "-5h", "36501d", "5215w", "9223372036854775807d", "99999999999999999999d", "2562047h47m17s", "d1"} {
		if got, err := parseLife(s); err == nil {
			t.Errorf("%q is %v", s, got)
		}
	}
}

// FuzzParseLife: a life is longer than nothing and at most a hundred years.
func FuzzParseLife(f *testing.F) {
	for _, seed := range []string{"30d", "8w", "12h", "-1d", "1e9d", "9223372036854775807w"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := parseLife(s); err == nil && (got <= 0 || got > 100*365*24*time.Hour) {
			t.Errorf("%q is %v", s, got)
		}
	})
}

func TestNotSaved(t *testing.T) {
	t.Parallel()
	for _, err := range []error{&engine.SecretError{}, &engine.KindError{}, fmt.Errorf("remember: %w", engine.ErrEmpty)} {
		if got := notSaved(err); !errors.Is(got, err) || strings.Contains(got.Error(), "not saved") {
			t.Errorf("a refusal reads %q", got)
		}
	}
	disk := errors.New("disk full")
	if got := notSaved(disk); !errors.Is(got, disk) || got.Error() != "not saved: disk full" {
		t.Errorf("a fault reads %q", got)
	}
}
