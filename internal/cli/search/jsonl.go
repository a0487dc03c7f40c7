package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/search"
	"ken/internal/view"
)

// maxQuery is the longest line of --jsonl that is read, in bytes.
const maxQuery = 1 << 20

// A query is a line of standard input.
type query struct {
	ID    json.RawMessage `json:"id"`
	Query string          `json:"query"`
	Scope *string         `json:"scope"` // as --scope takes it; nil: that of the command line
	K     *int            `json:"k"`     // nil: that of the command line
}

// answerLines answers the queries on standard input. A line that is none is
// told with its number and costs its own answer; the exit code says so.
func answerLines(a *term.Run, cmd *cobra.Command, f flags, args []string) error {
	if len(args) > 0 {
		return fault.Usagef("--jsonl reads its queries from standard input")
	}
	if a.Shell != nil {
		return fault.Usagef("--jsonl reads standard input, which is the shell's").WithHint("leave the shell, then: ken recall --jsonl")
	}
	l, err := f.open(a, cmd)
	if err != nil {
		return err
	}
	debug.SetGCPercent(400) // a little more memory for a thousand questions
	return term.AnswerLines(a, "query line", maxQuery, func(line int, q query, bad error) (any, bool, error) {
		if bad = q.fill(bad, f); bad != nil {
			a.Warn(fmt.Errorf("query on line %d: %w", line, bad))
			return nil, false, nil
		}
		text := strings.TrimSpace(q.Query + "\n" + f.task)
		found, err := l.Find(cmd.Context(), search.Query{Text: text, K: *q.K, Scope: l.Scope(*q.Scope), Kinds: f.kindsOf(), Meaning: true})
		if err != nil {
			return nil, false, err
		}
		found = found[:search.Fitting(found, f.budget)]
		r, err := replyOf(q.ID, found)
		return r, true, err
	})
}

// fill puts what the command line says where a query says nothing; what it lacks is the
// error, unless it is bad already.
func (q *query) fill(bad error, f flags) error {
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

// replyOf is the answer to a query, with its id as it was given, on one line
//
//	{"id","hits":[{"ref","score","parts","content","session","turn"}]}
//
// of view.Hit the fields that programs were promised. A program asks by the thousand,
// so it is put together by hand.
func replyOf(id json.RawMessage, found []search.Found) ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, 0, 512*(len(found)+1)))
	b.WriteString(`{"id":`)
	if err := appendValue(b, id); err != nil {
		return nil, err
	}
	b.WriteString(`,"hits":[`)
	for i, h := range found {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"ref":`)
		b.Write(jsonl.AppendString(b.AvailableBuffer(), h.Ref))
		b.WriteString(`,"score":`)
		b.Write(view.AppendScore(b.AvailableBuffer(), h.Score))
		b.WriteString(`,"parts":`)
		b.Write(h.Parts.AppendJSON(b.AvailableBuffer()))
		b.WriteString(`,"content":`)
		b.Write(jsonl.AppendString(b.AvailableBuffer(), h.Content))
		b.WriteString(`,"session":`)
		if err := appendValue(b, h.Session); err != nil {
			return nil, err
		}
		b.WriteString(`,"turn":`)
		if err := appendValue(b, h.Turn); err != nil {
			return nil, err
		}
		b.WriteByte('}')
	}
	b.WriteString("]}")
	return b.Bytes(), nil
}

// appendValue appends a value as it was given, on one line.
func appendValue(b *bytes.Buffer, v json.RawMessage) error {
	if v == nil {
		b.WriteString("null")
		return nil
	}
	if err := json.Compact(b, v); err != nil {
		return fmt.Errorf("print reply: %w", err)
	}
	return nil
}
