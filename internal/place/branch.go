package place

import (
	"path"
	"path/filepath"
	"strings"
)

// Detached is what Branch returns where a commit is checked out and no branch.
const Detached = "none, a commit is checked out"

// Branch returns the branch that is checked out in this worktree, as git's file says now:
// "main", Detached, or "" if that cannot be read. The file is read each time.
func (r *Repo) Branch() string {
	line, err := readShort(filepath.Join(r.gitDir, "HEAD"))
	if err != nil {
		return ""
	}
	line = strings.TrimSpace(line)
	switch ref, ok := strings.CutPrefix(line, "ref:"); {
	case ok:
		ref = strings.TrimSpace(ref)
		if ref == "refs/heads/.invalid" { // what git writes there with the format reftable
			return ""
		}
		return strings.TrimPrefix(ref, "refs/heads/")
	case len(line) >= rootDigits && isHex(line):
		return Detached
	}
	return ""
}

// Name returns what people call the repository: the last part of its first remote, else
// the name of the directory that it was made in.
func (r *Repo) Name() string {
	if len(r.Identities) > 0 {
		return path.Base(r.Identities[0])
	}
	dir := r.CommonDir
	if base := filepath.Base(dir); base == ".git" || strings.EqualFold(base, ".git") {
		dir = filepath.Dir(dir)
	}
	if r.Claimed {
		dir = r.Top
	}
	return strings.TrimSuffix(filepath.Base(dir), ".git")
}
