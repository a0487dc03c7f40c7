package place

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// findRepo looks for the innermost repository around dir.
func (f Finder) findRepo(ctx context.Context, dir, home string) *Repo {
	for top := dir; ; top = filepath.Dir(top) {
		if gitDir := gitDirAt(top); gitDir != "" {
			if top == home {
				return nil
			}
			return f.readRepo(ctx, top, gitDir)
		}
		if filepath.Dir(top) == top {
			return nil
		}
	}
}

// gitDirAt gives git's directory for the worktree whose top is top; "" if top
// is no such thing. .git is that directory, or a file that says where it is:
// in worktrees and submodules.
func gitDirAt(top string) string {
	dotGit := filepath.Join(top, ".git")
	fi, err := os.Stat(dotGit)
	if err != nil {
		return ""
	}
	dir := dotGit
	if !fi.IsDir() {
		line, ok := strings.CutPrefix(readShort(dotGit), "gitdir:")
		if !ok {
			return ""
		}
		dir = from(top, strings.TrimSpace(line))
	}
	// An empty or broken .git stops git neither: it looks further up.
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return ""
	}
	return dir
}

// from is path seen from dir.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// maxGitFile is the longest file of git's that is read, in bytes.
const maxGitFile = 1 << 20

// readShort reads a file of git's; "" if it cannot be read or is no file.
func readShort(path string) string {
	fi, err := os.Stat(path)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxGitFile {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxGitFile))
	if err != nil {
		return ""
	}
	return string(src)
}

// readRepo reads what is known of a repository.
func (f Finder) readRepo(ctx context.Context, top, gitDir string) *Repo {
	common := gitDir
	if line := strings.TrimSpace(readShort(filepath.Join(gitDir, "commondir"))); line != "" {
		common = from(gitDir, line)
	}
	if real, err := filepath.EvalSymlinks(common); err == nil {
		common = real
	}
	r := &Repo{Top: top, CommonDir: common}
	r.Identities = identities(parseConfig(readShort(filepath.Join(common, "config"))))
	// A repository that was known by its first commit before it had a remote
	// stays known by it; git is asked only if there is nothing else.
	r.RootID = f.cachedRoot(common)
	if r.RootID == "" && len(r.Identities) == 0 {
		r.RootID = f.askRoot(ctx, r)
	}
	return r
}

// identities lists the identities of all remotes, origin first, then in the
// order of the file. As for git, an empty url takes back those before it.
func identities(settings []setting) []string {
	type remote struct {
		name string
		urls []string
	}
	var remotes []*remote
	for _, s := range settings {
		if s.section != "remote" || s.key != "url" {
			continue
		}
		i := slices.IndexFunc(remotes, func(r *remote) bool { return r.name == s.subsection })
		if i < 0 {
			i = len(remotes)
			remotes = append(remotes, &remote{name: s.subsection})
		}
		if s.value == "" {
			remotes[i].urls = nil
			continue
		}
		remotes[i].urls = append(remotes[i].urls, s.value)
	}
	slices.SortStableFunc(remotes, func(a, b *remote) int {
		switch {
		case a.name == b.name:
			return 0
		case a.name == "origin":
			return -1
		case b.name == "origin":
			return 1
		}
		return 0
	})
	var ids []string
	for _, r := range remotes {
		for _, u := range r.urls {
			if id := Identity(u); id != "" && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
