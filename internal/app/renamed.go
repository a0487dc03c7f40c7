package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/place"
	"ken/internal/termsafe"
)

// A Renaming is a repository that seems to have had another name, of which there are memories.
type Renaming struct {
	Was      string // the identity that it had
	Memories int    // of that name
	// Same says that it is the directory which was known by that name. Otherwise it has the same first commit: it may be a fork.
	Same bool
}

// formerKey begins the key of the memory that says which name a repository had before. It is the person's own word, of the scope of
// the name that the repository has now: wherever it comes to, the memories of both names hold.
const formerKey = "was:"

// formerly are the names that a repository had before, as the person settled, and those that it had before these.
func formerly(repo *place.Repo, list []meeting) (also []string) {
	known := names(repo)
	for more := true; more; {
		more = false
		for _, m := range list {
			was := strings.ToLower(m.Was)
			if was != "" && m.Use && slices.Contains(known, strings.ToLower(m.Repo)) && !slices.Contains(known, was) {
				known, also, more = append(known, was), append(also, was), true
			}
		}
	}
	return also
}

// Renamed looks whether the repository where the person stands had another name, of which there are memories, and nobody said yet
// whether they hold here; nil: it had not. Git is asked for the first commit only where no memory holds for the repository, once.
func (k *Meetings) Renamed(ctx context.Context, now *Moment) *Renaming {
	repo := k.here.Place().Repo
	if repo == nil || k.settings.cfg == nil || !k.settings.MemoryOn() || k.o.Actor.Origin() != "" {
		return nil
	}
	from, err := now.Memory(ctx)
	if err != nil {
		return nil
	}
	others, own := make(map[string]bool), false
	for _, c := range from.Corpora {
		for _, scope := range c.Names {
			id, ok := strings.CutPrefix(strings.ToLower(scope), "repo:")
			switch {
			case !ok:
			case slices.Contains(names(repo), id):
				own = true
			default:
				others[id] = true
			}
		}
	}
	if len(others) == 0 {
		return nil
	}
	list, err := k.all()
	if err != nil {
		return nil // it is reported where it counts
	}
	for _, m := range list { // what was settled
		if m.Was != "" && !m.Again && slices.Contains(names(repo), strings.ToLower(m.Repo)) {
			delete(others, strings.ToLower(m.Was))
		}
	}
	return k.candidate(ctx, now, repo, list, others, own)
}

// candidate is the newest of the other names that the repository was known by.
func (k *Meetings) candidate(
	ctx context.Context, now *Moment, repo *place.Repo, list []meeting, others map[string]bool, own bool,
) *Renaming {
	path, stamp := repo.Spot()
	for _, m := range slices.Backward(list) {
		known := m.Use || m.Again || m.Was != "" // by that name, and nobody said never
		// A directory that was moved has its stamp, and so may have one that came when another was gone: its root tells.
		moved := stamp != "" && m.Stamp == stamp && !repo.Claimed && !own && (m.Root == "" || m.Root == k.here.root(ctx))
		if known && (m.Path == path || moved) {
			if r := now.renaming(ctx, others, m.Repo, true); r != nil {
				return r
			}
		}
	}
	if own || len(others) == 0 {
		return nil
	}
	root := k.here.root(ctx)
	if root == "" {
		return nil
	}
	if r := now.renaming(ctx, others, root, false); r != nil {
		return r
	}
	for _, m := range slices.Backward(list) {
		if m.Was == "" && m.Use && m.Root == root {
			if r := now.renaming(ctx, others, m.Repo, false); r != nil {
				return r
			}
		}
	}
	return nil
}

// renaming is that from a name, if it is among others and there are memories of it.
func (m *Moment) renaming(ctx context.Context, others map[string]bool, name string, same bool) *Renaming {
	if name = strings.ToLower(name); !others[name] {
		return nil
	}
	s, err := m.State(ctx)
	if err != nil {
		return nil
	}
	n := 0
	for _, it := range s.Items() {
		if strings.EqualFold(string(it.Record.Scope), "repo:"+name) && !strings.HasPrefix(it.Record.Key, formerKey) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return &Renaming{Was: name, Memories: n, Same: same}
}

// Follow keeps what the person said of another name of the repository where they stand: its memories hold here as well, which is a
// line of the memory whose undo takes it back, or they do not. It returns that line.
func (k *Meetings) Follow(ctx context.Context, r *Renaming, yes bool) (line memory.ID, err error) {
	scope := k.here.Place().RepoScope()
	name, ok := strings.CutPrefix(scope, "repo:")
	if !ok {
		return line, fault.Failuref("this is no repository that can be known again")
	}
	m := k.met1(name, r.Was)
	if yes {
		w, err := k.memory.Writer()
		if err != nil {
			return line, err
		}
		got, err := w.Remember(ctx, engine.Draft{
			Kind: memory.KindSetting, Content: "This repository was called " + r.Was + " before.", Scope: memory.Scope(scope),
			Key: formerKey + r.Was, Phase: memory.PhaseStabilized,
		})
		if err != nil {
			return line, err
		}
		if line = got.Same; line.IsZero() {
			line = got.IDs[0]
		}
		m.Use, m.Line = true, line.String()
	}
	if err := k.keep(m); err != nil {
		return line, err
	}
	if yes {
		k.again()
		k.vouchPlace()
		k.changed()
	}
	return line, nil
}

// met1 is a line about another name of the repository where the person stands.
func (k *Meetings) met1(name, was string) meeting {
	path, stamp := k.here.Place().Repo.Spot()
	return meeting{Repo: name, Path: path, Stamp: stamp, Was: was}
}

// again has the place found anew: it has other names.
func (k *Meetings) again() { k.here.place, k.met = nil, nil }

// tellRenamed says of a repository that seems to have had another name that its memories are not used, to who is asked nothing
// here: once.
func (k *Meetings) tellRenamed(ctx context.Context, now *Moment) {
	name, ok := strings.CutPrefix(k.here.Place().RepoScope(), "repo:")
	if !ok || k.settings.ReadOnly() {
		return
	}
	r := k.Renamed(ctx, now)
	if r == nil {
		return
	}
	m := k.met1(name, r.Was)
	told := func(o meeting) bool { return o.Again && o.Repo == name && o.Was == r.Was }
	if list, err := k.all(); err != nil || slices.ContainsFunc(list, told) {
		return
	}
	m.Again = true
	k.answered(m)
	k.o.Voice.Notef("%s: not used here (the shell asks about it: ken)", r.Says())
}

// Says is what was noticed, for a person.
func (r *Renaming) Says() string {
	of := fmt.Sprintf("there are %d memories", r.Memories)
	if r.Memories == 1 {
		of = "there is 1 memory"
	}
	name := termsafe.Line(r.Was)
	if r.Same {
		return "this repository was " + name + " before, of which " + of
	}
	return "this repository begins with the same commit as " + name + ", of which " + of
}

// outdated reports whether some line that says a name is not in the memory any more: it went by hand, or on another device.
func (k *Meetings) outdated(ctx context.Context, now *Moment) bool {
	from, err := now.Memory(ctx)
	list, lerr := k.all()
	return err == nil && lerr == nil && slices.ContainsFunc(list, func(m meeting) bool {
		if m.Line == "" || !m.Use {
			return false
		}
		_, _, there := from.Find(m.Line)
		return !there
	})
}

// adopt takes over what the person said of the repository where they stand on another device: the memory has it.
func (k *Meetings) adopt(ctx context.Context, now *Moment) {
	s, err := now.State(ctx)
	list, lerr := k.all()
	if err != nil || lerr != nil || k.settings.ReadOnly() {
		return
	}
	for _, it := range s.Items() {
		was, former := strings.CutPrefix(it.Record.Key, formerKey)
		name, ok := strings.CutPrefix(string(it.Record.Scope), "repo:")
		if !former || !ok || it.Origin.Rank() != 0 || !slices.Contains(names(k.here.Place().Repo), strings.ToLower(name)) {
			continue
		}
		m := k.met1(name, was)
		if m.Use, m.Line = true, it.Ref(); !slices.ContainsFunc(list, func(o meeting) bool { return o.Repo == name && o.Was == was }) {
			k.answered(m)
			k.again()
		}
	}
}

// follow has the names of repositories follow the memory, which was changed: where the line that says one was taken back, the
// memories of that name hold no more, and where it is there again, they do.
func (k *Meetings) follow() {
	list, err := k.all()
	if err != nil || !slices.ContainsFunc(list, func(m meeting) bool { return m.Line != "" }) {
		return
	}
	s, err := k.memory.State(context.Background())
	if err != nil {
		return // it is reported where it counts
	}
	for _, m := range list {
		id, err := memory.ParseID(m.Line)
		if m.Line == "" || err != nil {
			continue
		}
		if stands := s.Status(id) == memory.StatusActive; stands != m.Use {
			m.Use, m.Again = stands, false
			k.answered(m)
			k.again()
		}
	}
}
