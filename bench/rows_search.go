//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ken/bench/fts"
	"ken/bench/paired"
	"ken/bench/zipf"
)

// searches measures whole questions about texts of words as common as a language's.
func searches(ctx context.Context, b *bench, rep *paired.Report) error {
	sizes := []int{1000, 10_000, 100_000}
	if b.o.quick {
		sizes = []int{200, 3000} // below and above where an index is kept
	} else if b.o.big {
		sizes = append(sizes, 1_000_000)
	}
	for _, n := range sizes {
		if err := b.searchesOf(ctx, rep, n); err != nil {
			return err
		}
	}
	return nil
}

// searchesOf are those of n texts: one by a command, with the index there and made
// anew; many in one process; and one just after a memory was added.
func (b *bench) searchesOf(ctx context.Context, rep *paired.Report, n int) error {
	r, size := paired.Readings{}, paired.Label(n)+" texts, "
	var trials []paired.Trial
	var bytes map[paired.Quantity]float64
	for _, k := range b.kens {
		h, err := b.newHome("search-" + k.name + paired.Label(n))
		if err != nil {
			return err
		}
		asked, err := zipf.Write(h.dir, n)
		if err != nil {
			return err
		}
		one := h.ken(k, "recall", "--in", "memory", "-k", "10", asked[0])
		index := filepath.Join(h.dir, "cache", "index")
		missing, added := b.plain(k.name+" missing", one), b.plain(k.name+" added", one)
		missing.Run = missing.After(func() error { return os.RemoveAll(index) })
		added.Run = added.After(func() error {
			_, err := b.run(ctx, h.ken(k, "remember", "the kettle is "+filepath.Base(h.dir)), nil)
			return err
		})
		shell := func(script string, args ...string) program {
			return program{bin: "/bin/sh", args: append([]string{"-c", script}, args...), env: one.env, dir: h.dir}
		}
		trials = append(trials, missing, b.plain(k.name, one), added, b.each(k.name+" many", shell(`exec "$0" recall --in memory --jsonl <`+zipf.Asked, k.bin), len(asked)))
		trials = append(trials, zipf.Live(k.name+" live", h.ken(k, "recall", "--in", "memory", "--jsonl").command, h.dir, time.Now))
		if k.name != "ken" {
			continue
		}
		if bin, err := exec.LookPath(sqliteName); err != nil {
			rep.Note("sqlite3 is not installed: no anchor")
		} else if _, err := b.run(ctx, shell(`exec "$0" texts.db <`+zipf.Texts, bin), nil); err != nil {
			rep.Note("sqlite3 has no FTS5: no anchor")
		} else {
			trials = append(trials, b.plain(sqliteName, shell(`exec "$0" texts.db "$1"`, bin, zipf.Select(asked[0]))), b.each(sqliteName+" many", shell(`exec "$0" texts.db <`+zipf.AskedSQL, bin), len(asked)))
		}
		if bin, err := exec.LookPath("rg"); err != nil {
			rep.Note("rg is not installed: nothing unranked stands beside")
		} else {
			trials = append(trials, b.plain("rg", program{bin: bin, args: []string{"-i", "-w", strings.Join(fts.Words(asked[0]), "|"), zipf.Memory}, env: one.env, dir: h.dir}))
		}
		if _, err := b.run(ctx, one, nil); err != nil { // makes the index
			return err
		}
		peak, err := b.peak(ctx, one, nil)
		if err != nil {
			return err
		}
		bytes = map[paired.Quantity]float64{peakMB: peak, indexPart: 100 * zipf.Bytes(index) / zipf.Bytes(h.memories())}
	}
	settle()
	if err := r.Take(ctx, b.few(), trials); err != nil {
		return err
	}
	r.Add("ken", paired.Single(bytes))
	for _, w := range []struct{ what, trial string }{{"one by a command, index there", ""}, {"one, index missing", " missing"}, {"one, after adding one", " added"}} {
		names := []string{"vs" + w.trial, sqliteName, "rg"}
		rep.Add(r, paired.Want{What: size + w.what + ", wall", Unit: "ms", Trial: "ken" + w.trial, Of: wallMS, Names: names})
		rep.Add(r, paired.Want{What: size + w.what + ", CPU", Unit: "ms", Trial: "ken" + w.trial, Of: cpuMS, Names: names})
	}
	rep.Add(r, paired.Want{What: size + "each of many, CPU", Unit: "us", Trial: "ken many", Of: eachCPUUS, Names: []string{"vs many", sqliteName + " many"}})
	for _, w := range zipf.LiveWants(n) {
		rep.Add(r, w)
	}
	rep.Add(r, paired.Want{What: size + "peak memory", Unit: "MB", Trial: "ken", Of: peakMB})
	if bytes[indexPart] > 0 {
		rep.Add(r, paired.Want{What: size + "index, of the memory's bytes", Unit: "%", Trial: "ken", Of: indexPart, Goal: goalIndexPart})
	} else {
		rep.Note("%s texts: no index is kept", paired.Label(n))
	}
	return nil
}

// each is a trial that runs p, which does n things.
func (b *bench) each(name string, p program, n int) paired.Trial {
	return paired.Trial{Name: name, Run: func(ctx context.Context) (paired.Reading, error) {
		c, err := b.run(ctx, p, nil)
		return paired.Single(map[paired.Quantity]float64{eachUS: 1000 * ms(c.wall()) / float64(n), eachCPUUS: 1000 * ms(c.cpu) / float64(n)}), err
	}}
}
