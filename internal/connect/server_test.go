package connect

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestRegistered: what an assistant starts is read from its own settings, in its form.
func TestRegistered(t *testing.T) {
	t.Parallel()
	for _, a := range Agents() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			p := place(t)
			if a.IsEditor {
				write(t, a.Files(p, Want{})[0].Path, `{"agent_servers":{"ken":{"command":"ken","args":["acp"]}}}`)
				if _, there, err := a.Registered(p); there || err != nil {
					t.Error("what is no server is one:", err)
				}
				return
			}
			none := func(string) (string, error) { return "", errors.New("none") }
			if _, there, err := a.Registered(p); there || err != nil {
				t.Fatal("before:", there, err)
			}
			if a.Here(p, none) || a.Program != "" && !a.Here(p, func(string) (string, error) { return "", nil }) {
				t.Error("here without settings or program, or not here with it")
			}
			for _, f := range a.Files(p, Want{Command: "/opt/my bin/ken", Hooks: AtStart}) {
				if _, _, err := apply(t, f, false); err != nil {
					t.Fatal(err)
				}
			}
			s, there, err := a.Registered(p)
			if !there || err != nil || !slices.Equal(s.Argv[:4], []string{"/opt/my bin/ken", "mcp", "--as", a.Name}) || s.Path == "" {
				t.Error(s, there, err)
			}
			if !a.Here(p, none) {
				t.Error("not here with its settings")
			}
		})
	}
}

// TestRegisteredOdd: an entry that is not ken's, one that its program does not read, one with an environment.
func TestRegisteredOdd(t *testing.T) {
	t.Parallel()
	_, path := copilotFile(t)
	p := Place{Home: filepath.Dir(filepath.Dir(path)), Getenv: func(string) string { return "" }}
	a, _ := Find("copilot")
	write(t, path, `{"mcpServers":{"ken":{"command":"/bin/other","args":["mcp"]}}}`)
	foreign, rejected, held := (*ForeignError)(nil), (*RejectedError)(nil), (*HeldError)(nil)
	if _, there, err := a.Registered(p); there || !errors.As(err, &foreign) {
		t.Error(there, err)
	}
	write(t, path, `{"mcpServers":{"ken":`)
	if _, there, err := a.Registered(p); there || !errors.As(err, &rejected) {
		t.Error(there, err)
	}
	write(t, path, `{"mcpServers":{"ken":{"command":"ken","args":["mcp"],"env":{"KEN_HOME":"/x","N":1}}}}`)
	if s, there, err := a.Registered(p); !there || err != nil || len(s.Env) != 1 || s.Env["KEN_HOME"] != "/x" {
		t.Error(s, there, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, there, err := a.Registered(p); there || !errors.As(err, &held) {
		t.Error(there, err)
	}
}
