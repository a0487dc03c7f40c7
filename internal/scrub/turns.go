package scrub

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/text"
)

func turnRef(id string, n int) string { return session.Ref{Session: id, Turn: n}.String() }

// rule is what goes of a conversation.
func (p *Plan) rule() Rule {
	return Rule{
		Holds: p.holds, Within: p.within,
		Turn: func(h session.Header, t session.Turn, scope string) bool {
			return p.whyTurn(h, t, scope) != ""
		},
	}
}

// whyTurn says why a turn goes that does not have the text in it.
func (p *Plan) whyTurn(h session.Header, t session.Turn, scope string) string {
	is := func(of map[memory.Turn]bool) bool {
		return of[memory.Turn{Session: h.Session, N: t.N}] || h.Copied(t.N) && of[memory.Turn{Session: h.CopiedFrom, N: t.N}]
	}
	switch {
	case slices.Contains(p.want.Turns, memory.Turn{Session: h.Session, N: t.N}):
		return WhyNamed
	case is(p.taught):
		return WhyTaught
	case p.isShort(t.Content):
		return WhySays
	case p.want.Scope != nil && scope != "" && p.want.Scope(scope):
		return WhyScope
	}
	return ""
}

// A turnLook looks at the turns of one conversation on the way.
type turnLook struct {
	plan *Plan
	like *likeness
	rare *rareness
	why  map[int]string
}

// turn is the rule of turns that also notes why, and what resembles the texts. It is
// asked of the turns that do not hold a text.
func (l *turnLook) turn(h session.Header, t session.Turn, scope string) bool {
	if why := l.plan.whyTurn(h, t, scope); why != "" {
		l.why[t.N] = why
		return true
	}
	if t.Content == session.Gone {
		return false
	}
	if l.plan.hasShort(t.Content) {
		l.plan.Untouched++
	} else if share, ok := l.like.of(t.Content); ok && !h.Copied(t.N) {
		l.plan.Similar = append(l.plan.Similar, Similar{
			Ref: turnRef(h.Session, t.N), Text: t.Content, Like: share,
			Turn: memory.Turn{Session: h.Session, N: t.N},
		})
	}
	l.rare.turn(h, t)
	return false
}

// hasShort reports whether a text has a short one among its words.
func (p *Plan) hasShort(said string) bool {
	if len(p.short) == 0 {
		return false
	}
	words := text.Words(said)
	for s := range p.short {
		if _, ok := slices.BinarySearch(words, s); ok {
			return true
		}
	}
	return false
}

// mostLike is how many texts are compared with everything there is: with more of
// them nobody would look through what resembles one.
const mostLike = 50

// enough is the share of words from which one text resembles another.
const enough = 0.6

// fewestWords is the least that a text has of words for another to lie within it.
const fewestWords = 3

// A likeness compares texts with those that go.
type likeness struct {
	words [][]string
	most  int // words that a text may have to resemble one
}

func newLikeness(p *Plan) *likeness {
	l := &likeness{}
	if len(p.texts) > mostLike {
		p.Unsearched = true
		return l
	}
	for _, t := range p.texts {
		if w := text.Words(t); len(w) >= fewestWords {
			l.words = append(l.words, w)
			l.most = max(l.most, int(float64(len(w))/enough))
		}
	}
	return l
}

// of is how much a text resembles one that goes, and whether that is enough.
func (l *likeness) of(said string) (share float64, ok bool) {
	const wordSize = 40 // bytes; words are shorter, so that a longer text has too many
	if len(l.words) == 0 || len(said) > (l.most+1)*wordSize {
		return 0, false
	}
	words := text.Words(said)
	for _, w := range l.words {
		s, within := text.Similarity(w, words)
		if s >= enough || within && len(words) >= fewestWords && len(words) <= len(w) {
			share, ok = max(share, s), true
		}
	}
	return share, ok
}

// similarItems finds lines of the logs that have a text in them and do not go, and
// active items that resemble one.
func (e *Eraser) similarItems(ctx context.Context, p *Plan, s *memory.State) error {
	like := newLikeness(p)
	own := s.OwnLog()
	seen := make(map[memory.ID]bool)
	add := func(id memory.ID, text string, share float64, says bool) {
		if !seen[id] {
			seen[id] = true
			p.Similar = append(p.Similar, Similar{Ref: id.String(), Text: text, Like: share, Says: says, ID: id})
		}
	}
	err := e.lines(ctx, own, func(l Log, id memory.ID, rec *memory.Record) {
		if rec.Kind == memory.KindEdit {
			id = rec.Target.In(l.Name).From(own)
		} else if rec.Kind.Changes() {
			return
		}
		if !p.ids[id] && p.Takes(rec.AppendJSON(nil)) {
			it, _ := s.Get(id)
			add(id, it.Record.Content, 1, true)
		}
	}, nil)
	if err != nil {
		return err
	}
	for _, it := range s.Items() {
		if p.ids[it.ID] || seen[it.ID] {
			continue
		}
		if share, ok := like.of(it.Record.Content); ok {
			add(it.ID, it.Record.Content, share, false)
		}
	}
	return nil
}

// sortSimilar brings what is most alike to the front, memories before turns.
func sortSimilar(p *Plan) {
	slices.SortStableFunc(p.Similar, func(a, b Similar) int {
		rank := func(s Similar) int {
			if s.ID.IsZero() {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Like, a.Like))
	})
}
