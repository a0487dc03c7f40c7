package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/termsafe"
)

// println writes one line of answer. The text is the caller's to clean where it
// quotes what ken did not write itself.
func (a *app) println(line string) error {
	_, err := io.WriteString(a.env.Stdout, termsafe.Clean(line)+"\n")
	return err
}

// printJSON writes v in one piece, in a form that no terminal acts on.
func (a *app) printJSON(v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = a.env.Stdout.Write(append(termsafe.JSONSafe(b), '\n'))
	return err
}

// printTable writes rows in columns. All but the last column are as wide as
// their widest cell; the last is cut to the width of the terminal.
func (a *app) printTable(head []string, rows [][]string) error {
	for _, row := range rows {
		for i := range row {
			row[i] = termsafe.Line(row[i])
		}
	}
	last := len(head) - 1
	widths := make([]int, last)
	for _, row := range append([][]string{head}, rows...) {
		for i := range widths {
			widths[i] = max(widths[i], min(termsafe.Width(row[i]), maxColumn))
		}
	}
	var b strings.Builder
	for _, row := range append([][]string{head}, rows...) {
		used := 0
		for i, w := range widths {
			cell := termsafe.Cut(row[i], w)
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", w-termsafe.Width(cell)+2))
			used += w + 2
		}
		text := row[last]
		if full := a.width(); full > 0 {
			text = termsafe.Cut(text, max(full-used, 10))
		}
		b.WriteString(strings.TrimRight(text, " "))
		b.WriteByte('\n')
	}
	_, err := io.WriteString(a.env.Stdout, b.String())
	return err
}

// maxColumn is the widest a column may be, in cells, so that one long scope
// does not push the text off the screen.
const maxColumn = 32

// age is how long ago something was, in the largest unit that fits: "now",
// "5m", "3h", "12d", "9w", "2y"; "-" where no time is known.
func age(now, then time.Time) string {
	if then.IsZero() {
		return "-"
	}
	const day = 24 * time.Hour
	switch d := now.Sub(then); {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 2*day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 60*day:
		return fmt.Sprintf("%dd", d/day)
	case d < 2*365*day:
		return fmt.Sprintf("%dw", d/(7*day))
	default:
		return fmt.Sprintf("%dy", d/(365*day))
	}
}

// when is a time as shown to a person: UTC, to the second.
func when(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

// itemView is the JSON form of a memory: the names of the file's fields, with
// defaults spelled out, and ref for use in other commands.
type itemView struct {
	Ref        string         `json:"ref"`
	ID         any            `json:"id"`
	TS         string         `json:"ts,omitempty"`
	Kind       string         `json:"kind"`
	Subtype    string         `json:"subtype,omitempty"`
	Scope      string         `json:"scope"`
	Content    string         `json:"content"`
	Status     string         `json:"status,omitempty"`
	Key        string         `json:"key,omitempty"`
	Tags       []string       `json:"tags,omitempty"`
	Source     *memory.Source `json:"source,omitempty"`
	Origin     string         `json:"origin"`
	By         string         `json:"by,omitempty"`
	Phase      string         `json:"phase"`
	Tier       string         `json:"tier"`
	Importance int            `json:"importance"`
	Pinned     bool           `json:"pinned"`
	Expires    string         `json:"expires,omitempty"`
	ValidFrom  string         `json:"valid_from,omitempty"`
	ValidTo    string         `json:"valid_to,omitempty"`
	Supersedes []memory.ID    `json:"supersedes,omitempty"`
	Cites      []memory.ID    `json:"cites,omitempty"`
	Edited     bool           `json:"edited,omitempty"`
	Changed    string         `json:"changed,omitempty"`
	Log        string         `json:"log,omitempty"`
	Line       int            `json:"line,omitempty"`
	// Extra are the fields that this version does not know, as they stand.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
}

func viewItem(it memory.Item) itemView {
	r := it.Record
	v := itemView{
		Ref: it.Ref(), ID: r.ID, TS: stamp(r.Time), Kind: string(r.Kind), Subtype: r.Subtype,
		Scope: string(scopeOf(it)), Content: r.Content, Key: r.Key, Tags: r.Tags, Source: r.Source,
		Origin: string(it.Origin), By: r.By, Phase: string(it.Phase), Tier: string(it.Tier),
		Importance: it.Importance, Pinned: it.Pinned, Expires: stamp(r.Expires),
		ValidFrom: stamp(r.ValidFrom), ValidTo: stamp(r.ValidTo), Supersedes: r.Supersedes,
		Cites: r.Cites, Edited: it.Edited, Log: it.ID.Log, Line: it.Line,
	}
	if it.Edited {
		v.Changed = stamp(it.Changed)
	}
	for _, f := range r.Extra {
		if v.Extra == nil {
			v.Extra = make(map[string]json.RawMessage)
		}
		v.Extra[f.Name] = f.Value
	}
	return v
}

// changeView is one line of a history, whole.
type changeView struct {
	Ref    string          `json:"ref"`
	Line   int             `json:"line,omitempty"`
	Undone bool            `json:"undone,omitempty"`
	Record json.RawMessage `json:"record"`
}

func viewChanges(changes []memory.Change) []changeView {
	views := make([]changeView, len(changes))
	for i, ch := range changes {
		views[i] = changeView{Ref: ch.ID.String(), Line: ch.Line, Undone: ch.Undone, Record: ch.Record.AppendJSON(nil)}
	}
	return views
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// printItem writes one memory for a person: its text first, then what is known
// of it.
func (a *app) printItem(s *memory.State, it memory.Item, status memory.Status) error {
	r := it.Record
	if err := a.println(r.Content); err != nil {
		return err
	}
	rows := [][2]string{
		{"id", it.Ref()}, {"status", status.String()}, {"kind", string(r.Kind)}, {"subtype", r.Subtype},
		{"scope", string(scopeOf(it))}, {"stated", when(r.Time)}, {"key", r.Key}, {"tags", strings.Join(r.Tags, ", ")},
		{"origin", string(it.Origin)}, {"by", r.By}, {"phase", string(it.Phase)}, {"tier", string(it.Tier)},
		{"importance", fmt.Sprint(it.Importance)}, {"expires", stamp(r.Expires)},
		{"valid from", stamp(r.ValidFrom)}, {"valid to", stamp(r.ValidTo)},
		{"supersedes", joinIDs(r.Supersedes)}, {"cites", joinIDs(r.Cites)},
	}
	if it.Pinned {
		rows = append(rows, [2]string{"pinned", "yes"})
	}
	if r.Source != nil {
		rows = append(rows, [2]string{"source", fmt.Sprintf("%s:%d", r.Source.Session, r.Source.Turn)})
	}
	if n := len(s.History(it.ID)); n > 1 {
		rows = append(rows, [2]string{"history", fmt.Sprintf("%d lines: %s", n, a.verb("memory history "+it.Ref()))})
	}
	for _, f := range r.Extra {
		rows = append(rows, [2]string{f.Name, string(f.Value)})
	}
	for _, row := range rows {
		if row[1] == "" {
			continue
		}
		if err := a.println(fmt.Sprintf("  %-10s  %s", termsafe.Line(row[0]), termsafe.Line(row[1]))); err != nil {
			return err
		}
	}
	return nil
}

func joinIDs(ids []memory.ID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = "#" + id.String()
	}
	return strings.Join(names, " ")
}
