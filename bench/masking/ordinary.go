package masking

import (
	"context"
	"time"

	"ken/bench/paired"
)

// EachUS is what masking a KB of text takes.
const EachUS paired.Quantity = "wall, each, us"

// Ordinary is a trial that masks ordinary text, KB by KB; now is the clock.
func Ordinary(name string, mask func(string), text string, now func() time.Time) paired.Trial {
	const kb = 1000
	at := 0
	return paired.Trial{Name: name, Run: func(context.Context) (paired.Reading, error) {
		const kbs = 100 // a clock does not see one
		began := now()
		for range kbs {
			if at+kb > len(text) {
				at = 0
			}
			mask(text[at : at+kb])
			at += kb
		}
		return paired.Single(map[paired.Quantity]float64{EachUS: float64(now().Sub(began)) / 1000 / kbs}), nil
	}}
}
