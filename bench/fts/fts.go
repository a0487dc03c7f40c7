// Package fts asks the sqlite3 command line what ken is asked: the same texts in an
// FTS5 table, stemmed by Porter, any of the words, best first by bm25. It is what anyone
// can have without ken, so it stands beside in the same run.
package fts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ken/internal/index"
)

// ErrMissing says that there is no sqlite3 with FTS5 to ask.
var ErrMissing = errors.New("sqlite3 with FTS5 is not installed")

// A Table is an FTS5 table of sqlite3.
type Table struct{ bin, file string }

// New returns a table of texts in an existing directory: text i is its row i. The error
// wraps ErrMissing if there is nothing to make one with.
func New(ctx context.Context, dir string, texts []string) (*Table, error) {
	bin, err := exec.LookPath("sqlite3")
	if err != nil {
		return nil, ErrMissing
	}
	t := &Table{bin: bin, file: filepath.Join(dir, "texts.db")}
	if _, _, err := t.run(ctx, "CREATE VIRTUAL TABLE probe USING fts5(x); DROP TABLE probe;"); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	var sql strings.Builder
	sql.WriteString("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter');\nBEGIN;\n")
	for i, text := range texts {
		fmt.Fprintf(&sql, "INSERT INTO t(rowid, x) VALUES(%d, '%s');\n", i, strings.NewReplacer("'", "''", "\x00", " ").Replace(text))
	}
	sql.WriteString("COMMIT;\n")
	_, _, err = t.run(ctx, sql.String())
	return t, err
}

// run runs statements, and returns what they print and how much CPU time they took.
func (t *Table) run(ctx context.Context, sql string) ([]byte, time.Duration, error) {
	cmd := exec.CommandContext(ctx, t.bin, "-batch", "-bail", t.file)
	cmd.Env = []string{} // no settings of the person's
	cmd.Stdin = strings.NewReader(sql)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("sqlite3: %w\n%s", err, errs.Bytes())
	}
	return out, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// Ask returns by question, which is words of letters, the k best texts that have any of
// them, best first, and how much CPU time the process took that answered them all.
func (t *Table) Ask(ctx context.Context, questions [][]string, k int) ([][]int, time.Duration, error) {
	var sql strings.Builder
	for i, words := range questions {
		if len(words) > 0 {
			fmt.Fprintf(&sql, "SELECT %d, rowid FROM t WHERE t MATCH '%s' ORDER BY bm25(t) LIMIT %d;\n", i, Any(words), k)
		}
	}
	out, cpu, err := t.run(ctx, sql.String())
	if err != nil {
		return nil, 0, err
	}
	found := make([][]int, len(questions))
	for line := range bytes.Lines(out) {
		question, row, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), "|")
		i, err := strconv.Atoi(question)
		n, err2 := strconv.Atoi(row)
		if err := errors.Join(err, err2); err != nil || i < 0 || i >= len(found) {
			return nil, 0, fmt.Errorf("sqlite3 printed %q: %w", line, err)
		}
		found[i] = append(found[i], n)
	}
	return found, cpu, nil
}

// Any is what FTS5 is asked for any of the words with.
func Any(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = `"` + strings.NewReplacer(`"`, `""`, "'", "''").Replace(w) + `"`
	}
	return strings.Join(quoted, " OR ")
}

// Words are those of a question that carry meaning, as they were typed: what ken searches
// for as well.
func Words(q string) (words []string) {
	for _, t := range index.Terms(q) {
		if t.Form == index.Word {
			words = append(words, t.Text)
		}
	}
	return words
}
