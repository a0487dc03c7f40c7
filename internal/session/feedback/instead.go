package feedback

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"ken/internal/risk"
	"ken/internal/risk/programs"
)

// longest is how long a command line is that a lesson quotes, in bytes: a longer one is no habit.
const longest = 120

// Instead is the lesson of a command line that the person ran in the place of one that was offered; ok is false if they are the
// same but for blanks, or too long for a lesson.
func Instead(offered, ran string) (lesson string, ok bool) {
	was, is := strings.Join(strings.Fields(offered), " "), strings.Join(strings.Fields(ran), " ")
	ok = was != is && was != "" && is != "" && len(was) <= longest && len(is) <= longest
	return fmt.Sprintf("use %q instead of %q", is, was), ok
}

// Otherwise reports whether a command line does what another one was to do, otherwise. It is read off the words of their commands,
// flags left out:
//
//   - one program, and a verb or an object of both, or no word at all of one of them: git push -f, git push --force-with-lease
//   - another program, and an object of both: rm -rf build, trash build; or a verb of both that have no more words than behind a
//     flag: npm test, yarn test --filter sync; or a verb of both that are called alike: npm install, pnpm install lodash
//   - one has the other program run: eslint ., npx eslint .
//
// A line that only reads is a look before the act, and not the act, unless the other one only read as well. What cannot be parsed
// is nothing.
func Otherwise(offered, ran string) bool {
	here := risk.Here{TrustedGit: true} // what the words say, wherever it was
	was, is := risk.Judge(offered, here), risk.Judge(ran, here)
	if is.Level == risk.Safe && was.Level != risk.Safe {
		return false
	}
	for _, a := range plain(was.Commands) {
		for _, b := range plain(is.Commands) {
			if a.otherwise(b) {
				return true
			}
		}
	}
	return false
}

// A plainly is a simple command without its flags.
type plainly struct {
	program string
	words   []string // verb and objects
	flagged []string // those that stand behind a flag, and may be its value
}

// plain are the commands of a line, and those that they run in turn.
func plain(list []risk.Simple) (out []plainly) {
	for _, c := range list {
		if len(c.Argv) > 0 && c.Argv[0] != "" {
			p := plainly{program: path.Base(c.Argv[0])}
			for i, w := range c.Argv[1:] {
				if w == "" || w[0] == '-' {
					continue
				}
				p.words = append(p.words, path.Clean(w)) // build/, ./build
				if flag := c.Argv[i]; strings.HasPrefix(flag, "-") && flag != "--" && !strings.Contains(flag, "=") {
					p.flagged = append(p.flagged, path.Clean(w))
				}
			}
			out = append(out, p)
		}
		out = append(out, plain(c.Runs)...)
	}
	return out
}

func (a plainly) otherwise(b plainly) bool {
	if a.program == b.program {
		return len(a.words) == 0 || len(b.words) == 0 || share(a.words, b.words)
	}
	if inner, ok := b.runs(a.program); ok {
		return a.otherwise(inner)
	}
	if inner, ok := a.runs(b.program); ok {
		return inner.otherwise(b)
	}
	a.words, b.words = slices.DeleteFunc(a.words, nameless), slices.DeleteFunc(b.words, nameless)
	if len(a.words) == 0 || len(b.words) == 0 || a.words[0] != b.words[0] || !a.verb() || !b.verb() {
		return share(a.words, b.words)
	}
	// A verb alone says what is done, and not to what: npm install is no pip install of something.
	return alike(a.program, b.program) || a.alone() && b.alone() || share(a.words[1:], b.words[1:])
}

// verb reports whether the first word may be a verb: what changes files has none, and no verb is a path.
func (a plainly) verb() bool {
	return !programs.ChangesFiles(a.program) && !strings.ContainsAny(a.words[0], "./")
}

// alone reports whether a verb has no object. What stands behind a flag is taken for its value, unless the verb is one that wants
// an object: apt install -y ripgrep.
func (a plainly) alone() bool {
	switch a.words[0] {
	case "add", "get", "i", "install", "remove", "rm", "uninstall", "update", "upgrade",
		"run", "start", "stop", "restart", "enable", "disable":
		return len(a.words) == 1
	}
	return !slices.ContainsFunc(a.words[1:], func(w string) bool { return !slices.Contains(a.flagged, w) })
}

// alike reports whether the name of one program begins or ends with that of the other: npm and pnpm, pip and pip3.
func alike(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) > 2 && (strings.HasPrefix(b, a) || strings.HasSuffix(b, a))
}

// runs is what a command has another program do, if that stands among its words: npx eslint ., python -m pytest.
func (a plainly) runs(program string) (plainly, bool) {
	i := slices.Index(a.words, program)
	if i < 0 {
		return plainly{}, false
	}
	return plainly{program, a.words[i+1:], a.flagged}, true
}

// share reports whether two lists have a word in common.
func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}

// nameless reports whether a word names nothing by which two programs could be about one thing: a dot, a number.
func nameless(w string) bool { return !strings.ContainsFunc(w, unicode.IsLetter) }
