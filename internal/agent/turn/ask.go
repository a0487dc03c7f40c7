package turn

import (
	"context"
	"errors"
	"slices"
	"strings"

	"ken/internal/agent"
	"ken/internal/agent/auto"
	"ken/internal/agent/loop"
	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/models"
	"ken/internal/session"
	"ken/internal/trace"
	"ken/internal/view/why"
)

// A Question is what a person, or a program in their name, asks.
type Question struct {
	Text string // as it is recorded and sent
	From string // the least trusted origin of text in it ("external" with piped text); "": the person's own
	// Nudge says that Text is ken's, to have the model go on: the person said nothing.
	Nudge bool
	// Typed is the part of Text that was typed, where that is not all of it: memory is
	// looked for with it. "": all of it.
	Typed string
	// Attached are the files that Text has blocks of, and the pictures that go with it.
	Attached []agent.File
	Skills   []string // that are to go with it, by their names
	Task     string   // what memory is looked for besides; "": nothing
	// Budget is the most tokens of memory, in the place of what the settings say. 0: that;
	// below 0: none. More than that is the person's to give.
	Budget int
	// Again is the last question, as Conversation.Asked gives it, if this one is asked in its
	// place, for Why.
	Again *session.Turn
	Why   session.Left
	// Auto is a run that works on the text as its goal; nil: it is a question.
	Auto   *auto.Run
	Preset string // the one that is asked, and no other; "": the one in force, with those behind it
	// Alone has memory and conversations answer where there is no model: to a program
	// that would be no answer. Sentence says that a person typed it, whose sentences may
	// say what is looked for.
	Alone, Sentence bool
	// Output says that the person asks about what commands printed: that it goes along is
	// no news to them.
	Output bool
}

// wanted is what memory is looked for.
func (q *Question) wanted() string {
	text := q.Text
	if q.Typed != "" {
		text = q.Typed
	}
	return strings.TrimSpace(text + "\n" + q.Task)
}

// Events are what a face wants to hear and do while a question is answered. Those that
// are nil it does not.
type Events struct {
	// Act does what a line plainly asks of the memory, before a model has a word in it;
	// asked says that there is a model, which the line will go to. done ends the turn.
	Act func(ctx context.Context, asked bool) (done bool)
	// Large is called with the size of a question that takes a good part of the window, before
	// it is recorded or sent.
	Large func(agent.Size)
	// Fits decides what becomes of one that does not fit: it goes whole, or without its middle; an
	// error ends the turn, and nothing was recorded or sent. nil: without its middle. It is called as well
	// for one that was sent, recorded, and refused.
	Fits func(context.Context, agent.Size) (whole bool, err error)
	// Sends is called when the question goes out, with the name of the model.
	Sends func(name string)
	// Given is called with the memory that the request holds, before it is sent, with what it was
	// looked for.
	Given func(wanted string, t trace.Trace)
	// Delta gets what streams in, as it comes. An error that it returns ends the answer.
	Delta func(llm.Delta) error
	// Paused is called when an answer that calls tools is over, and before they are called; Sends follows for
	// the next one. An error that it returns ends the turn.
	Paused func() error
	// Step is called before each step of a run, with its number.
	Step func(nr int)
	// Tools is told of what is done for the model.
	Tools loop.Watch
	// More decides whether the model is asked once more, after so many rounds of calls, which is as many as the
	// settings allow; nil: it is not.
	More func(ctx context.Context, rounds int) bool
}

// An Answer is what came of a question.
type Answer struct {
	agent.Answer
	Model string // the preset that was asked first; "" if none was
	Query string // what memory was looked for
	// Commands are the command lines that it offers. Partial says that it broke off, and
	// may have lost the end of one: they are not to be offered.
	Commands []string
	Partial  bool

	Done bool // by Events.Act: nothing was asked
	// NoModel says why no model was asked and memory answered, with Found. nil: a model
	// was asked.
	NoModel error
	Found   []app.Found
}

// tellAlong says what a question takes along, or leaves out, that the person did not see
// on their line: the output of commands, and secrets, which are masked.
func (d *Dialog) tellAlong(q Question) {
	if q.Again == nil && !q.Output {
		if n, size := d.conv.Along(); n > 0 {
			s := "s"
			if n == 1 {
				s = ""
			}
			d.home.Notef("the output of %d command%s goes along, about %d tokens", n, s, size)
		}
	}
	const mark = "[masked:"
	if n := strings.Count(d.home.Keys.MaskText(q.Text), mark) - strings.Count(q.Text, mark); n > 0 {
		if n == 1 {
			d.home.Notef("a secret in your question is masked")
		} else {
			d.home.Notef("%d secrets in your question are masked", n)
		}
	}
}

// Ask answers a question. The error is ErrNoQuestion of package agent, that of the model,
// models.ErrNone where there is none and memory did not answer in its place, or a fault of
// kind Incomplete; what came of an answer is beside it. What could not be recorded is a
// warning.
func (d *Dialog) Ask(ctx context.Context, q Question, ev Events) (Answer, error) {
	if err := d.MayBudget(q.Budget); err != nil {
		return Answer{}, err
	}
	d.moment, d.taught, d.attached = nil, nil, agent.AttachedJSON(q.Attached)
	model, name, err := d.home.Models().Ask(ctx, q.Preset, models.QuestionAlone)
	if err != nil && ctx.Err() != nil {
		return Answer{}, err
	}
	if ev.Act != nil && ev.Act(ctx, err == nil) {
		return Answer{Done: true}, nil
	}
	if errors.Is(err, models.ErrNone) && q.Alone && d.home.Settings.MemoryOn() {
		return d.alone(ctx, q, err)
	}
	if err != nil {
		return Answer{}, err
	}
	if err := d.mayShow(ctx, name, q.Attached); err != nil {
		return Answer{}, err
	}
	live := d.conv != nil
	if err := d.ready(ctx, name); err != nil {
		return Answer{}, err
	}
	if live { // the person may have taken their time
		d.Notice(ctx)
	}
	d.tellAlong(q)
	ans := Answer{Model: name, Query: q.wanted()}
	lesson := d.learn(ctx, name)
	defer lesson.End()
	asked := agent.Question{
		Text: q.Text, Model: model, Name: name, Scope: d.home.Here.Place().Scope(), From: q.From, Nudge: q.Nudge, Again: q.Again, Why: q.Why,
		Attached: q.Attached, Skills: q.Skills, NoPictures: !d.home.Models().TakesImages(name),
		Activation: app.ActivationQuery{Text: ans.Query, Tokens: q.Budget},
	}
	side := sides{lesson: lesson, set: d.home.Models(), preset: name, ev: ev, wanted: ans.Query}
	asked.Window, asked.Server, asked.Watcher = d.window(name), side, side
	if size, large := d.conv.Weigh(ctx, asked); large {
		if ev.Large != nil {
			ev.Large(size)
		}
		if !size.Fits() && ev.Fits != nil {
			if asked.Whole, err = ev.Fits(ctx, size); err != nil {
				lesson.End()
				return Answer{}, err
			}
		}
	}
	if ev.Delta == nil {
		ev.Delta = func(llm.Delta) error { return nil }
	}
	if ev.Sends != nil {
		ev.Sends(name)
	}
	if d.o.Loop != nil {
		d.o.Loop.Begin(loop.Asked{
			Model: name, Window: asked.Window, Journal: d.rec, Outputs: kept{d},
		})
	}
	if q.Auto == nil || !q.Auto.Resumes() { // which does so itself
		d.mend()
	}
	before := d.rec.Last()
	spent, err := d.send(ctx, &ans, asked, ev, q.Auto)
	d.diary(ctx, q, ans, before+1, spent)
	lesson.End() // what it costs may be known by now
	for _, a := range spent {
		d.home.Models().Spend(a)
	}
	if ans.NoPictures {
		d.home.Models().RefusedImages(name)
	}
	if ans.N > 0 {
		d.home.Uses.Used(ctx, slices.DeleteFunc(ans.Trace.Used(), func(ref string) bool { return slices.Contains(d.taught, ref) })...)
		d.home.Uses.Sent(ctx, ans.Trace.Standing()...)
	}
	if q.Auto == nil {
		ans.Commands = loop.Proposed(ans.Message.Content)
	}
	ans.Partial = ans.Truncated || ans.Finish == session.FinishLength
	return ans, ended(ans.Answer, err)
}

// sides are who has a say while a question is asked: the server of the model and the face. It implements
// agent.Server and agent.Watcher.
type sides struct {
	lesson *models.Lesson
	set    *models.Set
	preset string
	ev     Events
	wanted string
}

// Wait implements agent.Server.
func (s sides) Wait(ctx context.Context) int { return s.lesson.Window(ctx, models.Moment) }

// TooLong implements agent.Server.
func (s sides) TooLong(ctx context.Context, e *llm.Error) int { return s.set.TooLong(ctx, s.preset, e) }

// Given implements agent.Watcher.
func (s sides) Given(t trace.Trace) {
	if s.ev.Given != nil {
		s.ev.Given(s.wanted, t)
	}
}

// Fits implements agent.Watcher.
func (s sides) Fits(ctx context.Context, size agent.Size) (whole bool, err error) {
	if s.ev.Fits == nil {
		return false, nil
	}
	return s.ev.Fits(ctx, size)
}

// mayShow refuses pictures for a model that is known to take none.
func (d *Dialog) mayShow(ctx context.Context, name string, files []agent.File) error {
	shows := func(f agent.File) bool { return len(f.Picture.Data) > 0 }
	if slices.ContainsFunc(files, shows) {
		d.home.Models().AskImages(ctx, name)
	}
	for _, f := range files {
		if shows(f) && !d.home.Models().TakesImages(name) {
			return fault.Modelf("%s takes no pictures: %s was not sent, and neither was the question", name, f.Name).
				WithHint("ask another model, or leave it out; where that is wrong: %s", fault.Command("config set models."+name+".images=true"))
		}
	}
	return nil
}

// ready makes the conversation ready for the model called name: the person may be asked
// whether it gets what was said before, and about the place where they stand.
func (d *Dialog) ready(ctx context.Context, name string) error {
	if d.conv != nil {
		if d.home.Meetings.VouchModel(ctx, d.conv.Earlier()) {
			d.conv.Refresh()
		}
		return nil
	}
	d.home.Meetings.VouchModel(ctx, d.o.GoOn)
	d.Meet(ctx, false)
	return d.begin(ctx, name)
}

// window is the size of the window of a model, in tokens; 0 if it is not known.
func (d *Dialog) window(preset string) int {
	p, err := d.home.Models().Preset(preset)
	if err != nil {
		return 0
	}
	return d.home.Models().Facts(p).Window
}

// learn asks the server of a preset how much its model reads, beside the question that
// goes there.
func (d *Dialog) learn(ctx context.Context, preset string) *models.Lesson {
	p, _ := d.home.Models().Preset(preset) // one that is none has no server
	return d.home.Models().Learn(ctx, p)
}

// alone answers from memory and conversations, since there is no model, which is cause.
func (d *Dialog) alone(ctx context.Context, q Question, cause error) (Answer, error) {
	line := q.Text
	if q.Typed != "" {
		line = q.Typed
	}
	found, err := app.Answer(ctx, d.now(), line, q.Sentence)
	if err != nil {
		d.home.Warn(err)
		return Answer{}, cause
	}
	app.NoteUse(ctx, d.home, found)
	return Answer{Query: line, Found: found, NoModel: cause}, nil
}

// Said is what was said in conversations about what a line asks for, best first.
func (d *Dialog) Said(ctx context.Context, line string) ([]app.Found, error) {
	return app.Answer(ctx, d.now(), line, true)
}

// ended turns what the model's call came to into an error, with an answer that broke off
// silently being one.
func ended(ans agent.Answer, err error) error {
	if empty := (*agent.EmptyError)(nil); errors.As(err, &empty) {
		return fault.New(fault.Incomplete, err).WithHint("%s", empty.Hint())
	}
	if err == nil && ans.Truncated {
		return fault.New(fault.Incomplete, errors.New("the answer is incomplete: the stream ended without a finish reason")).
			WithHint("ask again, or say: go on")
	}
	return err
}

// Why is what says where an answer comes from: the memories that t names, as they were at
// the moment of the question. A memory that cannot be read was reported already, and leaves
// the references. numbered says that the lines of the memories are wanted.
func (d *Dialog) Why(ctx context.Context, wanted string, t trace.Trace, numbered bool) why.Source {
	src := why.Source{Trace: t, Question: wanted, Attached: d.attached, Mask: d.home.Keys.MaskText, Account: d.home.AccountNow(ctx)}
	if d.rec != nil {
		src.Session = d.rec.ID()
	}
	if !t.Empty() {
		src.Now = app.Now(ctx, d.now(), numbered, t.Named()...)
		src.Scope = d.home.Here.Place().Scope()
	}
	if t.N == 0 && d.conv != nil { // the answer is still to come
		_, unknown := d.home.Models().Unconfirmed()
		src.Environment = d.home.Here.Environment(!unknown).Map(src.Mask).Lines()
	}
	return src
}
