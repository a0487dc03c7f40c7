package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"ken/internal/fault"
	"ken/internal/termsafe"
)

const (
	// mostParts is how many messages an answer may be; a longer one is a file.
	mostParts = 3
	// mostLaidOut is the longest text that messages are made of, in bytes: three of them hardly hold more.
	mostLaidOut = 64 << 10
	// fileName is what such a file is called.
	fileName = "answer.md"
	// mostTries is how often a message is sent until it is given up.
	mostTries = 5
	// mostWait is the longest wait that the Bot API may ask for.
	mostWait = 15 * time.Minute
	// mostReply is the most bytes that are read of what the Bot API says.
	mostReply = 16 << 20
	// mostError is the most characters of an error that are told.
	mostError = 200
)

// A room is where a conversation is held: a chat, or a topic in it.
type room struct {
	chat  int64
	topic int
}

// A sender writes to chats. It is safe for concurrent use.
type sender struct {
	api   *bot.Bot
	token string
	now   func() time.Time

	mu    sync.Mutex
	until time.Time // nothing is to be sent before that
}

// pause notes what the Bot API asks for in an error, and returns how long is to be waited from now on.
func (s *sender) pause(err error) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if many := (*bot.TooManyRequestsError)(nil); errors.As(err, &many) {
		wait := min(time.Duration(max(many.RetryAfter, 1))*time.Second, mostWait)
		if until := s.now().Add(wait); until.After(s.until) {
			s.until = until
		}
	}
	return s.until.Sub(s.now())
}

// call has the Bot API do something, after the pause that it asked for. What it could not be asked, and what it
// was asked too soon, is tried again. The error holds no token.
func (s *sender) call(ctx context.Context, do func() error) error {
	var err error
	for try := range mostTries {
		wait := s.pause(nil)
		if try > 0 && isFault(err) {
			wait = max(wait, time.Second<<(try-1))
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
		if err = do(); err == nil {
			return nil
		}
		s.pause(err)
		if !isFault(err) && !isTooMany(err) {
			break
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return s.told(err)
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}

func isTooMany(err error) bool {
	many := (*bot.TooManyRequestsError)(nil)
	return errors.As(err, &many)
}

// isFault reports whether an error says nothing of what was asked for, but of the way to the Bot API.
func isFault(err error) bool {
	for _, known := range []error{
		bot.ErrorForbidden, bot.ErrorBadRequest, bot.ErrorUnauthorized, bot.ErrorNotFound, bot.ErrorConflict,
	} {
		if errors.Is(err, known) {
			return false
		}
	}
	moved := (*bot.MigrateError)(nil)
	return err != nil && !isTooMany(err) && !errors.As(err, &moved)
}

// told is an error as it may be told: one short line, without the token and without pages of a gateway.
func (s *sender) told(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if s.token != "" {
		text = strings.ReplaceAll(text, s.token, "***")
	}
	if i := strings.IndexByte(text, '<'); i >= 0 {
		text = text[:i] + "a page of HTML"
	}
	text = termsafe.Cut(termsafe.Line(text), mostError)
	for _, known := range []error{bot.ErrorForbidden, bot.ErrorBadRequest, bot.ErrorUnauthorized, bot.ErrorNotFound, bot.ErrorConflict} {
		if errors.Is(err, known) {
			return &apiError{text, known}
		}
	}
	return errors.New(text)
}

// An apiError is what the Bot API answered, as it may be told.
type apiError struct {
	text string
	is   error
}

// Error implements error.
func (e *apiError) Error() string { return e.text }

// Unwrap gives the kind of the error.
func (e *apiError) Unwrap() error { return e.is }

// answer sends words: as a few messages, or as a file where those would be many.
func (s *sender) answer(ctx context.Context, to room, list ...words) error {
	var texts []string
	for _, w := range list {
		texts = append(texts, w.text)
	}
	all := strings.Join(texts, "\n\n")
	var parts []Part
	if len(all) <= mostLaidOut {
		parts = partsOf(list)
	}
	if len(parts) > mostParts || len(all) > mostLaidOut {
		return s.file(ctx, to, all)
	}
	sent := false
	for _, p := range parts {
		if !hasText(p) {
			continue
		}
		if err := s.message(ctx, to, p); err != nil {
			return err
		}
		sent = true
	}
	if !sent {
		return s.message(ctx, to, Part{HTML: "<i>(nothing)</i>", Text: "(nothing)"})
	}
	return nil
}

// message sends one message; as plain text, if its markup is refused.
func (s *sender) message(ctx context.Context, to room, p Part) error {
	off := true
	params := &bot.SendMessageParams{
		ChatID: to.chat, MessageThreadID: to.topic, Text: p.HTML, ParseMode: models.ParseModeHTML,
		LinkPreviewOptions: &models.LinkPreviewOptions{IsDisabled: &off}, // a preview fetches the address
	}
	send := func() error { _, err := s.api.SendMessage(ctx, params); return err }
	err := s.call(ctx, send)
	if errors.Is(err, bot.ErrorBadRequest) && strings.Contains(err.Error(), "can't parse entities") {
		params.Text, params.ParseMode = p.Text, ""
		err = s.call(ctx, send)
	}
	return err
}

// file sends a text as a file.
func (s *sender) file(ctx context.Context, to room, text string) error {
	return s.call(ctx, func() error {
		_, err := s.api.SendDocument(ctx, &bot.SendDocumentParams{
			ChatID: to.chat, MessageThreadID: to.topic,
			Document: &models.InputFileUpload{Filename: fileName, Data: strings.NewReader(text)},
			Caption:  fmt.Sprintf("The answer is long (%d characters), so it is a file.", len([]rune(text))),
		})
		return err
	})
}

// fetch returns the bytes of a file that was sent, most at most. Its address has the token in it, so that it is
// shown to nobody.
func (s *sender) fetch(ctx context.Context, client bot.HttpClient, id string, most int64) ([]byte, error) {
	var got []byte
	err := s.call(ctx, func() error {
		f, err := s.api.GetFile(ctx, &bot.GetFileParams{FileID: id})
		if err != nil {
			return err
		}
		if f.FileSize > most {
			return fmt.Errorf("%w, too large", bot.ErrorBadRequest)
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.api.FileDownloadLink(f), http.NoBody)
		if err != nil {
			return err
		}
		resp, err := client.Do(r)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("the file: %s", resp.Status)
		}
		if got, err = io.ReadAll(io.LimitReader(resp.Body, most+1)); err == nil && int64(len(got)) > most {
			err = fmt.Errorf("%w, too large", bot.ErrorBadRequest)
		}
		return err
	})
	if err != nil {
		return nil, fault.Failuref("the file could not be had: %w", err)
	}
	return got, nil
}

// A client speaks HTTP for the bot: no redirect is followed, which would take the token along, and no more is
// read than a reply can be.
type client struct {
	bot.HttpClient
	heard func(*http.Response) // hears of every reply; nil: nobody does
}

// Do implements bot.HttpClient.
func (c client) Do(r *http.Request) (*http.Response, error) {
	resp, err := c.HttpClient.Do(r)
	if err == nil {
		if c.heard != nil {
			c.heard(resp)
		}
		resp.Body = limited{io.LimitReader(resp.Body, mostReply), resp.Body}
	}
	return resp, err
}

type limited struct {
	io.Reader
	io.Closer
}

// newClient is the client for a Bot API; every request takes 70 s at most, since polling waits for 50.
func newClient() bot.HttpClient {
	return &http.Client{
		Timeout:       70 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
