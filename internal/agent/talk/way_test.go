package talk

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/agent/host"
	"ken/internal/agent/turn"
	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/llm/llmtest"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/upkeep"
	"ken/internal/view"
	"ken/internal/view/why"
)

// paged opens a conversation as the page holds it.
func paged(t *testing.T, dir string, model *llmtest.Server, change func(*Options)) *Talk {
	t.Helper()
	env := map[string]string{"HOME": dir, "KEN_HOME": filepath.Join(dir, "ken")}
	if model != nil {
		env["OPENAI_BASE_URL"], env["KEN_MODEL"] = model.URL, "test"
	}
	memory := app.Open(app.Options{Getenv: func(name string) string { return env[name] }, Now: time.Now, Clock: time.Now, Local: []string{}})
	memory.Subscribe(upkeep.Follow)
	o := Options{
		Memory: memory, Abrupt: true,
		Channel: session.ChannelWeb, Who: app.Actor{Kind: app.Person}, Warn: func(err error) { t.Errorf("warned: %v", err) },
	}
	if change != nil {
		change(&o)
	}
	d, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close(context.WithoutCancel(t.Context())) })
	return d
}

// TestStop: an answer that is stopped has what came of it, and the conversation goes on.
func TestStop(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t, llmtest.Hang("It begins"), llmtest.Text("It goes on."))
	d := paged(t, t.TempDir(), model, nil)
	ctx, stop := context.WithCancelCause(t.Context())
	ans, err := d.Ask(ctx, typed("how does it end?"), turn.Events{Delta: func(delta llm.Delta) error {
		if delta.Text != "" {
			stop(host.ErrStopped)
		}
		return nil
	}}, func(string) {})
	if !errors.Is(err, host.ErrStopped) || fault.KindOf(err) != fault.Interrupted || ans.Message.Content != "It begins" {
		t.Errorf("%q, %v", ans.Message.Content, err)
	}
	if got, _, err := ask(t, d, typed("go on")); got != "It goes on." || err != nil {
		t.Error(got, err)
	}
	all := model.Requests()
	if last := string(all[len(all)-1].Body); !strings.Contains(last, "It begins") {
		t.Errorf("what came of it is not in the next question: %s", last)
	}
}

// TestBranch: a copy goes on from a turn, with the question that stood there; the conversation stays as it is.
func TestBranch(t *testing.T) {
	t.Parallel()
	dir, model := t.TempDir(), llmtest.New(t)
	model.Always(llmtest.Text("All right."))
	d := paged(t, dir, model, nil)
	for _, line := range []string{"one", "two", "three"} {
		if _, _, err := ask(t, d, typed(line)); err != nil {
			t.Fatal(err)
		}
	}
	from := d.ID()
	whole, err := os.ReadFile(d.d.Path())
	if err != nil {
		t.Fatal(err)
	}
	path := d.d.Path()
	if _, err := d.Branch(t.Context(), 99); err == nil || d.ID() != from {
		t.Errorf("branched from no turn: %v", err)
	}
	if _, err := d.Branch(t.Context(), 1); err == nil || d.ID() != from {
		t.Errorf("branched from before the first: %v", err)
	}
	if q, err := d.Branch(t.Context(), 3); err != nil || q != "two" || d.ID() == from || len(d.Turns()) != 2 {
		t.Errorf("%q, %v, %d turns", q, err, len(d.Turns()))
	}
	if got, _, err := ask(t, d, typed("zwei")); got != "All right." || err != nil {
		t.Error(got, err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(whole) {
		t.Errorf("the conversation is another: %v", err)
	}
	last := string(model.Requests()[3].Body)
	if strings.Contains(last, `"two"`) || !strings.Contains(last, "one") || !strings.Contains(last, "zwei") {
		t.Errorf("the copy has: %s", last)
	}
}

// TestAgain: the last question is asked once more, in its place; with nothing asked there is none.
func TestAgain(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t, llmtest.Text("One."), llmtest.Text("Two."))
	d := paged(t, t.TempDir(), model, nil)
	if _, err := d.Again(t.Context()); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
	if _, _, err := ask(t, d, typed("how many?")); err != nil {
		t.Fatal(err)
	}
	q, err := d.Again(t.Context())
	if err != nil || q.Text != "how many?" {
		t.Fatalf("%+v, %v", q, err)
	}
	if got, _, err := ask(t, d, q); got != "Two." || err != nil {
		t.Error(got, err)
	}
	if last := string(model.Requests()[1].Body); strings.Contains(last, "One.") || strings.Count(last, "how many?") != 1 {
		t.Errorf("asked again with: %s", last)
	}
}

// own refuses whatever it is asked, and notes it.
type own struct{ asked []string }

var errOwn = errors.New("needs the terminal")

func (o *own) MayState(kind, text string) error {
	if kind == "rule" {
		return errOwn
	}
	return nil
}

func (o *own) Remember(_ context.Context, _, text string) (view.Outcome, error) {
	o.asked = append(o.asked, "remember "+text)
	return view.Outcome{Did: "remembered", Ref: "7", Text: text, Undo: "ken undo 7"}, nil
}

func (o *own) ForgetAll(_ context.Context, refs []string, turns []memory.Turn) (view.Outcome, error) {
	o.asked = append(o.asked, fmt.Sprint("forget all ", refs, len(turns)))
	return view.Outcome{}, errOwn
}

func (o *own) Forget(_ context.Context, ref, was string) (view.Outcome, error) {
	o.asked = append(o.asked, "forget "+ref+was)
	return view.Outcome{}, errOwn
}

func (o *own) Undo(_ context.Context, line string) (string, error) {
	o.asked = append(o.asked, "undo "+line)
	return "took back #" + line, nil
}

// TestOwn: where the person's memory is in hands that do not all, these are asked about whatever is stated, forgotten and taken
// back, typed or by a command.
func TestOwn(t *testing.T) {
	t.Parallel()
	hands := &own{}
	d := paged(t, t.TempDir(), nil, func(o *Options) { o.Own = hands })
	if _, told, err := ask(t, d, typed("rule: never run rm -rf /")); err != nil || len(told) != 1 ||
		told[0] != "nothing was remembered: needs the terminal" {
		t.Errorf("%q, %v", told, err)
	}
	if _, told, err := ask(t, d, typed("remember that the kettle is blue")); err != nil || len(told) != 1 ||
		!strings.HasPrefix(told[0], "remembered #1") {
		t.Errorf("%q, %v", told, err)
	}
	if said, err := d.Do(t.Context(), "remember", "the kettle is red"); err != nil || !strings.HasPrefix(said, "remembered #7") {
		t.Error(said, err)
	}
	if !slices.Equal(d.Undoable(), []string{"1", "7"}) {
		t.Error(d.Undoable())
	}
	if said, err := d.Do(t.Context(), "forget", "1"); !errors.Is(err, errOwn) {
		t.Error(said, err)
	}
	if said, err := d.Do(t.Context(), "undo", "7"); err != nil || said != "took back #7" || !slices.Equal(d.Undoable(), []string{"1"}) {
		t.Error(said, err, d.Undoable())
	}
	if want := []string{"remember the kettle is red", "forget 1", "undo 7"}; !slices.Equal(hands.asked, want) {
		t.Errorf("%q, want %q", hands.asked, want)
	}
}

// TestReadOnly: a memory that is only read is talked with and not written to, and nothing is recorded.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	dir, model := t.TempDir(), llmtest.New(t)
	model.Always(llmtest.Text("All right."))
	d := paged(t, dir, nil, nil)
	if _, err := d.Do(t.Context(), "remember", "the kettle is blue"); err != nil {
		t.Fatal(err)
	}
	d.Close(t.Context())
	before := files(t, dir)
	d = paged(t, dir, model, func(o *Options) {
		env := map[string]string{"HOME": dir, "KEN_HOME": filepath.Join(dir, "ken"), "OPENAI_BASE_URL": model.URL, "KEN_MODEL": "test"}
		o.Memory = app.Open(app.Options{
			Getenv: func(name string) string { return env[name] }, Now: time.Now, Clock: time.Now, Local: []string{},
			Flags: &app.Flags{ReadOnly: true},
		})
	})
	if said, err := d.Do(t.Context(), "remember", "the kettle is red"); err == nil {
		t.Error("remembered:", said)
	}
	if got, _, err := ask(t, d, typed("which colour has the kettle?")); got != "All right." || err != nil {
		t.Error(got, err)
	}
	d.Close(t.Context())
	if after := files(t, dir); !slices.Equal(after, before) {
		t.Errorf("before %q, after %q", before, after)
	}
}

// files are the files below dir, each with its text.
func files(t *testing.T, dir string) (list []string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			text, err := os.ReadFile(path)
			list = append(list, fmt.Sprintf("%s %x", path, sha256.Sum256(text)))
			return err
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestGrounds: the last answer has the memories that shaped it, with their reasons.
func TestGrounds(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t, llmtest.Text("Blue."))
	d := paged(t, t.TempDir(), model, nil)
	if src, ok := d.Grounds(t.Context()); ok {
		t.Errorf("%+v", src)
	}
	if _, err := d.Do(t.Context(), "remember", "the kettle is blue"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ask(t, d, typed("which colour has the kettle?")); err != nil {
		t.Fatal(err)
	}
	src, ok := d.Grounds(t.Context())
	if !ok {
		t.Fatal("no grounds")
	}
	r := why.Of(src)
	if r.N != 2 || len(r.Provenance) != 1 || r.Provenance[0].Items[0].Content != "the kettle is blue" || r.Shaped == "" {
		t.Errorf("%+v", r)
	}
	if ns, scope := d.Place(); ns != "" || scope != "user" && scope != "" {
		t.Errorf("%q, %q", ns, scope)
	}
}

// TestLostModel: a conversation that is opened again goes on where the model that was chosen for it has left the settings.
func TestLostModel(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Always(llmtest.Text("All right."))
	env := map[string]string{"HOME": t.TempDir(), "OPENAI_BASE_URL": model.URL, "KEN_MODEL": "test"}
	var warned []error
	d, err := Open(t.Context(), Options{
		Memory:  app.Open(app.Options{Getenv: func(name string) string { return env[name] }, Now: time.Now, Local: []string{}}),
		Channel: session.ChannelWeb, Who: app.Actor{Kind: app.Person}, Kept: &Kept{model: "gone"},
		Warn: func(err error) { warned = append(warned, err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(t.Context())
	if got, _, err := ask(t, d, typed("which colour has the kettle?")); got != "All right." || err != nil || len(warned) != 1 {
		t.Errorf("%q, %v, warned %v", got, err, warned)
	}
}
