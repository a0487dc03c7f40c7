package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/dates"
	"ken/internal/fault"
	"ken/internal/pick"
	"ken/internal/session"
	"ken/internal/view"
)

// beside is how many turns stand on each side of a turn that is shown, unless
// --context says otherwise.
const beside = 3

type showFlags struct {
	asJSON  bool
	context int
	day     string
}

func showCommand(a *term.Run) *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use:   "show SESSION|SESSION:TURN|TEXT",
		Short: "show a conversation turn by turn, or all of a day",
		Long: `Show prints a conversation. Of a turn, named as a search names it, it prints those
around it. With --day it prints what was said and run on that day, in all
conversations, in order.`,
		Example:     "  ken sessions show trip\n  ken sessions show 20260510T190001Z-7f3a:12 -C 5\n  ken sessions show --day yesterday",
		Annotations: term.Writes{Nothing: true}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.Join(args, " ")
			switch {
			case f.context < 0:
				return fault.Usagef("-C %d: want 0 or more", f.context)
			case f.day != "" && name != "":
				return fault.Usagef("--day shows all conversations: name none")
			case f.day != "":
				return showDay(a, f)
			case name == "":
				return fault.Usagef("show which conversation?").WithHint("see what there is: %s", fault.Command("sessions list"))
			}
			return show(cmd.Context(), a, name, f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.asJSON, "json", false, "as one JSON object; with --day as an array of them")
	fl.IntVarP(&f.context, "context", "C", beside, "of a turn: `N` turns before and behind it as well")
	fl.StringVar(&f.day, "day", "", "what was said on `DATE`: 2026-03-05, yesterday")
	return cmd
}

func show(ctx context.Context, a *term.Run, name string, f showFlags) error {
	t, err := load(ctx, a, name, "show")
	if err != nil || t == nil {
		return err
	}
	if ref, err := session.ParseRef(pick.Bare(name)); err == nil && ref.Turn > 0 {
		first, last := ref.Turn-f.context, ref.Turn+f.context
		n := 0
		keep(t, func(e session.Entry) bool {
			if e.Turn != nil {
				n = e.Turn.N
			}
			return n >= first && n <= last
		})
		if len(t.Turns()) == 0 {
			return fault.Failuref("%s has no turn %d", ref.Session, ref.Turn).
				WithHint("see all of it: %s", fault.Command("sessions show "+ref.Session))
		}
	}
	if f.asJSON {
		return a.PrintJSON(view.TranscriptOf(t))
	}
	return printAll(a, t)
}

// showDay shows what was said and run on a day, conversation by conversation in the
// order in which they went on that day.
func showDay(a *term.Run, f showFlags) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	now := a.Env.Now()
	day, err := dates.Parse(f.day, now)
	if err != nil {
		return fault.Usagef("--day %s: %w", f.day, err)
	}
	from, to := day.From, day.To
	if !to.After(from) {
		return fault.Usagef("--day %s: want a day, not a moment", f.day)
	}
	list, warnings, err := a.Home.Conversations.Dir().List()
	if err != nil {
		return err
	}
	for _, w := range warnings {
		a.Warn(w)
	}
	var all []*session.Transcript
	for _, l := range list {
		if l.Written.Before(from) {
			continue // all of it is older
		}
		t, err := settled(a, l.Path)
		if err != nil {
			a.Warn(err)
			continue
		}
		keep(t, func(e session.Entry) bool {
			at := timeOf(e)
			return !at.Before(from) && at.Before(to)
		})
		if len(t.Entries) > 0 {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(x, y *session.Transcript) int {
		return cmp.Or(timeOf(x.Entries[0]).Compare(timeOf(y.Entries[0])), strings.Compare(x.Header.Session, y.Header.Session))
	})
	if f.asJSON {
		views := []view.Transcript{}
		for _, t := range all {
			views = append(views, view.TranscriptOf(t))
		}
		return a.PrintJSON(views)
	}
	if len(all) == 0 {
		return a.Println("(nothing was said)")
	}
	for i, t := range all {
		if i > 0 {
			if err := a.Println(""); err != nil {
				return err
			}
		}
		if err := printAll(a, t); err != nil {
			return err
		}
	}
	return nil
}

// settled reads a session, with what had come of its last answer as ken was killed, unless nothing may be written.
func settled(a *term.Run, path string) (*session.Transcript, error) {
	dir := a.Home.Conversations.Dir()
	if a.Home.Settings.ReadOnly() {
		return dir.Load(path)
	}
	if err := dir.Settle(path); err != nil {
		a.Warn(fmt.Errorf("what had come of an answer is not shown: %w", err))
	}
	return dir.Load(path)
}

// keep leaves of a transcript what is wanted.
func keep(t *session.Transcript, wanted func(session.Entry) bool) {
	t.Entries = slices.DeleteFunc(t.Entries, func(e session.Entry) bool { return !wanted(e) })
}

// timeOf is when a line was written; zero if it does not say.
func timeOf(e session.Entry) time.Time {
	if e.Turn != nil {
		return e.Turn.Time
	}
	return e.Event.Time
}

func printAll(a *term.Run, t *session.Transcript) error {
	if err := a.Println(view.TranscriptHead(t)); err != nil {
		return err
	}
	for _, e := range t.Entries {
		if text := view.EntryText(e, a.Screen.Width()); text != "" {
			if err := a.Println(text); err != nil {
				return err
			}
		}
	}
	return nil
}
