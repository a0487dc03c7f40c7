package index

import (
	"strings"

	"ken/internal/text"
)

// A pass reads texts for a few terms. It cuts into words only what may hold one of these.
//
// Of a text of ASCII this is known by its bytes: a term stands there as it is, but for capitals, and what
// has a stem begins as text.Beginnings says. So a place of a text can only begin a term whose first bytes
// are among starts. Around such a place the text is cut up to the next space on both sides: no chunk has one in it,
// and none depends on what is behind it. Where other characters are, all is cut.
type pass struct {
	prefix string         // words that begin with it are terms as well; "": none
	number map[Term]int32 // of the terms
	found  [][]Posting    // by term
	// starts has a bit for each gram that may begin a term: the lower bits of its bytes, which are the same of
	// small and large letters.
	starts [1 << gramBits / 64]uint64
	pieces map[string][]int32 // the terms of pieces of a text, one that it has twice twice
	chunks map[string][]int32 // and those of a chunk
}

const (
	gramBytes = 4
	byteBits  = 5
	gramBits  = gramBytes * byteBits
	gramMask  = 1<<gramBits - 1

	// mostPiece is how long a piece is at most that is remembered: longer ones do not come again.
	mostPiece = 64
)

func newPass(wanted []Term) *pass {
	p := &pass{number: make(map[Term]int32, len(wanted)), pieces: make(map[string][]int32), chunks: make(map[string][]int32)}
	for _, t := range wanted {
		p.add(t)
		if t.Form != Stem {
			p.begin(t.Text)
			continue
		}
		for _, b := range text.Beginnings(t.Text) {
			p.begin(b)
		}
	}
	return p
}

// add gives a term its number.
func (p *pass) add(t Term) int32 {
	n, ok := p.number[t]
	if !ok {
		n = int32(len(p.found))
		p.number[t] = n
		p.found = append(p.found, nil)
	}
	return n
}

// begin notes that a term may begin so.
func (p *pass) begin(s string) {
	if !text.ASCII(s) {
		return // no text of ASCII has it
	}
	s = s[:min(len(s), gramBytes)]
	gram := uint32(0)
	for i := range len(s) {
		gram = gram<<byteBits | gramOf(s[i])
	}
	rest := byteBits * (gramBytes - len(s))
	for gram <<= rest; ; gram++ {
		p.starts[gram/64] |= 1 << (gram % 64)
		if (gram+1)&(1<<rest-1) == 0 {
			return
		}
	}
}

func gramOf(c byte) uint32 { return uint32(c & (1<<byteBits - 1)) }

// read reads a text of a field of a document, which is none before the last one.
func (p *pass) read(doc int32, f Field, value string) {
	p.each(value, func(piece string) {
		for _, t := range p.termsOf(piece) {
			list := p.found[t]
			if n := len(list) - 1; n >= 0 && list[n].Doc == doc {
				list[n].Counts[f] = plus(list[n].Counts[f])
				continue
			}
			one := Posting{Doc: doc}
			one.Counts[f] = 1
			p.found[t] = append(list, one)
		}
	})
}

// each yields the pieces of a text that may have a term.
func (p *pass) each(s string, yield func(piece string)) {
	if text.ASCII(s) {
		p.eachASCII(s, yield)
		return
	}
	from, ascii := 0, true
	for i := range len(s) {
		ascii = ascii && s[i] < 0x80
		switch {
		case i+1 < len(s) && (!space(s[i]) || s[i+1] >= 0x80): // a mark may stand behind a space
		case ascii:
			p.eachASCII(s[from:i+1], yield)
			from = i + 1
		default:
			yield(s[from : i+1])
			from, ascii = i+1, true
		}
	}
}

// eachASCII is each of a text of ASCII.
func (p *pass) eachASCII(s string, yield func(piece string)) {
	done := 0 // up to where all is cut
	gram := uint32(0)
	for i := range len(s) + gramBytes - 1 {
		gram = gram << byteBits & gramMask
		if i < len(s) {
			gram |= gramOf(s[i])
		}
		if p.starts[gram/64]&(1<<(gram%64)) == 0 {
			continue
		}
		if at := i - gramBytes + 1; at >= done && !space(s[at]) {
			from := at
			for from > done && !space(s[from-1]) {
				from--
			}
			for done = at + 1; done < len(s) && !space(s[done]); done++ {
			}
			yield(s[from:done])
		}
	}
}

func space(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// termsOf are those of a piece, one that it has twice twice.
func (p *pass) termsOf(piece string) []int32 {
	if list, ok := p.pieces[piece]; ok {
		return list
	}
	var list []int32
	text.Chunks(piece, func(chunk string) {
		of, ok := p.chunks[chunk]
		if !ok {
			for _, t := range terms(chunk) {
				n, ok := p.number[t]
				if !ok && p.prefix != "" && t.Form == Word && strings.HasPrefix(t.Text, p.prefix) {
					n, ok = p.add(t), true
				}
				if ok {
					of = append(of, n)
				}
			}
			p.chunks[chunk] = of
		}
		list = append(list, of...)
	})
	if len(piece) <= mostPiece {
		p.pieces[piece] = list
	}
	return list
}
