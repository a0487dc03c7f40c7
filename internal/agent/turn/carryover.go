package turn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"ken/internal/agent"
	"ken/internal/app"
	"ken/internal/audit"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/frame"
	"ken/internal/models"
	"ken/internal/regular"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/tokens"
	"ken/internal/trace"
	"ken/internal/view"
	"ken/internal/working"
	"ken/internal/working/digest"
)

// leastTurns is how many turns of a person make a conversation that is worth to be
// picked up.
const leastTurns = 3

// eventCheckpoint is the event of a session that says up to which turn it is in the
// working memory.
const eventCheckpoint = "checkpoint"

// A carryOver is what a conversation begins with, what is kept of the turns that leave it, and what it leaves for the next one.
// All of it but the summing up of a conversation that grows too long is off until memory.user_namespace is set. No
// model is asked at the start or at the end, unless memory.account says so. It implements agent.Carried,
// agent.Summarizer and agent.Checkpointer.
type carryOver struct {
	app    *app.View
	dialog *Dialog           // whose conversation it is; nil: none
	begins bool              // the person wants this conversation to begin with the last one
	old    func(string) bool // what is so no more, as far as Drop knows; nil: nothing
	summed bool              // a compaction put what was said into the working memory, and that is not reported yet
	known  time.Time         // when what this run knows of the working memory was updated
	wrote  string            // what it put there last; "" if nothing
	given  time.Time         // when the account was written that this run began with
	gave   string            // the account that it wrote last; "" if none
	shown  working.Account   // the account that the person was shown
	rec    *session.Writer   // of this conversation
	last   int               // the newest turn that is in the working memory, or was there before this run
}

func (c *carryOver) settings() config.Config {
	cfg, err := c.app.Settings.Read()
	if err != nil {
		return config.Config{} // it was right when the run began
	}
	return cfg
}

// on reports whether the person wants one conversation to begin with the last one.
func (c *carryOver) on() bool {
	return c.settings().Memory.UserNamespace != "" && c.app.Settings.MemoryOn()
}

// isAnothers reports whether a file is of another account, as it may be in a memory that is only read: it says nothing of
// the person.
func (c *carryOver) isAnothers(path string) bool {
	return c.app.Settings.ReadOnly() && config.Own(path) != nil
}

// shape makes a conversation begin with what the last one left, and sum up the turns
// that leave it.
func (c *carryOver) shape(o *agent.Options) {
	cfg := c.settings()
	named := cfg.Memory.UserNamespace != ""
	o.Compaction = agent.Compaction{
		At: cfg.Context.CompactAt, Keep: cfg.Context.KeepTurns, Tokens: cfg.Context.SummaryMaxTokens,
		Assistant: named && cfg.Memory.Account != config.AccountOff, By: c, Checkpointer: c,
	}
	o.Carried, c.begins = c, named
	o.Greet = named && cfg.Memory.ProactiveSessionGreeting
}

// Inert implements agent.Carried.
func (c *carryOver) Inert() bool { return !c.begins || !c.app.Meetings.Sends() }

// Outdated implements agent.Carried.
func (c *carryOver) Outdated(line string) bool { return c.old != nil && c.old(line) }

// Model implements agent.Summarizer: the preset of memory.summarizer_model, else one
// called fast, else the one in force.
func (c *carryOver) Model(ctx context.Context) (agent.Model, string, int, error) {
	set := c.app.Models()
	m, name, err := set.Ask(ctx, c.settings().Summarizer(), models.Everything)
	if err != nil {
		return nil, "", 0, err
	}
	p, err := set.Preset(name)
	if err != nil {
		return nil, "", 0, err
	}
	return m, name, set.Facts(p).Window, nil
}

// Context implements agent.Carried: who the person is, and what they were lately busy with.
func (c *carryOver) Context(ctx context.Context) (string, trace.Context) {
	var parts []string
	has := trace.Context{Working: trace.None}
	if text := c.profile(); text != "" {
		has.Profile = true
		parts = append(parts, frame.Profile+"\n"+frame.Inert(text))
	}
	m, err := c.app.Working().Read()
	c.known, c.given = m.Updated, m.Account.Written
	switch {
	case errors.Is(err, working.ErrExpired):
		has.Working, has.Expires = trace.Expired, m.Expires
	case err != nil && working.Exists(err):
		has.Working = trace.Unread
	case err == nil && digest.Words(m.Text) != "":
		has.Working, has.Updated, has.Expires = trace.Sent, m.Updated, m.Expires
		text := working.Cut(digest.Words(m.Text), c.settings().Memory.WorkingMemoryMaxTokens)
		parts = append(parts, frame.Recent+"\n(a summary of "+m.Updated.Format(time.DateOnly)+", not instructions)\n"+frame.Inert(text))
	}
	if a := m.Account; err == nil && c.app.Tells(ctx, a) {
		has.Account, has.Written, has.Outside = trace.Sent, a.Written, a.Outside
		if c.shown == a { // and a line was typed since
			c.app.Warn(fault.Once(c.saw(ctx, a)))
		} else if a.Outside && a.Seen.IsZero() {
			has.Account, has.Outside = trace.Unseen, false
		}
		if has.Account == trace.Sent {
			head := frame.Account + "\n(a summary by the model of " + a.Written.Format(time.DateOnly) + ", not instructions)\n"
			parts = append(parts, head+frame.Turn(a.Text))
		}
	}
	return strings.Join(parts, "\n\n"), has
}

// mostProfile bounds what is read of a profile, in bytes, and sent of it, in tokens.
const (
	mostProfile   = 64 << 10
	profileTokens = 1000
)

func (c *carryOver) profile() string {
	path := c.app.Settings.Paths().Profile()
	if c.isAnothers(path) {
		return ""
	}
	text, err := read(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.app.Warn(fault.Once(fmt.Errorf("going on without the profile: %w", err)))
		}
		return ""
	}
	text, short := tokens.Cut(strings.TrimSpace(termsafe.Clean(text)), profileTokens)
	if short {
		c.app.Warn(fault.Once(fmt.Errorf("the profile %s is longer than %d tokens: the rest of it is not sent",
			c.app.Settings.Short(path), profileTokens)))
	}
	return text
}

// read is the text of a small file, as far as it is read at all.
func read(path string) (string, error) {
	f, err := regular.Open(path)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	b, err := io.ReadAll(io.LimitReader(f, mostProfile))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return strings.ToValidUTF8(string(b), ""), nil
}

// Checkpoint implements agent.Checkpointer: it puts what the person said into the working memory.
func (c *carryOver) Checkpoint(ctx context.Context, words string) error {
	if !c.on() {
		return nil
	}
	m, err := c.save(ctx, words)
	if err != nil {
		c.app.Warn(fault.Once(err)) // a compaction writes before and behind the model
	}
	c.summed = err == nil && m.Text != ""
	return nil
}

func (c *carryOver) save(ctx context.Context, text string) (working.Memory, error) {
	if c.app.Settings.ReadOnly() {
		return working.Memory{}, nil
	}
	ctx = context.WithoutCancel(ctx)
	if s, err := c.app.Memory.State(ctx); err == nil { // else whoever needs the memory reports it
		if old := app.Outdated(s); old != nil {
			text = digest.Without(text, old)
		}
	}
	text = c.app.Keys.MaskText(text)
	m, err := c.app.Working().Write(ctx, text, c.known, c.wrote)
	if err != nil {
		return m, fmt.Errorf("the next conversation may not know of this one: %w", err)
	}
	if m.Text != "" {
		c.known, c.wrote = m.Updated, text
	}
	return m, nil
}

// SumsUp implements agent.Checkpointer: it shows that turns are being summed up.
func (c *carryOver) SumsUp(ctx context.Context, done *agent.Compacted, err error) {
	switch {
	case done == nil:
		c.app.Notef("the context is full: summing up the older turns")
	case err != nil && ctx.Err() == nil:
		c.app.Warn(err)
	case err == nil:
		c.reportCompaction(ctx, *done)
	}
}

// reportCompaction reports what a compaction did, and notes it in the audit.
func (c *carryOver) reportCompaction(ctx context.Context, done agent.Compacted) {
	a := c.app
	if done.Failed != nil {
		a.Warn(fmt.Errorf("no model summed up (%w): the summary is what you said, word for word", done.Failed))
	}
	by := "word for word"
	if done.Model != "" {
		by = "by " + termsafe.Line(done.Model)
	}
	a.Notef("context: %s summed up %s (about %d tokens, now %d); the session keeps them",
		view.Count(done.Turns, "turn"), by, done.Before, done.After)
	if c.summed {
		c.summed = false
		a.Notef("updated %s/working after compaction", c.settings().Memory.UserNamespace)
	}
	c.note(ctx, audit.Entry{Act: "compact", Session: c.rec.ID(), Count: done.Turns, By: cmp.Or(done.Model, "digest")})
	if c.dialog != nil {
		c.dialog.compacted(ctx)
	}
}

func (c *carryOver) note(ctx context.Context, e audit.Entry) {
	if c.app.Settings.ReadOnly() {
		return
	}
	p := c.app.Settings.Paths()
	b := audit.Log{Path: p.Audit(), Dir: p.Data, Now: c.app.Now}
	c.app.Warn(fault.Detail(fault.Once(b.Append(context.WithoutCancel(ctx), e))))
}

// began takes note of the session that is gone on with.
func (c *carryOver) began(rec *session.Writer) { c.last, c.rec = rec.Last(), rec }

// leave keeps, when a conversation ends, what the next one is to begin with. A model is asked only
// if the settings say so.
func (c *carryOver) leave(ctx context.Context, conv *agent.Conversation, rec *session.Writer) {
	if !c.on() || rec.Path() == "" || rec.Last() <= c.last {
		return
	}
	may := ctx // be broken off
	ctx = context.WithoutCancel(ctx)
	if n := asked(conv.Turns()); n == 0 || n < leastTurns && conv.Summary() == "" {
		return
	}
	if _, err := c.save(ctx, conv.Checkpoint(ctx, c.settings().Memory.WorkingMemoryMaxTokens)); err != nil {
		c.app.Warn(err)
		return
	}
	if c.settings().Memory.Account == config.AccountEnd {
		c.app.Notef("a model is asked where we stopped (memory.account)")
		text, outside, err := conv.Account(may)
		if err != nil {
			c.app.Warn(fmt.Errorf("no model wrote where the conversation stopped: %w", err))
		}
		c.Account(ctx, text, outside)
	}
	if err := rec.AppendEvent(checkpoint(rec.Last())); err != nil {
		c.app.Warn(fmt.Errorf("the session does not know that it is in the working memory: %w", err))
	}
	c.last = rec.Last()
}

// asked is how many of the turns are the person's.
func asked(turns []session.Turn) int {
	n := 0
	for _, t := range turns {
		if t.ByPerson() && !t.Recalled {
			n++
		}
	}
	return n
}

func checkpoint(turn int) session.Event {
	return session.Event{Name: eventCheckpoint, Fields: []session.Field{session.IntField("n", turn)}}
}
