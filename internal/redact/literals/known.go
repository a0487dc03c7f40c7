package literals

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"ken/internal/redact/chars"
)

// A Secret is one that was found, by itself.
type Secret struct {
	Kind string // as redact.Hit has it
	Text string
	// Key says that it is one in use, which somebody gave as such: it is looked for from
	// 8 bytes on, whatever it looks like, and inside longer words too.
	Key bool
}

// A Set is secrets that are looked for all at once. The zero Set has none. It may be
// used by several goroutines at a time.
type Set struct {
	first [256]bool
	forms map[string][]Secret // by their heads
	// longest is the length of the longest form.
	longest int
}

// NewSet returns the set of those secrets that are telling.
func NewSet(secrets []Secret) *Set {
	k := &Set{forms: make(map[string][]Secret)}
	seen := make(map[string]bool)
	add := func(s Secret, form string) {
		if len(form) < shortest || seen[form] {
			return
		}
		seen[form] = true
		head := form[:headLen]
		k.first[head[0]], k.longest = true, max(k.longest, len(form))
		k.forms[head] = append(k.forms[head], Secret{s.Kind, form, s.Key})
	}
	for _, s := range secrets {
		if s.Key && len(s.Text) < shortestKey || !s.Key && !Telling(s.Text) {
			continue
		}
		add(s, s.Text)
		for _, form := range []string{
			url.QueryEscape(s.Text), url.PathEscape(s.Text), hex.EncodeToString([]byte(s.Text)),
			base64.RawStdEncoding.EncodeToString([]byte(s.Text)), base64.RawURLEncoding.EncodeToString([]byte(s.Text)),
		} {
			add(s, form)
		}
	}
	for _, list := range k.forms { // the longest that fits is what stands there
		slices.SortFunc(list, func(a, b Secret) int { return len(b.Text) - len(a.Text) })
	}
	return k
}

const (
	shortestKey = 8 // bytes that a key in use has at least: shorter ones are none, and everywhere

	shortest = 6  // bytes that a secret has at least to be known again by itself
	sure     = 16 // bytes from which a secret is found inside a longer word too
	headLen  = 4  // bytes that secrets are told apart by first
)

// Telling reports whether a secret says by itself that it is one: it has a digit,
// or a sign or a capital inside, or is long. Others may be words that stand in any
// text.
func Telling(secret string) bool {
	shape := chars.ShapeOf(secret)
	switch {
	case len(secret) < shortest:
		return false
	case len(secret) >= sure+shortest:
		return true
	case shape.Digit == len(secret):
		return len(secret) >= 8 // shorter ones are numbers of anything
	case shape.Digit > 0:
		return true
	}
	capitals := shape.Lower > 0 && chars.ShapeOf(secret[1:]).Upper > 0 && !strings.Contains(secret, " ")
	return len(secret) >= 8 && (capitals || shape.Letters() > 0 && strings.ContainsAny(secret, "!#$%&*+/<=>?@^_|~"))
}

// Find calls found for each place in s where one of the secrets stands, in order.
func (k *Set) Find(s string, found func(kind string, start, end int)) {
	if k == nil || len(k.forms) == 0 {
		return
	}
	for i := 0; i+shortest <= len(s); i++ {
		if !k.first[s[i]] {
			continue
		}
		for _, secret := range k.forms[s[i:i+headLen]] {
			end := i + len(secret.Text)
			if !strings.HasPrefix(s[i:], secret.Text) || len(secret.Text) < sure && !secret.Key && !alone(s, i, end) {
				continue
			}
			found(secret.Kind, i, end)
			i = end - 1
			break
		}
	}
}

// Open is where the end of s begins that may go on as one of the secrets, len(s) if none
// can.
func (k *Set) Open(s string) int {
	if k == nil || len(k.forms) == 0 {
		return len(s)
	}
	for i := max(0, len(s)-k.longest+1); i < len(s); i++ {
		if k.first[s[i]] && k.begins(s[i:]) {
			return i
		}
	}
	return len(s)
}

// begins reports whether one of the secrets begins with s and goes on.
func (k *Set) begins(s string) bool {
	for head, list := range k.forms {
		if n := min(len(head), len(s)); head[:n] != s[:n] {
			continue
		}
		for _, secret := range list {
			if len(secret.Text) > len(s) && strings.HasPrefix(secret.Text, s) {
				return true
			}
		}
	}
	return false
}

// alone reports whether no word goes on before or behind s[start:end].
func alone(s string, start, end int) bool {
	return (chars.StartsWord(s, start) || !chars.IsAlnum(s[start])) && (end == len(s) || !chars.IsAlnum(s[end]) || !chars.IsAlnum(s[end-1]))
}
