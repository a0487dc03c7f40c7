package risk

import (
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// A File is a file that something reads or writes without a command.
type File struct {
	Path    string // absolute, links resolved
	Rel     string // below the project, with slashes; "" if it is not known to be there
	Project string // absolute, links resolved; "" if there is none
	Home    string // absolute; "" if unknown
	Own     bool   // ken keeps it, or it lies in one of ken's directories
	Git     bool   // it is what git keeps of a repository, or lies there, by whatever name
	Names   int    // how many names it has (hard links); 0 if it is not there
	Write   bool   // it is to be written, made or removed
}

// JudgeFile returns how much reading or writing a file could do. Reading in the project is safe and
// writing there is caution, because both are bounded and can be taken back. Writing is danger if
// the file is not known to be in the project, has another name somewhere, or is obeyed by a program
// when it starts. Of names in the project that begin with a dot only some are known to be obeyed by
// nothing.
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
	if f.Git || strings.Contains("/"+plain+"/", ".git/") || strings.Contains("/"+plain, "/git~") {
		say(closed, WhyGit, judged)
	}
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

// WhyGit is the reason for files that git keeps of a repository.
const WhyGit = "what git keeps of a repository: it may hold tokens, and git obeys it"

// Starts reports whether another program may run a file of a project or obey it, though nothing but
// its name says so: builds, packages, checks, assistants. Only source code and prose are known to
// be free of that. All other files are data of some program, and many of these are obeyed. rel is
// the path below the project, with slashes.
func Starts(rel string) bool {
	plain := plainPathOf(rel)
	dir, name := path.Split(plain)
	for part := range strings.SplitSeq(dir, "/") {
		if strings.HasPrefix(part, ".") || in(part, "bin", "sbin", "scripts", "script", "hooks", "ci", "cmake", "node_modules",
			"vendor", "buildsrc") {
			return true
		}
	}
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	switch {
	case in(ext, ".md", ".txt", ".rst", ".adoc", ".mdx", ".org"):
		return instructs(strings.TrimSuffix(path.Base(strings.TrimRight(rel, " .")), path.Ext(rel)), stem)
	case in(ext, sources()...):
		return strings.Contains(stem, ".conf") || strings.HasPrefix(stem, ".") || strings.HasSuffix(stem, "file") || in(stem, builders()...)
	}
	return true
}

// instructs reports whether a text is what assistants or tools are told by. as is its name as it is written, without its ending: one
// in capitals is for a program to find, but for those that people look for.
func instructs(as, plain string) bool {
	known := []string{
		"readme", "changelog", "changes", "history", "news", "license", "licence", "copying", "notice", "authors", "contributors",
		"contributing", "security", "todo", "roadmap", "faq", "install", "support", "maintainers", "code_of_conduct", "architecture", "design",
	}
	if in(plain, known...) {
		return false
	}
	for _, word := range []string{
		"claude", "agent", "gemini", "copilot", "cursor", "codex", "windsurf", "qwen", "aider", "cline", "opencode",
		"instruction", "prompt", "skill", "rules", "requirements", "constraints", "cmakelists", "conventions", "llms", "robots", "memory",
	} {
		if strings.Contains(plain, word) {
			return true
		}
	}
	return as != "" && as == strings.ToUpper(as) && as != strings.ToLower(as)
}

// sources are the endings of source code and of pages.
func sources() []string {
	return []string{
		".go", ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".rs", ".java", ".kt", ".scala", ".swift", ".m",
		".mm", ".cs", ".fs", ".vb", ".py", ".pyi", ".rb", ".php", ".pl", ".pm", ".js", ".jsx", ".mjs", ".cjs",
		".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".lua", ".r", ".jl", ".hs", ".ml", ".mli", ".clj",
		".cljs", ".ex", ".erl", ".elm", ".dart", ".zig", ".nim", ".d", ".f90", ".pas", ".lisp", ".scm", ".el", ".v",
		".sv", ".vhd", ".asm", ".s", ".sol", ".proto", ".graphql", ".sql", ".html", ".htm", ".css", ".scss",
		".sass", ".less", ".tex", ".bib", ".tmpl", ".csv", ".tsv", ".svg",
	}
}

// builders are the stems of source files that a tool runs by their name.
func builders() []string {
	return []string{
		"setup", "conftest", "noxfile", "fabfile", "tasks", "manage", "build", "configure", "gulp", "package", "sitecustomize",
		"usercustomize", "wscript", "dodo", "magefiles", "bootstrap", "install", "hubot",
	}
}

// fit reports whether a directory can be a project: it is no home, nothing above one, and nothing
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

// holdsKeys reports whether a file of a project often has keys in it, though its name says nothing
// of them.
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
