package agent

import (
	"context"
	"slices"
	"strings"

	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
	"ken/internal/trace"
)

// given is the least trusted origin of all that a request held, which an answer to it has: an
// answer says what its model read; docs are left out. It is OriginModel where nothing is trusted less.
func (p *Prompt) given(ctx context.Context, active recall.Activation, t trace.Trace) memory.Origin {
	least := p.o.leastOf(ctx, p.said.Going(ctx))
	if p.summaryBlock(ctx) != "" {
		least = least.Lowest(p.said.summed)
	}
	if t.Context.Sums() { // texts of anybody, unapproved
		least = least.Lowest(memory.OriginExternal)
	}
	for _, list := range [][]recall.Activated{active.Chosen, active.Standing} {
		for _, f := range list {
			least = least.Lowest(f.Item.Origin)
		}
	}
	for _, p := range p.Background(ctx).Chosen {
		least = least.Lowest(p.Item.Origin)
	}
	return least
}

// leastOf is the least trusted origin of what turns say, OriginModel at best.
func (o *Options) leastOf(ctx context.Context, turns []session.Turn) memory.Origin {
	elsewhere := func(line string) bool { return o.Tools.Elsewhere(context.WithoutCancel(ctx), line) }
	least := memory.OriginModel
	for _, t := range turns {
		switch {
		case t.Content == Forgotten || t.Content == session.Gone:
			continue
		case t.Role != session.RoleUser && t.Role != session.RoleAssistant:
			least = least.Lowest(memory.OriginTool)
		case t.Speaker != "":
			least = least.Lowest(memory.OriginImport)
		}
		least = least.Lowest(memory.Origin(t.From))
		if t.Role == session.RoleUser && o.Tools != nil && slices.ContainsFunc(linesIn(t.Content), elsewhere) {
			least = least.Lowest(memory.OriginExternal)
		}
	}
	return known(least)
}

// outside reports whether turns hold text that neither the person typed nor a model wrote, as far as
// that can be told: several lines at once may be pasted.
func outside(turns []session.Turn) bool {
	return slices.ContainsFunc(turns, func(t session.Turn) bool {
		switch {
		case t.Content == Forgotten || t.Content == session.Gone, t.Role == session.RoleAssistant:
			return false
		}
		return t.Role != session.RoleUser || t.Speaker != "" || memory.Origin(t.From).Rank() > memory.OriginUser.Rank() ||
			strings.Contains(strings.TrimSpace(t.Content), "\n")
	})
}

// read is outside for all that an earlier process may have had a model read: it may have begun with
// what another conversation left.
func read(live session.Live) bool {
	return live.Outside || live.From != "" || outside(live.Turns) ||
		slices.ContainsFunc(live.Turns, func(t session.Turn) bool {
			return t.Role == session.RoleAssistant && t.From == string(memory.OriginExternal)
		})
}

// known is an origin as it is written: one that is not known is the least trusted.
func known(o memory.Origin) memory.Origin {
	if o.Rank() > memory.OriginExternal.Rank() {
		return memory.OriginExternal
	}
	return o
}

// fromField is an origin as the field "from" has it: none for a model's own words.
func fromField(o memory.Origin) string {
	if o = known(o); o.Rank() <= memory.OriginModel.Rank() {
		return ""
	}
	return string(o)
}
