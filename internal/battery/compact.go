package battery

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"ken/internal/agent"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/working"
)

// Work is the realm of the working memory: the whole of its text.
const Work Realm = "working memory"

// olderWork is what the working memory said before.
const olderWork = "- what the conversation before was about"

// working is where the working memory is kept.
func (h *Home) working() working.File {
	return working.File{Path: filepath.Join(h.Dir, "working.md"), Lock: h.Dir, Days: 14, Tokens: 1000, Now: h.Now, FS: h.FS}
}

// work is what the working memory says. A broken one is an error: it is to be whole,
// the older or the newer one.
func (h *Home) work() (string, error) {
	m, err := h.working().Read()
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return m.Text, err
}

// obliging is a model that says the same to everything.
type obliging struct{}

// Stream implements agent.Model.
func (obliging) Stream(_ context.Context, r llm.Request, _ func(llm.Delta) error) (llm.Answer, error) {
	text := fmt.Sprintf("an answer to %d messages", len(r.Messages))
	return llm.Answer{Message: llm.Message{Role: "assistant", Content: text}, Finish: "stop"}, nil
}

// A keeper has what is summed up in the working memory. It implements agent.Checkpointer.
type keeper struct {
	home   *Home
	ledger *Ledger
}

func (k keeper) Checkpoint(ctx context.Context, summary string) error {
	h, l := k.home, k.ledger
	if l.is(Work, olderWork) {
		l.Set(Work, olderWork, Either)
	}
	return l.Do(Work, summary, Stands, Either, func() error {
		m, err := h.working().Write(ctx, summary, h.Now(), "")
		if err == nil {
			l.Set(Work, olderWork, Gone)
			if m.Text != summary {
				err = fmt.Errorf("another text was written: %q", m.Text)
			}
		}
		return err
	})
}

func (keeper) Account(context.Context, string, bool) {}

func (keeper) SumsUp(context.Context, *agent.Compacted, error) {}

// compact sums up a conversation: the working memory says what it was about before
// any turn leaves it, and the session has every turn afterwards.
func compact() Driver {
	return Driver{
		Name: "Compact",
		Ready: func(ctx context.Context, h *Home, l *Ledger) error {
			l.Set(Work, olderWork, Stands)
			_, err := h.working().Write(ctx, olderWork, time.Time{}, "")
			return err
		},
		Run: func(ctx context.Context, h *Home, l *Ledger) error {
			w, err := h.Sessions(true).Create(session.Header{Channel: session.ChannelTerminal})
			if err != nil {
				return err
			}
			var faults []error
			c := agent.New(agent.Options{
				Record: w, Now: h.Now, Voice: fault.Voice{OnWarn: func(err error) { faults = append(faults, err) }},
				Compaction: agent.Compaction{Keep: 2, Tokens: 400, Checkpointer: keeper{h, l}},
			})
			for i := 1; i <= 4; i++ {
				question, answer := fmt.Sprintf("The port of machine %d is 808%d.", i, i), fmt.Sprintf("an answer to %d messages", 2*i)
				l.Set(Said, question, Either)
				l.Set(Said, answer, Either)
				before := len(faults)
				if _, err := c.Ask(ctx, agent.Question{Text: question, Model: obliging{}}, nil); err != nil {
					return err
				}
				if len(faults) == before {
					l.Set(Said, question, Stands)
					l.Set(Said, answer, Stands)
				}
			}
			live := len(c.Turns())
			done, cerr := c.Compact(ctx)
			switch {
			case cerr != nil && len(c.Turns()) != live:
				cerr = fmt.Errorf("%w, and turns left all the same", cerr)
			case cerr == nil && (done.Turns != 6 || len(c.Turns()) != 2):
				cerr = fmt.Errorf("%d turns left, %d stay", done.Turns, len(c.Turns()))
			}
			return errors.Join(append(faults, cerr, w.Close())...)
		},
	}
}

// is reports whether it was noted that a text must be there.
func (l *Ledger) is(r Realm, text string) bool {
	w, ok := l.Get(r, text)
	return ok && w == Stands
}
