package acp

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coder/acp-go-sdk"

	"ken/internal/llm/llmtest"
)

// buffers are files that an editor has open, by their paths, with what the person did not save.
type buffers struct {
	unsaved map[string]string
	save    func(text string) (saved string, err error) // what it does to a text that it saves; nil: nothing
}

// have has the editor give files, and write them.
func (e *editor) have(b *buffers) {
	read := func(raw json.RawMessage) (any, *acp.RequestError) {
		var p acp.ReadTextFileRequest
		_ = json.Unmarshal(raw, &p)
		if text, ok := b.unsaved[p.Path]; ok {
			return acp.ReadTextFileResponse{Content: text}, nil
		}
		disk, err := os.ReadFile(p.Path)
		if err != nil {
			return nil, acp.NewInternalError(nil)
		}
		return acp.ReadTextFileResponse{Content: strings.TrimSuffix(strings.ReplaceAll(string(disk), "\r\n", "\n"), "\n")}, nil
	}
	write := func(raw json.RawMessage) (any, *acp.RequestError) {
		var p acp.WriteTextFileRequest
		_ = json.Unmarshal(raw, &p)
		text, err := p.Content, error(nil)
		if b.save != nil {
			text, err = b.save(text)
		}
		switch {
		case errors.Is(err, errHeld):
			b.unsaved[p.Path] = p.Content
			return acp.WriteTextFileResponse{}, nil
		case err == nil:
			delete(b.unsaved, p.Path)
			err = os.WriteFile(p.Path, []byte(text), 0o600)
		}
		if err != nil {
			return nil, acp.NewInternalError(nil)
		}
		return acp.WriteTextFileResponse{}, nil
	}
	e.fs = map[string]func(json.RawMessage) (any, *acp.RequestError){
		acp.ClientMethodFsReadTextFile: read, acp.ClientMethodFsWriteTextFile: write,
	}
}

var errHeld = errors.New("it is not saved")

// called has the model call a tool once, and returns what it was told.
func (e *editor) called(id acp.SessionId, name string, a map[string]any) string {
	e.t.Helper()
	e.model.Add(llmtest.Call("c1", name, args(e.t, a)), llmtest.Text("So."))
	if stop, err := e.prompt(id, acp.TextBlock("do it")); stop != acp.StopReasonEndTurn || err != nil {
		e.t.Error(stop, err)
	}
	r := e.model.Requests()
	m := r[len(r)-1].Messages()
	return m[len(m)-1].Content
}

// TestBuffers: where the editor gives files a model reads what was not saved, and a change is made in the editor from that, asked about
// as every change, and taken back by the person in the editor.
func TestBuffers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		disk, unsaved string // "" of either: there is none
		save          func(string) (string, error)
		no, readOnly  bool   // the person says no; the editor does not write
		told, is      string // the model, and what the file has then
		back          string // and after /undo; "-": that is refused
	}{
		"saved":         {disk: "one\ntwo\n", told: "1 place", is: "one\n2\n", back: "one\ntwo\n"},
		"its line ends": {disk: "one\r\ntwo\r\n", told: "1 place", is: "one\r\n2\r\n", back: "one\r\ntwo\r\n"},
		"not saved":     {disk: "one\n", unsaved: "zero\ntwo\n", told: "1 place", is: "zero\n2\n", back: "zero\ntwo\n"},
		"no file yet":   {unsaved: "two\n", told: "1 place", is: "2\n", back: "two\n"},
		"no":            {disk: "two\n", no: true, told: "the person said no", is: "two\n", back: "-"},
		"formatted": {
			disk: "two\n", save: func(s string) (string, error) { return "// " + s, nil },
			told: "changed it further", is: "// 2\n", back: "two\n",
		},
		"held": {
			disk: "two\n", save: func(s string) (string, error) { return s, errHeld },
			told: "did not save it", is: "two\n", back: "-",
		},
		"fails": {
			disk: "two\n", save: func(string) (string, error) { return "", os.ErrPermission },
			told: "1 place", is: "2\n", back: "two\n",
		},
		"fails, unsaved": {
			disk: "one\n", unsaved: "two\n", save: func(string) (string, error) { return "", os.ErrPermission },
			told: "ask the person to save it", is: "one\n", back: "-",
		},
		"reads alone":          {disk: "two\n", readOnly: true, told: "1 place", is: "2\n", back: "two\n"},
		"reads alone, unsaved": {disk: "one\n", unsaved: "two\n", readOnly: true, told: "ask the person to save it", is: "one\n", back: "-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEditor(t, t.TempDir())
			path := filepath.Join(e.dir, "a.txt")
			b := &buffers{unsaved: map[string]string{}, save: c.save}
			e.have(b)
			if c.readOnly {
				delete(e.fs, acp.ClientMethodFsWriteTextFile)
			}
			if e.says = yes(onceID); c.no {
				e.says = yes(noID)
			}
			if c.disk != "" {
				if err := os.WriteFile(path, []byte(c.disk), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if c.unsaved != "" {
				b.unsaved[path] = c.unsaved
			}
			id := e.greet()
			got := e.called(id, "read_file", map[string]any{"path": "a.txt"})
			if strings.Contains(got, "not saved") != (c.unsaved != "") || !strings.Contains(got, "two") {
				t.Error(got)
			}
			if got := e.called(id, "edit_file", map[string]any{"path": "a.txt", "old": "two", "new": "2"}); !strings.Contains(got, c.told) {
				t.Errorf("told %q", got)
			}
			if len(e.asked) != 1 || e.asked[0].ToolCall.Content[0].Diff == nil {
				t.Errorf("asked: %s", args(t, e.asked))
			}
			is := func() string {
				got, err := os.ReadFile(path)
				if err != nil && c.disk != "" {
					t.Error(err)
				}
				return string(got)
			}
			if got := is(); got != c.is {
				t.Errorf("the file has %q, want %q", got, c.is)
			}
			e.said()
			if _, err := e.prompt(id, acp.TextBlock("/undo")); err != nil {
				t.Error(err)
			}
			said, want := e.said(), c.back
			if want == "-" {
				want = c.is
			}
			if got := is(); got != want || strings.HasPrefix(said, "undid ") != (c.back != "-") {
				t.Errorf("undone: %q, want %q; said %q", got, want, said)
			}
		})
	}
}

// TestUndoOfBoth: /undo takes back what is newest, of the memory or a file; by its name any; nothing of a file that was changed since,
// or that the editor holds otherwise.
func TestUndoOfBoth(t *testing.T) {
	t.Parallel()
	e := newEditor(t, t.TempDir())
	b := &buffers{unsaved: map[string]string{}}
	e.have(b)
	e.says = yes(onceID)
	id, path := e.greet(), filepath.Join(e.dir, "a.txt")
	type step struct{ line, want, is string }
	run := func(list ...step) (said string) {
		t.Helper()
		for _, s := range list {
			e.said()
			if _, err := e.prompt(id, acp.TextBlock(s.line)); err != nil {
				t.Error(err)
			}
			if said = e.said(); !strings.Contains(said, s.want) {
				t.Errorf("%s: %q, want %q", s.line, said, s.want)
			}
			if got, _ := os.ReadFile(path); string(got) != s.is {
				t.Errorf("%s: the file has %q, want %q", s.line, got, s.is)
			}
		}
		return said
	}
	e.called(id, "write_file", map[string]any{"path": "a.txt", "content": "one\n"})
	run(step{"/remember my boat is called Annabel", "remembered #1", "one\n"})
	e.called(id, "write_file", map[string]any{"path": "a.txt", "content": "two\n"})
	run(step{"/undo", ": a.txt, +1 -1 (undo: /undo a", "one\n"}, step{"/undo", "took back #1", "one\n"})
	said := run(step{"/undo", ": a.txt, +0 -1", ""})
	_, rest, _ := strings.Cut(said, "(undo: ")
	again, _, _ := strings.Cut(rest, ")")
	run(step{again, "undid a", "one\n"})
	b.unsaved[path] = "one\nmine\n"
	run(step{"/undo", "not saved: nothing is undone", "one\n"})
	delete(b.unsaved, path)
	if err := os.WriteFile(path, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(step{"/undo", "was changed since", "mine\n"}, step{"/undo aaaaaaaa", "aaaaaaaa", "mine\n"})
}

// TestNoBuffers: an editor that does not say that it gives files is not asked for one.
func TestNoBuffers(t *testing.T) {
	t.Parallel()
	e := newEditor(t, t.TempDir())
	e.says = yes(onceID)
	id := e.greet()
	e.have(&buffers{})
	if got := e.called(id, "write_file", map[string]any{"path": "a.txt", "content": "two\n"}); !strings.Contains(got, "made") {
		t.Error(got)
	}
	if slices.ContainsFunc(e.order, func(m string) bool { return strings.HasPrefix(m, "fs/") }) {
		t.Error(e.order)
	}
}

// TestEditorHangs: a prompt that waits for an editor that gives no file can be cancelled, and nothing was written.
func TestEditorHangs(t *testing.T) {
	t.Parallel()
	e := newEditor(t, t.TempDir())
	path := filepath.Join(e.dir, "a.txt")
	if err := os.WriteFile(path, []byte("two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	begun, over := make(chan struct{}, 9), make(chan struct{})
	t.Cleanup(func() { close(over) })
	hang := func(json.RawMessage) (any, *acp.RequestError) {
		begun <- struct{}{}
		<-over
		return nil, acp.NewInternalError(nil)
	}
	e.fs = map[string]func(json.RawMessage) (any, *acp.RequestError){
		acp.ClientMethodFsReadTextFile: hang, acp.ClientMethodFsWriteTextFile: hang,
	}
	id := e.greet()
	e.model.Add(llmtest.Call("c1", "edit_file", args(t, map[string]any{"path": "a.txt", "old": "two", "new": "2"})))
	stop := make(chan acp.StopReason, 1)
	go func() {
		got, err := e.prompt(id, acp.TextBlock("do it"))
		if err != nil {
			t.Error(err)
		}
		stop <- got
	}()
	<-begun
	if err := e.conn.SendNotification(t.Context(), "session/cancel", acp.CancelNotification{SessionId: id}); err != nil {
		t.Fatal(err)
	}
	if got := <-stop; got != acp.StopReasonCancelled {
		t.Error(got)
	}
	if got, err := os.ReadFile(path); string(got) != "two\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
