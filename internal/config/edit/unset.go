package edit

import (
	"bytes"
	"fmt"
	"slices"
)

// mostMade is how many keys a table has at most that is looked at as one that Set made.
const mostMade = 16

// Unset returns the text src without key and all that is below it, and whether
// there was any of it. Comments above a key stay. What Set put in goes byte for
// byte, a table that it made with its last key. The error is ErrSyntax.
func Unset(src []byte, key []string) (out []byte, was bool, err error) {
	text, marked := bytes.CutPrefix(src, []byte(byteOrderMark))
	for {
		d, err := parse(text)
		if err != nil {
			return nil, false, fmt.Errorf("unset %s: %w", Key(key...), err)
		}
		c, found := d.find(key)
		if !found {
			break
		}
		// One at a time: what is left is parsed anew, so that no two cuts overlap.
		text, was = d.without(c), true
	}
	if !was {
		return src, false, nil
	}
	if marked {
		text = append([]byte(byteOrderMark), text...)
	}
	return text, true, nil
}

// A cut is what goes for a key.
type cut struct {
	at, end int
	gone    []entry // that go with it; none: of no interest
	more    []cut   // what went in, if Set put it in
}

// find gives something that key names.
func (d *document) find(key []string) (c cut, found bool) {
	if len(key) == 0 {
		return c, false
	}
	for _, s := range d.sections[1:] {
		if isPrefix(key, s.path) {
			c = cut{at: s.start, end: s.end, gone: d.keysOf(s)}
			c.more = d.around(c)
			return c, true
		}
	}
	for i, e := range d.entries {
		if !isPrefix(key, e.path) {
			continue
		}
		if e.inside >= 0 {
			return d.ofInline(i), true
		}
		c = cut{at: d.lineStart(e.start), end: d.lineEnd(e.end), gone: []entry{e}}
		for _, s := range d.sections[1:] {
			if s.body <= e.start && e.start < s.end && len(d.keysOf(s)) == 1 {
				c.more = d.around(cut{at: s.start, end: s.end, gone: c.gone})
			}
		}
		c.more = append(c.more, d.around(c)...)
		return c, true
	}
	return c, false
}

// keysOf are the keys of a section itself.
func (d *document) keysOf(s section) (list []entry) {
	for _, e := range d.entries {
		if e.inside < 0 && s.body <= e.start && e.start < s.end {
			list = append(list, e)
		}
	}
	return list
}

// around is c with the ends of lines before it and the blank line behind it that Set may have put there.
func (d *document) around(c cut) (list []cut) {
	ends := []int{c.end}
	if next := d.lineEnd(c.end); next > c.end && len(bytes.TrimSpace(d.src[c.end:next])) == 0 {
		ends = append(ends, next)
	}
	at := c.at
	for range 3 { // a blank line, and the end that the last line had not
		for _, end := range ends {
			list = append(list, cut{at: at, end: end, gone: c.gone})
		}
		if !bytes.HasSuffix(d.src[:at], []byte(d.eol())) {
			break
		}
		at -= len(d.eol())
	}
	return list
}

// without is the text without what a cut takes: what Set would put in again exactly so, else what the key names.
func (d *document) without(c cut) []byte {
	for _, is := range c.more {
		if out := slices.Concat(d.src[:is.at], d.src[is.end:]); d.madeFrom(out, is) {
			return out
		}
	}
	return slices.Concat(d.src[:c.at], d.src[c.end:])
}

// madeFrom reports whether the text is what Set makes of another when it puts in what a cut takes.
func (d *document) madeFrom(out []byte, c cut) bool {
	if len(c.gone) == 0 || len(c.gone) > mostMade || !d.looksMade(c) {
		return false
	}
	var err error
	for _, e := range c.gone {
		if out, err = Set(out, e.path, string(d.src[e.value:e.end])); err != nil {
			return false
		}
	}
	return bytes.Equal(out, d.src)
}

// looksMade reports whether a cut takes nothing but keys as Set writes them, with the header of their table and
// space around them. It saves work.
func (d *document) looksMade(c cut) bool {
	said := bytes.TrimSpace(d.src[c.at:c.end])
	for i := len(c.gone) - 1; i >= 0; i-- {
		e := c.gone[i]
		text, ok := bytes.CutSuffix(said, d.src[e.value:e.end])
		if ok {
			text, ok = bytes.CutSuffix(text, []byte(" = "))
		}
		if !ok || len(text) == 0 {
			return false
		}
		if said = text[:max(bytes.LastIndexByte(text, '\n'), 0)]; i > 0 {
			said = bytes.TrimSpace(said)
		}
	}
	return bytes.IndexByte(said, '\n') < 0
}

// ofInline is what goes for a key in an inline table.
func (d *document) ofInline(i int) cut {
	e := d.entries[i]
	before, after := -1, -1
	for j, sibling := range d.entries {
		if sibling.inside == e.inside && j < i {
			before = j
		}
		if sibling.inside == e.inside && j > i && after < 0 {
			after = j
		}
	}
	switch {
	case after >= 0:
		return cut{at: e.start, end: d.entries[after].start}
	case before >= 0:
		return cut{at: d.entries[before].end, end: e.end}
	}
	c := cut{gone: []entry{e}}
	c.at, c.end = d.insideOf(e)
	if e.start > c.at && d.src[e.start-1] == ' ' {
		if e.end < c.end && d.src[e.end] == ' ' {
			c.more = append(c.more, cut{at: e.start - 1, end: e.end + 1, gone: c.gone})
		}
		c.more = append(c.more, cut{at: e.start - 1, end: e.end, gone: c.gone})
	}
	return c
}

// insideOf gives all that stands between the braces around an only child: a
// comma behind it would not be allowed there alone.
func (d *document) insideOf(e entry) (at, end int) {
	table := d.entries[e.inside]
	return table.value + 1, table.end - 1
}
