package habits

import (
	"fmt"
	"strings"

	"ken/internal/frame"
	"ken/internal/termsafe"
	"ken/internal/text"
)

const (
	// MostEvidence is the longest Evidence, in bytes.
	MostEvidence = 2000
	// widest is the longest text of a signal in it, in columns.
	widest = 120
)

// Line returns what a signal says, in one line that is safe to show.
func (s Signal) Line() string {
	what := termsafe.Cut(termsafe.Line(frame.Data(s.Text)), widest)
	switch s.Kind {
	case Failing:
		return fmt.Sprintf("%s failed %s, one after another", what, times(s.Count, s.Sessions))
	case Corrected:
		return fmt.Sprintf("%s: corrected by hand %s", what, times(s.Count, s.Sessions))
	}
	return fmt.Sprintf("%q: asked %s", what, times(s.Count, s.Sessions))
}

func times(n, sessions int) string {
	return fmt.Sprintf("%d times in %s", n, text.Count(sessions, "conversation"))
}

// Evidence returns the signals as lines, the most frequent first, as many as there is room for.
func Evidence(signals []Signal) string {
	var b strings.Builder
	for _, s := range signals {
		line := "- " + s.Line() + "\n"
		if b.Len()+len(line) > MostEvidence {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}
