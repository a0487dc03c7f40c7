package setup

import (
	"errors"
	"fmt"
	"os"
	"time"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/view"
	"ken/internal/working"
)

// continuitySigns show a doctor what it sees; readable: a has Settings.
func continuitySigns(a *term.Run, cfg config.Config, readable bool) []view.Sign {
	var list []view.Sign
	if cfg.Memory.UserNamespace == "" {
		list = append(list, view.Sign{
			Level: "note", What: "namespace", Says: "none: profile.md and the recent context are not used",
			Next: a.Verb("config set memory.user_namespace NAME"),
		})
	} else {
		list = append(list, view.Sign{Level: "ok", What: "namespace", Says: cfg.Memory.UserNamespace})
		if readable {
			list = append(list, recent(a)...)
		}
	}
	if readable {
		list = append(list, ageing(a, cfg)...)
	}
	return list
}

// recent is about the working memory; nothing if there is none.
func recent(a *term.Run) []view.Sign {
	path := a.Home.Settings.Paths().Working()
	if fi, err := os.Stat(path); err == nil && fi.Size() == 0 {
		return nil // it was made and never written to, and will be
	}
	m, err := working.File{Path: path, Now: a.Env.Now}.Read()
	sign := view.Sign{Level: "ok", What: "recent", Says: a.Home.Settings.Short(path) + ", until " + m.Expires.Format(time.DateOnly)}
	if n := len(m.Other); n > 0 {
		sign.Says += "; " + view.Count(n, "line") + " of its head are kept and not sent"
	}
	switch {
	case !working.Exists(err):
		return nil
	case errors.Is(err, working.ErrExpired):
		sign.Level, sign.Says = "note", a.Home.Settings.Short(path)+" expired on "+m.Expires.Format(time.DateOnly)+": the next conversation writes it anew"
	case err != nil:
		sign.Level, sign.Says = "gap", err.Error()
		sign.Next = "mend it or move it away: until then it is not sent, and not written over"
	}
	return []view.Sign{sign}
}

// ageing is about the policies, in one line; nothing if there are none.
func ageing(a *term.Run, cfg config.Config) []view.Sign {
	sign := view.Sign{Level: "gap", What: "policies"}
	names, err := a.Home.Settings.Policies().Names()
	if err != nil {
		sign.Says = err.Error()
		return []view.Sign{sign}
	}
	inForce := cfg.Memory.Policy
	if inForce == "" && len(names) == 0 {
		return nil
	}
	if inForce != "" {
		if gap, ok := faulty(a, inForce); ok {
			gap.Says += "; it is in force, and nothing ages by it"
			return []view.Sign{gap}
		}
	}
	for _, name := range names {
		if gap, ok := faulty(a, name); ok {
			gap.Level = "note"
			return []view.Sign{gap}
		}
	}
	sign.Level, sign.Says = "ok", fmt.Sprintf("%d there, no faults, none in force", len(names))
	if inForce != "" {
		sign.Says = fmt.Sprintf("%d there, no faults, %s in force", len(names), inForce)
	}
	return []view.Sign{sign}
}

// faulty reports whether a policy cannot be read as it stands.
func faulty(a *term.Run, name string) (view.Sign, bool) {
	sign := view.Sign{Level: "gap", What: "policies"}
	r, err := a.Home.Settings.Policies().Named(name)
	switch {
	case err != nil:
		sign.Says, sign.Next = err.Error(), a.NextStep(err)
	case len(r.Faults) > 0:
		sign.Says, sign.Next = name+": "+view.Count(len(r.Faults), "fault"), "see where: "+a.Verb("memory tidy policy check "+name)
	default:
		return sign, false
	}
	return sign, true
}
