package skill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/regular"
)

const (
	// fileName is the file of a skill in its directory.
	fileName = "SKILL.md"
	// draftsName is the directory of drafts in one of skills.
	draftsName = "drafts"
	// promoting is what the directory of a draft is called while it becomes a skill, in
	// front of its name: no skill is called so.
	promoting = ".promote-"
	// unfinished begins the name of a directory in which a draft is being written.
	unfinished = ".tmp-"
)

var (
	// ErrExists says that a skill or a draft of that name is there.
	ErrExists = errors.New("there is one of that name")
	// ErrChanged says that a file is not the one that was meant.
	ErrChanged = errors.New("it has changed")
)

// Sum is the SHA-256 of a text, 64 hexadecimal digits, by which trust and proposals name it.
func Sum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Drafts are the skills that nobody has made one yet: directories below drafts/ in a
// directory of skills, where nothing is loaded from.
type Drafts struct {
	Dir string // of skills: <data>/skills
	// Lock is the directory whose lock is held while something is changed: <data>; "":
	// who calls holds it.
	Lock string
	// Mask masks what is written; what it would change is not written.
	Mask func(string) string
	FS   jsonl.FS // nil: the machine's
}

// lockWait is how long a change waits for the lock.
const lockWait = 5 * time.Second

// locked does something under the lock.
func (d Drafts) locked(ctx context.Context, do func() error) error {
	if d.Lock == "" {
		return do()
	}
	lock, err := jsonl.LockDir(ctx, d.Lock, lockWait)
	if err != nil {
		return err
	}
	return errors.Join(do(), lock.Unlock())
}

// sweep takes away what a run left that was ended while it wrote a draft. Whoever writes one has
// the lock, so nobody is at it.
func (d Drafts) sweep() {
	dir := filepath.Join(d.Dir, draftsName)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if n, ok := strings.CutPrefix(e.Name(), unfinished); ok && e.IsDir() && n != "" && strings.Trim(n, "0123456789") == "" {
			_ = os.RemoveAll(filepath.Join(dir, e.Name())) // else it waits for the next time
		}
	}
}

// A Draft is a skill that waits for a person.
type Draft struct {
	Name   string // of its directory
	Path   string // of its file
	SHA256 string // of the file, 64 hexadecimal digits; "" if it cannot be read
	Skill  Skill
	Text   []byte
	Bad    error // why it cannot become a skill; nil if it can
}

// Create writes a draft, whole or not at all. What a run that was ended in the middle of it left
// goes with the next change. It fails with ErrExists if a draft or a
// skill of that name is there, and where Validate does.
func (d Drafts) Create(ctx context.Context, s Skill) (made Draft, err error) {
	err = d.locked(ctx, func() error {
		made, err = d.create(s)
		return err
	})
	return made, err
}

func (d Drafts) create(s Skill) (Draft, error) {
	d.sweep()
	if err := s.Validate(); err != nil {
		return Draft{}, fault.New(fault.Refused, err)
	}
	text := s.Format()
	if d.Mask != nil && d.Mask(string(text)) != string(text) {
		return Draft{}, fault.Refusedf("the draft %s holds what looks like a secret", s.Name)
	}
	switch live, err := d.Live(s.Name); {
	case err != nil:
		return Draft{}, err
	case live:
		return Draft{}, fmt.Errorf("the skill %s: %w", s.Name, ErrExists)
	}
	dir := filepath.Join(d.Dir, draftsName)
	if err := jsonl.MakeDir(d.disk(), dir); err != nil {
		return Draft{}, fmt.Errorf("make a draft: %w", err)
	}
	tmp, err := os.MkdirTemp(dir, unfinished+"*") // 0700
	if err != nil {
		return Draft{}, fmt.Errorf("make a draft: %w", err)
	}
	defer func() { _ = os.RemoveAll(tmp) }() // gone if it became the draft
	if err := jsonl.Create(d.disk(), filepath.Join(tmp, fileName), text); err != nil {
		return Draft{}, fmt.Errorf("write the draft %s: %w", s.Name, err)
	}
	to := filepath.Join(dir, s.Name)
	if fi, err := os.Lstat(to); err == nil && fi.IsDir() {
		_ = os.Remove(to) // of an empty one, which is no draft
	}
	if _, err := os.Lstat(to); err == nil {
		return Draft{}, fmt.Errorf("the draft %s: %w", s.Name, ErrExists)
	}
	if err := d.rename(tmp, to); err != nil {
		return Draft{}, fmt.Errorf("write the draft %s: %w", s.Name, err)
	}
	return d.Get(s.Name)
}

// noDir reports whether something else stands where the directory of skills or that of drafts would: there is no draft then.
func (d Drafts) noDir() bool {
	for _, dir := range []string{d.Dir, filepath.Join(d.Dir, draftsName)} {
		if fi, err := os.Stat(dir); err == nil && !fi.IsDir() {
			return true
		}
	}
	return false
}

// Live reports whether the directory has a skill of that name, whatever it holds. The error is that the directory is there
// and cannot be read.
func (d Drafts) Live(name string) (bool, error) {
	entries, err := os.ReadDir(d.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !d.noDir() {
		return false, fmt.Errorf("look for the skill %s: %w", name, err)
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.EqualFold(e.Name(), name) || strings.EqualFold(e.Name(), name+".md")
	}), nil
}

// Get reads a draft. It fails with fs.ErrNotExist if there is none of that name.
func (d Drafts) Get(name string) (Draft, error) {
	if !ValidName(name) {
		return Draft{}, errName(name)
	}
	f := Draft{Name: name, Path: filepath.Join(d.Dir, draftsName, name, fileName)}
	if in, err := os.ReadDir(filepath.Dir(f.Path)); errors.Is(err, fs.ErrNotExist) || err == nil && len(in) == 0 || d.noDir() { // erased
		return Draft{}, fmt.Errorf("the draft %s: %w", name, fs.ErrNotExist)
	}
	f.Text, f.Bad = readOwn(f.Path)
	if f.Bad != nil {
		return f, nil
	}
	f.SHA256 = Sum(f.Text)
	if f.Skill, f.Bad = Parse(f.Text, name); f.Bad == nil {
		f.Bad = f.Skill.Validate()
	}
	if f.Bad == nil && f.Skill.Name != name {
		f.Bad = fmt.Errorf("it calls itself %s", f.Skill.Name)
	}
	return f, nil
}

// readOwn reads the file of a draft, which is no link.
func readOwn(path string) ([]byte, error) {
	for _, p := range []string{filepath.Dir(path), path} {
		if fi, err := os.Lstat(p); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			return nil, errors.New("a link")
		}
	}
	text, err := regular.Read(path, MaxFile)
	if errors.Is(err, regular.ErrTooLong) {
		return nil, fmt.Errorf("more than the %d bytes that are read", MaxFile)
	}
	return text, regular.Cause(err)
}

// List returns the drafts by name, those that cannot become a skill with Bad set.
func (d Drafts) List() ([]Draft, error) {
	entries, err := os.ReadDir(filepath.Join(d.Dir, draftsName))
	if errors.Is(err, fs.ErrNotExist) || d.noDir() {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the drafts: %w", err)
	}
	var list []Draft
	for _, e := range entries {
		if !ValidName(e.Name()) || !e.IsDir() {
			continue
		}
		f, err := d.Get(e.Name())
		if errors.Is(err, fs.ErrNotExist) {
			continue // it went meanwhile
		}
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

// Mend gives a draft its name again whose promotion was broken off: under the lock, since one that goes on looks the same.
// Promote does so first.
func (d Drafts) Mend(ctx context.Context) error {
	if !d.broken() { // as nearly always: the lock is not asked for
		return nil
	}
	return d.locked(ctx, func() error {
		d.mend()
		return nil
	})
}

// broken reports whether there is a draft whose promotion goes on or was broken off.
func (d Drafts) broken() bool {
	entries, _ := os.ReadDir(d.Dir)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), promoting) })
}

func (d Drafts) mend() {
	entries, err := os.ReadDir(d.Dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if name, ok := strings.CutPrefix(e.Name(), promoting); ok && ValidName(name) {
			_ = d.moveNew(filepath.Join(d.Dir, e.Name()), filepath.Join(d.Dir, draftsName, name)) // else it waits for the next time
		}
	}
}

// moveNew renames a directory, unless something stands there.
func (d Drafts) moveNew(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return ErrExists
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return d.rename(from, to)
}

// rename renames a directory, and returns when the disk knows.
func (d Drafts) rename(from, to string) error {
	if err := d.disk().Rename(from, to); err != nil {
		return err
	}
	err := jsonl.SyncDir(d.disk(), filepath.Dir(to))
	if up := filepath.Dir(from); err == nil && up != filepath.Dir(to) {
		err = jsonl.SyncDir(d.disk(), up)
	}
	return err
}

func (d Drafts) disk() jsonl.FS {
	if d.FS == nil {
		return jsonl.OS{}
	}
	return d.FS
}

// Promote makes a draft a skill, and returns where it is. sha256 is that of the file that
// the person saw: it fails with ErrChanged if the draft is another one, and with ErrExists
// if there is a skill of that name. Nothing is ever overwritten.
func (d Drafts) Promote(ctx context.Context, name, sha256 string) (path string, err error) {
	err = d.locked(ctx, func() error {
		path, err = d.promote(name, sha256)
		return err
	})
	return path, err
}

func (d Drafts) promote(name, sha256 string) (path string, err error) {
	d.sweep()
	d.mend()
	f, err := d.Get(name)
	switch {
	case err != nil:
		return "", err
	case f.Bad != nil:
		return "", fmt.Errorf("the draft %s: %w", name, f.Bad)
	case f.SHA256 != sha256:
		return "", fmt.Errorf("the draft %s: %w", name, ErrChanged)
	}
	switch there, err := d.Live(name); {
	case err != nil:
		return "", err
	case there:
		return "", fmt.Errorf("the skill %s: %w", name, ErrExists)
	}
	// Out of the way first: what is looked at then is what becomes the skill.
	aside, draft, live := filepath.Join(d.Dir, promoting+name), filepath.Dir(f.Path), filepath.Join(d.Dir, name)
	if err := d.moveNew(draft, aside); err != nil {
		return "", fmt.Errorf("promote the draft %s: %w", name, err)
	}
	text, err := readOwn(filepath.Join(aside, fileName))
	if err == nil && Sum(text) != sha256 {
		err = ErrChanged
	}
	if err == nil {
		err = d.moveNew(aside, live)
	}
	if err != nil {
		d.mend()
		return "", fmt.Errorf("promote the draft %s: %w", name, err)
	}
	return filepath.Join(live, fileName), nil
}

// Withdraw makes a skill a draft again. It fails with fs.ErrNotExist if there is none in a
// directory of that name, and with ErrExists if there is a draft of it.
func (d Drafts) Withdraw(ctx context.Context, name string) error {
	if !ValidName(name) {
		return errName(name)
	}
	return d.locked(ctx, func() error {
		live, draft := filepath.Join(d.Dir, name), filepath.Join(d.Dir, draftsName, name)
		if fi, err := os.Lstat(filepath.Join(live, fileName)); err != nil || !fi.Mode().IsRegular() {
			return fmt.Errorf("the skill %s: %w", name, fs.ErrNotExist)
		}
		if err := os.MkdirAll(filepath.Dir(draft), 0o700); err != nil {
			return fmt.Errorf("withdraw the skill %s: %w", name, err)
		}
		if err := d.moveNew(live, draft); err != nil {
			return fmt.Errorf("withdraw the skill %s: %w", name, err)
		}
		return nil
	})
}

// Remove deletes a draft, if it is still the one that was meant. It fails as Promote does.
func (d Drafts) Remove(ctx context.Context, name, sha256 string) error {
	return d.locked(ctx, func() error {
		d.sweep()
		f, err := d.Get(name)
		if err != nil {
			return err
		}
		if f.SHA256 != sha256 {
			return fmt.Errorf("the draft %s: %w", name, ErrChanged)
		}
		if err := os.RemoveAll(filepath.Dir(f.Path)); err != nil {
			return fmt.Errorf("remove the draft %s: %w", name, err)
		}
		return nil
	})
}
