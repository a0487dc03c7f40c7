package review

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/termsafe"
	"ken/internal/trust"
	"ken/internal/view"
)

// shape is the JSON form of something that waits, or was refused.
type shape struct {
	Ref        string         `json:"ref"`
	Of         string         `json:"of"`
	Kind       string         `json:"kind"`
	Content    string         `json:"content,omitempty"`
	Scope      string         `json:"scope,omitempty"`
	Key        string         `json:"key,omitempty"`
	Tags       []string       `json:"tags,omitempty"`
	Targets    []string       `json:"targets,omitempty"` // of a change
	Origin     string         `json:"origin"`
	Source     *memory.Source `json:"source,omitempty"`
	Why        string         `json:"why,omitempty"`
	TS         string         `json:"ts,omitempty"`
	Importance int            `json:"importance,omitempty"`
	File       string         `json:"file,omitempty"`  // of the repository, in which it stands
	Trust      string         `json:"trust,omitempty"` // "trust:<digest>" of the bytes that were let in
	Pinned     bool           `json:"pinned,omitempty"`
	Supersedes []string       `json:"supersedes,omitempty"`
	Expires    string         `json:"expires,omitempty"`
	ValidFrom  string         `json:"valid_from,omitempty"`
	ValidTo    string         `json:"valid_to,omitempty"`
}

func shapeOf(w engine.Waiting) shape {
	p := w.Proposal
	r := &p.Record
	v := shape{
		Ref: w.Ref, Of: string(p.Of), Kind: string(r.Kind), Content: r.Content, Key: r.Key, Tags: r.Tags,
		Origin: origin(r), Source: p.Source, Why: p.Why, TS: view.Stamp(p.Time), Importance: r.Importance,
		File: file(w), Trust: w.By,
	}
	d := r.Details()
	v.Pinned, v.Expires, v.ValidFrom, v.ValidTo = r.Pinned, view.Stamp(d.Expires), view.Stamp(d.ValidFrom), view.Stamp(d.ValidTo)
	for _, id := range d.Supersedes {
		v.Supersedes = append(v.Supersedes, id.String())
	}
	if r.States() {
		v.Scope = scope(r)
	}
	for _, id := range targets(r) {
		v.Targets = append(v.Targets, id.String())
	}
	return v
}

// file is the file of the repository in which a line waits; "" if it does not.
func file(w engine.Waiting) string {
	if w.Log == "" {
		return ""
	}
	return trust.PathOf(w.Log)
}

func origin(r *memory.Record) string {
	if r.Origin == "" {
		return string(memory.OriginUser)
	}
	return string(r.Origin)
}

func scope(r *memory.Record) string {
	if r.Scope == "" {
		return string(memory.ScopeUser)
	}
	return string(r.Scope)
}

func targets(r *memory.Record) []memory.ID {
	if r.States() {
		return nil
	}
	var ids []memory.ID
	if !r.Target.IsZero() {
		ids = append(ids, r.Target)
	}
	return append(ids, r.Details().Targets...)
}

// queue reads what waits and what was refused, and tells lines that cannot be read.
func queue(ctx context.Context, a *term.Run) (pending, refused []engine.Waiting, err error) {
	e, err := a.Memory()
	if err != nil {
		return nil, nil, err
	}
	pending, refused, problems, err := e.Queue(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i, p := range problems {
		if i == 8 {
			a.Say("ken: warning: ", fmt.Sprintf("%s: %d more lines cannot be read", a.Home.Settings.Paths().Review(), len(problems)-i))
			break
		}
		a.Say("ken: warning: ", fmt.Sprintf("%s: line %d: %v", a.Home.Settings.Paths().Review(), p.Line, p.Err))
	}
	return pending, refused, nil
}

func printJSON(ctx context.Context, a *term.Run, ofRefused bool) error {
	pending, refused, err := queue(ctx, a)
	if err != nil {
		return err
	}
	if ofRefused {
		pending = refused
	}
	shapes := []shape{}
	for _, w := range pending {
		shapes = append(shapes, shapeOf(w))
	}
	return a.PrintJSON(shapes)
}

// list prints what waits, or what was refused, a line each.
func list(ctx context.Context, a *term.Run, ofRefused bool) error {
	pending, refused, err := queue(ctx, a)
	if err != nil {
		return err
	}
	none := "(nothing waits)"
	if ofRefused {
		pending, none = refused, "(nothing was refused)"
	}
	if len(pending) == 0 {
		return a.Println(none)
	}
	rows := make([][]string, len(pending))
	var logs []string // of this repository, in which some of it stands
	for i, w := range pending {
		r := &w.Proposal.Record
		rows[i] = []string{w.Ref, view.Age(a.Env.Now(), w.Proposal.Time), string(r.Kind), origin(r), oneLine(r)}
		if line := w.Log + "/: " + file(w) + ", let in as " + w.By; w.Log != "" && !slices.Contains(logs, line) {
			logs = append(logs, line)
		}
	}
	table := view.Table([]string{"ref", "age", "kind", "from", "what"}, rows, a.Width())
	return a.Println(strings.Join(append([]string{table}, logs...), "\n"))
}

// oneLine says what a record would do, with what is invisible in it shown.
func oneLine(r *memory.Record) string {
	text := termsafe.Visible(strings.ReplaceAll(r.Content, "\n", " "))
	if r.States() {
		return text
	}
	var ids []string
	for _, id := range targets(r) {
		ids = append(ids, "#"+id.String())
	}
	return strings.TrimSpace(string(r.Kind) + " " + strings.Join(ids, " ") + " " + text)
}

// card is all that a person has to see of a proposal to decide on it. Nothing of
// it is cut, and what is invisible in it is shown.
func card(w engine.Waiting, s *memory.State, nr, of int) string {
	r := &w.Proposal.Record
	text := fmt.Sprintf("%d of %d  %s  %s", nr, of, w.Ref, heading(w.Proposal))
	if r.States() {
		text += "\n  " + visible(r.Content)
	}
	for _, n := range notes(w, s) {
		text += "\n  " + visible(n)
	}
	return text
}

// heading says what kind of thing is proposed, for where, and by whom.
func heading(p *review.Proposal) string {
	r := &p.Record
	text := kindWord(r.Kind)
	if r.States() {
		text += "  for " + termsafe.Line(scope(r))
	}
	text += "  from " + termsafe.Line(origin(r))
	if p.Source != nil {
		text += where(p.Source)
	}
	return text
}

// kindWord is a kind as one word, also if a file has it as something else.
func kindWord(k memory.Kind) string {
	return strings.Join(strings.Fields(termsafe.Line(string(k))), "_")
}

// notes are what else a yes would do, and why it is proposed: above all what it
// would change or put out of force.
func notes(w engine.Waiting, s *memory.State) []string {
	r := &w.Proposal.Record
	var list []string
	text := func(id memory.ID) string {
		it, _ := s.Get(id)
		return it.Record.Content
	}
	for _, id := range targets(r) {
		list = append(list, fmt.Sprintf("%s #%s: %s", kindWord(r.Kind), id, text(id)))
	}
	if !r.States() && r.Content != "" {
		list = append(list, "to:  "+r.Content)
	}
	for _, id := range r.Details().Supersedes {
		list = append(list, fmt.Sprintf("takes the place of #%s: %s", id, text(id)))
	}
	if r.States() && r.Key != "" {
		for _, it := range s.Items() {
			if it.Record.Key == r.Key && strings.EqualFold(scope(it.Record), scope(r)) {
				list = append(list, fmt.Sprintf("takes the place of #%s, which has its key: %s", it.Ref(), it.Record.Content))
			}
		}
	}
	for _, f := range details(r) {
		list = append(list, f[0]+": "+f[1])
	}
	if w.Log != "" {
		list = append(list, fmt.Sprintf("in:  %s, let in as %s", file(w), w.By))
	}
	if w.Proposal.Why != "" {
		list = append(list, "why: "+w.Proposal.Why)
	}
	if r.Kind == memory.KindRule {
		list = append(list, "a rule: once kept, it is in force; "+binds(r))
	}
	return list
}

// binds says what of a rule is checked before commands run.
func binds(r *memory.Record) string {
	if b, ok := engine.Binding(r); ok {
		return "checked before commands run: " + termsafe.Line(b.String())
	}
	return "prompt only: there is no command in it that could be checked"
}

// details are the fields of a record that are not ordinary.
func details(r *memory.Record) [][2]string {
	d := r.Details()
	all := [][2]string{
		{"key", r.Key},
		{"tags", strings.Join(r.Tags, ", ")},
		{"phase", string(d.Phase)},
		{"tier", string(d.Tier)},
		{"match", strings.Join(d.Match, " ")},
		{"unless", d.Unless},
		{"raise", d.Raise},
		{"reason", d.Reason},
		{"expires", view.Stamp(d.Expires)},
		{"valid from", view.Stamp(d.ValidFrom)},
		{"valid to", view.Stamp(d.ValidTo)},
	}
	if r.Importance != 0 {
		all = append(all, [2]string{"importance", strconv.Itoa(r.Importance)})
	}
	if r.Pinned {
		all = append(all, [2]string{"pinned", "it stands in front"})
	}
	for _, id := range d.Cites {
		all = append(all, [2]string{"rests on", "#" + id.String()})
	}
	for _, f := range d.Extra {
		all = append(all, [2]string{f.Name, string(f.Value)})
	}
	var set [][2]string
	for _, f := range all {
		if f[1] != "" {
			set = append(set, f)
		}
	}
	return set
}

func where(src *memory.Source) string {
	var parts []string
	if src.Agent != "" {
		parts = append(parts, src.Agent)
	}
	if src.Session != "" {
		parts = append(parts, fmt.Sprintf("%s:%d", src.Session, src.Turn))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + termsafe.Line(strings.Join(parts, ", ")) + ")"
}

// visible is a text as it stands, lines below each other, with what is invisible
// in it shown.
func visible(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = termsafe.Visible(line)
	}
	return strings.Join(lines, "\n  ")
}
