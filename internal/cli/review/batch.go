package review

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/termsafe"
	"ken/internal/view"
	"ken/internal/view/learned"
)

const head = `# What was suggested, a block each. Change the first word of a block:
#   keep     remember it, as its text and kind stand here when you leave
#   refuse   not this, and do not suggest it again
#   wait     say nothing (so does taking the block away)
# The text is what stands behind the bars.
`

// inEditor answers the whole queue as a text in the person's editor. All of it is
// read before anything is done.
func inEditor(ctx context.Context, a *term.Run) error {
	pending, _, err := readQueue(ctx, a)
	if err != nil {
		return err
	}
	if len(pending) == 0 {
		return a.Println("(nothing waits)")
	}
	if err := mayAnswer(a); err != nil {
		return err
	}
	state, err := a.Home.Memory.State(ctx)
	if err != nil {
		return err
	}
	touched, err := touched(ctx, a, state, pending)
	if err != nil {
		return err
	}
	text, err := a.Person.EditText(ctx, batchText(pending, state, touched))
	if err != nil {
		return err
	}
	answers, err := parseBatch(text, pending)
	if err != nil {
		return fault.New(fault.Failure, fmt.Errorf("%w; nothing was decided", err))
	}
	var list []engine.Answer
	for _, w := range pending {
		if ans, ok := answers[w.Ref]; ok {
			list = append(list, ans)
		}
	}
	kept, refused, err := answerAll(ctx, a, list)
	return errors.Join(ending(a, kept, refused, len(pending)-kept-refused), err)
}

// answerAll gives answers together, and reports what became of each. An answer that
// cannot be followed is reported, and is an error at the end.
func answerAll(ctx context.Context, a *term.Run, list []engine.Answer) (kept, refused int, err error) {
	if len(list) == 0 {
		return 0, 0, nil
	}
	w, err := a.Home.Memory.Writer()
	if err != nil {
		return 0, 0, err
	}
	out, err := w.DecideAll(ctx, list...)
	var queue *engine.QueueError
	if errors.As(err, &queue) {
		a.Warn(err)
	} else if err != nil {
		return 0, 0, err
	}
	failed := 0
	for i, o := range out {
		if o.Err == nil {
			note(a, list[i].Ref, list[i])
		}
		switch err := Report(a, list[i].Ref, list[i].Verdict, o.Receipt, o.Err); {
		case err != nil && len(list) == 1:
			return 0, 0, err
		case err != nil:
			a.Report(err)
			failed++
		case list[i].Verdict == review.Yes:
			kept++
		case list[i].Verdict == review.No:
			refused++
		}
	}
	if failed > 0 {
		err = fault.New(fault.Failure, fmt.Errorf("%s could not be followed", view.Count(failed, "answer")))
	} else {
		err = nil
	}
	return kept, refused, err
}

// batchText is the queue as a text to be edited, with all that a person has to see. touched is what
// a yes makes of the rules, by reference.
func batchText(pending []engine.Waiting, s *memory.State, touched map[string]*learned.Difference) string {
	var b strings.Builder
	b.WriteString(head)
	for _, w := range pending {
		r := &w.Proposal.Record
		fmt.Fprintf(&b, "\nwait %s %s\n", w.Ref, learned.Heading(w.Proposal))
		for _, n := range learned.Notes(w, s, touched[w.Ref]) {
			b.WriteString("# " + strings.ReplaceAll(learned.Visible(n), "\n", "\n# ") + "\n")
		}
		if r.Content == "" {
			continue
		}
		if text := shown(w); text != r.Content {
			b.WriteString("# it was, with what is invisible: " + strings.ReplaceAll(learned.Visible(r.Content), "\n", "\n# ") + "\n")
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

// parseBatch reads what batchText has become: the answers by reference.
func parseBatch(text string, pending []engine.Waiting) (map[string]engine.Answer, error) {
	byRef := make(map[string]engine.Waiting)
	for _, w := range pending {
		byRef[w.Ref] = w
	}
	answers := make(map[string]engine.Answer)
	seen := make(map[string]bool)
	var ref string
	var lines []string
	finish := func() {
		ans, ok := answers[ref]
		if content := strings.Join(lines, "\n"); ok && ans.Verdict == review.Yes && len(lines) > 0 && content != shown(byRef[ref]) {
			ans.Content = &content
			answers[ref] = ans
		}
		lines = nil
	}
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
			continue
		case strings.HasPrefix(line, "|"):
			if ref == "" {
				return nil, fmt.Errorf("line %d: a text without a block", i+1)
			}
			lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(line, "|"), " "))
			continue
		}
		finish()
		words := strings.Fields(line)
		if len(words) < 2 || seen[words[1]] || byRef[words[1]].Proposal == nil {
			return nil, fmt.Errorf("line %d: %q: want keep, refuse or wait, and what waits", i+1, line)
		}
		ref = words[1]
		seen[ref] = true
		switch words[0] {
		case "keep", "k", "y", "yes":
			answers[ref] = engine.Answer{Ref: ref, Verdict: review.Yes}
		case "refuse", "r", "n", "no":
			answers[ref] = engine.Answer{Ref: ref, Verdict: review.No}
			continue
		case "wait", "w":
			continue
		default:
			return nil, fmt.Errorf("line %d: %q is neither keep nor refuse nor wait", i+1, words[0])
		}
		if len(words) < 3 || words[2] == learned.KindWord(byRef[ref].Proposal.Record.Kind) {
			continue
		}
		kind, _ := memory.ParseKind(words[2])
		if !kind.Known() || kind.Changes() {
			return nil, fmt.Errorf("line %d: %w", i+1, &engine.KindError{Kind: memory.Kind(words[2])})
		}
		ans := answers[ref]
		ans.Kind = &kind
		answers[ref] = ans
	}
	finish()
	return answers, nil
}
