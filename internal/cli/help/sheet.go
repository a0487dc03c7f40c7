package help

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
)

// usual is the width, in cells, where nobody says how wide the screen is.
const usual = 80

// A Sheet writes pages of help about a tree of commands.
type Sheet struct {
	Root  *cobra.Command
	Shell bool // commands are written as in the shell: ":remember"
	Width int  // of the screen, in cells; 0: there is none
}

// On is the page about a name: "" is the overview, "all" the whole list, else a topic or a
// command, which find looks up and nil if there is none. What is none of them is an error.
func (s Sheet) On(words []string, find func(name string) *cobra.Command) (string, error) {
	name := strings.Join(words, " ")
	switch {
	case name == "":
		return s.Overview(), nil
	case name == "all":
		return s.All(), nil
	case IsTopic(name):
		return s.Topic(name), nil
	}
	if cmd := find(name); cmd != nil {
		return s.Command(cmd), nil
	}
	return "", fault.Usagef("%q is no command", name).WithHint("%s lists the commands", s.verb("help all"))
}

// verb is how a command is written where the person is.
func (s Sheet) verb(path string) string {
	if s.Shell {
		return ":" + path
	}
	return strings.TrimSpace("ken " + path)
}

func (s Sheet) width() int {
	if s.Width == 0 {
		return usual
	}
	return s.Width
}

// Overview is the first page.
func (s Sheet) Overview() string {
	if s.Shell {
		return s.inShell()
	}
	w := s.width()
	out := prose(s.Root.Long, w)
	out = append(out, "")
	out = append(out, rows([]Row{
		{Use: `ken ask "how do I undo the last commit?"`},
		{Use: `git diff | ken ask "write a commit message"`},
		{Use: `ken remember "the staging host is kettle"`},
	}, 2, w)...)
	var in [][]Row
	var titles []string
	for _, ch := range front() {
		var list []Row
		for name := range strings.FieldsSeq(ch.names) {
			name, flag, _ := strings.Cut(name, "--")
			c := find(s.Root, name)
			if c == nil {
				continue
			}
			if f := c.Flags().Lookup(flag); f != nil {
				list = append(list, Row{c.Name() + " --" + f.Name, f.Usage})
			} else {
				list = append(list, Row{c.Name(), c.Short})
			}
		}
		in, titles = append(in, list), append(titles, ch.title)
	}
	if own := s.own(); len(own) > 0 {
		in, titles = append(in, own), append(titles, "yours")
	}
	for i, list := range even(in) {
		out = append(append(out, ""), broken(titles[i], w, 2)...)
		out = append(out, rows(list, 2, w)...)
	}
	out = append(out, "", "flags")
	out = append(out, s.flags(s.Root, w)...)
	out = append(out, "")
	out = append(out, rows([]Row{
		{"ken help all", "every command"},
		{"ken help COMMAND", "one of them in full, as ken COMMAND --help"},
		{"ken help TOPIC", s.topicNames()},
	}, 0, w)...)
	return strings.Join(out, "\n")
}

// even pads what is typed, so that several lists share a column.
func even(lists [][]Row) [][]Row {
	column := 0
	for _, list := range lists {
		for _, r := range list {
			column = max(column, min(len(r.Use), widest))
		}
	}
	for _, list := range lists {
		for i, r := range list {
			list[i].Use += strings.Repeat(" ", max(column-len(r.Use), 0))
		}
	}
	return lists
}

// inShell is the first page in the shell.
func (s Sheet) inShell() string {
	w := s.width()
	out := prose(`A line is a question to the model; $COMMAND runs with your shell. A command begins with a
colon, and a unique beginning of it is enough. What a line changes it also says how to undo.`, w)
	var list []Row
	for name := range strings.FieldsSeq(first) {
		if c := find(s.Root, name); c != nil {
			list = append(list, Row{s.use(c, name), c.Short})
		}
	}
	out = append(out, "")
	out = append(out, rows(list, 0, w)...)
	if own := s.own(); len(own) > 0 {
		out = append(out, "", "yours")
		out = append(out, rows(own, 0, w)...)
	}
	var more []Row
	for _, t := range topics() {
		more = append(more, Row{":help " + t.name, t.about})
	}
	more = append(more, Row{":help COMMAND", "one command in full"}, Row{":help all", "every command"},
		Row{":quit", "save and leave (also: exit, Ctrl-D)"})
	out = append(out, "")
	out = append(out, rows(more, 0, w)...)
	return strings.Join(out, "\n")
}

func (s Sheet) topicNames() string {
	var names []string
	for _, t := range topics() {
		names = append(names, t.name)
	}
	return "a subject: " + strings.Join(names, ", ")
}

// asHere is a line "ken COMMAND ..." as it is typed where the person is; any other stays as it is.
func (s Sheet) asHere(line string) string {
	rest, ok := strings.CutPrefix(line, "ken ")
	name, _, _ := strings.Cut(rest, " ")
	if c := find(s.Root, name); ok && s.Shell && c != nil && !c.Hidden {
		return s.verb(rest)
	}
	return line
}

// use is how a command is typed, with its operands.
func (s Sheet) use(c *cobra.Command, path string) string {
	_, operands, _ := strings.Cut(c.Use, " ")
	operands = strings.TrimPrefix(operands, "[flags] ")
	if c.HasAvailableSubCommands() {
		operands = "..."
	}
	return strings.TrimSpace(s.verb(path) + " " + operands)
}

// listed are the commands right below cmd that people are shown.
func listed(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool {
		return c.Hidden || term.IsOwnCommand(c.Annotations)
	})
}

// own are the commands of the person's own.
func (s Sheet) own() []Row {
	var list []Row
	for _, c := range s.Root.Commands() {
		if term.IsOwnCommand(c.Annotations) {
			list = append(list, Row{s.use(c, c.Name()), c.Short})
		}
	}
	return list
}

// under are rows for a command and all below it.
func (s Sheet) under(c *cobra.Command, path string) []Row {
	list := []Row{{s.use(c, path), c.Short}}
	for _, below := range listed(c) {
		list = append(list, s.under(below, path+" "+below.Name())...)
	}
	return list
}

// All is the list of all commands, with the older names at its end. Without a screen each
// stands on one line.
func (s Sheet) All() string {
	all := listed(s.Root)
	var parts [][]Row
	var titles []string
	for _, ch := range chapters() {
		names := strings.Fields(ch.names)
		if ch.names == "" {
			for _, c := range all {
				names = append(names, c.Name())
			}
		}
		var list []Row
		for _, name := range names {
			i := slices.IndexFunc(all, func(c *cobra.Command) bool { return c.Name() == name })
			if i < 0 {
				continue // it is not part of this build, or stood before
			}
			list = append(list, s.under(all[i], name)...)
			all = slices.Delete(all, i, i+1)
		}
		if len(list) > 0 {
			parts, titles = append(parts, list), append(titles, ch.title)
		}
	}
	if own := s.own(); len(own) > 0 {
		parts, titles = append(parts, own), append(titles, "yours")
	}
	var out []string
	for i, list := range even(parts) {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, broken(titles[i], s.Width, 2)...)
		out = append(out, rows(list, 0, s.Width)...)
	}
	var older []Row
	for _, o := range Names() {
		if find(s.Root, o.Name) != nil {
			older = append(older, Row{s.verb(o.Name), "is now " + s.verb(o.Now())})
		}
	}
	out = append(append(out, ""), broken("older names, which stay", s.Width, 2)...)
	out = append(out, rows(older, 0, s.Width)...)
	return strings.Join(out, "\n")
}

// Topic is the page about a subject, by its name.
func (s Sheet) Topic(name string) string {
	t, ok := topicOf(name)
	if !ok {
		return ""
	}
	w := s.width()
	out := append(prose(t.text, w), "")
	var list []Row
	for _, r := range t.rows {
		list = append(list, Row{s.asHere(r.Use), r.About})
	}
	for name := range strings.FieldsSeq(t.names) {
		c := find(s.Root, name)
		if c == nil || c.Hidden {
			continue
		}
		list = append(list, Row{s.use(c, name), c.Short})
		if name != t.name {
			continue
		}
		for _, below := range listed(c) {
			path := name + " " + below.Name()
			list = append(list, Row{s.use(below, path), below.Short})
		}
	}
	out = append(out, rows(list, 0, w)...)
	if own := s.own(); t.name == "commands" && len(own) > 0 {
		out = append(out, "", "yours")
		out = append(out, rows(own, 0, w)...)
	}
	return strings.Join(out, "\n")
}
