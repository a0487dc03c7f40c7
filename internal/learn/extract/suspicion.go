package extract

import (
	"slices"
	"strings"
	"unicode"

	"ken/internal/redact"
	"ken/internal/text"
)

// The flags.
const (
	flagOrder      = "order"      // it tells an assistant what to do or to remember
	flagPermission = "permission" // it grants or waives something
	flagTrigger    = "trigger"    // it waits for a subject to come up
	flagSends      = "sends"      // it has something sent or shown elsewhere
	flagSecret     = "secret"     // it has, or asks for, a secret
	flagAddress    = "address"    // it names where to send, ask or pay
	flagIdentity   = "identity"   // it says who somebody is, or who is to be believed
	flagPerson     = "person"     // it speaks of the person, and is not by them
	flagInvisible  = "invisible"  // it has characters that are not seen
	flagHidden     = "hidden"     // what it hides is suspect
)

// FlagsOf returns the flags of a candidate. said tells that the person said so themselves:
// then it is suspect only for what it hides.
func FlagsOf(s string, said bool) []string {
	var f flags
	f.hidden(s)
	if redact.Contains(s) {
		f.add(flagSecret)
	}
	if !said {
		f.plain(s)
		words := text.WordsInOrder(s)
		if anyPhrase(suspicions().persons, words) {
			f.add(flagPerson)
		}
		if anyPhrase(suspicions().bidding, words) {
			f.add(flagOrder)
		}
		if addressed(s) && anyPhrase(suspicions().addressing, words) {
			f.add(flagAddress)
		}
	}
	return f.sorted()
}

// suspiciousPart gives the flags of a text that others wrote, and the part of it that has
// most of them: a line, or a piece of a long one. No flags: "" and nil. Of a text the first
// mostSuspectText bytes count.
func suspiciousPart(text string) (part string, list []string) {
	if len(text) > mostSuspectText {
		text = text[:mostSuspectText]
	}
	for line := range strings.Lines(text) {
		for piece := range pieces(strings.TrimSpace(line)) {
			var f flags
			f.plain(piece)
			f.hidden(piece)
			if got := f.sorted(); len(got) > len(list) {
				part, list = piece, got
			}
		}
	}
	return part, list
}

// mostSuspectText is how much of a text is looked at, in bytes.
const mostSuspectText = 256 << 10

// longest is how long a piece of a text is that is looked at by itself, in bytes.
const longest = 400

// pieces are parts of a line of at most about longest bytes, cut at blanks.
func pieces(s string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for len(s) > longest {
			cut := strings.LastIndexAny(s[:longest], " \t")
			if cut <= 0 {
				cut = longest
				for cut < len(s) && s[cut]&0xC0 == 0x80 {
					cut++
				}
			}
			if !yield(s[:cut]) {
				return
			}
			s = s[cut:]
		}
		if s != "" {
			yield(s)
		}
	}
}

type flags []string

func (f *flags) add(name string) {
	if !slices.Contains(*f, name) {
		*f = append(*f, name)
	}
}

func (f *flags) sorted() []string { slices.Sort(*f); return *f }

// plain looks at what a text says.
func (f *flags) plain(s string) {
	table := suspicions()
	words := text.WordsInOrder(s)
	folded := " " + text.Fold(s)
	for _, t := range [...]struct {
		name    string
		phrases []phrase
	}{
		{flagOrder, table.orders},
		{flagPermission, table.permissions},
		{flagTrigger, table.triggers},
		{flagSends, table.sendings},
		{flagSecret, table.secrets},
		{flagIdentity, table.identities},
	} {
		if anyPhrase(t.phrases, words) {
			f.add(t.name)
		}
	}
	if told(words) {
		f.add(flagOrder)
	}
	if len(words) <= mostClaim && anyPhrase(suspicions().claims, words) && !anyPhrase(suspicions().conditions, words) {
		f.add(flagPerson)
	}
	for _, m := range suspicions().marks {
		if strings.Contains(folded, m) {
			f.add(flagOrder)
		}
	}
	for _, m := range suspicions().dense {
		if strings.Contains(folded, m) {
			f.add(flagOrder)
		}
	}
}

// told reports whether an assistant is named and told something right behind.
func told(words []string) bool {
	const reach = 3
	for i, w := range words {
		if !slices.Contains(suspicions().names, w) {
			continue
		}
		for _, next := range words[i+1 : min(len(words), i+1+reach)] {
			if slices.Contains(suspicions().near, next) {
				return true
			}
		}
	}
	return false
}

// mostClaim is how many words a sentence has at most that claims something of the
// person: a longer one describes.
const mostClaim = 25

// addressed reports whether a text names an address of the net.
func addressed(s string) bool {
	for _, w := range strings.Fields(s) {
		at := strings.IndexByte(w, '@')
		if strings.Contains(w, "://") || strings.HasPrefix(w, "www.") || at > 0 && strings.Contains(w[at:], ".") {
			return true
		}
		if host := strings.Trim(w, ".,;:()<>\"'"); strings.Count(host, ".") > 0 && slices.ContainsFunc(suspicions().domains, func(d string) bool { return strings.HasSuffix(host, d) }) {
			return true
		}
	}
	return false
}

// hidden looks at what a text hides.
func (f *flags) hidden(s string) {
	if unseen(s) {
		f.add(flagInvisible)
	}
	for _, t := range deobfuscated(s) {
		words := text.WordsInOrder(t)
		var in flags
		in.plain(t)
		if len(in) > 0 || anyPhrase(suspicions().hints, words) {
			f.add(flagHidden)
			return
		}
	}
}

// unseen reports whether a text has invisible characters that no writing needs.
func unseen(s string) bool {
	rtl := strings.ContainsFunc(s, func(r rune) bool {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana)
	})
	zero, selectors, tags := 0, 0, 0
	var last rune
	for _, r := range s {
		switch {
		case r == 0x202D || r == 0x202E:
			return true
		case r >= 0x202A && r <= 0x202C || r >= 0x2066 && r <= 0x2069:
			if !rtl {
				return true
			}
		case r >= 0xE0020 && r <= 0xE007F:
			if tags++; tags > 6 || last != 0x1F3F4 && tags == 1 {
				return true
			}
			continue
		case r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF:
			if selectors++; selectors > 2 {
				return true
			}
			continue
		case r == 0x200B || r == 0x2060 || r == 0xFEFF || r == 0x180E || r >= 0x2061 && r <= 0x2064 || r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0:
			zero++
		case (r == 0x200C || r == 0x200D) && last < 0x80:
			zero++
		case r < 0x20 && r != '\n' && r != '\t' && r != '\r' || r == 0x7F || r >= 0x80 && r <= 0x9F:
			return true
		}
		selectors, tags, last = 0, 0, r
	}
	return zero > 1
}
