package jsonl

import (
	"os"
	"time"
)

// A Stamp is what the file system says of a file without reading it: which file
// it is, how long, and when it was changed. It is comparable; the zero Stamp
// stands for a system that cannot say.
//
// Two equal stamps mean equal content only if the earlier one was taken well
// after the last change: a second change of the same length within one tick of
// the file system's clock leaves no trace. Settle makes that sure.
type Stamp struct {
	Dev   uint64 `json:"dev"`
	Ino   uint64 `json:"ino"`
	Size  int64  `json:"size"`
	Mtime int64  `json:"mtime"` // nanoseconds since 1970
	Ctime int64  `json:"ctime"` // nanoseconds since 1970
}

// Settling is how long a file must have lain still before its stamp is believed, and
// how far Settle sets a file's time back: more than one tick of the kernel's clock for
// files, which is 10 ms at most.
const Settling = 25 * time.Millisecond

// coarse is the lag of the clock of a file system whose times are whole seconds: FAT counts in
// twos.
const coarse = 2 * time.Second

// StampAt returns the stamp of the file at path, and whether a later change is sure to show
// in it: it is Settled. A missing file has the zero stamp, which shows.
func StampAt(path string, now time.Time) (s Stamp, sure bool) {
	fi, err := os.Stat(path)
	if os.IsNotExist(err) {
		return Stamp{}, true
	}
	if err != nil {
		return Stamp{}, false
	}
	s, ok := StampOf(fi)
	return s, ok && s.Settled(now)
}

// Settled reports whether a file with that stamp was last changed so long before
// that the next change gets another time.
func (s Stamp) Settled(now time.Time) bool {
	last := max(s.Mtime, s.Ctime)
	wait := Settling
	if s.Mtime%int64(time.Second) == 0 && s.Ctime%int64(time.Second) == 0 {
		wait += coarse
	}
	return last+int64(wait) < now.UnixNano()
}

// Grew reports whether s is a stamp of the same file as was, and longer.
func (s Stamp) Grew(was Stamp) bool { return s.Dev == was.Dev && s.Ino == was.Ino && s.Size > was.Size }

// Settle takes the stamp of the file at path in such a way that any later
// change shows, by setting its time of change back a little: whatever changes
// the file afterwards gives it a time of its own. want is the stamp that the
// file had just now, from StampOf; if the file has another one by now, or the
// file system keeps only whole seconds, or it is not ours to set times of,
// Settle reports false and the stamp must not be relied on.
func Settle(path string, want Stamp) (Stamp, bool) {
	fi, err := os.Stat(path)
	if err != nil || want == (Stamp{}) {
		return Stamp{}, false
	}
	if now, ok := StampOf(fi); !ok || now != want {
		return Stamp{}, false
	}
	back := fi.ModTime().Add(-Settling)
	if err := os.Chtimes(path, time.Time{}, back); err != nil {
		return Stamp{}, false
	}
	fi, err = os.Stat(path)
	if err != nil {
		return Stamp{}, false
	}
	s, ok := StampOf(fi)
	ok = ok && s.Dev == want.Dev && s.Ino == want.Ino && s.Size == want.Size
	return s, ok && s.Mtime == back.UnixNano()
}
