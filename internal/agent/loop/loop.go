package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/frame"
	"ken/internal/gate"
	"ken/internal/jsonl"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/runner"
	"ken/internal/session"
	"ken/internal/session/acts"
	"ken/internal/termsafe"
	"ken/internal/tool"
	"ken/internal/tool/mcp"
)

// A Loop is the tools of one conversation. It is not safe for concurrent use.
type Loop struct {
	home   *app.View
	run    *runner.Runner
	o      Options
	list   []tool.Tool
	asked  Asked
	circle tool.Circle
	files  *fileTools
	part   string        // what the acts are a part of
	from   memory.Origin // see Heed

	servers  *mcp.Servers // nil: there are none
	sent     []string     // wire names of tools of servers that the conversation has had
	deferred int          // how many more there are
	awaited  bool         // the first question waited for them
}

// Servers are tool servers.
type Servers = mcp.Servers

// Options say what a loop stands on besides.
type Options struct {
	// Servers are the tool servers of the person, which are started for the first question. nil: none.
	Servers func() (*mcp.Servers, error)
	// Wait is how long the first question waits for servers that are being connected to: what they have comes too
	// late for a question that is the only one. 0: not at all.
	Wait time.Duration
	// Reads reports whether what is more than reading in the project is refused, whatever was said before; nil: it is not.
	Reads func() bool
	// Editor is where the person has files open; nil: nowhere.
	Editor Editor
	// MemoryAlone has only the tools of the memory offered and answered: where the conversation is held there are no files, and
	// nobody who could be asked about a command.
	MemoryAlone bool
}

// An Asked is a question for which tools are called.
type Asked struct {
	Model   string  // the preset that is asked, as a proposal and an act name it
	Window  int     // of that model, in tokens; 0: unknown
	Journal Journal // nil: nothing is recorded
	Outputs Outputs // has what results were cut from; nil: nothing is kept
}

// A Journal has the acts of a conversation; *session.Writer is one.
type Journal interface {
	// Commit has an act in the session, on the disk when it returns nil, before it is done, which it is not after an error.
	Commit(session.Event) error
	// AppendEvent has what came of an act in the session, and need not wait for the disk: an act of which that is lost with the
	// machine's power is unknown, and not done again.
	AppendEvent(session.Event) error
}

// Outputs keep what results of a conversation were cut from.
type Outputs interface {
	// Keep keeps a text, clean and masked, for the turn that is to come, and returns its name; "" where nothing is kept.
	// It is one of several of that turn, the nth from 0, or below 0 the only one.
	Keep(nth int, text string, from memory.Origin) (name string, err error)
	// Get returns the text of a name, or fs.ErrNotExist.
	Get(ctx context.Context, name string) (text string, from memory.Origin, err error)
}

// New returns the loop of a conversation over a memory, whose operations run decides.
func New(h *app.View, run *runner.Runner, o Options) *Loop {
	s := &Loop{home: h, run: run, o: o, files: &fileTools{home: h, editor: o.Editor}}
	if !o.MemoryAlone {
		s.list = append([]tool.Tool{s.shell()}, s.files.tools()...)
	}
	s.list = append(append(s.list, s.memoryTools()...), s.moreTools())
	return s
}

// offered are the tools that a request has now.
func (h *Loop) offered(ctx context.Context) tool.Set {
	return h.set(func(one tool.Tool) bool { return one.Here == nil || one.Here(ctx) })
}

// known are the tools that a call may name: those that are offered, and those that would be with a memory
// that holds something.
func (h *Loop) known(ctx context.Context) tool.Set {
	return h.set(func(one tool.Tool) bool { return one.May == nil || one.May(ctx) })
}

// set are the tools of which which is true, without those that the settings switch off.
func (h *Loop) set(which func(tool.Tool) bool) tool.Set {
	cfg, err := h.home.Settings.Read()
	if err != nil {
		return nil
	}
	var list tool.Set
	off := cfg.Tools.Off
	for _, one := range h.list {
		if which(one) && !slices.Contains(off, one.Name) && !slices.Contains(off, "all") {
			list = append(list, one.Spec)
		}
	}
	return list
}

// Definitions are those of the tools that are offered now, as a request has them.
func (h *Loop) Definitions(ctx context.Context) []json.RawMessage {
	h.await(ctx)
	var list []json.RawMessage
	size := 0
	for _, spec := range h.offered(ctx) {
		list = append(list, spec.Definition())
		size += len(list[len(list)-1])
	}
	more, deferred := h.serverTools(size)
	if deferred > 0 && h.deferred == 0 { // more_tools joins
		h.deferred = deferred
		return h.Definitions(ctx)
	}
	for _, t := range more {
		list = append(list, t.Definition())
	}
	return list
}

// A Watch is what a face wants to hear while calls are answered. What is nil it does not.
type Watch struct {
	// Doing is called before Begun with the id of the call, its tool and what it would do, and Done with what it came to.
	Doing func(id, name string, act tool.Act)
	Done  func(Reply)
	// Begun is called before a call is asked about or done, with what it would do in a line.
	Begun func(title string)
	// Ended is called with what came of it, in a few words.
	Ended func(title, outcome string)
	// Live gets what commands print, as it comes. nil: nothing does.
	Live io.Writer
	// Stops is asked before each call whether the rest is not to be done; nil: it is.
	Stops func() bool
}

// A Reply is what came of one call, in the tokens that it was given.
type Reply struct {
	Call  string // its id
	Line  string // the command line that it was; "": it was none
	Text  string
	From  memory.Origin
	State tool.State
}

// Done reports whether the call was done, and came to something.
func (r Reply) Done() bool { return r.State == tool.Done }

// Stopped reports whether the person ended it, or broke off when they were asked about it: the model is not to be asked
// again before they say something.
func (r Reply) Stopped() bool { return r.State == tool.Stopped }

// mostCalls is how many calls of one answer are done: a model that asks for more at once has lost its way, and nobody
// reads more questions in a row than that with care.
const mostCalls = 16

// Begin is called for each question, before its first request: what was done for the last one says nothing about
// this one. Tool servers are started behind it.
func (h *Loop) Begin(q Asked) {
	h.asked, h.circle = q, tool.Circle{}
	h.files.begin(q)
	h.servers = h.started()
}

// Run says what the acts to come are a part of, in the words of the record: they can be taken back together.
func (h *Loop) Run(part string) {
	h.part = part
	h.files.part = part
}

// Asking has another one asked about what is not safe, until back is called.
func (h *Loop) Asking(who runner.Approver) (back func()) {
	was := h.run
	h.run = was.Asking(who)
	return func() { h.run = was }
}

// Heed says what the model has read, for the calls of its next answer: whether text from outside the project, for what they would
// do beyond it is then asked about, whatever was approved by a pattern; and the least trusted origin of all, which is that of
// what it proposes to remember.
func (h *Loop) Heed(foreign bool, from memory.Origin) {
	h.run.Heed(foreign)
	h.from = from
}

// Elsewhere reports whether what a line of the person printed may be from outside the project.
func (h *Loop) Elsewhere(ctx context.Context, line string) bool { return h.run.ReadsForeign(ctx, line) }

// Proposed returns the command lines that an answer offers in its text: see gate.Proposed.
func Proposed(answer string) []string { return gate.Proposed(frame.Plain(answer)) }

// Answer does what the calls of an answer ask for, in their order, and gives each the reply to one as soon as it
// is there. stalled says that the model goes round and is not to be asked again. After the end of ctx, or where the person
// breaks off at a question, what is left is not done, and replied to as stopped.
func (h *Loop) Answer(ctx context.Context, calls []llm.ToolCall, w Watch, each func(Reply)) (stalled bool) {
	return h.answer(ctx, h.known(ctx), calls, false, w, each)
}

// Lines is Answer for command lines that turn n offers in its text. They are calls of the shell, whatever tools
// there are, with ids of their own.
func (h *Loop) Lines(ctx context.Context, n int, lines []string, w Watch, each func(Reply)) (stalled bool) {
	var calls []llm.ToolCall
	for i, line := range lines {
		args := append(jsonl.AppendString([]byte(`{"command":`), line), '}')
		calls = append(calls, llm.ToolCall{ID: acts.LineID(n, i), Name: acts.Shell, Arguments: string(args)})
	}
	return h.answer(ctx, tool.Set{h.shell().Spec}, calls, true, w, each)
}

func (h *Loop) answer(
	ctx context.Context, set tool.Set, calls []llm.ToolCall, inText bool, w Watch, each func(Reply),
) (stalled bool) {
	room := tool.Room(h.asked.Window, len(calls))
	done, broke := make(map[string]tool.Result), false
	for i, c := range calls {
		key := c.Name + "\x00" + c.Arguments
		r, again := done[key]
		e := &entry{loop: h, id: c.ID, inText: inText}
		switch {
		case broke || ctx.Err() != nil || w.Stops != nil && w.Stops():
			r = tool.Result{State: tool.Stopped, Text: "not run: the person stopped it"}
		case again: // once is enough
		case i >= mostCalls:
			r = tool.Result{State: tool.Refused, Text: fmt.Sprintf("not run: at most %d calls in one answer", mostCalls)}
		default:
			var turn tool.Turn
			r, turn = h.one(ctx, set, c, w, e)
			stalled, broke = stalled || turn == tool.Stalled, r.State == tool.Stopped
			if e.changed() { // what was read before may be another now
				clear(done)
			}
			done[key] = r
			if r.From.Rank() >= memory.OriginExternal.Rank() {
				h.Heed(true, memory.OriginExternal)
			}
		}
		if nth := -1; !again && r.First == 0 && !r.Fits(room) {
			if inText {
				nth = i
			}
			h.keep(&r, nth)
			done[key] = r
		}
		reply := Reply{Call: c.ID, Line: e.act.Line, Text: r.Body(room), From: r.From, State: r.State}
		each(reply)
		if w.Done != nil {
			w.Done(reply)
		}
		e.ended(r, reply)
	}
	return stalled
}

// keep has the whole of a result kept that does not fit: see Outputs.Keep.
func (h *Loop) keep(r *tool.Result, nth int) {
	if h.asked.Outputs == nil {
		return
	}
	name, err := h.asked.Outputs.Keep(nth, r.Text, r.From)
	if err != nil {
		h.home.Warn(fault.Once(fmt.Errorf("what a tool printed is not kept whole: %w", err)))
		return
	}
	if name != "" {
		r.Kept = tool.KeptPrefix + name
	}
}

// one answers one call.
func (h *Loop) one(ctx context.Context, set tool.Set, c llm.ToolCall, w Watch, e *entry) (tool.Result, tool.Turn) {
	call, act, err := h.read(ctx, set, c)
	if err != nil {
		if w.Ended != nil {
			w.Ended(termsafe.Cut(termsafe.Line(c.Name), 60), outcome(tool.Result{State: tool.Invalid, Text: err.Error()}))
		}
		return tool.Result{State: tool.Invalid, Text: h.safe(err.Error())}, h.circle.Unread()
	}
	e.tool, e.act = call.Name, act
	switch turn := h.circle.Before(call); turn {
	case tool.Spent, tool.Stalled:
		r := tool.Again(call)
		e.refused(r)
		return r, turn
	}
	if w.Doing != nil {
		w.Doing(c.ID, call.Name, act)
	}
	if w.Begun != nil {
		w.Begun(act.Title)
	}
	r := h.do(ctx, act, w.Live, e)
	r.Text, r.Head = h.safe(r.Text), h.safe(r.Head)
	if w.Ended != nil {
		w.Ended(act.Title, outcome(r))
	}
	turn := h.circle.After(call, r)
	if turn == tool.Noted {
		r.Head = strings.TrimSpace(r.Head + "\n" + tool.Third)
	}
	return r, turn
}

// read understands a call, of a tool of ken's or of a server's.
func (h *Loop) read(ctx context.Context, set tool.Set, c llm.ToolCall) (tool.Call, tool.Act, error) {
	if _, own := set.Named(c.Name); !own && h.servers != nil {
		if call, act, err := h.planServer(c.Name, c.Arguments); err == nil || strings.Contains(c.Name, "__") {
			return call, act, err
		}
	}
	call, err := set.Read(c)
	if err != nil {
		return call, tool.Act{}, err
	}
	act, err := h.plan(ctx, call)
	return call, act, err
}

// plan is what a call would do.
func (h *Loop) plan(ctx context.Context, call tool.Call) (tool.Act, error) {
	for _, one := range h.list {
		if one.Name == call.Name {
			act, err := one.Plan(ctx, call.Args)
			if err == nil && act.Title == "" {
				act.Title = call.Name
			}
			return act, err
		}
	}
	return tool.Act{}, &tool.CallError{Text: "no tool " + call.Name}
}

// do asks where that is needed, and does it.
func (h *Loop) do(ctx context.Context, act tool.Act, live io.Writer, e *entry) tool.Result {
	if h.o.Reads != nil && h.o.Reads() && (act.Line != "" || act.Level > risk.Safe) {
		return e.declined(ctx, max(act.Level, risk.Caution), fault.Refusedf("not run: the person has it that nothing but the project is read"))
	}
	if act.Line != "" {
		return h.runLine(ctx, act, live, e)
	}
	how, err := h.run.Allow(ctx, runner.Operation{
		Title: act.Title, Shown: act.Shown, Of: act.Of, Level: act.Level, Why: act.Why,
		Lasting: act.Lasting, Once: act.Once, Allowed: act.Allowed, Beyond: act.Beyond,
	})
	if err != nil {
		return e.declined(ctx, act.Level, err)
	}
	if err := e.begun(act.Level, how); err != nil {
		return tool.Result{State: tool.Failed, Text: text(err)}
	}
	r, err := act.Do(ctx, live)
	switch {
	case err != nil && ctx.Err() != nil:
		return tool.Result{State: tool.Stopped, Text: "stopped by the person"}
	case err != nil:
		return tool.Result{State: tool.Failed, Text: text(err)}
	}
	return r
}

// refused is the result of what was not done.
func refused(ctx context.Context, err error) tool.Result {
	declined := (*runner.Declined)(nil)
	switch {
	case errors.As(err, &declined) && declined.Stopped:
		return tool.Result{State: tool.Stopped, Text: declined.Reason()}
	case errors.As(err, &declined):
		return tool.Result{State: tool.Refused, Text: declined.Reason()}
	case ctx.Err() != nil && fault.KindOf(err) != fault.Refused:
		return tool.Result{State: tool.Stopped, Text: "not run: the person stopped it"}
	}
	return tool.Result{State: tool.Refused, Text: text(err)}
}

// text is an error for a model, with its next step where that is for whoever called.
func text(err error) string {
	text := err.Error()
	if !strings.HasPrefix(text, "not run") && fault.KindOf(err) == fault.Refused {
		text = "not run: " + text
	}
	return text
}

// outcome is what came of a call, for a line.
func outcome(r tool.Result) string {
	head, _, _ := strings.Cut(r.Head, "\n")
	text := strings.TrimSpace(r.Text)
	switch n := strings.Count(text, "\n"); {
	case head != "":
		return strings.TrimSuffix(head, "; so far:")
	case text == "":
		return string(r.State)
	case r.State == tool.Done && n > 0:
		return fmt.Sprintf("%d lines", n+1)
	}
	const most = 100
	return termsafe.Cut(termsafe.Line(text), most)
}

// safe is a text as it may be sent and recorded.
func (h *Loop) safe(s string) string { return h.home.Keys.MaskText(termsafe.Clean(s)) }
