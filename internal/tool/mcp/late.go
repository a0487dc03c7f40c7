package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/regular"
)

// A late server did not answer as long as somebody waited for it. That is kept between runs, so that no question waits for it
// again soon, in a file for each server, in a directory of derived files. A file is one line: the form, the time, and how long
// was waited, with tabs between. It goes when the server answers.
type late struct {
	at     time.Time
	waited time.Duration
}

const (
	lateForm = "ken late 1"
	mostLate = 256 // bytes of a file
	// lateFor is how long no question waits for a server that was late.
	lateFor = time.Hour
)

// lateAt is the file of a server: another one under its name has another; "" where nothing is kept.
func (v *server) lateAt() string {
	if v.of.o.Late == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(v.name + "\x00" + v.at()))
	return filepath.Join(v.of.o.Late, hex.EncodeToString(sum[:8]))
}

// wasLate returns what is kept of a server; ok is false if that is nothing, or does not count any more.
func (v *server) wasLate() (l late, ok bool) {
	path := v.lateAt()
	if path == "" {
		return l, false
	}
	text, err := regular.Read(path, mostLate)
	if err != nil {
		return l, false
	}
	f := strings.Split(strings.TrimSuffix(string(text), "\n"), "\t")
	if len(f) != 3 || f[0] != lateForm {
		return l, false
	}
	at, aerr := time.Parse(time.RFC3339, f[1])
	waited, werr := time.ParseDuration(f[2])
	age := v.of.o.Now().Sub(at)
	return late{at: at, waited: waited}, errors.Join(aerr, werr) == nil && age >= 0 && age < lateFor
}

// isLate keeps that a server did not answer for so long. What cannot be kept is waited for again.
func (v *server) isLate(waited time.Duration) {
	if path := v.lateAt(); path != "" {
		_ = regular.PutDerived(path, fmt.Sprintf("%s\t%s\t%v\n", lateForm, v.of.o.Now().UTC().Format(time.RFC3339), waited))
	}
}

// overdue keeps that a server did not answer in its own time, if that is what ended ctx.
func (v *server) overdue(ctx context.Context) {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		v.isLate(v.limit())
	}
}

// answers forgets that it was late.
func (v *server) answers() {
	if path := v.lateAt(); path != "" {
		_ = os.Remove(path) // as a rule there is none
	}
}

// Greet waits for the servers that are being connected to, as a question does: for so long at most, and not for one that did
// not answer for as long less than an hour ago, in this run or another one.
func (s *Servers) Greet(ctx context.Context, wait time.Duration) {
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for _, v := range s.all() {
		settled := v.settled()
		select {
		case <-settled:
			continue
		default:
		}
		if l, ok := v.wasLate(); ok && l.waited >= v.most(wait) {
			s.say(fmt.Sprintf("%s: not waited for, since it did not answer within %v before; mcp list asks it once more", v.name, l.waited))
			continue
		}
		select {
		case <-settled:
			continue
		case <-limited.Done():
		}
		select {
		case <-settled:
		default:
			if ctx.Err() == nil {
				v.isLate(wait)
			}
		}
	}
}

// most is how long a server can be waited for of so long: a limit of its own may be shorter.
func (v *server) most(wait time.Duration) time.Duration {
	if limit := v.limit(); limit > 0 {
		return min(wait, limit)
	}
	return wait
}
