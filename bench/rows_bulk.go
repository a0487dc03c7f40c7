//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"ken/bench/made"
	"ken/bench/paired"
)

// imports measures taking in what others kept, into a home where nothing of it is
// known: turns of conversations, and memories, which become proposals.
func imports(ctx context.Context, b *bench, rep *paired.Report) error {
	for _, what := range []struct {
		name, format string
		n            int
		write        func(file string, series, n int) error
	}{
		{"turn", "turns", b.size.turns, made.Turns},
		{"proposal", "objects", b.size.turns / 2, made.Objects},
	} {
		file := filepath.Join(b.dir, what.format+".jsonl")
		if err := what.write(file, 1, what.n); err != nil {
			return err
		}
		var trials []paired.Trial
		for _, k := range b.kens {
			trials = append(trials, paired.Trial{Name: k.name, Run: func(ctx context.Context) (reading paired.Reading, err error) {
				h, err := b.newHome("import-" + k.name)
				if err != nil {
					return nil, err
				}
				defer func() { err = errors.Join(err, os.RemoveAll(h.dir)) }()
				c, err := b.run(ctx, h.ken(k, "import", "--format", what.format, "--scope", "user", file), nil)
				each := 1000 / float64(what.n)
				return paired.Single(map[paired.Quantity]float64{eachUS: ms(c.wall()) * each, eachCPUUS: ms(c.cpu) * each}), err
			}})
		}
		settle()
		r := paired.Readings{}
		if err := r.Take(ctx, b.few(), trials); err != nil {
			return err
		}
		title := "import " + paired.Label(what.n) + " " + what.name + "s, "
		rep.Add(r, paired.Want{What: title + "wall each", Unit: "us", Trial: "ken", Of: eachUS, Goal: goalImportUS, Names: []string{"vs"}})
		rep.Add(r, paired.Want{What: title + "CPU each", Unit: "us", Trial: "ken", Of: eachCPUUS, Names: []string{"vs"}})
		rep.Note("import of %ss: %.0f a second", what.name, 1e6/r.Of("ken", eachUS).Quantile(paired.Median))
	}
	return nil
}

// erases measures taking one memory of many out of every file, with the look into
// each of them that follows. One in fifty conversations quotes it.
func erases(ctx context.Context, b *bench, rep *paired.Report) error {
	n := b.size.memories[len(b.size.memories)-1]
	fresh := func(k contender) (home, error) {
		h, err := b.remembering(ctx, k, "erase-"+k.name, n)
		if err != nil {
			return h, err
		}
		err = made.Conversations(filepath.Join(h.dir, "sessions"), b.size.sessions, firstMemory())
		settle()
		return h, err
	}
	var trials []paired.Trial
	for _, k := range b.kens {
		trials = append(trials, paired.Trial{Name: k.name, Run: func(ctx context.Context) (reading paired.Reading, err error) {
			h, err := fresh(k)
			if err != nil {
				return nil, err
			}
			defer func() { err = errors.Join(err, os.RemoveAll(h.dir)) }()
			var out bytes.Buffer
			c, err := b.run(ctx, h.ken(k, "erase", "1", "--yes", "--json"), &out)
			if err != nil {
				return nil, err
			}
			looked, err := b.proof(out.Bytes())
			return paired.Single(map[paired.Quantity]float64{wallMS: ms(c.wall()), cpuMS: ms(c.cpu), files: looked}), err
		}})
	}
	r := paired.Readings{}
	if err := r.Take(ctx, b.few(), trials); err != nil {
		return err
	}
	for _, k := range b.kens {
		h, err := fresh(k)
		if err != nil {
			return err
		}
		mb, err := b.peak(ctx, h.ken(k, "erase", "1", "--yes"), nil)
		if err := errors.Join(err, os.RemoveAll(h.dir)); err != nil {
			return err
		}
		r.Add(k.name, paired.Single(map[paired.Quantity]float64{peakMB: mb}))
	}
	what := fmt.Sprintf("erase one of %s memories, %s sessions, ", paired.Label(n), paired.Label(b.size.sessions))
	names := []string{"vs"}
	rep.Add(r, paired.Want{What: what + "wall", Unit: "ms", Trial: "ken", Of: wallMS, Names: names})
	rep.Add(r, paired.Want{What: what + "CPU", Unit: "ms", Trial: "ken", Of: cpuMS, Names: names})
	rep.Add(r, paired.Want{What: what + "peak memory", Unit: "MB", Trial: "ken", Of: peakMB, Names: names})
	rep.Add(r, paired.Want{What: what + "files looked into", Unit: "files", Trial: "ken", Of: files, Names: names})
	return nil
}

// firstMemory is what the first memory of a home says.
func firstMemory() string { return made.Sentence(rand.New(rand.NewPCG(1, 1))) }

// proof checks what an erasing said: nothing is left, and the turns are gone. It
// returns how many files were looked into.
func (b *bench) proof(said []byte) (float64, error) {
	var out struct {
		Turns []json.RawMessage `json:"turns"`
		Proof struct {
			Files int  `json:"files"`
			Hits  *int `json:"hits"`
		} `json:"proof"`
	}
	if err := json.Unmarshal(said, &out); err != nil {
		return 0, fmt.Errorf("read what was erased: %w", err)
	}
	want := (b.size.sessions + 49) / 50
	if out.Proof.Hits == nil || *out.Proof.Hits != 0 || len(out.Turns) != want || out.Proof.Files < b.size.sessions {
		return 0, fmt.Errorf("it erased other than it should: %s", said)
	}
	return float64(out.Proof.Files), nil
}
