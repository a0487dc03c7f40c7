package hall

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ken/internal/agent/host"
	"ken/internal/agent/talk"
	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/llm/llmtest"
	"ken/internal/session"
)

// newHall is a hall over a memory of its own.
func newHall(t *testing.T, model *llmtest.Server, idle time.Duration) *Hall {
	t.Helper()
	dir := t.TempDir()
	env := map[string]string{"HOME": dir, "KEN_HOME": filepath.Join(dir, "ken"), "OPENAI_BASE_URL": model.URL, "KEN_MODEL": "test"}
	memory := app.Open(app.Options{Getenv: func(name string) string { return env[name] }, Now: time.Now, Clock: time.Now, Local: []string{}})
	h := New(Options{Idle: idle, Open: func(ctx context.Context, id, dir string) (*talk.Talk, error) {
		return talk.Open(ctx, talk.Options{
			Memory: memory, Session: id, Dir: dir,
			Channel: session.ChannelWeb, Who: app.Actor{Kind: app.Person}, Warn: func(err error) { t.Errorf("warned: %v", err) },
		})
	}})
	t.Cleanup(func() { h.Close(context.WithoutCancel(t.Context())) })
	return h
}

// asked asks, and waits for the answer.
func asked(t *testing.T, h *Hall, a Asked) (string, State) {
	t.Helper()
	run, err := h.Ask(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	s := run.Wait(t.Context())
	if !s.Done {
		t.Fatal("it does not end")
	}
	return run.Talk, s
}

// TestOneAtATime: of many who ask in one conversation at once each is answered or refused, and what is refused is not asked.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Always(llmtest.Text("All right."))
	h := newHall(t, model, 0)
	id, _ := asked(t, h, Asked{Text: "begin"})
	for range 50 { // what is done is done: nobody is refused after that
		asked(t, h, Asked{ID: id, Text: "on"})
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	answered, refused := 0, 0
	for i := range 20 {
		all.Go(func() {
			run, err := h.Ask(t.Context(), Asked{ID: id, Text: fmt.Sprint("question ", i)})
			if err == nil {
				run.Wait(t.Context())
			}
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				answered++
			case fault.KindOf(err) == fault.Refused:
				refused++
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(model.Requests()); answered+refused != 20 || answered == 0 || n != answered+51 {
		t.Errorf("%d answered, %d refused, %d requests", answered, refused, n)
	}
}

// TestRoom: of more conversations than are held open, the one that was not used for longest is closed, and can be gone on with; where
// all are busy, one more is refused.
func TestRoom(t *testing.T) {
	t.Parallel()
	model, more := llmtest.New(t), make(chan struct{})
	model.Reply(func(r llmtest.Request) llmtest.Script {
		if strings.Contains(string(r.Body), "slowly") {
			return llmtest.Text("so ", "be ", "it").Gate(1, more)
		}
		return llmtest.Text("All right.")
	})
	h := newHall(t, model, 0)
	first, _ := asked(t, h, Asked{Text: "the first"})
	for range 16 {
		asked(t, h, Asked{Text: "another"})
	}
	if _, ok := h.Open(first); ok {
		t.Error("the first is open")
	}
	if id, s := asked(t, h, Asked{ID: first, Text: "go on"}); id != first || s.Err != nil {
		t.Errorf("%s is not gone on with: %s, %v", first, id, s.Err)
	}
	runs := make([]*Run, 16)
	for i := range runs {
		var err error
		if runs[i], err = h.Ask(t.Context(), Asked{Text: "slowly"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Ask(t.Context(), Asked{Text: "one more"}); fault.KindOf(err) != fault.Refused {
		t.Errorf("one more: %v", err)
	}
	close(more)
	for _, r := range runs {
		if s := r.Wait(t.Context()); s.Text != "so be it" || s.Err != nil {
			t.Errorf("%q, %v", s.Text, s.Err)
		}
	}
}

// TestIdle: a conversation that is not used is closed, so that another face can go on with it; one that is answered is not.
func TestIdle(t *testing.T) {
	t.Parallel()
	more := make(chan struct{})
	model := llmtest.New(t, llmtest.Text("so ", "be ", "it").Gate(1, more), llmtest.Text("And on."))
	h := newHall(t, model, 20*time.Millisecond)
	run, err := h.Ask(t.Context(), Asked{Text: "slowly"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := model.Await(1); err != nil {
		t.Fatal(err)
	}
	<-time.After(60 * time.Millisecond) // longer than it may be idle
	if _, open := h.Open(run.Talk); !open {
		t.Error("it is closed while it is answered")
	}
	close(more)
	if s := run.Wait(t.Context()); s.Text != "so be it" {
		t.Errorf("%q, %v", s.Text, s.Err)
	}
	for open := true; open; _, open = h.Open(run.Talk) {
		<-time.After(60 * time.Millisecond) // to look is to use it
		if t.Context().Err() != nil {
			t.Fatal("it stays open")
		}
	}
	if id, s := asked(t, h, Asked{ID: run.Talk, Text: "and on"}); id != run.Talk || s.Text != "And on." {
		t.Errorf("%s: %q, %v", id, s.Text, s.Err)
	}
}

// TestEnd: with the hall what is answered ends, and says so; afterwards nothing is asked.
func TestEnd(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t, llmtest.Hang("It begins "))
	h := newHall(t, model, 0)
	run, err := h.Ask(t.Context(), Asked{Text: "for ever"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := model.Await(1); err != nil {
		t.Fatal(err)
	}
	h.Close(t.Context())
	if s := run.Look(); !s.Done || !errors.Is(s.Err, host.ErrEnded) {
		t.Errorf("%+v", s)
	}
	for _, id := range []string{"", run.Talk} {
		if _, err := h.Ask(t.Context(), Asked{ID: id, Text: "and now?"}); !errors.Is(err, host.ErrEnded) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := h.Undo(t.Context(), run.Talk, "1"); fault.KindOf(err) != fault.NotFound || h.Stop(run.Talk) {
		t.Error(err)
	}
}

// TestFault: a fault of ken ends one answer with an error, and neither the server nor the conversation.
func TestFault(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Always(llmtest.Text("All right."))
	dir := t.TempDir()
	env := map[string]string{"HOME": dir, "KEN_HOME": filepath.Join(dir, "ken"), "OPENAI_BASE_URL": model.URL, "KEN_MODEL": "test"}
	var breaks atomic.Bool
	now := func() time.Time {
		if breaks.Swap(false) {
			panic("no clock")
		}
		return time.Now()
	}
	memory := app.Open(app.Options{Getenv: func(name string) string { return env[name] }, Now: now, Clock: now, Local: []string{}})
	h := New(Options{Open: func(ctx context.Context, id, dir string) (*talk.Talk, error) {
		return talk.Open(ctx, talk.Options{
			Memory: memory, Session: id, Dir: dir,
			Channel: session.ChannelWeb, Who: app.Actor{Kind: app.Person}, Warn: func(err error) { t.Errorf("warned: %v", err) },
		})
	}})
	t.Cleanup(func() { h.Close(context.WithoutCancel(t.Context())) })
	id, s := asked(t, h, Asked{Text: "one"})
	if s.Err != nil || s.Text != "All right." {
		t.Fatalf("%+v", s)
	}
	breaks.Store(true)
	if _, s = asked(t, h, Asked{ID: id, Text: "two"}); s.Err == nil || !strings.Contains(s.Err.Error(), "a fault of ken: no clock") {
		t.Errorf("%+v", s)
	}
	if _, s = asked(t, h, Asked{ID: id, Text: "three"}); s.Err != nil || s.Text != "All right." {
		t.Errorf("%+v", s)
	}
}
