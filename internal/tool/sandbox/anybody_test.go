//go:build linux

package sandbox_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ken/internal/proctest"
)

// nobody is an account without rights, which every system has.
const nobody = 65534

// asNobody has a command run as who is not root, also where the test is.
func asNobody(t *testing.T, cmd *exec.Cmd, dirs ...string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	for _, dir := range dirs {
		if err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, nobody, nobody)
		}); err != nil {
			t.Fatal(err)
		}
	}
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
}

// TestAnybody: who is not root has namespaces where the system lets a person make them, and in them a command
// without any right, which is held as one of root's.
func TestAnybody(t *testing.T) {
	t.Parallel()
	needed(t)
	s := newStage(t)
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		t.Skip("there is no unshare, to say what the system lets a person do")
	}
	can := proctest.Command(t, unshare, "-Urm", "mount", "-t", "tmpfs", "none", "/mnt")
	asNobody(t, can)
	if err := can.Run(); err != nil {
		t.Skip("this system lets no person make namespaces")
	}
	cmd := proctest.Command(t, program, "attempt", "held")
	asNobody(t, cmd, s.dir)
	cmd.Dir, cmd.Env = s.at("project"), append(s.env, `LINE=
		echo account $(id -u)
		grep -E "^Cap(Inh|Prm|Eff|Amb)" /proc/self/status
		echo x >made && cat made
		chmod 777 $O/kept
		mount -t tmpfs none /mnt
		cat $K/key >got
		true`)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{"namespaces true\n", "account ", "\nx\n", "CapAmb:\t0000000000000000\n"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in: %s", want, out)
		}
	}
	if os.Getuid() == 0 && !strings.Contains(string(out), "account 65534\n") {
		t.Errorf("another account: %s", out)
	}
	for row := range strings.Lines(string(out)) {
		if name, value, ok := strings.Cut(row, ":\t"); ok && strings.HasPrefix(name, "Cap") && strings.Trim(value, "0\n") != "" {
			t.Errorf("a right is left: %s", row)
		}
	}
	if seen := s.effects(t); len(seen) > 0 {
		t.Errorf("%s: %s", strings.Join(seen, "; "), out)
	}
}
