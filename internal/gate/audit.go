package gate

import (
	"context"
	"path/filepath"
	"time"

	"ken/internal/audit"
	"ken/internal/memory"
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

// Audit appends a decision to the audit at path. It writes no text of the command, so an erased
// word cannot stand there.
func Audit(ctx context.Context, path string, a Act) error {
	e := audit.Entry{
		Time: a.Time, Act: actRun, How: string(a.How), Level: a.Level, Keyed: a.Seal != nil,
		Approval: a.Approval, Lane: a.Lane, Session: a.Session,
	}
	if e.Keyed {
		e.Command = a.Seal.Hash(Sum(a.Line))
	}
	if a.How == HowRefused || a.How == HowDeny {
		e.Act = actRefuse
	}
	return auditLog(path).Append(ctx, e)
}

// AuditRevoked appends that approvals were taken back.
func AuditRevoked(ctx context.Context, path string, now time.Time, ids ...int64) error {
	var list []audit.Entry
	for _, id := range ids {
		list = append(list, audit.Entry{Time: now, Act: actRevoke, Approval: id})
	}
	return auditLog(path).Append(ctx, list...)
}

// auditLog returns the audit at path. It waits longer than usual for the lock, because its lines
// say what a person allowed.
func auditLog(path string) audit.Log {
	return audit.Log{Path: path, Dir: filepath.Dir(path), Wait: 5 * time.Second}
}

// A Use is how often an approval let something run, and when last.
type Use struct {
	Runs int
	Last time.Time
}

// Uses returns how often each approval let something run, by the audit at path. It skips lines of
// others, and lines that cannot be read.
func Uses(path string) (map[int64]Use, error) {
	uses := make(map[int64]Use)
	for e, err := range auditLog(path).Entries() {
		if err != nil {
			return uses, err
		}
		if e.Act != actRun || e.How != string(HowAlways) || e.Approval <= 0 {
			continue
		}
		u := uses[e.Approval]
		if u.Runs++; e.Time.After(u.Last) {
			u.Last = e.Time
		}
		uses[e.Approval] = u
	}
	return uses, nil
}
