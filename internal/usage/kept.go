package usage

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/jsonl"
)

// Day is how exact it is noted when a memory was last sent.
const Day = 24 * time.Hour

// A kept is what the file says, or is to say.
type kept struct {
	used map[string]use
	sent map[string]time.Time // last
	seen map[string]time.Time // first
	runs []run                // likewise, of references that are numbers
}

// A run is the numbers from first to last, seen at that time.
type run struct {
	first, last int64
	at          time.Time
}

func newKept() *kept {
	return &kept{used: make(map[string]use), sent: make(map[string]time.Time), seen: make(map[string]time.Time)}
}

func (k *kept) empty() bool { return k == nil || len(k.used)+len(k.sent)+len(k.seen)+len(k.runs) == 0 }

// see takes in what was seen at a time: a reference, a number or a run of them ("3-40").
func (k *kept) see(what string, at time.Time) {
	from, to, both := strings.Cut(what, "-")
	first, err := strconv.ParseInt(from, 10, 64)
	last := first
	if err == nil && both {
		last, err = strconv.ParseInt(to, 10, 64)
	}
	if err == nil && first > 0 && last >= first {
		k.runs = append(k.runs, run{first, last, at})
		return
	}
	if known := k.seen[what]; known.IsZero() || at.Before(known) {
		k.seen[what] = at
	}
}

// firstSeen is when a reference was first seen; the zero time if it was not.
func (k *kept) firstSeen(ref string) (first time.Time) {
	first = k.seen[ref]
	n, err := strconv.ParseInt(ref, 10, 64)
	if err != nil {
		return first
	}
	for _, r := range k.runs {
		if r.first <= n && n <= r.last && (first.IsZero() || r.at.Before(first)) {
			first = r.at
		}
	}
	return first
}

// Sent notes that memories stood in a start-up block that is sent now, once a day.
func (b *Book) Sent(refs ...string) {
	if len(refs) == 0 {
		return
	}
	b.load()
	now := b.Now().UTC().Truncate(time.Second)
	for _, ref := range refs {
		if now.Sub(b.LastSent(ref)) >= Day {
			b.pending.sent[ref], b.noted.sent[ref] = now, now
		}
	}
}

// LastSent tells when a memory last stood in a start-up block that was sent, this run
// included.
func (b *Book) LastSent(ref string) time.Time {
	b.load()
	return later(b.file.sent[ref], b.noted.sent[ref])
}

// See notes that the lines of memories are seen, if it is for the first time.
func (b *Book) See(refs ...string) {
	if len(refs) == 0 {
		return
	}
	b.load()
	now := b.Now().UTC().Truncate(time.Second)
	for _, ref := range refs {
		if b.FirstSeen(ref).IsZero() {
			b.pending.see(ref, now)
			b.noted.see(ref, now)
		}
	}
	b.noted.join()
	b.pending.join()
}

// FirstSeen tells when the line of a memory was first seen, this run included; the
// zero time if that was never noted.
func (b *Book) FirstSeen(ref string) time.Time {
	b.load()
	if at := b.file.firstSeen(ref); !at.IsZero() {
		return at
	}
	return b.noted.firstSeen(ref)
}

// join makes runs of what follows each other.
func (k *kept) join() {
	slices.SortFunc(k.runs, func(a, b run) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last))
	})
	joined := k.runs[:0]
	for _, r := range k.runs {
		if n := len(joined) - 1; n >= 0 && joined[n].at.Equal(r.at) && r.first <= joined[n].last+1 {
			joined[n].last = max(joined[n].last, r.last)
			continue
		}
		joined = append(joined, r)
	}
	k.runs = joined
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// most is how many references a line has at most.
const most = 1000

// lines are the lines that say so: one for each time and number, oldest first.
func (k *kept) lines() []byte {
	same := make(map[use][]string)
	for _, ref := range slices.Sorted(maps.Keys(k.used)) {
		same[k.used[ref]] = append(same[k.used[ref]], ref)
	}
	var b []byte
	for _, u := range slices.SortedFunc(maps.Keys(same), func(a, b use) int { return cmp.Or(a.at.Compare(b.at), a.n-b.n) }) {
		for refs := range slices.Chunk(same[u], most) {
			b = jsonl.AppendField(append(b, '{'), "ts", &u.at)
			b = jsonl.AppendField(b, "refs", &refs)
			if u.n > 1 {
				b = jsonl.AppendField(b, "n", &u.n)
			}
			b = append(b, '}', '\n')
		}
	}
	k.join()
	runs := make(map[time.Time][]string)
	for _, r := range k.runs {
		what := strconv.FormatInt(r.first, 10)
		if r.last > r.first {
			what += "-" + strconv.FormatInt(r.last, 10)
		}
		runs[r.at] = append(runs[r.at], what)
	}
	b = appendTimes(b, "sent", k.sent, nil)
	return appendTimes(b, "seen", k.seen, runs)
}

// appendTimes appends the lines that have references under name, with those that same
// has.
func appendTimes(b []byte, name string, times map[string]time.Time, same map[time.Time][]string) []byte {
	if same == nil {
		same = make(map[time.Time][]string)
	}
	for _, ref := range slices.Sorted(maps.Keys(times)) {
		same[times[ref]] = append(same[times[ref]], ref)
	}
	for _, at := range slices.SortedFunc(maps.Keys(same), time.Time.Compare) {
		for refs := range slices.Chunk(same[at], most) {
			b = jsonl.AppendField(append(b, '{'), "ts", &at)
			b = append(jsonl.AppendField(b, name, &refs), '}', '\n')
		}
	}
	return b
}
