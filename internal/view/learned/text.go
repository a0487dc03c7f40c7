package learned

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// WaitingTable lists what waits, or was refused, a line each, and below it the files of the
// repository in which some of it stands. It does not end with a line end.
func WaitingTable(list []engine.Waiting, now time.Time, width int) string {
	rows := make([][]string, len(list))
	var logs []string
	for i, w := range list {
		r := &w.Proposal.Record
		rows[i] = []string{w.Ref, view.Age(now, w.Proposal.Time), string(r.Kind), origin(r), marked(w)}
		if line := w.Log + "/: " + file(w) + ", let in as " + w.By; w.Log != "" && !slices.Contains(logs, line) {
			logs = append(logs, line)
		}
	}
	table := view.Table([]string{"ref", "age", "kind", "from", "what"}, rows, width)
	return strings.Join(append([]string{table}, logs...), "\n")
}

// marked is the line of a record, with what to look at twice in front.
func marked(w engine.Waiting) string {
	line := oneLine(&w.Proposal.Record)
	if flags := suspect(w); len(flags) > 0 {
		return "look twice (" + strings.Join(flags, ", ") + "): " + line
	}
	return line
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

// Card is all that a person has to see of a proposal to decide on it. Nothing of
// it is cut, and what is invisible in it is shown. d is what a yes makes of the rules; nil for
// nothing.
func Card(w engine.Waiting, s *memory.State, d *Difference, nr, of int) string {
	r := &w.Proposal.Record
	text := fmt.Sprintf("%d of %d  %s  %s", nr, of, w.Ref, Heading(w.Proposal))
	if r.States() {
		text += "\n  " + Visible(r.Content)
	}
	for _, n := range Notes(w, s, d) {
		text += "\n  " + Visible(n)
	}
	return text
}

// Heading says what kind of thing is proposed, for where, and by whom.
func Heading(p *review.Proposal) string {
	r := &p.Record
	text := KindWord(r.Kind)
	if r.States() {
		text += "  for " + termsafe.Line(scope(r))
	}
	text += "  from " + termsafe.Line(origin(r))
	if p.Source != nil {
		text += where(p.Source)
	}
	return text
}

// KindWord is a kind as one word, also if a file has it as something else.
func KindWord(k memory.Kind) string {
	return strings.Join(strings.Fields(termsafe.Line(string(k))), "_")
}

// Notes are what else a yes would do, and why it is proposed: above all what it
// would change or put out of force. d is as of a Card.
func Notes(w engine.Waiting, s *memory.State, d *Difference) []string {
	r := &w.Proposal.Record
	var list []string
	text := func(id memory.ID) string {
		it, _ := s.Get(id)
		return it.Record.Content
	}
	for _, id := range targets(r) {
		list = append(list, fmt.Sprintf("%s #%s: %s", KindWord(r.Kind), id, text(id)))
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
	var refs []string
	for _, id := range r.Details().Cites {
		list, refs = append(list, restsOn(s, id)), append(refs, id.String())
	}
	if r.Generalises() {
		list = append(list, view.Generalisation(refs)+": it says more than they do")
	}
	if w.Log != "" {
		list = append(list, fmt.Sprintf("in:  %s, let in as %s", file(w), w.By))
	}
	if w.Proposal.Why != "" {
		list = append(list, "why: "+w.Proposal.Why)
	}
	if flags := suspect(w); len(flags) > 0 && !strings.Contains(w.Proposal.Why, "look twice") {
		list = append(list, "look twice: "+strings.Join(flags, ", "))
	}
	if r.Kind == memory.KindRule {
		list = append(list, "a rule: once kept, it is in force; "+binds(r))
	}
	if d == nil {
		return list
	}
	list = append(list, d.Lines()...)
	if d.Effect == "relaxes" && r.Origin.Rank() > 0 {
		list = append(list, "a yes is refused: what others suggest never relaxes a rule")
	}
	return list
}

// restsOn is what a proposal cites: its text or, where that does not stand any more, what
// became of it.
func restsOn(s *memory.State, id memory.ID) string {
	it, status := s.Get(id)
	if status != memory.StatusActive {
		return fmt.Sprintf("rests on: #%s, which is %s", id, status)
	}
	return fmt.Sprintf("rests on: #%s %s", id, it.Record.Content)
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

// Visible is a text as it stands, lines below each other, with what is invisible
// in it shown.
func Visible(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = termsafe.Visible(line)
	}
	return strings.Join(lines, "\n  ")
}
