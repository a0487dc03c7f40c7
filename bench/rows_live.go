//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"ken/internal/bench/paired"
	"ken/internal/bench/zipf"
)

// liveUS is from writing a question to a running ken until its answer is there.
const liveUS paired.Quantity = "question to answer, us"

// goalLive are the median and the p99 of that among so many texts, in us.
func goalLive(n int) (p50, p99 float64) {
	switch {
	case n <= 1000:
		return 100, 300
	case n <= 10_000:
		return 500, 1500
	case n <= 100_000:
		return 3000, 10_000
	}
	return 0, 0
}

// livePasses is how often the questions of a file are asked; the first time does not
// count.
const livePasses = 6

// live is a trial that asks one ken that goes on, question by question.
func (b *bench) live(name string, k contender, h home) paired.Trial {
	return paired.Trial{Name: name, Run: func(ctx context.Context) (r paired.Reading, err error) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		cmd := h.ken(k, "recall", "--in", "memory", "--jsonl").command(ctx)
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		asked, err := os.ReadFile(filepath.Join(h.dir, zipf.Asked))
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		var took paired.Series
		answers := bufio.NewReaderSize(out, 1<<20)
		for pass := range livePasses {
			for q := range bytes.Lines(asked) {
				began := time.Now()
				if _, err := in.Write(q); err != nil {
					return nil, fmt.Errorf("ask %s: %w", k.bin, err)
				}
				if _, err := answers.ReadSlice('\n'); err != nil {
					return nil, fmt.Errorf("ask %s: %w", k.bin, err)
				}
				if pass > 0 {
					took = append(took, float64(time.Since(began))/1000)
				}
			}
		}
		if err := in.Close(); err != nil {
			return nil, err
		}
		return paired.Reading{liveUS: took}, cmd.Wait()
	}}
}
