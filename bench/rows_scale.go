//go:build unix

package main

import (
	"context"
	"io"

	"ken/bench/floors"
	"ken/bench/scales"
)

// scale measures what short queries cost as the texts grow.
func (b *bench) scale(ctx context.Context, out io.Writer) error {
	peaker, err := b.floor(ctx, floors.Peaker)
	if err != nil {
		return err
	}
	o := scales.Options{
		Ken: b.kens[0].bin, Dir: b.dir, Peaker: peaker,
		Sizes: []int{1000, 10_000, 100_000}, Most: 1_000_000, Each: 8, Runs: b.few(),
	}
	if b.o.quick {
		o.Sizes, o.Most, o.Each = []int{200, 3000}, 3000, 2
	}
	return scales.Run(ctx, out, o)
}
