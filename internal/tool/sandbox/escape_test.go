//go:build linux

package sandbox_test

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"ken/internal/proctest"
	"ken/internal/pty/pair"
	"ken/internal/tool/sandbox"
)

func TestMain(m *testing.M) {
	if err := sandbox.Enter(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if len(os.Args) == 3 && os.Args[1] == "attempt" {
		if err := attempt(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(run(m))
}

// program is a copy of this one, at a place that the sandbox shows.
var program string

func run(m *testing.M) int {
	// Not below /tmp: there the sandbox has one of its own.
	dir, err := os.MkdirTemp("/var/tmp", "ken-escape-program-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "attempt")
	text, err := os.ReadFile("/proc/self/exe")
	if err == nil {
		err = os.WriteFile(program, text, 0o700)
	}
	if err == nil { // for other accounts too, whatever the umask is
		err = errors.Join(os.Chmod(dir, 0o755), os.Chmod(program, 0o755))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return m.Run()
}

// An escape is something that a command in the sandbox tries. O is a directory outside the
// project P, with a file kept; K one of ken's own, with a file key; V a process outside, whose third
// descriptor is open for writing to kept; T this program.
type escape struct {
	name string
	line string // for a shell; else go names an attempt
	goes string
	// alone: it is not tried without the sandbox, where it would change this machine, or
	// needs what is not on every machine. All others have to work there: what nothing
	// holds back shows nothing.
	alone bool
	// weak: without namespaces nothing holds it back. docs/safety.md says so.
	weak bool
	net  bool // only a closed network holds it back
}

func escapes() []escape {
	return []escape{
		{name: "make a file outside", line: `echo x >$O/new`},
		{name: "make a file by ..", line: `echo x >../outside/new`},
		{name: "make a file from a directory entered", line: `cd $O && echo x >new`},
		{name: "make a directory", line: `mkdir $O/new`},
		{name: "make a link", line: `ln -s x $O/new`},
		{name: "make a pipe", line: `mkfifo $O/new`},
		{name: "overwrite", line: `echo x >$O/kept`},
		{name: "append", line: `echo x >>$O/kept`},
		{name: "cut by a redirection", line: `: >$O/kept`},
		{name: "cut by truncate(2)", goes: "truncate"},
		{name: "cut by open(O_RDONLY|O_TRUNC)", goes: "open-truncate"},
		{name: "remove", line: `rm -f $O/kept`},
		{name: "remove a directory", line: `rmdir $O/empty`},
		{name: "rename over", line: `mv -f $P/mine $O/kept`},
		{name: "rename within", line: `mv $O/kept $O/new`},
		{name: "rename into the project", line: `mv $O/kept $P/kept`},
		{name: "exchange two names", goes: "exchange"},
		{name: "link a file from outside and write it", line: `ln $O/kept $P/h && echo x >$P/h`},
		{name: "link a file of the project outside", line: `ln $P/mine $O/new`},
		{name: "link an unnamed file outside", goes: "tmpfile-link"},
		{name: "symlink to a directory", line: `ln -s $O $P/l && echo x >$P/l/new`},
		{name: "symlink to a file", line: `ln -s $O/kept $P/l && echo x >$P/l`},
		{name: "symlink that was there before", line: `echo x >$P/before/new`},
		{
			name: "symlink changed in a race",
			line: `for i in 1 2 3; do ln -sfn $P/d $P/r; ln -sfn $O $P/r & echo x >$P/r/new; done; wait; echo x >$P/r/new`,
		},
		{name: "/proc/self/root", line: `echo x >/proc/self/root$O/new`},
		{name: "/proc/self/cwd", line: `echo x >/proc/self/cwd/../outside/new`},
		{name: "/proc/PID/root of another", line: `echo x >/proc/$V/root$O/new`},
		{name: "/proc/PID/cwd of another", line: `echo x >/proc/$V/cwd/new`},
		{name: "/proc/PID/fd of another", line: `echo x >/proc/$V/fd/3`},
		{name: "/proc/PID/fd of a directory", line: `exec 4<$O; echo x >/proc/self/fd/4/new`},
		{name: "a descriptor taken from another", goes: "pidfd-getfd"},
		{name: "a file by its handle", goes: "handle", alone: os.Getuid() != 0},
		{name: "a process of a session of its own", line: `setsid sh -c "echo x >$O/new"`},
		{name: "a process that outlives the command", line: `(setsid sh -c "sleep 0.2; echo x >$O/new" >/dev/null 2>&1 </dev/null &)`},
		{name: "an empty environment", line: `env -i /bin/sh -c "echo x >$O/new"`},
		{name: "another program", line: `cp $P/mine $O/new`},
		{name: "another user", line: `su -c "echo x >$O/new" root`, alone: os.Getuid() != 0},
		{name: "sudo", line: `sudo -n sh -c "echo x >$O/new"`, alone: true},
		{name: "a namespace of users", line: `unshare -Ur sh -c "echo x >$O/new"`, alone: !sandbox.Here().Spaces},
		{
			name: "a namespace of mounts", alone: !sandbox.Here().Spaces,
			line: `unshare -Urm sh -c "mount -o remount,bind,rw / ; mount --bind $O $P/d; echo x >$P/d/new; echo x >$O/new"`,
		},
		{name: "a bind mount", line: `mount --bind $O $P/d && echo x >$P/d/new`, alone: true},
		{name: "mounted writable again", line: `mount -o remount,bind,rw / ; mount -o remount,rw / ; echo x >$O/new`, alone: true},
		{name: "unmounted", line: `umount -l $K ; umount -l $K ; cat $K/key >$P/got`, alone: true},
		{name: "a namespace of another process", line: `nsenter -t $V -m sh -c "echo x >$O/new"`, alone: os.Getuid() != 0},
		{name: "a change of root", line: `chroot / /bin/sh -c "echo x >$O/new"`, alone: os.Getuid() != 0},
		{name: "a sandbox that allows all", line: `bash -c 'exec -a ken-sandbox $T "{\"write\":[\"/\"]}" /bin/sh sh -c "echo x >$O/new"'`},
		{name: "hooks of another repository", line: `echo x >$O/repo/.git/hooks/post-commit`},
		{name: "settings of another repository", line: `echo x >>$O/repo/.git/config`},
		{name: "a start file", line: `echo x >>$HOME/.bashrc`},
		{name: "cron", line: `echo "* * * * * root true" >/etc/cron.d/$N`, alone: true},
		{name: "a unit of systemd", line: `mkdir -p /run/systemd/system; echo x >/run/systemd/system/$N`, alone: true},
		{name: "the shared /tmp", line: `echo x >/tmp/$N`},
		{name: "shared memory", line: `echo x >/dev/shm/$N`},
		{name: "a terminal of another", line: `echo x >$TTY`},
		{name: "typing into the terminal", goes: "type-into-terminal", alone: true},
		{name: "permissions", line: `chmod 777 $O/kept`, weak: true},
		{name: "times", line: `touch -d @1 $O/kept`, weak: true},
		{name: "attributes", goes: "attribute", weak: true},
		{name: "ptrace", goes: "ptrace"},
		{name: "environment of a process", line: `cat /proc/$V/environ >$P/got`},
		{name: "memory of a process", line: `dd if=/proc/$PPID/mem of=$P/got bs=16 count=1 skip=$ADDRESS iflag=skip_bytes,fullblock`},
		{name: "memory by process_vm_readv", goes: "vm-read"},
		{name: "maps of a process", line: `cat /proc/$V/maps >$P/got`},
		{name: "a signal", goes: "signal"},
		{name: "a key of ken", line: `cat $K/key >$P/got`},
		{name: "a key of ken by a link", line: `ln -s $K $P/k; cat $P/k/key >$P/got`},
		{name: "a key of ken by a link to it", line: `ln $K/key $P/got`},
		{name: "a key of ken moved", line: `mv $K/key $P/got`},
		{name: "the directory of ken moved", line: `mv $K $P/moved && cat $P/moved/key >$P/got`},
		{name: "a key of ken by /proc", line: `cat /proc/self/root$K/key >$P/got`},
		{name: "a key of ken by another's root", line: `cat /proc/$V/root$K/key >$P/got`},
		{name: "a key of ken searched", line: `grep -rhs secret-of-ken $P/../own >$P/got`},
		{name: "a key of ken packed", line: `tar -cf - -C $K . | grep -q secret-of-ken && echo x >$P/got`},
		{name: "ken's files changed", line: `echo x >>$K/key`},
		{
			name: "the disk itself", alone: true,
			line: `d=$(ls /sys/block | grep -E "^(sd|vd|nvme|xvd)" | head -1); head -c 16 /dev/$d >$P/got`,
		},
		{name: "kernel memory", line: `head -c 16 /proc/kcore >$P/got`, alone: true},
		{name: "a module of the kernel", line: `insmod $P/mine`, alone: true},
		{name: "keyring", goes: "keyring", alone: true},
		{name: "a socket of a service (docker, ssh-agent, dbus)", goes: "unix"},
		{name: "a datagram socket of a service", goes: "unixgram"},
		{name: "an abstract socket", goes: "abstract"},
		{name: "a virtual machine's socket", goes: "vsock", alone: true},
		{name: "a socket of the kernel", goes: "alg", alone: true},
		{name: "packets", goes: "packet", alone: os.Getuid() != 0},
		{name: "io_uring", goes: "io-uring", alone: true},
		{name: "TCP", goes: "tcp", net: true},
		{name: "TCP by the shell", line: `echo x >/dev/tcp/127.0.0.1/${TCP##*:}`, net: true},
		{name: "UDP", goes: "udp", net: true},
		{name: "UDP by the shell", line: `echo x >/dev/udp/127.0.0.1/${UDP##*:}`, net: true},
		{name: "UDP without connecting", goes: "connected-by-sendto", net: true},
		{name: "UDP to another address of this machine, as DNS", goes: "dns", net: true},
		{name: "being reached", goes: "listen", net: true},
	}
}

// A stage is what an escape is tried on.
type stage struct {
	dir     string
	env     []string
	mark    string         // a name that nothing else has
	reached atomic.Int64   // how often somebody outside was reached
	callers []func() error // each reaches one of those outside, as an escape would
	called  chan struct{}  // one of callers was heard
	victim  *exec.Cmd
	tty     *os.File // the other end of a terminal outside
	ours    int      // bytes that we wrote on it: see settle
	slave   *os.File // that terminal
	typed   *os.File // what is typed on the terminal of the command
	listen  string
	began   time.Time
}

func (s *stage) at(name ...string) string {
	return filepath.Join(append([]string{s.dir}, name...)...)
}

func newStage(t *testing.T) *stage {
	t.Helper()
	// Not below /tmp, as people's projects are not: there the sandbox has a /tmp of its own.
	dir, err := os.MkdirTemp("/var/tmp", "ken-escape-") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{dir: dir, mark: filepath.Base(dir), began: time.Now(), called: make(chan struct{}, 1)}
	t.Cleanup(func() {
		for _, p := range []string{dir, "/tmp/" + s.mark, "/dev/shm/" + s.mark} {
			_ = os.RemoveAll(p)
		}
	})
	for _, d := range []string{"project/d", "outside/empty", "outside/repo/.git/hooks", "own", "home", "temp"} {
		if err := os.MkdirAll(s.at(d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"outside/kept": "kept", "own/key": "secret-of-ken", "project/mine": "mine", "outside/repo/.git/config": "[core]\n", "home/.bashrc": "#\n",
	} {
		if err := os.WriteFile(s.at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(s.at("outside"), s.at("project/before")); err != nil {
		t.Fatal(err)
	}
	s.startVictim(t)
	known := []byte("something of 16b")
	master, slave, err := pair.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _, _ = master.Close(), slave.Close(), known[0] })
	s.tty, s.slave = master, slave
	s.env = append(proctest.Environ(t),
		"O="+s.at("outside"), "P="+s.at("project"), "K="+s.at("own"), "N="+s.mark, "T="+program, "HOME="+s.at("home"), "TMPDIR="+s.at("temp"),
		fmt.Sprintf("V=%d", s.victim.Process.Pid), fmt.Sprintf("ADDRESS=%d", uintptr(unsafe.Pointer(&known[0]))), "TTY="+slave.Name(),
	)
	s.listeners(t)
	return s
}

// startVictim starts the process outside, and returns when it sleeps: what it does from then on is an escape's work.
func (s *stage) startVictim(t *testing.T) {
	t.Helper()
	kept, err := os.OpenFile(s.at("outside/kept"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = kept.Close() }()
	s.victim = proctest.Command(t, "sleep", "60")
	s.victim.Dir, s.victim.Env = s.at("outside"), append(s.victim.Env, "SECRET=secret-of-another")
	s.victim.ExtraFiles = []*os.File{kept}
	if err := s.victim.Start(); err != nil {
		t.Fatal(err)
	}
	calls := fmt.Sprintf("/proc/%d/syscall", s.victim.Process.Pid)
	if !proctest.Within(20*time.Second, func() bool {
		text, err := os.ReadFile(calls)
		asleep := err != nil || strings.HasPrefix(string(text), strconv.Itoa(unix.SYS_CLOCK_NANOSLEEP)+" ") ||
			strings.HasPrefix(string(text), strconv.Itoa(unix.SYS_NANOSLEEP)+" ")
		return asleep && state(s.victim.Process.Pid) == 'S'
	}) {
		t.Fatalf("the other process is %c", state(s.victim.Process.Pid))
	}
}

// listeners are who could be reached outside.
func (s *stage) listeners(t *testing.T) {
	t.Helper()
	var raw [6]byte
	_, _ = rand.Read(raw[:])
	abstract := "@ken-" + hex.EncodeToString(raw[:])
	stream := func(network, addr string) net.Listener {
		l, err := net.Listen(network, addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				s.reached.Add(1)
				_ = c.Close()
			}
		}()
		// Who connects later is let in later, and hears the end.
		s.callers = append(s.callers, func() error {
			c, err := net.Dial(network, l.Addr().String())
			if err != nil {
				return err
			}
			if n, err := c.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
				return fmt.Errorf("%d bytes, %w", n, err)
			}
			s.reached.Add(-1)
			return c.Close()
		})
		return l
	}
	packets := func(network, addr string) net.PacketConn {
		l, err := net.ListenPacket(network, addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				text := make([]byte, 9)
				n, _, err := l.ReadFrom(text)
				switch {
				case err != nil:
					return
				case string(text[:n]) == "called":
					s.called <- struct{}{}
				default:
					s.reached.Add(1)
				}
			}
		}()
		s.callers = append(s.callers, func() error { // what is sent later is read later
			c, err := net.Dial(network, l.LocalAddr().String())
			if err != nil {
				return err
			}
			if _, err := c.Write([]byte("called")); err != nil {
				return err
			}
			select {
			case <-s.called:
			case <-time.After(20 * time.Second):
				return errors.New("nobody heard")
			}
			return c.Close()
		})
		return l
	}
	far := "127.0.0.1"
	addrs, _ := net.InterfaceAddrs()
	for _, a := range addrs {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() {
			far = ip.IP.String()
		}
	}
	stream("unix", s.at("outside", "socket"))
	stream("unix", abstract)
	packets("unixgram", s.at("outside", "socket.dgram"))
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, s.listen, _ = net.SplitHostPort(free.Addr().String())
	_ = free.Close()
	s.env = append(s.env,
		"SOCKET="+s.at("outside", "socket"), "ABSTRACT="+abstract, "LISTEN="+s.listen,
		"TCP="+stream("tcp", "127.0.0.1:0").Addr().String(), "UDP="+packets("udp", "127.0.0.1:0").LocalAddr().String(),
		"FAR="+packets("udp", far+":0").LocalAddr().String(),
	)
}

// effects says what an escape did outside, by looking there.
func (s *stage) effects(t *testing.T) []string {
	t.Helper()
	var seen []string
	if text, err := os.ReadFile(s.at("outside/kept")); err != nil || string(text) != "kept" {
		seen = append(seen, fmt.Sprintf("kept is %q, %v", text, err))
	}
	if fi, err := os.Stat(s.at("outside/kept")); err == nil && (fi.Mode().Perm() != 0o600 || fi.ModTime().Before(s.began.Add(-time.Minute))) {
		seen = append(seen, "kept has other properties")
	}
	if n, _ := unix.Getxattr(s.at("outside/kept"), "user.escaped", nil); n > 0 {
		seen = append(seen, "kept has an attribute")
	}
	var found []string
	_ = filepath.WalkDir(s.at("outside"), func(path string, _ fs.DirEntry, _ error) error {
		rel, _ := filepath.Rel(s.at("outside"), path)
		found = append(found, rel)
		return nil
	})
	if got := strings.Join(found, " "); got != ". empty kept repo repo/.git repo/.git/config repo/.git/hooks socket socket.dgram" {
		seen = append(seen, "outside: "+got)
	}
	for name, want := range map[string]string{"own/key": "secret-of-ken", "outside/repo/.git/config": "[core]\n", "home/.bashrc": "#\n"} {
		if text, err := os.ReadFile(s.at(name)); err != nil || string(text) != want {
			seen = append(seen, fmt.Sprintf("%s is %q, %v", name, text, err))
		}
	}
	for _, name := range []string{"/tmp/", "/dev/shm/", "/etc/cron.d/", "/run/systemd/system/"} {
		if _, err := os.Lstat(name + s.mark); err == nil {
			seen = append(seen, name+s.mark)
		}
	}
	if text, err := os.ReadFile(s.at("project/got")); err == nil && len(text) > 0 {
		seen = append(seen, fmt.Sprintf("got %.40q", text))
	}
	if n := s.reached.Load(); n > 0 {
		seen = append(seen, fmt.Sprintf("reached %d times", n))
	}
	if err := unix.Kill(s.victim.Process.Pid, 0); err != nil || state(s.victim.Process.Pid) != 'S' {
		seen = append(seen, fmt.Sprintf("the other process is %c, %v", state(s.victim.Process.Pid), err))
	}
	if n := waiting(s.tty); n > s.ours {
		seen = append(seen, "something is on a terminal")
	}
	if s.typed != nil && waiting(s.typed) > 0 {
		seen = append(seen, "something was typed")
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(mounts, []byte(s.mark)) {
		seen = append(seen, "something is mounted")
	}
	return seen
}

// state is that of a process: 'S' sleeps.
func state(pid int) byte {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if _, after, ok := bytes.Cut(text, []byte(") ")); err == nil && ok {
		return after[0]
	}
	return '-'
}

// waiting is how many bytes can be read from a terminal.
func waiting(f *os.File) int {
	n, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCINQ)
	if err != nil {
		return 0
	}
	return n
}

// try tries an escape, held by box, or by nothing.
func (s *stage) try(t *testing.T, e escape, box *sandbox.Box) string {
	t.Helper()
	shell := "/bin/sh"
	if path, err := exec.LookPath("bash"); err == nil {
		shell = path
	}
	cmd := proctest.Command(t, shell, "-c", e.line)
	if e.goes != "" {
		cmd = proctest.Command(t, program, "attempt", e.goes)
	}
	cmd.Dir, cmd.Env = s.at("project"), s.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if e.goes == "type-into-terminal" {
		master, slave, err := pair.Open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = master.Close(), slave.Close() })
		cmd.Stdin, s.typed = slave, slave
		cmd.SysProcAttr.Setctty = true
	}
	if box != nil {
		if err := box.Prepare(cmd); err != nil {
			t.Fatal(err)
		}
	}
	over := func() {}
	if e.goes == "listen" {
		over = s.reach(t, cmd)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over()
	err := cmd.Wait()
	if box != nil && strings.Contains(e.name, "outlives") {
		time.Sleep(500 * time.Millisecond)
	}
	s.settle(t)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		t.Fatal(err)
	}
	if text := out.String(); strings.HasPrefix(text, "run ") || strings.HasPrefix(text, "sandbox: ") {
		t.Fatalf("it was not tried: %s", text)
	}
	return out.String()
}

// reach has a command that is not started yet listen. The function that it returns connects to it once it says that it does,
// and then has it end.
func (s *stage) reach(t *testing.T, cmd *exec.Cmd) (connect func()) {
	t.Helper()
	in, ierr := cmd.StdinPipe()
	cmd.Stdout = nil
	out, oerr := cmd.StdoutPipe()
	if err := errors.Join(ierr, oerr); err != nil {
		t.Fatal(err)
	}
	return func() {
		_, _ = io.ReadFull(out, make([]byte, len("up\n"))) // it ends where it may not listen
		if c, err := net.Dial("tcp", "127.0.0.1:"+s.listen); err == nil {
			s.reached.Add(1)
			_ = c.Close()
		}
		_ = in.Close()
	}
}

// settle waits until all who could be reached have said whether they were: we reach each of them too, and come last.
func (s *stage) settle(t *testing.T) {
	t.Helper()
	for _, call := range s.callers {
		if err := call(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.slave.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	s.ours++
	if !proctest.Within(20*time.Second, func() bool { return waiting(s.tty) >= s.ours }) {
		t.Fatal("nothing comes to the terminal")
	}
}

// happens reports whether an escape did something outside, now or soon.
func (s *stage) happens(t *testing.T) bool {
	t.Helper()
	return proctest.Within(5*time.Second, func() bool { return len(s.effects(t)) > 0 })
}

// box is a box for a stage.
func (s *stage) box(t *testing.T, mode sandbox.Mode) *sandbox.Box {
	t.Helper()
	b, err := sandbox.Open(sandbox.Wish{Mode: mode, Dir: s.at("project"), Write: []string{s.at("project")}, Hide: []string{s.at("own")}})
	if err != nil {
		t.Fatal(err)
	}
	return b.WithTemp(s.at("temp"))
}

// needed skips where the machine can hold nothing.
func needed(t *testing.T) {
	t.Helper()
	if sandbox.Here().Most() == "" {
		t.Skipf("this machine has %s", sandbox.Here())
	}
}

// TestEscapes: none of these gets out of the sandbox, by what is seen outside afterwards. Each
// works without it, so that the sandbox is what held it.
func TestEscapes(t *testing.T) {
	t.Parallel()
	needed(t)
	for _, e := range escapes() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			if !e.alone {
				s := newStage(t)
				if out := s.try(t, e, nil); !s.happens(t) {
					t.Errorf("without the sandbox nothing happens either, so that this shows nothing: %s", out)
				}
			}
			for _, c := range []struct {
				mode   sandbox.Mode
				spaces bool
			}{{sandbox.WriteNet, true}, {sandbox.WriteNet, false}, {sandbox.Write, false}} {
				if e.net && c.mode != sandbox.WriteNet || e.weak && !c.spaces || c.spaces && !sandbox.Here().Spaces {
					continue
				}
				s := newStage(t)
				b := s.box(t, c.mode)
				if !c.spaces {
					b = b.WithoutSpaces()
				}
				out := s.try(t, e, b)
				if seen := s.effects(t); len(seen) > 0 {
					t.Errorf("%s, namespaces %t: %s\n%s", c.mode, c.spaces, strings.Join(seen, "; "), out)
				}
			}
		})
	}
}

// TestNotHeldWithoutNamespaces names what nothing holds back where nobody but an
// administrator makes namespaces, as docs/safety.md says: what stops here is a row for
// TestEscapes.
func TestNotHeldWithoutNamespaces(t *testing.T) {
	t.Parallel()
	needed(t)
	for _, e := range escapes() {
		if !e.weak {
			continue
		}
		s := newStage(t)
		out := s.try(t, e, s.box(t, sandbox.WriteNet).WithoutSpaces())
		if seen := s.effects(t); len(seen) == 0 {
			t.Errorf("%s is held by now: %s", e.name, out)
		}
	}
}
