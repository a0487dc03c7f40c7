package rules

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/text"
)

// A Rule is a rule in force, or a preference or lesson that binds commands.
type Rule struct {
	risk.Rule // its checked form; nothing matches where it can only stand in a prompt

	ID      memory.ID
	Kind    memory.Kind // rule, pref or lesson
	Text    string
	Scope   memory.Scope // "" means everywhere
	From    time.Time    // it holds from then on; zero: always did
	To      time.Time    // and until then; zero: for good
	Stated  time.Time
	Changed time.Time // by the newest line that shaped it
	Origin  memory.Origin
	By      string         // the human act that let it in; "" for the person's own word
	Review  int64          // the proposal that it was; 0 if none
	Source  *memory.Source // where it was said; nil: nowhere
	record  *memory.Record
}

// Ref is how the rule is named to a person: "4".
func (r *Rule) Ref() string { return r.ID.String() }

// Name is its kind and its reference: "rule #4".
func (r *Rule) Name() string { return string(r.Kind) + " #" + r.Ref() }

// PromptOnly reports whether the rule can only stand in a prompt: no command is held
// against it.
func (r *Rule) PromptOnly() bool { return len(r.Match) == 0 }

// Form is what is checked, for people: "git push --force is danger"; "" if nothing is.
func (r *Rule) Form() string {
	if r.PromptOnly() {
		return ""
	}
	return r.Rule.String()
}

// Current reports whether the rule holds at that time.
func (r *Rule) Current(at time.Time) bool {
	return (r.To.IsZero() || at.Before(r.To)) && !at.Before(r.From)
}

// Binds reports whether what is remembered in a kind may be in a set.
func Binds(kind memory.Kind) bool {
	return kind.Is(memory.Checked)
}

// A Set is the rules of one moment, the first stated first.
type Set []Rule

// Of returns the set of a memory: what the person let in, wherever it holds and whenever.
func Of(s *memory.State) Set {
	var set Set
	for n := range s.Len() {
		it := s.Item(n)
		if r, ok := FromItem(it); ok {
			set = append(set, r)
		}
	}
	slices.Reverse(set) // items are the newest first
	return set
}

// FromItem returns an item as a rule; false for one that does not bind or that no
// person let in.
func FromItem(it memory.Item) (Rule, bool) {
	if !it.Active() {
		return Rule{}, false
	}
	d := it.Record.Details()
	raise, checked := LevelOf(d.Raise)
	checked = checked && len(d.Match) > 0
	switch kind := it.Record.Kind; {
	case kind == memory.KindRule:
	case Binds(kind): // they ask, and are never more than that
		if !checked || it.Origin.Rank() > 0 {
			return Rule{}, false
		}
		raise = min(raise, risk.Caution)
	default:
		return Rule{}, false
	}
	r := Rule{
		ID: it.ID, Kind: it.Record.Kind, Text: it.Record.Content, Scope: it.Record.Scope, From: d.ValidFrom,
		To: earliest(d.Expires, d.ValidTo), Stated: it.Record.Time, Changed: it.Changed, Origin: it.Origin,
		By: it.Record.By, Review: it.Record.Review, Source: it.Record.Source, record: it.Record,
	}
	if r.Scope == memory.ScopeUser {
		r.Scope = ""
	}
	if checked {
		r.Rule = risk.Rule{Match: d.Match, Unless: d.Unless, Raise: raise}
	}
	return r, true
}

// LevelOf is the level that a line names as what it raises to; false for none.
func LevelOf(word string) (risk.Level, bool) {
	switch word {
	case risk.Caution.String():
		return risk.Caution, true
	case risk.Danger.String():
		return risk.Danger, true
	}
	return risk.Safe, false
}

// earliest is the first of times that are known.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Get returns the rule of that name.
func (set Set) Get(id memory.ID) (Rule, bool) {
	i := slices.IndexFunc(set, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return set[i], true
}

// says is what a rule comes to, whatever it is called and whoever said it.
func (r *Rule) says() string {
	b, _ := json.Marshal([]any{ // texts and numbers alone
		r.Kind, r.Text, scopeName(r.Scope), moment(r.From), moment(r.To), r.Match, r.Unless, r.Raise,
	})
	return string(b)
}

func moment(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// scopeName is a scope as it is compared: an identity of a repository has no case.
func scopeName(s memory.Scope) string {
	if strings.HasPrefix(string(s), "repo:") {
		return strings.ToLower(string(s))
	}
	return string(s)
}

// Sum names what a set says, whatever its rules are called: 64 hexadecimal digits.
func (set Set) Sum() string {
	list := make([]string, len(set))
	for i := range set {
		list[i] = set[i].says()
	}
	slices.Sort(list)
	sum := sha256.Sum256([]byte(strings.Join(list, "\n")))
	return hex.EncodeToString(sum[:])
}

// Same reports whether two sets say the same.
func (set Set) Same(other Set) bool {
	if len(set) != len(other) {
		return false
	}
	return slices.EqualFunc(set, other, func(a, b Rule) bool { return a.equal(&b) }) || set.Sum() == other.Sum()
}

// equal reports whether two rules say the same.
func (r *Rule) equal(o *Rule) bool {
	return r.Kind == o.Kind && r.Text == o.Text && scopeName(r.Scope) == scopeName(o.Scope) && r.Raise == o.Raise && r.Unless == o.Unless &&
		moment(r.From) == moment(o.From) && moment(r.To) == moment(o.To) && slices.Equal(r.Match, o.Match)
}

// covers reports whether a holds whatever b holds, at least as strictly. False where that
// cannot be seen. spoken is what b.spoken says.
func covers(a, b *Rule, spoken bool) bool {
	switch {
	case a.Scope != "" && scopeName(a.Scope) != scopeName(b.Scope),
		!a.From.IsZero() && a.From.After(b.From),
		!a.To.IsZero() && (b.To.IsZero() || a.To.Before(b.To)),
		b.Kind == memory.KindRule && a.Kind != memory.KindRule,
		!spoken && text.NormalForHash(a.Text) != text.NormalForHash(b.Text):
		return false
	case b.PromptOnly():
		return true
	}
	return !a.PromptOnly() && a.Raise >= b.Raise && (a.Unless == "" || a.Unless == b.Unless) && wider(a.Match, b.Match)
}

// spoken reports whether the checked form of a rule is all that its text says.
func (r *Rule) spoken() bool {
	if r.PromptOnly() {
		return false
	}
	parsed, ok := risk.ParseRule(r.Text)
	return ok && slices.Equal(parsed.Match, r.Match) && parsed.Unless == r.Unless
}

// wider reports whether every command that long is about is one that short is about: it
// begins with the same words and says less.
func wider(short, long []string) bool {
	short, long = unstarred(short), unstarred(long)
	if len(short) == 0 || len(short) > len(long) || bare(short[0]) != bare(long[0]) {
		return false
	}
	return slices.Equal(short[1:], long[1:len(short)])
}

// unstarred is words without the star that ends them.
func unstarred(words []string) []string {
	if n := len(words); n > 0 && words[n-1] == "*" {
		return words[:n-1]
	}
	return words
}

// bare is the name of a program without its directory.
func bare(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// byID orders rules by their names.
func byID(a, b memory.ID) int { return cmp.Or(cmp.Compare(a.Log, b.Log), cmp.Compare(a.N, b.N)) }
