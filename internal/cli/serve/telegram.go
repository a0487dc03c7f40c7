package serve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ken/internal/agent/talk"
	"ken/internal/app"
	"ken/internal/attach"
	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/session"
	"ken/internal/telegram"
	"ken/internal/view"
)

// phone is pairing for who writes: the file of who is paired, and the conversations.
func phone(a *term.Run) (telegram.Pairing, config.Config, error) {
	who, cfg, err := pairing(a)
	if err == nil && a.Home.Settings.ReadOnly() {
		err = engine.OnlyRead() // it is another person's, and so would be the bot
	}
	return who, cfg, err
}

// pairing is who is paired with the person's bot.
func pairing(a *term.Run) (telegram.Pairing, config.Config, error) {
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return telegram.Pairing{}, cfg, err
	}
	p := a.Home.Settings.Paths()
	return telegram.Pairing{Path: config.TelegramIn(p), Lock: p.State, Now: a.Env.Now}, cfg, nil
}

// Pair shows the code by which a phone is paired. The bot has to run when it is sent.
func Pair(ctx context.Context, a *term.Run) error {
	who, cfg, err := phone(a)
	if err != nil {
		return err
	}
	if _, _, err := cfg.Telegram.Token(a.Env.Getenv); err != nil { // a code that no bot takes is of no use
		return err
	}
	user, since, err := who.Paired()
	if err != nil {
		return err
	}
	code, until, err := who.NewCode(ctx)
	if err != nil {
		return err
	}
	if user != 0 {
		a.Status("account %d is paired since %s; it is no more once the code is used", user, since.Local().Format(time.DateOnly))
	}
	a.Status("send this to your bot within 10 minutes, until %s, while %s runs:", until.Local().Format("15:04"), fault.Command("telegram"))
	return a.Println("/start " + code)
}

// Telegram has the person's bot answer them until ctx is done, which a signal sees to.
func Telegram(ctx context.Context, a *term.Run) error {
	if a.Flags.NoMemory {
		return fault.Usagef("telegram talks of the memory: it cannot be without one")
	}
	who, cfg, err := phone(a)
	if err != nil {
		return err
	}
	token, _, err := cfg.Telegram.Token(a.Env.Getenv)
	if err != nil {
		return err
	}
	user, _, err := who.Paired()
	if err != nil {
		return err
	}
	if a.Env.Serves != nil {
		a.Env.Serves()
	}
	a.Status("the bot listens")
	if user == 0 {
		a.Status("nobody is paired: %s", fault.Command("telegram pair"))
	}
	keys := a.Home.Keys
	return telegram.Run(ctx, telegram.Options{
		Token: token, API: cfg.Telegram.APIURL, Pairing: who, Now: a.Env.Clock,
		Open: func(id string) (telegram.Conversation, error) {
			return talk.Open(ctx, talk.Options{
				Memory: a.Home.App(), Warn: a.Warn, Session: id, OrNew: true, Press: telegram.Press,
				Channel: session.ChannelTelegram, Where: "on their phone", Who: app.Actor{Kind: app.Person},
			})
		},
		Mask:   keys.MaskText,
		Stream: func() telegram.Stream { return keys.Masker().Stream() },
		Attach: attach.Reader{Mask: func(s string) (string, int) {
			masked, hits := keys.Mask(s)
			return masked, len(hits)
		}},
		Status: a.Status, Warn: a.Warn,
	})
}

// Unpair has the bot answer nobody any more.
func Unpair(ctx context.Context, a *term.Run) error {
	who, _, err := phone(a)
	if err != nil {
		return err
	}
	if err := who.Unpair(ctx); err != nil {
		return err
	}
	a.Status("nobody is paired with the bot any more")
	return nil
}

// PhoneSigns says whether a phone is paired with the person's bot; nothing where there is no bot. Nobody is asked over the
// network.
func PhoneSigns(a *term.Run) []view.Sign {
	sign := func(level, says, next string) []view.Sign {
		return []view.Sign{{Level: level, What: "telegram", Says: says, Next: next}}
	}
	who, cfg, err := pairing(a)
	if err != nil || cfg.Telegram.TokenEnv+cfg.Telegram.TokenFile == "" {
		return nil // what is wrong with the settings is said of them
	}
	if _, _, err := cfg.Telegram.Token(a.Env.Getenv); err != nil {
		next := ""
		if hinted := (interface{ Hint() string })(nil); errors.As(err, &hinted) {
			next = hinted.Hint()
		}
		return sign("gap", err.Error(), next)
	}
	user, since, err := who.Paired()
	switch {
	case err != nil:
		return sign("gap", err.Error(), "")
	case user == 0:
		return sign("note", "nobody is paired with the bot", a.Verb("telegram pair"))
	}
	return sign("ok", fmt.Sprintf("paired with account %d since %s", user, since.Local().Format(time.DateOnly)), "")
}
