package undo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"ken/internal/regular"
	"ken/internal/tool/swap"
)

// formed reports whether an act is about more than the bytes of a file.
func formed(a Act) bool { return a.Was != "" || a.Is != "" }

// mostOf is how many bytes the file of an act may have.
func mostOf(a Act) int64 {
	if formed(a) {
		return swap.Largest
	}
	return swap.Most
}

// nowOf is what stands at the path of an act. Errors are those of package regular.
func nowOf(a Act) (state, error) {
	b, mode, form, err := read(a)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // the latter: a directory on the way became a file
		return state{}, nil
	}
	if err != nil {
		return state{}, err
	}
	return state{append([]byte{}, b...), mode, form}, nil
}

func read(a Act) (b []byte, mode fs.FileMode, form swap.Form, err error) {
	if !formed(a) {
		b, mode, err = swap.Read(a.Path)
		return b, mode, "", err
	}
	fi, err := os.Lstat(a.Path)
	if err != nil {
		return nil, 0, "", err
	}
	switch form = swap.FormOf(fi); {
	case form == swap.Link:
		to, err := os.Readlink(a.Path)
		return []byte(to), 0, form, err
	case form.IsDir():
		return nil, 0, form, nil
	}
	b, err = regular.Read(a.Path, swap.Largest)
	return b, fi.Mode().Perm(), form, err
}

// made is what an act makes of what its path held, for people.
func made(a Act, before, after []byte) string {
	plain := func(f swap.Form) bool { return f != swap.Link && !f.IsDir() }
	said := ""
	switch {
	case a.Was == a.Is, a.Before == "" && plain(a.Is), a.After == "" && plain(a.Was):
	case a.Before == "":
		said = fmt.Sprintf("%s: made: %s\n", a.Path, a.Is)
	case a.After == "":
		said = fmt.Sprintf("%s: removed: %s\n", a.Path, a.Was)
	default:
		said = fmt.Sprintf("%s: %s, was %s\n", a.Path, a.Is, a.Was)
	}
	if said != "" && (a.Before == a.After || a.Was.IsDir() || a.Is.IsDir()) {
		return said
	}
	return said + difference(a.Path, before, after)
}
