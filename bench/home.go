//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/memory"
)

// A home is a KEN_HOME of its own, with a project directory to stand in.
type home struct {
	dir  string // KEN_HOME and HOME
	work string // the project
}

// newHome makes a home whose model is the bench's.
func (b *bench) newHome(name string) (home, error) {
	h := home{dir: filepath.Join(b.dir, "homes", name), work: filepath.Join(b.dir, "homes", name, "project")}
	git := filepath.Join(h.work, ".git")
	if err := os.MkdirAll(git, 0o700); err != nil {
		return h, err
	}
	for file, text := range map[string]string{
		filepath.Join(h.dir, "config.toml"): "model = \"bench\"\n[models.bench]\nbase_url = \"" + b.model.url + "\"\nmodel = \"bench\"\n",
		// As much of a repository as says which one it is.
		filepath.Join(git, "HEAD"):   "ref: refs/heads/main\n",
		filepath.Join(git, "config"): "[remote \"origin\"]\n\turl = https://example.com/bench/project.git\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return h, err
		}
	}
	return h, nil
}

// ken is a command line of k in the home h.
func (h home) ken(k contender, args ...string) program {
	return program{bin: k.bin, args: args, env: environment(h.dir), dir: h.work}
}

// memories is the log of the home.
func (h home) memories() string { return filepath.Join(h.dir, "memory.jsonl") }

// remembering makes a home for k with n memories. The first comes from k itself,
// which begins the log; the others are written behind it.
func (b *bench) remembering(ctx context.Context, k contender, name string, n int) (home, error) {
	h, err := b.newHome(name)
	if err != nil || n == 0 {
		return h, err
	}
	if _, err := b.run(ctx, h.ken(k, "remember", sentence(rand.New(rand.NewPCG(1, 1)))), nil); err != nil {
		return h, err
	}
	return h, appendMemories(h.memories(), n-1)
}

// appendMemories writes n memories to a log with one, the same ones at every
// call: one in eight holds for the project only, one in thirty-two is pinned.
func appendMemories(file string, n int) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	random := rand.New(rand.NewPCG(2, uint64(n)))
	kinds := []memory.Kind{memory.KindFact, memory.KindFact, memory.KindPref, memory.KindDecision, memory.KindGotcha}
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w := bufio.NewWriter(f)
	var text []byte
	for i := range n {
		rec := memory.Record{
			ID: memory.Num(int64(i) + 2), Time: began.Add(time.Duration(i) * time.Minute),
			Kind: kinds[random.IntN(len(kinds))], Content: sentence(random), Pinned: random.IntN(32) == 0,
		}
		if random.IntN(8) == 0 {
			rec.Scope = "repo:example.com/bench/project"
		}
		text = append(rec.AppendJSON(text[:0]), '\n')
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Sync()
}

// sentence is something to remember: about a hundred bytes.
func sentence(random *rand.Rand) string {
	words := strings.Fields(`the server build needs port cache before deploy test config database always
		uses branch release old new script which runs nightly on staging customer report parser returns empty
		list when input file is missing prefer short answers tabs over spaces never push to main without review`)
	out := make([]string, 12+random.IntN(8))
	for i := range out {
		out[i] = words[random.IntN(len(words))]
	}
	return fmt.Sprintf("%s %d", strings.Join(out, " "), random.IntN(1_000_000))
}
