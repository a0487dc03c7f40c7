package agent

import (
	"context"
	"encoding/json"
	"time"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
	"ken/internal/trace"
)

// A Model answers requests; *llm.Client is one.
type Model interface {
	Stream(ctx context.Context, req llm.Request, show func(llm.Delta) error) (llm.Answer, error)
}

// A Server says how large the window of the model is, in tokens.
type Server interface {
	// Wait says it once more, where a question does not fit: the server may be being asked.
	Wait(context.Context) int
	// TooLong says it anew, once the server refused a request as too long; 0: no more is known than before.
	TooLong(context.Context, *llm.Error) int
}

// A Watcher follows what becomes of a question.
type Watcher interface {
	// Given is called with the memory that the request holds, before it is sent.
	Given(trace.Trace)
	// Fits decides of a question that was refused, and does not fit by itself: it stays whole, and the refusal stands, or
	// goes without its middle; an error stands for the refusal.
	Fits(context.Context, Size) (whole bool, err error)
}

// A Recorder keeps turns; *session.Writer is one.
type Recorder interface {
	// AppendTurn records t and gives its number.
	AppendTurn(t session.Turn) (n int, err error)
	// AppendEvent records what happened beside the turns.
	AppendEvent(e session.Event) error
}

// Options says what a Conversation stands on. Of the interfaces, nil is that there is nothing of the kind.
type Options struct {
	Record Recorder         // required; session.Discard() keeps nothing
	Now    func() time.Time // required
	Keys   Keys             // nil: nothing is masked, and sums are written as they are
	Voice  fault.Voice      // is told of faults that did not stop an answer, in one line each

	Memory       Memory
	Surroundings Surroundings
	Skills       Skills
	Carried      Carried
	Tools        Tools
	Pictures     Pictures

	Base  string // the text that every system message begins with; "": BasePrompt
	Role  string // the text by which the model answers, until InRole says another; "": none
	Greet bool   // the model is to begin its first answer with what is in Carried.Context

	MaxTurns     int        // most turns that are sent; 0: no limit. See evict
	OutputTokens int        // of what the person's commands printed, for each turn; 0: none of it is sent
	Compaction   Compaction // how turns are summed up that leave the context
}

// Keys mask what leaves, and seal what is recorded.
type Keys interface {
	// MaskText returns a text without secrets. What is sent and recorded passes through it.
	MaskText(string) string
	// Sums returns the seal of the sums that are recorded; nil: they are written as they are. It is asked when there is one.
	Sums() *memory.Seal
}

// A Memory is what is remembered of the person.
type Memory interface {
	// Background chooses the start-up block. It is asked before the first request, and again after Refresh.
	Background(context.Context) (recall.Choice, error)
	// Activate chooses what a question calls for, beside the start-up block that is sent with it.
	Activate(ctx context.Context, q app.ActivationQuery, block recall.Choice) (recall.Activation, error)
	// Hides says which turns of a record are not sent any more, since what they taught was forgotten; nil: all are.
	// It is asked when Background is.
	Hides(context.Context, Recorder) func(session.Turn) bool
}

// Surroundings are where the conversation is held, and who reads it.
type Surroundings interface {
	// Environment says where, when and with what the person works, a line each: "os: Debian 12". It is asked for each
	// request. known says that the model in force is no stranger.
	Environment(known bool) []string
	// Docs are the files that the repository where the person stands has for agents, as far as they let them in, the
	// nearest first. They are read for each question.
	Docs(context.Context) []Doc
	// Stranger reports whether the model in force gets nothing but what is said to it: no memory, nothing that the
	// conversation begins with, no turn of before.
	Stranger() bool
}

// Carried is what an earlier conversation left to this one.
type Carried interface {
	// Context says who the person is and what they were lately busy with, as the system message has it behind the base
	// text. It is asked before the first request, and again after Reset and Reread.
	Context(context.Context) (string, trace.Context)
	// Inert reports whether memory is off, and Context with it.
	Inert() bool
	// Outdated reports of a line whether it is so no more: summaries and Context are sent without it.
	Outdated(line string) bool
}

// Tools are what a model acts with.
type Tools interface {
	// Definitions are those of the tools that a request offers. It is asked for each.
	Definitions(context.Context) []json.RawMessage
	// Elsewhere reports whether what a command line of the person printed may be from outside the project.
	Elsewhere(ctx context.Context, line string) bool
}

// Pictures are those of the person's machine.
type Pictures interface {
	// Reopen reads a picture again that went with an earlier question.
	Reopen(ctx context.Context, path string) (Picture, error)
}

// A Compaction says how turns are summed up that leave the context.
type Compaction struct {
	At     float64 // part of the model's window at which it happens by itself; 0: never
	Keep   int     // newest turns that stay as they are
	Tokens int     // budget of the summary
	// Assistant asks for a summary that the next conversation can begin with, rather
	// than one for the rest of this one.
	Assistant    bool
	By           Summarizer   // nil: no model
	Checkpointer Checkpointer // nil: nobody else keeps anything
}

// A Summarizer has models that write summaries.
type Summarizer interface {
	// Model returns the one that is to write, with its name and the size of its window in tokens. After an error what the
	// person said is taken word for word, as package digest does.
	Model(context.Context) (m Model, name string, window int, err error)
}

// A Checkpointer keeps what is said of turns that leave the context.
type Checkpointer interface {
	// Checkpoint is given what the person said, as Conversation.Checkpoint has it, before any turn leaves. An error is
	// reported, and does not keep them.
	Checkpoint(ctx context.Context, words string) error
	// Account is given what a model wrote of the turns that left, once the session has it. outside says that text of
	// neither the person nor a model was read in them, or before.
	Account(ctx context.Context, text string, outside bool)
	// SumsUp is called with nil before a model sums turns up of its own accord, which may take as long as an answer, and
	// then with how it went.
	SumsUp(ctx context.Context, done *Compacted, err error)
}

// mask returns a text without secrets.
func (o *Options) mask(s string) string {
	if o.Keys == nil {
		return s
	}
	return o.Keys.MaskText(s)
}

// seal is that of the sums that are recorded; nil: there is none.
func (o *Options) seal() *memory.Seal {
	if o.Keys == nil {
		return nil
	}
	return o.Keys.Sums()
}

// stranger reports whether what was said before, and to others, stays here.
func (o *Options) stranger() bool { return o.Surroundings != nil && o.Surroundings.Stranger() }

// now is the time of what is recorded.
func (o *Options) now() time.Time { return o.Now().UTC().Truncate(time.Second) }
