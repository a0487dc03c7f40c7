package doctor

import (
	"errors"
	"os"
	"time"

	"ken/internal/config"
	"ken/internal/view"
	"ken/internal/working"
)

// continuity looks at what conversations share besides memories. readable: the settings were read.
func (d *doctor) continuity(cfg config.Config, readable bool) {
	if cfg.Memory.UserNamespace == "" {
		d.note("namespace", "none: profile.md and the recent context are not used", d.person.Verb("config set memory.user_namespace NAME"))
	} else {
		d.ok("namespace", "%s", cfg.Memory.UserNamespace)
		if readable {
			d.recent()
		}
	}
	if readable {
		d.ageing(cfg)
	}
}

// recent is about the working memory; nothing if there is none.
func (d *doctor) recent() {
	path := d.h.Settings.Paths().Working()
	if fi, err := os.Stat(path); err == nil && fi.Size() == 0 {
		return // it was made and never written to, and will be
	}
	m, err := working.File{Path: path, Now: d.h.Now}.Read()
	switch {
	case !working.Exists(err):
	case errors.Is(err, working.ErrExpired):
		d.note("recent", d.h.Settings.Short(path)+" expired on "+m.Expires.Format(time.DateOnly)+": the next conversation writes it anew", "")
	case err != nil:
		d.gap("recent", err.Error(), "mend it or move it away: until then it is not sent, and not written over")
	default:
		says := d.h.Settings.Short(path) + ", until " + m.Expires.Format(time.DateOnly)
		if n := len(m.Other); n > 0 {
			says += "; " + view.Count(n, "line") + " of its head are kept and not sent"
		}
		d.ok("recent", "%s", says)
	}
}

// ageing is about the policies, in one line; nothing if there are none.
func (d *doctor) ageing(cfg config.Config) {
	names, err := d.h.Settings.Policies().Names()
	inForce := cfg.Memory.Policy
	switch {
	case err != nil:
		d.gap("policies", err.Error(), "")
		return
	case inForce == "" && len(names) == 0:
		return
	}
	if inForce != "" {
		if says, next := d.faulty(inForce); says != "" {
			d.gap("policies", says+"; it is in force, and nothing ages by it", next)
			return
		}
	}
	for _, name := range names {
		if says, next := d.faulty(name); says != "" {
			d.note("policies", says, next)
			return
		}
	}
	if inForce == "" {
		inForce = "none"
	}
	d.ok("policies", "%d there, no faults, %s in force", len(names), inForce)
}

// faulty says why a policy cannot be read as it stands, and what to do; "" if it can.
func (d *doctor) faulty(name string) (says, next string) {
	r, err := d.h.Settings.Policies().Named(name)
	switch {
	case err != nil:
		return err.Error(), d.person.NextStep(err)
	case len(r.Faults) > 0:
		return name + ": " + view.Count(len(r.Faults), "fault"), "see where: " + d.person.Verb("memory tidy policy check "+name)
	}
	return "", ""
}
