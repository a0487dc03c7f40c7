package scrub

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/text"
)

const (
	mostRare   = 3  // turns that a word may stand in, beside those that go, to count as rare
	mostShared = 20 // turns that are listed
)

// A rareness finds the turns that share a rare word with a text that goes.
type rareness struct {
	words []string // of the texts, sorted
	set   *text.Matcher
	in    map[string][]Shared // the turns that have a word, not more than one too many
}

func newRareness(p *Plan) *rareness {
	r := &rareness{in: make(map[string][]Shared)}
	if len(p.texts) > mostLike {
		return r
	}
	for _, t := range p.texts {
		for _, w := range text.Words(t) {
			if telling(w) {
				r.words = append(r.words, w)
			}
		}
	}
	slices.Sort(r.words)
	r.words = slices.Compact(r.words)
	r.set = text.NewMatcher(r.words...)
	return r
}

// forget leaves out the words that other memories have: those tell of more than what goes.
func (r *rareness) forget(said string) {
	if len(r.words) == 0 {
		return
	}
	others := text.Words(said)
	r.words = slices.DeleteFunc(r.words, func(w string) bool {
		_, ok := slices.BinarySearch(others, w)
		return ok
	})
}

// telling reports whether a word, in small letters, may say something by itself: it has a
// digit, or is no short word and none that sentences are made of.
func telling(w string) bool {
	if strings.ContainsFunc(w, unicode.IsNumber) {
		return utf8.RuneCountInString(w) >= 3
	}
	return utf8.RuneCountInString(w) >= 4 && !slices.Contains(strings.Fields(usual), w)
}

// usual are words that stand in sentences about anything.
const usual = `about above after again also always another anything around away back because been before being below best between both call called calls came change
come comes could does doing done down each else even ever every everything fact file find first from give goes going good great have having help here into
just keep kind know known last later leave left less like likes line list little long look made make makes many maybe mine more most much must name named
need needs never next nothing number once only open other over part place please point prefer prefers project read really right said same says seem send should show
some something soon still stop such sure take tell than thank thanks that their them then there these they thing things think this those though through time today
together under until upon used user users using very want wants week well went were what when where which while will with without word work works would write year
your yours
aber alle alles auch beim dann dass deine dein dies diese dieser doch eine einem einen einer eines etwas fuer haben habe hast hier immer jetzt kann kein keine machen
mein meine mehr mich muss nach nicht noch oder ohne schon sein seine sich sind soll ueber unser unter viel wenn werden wird wurde
avec cette comme dans deux elle encore fait leur mais meme nous pour quand sans sont tout tous tres vous
como cuando desde donde esta este esto hace para pero porque puede sobre solo tambien tiene todo`

// turn takes note of a turn that stays.
func (r *rareness) turn(h session.Header, t session.Turn) {
	if len(r.words) == 0 || h.Copied(t.N) || !r.set.In(t.Content) {
		return
	}
	for _, w := range text.Words(t.Content) {
		if _, ok := slices.BinarySearch(r.words, w); ok && len(r.in[w]) <= mostRare {
			r.in[w] = append(r.in[w], Shared{Ref: turnRef(h.Session, t.N), Word: w, Text: t.Content})
		}
	}
}

// list is the turns, those with the rarest words first, each once.
func (r *rareness) list(similar []Similar) []Shared {
	named := make(map[string]bool)
	for _, s := range similar {
		named[s.Ref] = true
	}
	words := slices.SortedFunc(maps.Keys(r.in), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(r.in[a]), len(r.in[b])), cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	var all []Shared
	for _, w := range words {
		if len(r.in[w]) > mostRare {
			continue
		}
		for _, s := range r.in[w] {
			if !named[s.Ref] && len(all) < mostShared {
				all, named[s.Ref] = append(all, s), true
			}
		}
	}
	return all
}

// rareWords is the rareness of a plan, but for what other memories have.
func rareWords(p *Plan, s *memory.State) *rareness {
	r := newRareness(p)
	for _, it := range s.Items() {
		if !p.ids[it.ID] {
			r.forget(it.Record.Content)
		}
	}
	return r
}
