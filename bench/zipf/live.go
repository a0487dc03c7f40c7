package zipf

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"ken/bench/paired"
)

// liveUS is from writing a question to a running program until its answer is there.
const liveUS paired.Quantity = "question to answer, us"

// LiveWants are the lines about the trial "ken live" among n texts.
func LiveWants(n int) []paired.Want {
	var p50, p99 float64 // the goals; 0 = none
	switch {
	case n <= 1000:
		p50, p99 = 100, 300
	case n <= 10_000:
		p50, p99 = 500, 1500
	case n <= 100_000:
		p50, p99 = 3000, 10_000
	}
	what := paired.Label(n) + " texts, each in one process, wall "
	return []paired.Want{
		{What: what + "p50", Unit: "us", Trial: "ken live", Of: liveUS, Goal: p50, Names: []string{"vs live"}},
		{What: what + "p99", Unit: "us", Trial: "ken live", Of: liveUS, At: paired.P99, Goal: p99, Names: []string{"vs live"}},
	}
}

// passes is how often the questions are asked; the first time does not count.
const passes = 6

// Live is a trial that asks one program the questions of Asked in dir, line by line,
// each when the one before is answered; now is the clock.
func Live(name string, command func(context.Context) *exec.Cmd, dir string, now func() time.Time) paired.Trial {
	return paired.Trial{Name: name, Run: func(ctx context.Context) (paired.Reading, error) {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
		defer cancel()
		cmd := command(ctx)
		asked, err := os.ReadFile(filepath.Join(dir, Asked))
		if err != nil {
			return nil, err
		}
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		var took paired.Series
		answers := bufio.NewReaderSize(out, 1<<20)
		for pass := range passes {
			for q := range bytes.Lines(asked) {
				began := now()
				_, err := in.Write(q)
				if err == nil {
					_, err = answers.ReadSlice('\n')
				}
				if err != nil {
					cancel()
					return nil, fmt.Errorf("ask %s: %w", name, errors.Join(err, cmd.Wait()))
				}
				if pass > 0 {
					took = append(took, float64(now().Sub(began))/1000)
				}
			}
		}
		err = in.Close()
		return paired.Reading{liveUS: took}, errors.Join(err, cmd.Wait())
	}}
}
