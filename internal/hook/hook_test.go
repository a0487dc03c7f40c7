package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/jsonl"
	"ken/internal/session"
	"ken/internal/trace"
)

// hookEnv is an environment with a memory of its own, and what is printed there.
func hookEnv(t *testing.T) (env Env, printed *bytes.Buffer, home string) {
	t.Helper()
	home = t.TempDir()
	printed = new(bytes.Buffer)
	getenv := func(name string) string { return map[string]string{"KEN_HOME": home, "HOME": home}[name] }
	return Env{Getenv: getenv, Dir: home, Now: time.Now, Stdout: printed}, printed, home
}

// remember has the memory of env hold texts that always stand in front.
func remember(t *testing.T, env Env, texts ...string) {
	t.Helper()
	v := app.Open(app.Options{Getenv: env.Getenv, Now: env.Now}).View(app.Standing{Actor: app.Actor{Kind: app.Person}})
	for _, text := range texts {
		if _, err := v.Remember(t.Context(), app.Statement{Text: text, Kind: "rule"}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHookInTime: whatever holds it up, the hook comes back, and says that there are memories which it does not have; where it is not
// known what it is run for it says nothing.
func TestHookInTime(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"an input without end": "", "a panic": "could not be read: tell them",
		"an environment that hangs": "could not be read in time: call recall",
		"a lock that is held":       "ask before you push", "a directory for a memory": "could not be read: tell them",
	}
	for name, hold := range map[string]func(t *testing.T, env *Env, home string){
		"an input without end": func(t *testing.T, env *Env, _ string) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _, _ = r.Close(), w.Close() })
			env.Stdin = r
		},
		"a panic": func(_ *testing.T, env *Env, _ string) {
			env.Getenv = func(string) string { panic("no environment") }
		},
		"an environment that hangs": func(_ *testing.T, env *Env, _ string) {
			env.Getenv = func(string) string { select {} }
		},
		"a lock that is held": func(t *testing.T, _ *Env, home string) {
			lock, err := jsonl.LockDir(t.Context(), home, time.Second)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = lock.Unlock() })
		},
		"a directory for a memory": func(t *testing.T, _ *Env, home string) {
			path := filepath.Join(home, "memory.jsonl")
			if err := os.Rename(path, path+".was"); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			env, printed, home := hookEnv(t) // one at a time: time counts
			remember(t, env, "ask before you push")
			hold(t, &env, home)
			began := time.Now()
			wait := 10 * time.Second // for what does not hang
			if strings.Contains(name, "hangs") || strings.Contains(name, "without end") {
				wait = 300 * time.Millisecond
			}
			run(t.Context(), env, []string{"claude"}, wait)
			if took := time.Since(began); took > wait+noteWait+5*time.Second {
				t.Errorf("it took %v", took)
			}
			text := printed.String()
			if text != "" && !json.Valid([]byte(text)) || !strings.Contains(text, want[name]) || (text == "") != (want[name] == "") {
				t.Errorf("printed: %s", text)
			}
		})
	}
}

// TestHookEnds: what a hook could not write in time it does not write behind its return.
func TestHookEnds(t *testing.T) {
	t.Parallel()
	env, printed, home := hookEnv(t)
	remember(t, env, "ask before you push")
	lock, err := jsonl.LockDir(t.Context(), home, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	Run(t.Context(), env, []string{"claude"})
	if printed.Len() == 0 {
		t.Fatal("nothing is printed")
	}
	before := files(t, home)
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // who waits for the lock tries every 2 ms
	if after := files(t, home); after != before {
		t.Errorf("written behind the return:\n%s\nbefore:\n%s", after, before)
	}
}

// files lists the files of a directory with their sizes.
func files(t *testing.T, dir string) (list string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err == nil && fi.Mode().IsRegular() {
			list += fmt.Sprintf("%s %d\n", path, fi.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestHookIsShort: however much there is and however it is written, what is printed is within what assistants take.
func TestHookIsShort(t *testing.T) {
	t.Parallel()
	env, _, home := hookEnv(t)
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte("[memory]\ninject_max_tokens = 100000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for n := range 80 {
		texts = append(texts, strings.Repeat(string(rune('a'+n%26))+strings.Repeat("\"\\", 1+n/26), 60))
	}
	remember(t, env, texts...)
	for _, agent := range []string{"claude", "copilot", "gemini"} {
		said := printedBy(t, env, agent)
		if len(said) < 4500 || len(said) > 9000 || !json.Valid(said) {
			t.Errorf("%s: %d bytes: %.300s", agent, len(said), said)
		}
	}
	if said := printedBy(t, env, "opencode"); said != nil { // it has no hooks
		t.Errorf("opencode: %s", said)
	}
}

// printedBy is what a hook prints for its words, however long it takes.
func printedBy(t *testing.T, env Env, args ...string) []byte {
	t.Helper()
	e, ok := hear(env, args)
	if !ok {
		return nil
	}
	return hookText(t.Context(), env, e).form
}

// TestHookClosed: nobody reads what is printed.
func TestHookClosed(t *testing.T) {
	t.Parallel()
	env, _, _ := hookEnv(t)
	remember(t, env, "ask before you push")
	r, w := io.Pipe()
	_ = r.Close()
	env.Stdout = w
	Run(t.Context(), env, []string{"claude"})
}

// TestHookNotes: what a hook gave is noted by reference, in one session a day for each assistant; a block that was not printed is not.
func TestHookNotes(t *testing.T) {
	t.Parallel()
	env, _, home := hookEnv(t)
	remember(t, env, "ask before you push")
	for _, agent := range []string{"claude", "claude", "copilot", "opencode", "nobody"} {
		Run(t.Context(), env, []string{agent})
	}
	paths, err := filepath.Glob(filepath.Join(home, "sessions", "*.jsonl"))
	if err != nil || len(paths) != 2 {
		t.Fatal(paths, err)
	}
	notes := 0
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil || bytes.Contains(b, []byte("before you push")) {
			t.Errorf("%v: %s", err, b)
		}
		notes += bytes.Count(b, []byte(`"by":"hook"`))
	}
	given, err := trace.Receivers(session.Dir{Path: filepath.Join(home, "sessions")}, func(ref string) bool { return ref == "1" })
	if err != nil || notes != 3 || len(given) != 2 || given[0].Agent != "claude" || given[0].Days != 1 {
		t.Errorf("%v: %d notes, %+v", err, notes, given)
	}
}

// TestHookAtQuestion: what a question calls up is printed in the form of each assistant, and no more of it than they take.
func TestHookAtQuestion(t *testing.T) {
	t.Parallel()
	env, _, home := hookEnv(t)
	settings := []byte("[memory]\nactivate_max_tokens = 100000\nactivate_max_items = 100\n")
	if err := os.WriteFile(filepath.Join(home, "config.toml"), settings, 0o600); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for n := range 60 {
		texts = append(texts, fmt.Sprintf("the staging host %d is kettle %s", n, strings.Repeat("\"\\ ", 60)))
	}
	remember(t, env, texts...)
	for _, tt := range []struct{ agent, word, event string }{
		{"claude", "", `"hook_event_name":"UserPromptSubmit",`},
		{"codex", "", `"hook_event_name":"UserPromptSubmit",`},
		{"qwen", "", `"hook_event_name":"UserPromptSubmit",`},
		{"gemini", "", `"hook_event_name":"BeforeAgent",`},
		{"copilot", "prompt", ""},
	} {
		for asked, want := range map[string]bool{
			"where is the staging host?": true, "<hook_context>the staging host is here</hook_context> xyzzy": false, "": false, "plugh": false,
		} {
			event, err := json.Marshal(asked)
			if err != nil {
				t.Fatal(err)
			}
			env.Stdin = file(t, "{"+tt.event+`"cwd":"/","prompt":`+string(event)+"}")
			said := printedBy(t, env, tt.agent, tt.word)
			got := bytes.Contains(said, []byte("is kettle"))
			if got != want || len(said) > mostHook || want && (!json.Valid(said) || len(said) < mostHook/2) {
				t.Errorf("%s, %q: %d bytes: %.300s", tt.agent, asked, len(said), said)
			}
			_, name, _ := strings.Cut(tt.event, ":")
			if want && tt.word == "" && !bytes.Contains(said, []byte(`"hookEventName":`+name)) {
				t.Errorf("%s: %.200s", tt.agent, said)
			}
		}
	}
}

// file is an open file that says text.
func file(t *testing.T, text string) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "said")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}
