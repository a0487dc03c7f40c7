package text

import (
	"errors"
	"io"
)

// piece is how much of a text is looked at together, in bytes: comparing takes several
// times as much memory.
const piece = 1 << 20

// InReader reports whether one of the texts of the sets stands in what r gives, as
// InBytes does. It reads in pieces that overlap, so that it takes the same memory
// however much there is. The only errors are those of r.
func InReader(r io.Reader, sets ...*Matcher) (bool, error) {
	longest := 0
	for _, s := range sets {
		longest = max(longest, s.Longest())
	}
	if longest == 0 {
		return false, nil
	}
	overlap := Overlap(longest)
	buf := make([]byte, 0, max(piece, 4*overlap))
	for last := false; !last; {
		n, err := io.ReadFull(r, buf[len(buf):cap(buf)])
		if last = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); err != nil && !last {
			return false, err
		}
		buf = buf[:len(buf)+n]
		for _, s := range sets {
			if s.InBytes(buf) {
				return true, nil
			}
		}
		buf = buf[:copy(buf, buf[max(0, len(buf)-overlap):])]
	}
	return false, nil
}

// Overlap returns how many bytes of one piece of a file the next one must have again, so that
// a text of so many bytes, normalised, that stands across the cut is found: a character
// takes at most six bytes, and there may be blanks.
func Overlap(longest int) int { return 8*longest + 4<<10 }
