package edit

import "strings"

// maxSuggested is the longest entry that is suggested, in bytes: no row has room for more.
const maxSuggested = 4 << 10

// A begun finds what a line may go on with. It remembers how far it looked, so that a
// line that grows by a character is looked for among what is left, and all the keys of a
// line cost one way through the history together.
type begun struct {
	text    string // what was looked for; "" for nothing
	here    int    // where that stands among the entries typed in this directory; below 0: nowhere
	any     int    // where it stands among all
	version int    // of the history

	asked string // the entry that was asked about last
	may   bool   // what was said
}

// find returns the newest entry of one line that begins with text, goes on, and may be
// shown: of those typed in this directory, else of all; "" if none does.
func (b *begun) find(h *History, text string, may func(entry string) bool) string {
	if b.text == "" || b.version != h.version || !strings.HasPrefix(text, b.text) {
		b.here, b.any = len(h.entries)-1, len(h.entries)-1
		if h.here.Dir == "" {
			b.here = -1
		}
	}
	b.text, b.version = text, h.version
	goesOn := func(entry string) bool {
		return len(entry) > len(text) && len(entry) <= maxSuggested && entry[:len(text)] == text &&
			strings.IndexByte(entry, '\n') < 0 && b.allowed(entry, may)
	}
	for ; b.here >= 0; b.here-- {
		if h.at[b.here].Dir == h.here.Dir && goesOn(h.entries[b.here]) {
			return h.entries[b.here]
		}
	}
	for ; b.any >= 0; b.any-- {
		if goesOn(h.entries[b.any]) {
			return h.entries[b.any]
		}
	}
	return ""
}

// allowed reports whether an entry may be shown, which takes longer to find out than the
// entry to be found.
func (b *begun) allowed(entry string, may func(entry string) bool) bool {
	if entry != b.asked {
		b.asked, b.may = entry, may(entry)
	}
	return b.may
}
