package find

import (
	"context"
	"strconv"
	"strings"

	"ken/internal/cli/app"
	"ken/internal/memory"
)

// MaxSpan is the most lines that one span of references names.
const MaxSpan = 100_000

// Refs reads references and spans of them: "3", "laptop-7f3a/3", "3-9".
func Refs(refs []string) ([]memory.ID, error) {
	var ids []memory.ID
	for _, ref := range refs {
		from, to, ok := span(ref)
		if !ok {
			id, err := memory.ParseID(ref)
			if err != nil {
				return nil, app.Fail(app.ExitUsage, err)
			}
			ids = append(ids, id)
			continue
		}
		if to < from || to-from >= MaxSpan {
			return nil, app.Usage("%s: a span goes up, over at most %d lines", ref, MaxSpan)
		}
		for n := from; n <= to; n++ {
			ids = append(ids, memory.Num(n))
		}
	}
	return ids, nil
}

func span(ref string) (from, to int64, ok bool) {
	a, b, ok := strings.Cut(strings.TrimPrefix(ref, "#"), "-")
	if !ok {
		return 0, 0, false
	}
	from, err1 := strconv.ParseInt(a, 10, 64)
	to, err2 := strconv.ParseInt(strings.TrimPrefix(b, "#"), 10, 64)
	return from, to, err1 == nil && err2 == nil && from > 0 && to <= memory.MaxID
}

// Meant are the memories that args mean: references, or else words that they are
// found by. None is the person's answer.
func Meant(ctx context.Context, a *app.App, args []string, c Choice) ([]memory.ID, error) {
	words := strings.Fields(strings.Join(args, " "))
	ids, err := Refs(words)
	if err == nil || AllNumbers(words) {
		return ids, err
	}
	return Memories(ctx, a, strings.Join(words, " "), c)
}

// AllNumbers reports whether words were meant for references, right or wrong: each
// begins as a number does.
func AllNumbers(words []string) bool {
	for _, w := range words {
		if w = strings.TrimPrefix(w, "#"); w == "" || w[0] < '0' || w[0] > '9' {
			return false
		}
	}
	return true
}
