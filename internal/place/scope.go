package place

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/regular"
)

// Scope returns what "here" means at p: the repository if there is one that can be
// known again, else the directory. Nowhere it is "".
func (p Place) Scope() string {
	switch id := p.identity(); {
	case id != "":
		return "repo:" + id
	case p.Dir != "":
		return "dir:" + p.Dir
	}
	return ""
}

// RepoScope returns where what is said about the whole repository holds: the
// repository if it can be known again, else the directory at its top. "" where
// there is no repository.
func (p Place) RepoScope() string {
	switch id := p.identity(); {
	case id != "":
		return "repo:" + id
	case p.Repo != nil:
		return "dir:" + short(p.Repo.Top, p.home)
	}
	return ""
}

// identity is the name that the repository is written with; "" if there is no
// repository or nothing to know it by.
func (p Place) identity() string {
	switch {
	case p.Repo == nil:
		return ""
	case len(p.Repo.Identities) > 0:
		return p.Repo.Identities[0]
	}
	return p.Repo.RootID
}

// Holds reports whether a memory of the given scope applies at p: "user" and ""
// everywhere, "repo:" where any identity of the repository is the one named,
// "dir:" in that directory and below it. Forms that are not known hold nowhere.
func (p Place) Holds(scope string) bool {
	if scope == "" || scope == "user" {
		return true
	}
	if id, ok := strings.CutPrefix(scope, "repo:"); ok {
		return p.Repo != nil && id != "" && p.Repo.is(id)
	}
	if dir, ok := strings.CutPrefix(scope, "dir:"); ok {
		abs, ok := p.long(dir)
		return ok && p.Abs != "" && covers(abs, p.Abs)
	}
	return false
}

// Same reports whether two scopes are one, as far as is known at p: they are
// equal, but for the case of letters if they name repositories, or they are two
// names of the repository at p. "" is "user".
func (p Place) Same(a, b string) bool {
	if a == b || (a == "" || a == "user") && (b == "" || b == "user") {
		return true
	}
	x, ok1 := strings.CutPrefix(a, "repo:")
	y, ok2 := strings.CutPrefix(b, "repo:")
	return ok1 && ok2 && (strings.EqualFold(x, y) || p.Repo != nil && p.Repo.is(x) && p.Repo.is(y))
}

// Within reports whether a memory of the given scope is one of those that outer
// names: outer is the same scope, a directory above it, or the end of a
// repository's identity.
func (p Place) Within(scope, outer string) bool {
	if p.Same(scope, outer) {
		return true
	}
	if dir, ok := strings.CutPrefix(outer, "dir:"); ok {
		inner, ok := strings.CutPrefix(scope, "dir:")
		above, ok1 := p.long(dir)
		below, ok2 := p.long(inner)
		return ok && ok1 && ok2 && covers(above, below)
	}
	name, ok1 := strings.CutPrefix(outer, "repo:")
	id, ok2 := strings.CutPrefix(scope, "repo:")
	if !ok1 || !ok2 || name == "" {
		return false
	}
	ids := []string{id}
	if p.Repo != nil && p.Repo.is(id) {
		ids = append(append(ids, p.Repo.Identities...), p.Repo.Also...) // all are the same repository
	}
	return slices.ContainsFunc(ids, func(id string) bool {
		return strings.HasSuffix(strings.ToLower(id), "/"+strings.ToLower(name))
	})
}

// is reports whether id names r.
func (r *Repo) is(id string) bool {
	same := func(own string) bool { return strings.EqualFold(own, id) }
	if slices.ContainsFunc(r.Identities, same) || slices.ContainsFunc(r.Also, same) {
		return true
	}
	return r.RootID != "" && strings.EqualFold(r.RootID, id)
}

// long undoes short. ok is false if path depends on a home that is not known,
// or is not absolute.
func (p Place) long(path string) (abs string, ok bool) {
	abs, ok = regular.Expand(filepath.FromSlash(path), p.home)
	return filepath.Clean(abs), ok && filepath.IsAbs(abs)
}

// Path is the directory of a "dir:" scope as a path of this system; false of another scope,
// and where the home directory is not known.
func (p Place) Path(scope string) (path string, ok bool) {
	dir, ok := strings.CutPrefix(scope, "dir:")
	if !ok {
		return "", false
	}
	return p.long(dir)
}

// ErrNoRepo is what Resolve gives for "repo" where there is no repository, or
// none that can be known again.
var ErrNoRepo = errors.New("not in a repository that has a remote or a commit")

// ErrNowhere is what Resolve gives for "here" and "dir" where there is no
// working directory: it was deleted, perhaps.
var ErrNowhere = errors.New("the working directory is not there")

// Resolve turns what a person gives as a scope into the scope that is written:
// "user", "here", "repo" and "dir" as at p, or a whole scope. A "repo:" may
// also name a remote's address, or just the end of an identity ("repo:aish")
// if exactly one of this repository's and of known has it; known are scopes
// that exist, in any form. A "dir:" counts from p and need not exist.
func (p Place) Resolve(arg string, known ...string) (string, error) {
	switch arg {
	case "user":
		return arg, nil
	case "here", "dir":
		if p.Dir == "" {
			return "", ErrNowhere
		}
		if arg == "here" {
			return p.Scope(), nil
		}
		return "dir:" + p.Dir, nil
	case "repo":
		if id := p.identity(); id != "" {
			return "repo:" + id, nil
		}
		return "", fmt.Errorf("%s is %w", p.Dir, ErrNoRepo)
	}
	if name, ok := strings.CutPrefix(arg, "repo:"); ok && name != "" {
		return p.resolveRepo(name, known)
	}
	if dir, ok := strings.CutPrefix(arg, "dir:"); ok && dir != "" {
		return p.resolveDir(dir)
	}
	return "", fmt.Errorf("no scope %q: want user, here, repo, dir, repo:<host/path> or dir:<path>", arg)
}

func (p Place) resolveDir(dir string) (string, error) {
	abs, ok := p.long(dir)
	if !ok {
		if strings.HasPrefix(dir, "~") {
			return "", fmt.Errorf("scope dir:%s: the home directory is not known", dir)
		}
		if p.Abs == "" {
			return "", fmt.Errorf("scope dir:%s: want an absolute path", dir)
		}
		abs = filepath.Join(p.Abs, abs)
	}
	return "dir:" + short(resolveLinks(abs), p.home), nil
}

// resolveLinks resolves the symbolic links of as much of path as exists.
func resolveLinks(path string) string {
	rest := ""
	for dir := path; ; {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return path
		}
		rest, dir = filepath.Join(filepath.Base(dir), rest), up
	}
}

func (p Place) resolveRepo(name string, known []string) (string, error) {
	if id := Identity(name); id != "" {
		return "repo:" + id, nil
	}
	name = strings.ToLower(strings.Trim(name, "/"))
	var ids []string
	add := func(id string) {
		id = strings.ToLower(id)
		if id != name && !strings.HasSuffix(id, "/"+name) {
			return
		}
		for _, have := range ids {
			if have == id {
				return
			}
		}
		ids = append(ids, id)
	}
	if p.Repo != nil {
		for _, id := range slices.Concat(p.Repo.Identities, p.Repo.Also) {
			add(id)
		}
		if p.Repo.RootID != "" {
			add(p.Repo.RootID)
		}
	}
	for _, scope := range known {
		if id, ok := strings.CutPrefix(scope, "repo:"); ok {
			add(id)
		}
	}
	for _, id := range ids {
		if id == name {
			return "repo:" + id, nil
		}
	}
	switch len(ids) {
	case 1:
		return "repo:" + ids[0], nil
	case 0:
		if looksWhole(name) {
			return "repo:" + name, nil
		}
		return "", fmt.Errorf("no repository %q is known: want repo:<host/path> in full", name)
	}
	return "", fmt.Errorf("%q may be any of %s: want more of the path", name, strings.Join(ids, ", "))
}

// looksWhole reports whether name has the form of an identity: a root, or a
// host and a path.
func looksWhole(name string) bool {
	if isRootID(name) {
		return true
	}
	host, path, ok := strings.Cut(name, "/")
	return ok && path != "" && strings.Contains(host, ".") && !strings.ContainsAny(name, " \t\r\n\\")
}
