package reviewcmd

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/cli/app"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/review"
)

const head = `# What was suggested, a block each. Change the first word of a block:
#   keep     remember it, as its text and kind stand here when you leave
#   refuse   not this, and do not suggest it again
#   wait     say nothing (so does taking the block away)
# The text is what stands behind the bars.
`

// inEditor answers the whole queue as a text in the person's editor. All of it is
// read before anything is done.
func inEditor(ctx context.Context, a *app.App) error {
	pending, _, err := queue(ctx, a)
	if err != nil {
		return err
	}
	if len(pending) == 0 {
		return a.Println("(nothing waits)")
	}
	if err := mayAnswer(a); err != nil {
		return err
	}
	text, err := a.EditText(ctx, batchText(pending))
	if err != nil {
		return err
	}
	answers, err := parseBatch(text, pending)
	if err != nil {
		return app.Fail(app.ExitFailure, fmt.Errorf("%w; nothing was decided", err))
	}
	e, err := a.Memory()
	if err != nil {
		return err
	}
	kept, refused := 0, 0
	for _, w := range pending {
		ans, ok := answers[w.Ref]
		if !ok {
			continue
		}
		r, err := e.Decide(ctx, w.Ref, ans)
		if err := tell(a, w.Ref, ans.Verdict, r, err); err != nil {
			return err
		}
		if ans.Verdict == review.Yes {
			kept++
		} else {
			refused++
		}
	}
	return ending(a, kept, refused, len(pending)-kept-refused)
}

// batchText is the queue as a text to be edited.
func batchText(pending []engine.Waiting) string {
	var b strings.Builder
	b.WriteString(head)
	for _, w := range pending {
		r := &w.Proposal.Record
		fmt.Fprintf(&b, "\nwait %s %s from %s\n", w.Ref, r.Kind, visible(origin(r)))
		for _, id := range targets(r) {
			fmt.Fprintf(&b, "# %s #%s\n", r.Kind, id)
		}
		if w.Log != "" {
			fmt.Fprintf(&b, "# in %s, let in as %s\n", file(w), w.By)
		}
		if w.Proposal.Why != "" {
			fmt.Fprintf(&b, "# why: %s\n", visible(w.Proposal.Why))
		}
		if r.Content == "" {
			continue
		}
		for line := range strings.SplitSeq(r.Content, "\n") {
			b.WriteString("| " + line + "\n")
		}
	}
	return b.String()
}

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
		if content := strings.Join(lines, "\n"); ok && ans.Verdict == review.Yes && len(lines) > 0 && content != byRef[ref].Proposal.Record.Content {
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
			answers[ref] = engine.Answer{Verdict: review.Yes}
		case "refuse", "r", "n", "no":
			answers[ref] = engine.Answer{Verdict: review.No}
			continue
		case "wait", "w":
			continue
		default:
			return nil, fmt.Errorf("line %d: %q is neither keep nor refuse nor wait", i+1, words[0])
		}
		if len(words) < 3 || words[2] == string(byRef[ref].Proposal.Record.Kind) {
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
