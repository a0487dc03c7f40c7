package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ken/internal/agent"
	"ken/internal/agent/loop"
	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/models"
	"ken/internal/session"
	"ken/internal/upkeep"
)

// Options say how a Dialog is held.
type Options struct {
	Channel session.Channel // for the record
	GoOn    bool            // with the newest conversation of this project
	Path    string          // with the one in this file; "" if none is named
	Fork    bool            // in a copy of it
	ID      string          // see app.Recording
	// Abrupt says that whoever started ken kills it, and says what it goes on with: every line of the record is on the disk at once.
	Abrupt bool
	// Base is agent.Options.Base.
	Base string
	// Role is agent.Options.Role.
	Role string
	// Pictures are those of the person's machine; nil: none is sent again.
	Pictures agent.Pictures
	// Loop is what a model acts with; nil: nothing.
	Loop *loop.Loop
	// Upkeep looks after the memory; nil: nobody does.
	Upkeep *upkeep.Upkeep
	// Erased is called when texts were erased that the face may still hold; says reports
	// whether a text is one of them. nil: it holds none.
	Erased func(says func(string) bool)
}

// A Dialog is a conversation as a face holds it: over one memory, recorded, begun with
// what the last one left, and answered by a model or, where there is none, by the memory.
// What goes into a prompt is the Conversation's business. It is not safe for concurrent
// use.
type Dialog struct {
	home     *app.View
	conv     *agent.Conversation // nil until Begin, or the first Ask that finds a model
	o        Options
	rec      *session.Writer
	carry    *carryOver
	attached json.RawMessage // to the newest question, as its turn has it
	moment   *app.Moment     // that is in force; nil: the next reader begins one
	taught   []string        // references of what the newest question taught, which is no use of it

	file  fs.FileInfo   // of the record, as Notice saw it last; nil if it was not there
	state *memory.State // as Notice saw it last; nil if it never did
	left  string        // the file of the conversation before this one
	again bool          // it was gone on with, and nothing was asked in it since
}

// New returns a Dialog in which nothing was said. Nothing is opened or recorded yet.
func New(h *app.View, o Options) *Dialog {
	d := &Dialog{home: h, o: o}
	d.carry = &carryOver{app: h, dialog: d}
	return d
}

// now is the moment in force.
func (d *Dialog) now() *app.Moment {
	if d.moment == nil {
		d.moment = d.home.Moment()
	}
	return d.moment
}

// Begin begins the conversation for a face in which several questions may follow, or goes
// on with the newest one where the settings say so; what one that ended in a crash should
// have left is kept first. A record that cannot be written is warned of.
func (d *Dialog) Begin(ctx context.Context) error {
	cfg, err := d.home.Settings.Read()
	if err != nil {
		return err
	}
	d.o.GoOn = d.o.GoOn || cfg.Session.ResumeOnStart && d.o.Channel == session.ChannelTerminal
	preset, _ := d.home.Models().Preset("") // that there is none is said when one is needed
	d.carry.catchUp(ctx)
	return d.begin(ctx, preset.Name)
}

// begin begins the conversation that a model called name answers.
func (d *Dialog) begin(ctx context.Context, name string) error {
	o := agent.Options{Base: d.o.Base, Role: d.o.Role, Pictures: d.o.Pictures}
	d.carry.shape(&o)
	if d.o.Loop != nil {
		o.Tools = d.o.Loop
	}
	var err error
	d.conv, d.rec, err = agent.Begin(ctx, d.home, agent.SessionOptions{
		Recording: app.Recording{
			Channel: d.o.Channel, Preset: name, GoOn: d.o.GoOn, Path: d.o.Path, Fork: d.o.Fork, ID: d.o.ID, Abrupt: d.o.Abrupt,
		},
		Moment: d.now, Options: o,
	})
	if err != nil {
		return err
	}
	d.carry.began(d.rec)
	d.again = true
	return nil
}

// Fresh reports whether there is nothing yet: neither a memory nor a conversation.
func (d *Dialog) Fresh() bool {
	if !d.home.Settings.MemoryOn() {
		return false
	}
	if _, err := os.Stat(d.home.Settings.Paths().Memory()); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	sessions, err := d.home.Conversations.Dir().Paths()
	return err == nil && len(sessions) == 0
}

// Meet takes note of the repository where the person stands, which they may be asked
// about, before memory of it is sent. moved says that they went there from elsewhere.
func (d *Dialog) Meet(ctx context.Context, moved bool) {
	if moved {
		d.moment = nil // other logs may be let in here
	}
	d.home.Meetings.MeetPlace(ctx, d.now())
	if moved {
		d.conv.Refresh() // other memories may hold here
	}
}

// Conversation is what a model is sent; nil before there is one. Its turns are asked and
// shortened by way of the Dialog.
func (d *Dialog) Conversation() *agent.Conversation { return d.conv }

// Recorder is the record of the conversation; nil before there is one.
func (d *Dialog) Recorder() *session.Writer { return d.rec }

// Path is the file of the record; "" if there is none.
func (d *Dialog) Path() string {
	if d.rec == nil {
		return ""
	}
	return d.rec.Path()
}

// Source is where a memory was said that is stated beside the turns; nil if nothing was
// said. What a command states was typed in the command, which is no turn; the newest
// turn taught nothing of it, and would be hidden with it once it is forgotten.
func (d *Dialog) Source() *memory.Source {
	if d.conv == nil || len(d.conv.Turns()) == 0 {
		return nil
	}
	return &memory.Source{Session: d.rec.ID(), Channel: string(d.o.Channel)}
}

// Ran are the command lines that ran since the last question, oldest first.
func (d *Dialog) Ran() []string {
	if d.conv == nil {
		return nil
	}
	return d.conv.Lines()
}

// After has upkeep do what is due after something that happened to this conversation.
func (d *Dialog) After(ctx context.Context, what upkeep.What) {
	e := upkeep.Event{What: what, Session: d.Path()}
	switch what {
	case upkeep.Compacted:
		e.Session = "" // it is read behind the answer
	case upkeep.Parted:
		e.Session = d.left
	}
	d.tell(ctx, e)
}

// compacted has upkeep do what is due when turns were summed up.
func (d *Dialog) compacted(ctx context.Context) {
	d.After(context.WithoutCancel(ctx), upkeep.Compacted)
	d.moment = nil // it may have put something away
}

func (d *Dialog) tell(ctx context.Context, e upkeep.Event) {
	if d.o.Upkeep != nil {
		d.o.Upkeep.After(ctx, e)
	}
}

// Switch has the model that name means answer from now on, if it can be asked: see
// models.Set.Named. The record notes it.
func (d *Dialog) Switch(ctx context.Context, name string) (models.Preset, error) {
	m := d.home.Models()
	was, _ := m.Preset("") // none is no preset's name
	p, err := m.Choose(ctx, name)
	if err != nil || p.Name == was.Name {
		return p, err
	}
	event := session.Event{Name: session.EventModel, Fields: []session.Field{session.StringField("model", p.Name)}}
	if err := d.rec.AppendEvent(event); err != nil {
		d.home.Warn(fmt.Errorf("the session does not know of the other model: %w", err))
	}
	return p, nil
}

// Compact sums up all but the newest turns, which is noted. The error is that of
// agent.Conversation.Compact.
func (d *Dialog) Compact(ctx context.Context) error {
	done, err := d.conv.Compact(ctx)
	if err != nil {
		return err
	}
	d.carry.reportCompaction(ctx, done)
	return nil
}

// Reset begins anew: what was said is kept for the next conversation and stays in the
// record, and is not sent any more.
func (d *Dialog) Reset(ctx context.Context) {
	d.carry.leave(ctx, d.conv, d.rec)
	d.conv.Reset()
}

// Resume goes on with the conversation in the file at path, or in a copy of it, in the
// place of the one that is live. The latter is left as at its end: what the next one
// begins with is kept, and the record is closed. After an error nothing has changed.
func (d *Dialog) Resume(ctx context.Context, path string, fork bool) error {
	rec, live, scope, err := d.home.Conversations.Open(path, fork)
	if err != nil {
		return err
	}
	if len(d.conv.Turns()) > 0 {
		d.carry.leave(ctx, d.conv, d.rec)
	}
	d.goOn(ctx, rec, live, scope)
	return nil
}

// goOn goes on with what was opened in the place of what is live.
func (d *Dialog) goOn(ctx context.Context, rec *session.Writer, live session.Live, scope string) {
	if err := d.rec.Close(); err != nil {
		d.home.Warn(fmt.Errorf("the session so far was not saved: %w", err))
	}
	d.left, d.rec = d.rec.Path(), rec
	d.conv.Continue(ctx, live, rec, scope)
	d.carry.began(rec)
	d.again = true
}

// Kept reports whether all that was said so far is in a file, and will be there when the
// conversation is left.
func (d *Dialog) Kept() bool {
	kept := true
	d.rec.Unsaved(func(lines []byte) []byte {
		kept = len(lines) == 0
		return lines
	})
	return kept && d.rec.Name() != ""
}

// Title is what the conversation is called; "" if it has no words yet, or those repeat what was
// forgotten.
func (d *Dialog) Title(ctx context.Context) string {
	l, err := session.Look(d.Path())
	if err != nil {
		return "" // there is nothing yet, or whoever reads it next reports why not
	}
	if hides := d.now().Hides(ctx, l.Header); hides != nil && hides(session.Turn{N: max(l.FirstN, 1), Content: l.Title}) {
		return ""
	}
	return l.Title
}

// End ends the conversation: what the next one begins with is kept, and the record is
// closed. A fault is a warning.
func (d *Dialog) End(ctx context.Context) {
	if d.rec == nil {
		return
	}
	d.carry.leave(ctx, d.conv, d.rec)
	if err := d.rec.Close(); err != nil {
		d.home.Warn(fmt.Errorf("the session was not saved: %w", err))
	}
}

// Ended has upkeep do what is due after a conversation that is over and on the disk.
// whole says that it is to be read; otherwise it broke off.
func (d *Dialog) Ended(ctx context.Context, whole bool) {
	e := upkeep.Event{What: upkeep.Ended}
	if whole {
		e.Session = d.Path()
	}
	d.tell(ctx, e)
}

// MayBudget refuses what the person has not asked for: more memory for a question than
// the settings allow, in tokens, is theirs to give.
func (d *Dialog) MayBudget(tokens int) error {
	if most, _ := d.home.Settings.Policies().Budget(); tokens > most && d.home.Actor().Origin() != "" {
		return fault.Refusedf("%d is more than memory.activate_max_tokens (%d), and only a person may say so", tokens, most)
	}
	return nil
}
