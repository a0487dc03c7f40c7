package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"ken/internal/fault"
	"ken/internal/frame"
	"ken/internal/gate"
	"ken/internal/home"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/runner"
	"ken/internal/termsafe"
	"ken/internal/tool"
)

// An offer is one tool with what it does.
type offer struct {
	spec tool.Spec
	// plan says what a call would do; nothing is done yet. An error is one of the arguments, for
	// the model.
	plan func(ctx context.Context, args tool.Args) (tool.Act, error)
	// here reports whether it is offered now, and may whether a call of it is answered; nil: always.
	here, may func(context.Context) bool
}

// A Loop is the tools of one conversation. It is not safe for concurrent use.
type Loop struct {
	home   *home.Home
	run    *runner.Runner
	model  string // the preset that is asked, as a proposal names it
	list   []offer
	circle tool.Circle
}

// New returns the loop of a conversation over a memory, whose operations run decides.
func New(h *home.Home, run *runner.Runner) *Loop {
	s := &Loop{home: h, run: run}
	s.list = []offer{s.shell(), s.recall(), s.remember()}
	return s
}

// offered are the tools that a request has now.
func (h *Loop) offered(ctx context.Context) tool.Set {
	return h.set(func(one offer) bool { return one.here == nil || one.here(ctx) })
}

// known are the tools that a call may name: those that are offered, and those that would be with a memory
// that holds something.
func (h *Loop) known(ctx context.Context) tool.Set {
	return h.set(func(one offer) bool { return one.may == nil || one.may(ctx) })
}

// set are the tools of which which is true, without those that the settings switch off.
func (h *Loop) set(which func(offer) bool) tool.Set {
	cfg, err := h.home.Settings.Read()
	if err != nil {
		return nil
	}
	var list tool.Set
	off := cfg.Tools.Off
	for _, one := range h.list {
		if which(one) && !slices.Contains(off, one.spec.Name) && !slices.Contains(off, "all") {
			list = append(list, one.spec)
		}
	}
	return list
}

// Definitions are those of the tools that are offered now, as a request has them.
func (h *Loop) Definitions(ctx context.Context) []json.RawMessage {
	var list []json.RawMessage
	for _, spec := range h.offered(ctx) {
		list = append(list, spec.Definition())
	}
	return list
}

// A Watch is what a face wants to hear while calls are answered. What is nil it does not.
type Watch struct {
	// Begun is called before a call is asked about or done, with what it would do in a line.
	Begun func(title string)
	// Ended is called with what came of it, in a few words.
	Ended func(title, outcome string)
	// Live gets what commands print, as it comes. nil: nothing does.
	Live io.Writer
}

// A Reply is what came of one call, in the tokens that it was given.
type Reply struct {
	Call string // its id
	Text string
	From memory.Origin
	tool.State
}

// mostCalls is how many calls of one answer are done. No task of the batteries that other assistants are
// measured by takes more at once; a model that asks for more has lost its way.
const mostCalls = 16

// Begin is called for each question, which the preset called model is asked: what was done for the last one
// says nothing about this one.
func (h *Loop) Begin(model string) { h.model, h.circle = model, tool.Circle{} }

// Proposed returns the command lines that an answer offers in its text: see gate.Proposed.
func Proposed(answer string) []string { return gate.Proposed(frame.Plain(answer)) }

// Answer does what the calls of an answer ask for, in their order, and returns a reply to each. window is
// that of the model, in tokens; 0: unknown. stalled says that the model goes round and is not to be asked again. After
// the end of ctx what is left is not done, and replied to as stopped.
func (h *Loop) Answer(ctx context.Context, calls []llm.ToolCall, window int, w Watch) (replies []Reply, stalled bool) {
	set, room := h.known(ctx), tool.Room(window, len(calls))
	done := make(map[string]tool.Result)
	for i, c := range calls {
		key := c.Name + "\x00" + c.Arguments
		r, again := done[key]
		switch {
		case ctx.Err() != nil:
			r = tool.Result{State: tool.Stopped, Text: "not run: the person stopped it"}
		case again: // once is enough
		case i >= mostCalls:
			r = tool.Result{State: tool.Refused, Text: fmt.Sprintf("not run: at most %d calls in one answer", mostCalls)}
		default:
			var turn tool.Turn
			r, turn = h.one(ctx, set, c, w)
			stalled = stalled || turn == tool.Stalled
			done[key] = r
		}
		replies = append(replies, Reply{Call: c.ID, Text: r.Body(room), From: r.From, State: r.State})
	}
	return replies, stalled
}

// one answers one call.
func (h *Loop) one(ctx context.Context, set tool.Set, c llm.ToolCall, w Watch) (tool.Result, tool.Turn) {
	call, err := set.Read(c)
	var act tool.Act
	if err == nil {
		act, err = h.plan(ctx, call)
	}
	if err != nil {
		if w.Ended != nil {
			w.Ended(termsafe.Cut(termsafe.Line(c.Name), 60), outcome(tool.Result{State: tool.Invalid, Text: err.Error()}))
		}
		return tool.Result{State: tool.Invalid, Text: h.safe(err.Error())}, h.circle.Unread()
	}
	switch turn := h.circle.Before(call); turn {
	case tool.Spent, tool.Stalled:
		return tool.Again(call), turn
	}
	if w.Begun != nil {
		w.Begun(act.Title)
	}
	r := h.do(ctx, act, w.Live)
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

// plan is what a call would do.
func (h *Loop) plan(ctx context.Context, call tool.Call) (tool.Act, error) {
	for _, one := range h.list {
		if one.spec.Name == call.Name {
			act, err := one.plan(ctx, call.Args)
			if err == nil && act.Title == "" {
				act.Title = call.Name
			}
			return act, err
		}
	}
	return tool.Act{}, &tool.CallError{Text: "no tool " + call.Name}
}

// do asks where that is needed, and does it.
func (h *Loop) do(ctx context.Context, act tool.Act, live io.Writer) tool.Result {
	if act.Line != "" {
		return h.runLine(ctx, act, live)
	}
	_, err := h.run.Allow(ctx, runner.Operation{
		Title: act.Title, Shown: act.Shown, Bytes: act.Title + "\x00" + act.Shown, Level: act.Level, Why: act.Why,
		Lasting: act.Lasting, Once: act.Once,
	})
	if err != nil {
		return refused(ctx, err)
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
	case errors.As(err, &declined):
		return tool.Result{State: tool.Refused, Text: declined.Reason()}
	case ctx.Err() != nil:
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

// safeLevel is the level of what only reads what is the project's or the memory's.
const safeLevel = risk.Safe
