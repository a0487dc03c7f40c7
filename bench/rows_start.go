//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"time"

	"ken/bench/floors"
	"ken/bench/hands"
	"ken/bench/paired"
)

func version(ctx context.Context, b *bench, rep *paired.Report) error {
	return b.starts(ctx, rep, "--version")
}

func help(ctx context.Context, b *bench, rep *paired.Report) error {
	return b.starts(ctx, rep, "--help")
}

// starts measures a ken that does next to nothing beside a program that does
// nothing.
func (b *bench) starts(ctx context.Context, rep *paired.Report, flag string) error {
	h, err := b.newHome("start" + flag)
	if err != nil {
		return err
	}
	empty, err := b.floor(ctx, floors.Empty)
	if err != nil {
		return err
	}
	programs := map[string]program{floors.Empty: {bin: empty, dir: h.work, env: environment(h.dir)}}
	trials := []paired.Trial{b.plain(floors.Empty, programs[floors.Empty])}
	for _, k := range b.kens {
		programs[k.name] = h.ken(k, flag)
		trials = append(trials, b.plain(k.name, programs[k.name]))
	}
	r := paired.Readings{}
	if err := r.Take(ctx, b.o.n, trials); err != nil {
		return err
	}
	if err := b.peaksAndCalls(ctx, rep, r, programs, nil); err != nil {
		return err
	}
	names := []string{"vs", floors.Empty}
	what := "ken " + flag
	rep.Add(r, paired.Want{What: what + ", wall", Unit: "ms", Trial: "ken", Of: wallMS, Goal: goalStartMS, Names: names, Over: []paired.OverGoal{{Name: floors.Empty, Times: goalStartTimes}}})
	rep.Add(r, paired.Want{What: what + ", CPU", Unit: "ms", Trial: "ken", Of: cpuMS, Names: names})
	rep.Add(r, paired.Want{What: what + ", peak memory", Unit: "MB", Trial: "ken", Of: peakMB, Names: names})
	b.addCalls(rep, r, what+", system calls", "ken", names)
	return nil
}

// plain is a trial that runs p with its output going nowhere.
func (b *bench) plain(name string, p program) paired.Trial {
	return paired.Trial{Name: name, Run: func(ctx context.Context) (paired.Reading, error) {
		c, err := b.run(ctx, p, nil)
		return paired.Single(map[paired.Quantity]float64{wallMS: ms(c.wall()), cpuMS: ms(c.cpu)}), err
	}}
}

// peaksAndCalls adds the peak memory of the programs to r and, where strace is
// installed, the number of their system calls. before is called before each run.
func (b *bench) peaksAndCalls(ctx context.Context, rep *paired.Report, r paired.Readings, programs map[string]program, before func()) error {
	strace, err := exec.LookPath("strace")
	if err != nil {
		rep.Note("strace is not installed: no system calls")
	}
	if before == nil {
		before = func() {}
	}
	for range b.few() {
		for _, name := range slices.Sorted(maps.Keys(programs)) {
			p := programs[name]
			before()
			mb, err := b.peak(ctx, p, io.Discard)
			if err != nil {
				return err
			}
			r.Add(name, paired.Single(map[paired.Quantity]float64{peakMB: mb}))
			if strace == "" {
				continue
			}
			before()
			n, err := b.calls(ctx, strace, p, io.Discard)
			if err != nil {
				rep.Note("strace does not work here: %v", err)
				strace = ""
				continue
			}
			r.Add(name, paired.Single(map[paired.Quantity]float64{calls: n}))
		}
	}
	return nil
}

// addCalls adds the line of system calls where they could be counted.
func (b *bench) addCalls(rep *paired.Report, r paired.Readings, what, trial string, names []string) {
	if len(r.Of(trial, calls)) > 0 {
		rep.Add(r, paired.Want{What: what, Unit: "calls", Trial: trial, Of: calls, Names: names})
	}
}

// shell measures from starting the shell to its prompt, with a memory of
// ordinary size.
func shell(ctx context.Context, b *bench, rep *paired.Report) error {
	n := b.size.memories[1]
	var trials []paired.Trial
	for _, k := range b.kens {
		h, err := b.remembering(ctx, k, "shell-"+k.name, n)
		if err != nil {
			return err
		}
		trials = append(trials, paired.Trial{Name: k.name, Run: func(ctx context.Context) (paired.Reading, error) {
			return b.prompt(ctx, h.ken(k))
		}})
	}
	settle()
	r := paired.Readings{}
	if err := r.Take(ctx, b.o.n, trials); err != nil {
		return err
	}
	rep.Add(r, paired.Want{
		What: "start to prompt on a terminal, " + paired.Label(n) + " memories", Unit: "ms",
		Trial: "ken", Of: promptMS, Goal: goalPromptMS, Names: []string{"vs"},
	})
	return nil
}

// prompt starts a shell, waits for its prompt and leaves by the end of input.
func (b *bench) prompt(ctx context.Context, p program) (paired.Reading, error) {
	// What ends the prompt, and how a terminal answers who asks for the cursor.
	mark, question, place := []byte("]> "), []byte("\x1b[6n"), "\x1b[1;1R"
	colours := regexp.MustCompile("\x1b\\[[0-9;]*m")
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var shown []byte
	var seen time.Time
	c, err := b.runTerminal(ctx, p, func(keys io.Writer, text []byte) {
		for range bytes.Count(text, question) {
			_, _ = io.WriteString(keys, place) // a shell that is gone reads nothing
		}
		if shown = append(shown, text...); seen.IsZero() && bytes.Contains(colours.ReplaceAll(shown, nil), mark) {
			seen = time.Now()
			_, _ = io.WriteString(keys, "\x04")
		}
	})
	if err != nil {
		return nil, err
	}
	if seen.IsZero() {
		return nil, errors.New("the shell ended without a prompt")
	}
	return paired.Single(map[paired.Quantity]float64{promptMS: ms(seen.Sub(c.started))}), nil
}

// onTerminal measures commands on a terminal, beside script and tmux.
func onTerminal(ctx context.Context, b *bench, rep *paired.Report) error {
	h, err := b.newHome("hands")
	if err != nil {
		return err
	}
	ways := hands.Peers(h.dir)
	for _, k := range b.kens {
		ways = append(ways, hands.Way{Name: k.name, Own: true, Keys: true, Start: func(ctx context.Context, line string) *exec.Cmd {
			return h.ken(k, "exec", line).command(ctx)
		}})
	}
	return hands.Report(ctx, h.dir, b.o.n, b.o.quick, ways, time.Now, rep)
}
