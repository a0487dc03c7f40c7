//ken:slow

package battery

import (
	"os"
	"strings"
	"testing"

	"ken/internal/jsonl/jsonltest"
)

// full says that the counts are the ones of a release: make battery.
func full() bool { return os.Getenv("KEN_BATTERY") == "full" || night() }

// night says that there are hours: make battery-night.
func night() bool { return os.Getenv("KEN_BATTERY") == "night" }

// temp returns what makes directories for a test.
func temp(t *testing.T) func() string {
	root := jsonltest.Dir(t)
	return func() string {
		dir, err := os.MkdirTemp(root, "") //nolint:usetesting // many, below one that is in memory
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
}

func report(t *testing.T, r Report, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range r.Wrong {
		t.Error(wrong)
	}
	fault := strings.TrimPrefix(t.Name(), "Test")
	jsonltest.Tally(t, fault, r.Cases, r.Survived, r.Lost)
	if r.Distinct < r.Cases {
		t.Logf("%d of them were looked at; the others are states that were seen before", r.Distinct)
	}
}

// each runs a sweep for each operation.
func each(t *testing.T, set func(s *Sweep)) {
	t.Helper()
	t.Parallel()
	for _, d := range Drivers() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			s := Sweep{Driver: d, Seed: 1, Temp: temp(t)}
			set(&s)
			if !full() {
				s.Every = max(1, s.Every) * max(1, d.Heavy)
			}
			r, err := s.Do(t.Context())
			report(t, r, err)
		})
	}
}

// TestF2 ends the process at every call of every operation.
//
//ken:unraced
func TestF2(t *testing.T) {
	each(t, func(s *Sweep) {
		s.Faults = Crashes()
		if !full() {
			s.Faults = s.Faults[1:3]
		}
	})
}

// TestF5 takes the power away at every call of every operation.
//
//ken:unraced
func TestF5(t *testing.T) {
	each(t, func(s *Sweep) {
		switch s.Faults, s.States = Crashes(), 64; { // five thousand for each operation, and more
		case night():
			s.States = 1600
		case !full():
			s.Faults, s.States = s.Faults[:1], 3
		}
	})
}

// TestF7 has every call of every operation return an error, and takes the power
// away behind it.
//
//ken:unraced
func TestF7(t *testing.T) {
	each(t, func(s *Sweep) {
		s.Faults, s.States = Failures(), 8
		if !full() {
			s.States, s.Every = 1, 2
		}
	})
}

func damage(t *testing.T, do func(Damage) (Report, error)) {
	t.Helper()
	t.Parallel()
	for _, k := range Files() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			d := Damage{File: k, Step: 199, Size: 200, Temp: temp(t)}
			if full() {
				d.Step = 1
				if d.Size = 310; k.Name == "Review" { // 64 KiB and more
					d.Size = 216
				}
			}
			r, err := do(d)
			report(t, r, err)
		})
	}
}

// TestF3 cuts files off at every byte.
//
//ken:unraced
func TestF3(t *testing.T) { damage(t, Damage.Cut) }

// TestF4 turns one bit of every byte over.
//
//ken:unraced
func TestF4(t *testing.T) { damage(t, Damage.Flip) }

// TestF9 edits files by hand while ken works.
//
//ken:unraced
func TestF9(t *testing.T) {
	t.Parallel()
	ops := 300
	if full() {
		ops = 10000
	}
	r, err := Hand{Ops: ops, Seed: 1, Temp: temp(t)}.Do(t.Context())
	report(t, r, err)
}

// TestF8 has several write at once; the processes are in package filelog and
// below.
func TestF8(t *testing.T) {
	t.Parallel()
	each := 25
	if full() {
		each = 1000
	}
	r, err := AtOnce{Writers: 8, Each: each, Temp: temp(t)}.Do(t.Context())
	report(t, r, err)
}
