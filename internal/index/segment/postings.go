package segment

import (
	"encoding/binary"
	"math"
	"slices"

	"ken/internal/index"
)

// A list of postings is one after the other
//
//	varint   twice how many documents were passed over since the last, and 1 if
//	         counts follow: without them the content has the term once, and no
//	         other field has it
//	byte     of the counts: 4 bits content, 2 bits tags, 2 bits speaker. All bits
//	         set means that so much and more stands behind, as a varint each, in
//	         this order
const (
	maxContent = 15
	maxOther   = 3
)

// appendPosting appends to a list whose last document is last, -1 if it is empty.
func appendPosting(list []byte, last int32, p index.Posting) []byte {
	v := uint64(p.Doc-last-1) << 1
	if p.Counts == [index.Fields]uint16{index.FieldContent: 1} {
		return binary.AppendUvarint(list, v)
	}
	list = binary.AppendUvarint(list, v|1)
	c := p.Counts
	content := min(c[index.FieldContent], maxContent)
	tags, speaker := min(c[index.FieldTags], maxOther), min(c[index.FieldSpeaker], maxOther)
	list = append(list, byte(content|tags<<4|speaker<<6))
	if content == maxContent {
		list = binary.AppendUvarint(list, uint64(c[index.FieldContent]-maxContent))
	}
	if tags == maxOther {
		list = binary.AppendUvarint(list, uint64(c[index.FieldTags]-maxOther))
	}
	if speaker == maxOther {
		list = binary.AppendUvarint(list, uint64(c[index.FieldSpeaker]-maxOther))
	}
	return list
}

// appendPostings appends the n postings that b begins with to list, and returns
// what is left of b; ok is false if they are none, of documents below docs.
func appendPostings(list []index.Posting, b []byte, n, docs int) (longer []index.Posting, rest []byte, ok bool) {
	if n > len(b) || n > docs {
		return list, b, false
	}
	list = slices.Grow(list, n)
	first := len(list)
	out := list[first : first+n]
	next := uint64(0) // the first document that may come
	i := 0
	for k := range out {
		if i >= len(b) {
			return list, b, false
		}
		v := uint64(b[i])
		i++
		if v >= 0x80 {
			if i < len(b) && b[i] < 0x80 { // so are nearly all that are not shorter
				v = v&0x7f | uint64(b[i])<<7
				i++
			} else {
				var size int
				if v, size = binary.Uvarint(b[i-1:]); size <= 0 || v > math.MaxUint32 {
					return list, b, false
				}
				i += size - 1
			}
		}
		doc := next + v>>1
		next = doc + 1
		if v&1 == 0 {
			out[k] = index.Posting{Doc: int32(uint32(doc)), Counts: [index.Fields]uint16{index.FieldContent: 1}}
			continue
		}
		counts, size := readCounts(b[i:])
		if size == 0 {
			return list, b, false
		}
		i += size
		out[k] = index.Posting{Doc: int32(uint32(doc)), Counts: counts}
	}
	if next > uint64(docs) { // they ascend, so the last is the largest
		return list, b, false
	}
	return list[:first+n], b[i:], true
}

// readCounts reads the counts that b begins with; size is 0 if these are none.
func readCounts(b []byte) (counts [index.Fields]uint16, size int) {
	d := decoder{b: b}
	all := d.bytes(1)
	if d.bad {
		return counts, 0
	}
	count := func(v, most byte) uint16 {
		if v < most {
			return uint16(v)
		}
		return uint16(uint64(most) + d.upTo(math.MaxUint16-uint64(most)))
	}
	counts[index.FieldContent] = count(all[0]&maxContent, maxContent)
	counts[index.FieldTags] = count(all[0]>>4&maxOther, maxOther)
	counts[index.FieldSpeaker] = count(all[0]>>6, maxOther)
	if d.bad || all[0] == 0 {
		return counts, 0
	}
	return counts, len(b) - len(d.b)
}
