package rehearsal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"ken/internal/regular"
	"ken/internal/tool/sandbox"
	"ken/internal/tool/swap"
)

// A Stage is where the changes of one command go.
type Stage struct {
	Root string   // the project: absolute, without links
	Own  []string // what lies below these is not applied: absolute, without links
	dir  string
	held *os.File
	at   time.Time // when it was made, by the clock of its file system
}

// stagePrefix begins the names of stages. One that nobody holds is left over from a ken that was killed.
const stagePrefix = "ken-rehearsal-"

// Open makes a stage for a project in a directory, which must be outside of it.
func Open(under, root string) (*Stage, error) {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	fi, err := os.Stat(root)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(under, 0o700); err != nil {
		return nil, err
	}
	if under, err = filepath.EvalSymlinks(under); err != nil {
		return nil, err
	}
	if isBelow(under, root) {
		return nil, fmt.Errorf("%s is in the project", under)
	}
	s := &Stage{Root: root}
	if s.dir, err = os.MkdirTemp(under, stagePrefix); err != nil {
		return nil, err
	}
	if err := s.build(fi); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	sweep(under, s.at.Add(-time.Minute))
	return s, nil
}

func (s *Stage) build(root fs.FileInfo) (err error) {
	if s.held, err = os.OpenFile(filepath.Join(s.dir, "held"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		return err
	}
	if err := unix.Flock(int(s.held.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return err
	}
	for _, d := range []string{s.Upper(), s.Work(), s.Temp()} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return err
		}
	}
	// The project looks as the layer does, so the layer has to look as the project.
	if err := os.Chmod(s.Upper(), root.Mode()); err != nil {
		return err
	}
	fi, err := os.Stat(s.Upper())
	if err == nil {
		s.at = changed(fi)
	}
	return err
}

// Upper is where the changes of the project go.
func (s *Stage) Upper() string { return filepath.Join(s.dir, "upper") }

// Work is what the system needs besides.
func (s *Stage) Work() string { return filepath.Join(s.dir, "work") }

// Temp is for temporary files of the command.
func (s *Stage) Temp() string { return filepath.Join(s.dir, "temp") }

// Another is a layer over a directory whose changes are thrown away with the stage.
func (s *Stage) Another(of string) (sandbox.Layer, error) {
	fi, err := os.Stat(of)
	if err != nil {
		return sandbox.Layer{}, err
	}
	dir, err := os.MkdirTemp(s.dir, "aside-")
	if err != nil {
		return sandbox.Layer{}, err
	}
	l := sandbox.Layer{At: of, Upper: filepath.Join(dir, "upper"), Work: filepath.Join(dir, "work")}
	return l, errors.Join(os.Mkdir(l.Upper, 0o700), os.Chmod(l.Upper, fi.Mode()), os.Mkdir(l.Work, 0o700))
}

// Close throws the stage away.
func (s *Stage) Close() error {
	err := removeAll(s.dir)
	if s.held != nil {
		err = errors.Join(err, s.held.Close())
	}
	if err != nil {
		return fmt.Errorf("remove what a rehearsal left: %w", err)
	}
	return nil
}

// sweep throws away what killed ones left: what nobody holds, and was made before a time.
func sweep(under string, before time.Time) {
	list, err := filepath.Glob(filepath.Join(under, stagePrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range list {
		fi, err := os.Lstat(dir)
		if err != nil || !fi.IsDir() || !fi.ModTime().Before(before) {
			continue
		}
		if _, mine := regular.Owner(fi); !mine {
			continue
		}
		f, err := os.OpenFile(filepath.Join(dir, "held"), os.O_RDWR|unix.O_NOFOLLOW, 0)
		if err == nil && unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			_ = removeAll(dir) // the next one tries again
		}
		if err == nil {
			_ = f.Close()
		}
	}
}

// removeAll removes a tree in which directories may have any mode.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, _ error) error {
		if e != nil && e.IsDir() {
			_ = os.Chmod(path, 0o700) // what fails here fails below
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// changed is when anything of a file was changed last.
func changed(fi fs.FileInfo) time.Time {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctim.Unix())
	}
	return fi.ModTime()
}

// A reader reads what is in the layer.
type reader struct {
	s    *Stage
	ctx  context.Context //nolint:containedctx // of one call of Changes
	list []Change
}

// Changes are what the command changed, which is over. It may be asked once: what the command closed is opened in the layer.
func (s *Stage) Changes(ctx context.Context) (Outcome, error) {
	rd := &reader{s: s, ctx: ctx}
	top, err := os.Lstat(s.Upper())
	if err != nil {
		return Outcome{}, err
	}
	was, err := s.node(s.Root)
	if err != nil {
		return Outcome{}, err
	}
	rd.compare(".", was, Node{Form: swap.FormOf(top), Sum: swap.Sum(nil), there: true, info: top})
	if err := rd.dir(".", false, isOpaque(s.Upper())); err != nil {
		return Outcome{}, err
	}
	r := Outcome{Changes: ordered(rd.list)}
	shut(r.Changes)
	room, kept := mostDiff, int64(0)
	for i := range r.Changes {
		c := &r.Changes[i]
		if c.Unfit != "" && r.Unfit == "" {
			r.Unfit = c.Name + ": " + c.Unfit
		}
		if c.Was.IsFile() {
			kept += c.Was.Size
		}
		room = c.difference(room)
	}
	switch {
	case r.Unfit != "":
	case len(r.Changes) > MostChanges:
		r.Unfit = fmt.Sprintf("it changed %d files, and the most is %d", len(r.Changes), MostChanges)
	case kept > MostKept:
		r.Unfit = "what it removed or changed is more than can be kept to be taken back"
	}
	return r, nil
}

// dir reads a directory of the layer. bare says that nothing is below it in the project, opaque that what is there is
// not in the layer unless it says so.
func (rd *reader) dir(rel string, bare, opaque bool) error {
	if rd.ctx.Err() != nil {
		return context.Cause(rd.ctx)
	}
	upper := filepath.Join(rd.s.Upper(), rel)
	if fi, err := os.Lstat(upper); err != nil {
		return err
	} else if fi.Mode().Perm()&0o700 != 0o700 {
		if err := os.Chmod(upper, 0o700); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir(upper)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, e := range entries {
		seen[e.Name()] = true
		if err := rd.entry(filepath.Join(rel, e.Name()), bare, opaque); err != nil {
			return err
		}
	}
	if !opaque || bare {
		return nil
	}
	return rd.rest(rel, seen)
}

// rest is what is removed of a directory in whose place another one is.
func (rd *reader) rest(rel string, seen map[string]bool) error {
	below, err := os.ReadDir(filepath.Join(rd.s.Root, rel))
	switch {
	case errors.Is(err, fs.ErrPermission):
		rd.unfit(rel, "it cannot be read")
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	for _, e := range below {
		if !seen[e.Name()] {
			if err := rd.gone(filepath.Join(rel, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// entry reads one name of the layer. What is below an opaque directory is so too, and does not say it.
func (rd *reader) entry(rel string, bare, opaque bool) error {
	at := filepath.Join(rd.s.Upper(), rel)
	fi, err := os.Lstat(at)
	if err != nil {
		return err
	}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok && fi.Mode()&fs.ModeCharDevice != 0 && st.Rdev == 0 {
		if bare {
			return nil
		}
		return rd.gone(rel)
	}
	is, unfit := rd.made(at, fi)
	var was Node
	if !bare {
		if was, err = rd.s.node(filepath.Join(rd.s.Root, rel)); err != nil {
			return err
		}
	}
	if was.there && was.kind() != is.kind() {
		if err := rd.gone(rel); err != nil {
			return err
		}
		was = Node{}
	}
	rd.compare(rel, was, is)
	if unfit != "" {
		rd.unfit(rel, unfit)
	}
	if fi.IsDir() {
		return rd.dir(rel, !was.there, opaque || isOpaque(at))
	}
	return nil
}

// unfit says why what was just noted of a path cannot be applied; of what is no change nothing is.
func (rd *reader) unfit(rel, why string) {
	if last := len(rd.list) - 1; last >= 0 && rd.list[last].Name == filepath.ToSlash(rel) {
		rd.list[last].Unfit = why
	}
}

// made is what the layer has at a path, and why that cannot be applied.
func (rd *reader) made(at string, fi fs.FileInfo) (n Node, unfit string) {
	n = Node{Form: swap.FormOf(fi), there: true, info: fi, Size: fi.Size()}
	switch {
	case n.Form == "":
		return n, "ken does not make a " + n.kind()
	case n.Form == swap.Link || n.Form.IsDir():
		n, err := readNode(at, fi)
		if err != nil {
			unfit = err.Error()
		}
		return n, unfit
	}
	if fi.Mode().Perm()&0o400 == 0 { // it is the layer's own: its mode is known by now
		if err := os.Chmod(at, 0o600); err != nil {
			return n, err.Error()
		}
	}
	var err error
	form := n.Form
	if n, err = readNode(at, fi); err != nil {
		return n, err.Error()
	}
	n.Form = form
	switch {
	case swap.Names(at, fi) > 1:
		return n, "it has several names (hard links)"
	case n.Size > swap.Largest:
		return n, "it is too large"
	}
	return n, ""
}

// gone notes that a path is removed with all below it.
func (rd *reader) gone(rel string) error {
	if rd.ctx.Err() != nil {
		return context.Cause(rd.ctx)
	}
	at := filepath.Join(rd.s.Root, rel)
	was, err := rd.s.node(at)
	if err != nil {
		return err
	}
	if !was.there {
		return nil
	}
	rd.compare(rel, was, Node{})
	if !was.Form.IsDir() {
		return nil
	}
	return rd.rest(rel, nil)
}

// notOpen is why a directory is not applied in which nothing could be taken back.
const notOpen = "its owner could not change what is in it"

// compare notes what became of a path, if anything did.
func (rd *reader) compare(rel string, was, is Node) {
	if was.same(is) && (was.Form != "" || !was.there) {
		return
	}
	c := Change{
		Name: filepath.ToSlash(rel), Was: was, Is: is,
		path: filepath.Join(rd.s.Root, rel), upper: filepath.Join(rd.s.Upper(), rel),
	}
	switch {
	case rd.s.isOwn(c.path):
		c.Unfit = "it is one of ken's own"
	case was.there && was.Form == "":
		c.Unfit = "ken does not bring back a " + was.kind()
	case was.there && was.Sum == "":
		c.Unfit = "it cannot be read"
	case was.IsFile() && swap.Names(c.path, was.info) > 1:
		c.Unfit = "it has several names (hard links)"
	case was.IsFile() && was.Size > swap.Largest:
		c.Unfit = "it is too large to be kept"
	case was.there && !was.Form.IsDir() && changed(was.info).After(rd.s.at):
		c.Unfit = "it was changed while the command ran"
	case is.there && !was.there && is.Form.IsDir() && !opens(is.Form):
		c.Unfit = notOpen
	}
	rd.list = append(rd.list, c)
}

// shut notes of directories in which something changed that their owner could not take it back there afterwards.
func shut(list []Change) {
	closed := map[string]int{}
	for i, c := range list {
		if c.Is.there && c.Is.Form.IsDir() && !opens(c.Is.Form) {
			closed[c.Name] = i
		}
	}
	if len(closed) == 0 {
		return
	}
	for _, c := range list {
		for dir := c.Name; dir != "."; {
			dir = path.Dir(dir)
			if i, ok := closed[dir]; ok && list[i].Unfit == "" {
				list[i].Unfit = notOpen
			}
		}
	}
}

// isOwn reports whether a path is below one that is not applied.
func (s *Stage) isOwn(path string) bool {
	for _, own := range s.Own {
		if isBelow(path, own) {
			return true
		}
	}
	return false
}

// node is what is at a path of the project. What cannot be read has no sum.
func (*Stage) node(path string) (Node, error) {
	fi, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return Node{}, nil
	}
	if err != nil {
		return Node{}, err
	}
	n, err := readNode(path, fi)
	if errors.Is(err, fs.ErrPermission) {
		return Node{Form: swap.FormOf(fi), Size: fi.Size(), there: true, info: fi}, nil
	}
	return n, err
}

// readNode reads what fi describes at a path.
func readNode(path string, fi fs.FileInfo) (Node, error) {
	n := Node{Form: swap.FormOf(fi), there: true, info: fi, Size: fi.Size()}
	switch {
	case n.Form == "":
		return n, nil
	case n.Form.IsDir():
		n.Sum, n.Size = swap.Sum(nil), 0
		return n, nil
	case n.Form == swap.Link:
		to, err := os.Readlink(path)
		n.To, n.Sum = to, swap.Sum([]byte(to))
		return n, err
	}
	f, err := regular.Open(path)
	if err != nil {
		return n, err
	}
	defer func() { _ = f.Close() }() // only read
	h := sha256.New()
	if n.Size, err = io.Copy(h, f); err != nil {
		return n, err
	}
	n.Sum = hex.EncodeToString(h.Sum(nil))
	return n, nil
}

// isOpaque reports whether a directory of the layer hides what is in the one of the project.
func isOpaque(path string) bool {
	var b [1]byte
	n, err := unix.Lgetxattr(path, "user.overlay.opaque", b[:])
	return err == nil && n == 1 && b[0] == 'y'
}
