package edit

import (
	"bytes"
	"fmt"
	"slices"
)

// Unset returns the text src without key and all that is below it, and whether
// there was any of it. Comments above a key stay. The error is ErrSyntax.
func Unset(src []byte, key []string) (out []byte, was bool, err error) {
	text, marked := bytes.CutPrefix(src, []byte(byteOrderMark))
	for {
		d, err := parse(text)
		if err != nil {
			return nil, false, fmt.Errorf("unset %s: %w", Key(key...), err)
		}
		at, end := d.find(key)
		if at < 0 {
			break
		}
		// One at a time: what is left is parsed anew, so that no two cuts overlap.
		text, was = slices.Concat(text[:at], text[end:]), true
	}
	if !was {
		return src, false, nil
	}
	if marked {
		text = append([]byte(byteOrderMark), text...)
	}
	return text, true, nil
}

// find gives the bytes of something that key names, -1 if nothing is left.
func (d *document) find(key []string) (at, end int) {
	if len(key) == 0 {
		return -1, 0
	}
	for _, s := range d.sections[1:] {
		if isPrefix(key, s.path) {
			return s.start, s.end
		}
	}
	for i, e := range d.entries {
		if !isPrefix(key, e.path) {
			continue
		}
		if e.inside < 0 {
			return d.lineStart(e.start), d.lineEnd(e.end)
		}
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
			return e.start, d.entries[after].start
		case before >= 0:
			return d.entries[before].end, e.end
		}
		return d.insideOf(e)
	}
	return -1, 0
}

// insideOf gives all that stands between the braces around an only child: a
// comma behind it would not be allowed there alone.
func (d *document) insideOf(e entry) (at, end int) {
	table := d.entries[e.inside]
	return table.value + 1, table.end - 1
}
