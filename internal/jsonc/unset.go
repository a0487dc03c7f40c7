package jsonc

import (
	"bytes"
	"slices"
	"strings"
)

// Unset takes out the member at keys, and the objects that Set made for it and that hold nothing else. was says
// whether it was there. Errors: *Fault.
func Unset(src []byte, keys ...string) (now []byte, was bool, err error) {
	for now = slices.Clone(src); ; was = true {
		t, err := read(now)
		if err != nil {
			return nil, false, err
		}
		next, there := t.without(keys)
		if !there {
			return now, was, nil
		}
		now = next
	}
}

// without is the text without the last member at keys.
func (t *text) without(keys []string) (now []byte, there bool) {
	at := t.root
	var boxes []box
	var places []int
	for _, key := range keys {
		b, ok := t.box(at)
		i := b.last(key)
		if !ok || i < 0 {
			return nil, false
		}
		boxes, places = append(boxes, b), append(places, i)
		at = b.items[i].value
	}
	if len(boxes) == 0 {
		return nil, false
	}
	return t.taken(boxes, places, keys), true
}

// taken is the text without what is at places in boxes, each of which stands in the one before it at a key, and without
// the boxes that were made for it.
func (t *text) taken(boxes []box, places []int, keys []string) []byte {
	n := len(boxes) - 1
	for n > 0 && t.made(boxes[n]) && boxes[n-1].count(keys[n-1]) == 1 { // without one of two, the other would count
		n--
	}
	return t.remove(boxes[n], places[n], n == 0)
}

// around is what stands in a box of one member before it and behind it.
func (t *text) around(b box) (before, behind []byte) {
	return t.src[b.open+1 : b.items[0].start], t.src[b.items[0].end:b.end]
}

// made reports whether a box has the form of one that Set or Add made, and holds one entry and no comment.
func (t *text) made(b box) bool {
	if len(b.items) != 1 {
		return false
	}
	before, behind := t.around(b)
	return len(before) > 0 && strings.IndexByte(spaces, before[0]) >= 0 && !commented(before) && !commented(behind)
}

func commented(extra []byte) bool { return bytes.IndexByte(extra, '/') >= 0 }

// remove takes member i out of b.
func (t *text) remove(b box, i int, root bool) []byte {
	it := b.items[i]
	if len(b.items) == 1 && root {
		before, behind := t.around(b)
		if bytes.IndexByte(before, '\n') >= 0 && !commented(before) && !commented(behind) {
			return t.spliced(splice{b.open + 1, b.end, ""})
		}
	}
	from := b.open + 1
	if i > 0 {
		from = b.items[i-1].comma + 1
	}
	var splices []splice
	if i > 0 && i == len(b.items)-1 && it.comma < 0 {
		splices = append(splices, splice{from - 1, from, ""})
	}
	start, end := t.begin(b, it, from), it.end
	rest := end // where what stays begins
	if it.comma >= 0 {
		rest = it.comma + 1
		if i == 0 && len(b.items) > 1 && start == from {
			for rest < b.end && strings.IndexByte(blanks, t.src[rest]) >= 0 && !bytes.ContainsRune(t.src[from:it.start], '\n') {
				rest++
			}
		}
	}
	if start < it.start && endsOpen(t.src[from:start]) { // nothing may come into the line of a comment
		next := t.src[end : b.end+1]
		if it.comma >= 0 {
			next = slices.Concat(t.src[end:it.comma], t.src[rest:b.end+1])
		}
		if bytes.TrimLeft(next, blanks+"\r")[0] != '\n' {
			start += bytes.IndexByte(t.src[start:it.start], '\n') + 1
		}
	}
	if it.comma >= 0 {
		return t.spliced(append(splices, splice{start, it.comma + 1, string(t.src[end:it.comma])}, splice{it.comma + 1, rest, ""})...)
	}
	return t.spliced(append(splices, splice{start, end, ""})...)
}

// begin is where what goes with a member begins: the space that Set puts before it.
func (t *text) begin(b box, it entry, from int) int {
	before := t.src[from:it.start]
	if len(b.items) == 1 {
		if !commented(before) {
			return it.start
		}
		return from + len(bytes.TrimRight(before, spaces))
	}
	before = bytes.TrimRight(before, blanks)
	if bytes.HasSuffix(before, []byte("\n")) {
		before = bytes.TrimSuffix(before, []byte(t.nl))
		before = bytes.TrimSuffix(before, []byte("\n"))
	}
	return from + len(before)
}

// endsOpen reports whether extra, comments and space, ends in a comment that the end of its line ends.
func endsOpen(extra []byte) bool {
	for i := 0; i < len(extra); i++ {
		switch {
		case bytes.HasPrefix(extra[i:], []byte("//")):
			n := bytes.IndexByte(extra[i:], '\n')
			if n < 0 {
				return true
			}
			i += n
		case bytes.HasPrefix(extra[i:], []byte("/*")):
			i += max(bytes.Index(extra[i+2:], []byte("*/")), 0) + 3
		}
	}
	return false
}
