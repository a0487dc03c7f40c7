//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"

	"ken/bench/made"
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
		filepath.Join(h.dir, "config.toml"): "model = \"bench\"\n[models.bench]\nbase_url = \"" + b.model.URL + "\"\nmodel = \"bench\"\n",
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
	first := h.ken(k, "remember", firstMemory())
	first.env = append(first.env, "KEN_NOW=2025-12-31T00:00:00Z") // the others follow it
	if _, err := b.run(ctx, first, nil); err != nil {
		return h, err
	}
	return h, made.Memories(h.memories(), n-1)
}
