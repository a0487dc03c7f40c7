package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Inert says whether reading commands of git, run at p, run nothing but git: nil, or
// what could be run. It looks where git looks: git takes a directory that has the files
// of a repository for one, with its configuration, though it lies in another. No
// repository is an error.
func (p Place) Inert() error {
	if p.Repo == nil {
		return errors.New("it is no repository that is known")
	}
	if p.Broken != nil {
		return p.Broken
	}
	for dir := p.Abs; ; dir = filepath.Dir(dir) {
		if bare(dir) {
			return fmt.Errorf("%s is a repository by itself", filepath.ToSlash(dir))
		}
		if dir == p.Repo.Top {
			break
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
			return fmt.Errorf("%s may belong to another repository", filepath.ToSlash(dir))
		}
	}
	// What git does not take for a repository it passes over, and goes further up.
	for _, name := range []string{"objects", "refs"} {
		if fi, err := os.Stat(filepath.Join(p.Repo.CommonDir, name)); err != nil || !fi.IsDir() {
			return fmt.Errorf("%s has no %s", filepath.ToSlash(p.Repo.CommonDir), name)
		}
	}
	return p.Repo.Inert()
}

// bare says that git may take dir itself for a repository.
func bare(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// Inert says whether reading commands of git (status, log, diff) run nothing but git
// in the repository: nil, or what could be run. A repository that came as an archive
// can name programs in its configuration; so only settings that are known to name
// none are let pass. Hooks do not count but the one that reading runs, and neither
// does the person's own configuration of git.
//
// It is read anew each time. Not looked at are repositories inside of this one that
// git enters by itself; who relies on the answer switches that off.
func (r *Repo) Inert() error {
	src, err := readShort(filepath.Join(r.CommonDir, "config"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("its configuration cannot be read: %w", err)
	}
	settings, whole := readConfig(src)
	if !whole {
		return errors.New("its configuration has lines that are none")
	}
	for _, s := range settings {
		if !s.inert() {
			name := s.section + "." + s.key
			if s.subsection != "" {
				name = s.section + "." + s.subsection + "." + s.key
			}
			return fmt.Errorf("its configuration sets %s", name)
		}
	}
	for _, name := range []string{"config.worktree", filepath.Join("hooks", "post-index-change")} {
		if _, err := os.Lstat(filepath.Join(r.CommonDir, name)); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("it has %s", filepath.ToSlash(name))
		}
	}
	return nil
}

// inert reports whether a setting is known to have git run nothing.
func (s setting) inert() bool {
	switch s.section {
	case "core":
		switch s.key {
		case "repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode", "symlinks",
			"autocrlf", "eol", "safecrlf", "quotepath", "abbrev", "compression", "longpaths", "protectntfs", "protecthfs":
			return true
		}
	case "remote":
		switch s.key {
		case "url", "pushurl", "fetch", "push", "tagopt", "prune", "mirror":
			return true
		}
	case "branch":
		switch s.key {
		case "remote", "merge", "rebase", "pushremote", "autosetuprebase", "autosetupmerge", "description", "vscode-merge-base", "github-pr-owner-number":
			return true
		}
	case "user":
		return s.key == "name" || s.key == "email" || s.key == "useconfigonly"
	case "init":
		return s.key == "defaultbranch"
	case "pull":
		return s.key == "rebase" || s.key == "ff"
	case "push":
		return s.key == "default" || s.key == "followtags" || s.key == "autosetupremote"
	case "fetch":
		return s.key == "prune" || s.key == "prunetags"
	case "color", "gc", "pack", "index", "feature":
		return s.subsection == ""
	case "extensions":
		return s.key == "objectformat" || s.key == "refstorage"
	}
	return false
}
