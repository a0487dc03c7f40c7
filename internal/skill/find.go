package skill

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"ken/internal/regular"
)

// MaxFiles is how many skills of one directory are looked at, in the order of their names.
const MaxFiles = 1000

// A From says whose a directory of skills is.
type From string

// Whose directories are.
const (
	Own     From = "you"     // the person's
	Agent   From = "agent"   // in their home, made for other assistants: theirs as well
	Project From = "project" // of the repository where they stand: the word of others
)

// A Dir is a directory of skills.
type Dir struct {
	Path string // absolute
	From From
	Top  string // of Project: the top of the repository, which Path is in; nothing outside it is read
}

// A File is one that is a skill, or would be.
type File struct {
	Skill // without Body
	Dir   Dir
	Path  string // absolute
	Rel   string // of a project's: from the top of the repository, with slashes
	Size  int64  // in bytes
	Stamp string // what the file system says of it in a word, "" if it does not: the same word, the same file
	// SHA256 is of the file, 64 hexadecimal digits: of a project's; "" of others.
	SHA256 string
	Bad    error // why it is skipped; nil if it is not
	// Shadowed is the path of the file that has its name and counts instead; "": none has.
	Shadowed string
}

// A Finder finds skills.
type Finder struct {
	Dirs []Dir // the one that counts most last
	// Known has what was read of files before; nil: each is read.
	Known *Heads
	// Read is told of each file that is opened, and of how much of it is read at most, in
	// bytes; nil: nobody is.
	Read func(path string, most int64)
}

// Find returns what is in the directories, by name: of skills that have one name the one
// that counts first. Directories that are not there are passed over; one that cannot be
// read is a File with its path and Bad.
func (f Finder) Find() []File {
	var all []File
	seen := make(map[string]bool)
	for _, dir := range f.Dirs {
		real, err := filepath.EvalSymlinks(dir.Path)
		if err != nil || seen[real] {
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				all = append(all, File{Dir: dir, Path: dir.Path, Bad: regular.Cause(err)})
			}
			continue
		}
		seen[real] = true
		all = append(all, f.in(dir)...)
	}
	slices.Reverse(all) // what counts most first
	slices.SortStableFunc(all, func(x, y File) int { return cmp.Compare(x.Name, y.Name) })
	at := make(map[string]string)
	for i := range all {
		switch first, ok := at[all[i].Name]; {
		case all[i].Bad != nil:
		case ok:
			all[i].Shadowed = first
		default:
			at[all[i].Name] = all[i].Path
		}
	}
	return all
}

// Count has the files shadow each other anew, as far as counts says that they may: those of
// which it is false neither count nor take the place of others.
func Count(files []File, counts func(File) bool) {
	at := make(map[string]string)
	for i := range files {
		f := &files[i]
		f.Shadowed = ""
		if f.Bad != nil || !counts(*f) {
			continue
		}
		if first, ok := at[f.Name]; ok {
			f.Shadowed = first
		} else {
			at[f.Name] = f.Path
		}
	}
}

// in are the files of one directory, in the reverse order of their names.
func (f Finder) in(dir Dir) []File {
	var root *os.Root
	if dir.From == Project {
		var err error
		if root, err = os.OpenRoot(dir.Top); err != nil {
			return []File{{Dir: dir, Path: dir.Path, Bad: regular.Cause(err)}}
		}
		defer root.Close()
		if err := inside(root, dir.Top, dir.Path); err != nil {
			return []File{{Dir: dir, Path: dir.Path, Bad: err}}
		}
	}
	entries, err := os.ReadDir(dir.Path)
	if err != nil {
		return []File{{Dir: dir, Path: dir.Path, Bad: regular.Cause(err)}}
	}
	var files []File
	stats := statAll(dir.Path, entries)
	for i, e := range entries {
		file := File{Dir: dir, Path: dir.Path + string(filepath.Separator) + e.Name()}
		stamp, fi := stats[i].stamp, stats[i].fi
		called, isMD := strings.CutSuffix(e.Name(), ".md")
		switch {
		case strings.HasPrefix(e.Name(), "."), e.Name() == draftsName:
			continue
		case isMD && !e.IsDir():
			if leftOut(called) {
				continue
			}
		case e.IsDir() || e.Type()&fs.ModeSymlink != 0 && isDir(file.Path):
			called = e.Name()
			dir := file.Path
			file.Path = stats[i].path
			if fi == nil { // it is gone, it leads nowhere, or there is none
				if file.Path, err = fileIn(dir); err != nil {
					file.Bad = err
				} else if file.Path == "" {
					continue // something else
				}
			}
		default:
			continue
		}
		file.Name = called
		switch {
		case len(files) >= MaxFiles:
			file.Bad = fmt.Errorf("more than %d skills in one directory", MaxFiles)
		case file.Bad == nil && !ValidName(called):
			file.Bad = errName(called)
		case file.Bad == nil:
			if fi == nil {
				stamp, fi = stampOf(file.Path)
			}
			f.look(&file, root, stamp, fi)
		}
		files = append(files, file)
	}
	slices.Reverse(files)
	return files
}

// A stat is what the file system says of the file that an entry of a directory stands for.
type stat struct {
	path  string // of SKILL.md, for a directory
	stamp string
	fi    fs.FileInfo // nil: it is not there, or has to be looked for
}

// statAll asks the file system about the entries of a directory, of many on several threads: for a directory with
// hundreds of skills nothing else takes as long.
func statAll(dir string, entries []fs.DirEntry) []stat {
	stats := make([]stat, len(entries))
	ask := func(from, to int) {
		for i, e := range entries[from:to] {
			s := &stats[from+i]
			switch s.path = dir + string(filepath.Separator) + e.Name(); {
			case strings.HasPrefix(e.Name(), "."), e.Name() == draftsName:
				continue
			case strings.HasSuffix(e.Name(), ".md") && !e.IsDir():
			default:
				s.path += string(filepath.Separator) + fileName
			}
			s.stamp, s.fi = stampOf(s.path)
		}
	}
	const each = 64
	if len(entries) <= each {
		ask(0, len(entries))
		return stats
	}
	part := max(each, len(entries)/runtime.GOMAXPROCS(0)+1)
	var all sync.WaitGroup
	for from := 0; from < len(entries); from += part {
		all.Go(func() { ask(from, min(from+part, len(entries))) })
	}
	all.Wait()
	return stats
}

// isDir reports whether a link leads to a directory.
func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// leftOut reports whether a file of this name, without ".md", is none of a skill's wherever
// it is.
func leftOut(name string) bool {
	return slices.Contains([]string{"README", "CHANGELOG", "LICENSE", "CONTRIBUTING"}, strings.ToUpper(name))
}

// fileIn is the file of a skill in its directory: SKILL.md, else the first that ends in .md;
// "" if there is none.
func fileIn(dir string) (string, error) {
	path := filepath.Join(dir, fileName)
	if _, err := os.Lstat(path); err == nil {
		return path, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return dir, regular.Cause(err)
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".md"); ok && !strings.HasPrefix(name, ".") && !leftOut(name) && !e.IsDir() {
			return filepath.Join(dir, e.Name()), nil
		}
	}
	return "", nil
}

// errOut says that something of a repository is outside it.
var errOut = errors.New("a link that leads out of the repository")

// inside says why a path is not in the repository whose top is top; nil if it is.
func inside(root *os.Root, top, at string) error {
	rel, err := filepath.Rel(top, at)
	if err != nil {
		return err
	}
	if _, err := root.Stat(rel); err != nil {
		return out(err)
	}
	return nil
}

// out is an error of a root, as it is told.
func out(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) && strings.Contains(pe.Err.Error(), "escapes from parent") {
		return errOut
	}
	if errors.Is(err, regular.ErrNotFile) {
		return regular.ErrNotFile
	}
	return regular.Cause(err)
}

// look reads what a file says of itself: its head, and of a project's all of it, since its
// digest decides.
func (f Finder) look(file *File, root *os.Root, stamp string, fi fs.FileInfo) {
	called := file.Name
	if root != nil {
		rel, err := filepath.Rel(file.Dir.Top, file.Path)
		if err != nil {
			file.Bad = err
			return
		}
		file.Rel = filepath.ToSlash(rel)
		if _, err := root.Stat(rel); err != nil { // before anything that is known of it
			file.Bad = out(err)
			return
		}
	}
	if fi == nil {
		file.Bad = fs.ErrNotExist
		return
	}
	file.Size, file.Stamp = fi.Size(), stamp
	switch {
	case !fi.Mode().IsRegular():
		file.Bad = regular.ErrNotFile
		return
	case file.Size > MaxFile:
		file.Bad = errHuge
		return
	}
	if uid, mine := regular.Owner(fi); root != nil && !mine {
		file.Bad = fmt.Errorf("it belongs to another account (uid %d)", uid)
		return
	}
	if known, ok := f.Known.get(file.Path, stamp); ok && (root == nil || known.sha256 != "" || known.bad != "") {
		known.tell(file)
		return
	}
	file.read(f, root, called)
	f.Known.put(file.Path, stamp, fi, *file)
}

// errHuge says that a file is larger than is read.
var errHuge = fmt.Errorf("more than the %d bytes that are read", MaxFile)

// read reads the head of a file, or all of one of a repository.
func (file *File) read(f Finder, root *os.Root, called string) {
	most := int64(MaxHead)
	if root != nil {
		most = MaxFile
	}
	if f.Read != nil {
		f.Read(file.Path, most)
	}
	text, err := beginning(file.Path, file.Rel, root, most)
	if err != nil {
		file.Bad = err
		return
	}
	more := int64(len(text)) > most
	if root != nil {
		if more {
			file.Bad = errHuge
			return
		}
		file.SHA256 = Sum(text)
	}
	text, more = text[:min(len(text), MaxHead)], len(text) > MaxHead
	h, err := readHead(text, more)
	if err == nil {
		file.Skill, err = h.skill(called)
	}
	if file.Bad = err; err != nil {
		file.Name = called
	}
}

// beginning is the first most bytes of a file, and one more if there is one.
func beginning(at, rel string, root *os.Root, most int64) ([]byte, error) {
	open := func() (*os.File, error) { return regular.Open(at) }
	if root != nil {
		open = func() (*os.File, error) { return regular.OpenIn(root, path.Clean(rel)) }
	}
	f, err := open()
	if err != nil {
		return nil, out(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	return text, regular.Cause(err)
}

// Load reads all of a file that was found. Of a project's the bytes have to be those that
// were found: else it fails with ErrChanged.
func (file File) Load() (Skill, error) {
	if file.Bad != nil {
		return Skill{}, file.Bad
	}
	text, err := file.Text()
	if err != nil {
		return Skill{}, err
	}
	s, err := Parse(text, file.Name)
	if err == nil && s.Name != file.Name {
		err = ErrChanged
	}
	return s, err
}

// Text is what a file that was found holds, as Load reads it.
func (file File) Text() ([]byte, error) {
	var root *os.Root
	if file.Dir.From == Project {
		var err error
		if root, err = os.OpenRoot(file.Dir.Top); err != nil {
			return nil, regular.Cause(err)
		}
		defer root.Close()
	}
	text, err := beginning(file.Path, file.Rel, root, MaxFile)
	switch {
	case err != nil:
		return nil, err
	case len(text) > MaxFile:
		return nil, errHuge
	case root != nil && Sum(text) != file.SHA256:
		return nil, ErrChanged
	}
	return text, nil
}
