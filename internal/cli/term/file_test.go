package term

import (
	"errors"
	"strings"
	"testing"
)

// A disk is a file on a disk that has room for so many bytes.
type disk struct {
	text   []byte
	room   int
	broken bool // nothing of what is there can be written over
}

var errFull = errors.New("no space left on device")

func (d *disk) WriteAt(b []byte, at int64) (int, error) {
	if d.broken && int(at) < len(d.text) {
		return 0, errFull
	}
	for i, c := range b {
		if int(at)+i >= d.room {
			return i, errFull
		}
		if int(at)+i == len(d.text) {
			d.text = append(d.text, c)
		}
		d.text[int(at)+i] = c
	}
	return len(b), nil
}

func (d *disk) Truncate(size int64) error {
	d.text = d.text[:size]
	return nil
}

// TestReplace: a full disk takes nothing of what a file says.
func TestReplace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		old, text string
		room      int
		want      string
		err       error
	}{
		{"", "new", 9, "new", nil},
		{"", "new", 2, "", errFull},
		{"old text", "new", 8, "new", nil},
		{"old", "new text", 9, "new text", nil},
		{"old", "new text", 5, "old", errFull},
		{"old", "", 3, "", nil},
	} {
		d := &disk{text: []byte(c.old), room: c.room}
		err := replace(d, int64(len(c.old)), c.text)
		if string(d.text) != c.want || !errors.Is(err, c.err) || errors.Is(err, errTorn) {
			t.Errorf("%q over %q with room for %d: %q, %v", c.text, c.old, c.room, d.text, err)
		}
	}
	d := &disk{text: []byte("old"), room: 9, broken: true}
	if err := replace(d, 3, "new"); !errors.Is(err, errTorn) || !strings.Contains(err.Error(), errFull.Error()) {
		t.Error(err)
	}
}
