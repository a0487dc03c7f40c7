package lifecycle

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/memory"
)

// PageMark is the first line of every page, by which one that ken made is known.
const PageMark = "<!-- Made by ken from the memory file. Changing or deleting this page changes nothing. -->"

// A Page is what MEMORY.md shows.
type Page struct {
	Title string
	Items []memory.Item // that hold now
	// Used gives when a memory was last of use; the zero time: never. nil: it is not said.
	Used func(memory.Item) time.Time
	// Since says what became of what an item rests on: "#2 forgotten"; "": nothing. nil: it is
	// not said.
	Since func(memory.Item) string
	// Line makes a text fit to be shown: on one line, masked, without controls.
	Line func(string) string
}

// Markdown renders the page. The same items give the same bytes, in whatever order
// they are given.
func (p Page) Markdown() []byte {
	items := slices.Clone(p.Items)
	slices.SortStableFunc(items, func(a, b memory.Item) int {
		return cmp.Or(b.Record.Time.Compare(a.Record.Time), cmp.Compare(a.ID.Log, b.ID.Log), cmp.Compare(b.ID.N, a.ID.N), cmp.Compare(a.ID.Hash, b.ID.Hash))
	})
	var hot, archive []memory.Item
	for _, it := range items {
		if it.Tier == memory.TierArchive && !it.Pinned {
			archive = append(archive, it)
		} else {
			hot = append(hot, it)
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n# %s\n\nTotal: %d (hot: %d, archive: %d)\n", PageMark, p.Line(p.Title), len(items), len(hot), len(archive))
	if len(items) == 0 {
		b.WriteString("\n(empty)\n")
	}
	p.part(&b, "Hot", hot)
	p.part(&b, "Archive", archive)
	return b.Bytes()
}

func (p Page) part(b *bytes.Buffer, title string, items []memory.Item) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n", title)
	byKind := make(map[memory.Kind][]memory.Item)
	kinds := memory.StatingKinds()
	var others []memory.Kind
	for _, it := range items {
		k := it.Record.Kind
		if byKind[k] == nil && !slices.Contains(kinds, k) {
			others = append(others, k)
		}
		byKind[k] = append(byKind[k], it)
	}
	slices.Sort(others)
	for _, k := range append(kinds, others...) {
		if len(byKind[k]) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n### %s (%d)\n\n", p.Line(string(k)), len(byKind[k]))
		for _, it := range byKind[k] {
			fmt.Fprintf(b, "- [%s] %s%s\n", p.Line(it.Ref()), p.Line(it.Record.Content), p.about(it))
		}
	}
}

// about is what stands behind a text: where it holds, when it was said, and that it
// is pinned.
func (p Page) about(it memory.Item) string {
	var list []string
	if s := it.Record.Scope; s != "" && s != memory.ScopeUser {
		list = append(list, p.Line(string(s)))
	}
	if !it.Record.Time.IsZero() {
		list = append(list, it.Record.Time.UTC().Format(time.DateOnly))
	}
	if it.Pinned {
		list = append(list, "pinned")
	}
	if it.Record.Kind.Is(memory.Learned) {
		list = append(list, p.learned(it)...)
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// mostCited is how many memories are named that one rests on.
const mostCited = 6

// learned says what such an item rests on, where it was said, and when it was last of use.
func (p Page) learned(it memory.Item) (list []string) {
	if cites := it.Record.Details().Cites; len(cites) > 0 {
		refs := make([]string, min(len(cites), mostCited))
		for i := range refs {
			refs[i] = "#" + p.Line(cites[i].In(it.ID.Log).String())
		}
		from := "from " + strings.Join(refs, " ")
		if more := len(cites) - len(refs); more > 0 {
			from += fmt.Sprintf(" and %d more", more)
		}
		list = append(list, from)
	} else if src := it.Record.Source; src != nil && src.Session != "" && src.Turn > 0 {
		list = append(list, p.Line(fmt.Sprintf("said in %s:%d", src.Session, src.Turn)))
	}
	if p.Since != nil {
		if since := p.Since(it); since != "" {
			list = append(list, p.Line(since))
		}
	}
	if p.Used == nil {
		return list
	}
	if at := p.Used(it); !at.IsZero() {
		return append(list, "used "+at.UTC().Format(time.DateOnly))
	}
	return append(list, "not used yet")
}
