package tool

import (
	"crypto/sha256"
	"fmt"
	"regexp"
)

// A Circle watches for a model that goes round: the same call with the same outcome again and again, or
// two or three calls in turn. The same call with another outcome each time (waiting for something) is none. The
// zero Circle has seen nothing.
type Circle struct {
	steps []step
	bad   int // calls in a row that could not be read
}

type step struct{ call, outcome [8]byte }

// Bounds of a Circle, in times the same. Other assistants stop between 3 and 20 of them; the person's patience
// and a small model's chance to notice are what these stand between.
const (
	warnAt   = 3
	refuseAt = 5
	stopAt   = 7
	mostBad  = 3
)

// A Turn says what a Circle makes of a call.
type Turn int

// The turns.
const (
	Onward  Turn = iota
	Noted        // its result says that it is the third time
	Spent        // it is not to be done again
	Stalled      // the model is not to be asked again
)

// Before returns what to do with a call that was made so often already: Spent and Stalled ones are not done, and
// count as made with the same outcome.
func (c *Circle) Before(call Call) Turn {
	n, like := c.again(hash(call.Name + "\x00" + call.Args.raw))
	if n < refuseAt-1 {
		return Onward
	}
	c.add(like)
	if n >= stopAt-1 {
		return Stalled
	}
	return Spent
}

// After takes note of what came of a call, and returns Noted where that is the third time, or a later one.
func (c *Circle) After(call Call, r Result) Turn {
	c.bad = 0
	s := step{hash(call.Name + "\x00" + call.Args.raw), hash(string(r.State) + steady(r.Head+"\n"+r.Text))}
	c.add(s)
	if c.run(s) >= warnAt {
		return Noted
	}
	return Onward
}

// add takes note of a step; as many are held as can be in turn.
func (c *Circle) add(s step) {
	const held = 3 * stopAt
	if c.steps = append(c.steps, s); len(c.steps) > held {
		c.steps = c.steps[1:]
	}
}

// Unread takes note of a call that could not be read. Stalled: this model does not manage.
func (c *Circle) Unread() Turn {
	if c.bad++; c.bad >= mostBad {
		return Stalled
	}
	return Onward
}

// again is how often in a row the call was made with one outcome, alone or in turn with one or two others, and
// that step.
func (c *Circle) again(call [8]byte) (most int, like step) {
	for period := 1; period <= 3 && period <= len(c.steps); period++ {
		at := len(c.steps) - period
		if s := c.steps[at]; s.call == call {
			if n := c.turns(at, period); n > most {
				most, like = n, s
			}
		}
	}
	return most, like
}

// run is how often in a row the newest step was made, alone or in turn with others.
func (c *Circle) run(s step) int {
	most := 0
	for period := 1; period <= 3; period++ {
		if at := len(c.steps) - 1; at >= 0 && c.steps[at] == s {
			most = max(most, c.turns(at, period))
		}
	}
	return most
}

// turns is how often the step at i stands there, each so many steps before, with the same steps between.
func (c *Circle) turns(i, period int) int {
	n := 1
	for ; i-period*n >= 0; n++ {
		if c.steps[i-period*n] != c.steps[i] {
			break
		}
		for j := 1; j < period; j++ {
			if k := i - period*n + j; c.steps[k] != c.steps[k+period*(n-1)] {
				return n
			}
		}
	}
	return n
}

// steady is an outcome without times, durations, process numbers and addresses.
func steady(s string) string {
	const most = 64 << 10
	if len(s) > most {
		s = s[:most]
	}
	return changing().ReplaceAllString(s, "#")
}

// changing is what differs between two runs that came to the same.
func changing() *regexp.Regexp {
	return regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d[:.\dZ+-]*|\d\d:\d\d:\d\d[.\d]*` +
		`|\d+(\.\d+)? ?(ns|µs|us|ms|s|seconds?|minutes?|min)\b|0x[0-9a-fA-F]+|\b(pid|PID)[ =:]*\d+`)
}

func hash(s string) (h [8]byte) {
	sum := sha256.Sum256([]byte(s))
	return [8]byte(sum[:8])
}

// Third is what a result says more where it is Noted.
const Third = "(done before with the same outcome: do something else, or answer)"

// Again is the result of a call that is not done once more.
func Again(call Call) Result {
	const text = "not run: %s was called with these arguments %d times, with the same outcome"
	return Result{State: Refused, Text: fmt.Sprintf(text, call.Name, refuseAt-1)}
}
