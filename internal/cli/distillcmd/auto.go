package distillcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"ken/internal/cli/app"
	"ken/internal/config"
	"ken/internal/distill"
	"ken/internal/engine"
	"ken/internal/models"
)

// The values of memory.auto_extract.
const (
	off    = "off"
	queued = "queue"
	accept = "accept"
)

// policy is the name under which what was let in by memory.auto_extract stands in the
// memory.
const policy = "auto_extract"

// mode is what the settings want done of its own accord, and whether a model may be
// asked for it: only if a person asked for extraction by name. A namespace alone asks
// for the built-in extractor.
func mode(cfg config.Config) (what string, model bool) {
	if !cfg.Given("memory.auto_extract") && cfg.Memory.UserNamespace != "" {
		return queued, false
	}
	return cfg.Memory.AutoExtract, true
}

// A Progress says how far a conversation was read for candidates.
type Progress struct {
	Read  int // the last turn that was read
	Tried int // the last turn when it was tried last
}

func (p Progress) all() Progress { return Progress{p.Tried, p.Tried} }

// Automatic reads the turns behind number so.Read of the conversation at path, if the
// settings want it: at its end, at :save and when it is summed up. Candidates wait in
// the queue; under "accept" what the person said themselves, and nothing else, is let in
// (decision 26). It takes no longer than a model of longestUnasked, stops nothing, and
// gives how far it has come. What a model could not read is not put to it once more
// before something was said since.
func Automatic(ctx context.Context, a *app.App, path string, so Progress) Progress {
	cfg, err := a.Settings()
	if err != nil || path == "" || !a.MemoryOn() || a.InLane() || ctx.Err() != nil {
		return so
	}
	what, ask := mode(cfg)
	if what == off || what == "" {
		return so
	}
	t, err := read(ctx, a, path, so.Read)
	if errors.Is(err, fs.ErrNotExist) {
		return so // nothing was said, or it was not to be kept
	}
	if err != nil {
		a.Warn(fmt.Errorf("nothing was extracted: %w", err))
		return so
	}
	if t.last == so.Tried {
		return so
	}
	so.Tried = t.last
	if !t.typed() {
		return so.all()
	}
	var m distill.Model
	if ask {
		if m, err = quietReader(ctx, a, cfg.Summarizer()); err != nil {
			a.Warn(fmt.Errorf("nothing was extracted: %w", err))
			return so
		}
	}
	if m != nil {
		a.Status("reading this conversation for what is worth keeping (%s at most)", longestUnasked)
	}
	found, err := candidates(ctx, m, t)
	if err != nil {
		a.Warn(fmt.Errorf("nothing was extracted: %w", err))
		return so
	}
	if err := keep(ctx, a, t, found, what == accept); err != nil {
		a.Warn(fmt.Errorf("nothing was extracted: %w", err))
		return so
	}
	return so.all()
}

// quietReader is the model called name, or the one in force; nil if there is none. None
// is looked for.
func quietReader(ctx context.Context, a *app.App, name string) (distill.Model, error) {
	if _, unknown := a.Models().Unconfirmed(); unknown {
		return nil, nil // it gets what is asked of it, and no more
	}
	if _, err := a.Models().Preset(name); err != nil {
		if name == "" && errors.Is(err, models.ErrNone) {
			return nil, nil
		}
		return nil, err
	}
	return readerOf(ctx, a, name, longestUnasked)
}

// keep lets in what may be, and has the rest wait.
func keep(ctx context.Context, a *app.App, t talk, found []distill.Candidate, mayAccept bool) error {
	list, err := fresh(ctx, a, found)
	if err != nil {
		return err
	}
	var admitted, rest []distill.Candidate
	for _, c := range list {
		if mayAccept && distill.Acceptable(c, t.passages) {
			admitted = append(admitted, c)
		} else {
			rest = append(rest, c)
		}
	}
	if len(admitted) > 0 {
		e, err := a.Memory()
		if err != nil {
			return err
		}
		r, err := e.As(engine.Actor{Kind: engine.Policy, Name: policy}).AcceptByPolicy(ctx, t.suggestions(a, admitted)...)
		if err != nil {
			return err
		}
		if n := len(r.IDs); n > 0 {
			refs := r.IDs[0].String()
			if n > 1 {
				refs += "-" + r.IDs[n-1].String()
			}
			a.Status("memory: kept #%s, by memory.auto_extract (undo: %s)", refs, a.Verb("undo "+refs))
		}
	}
	if len(rest) == 0 {
		return nil
	}
	n, err := propose(ctx, a, t, rest)
	if err == nil && n > 0 {
		a.Status("%s", waiting(a, n))
	}
	return err
}
