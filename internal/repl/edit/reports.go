package edit

import (
	"io"
	"slices"
)

// WithoutReports is r without what a terminal says of its cursor: it was asked
// and said it too late. A report that comes in two reads is not seen.
func WithoutReports(r io.Reader) io.Reader { return &lateReader{r} }

type lateReader struct{ r io.Reader }

func (l *lateReader) Read(b []byte) (int, error) {
	for {
		n, err := l.r.Read(b)
		got := b[:n]
		for {
			from, to := findPosition(got)
			if to == 0 {
				break
			}
			got = slices.Delete(got, from, to)
		}
		if len(got) > 0 || n == 0 || err != nil {
			return len(got), err
		}
	}
}

// findPosition finds where in b a report of the cursor stands; 0, 0 if none does.
func findPosition(b []byte) (from, to int) {
	for i := range b {
		if b[i] != 0x1b || i+1 >= len(b) || b[i+1] != '[' {
			continue
		}
		for j := i + 2; j < len(b); j++ {
			if b[j] == 'R' && isPosition(string(b[i+2:j])) {
				return i, j + 1
			}
			if b[j] != ';' && (b[j] < '0' || b[j] > '9') {
				break
			}
		}
	}
	return 0, 0
}
