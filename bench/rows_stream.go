//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"time"

	"ken/bench/floors"
	"ken/bench/model"
	"ken/bench/paired"
)

// A watch notes when each token of an answer was first there to be read.
type watch struct {
	seen []time.Time
	rest []byte // what may hold the beginning of the next token
}

// Write takes what was read, and never fails.
func (w *watch) Write(text []byte) (int, error) {
	now := time.Now()
	w.rest = append(w.rest, text...)
	for {
		next := model.Mark(len(w.seen))
		i := bytes.Index(w.rest, []byte(next))
		if i < 0 {
			w.rest = w.rest[max(0, len(w.rest)-len(next)):]
			return len(text), nil
		}
		w.rest = w.rest[i+len(next):]
		w.seen = append(w.seen, now)
	}
}

// delays are the times from sending each token to seeing it.
func (w *watch) delays(x *model.Exchange) (paired.Series, error) {
	if len(w.seen) < len(x.Sent) {
		return nil, fmt.Errorf("%d tokens were sent and %d shown", len(x.Sent), len(w.seen))
	}
	s := make(paired.Series, len(x.Sent))
	for i, at := range x.Sent {
		s[i] = ms(w.seen[i].Sub(at))
	}
	return s, nil
}

// A talker is one way of having an answer shown: a program, on a pipe or on a
// terminal.
type talker struct {
	name     string
	program  program
	terminal bool
}

// dumbKen is ken where it lays nothing out.
const dumbKen = "ken, TERM=dumb,"

// talkers are the kens, on a pipe and on a terminal, and what to compare them
// with.
func (b *bench) talkers(ctx context.Context, rep *paired.Report, row string) ([]talker, error) {
	var all []talker
	for _, k := range b.kens {
		h, err := b.newHome(row + "-" + k.name)
		if err != nil {
			return nil, err
		}
		p := h.ken(k, "ask", question)
		all = append(all, talker{k.name + " pipe", p, false}, talker{k.name + " terminal", p, true})
		if k.name == "ken" { // what laying out markdown costs
			p.env = append(slices.Clone(p.env), "TERM=dumb")
			all = append(all, talker{dumbKen + " terminal", p, true})
		}
	}
	floor, err := b.postFloor(ctx, row+"-floor")
	if err != nil {
		return nil, err
	}
	all = append(all, talker{floors.Ask + " pipe", floor, false}, talker{floors.Ask + " terminal", floor, true})
	curl, err := exec.LookPath("curl")
	if err != nil {
		rep.Note("curl is not installed: no anchor")
		return all, nil
	}
	raw := floor
	raw.bin, raw.args = curl, []string{"-sN", "-d", `{"model":"bench","stream":true}`, floor.args[0]}
	return append(all, talker{"curl -N pipe", raw, false}, talker{"curl -N terminal", raw, true}), nil
}

// listen has t ask for a, with what it prints going to w.
func (b *bench) listen(ctx context.Context, t talker, a model.Answer, w io.Writer) (cost, *model.Exchange, error) {
	x := b.model.Expect(a)
	var c cost
	var err error
	if t.terminal {
		c, err = b.runTerminal(ctx, t.program, func(_ io.Writer, text []byte) { _, _ = w.Write(text) })
	} else {
		c, err = b.run(ctx, t.program, w)
	}
	if err != nil {
		return c, x, err
	}
	return c, x, x.Wait()
}

// visible measures how long a token takes from the model to the person.
func visible(ctx context.Context, b *bench, rep *paired.Report) error {
	all, err := b.talkers(ctx, rep, "visible")
	if err != nil {
		return err
	}
	slow := model.Answer{Tokens: b.size.paced, Pause: 3 * time.Millisecond}
	var trials []paired.Trial
	for _, t := range all {
		trials = append(trials, paired.Trial{Name: t.name, Run: func(ctx context.Context) (paired.Reading, error) {
			w := &watch{}
			_, x, err := b.listen(ctx, t, slow, w)
			if err != nil {
				return nil, err
			}
			s, err := w.delays(x)
			if err != nil {
				return nil, err
			}
			// Of each run by itself: one stall of the machine is one run's.
			return paired.Single(map[paired.Quantity]float64{
				visibleP50MS: s.Quantile(paired.Median), visibleP99MS: s.Quantile(paired.P99),
			}), nil
		}})
	}
	settle()
	r := paired.Readings{}
	if err := r.Take(ctx, b.few(), trials); err != nil {
		return err
	}
	for _, on := range []string{"pipe", "terminal"} {
		goal := goalVisiblePipeMS
		if on == "terminal" {
			goal = goalVisibleTerminalMS
		}
		w := paired.Want{Unit: "ms", Trial: "ken " + on, Names: []string{"vs " + on, dumbKen + " " + on, floors.Ask + " " + on, "curl -N " + on}}
		w.What, w.Of, w.Goal = "token sent to visible, "+on+", p50", visibleP50MS, goal
		rep.Add(r, w)
		w.What, w.Of, w.Goal = "token sent to visible, "+on+", p99", visibleP99MS, goalVisibleP99MS
		rep.Add(r, w)
	}
	return nil
}

// stream measures what the tokens of long answers cost.
func stream(ctx context.Context, b *bench, rep *paired.Report) error {
	all, err := b.talkers(ctx, rep, "stream")
	if err != nil {
		return err
	}
	var trials []paired.Trial
	for _, t := range all {
		trials = append(trials, paired.Trial{Name: t.name, Run: func(ctx context.Context) (paired.Reading, error) { return b.tokenCosts(ctx, t) }})
	}
	settle()
	r := paired.Readings{}
	if err := r.Take(ctx, b.few(), trials); err != nil {
		return err
	}
	short, long := paired.Label(b.size.streams[0]), paired.Label(b.size.streams[1])
	for _, on := range []string{"pipe", "terminal"} {
		goal, goalSec := float64(goalTokenPipeUS), 0.0
		if on == "terminal" {
			goal, goalSec = goalTokenTerminalUS, goalLongSec
		}
		name, names := "ken "+on, []string{"vs " + on, dumbKen + " " + on, floors.Ask + " " + on, "curl -N " + on}
		rep.Add(r, paired.Want{What: on + ", CPU per token, first " + short, Unit: "us", Trial: name, Of: earlyUS, Goal: goal, Names: names})
		rep.Add(r, paired.Want{What: on + ", CPU per token, on to " + long, Unit: "us", Trial: name, Of: lateUS, Goal: goal, Names: names})
		rep.AddRatio(on+", CPU per token, late over early", r.Of(name, lateUS).Over(r.Of(name, earlyUS), paired.Median), goalGrowthTimes)
		rep.Add(r, paired.Want{What: on + ", " + long + " tokens, wall", Unit: "s", Trial: name, Of: longSec, Goal: goalSec, Names: names})
	}
	return b.longPeaks(ctx, rep, r, all)
}

// tokenCosts has t take an answer of one token, a short one and a long one.
// What the start costs is in all three, so that the differences are the
// tokens' own.
func (b *bench) tokenCosts(ctx context.Context, t talker) (paired.Reading, error) {
	var costs [3]cost
	tokens := [3]int{1, b.size.streams[0], b.size.streams[1]}
	for i, n := range tokens {
		a := model.Answer{Tokens: n}
		shown := &counter{}
		c, _, err := b.listen(ctx, t, a, shown)
		if err != nil {
			return nil, err
		}
		if want := n * len(model.Word(0)); shown.n < want {
			return nil, fmt.Errorf("%d bytes were shown of an answer of %d", shown.n, want)
		}
		costs[i] = c
	}
	perToken := func(i int) float64 {
		return 1000 * ms(costs[i].cpu-costs[i-1].cpu) / float64(tokens[i]-tokens[i-1])
	}
	return paired.Single(map[paired.Quantity]float64{earlyUS: perToken(1), lateUS: perToken(2), longSec: costs[2].wall().Seconds()}), nil
}

// counter counts what it is given.
type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) {
	c.n += len(p)
	return len(p), nil
}

// longPeaks measures the peak memory of a long answer on a pipe.
func (b *bench) longPeaks(ctx context.Context, rep *paired.Report, r paired.Readings, all []talker) error {
	long := model.Answer{Tokens: b.size.streams[1]}
	for range b.few() {
		for _, t := range all {
			if t.terminal {
				continue
			}
			x := b.model.Expect(long)
			mb, err := b.peak(ctx, t.program, io.Discard)
			if err := errors.Join(err, x.Wait()); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			r.Add(t.name, paired.Single(map[paired.Quantity]float64{peakMB: mb}))
		}
	}
	rep.Add(r, paired.Want{
		What: "pipe, peak memory after " + paired.Label(long.Tokens) + " tokens", Unit: "MB", Trial: "ken pipe", Of: peakMB,
		Goal: goalLongPeakMB, Names: []string{"vs pipe", floors.Ask + " pipe", "curl -N pipe"},
	})
	return nil
}
