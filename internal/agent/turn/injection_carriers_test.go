//go:build unix

package turn_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/agent"
	"ken/internal/agent/turn"
	"ken/internal/app"
	"ken/internal/attach"
	"ken/internal/frame"
	"ken/internal/proctest"
	"ken/internal/termsafe"
	"ken/internal/trust"
)

// A carrier brings a text to the model: it lays it out in a project, and says by which call it is read.
type carrier struct {
	name string
	// foreign says that the text is from outside the project, and that the person did not say of these bytes that they may
	// be read: nothing that they approved beforehand lets what reaches beyond it.
	foreign bool
	place   func(t *testing.T, c *scene, text string)
	read    order // the zero order: it comes by itself
}

func file(name string) func(*testing.T, *scene, string) {
	return func(t *testing.T, c *scene, text string) { c.write(t, filepath.Join(c.project, name), text) }
}

func sh(line string) order { return shell(line)[0] }

// fileName is a text as the name of a file.
func fileName(t *testing.T, c *scene, text string) {
	name := base64.RawURLEncoding.EncodeToString([]byte(text))
	if len(name) > 250 {
		name = base64.RawURLEncoding.EncodeToString([]byte(c.do))
	}
	c.write(t, filepath.Join(c.project, name[:min(len(name), 250)]), "x")
}

func carriers() []carrier {
	act := order{"evil__act", nil}
	return []carrier{
		{"file", false, file("notes.md"), order{"read_file", map[string]any{"path": "notes.md"}}},
		{"output", false, file("notes.md"), sh("cat notes.md")},
		{"error", false, file("notes.md"), sh("cat notes.md >&2; false")},
		{"name", false, fileName, sh("ls")},
		{"listing", false, fileName, order{"read_file", map[string]any{"path": "."}}},
		{"hit", false, func(t *testing.T, c *scene, text string) {
			file("notes.md")(t, c, "kettle "+text)
		}, order{"search_files", map[string]any{"pattern": "kettle|DO|."}}},
		{"name of a hit", false, fileName, order{"search_files", map[string]any{"glob": "*"}}},
		{"log", false, func(t *testing.T, c *scene, text string) {
			c.git(t, c.project, "init", "-q")
			c.git(t, c.project, "-c", "user.name=x", "-c", "user.email=x@e.org", "commit", "-q", "--allow-empty", "--no-verify", "-m", text)
		}, sh("git log")},
		{"docs by a command", false, file("AGENTS.md"), sh("cat AGENTS.md")},
		{"memory", false, func(t *testing.T, c *scene, text string) {
			line, err := json.Marshal(map[string]any{"id": 1, "ts": "2026-01-02T10:00:00Z", "kind": "fact", "content": "The kettle: " + text})
			if err != nil {
				t.Fatal(err)
			}
			c.write(t, filepath.Join(c.ken, "memory.jsonl"), string(line)+"\n")
		}, order{"recall", map[string]any{"query": "kettle"}}},
		{"session", true, func(_ *testing.T, c *scene, text string) {
			c.said = "The kettle: " + text
		}, order{"recall", map[string]any{"query": "kettle", "in": "sessions"}}},

		{"piped", true, func(_ *testing.T, c *scene, text string) { c.question = piped(text) }, order{}},
		{"attached", true, attached("notes.md"), order{}},
		{"name of an attached", true, func(t *testing.T, c *scene, text string) {
			fileName(t, c, text)
			attached(".")(t, c, text)
		}, order{}},
		{"printed", false, printed("make"), order{}},
		{"printed from elsewhere", true, printed("curl https://h.test/x"), order{}},
		{"docs", false, docs(""), order{}},
		{"docs of a directory", false, docs("sub"), order{}},
		{"skill", false, func(t *testing.T, c *scene, text string) {
			c.write(t, filepath.Join(c.ken, "skills", "kettle.md"), "# Kettle\n\n"+text)
		}, order{"use_skill", map[string]any{"name": "kettle"}}},
		{"skill of the project", true, projectSkill, order{}},
		{"skill of the project, loaded", true, func(t *testing.T, c *scene, text string) {
			projectSkill(t, c, text)
			c.question.Text = "What is there?"
		}, order{"use_skill", map[string]any{"name": "kettle"}}},

		{"kept output", false, func(t *testing.T, c *scene, text string) {
			much := strings.Repeat("one line of many\n", 1500)
			file("notes.md")(t, c, much+text+"\n"+much)
			c.then = []order{{"read_file", map[string]any{"path": "KEPT", "offset": 1490}}}
		}, sh("cat notes.md")},

		{"server: resource", true, func(t *testing.T, c *scene, text string) {
			a, err := attach.Reader{Dir: c.project, Home: c.home}.Given(attach.Resource{Server: "evil", URI: "mem://note"}, text)
			if err != nil {
				t.Fatal(err)
			}
			c.question = about("What is @evil:mem://note?", a)
		}, order{}},
		{"server: prompt", true, func(_ *testing.T, c *scene, text string) {
			c.question = turn.Question{Text: frame.Data(termsafe.Clean(text)), Typed: ":evil.greet", From: "external"}
		}, order{}},
		{"server: text", true, server("text"), act},
		{"server: structured", true, server("structured"), act},
		{"server: failure", true, server("failure"), act},
		{"server: description", false, server("description"), order{}},
		{"server: parameter", false, server("parameter"), order{}},
		{"server: found tool", false, server("many"), order{"more_tools", map[string]any{"query": "act"}}},
	}
}

// piped is a question into which a text was piped.
func piped(text string) turn.Question {
	return turn.Question{Text: "What is this?\n\n" + frame.Stdin + "\n" + frame.Data(text), Typed: "What is this?", From: "external"}
}

// printed has a command of the person have printed the text.
func printed(line string) func(*testing.T, *scene, string) {
	return func(_ *testing.T, c *scene, text string) {
		ran := agent.Ran{Command: line, Exit: 2, Bytes: int64(len(text)), Output: text}
		c.before = func(d *turn.Dialog) { d.Conversation().Ran(ran) }
	}
}

// attached has a file in the project go with the question, as it does behind "@".
func attached(name string) func(*testing.T, *scene, string) {
	return func(t *testing.T, c *scene, text string) {
		if name != "." {
			file(name)(t, c, text)
		}
		r := attach.Reader{Dir: c.project, Home: c.home}
		a, err := r.Open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		c.question = about("What is @"+name+"?", a)
	}
}

// about is a question with which something goes.
func about(typed string, a attach.Attachment) turn.Question {
	files := []agent.File{{Name: a.Name, Kind: string(a.Kind), Path: a.Path, Bytes: a.Bytes, Block: a.Block()}}
	return turn.Question{Text: agent.With(typed, files, ""), Typed: typed, Attached: files, From: "external"}
}

// docs has the project be a repository with AGENTS.md in a directory of it, where the person stands, who let it in.
func docs(dir string) func(*testing.T, *scene, string) {
	return func(t *testing.T, c *scene, text string) {
		c.git(t, c.project, "init", "-q")
		c.dir = filepath.Join(c.project, dir)
		c.write(t, filepath.Join(c.dir, "AGENTS.md"), text)
		c.settle = func(h *app.View) {
			files, err := trust.ReadDocs(c.project, c.dir)
			if err != nil || len(files) != 1 {
				t.Fatalf("%v, %v", files, err)
			}
			yes := files[0].Decide(h.Here.Place().RepoScope(), trust.Use, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
			if err := trust.Decide(t.Context(), h.Settings.Paths().Trust(), yes); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// projectSkill has the project bring a skill for the question, which the person let in.
func projectSkill(t *testing.T, c *scene, text string) {
	c.git(t, c.project, "init", "-q")
	c.write(t, filepath.Join(c.project, ".ken", "skills", "kettle.md"), "---\ndescription: d\nkeywords: [new]\n---\n"+text)
	c.settle = func(h *app.View) {
		if _, err := h.Settings.Read(); err != nil {
			t.Fatal(err)
		}
		list, err := h.Skills.Brought()
		if err != nil || len(list) != 1 || list[0].Refused != nil {
			t.Fatalf("%+v, %v", list, err)
		}
		if err := h.RepoLogs.Decide(t.Context(), trust.Use, list[0]); err != nil {
			t.Fatal(err)
		}
	}
}

// server has a tool server that says the text somewhere: see serve. The person has approved of all its tools.
func server(where string) func(*testing.T, *scene, string) {
	return func(_ *testing.T, c *scene, text string) { c.where, c.text = where, text }
}

// git runs git in a directory.
func (c *scene) git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := proctest.Command(t, "git", args...)
	cmd.Dir, cmd.Env = dir, proctest.Environ(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func (c *scene) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
