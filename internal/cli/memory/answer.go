package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"ken/internal/agent"
	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/pick"
	"ken/internal/session"
	"ken/internal/view/why"
)

// An asked is the answer that a person asks about.
type asked struct {
	why.Source          // but for Now, Mask and Seal
	n          int      // the turn
	traced     bool     // there is a trace: the answer had a memory to draw on
	before     []string // the questions before, the newest first
}

// resolve finds the answer that arg names: "<session>:<n>", a turn of the newest
// conversation of this project, or if it is "" the last answer there. The turn of
// a question stands for its answer.
func resolve(ctx context.Context, a *term.Run, arg string) (asked, error) {
	if _, err := a.Home.Settings.Read(); err != nil {
		return asked{}, err
	}
	name, n := "", 0
	arg = pick.Bare(arg)
	switch ref, err := session.ParseRef(arg); {
	case arg == "":
	case err == nil:
		name, n = ref.Session, ref.Turn
	default:
		if n, err = strconv.Atoi(arg); err != nil || n < 1 {
			return asked{}, fault.Usagef("%q names no answer: want the number of a turn, or SESSION:N", arg).
				WithHint("the last one: %s", fault.Command("why"))
		}
	}
	path, err := answerFile(a, name)
	if err != nil {
		return asked{}, err
	}
	if path == "" {
		return unsaved(a, n)
	}
	t, err := a.Home.Conversations.Dir().Load(path)
	if err != nil {
		return asked{}, err
	}
	return inTranscript(ctx, a, t, n)
}

// answerFile is the file of the session called name, of the live conversation, or of
// the newest one of this project; "" if the live one has none yet.
func answerFile(a *term.Run, name string) (string, error) {
	if name == "" && a.Shell != nil {
		path := a.Shell.SessionPath()
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
		if len(a.Answered) > 0 {
			return "", nil
		}
	}
	if name != "" {
		path, err := a.Home.Conversations.Dir().Find(name)
		if errors.Is(err, session.ErrNone) {
			err = fault.New(fault.NotFound, err).WithHint("see what there is: %s", fault.Command("sessions list --all"))
		}
		return path, err
	}
	path, err := a.Home.Conversations.Latest()
	if errors.Is(err, session.ErrNone) {
		return "", fault.Failuref("no answer was given in this project yet").
			WithHint("see all conversations: %s", fault.Command("sessions list --all"))
	}
	return path, err
}

// unsaved finds an answer of a conversation that is in no file.
func unsaved(a *term.Run, n int) (asked, error) {
	for i := len(a.Answered) - 1; i >= 0; i-- {
		if w := a.Answered[i]; n == 0 || w.Trace.N == n || w.Trace.N == n+1 {
			src := why.Source{Trace: w.Trace, Session: w.Session, Scope: a.Home.Here.Place().Scope(), Question: w.Question}
			return asked{Source: src, n: w.Trace.N, traced: !w.Trace.Empty()}, nil
		}
	}
	return asked{}, noAnswer("this conversation", n)
}

func noAnswer(where string, n int) error {
	if n == 0 {
		return fault.Failuref("%s has no answer yet", where)
	}
	return fault.Failuref("%s has no answer at turn %d", where, n)
}

// inTranscript finds answer n of a conversation, or its last one if n is 0.
func inTranscript(ctx context.Context, a *term.Run, t *session.Transcript, n int) (asked, error) {
	w := asked{Source: why.Source{Session: t.Header.Session}}
	scope := t.Header.Scope
	var question, last session.Turn
	for _, turn := range t.Turns() {
		scope = cmp.Or(turn.Scope, scope)
		if turn.ByPerson() {
			last = turn
		}
		if turn.Role == session.RoleAssistant && (n == 0 || turn.N == n || last.N == n) {
			w.n, w.Scope, w.From, question = turn.N, scope, turn.From, last
			if n > 0 {
				break
			}
		}
	}
	if w.n == 0 {
		return asked{}, noAnswer(t.Header.Session, n)
	}
	w.Left, w.By = t.Became(w.n)
	w.Trace = why.TraceIn(t, w.n)
	w.traced = !w.Trace.Empty()
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return asked{}, err
	}
	if hides := app.Hides(s, t.Header); !hides(question) {
		w.before = agent.Before(t, question.N, hides)
		w.Question, w.Attached = agent.Typed(question), question.Attached
	}
	return w, nil
}

// report is what is shown of an answer.
func (w asked) report(ctx context.Context, a *term.Run) (why.Report, error) {
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return why.Report{}, err
	}
	return why.Of(w.source(ctx, a, s)), nil
}

// source is what is shown of an answer, as a memory has it.
func (w asked) source(ctx context.Context, a *term.Run, s *memory.State) why.Source {
	seal, _ := a.Home.Keys.Seal() // without it a sum says nothing
	w.Now, w.Mask, w.Seal, w.Basis = why.In(s), a.Home.Keys.MaskText, seal, why.BasisIn(s, a.Home.Keys.Seal, a.Home.Keys.MaskText)
	w.Account = a.Home.AccountNow(ctx)
	return w.Source
}

// name is the reference of the answer.
func (w asked) name() string {
	if w.Session == "" {
		return fmt.Sprint(w.n)
	}
	return session.Ref{Session: w.Session, Turn: w.n}.String()
}

// refOf is the reference of a memory as traces have it.
func refOf(ctx context.Context, a *term.Run, arg string) (string, error) {
	id, err := pick.Ref(arg)
	if err != nil {
		return "", err
	}
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return "", err
	}
	return id.From(s.OwnLog()).String(), nil
}
