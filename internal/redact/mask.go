package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"ken/internal/redact/chars"
	"ken/internal/redact/literals"
)

// A Hit is one secret that was found.
type Hit struct {
	// Kind names what it is in lower-case letters, digits and hyphens:
	// "password", "github-token", "card", "private-key", ...
	Kind string
	// Start and End are byte offsets into the text that was given to Mask.
	Start, End int
}

// A Masker replaces secrets by placeholders. It is safe for use by several
// goroutines.
type Masker struct {
	key   []byte
	known *literals.Set // nil: nothing
	// knows are those that known is made of.
	knows []literals.Secret
}

// New returns a Masker whose placeholders are keyed by key, the person's own
// (LoadKey). With an empty key it works as well, but anybody can then test a
// guess against a placeholder.
func New(key []byte) *Masker { return &Masker{key: slices.Clone(key)} }

// Knowing returns a Masker with the placeholders of m that also masks the secrets
// given wherever they stand, as they are, disguised or encoded, in streams too, without
// what made them known, and those that m knows; those left out that literals.Telling does
// not know again and that are no keys.
func (m *Masker) Knowing(secrets []literals.Secret) *Masker {
	all := slices.Concat(m.knows, secrets)
	return &Masker{key: m.key, known: literals.NewSet(all), knows: all}
}

// Mask returns s with each secret replaced by its placeholder, and where the
// secrets were, in order and without overlap; s itself and nil if there are
// none. Bytes outside the hits are unchanged, whatever they are.
func (m *Masker) Mask(s string) (string, []Hit) {
	hits := m.settle(s, m.find(s))
	if len(hits) == 0 {
		return s, nil
	}
	if again := repeats(s, hits); len(again) > 0 {
		hits = m.settle(s, sorted(append(hits, again...)))
	}
	return m.replace(s, hits), hits
}

// maxRepeats is how many different secrets of a text are looked for again.
const maxRepeats = 64

// repeats returns where secrets of hits stand in s once more, without what made
// them known. Only long ones with a digit count: others may be words.
func repeats(s string, hits []Hit) []Hit {
	var out []Hit
	seen := map[string]bool{}
	for _, h := range hits {
		secret := s[h.Start:h.End]
		if len(secret) < 8 || chars.ShapeOf(secret).Digit == 0 || seen[secret] || len(seen) == maxRepeats {
			continue
		}
		seen[secret] = true
		for i := 0; ; {
			k := strings.Index(s[i:], secret)
			if k < 0 {
				break
			}
			found := Hit{h.Kind, i + k, i + k + len(secret)}
			if !overlaps(found, hits) && !overlaps(found, out) {
				out = append(out, found)
			}
			i = found.End
		}
	}
	return out
}

func overlaps(h Hit, hits []Hit) bool {
	return slices.ContainsFunc(hits, func(o Hit) bool { return o.Start < h.End && h.Start < o.End })
}

func sorted(hits []Hit) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int { return a.Start - b.Start })
	return hits
}

// maxRounds bounds how often a masked text is looked at again. Texts that need
// more than two are made for it. After the first wholeFrom rounds each find is taken to its end
// (toEnd), as what is left by then is one long value, found a piece a round.
const (
	maxRounds = 16
	wholeFrom = 7
)

// settle returns hits, the first finds in s, with all that is found only when
// placeholders stand in their place: a placeholder makes new neighbours, so what
// follows it may begin a word that it did not begin before.
func (m *Masker) settle(s string, hits []Hit) []Hit {
	for round := range maxRounds {
		if len(hits) == 0 {
			break
		}
		masked := m.replace(s, hits)
		more := m.findAround(masked, hits)
		if len(more) == 0 {
			break
		}
		if round >= wholeFrom {
			toEnd(masked, more)
		}
		hits = m.merge(hits, more)
	}
	return hits
}

// toEnd has each hit reach up to the next blank or placeholder: what is still found after some rounds is
// a value without an end, of which each round takes a piece. Behind the placeholder it may go on.
func toEnd(masked string, hits []Hit) {
	for i := range hits {
		h := &hits[i]
		rest := masked[h.End:]
		if n := strings.IndexAny(rest, " \t\r\n"); n >= 0 {
			rest = rest[:n]
		}
		before, _, _ := strings.Cut(rest, "[masked:")
		if h.End += len(before); i+1 < len(hits) {
			h.End = min(h.End, hits[i+1].Start)
		}
	}
}

// findAround is find for a text with placeholders for hits in it, of which the text
// far from them was looked at before.
func (m *Masker) findAround(masked string, hits []Hit) []Hit {
	places, shift := make([]stretch, 0, len(hits)), 0
	for _, h := range hits {
		start := h.Start + shift
		shift += chars.PlaceholderLen(h.Kind) - (h.End - h.Start)
		places = append(places, stretch{start, h.End + shift})
	}
	f := newFinder(masked)
	f.known, f.near = m.known, aroundOf(masked, places)
	return f.run()
}

// Contains reports whether Mask would find a secret in s.
func Contains(s string) bool { return len(new(Masker).find(s)) > 0 }

// replace returns s with a placeholder for each hit.
func (m *Masker) replace(s string, hits []Hit) string {
	var b strings.Builder
	b.Grow(len(s))
	last := 0
	for _, h := range hits {
		if h.Start = max(h.Start, last); h.Start >= h.End {
			continue // hits do not overlap: one that did would not end the program
		}
		b.WriteString(s[last:h.Start])
		b.WriteString(m.placeholder(h.Kind, s[h.Start:h.End]))
		last = h.End
	}
	b.WriteString(s[last:])
	return b.String()
}

// merge adds to hits, offsets into the first text, those that were found in the
// text with the placeholders of hits in it. A find never overlaps a placeholder.
func (m *Masker) merge(hits, found []Hit) []Hit {
	all := slices.Clone(hits)
	for _, f := range found {
		// shift is how much longer the text before f became.
		shift := 0
		for _, h := range hits {
			if h.Start+shift >= f.Start {
				break
			}
			shift += chars.PlaceholderLen(h.Kind) - (h.End - h.Start)
		}
		all = append(all, Hit{Kind: f.Kind, Start: f.Start - shift, End: f.End - shift})
	}
	return sorted(all)
}

// placeholder stands for secret: the digits are the head of an HMAC, so that a
// reader can tell whether two placeholders hide the same text, and nobody
// without the key can try guesses.
func (m *Masker) placeholder(kind, secret string) string {
	if v, ok := chars.NewView(secret); ok {
		secret = v.Text
	}
	mac := hmac.New(sha256.New, m.key)
	mac.Write([]byte(secret))
	return chars.PlaceholderHead + kind + ":" + hex.EncodeToString(mac.Sum(nil)[:2]) + "]"
}
