package telegram

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

const (
	// draftEvery is how often a draft may change: more is refused for minutes, and the answer with it.
	draftEvery = time.Second
	// typingEvery is how often the bot says that it is typing where it may not draft. The word stays for about 5 s.
	typingEvery = 5 * time.Second
)

// A draft shows an answer while it is written. It costs the answer nothing: what is refused is left out.
type draft struct {
	s  *sender
	to room
	id string // digits, not zero

	mu   sync.Mutex
	more []string // that came since the last look
	anew bool     // another answer began since

	end  context.CancelFunc
	done chan struct{}
}

// begin begins to show what follows, until end.
func (s *sender) begin(ctx context.Context, to room, id int64) *draft {
	ctx, cancel := context.WithCancel(ctx)
	d := &draft{s: s, to: to, id: strconv.FormatInt(max(id, 1), 10), end: cancel, done: make(chan struct{})}
	go d.run(ctx)
	return d
}

// add takes the next piece of the answer, which is masked.
func (d *draft) add(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.more = append(d.more, text)
}

// reset takes what was shown away: another answer begins.
func (d *draft) reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.more, d.anew = nil, true
}

// take is what came since it was asked for last; anew says that another answer begins with it.
func (d *draft) take() (text string, anew bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	text, anew = strings.Join(d.more, ""), d.anew
	d.more, d.anew = nil, false
	return text, anew
}

// stop ends the draft, before the answer is sent. Nothing of it is under way afterwards.
func (d *draft) stop() {
	d.end()
	<-d.done
}

func (d *draft) run(ctx context.Context) {
	defer close(d.done)
	laid, drafts := sketch{}, true
	d.typing(ctx)
	typed := d.s.now()
	tick := time.NewTicker(draftEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if d.s.pause(nil) > 0 {
			continue
		}
		if !drafts {
			if d.s.now().Sub(typed) >= typingEvery {
				d.typing(ctx)
				typed = d.s.now()
			}
			continue
		}
		text, anew := d.take()
		if anew {
			laid = sketch{}
		}
		if text == "" {
			if laid.size == 0 && d.s.now().Sub(typed) >= typingEvery {
				d.typing(ctx)
				typed = d.s.now()
			}
			continue
		}
		if err := d.show(ctx, &laid, text); errors.Is(err, bot.ErrorBadRequest) || errors.Is(err, bot.ErrorNotFound) {
			drafts = false // of another server, or of one that is older
			d.typing(ctx)
			typed = d.s.now()
		}
	}
}

// show shows the newest message of what there is so far, with more behind it.
func (d *draft) show(ctx context.Context, laid *sketch, more string) error {
	if laid.add(more); laid.size > mostLaidOut { // it will be a file
		return nil
	}
	last := laid.last()
	if !hasText(last) {
		return nil
	}
	_, err := d.s.api.SendMessageDraft(ctx, &bot.SendMessageDraftParams{
		ChatID: d.to.chat, MessageThreadID: d.to.topic, DraftID: d.id, Text: last.HTML, ParseMode: models.ParseModeHTML,
	})
	d.s.pause(err)
	return err
}

func (d *draft) typing(ctx context.Context) {
	_, err := d.s.api.SendChatAction(ctx, &bot.SendChatActionParams{
		ChatID: d.to.chat, MessageThreadID: d.to.topic, Action: models.ChatActionTyping,
	})
	d.s.pause(err)
}
