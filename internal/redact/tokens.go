package redact

import (
	"strings"

	"ken/internal/redact/chars"
)

func tokenRules() []rule {
	all := tokenForms()
	out := make([]rule, 0, len(all)+1)
	for _, t := range all {
		anchors := func() []string { return strings.Fields(strings.ToLower(t.Prefixes)) }
		out = append(out, rule{t.Kind, anchors, func(f *finder, at, end int) {
			for p := range strings.FieldsSeq(t.Prefixes) {
				if p == f.s[at:end] {
					f.token(t, at, end)
				}
			}
		}})
	}
	out = append(out, rule{"azure-client-secret", azureAnchors, (*finder).azureSecret},
		rule{"newrelic-key", texts("ffffnral"), marked(chars.IsLowerHex, 36, 36, "FFFFNRAL", 0)},
		rule{"azure-devops-token", texts("azdo"), marked(chars.IsAlnum, 70, 80, "AZDO", 4)},
		rule{"rapidapi-key", texts("msh"), (*finder).rapidAPI},
		rule{"convex-key", texts("prod:", "preview:"), (*finder).convex},
		rule{"pagerduty-key", texts(" u+", "=u+", "\"u+", "'u+", ":u+"), (*finder).pagerDuty})
	return out
}

// token adds the token of form t whose prefix stands at f.s[at:end].
func (f *finder) token(t tokenForm, at, end int) {
	prefix := f.s[at:end]
	if !chars.StartsWord(f.s, at) || prefix == f.tokenPrefix && at > f.tokenAt && at < f.tokenDone {
		return // the tail of a word, or inside the last one looked at
	}
	stop := chars.RunOf(f.s, end, t.Set)
	f.tokenPrefix, f.tokenAt, f.tokenDone = prefix, at, stop
	// Punctuation that ends a sentence is no part of it.
	for stop > end && f.s[stop-1] == '.' {
		stop--
	}
	n := stop - end
	if n < t.Min || t.Max > 0 && n > t.Max || !isDrawn(f.s[end:stop], t) {
		return
	}
	if prefix == "sk-" && longestPart(f.s[end:stop]) < 12 {
		return // sk-ecdsa-sha2-nistp256
	}
	if prefix == "atlasv1." && at > 0 && f.s[at-1] == '.' {
		at = chars.RunBack(f.s, at-1, chars.IsAlnum) // the name of the token is a part of it
	}
	f.add(exact, t.Kind, at, stop)
}

// isDrawn reports whether v, behind the prefix of t, is no word of somebody's. Where a
// form gives the length, a few in a hundred of its tokens have no digit.
func isDrawn(v string, t tokenForm) bool {
	return chars.IsRandom(v) || t.Min == t.Max && len(v) >= 16 && chars.ShapeOf(v).Distinct >= 8 && !chars.IsPlaceholder(v) &&
		!chars.IsCodeName(strings.ToLower(v))
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
	in := func(c byte) bool { return chars.IsDotByte(c) || c == '~' }
	start, stop := at-3, chars.RunOf(f.s, end, in)
	for stop > end && f.s[stop-1] == '.' {
		stop--
	}
	if start < 0 || f.s[end-2] != 'Q' || chars.RunBack(f.s, at, in) > start || !chars.StartsWord(f.s, start) {
		return
	}
	if n := stop - end; n >= 31 && n <= 34 && chars.IsRandom(f.s[end:stop]) {
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

// marked returns a find for tokens that their issuer marked at the end: least to most
// bytes of the set before the mark, and more behind it.
func marked(set func(byte) bool, least, most int, mark string, more int) func(f *finder, at, end int) {
	return func(f *finder, at, end int) {
		start, stop := f.around(at, end, set)
		if n := at - start; f.s[at:end] == mark && n >= least && n <= most && stop-end == more && chars.StartsWord(f.s, start) &&
			chars.IsRandom(f.s[start:at]) {
			f.add(exact, "api-key", start, stop)
		}
	}
}

// around returns the run of bytes in set around f.s[at:end], as far as a token goes: a
// text of nothing but marks must not be read from each of them.
func (f *finder) around(at, end int, set func(byte) bool) (start, stop int) {
	from := max(0, at-128)
	return from + chars.RunBack(f.s[from:], at-from, set), chars.RunOf(f.s[:min(len(f.s), end+128)], end, set)
}

// rapidAPI adds a key of RapidAPI: about fifty letters and digits with "msh", "p1" and
// "jsn" among them.
func (f *finder) rapidAPI(at, end int) {
	start, stop := f.around(at, end, chars.IsAlnum)
	v := f.s[start:stop]
	i := strings.Index(f.s[end:stop], "p1")
	if len(v) >= 45 && len(v) <= 60 && at > start && i > 0 && strings.Contains(f.s[end+i:stop], "jsn") && chars.IsRandom(v) {
		f.add(exact, "rapidapi-key", start, stop)
	}
}

// convex adds a deploy key: "prod:", the name of a project, a bar and base64.
func (f *finder) convex(at, end int) {
	i := chars.RunOf(f.s[:min(len(f.s), end+96)], end, func(c byte) bool { return chars.IsLowerAlnum(c) || c == '-' || c == ':' })
	if i == end || i >= len(f.s) || f.s[i] != '|' || !chars.StartsWord(f.s, at) {
		return
	}
	if stop := chars.RunOf(f.s, i+1, chars.IsBase64); stop-i > 40 && chars.IsRandom(f.s[i+1:stop]) {
		f.add(exact, "convex-key", at, stop)
	}
}

// pagerDuty adds "u+" and eighteen bytes.
func (f *finder) pagerDuty(at, end int) {
	if stop := chars.RunOf(f.s, end, chars.IsURLByte); stop-end == 18 && f.s[end-2] == 'u' && chars.IsRandom(f.s[end:stop]) {
		f.add(exact, "pagerduty-key", at+1, stop)
	}
}
