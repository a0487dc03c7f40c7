package place

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"ken/internal/regular"
)

// findRepo looks for the innermost repository around dir. broken is the first
// thing on the way that looks like one and cannot be read.
func (f Finder) findRepo(ctx context.Context, dir, home string) (repo *Repo, broken error) {
	for top := dir; ; top = filepath.Dir(top) {
		gitDir, err := gitDirAt(top)
		if err != nil && broken == nil {
			broken = fmt.Errorf("%s is passed over: %w", filepath.Join(top, ".git"), err)
		}
		if gitDir != "" {
			if top == home {
				return nil, broken
			}
			repo, err := f.readRepo(ctx, top, gitDir)
			return repo, cmp.Or(broken, err)
		}
		if filepath.Dir(top) == top {
			return nil, broken
		}
	}
}

// gitDirAt gives git's directory for the worktree whose top is top; "" if top
// is no such thing. .git is that directory, or a file that says where it is:
// in worktrees and submodules. Whether or not it is an error, the search goes
// on further up: a worktree inside a repository that was moved is still that
// repository's.
func gitDirAt(top string) (string, error) {
	dotGit := filepath.Join(top, ".git")
	fi, err := os.Lstat(dotGit)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "", nil
	case err == nil && fi.Mode()&fs.ModeSymlink != 0:
		fi, err = os.Stat(dotGit)
	}
	if err != nil {
		return "", regular.Cause(err)
	}
	if fi.IsDir() {
		// A directory without HEAD is nothing to git either.
		_, err := os.Lstat(filepath.Join(dotGit, "HEAD"))
		switch {
		case err == nil:
			return dotGit, nil
		case errors.Is(err, fs.ErrNotExist):
			return "", nil
		}
		return "", regular.Cause(err)
	}
	src, err := readShort(dotGit)
	if err != nil {
		return "", err
	}
	line, ok := strings.CutPrefix(src, "gitdir:")
	if !ok {
		return "", errors.New("the file names no gitdir")
	}
	dir := from(top, strings.TrimSpace(line))
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return "", fmt.Errorf("it points to %s: %w", dir, regular.Cause(err))
	}
	return dir, nil
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

// readShort reads a file of git's. What is no regular file, or longer than git
// would write it, is an error: reading a pipe would wait for ever.
func readShort(path string) (string, error) {
	src, err := regular.Read(path, maxGitFile)
	switch {
	case errors.Is(err, regular.ErrNotFile):
		return "", regular.ErrNotFile
	case errors.Is(err, regular.ErrTooLong):
		return "", fmt.Errorf("more than the %d bytes that are read", maxGitFile)
	case err != nil:
		return "", regular.Cause(err)
	}
	return string(src), nil
}

// readRepo reads what is known of a repository. broken is what of it could not
// be read: then it may be known by fewer names, or none.
func (f Finder) readRepo(ctx context.Context, top, gitDir string) (r *Repo, broken error) {
	common := gitDir
	switch line, err := readShort(filepath.Join(gitDir, "commondir")); {
	case err == nil && strings.TrimSpace(line) != "":
		common = from(gitDir, strings.TrimSpace(line))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		broken = fmt.Errorf("%s: %w", filepath.Join(gitDir, "commondir"), err)
	}
	if real, err := filepath.EvalSymlinks(common); err == nil {
		common = real
	}
	r = &Repo{Top: top, CommonDir: common, Claimed: claimed(top, gitDir, common), gitDir: gitDir}
	config := filepath.Join(common, "config")
	src, err := readShort(config)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		broken = cmp.Or(broken, fmt.Errorf("%s: %w", config, err))
	}
	if urls := remotes(parseConfig(src)); len(urls) > 0 {
		r.Identities = identities(urls, append(f.personal(), parseConfig(src)...))
	}
	// A repository that was known by its first commit before it had a remote
	// stays known by it; git is asked only if there is nothing else.
	r.RootID = f.cachedRoot(common)
	if r.RootID == "" && len(r.Identities) == 0 && broken == nil {
		r.RootID = f.askRoot(ctx, r)
	}
	return r, broken
}

// claimed reports whether top is not known to the repository whose directory common is.
func claimed(top, gitDir, common string) bool {
	dotGit := filepath.Join(top, ".git")
	if common == dotGit {
		return false
	}
	real, err := filepath.EvalSymlinks(gitDir)
	if err != nil {
		return true
	}
	if real == common { // a submodule: its settings say where it is
		src, err := readShort(filepath.Join(common, "config"))
		if err != nil {
			return true
		}
		for _, s := range parseConfig(src) {
			if s.section == "core" && s.key == "worktree" {
				at, err := filepath.EvalSymlinks(from(common, s.value))
				return err != nil || at != top
			}
		}
		return true
	}
	line, err := readShort(filepath.Join(real, "gitdir"))
	if err != nil || !covers(common, real) {
		return true
	}
	back := from(real, strings.TrimSpace(line))
	at, err := filepath.EvalSymlinks(filepath.Dir(back))
	return err != nil || filepath.Join(at, filepath.Base(back)) != dotGit
}

// Spot returns where a repository is on this machine: a path, and what distinguishes the directory
// there from another one that takes its place. It is the same for all worktrees, and
// stays when the directory is moved on one disk, but for the path.
func (r *Repo) Spot() (path, stamp string) {
	path = r.CommonDir
	if r.Claimed {
		path = r.Top
	}
	if fi, err := os.Stat(path); err == nil {
		stamp = stampOf(fi)
	}
	return path, stamp
}

// personal are the settings of the person's own git configuration, in the order
// in which git reads them. What cannot be read is left out: nothing of it is
// needed to know a repository.
func (f Finder) personal() []setting {
	if f.Home == "" {
		return nil
	}
	var all []setting
	for _, name := range []string{".config/git/config", ".gitconfig"} {
		if src, err := readShort(filepath.Join(f.Home, filepath.FromSlash(name))); err == nil {
			all = append(all, parseConfig(src)...)
		}
	}
	return all
}

// remotes lists the addresses of all remotes, origin first, then in the order
// of the file. As for git, an empty url takes back those before it.
func remotes(settings []setting) (urls []string) {
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
	for _, r := range remotes {
		urls = append(urls, r.urls...)
	}
	return urls
}

// identities are the identities of addresses, each once, as they are written
// and as git rewrites them by url.<base>.insteadOf. Of the two, the one whose
// host looks like a host of the internet comes first: a shorthand (gh:me/x) is
// this machine's, but so is the mirror that a company puts in a host's place.
func identities(urls []string, settings []setting) []string {
	var ids []string
	add := func(id string) {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, u := range urls {
		plain, rewritten := Identity(u), Identity(insteadOf(u, settings))
		if host, _, _ := strings.Cut(plain, "/"); !strings.ContainsAny(host, ".:") && rewritten != "" {
			plain, rewritten = rewritten, plain
		}
		add(plain)
		add(rewritten)
	}
	return ids
}

// insteadOf is what git makes of an address: the longest prefix that some
// url.<base>.insteadOf names is replaced by base, of several alike the first.
func insteadOf(address string, settings []setting) string {
	base, length := "", -1
	for _, s := range settings {
		if s.section == "url" && s.key == "insteadof" && len(s.value) > length && strings.HasPrefix(address, s.value) {
			base, length = s.subsection, len(s.value)
		}
	}
	return base + address[max(length, 0):]
}
