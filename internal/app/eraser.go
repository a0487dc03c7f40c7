package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ken/internal/app/logs"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/scrub"
)

// Eraser returns what erases from all files of this run.
func (m *Memory) Eraser() (*scrub.Eraser, error) {
	e, err := m.Writer()
	if err != nil {
		return nil, err
	}
	all := []scrub.Log{{Path: m.settings.paths.Memory(), Log: m.logs.ReadOnly()}}
	replicas, err := m.logs.Replicas()
	if err != nil {
		return nil, err
	}
	letIn, _ := m.repo.LetIn()
	for _, r := range append(replicas, letIn...) {
		all = append(all, scrub.Log{Path: logs.PathOf(r.Log), Name: r.Name, Log: r.Log, Foreign: r.Ceiling.Rank() > 0})
	}
	project := ""
	if here := m.here.Place(); here.Repo != nil {
		project = filepath.Join(here.Repo.Top, ".ken")
	}
	return &scrub.Eraser{
		Engine: e, Logs: all, Sessions: m.conversations.Dir(), Queue: m.logs.Queue(), Paths: m.settings.paths, Project: project,
		Mask: m.keys.MaskText,
		Seal: m.keys.Seal,
	}, nil
}

// Erase takes everything of a plan away, for good. Errors, in the words of a person: that nothing was erased, or that not all
// was, and then the same again does the rest.
func (m *Memory) Erase(ctx context.Context, e *scrub.Eraser, p *scrub.Plan) error {
	if err := e.Run(ctx, p); err != nil {
		var r *engine.RelaxError
		if errors.As(err, &r) { // this is seen before anything is done
			return fault.New(fault.Refused, fmt.Errorf("nothing was erased: %w", err)).WithHint("%s", r.Hint())
		}
		return fault.New(fault.Failure, fmt.Errorf("not all was erased: %w", err)).
			WithHint("what was done is done; the same command does the rest")
	}
	m.Changed()
	return nil
}

// Mask puts masks in the place of everything of a plan, for good. Errors: not all was masked, and then the same again does the
// rest.
func (m *Memory) Mask(ctx context.Context, e *scrub.Eraser, p *scrub.MaskPlan) error {
	if p.Nothing() {
		return nil
	}
	if err := e.RunMask(ctx, p); err != nil {
		fail := fault.New(fault.Failure, fmt.Errorf("not all was masked: %w", err))
		if errors.Is(err, jsonl.ErrChanged) {
			return fail.WithHint("it was written to meanwhile, and left as it is; the same command does the rest")
		}
		return fail.WithHint("what was done is done; the same command does the rest")
	}
	m.Changed()
	return nil
}
