package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// The names that this program has for itself as a child that shuts itself in, and that is
// only to find out whether it could.
const (
	enterName = "ken-sandbox"
	probeName = "ken-sandbox-probe"
)

// self is this program, whatever became of its file.
const self = "/proc/self/exe"

// here is what this machine has. A program whose main does not call Enter finds nothing: it
// would begin once more.
var here = sync.OnceValue(func() Machine {
	m := Machine{Filter: filterArch() != 0}
	if v, err := ll.LandlockGetABIVersion(); err == nil && v > 0 {
		m.Landlock = v
	}
	m.Spaces = m.Landlock > 0 && !strings.HasPrefix(os.Args[0], enterName) && probe()
	return m
})

// Here returns what this machine has. It starts a process, once.
func Here() Machine { return here() }

// probe tries in a child whether a person can make namespaces and mount in them: systems
// may allow the one and forbid the other.
func probe() bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, self)
	cmd.Args, cmd.Env, cmd.Dir = []string{probeName}, []string{}, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	spaces(cmd.SysProcAttr, false, false) // who allows mounts allows a network too, which takes its time
	runtime.LockOSThread()                // the child ends with the thread that started it
	defer runtime.UnlockOSThread()
	out, _ := cmd.Output() // it ends as one that failed, whatever it found
	return string(out) == probeName
}

// spaces has a process start in namespaces of its own, as the same person. With aside it is the first of its
// processes, which end with it, and may do on a file system of its own what the person may do with their files.
func spaces(attr *syscall.SysProcAttr, closed, aside bool) {
	attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC
	if closed {
		attr.Cloneflags |= syscall.CLONE_NEWNET
	}
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	// Whoever is not root loses what the namespaces gave at the start of a program, and this one has still to mount.
	// It gives them back: see giveBack.
	attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP}
	if aside {
		attr.Cloneflags |= syscall.CLONE_NEWPID
		attr.AmbientCaps = append(attr.AmbientCaps,
			unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH, unix.CAP_FOWNER, unix.CAP_FSETID)
	}
}

// Open returns how a command is held here as w says. Errors: ErrUnavailable where the
// machine cannot, and that what may be changed and what is hidden are in each other's way.
func Open(w Wish) (*Box, error) {
	m, mode := Here(), w.Mode
	if mode == Auto {
		mode = m.Most()
	}
	if mode != Write && mode != WriteNet || m.Most() == "" {
		return nil, fmt.Errorf("%w: it has %s", ErrUnavailable, m)
	}
	p := plan{
		Dir: w.Dir, Write: resolved(w.Write, false), Hide: resolved(w.Hide, true),
		Closed: mode == WriteNet, Spaces: m.Spaces, ABI: m.Landlock, Aside: w.Aside,
	}
	if len(w.Aside) > 0 {
		if err := p.mayKeepAside(); err != nil {
			return nil, err
		}
	}
	for _, at := range p.Write {
		for _, hidden := range p.Hide {
			switch {
			case isBelow(at, hidden):
				return nil, fmt.Errorf("%s is where ken keeps its own files: nothing can be changed there and hidden", at)
			case isBelow(hidden, at) && !p.Spaces:
				return nil, fmt.Errorf("%w: ken's own files are below %s, and cannot be hidden there without namespaces", ErrUnavailable, at)
			}
		}
	}
	return &Box{Mode: mode, plan: p}, nil
}

// Prepare has cmd, which is ready to start, start in the box.
func (b *Box) Prepare(cmd *exec.Cmd) error {
	told, err := b.told()
	if err != nil {
		return err
	}
	cmd.Args = append([]string{enterName, told, cmd.Path}, cmd.Args...)
	cmd.Path = self
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	if b.plan.Spaces {
		spaces(cmd.SysProcAttr, b.plan.Closed, len(b.plan.Aside) > 0)
	}
	return nil
}

// told is what a child is told to do to itself.
func (b *Box) told() (string, error) {
	text, err := json.Marshal(b.plan)
	return string(text), err
}
