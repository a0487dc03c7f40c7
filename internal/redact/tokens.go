package redact

import (
	"slices"
	"strings"

	"ken/internal/redact/forms"
	"ken/internal/redact/look"
)

func tokenRules() []rule {
	all := forms.All()
	out := make([]rule, 0, len(all)+1)
	for _, t := range all {
		prefixes := strings.Fields(t.Prefixes)
		out = append(out, rule{t.Kind, strings.Fields(strings.ToLower(t.Prefixes)), func(f *finder, at, end int) {
			if slices.Contains(prefixes, f.s[at:end]) {
				f.token(t, at, end)
			}
		}})
	}
	out = append(out, rule{"azure-client-secret", azureAnchors(), (*finder).azureSecret})
	return out
}

// token adds the token of form t whose prefix stands at f.s[at:end].
func (f *finder) token(t forms.Form, at, end int) {
	prefix := f.s[at:end]
	if !look.StartsWord(f.s, at) || prefix == f.tokenPrefix && at > f.tokenAt && at < f.tokenDone {
		return // the tail of a word, or inside the last one looked at
	}
	stop := look.RunOf(f.s, end, t.Set)
	f.tokenPrefix, f.tokenAt, f.tokenDone = prefix, at, stop
	// Punctuation that ends a sentence is no part of it.
	for stop > end && f.s[stop-1] == '.' {
		stop--
	}
	n := stop - end
	if n < t.Min || t.Max > 0 && n > t.Max || !look.IsRandom(f.s[end:stop]) {
		return
	}
	if prefix == "sk-" && longestPart(f.s[end:stop]) < 12 {
		return // sk-ecdsa-sha2-nistp256
	}
	if prefix == "atlasv1." && at > 0 && f.s[at-1] == '.' {
		at = look.RunBack(f.s, at-1, look.IsAlnum) // the name of the token is a part of it
	}
	f.add(exact, t.Kind, at, stop)
}

// azureAnchors are "0q~" to "9q~": what stands in the fourth place of the secret
// of an Azure application.
func azureAnchors() []string {
	var a []string
	for _, c := range "0123456789" {
		a = append(a, string(c)+"q~")
	}
	return a
}

// azureSecret adds the secret of an Azure application: three bytes, a digit, "Q~"
// and 31 to 34 bytes.
func (f *finder) azureSecret(at, end int) {
	in := func(c byte) bool { return look.IsDotByte(c) || c == '~' }
	start, stop := at-3, look.RunOf(f.s, end, in)
	for stop > end && f.s[stop-1] == '.' {
		stop--
	}
	if start < 0 || f.s[end-2] != 'Q' || look.RunBack(f.s, at, in) > start || !look.StartsWord(f.s, start) {
		return
	}
	if n := stop - end; n >= 31 && n <= 34 && look.IsRandom(f.s[end:stop]) {
		f.add(exact, "azure-client-secret", start, stop)
	}
}

// longestPart returns the length of the longest part of v between hyphens.
func longestPart(v string) int {
	n := 0
	for part := range strings.SplitSeq(v, "-") {
		n = max(n, len(part))
	}
	return n
}
