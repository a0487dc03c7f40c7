package dates

import (
	"testing"
	"time"
)

// TestLocal: as much of a time as says which it is, in the person's zone.
func TestLocal(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("east", 5*3600)
	now := time.Date(2026, 5, 10, 3, 0, 0, 0, zone)
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{time.Time{}, "-"},
		{now.Add(-time.Hour).UTC(), "02:00"},
		{now.Add(-4 * time.Hour).UTC(), "9 May 23:00"},
		{time.Date(2025, 12, 31, 20, 0, 0, 0, time.UTC), "1 Jan 01:00"},
		{time.Date(2025, 12, 31, 18, 0, 0, 0, time.UTC), "31 Dec 2025"},
		{time.Date(2027, 5, 10, 3, 0, 0, 0, zone), "10 May 2027"},
	} {
		if got := Local(c.at, now); got != c.want {
			t.Errorf("%v: %s, want %s", c.at, got, c.want)
		}
	}
}
