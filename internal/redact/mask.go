package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
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
	key []byte
}

// New returns a Masker whose placeholders are keyed by key, the person's own
// (LoadKey). With an empty key it works as well, but anybody can then test a
// guess against a placeholder.
func New(key []byte) *Masker { return &Masker{key: slices.Clone(key)} }

// Mask returns s with each secret replaced by its placeholder, and where the
// secrets were, in order and without overlap; s itself and nil if there are
// none. Bytes outside the hits are unchanged, whatever they are.
func (m *Masker) Mask(s string) (string, []Hit) {
	hits := find(s)
	if len(hits) == 0 {
		return s, nil
	}
	out := m.replace(s, hits)
	// A placeholder makes new neighbours, and what was hidden under an
	// overlapping find may now stand alone: go on until nothing is found.
	// Each round leaves fewer bytes that are not part of a placeholder.
	for {
		more := find(out)
		if len(more) == 0 {
			return out, hits
		}
		hits = m.merge(hits, more)
		out = m.replace(s, hits)
	}
}

// Contains reports whether Mask would find a secret in s.
func Contains(s string) bool { return len(find(s)) > 0 }

// replace returns s with a placeholder for each hit.
func (m *Masker) replace(s string, hits []Hit) string {
	var b strings.Builder
	b.Grow(len(s))
	last := 0
	for _, h := range hits {
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
			shift += placeholderLen(h.Kind) - (h.End - h.Start)
		}
		all = append(all, Hit{Kind: f.Kind, Start: f.Start - shift, End: f.End - shift})
	}
	slices.SortFunc(all, func(a, b Hit) int { return a.Start - b.Start })
	return all
}

// A placeholder is "[masked:", the kind, ":", four hexadecimal digits, "]".
const placeholderHead = "[masked:"

func placeholderLen(kind string) int { return len(placeholderHead) + len(kind) + len(":0000]") }

// placeholder stands for secret: the digits are the head of an HMAC, so that a
// reader can tell whether two placeholders hide the same text, and nobody
// without the key can try guesses.
func (m *Masker) placeholder(kind, secret string) string {
	mac := hmac.New(sha256.New, m.key)
	mac.Write([]byte(secret))
	return placeholderHead + kind + ":" + hex.EncodeToString(mac.Sum(nil)[:2]) + "]"
}

// placeholderEnd returns the end of the placeholder that starts at s[i], or i.
func placeholderEnd(s string, i int) int {
	rest, ok := strings.CutPrefix(s[i:], placeholderHead)
	if !ok {
		return i
	}
	kind, rest, ok := strings.Cut(rest, ":")
	if !ok || kind == "" || len(kind) > 32 || len(rest) < 5 || rest[4] != ']' {
		return i
	}
	for _, c := range []byte(kind) {
		if !isLower(c) && !isDigit(c) && c != '-' {
			return i
		}
	}
	for _, c := range []byte(rest[:4]) {
		if !isDigit(c) && (c < 'a' || c > 'f') {
			return i
		}
	}
	return i + placeholderLen(kind)
}
