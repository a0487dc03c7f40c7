package place

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/regular"
)

// A Place is where a person stands. The zero Place is nowhere: only what holds
// everywhere holds there.
type Place struct {
	Dir  string // the directory, symbolic links resolved, "~" for the home directory, "/" between parts
	Abs  string // the same as an absolute path of this system
	Repo *Repo  // the innermost repository around it; nil if there is none
	// Broken is what looks like a repository, or a part of one, and could not
	// be read: a person should know, since what they say --here may then hold
	// somewhere else than they think. nil: nothing.
	Broken error

	home string // canonical; "" if there is none
}

// A Repo is a repository.
type Repo struct {
	Top        string   // the directory that holds .git, canonical
	CommonDir  string   // git's directory, shared by all worktrees
	Identities []string // "github.com/me/aish" for each remote that counts, without repeats, lower case, origin first
	// Claimed says that the directory says which repository it is, and that one knows
	// nothing of it: a .git that leads elsewhere, and is no worktree or submodule of what is there.
	Claimed bool
	// Also are other identities that the person said are of this repository: names that it had before. Find leaves them to who knows.
	Also   []string
	RootID string // "root-" and 12 hexadecimal digits of the first commit; "" if not known or not needed

	gitDir string // git's directory of this worktree
}

// A Finder finds places. The zero Finder knows no home, keeps nothing, and
// works.
type Finder struct {
	Home string // the home directory; "" if there is none
	// Cache is a directory for the first commits of repositories without
	// remotes; it is made when there is something to keep. "" keeps nothing:
	// git is then asked each time.
	Cache string
}

// Find returns the Place of dir for a person whose home directory is home. See
// Finder.Find.
func Find(dir, home string) (Place, error) {
	return Finder{Home: home}.Find(context.Background(), dir)
}

// Find returns the Place of dir, which may be relative and must exist. Repositories
// that cannot be read are none, and Place.Broken says so.
func (f Finder) Find(ctx context.Context, dir string) (Place, error) {
	abs, err := canonical(dir)
	if err != nil {
		return Place{}, fmt.Errorf("find where %s is: %w", dir, err)
	}
	p := Place{Abs: abs}
	if f.Home != "" {
		if home, err := canonical(f.Home); err == nil {
			p.home = home // a home that does not exist has nothing below it
		}
	}
	p.Dir = short(abs, p.home)
	p.Repo, p.Broken = f.findRepo(ctx, abs, p.home)
	return p, nil
}

// canonical makes dir absolute and resolves its symbolic links.
func canonical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// short writes an absolute path with "~" for home and "/" between its parts.
func short(abs, home string) string {
	return filepath.ToSlash(regular.Short(abs, home))
}

// covers reports whether path is dir or below it. Both are clean.
func covers(dir, path string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(dir[len(dir)-1]))
}
