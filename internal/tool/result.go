package tool

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/tokens"
)

// An Act is what a call would do: judged, shown and asked about as a whole before it is done.
type Act struct {
	// Title says it in a line for a person: "read internal/agent/room.go".
	Title string
	// Line is a command line, which the lane of a model judges, asks about and runs for at most Limit (0: as
	// long as the settings say); all else is then left out.
	Line  string
	Limit time.Duration
	// Shown is what a person is to see whole before they say yes: a difference, arguments.
	Shown string
	Level risk.Level
	Why   []string // of a level above Safe, the worst first
	// Lasting says what else a yes for the session counts for: "edits in this project". "": for
	// the same call alone; with Once for nothing.
	Lasting string
	// Of is what a yes is about besides what is shown: which server's tool it is.
	Of   string
	Once bool
	// Allowed is the setting that spares the question; "": none does.
	Allowed string
	Beyond  bool // it may reach beyond the project: another machine, a file elsewhere
	// Path is the file or directory that it is about, absolute; "": none. Edit is what becomes of the file; nil: nothing.
	Path string
	Edit *Edit
	// Do does it. live gets what is seen while it goes on; nil: nothing does. The error is that of
	// not doing it; what went wrong with it is in the result.
	Do func(ctx context.Context, live io.Writer) (Result, error)
}

// An Edit is what is to become of a file.
type Edit struct {
	Before, After string
	Made          bool // there is none yet
}

// A State is what became of a call.
type State string

// The states.
const (
	Done    State = "done"
	Failed  State = "failed"  // it was done, and came to nothing
	Refused State = "refused" // it was not done: a person, a policy, or nobody to ask
	Invalid State = "invalid" // it was not understood
	Stopped State = "stopped" // by the person, in the middle
	Expired State = "expired" // by a limit, of time or of processes, in the middle
	Unknown State = "unknown" // nobody knows whether it was done
)

// A Result is what came of a call, clean and masked.
type Result struct {
	State State
	Head  string // in a line, before the text: "exit 1, 3.2 s"
	Text  string
	// End says that the end of the text matters more than its beginning, as with what programs print.
	End  bool
	From memory.Origin // of the text: "tool", or "external" for what is from outside the project
	// Ended says that it is a command line that came to its end, with Exit.
	Ended bool
	Exit  int
	// Kept is by what name read_file shows the whole: "out:3". "": it is not kept.
	Kept string
	// First is the number of the first line of Text in what read_file read: what does not fit is read from there on. 0:
	// it is of nothing that has such lines.
	First int
}

// Fits reports whether the whole result takes at most most tokens.
func (r Result) Fits(most int) bool {
	return tokens.Estimate(join(r.Head, r.plain())) <= max(most, least)
}

// plain is the text without what is no character, and without empty lines around it.
func (r Result) plain() string { return strings.Trim(strings.ToValidUTF8(r.Text, "�"), "\n") }

// KeptPrefix begins the names of kept results.
const KeptPrefix = "out:"

// least is how many tokens of a result are shown at least.
const least = 64

// Body returns the result as the model gets it, in at most most tokens (at least 64): whole
// lines, and a line that says what is left out.
func (r Result) Body(most int) string {
	most = max(most, least)
	text := r.plain()
	if r.Fits(most) {
		return join(r.Head, text)
	}
	lines := strings.Split(text, "\n")
	head, tail := 1.0, 0.0
	if r.End {
		head, tail = .4, .6
	}
	room := float64(most - tokens.Estimate(r.Head) - 32) // for the line between, and the head's end
	first, begin := take(lines, int(room*head), false)
	last, end := take(lines[first:], int(room*tail), true)
	left := lines[first : len(lines)-last]
	size := len(strings.Join(left, "\n"))
	gap := fmt.Sprintf("[... %d lines, %s left out", len(left), bytes(size))
	if len(left) == 0 { // one long line was cut
		gap = "[... left out"
	}
	switch {
	case r.First > 0 && !r.End:
		gap = fmt.Sprintf("[lines %d-%d, there are more left out; next: offset %d", r.First, r.First+first-1, r.First+first)
	case r.Kept != "":
		gap += ": read_file " + r.Kept
	}
	return join(r.Head, join(join(begin, gap+"]"), end))
}

// take is how many lines fit into so many tokens, from the beginning or the end, and them; a line that is
// too long by itself is cut.
func take(lines []string, most int, fromEnd bool) (n int, text string) {
	var out []string
	for n < len(lines) && most > 0 {
		line := lines[n]
		if fromEnd {
			line = lines[len(lines)-1-n]
		}
		size := tokens.Estimate(line) + 1
		if size > most {
			if n == 0 {
				out, n = append(out, part(line, most, fromEnd)), 1
			}
			break
		}
		out, most = append(out, line), most-size
		n++
	}
	if fromEnd {
		for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
			out[i], out[j] = out[j], out[i]
		}
	}
	return n, strings.Join(out, "\n")
}

// part is the beginning or the end of a line in so many tokens.
func part(line string, most int, fromEnd bool) string {
	if !fromEnd {
		s, _ := tokens.Cut(line, most)
		return s
	}
	line = line[max(0, len(line)-4*most):]
	for line != "" && (!utf8.RuneStart(line[0]) || tokens.Estimate(line) > most) {
		line = line[1:]
	}
	return line
}

// bytes is a number of bytes for a reader.
func bytes(n int) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d KB", (n+1<<9)>>10)
}

func join(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "\n" + b
}

// Room returns how many tokens one result may take in a window of so many (0: unknown, a small one), where
// there are n of them in one answer: an eighth, at most 6,000, and of all a third.
func Room(window, n int) int {
	const unknown, most = 8192, 6000
	if window <= 0 {
		window = unknown
	}
	return max(least, min(window/8, most, window/3/max(n, 1)))
}
