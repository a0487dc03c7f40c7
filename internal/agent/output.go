package agent

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ken/internal/frame"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/tokens"
)

// LaneUser is the lane of commands that the person ran, as the event in the
// session has it.
const LaneUser = "user"

// A Ran is a command line that was run.
type Ran struct {
	Command string
	Exit    int    // exit code; 128+n for signal n
	Bytes   int64  // how much it printed
	Output  string // what is known of that
}

// Ran records a command line that the person ran. What it printed goes before
// their next question, so that roles alternate.
func (tr *Transcript) Ran(r Ran) {
	r.Command = tr.o.mask(termsafe.Clean(r.Command))
	event := session.Event{Time: tr.o.now(), Name: session.EventExec, Fields: []session.Field{
		session.StringField("cmd", r.Command), session.StringField("lane", LaneUser),
		session.IntField("exit", r.Exit), session.IntField("bytes", int(min(r.Bytes, math.MaxInt32))),
	}}
	if err := tr.record.AppendEvent(event); err != nil {
		tr.o.Voice.Warn(fmt.Errorf("the session does not know of this command: %w", err))
	}
	r.Output = tr.o.mask(termsafe.Clean(r.Output)) // whole: half a secret is not known for one
	tr.ran.add(r, tr.o.OutputTokens)
}

// Did has what came of a command line that a model had run go before the next question, as what the person's commands
// printed does: the session knows of it already.
func (tr *Transcript) Did(line, came string) {
	tr.ran.add(Ran{Command: tr.o.mask(termsafe.Clean(line)), Output: tr.o.mask(termsafe.Clean(came))}, tr.o.OutputTokens)
}

// Printed reports whether the next question says what commands printed since the last one.
func (tr *Transcript) Printed() bool { return tr.ran.block(tr.o.OutputTokens) != "" }

// Lines are the command lines that ran since the last question, oldest first.
func (tr *Transcript) Lines() []string {
	var list []string
	for _, r := range tr.ran.list {
		list = append(list, r.Command)
	}
	return list
}

// maxRan is the most commands that stand before one question.
const maxRan = 32

// outputs is what commands printed since the last question.
type outputs struct {
	list []Ran // oldest first, at most maxRan
	left int   // commands before those
}

// add takes a command. No more of its output is held than could be sent.
func (o *outputs) add(r Ran, most int) {
	r.Output = shorten(frame.Data(strings.Trim(r.Output, "\n")), most)
	o.list = append(o.list, r)
	if len(o.list) > maxRan {
		o.list = slices.Clone(o.list[1:])
		o.left++
	}
}

// Along returns how many commands of the person ran whose output goes along with the next
// question of a conversation, and in how many tokens.
func (tr *Transcript) Along() (commands, size int) {
	block := tr.ran.block(tr.o.OutputTokens)
	if block == "" {
		return 0, 0
	}
	return len(tr.ran.list) + tr.ran.left, tokens.Estimate(block)
}

// block is what commands printed in at most most tokens; "" if there is nothing to say.
// The newest command gets what it needs first.
func (o *outputs) block(most int) string {
	if len(o.list) == 0 || most <= 0 {
		return ""
	}
	const around = frame.Output + "\n(99 earlier commands left out)\n" + frame.OutputEnd + "\n\n"
	rest := most - tokens.Estimate(around)
	var parts []string
	for _, r := range slices.Backward(o.list) {
		part := r.text(rest)
		if part == "" {
			break
		}
		rest -= tokens.Estimate(part) + 1
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	if left := o.left + len(o.list) - len(parts); left > 0 {
		parts = append(parts, fmt.Sprintf("(%d earlier commands left out)", left))
	}
	slices.Reverse(parts)
	return frame.Output + "\n" + strings.Join(parts, "\n") + "\n" + frame.OutputEnd
}

// text is a command and what it printed in at most most tokens; "" if not even
// the command fits.
func (r Ran) text(most int) string {
	head, tail := "$ "+frame.Data(r.Command), ""
	if r.Exit != 0 {
		tail = fmt.Sprintf("\n(exit %d)", r.Exit)
	}
	rest := most - tokens.Estimate(head+tail) - 1
	if rest < 0 {
		return ""
	}
	if out := shorten(r.Output, rest); out != "" {
		return head + "\n" + out + tail
	}
	return head + tail
}

// shorten returns s in at most most tokens: all of it, or a third of its beginning
// and the rest of its end, since what went wrong is mostly said last.
func shorten(s string, most int) string { return shortenTo(s, most, leftOut) }

// leftOut stands for the middle of a text that was cut.
const leftOut = "\n[... left out ...]\n"

// shortenTo is shorten with another text for what is left out.
func shortenTo(s string, most int, gap string) string {
	if tokens.Estimate(s) <= most {
		return s
	}
	rest := most - tokens.Estimate(gap) - 2
	if rest <= 0 {
		return ""
	}
	head, _ := tokens.Cut(s, rest/3)
	tail := lastTokens(s, rest-rest/3)
	return wholeHead(head) + gap + wholeTail(tail)
}

// lastTokens is the longest end of s, by lines where it has them, of about most
// tokens and never more.
func lastTokens(s string, most int) string {
	// A long text is not counted whole for its last part.
	s = s[len(s)-min(len(s), most*6):]
	for s != "" && s[0]&0xc0 == 0x80 {
		s = s[1:] // inside a character
	}
	for s != "" && tokens.Estimate(s) > most {
		over := tokens.Estimate(s) - most
		cut := max(1, min(over, len(s)))
		for cut < len(s) && s[cut]&0xc0 == 0x80 {
			cut++ // inside a character
		}
		s = s[cut:]
	}
	return s
}

// wholeHead cuts an unfinished last line off, unless that is all there is.
func wholeHead(s string) string {
	if i := strings.LastIndexByte(s, '\n'); i > 0 {
		return s[:i]
	}
	return s
}

// wholeTail cuts an unfinished first line off, unless that is all there is.
func wholeTail(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 && i < len(s)-1 {
		return s[i+1:]
	}
	return s
}

// Piped returns a question into which text was piped, or all of which was: what was typed, a
// mark, and the text, of which no line is taken for one of ken's.
func Piped(typed, text string) string {
	text = frame.Data(text)
	if typed == "" {
		return text
	}
	return typed + stdinBreak + text
}

// Typed returns what the person typed of a turn: without what commands printed, and
// without the files and what was piped in behind it, unless that is all there is.
func Typed(t session.Turn) string {
	_, typed, _ := aroundTyped(t)
	return typed
}

// aroundTyped returns what the person typed of a turn, as Typed does, and what stands before and behind
// it: the three of them are the turn's content.
func aroundTyped(t session.Turn) (before, typed, behind string) {
	typed = t.Content
	if rest, ok := strings.CutPrefix(typed, frame.Output+"\n"); ok {
		if _, after, ok := strings.Cut(rest, "\n"+frame.OutputEnd+"\n\n"); ok {
			before, typed = t.Content[:len(t.Content)-len(after)], after
		}
	}
	if alone, _, ok := cutTyped(typed); ok && t.From != "" && t.Role != session.RoleAssistant {
		typed, behind = alone, typed[len(alone):]
	}
	return before, typed, behind
}

// StdinMark is the line between what was typed and what was piped in.
const StdinMark = frame.Stdin

// stdinBreak is it with the lines around it.
const stdinBreak = "\n\n" + StdinMark + "\n"

// linesIn are the command lines that a turn's content begins with.
func linesIn(content string) (list []string) {
	for line := range strings.Lines(printedIn(content)) {
		if cmd, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, strings.TrimRight(cmd, "\n"))
		}
	}
	return list
}

// printedIn is what a turn's content begins with of what commands printed, with their lines.
func printedIn(content string) string {
	rest, ok := strings.CutPrefix(content, frame.Output+"\n")
	if !ok {
		return ""
	}
	block, _, _ := strings.Cut(rest, "\n"+frame.OutputEnd)
	return block
}

// commandsIn are the commands that a turn's content begins with, with their exit
// codes where they are not 0.
func commandsIn(content string) []string {
	var list []string
	for line := range strings.Lines(printedIn(content)) {
		line = strings.TrimRight(line, "\n")
		if cmd, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, cmd)
		} else if strings.HasPrefix(line, "(exit ") && len(list) > 0 {
			list[len(list)-1] += " " + line
		}
	}
	return list
}
