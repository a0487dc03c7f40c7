package skill

import (
	"fmt"
	"strings"

	"ken/internal/frame"
	"ken/internal/termsafe"
	"ken/internal/text"
	"ken/internal/tokens"
)

const (
	// perSkill is how many tokens a skill has in an index of many.
	perSkill = 8
	// atLeast is how many tokens all of an index may take, however few there are.
	atLeast = 240
	// MaxIndex is how many tokens it takes at most.
	MaxIndex = 1200
	// maxAbout is how much of a description stands in it, in characters.
	maxAbout = 160
)

// Index is a line for each skill, its name and what it is for, as a prompt has it: no line
// opens a block. It is the same for the same skills. Of many the descriptions are cut
// shorter, then left out, and then skills are, which its last line says.
func Index(live []File) string {
	if len(live) == 0 {
		return ""
	}
	most := min(max(perSkill*len(live), atLeast), MaxIndex)
	names := 0
	for _, f := range live {
		names += len("- : \n") + len(f.Name)
	}
	const perToken = 5 // bytes, at the most that prose has
	for about := min(maxAbout, (perToken*most-names)/len(live)); about > 4; about = about * 3 / 4 {
		if text := index(live, about); tokens.Estimate(text) <= most {
			return text
		}
	}
	text := index(live, 0)
	if tokens.Estimate(text) <= MaxIndex {
		return text
	}
	for n := len(live) * min(perToken*MaxIndex, names) / names; ; n = n * 9 / 10 {
		text := index(live[:n], 0) + fmt.Sprintf("\n- and %d more", len(live)-n)
		if n == 0 || tokens.Estimate(text) <= MaxIndex {
			return text
		}
	}
}

func index(live []File, about int) string {
	var b strings.Builder
	for i, f := range live {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + f.Name)
		if about > 0 && f.Description != "" {
			b.WriteString(": " + clipWords(OneLine(f.Description), about))
		}
	}
	return b.String()
}

// OneLine is a text of others on one line of a prompt.
func OneLine(s string) string { return frame.Inert(termsafe.Line(s)) }

// clipWords is a text of at most so many characters, cut between words.
func clipWords(s string, most int) string {
	if text.CutRunes(s, most) == s {
		return s
	}
	cut := strings.TrimRight(text.CutRunes(s, most-1), " ")
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " .,:;-") + "…"
}
