//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestScript: the model calls the command tool of whoever asks, by its name and in its form, and answers when the result is
// there, in both protocols.
func TestScript(t *testing.T) {
	t.Parallel()
	s, err := listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.server.Close() })
	const ken = `"tools":[{"type":"function","function":{"name":"read_file"}},{"type":"function","function":{"name":"shell",` +
		`"parameters":{"properties":{"command":{"type":"string"},"why":{"type":"string"}}}}}]`
	for _, c := range []struct{ path, body, want string }{
		{"/chat/completions", `{"stream":true,` + ken + `,"messages":[]}`, `"name":"shell","arguments":"{\"command\":\"cat notes.md\"}"`},
		{"/chat/completions", `{"stream":true,` + ken + `,"messages":[{"role":"tool","content":"x"}]}`, answer},
		{"/chat/completions", `{"messages":[]}`, answer},
		{
			"/responses", `{"tools":[{"type":"function","name":"shell","parameters":{"properties":{"command":{"type":"array"}}}}],"input":[]}`,
			`"arguments":"{\"command\":[\"bash\",\"-c\",\"cat notes.md\"]}"`,
		},
		{"/responses", `{"tools":[{"type":"function","name":"exec_command","parameters":{"properties":{"cmd":{"type":"string"}}}}],` +
			`"input":[{"type":"function_call_output","output":"x"}]}`, answer},
	} {
		r, err := http.Post(s.url+c.path, "application/json", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if err != nil || !strings.Contains(string(b), c.want) {
			t.Errorf("%s: %v: %s, want %s", c.body, err, b, c.want)
		}
	}
	list := s.take()
	if len(list) != 5 || list[0].called != "shell" || list[1].result != `"x"` || list[4].result != `"x"` || len(s.take()) != 0 {
		t.Errorf("%+v", list)
	}
}

// TestServeTools: as many tools as are asked for, each of the size of a public one.
func TestServeTools(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	in := `{"id":1,"method":"initialize"}` + "\n" + `{"method":"notified"}` + "\n" + `{"id":2,"method":"tools/list"}` + "\n"
	serveTools("7", strings.NewReader(in), &out)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%q", lines)
	}
	var got struct {
		Result struct{ Tools []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(lines[1]), &got); err != nil || len(got.Result.Tools) != 7 || len(got.Result.Tools[0]) < 300 {
		t.Errorf("%v: %s", err, lines[1])
	}
}
