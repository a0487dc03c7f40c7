package files

import (
	"cmp"
	"io/fs"
	"slices"
)

// A Turn is what is known of the files of one turn of a model: what it read, and which edits
// failed. The zero Turn knows nothing; it is for one goroutine. A nil one remembers nothing.
type Turn struct{ files map[string]*known }

type known struct {
	seen    string // Sum of what the model read; "" if it read nothing
	failed  int    // edits
	doubted bool   // a whole new text
}

// mostFailed is how many edits of a file may fail.
const mostFailed = 4

func (k *known) refused() bool { return k.failed >= mostFailed }

func (t *Turn) of(path string) *known {
	if t == nil {
		return &known{}
	}
	if t.files == nil {
		t.files = map[string]*known{}
	}
	k := t.files[path]
	if k == nil {
		k = &known{}
		t.files[path] = k
	}
	return k
}

// Wrote remembers what a change left: the model knows it.
func (t *Turn) Wrote(c Change) { t.of(c.Path).seen = c.AfterSum }

// sortEntries puts directories first.
func sortEntries(list []fs.DirEntry) {
	slices.SortFunc(list, func(a, b fs.DirEntry) int {
		if a.IsDir() != b.IsDir() {
			if a.IsDir() {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Name(), b.Name())
	})
}
