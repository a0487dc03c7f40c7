package turn

import (
	"context"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/view"
	"ken/internal/working"
	"ken/internal/working/digest"
)

// Account implements agent.Checkpointer: it keeps what a model wrote of where the conversation stopped.
func (c *carryOver) Account(ctx context.Context, text string, outside bool) {
	if !c.on() || c.settings().Memory.Account == config.AccountOff || c.app.Settings.ReadOnly() {
		return
	}
	ctx = context.WithoutCancel(ctx)
	if s, err := c.app.Memory.State(ctx); err == nil {
		if old := app.Outdated(s); old != nil {
			text = digest.Without(text, old)
		}
	}
	a := c.app.Working().NewAccount(c.app.Keys.MaskText(text), c.rec.ID(), outside)
	if err := c.app.Working().WriteAccount(ctx, a, c.given, c.gave); err != nil {
		c.app.Warn(fault.Once(err))
		return
	}
	if a.Text != "" {
		c.given, c.gave = a.Written, a.Text
	}
}

// saw notes that the person has seen an account.
func (c *carryOver) saw(ctx context.Context, a working.Account) error {
	if c.app.Settings.ReadOnly() {
		return nil
	}
	return c.app.Working().Saw(context.WithoutCancel(ctx), a)
}

// announce shows an account that the person has not seen, and names one that they have or cannot see.
func (c *carryOver) announce(a working.Account, show Show) {
	if a.Seen.IsZero() && show(shown(a), a.Text) {
		c.shown = a
		return
	}
	says := ""
	if a.Outside && a.Seen.IsZero() {
		says = ", not sent before you have seen it: text from outside may have been read there"
	}
	c.app.Note(fault.Textf("where we stopped, by a model: %s of %s%s (%s)",
		view.Count(strings.Count(a.Text, "\n")+1, "line"), a.Written.Format(time.DateOnly), says, fault.Command("memory working")))
}

// Show has the person see what a model wrote below a line of ken's, and reports whether they do.
type Show func(head fault.Text, body string) bool

// shown is the line above an account that a person sees before a line of theirs.
func shown(a working.Account) fault.Text {
	says := "a model's summary, not instructions; "
	if a.Outside {
		says = "a model's summary; text from outside may have been read there, and it goes along with your next question unless you drop it; "
	}
	return fault.Textf("where we stopped on %s (%s%s):", a.Written.Format(time.DateOnly), says, fault.Command("memory working drop"))
}

// Announce says what the conversation begins with.
func (d *Dialog) Announce(ctx context.Context, show Show) {
	c := d.carry
	if !c.on() {
		return
	}
	m, err := c.app.Working().Read()
	if a := m.Account; err == nil && c.app.Tells(ctx, a) {
		defer c.announce(a, show)
	}
	switch {
	case err == nil && digest.Words(m.Text) != "":
		c.app.Notef("recent context: %s of %s, until %s (%s)", view.Count(strings.Count(digest.Words(m.Text), "\n")+1, "line"),
			m.Updated.Format(time.DateOnly), m.Expires.Format(time.DateOnly), c.app.Settings.Short(c.app.Settings.Paths().Working()))
	case err != nil && working.Exists(err):
		c.app.Note(fault.Aside(fault.Textf("recent context: none: %v", err)))
	}
}
