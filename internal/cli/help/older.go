package help

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// An Older name of a command stays for scripts and for fingers. It is not shown in front.
type Older struct {
	Name string // its path, below the root: "why-not"
	// Is the path of what has its work now: "why". Where that takes a flag, Flag is its
	// name and Usage its line of help; else what Is names runs the same by itself.
	Is, Flag, Usage string
}

// Now is what is written today: "why --not".
func (o Older) Now() string {
	if o.Flag == "" {
		return o.Is
	}
	return o.Is + " --" + o.Flag
}

// Names are all older names.
func Names() []Older {
	list := []Older{
		{"why-not", "why", "not", "why an answer did not have the memory REF"},
		{"erase", "forget", "for-good", "remove the text from every file; there is no undo (with --help: more)"},
		{"check", "doctor", "files", "look through all files for damage instead; changes nothing"},
		{"risk", "safety test", "level", "only how much the words of the line could do; also of lines of JSON (with --help: more)"},
		{"extract", "memory summarize", "dry-run", "show what might be remembered, and keep nothing (with --help: more)"},
		{"suggest", "ask", "command", "print one command line that does it, and run nothing (with --help: more)"},
		{"improve-rules", "rules propose", "", ""},
		{"evolve", "skills evolve", "", ""},
		{"working", "memory working", "", ""},
		{"memory export", "export", "", ""},
		{"memory forget", "forget", "", ""},
	}
	for _, name := range strings.Fields("hygiene plan apply policy compact stabilize reset scan") {
		list = append(list, Older{Name: "memory " + name, Is: "memory tidy " + name})
	}
	return list
}

// HasPage reports whether a hidden command is an older name that has a page of its own:
// all of what a newer flag does stands there.
func HasPage(cmd *cobra.Command) bool {
	return cmd.Hidden && term.IsOlderName(cmd.Annotations)
}

// find is the command at a path below root; nil if there is none.
func find(root *cobra.Command, path string) *cobra.Command {
	at := root
	for name := range strings.FieldsSeq(path) {
		i := slices.IndexFunc(at.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
		if i < 0 {
			return nil
		}
		at = at.Commands()[i]
	}
	return at
}

// Adopt hides the older names below root, as far as they are there, and gives what has
// their work now its flag.
func Adopt(root *cobra.Command) {
	for _, o := range Names() {
		if c := find(root, o.Name); c != nil {
			c.Hidden = true
			if o.Flag != "" {
				maps.Copy(c.Annotations, term.OlderName())
			}
		}
		if c := find(root, o.Is); c != nil && o.Flag != "" {
			c.Flags().Bool(o.Flag, false, o.Usage)
		}
	}
}

// MayRespell reports whether a line could have a flag that stands for an older name,
// without a tree of commands. It errs only by yes.
func MayRespell(args []string) bool {
	return slices.ContainsFunc(Names(), func(o Older) bool {
		return o.Flag != "" && slices.ContainsFunc(args, func(word string) bool { return given(word, o.Flag) })
	})
}

func given(word, flag string) bool {
	rest, ok := strings.CutPrefix(word, "--"+flag)
	return ok && (rest == "" || rest == "=true")
}

// Respell returns the line that has what args say in the older name, where a flag stands
// for one: "why --not 7" is "why-not 7". Any other line is returned as it is. Behind "--",
// and in the command line of another program, all is text.
func Respell(root *cobra.Command, args []string) []string {
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasParent() {
		return args
	}
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	for _, o := range Names() {
		if o.Flag == "" || o.Is != path {
			continue
		}
		for i, word := range rest {
			if word == "--" || term.TakesLine(cmd.Annotations) && !strings.HasPrefix(word, "-") {
				break
			}
			if given(word, o.Flag) {
				return slices.Concat(strings.Fields(o.Name), rest[:i], rest[i+1:])
			}
		}
	}
	return args
}
