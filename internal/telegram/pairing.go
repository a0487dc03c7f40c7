package telegram

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"slices"
	"time"

	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/regular"
)

const (
	// codeLife is how long a code can be used.
	codeLife = 10 * time.Minute
	// codeTries is how many codes may be sent until none counts any more.
	codeTries = 5
	// codeLength is how many characters of codeSigns a code has.
	codeLength = 8
	codeSigns  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	// numbersLast is how long the numbers of updates go on from each other: after a week without any the Bot API
	// begins somewhere else. It keeps none for longer than a day.
	numbersLast = 6 * 24 * time.Hour
	// mostState is the most bytes of the file.
	mostState = 64 << 10
	// mostChats is how many chats the file remembers the conversation of.
	mostChats = 32
)

// A Pairing is whose bot it is, and how far it has read, in a file of the state folder.
type Pairing struct {
	Path string // of the file
	Lock string // the directory whose lock is held while it is changed
	Now  func() time.Time
}

// state is what the file says. Names and phone numbers are in none: they can be taken over.
//
//	{"user":4711,"paired":"2026-05-13T19:00:00Z","last":42,"at":"2026-05-13T20:00:00Z","chats":[{"id":4711,"session":"..."}]}
type state struct {
	User   int64     `json:"user,omitempty"`  // the numeric id of the paired person; 0: nobody is
	Paired time.Time `json:"paired,omitzero"` // since when
	Code   *code     `json:"code,omitempty"`  // that was made and not used yet
	Last   int64     `json:"last,omitempty"`  // the newest update that was taken
	At     time.Time `json:"at,omitzero"`     // when
	Open   []place   `json:"open,omitempty"`  // where something was asked and is not answered yet
	Chats  []place   `json:"chats,omitempty"` // the one that was last written in comes last
}

// A code pairs who sends it.
type code struct {
	SHA256 string    `json:"sha256"`
	Until  time.Time `json:"until"`
	Tries  int       `json:"tries"` // that are left
}

// A place is a chat, or a topic in it, and the conversation that is held there.
type place struct {
	ID      int64  `json:"id"`
	Topic   int    `json:"topic,omitempty"`
	Session string `json:"session,omitempty"` // the name of its file
}

// read returns what the file says. The error says that it cannot be read, or is not the person's.
func (p Pairing) read() (s state, err error) {
	if err := config.Own(p.Path); err != nil {
		return s, err
	}
	b, err := regular.Read(p.Path, mostState)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil {
		return state{}, fmt.Errorf("who is paired cannot be read: %w", regular.Cause(err))
	}
	return s, nil
}

// edit changes what the file says, if by says so.
func (p Pairing) edit(ctx context.Context, by func(*state) (changed bool, err error)) error {
	if err := config.Own(p.Path); err != nil {
		return err
	}
	_, err := jsonl.Edit{Path: p.Path, Lock: p.Lock, Most: mostState}.Bytes(ctx, func(old []byte) ([]byte, error) {
		var s state
		if len(bytes.TrimSpace(old)) > 0 {
			if err := json.Unmarshal(old, &s); err != nil {
				return nil, err
			}
		}
		changed, err := by(&s)
		if err != nil || !changed {
			return old, err
		}
		now, err := json.Marshal(s)
		return append(now, '\n'), err
	})
	if known := (*fault.Error)(nil); err != nil && !errors.As(err, &known) {
		return fmt.Errorf("who is paired could not be noted: %w", regular.Cause(err))
	}
	return err
}

// Paired returns the numeric id of who is paired, and since when; 0 if nobody is. Errors: the file.
func (p Pairing) Paired() (user int64, since time.Time, err error) {
	s, err := p.read()
	return s.User, s.Paired, err
}

// NewCode makes the code that pairs who sends it first, in the place of any other, and returns it: it is kept
// as a sum alone. It can be used once, until the time that is returned. Errors: the file.
func (p Pairing) NewCode(ctx context.Context) (text string, until time.Time, err error) {
	signs := make([]byte, codeLength)
	for i := range signs {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(codeSigns))))
		if err != nil {
			return "", until, err
		}
		signs[i] = codeSigns[n.Int64()]
	}
	until = p.Now().Add(codeLife).UTC().Truncate(time.Second)
	err = p.edit(ctx, func(s *state) (bool, error) {
		s.Code = &code{SHA256: sum(string(signs)), Until: until, Tries: codeTries}
		return true, nil
	})
	return string(signs), until, err
}

// Unpair has nobody be paired, at once. Errors: nobody is; the file.
func (p Pairing) Unpair(ctx context.Context) error {
	return p.edit(ctx, func(s *state) (bool, error) {
		if s.User == 0 && s.Code == nil {
			return false, fault.NotFoundf("nobody is paired").WithHint("%s", fault.Command("telegram pair"))
		}
		*s = state{Last: s.Last, At: s.At}
		return true, nil
	})
}

// try pairs a user with the code that is waiting, if text is it. Whatever was sent counts as one try.
func (p Pairing) try(ctx context.Context, text string, user int64) (paired bool, err error) {
	err = p.edit(ctx, func(s *state) (bool, error) {
		if s.Code == nil {
			return false, nil
		}
		if !p.Now().Before(s.Code.Until) {
			s.Code = nil
			return true, nil
		}
		if subtle.ConstantTimeCompare([]byte(sum(text)), []byte(s.Code.SHA256)) == 1 {
			*s = state{User: user, Paired: p.Now().UTC().Truncate(time.Second), Last: s.Last, At: s.At}
			paired = true
			return true, nil
		}
		if s.Code.Tries--; s.Code.Tries <= 0 {
			s.Code = nil
		}
		return true, nil
	})
	return paired && err == nil, err
}

// take notes that an update is worked on now, and says who is paired. fresh is false for one that was taken
// before: it is not worked on again. Errors: the file; then it cannot be said, and the update is not to be
// worked on.
func (p Pairing) take(ctx context.Context, update int64) (user int64, fresh bool, err error) {
	err = p.edit(ctx, func(s *state) (bool, error) {
		user = s.User
		now := p.Now()
		if update <= s.Last && now.Sub(s.At) < numbersLast {
			return false, nil
		}
		s.Last, s.At, fresh = update, now.UTC().Truncate(time.Second), true
		return true, nil
	})
	return user, fresh && err == nil, err
}

// offset is the update behind which reading begins; 0 for the oldest that there is.
func (p Pairing) offset() (int64, error) {
	s, err := p.read()
	if err != nil || p.Now().Sub(s.At) >= numbersLast {
		return 0, err
	}
	return s.Last, nil
}

// session is the conversation in a chat; "" if there is none.
func (p Pairing) session(where room) string {
	s, err := p.read()
	if err != nil {
		return "" // reported when the update was taken
	}
	for _, c := range s.Chats {
		if c.ID == where.chat && c.Topic == where.topic {
			return c.Session
		}
	}
	return ""
}

// keep notes the conversation in a chat.
func (p Pairing) keep(ctx context.Context, where room, session string) error {
	return p.edit(ctx, func(s *state) (bool, error) {
		if s.User == 0 {
			return false, nil
		}
		next := place{ID: where.chat, Topic: where.topic, Session: session}
		chats := []place{}
		for _, c := range s.Chats {
			if c == next {
				return false, nil
			}
			if c.ID != where.chat || c.Topic != where.topic {
				chats = append(chats, c)
			}
		}
		if session != "" {
			chats = append(chats, next)
		}
		s.Chats = chats[max(0, len(chats)-mostChats):]
		return true, nil
	})
}

// open notes whether something that was asked in a chat is still to be answered.
func (p Pairing) open(ctx context.Context, where room, open bool) error {
	return p.edit(ctx, func(s *state) (bool, error) {
		at := place{ID: where.chat, Topic: where.topic}
		if slices.Contains(s.Open, at) == open || s.User == 0 {
			return false, nil
		}
		if open {
			s.Open = append(s.Open[max(0, len(s.Open)-mostChats+1):], at)
		} else {
			s.Open = slices.DeleteFunc(s.Open, func(o place) bool { return o == at })
		}
		return true, nil
	})
}

// unanswered are the chats in which the program ended before it had answered. They are returned once.
func (p Pairing) unanswered(ctx context.Context) (list []room, err error) {
	err = p.edit(ctx, func(s *state) (bool, error) {
		for _, o := range s.Open {
			list = append(list, room{o.ID, o.Topic})
		}
		s.Open = nil
		return len(list) > 0, nil
	})
	return list, err
}

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}
