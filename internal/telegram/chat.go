package telegram

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-telegram/bot"

	"ken/internal/agent"
	"ken/internal/agent/turn"
	"ken/internal/attach"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/termsafe"
)

const (
	// mostWaiting is how many messages of a chat may wait for their turn.
	mostWaiting = 20
	// mostHeld is how many forwarded texts and files are held until a question comes.
	mostHeld = 8
	// idle is how long a conversation stays open in which nothing is said. It is gone on with afterwards.
	idle = 30 * time.Minute
)

// A Conversation is the person's, as a chat holds it. It is used by one goroutine at a time, but
// that undo may come while a question is answered. What it says besides answers is plain text.
type Conversation interface {
	// Ask answers a question; told has what was done with the memory.
	Ask(ctx context.Context, q turn.Question, ev turn.Events, told func(string)) (turn.Answer, error)
	// Do does what a verb says: remember, forget, undo, why, memory or new. It returns what is to be said.
	Do(ctx context.Context, verb, text string) (string, error)
	// ID is the session that records the conversation; "" if none does.
	ID() string
	// Close ends the conversation; its record can be gone on with.
	Close(ctx context.Context)
}

// Press is a command with what it is for: one that a finger can press, where that is a number.
func Press(verb, what string) string {
	if strings.Trim(what, "0123456789") == "" {
		return "/" + verb + "_" + what
	}
	return "/" + verb + " " + what
}

// A chat is a room and what is held in it: one thing at a time, in the order in which it came.
type chat struct {
	f     *face
	where room
	wake  chan struct{}

	noting chan struct{} // full while it is noted whether something is to be answered

	mu      sync.Mutex
	waiting []job
	coming  int                     // messages that are noted and do not wait yet
	working bool                    // a job is being done
	running bool                    // somebody works on what waits
	cancel  context.CancelCauseFunc // ends the turn; nil: none runs
	closed  bool                    // the person is paired no more
	talk    Conversation            // nil: none is open

	held []agent.File // to be read along with the next question
	n    int64        // drafts so far
}

// A job is what a message asks for.
type job struct {
	text  string // as it was typed
	name  string // of a command; "": it is a question
	given []given
}

// errStopped is why a turn ended that the person stopped.
var errStopped = errors.New("stopped")

// add has a job wait its turn. It never blocks: updates are fetched meanwhile.
func (c *chat) add(ctx context.Context, j job) {
	counts := j.name != "stop" && j.name != "undo"
	if counts {
		c.mu.Lock()
		c.coming++
		c.mu.Unlock()
		c.note(ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if counts {
		c.coming--
	}
	switch {
	case c.closed:
		return
	case j.name == "stop":
		dropped := len(c.waiting)
		c.waiting = nil
		if c.cancel != nil {
			c.cancel(errStopped)
		}
		if c.cancel == nil || dropped > 0 { // else the turn says so where it ends
			c.aside(ctx, stopped(c.cancel != nil, dropped))
		}
		return
	case j.name == "undo" && c.cancel != nil: // it is not the answer's business
		talk := c.talk
		c.f.work.Go(func() { c.command(ctx, talk, j) })
		return
	case j.name == "undo":
		c.waiting = slices.Insert(c.waiting, 0, j)
	case len(c.waiting) >= mostWaiting:
		c.aside(ctx, fmt.Sprintf("%d messages wait already, and this one is not taken. To drop them: /stop", len(c.waiting)))
		return
	default:
		c.waiting = append(c.waiting, j)
	}
	if !c.running {
		c.running = true
		c.f.work.Go(func() { c.run(ctx) })
		return
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// note notes whether something is to be answered here, as it is when it is written: what comes while the answer before it
// is noted is not taken for answered. The chat is not locked meanwhile, since a file is waited for.
func (c *chat) note(ctx context.Context) {
	c.noting <- struct{}{}
	defer func() { <-c.noting }()
	c.mu.Lock()
	open := c.working || c.coming > 0 || len(c.waiting) > 0
	c.mu.Unlock()
	if !open && ctx.Err() != nil { // the program ends: what is unanswered stays so
		return
	}
	if err := c.f.o.Pairing.open(ctx, c.where, open); err != nil {
		c.f.o.Warn(err)
	}
}

func stopped(turn bool, dropped int) string {
	switch {
	case dropped == 1:
		return "One message that waited is dropped."
	case dropped > 1:
		return fmt.Sprintf("%d messages that waited are dropped.", dropped)
	case turn:
		return "Stopped."
	}
	return "There is nothing to stop."
}

// aside says something while other things go on.
func (c *chat) aside(ctx context.Context, text string) {
	c.f.work.Go(func() { c.say(ctx, as(text)) })
}

// close ends what goes on, for good.
func (c *chat) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed, c.waiting = true, nil
	if c.cancel != nil {
		c.cancel(errStopped)
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// run works on what waits until nothing came for a while.
func (c *chat) run(ctx context.Context) {
	for {
		c.mu.Lock()
		var next *job
		if len(c.waiting) > 0 {
			j := c.waiting[0]
			next, c.waiting, c.working = &j, c.waiting[1:], ctx.Err() == nil
		}
		closed := c.closed
		c.mu.Unlock()
		if next != nil && ctx.Err() == nil {
			c.do(ctx, *next)
			c.mu.Lock()
			c.working = false
			c.mu.Unlock()
			c.note(ctx)
			continue
		}
		t := time.NewTimer(idle)
		over := closed
		if !closed {
			select {
			case <-ctx.Done():
				over = true
			case <-t.C:
				over = true
			case <-c.wake:
			}
		}
		t.Stop()
		if !over {
			continue
		}
		c.mu.Lock()
		talk := c.talk
		c.talk = nil
		c.mu.Unlock()
		c.shut(ctx, talk)
		c.mu.Lock()
		over = len(c.waiting) == 0 || ctx.Err() != nil || c.closed
		c.running = !over
		c.mu.Unlock()
		if over {
			return
		}
	}
}

// shut closes a conversation, also while the program ends.
func (c *chat) shut(ctx context.Context, talk Conversation) {
	if talk == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	talk.Close(ctx)
}

// say sends what is to be said, without secrets.
func (c *chat) say(ctx context.Context, list ...words) {
	for i, w := range list {
		list[i].text = c.f.o.Mask(termsafe.Clean(w.text))
	}
	err := c.f.out.answer(ctx, c.where, list...)
	switch {
	case err == nil || ctx.Err() != nil:
	case errors.Is(err, bot.ErrorForbidden): // the person blocked the bot, and wants to hear nothing
		c.f.o.Status("the paired person has blocked the bot")
		c.drop()
	default:
		c.f.o.Warn(fmt.Errorf("an answer could not be sent: %w", err))
	}
}

// drop forgets what waits.
func (c *chat) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = nil
}

// wrong is what went wrong, with the next step.
func wrong(err error) words {
	text := llm.Sentence(err)
	if h := (interface{ Hint() string })(nil); errors.As(err, &h) && h.Hint() != "" {
		text += "\n" + h.Hint()
	}
	return as(text)
}

// open is the conversation that is held here.
func (c *chat) open() (Conversation, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.talk != nil {
		return c.talk, nil
	}
	talk, err := c.f.o.Open(c.f.o.Pairing.session(c.where))
	if err != nil {
		return nil, err
	}
	c.talk = talk
	return talk, nil
}

// do does what a message asks for.
func (c *chat) do(ctx context.Context, j job) {
	talk, err := c.open()
	if err != nil {
		c.say(ctx, wrong(err))
		return
	}
	if j.name != "" {
		c.command(ctx, talk, j)
		return
	}
	files, err := c.read(ctx, j.given)
	if err != nil {
		c.say(ctx, wrong(err))
		return
	}
	if strings.TrimSpace(j.text) == "" {
		c.hold(ctx, files)
		return
	}
	files, c.held = append(c.held, files...), nil
	q := turn.Question{Text: j.text, Typed: j.text, Sentence: true, Attached: files}
	if len(files) > 0 { // no wish is read out of a text that is not all theirs
		q.Text, q.From, q.Sentence = agent.With(j.text, files, ""), "external", false
	}
	c.ask(ctx, talk, q)
}

// hold keeps what is to be read until the person says what about it.
func (c *chat) hold(ctx context.Context, files []agent.File) {
	if len(files) == 0 {
		return
	}
	if len(c.held)+len(files) > mostHeld {
		c.say(ctx, as(fmt.Sprintf("More than %d texts are not taken along. Ask about those that are here, or begin anew: /new", mostHeld)))
		return
	}
	c.held = append(c.held, files...)
	c.say(ctx, as("It goes along with your next question: what do you want to know?"))
}

// ask asks a question and sends the answer.
func (c *chat) ask(ctx context.Context, talk Conversation, q turn.Question) {
	turning, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c.mu.Lock()
	c.cancel = cancel
	c.mu.Unlock()
	c.n++
	d := c.f.out.begin(turning, c.where, c.f.o.Now().Unix()<<8|c.n&0xff)
	mask := c.f.o.Stream()
	var told []string
	show := func(delta llm.Delta) error {
		if delta.Rethought {
			mask = c.f.o.Stream()
			d.reset()
		}
		if text := mask.Write(delta.Text); text != "" {
			d.add(text)
		}
		return turning.Err()
	}
	ans, err := talk.Ask(turning, q, turn.Events{Delta: show}, func(line string) { told = append(told, line) })
	d.stop()
	c.mu.Lock()
	c.cancel = nil
	c.mu.Unlock()
	if name := talk.ID(); name != "" {
		if err := c.f.o.Pairing.keep(ctx, c.where, name); err != nil {
			c.f.o.Warn(err)
		}
	}
	if ctx.Err() != nil { // the program ends
		return
	}
	c.say(ctx, wordsOf(ans, told, err, errors.Is(context.Cause(turning), errStopped))...)
}

// wordsOf are an answer and what has to be said with it.
func wordsOf(ans turn.Answer, told []string, err error, stopped bool) (all []words) {
	if text := strings.TrimSpace(ans.Message.Content); text != "" {
		all = append(all, words{text, true})
	}
	if len(told) > 0 {
		all = append(all, as(strings.Join(told, "\n")))
	}
	switch {
	case stopped:
		all = append(all, as("Stopped."))
	case err != nil:
		all = append(all, wrong(err))
	case len(ans.Commands) > 0:
		all = append(all, as("No command runs from here: that needs the terminal."))
	}
	return all
}

// read fetches what came along with a message, as files of a question.
func (c *chat) read(ctx context.Context, list []given) (files []agent.File, err error) {
	for _, g := range list {
		b := []byte(g.text)
		if g.file != "" {
			if b, err = c.f.out.fetch(ctx, client{c.f.o.Client, nil}, g.file, g.most()); err != nil {
				return nil, err
			}
		}
		a, err := c.f.o.Attach.Received(g.name, b)
		if err != nil {
			return nil, err
		}
		if a.Kind == attach.Text && a.Bytes > mostText {
			return nil, fault.Refusedf("%s has more than 1 MiB", a.Name)
		}
		files = append(files, agent.File{
			Name: a.Name, Kind: string(a.Kind), Bytes: a.Bytes, Block: a.Block(),
			Picture: agent.Picture{Type: a.Image.Type, Data: a.Image.Data, Tokens: a.Image.Tokens()},
		})
	}
	return files, nil
}
