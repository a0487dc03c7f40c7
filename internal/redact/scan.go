package redact

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"ken/internal/redact/command"
	"ken/internal/redact/expect"
	"ken/internal/redact/known"
	"ken/internal/redact/look"
	"ken/internal/redact/naming"
)

// A rule finds secrets of one kind, or of a few that look alike. It is asked
// only where one of its anchors stands in the text, so that text without any
// costs one table look-up per byte.
type rule struct {
	name string
	// anchors are in lower case, at least three bytes of ASCII, and match in
	// any case. In "000" each zero stands for any digit, at the start of a run
	// of digits only.
	anchors []string
	// find is called with the offsets of an anchor in f.s, and adds to f what
	// it finds there.
	find func(f *finder, at, end int)
}

// rules returns the whole table. The order does not matter.
func rules() []rule {
	return slices.Concat(tokenRules(), keyRules(), webRules(), namedRules(), expectRules(), commandRules(), vendorRules(), numberRules(), seedRules())
}

func namedRules() []rule {
	all := []rule{
		{"named", naming.Stems(), func(f *finder, at, end int) { f.names.Read(at, end) }},
		{"login", naming.LoginStems(), func(f *finder, at, end int) { f.names.ReadLogin(at, end) }},
		{"phrase", naming.PhraseStems(), func(f *finder, at, end int) { f.names.ReadPhrase(at, end) }},
		{"ideogram", naming.IdeogramStems(), func(f *finder, at, end int) { f.names.ReadIdeogram(at, end) }},
		{"tongue", naming.TongueStems(), func(f *finder, at, end int) { f.names.ReadTongue(at, end) }},
		{"call", naming.CallStems(), func(f *finder, at, end int) { f.names.ReadCall(at, end) }},
		{"account", naming.AccountStems(), func(f *finder, at, end int) { f.names.ReadAccount(at, end) }},
		{"asked", naming.AskedStems(), func(f *finder, at, end int) { f.names.ReadAsked(at, end) }},
	}
	for _, c := range naming.Codes() {
		all = append(all, rule{c.Kind, c.Stems, func(f *finder, at, end int) { f.names.ReadCode(c, at, end) }})
	}
	return all
}

func expectRules() []rule {
	var all []rule
	for _, e := range expect.Rules() {
		all = append(all, rule{e.Name, e.Anchors, func(f *finder, at, end int) { e.Read(f.expected, at, end) }})
	}
	return all
}

func commandRules() []rule {
	var all []rule
	for _, p := range command.Programs() {
		all = append(all, rule{p.Name, p.Anchors, func(f *finder, at, end int) { p.Read(f.commands, at, end) }})
	}
	return all
}

// A rank says how much a find knows about what it found; when two finds
// overlap, the hit has the kind of the one that knows more.
type rank int

const (
	exact  rank = iota // the secret's own form says what it is
	framed             // the text around it says what it is
)

type found struct {
	Hit
	rank rank
}

// finder is one pass over one text.
type finder struct {
	s     string
	index *anchorIndex
	known *known.Set // nil: nothing
	// depth is how many encodings have been taken off to get s.
	depth int
	// shown says that s is what another text shows: it is looked at once.
	shown    bool
	found    []found
	names    *naming.Reader
	commands *command.Reader
	expected *expect.Reader
	// open is where the first piece of text begins that may turn out to be
	// part of a secret when more text follows.
	open int
	// How far rules that read far ahead have read, each for itself: without it
	// a text of nothing but anchors would cost quadratic time.
	encodedDone, stringDone, jwtDone, hookDone int
	query, queryDone                           int    // the first '=' of the last word with a '+', and that word's end
	tokenAt, tokenDone                         int    // of the last token looked at
	tokenPrefix                                string // likewise
}

func (f *finder) add(r rank, kind string, start, end int) {
	if start < end {
		f.found = append(f.found, found{Hit{kind, start, end}, r})
	}
}

// find returns the secrets of s in order and without overlap, none of them
// touching a placeholder.
func (m *Masker) find(s string) []Hit {
	f := newFinder(s)
	f.known = m.known
	return f.run()
}

func newFinder(s string) *finder {
	return &finder{s: s, index: index(), names: naming.NewReader(s), commands: command.NewReader(s), expected: expect.NewReader(s), open: len(s)}
}

// hold says that what begins at f.s[at] may go on in text that is still to come.
func (f *finder) hold(at int) { f.open = min(f.open, at) }

// inside returns the secrets of text, which was decoded from a part of f.s.
func (f *finder) inside(text string) []Hit {
	return (&finder{s: text, index: f.index, known: f.known, names: naming.NewReader(text), commands: command.NewReader(text), expected: expect.NewReader(text), depth: f.depth + 1}).run()
}

func (f *finder) run() []Hit {
	f.scan()
	f.disguised()
	f.known.Find(f.s, func(kind string, start, end int) { f.add(framed, kind, start, end) })
	f.bareWords()
	f.hold(f.names.Open)
	for _, v := range f.names.Found {
		if v.Kind == "password" && expect.IsLabel(f.s[v.Start:v.End]) {
			continue // the label of a field, in some language
		}
		f.add(framed, v.Kind, v.Start, v.End)
	}
	f.hold(f.expected.Open)
	for _, v := range f.expected.Found {
		f.add(framed, v.Kind, v.Start, v.End)
	}
	f.hold(f.commands.Open)
	for _, v := range f.commands.Found {
		f.add(framed, "password", v.Start, v.End)
	}
	if len(f.found) == 0 {
		return nil
	}
	return f.settle()
}

// disguised adds what is found in the text as a reader sees it, if that is not how it
// stands: the whole of the bytes that show the secret.
func (f *finder) disguised() {
	if f.shown {
		return
	}
	v, ok := look.NewView(f.s)
	if !ok {
		return
	}
	if v.Open < len(f.s) {
		f.hold(wordStart(f.s, v.Open))
	}
	in := newFinder(v.Text)
	in.known, in.depth, in.shown = f.known, f.depth, true
	for _, h := range in.run() {
		start, end := v.Source(h.Start, h.End)
		f.add(framed, h.Kind, start, end)
	}
	if in.open < len(v.Text) {
		at, _ := v.Source(in.open, in.open)
		f.hold(at)
	}
}

// settle joins finds that overlap and takes placeholders out of them.
func (f *finder) settle() []Hit {
	slices.SortStableFunc(f.found, func(a, b found) int { return a.Start - b.Start })
	var hits []Hit
	for i := 0; i < len(f.found); {
		h := f.found[i]
		for i++; i < len(f.found) && f.found[i].Start < h.End; i++ {
			if g := f.found[i]; g.rank < h.rank {
				h.Kind, h.rank = g.Kind, g.rank
			}
			h.End = max(h.End, f.found[i].End)
		}
		hits = f.appendOpen(hits, h.Hit)
	}
	return hits
}

// appendOpen appends to hits the parts of h that are not placeholders.
func (f *finder) appendOpen(hits []Hit, h Hit) []Hit {
	start := h.Start
	// A placeholder that begins before h may reach into it.
	from := max(0, h.Start-64)
	for from < h.End {
		i := strings.Index(f.s[from:h.End], look.PlaceholderHead)
		if i < 0 {
			break
		}
		i += from
		end := look.PlaceholderEnd(f.s, i)
		if end == i {
			from = i + 1
			continue
		}
		if i > start {
			hits = append(hits, Hit{h.Kind, start, i})
		}
		start, from = max(start, end), end
	}
	if start < h.End {
		hits = append(hits, Hit{h.Kind, start, h.End})
	}
	return hits
}

// An anchorIndex finds anchors. Three neighbouring bytes are folded into 15
// bits, and filter has a bit for each such number that begins an anchor.
type anchorIndex struct {
	fold   [256]uint16
	filter [1 << 15 / 64]uint64
	// The anchors of the n-th bit that is set in filter are under[n]; before
	// says how many bits are set in the words before each word.
	before [1 << 15 / 64]uint16
	under  []anchors
}

// anchors are those that begin with the same three bytes, folded; nexts has a bit for each
// folded byte that may be their fourth.
type anchors struct {
	list  []anchored
	nexts uint32
}

type anchored struct {
	text string
	// next is the fourth byte of text, or 0: it tells most of those apart that begin alike.
	next byte
	find func(f *finder, at, end int)
}

// index returns the index of all rules, made at the first use: a program that
// masks nothing does not pay for it.
var index = sync.OnceValue(makeIndex)

func makeIndex() *anchorIndex {
	x := new(anchorIndex)
	for c := range x.fold {
		x.fold[c] = foldByte(byte(c))
	}
	all := rules()
	key := func(a string) uint16 { return x.fold[a[0]]<<10 | x.fold[a[1]]<<5 | x.fold[a[2]] }
	total := 0
	for _, r := range all {
		total += len(r.anchors)
		for _, a := range r.anchors {
			k := key(a)
			x.filter[k>>6] |= 1 << (k & 63)
		}
	}
	n := 0
	for w, word := range x.filter {
		x.before[w] = uint16(n)
		n += bits.OnesCount64(word)
	}
	// The lists lie in one array: each process that masks makes thousands of them.
	x.under = make([]anchors, n)
	sizes := make([]int, n)
	for _, r := range all {
		for _, a := range r.anchors {
			sizes[x.rank(key(a))]++
		}
	}
	room := make([]anchored, total)
	for i, size := range sizes {
		x.under[i].list, room = room[:0:size], room[size:]
	}
	for _, r := range all {
		for _, a := range r.anchors {
			u := &x.under[x.rank(key(a))]
			next := byte(0)
			if len(a) > 3 {
				next = a[3]
				u.nexts |= 1 << x.fold[next]
			} else {
				u.nexts = ^uint32(0)
			}
			u.list = append(u.list, anchored{a, next, r.find})
		}
	}
	return x
}

// rank returns the index in under for k, whose bit must be set.
func (x *anchorIndex) rank(k uint16) int {
	return int(x.before[k>>6]) + bits.OnesCount64(x.filter[k>>6]&(1<<(k&63)-1))
}

// foldByte maps a byte to 5 bits: letters without case, digits as one.
func foldByte(c byte) uint16 {
	switch {
	case c >= 0x80:
		return uint16(c & 31)
	case look.IsLower(c | 0x20):
		return uint16(c|0x20) - 'a' + 1
	case look.IsDigit(c):
		return 27
	case c == '-':
		return 28
	case c == '_':
		return 29
	case c == ':' || c == '/' || c == '.':
		return 30
	case c == ' ':
		return 31
	}
	return 0
}

// longToken is the least length of a run of token bytes that is looked at for
// what it decodes to.
const longToken = 24

func (f *finder) scan() {
	s, x := f.s, f.index
	var k uint16
	run := 0 // start of the run of token bytes
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '[' {
			// Nothing in a placeholder is a name or a token.
			if end := look.PlaceholderEnd(s, i); end > i {
				if i-run >= longToken {
					f.long(run, i)
				}
				k, run, i = 0, end, end-1
				continue
			}
		}
		switch c {
		case '\\':
			f.escaped(i)
		case '%', '+':
			f.percent(i)
		}
		k = (k<<5 | x.fold[c]) & 0x7fff
		if x.filter[k>>6]&(1<<(k&63)) != 0 && i >= 2 {
			if u := &x.under[x.rank(k)]; i+1 < len(s) && u.nexts&(1<<x.fold[s[i+1]]) != 0 || u.nexts == ^uint32(0) {
				f.anchorAt(u.list, i-2)
			}
		}
		if !look.IsTokenByte(c) {
			if i-run >= longToken {
				f.long(run, i)
			}
			run = i + 1
		}
	}
	if len(s)-run >= longToken {
		f.long(run, len(s))
	}
}

func (f *finder) anchorAt(list []anchored, at int) {
	next := byte(0)
	if at+3 < len(f.s) {
		if next = f.s[at+3]; look.IsUpper(next) {
			next |= 0x20
		}
	}
	for i := range list {
		a := &list[i]
		if a.next != 0 && a.next != next {
			continue
		}
		if a.text == "000" {
			if at == 0 || !look.IsDigit(f.s[at-1]) {
				a.find(f, at, at+3)
			}
			continue
		}
		if end := at + len(a.text); end <= len(f.s) && look.EqualFold(f.s[at:end], a.text) {
			a.find(f, at, end)
		}
	}
}
