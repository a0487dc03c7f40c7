package jsonltest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"ken/internal/jsonl"
)

// ErrCrash is what every call returns from a crash on: the process is gone, and
// what it would have done next was not done.
var ErrCrash = errors.New("crashed here")

// A Fault is what happens at a call instead of what was asked for.
type Fault struct {
	// Err is what the call returns. nil stands for ErrCrash: this call and all
	// later ones do nothing.
	Err error
	// Done has a write do its first Done bytes all the same.
	Done int
}

// A Disk is a jsonl.FS over the directory it was made for. It is safe for
// concurrent use.
type Disk struct {
	mu      sync.Mutex
	root    string
	trace   []string
	faults  map[int]Fault
	crashed bool
	files   map[string]*node // what the names mean to a running process
	names   []nameChange     // made and not yet durable, oldest first
}

// node is the content of a file.
type node struct {
	live    []byte       // what a running process reads
	durable []byte       // what is on the disk for sure
	dropped map[int]bool // sectors that a failed sync has given up
}

// nameChange says that a name means another file than before, nil for none; with
// from, that the file had that name until then.
type nameChange struct {
	from, name   string
	file, before *node
}

// sector is the size in bytes of what a disk writes whole or not at all.
const sector = 512

// New returns a Disk over root. What is below root is durable.
func New(root string) (*Disk, error) {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	d := &Disk{root: root, faults: map[int]Fault{}}
	return d, d.Settle()
}

// inRoot gives the name by which a Disk knows a file: with the links in its
// directory followed, and its own as well unless there is nothing behind it.
func inRoot(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		return filepath.Join(dir, filepath.Base(name))
	}
	return name
}

// Settle takes everything that is below the root now, however it came there,
// for durable.
func (d *Disk) Settle() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	files, err := snapshot(d.root)
	if err != nil {
		return err
	}
	d.files, d.names = files, nil
	return nil
}

func snapshot(root string) (map[string]*node, error) {
	files := map[string]*node{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		files[path] = &node{live: b, durable: bytes.Clone(b), dropped: map[int]bool{}}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("take %s for durable: %w", root, err)
	}
	return files, nil
}

// FailAt has the k-th call from now on, counted from 1, fail.
func (d *Disk) FailAt(k int, f Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults[len(d.trace)+k] = f
}

// Calm takes back all faults that have not happened yet, and a crash: the
// process is started again.
func (d *Disk) Calm() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.crashed = false
	clear(d.faults)
}

// Trace lists the calls so far: "open", "write", "sync", "close", "rename",
// "remove" or "truncate", each with the base name of its file.
func (d *Disk) Trace() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.trace...)
}

// call counts a call and returns the fault that is due at it.
func (d *Disk) call(op, name string) (done int, err error) {
	if d.crashed {
		return 0, ErrCrash
	}
	d.trace = append(d.trace, op+" "+filepath.Base(name))
	f, ok := d.faults[len(d.trace)]
	switch {
	case !ok:
		return -1, nil
	case f.Err == nil:
		d.crashed = true
		return f.Done, ErrCrash
	}
	return f.Done, &fs.PathError{Op: op, Path: name, Err: f.Err}
}

// OpenFile implements jsonl.FS.
func (d *Disk) OpenFile(name string, flag int, perm fs.FileMode) (jsonl.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.call("open", name); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	of := &file{disk: d, f: f, name: name}
	if fi.IsDir() {
		return of, nil
	}
	real := inRoot(name)
	of.node = d.files[real]
	if of.node == nil {
		of.node = &node{dropped: map[int]bool{}}
		d.rename("", real, of.node)
	}
	return of, nil
}

// Rename implements jsonl.FS.
func (d *Disk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.call("rename", from); err != nil {
		return err
	}
	from, to = inRoot(from), inRoot(to)
	if err := os.Rename(from, to); err != nil {
		return err
	}
	d.rename(from, to, d.files[from])
	return nil
}

// rename has name mean file, nil for none, and from nothing any more.
func (d *Disk) rename(from, name string, file *node) {
	d.names = append(d.names, nameChange{from: from, name: name, file: file, before: d.files[name]})
	delete(d.files, from)
	d.files[name] = file
	if file == nil {
		delete(d.files, name)
	}
}

// Remove implements jsonl.FS.
func (d *Disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.call("remove", name); err != nil {
		return err
	}
	name = inRoot(name)
	if err := os.Remove(name); err != nil {
		return err
	}
	d.rename("", name, nil)
	return nil
}

// Truncate implements jsonl.FS.
func (d *Disk) Truncate(name string, size int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.call("truncate", name); err != nil {
		return err
	}
	if err := os.Truncate(name, size); err != nil {
		return err
	}
	n := d.files[inRoot(name)]
	n.touch(int(size), len(n.live))
	n.live = n.live[:size]
	return nil
}

// Truncate implements jsonl.Cutter.
func (f *file) Truncate(size int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if _, err := f.disk.call("truncate", f.name); err != nil {
		return err
	}
	if err := f.f.Truncate(size); err != nil {
		return err
	}
	f.node.touch(int(size), len(f.node.live))
	f.node.live = f.node.live[:size]
	return nil
}

// touch says that the bytes from a to b were changed in memory: a sector that a
// failed sync gave up will be written again.
func (n *node) touch(a, b int) {
	for s := a / sector; s*sector < b; s++ {
		delete(n.dropped, s)
	}
}

// file is a file or a directory open on a Disk.
type file struct {
	disk *Disk
	f    *os.File
	name string
	node *node // nil for a directory
}

// Write implements jsonl.File.
func (f *file) Write(p []byte) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	done, fault := f.disk.call("write", f.name)
	if fault != nil {
		p = p[:min(done, len(p))]
	}
	n, err := f.f.Write(p)
	before := len(f.node.live)
	f.node.live = append(f.node.live, p[:n]...)
	f.node.touch(before, before+n)
	if fault != nil {
		err = fault
	}
	return n, err
}

// Stat implements jsonl.File. It never fails on purpose.
func (f *file) Stat() (fs.FileInfo, error) { return f.f.Stat() }

// Sync implements jsonl.File. Nothing is really synced, which makes tests fast.
func (f *file) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	_, err := f.disk.call("sync", f.name)
	switch {
	case f.node == nil && err == nil:
		f.disk.syncNames(f.name)
	case f.node != nil && err == nil:
		f.node.sync()
	case f.node != nil && !errors.Is(err, ErrCrash): // who died before a sync has given nothing up
		f.node.drop()
	}
	return err
}

// syncNames makes the names in the directory dir durable.
func (d *Disk) syncNames(dir string) {
	real := inRoot(dir)
	kept := d.names[:0]
	for _, c := range d.names {
		if filepath.Dir(c.name) != real {
			kept = append(kept, c)
		}
	}
	d.names = kept
}

// sync makes the content durable but for the sectors that were given up.
func (n *node) sync() {
	old := n.durable
	n.durable = bytes.Clone(n.live)
	for s := range n.dropped {
		copySector(n.durable, old, s)
	}
}

// drop gives up what is not durable: the kernel takes it for written.
func (n *node) drop() {
	for s := 0; s*sector < max(len(n.live), len(n.durable)); s++ {
		if !sameSector(n.live, n.durable, s) {
			n.dropped[s] = true
		}
	}
}

// copySector sets sector s of dst to what it is in src, zeros where src ends.
func copySector(dst, src []byte, s int) {
	for i := s * sector; i < min((s+1)*sector, len(dst)); i++ {
		dst[i] = 0
		if i < len(src) {
			dst[i] = src[i]
		}
	}
}

func sameSector(a, b []byte, s int) bool {
	cut := func(x []byte) string { return string(x[min(s*sector, len(x)):min((s+1)*sector, len(x))]) }
	return cut(a) == cut(b)
}

// Close implements jsonl.File. The file is closed even if it fails.
func (f *file) Close() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	_, fault := f.disk.call("close", f.name)
	err := f.f.Close()
	if fault != nil {
		err = fault
	}
	return err
}
