package scales

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"ken/bench/paired"
	"ken/bench/zipf"
	"ken/internal/index/indextest"
)

// unindexed writes what an answer without an index costs, where none can be kept.
func (o *Options) unindexed(ctx context.Context, out io.Writer) error {
	for _, n := range o.Sizes {
		home, err := o.memories(n, "unindexed")
		if err != nil {
			return err
		}
		// A file where the directory of the index would be: nothing is made behind the answer.
		if err := os.WriteFile(filepath.Join(home, "cache"), nil, 0o600); err != nil {
			return err
		}
		took := paired.Series{}
		for range o.Runs {
			ms, err := run(o.at(home, "recall", "--in", "memory", "kato").command(ctx))
			if err != nil {
				return err
			}
			took = append(took, ms)
		}
		if _, err := fmt.Fprintf(out, "%s memories, no index can be kept: %s ms CPU a command\n", paired.Label(n), figure(took)); err != nil {
			return err
		}
	}
	return nil
}

// memories is a new home with n memories.
func (o *Options) memories(n int, name string) (string, error) {
	home := filepath.Join(o.Dir, name+paired.Label(n))
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", err
	}
	return home, zipf.WriteMemory(home, indextest.Documents(n, 1))
}

// building writes what the index of the most memories takes while it is made.
func (o *Options) building(ctx context.Context, out io.Writer) error {
	if o.Most == 0 {
		return nil
	}
	home, err := o.memories(o.Most, "build")
	if err != nil {
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it is only read
	l := o.at(home, "recall", "--in", "memory", "kato")
	l.bin, l.args = o.Peaker, append([]string{o.Ken}, l.args...)
	cmd := l.command(ctx)
	cmd.ExtraFiles = []*os.File{w}
	ms, err := run(cmd)
	if closing := w.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	said, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	kib, err := strconv.ParseFloat(string(said), 64)
	if err != nil {
		return fmt.Errorf("peak memory: %w", err)
	}
	size := zipf.Bytes(filepath.Join(home, zipf.Memory))
	_, err = fmt.Fprintf(out, "index of %s memories made, with the answer: peak memory %.0f MB, %.1f times the %.0f MB of the file; "+
		"%.1f s CPU; index %.0f MB\n",
		paired.Label(o.Most), kib*1024/1e6, kib*1024/size, size/1e6, ms/1000, zipf.Bytes(filepath.Join(home, "cache", "index"))/1e6)
	return err
}
