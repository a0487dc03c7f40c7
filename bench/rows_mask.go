//go:build unix

package main

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"ken/bench/made"
	"ken/bench/masking"
	"ken/bench/paired"
	"ken/internal/redact"
)

// masks measures masking of ordinary text, by the masker that the bench was built
// with, and what a start of ken pays for tables and patterns. With -corpus it also
// counts what is found.
func masks(ctx context.Context, b *bench, rep *paired.Report) error {
	m := redact.New([]byte("bench"))
	trials := []paired.Trial{masking.Ordinary("masker", func(s string) { m.Mask(s) }, strings.Join(made.Sentences(1, 10_000), ". "), time.Now)}
	h, err := b.newHome("mask")
	if err != nil {
		return err
	}
	r, ours := paired.Readings{}, paired.Series{}
	for _, k := range b.kens {
		p := h.ken(k, "--version")
		p.env = append(p.env, "GODEBUG=inittrace=1")
		trials = append(trials, paired.Trial{Name: k.name, Run: func(ctx context.Context) (paired.Reading, error) {
			if _, err := b.run(ctx, p, io.Discard); err != nil {
				return nil, err
			}
			trace, err := os.ReadFile(b.stderr.Name())
			if err != nil {
				return nil, err
			}
			masking, all, err := masking.Initialisers(trace, "ken/internal/redact")
			if k.name == "ken" {
				ours = append(ours, masking)
			}
			return paired.Single(map[paired.Quantity]float64{initMS: all}), err
		}})
	}
	if err := r.Take(ctx, b.o.n, trials); err != nil {
		return err
	}
	rep.Add(r, paired.Want{What: "mask a KB of ordinary text", Unit: "us", Trial: "masker", Of: masking.EachUS, Goal: goalMaskUS})
	rep.Add(r, paired.Want{What: "ken --version, all package initialisers", Unit: "ms", Trial: "ken", Of: initMS, Names: []string{"vs"}})
	rep.Note("package initialisers of masking: %.3f ms", ours.Quantile(paired.Median))
	if b.o.corpus == "" {
		rep.Note("-corpus FILE counts what is found in texts whose secrets are known")
		return nil
	}
	cases, err := masking.Read(b.o.corpus)
	if err != nil {
		return err
	}
	rep.Table = masking.Table(masking.Judge(m.Mask, cases))
	return nil
}
