package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Enter is the first thing that a program calls whose processes start commands in a Box: args
// are its own, with its name. It returns nil where this is no such process; else this
// process shuts itself in and becomes the command, and Enter returns only the error that
// kept it from that.
func Enter(args []string) error {
	if len(args) == 0 || args[0] != enterName && args[0] != probeName {
		return nil
	}
	runtime.LockOSThread()
	if args[0] == probeName {
		return errors.Join(errProbed, tried(args[1:]))
	}
	if len(args) < 4 {
		return errors.New("sandbox: no command")
	}
	var p plan
	if err := json.Unmarshal([]byte(args[1]), &p); err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	env, err := p.shut(os.Environ())
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	if len(p.Aside) > 0 {
		err = reign(args[2], args[3:], env)
	} else {
		err = syscall.Exec(args[2], args[3:], env)
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", args[2], err)
	}
	return nil
}

// errProbed ends a process that was only to try.
var errProbed = errors.New("sandbox: tried")

// tried mounts something in namespaces that are its own already, and says so. With a plan it shuts itself in as a command
// would be, and says so, or why it cannot.
func tried(args []string) error {
	if len(args) > 0 {
		var p plan
		err := json.Unmarshal([]byte(args[0]), &p)
		if err == nil {
			_, err = p.shut(nil)
		}
		text := probeName
		if err != nil {
			text = err.Error()
		}
		_, _ = unix.Write(1, []byte(text))
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := unix.Mount("none", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=64k"); err != nil {
		return err
	}
	if err := readOnly("/", true); err != nil {
		return err
	}
	_, err := unix.Write(1, []byte(probeName))
	return err
}

// shut shuts this process in and returns the environment that the command gets.
func (p plan) shut(env []string) ([]string, error) {
	write := append(resolved([]string{p.Temp}, false), p.Write...)
	if p.Spaces {
		own, err := p.mount(write)
		if err != nil {
			return nil, err
		}
		if own {
			env = with(env, "TMPDIR=/tmp")
			write = append(write, "/tmp")
		}
		write = append(write, "/dev/shm")
		if err := unix.Chdir(p.Dir); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Dir, err)
		}
	}
	if err := giveBack(); err != nil {
		return nil, err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("no new rights: %w", err)
	}
	if err := p.confine(write); err != nil {
		return nil, err
	}
	return env, filter(p.Closed && !p.Spaces)
}

// giveBack has this process and what it becomes without any right that the namespaces gave.
func giveBack() error {
	for c := range uintptr(64) {
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0) // of who has none there is none to drop
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("give rights back: %w", err)
	}
	head, none := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, [2]unix.CapUserData{}
	if err := unix.Capset(&head, &none[0]); err != nil {
		return fmt.Errorf("give rights back: %w", err)
	}
	return nil
}

// with returns env with a variable that replaces its namesake.
func with(env []string, v string) []string {
	name, _, _ := strings.Cut(v, "=")
	var out []string
	for _, e := range env {
		if !strings.HasPrefix(e, name+"=") {
			out = append(out, e)
		}
	}
	return append(out, v)
}

// What is allowed below a directory that may be changed: all but devices, which would reach
// around every file.
const (
	rightsRead  = ll.AccessFSExecute | ll.AccessFSReadFile
	rightsWrite = rightsRead | ll.AccessFSReadDir | ll.AccessFSWriteFile | ll.AccessFSRemoveDir | ll.AccessFSRemoveFile | ll.AccessFSMakeDir |
		ll.AccessFSMakeReg | ll.AccessFSMakeSock | ll.AccessFSMakeFifo | ll.AccessFSMakeSym
)

// confine restricts which files this process reaches, for ever.
func (p plan) confine(write []string) error {
	handled, changes := landlock.AccessFSSet(1<<13-1), landlock.AccessFSSet(rightsWrite)
	device := landlock.AccessFSSet(ll.AccessFSReadFile | ll.AccessFSWriteFile)
	for _, since := range []struct {
		abi   int
		right landlock.AccessFSSet
	}{{2, ll.AccessFSRefer}, {truncates, ll.AccessFSTruncate}} {
		if p.ABI >= since.abi {
			handled |= since.right
			changes |= since.right
		}
	}
	if p.ABI >= truncates {
		device |= ll.AccessFSTruncate
	}
	want := []any{}
	if p.ABI >= 5 {
		handled |= ll.AccessFSIoctlDev
		device |= ll.AccessFSIoctlDev
	}
	want = append(want, handled)
	if p.ABI >= 6 {
		want = append(want, landlock.ScopedSet(ll.ScopeAbstractUnixSocket|ll.ScopeSignal))
	}
	if p.Closed && !p.Spaces && p.ABI >= 4 {
		want = append(want, landlock.AccessNetSet(ll.AccessNetBindTCP|ll.AccessNetConnectTCP))
	}
	cfg, err := landlock.NewConfig(want...)
	if err != nil {
		return err
	}
	rules := []landlock.Rule{
		landlock.PathAccess(ll.AccessFSReadDir, "/"),
		landlock.PathAccess(rightsRead, readable("/", append([]string{"/dev"}, p.Hide...))...).IgnoreIfMissing(),
		landlock.PathAccess(ll.AccessFSReadFile, "/dev/urandom", "/dev/random").IgnoreIfMissing(),
		landlock.PathAccess(changes, write...),
		landlock.PathAccess(device, devices()...).IgnoreIfMissing(),
	}
	if err := cfg.Restrict(rules...); err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	return nil
}

// devices are those that any program may write to: they keep nothing. Its own terminal is
// among them, by the files that are open already. All others are closed for reading too: a
// disk holds every file, an input device every key.
func devices() []string {
	list := []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/tty"}
	for _, fd := range []string{"/proc/self/fd/1", "/proc/self/fd/2"} {
		if at, err := os.Readlink(fd); err == nil && strings.HasPrefix(at, "/dev/pts/") {
			list = append(list, fd)
		}
	}
	return list
}

// readable returns what of a directory may be read, so that what is hidden may not: the
// directory, or those of its entries that hold nothing hidden, and the same of the others.
// Links are left out: what they lead to is there by its own name.
func readable(dir string, hide []string) []string {
	holds := false
	for _, h := range hide {
		holds = holds || isBelow(h, dir)
	}
	if !holds {
		return []string{dir}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // what cannot be listed cannot be told apart
	}
	var out []string
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		hidden := false
		for _, h := range hide {
			hidden = hidden || at == h
		}
		switch {
		case hidden, e.Type()&os.ModeSymlink != 0:
		default:
			out = append(out, readable(at, hide)...)
		}
	}
	return out
}
