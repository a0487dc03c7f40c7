package turn_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/agent/turn"
	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/llm/llmtest"
	"ken/internal/models"
	"ken/internal/session"
	"ken/internal/upkeep"
)

// staging and lamp are lines of a memory.
const (
	staging = `{"id":1,"ts":"2026-01-02T10:00:00Z","kind":"fact","content":"the staging host is called kettle"}` + "\n"
	lamp    = `{"id":2,"ts":"2026-01-03T10:00:00Z","kind":"fact","content":"the lamp on the desk is green"}` + "\n"
)

// A house is a memory with all that it says.
type house struct {
	*app.View
	dir      string
	warnings []string
	notes    []string
}

func person() engine.Actor { return engine.Actor{Kind: engine.Person} }

// open is the memory in dir, with a model unless server is nil.
func open(t *testing.T, dir string, server *llmtest.Server, change func(*app.Options, *app.Standing)) *house {
	t.Helper()
	h := &house{dir: dir}
	env := map[string]string{"KEN_HOME": dir, "HOME": dir}
	if server != nil {
		env["OPENAI_BASE_URL"], env["KEN_MODEL"] = server.URL, "test"
	}
	o := app.Options{
		Local:  []string{},
		Now:    func() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC) },
		Getenv: func(name string) string { return env[name] },
	}
	who := app.Standing{
		Dir: dir, Actor: person(),
		Voice: fault.Voice{
			OnWarn: func(err error) { h.warnings = append(h.warnings, err.Error()) },
			OnNote: func(n fault.Note) { h.notes = append(h.notes, n.In(nil)) },
		},
	}
	if change != nil {
		change(&o, &who)
	}
	h.View = app.Open(o).View(who)
	if _, err := h.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	return h
}

// files writes the files of a new memory, by name.
func files(t *testing.T, texts map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// add appends lines to a memory, as another process would.
func add(t *testing.T, dir, lines string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "memory.jsonl"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(lines)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// oneShot is a dialog for one question.
func oneShot(h *house, goOn bool) *turn.Dialog {
	return turn.New(h.View, turn.Options{Channel: session.ChannelAsk, GoOn: goOn})
}

// held is a dialog in which several questions follow, as a shell holds it.
func held(t *testing.T, h *house) *turn.Dialog {
	t.Helper()
	d := turn.New(h.View, turn.Options{Channel: session.ChannelTerminal, Upkeep: upkeep.New(h.View, nil)})
	if err := d.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.Meet(t.Context(), false)
	d.Notice(t.Context())
	return d
}

// ask asks a question that is answered.
func ask(t *testing.T, d *turn.Dialog, q turn.Question, ev turn.Events) turn.Answer {
	t.Helper()
	ans, err := d.Ask(t.Context(), q, ev)
	if err != nil {
		t.Fatalf("%s: %v", q.Text, err)
	}
	return ans
}

// sent are the bodies of the requests.
func sent(server *llmtest.Server) (bodies []string) {
	for _, r := range server.Requests() {
		bodies = append(bodies, string(r.Body))
	}
	return bodies
}

// TestBothWays: questions that are asked each in a run of its own, which goes on with the
// conversation, and the same questions in one that is held, are the same requests, byte
// for byte, and leave the same turns and traces; but that a run knows the use of memories
// as it was when it began.
func TestBothWays(t *testing.T) {
	t.Parallel()
	for name, texts := range map[string]map[string]string{
		"nothing remembered": {},
		"memory":             {"memory.jsonl": staging + lamp + `{"id":3,"kind":"forget","target":2}` + "\n"},
		"all": {
			"memory.jsonl": staging + lamp, "profile.md": "Ada, who drinks tea\n",
			"config.toml": "[memory]\nuser_namespace = \"ada\"\nproactive_session_greeting = true\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			questions := []string{"where is the staging host?", "and the lamp?", "which host is it?"}
			each, whole := llmtest.New(t), llmtest.New(t)
			each.Always(llmtest.Text("it is ", "there"))
			whole.Always(llmtest.Text("it is ", "there"))
			one, other := files(t, texts), files(t, texts)
			for i, q := range questions {
				if err := os.RemoveAll(filepath.Join(one, "usage.jsonl")); err != nil {
					t.Fatal(err)
				}
				d := oneShot(open(t, one, each, nil), i > 0)
				ask(t, d, turn.Question{Text: q, Typed: q, Sentence: true}, turn.Events{})
				d.End(t.Context())
			}
			h := open(t, other, whole, nil)
			d := held(t, h)
			for _, q := range questions {
				ask(t, d, turn.Question{Text: q, Sentence: true}, turn.Events{})
			}
			d.End(t.Context())
			if diff := cmp.Diff(sent(each), sent(whole)); diff != "" {
				t.Errorf("requests (-each +held)\n%s", diff)
			}
			if len(sent(whole)) != len(questions) {
				t.Errorf("%d requests", len(sent(whole)))
			}
			if diff := cmp.Diff(record(t, one), record(t, other)); diff != "" {
				t.Errorf("records (-each +held)\n%s", diff)
			}
		})
	}
}

// record is the one session below dir, but for its header, which says by which face and
// when it began.
func record(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "sessions", "*.jsonl"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("sessions %q, %v", paths, err)
	}
	b, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	sums := regexp.MustCompile(`"h":"[0-9a-f]+"`) // with the key of each
	lines := strings.Split(sums.ReplaceAllString(strings.ReplaceAll(string(b), dir, "DIR"), `"h":"sum"`), "\n")[1:]
	if len(lines) < 6 {
		t.Fatalf("record %q", lines)
	}
	return lines
}

// TestOneMoment: what another process writes while a question is on its way is in no part
// of that question, and in the next one.
func TestOneMoment(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	server.Always(llmtest.Text("yes"))
	dir := files(t, map[string]string{"memory.jsonl": staging, "config.toml": "[memory]\ninject_max_tokens = 0\n"})
	d := held(t, open(t, dir, server, nil))
	ask(t, d, turn.Question{Text: "hello"}, turn.Events{})
	ans := ask(t, d, turn.Question{Text: "which lamp is on the desk?"}, turn.Events{Sends: func(string) { add(t, dir, lamp) }})
	if bodies := sent(server); strings.Contains(bodies[1], "green") {
		t.Errorf("of two moments: %s", bodies[1])
	}
	if len(ans.Trace.Refs()) > 0 {
		t.Errorf("had %v", ans.Trace.Refs())
	}
	ans = ask(t, d, turn.Question{Text: "which lamp is on the desk?"}, turn.Events{Sends: func(string) {
		add(t, dir, `{"id":3,"kind":"forget","target":2}`+"\n")
	}})
	if bodies := sent(server); !strings.Contains(bodies[2], "green") {
		t.Errorf("not of the last moment: %s", bodies[2])
	}
	src := d.Why(t.Context(), ans.Query, ans.Trace, false)
	if src.Now == nil {
		t.Fatalf("no report of %v", ans.Trace.Refs())
	}
	if it, _ := src.Now("2"); it.Record == nil || !strings.Contains(it.Record.Content, "green") {
		t.Errorf("the report quotes another moment: %+v", it)
	}
	ask(t, d, turn.Question{Text: "which lamp is on the desk?"}, turn.Events{})
	if bodies := sent(server); strings.Contains(bodies[3], "green") {
		t.Errorf("forgotten, and sent: %s", bodies[3])
	}
}

// TestOwnWriteIsSeen: what a line states is remembered before the model has a word in it,
// and goes with it.
func TestOwnWriteIsSeen(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t, llmtest.Text("good to know"))
	dir := files(t, map[string]string{"memory.jsonl": staging})
	d := held(t, open(t, dir, server, nil))
	line := "remember that the lamp is green"
	ask(t, d, turn.Question{Text: line, Sentence: true}, turn.Events{Act: func(ctx context.Context, asked bool) bool {
		r, err := d.Lesson(asked).Keep(ctx, "the lamp is green", "", "")
		if err != nil || !asked || len(r.IDs) != 1 {
			t.Errorf("%t, %+v, %v", asked, r, err)
		}
		return false
	}})
	if system := server.Requests()[0].Messages()[0].Content; !strings.Contains(system, "the lamp is green") {
		t.Errorf("the request does not know of it: %s", system)
	}
	b, err := os.ReadFile(filepath.Join(dir, "memory.jsonl"))
	if err != nil || !strings.Contains(string(b), `"turn":1`) {
		t.Errorf("%v: the turn that taught it is not known: %s", err, b)
	}
}

// TestDone: a line that is done by the face's port goes to no model, and is in no record.
func TestDone(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	d := oneShot(open(t, files(t, nil), server, nil), false)
	ans, err := d.Ask(t.Context(), turn.Question{Text: "forget it"}, turn.Events{Act: func(context.Context, bool) bool { return true }})
	if err != nil || !ans.Done || d.Recorder() != nil || len(sent(server)) > 0 {
		t.Errorf("%+v, %v, %v", ans, err, sent(server))
	}
}

// TestNoModel: without a model memory answers whoever reads that, nothing is recorded,
// and a program gets the error.
func TestNoModel(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"memory.jsonl": staging})
	d := oneShot(open(t, dir, nil, nil), false)
	q := turn.Question{Text: "where is staging?"}
	if ans, err := d.Ask(t.Context(), q, turn.Events{}); !errors.Is(err, models.ErrNone) || ans.NoModel != nil {
		t.Errorf("to a program: %+v, %v", ans, err)
	}
	q.Alone = true
	ans, err := d.Ask(t.Context(), q, turn.Events{})
	if err != nil || !errors.Is(ans.NoModel, models.ErrNone) || len(ans.Found) != 1 || !strings.Contains(ans.Found[0].Content, "kettle") {
		t.Errorf("to a person: %+v, %v", ans, err)
	}
	if d.Recorder() != nil || d.Path() != "" {
		t.Error("recorded")
	}
	if _, err := os.Stat(filepath.Join(dir, "sessions")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a session: %v", err)
	}
}

// TestBudgetIsThePersons: nobody but the person gives a question more memory than the
// settings do, through any face.
func TestBudgetIsThePersons(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		who     engine.Actor
		refused bool
	}{
		"nobody": {engine.Actor{}, true},
		"model":  {engine.Actor{Kind: engine.Model}, true},
		"person": {person(), false},
	} {
		server := llmtest.New(t)
		server.Always(llmtest.Text("yes"))
		h := open(t, files(t, map[string]string{"memory.jsonl": staging}), server, func(_ *app.Options, who *app.Standing) { who.Actor = c.who })
		d := turn.New(h.View, turn.Options{Channel: session.ChannelAsk})
		_, err := d.Ask(t.Context(), turn.Question{Text: "staging?", Budget: 100_000}, turn.Events{})
		if refused := fault.KindOf(err) == fault.Refused && err != nil; refused != c.refused || refused == (len(sent(server)) > 0) {
			t.Errorf("%s: %v, %d requests", name, err, len(sent(server)))
		}
	}
}

// TestCommandsOfAnAnswer: what an answer offers to run is said, and not of one that broke
// off.
func TestCommandsOfAnAnswer(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t, llmtest.Text("try:\nCMD: ls -l\n"), llmtest.Cut("try:\nCMD: rm -r /tmp/x"))
	d := held(t, open(t, files(t, nil), server, nil))
	ans := ask(t, d, turn.Question{Text: "list"}, turn.Events{})
	if diff := cmp.Diff([]string{"ls -l"}, ans.Commands); diff != "" || ans.Partial {
		t.Errorf("partial %t (-want +got)\n%s", ans.Partial, diff)
	}
	ans, err := d.Ask(t.Context(), turn.Question{Text: "clean"}, turn.Events{})
	if err == nil || !ans.Partial {
		t.Errorf("partial %t, %v, %q", ans.Partial, err, ans.Commands)
	}
}

// TestCompactionTold: that a compaction put what was said into the working memory is told however long it takes.
func TestCompactionTold(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	server.Always(llmtest.Text("the person has a boat"))
	dir := files(t, map[string]string{"config.toml": "[memory]\nuser_namespace = \"me\"\n"})
	var ticks atomic.Int64 // each look at the clock takes a second
	h := open(t, dir, server, func(o *app.Options, _ *app.Standing) {
		o.Now = func() time.Time {
			return time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC).Add(time.Duration(ticks.Add(1)) * time.Second)
		}
	})
	d := held(t, h)
	for _, line := range []string{"I am moving to Lisbon in June.", "My boat stays where it is.", "and now?", "and then?"} {
		ask(t, d, turn.Question{Text: line}, turn.Events{})
	}
	if err := d.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(h.notes, "updated me/working after compaction") {
		t.Errorf("%q, %q", h.notes, h.warnings)
	}
}
