package rehearsal

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/attach"
	"ken/internal/termsafe"
	"ken/internal/tool/edit"
	"ken/internal/tool/swap"
)

const (
	// MostChanges is how many may be applied at once.
	MostChanges = 2000
	// MostKept is how many bytes of files that go may be kept to be taken back.
	MostKept = 128 << 20
	// mostDiff is how many bytes of differences are made.
	mostDiff = 256 << 10
)

// A Node is what is at a path. The zero Node is nothing.
type Node struct {
	Form swap.Form // "" if nothing is there, or what cannot be applied
	Sum  string    // swap.Sum of the bytes; of a link of what it leads to
	Size int64
	To   string // what a link leads to

	there bool
	info  fs.FileInfo
}

// There reports whether something is at the path.
func (n Node) There() bool { return n.there }

// IsFile reports whether it is a regular file.
func (n Node) IsFile() bool { return n.Form != "" && n.Form != swap.Link && !n.Form.IsDir() }

// same reports whether two nodes are equal but for times.
func (n Node) same(o Node) bool { return n.there == o.there && n.Form == o.Form && n.Sum == o.Sum }

// kind is what a node is, for people.
func (n Node) kind() string {
	switch {
	case n.Form == swap.Link:
		return "link"
	case n.Form.IsDir():
		return "directory"
	case n.Form != "" || n.info == nil:
		return "file"
	case n.info.Mode()&fs.ModeNamedPipe != 0:
		return "pipe"
	case n.info.Mode()&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}

// A Change is what a command made of one path.
type Change struct {
	Name    string // below the project, with slashes
	Was, Is Node
	Diff    string // unified; "" of what is no text, too long or too much
	Added   int    // lines
	Removed int
	Unfit   string // why it cannot be applied; "": it can

	path  string // in the project
	upper string // what it is then, in the layer
}

// Path is its absolute path in the project.
func (c Change) Path() string { return c.path }

// Made reports whether it was not there before.
func (c Change) Made() bool { return !c.Was.there }

// Gone reports whether it is not there any more.
func (c Change) Gone() bool { return !c.Is.there }

// Text is the change in a line: a sign, the path, and what it is.
func (c Change) Text() string {
	n, sign := c.Is, "~"
	switch {
	case c.Made():
		sign = "+"
	case c.Gone():
		n, sign = c.Was, "-"
	}
	text := sign + " " + termsafe.Line(c.Name)
	if n.Form.IsDir() {
		text += "/"
	}
	var about []string
	say := func(form string, args ...any) { about = append(about, fmt.Sprintf(form, args...)) }
	switch {
	case n.kind() != "file" && n.Form != swap.Link && !n.Form.IsDir():
		say("%s", n.kind())
	case n.Form == swap.Link:
		text += " -> " + termsafe.Line(n.To)
	case c.Diff != "" && !c.Made() && !c.Gone():
		say("+%d -%d", c.Added, c.Removed)
	case n.IsFile():
		say("%s", attach.Size(n.Size))
	}
	switch {
	case c.Made() && n.IsFile() && n.Form != "0644", c.Made() && n.Form.IsDir() && n.Form.Mode() != "0755":
		say("mode %s", n.Form.Mode())
	case !c.Made() && !c.Gone() && c.Was.Form != c.Is.Form:
		say("mode %s, was %s", c.Is.Form.Mode(), c.Was.Form.Mode())
	}
	if c.Unfit != "" {
		say("cannot be applied: %s", c.Unfit)
	}
	if len(about) > 0 {
		text += " (" + strings.Join(about, ", ") + ")"
	}
	return text
}

// An Outcome is what a command changed. Changes are in the order in which they can be made.
type Outcome struct {
	Changes []Change
	// Unfit is why nothing of it can be applied; "": it can.
	Unfit string
}

// Counts says how many paths were made, changed and removed.
func (r Outcome) Counts() (made, changed, removed int) {
	for _, c := range r.Changes {
		switch {
		case c.Made():
			made++
		case c.Gone():
			removed++
		default:
			changed++
		}
	}
	return made, changed, removed
}

// Sum names what it says, to the letter.
func (r Outcome) Sum() string {
	var b strings.Builder
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "%q %s %s %s %s\n", c.path, c.Was.Form, c.Was.Sum, c.Is.Form, c.Is.Sum)
	}
	return swap.Sum([]byte(b.String()))
}

// Text shows it: a line for each change, at most so many, and the differences behind them, at most so many
// lines of one and twice as many of all together.
func (r Outcome) Text(most, rows int) string {
	var b strings.Builder
	sorted := slices.SortedStableFunc(slices.Values(r.Changes), func(a, b Change) int { return cmp.Compare(a.Name, b.Name) })
	for i, c := range sorted {
		if i == most {
			fmt.Fprintf(&b, "and %d more\n", len(sorted)-most)
			break
		}
		b.WriteString(c.Text() + "\n")
	}
	if r.Unfit != "" {
		b.WriteString("cannot be applied: " + r.Unfit + "\n")
	}
	all := 2 * rows
	for _, c := range sorted {
		if c.Diff == "" || all <= 0 {
			continue
		}
		lines := strings.SplitAfter(strings.TrimSuffix(c.Diff, "\n"), "\n")
		shown := min(len(lines), rows, all)
		b.WriteString("\n" + strings.TrimSuffix(strings.Join(lines[:shown], ""), "\n") + "\n")
		if left := len(lines) - shown; left > 0 {
			fmt.Fprintf(&b, "(%d more lines of this difference)\n", left)
		}
		all -= shown
	}
	return b.String()
}

// difference fills in what a person is shown of the bytes, as long as there is room, and returns the rest of it.
func (c *Change) difference(room int) int {
	read := func(n Node, path string) (text string, ok bool) {
		if !n.there {
			return "", true
		}
		if !n.IsFile() || n.Size > swap.Most {
			return "", false
		}
		b, err := os.ReadFile(path)
		if err != nil || swap.Sum(b) != n.Sum {
			return "", false
		}
		_, isText := attach.Sniff(b[:min(len(b), 8<<10)])
		return string(b), isText || len(b) == 0
	}
	if c.Was.Sum == c.Is.Sum && c.Was.there == c.Is.there {
		return room
	}
	before, ok := read(c.Was, c.path)
	if !ok {
		return room
	}
	after, ok := read(c.Is, c.upper)
	if !ok || len(before)+len(after) > 4*room {
		return room
	}
	c.Diff = edit.Diff(c.Name, before, after)
	c.Added, c.Removed = edit.Count(c.Diff)
	return max(room-len(c.Diff), 0)
}

// ordered puts changes in an order in which they can be made: what is removed first, the deepest first; then what is made and
// changed, the highest first. A directory that takes a right from its owner gets its mode behind all.
func ordered(list []Change) []Change {
	rank := func(c Change) int {
		switch {
		case c.Gone():
			return 1
		case !c.Made() && c.Is.Form.IsDir() && !opens(c.Is.Form):
			return 3
		case !c.Made() && c.Is.Form.IsDir():
			return 0
		}
		return 2
	}
	slices.SortStableFunc(list, func(a, b Change) int {
		byName := cmp.Compare(a.Name, b.Name)
		if rank(a) == 1 || rank(a) == 3 {
			byName = -byName
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), byName)
	})
	return list
}

// opens reports whether the owner of a directory may change what is in it.
func opens(f swap.Form) bool {
	mode := f.Mode()
	return len(mode) == 4 && (mode[1]-'0')&3 == 3
}

func isBelow(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
