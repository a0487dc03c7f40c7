package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/memory"
	"ken/internal/session"
)

// held is all that a transcript holds of what was said.
func held(tr *Transcript) string {
	b, err := json.Marshal([]any{
		tr.turns, tr.summary, tr.words, tr.ran.list, tr.aside, tr.dropped, tr.failed, tr.asked,
	})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// TestTranscript: whatever is said, answered, taken back, dropped, restored and summed up, the record has the same conversation, a
// stranger gets nothing that was said to others, and what is erased is held nowhere.
func TestTranscript(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		rec, err := shelf(t).Create(session.Header{})
		if err != nil {
			rt.Fatal(err)
		}
		defer rec.Close()
		stranger := true
		o := Options{Record: rec, Now: clock, Keys: masks(masker()), OutputTokens: 200}
		o.Surroundings = scene{stranger: func() bool { return stranger }}
		tr := New(o).Transcript
		words := rapid.SampledFrom([]string{"plum", "pear"})
		for i := range rapid.IntRange(1, 25).Draw(rt, "steps") {
			switch rapid.IntRange(0, 6).Draw(rt, "step") {
			default:
				q := Question{Text: fmt.Sprint(words.Draw(rt, "word"), i)}
				if last, err := tr.Asked(rt.Context()); err == nil && rapid.Bool().Draw(rt, "again") {
					q.Again, q.Why = &last, session.LeftReplaced
				}
				asked := tr.put(q)
				if rapid.IntRange(0, 3).Draw(rt, "fails") == 0 {
					tr.unanswered(q, asked, len(tr.turns)-1)
					break
				}
				tr.add(tr.o.safe(session.Turn{Role: session.RoleAssistant, Content: words.Draw(rt, "answer")}))
				if stranger = rapid.Bool().Draw(rt, "stranger"); !stranger {
					tr.saidInPrivate()
				}
			case 3:
				tr.Ran(Ran{Command: "cat " + words.Draw(rt, "file"), Output: words.Draw(rt, "printed")})
			case 4:
				_, _ = tr.Drop(rapid.IntRange(1, 2).Draw(rt, "drop")) // nothing may be there
			case 5:
				_, _ = tr.Restore() // as above
			case 6:
				if cut := tr.cutAt(2); cut > 0 {
					text := tr.digest(rt.Context(), tr.turns[:cut], 100)
					if err := tr.left(cut, text, text, memory.OriginModel, false); err != nil {
						rt.Fatal(err)
					}
				}
			}
		}
		saved, err := session.Load(rec.Path())
		if err == nil {
			live, again := saved.Live(), New(o)
			again.Continue(rt.Context(), live, session.Discard(), "")
			got, want := brief(messages(again.turns, tr.o.mask)), brief(messages(tr.turns, tr.o.mask))
			if got != want || again.summary != tr.summary {
				rt.Fatalf("recorded:\n%s\n%s\nlive:\n%s\n%s", got, again.summary, want, tr.summary)
			}
			stranger = true
			if going := again.Going(rt.Context()); len(going) > 0 {
				rt.Fatalf("a stranger gets %d turns of before", len(going))
			}
		}
		tr.erase(func(text string) bool { return strings.Contains(text, "plum") }, nil)
		if all := held(tr); strings.Contains(all, "plum") {
			rt.Fatalf("erased, and held:\n%s", all)
		}
	})
}
