package risk

import (
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// A File is a file that is to be read or written by itself, without a command.
type File struct {
	Path    string // absolute, links resolved
	Rel     string // below the project, with slashes; "" if it is not known to be there
	Project string // absolute, links resolved; "" if there is none
	Home    string // absolute; "" if unknown
	Own     bool   // ken keeps it, or it lies in one of ken's directories
	Names   int    // how many names it has (hard links); 0 if it is not there
	Write   bool   // it is to be written, made or removed
}

// JudgeFile says how much reading or writing a file could do. Reading in the project is safe,
// writing there caution: both are bounded and can be taken back. What is not known to be in the
// project, has another name somewhere, or is obeyed by a program when it starts is never that:
// writing it is danger. Of names in the project that begin with a dot only some are known
// to be obeyed by nothing.
func JudgeFile(f File) (v Assessment) {
	say := func(level Level, why, token string) {
		v.Reasons = append(v.Reasons, Reason{Level: level, Why: why, Token: token})
		v.Level = max(v.Level, level)
	}
	closed := Caution // what is not inside
	if f.Write {
		closed = Danger
	}
	b := pathDirs{Home: f.Home}
	full := filepath.ToSlash(f.Path)
	rel := f.Rel
	if !b.fit(filepath.ToSlash(f.Project)) {
		rel = ""
	}
	judged := rel
	if rel == "" {
		judged = full
		say(closed, "outside the project", f.Path)
	}
	if f.Own {
		say(closed, "one of ken's own files", f.Path)
	}
	if f.Names > 1 {
		say(closed, "it has another name elsewhere", f.Path)
	}
	plain := plainPathOf(judged)
	if b.Secret(judged) || b.Secret(plain) || rel == "" && b.SecretTree(full) || holdsKeys(plain) {
		say(closed, "may hold keys, passwords or tokens", judged)
	}
	if f.Write {
		if why := b.obeyed(judged, plain); why != "" {
			say(Danger, why, judged)
		} else if v.Level == Safe {
			say(Caution, "changes a file of the project", judged)
		}
	}
	return v
}

// fit says that a directory can be a project: it is no home, nothing above one, and nothing
// that programs or the system obey.
func (b pathDirs) fit(project string) bool {
	if project == "" || project == "/" || !path.IsAbs(project) && filepath.VolumeName(project) == "" {
		return false
	}
	q := b.Clean(project)
	if rest, ok := home(q); ok && rest == "" || in(q, "/home", "/Users", "/root") {
		return false
	}
	if b.Home != "" && (project == b.Home || strings.HasPrefix(b.Home, strings.TrimSuffix(project, "/")+"/")) {
		return false
	}
	switch b.Class(project + "/x") {
	case plainPath, scratchPath:
		return true
	case systemPath:
		for _, dir := range []string{"/opt", "/srv", "/var/www", "/root", "/private/var/folders", "/usr/src", "/usr/local/src", "C:"} {
			if below(q, dir) && q != dir {
				return true
			}
		}
	}
	return false
}

// obeyed says why writing a file would have a program do something: one that a shell, git, an
// editor, CI or ken reads at a start. plain is its plain name.
func (b pathDirs) obeyed(file, plain string) string {
	for _, p := range []string{file, plain} {
		if why := b.Class(p).Why(); why != "" {
			return why
		}
	}
	for part := range strings.SplitSeq(plain, "/") {
		if strings.HasPrefix(part, ".") && !in(part, harmless()...) || strings.HasPrefix(part, "git~") {
			return "a name with a dot, which programs may obey"
		}
	}
	return ""
}

// harmless are names with a dot that hold no more than lists and looks.
func harmless() []string {
	return []string{
		".gitignore", ".gitkeep", ".keep", ".dockerignore", ".npmignore", ".prettierignore", ".eslintignore", ".helmignore", ".editorconfig",
		".clang-format", ".env.example", ".env.sample", ".env.template", ".env.dist",
	}
}

// holdsKeys says that a file of a project often has keys in it, though its name says nothing of them.
func holdsKeys(plain string) bool {
	whole := "/" + plain
	return path.Base(plain) == ".envrc" || strings.Contains(whole, "/.git/") && in(path.Base(plain), "config", "credentials") ||
		strings.HasPrefix(path.Base(plain), ".env") && !in(path.Base(plain), harmless()...)
}

// plainPathOf is a path as file systems may take it that tell no case apart, pass over characters that
// cannot be seen, and blanks and dots at the end of a name.
func plainPathOf(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		part = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) {
				return -1
			}
			return unicode.ToLower(r)
		}, part)
		if bare := strings.TrimRight(part, " ."); bare != "" {
			part = bare
		}
		part, _, _ = strings.Cut(part, "::") // a stream of a file
		parts[i] = part
	}
	return strings.Join(parts, "/")
}
