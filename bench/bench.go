//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ken/bench/floors"
	"ken/bench/model"
	"ken/bench/paired"
)

// bench is one run: its tools, its files, and what was measured so far.
type bench struct {
	o       options
	size    sizes
	dir     string // everything that is made stands below it, and goes with it
	kens    []contender
	floors  map[string]string // name -> binary, of those that were needed so far
	model   *model.Model
	stderr  *os.File // of the program that runs now
	reports []*paired.Report
}

// A contender is a ken that is measured.
type contender struct{ name, bin string }

// sizes says how much is measured.
type sizes struct {
	memories []int // of the homes, in rising order; the first is empty
	short    int   // tokens of an answer that ends at once
	paced    int   // tokens of an answer that comes slowly
	streams  [2]int
	adds     int // in one process
	writes   int // of each of several writers
	turns    int // imported at once
	sessions int // that an erasing looks through
}

func sizesOf(o options) sizes {
	if o.quick {
		return sizes{memories: []int{0, 20, 200}, short: 20, paced: 20, streams: [2]int{1000, 10_000}, adds: 10, writes: 4, turns: 200, sessions: 20}
	}
	return sizes{memories: []int{0, 1000, 100_000}, short: 20, paced: 300, streams: [2]int{10_000, 100_000}, adds: 1000, writes: 100, turns: 100_000, sessions: 1000}
}

// few is the number of runs for what takes long.
func (b *bench) few() int { return min(b.o.n, max(2, b.o.n/4)) }

// newBench builds what is measured and starts the model.
func newBench(ctx context.Context, o options) (*bench, error) {
	b := &bench{o: o, size: sizesOf(o), floors: map[string]string{}}
	var err error
	if b.dir, err = os.MkdirTemp(o.dir, "ken-bench-"); err != nil {
		return nil, err
	}
	if b.dir, err = filepath.Abs(b.dir); err != nil { // programs run elsewhere
		return nil, err
	}
	if err := b.prepare(ctx); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *bench) prepare(ctx context.Context) error {
	var err error
	if b.stderr, err = os.Create(filepath.Join(b.dir, "stderr")); err != nil {
		return err
	}
	if b.model, err = model.Start(time.Now); err != nil {
		return err
	}
	ken := b.o.ken
	if ken == "" {
		if ken, err = b.buildKen(ctx); err != nil {
			return err
		}
	}
	b.kens = []contender{{"ken", ken}}
	if b.o.vs != "" {
		b.kens = append(b.kens, contender{"vs", b.o.vs})
	}
	for i, k := range b.kens {
		if b.kens[i].bin, err = filepath.Abs(k.bin); err != nil {
			return err
		}
	}
	return nil
}

// close ends the model and removes every file.
func (b *bench) close() error {
	var errs []error
	if b.model != nil {
		errs = append(errs, b.model.Stop())
	}
	if b.stderr != nil {
		errs = append(errs, b.stderr.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(b.dir))...)
}

// buildKen builds ken as it is shipped, from the tree that this module stands in.
func (b *bench) buildKen(ctx context.Context) (string, error) {
	here, err := module(ctx)
	if err != nil {
		return "", err
	}
	bin := filepath.Join(b.dir, "ken")
	return bin, floors.Build(ctx, filepath.Dir(here), bin, "./cmd/ken")
}

// buildWriter builds this program, to be one of several writers.
func (b *bench) buildWriter(ctx context.Context) (string, error) {
	here, err := module(ctx)
	if err != nil {
		return "", err
	}
	bin := filepath.Join(b.dir, "writer")
	return bin, floors.Build(ctx, here, bin, ".")
}

// module is the directory of this module: that of the working directory, or the one
// below it.
func module(ctx context.Context) (string, error) {
	mod, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("find the tree of ken: %w", err)
	}
	here := filepath.Dir(strings.TrimSpace(string(mod)))
	if filepath.Base(here) != "bench" {
		here = filepath.Join(here, "bench")
	}
	if _, err := os.Stat(filepath.Join(here, "go.mod")); err != nil {
		return "", fmt.Errorf("find the tree of ken: %w", err)
	}
	return here, nil
}

// floor is the binary of a floor, built when it is first asked for.
func (b *bench) floor(ctx context.Context, name string) (string, error) {
	if bin := b.floors[name]; bin != "" {
		return bin, nil
	}
	dir := filepath.Join(b.dir, "floors", name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(floors.Sources()[name]), 0o600); err != nil {
		return "", err
	}
	bin := filepath.Join(dir, name)
	if err := floors.Build(ctx, dir, bin, "main.go"); err != nil {
		return "", err
	}
	b.floors[name] = bin
	return bin, nil
}

// What is measured. The unit is that of the numbers.
const (
	wallMS       paired.Quantity = "wall, ms"
	cpuMS        paired.Quantity = "CPU, user and system, ms"
	requestMS    paired.Quantity = "start to request, ms"
	exitMS       paired.Quantity = "end of stream to exit, ms"
	promptMS     paired.Quantity = "start to prompt, ms"
	visibleP50MS paired.Quantity = "sent to visible, p50, ms"
	visibleP99MS paired.Quantity = "sent to visible, p99, ms"
	addMS        paired.Quantity = "add, ms"
	peakMB       paired.Quantity = "peak memory, MB"
	calls        paired.Quantity = "system calls"
	bodyBytes    paired.Quantity = "request, bytes"
	earlyUS      paired.Quantity = "CPU per token of a short stream, us"
	lateUS       paired.Quantity = "CPU per token of a long stream, us"
	keptPart     paired.Quantity = "kept of what was acknowledged, %"
	eachUS       paired.Quantity = "wall, each, us"
	eachCPUUS    paired.Quantity = "CPU, each, us"
	indexPart    paired.Quantity = "index, of the memory's bytes, %"
	files        paired.Quantity = "files looked into"
	initMS       paired.Quantity = "package initialisers, ms"
	longSec      paired.Quantity = "long stream, s"
)

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
