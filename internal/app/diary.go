package app

import (
	"context"

	"ken/internal/fault"
	"ken/internal/session"
)

// Diary writes a question and its answer, which were recorded as these turns of a session and called so many tools, into the daily
// log, masked, if the person wants one and the memory is on. What cannot be written is a warning.
func (c *Conversations) Diary(ctx context.Context, h session.Header, q, a session.Turn, calls int) {
	cfg, ok := c.settings.InForce()
	log := cfg.Memory.DailyLog
	if !ok || !log.Enabled || !c.settings.MemoryOn() || c.settings.ReadOnly() {
		return
	}
	q.Content, a.Content = c.mask(q.Content), c.mask(a.Content)
	most := [2]int{log.MaxUserChars, log.MaxAssistantChars}
	if err := c.Dir().AddDay(context.WithoutCancel(ctx), c.o.Now().Local(), h, q, a, calls, most); err != nil {
		c.o.Voice.Warn(fault.Once(err))
	}
}
