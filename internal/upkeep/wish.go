package upkeep

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ken/internal/audit"
	"ken/internal/fault"
	"ken/internal/lifecycle"
	"ken/internal/upkeep/page"
	"ken/internal/view"
)

// reminds is in front of what somebody was reminded of, in the audit.
const reminds = "remind-"

// remind tells in one line what the policy in force would have the person reminded of, at most once a day. Nothing is begun, and no
// model is asked. A policy that wishes for nothing costs nothing.
func (u *Upkeep) remind(ctx context.Context) {
	if !u.home.Settings.MemoryOn() || !u.byPerson() {
		return
	}
	r, err := u.home.Settings.Policies().Named("")
	if err != nil || len(r.Faults) > 0 || r.Policy.Propose == (lifecycle.Propose{}) {
		return // the sweep says what is wrong with it
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), page.Patience)
	defer cancel()
	if err := u.wish(ctx, r.Policy); err != nil {
		u.home.Warn(fault.Once(fmt.Errorf("the policy %s reminds of nothing: %w", r.Policy.Name, err)))
	}
}

func (u *Upkeep) wish(ctx context.Context, p lifecycle.Policy) error {
	s, err := u.home.Memory.State(ctx)
	if err != nil {
		return err
	}
	paths := u.home.Settings.Paths()
	log := audit.Log{Path: paths.Audit(), Dir: paths.Data, Now: u.home.Now}
	told := make(map[string]time.Time)
	for e, err := range log.Entries() {
		if err != nil {
			return err
		}
		if what, ok := strings.CutPrefix(e.Act, reminds); ok && e.Time.After(told[what]) {
			told[what] = e.Time
		}
	}
	w := p.Wish(s, func(what string) time.Time { return told[what] }, u.home.Now())
	if w.What == "" {
		return nil
	}
	// Noted first: who cannot note it would be told at the end of each conversation.
	if err := log.Append(ctx, audit.Entry{Act: reminds + w.What, By: lifecycle.ByPolicy + p.Name, Count: w.New}); err != nil {
		return err
	}
	verb := fault.Command("retrospect")
	if w.What == lifecycle.WishSynthesis {
		verb = "retrospect --synthesize"
	}
	since := ""
	if !w.Since.IsZero() {
		since = " since " + w.Since.Format(time.DateOnly)
	}
	u.home.Notef("%s%s: %s", strings.Replace(view.Memories(w.New), " ", " new ", 1), since, verb)
	return nil
}
