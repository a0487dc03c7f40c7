//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"ken/bench/crowd"
	"ken/bench/made"
	"ken/bench/paired"
)

const referenceName = "reference"

// A kind of writers: open makes n of them, on a memory of their own in home, and
// found reads what is there afterwards.
type crowdOf struct {
	name  string
	open  func(ctx context.Context, h home) (crowd.Writer, error)
	found func(ctx context.Context, h home) (map[string]bool, error)
	ours  bool // loses and refuses nothing
}

// writers measures several writers at once on one memory, which is new: how much
// of what each was told is kept is there afterwards.
func writers(ctx context.Context, b *bench, rep *paired.Report) error {
	kinds, err := b.crowds(ctx, rep)
	if err != nil {
		return err
	}
	for _, n := range []int{2, 8} {
		var trials []paired.Trial
		lost := map[string]*[3]int{} // acknowledged, lost, refused
		for _, c := range kinds {
			lost[c.name] = new([3]int)
			trials = append(trials, b.crowd(c, n, lost[c.name]))
		}
		r := paired.Readings{}
		if err := r.Take(ctx, b.few(), trials); err != nil {
			return err
		}
		what := fmt.Sprintf("%d writers, %d adds each, ", n, b.size.writes)
		for _, c := range kinds {
			if c.ours {
				rep.Add(r, paired.Want{What: what + c.name + ": there of what was acknowledged", Unit: "%", Trial: c.name, Of: keptPart, Names: []string{referenceName}})
				rep.Add(r, paired.Want{What: what + c.name + ": wall", Unit: "ms", Trial: c.name, Of: wallMS, Names: []string{referenceName}})
			}
			l := lost[c.name]
			rep.Note("%s%s, all runs: %d acknowledged, %d lost, %d refused", what, c.name, l[0], l[1], l[2])
		}
	}
	return nil
}

// crowds are the kinds of writers that are measured.
func (b *bench) crowds(ctx context.Context, rep *paired.Report) ([]crowdOf, error) {
	bin, err := b.buildWriter(ctx)
	if err != nil {
		return nil, err
	}
	kinds := []crowdOf{{
		name: "engine", ours: true, found: b.listed(b.kens[0]),
		open: func(ctx context.Context, h home) (crowd.Writer, error) {
			return crowd.Start(program{bin: bin, args: []string{"-writer", h.dir}, env: environment(h.dir), dir: h.work}.command(ctx))
		},
	}}
	for _, k := range b.kens {
		kinds = append(kinds, crowdOf{
			name: k.name + " remember", ours: true, found: b.listed(k),
			open: func(_ context.Context, h home) (crowd.Writer, error) {
				return crowd.Command(func(ctx context.Context, text string) *exec.Cmd {
					return h.ken(k, "remember", text).command(ctx)
				}), nil
			},
		})
	}
	if !b.o.npm {
		rep.Note("-npm installs %s from the network and measures it beside ken", crowd.ReferenceName)
		return kinds, nil
	}
	server, err := crowd.Install(ctx, filepath.Join(b.dir, "npm"))
	if err != nil {
		return nil, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, err
	}
	file := func(h home) string { return filepath.Join(h.dir, "reference.jsonl") }
	return append(kinds, crowdOf{
		name: referenceName,
		open: func(ctx context.Context, h home) (crowd.Writer, error) {
			p := program{bin: node, args: []string{server}, env: append(environment(h.dir), "MEMORY_FILE_PATH="+file(h)), dir: h.work}
			return crowd.Serve(p.command(ctx))
		},
		found: func(_ context.Context, h home) (map[string]bool, error) {
			f, err := os.Open(file(h))
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return crowd.Entities(f)
		},
	}), nil
}

// listed asks k, in a process of its own, what is remembered.
func (b *bench) listed(k contender) func(context.Context, home) (map[string]bool, error) {
	return func(ctx context.Context, h home) (map[string]bool, error) {
		var out bytes.Buffer
		if _, err := b.run(ctx, h.ken(k, "memory", "list", "--json"), &out); err != nil {
			return nil, err
		}
		var items []struct{ Content string }
		if err := json.Unmarshal(out.Bytes(), &items); err != nil {
			return nil, fmt.Errorf("read the list: %w", err)
		}
		there := map[string]bool{}
		for _, it := range items {
			there[it.Content] = true
		}
		return there, nil
	}
}

// crowd is a trial of n writers, each run on a home of its own; sum counts what
// was acknowledged, lost and refused.
func (b *bench) crowd(c crowdOf, n int, sum *[3]int) paired.Trial {
	run := 0
	return paired.Trial{Name: c.name, Run: func(ctx context.Context) (reading paired.Reading, err error) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		run++
		h, err := b.newHome(fmt.Sprintf("writers-%s-%d-%d", c.name, n, run))
		if err != nil {
			return nil, err
		}
		var all []crowd.Writer
		defer func() {
			for _, w := range all {
				err = errors.Join(err, w.Close())
			}
			err = errors.Join(err, os.RemoveAll(h.dir))
		}()
		var texts [][]string
		for i := range n {
			w, err := c.open(ctx, h)
			if err != nil {
				return nil, err
			}
			all, texts = append(all, w), append(texts, made.Sentences(uint64(i+1), b.size.writes))
		}
		o, err := crowd.Run(ctx, all, texts, time.Now)
		if err != nil {
			return nil, err
		}
		there, err := c.found(ctx, h)
		if err != nil {
			return nil, err
		}
		lost := o.Lost(func(text string) bool { return there[text] })
		sum[0], sum[1], sum[2] = sum[0]+len(o.Kept), sum[1]+lost, sum[2]+o.Refused
		if c.ours && lost+o.Refused > 0 {
			return nil, fmt.Errorf("of %d acknowledged %d are lost, and %d were refused (%s)", len(o.Kept), lost, o.Refused, o.Reason)
		}
		part := 100 * float64(len(o.Kept)-lost) / float64(max(1, len(o.Kept)))
		return paired.Single(map[paired.Quantity]float64{keptPart: part, wallMS: ms(o.Wall)}), nil
	}}
}
