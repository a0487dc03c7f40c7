package view

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/termsafe"
)

// Item is the JSON shape of a memory: the fields of the file, with defaults
// spelled out.
type Item struct {
	Ref        string         `json:"ref"` // for use in other commands
	ID         memory.ID      `json:"id"`
	TS         string         `json:"ts,omitempty"`
	Kind       string         `json:"kind"`
	Subtype    string         `json:"subtype,omitempty"`
	Scope      string         `json:"scope"`
	Content    string         `json:"content"`
	Status     string         `json:"status,omitempty"` // where it was asked for by name: what became of it
	Off        bool           `json:"off,omitempty"`    // the settings keep its scope out of prompts
	Key        string         `json:"key,omitempty"`
	Tags       []string       `json:"tags,omitempty"`
	Source     *memory.Source `json:"source,omitempty"`
	Origin     string         `json:"origin"`
	By         string         `json:"by,omitempty"`
	Phase      string         `json:"phase"`
	Tier       string         `json:"tier"`
	Importance int            `json:"importance"` // 1 to 10
	Pinned     bool           `json:"pinned"`
	Expires    string         `json:"expires,omitempty"`
	ValidFrom  string         `json:"valid_from,omitempty"`
	ValidTo    string         `json:"valid_to,omitempty"`
	Supersedes []memory.ID    `json:"supersedes,omitempty"`
	Cites      []memory.ID    `json:"cites,omitempty"`
	CitesGone  []memory.ID    `json:"cites_gone,omitempty"` // those of Cites that are forgotten or erased
	// CitesChanged are those that got another text since, or were replaced.
	CitesChanged []memory.ID `json:"cites_changed,omitempty"`
	Basis        *Basis      `json:"basis,omitempty"` // of one memory: what it rests on, down to what was said
	Used         string      `json:"used,omitempty"`  // of one memory, and of a list of all: when it was last of use
	Edited       bool        `json:"edited,omitempty"`
	Changed      string      `json:"changed,omitempty"` // of the last edit
	Log          string      `json:"log,omitempty"`     // absent for the own log
	Line         int         `json:"line,omitempty"`    // in its file, from 1
	// Extra are the fields that this version does not know, as they stand.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
}

// ItemOf is it for a program.
func ItemOf(it memory.Item) Item {
	r, d := it.Record, it.Record.Details()
	v := Item{
		Ref: it.Ref(), ID: r.ID, TS: Stamp(r.Time), Kind: string(r.Kind), Subtype: d.Subtype,
		Scope: string(ScopeOf(it)), Content: r.Content, Key: r.Key, Tags: r.Tags, Source: r.Source,
		Origin: string(it.Origin), By: r.By, Phase: string(it.Phase), Tier: string(it.Tier),
		Importance: it.Importance, Pinned: it.Pinned, Expires: Stamp(d.Expires),
		ValidFrom: Stamp(d.ValidFrom), ValidTo: Stamp(d.ValidTo), Supersedes: d.Supersedes,
		Cites: d.Cites, Edited: it.Edited, Log: it.ID.Log, Line: it.Line,
	}
	if it.Edited {
		v.Changed = Stamp(it.Changed)
	}
	for _, f := range d.Extra {
		if v.Extra == nil {
			v.Extra = make(map[string]json.RawMessage)
		}
		v.Extra[f.Name] = f.Value
	}
	return v
}

// itemsOf are items for a program; never nil, so that none is [].
func itemsOf(items []memory.Item) []Item {
	views := make([]Item, len(items))
	for i, it := range items {
		views[i] = ItemOf(it)
	}
	return views
}

// ScopeOf returns where an item applies, the default spelled out.
func ScopeOf(it memory.Item) memory.Scope {
	if it.Record.Scope == "" {
		return memory.ScopeUser
	}
	return it.Record.Scope
}

// StatusTable writes a list of so many items, one line each and no line end behind the
// last, for a terminal of width cells (0: no limit). item gives each, twice, with how it
// stands, which is before its text unless it is "". Before a text stands besides what is
// not ordinary about it: off reports which items the settings keep out of prompts, nil:
// none; and what flag says of it, nil: nothing. name is what a scope is called.
func StatusTable(
	w io.Writer, n int, item func(n int) (memory.Item, string), now time.Time, width int,
	off func(memory.Item) bool, flag func(memory.Item) string, name func(scope string) string,
) error {
	row := func(n int) []string {
		it, status := item(n)
		text := mark(it, status, off != nil && off(it)) + it.Record.Content
		if flag != nil {
			text = flag(it) + text
		}
		return []string{it.Ref(), Age(now, it.Record.Time), string(it.Record.Kind), name(string(ScopeOf(it))), text}
	}
	return writeTable(w, []string{"id", "age", "kind", "scope", "content"}, n, row, width)
}

func mark(it memory.Item, status string, off bool) string {
	m := ""
	if status != "" {
		m += "[" + status + "] "
	}
	if it.Origin.Rank() > 0 {
		m += "[" + string(it.Origin) + "] "
	}
	if off {
		m += "[off] "
	}
	if it.Pinned {
		m += "[pinned] "
	}
	if it.Tier == memory.TierArchive {
		m += "[archive] "
	}
	return m
}

// ItemText returns one memory whole, for a person: its text first, then what is
// known of it. history says how to see its history; "" if it has none. The
// text does not end with a line end.
func ItemText(it memory.Item, status, history string) string {
	r, d := it.Record, it.Record.Details()
	rows := [][2]string{
		{"id", it.Ref()},
		{"status", status},
		{"kind", string(r.Kind)},
		{"subtype", d.Subtype},
		{"scope", string(ScopeOf(it))},
		{"stated", When(r.Time)},
		{"key", r.Key},
		{"tags", strings.Join(r.Tags, ", ")},
		{"origin", originText(it.Origin)},
		{"by", r.By},
		{"phase", phaseText(it.Phase)},
		{"tier", tierText(it.Tier)},
		{"importance", strconv.Itoa(it.Importance) + " of 10"},
		{"expires", Stamp(d.Expires)},
		{"valid from", Stamp(d.ValidFrom)},
		{"valid to", Stamp(d.ValidTo)},
		{"supersedes", joinIDs(d.Supersedes)},
		{"cites", joinIDs(d.Cites)},
	}
	if it.Pinned {
		rows = append(rows, [2]string{"pinned", "yes"})
	}
	if r.Source != nil && r.Source.File != "" {
		rows = append(rows, [2]string{"file", r.Source.File})
	}
	if r.Source != nil && (r.Source.Session != "" || r.Source.File == "") {
		rows = append(rows, [2]string{"source", fmt.Sprintf("%s:%d", r.Source.Session, r.Source.Turn)})
	}
	rows = append(rows, [2]string{"history", history})
	for _, f := range d.Extra {
		if f.Name == "cited" {
			continue // hashes of what it cites, which no person reads
		}
		rows = append(rows, [2]string{f.Name, string(f.Value)})
	}
	var b strings.Builder
	b.WriteString(termsafe.Clean(r.Content))
	for _, row := range rows {
		if row[1] != "" {
			fmt.Fprintf(&b, "\n  %-10s  %s", termsafe.Line(row[0]), termsafe.Line(row[1]))
		}
	}
	return b.String()
}

// phaseText says what a phase means.
func phaseText(p memory.Phase) string {
	switch p {
	case memory.PhaseFluid:
		return string(p) + ": recent, and may still change"
	case memory.PhaseStabilized:
		return string(p) + ": reviewed, and stays"
	case memory.PhaseRigid:
		return string(p) + ": settled for good"
	}
	return string(p)
}

// tierText says what a tier means.
func tierText(t memory.Tier) string {
	switch t {
	case memory.TierHot:
		return string(t) + ": may be sent at the start of a conversation"
	case memory.TierArchive:
		return string(t) + ": kept, but not sent at the start"
	}
	return string(t)
}

// originText says who said something.
func originText(o memory.Origin) string {
	if o == memory.OriginUser {
		return string(o) + ": you said it"
	}
	return string(o) + ": not said by you"
}

func joinIDs(ids []memory.ID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = "#" + id.String()
	}
	return strings.Join(names, " ")
}
