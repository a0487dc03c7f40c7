package battery

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"

	"ken/internal/jsonl/jsonltest"
)

// A Report counts cases.
type Report struct {
	Cases, Survived int
	Lost            int     // cases in which an acknowledged write was lost
	Wrong           []error // of the first cases that were not survived
}

// String is "X of Y survived, N lost acknowledged writes".
func (r *Report) String() string {
	return fmt.Sprintf("%d of %d survived, %d lost acknowledged writes", r.Survived, r.Cases, r.Lost)
}

// Add takes in a case: err is what was wrong, nil for nothing.
func (r *Report) Add(err error, format string, args ...any) {
	r.Cases++
	if err == nil {
		r.Survived++
		return
	}
	if errors.Is(err, ErrLost) {
		r.Lost++
	}
	if len(r.Wrong) < 5 {
		r.Wrong = append(r.Wrong, fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err))
	}
}

// Merge takes in the cases of another report.
func (r *Report) Merge(o Report) {
	r.Cases, r.Survived, r.Lost = r.Cases+o.Cases, r.Survived+o.Survived, r.Lost+o.Lost
	r.Wrong = append(r.Wrong, o.Wrong...)
}

// Crashes are the ways in which a process dies at a call: before it, and with a
// part of a write done.
func Crashes() []jsonltest.Fault {
	return []jsonltest.Fault{{}, {Done: 1}, {Done: 90}, {Done: 1 << 20}}
}

// Failures are the errors that a call may return.
func Failures() []jsonltest.Fault {
	return []jsonltest.Fault{
		{Err: syscall.ENOSPC},
		{Err: syscall.ENOSPC, Done: 1},
		{Err: syscall.EDQUOT, Done: 90},
		{Err: syscall.EIO},
		{Err: syscall.EIO, Done: 1 << 20},
		{Err: syscall.EINTR},
		{Err: syscall.EMFILE},
	}
}

// A Sweep has every call of a driver fail, once for each fault.
type Sweep struct {
	Driver Driver
	Bug    Bug
	Faults []jsonltest.Fault
	States int // how many states of a power failure to look at, for each case
	Seed   uint64
	Every  int           // only each Every-th call; 0: all
	Temp   func() string // a new empty directory
}

// Bases are the homes in which operations begin.
func Bases() []string { return []string{"empty", "lived in", "torn"} }

// prepare makes a home of that kind in dir.
func prepare(ctx context.Context, base, dir string) (*Ledger, error) {
	l := NewLedger()
	h := NewHome(dir)
	if base == "empty" {
		return l, nil
	}
	if err := Start(ctx, h, l); err != nil {
		return nil, err
	}
	if base != "torn" {
		return l, nil
	}
	files, err := h.sessionFiles()
	if err != nil {
		return nil, err
	}
	for _, path := range append(files, h.Memory(), h.Review()) {
		if err := appendRaw(path, `{"id":93,"kind":"fact","cont`); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Do runs the sweep over all bases.
func (s Sweep) Do(ctx context.Context) (Report, error) {
	var r Report
	for _, base := range Bases() {
		from := s.Temp()
		l, err := prepare(ctx, base, from)
		if err != nil {
			return r, fmt.Errorf("prepare %s: %w", base, err)
		}
		calls, err := s.calls(ctx, from, l)
		if err != nil {
			r.Add(err, "%s, %s, no fault", s.Driver.Name, base)
			continue
		}
		for k := 1; k <= calls; k += max(1, s.Every) {
			for i, fault := range s.Faults {
				at := fmt.Sprintf("%s, %s, call %d of %d, %+v", s.Driver.Name, base, k, calls, fault)
				if err := s.one(ctx, &r, from, l, k, fault, uint64(i), at); err != nil {
					return r, fmt.Errorf("%s: %w", at, err)
				}
			}
		}
	}
	return r, nil
}

// calls runs the driver without a fault, and counts its calls.
func (s Sweep) calls(ctx context.Context, from string, l *Ledger) (int, error) {
	h, d, err := s.home(from)
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(h.Dir) }() // the test's directory goes at its end
	l = l.Copy()
	if err := s.Driver.Run(ctx, h, l); err != nil {
		return 0, err
	}
	return len(d.Trace()), Check(ctx, h, l, false)
}

// home copies a home to a disk that can fail.
func (s Sweep) home(from string) (*Home, *jsonltest.Disk, error) {
	dir := s.Temp()
	if err := copyTree(from, dir); err != nil {
		return nil, nil, err
	}
	d, err := jsonltest.New(dir)
	if err != nil {
		return nil, nil, err
	}
	h := NewHome(dir)
	h.Bug = s.Bug
	h.FS = h.bugged(d)
	return h, d, nil
}

// one is a case: the fault at call k, then what the process left, and what the
// power would have.
func (s Sweep) one(ctx context.Context, r *Report, from string, l *Ledger, k int, fault jsonltest.Fault, i uint64, at string) error {
	h, d, err := s.home(from)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(h.Dir) }() // the test's directory goes at its end
	l = l.Copy()
	d.FailAt(k, fault)
	_ = s.Driver.Run(ctx, h, l) // what it says is in the ledger
	if trace := d.Trace(); k <= len(trace) {
		at += " (" + trace[k-1] + ")"
	} else {
		return nil // the fault of another run made this one shorter
	}
	rng := rand.New(rand.NewPCG(s.Seed+uint64(k), i))
	for n := range s.States {
		into := s.Temp()
		if err := d.PowerLoss(into, rng.IntN); err != nil {
			return err
		}
		// The head goes by the machine: it is there as it was, or it is not.
		if rng.IntN(2) == 0 && os.MkdirAll(filepath.Join(into, "cache"), 0o700) == nil {
			_ = copyFile(filepath.Join(h.Dir, "cache", "head"), filepath.Join(into, "cache", "head")) // none is as good
		}
		r.Add(after(ctx, h.with(into, h.bugged(Unsynced{})), l, true), "%s, state %d of a power failure", at, n)
		_ = os.RemoveAll(into)
	}
	d.Calm()
	r.Add(after(ctx, h.with(h.Dir, h.bugged(Unsynced{})), l, false), "%s", at)
	return nil
}

// after checks what is left, and that it can be gone on with.
func after(ctx context.Context, h *Home, l *Ledger, off bool) error {
	if off {
		l = l.Copy()
		for e, w := range l.wants {
			if w == UntilOff {
				l.wants[e] = Either
			}
		}
	}
	if err := Check(ctx, h, l, off); err != nil {
		return err
	}
	return GoOn(ctx, h, l, off)
}
