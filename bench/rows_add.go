//go:build unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"

	"ken/bench/floors"
	"ken/bench/made"
	"ken/bench/paired"
)

// remember measures a command that keeps one memory and has it on the disk
// before it answers, with memories of several sizes.
func remember(ctx context.Context, b *bench, rep *paired.Report) error {
	random := rand.New(rand.NewPCG(3, 3)) // no text twice
	h, err := b.newHome("remember-floor")
	if err != nil {
		return err
	}
	bin, err := b.floor(ctx, floors.Add)
	if err != nil {
		return err
	}
	floor := program{bin: bin, env: environment(h.dir), dir: h.work}
	trials := []paired.Trial{b.adds(floors.Add, floor, func() []string {
		line := fmt.Sprintf(`{"id":1,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":%q}`, made.Sentence(random))
		return []string{filepath.Join(h.dir, "lock"), filepath.Join(h.dir, "lines"), line}
	})}
	if t, err := b.sqlite(ctx, rep, h, random); err != nil {
		return err
	} else if t.Run != nil {
		trials = append(trials, t)
	}
	for _, n := range b.size.memories {
		for _, k := range b.kens {
			h, err := b.remembering(ctx, k, "remember-"+k.name+"-"+paired.Label(n), n)
			if err != nil {
				return err
			}
			trials = append(trials, b.adds(k.name+" "+paired.Label(n), h.ken(k), func() []string {
				return []string{"remember", made.Sentence(random)}
			}))
		}
	}
	settle()
	r := paired.Readings{}
	if err := r.Take(ctx, b.o.n, trials); err != nil {
		return err
	}
	for i, n := range b.size.memories {
		with := ", to " + paired.Label(n) + " memories"
		w := paired.Want{
			What: "add one, synced" + with, Unit: "ms", Trial: "ken " + paired.Label(n), Of: wallMS,
			Names: []string{"vs " + paired.Label(n), floors.Add, sqliteName},
			Over:  []paired.OverGoal{{Name: floors.Add, Times: goalAddTimes}, {Name: sqliteName, Times: goalAddSQLiteTimes}},
		}
		if i > 0 {
			w.Over = append(w.Over, paired.OverGoal{Name: "ken " + paired.Label(b.size.memories[0]), Times: goalAddFlatTimes})
		}
		rep.Add(r, w)
		rep.Add(r, paired.Want{What: "add one, CPU" + with, Unit: "ms", Trial: "ken " + paired.Label(n), Of: cpuMS, Names: w.Names})
	}
	return nil
}

// adds is a trial that runs p with what args makes up each time.
func (b *bench) adds(name string, p program, args func() []string) paired.Trial {
	return paired.Trial{Name: name, Run: func(ctx context.Context) (paired.Reading, error) {
		p.args = args()
		return b.plain(name, p).Run(ctx)
	}}
}

const sqliteName = "sqlite3"

// sqlite is the anchor: one insert by the sqlite3 command line, synced in full,
// with the journal that it uses by itself. Its run is nil if it is not installed.
func (b *bench) sqlite(ctx context.Context, rep *paired.Report, h home, random *rand.Rand) (paired.Trial, error) {
	bin, err := exec.LookPath("sqlite3")
	if err != nil {
		rep.Note("sqlite3 is not installed: no anchor")
		return paired.Trial{}, nil
	}
	file := filepath.Join(h.dir, "anchor.db")
	p := program{bin: bin, env: environment(h.dir), dir: h.work}
	p.args = []string{file, "CREATE TABLE memory(id INTEGER PRIMARY KEY, ts TEXT, kind TEXT, content TEXT)"}
	if _, err := b.run(ctx, p, nil); err != nil {
		return paired.Trial{}, err
	}
	return b.adds(sqliteName, p, func() []string {
		// What is made up has no quotation marks.
		return []string{file, "PRAGMA synchronous=FULL; INSERT INTO memory(ts, kind, content) VALUES('2026-01-01T00:00:00Z', 'fact', '" + made.Sentence(random) + "')"}
	}), nil
}
