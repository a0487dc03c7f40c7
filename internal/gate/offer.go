package gate

import (
	"slices"
	"strings"

	"ken/internal/risk"
)

// Offer returns the pattern by which a person may approve a command for good. For a program whose
// second word says what is done to which names, it has that word and the shape of this command; for
// others it has the words as they stand. It returns false if the line is not one plain command of
// level caution, or if it removes a tree or something without an undo: one key must not approve
// that for good.
func Offer(v risk.Assessment) (Pattern, bool) {
	if v.Level != risk.Caution || len(v.Commands) != 1 || !v.Commands[0].Plain || len(v.Commands[0].Runs) > 0 || v.Commands[0].Level != risk.Caution {
		return Pattern{}, false
	}
	c := v.Commands[0]
	if c.Removes || saysRemoval(c.Argv) {
		return Pattern{}, false
	}
	for i, w := range c.Argv {
		// Such a word would not be read back as it was shown.
		if i >= len(c.Known) || !c.Known[i] || strings.ContainsAny(w, "\n\r") || strings.Contains(w, "'") && strings.ContainsAny(w, " \t\"*") {
			return Pattern{}, false
		}
	}
	if n := verbs(c.Argv); n > 0 {
		return Pattern{words: slices.Clone(c.Argv[:n]), open: true, seen: slices.Clone(c.Argv)}, true
	}
	return Pattern{words: slices.Clone(c.Argv)}, true
}

// saysRemoval reports whether a word of a command says that something goes: the name
// of a program, a subcommand or an option. Targets of make and scripts of a project
// are names that the project gave.
func saysRemoval(argv []string) bool {
	for i, w := range argv {
		if i == 1 && slices.Contains([]string{"make", "gmake", "just"}, argv[0]) {
			return false
		}
		switch strings.ToLower(strings.TrimLeft(w[strings.LastIndexByte(w, '/')+1:], "-")) {
		case "rm", "rmdir", "del", "delete", "remove", "uninstall", "purge", "prune", "clean", "wipe", "destroy", "drop", "erase", "rimraf", "shred", "trash", "unlink", "delete-after", "delete-before", "delete-excluded":
			return true
		}
	}
	return false
}

// verbs is how many words say what a program does, if further words are the names of what it is
// done to. 0 means that every word counts. Behind a verb that is not listed the next word may mean
// anything: `gh api`, `git config`, `npm pkg`.
func verbs(argv []string) int {
	if len(argv) < 2 {
		return 0
	}
	switch argv[0] {
	case "npm", "pnpm", "yarn", "poetry":
		if argv[1] == "run" && len(argv) > 2 && !strings.HasPrefix(argv[2], "-") {
			return 3
		}
	}
	if slices.Contains(naming(argv[0]), argv[1]) {
		return 2
	}
	return 0
}

// naming lists the verbs of a program behind which stand names alone: files, branches,
// packages, containers.
func naming(program string) []string {
	switch program {
	case "git":
		return []string{"add", "commit", "push", "pull", "fetch", "checkout", "switch", "merge", "rebase", "cherry-pick", "revert", "mv", "tag", "branch", "restore"}
	case "hg", "svn":
		return []string{"add", "commit", "push", "pull", "update", "up"}
	case "cargo":
		return []string{"build", "test", "check", "clippy", "fmt", "doc", "bench", "add", "update"}
	case "go":
		return []string{"build", "test", "vet", "fmt", "get", "install"}
	case "npm", "pnpm", "yarn", "pip", "pip3", "poetry", "bundle", "gem", "conda":
		return []string{"install", "i", "add", "ci", "update", "upgrade", "test"}
	case "apt", "apt-get", "dnf", "brew", "flatpak", "snap", "rustup":
		return []string{"install", "update", "upgrade"}
	case "docker", "podman":
		return []string{"pull", "build", "start", "stop", "restart", "logs", "tag"}
	case "kubectl":
		return []string{"logs"}
	}
	return nil
}

// alike reports whether further words have the shape of those that were seen. The
// options must be the same ones, with the same values but for a text that is only kept
// (a message). A name may be another one where a name was; whatever else a word can be
// (an address, a path outside the directory, NAME=VALUE, a refspec) must be the same.
func alike(seen, words []string) bool {
	if !slices.Equal(options(seen), options(words)) {
		return false
	}
	names, paths := false, false
	for i, w := range seen {
		names = names || isName(w) && !follows(seen, i)
		paths = paths || isPath(w) && !follows(seen, i)
	}
	for i, w := range words {
		switch {
		case i > 0 && isMessage(words[i-1]), strings.HasPrefix(w, "-"):
		case slices.Contains(seen, w) && (!follows(words, i) || pair(seen, words[i-1], w)):
		case names && isName(w) && !follows(words, i), paths && isPath(w) && !follows(words, i):
		default:
			return false
		}
	}
	return true
}

// options are the options among words, with the values that stand in them, sorted.
// What stands behind an option for a message is its text, whatever it begins with.
func options(words []string) []string {
	var out []string
	for i, w := range words {
		if !strings.HasPrefix(w, "-") || i > 0 && isMessage(words[i-1]) {
			continue
		}
		if strings.HasPrefix(w, "--message=") {
			w = "--message="
		}
		out = append(out, w)
	}
	slices.Sort(out)
	return out
}

// follows reports whether a word stands behind an option, so that it may be its value.
func follows(words []string, i int) bool {
	return i > 0 && strings.HasPrefix(words[i-1], "-") && words[i-1] != "--" && !strings.HasPrefix(words[i], "-")
}

// pair reports whether one word was seen right behind the other.
func pair(seen []string, first, second string) bool {
	for i := 1; i < len(seen); i++ {
		if seen[i-1] == first && seen[i] == second {
			return true
		}
	}
	return false
}

// isMessage reports whether an option has a text behind it that is kept and read by
// people alone.
func isMessage(w string) bool { return w == "-m" || w == "-am" || w == "--message" }

// isPath reports whether a word is a path in the directory that says that it is one.
func isPath(w string) bool {
	rest, ok := strings.CutPrefix(w, "./")
	return w == "." || w == "./..." || ok && isName(rest)
}

// isName reports whether a word is a plain name, or a path in the directory that could
// be one (a branch): nothing in it means anything to a program that takes names.
func isName(w string) bool {
	if w == "" || w[0] == '-' || w[0] == '/' || w[0] == '.' || strings.Contains(w, "..") {
		return false
	}
	return strings.IndexFunc(w, func(r rune) bool {
		return r != '.' && r != '_' && r != '-' && r != '/' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0
}
