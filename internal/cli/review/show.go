package review

import (
	"context"
	"fmt"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/view/queue"
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
	shapes := []queue.Waiting{}
	for _, w := range pending {
		shapes = append(shapes, queue.WaitingOf(w))
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
	return a.Println(queue.Table(pending, a.Env.Now(), a.Screen.Width()))
}
