package search

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/view"
	"ken/internal/view/port"
)

// maxQuery is the longest line of --jsonl that is read, in bytes.
const maxQuery = 1 << 20

// answerLines answers the queries on standard input. A line that is none is
// reported with its number and costs its own answer; the exit code says so.
func answerLines(a *term.Run, cmd *cobra.Command, f flags, args []string) error {
	if len(args) > 0 {
		return fault.Usagef("--jsonl reads its queries from standard input")
	}
	if a.Shell != nil {
		return fault.Usagef("--jsonl reads standard input, which is the shell's").WithHint("leave the shell, then: ken recall --jsonl")
	}
	all, err := f.question(a, cmd)
	if err != nil {
		return err
	}
	l, err := app.OpenLibraryAt(cmd.Context(), a.Home, all.At, all.In...)
	if err != nil {
		return err
	}
	debug.SetGCPercent(400) // a little more memory for a thousand questions
	return term.AnswerLines(a, "query line", maxQuery, func(line int, q port.QueryLine, bad error) (any, bool, error) {
		if bad = fill(&q, bad, f); bad != nil {
			a.Warn(fmt.Errorf("query on line %d: %w", line, bad))
			return nil, false, nil
		}
		text := strings.TrimSpace(q.Query + "\n" + f.task)
		found, err := l.Find(cmd.Context(), app.Query{Text: text, K: *q.K, Scope: l.Scope(*q.Scope), Kinds: f.kindsOf(), Embeddings: true})
		if err != nil {
			return nil, false, err
		}
		found = found[:app.Fitting(found, f.budget)]
		r, err := port.AppendQueryReply(make([]byte, 0, 512*(len(found)+1)), q.ID, len(found), func(n int) *view.Hit { return &found[n].Hit })
		return r, true, err
	})
}

// fill puts what the command line says where a query says nothing; what it lacks is the
// error, unless it is bad already.
func fill(q *port.QueryLine, bad error, f flags) error {
	if q.K == nil {
		q.K = &f.k
	}
	if q.Scope == nil {
		q.Scope = &f.scope
	}
	switch {
	case bad != nil:
		return bad
	case len(q.ID) == 0:
		return errors.New("no id")
	case strings.TrimSpace(q.Query) == "":
		return errors.New("no query")
	case *q.K < 1:
		return fmt.Errorf("k is %d, want at least 1", *q.K)
	}
	return nil
}
