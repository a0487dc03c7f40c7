package agent

import (
	"context"
	"encoding/json"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
	"ken/internal/trace"
)

// A mind is a Memory in the hands of a test; nil: it has nothing of that.
type mind struct {
	background func(context.Context) (recall.Choice, error)
	activate   func(context.Context, app.ActivationQuery, recall.Choice) (recall.Activation, error)
	hides      func() func(session.Turn) bool
	of         Recorder // whose turns were asked about last
}

// mindOf is that of a conversation which newSet makes.
func mindOf(o *Options) *mind {
	m, _ := o.Memory.(*mind)
	return m
}

func (m *mind) Background(ctx context.Context) (c recall.Choice, err error) {
	if m.background == nil {
		return c, nil
	}
	return m.background(ctx)
}

func (m *mind) Activate(ctx context.Context, q app.ActivationQuery, block recall.Choice) (a recall.Activation, err error) {
	if m.activate == nil {
		return a, nil
	}
	return m.activate(ctx, q, block)
}

func (m *mind) Hides(_ context.Context, of Recorder) func(session.Turn) bool {
	m.of = of
	if m.hides == nil {
		return nil
	}
	return m.hides()
}

// A scene is Surroundings in the hands of a test; nil: there is nothing of that.
type scene struct {
	environment func(known bool) []string
	docs        func() []Doc
	stranger    func() bool
}

func (s scene) Environment(known bool) []string {
	if s.environment == nil {
		return nil
	}
	return s.environment(known)
}

func (s scene) Docs(context.Context) []Doc {
	if s.docs == nil {
		return nil
	}
	return s.docs()
}

func (s scene) Stranger() bool { return s.stranger != nil && s.stranger() }

// A past is a Carried in the hands of a test.
type past struct {
	context func() (string, trace.Context)
	inert   func() bool // nil: never
}

func (p past) Context(context.Context) (string, trace.Context) { return p.context() }
func (p past) Inert() bool                                     { return p.inert != nil && p.inert() }
func (past) Outdated(string) bool                              { return false }

// hands are Tools in the hands of a test.
type hands struct {
	tools     []json.RawMessage
	elsewhere string // the line that printed what may be from elsewhere
}

func (h hands) Definitions(context.Context) []json.RawMessage { return h.tools }
func (h hands) Elsewhere(_ context.Context, line string) bool { return line == h.elsewhere }

// masks are Keys that seal nothing.
type masks func(string) string

func (m masks) MaskText(s string) string { return m(s) }
func (masks) Sums() *memory.Seal         { return nil }

// A summarizer is one in the hands of a test.
type summarizer func() (Model, string, int, error)

func (s summarizer) Model(context.Context) (Model, string, int, error) { return s() }

// A keeper is a Checkpointer in the hands of a test; nil: nobody wants to know.
type keeper struct {
	checkpoint func(words string) error
	sumsUp     func(*Compacted, error)
}

func (k *keeper) Checkpoint(_ context.Context, words string) error {
	if k.checkpoint == nil {
		return nil
	}
	return k.checkpoint(words)
}

func (*keeper) Account(context.Context, string, bool) {}

func (k *keeper) SumsUp(_ context.Context, done *Compacted, err error) {
	if k.sumsUp != nil {
		k.sumsUp(done, err)
	}
}

// keeperOf is that of a conversation which compacting makes.
func keeperOf(o *Options) *keeper {
	k, _ := o.Compaction.Checkpointer.(*keeper)
	return k
}

// telling has warnings go to a function.
func telling(warn func(error)) fault.Voice { return fault.Voice{OnWarn: warn} }

// A windowed server is one whose window is known, and who says another one once it refused.
type windowed struct {
	window  int
	tooLong func(*llm.Error) int
}

func (s windowed) Wait(context.Context) int                    { return s.window }
func (s windowed) TooLong(_ context.Context, e *llm.Error) int { return s.tooLong(e) }

// given is a Watcher who wants to know what a request holds.
type given func(trace.Trace)

func (g given) Given(t trace.Trace)                    { g(t) }
func (given) Fits(context.Context, Size) (bool, error) { return false, nil }

// deciding is a Watcher who decides of what does not fit.
type deciding func(Size) (bool, error)

func (deciding) Given(trace.Trace)                              {}
func (d deciding) Fits(_ context.Context, s Size) (bool, error) { return d(s) }
