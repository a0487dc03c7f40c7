//go:build linux

package rehearsal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/proctest"
	"ken/internal/session"
	"ken/internal/session/acts"
	"ken/internal/tool/rehearsal"
	"ken/internal/tool/sandbox"
	"ken/internal/tool/swap"
	"ken/internal/undo"
)

func TestMain(m *testing.M) {
	if err := sandbox.Enter(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(m.Run())
}

// A field is a project, and where its rehearsals are.
type field struct {
	dir, root string
	acts      []undo.Act
	room      undo.Room
}

func newField(t *testing.T) *field {
	t.Helper()
	if sandbox.Here().Most() == "" || !sandbox.Here().Spaces {
		t.Skipf("a rehearsal takes namespaces, and this machine has %s", sandbox.Here())
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened(dir) })
	f := &field{dir: dir, root: filepath.Join(dir, "project, of: mine\\")}
	f.room = undo.Room{Path: filepath.Join(dir, "undo"), Lock: dir, Now: time.Now}
	f.plant(t, f.root)
	return f
}

// opened has its owner go everywhere below a directory, so that it can be removed.
func opened(dir string) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, _ error) error {
		if e != nil && e.IsDir() {
			_ = os.Chmod(path, 0o700) // before it is read
		}
		return nil
	})
}

// plant makes a project: files, directories, links, modes.
func (f *field) plant(t *testing.T, root string) {
	t.Helper()
	sh(t, f.dir, `mkdir -p "`+strings.ReplaceAll(root, `\`, `\\`)+`"`)
	sh(t, root, `umask 022
		mkdir -p a/b a/c empty deep/er/est
		echo one >a/one; echo two >a/b/two; echo three >a/c/three; printf 'x\ny\nz\n' >xyz; : >nothing
		echo run >run.sh; chmod 755 run.sh; echo secret >deep/er/closed; chmod 600 deep/er/closed
		ln -s a/one link; ln -s /nowhere dangling; echo est >deep/er/est/e; head -c 3000 /dev/zero >zeros`)
}

func sh(t *testing.T, dir, line string) {
	t.Helper()
	cmd := proctest.Command(t, "/bin/sh", "-c", line)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", line, err, out)
	}
}

// run rehearses a line and returns the stage and what the line printed.
func (f *field) run(t *testing.T, line string) (*rehearsal.Stage, string) {
	t.Helper()
	s, box, err := rehearsal.Hold(t.Context(), f.root,
		sandbox.Wish{Dir: f.root, Hide: []string{filepath.Join(f.root, "ken")}}, filepath.Join(f.dir, "stages"))
	if err != nil {
		t.Skipf("a rehearsal takes an overlay: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	cmd := proctest.Command(t, "/bin/sh", "-c", line)
	cmd.Dir = f.root
	if err := box.Prepare(cmd); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return s, string(out)
}

// bare runs a line without a rehearsal. Who is root has there, as in one, no more rights than an owner.
func (f *field) bare(t *testing.T, root, line string) {
	t.Helper()
	cmd := proctest.Command(t, "/bin/sh", "-c", line)
	cmd.Dir = root
	if os.Getuid() == 0 {
		box, err := sandbox.Open(sandbox.Wish{Mode: sandbox.WriteNet, Dir: root, Write: []string{root}})
		if err != nil {
			t.Fatal(err)
		}
		if err := box.Prepare(cmd); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := cmd.CombinedOutput(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatalf("%v: %s", err, out)
	}
}

func (f *field) changes(t *testing.T, s *rehearsal.Stage) rehearsal.Outcome {
	t.Helper()
	r, err := s.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (f *field) hand() rehearsal.Hand {
	return rehearsal.Hand{Room: f.room, Who: "user", Record: func(e session.Event) error {
		if a, ok := acts.ChangeOf(e); ok {
			f.acts = append(f.acts, a)
		}
		return nil
	}}
}

// picture is a tree to the letter: paths, modes, bytes, links. What its owner may not look into is opened meanwhile.
func picture(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	var draw func(path, rel string) error
	draw = func(path, rel string) error {
		fi, err := os.Lstat(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%q %v ", rel, fi.Mode())
		if is := fi.Mode(); is.IsDir() && is.Perm()&0o500 != 0o500 || is.IsRegular() && is.Perm()&0o400 == 0 {
			if err := os.Chmod(path, is.Perm()|0o700); err != nil {
				return err
			}
			defer func() { _ = os.Chmod(path, is.Perm()) }() // if it cannot be, the next picture shows it
		}
		switch {
		case fi.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			fmt.Fprintf(&b, "-> %q\n", to)
			return err
		case fi.Mode().IsRegular():
			text, err := os.ReadFile(path)
			fmt.Fprintf(&b, "%s\n", swap.Sum(text))
			return err
		}
		b.WriteByte('\n')
		if !fi.IsDir() {
			return nil
		}
		list, err := os.ReadDir(path)
		for _, e := range list {
			err = errors.Join(err, draw(filepath.Join(path, e.Name()), filepath.Join(rel, e.Name())))
		}
		return err
	}
	if err := draw(root, "."); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLawBare: what is applied is what the command would have made of the project, nothing of it is touched before, and
// taking it back makes it what it was; over random commands.
func TestLawBare(t *testing.T) {
	t.Parallel()
	rounds := 25
	if testing.Short() {
		rounds = 10
	}
	const seed = 17
	random := rand.New(rand.NewPCG(seed, 1))
	for n := range rounds {
		f := newField(t)
		lines := script(random)
		line := strings.Join(lines, "\n")
		bare := filepath.Join(f.dir, "bare")
		f.plant(t, bare)
		before := picture(t, f.root)
		f.bare(t, bare, "umask 022\n"+line)
		s, out := f.run(t, "umask 022\n"+line)
		if got := picture(t, f.root); got != before {
			t.Fatalf("round %d: the rehearsal changed the project:\n%s\nbefore\n%s\nafter\n%s", n, line, before, got)
		}
		r := f.changes(t, s)
		if got := picture(t, f.root); got != before {
			t.Fatalf("round %d: looking changed the project:\n%s", n, line)
		}
		if strings.HasSuffix(r.Unfit, ": its owner could not change what is in it") {
			continue
		}
		if _, err := r.Apply(t.Context(), f.hand()); err != nil {
			t.Fatalf("round %d: %v\n%s\n%s\n%s", n, err, line, out, r.Text(100, 20))
		}
		if got, want := picture(t, f.root), picture(t, bare); got != want {
			t.Fatalf("round %d:\n%s\nwant\n%s\ngot\n%s\n%s%s", n, line, want, got, r.Text(100, 20), out)
		}
		if len(f.acts) != len(r.Changes) {
			t.Fatalf("round %d: %d acts of %d changes", n, len(f.acts), len(r.Changes))
		}
		if len(f.acts) == 0 {
			continue
		}
		slices.Reverse(f.acts)
		steps, err := f.room.Plan(f.acts, "user", "r")
		if err != nil {
			t.Fatalf("round %d: %v\n%s", n, err, line)
		}
		for _, step := range steps {
			if err := step.Do(t.Context()); err != nil {
				t.Fatalf("round %d: %v\n%s", n, err, line)
			}
		}
		if got := picture(t, f.root); got != before {
			t.Fatalf("round %d: not taken back:\n%s\nwant\n%s\ngot\n%s", n, line, before, got)
		}
	}
}

// script is some commands, which may fail.
func script(random *rand.Rand) []string {
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	path := func() string {
		return pick("a", "a/b", "a/c", "a/one", "a/b/two", "a/c/three", "xyz", "nothing", "run.sh", "deep", "deep/er", "deep/er/est",
			"deep/er/closed", "link", "dangling", "empty", "new", "new/er", "a/new", "deep/new", "zeros", "'odd name'", "-- -x", "deep/er/est/e")
	}
	var lines []string
	for range 1 + random.IntN(8) {
		p, q := path(), path()
		copied := strings.TrimPrefix(q, "-- ")
		if strings.HasPrefix(q+"/", p+"/") { // what cp makes of a directory in itself is a matter of its luck
			copied = "copy"
		}
		lines = append(lines, pick(
			"echo "+fmt.Sprint(random.IntN(100))+" >"+strings.TrimPrefix(p, "-- "),
			"echo more >>"+strings.TrimPrefix(p, "-- "),
			"rm -f "+p, "rm -rf "+p, "mkdir -p "+p, "mv -f "+p+" "+strings.TrimPrefix(q, "-- "), "cp -R "+p+" "+copied,
			"ln -sfn "+strings.TrimPrefix(q, "-- ")+" "+strings.TrimPrefix(p, "-- "),
			"chmod "+pick("700", "755", "644", "600", "750")+" "+p, "rmdir "+p, "touch "+p,
			"rm -rf "+p+" && mkdir -p "+p+" && echo in >"+strings.TrimPrefix(p, "-- ")+"/in",
			"find "+strings.TrimPrefix(p, "-- ")+" -type f -name '*e*' -exec sed -i s/e/E/ {} +",
			"tar --mtime=@0 -cf new.tar "+p+" && tar -xf new.tar -C empty && rm new.tar",
			"chmod 700 . && chmod 755 .", "chmod g-w "+p,
		))
	}
	return lines
}

// TestReport: each kind of change is told as what it is.
func TestReport(t *testing.T) {
	t.Parallel()
	f := newField(t)
	sh(t, f.root, `ln a/one a/twin; mkfifo pipe; head -c 2000000 /dev/zero >huge`)
	before := picture(t, f.root+"/a")
	for line, want := range map[string][]string{
		`true`: nil, `touch xyz a/new && rm a/new`: nil, `echo one >a/b/x; rm a/b/x; cat run.sh >r2; mv r2 nothing; : >nothing`: nil,
		`sed -i s/y/Y/ xyz`:             {"~ xyz (+1 -1)", "-y", "+Y"},
		`echo x >new; mkdir d`:          {"+ d/", "+ new (2 bytes)", "+x"},
		`rm -r a/b`:                     {"- a/b/", "- a/b/two (4 bytes)", "-two"},
		`chmod 700 run.sh`:              {"~ run.sh (4 bytes, mode 0700, was 0755)"},
		`ln -sfn xyz link`:              {"~ link -> xyz"},
		`rm -rf a; echo now >a`:         {"- a/", "+ a (4 bytes)", "- a/c/three"},
		`rm -rf deep/er; mkdir deep/er`: {"- deep/er/est/e", "- deep/er/closed"},
		// What is below a directory that took another one's place says nothing of that itself.
		`rm -rf deep; mkdir -p deep/er; echo >deep/n`: {"- deep/er/closed (7 bytes)", "- deep/er/est/"},
		`mkdir ken; echo x >ken/x`:                    {"+ ken/x (2 bytes, cannot be applied: it is one of ken's own)"},
		`mkfifo new`:                                  {"+ new (pipe, cannot be applied: ken does not make a pipe)"},
		`rm pipe`:                                     {"- pipe (pipe, cannot be applied: ken does not bring back a pipe)"},
		`echo x >>a/twin`:                             {"a/twin (+1 -0, cannot be applied: it has several names (hard links))"},
		`ln xyz other`:                                {"+ other (6 bytes, cannot be applied: it has several names (hard links))"},
		`mkdir shut; chmod 500 shut`:                  {"+ shut/ (mode 0500, cannot be applied: its owner could not change what is in it)"},
		`echo x >>huge`:                               {"~ huge (2.0 MB)"},
		`printf 'a\0b' >bin`:                          {"+ bin (3 bytes)"},
		`echo x >>a/b/two; chmod 644 a/b`:             {"~ a/b/ (mode 0644, was 0755, cannot be applied: its owner could not"},
		`chmod 500 a/b`:                               {"~ a/b/ (mode 0500, was 0755)"},
		`echo x >xyz; chmod 000 xyz`:                  {"~ xyz (+0 -2, mode 0000, was 0644)"},
		`mkdir -p q/w; chmod 000 q/w; :`:              {"+ q/w/ (mode 0000"},
		`head -c 70000000 /dev/zero >big`:             {"+ big (70.0 MB, cannot be applied: it is too large)"},
	} {
		s, out := f.run(t, "umask 022; "+line)
		r := f.changes(t, s)
		text := r.Text(50, 30)
		if want == nil && (text != "" || len(r.Changes) > 0) {
			t.Errorf("%s: %s%s", line, text, out)
		}
		for _, w := range want {
			if !strings.Contains("\n"+text, "\n"+w) && !strings.Contains(text, w+"\n") {
				t.Errorf("%s: no %q in:\n%s%s", line, w, text, out)
			}
		}
		if unfit := strings.Contains(text, "cannot be applied"); unfit != (r.Unfit != "") {
			t.Errorf("%s: unfit is %q", line, r.Unfit)
		}
		if r.Unfit != "" {
			if acts, err := r.Apply(t.Context(), f.hand()); !errors.Is(err, rehearsal.ErrUnfit) || len(acts) > 0 {
				t.Errorf("%s: applied: %v", line, err)
			}
		}
	}
	if got := picture(t, f.root+"/a"); got != before {
		t.Errorf("changed: %s", got)
	}
}

// TestChangedSince: what somebody changed while the command ran, or since it was shown, is not written over, and then
// nothing is applied.
func TestChangedSince(t *testing.T) {
	t.Parallel()
	f := newField(t)
	s, _ := f.run(t, `echo x >xyz; echo y >a/one; rm run.sh; rm -r deep`)
	r := f.changes(t, s)
	for _, c := range []struct{ change, back string }{
		{`echo z >a/one`, `echo one >a/one`},
		{`chmod 700 run.sh`, `chmod 755 run.sh`},
		{`echo n >deep/n`, `rm deep/n`},
		{`rm xyz`, `printf 'x\ny\nz\n' >xyz`},
	} {
		sh(t, f.root, c.change)
		before := picture(t, f.root)
		acts, err := r.Apply(t.Context(), f.hand())
		if err == nil || len(acts) > 0 {
			t.Errorf("%s: applied: %v", c.change, err)
		}
		if got := picture(t, f.root); got != before {
			t.Errorf("%s: the project is\n%s\nwas\n%s", c.change, got, before)
		}
		sh(t, f.root, c.back)
	}
	if _, err := r.Apply(t.Context(), f.hand()); err != nil {
		t.Error(err)
	}
	f = newField(t)
	sh(t, f.dir, `mkdir other && echo o >other/o`)
	time.Sleep(20 * time.Millisecond) // of the clock of the file system
	s, err := rehearsal.Open(filepath.Join(f.dir, "stages"), f.root)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	time.Sleep(20 * time.Millisecond)
	sh(t, f.root, `echo meanwhile >xyz`)
	if err := os.WriteFile(filepath.Join(s.Upper(), "xyz"), []byte("x\n"), 0o644); err != nil { //nolint:gosec // as the project has it
		t.Fatal(err)
	}
	if r := f.changes(t, s); !strings.Contains(r.Unfit, "while the command ran") {
		t.Errorf("%q", r.Unfit)
	}
}

// TestHeld: a rehearsal reaches nothing outside, and nothing of it goes on afterwards.
func TestHeld(t *testing.T) {
	t.Parallel()
	f := newField(t)
	out := filepath.Join(f.dir, "outside")
	sh(t, f.dir, `mkdir outside && echo kept >outside/kept `)
	sh(t, f.root, `ln -s ../outside way`)
	before := picture(t, out)
	s, said := f.run(t, `echo x >way/kept; echo x >../outside/new; (sleep 30; echo late >late) &
		setsid sh -c "sleep 30; echo `+f.dir+` >late" &
		test "$(ls -d /proc/[0-9]* | wc -l)" -lt 40 && echo few; echo $$; mknod dev c 0 0; echo x >/dev/tcp/127.0.0.1/1; echo done >mine`)
	if got := picture(t, out); got != before {
		t.Errorf("outside: %s", got)
	}
	if !strings.Contains(said, "few\n") {
		t.Errorf("it sees other processes: %s", said)
	}
	if list, err := filepath.Glob("/proc/[0-9]*/cmdline"); err != nil || len(list) == 0 {
		t.Error(err)
	} else {
		for _, at := range list {
			if text, err := os.ReadFile(at); err == nil && bytes.Contains(text, []byte("echo "+f.dir)) {
				t.Errorf("it goes on: %q", text)
			}
		}
	}
	if text := f.changes(t, s).Text(9, 9); !strings.HasPrefix(text, "+ mine (5 bytes)\n") {
		t.Error(text)
	}
}

// TestHalf: what fails in the middle is taken back, and its act is void.
func TestHalf(t *testing.T) {
	t.Parallel()
	f := newField(t)
	s, _ := f.run(t, `echo x >xyz; rm -r a; mkdir n; ln -s x n/l; chmod 700 run.sh`)
	r := f.changes(t, s)
	before := picture(t, f.root)
	for stop := range len(r.Changes) {
		n := 0
		hand := f.hand()
		hand.Record = func(e session.Event) error {
			if _, is := acts.ChangeOf(e); !is || e.Text("undoes") != "" {
				return nil
			}
			if n++; n == stop+1 {
				return errors.New("no room")
			}
			return nil
		}
		if acts, err := r.Apply(t.Context(), hand); err == nil || len(acts) > 0 || !strings.Contains(err.Error(), "no room") {
			t.Fatalf("%d: %v, %v", stop, acts, err)
		}
		if got := picture(t, f.root); got != before {
			t.Fatalf("stopped before change %d: the project is\n%s\nwas\n%s", stop, got, before)
		}
	}
}
