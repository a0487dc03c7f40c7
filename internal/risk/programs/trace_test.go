//go:build linux

package programs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/proctest"
)

// A packaged program is one that the test of system calls runs.
type packaged struct {
	name    string
	from    string   // the package of Debian
	helpers []string // what it may start, "*" whatever it likes; "/..." where it may write, "dns" that it may ask for names
}

// packages reads testdata/packages.txt: what is traced, whence it comes, and which
// programs it may start.
func packages(t *testing.T) []packaged {
	t.Helper()
	f, err := os.Open("testdata/packages.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []packaged
	in := bufio.NewScanner(f)
	for in.Scan() {
		fields := strings.Fields(in.Text())
		if len(fields) < 2 || fields[0][0] == '#' {
			continue
		}
		out = append(out, packaged{fields[0], fields[1], fields[2:]})
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPackagesAreKnown: what is listed to be traced has a row of level safe.
func TestPackagesAreKnown(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if !slices.ContainsFunc(rowsOf(p.name), func(r row) bool { return r.level == Safe && !r.wrapper }) {
			t.Errorf("%s: no row of level safe", p.name)
		}
	}
}

// TestTrace runs programs of safe rows under a tracer, with the options that their rows
// list and generated words, and fails on what they must not do: start another program,
// reach out, open a file to write it. make risk-trace installs all of them and traces
// all; without that a few are traced that every machine has.
func TestTrace(t *testing.T) {
	t.Parallel()
	tracer, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("no strace")
	}
	if out, err := proctest.Command(t, tracer, "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %s", out)
	}
	all := os.Getenv("KEN_RISK_TRACE") == "all"
	only := strings.Fields(os.Getenv("KEN_RISK_TRACE_ONLY"))
	traced, options, runs, missing := 0, 0, 0, []string{}
	for _, p := range packages(t) {
		if len(only) > 0 && !slices.Contains(only, p.name) || !all && len(only) == 0 && !slices.Contains([]string{"head", "wc", "uniq", "xxd"}, p.name) {
			continue
		}
		path := installed(p.name)
		if path == "" {
			missing = append(missing, p.name)
			continue
		}
		tr := tracing{tracer: tracer, program: path, helpers: p.helpers, base: t.TempDir()}
		traced++
		for _, r := range rowsOf(p.name) {
			if r.level != Safe || r.wrapper {
				continue
			}
			tr.asks = r.asks
			n, m := tr.row(t, p.name, r, all || len(only) > 0)
			options += n
			runs += m
		}
	}
	t.Logf("traced %d programs, %d options, in %d runs; not here: %d %v", traced, options, runs, len(missing), missing)
	if traced == 0 && len(only) == 0 {
		t.Error("nothing was traced")
	}
}

// installed is where the system has a program, "" if it has none. What a person has in
// front of it is not asked.
func installed(name string) string {
	for _, dir := range []string{"/usr/bin", "/usr/sbin", "/bin", "/sbin"} {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}

// A tracing runs one program.
type tracing struct {
	tracer, program string
	helpers         []string
	base            string
	n               int
	asks            bool // it may reach the service that it is set up for
}

// row runs the program with each option that the row lists, and says how many options
// and runs there were.
func (tr *tracing) row(t *testing.T, name string, r row, thorough bool) (options, runs int) {
	t.Helper()
	// A place of the row has one word of its alternatives at a time.
	var subs [][]string
	for _, alternatives := range r.subs {
		var words []string
		for _, a := range alternatives {
			if a != "-" && !strings.Contains(a, "*") {
				words = append(words, a)
			} else if a != "-" {
				words = append(words, "in.txt")
			}
		}
		subs = append(subs, words)
	}
	head := func(i int) []string {
		var out []string
		for _, words := range subs {
			if len(words) > 0 {
				out = append(out, words[i%len(words)])
			}
		}
		return out
	}
	files := []string{"in.txt", "other.txt"}
	most := len(files)
	if r.out > 0 {
		most = min(most, r.out-1)
	}
	if r.max >= 0 {
		most = min(most, r.max)
	}
	if slices.ContainsFunc(r.subs, func(place []string) bool { return slices.Contains(place, "-") }) {
		most = 0
	}
	try := func(words ...string) {
		runs++
		for _, why := range tr.run(t, words) {
			t.Errorf("%s %q: %s", name, words, why)
		}
	}
	widest := 1
	for _, words := range subs {
		widest = max(widest, len(words))
	}
	for i := range widest {
		for n := 0; n <= most; n++ {
			try(append(head(i), files[:n]...)...)
		}
	}
	var flags []string
	for f, u := range r.flags {
		if u.level == Safe && !u.write {
			flags = append(flags, f)
		}
	}
	slices.Sort(flags)
	options = len(flags)
	if r.alone {
		return options, runs
	}
	for i, f := range flags {
		values := []string{""}
		if r.flags[f].arg {
			values = []string{"1", "in.txt"}
			if thorough {
				values = append(values, "always", "name")
			}
		}
		for _, v := range values {
			words := head(i)
			words = append(words, f)
			if v != "" {
				words = append(words, v)
			}
			try(append(words, files[:most]...)...)
		}
	}
	return options, runs
}

// run runs the program once, and says what it did that it must not do.
func (tr *tracing) run(t *testing.T, words []string) []string {
	t.Helper()
	tr.n++
	dir := filepath.Join(tr.base, fmt.Sprint(tr.n))
	work, home, tmp, out := filepath.Join(dir, "work"), filepath.Join(dir, "home"), filepath.Join(dir, "tmp"), filepath.Join(dir, "trace")
	for _, d := range []string{work, home, tmp, out} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"in.txt": "b,1\na,2\n{\"a\":1}\n", "other.txt": "a,2\nc,3\n", "1": "x\n", "name": "y\n"} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	args := append([]string{"-ff", "-qq", "-y", "-s", "256", "-e", "signal=none", "-e", "trace=execve,execveat,connect,sendto,open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,chown,fchownat,lchown,mknod,mknodat,utimensat,setxattr", "-o", filepath.Join(out, "t"), tr.program}, words...)
	cmd := proctest.CommandContext(t, ctx, tr.tracer, args...)
	cmd.Dir = work
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + home, "TMPDIR=" + tmp, "LANG=C.UTF-8", "TERM=dumb", "XDG_CACHE_HOME=" + home + "/.cache", "XDG_CONFIG_HOME=" + home + "/.config"}
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && ctx.Err() == nil && !errors.Is(err, exec.ErrWaitDelay) {
		t.Fatal(err)
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left behind
	var bad []string
	traces, err := filepath.Glob(filepath.Join(out, "t.*"))
	if err != nil {
		t.Fatal(err)
	}
	first := true
	for _, name := range traces {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if why := tr.forbidden(strings.TrimSpace(line), dir, &first); why != "" && !slices.Contains(bad, why) {
				bad = append(bad, why)
			}
		}
	}
	return bad
}

// forbidden says what is wrong with a system call, "" if nothing is.
func (tr *tracing) forbidden(line, dir string, first *bool) string {
	m := systemCall().FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	name, args, result := m[1], m[2], m[3]
	failed := strings.HasPrefix(result, "-1")
	switch name {
	case "execve", "execveat":
		path := firstQuoted(args)
		if *first && path == tr.program {
			*first = false
			return ""
		}
		base := filepath.Base(path)
		if failed || slices.Contains(tr.helpers, "*") || slices.Contains(tr.helpers, base) {
			return ""
		}
		return "starts " + path
	case "connect", "sendto":
		if strings.Contains(args, "nlmsg") || strings.Contains(args, "AF_NETLINK") {
			return "" // the kernel
		}
		if tr.asks {
			return ""
		}
		if slices.Contains(tr.helpers, "dns") && strings.Contains(args, "htons(53)") {
			return ""
		}
		if slices.ContainsFunc(tr.helpers, func(h string) bool { return h[0] == '/' && strings.Contains(args, `"`+h+`"`) }) {
			return ""
		}
		if strings.Contains(args, "AF_INET") {
			if strings.Contains(args, "htons(0)") || strings.Contains(args, "sin_port=htons(9)") {
				return "" // asks the kernel which way, and sends nothing
			}
			return "reaches out: " + args
		}
		if name == "connect" && strings.Contains(args, "AF_UNIX") && !regexp.MustCompile(`sun_path=@?"(/var)?/run/(nscd|systemd|dbus|udev|lvm|user)|sun_path=@"?/tmp/\.X11|sun_path="/tmp/\.X11|sun_path=@?"/run/`).MatchString(args) {
			return "speaks to " + args
		}
		return ""
	case "mkdir", "mkdirat":
		if strings.Contains(result, "EEXIST") {
			return ""
		}
	case "open", "openat", "openat2", "creat":
		writes := name == "creat" || strings.Contains(args, "O_WRONLY") || strings.Contains(args, "O_RDWR") || strings.Contains(args, "O_CREAT") || strings.Contains(args, "O_TRUNC")
		if !writes {
			return ""
		}
	}
	path := firstQuoted(args)
	if !strings.HasPrefix(path, "/") {
		base := filepath.Join(dir, "work")
		if at := regexp.MustCompile(`^(?:AT_FDCWD|\d+)<([^>]*)>`).FindStringSubmatch(args); at != nil {
			base = at[1]
		}
		path = filepath.Join(base, path)
	}
	if own(path, dir) || slices.ContainsFunc(tr.helpers, func(h string) bool { return h[0] == '/' && strings.HasPrefix(path, h) }) || failed && !strings.Contains(result, "EACCES") && !strings.Contains(result, "EROFS") && !strings.Contains(result, "EEXIST") {
		return ""
	}
	return name + " " + strings.Replace(path, dir, "DIR", 1)
}

func systemCall() *regexp.Regexp {
	return regexp.MustCompile(`^(\w+)\((.*)\)\s+= (-?\d+.*)$`)
}

func firstQuoted(args string) string {
	_, rest, ok := strings.Cut(args, `"`)
	if !ok {
		return ""
	}
	text, _, _ := strings.Cut(rest, `"`)
	return text
}

// own says that a program may write there: nothing is kept, or it is below what it was
// given for its own scratch files and caches.
func own(path, dir string) bool {
	for _, p := range []string{"/dev/null", "/dev/tty", "/dev/pts/", "/dev/fd/", "/dev/stdout", "/dev/stderr", "/proc/self/", "/proc/", "/dev/shm/", filepath.Join(dir, "tmp"), filepath.Join(dir, "home"), filepath.Join(dir, "trace")} {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}
