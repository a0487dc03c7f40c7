package importing

import (
	"io/fs"
	"path/filepath"
	"strings"

	"ken/internal/fault"
	"ken/internal/foreign"
	"ken/internal/memory"
	"ken/internal/place"
	"ken/internal/regular"
)

// filesBelow are the files of a directory and of those in it that may hold
// something, by name. Links are not followed.
func filesBelow(dir string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != dir && (e.Name() == ".git" || e.Name() == "node_modules"):
			return fs.SkipDir
		case e.Type().IsRegular() && foreign.IsKnown(path):
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// scopeOf is where what a file holds applies, unless it says otherwise: what the
// request says; else of pages and objects the directory that the file lies in, of
// keys the place where the person stands, of all else everywhere.
func (i *importing) scopeOf(format foreign.Format, p part) (string, error) {
	here := i.h.Here.Place()
	if i.request.Scope != "" {
		full, err := here.Resolve(i.request.Scope)
		switch {
		case err == nil:
			return full, nil
		case format == foreign.Turns: // may be any name
			return i.request.Scope, nil
		}
		return "", fault.Usagef("--scope %s: %w", i.request.Scope, err)
	}
	switch format {
	case foreign.KeyValue:
		return here.Scope(), nil
	case foreign.ClaudeMD, foreign.MemoryMD, foreign.Objects:
		if guess, _ := foreign.Guess(p.name, nil); format == foreign.MemoryMD && guess == "" {
			return string(memory.ScopeUser), nil // what an assistant printed of the person
		}
		if p.stream {
			return here.Scope(), nil
		}
		return i.fileScope(format, p.name), nil
	}
	return string(memory.ScopeUser), nil
}

// fileScope is where a page holds that lies there: in the repository or directory
// around it, everywhere if it lies in a directory that an assistant keeps for the
// person.
func (i *importing) fileScope(format foreign.Format, path string) string {
	home := i.h.Settings.UserDir()
	dir := filepath.Dir(path)
	p, err := place.Find(dir, home)
	if err != nil {
		return string(memory.ScopeUser)
	}
	abs := filepath.ToSlash(p.Abs)
	if project, ok := strings.CutSuffix(abs, "/memory"); ok && strings.Contains(project, "/.claude/projects/") {
		return i.encodedScope(filepath.Base(project))
	}
	for _, own := range []string{"/.claude/rules", "/.claude", "/.cursor/rules", "/.cursor", "/.github"} {
		if up, ok := strings.CutSuffix(abs, own); ok && p.Repo == nil {
			if p, err = place.Find(filepath.FromSlash(up), home); err != nil {
				return string(memory.ScopeUser)
			}
			break
		}
	}
	switch {
	case p.Repo != nil:
		return p.Scope()
	case p.Dir == "~" || strings.HasPrefix(p.Dir, "~/."), format == foreign.Objects:
		return string(memory.ScopeUser)
	}
	return p.Scope()
}

// encodedScope is the scope of the project that a directory of Claude Code is named
// after: its path, with a hyphen for each / and dot. Which hyphens were that is
// known only of the directories above the person; else it is a guess that at worst
// holds nowhere, never elsewhere.
func (i *importing) encodedScope(name string) string {
	here := i.h.Here.Place()
	for dir := here.Abs; dir != ""; dir = filepath.Dir(dir) {
		path := filepath.ToSlash(dir)
		if strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(path) == name || strings.ReplaceAll(path, "/", "-") == name {
			if dir == here.Abs || here.Repo != nil && dir == here.Repo.Top {
				return here.Scope()
			}
			return i.dirScope(dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return i.dirScope(strings.ReplaceAll(name, "-", "/"))
}

// dirScope is the scope of a directory that a transcript names. It is not looked
// at: only where the person stands is known to be a repository.
func (i *importing) dirScope(dir string) string {
	here, home := i.h.Here.Place(), i.h.Settings.UserDir()
	dir = filepath.Clean(dir)
	if !filepath.IsAbs(dir) {
		return ""
	}
	if here.Repo != nil && within(here.Repo.Top, dir) || dir == here.Abs {
		return here.Scope()
	}
	return "dir:" + filepath.ToSlash(regular.Short(dir, home))
}

// within reports whether path is dir or below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
