package runner

import (
	"context"

	"ken/internal/gate"
	"ken/internal/risk"
)

// Elsewhere returns an approver that asks a face which is no terminal: it is not asked about what is dangerous, which needs the
// terminal, nor for a yes for good, and of its answers those count that it was offered.
func Elsewhere(face Approver) Approver { return elsewhere{face} }

type elsewhere struct{ face Approver }

// Approve implements Approver.
func (e elsewhere) Approve(ctx context.Context, q Request) (gate.How, error) {
	level := q.Decision.Level
	if q.Operation != nil {
		level = q.Operation.Level
	}
	if level >= risk.Danger {
		return "", ErrTerminal
	}
	q.Always = false
	how, err := e.face.Approve(ctx, q)
	if err == nil && how != gate.HowOnce && (how != gate.HowSession || !q.Session) {
		how = gate.HowRefused
	}
	return how, err
}
