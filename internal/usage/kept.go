package usage

import (
	"cmp"
	"errors"
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
func (b *Stats) Sent(refs ...string) {
	if len(refs) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load()
	now := b.Now().UTC().Truncate(time.Second)
	for _, ref := range refs {
		if now.Sub(b.lastSent(ref)) >= Day {
			b.pending.sent[ref], b.noted.sent[ref] = now, now
		}
	}
}

// LastSent returns when a memory last stood in a start-up block that was sent, this run
// included.
func (b *Stats) LastSent(ref string) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load()
	return b.lastSent(ref)
}

// lastSent is LastSent; b is locked.
func (b *Stats) lastSent(ref string) time.Time { return later(b.file.sent[ref], b.noted.sent[ref]) }

// See notes that the lines of memories are seen, if it is for the first time.
func (b *Stats) See(refs ...string) {
	if len(refs) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load()
	now := b.Now().UTC().Truncate(time.Second)
	for _, ref := range refs {
		if b.firstSeen(ref).IsZero() {
			b.pending.see(ref, now)
			b.noted.see(ref, now)
		}
	}
	b.noted.join()
	b.pending.join()
}

// FirstSeen returns when the line of a memory was first seen, this run included; the
// zero time if that was never noted.
func (b *Stats) FirstSeen(ref string) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load()
	return b.firstSeen(ref)
}

// firstSeen is FirstSeen; b is locked.
func (b *Stats) firstSeen(ref string) time.Time {
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

// A line is what one line says: under one of its three names.
type line struct {
	at               time.Time
	refs, sent, seen []string
	n                int // how often the refs were used
}

func appendLine(dst []byte, l line) []byte {
	dst = jsonl.AppendField(append(dst, '{'), "ts", &l.at)
	dst = jsonl.AppendField(dst, "refs", &l.refs)
	if l.n > 1 {
		dst = jsonl.AppendField(dst, "n", &l.n)
	}
	dst = jsonl.AppendField(dst, "sent", &l.sent)
	return append(jsonl.AppendField(dst, "seen", &l.seen), '}')
}

func parseLine(text []byte) (line, error) {
	l := line{n: 1}
	fields, _, err := jsonl.Fields(text, nil)
	if err != nil {
		return l, err
	}
	for _, f := range fields {
		switch string(f.Name) {
		case "ts":
			l.at, _ = f.Value.Time()
		case "refs":
			l.refs, _ = f.Value.Texts()
		case "sent":
			l.sent, _ = f.Value.Texts()
		case "seen":
			l.seen, _ = f.Value.Texts()
		case "n":
			if n, _ := f.Value.Int(); n > 0 && n <= maxCount {
				l.n = int(n)
			}
		}
	}
	if l.at.IsZero() {
		return l, errors.New("no time")
	}
	return l, nil
}

// take takes in what a line says.
func (k *kept) take(l line) {
	for _, ref := range l.refs {
		u := k.used[ref]
		k.used[ref] = use{later(u.at, l.at), min(u.n+l.n, maxCount)}
	}
	for _, ref := range l.sent {
		k.sent[ref] = later(k.sent[ref], l.at)
	}
	for _, key := range l.seen {
		k.see(key, l.at)
	}
}

// lines are the lines that say so: one for each time and number, oldest first.
func (k *kept) lines() (list []line) {
	same := make(map[use][]string)
	for _, ref := range slices.Sorted(maps.Keys(k.used)) {
		same[k.used[ref]] = append(same[k.used[ref]], ref)
	}
	for _, u := range slices.SortedFunc(maps.Keys(same), func(a, b use) int { return cmp.Or(a.at.Compare(b.at), a.n-b.n) }) {
		for refs := range slices.Chunk(same[u], most) {
			list = append(list, line{at: u.at, refs: refs, n: u.n})
		}
	}
	each(k.sent, nil, func(at time.Time, refs []string) { list = append(list, line{at: at, sent: refs}) })
	k.join()
	runs := make(map[time.Time][]string)
	for _, r := range k.runs {
		what := strconv.FormatInt(r.first, 10)
		if r.last > r.first {
			what += "-" + strconv.FormatInt(r.last, 10)
		}
		runs[r.at] = append(runs[r.at], what)
	}
	each(k.seen, runs, func(at time.Time, refs []string) { list = append(list, line{at: at, seen: refs}) })
	return list
}

// each calls do for the references of each time, with those that same has, oldest first.
func each(times map[string]time.Time, same map[time.Time][]string, do func(at time.Time, refs []string)) {
	if same == nil {
		same = make(map[time.Time][]string)
	}
	for _, ref := range slices.Sorted(maps.Keys(times)) {
		same[times[ref]] = append(same[times[ref]], ref)
	}
	for _, at := range slices.SortedFunc(maps.Keys(same), time.Time.Compare) {
		for refs := range slices.Chunk(same[at], most) {
			do(at, refs)
		}
	}
}
