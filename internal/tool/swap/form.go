package swap

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// A Form is what is at a path besides its bytes: "0644" is a file of that mode, "dir 0755" a directory, Link a
// symbolic link. "" is what has none.
type Form string

// Link is the form of a symbolic link.
const Link Form = "link"

const dirForm = "dir "

// FormOf is the form of what fi describes; "" of a device, a pipe and the like.
func FormOf(fi fs.FileInfo) Form {
	mode := fi.Mode()
	bits := uint32(mode.Perm())
	for i, flag := range special() {
		if mode&flag != 0 {
			bits |= 0o4000 >> i
		}
	}
	switch {
	case mode&fs.ModeSymlink != 0:
		return Link
	case mode.IsDir():
		return Form(fmt.Sprintf("%s%04o", dirForm, bits))
	case mode.IsRegular():
		return Form(fmt.Sprintf("%04o", bits))
	}
	return ""
}

// special are the bits of a mode above the permissions, the highest first.
func special() []fs.FileMode { return []fs.FileMode{fs.ModeSetuid, fs.ModeSetgid, fs.ModeSticky} }

// IsDir reports whether it is that of a directory.
func (f Form) IsDir() bool { return strings.HasPrefix(string(f), dirForm) }

// SetsID reports whether what runs it has the rights of its owner or its group.
func (f Form) SetsID() bool {
	return !f.IsDir() && f != Link && f.mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 && f != ""
}

// Mode is "0644" of a file or directory.
func (f Form) Mode() string {
	if f == Link {
		return ""
	}
	return strings.TrimPrefix(string(f), dirForm)
}

// mode is that of a file or directory.
func (f Form) mode() fs.FileMode {
	bits, err := strconv.ParseUint(f.Mode(), 8, 12)
	if err != nil {
		return 0o600
	}
	mode := fs.FileMode(bits) & fs.ModePerm
	for i, flag := range special() {
		if bits&(0o4000>>i) != 0 {
			mode |= flag
		}
	}
	return mode
}

// reform does what takes no new bytes: a directory is made, or something has another mode. done is false if there are bytes
// to write.
func (s Swap) reform(root *os.Root, name string, old fs.FileInfo) (done bool, err error) {
	switch {
	case s.Is == "" || s.Is == Link && s.Was == "":
		return false, nil
	case s.Before != "" && (s.Was == Link) != (s.Is == Link), s.Before != "" && s.Was.IsDir() != s.Is.IsDir():
		return true, fmt.Errorf("what is %q does not become %q", s.Was, s.Is)
	case s.Is.IsDir() && old == nil:
		if err := root.Mkdir(name, 0o700); err != nil {
			return true, err
		}
		return true, root.Chmod(name, s.Is.mode())
	case s.Is.IsDir(), s.Is != Link && old != nil && Sum(s.After) == s.Before:
		return true, root.Chmod(name, s.Is.mode())
	}
	return false, nil
}
