package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ken/internal/tool/sandbox"
)

// Places are directories in which a stage may be, the first ones first: not every file system can hold one. temp is the
// person's own for temporary files, or "". None is one of ken's own, which a command cannot see.
func Places(temp string) []string {
	list := []string{"/var/tmp", "/tmp", "/dev/shm"}
	if filepath.IsAbs(temp) {
		list = append([]string{temp}, list...)
	}
	return list
}

// Hold makes a stage in the first of some places where this machine can have one, and what holds a command on it: it changes
// what it likes in the project, which stays as it is, and in the other directories that w has it write to, whose changes
// are thrown away. All else of w holds. Errors: why there is none, of the last place.
func Hold(ctx context.Context, root string, w sandbox.Wish, places ...string) (*Stage, *sandbox.Box, error) {
	err := errors.New("there is no place for it")
	for _, at := range places {
		var s *Stage
		if s, err = Open(at, root); err != nil {
			continue
		}
		var box *sandbox.Box
		for _, others := range [][]string{w.Write, nil} { // what cannot have a layer is not written to
			if box, err = s.box(ctx, w, others); err == nil {
				s.Own = resolved(w.Hide)
				return s, box, nil
			}
			if ctx.Err() != nil {
				break
			}
		}
		if cerr := s.Close(); cerr != nil || ctx.Err() != nil {
			return nil, nil, errors.Join(err, cerr)
		}
	}
	return nil, nil, fmt.Errorf("nothing can be rehearsed here: %w", err)
}

func (s *Stage) box(ctx context.Context, w sandbox.Wish, others []string) (*sandbox.Box, error) {
	w.Mode, w.Write = sandbox.WriteNet, []string{s.Root}
	w.Aside = []sandbox.Layer{{At: s.Root, Upper: s.Upper(), Work: s.Work()}}
	for _, dir := range resolved(others) {
		if isBelow(dir, s.Root) || isBelow(s.Root, dir) {
			continue
		}
		if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
			continue
		}
		l, err := s.Another(dir)
		if err != nil {
			return nil, err
		}
		w.Aside, w.Write = append(w.Aside, l), append(w.Write, dir)
	}
	box, err := sandbox.Open(w)
	if err != nil {
		return nil, err
	}
	box = box.WithTemp(s.Temp())
	return box, box.Try(ctx)
}

// Possible says why nothing can be rehearsed on this machine; nil: it can.
func Possible(ctx context.Context, places ...string) error {
	dir, err := os.MkdirTemp("", "ken-rehearsal-try-")
	if err != nil {
		return err
	}
	s, _, err := Hold(ctx, dir, sandbox.Wish{Dir: dir}, places...)
	if s != nil {
		err = s.Close()
	}
	return errors.Join(err, os.Remove(dir))
}

// resolved are paths without links; what is not there is named by what of its path is.
func resolved(paths []string) (list []string) {
	for _, p := range paths {
		rest := ""
		for at := filepath.Clean(p); filepath.IsAbs(at); at, rest = filepath.Dir(at), filepath.Join(filepath.Base(at), rest) {
			if real, err := filepath.EvalSymlinks(at); err == nil {
				list = append(list, filepath.Join(real, rest))
				break
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return list
}
