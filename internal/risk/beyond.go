package risk

import (
	"slices"
	"strings"

	"ken/internal/risk/programs"
)

// Beyond returns the first command of a line that may reach beyond the project: over the network,
// or to files elsewhere. within reports whether a path, as it stands in the line, lies in the
// project. A command reaches beyond unless it is known to stay. One that only reads ordinary data
// stays, unless reading is what it is judged by.
func Beyond(v Assessment, within func(path string) bool) (token string, beyond bool) {
	if v.Level > Safe && len(v.Commands) == 0 {
		return "", true
	}
	for _, c := range v.Commands {
		if c.Level == Safe {
			continue
		}
		if !c.Plain || len(c.Argv) == 0 || !stays(c.Argv) || slices.ContainsFunc(c.Argv[1:], func(w string) bool { return !inside(w, within) }) {
			return strings.Join(c.Argv, " "), true
		}
	}
	return "", false
}

// Elsewhere reports whether some command of a line, at any depth, names a path that is not within the project.
func Elsewhere(commands []Simple, within func(path string) bool) bool {
	return slices.ContainsFunc(commands, func(c Simple) bool {
		return len(c.Argv) > 0 && slices.ContainsFunc(c.Argv[1:], func(w string) bool { return !inside(w, within) }) || Elsewhere(c.Runs, within)
	})
}

// inside reports whether no path that may be in a word lies outside.
func inside(word string, within func(path string) bool) bool {
	_, value, _ := strings.Cut(word, "=")
	parts := []string{word, value}
	if i := strings.IndexByte(word, '/'); i > 0 && strings.HasPrefix(word, "-") {
		parts = append(parts, word[i:], word[2:])
	}
	for _, p := range parts {
		if p != "" && !within(p) || strings.Contains(p, "://") || strings.Contains(p, "@") && strings.Contains(p, ":") {
			return false
		}
	}
	return true
}

// stays reports whether a command is known to work on files here alone. What it runs of the project may do
// more: that was approved with it.
func stays(argv []string) bool {
	name, elsewhere := programs.NameOf(argv[0])
	if elsewhere != "" {
		return false
	}
	verb := ""
	for _, w := range argv[1:] {
		if !strings.HasPrefix(w, "-") {
			verb = w
			break
		}
	}
	switch name {
	case "tar": // host:file is one on another machine
		return !slices.ContainsFunc(argv[1:], func(w string) bool { return strings.Contains(w, ":") })
	case "touch", "mkdir", "rmdir", "rm", "cp", "mv", "ln", "tee", "truncate", "chmod", "sed", "awk", "gawk", "sort", "patch", "split",
		"gzip", "gunzip", "xz", "zstd", "bzip2", "zip", "unzip", "find", "echo", "printf", "cat",
		"make", "ninja", "gofmt", "goimports", "prettier", "eslint", "ruff", "black", "mypy", "tsc", "gcc", "cc", "clang", "rustc",
		"javac", "pytest":
		return true
	case "git":
		return in(verb, "add", "commit", "checkout", "switch", "restore", "branch", "stash", "merge", "rebase", "reset", "tag", "mv", "rm",
			"cherry-pick", "revert", "apply", "am", "init", "clean")
	case "go":
		return in(verb, "build", "test", "vet", "fmt", "run", "generate", "list", "clean")
	case "cargo":
		return in(verb, "build", "test", "check", "fmt", "clippy", "run")
	case "npm", "yarn", "pnpm":
		return in(verb, "test", "run", "start")
	}
	return false
}
