package working

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// AccountTokens is the budget of an account.
const AccountTokens = 600

// accountHead is the first line of the account: all that stands below it is the model's.
const accountHead = "# Account of the model"

// An Account is what a model wrote of where a conversation stopped: the last part of the
// file, with a head of its own. It ends at its own time, or with the file.
type Account struct {
	Text    string // "": there is none
	Written time.Time
	Until   time.Time
	Session string // of which conversations it is, the newest first, parted by blanks
	// Outside says that text of neither the person nor a model was read in the conversation. A head
	// that does not say so means it.
	Outside bool
	Seen    time.Time // when the person saw it; zero: not yet
}

// NewAccount is an account that is written now and ends with what the file has of the person.
func (f File) NewAccount(text, session string, outside bool) Account {
	now := f.Now().UTC().Truncate(time.Second)
	return Account{
		Text: Cut(text, AccountTokens), Written: now, Until: now.AddDate(0, 0, min(max(f.Days, 1), MostDays)),
		Session: session, Outside: outside,
	}
}

// cutAccount takes the account off the end of a text. What its head does not say is the file's.
func (m *Memory) cutAccount(now time.Time) {
	text, rest, ok := strings.Cut("\n"+m.Text, "\n"+accountHead+"\n")
	if !ok {
		return
	}
	m.Text = strings.TrimSpace(text)
	a := Account{Written: m.Updated, Until: m.Expires, Outside: true}
	for line := ""; ok; {
		line, rest, ok = strings.Cut(rest, "\n")
		if strings.TrimSpace(line) == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		at, day, known := timeOf(value)
		switch name {
		case "Written":
			if known {
				a.Written = at
			}
		case "Expires":
			if day {
				at = at.AddDate(0, 0, 1)
			}
			if known && at.Before(a.Until) {
				a.Until = at
			}
		case "Session":
			a.Session = value
		case "Outside":
			a.Outside = value != "no"
		case "Seen":
			a.Seen = at
		}
	}
	if a.Text = strings.TrimSpace(rest); now.Before(a.Until) {
		m.Account = a
	}
}

// bytes is the account as the last part of a file; "" if there is none.
func (a Account) bytes() string {
	if a.Text == "" {
		return ""
	}
	outside, seen := "no", ""
	if a.Outside {
		outside = "yes"
	}
	if !a.Seen.IsZero() {
		seen = "Seen: " + a.Seen.UTC().Format(time.RFC3339) + "\n"
	}
	return fmt.Sprintf("\n%s\nWritten: %s\nExpires: %s\nSession: %s\nOutside: %s\n%s\n%s\n", accountHead,
		a.Written.UTC().Format(time.RFC3339), a.Until.UTC().Format(time.RFC3339), a.Session, outside, seen, Cut(a.Text, AccountTokens))
}

// WriteAccount makes a the account of the file. known is when the one was written that the caller
// began with, last what it wrote itself before, "" if nothing: as with Write, what another
// conversation wrote since stays, below what is new. What the file has of the person stays as it is.
func (f File) WriteAccount(ctx context.Context, a Account, known time.Time, last string) error {
	if a.Text == "" {
		return nil
	}
	return f.change(ctx, func(m *Memory) {
		if was := m.Account; was.Text != "" && (last != "" || was.Written.After(known)) {
			if theirs := without(was.Text, last); theirs != "" {
				a.Text, a.Outside = Join(a.Text, theirs, AccountTokens), a.Outside || was.Outside
				a.Session = sessions(a.Session, was.Session)
			}
		}
		m.Account = a
	})
}

// sessions are those of two accounts, each once.
func sessions(mine, theirs string) string {
	list := strings.Fields(mine)
	for _, id := range strings.Fields(theirs) {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return strings.Join(list, " ")
}

// Saw notes that the person has seen an account, if it is still the one in the file.
func (f File) Saw(ctx context.Context, a Account) error {
	return f.change(ctx, func(m *Memory) {
		if m.Account.Text == a.Text && m.Account.Written.Equal(a.Written) && m.Account.Seen.IsZero() {
			m.Account.Seen = f.Now().UTC().Truncate(time.Second)
		}
	})
}

// DropAccount takes the account out of the file.
func (f File) DropAccount(ctx context.Context) error {
	return f.change(ctx, func(m *Memory) { m.Account = Account{} })
}
