package agent

import (
	"slices"
	"strings"

	"ken/internal/frame"
	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/tokens"
)

// A File is what goes along with a question, as it was read.
type File struct {
	Name  string // as it is shown, on one line
	Kind  string // "text", "image" or "directory"
	Path  string // absolute; "" for standard input
	Bytes int64  // of the file; 0 for a directory
	// Block is how it stands in the text of the question: a frame, with what it says unless it is
	// a picture.
	Block   string
	Picture Picture // that goes as it is; the zero one if it is none
}

// A Picture is one that goes to a model that takes some.
type Picture = llm.Image

// With returns a question with which files go, and into which text was piped: what was typed, a
// block for each file, and Piped for the text.
func With(typed string, files []File, piped string) string {
	switch {
	case len(files) == 0 && piped == "":
		return typed
	case len(files) == 0:
		return Piped(typed, piped)
	}
	var parts []string
	if typed != "" {
		parts = append(parts, typed)
	}
	for _, f := range files {
		parts = append(parts, f.Block)
	}
	text := strings.Join(parts, "\n\n")
	if piped != "" {
		text = Piped(text, piped)
	}
	return text
}

// Edited returns the content of a turn with other words in the place of those that were typed. What
// commands printed and what was piped in stay; the files stay as well, unless others take their place.
func Edited(t session.Turn, typed string, files []File, others bool) string {
	before, _, behind := aroundTyped(t)
	if !others {
		return before + typed + behind
	}
	piped := ""
	if parts, at := partsOf(strings.TrimPrefix(behind, "\n\n")); at >= 0 {
		piped = parts[at].text
	}
	return before + With(typed, files, piped)
}

// attachedHead is how a block of an attached file begins.
const attachedHead = frame.Attached + " "

// cutTyped cuts a turn of the person, without what commands printed, where the first block
// begins of what they did not type. found is false where there is none.
func cutTyped(text string) (typed, rest string, found bool) {
	if strings.HasPrefix(text, attachedHead) {
		return "", text, true
	}
	at := -1
	for _, mark := range [...]string{stdinBreak, "\n\n" + attachedHead} {
		if i := strings.Index(text, mark); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at < 0 {
		return text, "", false
	}
	return text[:at], strings.TrimPrefix(text[at:], "\n\n"), true
}

// A part is a stretch of a turn: a frame, or a text that may be shortened.
type part struct {
	text  string
	fixed bool
}

// partsOf are the parts of what stands behind the typed text, in order; piped is the index of the
// text that was piped in, -1 if none was.
func partsOf(rest string) (parts []part, piped int) {
	piped = -1
	for rest != "" {
		if !strings.HasPrefix(rest, attachedHead) {
			break
		}
		head, after, ok := strings.Cut(rest, "\n")
		body, behind, ended := strings.Cut(after, "\n"+frame.AttachedEnd)
		switch {
		case !ok:
			return append(parts, part{rest, true}), piped
		case strings.HasPrefix(after, frame.AttachedEnd): // it has no text
			end := len(frame.AttachedEnd)
			parts = append(parts, part{head + "\n" + after[:end], true})
			rest = after[end:]
		case !ended:
			return append(parts, part{head + "\n", true}, part{after, false}), piped
		default:
			parts = append(parts, part{head + "\n", true}, part{body, false}, part{"\n" + frame.AttachedEnd, true})
			rest = behind
		}
		if blank, found := strings.CutPrefix(rest, "\n\n"); found {
			parts = append(parts, part{"\n\n", true})
			rest = blank
		}
	}
	if body, ok := strings.CutPrefix(rest, StdinMark+"\n"); ok {
		parts = append(parts, part{StdinMark + "\n", true}, part{body, false})
		return parts, len(parts) - 1
	}
	if rest != "" {
		parts = append(parts, part{rest, false})
	}
	return parts, piped
}

// clipTurn is the content of a person's turn in about most tokens: what was piped in is
// shortened first, then what files hold, the longest of them first, then what commands printed,
// then what was typed. The frames stay, so that no part passes for another.
func clipTurn(content string, most int) string {
	var parts []part
	typed, printed := content, -1
	if rest, ok := strings.CutPrefix(content, frame.Output+"\n"); ok {
		if in, after, ok := strings.Cut(rest, "\n"+frame.OutputEnd+"\n\n"); ok {
			parts = append(parts, part{frame.Output + "\n", true}, part{in, false}, part{"\n" + frame.OutputEnd + "\n\n", true})
			typed, printed = after, 1
		}
	}
	typed, rest, found := cutTyped(typed)
	said := len(parts)
	parts = append(parts, part{typed, false})
	piped := -1
	if found {
		if typed != "" {
			parts = append(parts, part{"\n\n", true})
		}
		behind, at := partsOf(rest)
		if at >= 0 {
			piped = len(parts) + at
		}
		parts = append(parts, behind...)
	}
	whole := func() string {
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(p.text)
		}
		return b.String()
	}
	cut := func(i int) {
		if n := tokens.Estimate(whole()) - most; n > 0 && i >= 0 && parts[i].text != "" {
			parts[i].text = shorten(parts[i].text, max(tokens.Estimate(parts[i].text)-n-1, leastQuestion/4))
		}
	}
	cut(piped)
	for range parts {
		cut(longest(parts, piped, printed, said))
	}
	cut(printed)
	cut(said)
	return whole()
}

// longest is the index of the longest part that may be shortened further, but for some; -1 if
// there is none.
func longest(parts []part, but ...int) int {
	at, most := -1, leastQuestion
	for i, p := range parts {
		if n := tokens.Estimate(p.text); !p.fixed && n > most && !slices.Contains(but, i) {
			at, most = i, n
		}
	}
	return at
}
