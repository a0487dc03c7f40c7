package talk

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"ken/internal/agent"
	"ken/internal/agent/host"
	"ken/internal/agent/loop"
	"ken/internal/agent/turn"
	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/redact"
	"ken/internal/runner"
	"ken/internal/session"
	"ken/internal/upkeep"
	"ken/internal/view"
	"ken/internal/view/why"
)

// Options say how a Talk is held.
type Options struct {
	Memory      *app.App                     // required
	Getenv      func(string) string          // what commands read, who act; required where Approver is
	Environ     func() []string              // what commands get, less secrets
	FindProgram func(string) (string, error) // nil: none is found
	Warn        func(error)                  // takes what went wrong without stopping anything, from several goroutines
	Channel     session.Channel              // for the record, and the face of who types; required
	Who         app.Actor                    // who types
	Where       string                       // where the person is, as a model is told: "on their phone"; "": in a window
	Dir         string                       // where it is held, absolute; "": nowhere, where only what holds everywhere does
	Session     string                       // the id of the conversation that is gone on with; "": a new one
	OrNew       bool                         // one that is gone, or that another process holds, is left: a new one begins
	Approver    runner.Approver              // is asked about what is not safe and not dangerous; nil: nothing acts
	Editor      loop.Editor                  // where the person has files open, for who acts; nil: nowhere
	// Servers are tool servers for who acts, and Wait is how long the first question waits for them; nil: none.
	Servers func() (*loop.Servers, error)
	Wait    time.Duration
	Abrupt  bool // see turn.Options
	// Own does what is typed about the memory in the place of all that the person may; nil: they may do all.
	Own Own
	// Without has a conversation that is gone on with have no memory where it had none when it was left: see Switch.
	Without bool
	// Kept is what the conversation had besides its record when it was closed: see there. nil: nothing, and nothing is kept.
	Kept *Kept
	// Press is how a command is typed here, with what it is for: "/undo 3". nil: that.
	Press func(verb, what string) string
}

// A Talk is a conversation. It is not safe for concurrent use, but for Undoable and the undo of Do.
type Talk struct {
	o    Options
	home *app.View
	d    *turn.Dialog
	kept *Kept
	acts *loop.Loop
	// without is the warning that the question under way has nothing of the memory; nil: it has it.
	without atomic.Pointer[agent.WithoutError]
}

// Open begins a conversation with the memory, in a session of its own, or goes on with the one that o names. Errors: those of the
// settings, that there is no such session, and that another process holds it. Nothing is recorded before the first question.
func Open(ctx context.Context, o Options) (*Talk, error) {
	if o.Kept == nil {
		o.Kept = new(Kept)
	}
	t := &Talk{o: o, kept: o.Kept}
	voice := fault.Voice{OnWarn: func(err error) { // where ken runs, and the person may not be
		if w := (*agent.WithoutError)(nil); errors.As(err, &w) {
			t.without.Store(w)
		}
		if t.o.Warn != nil {
			t.o.Warn(err)
		}
	}}
	o.Who.Face = string(o.Channel)
	if o.Press == nil {
		o.Press = func(verb, what string) string { return "/" + verb + " " + what }
	}
	t.o = o
	t.home = o.Memory.View(app.Standing{Actor: o.Who, Dir: o.Dir, Stays: true, Voice: voice})
	if _, err := t.home.Settings.Read(); err != nil {
		return nil, err
	}
	if name := t.kept.model; name != "" {
		if _, err := t.home.Models().Choose(ctx, name); err != nil { // the settings lost it: the usual one answers
			voice.Warn(err)
			t.kept.model = ""
		}
	}
	look := upkeep.New(t.home, nil)
	t.acts = t.loop()
	options := turn.Options{Base: agent.BaseElsewhere(o.Where), Channel: o.Channel, Abrupt: o.Abrupt, Upkeep: look, Loop: t.acts}
	if o.Session != "" {
		path, err := t.find(o.Session)
		switch {
		case err == nil:
			options.Path = path
			t.asLeft(path)
			t.d = turn.New(t.home, options)
			err = t.d.Begin(ctx)
		case t.kept.id == o.Session: // nothing was said there before it was closed
			options.ID = o.Session
			t.d = turn.New(t.home, options)
			err = t.d.Begin(ctx)
		}
		if err == nil || !o.OrNew {
			return t, err
		}
		options.Path, options.ID = "", ""
	}
	t.d = turn.New(t.home, options)
	if err := t.d.Begin(ctx); err != nil {
		return t, err
	}
	t.kept.id = t.ID()
	return t, nil
}

// memory is the memory as who types has it, for one act beside what is answered.
func (t *Talk) memory() *app.View { return t.o.Memory.View(app.Standing{Actor: t.o.Who, Dir: t.o.Dir}) }

// loop is what a model acts with.
func (t *Talk) loop() *loop.Loop {
	o, ports := t.o, runner.Ports{Approved: &t.kept.approved, Exact: true, Session: t.ID}
	ports.Dir = func() string { return o.Dir }
	ports.Getenv, ports.Environ, ports.FindProgram = o.Getenv, o.Environ, o.FindProgram
	if o.Approver == nil {
		return loop.New(t.home, runner.New(t.home, ports), loop.Options{MemoryAlone: true})
	}
	ports.Approver = runner.Elsewhere(o.Approver)
	return loop.New(t.home, runner.New(t.home, ports), loop.Options{
		Reads: t.kept.Reading, Editor: o.Editor, Servers: o.Servers, Wait: o.Wait,
	})
}

// find is the file of the session with an id.
func (t *Talk) find(id string) (string, error) {
	for path, h := range t.home.Conversations.Dir().Newest() {
		if (h.Session == id || filepath.Base(path) == id) && h.Agent == "" {
			return path, nil
		}
	}
	return "", fault.NotFoundf("no conversation %q", id)
}

// Ask answers a question. With Question.Sentence, what a typed line plainly asks of the memory is done first; told has a line
// about that. Where there is no model, told has what the memory and conversations answer; if that is nothing, the error says that
// there is none. Where ctx ended with host.ErrStopped, what came of it stays, and that is the error.
func (t *Talk) Ask(ctx context.Context, q turn.Question, ev turn.Events, told func(string)) (turn.Answer, error) {
	q.Alone, ev.Act = true, nil
	if q.Sentence {
		line := cmp.Or(q.Typed, q.Text)
		ev.Act = func(ctx context.Context, asked bool) bool { return t.act(ctx, line, asked, told) }
	}
	t.without.Store(nil)
	ans, err := t.d.Ask(ctx, q, ev)
	if w := t.without.Load(); w != nil {
		told(w.Brief() + ": it could not be read; where ken runs, " + string(fault.Command("doctor")) + " says why")
	}
	if errors.Is(context.Cause(ctx), host.ErrStopped) {
		err = fault.New(fault.Interrupted, host.ErrStopped)
	}
	if ans.N > 0 {
		t.kept.last = ans
		t.d.After(context.WithoutCancel(ctx), upkeep.Answered)
	}
	if ans.NoModel != nil {
		if len(ans.Found) == 0 {
			return ans, fault.New(fault.Model, ans.NoModel)
		}
		told(ans.NoModel.Error() + "; from memory and conversations:\n" + app.NamedText(t.home, ans.Found, false))
	}
	return ans, err
}

// Do does what a command says: remember, forget, undo, why, memory, compact or new. It returns what is to be said. undo may
// be done while a question is answered.
func (t *Talk) Do(ctx context.Context, verb, text string) (string, error) {
	if err := t.mayDo(verb); err != nil {
		return "", err
	}
	switch verb {
	case "remember":
		o, err := t.remember(ctx, text)
		switch {
		case err != nil:
			return "", err
		case o.Did == "duplicate":
			return "already remembered as " + o.Name(), nil
		case o.Undo == "":
			return o.Did + " " + o.Name() + o.Note, nil
		}
		return t.remembered(ctx, o), nil
	case "forget":
		return t.forget(ctx, text)
	case "undo":
		return t.undo(ctx, text)
	case "why":
		return t.why(ctx)
	case "memory":
		hits, err := t.hits(ctx, text)
		return t.list("", hits), err
	case "new":
		t.d.Reset(ctx)
		t.kept.last = turn.Answer{}
		return "A new conversation. What was said before is kept.", nil
	case "compact":
		return "all but the newest turns are summed up", t.d.Compact(ctx)
	}
	return "", fault.Usagef("no command %q", verb)
}

// Grounds are where the last answer comes from; ok is false where there is none.
func (t *Talk) Grounds(ctx context.Context) (src why.Source, ok bool) {
	if t.kept.last.N == 0 {
		return src, false
	}
	return t.d.Why(ctx, t.kept.last.Query, t.kept.last.Trace, true), true
}

// why is where the last answer comes from.
func (t *Talk) why(ctx context.Context) (string, error) {
	src, ok := t.Grounds(ctx)
	if !ok {
		return "", fault.NotFoundf("nothing was answered yet in this conversation")
	}
	r := why.Of(src)
	lines := []string{"nothing was called up for the question"}
	if r.Shaped != "" {
		lines[0] = r.Shaped
	}
	for _, e := range r.Provenance {
		for _, it := range e.Items {
			if it.As == why.AsStanding {
				continue
			}
			said := it.Kind + ": " + view.Excerpt(it.Content, mostWords)
			if it.Since != "" {
				said = it.Since
			}
			lines = append(lines, "- #"+it.Ref+" "+said+" ("+it.Why+")")
		}
	}
	return strings.Join(lines, "\n"), nil
}

// ID is the session that records the conversation, or will; "" if none does.
func (t *Talk) ID() string {
	if t.d == nil || t.d.Recorder() == nil {
		return ""
	}
	return t.d.Recorder().ID()
}

// Record is the record of the conversation; nil if there is none.
func (t *Talk) Record() *session.Writer {
	if t.d == nil {
		return nil
	}
	return t.d.Recorder()
}

// Title is what the conversation is called; "" if it has no words yet.
func (t *Talk) Title(ctx context.Context) string { return t.d.Title(ctx) }

// Turns are what was said so far, oldest first.
func (t *Talk) Turns() []session.Turn {
	return t.d.Conversation().Turns()
}

// Models are the names of the models that can be asked, and the one in force; nobody is asked over a network.
func (t *Talk) Models() (names []string, is string) {
	all, err := t.home.Models().Presets()
	if err != nil {
		return nil, ""
	}
	for _, p := range all {
		names = append(names, p.Name)
	}
	if p, err := t.home.Models().Preset(""); err == nil {
		is = p.Name
	}
	return names, is
}

// Choose has another model answer from now on.
func (t *Talk) Choose(ctx context.Context, name string) error {
	_, err := t.d.Switch(ctx, name)
	if err == nil {
		t.kept.model = name
	}
	return err
}

// Mask returns a text without secrets, and Stream one that comes in pieces.
func (t *Talk) Mask(text string) string { return t.home.Keys.MaskText(text) }

// Stream is Mask of what comes in pieces.
func (t *Talk) Stream() *redact.Stream { return t.home.Keys.Masker().Stream() }

// File is a text or a picture that came along, as a question has it. Errors: that it is neither.
func (t *Talk) File(name string, b []byte) (agent.File, error) {
	a, err := reader(t.home).Received(name, b)
	if err != nil {
		return agent.File{}, err
	}
	return agent.File{Name: a.Name, Kind: string(a.Kind), Bytes: a.Bytes, Block: a.Block(), Picture: agent.Picture{
		Type: a.Image.Type, Data: a.Image.Data, Tokens: a.Image.Tokens(),
	}}, nil
}

// Close ends the conversation: what the next one begins with is kept, and the record is closed. What is due behind a
// conversation is done while ctx lasts, unless the face ends abruptly.
func (t *Talk) Close(ctx context.Context) {
	t.d.End(ctx)
	if !t.o.Abrupt {
		t.d.Ended(ctx, true)
	}
	t.home.Beside.Rest()
	if !t.o.Abrupt && ctx.Err() == nil {
		t.home.Memory.Rebuild(ctx)
	}
}
