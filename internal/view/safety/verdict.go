package safety

import (
	"encoding/json"
	"fmt"
	"strings"

	"ken/internal/risk"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A Verdict says how much a command line could do. Of a line of --jsonl that could not be
// read there is Error instead of the rest.
type Verdict struct {
	ID      json.RawMessage `json:"id,omitempty"`    // of --jsonl: as it was given
	Level   string          `json:"level,omitempty"` // safe, caution or danger
	Reasons *[]PlacedReason `json:"reasons,omitempty"`
	Error   string          `json:"error,omitempty"`
}

// A Reason is a ground of a level, with the words at fault.
type Reason struct {
	Level string `json:"level"`
	Why   string `json:"why"`
	Token string `json:"token"` // as it stands in the line; "": the line as a whole
}

// A PlacedReason says besides where its words stand. A Decision has reasons without it,
// as it was promised before there were places.
type PlacedReason struct {
	Reason
	At int `json:"at"` // in bytes, from 0
}

// VerdictOf is v for a program.
func VerdictOf(v risk.Assessment) Verdict {
	reasons := make([]PlacedReason, len(v.Reasons))
	for i, r := range v.Reasons {
		reasons[i] = PlacedReason{Reason{r.Level.String(), r.Why, strings.ToValidUTF8(r.Token, "\ufffd")}, r.At}
	}
	return Verdict{Level: v.Level.String(), Reasons: &reasons}
}

// maxReasons is how many reasons a person is shown.
const maxReasons = 8

// VerdictText is the verdict on a line for people: the level, and below each reason the
// line of the command at fault with a mark below the words. It ends with a line end, and
// nothing in it acts on a terminal.
func VerdictText(line string, v risk.Assessment) string {
	var b strings.Builder
	b.WriteString(v.Level.String() + "\n")
	for i, r := range v.Reasons {
		if i == maxReasons {
			fmt.Fprintf(&b, "\nand %s\n", view.Count(len(v.Reasons)-i, "further reason"))
			break
		}
		fmt.Fprintf(&b, "\n%s: %s\n", r.Level, termsafe.Clean(r.Why))
		before, token, after := around(line, r)
		text, mark := before+token+after, len(token) > 0
		b.WriteString("    " + text + "\n")
		if mark {
			b.WriteString("    " + strings.Repeat(" ", termsafe.Width(before)) + strings.Repeat("^", max(1, termsafe.Width(token))) + "\n")
		}
	}
	return b.String()
}

// around cuts the line of a command in which a reason stands into three, each
// escaped, and what is far from the words at fault away.
func around(line string, r risk.Reason) (before, token, after string) {
	const most = 48
	begin := strings.LastIndexByte(line[:r.At], '\n') + 1
	end := r.At + len(r.Token)
	before, token = line[begin:r.At], r.Token
	token, _, cut := strings.Cut(token, "\n")
	if !cut {
		after, _, _ = strings.Cut(line[end:], "\n")
	}
	before, token, after = plain(before), plain(token), plain(after)
	if len(before) > most {
		before = "..." + strings.ToValidUTF8(before[len(before)-most:], "")
	}
	if len(token) > most*2 {
		token, after = strings.ToValidUTF8(token[:most*2], "")+"...", ""
	}
	if len(after) > most {
		after = strings.ToValidUTF8(after[:most], "") + "..."
	}
	return before, token, after
}

// plain writes out what does not show itself, padding too: what follows it would
// be cut away, or stand where nobody looks.
func plain(s string) string { return termsafe.Unpad(termsafe.Visible(s)) }
