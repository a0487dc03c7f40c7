package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"ken/internal/memory"
)

// Input is what a plan is made of. The functions must be pure.
type Input struct {
	State   *memory.State
	Policy  Policy
	LastUse func(ref string) time.Time           // zero: never; nil: nobody knows
	LastIn  func(ref string) time.Time           // last in a start-up block that was sent; likewise
	Seen    func(memory.Item) time.Time          // when its line was first seen here; likewise
	Uses    func(ref string) int                 // how often; nil: nobody knows
	Within  func(scope, outer memory.Scope) bool // whether a scope is, or is below, another; nil: equality
	Now     time.Time
}

// A Plan is what a policy comes to.
type Plan struct {
	Policy  string   // its name
	Actions []Action // what needs no person first
	Total   int      // own items that were looked at
	Hot     int      // of those
	Archive int      // of those
	// Swept reports whether a policy has ever put anything of this log away.
	Swept bool
	// Note says why less is planned than the ages say; "" if there is no reason.
	Note string

	current int       // of Hot, those that hold at that time
	handful int       // how many items are moved without a thought
	at      time.Time // when it was made
}

// An Action is one step of a plan.
type Action struct {
	Do     Do
	Items  []memory.Item // oldest first; one if a person is to be asked
	To     memory.Phase  // with Settle
	Why    string        // for a person
	Rule   string        // the name of the rule; "" if it is the sweep
	Review bool          // a person has to say yes
}

// Name returns what an action does: "archive", "forget" or a phase.
func (a Action) Name() string {
	if a.Do == Settle {
		return string(a.To)
	}
	return string(a.Do)
}

// Past returns the name of an action in the past tense: "archived", "made stabilized".
func Past(name string) string {
	switch name {
	case string(Archive):
		return "archived"
	case string(Forget):
		return "forgot"
	}
	return "made " + name
}

// Due returns the actions that need no person.
func (p Plan) Due() []Action {
	return slices.DeleteFunc(slices.Clone(p.Actions), func(a Action) bool { return a.Review })
}

// Waiting returns the actions that need a person.
func (p Plan) Waiting() []Action {
	return slices.DeleteFunc(slices.Clone(p.Actions), func(a Action) bool { return !a.Review })
}

// absence is the time after which nothing is done for reasons of age: the clock
// may be wrong, and who comes back after so long should find what they left.
const absence = 366 * day

// An aged is an item with what its age is counted from.
type aged struct {
	memory.Item
	stated time.Time // zero: nobody knows
	since  time.Time // from when on it ages: when it was stated, or first seen here; zero likewise
	touch  time.Time // when it was last stated, changed, used or brought back: the order in a crowd
	idle   time.Time // since when nothing is done with it: touch, since, or when it was last sent
	uses   int
	moved  bool // it made a transition within a day
	scope  memory.Scope
}

type planner struct {
	Input
	past    past
	actions []Action
	at      map[string]int // of actions, by what they have in common
	taken   map[memory.ID]bool
	aged    bool // whether ages count
}

// Make returns the plan of a policy.
func Make(in Input) Plan {
	p := &planner{Input: in, past: history(in.State), at: make(map[string]int), taken: make(map[memory.ID]bool)}
	items, newest := p.look()
	plan := Plan{Policy: in.Policy.Name, Total: len(items), Swept: p.past.swept, handful: max(in.Policy.Sweep.Batch, 1), at: in.Now}
	p.aged = in.Now.Sub(newest) <= absence
	if !p.aged && len(items) > 0 {
		plan.Note = fmt.Sprintf("nothing was written or used since %s: nothing is moved for its age", newest.UTC().Format(time.DateOnly))
	}
	var swept []aged
	limits := make([][]aged, len(in.Policy.Rules))
	for i := range items {
		it := &items[i]
		if it.Tier == memory.TierHot {
			plan.Hot++
			plan.current += btoi(it.Current(in.Now))
		} else {
			plan.Archive++
		}
		if !p.item(it, limits) {
			swept = append(swept, *it)
		}
	}
	for i, list := range limits {
		p.limit(in.Policy.Rules[i], list)
	}
	p.crowded(swept)
	slices.SortStableFunc(p.actions, func(a, b Action) int {
		return cmp.Compare(btoi(a.Review), btoi(b.Review))
	})
	plan.Actions = p.actions
	return plan
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// look gives the own items that count, in the order of statement, and when a
// person was last seen to write or use anything.
func (p *planner) look() (items []aged, newest time.Time) {
	newest = p.past.newest
	var before time.Time // the largest time so far: that of lines without one
	for _, it := range p.State.With(memory.StatusActive) {
		if it.ID.Log != "" || it.Origin.Rank() > 0 && it.Record.By == "" {
			continue
		}
		x := aged{Item: it, stated: it.Record.Time, scope: cmp.Or(it.Record.Scope, memory.ScopeUser)}
		if x.stated.IsZero() {
			x.stated = before
		}
		before = later(before, x.stated)
		x.since = x.stated
		if p.Seen != nil && !x.stated.IsZero() {
			x.since = later(x.since, p.Seen(it))
		}
		x.touch = later(later(x.stated, it.Changed), p.past.undone[it.ID])
		if p.LastUse != nil {
			used := p.LastUse(it.Ref())
			x.touch, newest = later(x.touch, used), later(newest, used)
		}
		x.idle = x.touch
		if !x.idle.IsZero() {
			x.idle = later(x.idle, x.since)
		}
		if p.LastIn != nil {
			sent := p.LastIn(it.Ref())
			x.idle, newest = later(x.idle, sent), later(newest, sent)
		}
		if p.Uses != nil {
			x.uses = p.Uses(it.Ref())
		}
		if at, ok := p.past.moved[it.ID]; ok {
			x.moved = p.recent(at)
		}
		if at, ok := p.past.undone[it.ID]; ok {
			x.moved = x.moved || p.recent(at)
		}
		items = append(items, x)
	}
	return items, newest
}

// recent reports whether a time lies within a day; what lies ahead does as well,
// since a clock was wrong then or is now.
func (p *planner) recent(at time.Time) bool { return p.Now.Sub(at) < day }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// over reports whether at lies longer ago than d. An unknown time does not.
func (p *planner) over(at time.Time, d time.Duration) bool {
	return p.aged && !at.IsZero() && p.Now.Sub(at) > d
}

// item plans for one item; done if the sweep by number has no business with it.
func (p *planner) item(it *aged, limits [][]aged) (done bool) {
	ends := it.Record.Details().Expires
	switch {
	case !it.Current(p.Now):
		// It is hidden already, and --as-of may ask for it.
		s := p.Policy.Sweep
		if s.Forget && s.ArchiveDays > 0 && !Protected(&it.Item) && !it.moved && p.over(ends, days(s.ArchiveDays)) {
			p.plan(it, Action{Do: Forget, Why: fmt.Sprintf("expired for more than %d days", s.ArchiveDays)})
		}
		return true
	case it.moved:
		return true
	}
	for i, r := range p.Policy.Rules {
		if !p.fits(it, r) {
			continue
		}
		switch {
		case r.Do == Keep:
			return true
		case r.MaxHot > 0:
			limits[i] = append(limits[i], *it)
			continue
		case p.rule(it, r):
			return true
		}
	}
	return p.old(it)
}

func days(n int) time.Duration { return time.Duration(n) * day }

// fits reports whether a rule is about an item.
func (p *planner) fits(it *aged, r Rule) bool {
	switch {
	case len(r.Kinds) > 0 && !slices.Contains(r.Kinds, it.Record.Kind),
		len(r.Tags) > 0 && !slices.ContainsFunc(r.Tags, func(t string) bool { return slices.Contains(it.Record.Tags, t) }),
		r.Scope != "" && !p.within(it.scope, r.Scope),
		r.From != "" && it.Phase != r.From,
		r.Older > 0 && !p.over(it.since, r.Older),
		r.Newer > 0 && (it.stated.IsZero() || p.over(it.stated, r.Newer)),
		r.Unused > 0 && !p.over(it.idle, r.Unused),
		r.UsedOver > 0 && it.uses <= r.UsedOver,
		r.ImportanceUnder > 0 && it.Importance >= r.ImportanceUnder:
		return false
	}
	return true
}

func (p *planner) within(scope, outer memory.Scope) bool {
	return scope == outer || p.Within != nil && p.Within(scope, outer)
}

// rule does what a rule says to an item that it fits; false if there is nothing
// left to do, so that what follows counts.
func (p *planner) rule(it *aged, r Rule) bool {
	a := Action{Do: r.Do, To: r.To, Why: r.Name, Rule: r.Name, Review: r.Review}
	switch r.Do {
	case Archive:
		if it.Tier != memory.TierHot || Protected(&it.Item) {
			return false
		}
	case Forget:
		if Protected(&it.Item) {
			return false
		}
		if r.Unused > 0 && it.Tier == memory.TierHot {
			a.Do = Archive // first; the age at which it is forgotten counts from there
			break
		}
		a.Review = a.Review || !p.Policy.Sweep.Forget
	case Settle:
		switch {
		case r.To == it.Phase:
			return false
		case Raises(it.Phase, r.To):
			a.Review = true
		case it.Pinned || it.Record.Kind == memory.KindRule:
			return false
		}
	}
	p.plan(it, a)
	return true
}

// old is the sweep by age.
func (p *planner) old(it *aged) (done bool) {
	s := p.Policy.Sweep
	switch {
	case Protected(&it.Item):
		return true
	case s.PruneDays > 0 && p.over(it.since, days(s.PruneDays)):
		why := "stated more than %d days ago"
		if it.since.After(it.stated) {
			why = "here for more than %d days" // it was stated long before
		}
		p.plan(it, Action{Do: Forget, Why: fmt.Sprintf(why, s.PruneDays)})
	case it.Tier == memory.TierHot && s.HotDays > 0 && p.over(it.idle, days(s.HotDays)):
		p.plan(it, Action{Do: Archive, Why: fmt.Sprintf("unused for more than %d days", s.HotDays)})
	case it.Tier == memory.TierHot:
		return false
	case s.Forget && s.ArchiveDays > 0 && p.over(it.idle, days(s.ArchiveDays)):
		p.plan(it, Action{Do: Forget, Why: fmt.Sprintf("archived, and unused for more than %d days", s.ArchiveDays)})
	}
	return true
}

// crowded is the sweep by number: of each scope with too many hot items the oldest.
func (p *planner) crowded(items []aged) {
	s := p.Policy.Sweep
	if s.HotMax <= 0 {
		return
	}
	byScope := make(map[memory.Scope][]aged)
	var scopes []memory.Scope
	for _, it := range items {
		if p.taken[it.ID] {
			continue
		}
		if byScope[it.scope] == nil {
			scopes = append(scopes, it.scope)
		}
		byScope[it.scope] = append(byScope[it.scope], it)
	}
	put := p.putAway()
	for _, scope := range scopes {
		list := byScope[scope]
		if len(list) <= s.HotMax {
			continue
		}
		oldestFirst(list)
		for _, it := range list[:max(0, min(s.Batch-put[scope], len(list)))] {
			p.plan(&it, Action{Do: Archive, Why: fmt.Sprintf("more than %d hot memories of one scope", s.HotMax)})
		}
	}
}

// putAway counts, by scope, what policies archived within a day.
func (p *planner) putAway() map[memory.Scope]int {
	n := make(map[memory.Scope]int)
	for id, at := range p.past.put {
		if p.recent(at) {
			it, _ := p.State.Get(id)
			if it.Record != nil {
				n[cmp.Or(it.Record.Scope, memory.ScopeUser)]++
			}
		}
	}
	return n
}

// limit archives what of the items of a rule is beyond the newest so many.
func (p *planner) limit(r Rule, list []aged) {
	list = slices.DeleteFunc(list, func(it aged) bool {
		return it.Tier != memory.TierHot || Protected(&it.Item) || p.taken[it.ID]
	})
	oldestFirst(list)
	for _, it := range list[:max(0, len(list)-r.MaxHot)] {
		p.plan(&it, Action{Do: Archive, Why: r.Name, Rule: r.Name, Review: r.Review})
	}
}

func oldestFirst(list []aged) {
	slices.SortStableFunc(list, func(a, b aged) int {
		return cmp.Or(a.touch.Compare(b.touch), cmp.Compare(a.Order, b.Order))
	})
}

// plan adds an item to the action that does the same for the same reason. Each item
// that a person is asked about has one of its own.
func (p *planner) plan(it *aged, a Action) {
	p.taken[it.ID] = true
	key := fmt.Sprintf("%s\x00%s\x00%s\x00%s", a.Do, a.To, a.Rule, a.Why)
	if i, ok := p.at[key]; ok && !a.Review {
		p.actions[i].Items = append(p.actions[i].Items, it.Item)
		return
	}
	if !a.Review {
		p.at[key] = len(p.actions)
	}
	a.Items = []memory.Item{it.Item}
	p.actions = append(p.actions, a)
}
