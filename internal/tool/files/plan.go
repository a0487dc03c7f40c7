package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"unicode/utf8"

	"ken/internal/attach"
	"ken/internal/regular"
	"ken/internal/tool/edit"
	"ken/internal/tool/swap"
)

// A Change is what is to become of one file. Apply makes it.
type Change struct {
	Target
	Before, After []byte // Before is nil of a file that is made
	BeforeSum     string // swap.Sum; "" of a file that is made
	AfterSum      string
	Created       bool
	// Unsaved says that Before is what the person's editor holds, and Disk is swap.Sum of what the file has, "" of none.
	Unsaved        bool
	Disk           string
	Diff           string // unified, of the whole change
	Added, Removed int    // lines
	// Done is what the model is told when it was applied.
	Done string
}

// Apply makes the change, if the file still holds what the difference was made from.
func (c Change) Apply() error {
	if c.Unsaved {
		return refuse("not written: %s: what it was made from is not saved", c.Name)
	}
	err := swap.Swap{Path: c.Path, Before: c.BeforeSum, After: c.After}.Do()
	for is, text := range map[error]string{
		swap.ErrChanged: "the file changed since the change was shown: read it again",
		swap.ErrMoved:   "its path leads elsewhere by now",
		swap.ErrNames:   "it has several names (hard links), and the others would keep the old content",
		swap.ErrOwner:   "it belongs to another account",
	} {
		if errors.Is(err, is) {
			return refuse("not written: %s: %s", c.Name, text)
		}
	}
	if err != nil {
		return refuse("not written: %s: %v", c.Name, regular.Cause(err))
	}
	return nil
}

// Still refuses a change whose file, or what the editor of p holds of it, is not any more what the difference was made from.
func (c Change) Still(p Place) error {
	real, there, err := swap.Real(c.Path)
	if err != nil || real != c.Path || there != c.There {
		return refuse("not written: %s: its path leads elsewhere by now", c.Name)
	}
	var now, disk []byte
	if there {
		now, disk, err = p.text(c.Target)
	} else if text, unsaved := p.held(c.Target); unsaved {
		now = text
	}
	if err != nil {
		return err
	}
	if string(now) != string(c.Before) || there && swap.Sum(disk) != c.Disk {
		return refuse("not written: %s: it changed since the change was shown: read it again", c.Name)
	}
	return nil
}

// Edit plans to replace a piece of a file. t counts what failed; nil counts nothing.
func (p Place) Edit(t *Turn, at Target, want edit.Want) (Change, error) {
	if t.of(at.Path).refused() {
		return Change{}, refuse("not edited: four edits of %s failed in this turn; use write_file with all of it, or leave it", at.Name)
	}
	before, disk, err := p.text(at)
	if err != nil {
		return Change{}, err
	}
	r, err := edit.Replace(string(before), want)
	var refusal *edit.Refusal
	if errors.As(err, &refusal) {
		return Change{}, p.missed(t, at, before, refusal)
	}
	if err != nil {
		return Change{}, err
	}
	c, err := p.change(at, before, []byte(r.Text), disk)
	c.Done = r.Answer(at.Name)
	return c, err
}

// missed is the answer to an edit that was refused: what is wrong, at the second time the whole
// file, and at the fourth no more.
func (p Place) missed(t *Turn, at Target, before []byte, r *edit.Refusal) error {
	f := t.of(at.Path)
	f.failed++
	text := r.Answer(at.Name)
	if r.Why == edit.NotFound && f.seen != "" && f.seen != swap.Sum(before) {
		text = fmt.Sprintf("the file changed since you read it (it is %.8s now): read it again\n", swap.Sum(before)) + text
	}
	switch {
	case f.failed == 2 && len(before) <= p.most():
		f.seen = swap.Sum(before)
		text += "\nThis is the whole file. If it fails again, use write_file with all of it:\n" + string(before)
	case f.failed == 2:
		text += "\nread_file has the file in parts: copy the lines from there"
	case f.refused():
		text += "\nThat was the fourth: edits of this file are refused for this turn. Use write_file with all of it, or leave it"
	}
	return Refused(text)
}

// Write plans to make a file, or to replace all of it. t remembers what was doubted once; nil
// doubts nothing.
func (p Place) Write(t *Turn, at Target, content string) (Change, error) {
	if !utf8.ValidString(content) {
		return Change{}, refuse("not written: the content is not UTF-8")
	}
	if len(content) > swap.Most {
		return Change{}, refuse("not written: the content has %s, and the most is 1 MiB", attach.Size(int64(len(content))))
	}
	if _, unsaved := p.held(at); !at.There && !unsaved {
		c, err := p.change(at, nil, []byte(content), nil)
		c.Done = fmt.Sprintf("done: %s, made, +%d -0", at.Name, c.Added)
		return c, err
	}
	before, disk, err := p.text(at)
	if err != nil {
		return Change{}, err
	}
	after := edit.Like(string(before), content)
	if after == string(before) {
		return Change{}, refuse("no change: %s holds this already", at.Name)
	}
	if doubt := edit.Doubt(string(before), after); doubt != "" && t != nil && !t.of(at.Path).doubted {
		t.of(at.Path).doubted = true
		return Change{}, Refused(doubt)
	}
	c, err := p.change(at, before, []byte(after), disk)
	c.Done = fmt.Sprintf("done: %s, +%d -%d", at.Name, c.Added, c.Removed)
	return c, err
}

// text is what is to be changed, what the editor holds or else the file, and what the file has: UTF-8, not long.
func (p Place) text(at Target) (now, disk []byte, err error) {
	if !at.There {
		if text, unsaved := p.held(at); unsaved {
			return text, nil, nil
		}
		return nil, nil, refuse("no such file: %s; write_file makes one", at.Name)
	}
	if disk, err = p.saved(at); err != nil {
		return nil, nil, err
	}
	if text, unsaved := p.held(at); unsaved {
		return text, disk, nil
	}
	return disk, disk, nil
}

// saved is what a file has.
func (p Place) saved(at Target) ([]byte, error) {
	fi, err := os.Stat(at.Path)
	if err != nil {
		return nil, p.failed(at.Name, err)
	}
	if !fi.Mode().IsRegular() {
		return nil, irregular(at.Name, fi.Mode())
	}
	if n := swap.Names(at.Path, fi); n > 1 {
		return nil, refuse("%s has %d names (hard links), and the others would keep the old content: it is not changed here", at.Name, n)
	}
	b, _, err := swap.Read(at.Path)
	switch {
	case errors.Is(err, regular.ErrTooLong):
		return nil, refuse("%s has %s, and the most is 1 MiB: it is not changed here", at.Name, attach.Size(fi.Size()))
	case errors.Is(err, fs.ErrNotExist):
		return nil, refuse("no such file: %s", at.Name)
	case err != nil:
		return nil, p.failed(at.Name, err)
	}
	what, isText := attach.Sniff(b)
	switch {
	case len(b) == 0:
	case !isText:
		return nil, refuse("%s is %s: it is not changed here", at.Name, binary(fi.Size(), what))
	case what != "":
		return nil, refuse("%s is in %s: it is not changed here", at.Name, what)
	case !utf8.Valid(b):
		return nil, refuse("%s is not UTF-8: it is not changed here", at.Name)
	}
	return b, nil
}

func (Place) change(at Target, before, after, disk []byte) (Change, error) {
	if len(after) > swap.Most {
		return Change{}, refuse("not written: %s would have %s, and the most is 1 MiB", at.Name, attach.Size(int64(len(after))))
	}
	c := Change{Target: at, Before: before, After: after, AfterSum: swap.Sum(after), Created: before == nil && !at.There}
	if !c.Created {
		c.BeforeSum = swap.Sum(before)
	}
	if at.There {
		c.Disk = swap.Sum(disk)
	}
	c.Unsaved = c.BeforeSum != c.Disk
	c.Diff = edit.Diff(at.Name, string(before), string(after))
	c.Added, c.Removed = edit.Count(c.Diff)
	return c, nil
}
