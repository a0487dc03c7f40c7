package telegram

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"ken/internal/agent/host"
	"ken/internal/attach"
	"ken/internal/fault"
)

const (
	// defaultAPI is where the Bot API is, unless settings name a server of one's own.
	defaultAPI = "https://api.telegram.org"
	// pollTime is how long the Bot API holds a request that has nothing to say yet, and a second.
	pollTime = 50 * time.Second
	// strangersEvery is how often it is told that strangers wrote.
	strangersEvery = time.Hour
)

// Options say whose bot a bot is.
type Options struct {
	Token   string         // of the bot
	API     string         // the address of the Bot API; "": Telegram's own
	Client  bot.HttpClient // nil: one that speaks HTTP
	Pairing Pairing
	Now     func() time.Time
	// Open opens the conversation of a chat, gone on with in the session of that name where there is one.
	Open func(session string) (Conversation, error)
	// Mask is a text without secrets, and Stream masks one that comes in pieces. Both are asked for all that goes out.
	Mask   func(string) string
	Stream func() Stream
	Attach attach.Reader // makes text and pictures of files that come in
	// Status tells the person at the terminal what is going on, and Warn what went wrong.
	Status func(format string, args ...any)
	Warn   func(error)
}

// A Stream masks a text that comes in pieces: it keeps back what may be the beginning of a secret.
type Stream interface {
	Write(piece string) string // what of it may be shown now
	Flush() string             // the rest
}

// A face is a bot at work.
type face struct {
	o    Options
	api  *bot.Bot
	out  *sender
	host *host.Host[Conversation]
	end  context.CancelCauseFunc

	mu        sync.Mutex
	rooms     map[room]*chat
	strangers time.Time // when it was last told that one wrote
	left      map[int64]time.Time
	away      bool // the Bot API could not be reached
	work      sync.WaitGroup
}

// Run talks with the paired person until ctx is done, which is no error. Errors: the token is none, somebody else
// polls for the same bot, the state folder cannot be read. What goes wrong meanwhile is told and gone on from.
func Run(ctx context.Context, o Options) error {
	last, err := o.Pairing.offset()
	if err != nil {
		return err
	}
	if o.API == "" {
		o.API = defaultAPI
	}
	if o.Client == nil {
		o.Client = newClient()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	f := &face{o: o, end: cancel, host: host.New[Conversation](host.Options{Idle: idle}), rooms: map[room]*chat{}, left: map[int64]time.Time{}}
	f.api, err = bot.New(
		o.Token, bot.WithServerURL(strings.TrimRight(o.API, "/")), bot.WithSkipGetMe(), bot.WithNotAsyncHandlers(),
		bot.WithAllowedUpdates(bot.AllowedUpdates{models.AllowedUpdateMessage}), bot.WithUpdatesChannelCap(1),
		bot.WithHTTPClient(pollTime, client{o.Client, f.reached}), bot.WithInitialOffset(last),
		bot.WithErrorsHandler(f.failed), bot.WithDebugHandler(func(string, ...any) {}),
		bot.WithDefaultHandler(func(ctx context.Context, _ *bot.Bot, u *models.Update) { f.take(ctx, u) }),
	)
	if err != nil {
		return err
	}
	f.out = &sender{api: f.api, token: o.Token, now: o.Now}
	left, err := o.Pairing.unanswered(ctx)
	if err != nil {
		return err
	}
	for _, where := range left {
		f.chat(where).aside(ctx, "I was ended before I had answered. If it still matters, ask again.")
	}
	f.api.Start(ctx)
	f.work.Wait()
	ending, done := closing(ctx)
	defer done()
	f.host.Close(ending)
	if known := (*fault.Error)(nil); errors.As(context.Cause(ctx), &known) {
		return known
	}
	return nil
}

// failed hears of what went wrong while updates were fetched. What will not pass ends the bot.
func (f *face) failed(err error) {
	switch {
	case errors.Is(err, context.Canceled):
	case errors.Is(err, bot.ErrorConflict) && strings.Contains(err.Error(), "webhook"):
		f.end(fault.Refusedf("the bot sends its messages to an address (a webhook), and cannot be asked for them as well").
			WithHint("delete the webhook, or make a bot of its own for ken with @BotFather"))
	case errors.Is(err, bot.ErrorConflict):
		f.end(fault.Refusedf("another program answers for this bot").
			WithHint("end it, or make a bot of its own for ken with @BotFather"))
	case errors.Is(err, bot.ErrorUnauthorized), errors.Is(err, bot.ErrorNotFound):
		f.end(fault.Refusedf("Telegram does not know the bot's token").
			WithHint("take the token that @BotFather shows, whole: digits, a colon, letters"))
	default:
		f.mu.Lock()
		was := f.away
		f.away = true
		f.mu.Unlock()
		if !was {
			f.o.Warn(fmt.Errorf("the Bot API cannot be reached, and is tried again: %w", f.out.told(err)))
		}
	}
}

// reached hears of every reply of the Bot API.
func (f *face) reached(r *http.Response) {
	if r.StatusCode != http.StatusOK || !strings.HasSuffix(r.Request.URL.Path, "/getUpdates") {
		return
	}
	f.mu.Lock()
	was := f.away
	f.away = false
	f.mu.Unlock()
	if was {
		f.o.Status("the Bot API is reached again")
	}
}

// take takes an update, once.
func (f *face) take(ctx context.Context, u *models.Update) {
	owner, fresh, err := f.o.Pairing.take(ctx, u.ID)
	if err != nil {
		f.o.Warn(err)
		return
	}
	m := u.Message
	if !fresh || m == nil { // what was edited is not asked again
		return
	}
	switch {
	case m.Chat.Type != models.ChatTypePrivate:
		f.leave(ctx, m.Chat.ID)
	case m.From == nil || m.From.IsBot || m.SenderChat != nil || m.IsAutomaticForward || m.BusinessConnectionID != "":
	case m.From.ID == owner:
		f.hear(ctx, m)
	default:
		f.stranger(ctx, m)
	}
}

// stranger hears of a message of somebody else, who gets no answer unless they send the code.
func (f *face) stranger(ctx context.Context, m *models.Message) {
	if text, ok := strings.CutPrefix(m.Text, "/start "); ok && isTyped(m) {
		paired, err := f.o.Pairing.try(ctx, strings.TrimSpace(text), m.From.ID)
		if err != nil {
			f.o.Warn(err)
		}
		if paired {
			f.o.Status("paired with the Telegram account %d", m.From.ID)
			f.replace(ctx, roomOf(m)).say(ctx, as("Paired. I answer you, and nobody else. "+helpHint))
			return
		}
	}
	now := f.o.Now()
	f.mu.Lock()
	tell := f.strangers.IsZero() || now.Sub(f.strangers) >= strangersEvery
	if tell {
		f.strangers = now
	}
	f.mu.Unlock()
	if tell {
		f.o.Status("somebody who is not paired wrote to the bot (account %d): no answer; told once an hour", m.From.ID)
	}
}

// replace ends what was held with who was paired before.
func (f *face) replace(ctx context.Context, where room) *chat {
	f.mu.Lock()
	old := f.rooms
	f.rooms = map[room]*chat{}
	f.mu.Unlock()
	for _, c := range old {
		c.close(ctx)
	}
	return f.chat(where)
}

// leave leaves a group or a channel, where the bot has nothing to say. It is asked for once an hour.
func (f *face) leave(ctx context.Context, id int64) {
	now := f.o.Now()
	f.mu.Lock()
	again := now.Sub(f.left[id]) < time.Hour
	if !again {
		f.left[id] = now
	}
	f.mu.Unlock()
	if again {
		return
	}
	f.work.Go(func() {
		err := f.out.call(ctx, func() error { _, err := f.api.LeaveChat(ctx, &bot.LeaveChatParams{ChatID: id}); return err })
		if err != nil && ctx.Err() == nil {
			f.o.Warn(fmt.Errorf("the bot could not leave a group: %w", err))
		}
	})
}

// chat is what is held in a room.
func (f *face) chat(where room) *chat {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.rooms[where]
	if c == nil {
		c = &chat{f: f, where: where, key: rand.Text(), noting: make(chan struct{}, 1)}
		f.rooms[where] = c
	}
	return c
}

func roomOf(m *models.Message) room {
	if m.IsTopicMessage {
		return room{m.Chat.ID, m.MessageThreadID}
	}
	return room{m.Chat.ID, 0}
}
