package auto

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/agent/auto"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/session"
	"ken/internal/session/acts"
	"ken/internal/termsafe"
	"ken/internal/view"
	"ken/internal/view/account"
)

// New is a run towards a goal, with plan one that begins with a plan.
func New(a *term.Run, goal string, plan bool) (*auto.Run, error) {
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return nil, err
	}
	return auto.New(auto.Options{Goal: goal, Plan: plan, Person: halting{a}, Limits: auto.LimitsOf(cfg)}), nil
}

// Resume is the newest run of the conversation in the file at path that did not reach its goal, told with all that it
// did, if the person wants to go on with it; nil: they do not, or there is none.
func Resume(ctx context.Context, a *term.Run, path string) (*auto.Run, error) {
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return nil, err
	}
	var last acts.Pursuit
	var got account.Account
	t, err := acts.Read(path)
	ok := err == nil
	if ok {
		last, got, ok = auto.Unfinished(t)
	}
	if !ok {
		return nil, fault.Usagef("auto: which goal? No run of this conversation is without an end").
			WithHint(":auto GOAL; of another conversation: :resume --run")
	}
	say(a, got)
	yes, err := a.Person.Confirm(ctx, "go on with it? What had begun is not done again.")
	if err != nil || !yes {
		return nil, err
	}
	return auto.New(auto.Options{Goal: last.Goal, Person: halting{a}, Limits: auto.LimitsOf(cfg), Last: &last}), nil
}

// Find is the conversation held here that was written to last and whose newest run did not reach its goal.
func Find(a *term.Run) (path string, err error) {
	if _, err := a.Home.Settings.Read(); err != nil {
		return "", err
	}
	c := a.Home.Conversations
	path, err = auto.NewestUnfinished(c.Dir(), c.IsHere)
	if errors.Is(err, session.ErrNone) {
		return "", fault.New(fault.NotFound, errors.New("no run here is without an end")).
			WithHint("of another conversation: %s", fault.Command("resume --run SESSION"))
	}
	return path, err
}

// Has reports whether the conversation in the file at path has a run that did not reach its goal.
func Has(path string) bool {
	t, err := acts.Read(path)
	if err != nil {
		return false
	}
	_, _, ok := auto.Unfinished(t)
	return ok
}

// TellKilled says that the conversation in the file at path has a run that was killed, if so.
func TellKilled(a *term.Run, path string) {
	t, err := acts.Read(path)
	if err != nil {
		return // it was opened; nothing hangs on this line
	}
	if _, got, ok := auto.Unfinished(t); ok && got.Outcome == string(auto.Killed) {
		const most = 60
		a.Status("a run in it has no end (%s, %s): see what was done, and go on with it: %s",
			termsafe.Cut(termsafe.Line(got.Goal), most), view.Count(got.Steps, "step"), a.Verb("auto"))
	}
}

// say says an account.
func say(a *term.Run, one account.Account) {
	head, rest, _ := strings.Cut(one.Text(a.Verb), "\n")
	a.Say("[ken] ", "auto: "+head)
	for row := range strings.SplitSeq(rest, "\n") {
		a.Say("", row)
	}
}

// Banner says what begins, and within which bounds.
func Banner(a *term.Run, r *auto.Run) {
	a.Status("auto: %s", termsafe.Cut(termsafe.Line(r.Goal()), 200))
	a.Status("%s; what is not safe halts; Ctrl-C ends it after the act in hand", r.Limits())
	if r.Plans() {
		a.Status("its plan first: nothing is done before you agree to it")
	}
}

// Step says which step begins.
func Step(a *term.Run, r *auto.Run, nr int) { a.Status("step %d of %d", nr, r.Limits().Steps) }

// Account says what a run did, as the session at path has it.
func Account(a *term.Run, path string, r *auto.Run) error {
	list, err := account.Load(path)
	if err != nil {
		return fmt.Errorf("the account of the run: %w", err)
	}
	for _, one := range list {
		if one.Run == r.ID() {
			say(a, one)
		}
	}
	return nil
}

// Says reports whether an error says no more than the account of a run does: how it ended, and why.
func Says(r *auto.Run, err error) bool {
	switch o, _ := r.Outcome(); o {
	case auto.Stalled, auto.Aborted, auto.Stopped, auto.Budget, auto.Refused:
		end := r.Error()
		return err != nil && end != nil && err.Error() == end.Error()
	}
	return false
}

// PrintAll prints what a model did in the session at path, as text or as a JSON array.
func PrintAll(a *term.Run, path string, asJSON bool) error {
	list, err := account.Load(path)
	switch {
	case err != nil:
		return err
	case asJSON && list == nil:
		return a.PrintJSON([]account.Account{})
	case asJSON:
		return a.PrintJSON(list)
	case len(list) == 0:
		return a.Println("(no model did anything there)")
	}
	var texts []string
	for _, one := range list {
		texts = append(texts, one.Text(a.Verb))
	}
	return a.Println(strings.Join(texts, "\n\n"))
}
