package learned

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/termsafe"
)

const batchHead = `# What was suggested, a block each. Change the first word of a block:
#   keep     remember it, as its text and kind stand here when you leave
#   refuse   not this, and do not suggest it again
#   wait     say nothing (so does taking the block away)
# The text is what stands behind the bars.
`

// Batch is what waits as a text to be edited, with all that a person has to see. touched is what a yes
// makes of the rules, by reference. As it stands the text answers nothing: see ParseBatch.
func Batch(pending []engine.Waiting, s *memory.State, touched map[string]*Difference) string {
	var b strings.Builder
	b.WriteString(batchHead)
	for _, w := range pending {
		r := &w.Proposal.Record
		fmt.Fprintf(&b, "\nwait %s %s\n", w.Ref, Heading(w.Proposal))
		for _, n := range Notes(w, s, touched[w.Ref]) {
			b.WriteString("# " + strings.ReplaceAll(Visible(n), "\n", "\n# ") + "\n")
		}
		if r.Content == "" {
			continue
		}
		if text := shown(w); text != r.Content {
			b.WriteString("# it was, with what is invisible: " + strings.ReplaceAll(Visible(r.Content), "\n", "\n# ") + "\n")
		}
		for line := range strings.SplitSeq(shown(w), "\n") {
			b.WriteString("| " + line + "\n")
		}
	}
	return b.String()
}

// shown is the text of a proposal as it stands in the editor, where what is
// invisible would stay so.
func shown(w engine.Waiting) string { return termsafe.Clean(w.Proposal.Record.Content) }

// A BatchError names the lines of an edited Batch that cannot be read. Nothing of the text counts then.
type BatchError []LineError

// A LineError is one line of an edited Batch that cannot be read.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e BatchError) Error() string {
	lines := make([]string, len(e))
	for i, l := range e {
		lines[i] = fmt.Sprintf("line %d: %v", l.Line, l.Err)
	}
	return strings.Join(lines, "; ")
}

// ParseBatch reads what Batch has become: the answers, in the order of the queue. What waits and is in no block has none.
// The error is a BatchError with every line that cannot be read, and then there is no answer.
func ParseBatch(text string, pending []engine.Waiting) ([]engine.Answer, error) {
	p := batchParser{seen: make(map[string]bool)}
	for _, w := range pending {
		p.blocks = append(p.blocks, block{Waiting: w})
	}
	for i, line := range strings.Split(text, "\n") {
		if err := p.line(line); err != nil {
			p.wrong = append(p.wrong, LineError{i + 1, err})
		}
	}
	if len(p.wrong) > 0 {
		return nil, p.wrong
	}
	var answers []engine.Answer
	for _, b := range p.blocks {
		if b.ans.Verdict == "" {
			continue
		}
		if text := strings.Join(b.lines, "\n"); b.ans.Verdict == review.Yes && len(b.lines) > 0 && text != shown(b.Waiting) {
			b.ans.Content = &text
		}
		answers = append(answers, b.ans)
	}
	return answers, nil
}

// A batchParser reads an edited Batch line by line.
type batchParser struct {
	blocks []block // of what waits
	in     *block  // that is being read; nil before the first
	bad    bool    // the head of the block that is being read is wrong
	seen   map[string]bool
	wrong  BatchError
}

// A block is what the text says of one thing that waits.
type block struct {
	engine.Waiting
	ans   engine.Answer // without a Verdict: none
	lines []string      // behind the bars
}

func (p *batchParser) line(line string) error {
	switch {
	case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
		return nil
	case !strings.HasPrefix(line, "|"):
		err := p.head(line)
		p.bad = err != nil
		return err
	case p.bad: // its head was told
		return nil
	case p.in == nil:
		return errors.New("a text without a block")
	}
	p.in.lines = append(p.in.lines, strings.TrimPrefix(strings.TrimPrefix(line, "|"), " "))
	return nil
}

// head reads the first line of a block: a verdict, a reference, and what may be another kind.
func (p *batchParser) head(line string) error {
	words := strings.Fields(line)
	i := -1
	if len(words) >= 2 && !p.seen[words[1]] {
		i = slices.IndexFunc(p.blocks, func(b block) bool { return b.Ref == words[1] })
	}
	if i < 0 {
		return fmt.Errorf("%q: want keep, refuse or wait, and what waits", line)
	}
	p.in, p.seen[words[1]] = &p.blocks[i], true
	switch words[0] {
	case "keep", "k", "y", "yes":
		p.in.ans = engine.Answer{Ref: words[1], Verdict: review.Yes}
	case "refuse", "r", "n", "no":
		p.in.ans = engine.Answer{Ref: words[1], Verdict: review.No}
		return nil
	case "wait", "w":
		return nil
	default:
		return fmt.Errorf("%q is neither keep nor refuse nor wait", words[0])
	}
	if len(words) < 3 || words[2] == KindWord(p.in.Proposal.Record.Kind) {
		return nil
	}
	kind, err := ParseKind(words[2])
	p.in.ans.Kind = &kind
	return err
}

// ParseKind reads the kind that what waits is to have. Errors: *engine.KindError, for what is no kind of a memory.
func ParseKind(name string) (memory.Kind, error) {
	kind, _ := memory.ParseKind(name)
	if !kind.Known() || kind.Changes() {
		return "", &engine.KindError{Kind: memory.Kind(name)}
	}
	return kind, nil
}
