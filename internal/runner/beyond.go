package runner

import (
	"context"
	"path/filepath"
	"strings"

	"ken/internal/risk"
)

// root is the directory of the project: of the repository, else where the person stands.
func (r *Runner) root() string {
	if repo := r.home.Here.Place().Repo; repo != nil && repo.Top != "" {
		return repo.Top
	}
	return r.ports.Dir()
}

// readsForeign reports whether what a line prints may be from outside the project.
func (r *Runner) readsForeign(v risk.Assessment) bool {
	within := r.within()
	_, beyond := risk.Beyond(v, within)
	return beyond || risk.Elsewhere(v.Commands, within)
}

// ReadsForeign reports whether what a line of the person prints here may be from outside the project: of one that cannot be
// judged it may.
func (r *Runner) ReadsForeign(ctx context.Context, line string) bool {
	d, err := r.Open(ctx)
	return err != nil || r.readsForeign(d.Gate.Judge(line))
}

// within returns what says of a path, as a line has it, that it lies in the project, once its links are
// followed as far as there are files.
func (r *Runner) within() func(path string) bool {
	root, dir := r.root(), r.ports.Dir()
	real := func(path string) string {
		rest := ""
		for at := path; ; at, rest = filepath.Dir(at), filepath.Join(filepath.Base(at), rest) {
			if got, err := filepath.EvalSymlinks(at); err == nil {
				return filepath.Join(got, rest)
			}
			if at == filepath.Dir(at) {
				return path
			}
		}
	}
	return func(path string) bool {
		switch {
		case root == "" || dir == "" || strings.HasPrefix(path, "~"):
			return false
		case path == "/dev/null":
			return true
		case !filepath.IsAbs(path):
			path = filepath.Join(dir, path)
		}
		rel, err := filepath.Rel(real(root), real(path))
		return err == nil && filepath.IsLocal(rel)
	}
}
