package run

import (
	"context"

	"ken/internal/runner"
	"ken/internal/tool/lane"
	"ken/internal/tool/sandbox"
)

// Enter has to come before all else that a program does whose models run commands: see lane.Enter.
func Enter(args []string) error { return lane.Enter(args) }

// Sandbox says what this machine has to hold a model's commands with, what that does not
// hold back, and whether it is enough.
func Sandbox() (has, lacks string, enough bool) {
	m := sandbox.Here()
	return m.String(), m.Lacks(), m.Most() != ""
}

// Rehearsal says why nothing can be rehearsed on this machine; nil: it can. temp is a directory for temporary files.
func Rehearsal(ctx context.Context, temp string) error { return runner.CanRehearse(ctx, temp) }
