package turn

import (
	"context"
	"errors"
	"io/fs"
	"strconv"

	"ken/internal/memory"
)

// kept is what tools printed in a conversation. It implements loop.Outputs.
type kept struct{ d *Dialog }

// Keep implements loop.Outputs.
func (k kept) Keep(nth int, text string, from memory.Origin) (string, error) {
	return k.d.rec.KeepOutput(nth, text, string(from))
}

// Get implements loop.Outputs: of a result that is not kept by itself, what its turn has of it.
func (k kept) Get(ctx context.Context, name string) (string, memory.Origin, error) {
	text, from, n, err := k.d.rec.Output(name)
	turn, live := k.d.conv.ResultAt(n)
	if errors.Is(err, fs.ErrNotExist) && live && name == strconv.Itoa(n) {
		text, from, err = turn.Content, turn.From, nil
	}
	if err == nil && (k.d.conv.Hides(ctx, n, text) || live && k.d.conv.Hides(ctx, n, turn.Content)) {
		return "", "", fs.ErrNotExist
	}
	return text, memory.Origin(from), err
}

// Output is what a tool printed in the conversation that a dialog holds, by its name: "12"; of "" the newest that is kept whole, which
// is named. The error is fs.ErrNotExist where there is none.
func Output(ctx context.Context, d *Dialog, name string) (named, text string, err error) {
	if list := d.rec.Outputs(); name == "" && len(list) > 0 {
		name = list[len(list)-1]
	}
	text, _, err = kept{d}.Get(ctx, name)
	return name, text, err
}
