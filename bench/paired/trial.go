package paired

import (
	"context"
	"fmt"
	"slices"
)

// A Quantity names what a trial measures, unit included.
type Quantity string

// A Reading is what one run of a trial, or several, gave.
type Reading map[Quantity]Series

// Single is a reading with one number of each quantity.
func Single(values map[Quantity]float64) Reading {
	r := Reading{}
	for q, v := range values {
		r[q] = Series{v}
	}
	return r
}

// A Trial is one of several things that are measured turn by turn.
type Trial struct {
	Name string
	Run  func(ctx context.Context) (Reading, error)
}

// After is the run of t with something before it that does not count.
func (t Trial) After(first func() error) func(context.Context) (Reading, error) {
	return func(ctx context.Context) (Reading, error) {
		if err := first(); err != nil {
			return nil, err
		}
		return t.Run(ctx)
	}
}

// Readings are what trials gave, by name.
type Readings map[string]Reading

// Of is what a trial gave of a quantity; nil if it gave none.
func (r Readings) Of(trial string, q Quantity) Series { return r[trial][q] }

// Add appends a reading to those of a trial.
func (r Readings) Add(trial string, more Reading) {
	if r[trial] == nil {
		r[trial] = Reading{}
	}
	for q, s := range more {
		r[trial][q] = append(r[trial][q], s...)
	}
}

// Take runs the trials n times, turn by turn, and adds what they give. Every other
// turn goes backwards, since what ran just before makes a difference: a disk that
// has just been synced syncs again sooner. A first turn does not count: it fills
// the caches that a person's second run finds filled. The error is the first of a
// trial, with its name.
func (r Readings) Take(ctx context.Context, n int, trials []Trial) error {
	order := slices.Clone(trials)
	for turn := range n + 1 {
		for _, t := range order {
			got, err := t.Run(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
			if turn > 0 {
				r.Add(t.Name, got)
			}
		}
		slices.Reverse(order)
	}
	return nil
}
