package battery

import (
	"context"
	"crypto/sha256"
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
	// Distinct counts the cases that were looked at; the others were states of a
	// power failure that had been seen before, with the same ledger.
	Distinct int
	Lost     int     // cases in which an acknowledged write was lost
	Wrong    []error // of the first cases that were not survived
}

// String is "X of Y survived, N lost acknowledged writes".
func (r *Report) String() string {
	return fmt.Sprintf("%d of %d survived, %d lost acknowledged writes", r.Survived, r.Cases, r.Lost)
}

// Add takes in a case: err is what was wrong, nil for nothing.
func (r *Report) Add(err error, format string, args ...any) {
	r.Cases++
	r.Distinct++
	r.count(err)
	if err != nil && len(r.Wrong) < 5 {
		r.Wrong = append(r.Wrong, fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err))
	}
}

// count counts what came of a case.
func (r *Report) count(err error) {
	if err == nil {
		r.Survived++
		return
	}
	if errors.Is(err, ErrLost) {
		r.Lost++
	}
}

// Again takes in a case that came to the same as one before.
func (r *Report) Again(err error) {
	r.Cases++
	r.count(err)
}

// Merge takes in the cases of another report.
func (r *Report) Merge(o Report) {
	r.Cases, r.Survived, r.Lost = r.Cases+o.Cases, r.Survived+o.Survived, r.Lost+o.Lost
	r.Distinct += o.Distinct
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
	Every  int // only each Every-th call; 0: all
	// First ends the sweep with the first case that is not survived.
	First bool
	Temp  func() string // a new empty directory
}

// Bases are the homes in which operations begin.
func Bases() []string { return []string{"empty", "lived in", "torn"} }

// prepare makes a home of that kind in dir, ready for the driver.
func (s Sweep) prepare(ctx context.Context, base, dir string) (*Ledger, error) {
	l := NewLedger()
	h := NewHome(dir)
	if base != "empty" {
		if err := Start(ctx, h, l); err != nil {
			return nil, err
		}
	}
	if s.Driver.Ready != nil {
		if err := s.Driver.Ready(ctx, h, l); err != nil {
			return nil, err
		}
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
	verdicts := make(map[[sha256.Size]byte]error)
	for _, base := range Bases() {
		from := s.Temp()
		l, err := s.prepare(ctx, base, from)
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
				c := sweepCase{k: k, fault: fault, n: uint64(i), at: at, verdicts: verdicts}
				if err := s.one(ctx, &r, from, l, c); err != nil {
					return r, fmt.Errorf("%s: %w", at, err)
				}
				if s.First && len(r.Wrong) > 0 {
					return r, nil
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
	h.Rand = rand.NewChaCha8([32]byte{})
	h.FS = h.bugged(d)
	return h, d, nil
}

// A sweepCase is a fault at call k.
type sweepCase struct {
	k     int
	fault jsonltest.Fault
	n     uint64 // of the fault
	at    string
	// verdicts are what came of states of a power failure before.
	verdicts map[[sha256.Size]byte]error
}

// one is a case: the fault at call k, then what the process left, and what the
// power would have.
func (s Sweep) one(ctx context.Context, r *Report, from string, l *Ledger, c sweepCase) error {
	h, d, err := s.home(from)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(h.Dir) }() // the test's directory goes at its end
	l = l.Copy()
	d.FailAt(c.k, c.fault)
	_ = s.Driver.Run(ctx, h, l) // what it says is in the ledger
	trace := d.Trace()
	if c.k > len(trace) {
		return nil // the fault of another run made this one shorter
	}
	c.at += " (" + trace[c.k-1] + ")"
	head, herr := os.ReadFile(filepath.Join(h.Dir, headFile))
	rng := rand.New(rand.NewPCG(s.Seed+uint64(c.k), c.n))
	for n := range s.States {
		files, err := d.Remains(rng.IntN)
		if err != nil {
			return err
		}
		delete(files, headFile)
		files[" the ledger"] = []byte(l.String())
		// The head goes by the machine: it is there as it was, or it is not. The
		// file that it describes is another one, whatever it says.
		with := rng.IntN(2) == 0 && herr == nil
		if with {
			files[headFile] = nil
		}
		sum := files.Sum()
		if verdict, seen := c.verdicts[sum]; seen {
			r.Again(verdict)
			continue
		}
		delete(files, " the ledger")
		if with {
			files[headFile] = head
		}
		into := s.Temp()
		if err := files.WriteTo(into); err != nil {
			return err
		}
		verdict := s.after(ctx, h.with(into, h.bugged(Unsynced{})), l, true)
		c.verdicts[sum] = verdict
		r.Add(verdict, "%s, state %d of a power failure", c.at, n)
		_ = os.RemoveAll(into) // the test's directory goes at its end
	}
	d.Calm()
	if s.Driver.Again != nil && c.fault.Err == nil {
		if err := s.restarted(ctx, r, h, d, l, c); err != nil {
			return err
		}
	}
	r.Add(s.after(ctx, h.with(h.Dir, h.bugged(Unsynced{})), l, false), "%s", c.at)
	return nil
}

// restarted has the person say it again after the crash, and takes the power away
// then: what the second process found done was not synced by the first. The home
// is left as it was.
func (s Sweep) restarted(ctx context.Context, r *Report, h *Home, d *jsonltest.Disk, l *Ledger, c sweepCase) error {
	dir, next := s.Temp(), s.Temp()
	defer func() { _, _ = os.RemoveAll(dir), os.RemoveAll(next) }() // the test's directory goes at its end
	if err := copyTree(h.Dir, dir); err != nil {
		return err
	}
	l = l.Copy()
	if err := s.Driver.Run(ctx, h, l); err != nil {
		r.Add(fmt.Errorf("said again: %w", err), "%s", c.at)
	}
	for n := range min(max(1, s.States), 16) {
		files, err := d.Remains(rand.New(rand.NewPCG(s.Seed+uint64(c.k), uint64(n))).IntN)
		if err != nil {
			return err
		}
		delete(files, headFile)
		if err := files.WriteTo(next); err != nil {
			return err
		}
		r.Add(Check(ctx, h.with(next, h.bugged(Unsynced{})), l, true), "%s, said again, state %d of a power failure", c.at, n)
		if err := os.RemoveAll(next); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(h.Dir); err != nil {
		return err
	}
	return os.Rename(dir, h.Dir)
}

// headFile is where the head of the log is, below a home.
const headFile = "cache/head"

// after checks what is left, and that it can be gone on with.
func (s Sweep) after(ctx context.Context, h *Home, l *Ledger, off bool) error {
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
	if err := GoOn(ctx, h, l, off); err != nil || s.Driver.Again == nil {
		return err
	}
	// Said again, it does the rest. What going on wrote is in no ledger.
	if err := s.Driver.Again(ctx, h, l); err != nil {
		return fmt.Errorf("said again: %w", err)
	}
	return nil
}
