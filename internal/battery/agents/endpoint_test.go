package agents

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
)

// Those that speak with an OpenAI-compatible server, and the model that each asks for. What programs() has them reach at /v1 is
// ken here.
func clients() []string { return []string{"copilot", "opencode", "qwen"} }

// inFront has each request that was asked through the endpoint: with tools, in a stream.
type inFront struct {
	Stream   bool
	Tools    []struct{ Function struct{ Name string } }
	Messages []struct {
		Role    string
		Content any
	}
}

// tools are the names of a request's tools.
func (f inFront) tools() (names []string) {
	for _, t := range f.Tools {
		names = append(names, t.Function.Name)
	}
	return names
}

// asked are the last words of the person, its parts one after the other.
func (f inFront) asked() string {
	for _, m := range slices.Backward(f.Messages) {
		if m.Role != "user" {
			continue
		}
		if text, ok := m.Content.(string); ok {
			return text
		}
		all := ""
		parts, _ := m.Content.([]any)
		for _, p := range parts {
			part, _ := p.(map[string]any)
			text, _ := part["text"].(string)
			all += text + "\n"
		}
		return all
	}
	return ""
}

// result is what a call was answered with; "" if none was.
func (f inFront) result() (text string) {
	for _, m := range f.Messages {
		if m.Role == "tool" {
			b, _ := json.Marshal(m.Content) // it was decoded
			text += string(b)
		}
	}
	return text
}

// TestEndpointClients has real programs ask a scripted model through ken's endpoint, in a stream and with their own tools: what the
// memory has stands in the question, the same once a call was answered, the program's own tools run, and the answer comes back whole.
func TestEndpointClients(t *testing.T) {
	t.Parallel()
	installed := os.Getenv(installedIn)
	if installed == "" {
		t.Skip("the programs of others are installed by make endpoint-clients")
	}
	bin := filepath.Join(t.TempDir(), "ken")
	if out, err := proctest.Go(t, "build", "-o", bin, "ken/cmd/ken").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	of, ran := strings.Fields(os.Getenv(chosen)), 0
	for _, p := range programs() {
		if !slices.Contains(clients(), p.name) || len(of) > 0 && !slices.Contains(of, p.name) {
			continue
		}
		ran++
		t.Run(p.name, func(t *testing.T) {
			program := filepath.Join(installed, p.name, "node_modules", ".bin", p.name)
			if _, err := os.Stat(program); err != nil {
				t.Fatalf("it is not installed: %v", err)
			}
			p.through(t, bin, program)
		})
	}
	if ran == 0 {
		t.Errorf("%s=%q names none of them", chosen, of)
	}
}

// through has a program take one turn by way of the endpoint.
func (p program) through(t *testing.T, bin, path string) {
	const secret = "quince-7731"
	home := t.TempDir()
	work := filepath.Join(home, "work")
	if err := os.MkdirAll(work, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(work, secret+".md"), []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	model := llmtest.New(t)
	model.Reply(func(r llmtest.Request) llmtest.Script {
		var f inFront
		err := json.Unmarshal(r.Body, &f)
		switch names := f.tools(); {
		case err != nil || f.result() != "":
		case slices.Contains(names, "read"): // its glob fetches another program
			return llmtest.Call("call-1", "read", `{"filePath":"`+filepath.Join(work, secret+".md")+`"}`)
		case slices.Contains(names, "glob"):
			return llmtest.Call("call-1", "glob", `{"pattern":"**/*.md"}`)
		}
		return llmtest.Text("the answer is ", "teapot-"+"42")
	})
	settings := "[models.scripted]\nbase_url = \"" + model.URL + "\"\nmodel = \"tiny\"\n" +
		"[serve.alias]\n\"asked\" = \"ken/scripted\"\n"
	kenHome := filepath.Join(home, "kept")
	if err := os.MkdirAll(kenHome, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(kenHome, "config.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), turnTakes)
	defer cancel()
	ken := func(args ...string) string {
		t.Helper()
		cmd := proctest.CommandContext(t, ctx, bin, args...)
		cmd.Dir, cmd.Env = work, append(cmd.Env, "HOME="+home, "KEN_HOME="+kenHome)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("ken %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	ken("remember", kept)
	token := ken("serve", "token", "add", p.name)
	serve := proctest.CommandContext(t, ctx, bin, "serve", "--tcp", "127.0.0.1:0")
	serve.Dir, serve.Env = work, append(serve.Env, "HOME="+home, "KEN_HOME="+kenHome)
	errs, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = serve.Process.Kill()
		_ = serve.Wait()
	}()
	line, err := bufio.NewReader(errs).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, at, _ := strings.Cut(strings.TrimSpace(line), "serving at ")
	args, env := p.turn(at, question)
	for i := range env { // its key is a token, and its model one with memory
		for was, now := range map[string]string{
			"OPENAI_API_KEY=test": "OPENAI_API_KEY=" + token, `"apiKey":"test"`: `"apiKey":"` + token + `"`,
			"OPENAI_MODEL=scripted": "OPENAI_MODEL=ken/scripted", "COPILOT_MODEL=scripted": "COPILOT_MODEL=ken/scripted",
			`"scripted":{"tool_call"`: `"asked":{"tool_call"`,
		} {
			env[i] = strings.ReplaceAll(env[i], was, now)
		}
	}
	if p.name == "copilot" {
		env = append(env, "COPILOT_PROVIDER_API_KEY="+token)
	}
	for i, a := range args {
		args[i] = strings.ReplaceAll(a, "scripted/scripted", "scripted/asked")
	}
	cmd := proctest.CommandContext(t, ctx, path, args...)
	cmd.Dir, cmd.Env = work, append(append(cmd.Env, "HOME="+home), env...)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "teapot-42") {
		t.Fatalf("%v\n%s", err, out)
	}
	p.judge(t, model.Requests(), secret)
}

// judge looks at what the model was asked.
func (p program) judge(t *testing.T, requests []llmtest.Request, file string) {
	t.Helper()
	questions, after := []string{}, ""
	for _, r := range requests {
		var f inFront
		if err := json.Unmarshal(r.Body, &f); err != nil {
			t.Errorf("%v: %s", err, r.Body)
		}
		if got := r.Header.Get("Authorization"); got != "" {
			t.Errorf("the model's server was given %s", got)
		}
		if len(f.Tools) == 0 {
			if strings.Contains(string(r.Body), kept) {
				t.Logf("a request without tools has the memory: %.300s", f.asked())
			}
			continue
		}
		if !f.Stream {
			t.Error("it was not asked in a stream")
		}
		questions = append(questions, f.asked())
		after += f.result()
	}
	if len(questions) == 0 || !strings.Contains(questions[0], kept) || !strings.Contains(questions[0], "[memories]") {
		t.Fatalf("no memory went along: %q", questions)
	}
	for _, q := range questions[1:] {
		if q != questions[0] {
			t.Errorf("in the loop\n%s\nbefore\n%s", q, questions[0])
		}
	}
	if !strings.Contains(after, file) {
		t.Errorf("%s ran no tool of its own: %.2000s", p.name, after)
	}
}
