package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/cli/find"
	"ken/internal/jsonl"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// maxQuery is the longest line of --jsonl that is read, in bytes.
const maxQuery = 1 << 20

// A query is a line of standard input.
type query struct {
	ID    json.RawMessage `json:"id"`
	Query string          `json:"query"`
	Scope string          `json:"scope"` // as --scope takes it; "": that of the command line
	K     *int            `json:"k"`     // nil: that of the command line
}

// A reply is the answer to a query, with its id as it was given.
type reply struct {
	ID   json.RawMessage `json:"id"`
	Hits []hit           `json:"hits"`
}

// A hit has of view.Hit the fields that programs were promised.
type hit struct {
	Ref     string          `json:"ref"`
	Score   float64         `json:"score"`
	Parts   view.Parts      `json:"parts"`
	Content string          `json:"content"`
	Session json.RawMessage `json:"session"`
	Turn    json.RawMessage `json:"turn"`
}

// answerLines answers the queries on standard input. A line that is none is
// told with its number and costs its own answer; the exit code says so.
func answerLines(a *app.App, cmd *cobra.Command, f flags, args []string) error {
	if len(args) > 0 {
		return app.Usage("--jsonl reads its queries from standard input")
	}
	if a.Shell != nil {
		return app.Usage("--jsonl reads standard input, which is the shell's").Hint("leave the shell, then: ken recall --jsonl")
	}
	l, err := f.open(a, cmd)
	if err != nil {
		return err
	}
	bad := 0
	for line, err := range jsonl.Lines(a.Env.Stdin, maxQuery) {
		if err != nil {
			return fmt.Errorf("read queries: %w", err)
		}
		if line.Bytes != nil && len(bytes.TrimSpace(line.Bytes)) == 0 {
			continue
		}
		q, err := readQuery(line.Bytes, f)
		if err != nil {
			a.Warn(fmt.Errorf("query on line %d: %w", line.Number, err))
			bad++
			continue
		}
		found, err := l.Find(cmd.Context(), find.Search{Text: strings.TrimSpace(q.Query + "\n" + f.task), K: *q.K, Scope: l.Scope(q.Scope), Kinds: f.kindsOf(), Meaning: true})
		if err != nil {
			return err
		}
		found = found[:find.Fitting(found, f.budget)]
		if err := printReply(a, q.ID, found); err != nil {
			return err
		}
	}
	if bad > 0 {
		return fmt.Errorf("%s not answered", view.Count(bad, "query line"))
	}
	return nil
}

// readQuery reads one line; nil is one that is too long.
func readQuery(line []byte, f flags) (query, error) {
	q := query{Scope: f.scope, K: &f.k}
	if line == nil {
		return q, fmt.Errorf("longer than %d bytes", maxQuery)
	}
	if err := json.Unmarshal(line, &q); err != nil {
		return q, err
	}
	if q.K == nil {
		q.K = &f.k
	}
	switch {
	case len(q.ID) == 0:
		return q, errors.New("no id")
	case strings.TrimSpace(q.Query) == "":
		return q, errors.New("no query")
	case *q.K < 1:
		return q, fmt.Errorf("k is %d, want at least 1", *q.K)
	}
	return q, nil
}

func printReply(a *app.App, id json.RawMessage, found []find.Found) error {
	r := reply{ID: id, Hits: make([]hit, len(found))}
	for i, h := range found {
		r.Hits[i] = hit{h.Ref, h.Score, h.Parts, h.Content, h.Session, h.Turn}
	}
	b, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("print reply: %w", err)
	}
	_, err = a.Env.Stdout.Write(append(termsafe.JSONSafe(b), '\n'))
	return err
}
