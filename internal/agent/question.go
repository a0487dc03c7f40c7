package agent

import (
	"context"

	"ken/internal/app"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/tokens"
	"ken/internal/trace"
)

// A Question is one turn of the person.
type Question struct {
	Text  string
	Model Model
	Name  string // of the preset, for the record, where the answer does not say which one it was
	Scope string // where the person stands; recorded when it changed. Empty: as before
	From  string // the least trusted origin of text in it ("external" with piped text); empty: the person's own
	Nudge bool   // ken says it by itself, to have the model go on
	// Attached are the files that Text has blocks of. Pictures among them go with it, unless
	// NoPictures says that the model takes none.
	Attached   []File
	NoPictures bool
	// Skills are the names of those that the person wants to go with it.
	Skills []string
	// Whole has a question sent as it is that is larger than the window; else its middle is left
	// out.
	Whole bool
	// Activation says what memory is activated for. Its Text is Text if empty.
	Activation app.ActivationQuery
	Watcher    Watcher // nil: nobody wants to know
	Window     int     // the size of the model's window, in tokens; 0: unknown
	Server     Server  // that of the model; nil: it says nothing of the window
	// Again is the question in whose place this one is asked: as Asked gives it, with its last
	// place among what is live. It leaves the context with its answer, for Why; should no word of an
	// answer come, it comes back. nil: a question of its own.
	Again *session.Turn
	Why   session.Left

	told bool // nobody knows more of Window
}

// wait has Window be what the server says by now, which may be larger than what was known so far, or smaller.
func (q *Question) wait(ctx context.Context) (asked bool) {
	if q.Server == nil || q.told {
		return false
	}
	q.Window = q.Server.Wait(ctx)
	return true
}

// tooLong is the window as it is known after a refusal; 0: no more is known than before.
func (q *Question) tooLong(ctx context.Context, e *llm.Error) int {
	if q.Server == nil {
		return 0
	}
	return q.Server.TooLong(ctx, e)
}

// An Answer is the model's turn as it was recorded.
type Answer struct {
	llm.Answer
	Q       int // number of the person's turn; 0 if it could not be recorded
	N       int // number of the answer's turn; 0 if nothing came, or it could not be recorded
	Evicted int // turns that left the context before this request, with a digest in their place
	// Trace says what memory the request held; the session has it as well, if N is
	// not 0.
	Trace trace.Trace

	// NoPictures says that the server refused the pictures of the request.
	NoPictures bool

	// Foreign says that the request held text from outside the project, besides the docs that the person let in.
	Foreign bool

	size    int           // of the request, in tokens
	tools   int           // of them, what the definitions of tools take
	offered bool          // it had tools
	from    memory.Origin // the least trusted of what the request held
}

// Sent estimates how many tokens the request of an answer took, and the answer.
func (a Answer) Sent() (request, answer int) {
	answer = tokens.Estimate(a.Message.Content) + tokens.Estimate(a.Reasoning)
	for _, call := range a.Message.ToolCalls {
		answer += tokens.Estimate(call.Name) + tokens.Estimate(call.Arguments)
	}
	return a.size, answer
}

// From is the least trusted origin of what was read for an answer, docs of the repository included; OriginModel at best.
func (a Answer) From() memory.Origin { return known(a.from) }
