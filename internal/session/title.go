package session

import (
	"slices"
	"strings"
	"unicode/utf8"

	"ken/internal/frame"
	"ken/internal/termsafe"
	"ken/internal/text"
)

// maxTitle is the largest title in bytes: more than a terminal line shows.
const maxTitle = 200

// eventTitle has title: what the person calls the session from there on.
const eventTitle = "title"

// maxOwn is how much of a turn is looked at for its title, in bytes.
const maxOwn = 64 << 10

// longTurn is how many lines a turn has from which on some of them are taken to be
// pasted, and not what the person asks.
const longTurn = 4

// Rename has the session be called title from now on, which it returns as it is kept: one
// line without control characters, of at most 200 bytes. "" gives back what it is called by
// its turns. The file keeps its name.
func (w *Writer) Rename(title string) (string, error) {
	title = cleanTitle(title)
	return title, w.AppendEvent(Event{Name: eventTitle, Fields: []Field{StringField("title", title)}})
}

// Typed returns a turn without what commands printed before it.
func (t Turn) Typed() string {
	if _, after, ok := strings.Cut(t.Content, "\n"+frame.OutputEnd+"\n\n"); ok && strings.HasPrefix(t.Content, frame.Output) {
		return after
	}
	return t.Content
}

// cleanTitle returns what a session is called, as it is kept.
func cleanTitle(title string) string {
	return strings.TrimSpace(text.CutBytes(termsafe.Line(strings.ToValidUTF8(title, "")), maxTitle))
}

// Title returns what the session is called: as the person called it last, else First.
func (t *Transcript) Title() string {
	for _, e := range slices.Backward(t.Entries) {
		if e.Event != nil && e.Event.Name == eventTitle {
			if given := cleanTitle(e.Event.Text("title")); given != "" {
				return given
			}
			break
		}
	}
	return t.First()
}

// First returns what the session began with, for lists: the person's own words in the
// first turn that has some, one line, cleaned, cut to 200 bytes; "" if none has.
func (t *Transcript) First() string {
	for _, e := range t.Entries {
		if e.Turn != nil && e.Turn.ByPerson() {
			if s := title(e.Turn.Content); s != "" {
				return s
			}
		}
	}
	return ""
}

// title returns the line of a user turn that a person would know it by, cleaned; "" if
// there are no words of theirs in it. See own for what is theirs. Of a turn with many
// lines it is the one that asks: the last one if that is a question, or stands alone
// behind a block; else the first one.
func title(content string) string {
	if content == Gone {
		return ""
	}
	lines := own(content)
	if len(lines) == 0 {
		return ""
	}
	line := lines[0]
	if last := len(lines) - 1; len(lines) >= longTurn && !asks(line.text) && (asks(lines[last].text) || lines[last].alone && !lines[0].alone) {
		line = lines[last]
	}
	return cleanTitle(line.text)
}

// An ownLine is a line of the person's, not blank.
type ownLine struct {
	text  string
	alone bool // between blank lines
}

// own returns the lines of a turn that may be the person's own words: without the output
// of commands that precedes them, which begins with "[exec output]" and ends with a line "[end of exec
// output]" (in sessions of before with a blank line, and the output may have such lines
// too: there it is the last block that is the person's); without what was piped in behind
// them; and without code between fences. If nothing else is left, what was piped in and
// the code are what they meant.
func own(content string) []ownLine {
	if strings.HasPrefix(content, frame.Output) {
		if i := strings.LastIndex(content, "\n"+frame.OutputEnd); i >= 0 {
			_, content, _ = strings.Cut(content[i+1:], "\n")
		} else if i := strings.LastIndex(content, "\n\n"); i >= 0 {
			content = content[i:]
		} else {
			return nil
		}
	}
	if typed, _, ok := strings.Cut(content, "\n\n"+frame.Stdin+"\n"); ok && strings.TrimSpace(typed) != "" {
		content = typed
	}
	content = text.CutBytes(content, maxOwn)
	lines := linesOf(content, true)
	if len(lines) == 0 {
		return linesOf(content, false)
	}
	return lines
}

// linesOf parts a text into lines that say something, those between fences left out or
// not.
func linesOf(content string, words bool) (lines []ownLine) {
	fence := ""
	above := true // the line above is blank
	for line := range strings.SplitSeq(content, "\n") {
		text := strings.TrimSpace(line)
		switch mark := fenceOf(text); {
		case fence != "":
			if mark == fence {
				fence = ""
			}
			above = true
			continue
		case mark != "" && words:
			fence, above = mark, true
			continue
		case mark != "":
			continue
		case text == "":
			above = true
			continue
		case cleanTitle(text) == "":
			continue // nothing that is seen
		}
		if n := len(lines); n > 0 && !above {
			lines[n-1].alone = false
		}
		lines = append(lines, ownLine{text, above})
		above = false
	}
	return lines
}

// fenceOf is the mark of a fence that a line begins with; "" if it is none.
func fenceOf(text string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(text, mark) {
			return mark
		}
	}
	return ""
}

// asks reports whether a line is a question.
func asks(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune("?？؟", r)
}
