package learn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"ken/internal/app"
	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/learn/extract"
	"ken/internal/models"
)

// The values of memory.auto_extract.
const (
	extractOff     = "off"
	extractQueued  = "queue"
	extractAccepts = "accept"
)

// autoExtract is the name under which what was let in by memory.auto_extract stands in the
// memory.
const autoExtract = "auto_extract"

// extracts is what the settings want done of its own accord, and whether a model may be
// asked for it: only if a person asked for extraction by name. A namespace alone asks
// for the built-in extractor.
func extracts(cfg config.Config) (what string, model bool) {
	if !cfg.Given("memory.auto_extract") && cfg.Memory.UserNamespace != "" {
		return extractQueued, false
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
// (decision 26). It takes no longer than a model of LongestUnasked, stops nothing, and
// gives how far it has come. What a model could not read is not put to it once more
// before something was said since.
func Automatic(ctx context.Context, h *app.View, path string, so Progress) Progress {
	cfg, err := h.Settings.Read()
	if err != nil || path == "" || !h.Settings.MemoryOn() || ctx.Err() != nil {
		return so
	}
	what, ask := extracts(cfg)
	if what == extractOff || what == "" {
		return so
	}
	t, err := ReadConversation(ctx, h, path, so.Read)
	if errors.Is(err, fs.ErrNotExist) {
		return so // nothing was said, or it was not to be kept
	}
	if err != nil {
		h.Warn(fmt.Errorf("nothing was extracted: %w", err))
		return so
	}
	if t.last == so.Tried {
		return so
	}
	so.Tried = t.last
	if !t.Typed() {
		return so.all()
	}
	var m extract.Model
	if ask {
		if m, err = quietReader(ctx, h, cfg.Summarizer()); err != nil {
			h.Warn(fmt.Errorf("nothing was extracted: %w", err))
			return so
		}
	}
	if m != nil {
		h.Notef("reading this conversation for what is worth keeping (%s at most)", LongestUnasked)
	}
	found, err := Candidates(ctx, m, t)
	if err != nil {
		h.Warn(fmt.Errorf("nothing was extracted: %w", err))
		return so
	}
	if err := keepStated(ctx, h, t, found, what == extractAccepts); err != nil {
		h.Warn(fmt.Errorf("nothing was extracted: %w", err))
		return so
	}
	return so.all()
}

// quietReader is the model called name, or the one in force; nil if there is none. None
// is looked for.
func quietReader(ctx context.Context, h *app.View, name string) (extract.Model, error) {
	if _, unknown := h.Models().Unconfirmed(); unknown {
		return nil, nil // it gets what is asked of it, and no more
	}
	if _, err := h.Models().Preset(name); err != nil {
		if name == "" && errors.Is(err, models.ErrNone) {
			return nil, nil
		}
		return nil, err
	}
	return Reader(ctx, h, name, LongestUnasked)
}

// keepStated lets in what may be, and has the rest wait.
func keepStated(ctx context.Context, h *app.View, t Conversation, found []extract.Candidate, mayAccept bool) error {
	list, _, err := t.Fresh(ctx, h, found)
	if err != nil {
		return err
	}
	var admitted, rest []extract.Candidate
	for _, c := range list {
		if mayAccept && extract.Acceptable(c, t.Passages) {
			admitted = append(admitted, c)
		} else {
			rest = append(rest, c)
		}
	}
	if len(admitted) > 0 {
		e, err := h.Memory.Engine()
		if err != nil {
			return err
		}
		w := e.As(engine.Actor{Kind: engine.Policy, Name: autoExtract})
		r, err := w.AcceptByPolicy(ctx, t.Suggestions(w.Actor(), admitted)...)
		if err != nil {
			return err
		}
		if refs := r.Span(); refs != "" {
			h.Notef("memory: kept #%s, by memory.auto_extract (undo: %s)", refs, fault.Command("undo "+refs))
		}
	}
	if len(rest) == 0 {
		return nil
	}
	n, err := t.Propose(ctx, h, rest)
	if err == nil && n > 0 {
		h.Note(Waiting(n))
	}
	return err
}
