package recall

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ken/internal/frame"
	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/tokens"
)

// BackgroundHeader is the first line of the start-up block.
const BackgroundHeader = frame.Background + " (memory loaded at startup; managed via :memory)"

// RulesHeader is the first line of the rules alone.
const RulesHeader = frame.Rules + " (the user's own; managed via :memory)"

// A Strategy orders the items of the start-up block.
type Strategy string

// The strategies. Rank orders by scope, kind, pinned, last use and time;
// Recency is newest first and nothing else.
const (
	Rank    Strategy = "rank"
	Recency Strategy = "recency"
)

// A Query says what a start-up block is chosen for.
type Query struct {
	// Holds reports whether a scope applies where the person stands. It is
	// asked for every scope but user's; nil means that only those hold.
	Holds func(memory.Scope) bool
	// Disabled reports whether items of a scope are left out although they
	// hold; nil: none are.
	Disabled func(memory.Scope) bool
	// At is the time at which items must be true; zero asks nothing of time.
	At time.Time
	// Tokens is the most that the block may cost, in tokens of
	// tokens.Estimate, header included. 0 or less: no block.
	Tokens int
	// Strategy is Rank if empty.
	Strategy Strategy
	// LastUse returns when an item was last used; nil: never.
	LastUse func(ref string) time.Time
	// Uses is up to when LastUse knows of uses; zero: nobody said.
	Uses time.Time
	// Mask puts placeholders in the place of secrets, which an item may hold if
	// a person insisted. It is applied before a line is counted, since a
	// placeholder may be longer than what it hides; nil: lines stay as they are.
	Mask func(string) string
}

// A Pick is a chosen item and the line it became.
type Pick struct {
	Item   *memory.Item // one of those given to Background
	Line   string       // as in the block, without line end
	Tokens int          // of the line with its line end
}

// A Reason says in a word or two why an item was passed over.
type Reason string

// Reasons for passing an item over.
const (
	NotHere     Reason = "other scope"
	disabled    Reason = "scope switched off"
	notNow      Reason = "not valid now"
	Archived    Reason = "archived"
	OverBudget  Reason = "budget used up"
	largerThan  Reason = "larger than the budget"
	unspeakable Reason = "no printable text"
)

// A Pass is an item that was left out.
type Pass struct {
	Item   *memory.Item // one of those given to Background
	Reason Reason
}

// A Choice is what a start-up block was made of.
type Choice struct {
	Chosen []Pick
	Passed []Pass
	Tokens int // of the whole block; 0 if nothing was chosen
	Budget int // the most that it might have been, in tokens
	// Fit is how many items may stand in a block here and now, those chosen included;
	// Archived how many more there are that hold here and are archived.
	Fit, Archived int
}

// Background chooses the start-up block from active items, which it expects
// newest first as memory.State.Items gives them.
//
// With Recency the block is exactly the newest items up to the budget, but that
// items of external origin get no more than half of it in either. With
// Rank a smaller item may still fit after a larger one did not, unless mostMisses
// of them did not. An item that alone is larger than the budget is passed over in
// both.
func Background(items []memory.Item, q Query) Choice {
	c := Choice{Budget: max(q.Tokens, 0)}
	// Items are large and may be many: they are ordered by pointer.
	fit := make([]candidate, 0, len(items))
	for i := range items {
		it := &items[i]
		if r := q.refuses(it); r != "" {
			if r == Archived {
				c.Archived++
			}
			c.Passed = append(c.Passed, Pass{it, r})
			continue
		}
		fit = append(fit, candidate{Item: it})
	}
	c.Fit = len(fit)
	if q.Strategy != Recency {
		q.rank(fit)
	}
	fill := newFilling(&c, q)
	for i, f := range fit {
		if fill.add(f.Item) {
			continue
		}
		for _, f := range fit[i+1:] {
			c.Passed = append(c.Passed, Pass{f.Item, OverBudget})
		}
		break
	}
	fill.end()
	return c
}

// mostMisses is after how many items in a row that did not fit nobody looks for a
// smaller one any more: it would be one that is hardly wanted.
const mostMisses = 64

// A filling is a block in the making.
type filling struct {
	q            Query
	c            *Choice
	head         int // what the header costs
	left, guests int // how much there is room for, and for what others said
	full         bool
	misses       int
}

func newFilling(c *Choice, q Query) *filling {
	f := &filling{q: q, c: c, head: tokens.Estimate(BackgroundHeader + "\n")}
	f.left = q.Tokens - f.head
	f.guests = f.left / 2 // what others said gets no more
	return f
}

// add takes the item into the block, or passes it over. It reports whether another
// one may fit.
func (f *filling) add(it *memory.Item) bool {
	pass := func(r Reason) bool {
		f.c.Passed = append(f.c.Passed, Pass{it, r})
		f.misses++
		return f.left >= shortest && !f.full && f.misses < mostMisses
	}
	if f.left < shortest {
		return pass(OverBudget)
	}
	line := f.q.line(it)
	n := tokens.Estimate(line + "\n")
	switch {
	case line == "":
		return pass(unspeakable)
	case f.head+n > f.q.Tokens:
		return pass(largerThan)
	case n > f.left:
		f.full = f.q.Strategy == Recency
		return pass(OverBudget)
	case foreign(it) && n > f.guests:
		return pass(OverBudget)
	}
	f.c.Chosen = append(f.c.Chosen, Pick{it, line, n})
	f.left, f.misses = f.left-n, 0
	if foreign(it) {
		f.guests -= n
	}
	return true
}

func (f *filling) end() {
	if len(f.c.Chosen) > 0 {
		f.c.Tokens = tokens.Estimate(f.c.Block())
	}
}

// foreign reports whether an item was said by somebody outside: in a log that
// came with a repository, mostly. The person let it in, but however much there
// is of it, it must not crowd out what they said themselves.
func foreign(it *memory.Item) bool { return it.Origin.Rank() >= memory.OriginExternal.Rank() }

// shortest is a lower bound of what a line costs, in tokens: the eight
// characters of "- (x) y" and its line end, at four a token. With less left
// there is no need to look at an item's text.
const shortest = 2

// Block returns the text of the choice: the header and one line per item, without a
// final line end; "" if nothing was chosen.
func (c Choice) Block() string { return c.under(BackgroundHeader) }

func (c Choice) under(head string) string {
	if len(c.Chosen) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(head)
	for _, p := range c.Chosen {
		b.WriteByte('\n')
		b.WriteString(p.Line)
	}
	return b.String()
}

// Binding is what of the choice binds: rules, and what raises the level of a command. Nothing of it was passed
// over.
func (c Choice) Binding() Choice {
	b := Choice{Budget: c.Budget}
	for _, p := range c.Chosen {
		if p.Item.Record.Kind == memory.KindRule || p.Item.Record.Details().Raise != "" {
			b.Chosen = append(b.Chosen, p)
		}
	}
	if len(b.Chosen) > 0 {
		b.Tokens = tokens.Estimate(b.Rules())
	}
	return b
}

// Always is what of the choice goes with every question, whatever it is about: rules, and what is pinned. Nothing of it was passed
// over.
func (c Choice) Always() Choice {
	b := Choice{Budget: c.Budget}
	for _, p := range c.Chosen {
		if p.Item.Record.Kind == memory.KindRule || p.Item.Pinned {
			b.Chosen = append(b.Chosen, p)
		}
	}
	return b
}

// Rules returns the text of the choice as one of rules: see Block.
func (c Choice) Rules() string { return c.under(RulesHeader) }

// refuses gives the reason for which it may not stand in the block at all.
func (q Query) refuses(it *memory.Item) Reason {
	if r := q.scopeReason(it.Record.Scope); r != "" {
		return r
	}
	switch {
	case !it.Current(q.At):
		return notNow
	case it.Tier == memory.TierArchive && !it.Pinned:
		return Archived
	}
	return ""
}

// scopeReason gives the reason for which nothing of a scope may stand in a prompt.
func (q Query) scopeReason(scope memory.Scope) Reason {
	here := scope == "" || scope == memory.ScopeUser || q.Holds != nil && q.Holds(scope)
	switch {
	case !here:
		return NotHere
	case q.Disabled != nil && q.Disabled(cmp.Or(scope, memory.ScopeUser)):
		return disabled
	}
	return ""
}

// A candidate is an item that may stand in the block.
type candidate struct {
	*memory.Item
	used time.Time // last; zero if never
}

// rank brings the more wanted items to the front. Equal ones keep the order of
// Items: newest first, of two at the same time the later line.
func (q Query) rank(fit []candidate) {
	if q.LastUse != nil {
		for i := range fit {
			fit[i].used = q.LastUse(fit[i].Ref())
		}
	}
	slices.SortStableFunc(fit, func(a, b candidate) int {
		if c := cmp.Compare(scopeRank(a.Item), scopeRank(b.Item)); c != 0 {
			return c
		}
		if c := cmp.Compare(kindRank(a.Record.Kind), kindRank(b.Record.Kind)); c != 0 {
			return c
		}
		if a.Pinned != b.Pinned {
			if a.Pinned {
				return -1
			}
			return 1
		}
		return b.used.Compare(a.used)
	})
}

// scopeRank puts what was said about this place before what holds everywhere.
func scopeRank(it *memory.Item) int {
	if it.Record.Scope == "" || it.Record.Scope == memory.ScopeUser {
		return 1
	}
	return 0
}

// kindRank puts what binds before what informs: rules, then preferences and
// conventions, then all else alike.
func kindRank(k memory.Kind) int {
	switch {
	case k == memory.KindRule:
		return 0
	case k.Is(memory.Leads):
		return 1
	}
	return 2
}

// line is the one line an item becomes, "- (fact) text", on which a text of
// several lines is one line; "" if nothing printable is left of it. What others
// said is marked: "- (fact, external) text".
func (q Query) line(it *memory.Item) string {
	text := strings.TrimSpace(termsafe.Line(it.Record.Content))
	if text == "" {
		return ""
	}
	kind := termsafe.Line(string(it.Record.Kind))
	if foreign(it) {
		kind += ", external"
	}
	line := "- (" + kind + ") " + text
	if q.Mask != nil {
		line = termsafe.Line(q.Mask(line))
	}
	return line
}

// Elsewhere reports whether the item was left out because it does not apply
// here and now, rather than for want of room.
func (r Reason) Elsewhere() bool { return r == NotHere || r == disabled || r == notNow }
