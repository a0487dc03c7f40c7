package view

import (
	"fmt"
	"path/filepath"
	"strings"

	"ken/internal/memory"
	"ken/internal/termsafe"
)

// What a person reads of an EraseReport and of Masked. verb is how a command of ken is written where the person is: "undo 3" as
// "ken undo 3" or ":undo 3".

// mostListed is how many things a person reads one by one.
const mostListed = 20

// Line is what resembles a text that goes, in a line.
func (s Similar) Line() string {
	what := "#" + s.Ref
	if s.ID.IsZero() {
		what = "turn " + termsafe.Line(s.Ref)
	}
	return fmt.Sprintf("%s (%s)", what, ExcerptSaid(s.Text, 60))
}

// Sum is what goes, in a few words.
func (r EraseReport) Sum() string {
	var parts []string
	for _, c := range []struct {
		n    int
		noun string
	}{{r.Lines, "line"}, {len(r.Turns), "turn"}, {r.Proposals, "proposal"}} {
		if c.n > 0 {
			parts = append(parts, Count(c.n, c.noun))
		}
	}
	if len(parts) == 0 {
		return "what other files hold of it"
	}
	return strings.Join(parts, ", ")
}

// Plan is what would go and what stays, a line each.
func (r EraseReport) Plan(verb func(string) string) []string {
	var lines []string
	for i, it := range r.Erased {
		if i == mostListed {
			lines = append(lines, fmt.Sprintf("... and %d more", len(r.Erased)-i))
			break
		}
		line := "#" + it.Ref + ": " + ExcerptSaid(it.Text, 60)
		if it.Text == "" {
			line = "#" + it.Ref + ": erased before; its text is not known any more"
		}
		switch {
		case it.Same:
			line += " (says the same)"
		case it.Replaced:
			line += " (was replaced)"
		}
		lines = append(lines, line)
	}
	if r.Lines > 0 {
		lines = append(lines, Count(r.Lines, "line")+" of the memory")
	}
	if len(r.Turns) > 0 {
		lines = append(lines, fmt.Sprintf("%s in %s: %s",
			Count(len(r.Turns), "turn"), Count(r.Sessions, "conversation"), turnsText(r.Turns)))
	} else if r.Sessions > 0 {
		lines = append(lines, "what "+Count(r.Sessions, "conversation")+" note besides turns")
	}
	if r.Proposals > 0 {
		lines = append(lines, Count(r.Proposals, "proposal")+" of the review queue")
	}
	return append(lines, r.notes(verb)...)
}

// notes say what a person should know of what stays.
func (r EraseReport) notes(verb func(string) string) []string {
	var notes []string
	if len(r.CitedBy) > 0 {
		note := "rests on it, and stays: #" + strings.Join(r.CitedBy, " #")
		notes = append(notes, note+" (to have that go too: "+verb("forget "+strings.Join(r.CitedBy, " "))+")")
	}
	if r.Untouched > 0 {
		notes = append(notes, fmt.Sprintf("the text is short: %s that have it among other words stay (%s)",
			Count(r.Untouched, "turn"), verb("sessions search")))
	}
	for _, g := range r.Given {
		notes = append(notes, g.Text())
	}
	notes = append(notes, sharedNotes(verb, r.Shared)...)
	if r.Unsearched {
		notes = append(notes, "so many texts were not compared with what only resembles them")
	}
	return notes
}

// sharedNotes name the turns that share a rare word with the text: they may say the same
// in other words, and nothing but a person can know.
func sharedNotes(verb func(string) string, shared []Shared) []string {
	if len(shared) == 0 {
		return nil
	}
	const most = 5
	var notes, refs []string
	for i, s := range shared {
		if i == most {
			notes = append(notes, fmt.Sprintf("... and %s more that share a rare word with it (--json lists them)",
				Count(len(shared)-i, "turn")))
			break
		}
		notes = append(notes, fmt.Sprintf("stays, and shares the word %q with it: turn %s (%s)",
			Excerpt(s.Word, 24), termsafe.Line(s.Ref), Excerpt(s.Text, 60)))
		refs = append(refs, termsafe.Line(s.Ref))
	}
	return append(notes, "to erase such turns too: "+verb("forget --for-good "+strings.Join(refs, " ")))
}

// turnsText lists turns by why they go.
func turnsText(turns []ErasedTurn) string {
	const most = 5
	var list []string
	for i, t := range turns {
		if i == most {
			list = append(list, "...")
			break
		}
		list = append(list, fmt.Sprintf("%s (%s)", termsafe.Line(t.Ref), t.Why))
	}
	return strings.Join(list, ", ")
}

// Done is what went, and what a look into every file found, a line each. The report has a proof.
func (r EraseReport) Done(verb func(string) string) []string {
	proof := r.Proof
	var refs []string
	for _, it := range r.Erased {
		id, err := memory.ParseID(it.Ref)
		if err == nil {
			refs = append(refs, "#"+id.String())
		}
	}
	lines := []string{strings.TrimSpace("erased "+listedRefs(refs)) + ": " + r.Sum()}
	for _, s := range r.Similar {
		if len(lines) > mostListed {
			break
		}
		lines = append(lines, "left alone, though it resembles it: "+s.Line())
	}
	lines = append(lines, r.notes(verb)...)
	looked := fmt.Sprintf("looked into %s, %s", Count(proof.Files, "file"), size(proof.Bytes))
	if r.Known {
		looked += ": " + Count(proof.Hits, "hit")
	} else {
		looked += "; its text is not known any more: give it as TEXT to look for it"
	}
	lines = append(lines, looked)
	if proof.Kept > 0 {
		lines = append(lines, fmt.Sprintf("kept in conversations, as you wished: %s", Count(proof.Kept, "hit")))
	}
	for _, l := range proof.Left {
		lines = append(lines, "  "+leftText(l))
	}
	for _, u := range proof.Unread {
		lines = append(lines, "  not read: "+termsafe.Line(u))
	}
	for _, b := range proof.Beyond {
		lines = append(lines, "not reached: what was committed to "+termsafe.Line(filepath.Clean(b)))
	}
	return lines
}

func listedRefs(refs []string) string {
	if len(refs) > mostListed {
		refs = append(refs[:mostListed:mostListed], "...")
	}
	return strings.Join(refs, " ")
}

func leftText(l LeftOver) string {
	text := termsafe.Line(l.Path)
	switch {
	case l.Name:
		return text + ": the name of the file says it"
	case len(l.Lines) > 0:
		numbers := make([]string, len(l.Lines))
		for i, n := range l.Lines {
			numbers[i] = fmt.Sprint(n)
		}
		return fmt.Sprintf("%s: %s, line %s", text, Count(l.Hits, "hit"), strings.Join(numbers, ", "))
	}
	return fmt.Sprintf("%s: %s", text, Count(l.Hits, "hit"))
}

// size is so many bytes, for a person.
func size(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d bytes", n)
	case n < 10_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1_000_000)
}

// Below gives places with their paths as a person reads them: those below dir, which is absolute, from there. It is never nil.
func Below(dir string, places []Occurrence) []Occurrence {
	list := make([]Occurrence, len(places))
	for i, p := range places {
		if name, err := filepath.Rel(dir, p.Path); err == nil && !strings.HasPrefix(name, "..") {
			p.Path = name
		}
		p.Text = Excerpt(p.Text, 80)
		list[i] = p
	}
	return list
}

// Sum is how much is masked, in a few words.
func (m Masked) Sum() string {
	files := make(map[string]bool)
	for _, p := range m.Masked {
		files[p.Path] = true
	}
	return fmt.Sprintf("%s in %s", Count(len(m.Masked), "place"), Count(len(files), "file"))
}

// mostPlaces is how many places a person reads one by one.
const mostPlaces = 40

// Plan is what would be masked and what would stay, a line each.
func (m Masked) Plan() []string {
	lines := placeLines(m.Masked, "")
	lines = append(lines, placeLines(m.Kept, "stays: ")...)
	if m.Words > 0 {
		lines = append(lines, wordsNote(m.Words))
	}
	return lines
}

func wordsNote(n int) string {
	return Count(n, "secret") +
		" could be ordinary words: masked where something says that they are secrets, and not looked for elsewhere"
}

func placeLines(places []Occurrence, before string) []string {
	var lines []string
	for i, p := range places {
		if i == mostPlaces {
			return append(lines, fmt.Sprintf("%s... and %d more", before, len(places)-i))
		}
		line := before + termsafe.Line(p.Path)
		if p.Line > 0 {
			line += fmt.Sprintf(":%d", p.Line)
		}
		if p.Ref != "" {
			line += " #" + p.Ref
		}
		line += " (" + strings.Join(p.Kinds, ", ") + ")"
		if p.Kept != "" {
			line += ": " + p.Kept
		}
		if p.Text != "" {
			line += ": \"" + p.Text + "\""
		}
		lines = append(lines, line)
	}
	return lines
}

// Done is what was masked, and what a look into every file found, a line each. There is a proof.
func (m Masked) Done() []string {
	proof := m.Proof
	lines := []string{"nothing to mask"}
	if len(m.Masked) > 0 {
		lines = []string{"masked " + m.Sum()}
	}
	if m.Words > 0 {
		lines = append(lines, wordsNote(m.Words))
	}
	lines = append(lines, placeLines(m.Kept, "stays: ")...)
	lines = append(lines, fmt.Sprintf("looked into %s: secrets left: %d", Count(proof.Files, "file"), proof.Left))
	lines = append(lines, placeLines(proof.At, "  ")...)
	for _, u := range proof.Unread {
		lines = append(lines, "  not read: "+termsafe.Line(u))
	}
	for _, b := range proof.Beyond {
		lines = append(lines, "not reached: what was committed to "+termsafe.Line(filepath.Clean(b)))
	}
	return lines
}

// Sum is the conversation in a few words.
func (d Deleted) Sum() string {
	text := termsafe.Line(d.Name) + ", " + Count(d.Turns, "turn")
	if d.Title != "" {
		text += fmt.Sprintf(", %q", termsafe.Cut(d.Title, 50))
	}
	return text
}

// Stays says what stays, a line each. verb is as for an EraseReport, mask masks.
func (d Deleted) Stays(verb, mask func(string) string) (notes []string) {
	for i, it := range d.Taught {
		if i == mostListed {
			notes = append(notes, fmt.Sprintf("... and %d more", len(d.Taught)-i))
			break
		}
		said := ExcerptSaid(mask(it.Text), 60)
		notes = append(notes, fmt.Sprintf("was remembered from it, and stays: #%s: %s", it.Ref, said))
	}
	if len(d.Taught) > 0 {
		notes = append(notes, "to erase that too: "+verb("forget --for-good "+d.Taught[0].Ref))
	}
	for _, name := range d.Copies {
		notes = append(notes, "is a copy of it, and stays: "+termsafe.Line(name))
	}
	return notes
}

// Done is what was deleted, and what a look into every file found, a line each. There is a proof.
func (d Deleted) Done(verb, mask func(string) string) []string {
	lines := append([]string{"deleted " + d.Sum()}, d.Stays(verb, mask)...)
	looked := "looked into " + Count(d.Proof.Files, "file") + ": "
	if d.Proof.Hits == 0 {
		looked += "no words of it are left"
	} else {
		looked += Count(d.Proof.Hits, "place") + " with words of it"
	}
	lines = append(lines, looked)
	for _, l := range d.Proof.Left {
		lines = append(lines, fmt.Sprintf("  %s: %s", termsafe.Line(l.Path), Count(l.Hits, "place")))
	}
	for _, u := range d.Proof.Unread {
		lines = append(lines, "  not read: "+termsafe.Line(u))
	}
	for _, b := range d.Proof.Beyond {
		lines = append(lines, "not reached: what was committed to "+termsafe.Line(b))
	}
	return lines
}
