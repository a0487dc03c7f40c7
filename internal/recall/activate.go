package recall

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"ken/internal/frame"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/text"
	"ken/internal/tokens"
)

// The lines around what is activated for a message.
const (
	ActivationHeader = frame.Memories + " (recalled for this message, which follows them; notes to go by, not part of it)"
	ActivationEnd    = frame.MemoriesEnd
)

// PartBefore is the share of a score that the question before gives, with which this
// one goes on; see FollowOf.
const PartBefore PartName = "before"

// The parameters of an activation.
const (
	// floorOfBest is the least share of the best score of a search that another hit needs to be
	// activated. On the questions of bench/projects, 0.25 calls up as many wrong items as right
	// ones; see docs/recall.md.
	floorOfBest = 0.45
	// floorArchived is the same for an archived item, which has 0.3 of its score.
	floorArchived = 0.25
	// floorShare is the least share of the weight of the question's words that an item needs to be
	// activated. Search shows more: a person sees the list and chooses, while a model takes
	// everything it is given for meant.
	floorShare = 0.25
	// floorWords is how many average words of a longer message are enough instead: a
	// little less than one, since the one that counts may be less rare than others.
	floorWords = 0.9
	// Deepest is how many hits of a search are looked at.
	Deepest = 200
	// MostPassed is how many items an activation names that it passed over.
	MostPassed = 20
)

// Reasons for which only an activation passes an item over.
const (
	BelowFloor Reason = "below the floor"
	TooMany    Reason = "as many as allowed"
)

// An ActivationRequest says what an activation is for.
type ActivationRequest struct {
	// Query has the place of the person, the time and the budget. Tokens is the budget of the whole
	// block. Strategy is not read.
	Query
	Text string // the question, and what it is for
	// Search looks for it; nil means the function Search. A part that it adds without a word of
	// Text is PartBefore.
	Search func(context.Context, []*index.Corpus, Question) ([]Hit, error)
	Items  int // most items; 0 or less: none
	// Item finds an active item by its reference; required.
	Item func(ref string) (memory.Item, bool)
	// Fuse adds to the hits what is near in meaning, in the scopes that keep takes. nil adds
	// nothing. See the function Fuse.
	Fuse func(hits []Hit, keep func(memory.Scope) bool) []Hit
	// Used is the Used of a Question.
	Used func(corpus int, doc int32) bool
	// Standing is the start-up block of the conversation. What is in it is not said twice.
	Standing Choice
}

// An Activated item is an item that a question called up, with its line in the block.
type Activated struct {
	Item   memory.Item
	Line   string // as in the block, without line end; "" in Standing
	Tokens int    // of the line with its line end
	Score  float64
	Parts  []Part // sum to Score, added up in their order
}

// A Passed item is an item that a question called up and that was left out.
type Passed struct {
	Item   memory.Item
	Reason Reason
	Score  float64
	Parts  []Part // as in Activated
}

// An Activation is what was chosen for one question.
type Activation struct {
	Chosen []Activated // best first
	// Standing are hits that stand in the start-up block already, best first.
	Standing []Activated
	Passed   []Passed // at most MostPassed, best first
	Tokens   int      // of the whole block; 0 if nothing was chosen
	// MostTokens and MostItems are the budgets.
	MostTokens, MostItems int
	// At and Uses are those of the request.
	At, Uses time.Time
}

// Activate chooses from the corpora what a question calls for. Only active items of the memory
// count. An empty activation is a normal answer. The error is that of Search. If it wraps
// index.ErrChanged, the activation is good except for what changed.
func Activate(ctx context.Context, corpora []*index.Corpus, n ActivationRequest) (Activation, error) {
	a := Activation{MostTokens: max(n.Tokens, 0), MostItems: max(n.Items, 0), At: n.At, Uses: n.Uses}
	elsewhere := false
	hits, changed := n.search(ctx, corpora, Deepest, func(scope memory.Scope) bool {
		here := n.scopeReason(scope) == ""
		elsewhere = elsewhere || !here
		return here
	})
	if changed != nil && !errors.Is(changed, index.ErrChanged) {
		return a, changed
	}
	if n.Fuse != nil {
		hits = n.Fuse(hits, func(scope memory.Scope) bool { return n.scopeReason(scope) == "" })
	}
	found := n.weigh(hits)
	a.choose(n, found)
	if elsewhere && len(a.Passed) < MostPassed {
		others, err := n.search(ctx, corpora, MostPassed-len(a.Passed), func(scope memory.Scope) bool { return n.scopeReason(scope) != "" })
		if err != nil {
			changed = err // what was chosen is chosen
		}
		for _, f := range n.weigh(others) {
			a.pass(f, n.refuses(&f.Item))
		}
		slices.SortStableFunc(a.Passed, func(x, y Passed) int { return cmp.Compare(y.Score, x.Score) })
	}
	return a, changed
}

// Refuses returns the reason why an item may not stand in a prompt here and now, whatever the
// question is; "" if it may.
func (q Query) Refuses(it memory.Item) Reason { return q.refuses(&it) }

// search looks for items of the scopes that keep takes.
func (n *ActivationRequest) search(ctx context.Context, corpora []*index.Corpus, k int, keep func(memory.Scope) bool) ([]Hit, error) {
	q := Question{Text: n.Text, K: k, At: n.At, LastUse: n.LastUse, Used: n.Used, Keep: func(c *index.Corpus, r *index.Row) bool {
		return r.Flags&(index.Turn|index.Command) == 0 && keep(memory.Scope(c.Name(r.Scope)))
	}}
	if n.Holds != nil {
		q.Holds = func(scope string) bool { return n.Holds(memory.Scope(scope)) }
	}
	if n.Search != nil {
		return n.Search(ctx, corpora, q)
	}
	return Search(ctx, corpora, q)
}

// weigh are the hits, with the items as the state has them.
func (n *ActivationRequest) weigh(hits []Hit) []Activated {
	var found []Activated
	for _, h := range hits {
		if it, ok := n.Item(h.Ref); ok { // else it went meanwhile
			found = append(found, Activated{Item: it, Score: h.Score, Parts: h.Parts})
		}
	}
	return found
}

// choose takes of what was found, best first, as much as there is room for.
func (a *Activation) choose(n ActivationRequest, found []Activated) {
	standing := make(map[memory.ID]bool, len(n.Standing.Chosen))
	for _, p := range n.Standing.Chosen {
		standing[p.Item.ID] = true
	}
	left := a.MostTokens - tokens.Estimate(ActivationHeader+"\n") - tokens.Estimate(ActivationEnd+"\n")
	guests := left / 2 // what others said gets no more
	best, before, least := bestOf(found), 0.0, leastCoverage(n.Text)
	for i := range found {
		before = max(before, found[i].part(PartBefore))
	}
	for _, f := range found {
		reason := n.refuses(&f.Item)
		floor := floorOfBest
		if reason == Archived {
			reason, floor = "", floorArchived // it weighs less, and that is all
		}
		// What went with the question before still does, by the same floor.
		was := f.part(PartBefore)
		goesOn := was > 0 && was >= floor*before
		few := f.part(partCoverage) < least && f.part(partMeaning) == 0
		if reason == "" && !goesOn && (unordered(f.Score, f.Parts) < floor*best || few) {
			reason = BelowFloor
		}
		if reason == "" && standing[f.Item.ID] {
			a.Standing = append(a.Standing, f)
			continue
		}
		if reason == "" {
			reason = a.take(n, f, &left, &guests)
		}
		a.pass(f, reason)
	}
	for len(a.Chosen) > 0 && tokens.Estimate(a.Block()) > a.MostTokens {
		last := len(a.Chosen) - 1 // lines that meet may be one token more
		f := a.Chosen[last]
		a.Chosen = a.Chosen[:last]
		a.Passed = slices.Insert(a.Passed, 0, Passed{f.Item, OverBudget, f.Score, f.Parts})
		a.Passed = a.Passed[:min(len(a.Passed), MostPassed)]
	}
	if len(a.Chosen) > 0 {
		a.Tokens = tokens.Estimate(a.Block())
	}
}

// bestOf is the best score, without what meaning adds: a model must not put out
// what words alone would let in. Where nothing has words it is meaning's.
func bestOf(found []Activated) float64 {
	best, all := 0.0, 0.0
	for _, f := range found {
		words := unordered(f.Score, f.Parts)
		for _, p := range f.Parts {
			if p.Name == partMeaning {
				words -= p.Score
			}
		}
		best, all = max(best, words), max(all, f.Score)
	}
	if best <= 1e-9*all {
		return all
	}
	return best
}

// leastCoverage returns what an item's part for coverage has to be at least: nothing
// beyond the floor of a search where words are not set apart, since there what
// carries no meaning ("where is") is as rare as what does; nor of several lines,
// such as a question and what it is for, which are about several things.
func leastCoverage(question string) float64 {
	if strings.Contains(strings.TrimSpace(question), "\n") {
		return 0
	}
	asked := 0.0 // how many words, each as far as it says what it is about
	for _, t := range index.Terms(question) {
		if strings.ContainsFunc(t.Text, text.Dense) {
			return 0
		}
		if t.Form == index.Stem {
			asked += entryOf(t.Text).says
		}
	}
	return DefaultWeights()[coverage] * min(floorShare, floorWords/max(asked, 1))
}

// part is a part of the score.
func (f *Activated) part(name PartName) float64 { return partOf(f.Parts, name) }

// unordered is a score without what puts the words first: that orders hits, and is no
// reason to leave out the second, nor a measure for how near another one is.
func unordered(score float64, parts []Part) float64 {
	first := partOf(parts, partEvery) + partOf(parts, partTyped) + partOf(parts, partBrief)
	if partOf(parts, PartArchive) != 0 {
		first *= 1 + DefaultWeights()[archive]
	}
	return score - first
}

// partOf is a part of a score; 0 if it is not among them.
func partOf(parts []Part, name PartName) float64 {
	for _, p := range parts {
		if p.Name == name {
			return p.Score
		}
	}
	return 0
}

// take chooses an item, or says why not.
func (a *Activation) take(n ActivationRequest, f Activated, left, guests *int) Reason {
	f.Line = n.activatedLine(&f.Item)
	f.Tokens = tokens.Estimate(f.Line + "\n")
	switch {
	case f.Line == "":
		return unspeakable
	case len(a.Chosen) >= a.MostItems:
		return TooMany
	case tokens.Estimate(ActivationHeader+"\n")+f.Tokens+tokens.Estimate(ActivationEnd+"\n") > a.MostTokens:
		return largerThan
	case f.Tokens > *left, foreign(&f.Item) && f.Tokens > *guests:
		return OverBudget
	}
	a.Chosen = append(a.Chosen, f)
	*left -= f.Tokens
	if foreign(&f.Item) {
		*guests -= f.Tokens
	}
	return ""
}

// pass notes an item that was left out, as long as there is room.
func (a *Activation) pass(f Activated, reason Reason) {
	if reason != "" && len(a.Passed) < MostPassed {
		a.Passed = append(a.Passed, Passed{f.Item, reason, f.Score, f.Parts})
	}
}

// Block returns the text that stands before the message: header, one line per item, and
// the end, without a final line end; "" if nothing was chosen.
func (a Activation) Block() string { return a.Behind(Choice{}) }

// Behind is Block with the items of c in front of its own. It is for a caller that has no
// other place for them.
func (a Activation) Behind(c Choice) string {
	if len(c.Chosen)+len(a.Chosen) == 0 {
		return ""
	}
	lines := []string{ActivationHeader}
	for _, p := range c.Chosen {
		lines = append(lines, p.Line)
	}
	for _, f := range a.Chosen {
		lines = append(lines, f.Line)
	}
	return strings.Join(append(lines, ActivationEnd), "\n")
}

// activatedLine is the one line of an item, "- (fact, 2026-05-13, user) text";
// "" if nothing printable is left of it.
func (n *ActivationRequest) activatedLine(it *memory.Item) string {
	text := strings.TrimSpace(termsafe.Line(it.Record.Content))
	if text == "" {
		return ""
	}
	date := "no date"
	if !it.Record.Time.IsZero() {
		date = it.Record.Time.UTC().Format(time.DateOnly)
	}
	about := []string{string(it.Record.Kind), date, string(cmp.Or(it.Record.Scope, memory.ScopeUser))}
	if foreign(it) {
		about = append(about, "external")
	}
	line := "- (" + termsafe.Line(strings.Join(about, ", ")) + ") " + text
	if n.Mask != nil {
		line = termsafe.Line(n.Mask(line))
	}
	return line
}

// mostShared is how many words Shared gives.
const mostShared = 6

// Shared returns the first few words of a question that an item has, in their order and in one
// spelling.
func Shared(question string, it memory.Item) []string {
	has := make(map[index.Term]bool)
	d := index.Document{Content: it.Record.Content, Tags: it.Record.Tags, Key: it.Record.Key}
	d.Count(func(t index.Term, _ [index.Fields]uint16) { has[t] = true })
	var words []string
	for _, t := range index.Terms(question) {
		if t.Form == index.Word && len(words) < mostShared && slices.ContainsFunc(index.Terms(t.Text), func(t index.Term) bool { return has[t] }) {
			words = append(words, t.Text)
		}
	}
	return words
}
