package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/fault"
	"ken/internal/foreign"
	"ken/internal/memory"
	"ken/internal/place"
	"ken/internal/view"
	"ken/internal/view/port"
	"ken/internal/working"
)

// A call is one call of a port, in the hands of whose word it is.
type call struct {
	port.Call
	*Ports
	here   place.Place // where the call is for
	boosts bool        // a profile puts what is of it first, and leaves out nothing
}

// standIn finds where the call is for: the directory that its activation context names,
// or its repository, if it is there; else where the actor is.
func (x *call) standIn() {
	x.here = x.view.Here.Place()
	if x.view.o.Kept {
		return
	}
	for _, dir := range x.Dirs() {
		here, err := x.view.Here.PlaceOf(dir)
		if err == nil {
			x.here = here
			return
		}
		x.view.Warn(fmt.Errorf("the place of the activation context: %w", err))
	}
}

// choose are the active memories that the call chooses, newest first: those that hold
// where it is for, or those of exactly the scope given; and the memory that they are of.
func (x *call) choose(ctx context.Context, exact bool) ([]memory.Item, *memory.State, error) {
	scope, err := x.scope()
	if err != nil {
		return nil, nil, err
	}
	sel, err := Items(ctx, x.view, ItemFilter{Kinds: x.Kinds})
	if err != nil {
		return nil, nil, err
	}
	items := make([]memory.Item, 0, sel.Items.Len())
	for it := range sel.Items.Each() {
		items = append(items, it.Item)
	}
	cwd := !exact && x.isHere()
	return slices.DeleteFunc(items, func(it memory.Item) bool {
		own := string(view.ScopeOf(it))
		return x.filters(exact) && !x.ofProfile(it) || cwd && !x.here.Holds(own) || !cwd && !x.here.Same(own, string(scope))
	}), sel.State, nil
}

// phase is how settled it is that is stated. What is for one conversation only is not
// for a memory.
func (x *call) phase() (memory.Phase, error) {
	name := x.Phase
	if name == "" && slices.Contains([]string{"ephemeral", "fluid", "stabilized", "rigid"}, x.TTL) {
		name = x.TTL
	}
	switch phase := memory.Phase(name); phase {
	case "", memory.PhaseFluid, memory.PhaseStabilized, memory.PhaseRigid:
		return phase, nil
	case memory.PhaseEphemeral:
		return "", fault.Usagef("what is ephemeral is not remembered").WithHint("give it a life instead: ttl 12h")
	}
	return "", fault.Usagef("phase %q: want fluid, stabilized or rigid", name)
}

// scope is the full scope that the call means; "" may be that of the person.
func (x *call) scope() (memory.Scope, error) {
	name := x.Scope
	switch {
	case x.isHere() && x.view.o.Kept && x.here.Dir == "": // it is kept to what holds everywhere
		name = "user"
	case x.isHere():
		name = "here"
	case isFacts(name):
		name = "user"
	case name == "user/profile", name == "user/working":
		return "", fault.Usagef("%s is a text of yours, and not a scope of memories", name).WithHint("it can be recalled and exported; change it in an editor")
	}
	full, err := x.here.Resolve(name)
	if err != nil {
		return "", fault.Usagef("scope %s: %w", x.Scope, err)
	}
	if x.view.o.Kept && !x.here.Holds(full) {
		return "", outside(x.Scope)
	}
	return memory.Scope(full), nil
}

// isFacts reports whether a name of the person's namespace stands for what holds everywhere.
func isFacts(name string) bool { return name == "global" || name == "user/facts" }

// cmpScope is a scope, the default spelled out.
func cmpScope(s memory.Scope) memory.Scope { return cmp.Or(s, memory.ScopeUser) }

// isHere reports whether the scope is where the call is for.
func (x *call) isHere() bool { return x.Scope == "" || x.Scope == "cwd" || x.Scope == "project" }

// tags are those that the profile asks for.
func (x *call) tags() []string {
	if x.Profile == "" {
		return nil
	}
	return []string{foreign.ProfileTag(x.Profile)}
}

// isOf reports whether an item is of the profile that is asked for.
func (x *call) isOf(it memory.Item) bool {
	return x.Profile != "" && slices.Contains(it.Record.Tags, foreign.ProfileTag(x.Profile))
}

// ofProfile reports whether an item belongs to the profile that is asked for:
// without one all do, and what has none belongs to all.
func (x *call) ofProfile(it memory.Item) bool {
	has := slices.ContainsFunc(it.Record.Tags, func(t string) bool { return strings.HasPrefix(t, foreign.ProfileTag("")) })
	return x.Profile == "" || !has || x.isOf(it)
}

// filters reports whether what is of other profiles is left out: recall puts it behind
// instead, unless it was asked to leave it out.
func (x *call) filters(exact bool) bool { return exact || !x.boosts || x.OnlyOf }

// placed reports whether the call said where it is for.
func (x *call) placed() bool { return len(x.Activation) > 0 }

// said is where it was said that the call states.
func (x *call) said() *memory.Source {
	if x.Session == "" && x.Agent == "" {
		return x.source
	}
	return &memory.Source{Session: x.Session, Turn: max(x.Turn, 0), Agent: x.Agent, Channel: "port"}
}

func personal(h *View, name string) (text string, ok bool) {
	p := h.Settings.Paths()
	text, ok = working.Personal(name, p.Profile(), working.File{Path: p.Working(), Now: h.Now})
	return h.Keys.MaskText(text), ok
}
