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
	"ken/internal/agent/host"
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

// A chat is a room and what is asked in it: one thing at a time, in the order in which it came. It opens the conversation that the
// host holds for it, and implements host.Opener.
type chat struct {
	f     *face
	where room
	key   string // of the conversation: no other chat, and nobody who is paired later, has it

	noting chan struct{} // full while it is noted whether something is to be answered

	mu      sync.Mutex
	waiting []job
	coming  int  // messages that are noted and do not wait yet
	working bool // a job is being done
	running bool // somebody works on what waits
	asking  bool // a question is being answered
	closed  bool // the person is paired no more

	held []agent.File // to be read along with the next question
	n    int64        // drafts so far
}

// A job is what a message asks for.
type job struct {
	text  string // as it was typed
	name  string // of a command; "": it is a question
	given []given
}

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
		if c.asking {
			c.f.host.Stop(c.key)
		}
		if !c.asking || dropped > 0 { // else the turn says so where it ends
			c.aside(ctx, stopped(c.asking, dropped))
		}
		return
	case j.name == "undo" && c.asking: // it is not the answer's business
		if talk, ok := c.f.host.Find(c.key); ok {
			c.f.work.Go(func() { c.command(ctx, talk, j) })
		}
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
func (c *chat) close(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed, c.waiting = true, nil
	if !c.running {
		c.f.work.Go(func() { c.leave(ctx) })
		return
	}
	c.f.host.Stop(c.key)
}

// run works on what waits.
func (c *chat) run(ctx context.Context) {
	for {
		c.mu.Lock()
		if len(c.waiting) == 0 || ctx.Err() != nil {
			closed := c.closed
			c.running = false
			c.mu.Unlock()
			if closed {
				c.leave(ctx)
			}
			return
		}
		next := c.waiting[0]
		c.waiting, c.working = c.waiting[1:], true
		c.mu.Unlock()
		c.do(ctx, next)
		c.mu.Lock()
		c.working = false
		c.mu.Unlock()
		c.note(ctx)
	}
}

// leave closes the conversation.
func (c *chat) leave(ctx context.Context) {
	ctx, cancel := closing(ctx)
	defer cancel()
	c.f.host.Leave(ctx, c.key)
}

// closing is how long conversations are closed for, also while the program ends.
func closing(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
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

// Open implements host.Opener.
func (c *chat) Open(context.Context, string) (Conversation, error) {
	return c.f.o.Open(c.f.o.Pairing.session(c.where))
}

// do does what a message asks for.
func (c *chat) do(ctx context.Context, j job) {
	t, err := c.f.host.Take(ctx, c.key, c)
	if err != nil {
		c.say(ctx, wrong(err))
		return
	}
	defer t.Done()
	if j.name != "" {
		c.command(ctx, t.Talk, j)
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
	c.ask(ctx, t, q)
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
func (c *chat) ask(ctx context.Context, t *host.Turn[Conversation], q turn.Question) {
	turning := t.Context()
	c.mu.Lock()
	c.asking = true
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
	ans, err := t.Talk.Ask(turning, q, turn.Events{Delta: show}, func(line string) { told = append(told, line) })
	d.stop()
	c.mu.Lock()
	c.asking = false
	c.mu.Unlock()
	if name := t.Talk.ID(); name != "" {
		if err := c.f.o.Pairing.keep(ctx, c.where, name); err != nil {
			c.f.o.Warn(err)
		}
	}
	if ctx.Err() != nil { // the program ends
		return
	}
	c.say(ctx, wordsOf(ans, told, err, errors.Is(context.Cause(turning), host.ErrStopped))...)
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
