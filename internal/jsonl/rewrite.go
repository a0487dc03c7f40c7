package jsonl

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"ken/internal/regular"
)

// Rewrite replaces the content of the file at path by what write writes, under
// the caller's lock: into a new file beside it, which is synced and renamed. A
// reader sees the old file or the new one, and so does whoever comes after a
// crash. The mode and the owner stay; of a symbolic link, what it points to is
// replaced.
//
// old is what Stat said of the file that was read, nil if there was none; if
// the file at path is another one by now, or was written to, nothing is
// replaced and the error is ErrChanged. A file with several names (hard links)
// is refused: the other names would keep the old content.
func Rewrite(f FS, path string, old fs.FileInfo, write func(io.Writer) error) error {
	if err := rewrite(f, path, old, write); err != nil {
		return fmt.Errorf("rewrite %s: %w", path, err)
	}
	return nil
}

// Create makes the file at path of text, as Rewrite does, with the directories that are missing. If there is a file, the
// error is ErrChanged.
func Create(f FS, path string, text []byte) error {
	return Rewrite(f, path, nil, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

func rewrite(f FS, path string, old fs.FileInfo, write func(io.Writer) error) error {
	if err := unchanged(path, old); err != nil {
		return err
	}
	// Renaming over a link would put a file in the place of the link.
	path, err := resolve(path)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	if old == nil {
		if err := MakeDir(f, filepath.Dir(path)); err != nil {
			return err
		}
	} else {
		mode = old.Mode().Perm()
		if err := oneName(old); err != nil {
			return err
		}
	}
	// One fixed name, so that what a crash left behind goes with the next try.
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".new")
	if err := removeIfThere(f, temp); err != nil {
		return err
	}
	err = writeNew(f, temp, mode, old, write)
	if err == nil {
		err = unchanged(path, old)
	}
	if err == nil {
		err = setMoved(f, path)
	}
	if err == nil {
		err = f.Rename(temp, path)
	}
	if err != nil {
		if rerr := removeIfThere(f, temp); rerr != nil {
			return fmt.Errorf("%w (and %s could not be removed: %w)", err, temp, rerr)
		}
		return err
	}
	return clearMoved(f, path)
}

func oneName(fi fs.FileInfo) error {
	if _, _, links, ok := ownership(fi); ok && links > 1 {
		return fmt.Errorf("the file has %d names (hard links), and the others would keep the old content: remove them first", links)
	}
	return nil
}

// Replaceable reports why Rewrite would refuse the file at path: it is no regular
// file, or has several names. A missing one is replaceable.
func Replaceable(path string) error {
	fi, err := regular.Stat(path)
	if err == nil && fi != nil {
		err = oneName(fi)
	}
	if err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	return nil
}

// moved is the name of the empty file that stands beside the file at path from
// before a rename until the rename is on the disk. If Rewrite dies or fails in
// between, the next append finishes its work: else it would be acknowledged in
// a file whose name may go back to the old one.
func moved(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".moved")
}

func setMoved(f FS, path string) error {
	m, err := f.OpenFile(moved(path), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return m.Close()
}

// clearMoved puts the name of the file at path on the disk.
func clearMoved(f FS, path string) error {
	if err := SyncDir(f, filepath.Dir(path)); err != nil {
		return err
	}
	return removeIfThere(f, moved(path))
}

// finishMove is clearMoved for an append, if there is anything to finish.
func finishMove(f FS, path string) error {
	fi, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if fi.Mode()&fs.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	if _, err := os.Lstat(moved(path)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return clearMoved(f, path)
}

// unchanged returns ErrChanged unless the file at path is old and as it was.
func unchanged(path string, old fs.FileInfo) error {
	now, err := regular.Stat(path)
	if err != nil {
		return err
	}
	if !SeenAs(old).Unchanged(SeenAs(now)) {
		return ErrChanged
	}
	return nil
}

// resolve follows the symbolic links of path, also one that points to nothing.
func resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	to, lerr := os.Readlink(path)
	if lerr != nil {
		return path, nil // nothing is there
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(path), to)
	}
	return to, nil
}

func removeIfThere(f FS, path string) error {
	if err := f.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Make makes the file at path, which must not be there yet (fs.ErrExist), of what write writes, for the person alone. It and
// its name are on the disk when Make returns; after an error it is not there.
func Make(f FS, path string, write func(io.Writer) error) error {
	err := MakeDir(f, filepath.Dir(path))
	if err == nil {
		err = writeNew(f, path, 0o600, nil, write)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if err == nil {
		err = SyncDir(f, filepath.Dir(path))
	}
	if err != nil {
		_ = removeIfThere(f, path) // the first error says what is wrong
	}
	return err
}

// writeNew makes the file temp, with the mode and the owner of old, and has it
// on the disk when it returns.
func writeNew(f FS, temp string, mode fs.FileMode, old fs.FileInfo, write func(io.Writer) error) error {
	w, err := f.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	buf := bufio.NewWriterSize(w, 64<<10)
	err = write(buf)
	if err == nil {
		err = buf.Flush()
	}
	if err == nil {
		err = keepOwner(temp, mode, old)
	}
	if err == nil {
		err = w.Sync()
	}
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return err
}

// keepOwner gives temp the mode, which the umask may have cut, and the owner of
// old: what root erases stays the user's.
func keepOwner(temp string, mode fs.FileMode, old fs.FileInfo) error {
	if err := os.Chmod(temp, mode); err != nil {
		return err
	}
	if old == nil {
		return nil
	}
	made, err := os.Stat(temp)
	if err != nil {
		return err
	}
	uid, gid, _, ok := ownership(old)
	myUID, myGID, _, _ := ownership(made)
	if !ok || uid == myUID && gid == myGID {
		return nil
	}
	return os.Chown(temp, uid, gid)
}
