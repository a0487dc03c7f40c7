package synth

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"ken/internal/conflict"
	"ken/internal/distill"
	"ken/internal/frame"
	"ken/internal/memory"
	"ken/internal/redact"
	"ken/internal/termsafe"
	"ken/internal/text"
)

// A Pattern is a draft that passed.
type Pattern struct {
	Kind    memory.Kind // pattern or convention
	Content string      // a line of at most MostRunes
	Scope   memory.Scope
	Cites   []memory.Item // at least Least, oldest first
	// Origin is the least trusted of what it cites, and model at best: a model put it so.
	Origin memory.Origin
	Depth  int // see Cluster
	// Beyond says what of it goes beyond the words of what it cites: the words of its own, and what
	// it puts together. A person decides about that. Nil: each sentence stands in one of them.
	Beyond []string
}

// Refs are the references of what it cites.
func (p *Pattern) Refs() []string { return (&Cluster{Items: p.Cites}).Refs() }

// A Known is what was said before: a memory, or a proposal that waits or was refused.
type Known struct {
	Ref     string // of the memory or proposal
	Content string
	Cites   []memory.ID // what it rests on
	Refused bool        // a person said no to it
}

// A Basis is what drafts are checked against.
type Basis struct {
	Clusters []Cluster // that were shown
	// Stands reports whether an item is still what was shown. Nil: all are.
	Stands func(memory.Item) bool
	Known  []Known
	Rules  []memory.Item // in force where the patterns would hold
	Others []memory.Item // what else is in force there, cited or not
}

// A RejectError says why a draft was refused, for a person, on one line. It holds no text
// of the draft but for single words.
type RejectError struct{ Why string }

func (e *RejectError) Error() string { return e.Why }

func reject(format string, args ...any) error {
	return &RejectError{termsafe.Line(fmt.Sprintf(format, args...))}
}

// Check returns the pattern that a draft comes to; the error is a *RejectError.
func Check(d Draft, b Basis) (Pattern, error) {
	if d.Fault != "" {
		return Pattern{}, reject("%s", d.Fault)
	}
	p := Pattern{Content: strings.TrimSpace(d.Content)}
	if p.Kind, _ = memory.ParseKind(d.Kind); !p.Kind.Is(memory.Derived) {
		return p, reject("a %s is not made of other memories: only a pattern or a convention", excerpt(d.Kind))
	}
	if err := checkForm(p.Content); err != nil {
		return p, err
	}
	if err := p.cite(d, b); err != nil {
		return p, err
	}
	cited := sourcesOf(p.Cites)
	if err := cited.attempts(p.Content); err != nil {
		return p, err
	}
	var err error
	if p.Beyond, err = cited.judge(p.Content); err != nil {
		return p, err
	}
	for _, c := range d.Claims {
		if err := checkClaim(c, p.Cites); err != nil {
			return p, err
		}
	}
	if err := cited.about(p.Content); err != nil {
		return p, err
	}
	for _, it := range p.Cites {
		if text.Normal(it.Record.Content) == text.Normal(p.Content) {
			return p, reject("it says no more than #%s", it.Ref())
		}
	}
	return p, p.fresh(b)
}

// checkForm refuses what is no plain line, or looks like an attempt.
func checkForm(s string) error {
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		return reject("it says nothing")
	case n > MostRunes:
		return reject("it has %d characters, of %d at most", n, MostRunes)
	case strings.ContainsAny(s, "\n\r\u2028\u2029\u0085\v\f"):
		return reject("it is more than one line")
	case termsafe.Clean(s) != s || strings.ContainsFunc(s, func(r rune) bool { return text.Visible(r) < 0 }):
		return reject("it has characters that are not seen")
	case disguised(s):
		return reject("it has letters that are written as other characters")
	case frame.Inert(s) != s || blockHead(s):
		return reject("it begins as a part of a prompt does")
	case redact.Contains(s) || strings.Contains(s, "[masked:"):
		return reject("it holds a secret")
	}
	return nil
}

// attempts refuses what looks like an attempt: what a plain instruction does not have, and an order to
// who reads it, of which no memory speaks.
func (s *sources) attempts(said string) error {
	flags := distill.Suspect(said)
	addresses := slices.ContainsFunc(read(said), func(w word) bool { return table().addressed[w.form] && !s.knows(&w) })
	if addresses && slices.Contains(distill.FlagsOf(said, false), "order") {
		flags = append(flags, "order")
	}
	if len(flags) > 0 {
		return reject("it looks like an attempt (%s)", strings.Join(flags, ", "))
	}
	return nil
}

// disguised reports whether a text has letters for which there are plain ones: 𝐛old, ｗide
// or ⓒircled; or a word of letters of two scripts.
func disguised(s string) bool {
	for _, r := range s {
		if r >= utf8.RuneSelf && unicode.IsOneOf([]*unicode.RangeTable{unicode.L, unicode.N, unicode.So}, r) {
			if plain := norm.NFKC.String(string(r)); plain != string(r) && text.ASCII(plain) {
				return true
			}
		}
	}
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		latin := strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
		if latin && strings.ContainsFunc(w, func(r rune) bool {
			return unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee)
		}) {
			return true
		}
	}
	return false
}

// blockHead reports whether a line begins as what a program reads, or as a turn of somebody.
func blockHead(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	if strings.ContainsRune("[<#>{|-*=_~:$!/", first) || strings.HasPrefix(s, "```") {
		return true
	}
	for _, mark := range []string{"```", "<|", "|>", "</", "CMD:", "GOAL:", "TASK:"} {
		if strings.Contains(s, mark) {
			return true
		}
	}
	who, _, ok := strings.Cut(text.Fold(s), ":")
	switch strings.TrimSpace(who) {
	case "system", "assistant", "user", "developer", "tool", "human", "ai", "instruction", "instructions", "prompt",
		"rule", "rules", "note to assistant":
		return ok
	}
	return false
}

// cite resolves what a draft cites: all of it was shown in one cluster and stands.
func (p *Pattern) cite(d Draft, b Basis) error {
	at := -1
	for i, ref := range d.Cites {
		if slices.Contains(d.Cites[:i], ref) {
			return reject("it cites #%s twice", excerpt(ref))
		}
		c, n := find(b.Clusters, ref)
		switch {
		case c < 0:
			return reject("it cites #%s, which was not shown", excerpt(ref))
		case at >= 0 && c != at:
			return reject("it cites #%s, which is of another cluster", excerpt(ref))
		}
		it := b.Clusters[c].Items[n]
		if b.Stands != nil && !b.Stands(it) {
			return reject("it cites #%s, which was forgotten or changed meanwhile", excerpt(ref))
		}
		at = c
		p.Cites = append(p.Cites, it)
		p.Origin = p.Origin.Lowest(it.Origin)
	}
	slices.SortFunc(p.Cites, older)
	if len(p.Cites) < Least || Sources(p.Cites) < LeastSources {
		return reject("it cites %d memories of %d sources: at least %d of %d", len(p.Cites), Sources(p.Cites), Least, LeastSources)
	}
	p.Scope, p.Depth = b.Clusters[at].Scope, b.Clusters[at].Depth
	p.Origin = p.Origin.Lowest(memory.OriginModel)
	return nil
}

// find is where an item was shown; -1 if it was not.
func find(list []Cluster, ref string) (cluster, item int) {
	for i := range list {
		if n := slices.IndexFunc(list[i].Items, func(it memory.Item) bool { return it.Ref() == ref }); n >= 0 {
			return i, n
		}
	}
	return -1, -1
}

// checkClaim checks a claim against what it cites, of what the draft does. It is shown to nobody, so
// that it goes beyond that is no matter.
func checkClaim(c Claim, all []memory.Item) error {
	if utf8.RuneCountInString(c.Text) > MostRunes {
		return reject("a claim has more than %d characters", MostRunes)
	}
	list := all
	if len(c.Cites) > 0 {
		list = nil
	}
	for _, ref := range c.Cites {
		i := slices.IndexFunc(all, func(it memory.Item) bool { return it.Ref() == ref })
		if i < 0 {
			return reject("a claim cites #%s, which the draft does not", excerpt(ref))
		}
		list = append(list, all[i])
	}
	cited := sourcesOf(list)
	if _, err := cited.judge(c.Text); err != nil {
		return err
	}
	return cited.about(c.Text)
}

// fresh refuses what is known, was refused, or is against a rule.
func (p *Pattern) fresh(b Basis) error {
	for _, k := range b.Known {
		if slices.ContainsFunc(p.Cites, func(it memory.Item) bool { return k.Ref == "#"+it.Ref() }) {
			continue // a pattern of patterns has words of each
		}
		switch same := Same(p.Content, k.Content); {
		case same && k.Refused:
			return reject("you refused it (%s)", k.Ref)
		case same:
			return reject("it is known (%s)", k.Ref)
		case k.Refused && len(k.Cites) > 0 && p.within(k.Cites):
			return reject("you refused what these memories come to (%s)", k.Ref)
		}
	}
	for _, it := range b.Rules {
		if v, why := conflict.Compare(p.Content, it.Record.Content); v == conflict.Contradicts {
			return reject("it is against rule #%s (%s)", it.Ref(), why)
		}
	}
	for _, it := range b.Others {
		if slices.ContainsFunc(p.Cites, func(c memory.Item) bool { return c.ID == it.ID }) {
			continue
		}
		if why, ok := against(p.Content, it.Record.Content, nil); ok {
			return reject("#%s says otherwise (%s)", it.Ref(), why)
		}
	}
	return nil
}

// within reports whether a pattern cites nothing but these.
func (p *Pattern) within(cites []memory.ID) bool {
	return !slices.ContainsFunc(p.Cites, func(it memory.Item) bool { return !slices.Contains(cites, it.ID) })
}

// nearlySame is the share of the words with a meaning that two texts have in common that
// say the same.
const nearlySame = 0.7

// Same reports whether two texts say the same, as far as their words show it.
func Same(x, y string) bool {
	if text.Normal(x) == text.Normal(y) {
		return true
	}
	a, b := stems(read(x)), stems(read(y))
	share, _ := text.Similarity(sorted(a), sorted(b))
	if share < nearlySame {
		v, _ := conflict.Compare(x, y)
		return v == conflict.Same
	}
	return !differ(x, y)
}

// differ reports whether two texts deny different things.
func differ(x, y string) bool {
	n := func(s string) (no int) {
		for _, w := range meaning(read(s)) {
			if w.denied != said || w.bad {
				no++
			}
		}
		return no
	}
	return (n(x) > 0) != (n(y) > 0)
}

// excerpt is a piece of somebody's text, short enough for a line.
func excerpt(s string) string {
	const most = 40
	s = termsafe.Line(s)
	if text.CutRunes(s, most) != s {
		return text.CutRunes(s, most-1) + "…"
	}
	return s
}
