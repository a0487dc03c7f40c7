package acp

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coder/acp-go-sdk"

	"ken/internal/llm/llmtest"
)

// settings puts settings into a home.
func settings(t *testing.T, home, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(home, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "ken", "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestTwoSessions: two conversations of one editor are answered at once, each with its own words; to cancel one, or to close it, does
// nothing to the other.
func TestTwoSessions(t *testing.T) {
	t.Parallel()
	e := newEditor(t, t.TempDir())
	one := e.greet()
	two := e.open()
	if one == two {
		t.Fatal(one)
	}
	e.model.Reply(func(r llmtest.Request) llmtest.Script {
		m := r.Messages()
		switch last := m[len(m)-1].Content; {
		case strings.Contains(last, "hang"):
			return llmtest.Hang("I begin")
		case strings.Contains(last, "kettle"):
			return llmtest.Text("The ", "kettle.")
		}
		return llmtest.Text("The ", "boat.")
	})
	hung := make(chan acp.StopReason, 1)
	go func() {
		stop, err := e.prompt(one, acp.TextBlock("hang"))
		if err != nil {
			t.Error(err)
		}
		hung <- stop
	}()
	if _, err := e.model.Await(1); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if stop, err := e.prompt(two, acp.TextBlock("kettle")); stop != acp.StopReasonEndTurn || err != nil {
			t.Fatal(stop, err)
		}
	}
	if err := e.conn.SendNotification(t.Context(), "session/cancel", acp.CancelNotification{SessionId: one}); err != nil {
		t.Fatal(err)
	}
	if stop := <-hung; stop != acp.StopReasonCancelled {
		t.Error(stop)
	}
	ended := make(chan error, 2)
	for id, text := range map[acp.SessionId]string{one: "boat", two: "kettle"} {
		go func() {
			_, err := e.prompt(id, acp.TextBlock(text))
			ended <- err
		}()
	}
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if _, err := request[any](e, "session/close", acp.CloseSessionRequest{SessionId: two}); err != nil {
		t.Error(err)
	}
	if stop, err := e.prompt(one, acp.TextBlock("boat")); stop != acp.StopReasonEndTurn || err != nil {
		t.Error(stop, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	a, b := e.of[one], e.of[two]
	if strings.Contains(a, "kettle") || strings.Count(a, "The boat.") != 2 || b != strings.Repeat("The kettle.", 6) {
		t.Errorf("%q, %q", a, b)
	}
}

// TestResume: a conversation is gone on with as it was, without being said again, in the same run or another; what it was told of a
// model holds for it, and a model that was not offered is refused.
func TestResume(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	e := newEditor(t, home)
	both := "[models.test]\nbase_url = %q\nmodel = \"test\"\n[models.other]\nbase_url = %[1]q\nmodel = \"other\"\n"
	settings(t, home, fmt.Sprintf(both, e.model.URL))
	id := e.greet()
	e.model.Add(llmtest.Text("It is blue."))
	if _, err := e.prompt(id, acp.TextBlock("what colour is the boat?")); err != nil {
		t.Fatal(err)
	}
	choose := func(name string) (acp.SetSessionConfigOptionResponse, error) {
		return request[acp.SetSessionConfigOptionResponse](e, "session/set_config_option",
			map[string]any{"sessionId": id, "configId": "model", "value": name})
	}
	if r, err := choose("other"); err != nil || r.ConfigOptions[0].Select.CurrentValue != "other" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := choose("none"); err == nil {
		t.Error("a model that was not offered was chosen")
	}
	for mode, fails := range map[string]bool{"read": false, "auto": true} {
		r, err := request[acp.SetSessionConfigOptionResponse](e, "session/set_config_option",
			map[string]any{"sessionId": id, "configId": "mode", "value": mode})
		if (err != nil) != fails || err == nil && r.ConfigOptions[1].Select.CurrentValue != "read" {
			t.Errorf("%s: %+v, %v", mode, r, err)
		}
	}
	got := e.called(id, "write_file", map[string]any{"path": "a.txt", "content": "x"})
	if !strings.Contains(got, "nothing but the project is read") {
		t.Error(got)
	}
	if _, err := request[any](e, "session/set_mode", map[string]any{"sessionId": id, "modeId": "ask"}); err != nil {
		t.Error(err)
	}
	e.said()
	resume := acp.ResumeSessionRequest{Cwd: e.dir, SessionId: id}
	if _, err := request[acp.ResumeSessionResponse](e, "session/resume", resume); err != nil {
		t.Error(err)
	}
	e.model.Add(llmtest.Text("Still."))
	if _, err := e.prompt(id, acp.TextBlock("and now?")); err != nil {
		t.Error(err)
	}
	if said := e.said(); said != "Still." {
		t.Errorf("%q", said)
	}
	if b := string(e.model.Requests()[3].Body); !strings.Contains(b, `"model":"other"`) || !strings.Contains(b, "It is blue.") {
		t.Error(b)
	}
	_ = e.in.Close()
	if err := <-e.ended; err != nil {
		t.Fatal(err)
	}
	again := newEditor(t, home)
	again.dir = e.dir
	again.greet()
	if _, err := request[acp.ResumeSessionResponse](again, "session/resume", resume); err != nil {
		t.Fatal(err)
	}
	if said := again.said(); said != "" {
		t.Errorf("said again: %q", said)
	}
	e.model.Add(llmtest.Text("Yes.")) // the settings have the model of e
	if stop, err := again.prompt(id, acp.TextBlock("are you sure?")); stop != acp.StopReasonEndTurn || err != nil {
		t.Error(stop, err)
	}
	r := e.model.Requests()
	if b := string(r[len(r)-1].Body); !strings.Contains(b, "It is blue.") || !strings.Contains(b, "Still.") {
		t.Error(b)
	}
}

// TestReplay: a conversation that is loaded is told in its order: what was asked, what was called and came of it, what was answered.
func TestReplay(t *testing.T) {
	t.Parallel()
	e := newEditor(t, t.TempDir())
	id := e.greet()
	if err := os.WriteFile(filepath.Join(e.dir, "a.txt"), []byte("kettle\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e.called(id, "read_file", map[string]any{"path": "a.txt"})
	if _, err := request[any](e, "session/close", acp.CloseSessionRequest{SessionId: id}); err != nil {
		t.Fatal(err)
	}
	e.mu.Lock()
	e.order, e.calls = nil, nil
	e.mu.Unlock()
	load := acp.LoadSessionRequest{Cwd: e.dir, SessionId: id, McpServers: []acp.McpServer{}}
	if _, err := request[acp.LoadSessionResponse](e, "session/load", load); err != nil {
		t.Fatal(err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	want := []string{"user_message_chunk", "tool_call", "tool_call_update", "agent_message_chunk"}
	if got := slices.DeleteFunc(e.order, func(k string) bool { return !slices.Contains(want, k) }); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := args(t, e.calls); !strings.Contains(got, "kettle") || !strings.Contains(got, `"kind":"read"`) {
		t.Error(got)
	}
}

// TestPictures: a picture in a prompt goes to a model that takes pictures, and is refused with a reason where none does; what is no
// picture is refused.
func TestPictures(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 40))); err != nil {
		t.Fatal(err)
	}
	picture := base64.StdEncoding.EncodeToString(b.Bytes())
	for name, c := range map[string]struct {
		takes      bool
		data, told string
	}{
		"taken":          {true, picture, ""},
		"not taken":      {false, picture, "not taken"},
		"no base64":      {true, "%%%", "base64"},
		"no picture":     {true, base64.StdEncoding.EncodeToString([]byte("\x7fELF\x00\x01\x02\x03")), "picture"},
		"half a picture": {true, picture[:len(picture)/2/4*4], "picture"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			e := newEditor(t, home, func(o *Options) { o.Images = c.takes })
			settings(t, home, "[models.test]\nbase_url = \""+e.model.URL+"\"\nmodel = \"test\"\nimages = true\n")
			id := e.greet()
			if c.told == "" {
				e.model.Add(llmtest.Text("A grey one."))
			}
			stop, err := e.prompt(id, acp.TextBlock("what is this?"), acp.ImageBlock(c.data, "image/png"))
			if c.told != "" {
				if err == nil || !strings.Contains(err.Error(), c.told) || len(e.model.Requests()) != 0 {
					t.Error(stop, err)
				}
				return
			}
			body := string(e.model.Requests()[0].Body)
			if stop != acp.StopReasonEndTurn || err != nil || !strings.Contains(body, "data:image/png;base64,") {
				t.Errorf("%s, %v: %s", stop, err, body)
			}
		})
	}
}

// TestManySessions: of more conversations than are open at once, the one that was not used for longest is closed and recorded, and goes
// on where it was when its editor prompts it: in its mode, with its model, what was approved in it and what can be taken back. One in
// which nothing was said keeps its id. One that is busy is not closed.
func TestManySessions(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	e := newEditor(t, home)
	both := "[models.test]\nbase_url = %q\nmodel = \"test\"\n[models.other]\nbase_url = %[1]q\nmodel = \"other\"\n"
	settings(t, home, fmt.Sprintf(both, e.model.URL))
	e.says = yes(sessionID)
	first := e.greet()
	empty := e.open()
	set := map[string]any{"sessionId": first, "configId": "model", "value": "other"}
	if _, err := request[acp.SetSessionConfigOptionResponse](e, "session/set_config_option", set); err != nil {
		t.Fatal(err)
	}
	write := func() string { return e.called(first, "shell", map[string]any{"command": "touch made"}) }
	write()
	if _, err := e.prompt(first, acp.TextBlock("/remember my boat is called Annabel")); err != nil {
		t.Fatal(err)
	}
	readers := e.open()
	if _, err := request[any](e, "session/set_mode", map[string]any{"sessionId": readers, "modeId": "read"}); err != nil {
		t.Fatal(err)
	}
	e.mu.Lock()
	asked := len(e.asked)
	e.mu.Unlock()
	if _, err := os.Stat(filepath.Join(e.dir, "made")); err != nil || asked != 1 {
		t.Fatalf("%v, asked %d times", err, asked)
	}
	fill := func(n int) {
		for range n {
			id := e.open()
			e.model.Add(llmtest.Text("All right."))
			if stop, err := e.prompt(id, acp.TextBlock("hello")); stop != acp.StopReasonEndTurn || err != nil {
				t.Fatal(stop, err)
			}
		}
	}
	fill(20) // the first three are closed now
	held := 0
	for path := range files(t, filepath.Join(home, "ken")) {
		if strings.HasSuffix(path, ".lock") && strings.Contains(path, string(first)) {
			held++
		}
	}
	if held != 0 {
		t.Errorf("the first is open: %v", held)
	}
	write()
	body := func() string { all := e.model.Requests(); return string(all[len(all)-1].Body) }
	e.mu.Lock()
	if len(e.asked) != asked {
		t.Error("what was approved is asked about again")
	}
	e.mu.Unlock()
	if b := body(); !strings.Contains(b, `"model":"other"`) || strings.Count(b, "touch made") < 2 {
		t.Error(b)
	}
	e.said()
	if _, err := e.prompt(first, acp.TextBlock("/undo")); err != nil {
		t.Error(err)
	}
	if got := e.said(); strings.Contains(got, "nothing was changed") {
		t.Error(got)
	}
	got := e.called(readers, "write_file", map[string]any{"path": "a.txt", "content": "x"})
	if !strings.Contains(got, "nothing but the project is read") {
		t.Error(got)
	}
	e.model.Add(llmtest.Text("It begins."))
	if stop, err := e.prompt(empty, acp.TextBlock("begin")); stop != acp.StopReasonEndTurn || err != nil {
		t.Error(stop, err)
	}
	if _, err := request[any](e, "session/close", acp.CloseSessionRequest{SessionId: empty}); err != nil {
		t.Error(err)
	}
	load := acp.LoadSessionRequest{Cwd: e.dir, SessionId: empty, McpServers: []acp.McpServer{}}
	if _, err := request[acp.LoadSessionResponse](e, "session/load", load); err != nil {
		t.Errorf("it has another id: %v", err)
	}
	if _, err := e.model.Await(1); err != nil {
		t.Fatal(err)
	}
	n := len(e.model.Requests())
	e.model.Add(llmtest.Hang("I begin"))
	hung := make(chan acp.StopReason, 1)
	go func() {
		stop, _ := e.prompt(first, acp.TextBlock("hang"))
		hung <- stop
	}()
	if _, err := e.model.Await(n + 1); err != nil {
		t.Fatal(err)
	}
	fill(20)
	select {
	case stop := <-hung:
		t.Errorf("a busy one is closed: %s", stop)
	default:
	}
	if err := e.conn.SendNotification(t.Context(), "session/cancel", acp.CancelNotification{SessionId: first}); err != nil {
		t.Error(err)
	}
	if stop := <-hung; stop != acp.StopReasonCancelled {
		t.Error(stop)
	}
}
