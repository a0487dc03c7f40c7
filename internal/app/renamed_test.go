package app

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/proctest"
)

// A rig is one person's memory beside real repositories.
type rig struct {
	t    *testing.T
	dir  string
	home string // KEN_HOME
}

func newRig(t *testing.T) rig {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return rig{t, dir, filepath.Join(dir, "ken")}
}

func (r rig) git(dir string, args ...string) {
	r.t.Helper()
	at := filepath.Join(r.dir, dir)
	if err := os.MkdirAll(at, 0o700); err != nil {
		r.t.Fatal(err)
	}
	me := []string{"-c", "user.name=me", "-c", "user.email=me@example.com", "-c", "commit.gpgsign=false"}
	cmd := proctest.Command(r.t, "git", append(me, args...)...)
	cmd.Dir = at
	cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// repo makes a repository with a commit and a remote.
func (r rig) repo(dir, remote string) {
	r.t.Helper()
	r.git(dir, "init", "-q")
	r.git(dir, "commit", "-q", "--allow-empty", "-m", "first of "+dir)
	r.git(dir, "remote", "add", "origin", remote)
}

// at is a new process in a directory.
func (r rig) at(dir string) *View {
	r.t.Helper()
	h := Open(Options{
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": r.home, "HOME": r.dir}[name] },
		Now:    func() time.Time { return time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC) },
	}).View(Standing{Dir: filepath.Join(r.dir, dir), Actor: engine.Actor{Kind: engine.Person}})
	if _, err := h.Settings.Read(); err != nil {
		r.t.Fatal(err)
	}
	return h
}

// remembers has a memory stated here, as --here does.
func (r rig) remembers(dir, text string) {
	r.t.Helper()
	h := r.at(dir)
	h.Meetings.BeginPlace()
	w, err := h.Memory.Writer()
	if err == nil {
		_, err = w.Remember(context.Background(), engine.Draft{Content: text, Scope: memory.Scope(h.Here.Place().Scope())})
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// hold are the texts that hold in a directory, in their order, for who stands there and for a program that names it.
func (r rig) hold(dir string) string {
	r.t.Helper()
	h := r.at(dir)
	s, err := h.Memory.State(context.Background())
	if err != nil {
		r.t.Fatal(err)
	}
	named, err := r.at(".").Here.PlaceOf(filepath.Join(r.dir, dir))
	if err != nil {
		r.t.Fatal(err)
	}
	var texts []string
	for _, it := range s.Items() {
		if scope := string(it.Record.Scope); named.Holds(scope) != h.Here.Place().Holds(scope) {
			r.t.Errorf("%s: for a program that names it %s holds: %t", dir, scope, named.Holds(scope))
		}
		if h.Here.Place().Holds(string(it.Record.Scope)) && !strings.HasPrefix(it.Record.Key, formerKey) {
			texts = append([]string{it.Record.Content}, texts...)
		}
	}
	return strings.Join(texts, ",")
}

// renamed is what is noticed in a directory: "same" or "root", and the name.
func (r rig) renamed(dir string) string {
	r.t.Helper()
	h := r.at(dir)
	return said(h.Meetings.Renamed(context.Background(), h.Moment()))
}

func said(r *Renaming) string {
	switch {
	case r == nil:
		return ""
	case r.Same:
		return "same " + r.Was
	}
	return "root " + r.Was
}

// follow answers what is asked in a directory.
func (r rig) follow(dir string, yes bool) (line memory.ID) {
	r.t.Helper()
	h := r.at(dir)
	ren := h.Meetings.Renamed(context.Background(), h.Moment())
	if ren == nil {
		r.t.Fatalf("%s: nothing is asked", dir)
	}
	line, err := h.Meetings.Follow(context.Background(), ren, yes)
	if err != nil {
		r.t.Fatal(err)
	}
	return line
}

func (r rig) undo(ids ...memory.ID) {
	r.t.Helper()
	w, err := r.at(".").Memory.Writer()
	if err == nil {
		_, _, err = w.Undo(context.Background(), ids...)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r rig) want(what, got, want string) {
	r.t.Helper()
	if got != want {
		r.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// TestR384SetURL: a repository that has another name now is asked about once. A yes has the memories of both names hold, one undo
// takes it back, and undoing that brings it back.
func TestR384SetURL(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.repo("a", "git@example.org:me/atlas")
	r.remembers("a", "kettle")
	r.want("as it is", r.renamed("a"), "")
	r.git("a", "remote", "set-url", "origin", "https://other.example/me/bigatlas.git")
	r.want("before a word", r.hold("a"), "")
	r.want("renamed", r.renamed("a"), "same example.org/me/atlas")
	r.git("a", "worktree", "add", "-q", "--detach", "../w")
	r.want("in a worktree", r.renamed("w"), "same example.org/me/atlas")
	line := r.follow("a", true)
	r.want("after a yes", r.hold("a"), "kettle")
	r.want("in the worktree", r.hold("w"), "kettle")
	r.want("asked again", r.renamed("a"), "")
	r.remembers("a", "teapot")
	r.want("of both", r.hold("a"), "kettle,teapot")
	r.undo(line)
	r.want("undone", r.hold("a"), "teapot")
	r.want("asked after an undo", r.renamed("a"), "")
	r.undo(memory.Num(4)) // the undo
	r.want("undone twice", r.hold("a"), "kettle,teapot")
}

// TestR384No: a no is kept, and so is what a repository of the same remote never was.
func TestR384No(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.repo("a", "git@example.org:me/atlas")
	r.remembers("a", "kettle")
	r.repo("b", "git@example.org:me/other")
	r.want("another repository", r.renamed("b"), "")
	r.git("a", "remote", "set-url", "origin", "git@example.org:me/new")
	r.follow("a", false)
	r.want("after a no", r.hold("a"), "")
	r.want("asked again", r.renamed("a"), "")
	if _, err := r.at("a").Meetings.Decide(MetRevoke, "."); err != nil {
		t.Fatal(err)
	}
	r.want("after it was taken back", r.renamed("a"), "same example.org/me/atlas")
}

// TestR384AddedRemote: with one of its names a repository is the same, whatever the others are.
func TestR384AddedRemote(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.repo("a", "git@example.org:me/atlas")
	r.remembers("a", "kettle")
	r.git("a", "remote", "rename", "origin", "old")
	r.git("a", "remote", "add", "origin", "git@example.org:me/new")
	r.want("one more", r.hold("a"), "kettle")
	r.want("nothing to ask", r.renamed("a"), "")
}

// TestR384Moved: a new clone under another name is recognised by its first commit, after the old one is gone; a fork is asked
// about and never taken over, and what holds in it already is reason enough not to ask git.
func TestR384Moved(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.repo("a", "git@example.org:me/atlas")
	r.remembers("a", "kettle")
	r.git(".", "clone", "-q", "a", "fork")
	r.git("fork", "remote", "set-url", "origin", "git@example.org:they/atlas")
	r.want("a fork", r.hold("fork"), "")
	r.want("a fork", r.renamed("fork"), "root example.org/me/atlas")
	r.follow("fork", false)
	r.want("a fork after a no", r.hold("fork"), "")
	r.want("a fork after a no", r.renamed("fork"), "")
	r.git(".", "clone", "-q", "a", "moved")
	r.git("moved", "remote", "set-url", "origin", "git@new.example:me/atlas")
	if err := os.RemoveAll(filepath.Join(r.dir, "a")); err != nil {
		t.Fatal(err)
	}
	r.want("moved", r.renamed("moved"), "root example.org/me/atlas")
	r.follow("moved", true)
	r.want("moved", r.hold("moved"), "kettle")
	r.want("the fork", r.hold("fork"), "")
	r.git(".", "clone", "-q", "moved", "own")
	r.git("own", "remote", "set-url", "origin", "git@example.org:we/own")
	r.remembers("own", "cup")
	if err := os.RemoveAll(filepath.Join(r.home, "cache")); err != nil {
		t.Fatal(err)
	}
	r.want("with a memory of its own", r.renamed("own"), "")
	if _, err := os.Stat(filepath.Join(r.home, "cache", "places")); err == nil {
		t.Error("git was asked where there is a memory of the repository")
	}
}

// TestR384LocalFirst: what was said before there was a remote is asked about where that is not known any more.
func TestR384LocalFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.git("a", "init", "-q")
	r.git("a", "commit", "-q", "--allow-empty", "-m", "first")
	r.remembers("a", "kettle")
	r.git("a", "remote", "add", "origin", "git@example.org:me/atlas")
	r.want("with the cache", r.hold("a"), "kettle")
	if err := os.RemoveAll(filepath.Join(r.home, "cache")); err != nil {
		t.Fatal(err)
	}
	if got := r.renamed("a"); !strings.HasPrefix(got, "same root-") {
		t.Errorf("without: %q", got)
	}
	r.want("nothing by itself", r.hold("a"), "")
	r.follow("a", true)
	r.want("after a yes", r.hold("a"), "kettle")
}

// TestR384Circle: names that go round end, and each has what the person gave it.
func TestR384Circle(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const one, two, three = "git@example.org:me/one", "git@example.org:me/two", "git@example.org:me/three"
	r.repo("a", one)
	r.remembers("a", "first")
	r.git("a", "remote", "set-url", "origin", two)
	r.follow("a", true)
	r.remembers("a", "second")
	r.git("a", "remote", "set-url", "origin", three)
	r.want("the newest name first", r.renamed("a"), "same example.org/me/two")
	r.follow("a", true)
	r.want("the names before as well", r.hold("a"), "first,second")
	r.want("all is said", r.renamed("a"), "")
	r.git("a", "remote", "set-url", "origin", one)
	r.want("back", r.renamed("a"), "same example.org/me/two")
	r.follow("a", true)
	r.want("back", r.hold("a"), "first,second")
	r.want("all is said again", r.renamed("a"), "")
}

// TestR384OtherDevice: what was said on one device holds on another one that has the line, and not when the line says it with
// somebody else's word.
func TestR384OtherDevice(t *testing.T) {
	t.Parallel()
	for origin, want := range map[string]string{"": "kettle,cup", `,"origin":"model","by":"user"`: "cup", `,"origin":"agent:x"`: "cup"} {
		r := newRig(t)
		r.repo("a", "git@example.org:me/new")
		text := `{"id":1,"ts":"2026-05-01T12:00:00Z","content":"kettle","scope":"repo:example.org/me/atlas"}` + "\n" +
			`{"id":2,"ts":"2026-05-02T12:00:00Z","kind":"context","content":"It was atlas.","scope":"repo:example.org/me/new",` +
			`"key":"was:example.org/me/atlas"` + origin + "}\n" +
			`{"id":3,"ts":"2026-05-02T12:00:00Z","content":"cup","scope":"repo:example.org/me/new"}` + "\n"
		if err := os.MkdirAll(r.home, 0o700); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(r.home, "memory.jsonl")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		h := r.at("a")
		h.Meetings.MeetPlace(t.Context(), h.Moment())
		r.want(origin, r.hold("a"), want)
		if want == "cup" {
			continue
		}
		if err := os.WriteFile(file, []byte(text+`{"id":4,"kind":"forget","target":2}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		h = r.at("a")
		h.Meetings.MeetPlace(t.Context(), h.Moment())
		r.want("forgotten elsewhere", r.hold("a"), "cup")
	}
}

// TestR384NoGit: without git a name that was met in the directory is enough, and nothing waits.
func TestR384NoGit(t *testing.T) {
	r := newRig(t)
	r.repo("a", "git@example.org:me/atlas")
	r.git(".", "clone", "-q", "a", "b")
	r.git("b", "remote", "set-url", "origin", "git@example.org:me/b")
	t.Setenv("PATH", "")
	r.remembers("a", "kettle")
	r.want("another clone", r.renamed("b"), "")
	config := filepath.Join(r.dir, "a", ".git", "config")
	text, err := os.ReadFile(config)
	if err == nil {
		err = os.WriteFile(config, []byte(strings.ReplaceAll(string(text), "me/atlas", "me/new")), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.want("renamed", r.renamed("a"), "same example.org/me/atlas")
}
