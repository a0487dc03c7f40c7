package redact

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"ken/internal/redact/chars"
	"ken/internal/redact/command"
	"ken/internal/redact/expect"
	"ken/internal/redact/literals"
	"ken/internal/redact/naming"
	"ken/internal/redact/packed"
)

// A rule finds secrets of one kind, or of a few that look alike. It is asked
// only where one of its anchors stands in the text, so that text without any
// costs one table look-up per byte.
type rule struct {
	name string
	// anchors are in lower case, at least three bytes of ASCII, and match in
	// any case. In "000" each zero stands for any digit, at the start of a run
	// of digits only. A program that masks has them packed (packedAnchors) and never
	// asks for them.
	anchors func() []string
	// find is called with the offsets of an anchor in f.s, and adds to f what
	// it finds there.
	find func(f *finder, at, end int)
}

// texts are anchors that are known as they stand.
func texts(anchors ...string) func() []string { return func() []string { return anchors } }

// rules returns the whole table. The order is that of packedAnchors.
func rules() []rule {
	return slices.Concat(tokenRules(), keyRules(), webRules(), namedRules(), expectRules(), commandRules(), vendorRules(), numberRules(), seedRules())
}

func namedRules() []rule {
	all := []rule{
		{"named", naming.Stems, func(f *finder, at, end int) { f.names.Read(at, end) }},
		{"login", naming.LoginStems, func(f *finder, at, end int) { f.names.ReadLogin(at, end) }},
		{"phrase", naming.PhraseStems, func(f *finder, at, end int) { f.names.ReadPhrase(at, end) }},
		{"ideogram", naming.IdeogramStems, func(f *finder, at, end int) { f.names.ReadIdeogram(at, end) }},
		{"tongue", naming.TongueStems, func(f *finder, at, end int) { f.names.ReadTongue(at, end) }},
		{"call", naming.CallStems, func(f *finder, at, end int) { f.names.ReadCall(at, end) }},
		{"account", naming.AccountStems, func(f *finder, at, end int) { f.names.ReadAccount(at, end) }},
		{"asked", naming.AskedStems, func(f *finder, at, end int) { f.names.ReadAsked(at, end) }},
	}
	for _, c := range naming.Codes() {
		all = append(all, rule{c.Kind, texts(c.Stems...), func(f *finder, at, end int) { f.names.ReadCode(c, at, end) }})
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
		all = append(all, rule{p.Name, texts(p.Anchors...), func(f *finder, at, end int) { p.Read(f.commands, at, end) }})
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
	known *literals.Set // nil: nothing
	// depth is how many encodings have been taken off to get s.
	depth int
	// shown says that s is what another text shows: it is looked at once.
	shown bool
	// near are the places of s, in order and apart, that a find may have to do with; nil: all of it
	// is looked at.
	near     []stretch
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
	if start < end && strings.TrimSpace(f.s[start:end]) != "" { // blanks are a value that is missing
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
	return &finder{s: s, names: naming.NewReader(s), commands: command.NewReader(s), expected: expect.NewReader(s), open: len(s)}
}

// hold says that what begins at f.s[at] may go on in text that is still to come.
func (f *finder) hold(at int) { f.open = min(f.open, at) }

// inside returns the secrets of text, which was decoded from a part of f.s.
func (f *finder) inside(text string) []Hit {
	return (&finder{s: text, known: f.known, names: naming.NewReader(text), commands: command.NewReader(text), expected: expect.NewReader(text), depth: f.depth + 1}).run()
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
	if f.shown || f.near != nil && !slices.ContainsFunc(f.near, func(p stretch) bool { _, ok := chars.NewView(f.s[p.start:p.end]); return ok }) {
		return
	}
	v, ok := chars.NewView(f.s)
	if !ok {
		return
	}
	if v.Open < len(f.s) {
		f.hold(wordStart(f.s, v.Open))
	}
	in := newFinder(v.Text)
	in.known, in.depth, in.shown = f.known, f.depth, true
	if in.near = f.nearShown(v); len(in.near) == 0 {
		return
	}
	for _, h := range in.run() {
		start, end := v.Source(h.Start, h.End)
		f.add(framed, h.Kind, start, end)
	}
	if in.open < len(v.Text) {
		at, _ := v.Source(in.open, in.open)
		f.hold(at)
	}
}

// nearShown returns the parts of v that are near to what shows otherwise than it stands, and in
// a part of f.s that is looked at.
func (f *finder) nearShown(v *chars.View) []stretch {
	var places []stretch
	next := 0
	for at := range v.Changes() {
		if f.near != nil {
			from, _ := v.Source(at, at)
			for next < len(f.near) && f.near[next].end < from {
				next++
			}
			if next == len(f.near) {
				break
			}
			if from < f.near[next].start {
				continue
			}
		}
		places = append(places, stretch{at, at})
	}
	return aroundOf(v.Text, places)
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
	put := func(end int) { // blanks between placeholders are no part of a secret
		if start < end && strings.TrimSpace(f.s[start:end]) != "" {
			hits = append(hits, Hit{h.Kind, start, end})
		}
	}
	// A placeholder that begins before h may reach into it.
	from := max(0, h.Start-64)
	for from < h.End {
		i := strings.Index(f.s[from:min(len(f.s), h.End+len(chars.PlaceholderHead)-1)], chars.PlaceholderHead) // h may end in a head
		if i < 0 {
			break
		}
		i += from
		end := chars.PlaceholderEnd(f.s, i)
		if end == i {
			from = i + 1
			continue
		}
		put(i)
		start, from = max(start, end), end
	}
	put(h.End)
	return hits
}

// packedAnchors finds the anchors of all rules: packed.Anchors, whose ID is the place of
// the rule among rules().
//
//go:embed anchors.bin
var packedAnchors string

// finds are what the rules find with, in the order of their table, made at the first use: a
// program that masks nothing does not pay for it.
var finds = sync.OnceValue(func() []func(f *finder, at, end int) {
	all := rules()
	out := make([]func(f *finder, at, end int), len(all))
	for i, r := range all {
		out[i] = r.find
	}
	return out
})

// longToken is the least length of a run of token bytes that is looked at for
// what it decodes to.
const longToken = 24

// How far from what is new in a text it is looked at, before it and behind it, in bytes. Some rules read on
// through a table or a key for longer; what is new in one changes nothing of what they find beyond.
const (
	reachBefore = 8 << 10
	reachBehind = 2 << 10
)

// A stretch is a part of a text.
type stretch struct{ start, end int }

// aroundOf returns the parts of s that are near one of places, which are in order:
// they begin and end where a word does.
func aroundOf(s string, places []stretch) []stretch {
	out := make([]stretch, 0, len(places))
	for _, p := range places {
		start, end := max(0, p.start-reachBefore), min(len(s), p.end+reachBehind)
		if last := len(out) - 1; last >= 0 && start <= out[last].end {
			out[last].end = max(out[last].end, end)
		} else {
			out = append(out, stretch{start, end})
		}
	}
	for i := range out {
		least := 0
		if i > 0 {
			least = out[i-1].end
		}
		out[i].start = max(least, wordStart(s, out[i].start))
		out[i].end = wordEnd(s, out[i].end)
	}
	return out
}

// scan asks the rules whose anchors stand in f.s, or in the parts of it that are near.
func (f *finder) scan() {
	if f.near == nil {
		f.scanPart(0, len(f.s))
		return
	}
	done := 0
	for _, p := range f.near {
		f.scanPart(max(done, p.start), p.end)
		done = max(done, p.end)
	}
}

func (f *finder) scanPart(start, stop int) {
	s, x := f.s, packed.Anchors(packedAnchors)
	at, all := 0, finds()
	found := func(id, end int) { all[id](f, at, end) }
	var k uint16
	run := start // of the run of token bytes
	for i := start; i < stop; i++ {
		c := s[i]
		if c == '[' {
			// Nothing in a placeholder is a name or a token.
			if end := chars.PlaceholderEnd(s, i); end > i {
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
		if k = x.Next(k, c); x.Begins(k) && i >= 2 {
			at = i - 2
			x.At(k, s, at, found)
		}
		if !chars.IsTokenByte(c) {
			if i-run >= longToken {
				f.long(run, i)
			}
			run = i + 1
		}
	}
	if stop-run >= longToken {
		f.long(run, stop)
	}
}
