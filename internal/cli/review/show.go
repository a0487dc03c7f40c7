package review

import (
	"context"
	"fmt"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/learn"
	"ken/internal/memory"
	"ken/internal/view/learned"
)

// readQueue reads what waits and what was refused, and warns of lines that cannot be read.
func readQueue(ctx context.Context, a *term.Run) (pending, refused []engine.Waiting, err error) {
	e, err := a.Home.Memory.Engine()
	if err != nil {
		return nil, nil, err
	}
	pending, refused, problems, err := e.Queue(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i, p := range problems {
		if i == 8 {
			a.Say("ken: warning: ", fmt.Sprintf("%s: %d more lines cannot be read", a.Home.Settings.Paths().Review(), len(problems)-i))
			break
		}
		a.Say("ken: warning: ", fmt.Sprintf("%s: line %d: %v", a.Home.Settings.Paths().Review(), p.Line, p.Err))
	}
	return pending, refused, nil
}

func printJSON(ctx context.Context, a *term.Run, ofRefused bool) error {
	pending, refused, err := readQueue(ctx, a)
	if err != nil {
		return err
	}
	if ofRefused {
		pending = refused
	}
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return err
	}
	var changes map[string]*learned.Difference
	if !ofRefused {
		if changes, err = touched(ctx, a, s, pending); err != nil {
			return err
		}
	}
	shapes := []learned.Weighed{}
	for _, w := range pending {
		shapes = append(shapes, learned.Weighed{Waiting: learned.WaitingOf(w), Rules: changes[w.Ref]})
	}
	return a.PrintJSON(shapes)
}

// list prints what waits, or what was refused, a line each.
func list(ctx context.Context, a *term.Run, ofRefused bool) error {
	pending, refused, err := readQueue(ctx, a)
	if err != nil {
		return err
	}
	none := "(nothing waits)"
	if ofRefused {
		pending, none = refused, "(nothing was refused)"
	}
	if len(pending) == 0 {
		return a.Println(none)
	}
	return a.Println(learned.WaitingTable(pending, a.Env.Now(), a.Screen.Width()))
}

// touched is what a yes to each of a queue makes of the rules, by reference: nothing of those
// that change none.
func touched(ctx context.Context, a *term.Run, s *memory.State, list []engine.Waiting) (map[string]*learned.Difference, error) {
	on, out := scale(a), make(map[string]*learned.Difference)
	for _, w := range list {
		d, err := on.Touched(ctx, s, w.Proposal.Record)
		if err != nil {
			return nil, err
		}
		if d != nil {
			out[w.Ref] = d
		}
	}
	return out, nil
}

// scale holds what waits for the rules against what was recorded.
func scale(a *term.Run) *learn.Scale { return learn.NewScale(a.Home, a.Env.Getenv("HOME")) }
