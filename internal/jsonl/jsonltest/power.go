package jsonltest

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// PowerLoss writes to the directory into one of the states that the disk might
// be in if the power failed now. pick chooses: it is called with n >= 1 and
// returns a number below n; a seeded rand.IntN gives a random state, and the
// same answers give the same state.
//
// Everything that was synced is there. Of the rest: a name that was given,
// taken or removed may be back to what it was, later changes of names not
// outliving earlier ones of the same directory; a file may have any length
// between the old and the new; each 512-byte sector of what was written since
// is there, or still what it was, zeros where nothing was.
func (d *Disk) PowerLoss(into string, pick func(n int) int) error {
	files, err := d.Remains(pick)
	if err != nil {
		return err
	}
	return files.WriteTo(into)
}

// Files are the contents of files by their paths below a root.
type Files map[string][]byte

// Remains is what PowerLoss writes, for who looks first whether a state was
// there before.
func (d *Disk) Remains(pick func(n int) int) (Files, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	files := Files{}
	names := d.survivingNames(pick)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		n := names[name]
		if n == nil {
			continue
		}
		rel, err := filepath.Rel(d.root, name)
		if err != nil || strings.HasPrefix(rel, "..") {
			return nil, fmt.Errorf("power loss: %s is outside of %s", name, d.root)
		}
		files[rel] = n.surviving(pick)
	}
	return files, nil
}

// WriteTo makes the files below the directory into.
func (f Files) WriteTo(into string) error {
	for rel, text := range f {
		to := filepath.Join(into, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Sum is the same for the same files.
func (f Files) Sum() [sha256.Size]byte {
	h := sha256.New()
	for _, rel := range slices.Sorted(maps.Keys(f)) {
		_, _ = fmt.Fprintf(h, "%q %d\n", rel, len(f[rel])) // a hash takes everything
		_, _ = h.Write(f[rel])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// survivingNames takes back the last few changes of names of each directory.
func (d *Disk) survivingNames(pick func(int) int) map[string]*node {
	pending := map[string][]nameChange{}
	var dirs []string
	for _, c := range d.names {
		dir := filepath.Dir(c.name)
		if pending[dir] == nil {
			dirs = append(dirs, dir)
		}
		pending[dir] = append(pending[dir], c)
	}
	names := map[string]*node{}
	for name, n := range d.durableNames() {
		names[name] = n
	}
	for _, dir := range dirs {
		list := pending[dir]
		for _, c := range list[:pick(len(list)+1)] {
			if c.from != "" {
				delete(names, c.from)
			}
			names[c.name] = c.file
		}
	}
	return names
}

// durableNames is what the names meant before the changes that are not durable.
func (d *Disk) durableNames() map[string]*node {
	names := map[string]*node{}
	for name, n := range d.files {
		names[name] = n
	}
	for _, c := range slices.Backward(d.names) {
		names[c.name] = c.before
		if c.from != "" {
			names[c.from] = c.file
		}
	}
	return names
}

// surviving is one of the contents that may be left of n.
func (n *node) surviving(pick func(int) int) []byte {
	size := len(n.durable)
	switch pick(3) {
	case 0: // the new length
		size = len(n.live)
	case 1: // any between
		lo, hi := min(size, len(n.live)), max(size, len(n.live))
		size = lo + pick(hi-lo+1)
	}
	out := make([]byte, size)
	for s := 0; s*sector < size; s++ {
		switch {
		case sameSector(n.live, n.durable, s), n.dropped[s], pick(2) == 0:
			copySector(out, n.durable, s)
		default:
			copySector(out, n.live, s)
		}
	}
	return out
}
