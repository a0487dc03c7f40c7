package text_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"ken/internal/text"
)

// TestInReader: a text is found wherever it stands in a long one, across pieces too, and
// in bounded memory.
func TestInReader(t *testing.T) {
	t.Parallel()
	set, none := text.NewMatcher("the staging host is called kettle"), text.NewMatcher()
	fill := strings.Repeat("some words, %41 &amp; café; ", 40_000) // a little over a piece
	for _, at := range []int{0, 5, 1<<20 - 60, 1<<20 - 20, 1 << 20, 1<<20 + 9, len(fill)} {
		at = min(at, len(fill))
		for at > 0 && at < len(fill) && fill[at]&0xc0 == 0x80 {
			at--
		}
		hay := fill[:at] + "The staging \u00a0host is\ncalled KETTLE" + fill[at:] + fill
		if ok, err := text.InReader(strings.NewReader(hay), none, set); err != nil || !ok {
			t.Errorf("at %d: %v, %v", at, ok, err)
		}
	}
	if ok, err := text.InReader(strings.NewReader(fill+fill), set); ok || err != nil {
		t.Errorf("not there: %v, %v", ok, err)
	}
	if ok, err := text.InReader(iotest.ErrReader(errors.New("disk")), set); ok || err == nil {
		t.Errorf("a fault: %v, %v", ok, err)
	}
	if ok, err := text.InReader(iotest.ErrReader(errors.New("disk")), none); ok || err != nil {
		t.Errorf("nothing to look for: %v, %v", ok, err)
	}
}

// endless gives text without a line end, for so many bytes.
type endless struct{ left int }

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, errors.New("end")
	}
	n := copy(b, strings.Repeat("words & more, ", len(b)/14+1))
	e.left -= n
	return n, nil
}

// TestInReaderBound: the heap does not grow with the text.
func TestInReaderBound(t *testing.T) { //nolint:paralleltest // it measures the heap
	set := text.NewMatcher("the staging host is called kettle")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if ok, err := text.InReader(&endless{left: 64 << 20}, set); ok || err == nil {
		t.Fatalf("%v, %v", ok, err)
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 48<<20 {
		t.Errorf("the heap grew by %d MB for 64 MB of text", grown>>20)
	}
}
