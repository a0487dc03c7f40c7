package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ken/internal/jsonl"
)

// start is the time of the tests' clock, and of the example in R61.
func start() time.Time { return time.Date(2026, 5, 10, 19, 0, 1, 0, time.UTC) }

// newDir returns a Dir in a fresh data directory. Its clock stands still.
func newDir(t *testing.T) Dir {
	t.Helper()
	data := t.TempDir()
	return Dir{
		Path: filepath.Join(data, "sessions"), Lock: data, Run: filepath.Join(data, "run"),
		Now: start, Rand: rand.NewChaCha8([32]byte{1}), Wait: 50 * time.Millisecond,
	}
}

func create(t *testing.T, d Dir) *Writer {
	t.Helper()
	w, err := d.Create(Header{Model: "fast", KenVersion: "0.1.0", Channel: ChannelTerminal, Scope: "repo:example.org/me/kettle"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func user(s string) Turn      { return Turn{Role: RoleUser, Content: s} }
func assistant(s string) Turn { return Turn{Role: RoleAssistant, Content: s, Finish: FinishStop} }

// say appends turns, the person's and the assistant's in alternation.
func say(t *testing.T, w *Writer, texts ...string) {
	t.Helper()
	for i, s := range texts {
		turn := user(s)
		if i%2 == 1 {
			turn = assistant(s)
		}
		if _, err := w.AppendTurn(turn); err != nil {
			t.Fatal(err)
		}
	}
}

func mustClose(t *testing.T, w *Writer) {
	t.Helper()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func mustLoad(t *testing.T, path string) *Transcript {
	t.Helper()
	tr, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func contents(turns []Turn) []string {
	var s []string
	for _, t := range turns {
		s = append(s, t.Content)
	}
	return s
}

func wantContents(t *testing.T, turns []Turn, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, contents(turns), cmpopts.EquateEmpty()); d != "" {
		t.Errorf("turns (-want +got):\n%s", d)
	}
}

func sessionFiles(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestR60OneFilePerSessionAtItsFirstTurn(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	if err := w.AppendEvent(Event{Name: EventModel}); err != nil {
		t.Fatal(err)
	}
	if got := sessionFiles(t, d.Path); got != nil {
		t.Fatalf("before the first turn there are %q", got)
	}
	say(t, w, "hello")
	if got := sessionFiles(t, d.Path); len(got) != 1 || got[0] != w.ID()+".jsonl" {
		t.Fatalf("files %q, want the one of %s", got, w.ID())
	}
	if !strings.HasPrefix(w.ID(), "20260510T190001Z-") || !isID(w.ID()) || w.Path() != filepath.Join(d.Path, w.ID()+".jsonl") {
		t.Errorf("id %q, path %q", w.ID(), w.Path())
	}
	if got := mustLoad(t, w.Path()); len(got.Entries) != 2 || got.Entries[0].Event == nil {
		t.Errorf("the event that came before the first turn is not in its place: %+v", got.Entries)
	}
	for path, want := range map[string]fs.FileMode{d.Path: 0o700, d.Run: 0o700, w.Path(): 0o600} {
		if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s: mode %v, %v; want %v", path, fi.Mode(), err, want)
		}
	}

	silent := create(t, d)
	mustClose(t, silent)
	if got := sessionFiles(t, d.Path); len(got) != 1 {
		t.Errorf("a session without a turn left a file: %q", got)
	}
	mustClose(t, w)
	if got := sessionFiles(t, d.Run); got != nil {
		t.Errorf("closed sessions left locks: %q", got)
	}
}

// TestCommandsAlone: a command that ran is worth a file, also before any turn.
func TestCommandsAlone(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	if err := w.AppendEvent(Event{Name: EventModel}); err != nil {
		t.Fatal(err)
	}
	if err := w.AppendEvent(Event{Name: EventExec, Fields: []Field{StringField("cmd", "ls")}}); err != nil {
		t.Fatal(err)
	}
	got := mustLoad(t, w.Path())
	if len(got.Entries) != 2 || got.Entries[1].Event.Text("cmd") != "ls" || !got.Headed || len(got.Turns()) != 0 {
		t.Errorf("%+v", got)
	}
	if path, err := w.Save("what-ran"); err != nil || path != w.Path() {
		t.Errorf("%q, %v", path, err)
	}
	if _, err := w.SaveCopy("again"); !errors.Is(err, ErrEmpty) {
		t.Errorf("a copy without a turn: %v", err)
	}
	mustClose(t, w)
	if list, _, err := d.List(); err != nil || len(list) != 1 || list[0].Turns != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestR61R62Lines(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	local := time.FixedZone("east", 2*3600)
	turn := Turn{Time: time.Date(2026, 5, 10, 21, 0, 4, 987654321, local), Role: RoleUser, Content: "say \"hi\"\n<b>\x00\u2028ü"}
	if n, err := w.AppendTurn(turn); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	if _, err := w.AppendTurn(Turn{
		Role: RoleAssistant, Content: "hi", Model: "fast", Finish: FinishStop, Scope: "dir:~/x",
		Usage: json.RawMessage(`{"total_tokens":7}`), ToolCalls: json.RawMessage(`[ {"id":"a"} ]`), ToolCallID: "t1",
		Raw:  map[string]json.RawMessage{"reasoning_content": json.RawMessage(`"hm"`), "extra_content": json.RawMessage(`{"a":1}`)},
		From: "tool", Recalled: true, Speaker: "Ada", Extra: []Field{{"x", json.RawMessage("1.50")}},
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.AppendEvent(Event{Name: EventExec, Fields: []Field{StringField("cmd", "ls"), IntField("exit", 2)}}); err != nil {
		t.Fatal(err)
	}
	want := `{"meta":{"format":1,"session":"` + w.ID() + `","started":"2026-05-10T19:00:01Z","model":"fast","ken_version":"0.1.0","channel":"terminal","scope":"repo:example.org/me/kettle"}}
{"ts":"2026-05-10T19:00:04Z","role":"user","content":"say \"hi\"\n<b>\u0000\u2028ü","n":1}
{"ts":"2026-05-10T19:00:01Z","role":"assistant","content":"hi","n":2,"scope":"dir:~/x","model":"fast","finish":"stop","usage":{"total_tokens":7},"tool_calls":[ {"id":"a"} ],"tool_call_id":"t1","raw":{"extra_content":{"a":1},"reasoning_content":"hm"},"from":"tool","recalled":true,"speaker":"Ada","x":1.50}
{"ts":"2026-05-10T19:00:01Z","event":"exec","cmd":"ls","exit":2}
`
	if d := cmp.Diff(want, mustRead(t, w.Path())); d != "" {
		t.Errorf("file (-want +got):\n%s", d)
	}
}

func TestR62HeaderOfAnotherProgram(t *testing.T) {
	t.Parallel()
	tr, err := Read(strings.NewReader(`{"meta":{"started":"2026-05-10T19:00:01Z","model":"fast","aish_version":"phase1"}}
{"ts":"2026-05-10T19:00:01Z","role":"user","content":"one"}
{"ts":"2026-05-10T19:00:02Z","role":"assistant","content":"two"}
`), "2026-05-10T19-00-01")
	if err != nil {
		t.Fatal(err)
	}
	want := Header{
		Session: "2026-05-10T19-00-01", Started: start(), Model: "fast",
		Extra: []Field{{"aish_version", json.RawMessage(`"phase1"`)}},
	}
	if d := cmp.Diff(want, tr.Header); d != "" || !tr.Headed {
		t.Errorf("header (-want +got):\n%s", d)
	}
	if got := tr.Turns(); len(got) != 2 || got[0].N != 1 || got[1].N != 2 || tr.Warning() != "" {
		t.Errorf("turns %+v, warning %q", got, tr.Warning())
	}
}

func TestR63AppendsOnly(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	before := ""
	for i := range 5 {
		say(t, w, fmt.Sprint("turn ", i))
		now := mustRead(t, w.Path())
		if !strings.HasPrefix(now, before) || strings.Count(now, "\n") != i+2 {
			t.Fatalf("after turn %d the file is\n%s\nand was\n%s", i, now, before)
		}
		before = now
	}
}

func TestR64SessionsOfOneSecondDoNotCollide(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	// All the same random bytes twice over: every second id is taken.
	var same []byte
	for i := range 51 {
		same = append(same, 0, byte(i), 0, byte(i))
	}
	d.Rand = strings.NewReader(string(same))
	ids := map[string]bool{}
	for range 50 {
		w := create(t, d)
		ids[w.ID()] = true
		say(t, w, "I am "+w.ID())
		if len(ids)%2 == 0 { // also against the files of sessions that are over
			mustClose(t, w)
		}
	}
	if len(ids) != 50 {
		t.Fatalf("50 sessions have %d ids", len(ids))
	}
	for id := range ids {
		if tr := mustLoad(t, d.file(id)); tr.Header.Session != id || tr.Turns()[0].Content != "I am "+id || len(tr.Entries) != 1 {
			t.Errorf("session %s holds %+v", id, tr.Turns())
		}
	}
	d.Rand = strings.NewReader("")
	if _, err := d.Create(Header{}); err == nil {
		t.Error("a session without random bytes has an id")
	}
	d.Rand = strings.NewReader(strings.Repeat("\x00\x05", 100))
	if _, err := d.Create(Header{}); err == nil || !strings.Contains(err.Error(), "no free session id") {
		t.Errorf("with one id that is taken: %v", err)
	}
}

func TestR65EveryTurnAsItHappens(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	for i := range 4 {
		say(t, w, fmt.Sprint(i))
		if got := mustLoad(t, w.Path()).Turns(); len(got) != i+1 || got[i].N != i+1 || w.Last() != i+1 {
			t.Fatalf("after turn %d the file has %+v", i+1, got)
		}
	}
	mustClose(t, w)
	if _, err := w.AppendTurn(user("late")); !errors.Is(err, errClosed) {
		t.Errorf("turn after close: %v", err)
	}
	if err := w.AppendEvent(Event{Name: EventReset}); !errors.Is(err, errClosed) {
		t.Errorf("event after close: %v", err)
	}
	if _, err := w.Save(""); !errors.Is(err, errClosed) {
		t.Errorf("save after close: %v", err)
	}
	mustClose(t, w)
}

func TestR66Save(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	if _, err := w.Save(""); !errors.Is(err, ErrEmpty) {
		t.Fatalf("save before the first turn: %v", err)
	}
	if _, err := w.SaveCopy("copy"); !errors.Is(err, ErrEmpty) {
		t.Fatalf("copy before the first turn: %v", err)
	}
	say(t, w, "one")
	id, old := w.ID(), w.Path()
	if path, err := w.Save(""); err != nil || path != old {
		t.Fatalf("bare save: %q, %v", path, err)
	}
	path, err := w.Save("demo")
	if err != nil || path != filepath.Join(d.Path, "demo.jsonl") || w.Path() != path || w.Name() != "demo" || w.ID() != id {
		t.Fatalf("save demo: %q, %v; path %q, name %q, id %q", path, err, w.Path(), w.Name(), w.ID())
	}
	say(t, w, "two")
	tr := mustLoad(t, path)
	wantContents(t, tr.Turns(), "one", "two")
	if tr.Header.Session != id {
		t.Errorf("the file says session %q, want %q", tr.Header.Session, id)
	}
	if got := sessionFiles(t, d.Path); len(got) != 1 {
		t.Errorf("files %q", got)
	}
	if _, err := w.Save("demo.jsonl"); err != nil {
		t.Errorf("saved under its own name: %v", err)
	}
	if path, err := w.Save(id); err != nil || path != old {
		t.Errorf("renamed back: %q, %v", path, err)
	}
}

func TestR66SaveRefuses(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	say(t, w, "one")
	path := w.Path()
	write(t, d.file("taken"), "someone's\n")
	for _, save := range []func(string) (string, error){w.Save, w.SaveCopy} {
		if _, err := save("taken"); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a name that is taken: %v", err)
		}
	}
	for _, name := range []string{
		"a/b", `a\b`, "..", "../up", ".hidden", ".jsonl", "-x", "a:3", " a", "a ", "a\nb", "a\u202eb", "a\x00b", "\xff",
		strings.Repeat("x", maxName+1), "20260510T190001Z-0000",
	} {
		if _, err := w.Save(name); !errors.Is(err, errName) {
			t.Errorf("Save(%q): %v", name, err)
		}
		if _, err := w.SaveCopy(name); !errors.Is(err, errName) {
			t.Errorf("SaveCopy(%q): %v", name, err)
		}
	}
	if _, err := w.SaveCopy(""); !errors.Is(err, errName) {
		t.Errorf("SaveCopy without a name: %v", err)
	}
	if w.Path() != path || mustRead(t, d.file("taken")) != "someone's\n" {
		t.Error("what was refused had an effect")
	}
	for _, name := range []string{"kettle and pot", "größe", "v1.2", strings.Repeat("x", maxName)} {
		if got, err := w.Save(name); err != nil || got != d.file(name) {
			t.Errorf("Save(%q): %q, %v", name, got, err)
		}
	}
}

func TestR66SaveCopy(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	say(t, w, "one", "two")
	path, err := w.SaveCopy("copy")
	if err != nil || path != d.file("copy") {
		t.Fatal(path, err)
	}
	say(t, w, "three")
	wantContents(t, mustLoad(t, w.Path()).Turns(), "one", "two", "three")
	tr := mustLoad(t, path)
	wantContents(t, tr.Turns(), "one", "two")
	h := tr.Header
	if h.Session == w.ID() || !isID(h.Session) || h.CopiedFrom != w.ID() || h.CopiedTo != 2 || h.Model != "fast" {
		t.Errorf("header of the copy: %+v", h)
	}
	if !h.Copied(2) || h.Copied(3) || w.Header().Copied(1) || !(Header{CopiedFrom: "x"}).Copied(9) {
		t.Error("Copied does not tell the turns of the copy from those after it")
	}
	if got := sessionFiles(t, d.Run); len(got) != 1 {
		t.Errorf("the copy is still locked: %q", got)
	}
	c, _, err := d.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if n, err := c.AppendTurn(user("other")); err != nil || n != 3 {
		t.Errorf("the copy goes on with turn %d, %v", n, err)
	}
}

func TestR67Resume(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	say(t, w, "one", "two")
	mustClose(t, w)

	again, tr, err := d.Open(w.Path())
	if err != nil {
		t.Fatal(err)
	}
	wantContents(t, tr.Live().Turns, "one", "two")
	if again.ID() != w.ID() || again.Header().Model != "fast" || again.Last() != 2 {
		t.Errorf("reopened as %q, %+v, last turn %d", again.ID(), again.Header(), again.Last())
	}
	if n, err := again.AppendTurn(user("three")); err != nil || n != 3 {
		t.Fatal(n, err)
	}
	mustClose(t, again)
	wantContents(t, mustLoad(t, w.Path()).Turns(), "one", "two", "three")
	if got := sessionFiles(t, d.Path); len(got) != 1 {
		t.Errorf("resuming made a file: %q", got)
	}
	if _, _, err := d.Open(d.file("none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a session that is not there: %v", err)
	}
}

func TestR70SyncOnlyAtClose(t *testing.T) {
	t.Parallel()
	for _, lines := range []bool{false, true} {
		d := newDir(t)
		disk := &countingFS{}
		d.FS, d.SyncLines = disk, lines
		w := create(t, d)
		say(t, w, "one")
		first := disk.synced(w.Path())
		say(t, w, "two", "three")
		atTurns := disk.synced(w.Path())
		path, names := w.Path(), disk.synced(d.Path)
		mustClose(t, w)
		atEnd := disk.synced(path)
		if lines && (first != 1 || atTurns != 3 || atEnd != 3) {
			t.Errorf("fsync=line: %d, %d, %d syncs after one turn, three turns, close", first, atTurns, atEnd)
		}
		if !lines && (atTurns != 0 || atEnd != 1) {
			t.Errorf("fsync=close: %d syncs before close, %d after", atTurns, atEnd)
		}
		if got := disk.synced(d.Path); got == 0 {
			t.Errorf("lines %v: the file's name never reached the disk", lines)
		} else if lines && got != names {
			t.Errorf("fsync=line: %d syncs of the directory at close", got-names)
		}
	}
}

func TestSavedNameReachesTheDisk(t *testing.T) {
	t.Parallel()
	for _, lines := range []bool{false, true} {
		d := newDir(t)
		disk := &countingFS{}
		d.FS, d.SyncLines = disk, lines
		w := create(t, d)
		say(t, w, "one")
		if _, err := w.Save(""); err != nil {
			t.Fatal(err)
		}
		before := disk.synced(d.Path)
		if _, err := w.Save("demo"); err != nil {
			t.Fatal(err)
		}
		if got := disk.synced(d.Path) - before; got != 1 {
			t.Errorf("lines %v: %d syncs of the directory after renaming", lines, got)
		}
	}
}

// countingFS counts the syncs of each path.
type countingFS struct {
	jsonl.OS
	syncs []string
}

func (c *countingFS) OpenFile(name string, flag int, perm fs.FileMode) (jsonl.File, error) {
	f, err := c.OS.OpenFile(name, flag, perm)
	return countingFile{f, c, name}, err
}

func (c *countingFS) synced(path string) (n int) {
	for _, s := range c.syncs {
		if s == path {
			n++
		}
	}
	return n
}

type countingFile struct {
	jsonl.File
	c    *countingFS
	name string
}

func (f countingFile) Sync() error {
	f.c.syncs = append(f.c.syncs, f.name)
	return f.File.Sync()
}

func TestR71NoAutosave(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	d.Hold = true
	w := create(t, d)
	say(t, w, "one", "two")
	if path, err := w.SaveCopy("copy"); err != nil {
		t.Fatal(err)
	} else {
		wantContents(t, mustLoad(t, path).Turns(), "one", "two")
	}
	if got := sessionFiles(t, d.Path); len(got) != 1 || got[0] != "copy.jsonl" {
		t.Fatalf("unsaved session has files %q", got)
	}
	path, err := w.Save("kept")
	if err != nil {
		t.Fatal(err)
	}
	say(t, w, "not saved")
	mustClose(t, w)
	wantContents(t, mustLoad(t, path).Turns(), "one", "two")
	if got := sessionFiles(t, d.Path); len(got) != 2 {
		t.Errorf("files %q", got)
	}
}

func TestR72KeptByDefaultAndBySave(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	say(t, w, "one")
	if _, err := w.Save("demo"); err != nil {
		t.Fatal(err)
	}
	say(t, w, "two")
	mustClose(t, w) // no further save
	wantContents(t, mustLoad(t, d.file("demo")).Turns(), "one", "two")
}

func TestR12S23ResetClearsWhatIsLiveAndLosesNothing(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	say(t, w, "old question", "old answer")
	if _, err := w.Save("demo"); err != nil {
		t.Fatal(err)
	}
	if err := w.AppendEvent(Event{Name: EventReset}); err != nil {
		t.Fatal(err)
	}
	say(t, w, "new question")
	tr := mustLoad(t, d.file("demo"))
	wantContents(t, tr.Turns(), "old question", "old answer", "new question")
	wantContents(t, tr.Live().Turns, "new question")
}

func TestDiscardKeepsNothing(t *testing.T) {
	t.Parallel()
	w := Discard()
	for want := 1; want <= 3; want++ {
		if n, err := w.AppendTurn(user("x")); n != want || err != nil {
			t.Fatalf("turn %d got number %d, %v", want, n, err)
		}
	}
	if err := w.AppendEvent(Event{Name: EventReset}); err != nil {
		t.Error(err)
	}
	if _, err := w.Save("x"); !errors.Is(err, ErrEmpty) {
		t.Errorf("save: %v", err)
	}
	if _, err := w.SaveCopy("x"); !errors.Is(err, ErrEmpty) {
		t.Errorf("copy: %v", err)
	}
	if w.ID() != "" || w.Path() != "" || w.Name() != "" || w.Last() != 3 {
		t.Errorf("id %q, path %q, name %q, last %d", w.ID(), w.Path(), w.Name(), w.Last())
	}
	mustClose(t, w)
}
