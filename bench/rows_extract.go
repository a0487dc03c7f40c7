//go:build unix

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/bench/extracting"
	"ken/internal/bench/paired"
	"ken/internal/distill/stated"
)

// extracts measures the built-in extractor: what it costs, what it finds of sentences
// that state something, and what becomes of texts that try to be remembered.
func extracts(ctx context.Context, b *bench, rep *paired.Report) error {
	sentences := filepath.Join("internal", "distill", "stated", "testdata", "sentences.txt")
	found, all, wrong, others, err := extracting.Sentences(sentences)
	if err != nil {
		return err
	}
	text := strings.Repeat("I prefer tabs over spaces. Where is the log? We decided on Postgres. Fix it. ", 10)
	trial := paired.Trial{Name: "extractor", Run: func(context.Context) (paired.Reading, error) {
		began := time.Now()
		const times = 20
		for range times {
			stated.Read(text, began)
		}
		return paired.Single(map[paired.Quantity]float64{eachUS: float64(time.Since(began)) / 1000 / times / float64(len(text)) * 1000}), nil
	}}
	r := paired.Readings{}
	if err := r.Take(ctx, b.o.n, []paired.Trial{trial}); err != nil {
		return err
	}
	rep.Add(r, paired.Want{What: "read a KB of typed text for statements", Unit: "us", Trial: "extractor", Of: eachUS})
	rep.Note("%d of %d statements found, %d wrong; %d sentences that state nothing", found, all, wrong, others)
	own := filepath.Join("internal", "bench", "extracting", "testdata")
	for _, path := range []string{filepath.Join(own, "poison.jsonl"), filepath.Join(own, "benign.jsonl"), b.o.poison} {
		if path == "" {
			continue
		}
		cases, err := extracting.Read(path)
		if err != nil {
			return err
		}
		j := extracting.Judge(ctx, cases)
		rep.Note("%s: %d of %d candidates of others landed; %d of %d origins right; flagged %d of %d poisoned, %d of %d others",
			filepath.Base(path), j.Landed, j.Derived, j.Right, j.Origins, j.Flagged, j.Poison, j.Wrong, j.Benign)
		rep.Table = append(rep.Table, j.Failures...)
	}
	if b.o.talks == "" {
		return nil
	}
	list, turns, err := extracting.Talks(b.o.talks)
	if err != nil {
		return err
	}
	rep.Note("%d candidates in %d turns of people's conversations, to be judged by eye", len(list), turns)
	for i, s := range list {
		rep.Table = append(rep.Table, fmt.Sprintf("%3d %s", i+1, s))
	}
	return nil
}
