package loop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/tool"
	"ken/internal/tool/files"
	"ken/internal/tool/swap"
	"ken/internal/undo"
)

// An Editor is where the person has files open, which may not be saved.
type Editor interface {
	// Read returns what it holds of the file at an absolute path; ok is false where it does not say.
	Read(ctx context.Context, path string) (text string, ok bool)
	// Write has it put another text in the place of all of it, and save it. The error is errors.ErrUnsupported where it does
	// not write files.
	Write(ctx context.Context, path, text string) error
}

// held is Editor.Read for a place; nil where nobody is asked.
func (h *fileTools) held(ctx context.Context) func(string) (string, bool) {
	if h.editor == nil {
		return nil
	}
	return func(path string) (string, bool) { return h.editor.Read(ctx, path) }
}

// errEditor says that the editor holds what is not saved, and cannot be had to write.
const errEditor files.Refused = "not written: the editor holds changes of it that are not saved: ask the person to save it"

// put makes a change, in the editor if that writes files: what is open there is then not older than the disk. is is what the file has
// afterwards, which may be formatted, or its old text where the editor did not save; on the disk it is all of the change.
func (h *fileTools) put(ctx context.Context, room undo.Room, c files.Change) (is []byte, err error) {
	if h.editor != nil {
		is, err = h.inEditor(ctx, c)
		if err == nil || !errors.Is(err, errors.ErrUnsupported) {
			return is, err
		}
	}
	if c.Unsaved {
		return nil, errEditor
	}
	return c.After, room.Alone(ctx, c.Apply)
}

// inEditor is put in the editor; errors.ErrUnsupported where that did nothing and the disk will do.
func (h *fileTools) inEditor(ctx context.Context, c files.Change) ([]byte, error) {
	if _, err := os.Stat(filepath.Dir(c.Path)); err != nil {
		return nil, errors.ErrUnsupported // directories are made by nobody there
	}
	if err := c.Still(h.place(ctx)); err != nil {
		return nil, err
	}
	werr := h.editor.Write(ctx, c.Path, string(c.After))
	is, _, err := swap.Read(c.Path)
	switch {
	case err != nil && c.Disk == "" && errors.Is(err, fs.ErrNotExist):
		is = []byte{} // not saved
	case err != nil:
		return nil, fmt.Errorf("nobody knows what %s holds: %w", c.Name, errors.Join(werr, err))
	}
	untouched := swap.Sum(is) == c.Disk || c.Disk == "" && len(is) == 0
	if werr == nil || !untouched {
		return is, nil
	}
	if c.Unsaved {
		return nil, errEditor
	}
	return nil, errors.ErrUnsupported
}

// made is what the model is told of a change, of which the file has is now, and has the record say that.
func (h *fileTools) made(ctx context.Context, room undo.Room, act undo.Act, c files.Change, is []byte) (tool.Result, error) {
	r := tool.Result{State: tool.Done, Text: c.Done, From: memory.OriginTool}
	var again *session.Event
	switch sum := swap.Sum(is); {
	case sum == c.AfterSum:
		return r, nil
	case sum == c.Disk, c.Disk == "" && len(is) == 0:
		r.Text += "; the editor has it and did not save it"
		e := act.Void()
		again = &e
	default:
		r.Text += "; the editor changed it further as it saved it: read it before you edit it again"
		if _, err := room.Keep(ctx, is); err != nil {
			return r, fmt.Errorf("changed, and it cannot be taken back: %w", err)
		}
		act.After = sum
		e := act.Event()
		again = &e
	}
	if h.journal != nil {
		if err := h.journal.Commit(*again); err != nil {
			h.home.Warn(fmt.Errorf("the session does not know what became of %s in the editor: %w", c.Name, err))
		}
	}
	return r, nil
}
