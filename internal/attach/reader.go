package attach

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/fault"
	"ken/internal/regular"
)

// A Reader reads what a person names.
type Reader struct {
	Dir  string // where the person stands; relative paths begin there
	Home string // what "~" stands for; "" for nothing
	// Mask returns a text without secrets, and how many there were; nil: nothing is masked.
	Mask func(string) (string, int)
	// Server reports whether a tool server is called that; nil: there are none.
	Server func(name string) bool
}

// Standard is what standard input is called.
const Standard = "standard input"

// Resolve returns the path that a name stands for.
func (r Reader) Resolve(name string) string {
	name, _ = regular.Expand(name, r.Home)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(r.Dir, name)
}

// Open reads the file called name. The error says in a line what stands against it, and has
// a hint where something can be done.
func (r Reader) Open(ctx context.Context, name string) (Attachment, error) {
	if strings.TrimSpace(name) == "" { // of a variable that is not set, and no word for the directory
		return Attachment{}, fault.Usagef("a file without a name is none").WithHint("the directory itself is called .")
	}
	path := r.Resolve(name)
	a := Attachment{Name: nameOf(name), Path: path}
	if err := ctx.Err(); err != nil {
		return a, context.Cause(ctx)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil && isLink(path) {
		a.Leads = nameOf(regular.Short(real, r.Home))
	}
	stat, err := os.Stat(path)
	switch {
	case err != nil:
		return a, failed(a.Name, err)
	case stat.IsDir():
		return r.list(ctx, a)
	case !stat.Mode().IsRegular():
		return a, irregular(a.Name, stat.Mode())
	}
	f, err := regular.Open(path)
	if err != nil {
		return a, failed(a.Name, err)
	}
	defer f.Close()
	if stat, err = f.Stat(); err != nil {
		return a, failed(a.Name, err)
	}
	a.Bytes = stat.Size()
	return r.read(a, f)
}

// Piped reads what was piped in: a picture, or a text without secrets, of which masked were there.
// It is not framed.
func (r Reader) Piped(b []byte) (text string, masked int, pic *Attachment, err error) {
	a := Attachment{Name: Standard, Bytes: int64(len(b))}
	if kind := isImage(b); kind != "" {
		a, err = picture(a, bytes.NewReader(b), kind)
		return "", 0, &a, err
	}
	name, hint := binaryName(b)
	text, _, binary := codingOf(b).text(b)
	if binary || name == "a PDF" {
		return "", 0, nil, notText(a, name, hint)
	}
	text, masked = r.mask(text)
	return text, masked, nil, nil
}

// Given is what a server gave for a resource, as an attachment: text is all of it.
func (r Reader) Given(named Resource, text string) (Attachment, error) {
	return r.read(Attachment{Name: nameOf(named.Server + ":" + named.URI), Bytes: int64(len(text))}, strings.NewReader(text))
}

// Received is a file that somebody sent, as an attachment: b is all of it.
func (r Reader) Received(name string, b []byte) (Attachment, error) {
	return r.read(Attachment{Name: nameOf(name), Bytes: int64(len(b))}, bytes.NewReader(b))
}

// isLink reports whether a path is that of a link; what leads to its directory does not count.
func isLink(path string) bool {
	fi, err := os.Lstat(path)
	return err == nil && fi.Mode()&fs.ModeSymlink != 0
}

// failed says why a file could not be read, without the words of the system around it.
func failed(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.NotFoundf("%s: there is no such file", name)
	case errors.Is(err, fs.ErrPermission):
		return fault.Failuref("%s: you may not read it", name)
	case errors.Is(err, regular.ErrNotFile):
		return fault.Usagef("%s: %w", name, err)
	}
	return fault.Failuref("%s: %w", name, regular.Cause(err))
}

// irregular says that what is no file is not attached.
func irregular(name string, mode fs.FileMode) error {
	err := fault.Usagef("%s is %s and no file", name, regular.Kind(mode))
	if mode&fs.ModeNamedPipe != 0 {
		return err.WithHint("let what writes to it write to ken: COMMAND | %s", fault.Command("ask ..."))
	}
	return err
}

// A source is what a file is read from.
type source interface {
	io.ReadSeeker
	io.ReaderAt
}

// read reads a text or a picture.
func (r Reader) read(a Attachment, f source) (Attachment, error) {
	head := make([]byte, sniffed)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return a, failed(a.Name, err)
	}
	head = head[:n]
	if kind := isImage(head); kind != "" {
		return picture(a, f, kind)
	}
	name, hint := binaryName(head)
	c := codingOf(head)
	if !c.wide && isBinary(head) || name == "a PDF" {
		return a, notText(a, name, hint)
	}
	first, last, err := parts(&a, f)
	if err != nil {
		return a, failed(a.Name, err)
	}
	a.Kind = Text
	text, bad, binary := c.text(first)
	if binary {
		return a, notText(a, name, hint)
	}
	if len(last) == 0 {
		a.Text, a.Masked = r.mask(text)
		a.Text = inert(a.Text)
	} else {
		end, more, _ := c.text(last)
		text, end = wholeLines(text, end)
		begin, masked := r.mask(text)
		rest, also := r.mask(end)
		a.Text, a.Masked, bad = inert(begin)+gap(a.Left)+inert(rest), masked+also, bad+more
	}
	a.Notes = c.notes(bad)
	return a, nil
}

// parts reads a file: all of it, or the first and the last part of a long one.
func parts(a *Attachment, f source) (first, last []byte, err error) {
	const most = int64(MaxText)
	if a.Bytes > most {
		const half = most / 2 // even, as UTF-16 has two bytes
		first, last = make([]byte, half), make([]byte, half)
		n, err := f.ReadAt(first, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, nil, err
		}
		first = first[:n]
		if n, err = f.ReadAt(last, (a.Bytes-half)&^1); err != nil && !errors.Is(err, io.EOF) {
			return nil, nil, err
		}
		a.Left = a.Bytes - 2*half
		return first, last[:n], nil
	}
	first, err = io.ReadAll(io.LimitReader(f, most+1))
	if int64(len(first)) > most { // it grew, or did not say how long it is
		first = first[:most]
		return first, nil, fmt.Errorf("longer than %s", Size(most))
	}
	if err == nil {
		a.Bytes = int64(len(first))
	}
	return first, nil, err
}

func (r Reader) mask(s string) (string, int) {
	if r.Mask == nil {
		return s, 0
	}
	return r.Mask(s)
}

// picture reads a picture, unless its size or its header stand against it.
func picture(a Attachment, f source, kind string) (Attachment, error) {
	a.Kind, a.Image.Type = Picture, kind
	if a.Bytes > MaxPicture {
		return a, fault.New(fault.Limit, fmt.Errorf("%s is a picture of %s: more than %s is not sent", a.Name, Size(a.Bytes), Size(MaxPicture))).
			WithHint("make it smaller first")
	}
	var err error
	if a.Image.Width, a.Image.Height, err = measure(f, kind); err != nil {
		return a, fault.Failuref("%s looks like a picture (%s), but %w", a.Name, a.Image.format(), err)
	}
	if max(a.Image.Width, a.Image.Height) > MaxSide {
		return a, fault.New(fault.Limit, fmt.Errorf("%s is a picture of %d x %d: more than %d in a row or a column is not sent",
			a.Name, a.Image.Width, a.Image.Height, MaxSide)).WithHint("make it smaller first")
	}
	if _, err = f.Seek(0, io.SeekStart); err == nil {
		a.Image.Data, err = io.ReadAll(io.LimitReader(f, MaxPicture+1))
	}
	switch {
	case err != nil:
		return a, failed(a.Name, err)
	case len(a.Image.Data) > MaxPicture:
		return a, fault.New(fault.Limit, fmt.Errorf("%s grew while it was read", a.Name))
	}
	a.Bytes = int64(len(a.Image.Data))
	taken := false
	if a.Image.Data, taken, err = bare(a.Image.Data, kind); err != nil {
		return a, fault.Failuref("%s looks like a picture (%s), but %w", a.Name, a.Image.format(), err)
	}
	if taken {
		a.Notes = append(a.Notes, "without its metadata")
	}
	return a, nil
}

// notText says that a file is neither text nor a picture.
func notText(a Attachment, name, hint string) error {
	said := a.Name + " is binary"
	if name != "" {
		said += ": " + name
	}
	if a.Bytes > 0 {
		said += " of " + Size(a.Bytes)
	}
	err := fault.Usagef("%s; it is not sent", said)
	switch {
	case strings.HasSuffix(hint, "| "):
		return err.WithHint("%s%s", hint, fault.Command("ask ..."))
	case hint != "":
		return err.WithHint("%s", hint)
	}
	return err
}
