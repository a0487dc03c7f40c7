package view

import (
	"slices"
	"strconv"
	"strings"

	"ken/internal/memory"
	"ken/internal/termsafe"
)

// Cites says what memories rest on, and what became of that. It looks the changes of a
// state through once, when the first memory that cites another is asked about.
type Cites struct {
	state  *memory.State
	edited map[memory.ID][]memory.ID // the lines that gave an item another text
	seal   func() (*memory.Seal, error)
}

// CitesOf returns the Cites of a state. seal is the person's, by which a text shows that was changed
// in the file itself; nil, or an error of it: such a change does not show.
func CitesOf(s *memory.State, seal func() (*memory.Seal, error)) *Cites {
	return &Cites{state: s, seal: seal}
}

// cited is one memory that an item rests on.
type cited struct {
	id memory.ID
	// since says what became of it after the item was stated: "forgotten", "erased",
	// "edited", "superseded", ...; "" if it stands as it did.
	since string
}

// of returns what an item rests on, in the order in which it cites.
func (c *Cites) of(it memory.Item) []cited {
	d := it.Record.Details()
	if len(d.Cites) == 0 {
		return nil
	}
	list := make([]cited, len(d.Cites))
	for i, id := range d.Cites {
		id = id.In(it.Log).From(c.state.OwnLog())
		list[i] = cited{id, c.since(it, id)}
		if list[i].since == "" && c.rewritten(it, i, id) {
			list[i].since = "edited"
		}
	}
	return list
}

func (c *Cites) since(it memory.Item, id memory.ID) string {
	status := c.state.Status(id)
	replaced := func() bool { // a merge cites what it takes the place of
		return slices.ContainsFunc(it.Record.Details().Supersedes, func(old memory.ID) bool {
			return old.In(it.Log).From(c.state.OwnLog()) == id
		})
	}
	switch {
	case status == memory.StatusSuperseded && replaced():
		return ""
	case status != memory.StatusActive:
		return status.String()
	case c.editedAfter(it, id):
		return "edited"
	}
	return ""
}

// rewritten reports whether the line of id, at index i of what it cites, was given another text in
// the file itself. Where lines edited one of the two, these say it.
func (c *Cites) rewritten(it memory.Item, i int, id memory.ID) bool {
	if c.seal == nil || it.Edited || len(c.edited[id]) > 0 {
		return false
	}
	at, status := c.state.Get(id)
	if status != memory.StatusActive {
		return false
	}
	seal, err := c.seal()
	return err == nil && seal.Says(it.Record, i, at.Record.Content)
}

// editedAfter reports whether id got another text after it was stated, or had its own text
// looked over.
func (c *Cites) editedAfter(it memory.Item, id memory.ID) bool {
	if c.edited == nil {
		c.edited = make(map[memory.ID][]memory.ID)
		for ch := range c.state.Changes() {
			if ch.Record.Kind == memory.KindEdit && ch.Record.Content != "" && !ch.Undone && !ch.Waits {
				target := ch.Record.Target.In(ch.Log).From(c.state.OwnLog())
				c.edited[target] = append(c.edited[target], ch.ID)
			}
		}
	}
	made := append([]memory.ID{it.ID}, c.edited[it.ID]...)
	return slices.ContainsFunc(c.edited[id], func(edit memory.ID) bool {
		return !slices.ContainsFunc(made, func(line memory.ID) bool { return !c.after(edit, line) })
	})
}

// after reports whether a line stands behind another: in one log by their numbers, else by
// their times.
func (c *Cites) after(x, y memory.ID) bool {
	if x.Log == y.Log && x.N > 0 && y.N > 0 {
		return x.N > y.N
	}
	a, _ := c.state.Line(x)
	b, _ := c.state.Line(y)
	return a.Record.Time.After(b.Record.Time)
}

// Gone returns what an item rests on that is forgotten or erased, and Changed what got
// another text since, or was replaced.
func (c *Cites) Gone(it memory.Item) (gone, changed []memory.ID) {
	for _, x := range c.of(it) {
		switch x.since {
		case "":
		case memory.StatusForgotten.String(), memory.StatusErased.String():
			gone = append(gone, x.id)
		default:
			changed = append(changed, x.id)
		}
	}
	return gone, changed
}

// Text returns what of it does not stand as it did: "#2 forgotten, #5 edited"; "" if all does.
func (c *Cites) Text(it memory.Item) string {
	var parts []string
	for _, x := range c.of(it) {
		if x.since != "" {
			parts = append(parts, "#"+x.id.String()+" "+x.since)
		}
	}
	return termsafe.Line(strings.Join(parts, ", "))
}

// Flag says so before a text in a table.
func (c *Cites) Flag(it memory.Item) string {
	if text := c.Text(it); text != "" {
		return "[rests on " + text + "] "
	}
	return ""
}

// Generalisation says of what a text is one: "a generalisation of #3, #5, #9".
func Generalisation(refs []string) string { return "a generalisation of #" + strings.Join(refs, ", #") }

// A Basis is what a memory rests on, down to what was said. It has no tree of shapes in it,
// since a description of shapes cannot say one.
type Basis struct {
	Memories []rest `json:"memories"`       // each before what it rests on itself
	More     int    `json:"more,omitempty"` // that are not listed
	// Generalises says that the memory goes beyond the words of what it cites.
	Generalises bool `json:"generalises,omitempty"`
}

// rest is one memory of a Basis.
type rest struct {
	Depth   int            `json:"depth"` // 1 is what the memory itself cites, 2 what that does, ...
	Ref     string         `json:"ref"`
	Since   string         `json:"since,omitempty"` // "forgotten", "edited", ... after it was cited
	Kind    string         `json:"kind,omitempty"`
	Content string         `json:"content,omitempty"` // masked; absent where it is gone
	Source  *memory.Source `json:"source,omitempty"`  // where it was said
}

// Bounds of what is shown of a basis.
const (
	mostBasis = 16 // memories below one
	mostDepth = 6  // of memories that rest on memories
)

// Tree returns what an item rests on, down to what was said: at most mostBasis memories. mask
// is what each text passes. nil: it rests on nothing.
func (c *Cites) Tree(it memory.Item, mask func(string) string) *Basis {
	left, b := mostBasis, Basis{Generalises: it.Record.Generalises()}
	b.Memories = c.tree(it, mask, &left, &b.More, map[memory.ID]bool{it.ID: true})
	if len(b.Memories) == 0 {
		return nil
	}
	return &b
}

func (c *Cites) tree(it memory.Item, mask func(string) string, left, more *int, above map[memory.ID]bool) []rest {
	all := c.of(it)
	near := make([]rest, 0, len(all))
	var items []memory.Item
	for i, x := range all {
		if *left == 0 {
			*more += len(all) - i
			break
		}
		*left--
		b := rest{Depth: len(above), Ref: x.id.String(), Since: x.since}
		at, status := c.state.Get(x.id)
		if status == memory.StatusActive || status == memory.StatusSuperseded {
			b.Kind, b.Content, b.Source = string(at.Record.Kind), mask(at.Record.Content), at.Record.Source
		} else {
			at = memory.Item{}
		}
		near, items = append(near, b), append(items, at)
	}
	var list []rest
	for i, b := range near { // those have their place already
		list = append(list, b)
		id := items[i].ID
		if items[i].Record == nil || above[id] || len(above) == mostDepth {
			continue
		}
		above[id] = true
		list = append(list, c.tree(items[i], mask, left, more, above)...)
		delete(above, id)
	}
	return list
}

// Lines are it for a person, a line each, each level two blanks further in.
func (b *Basis) Lines() []string {
	if b == nil {
		return nil
	}
	var lines, refs []string
	for _, m := range b.Memories {
		if m.Depth == 1 {
			refs = append(refs, m.Ref)
		}
	}
	if b.Generalises {
		lines = append(lines, termsafe.Line(Generalisation(refs)))
	}
	for _, m := range b.Memories {
		line := "rests on #" + m.Ref
		if m.Kind != "" {
			line += " (" + m.Kind + "): " + Excerpt(m.Content, basisWidth)
		}
		if m.Since != "" {
			line += " - " + m.Since
		}
		if m.Source != nil && m.Source.Session != "" && m.Source.Turn > 0 {
			line += "; said in " + m.Source.Session + ":" + strconv.Itoa(m.Source.Turn)
		}
		lines = append(lines, strings.Repeat("  ", m.Depth-1)+termsafe.Line(line))
	}
	if b.More > 0 {
		lines = append(lines, "rests on "+strconv.Itoa(b.More)+" more")
	}
	return lines
}

// basisWidth is the most of a text that is quoted there, in cells.
const basisWidth = 90
