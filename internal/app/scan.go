package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/scan"
	"ken/internal/scrub"
	"ken/internal/session"
	"ken/internal/view"
)

// Scan looks through what is kept for what a person should look at: secrets in every file that ken writes, and of the memory
// what package scan finds. kinds are those that are wanted; none: all. The findings are masked, in the order of scan.Kinds.
// Conversations that cannot be read are warnings. Errors: what the files say.
func (v *View) Scan(ctx context.Context, kinds ...scan.Kind) ([]scan.Finding, error) {
	s, err := v.Memory.State(ctx)
	if err != nil {
		return nil, err
	}
	found, err := v.secrets(ctx)
	if err != nil {
		return nil, err
	}
	transcripts, err := v.readable()
	if err != nil {
		return nil, err
	}
	found = append(found, scan.Memory(scan.Input{State: s, Transcripts: transcripts, Now: v.Now()})...)
	if len(kinds) > 0 {
		found = slices.DeleteFunc(found, func(f scan.Finding) bool { return !slices.Contains(kinds, f.Kind) })
	}
	order := scan.Kinds()
	slices.SortStableFunc(found, func(x, y scan.Finding) int { return slices.Index(order, x.Kind) - slices.Index(order, y.Kind) })
	for i := range found {
		f := &found[i]
		f.Text, f.Why = view.Excerpt(v.Keys.MaskText(f.Text), 80), v.Keys.MaskText(f.Why)
	}
	return found, nil
}

// readable are the conversations that can be read.
func (v *View) readable() ([]*session.Transcript, error) {
	var list []*session.Transcript
	for _, dir := range []session.Dir{v.Conversations.Dir(), v.Conversations.Dir().Imports()} {
		paths, err := dir.Paths()
		if err != nil {
			return nil, err
		}
		slices.Sort(paths)
		for _, path := range paths {
			t, err := dir.Load(path)
			if err != nil {
				v.Warn(err)
				continue
			}
			list = append(list, t)
		}
	}
	return list, nil
}

// secrets looks through every file that ken writes, as masking does.
func (v *View) secrets(ctx context.Context) ([]scan.Finding, error) {
	e, err := v.Memory.Eraser()
	if err != nil {
		return nil, err
	}
	plan, err := e.PlanMask(ctx, v.Keys.Knowing, scrub.MaskWant{})
	if err != nil {
		return nil, err
	}
	var found []scan.Finding
	for _, p := range view.Below(v.Settings.Paths().Data, slices.Concat(plan.Places, plan.Kept)) {
		x := scan.Finding{
			Kind: scan.Secret, Ref: p.Ref, Where: p.Path, Text: p.Text, Fix: "memory scan --mask",
			Why: "it seems to hold a secret (" + strings.Join(p.Kinds, ", ") + ")",
		}
		if p.Line > 0 {
			x.Where = fmt.Sprintf("%s:%d", p.Path, p.Line)
		}
		switch p.Kept {
		case scrub.KeptForced:
			x.Why += "; you had it kept with --force"
			x.Fix += scan.Fix(" " + p.Ref)
		case scrub.KeptReplica:
			x.Fix = scan.Fix("forget --for-good " + p.Ref)
			if p.Ref == "" {
				x.Fix = ""
			}
		case scrub.KeptRepo:
			x.Fix = ""
		}
		found = append(found, x)
	}
	return found, nil
}
