package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	xterm "golang.org/x/term"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/jsonl"
	"ken/internal/repl"
)

// disk looks whether the data directory can be written to, whether that reaches a
// disk, and whether its lock can be had.
func (d *doctor) disk(ctx context.Context, paths config.Paths) {
	dir, shown := paths.Data, short(d.app, paths.Data)
	for {
		fi, err := os.Stat(dir)
		if err == nil && fi.IsDir() {
			break
		}
		up := filepath.Dir(dir)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || up == dir {
			d.Gap("data", fmt.Sprintf("%s: it is no directory that can be used", short(d.app, dir)), "move it away, or set KEN_HOME to a place of your own")
			return
		}
		dir = up
	}
	if d.app.Home.Settings.SaysReadOnly() {
		d.OK("data", "%s is only read", shown)
		return
	}
	if err := tryDisk(dir); err != nil {
		d.Gap("data", fmt.Sprintf("%s: %v", shown, err), "free some space, check the owner and mode of the directory, or set KEN_HOME to a place of your own")
		return
	}
	switch kind := volatile(dir); {
	case kind != "":
		d.Note("data", fmt.Sprintf("%s is on %s", shown, kind), "move it to a disk of this machine: set KEN_HOME or history.dir")
	case dir != paths.Data:
		d.OK("data", "%s, not there yet, can be made", shown)
	default:
		d.OK("data", "%s can be written to", shown)
	}
	if _, err := os.Stat(paths.Lock()); err != nil {
		return // the first append makes it
	}
	lock, err := jsonl.LockDir(ctx, paths.Data, 500*time.Millisecond)
	if errors.Is(err, jsonl.ErrBusy) {
		d.Gap("lock", short(d.app, paths.Lock())+" is held by another process", "end the ken that hangs")
		return
	}
	if err == nil {
		err = lock.Unlock()
	}
	if err != nil {
		d.Gap("lock", err.Error(), d.app.NextStep(err))
		return
	}
	d.OK("lock", "free")
}

// tryDisk writes a file in dir, has it forced to the disk, and takes it away.
func tryDisk(dir string) error {
	f, err := os.CreateTemp(dir, ".ken-doctor-*")
	if err != nil {
		return errors.New(causeOf(err))
	}
	_, err = f.WriteString("ken doctor\n")
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// terminal looks at what the shell is drawn on.
func (d *doctor) terminal() {
	out, ok := d.app.Env.Stdout.(*os.File)
	kind := d.app.Env.Getenv("TERM")
	switch {
	case !ok || !term.IsTerminal(out) || !term.IsTerminal(d.app.Env.Stdin):
		d.Note("terminal", "none: input or output is not a terminal", "")
		return
	case kind == "" || kind == "dumb":
		d.Note("terminal", "TERM says that it can do nothing: lines are read plainly", "export TERM=xterm-256color, if it can")
		return
	}
	colour := "colours"
	if d.app.Env.Getenv("NO_COLOR") != "" {
		colour = "no colours (NO_COLOR)"
	}
	w, h, err := xterm.GetSize(int(out.Fd()))
	if err != nil || w == 0 || h == 0 {
		d.Note("terminal", kind+": it does not report its size", "stty rows 24 cols 80")
		return
	}
	if d.app.Shell == nil && !repl.AnswersCursor() { // the shell has the terminal otherwise
		d.Note("terminal", fmt.Sprintf("%s, %dx%d: it does not report where its cursor is, so lines are read plainly", kind, w, h), "")
		return
	}
	d.OK("terminal", "%s, %dx%d, %s", kind, w, h, colour)
}
