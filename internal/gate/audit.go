package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"ken/internal/audit"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
)

// An Act is a line of the audit: what was decided about one command line.
type Act struct {
	Time     time.Time
	How      How
	Level    string       // safe, caution or danger
	Line     string       // of which its hash is written, sealed
	Seal     *memory.Seal // required: a hash alone gives a short secret of the line away
	Approval int64        // by which it ran, or which was given; 0 for none
	Lane     string       // in which it ran, or would have: "user" or "model"
	Session  string       // id of the conversation; "" for none
}

// The names of acts.
const (
	actRun    = "run"
	actRefuse = "refuse"
	actRevoke = "revoke"
)

// Audit appends to the audit at path what was decided. It holds no text: an erased
// word cannot stand in it.
func Audit(ctx context.Context, path string, a Act) error {
	name, sum, keyed := actRun, "", a.Seal != nil
	if keyed {
		sum = a.Seal.Hash(Sum(a.Line))
	}
	if a.How == HowRefused || a.How == HowDeny {
		name = actRefuse
	}
	at, how := a.Time.UTC().Truncate(time.Second), string(a.How)
	return appendAudit(ctx, path, object("ts", &at, "act", &name, "how", &how, "level", &a.Level,
		"cmd", &sum, "keyed", &keyed, "approval", &a.Approval, "lane", &a.Lane, "session", &a.Session))
}

// AuditRevoked appends that approvals were taken back.
func AuditRevoked(ctx context.Context, path string, now time.Time, ids ...int64) error {
	now = now.UTC().Truncate(time.Second)
	name := actRevoke
	var data []byte
	for _, id := range ids {
		data = append(data, object("ts", &now, "act", &name, "approval", &id)...)
	}
	return appendAudit(ctx, path, data)
}

func appendAudit(ctx context.Context, path string, data []byte) error {
	return audit.Book{Path: path, Dir: filepath.Dir(path)}.Write(ctx, data, lockWait)
}

// A Use is how often an approval let something run, and when last.
type Use struct {
	Runs int
	Last time.Time
}

// Uses counts in the audit at path what ran by each approval. Lines of others, and
// lines that cannot be read, do not count.
func Uses(path string) (map[int64]Use, error) {
	uses := make(map[int64]Use)
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return uses, nil
	}
	if err != nil {
		return uses, fmt.Errorf("read the audit: %w", err)
	}
	defer f.Close()
	for line, err := range jsonl.Lines(f, maxApproval) {
		if err != nil {
			return uses, fmt.Errorf("read the audit: %w", err)
		}
		if id, at, ok := used(line.Bytes); ok {
			u := uses[id]
			u.Runs++
			if at.After(u.Last) {
				u.Last = at
			}
			uses[id] = u
		}
	}
	return uses, nil
}

// used reads a line that says that something ran by an approval.
func used(line []byte) (id int64, at time.Time, ok bool) {
	var act, how string
	for f, err := range jsonl.Object(line) {
		if err != nil {
			return 0, at, false
		}
		switch value := jsonl.Value(f.Value); string(f.Name) {
		case "act":
			act, _ = value.Text()
		case "how":
			how, _ = value.Text()
		case "approval":
			id, _ = value.Int()
		case "ts":
			at, _ = value.Time()
		}
	}
	return id, at, act == actRun && how == string(HowAlways) && id > 0
}
