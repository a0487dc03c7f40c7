package scripttest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
	"ken/internal/tool/mcp/mcptest"
	"ken/internal/tool/rehearsal"
	"ken/internal/tool/sandbox"
)

// TestScript runs every script in testdata/script. Beside the commands of
// testscript there are
//
//	model FILE      start a scripted model and point ken at it; see parseAnswers.
//	                Its host and port are in MODEL; KEN_TEST_LOCAL holds those at
//	                which ken looks for a model of this machine, none at first
//	requests N      fail unless the model was asked N times so far
//	request N FILE  write the body of question N (from 1; -1 is the last) to FILE
//	messages N FILE write its messages to FILE, each "role: content"
//	lines N FILE    fail unless FILE has N lines
//	embedder HOW, embedded FILE  see scriptEmbedder
//	[rehearsal]     is true where the machine can keep aside what a command changes
//	[sandbox]       is true where the machine can hold a command
//	models-server NAME...  start a server at $SERVER that has these models
func TestScript(t *testing.T) {
	p := searching(t, scriptParams("../testdata/script"))
	if p.Dir != "" {
		p.Files, p.Dir = scripts(t, p.Dir), ""
	}
	p.Files = slices.DeleteFunc(p.Files, startsOften)
	testscript.Run(t, p)
}

// TestOftenScript runs the scripts that TestScript leaves out. They set how answers are looked for themselves.
//
//ken:unraced
func TestOftenScript(t *testing.T) {
	if clitest.Index() != "KEN_INDEX=" {
		t.Skip("it is the same with and without an index")
	}
	p := scriptParams("../testdata/script")
	p.Files, p.Dir = slices.DeleteFunc(scripts(t, p.Dir), func(file string) bool { return !startsOften(file) }), ""
	testscript.Run(t, p)
}

// startsOften reports whether a script starts ken by the hundred, one after the other.
func startsOften(file string) bool { return filepath.Base(file) == "odd_places.txtar" }

// scripts are the files of the scripts in dir.
func scripts(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatal(err, len(all))
	}
	return all
}

// searching leaves, where the index is to be under every answer, the scripts in which
// something is looked for: the others ran without.
func searching(t *testing.T, p testscript.Params) testscript.Params {
	t.Helper()
	if clitest.Index() == "KEN_INDEX=" {
		return p
	}
	looks := regexp.MustCompile(`(?m)(ken|^:)\S*.*\b(ask|recall|search|why|forget|erase|export|history|resume|port|import|inject|hygiene)\b`)
	all := scripts(t, p.Dir)
	p.Dir = ""
	for _, file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if looks.Match(text) {
			p.Files = append(p.Files, file)
		}
	}
	if len(p.Files) < len(all)/3 {
		t.Fatalf("only %d of %d scripts look for something", len(p.Files), len(all))
	}
	return p
}

func scriptParams(dir string) testscript.Params {
	return testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(cond string) (bool, error) {
			if cond == "sandbox" { // this machine can hold a command
				return sandbox.Here().Most() != "", nil
			}
			if cond == "rehearsal" { // and can keep aside what it changes
				return sandbox.Here().Most() != "" && rehearsal.Possible(context.Background(), rehearsal.Places("")...) == nil, nil
			}
			return false, fmt.Errorf("no condition %q", cond)
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			for k, v := range map[string]string{
				"HOME": home, "KEN_HOME": filepath.Join(env.WorkDir, "ken"), "KEN_NOW": "", "KEN_CONFIG": "",
				"XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "XDG_CACHE_HOME": "", "XDG_RUNTIME_DIR": "",
				"OPENAI_BASE_URL": "", "OPENAI_API_KEY": "", "KEN_MODEL": "", "EDITOR": "", "VISUAL": "", "NO_COLOR": "",
				"KEN_TEST_LOCAL": "", "PATH": proctest.Path(), "OLLAMA_HOST": "", "TZ": "UTC", "LANG": "C.UTF-8",
			} {
				env.Setenv(k, v)
			}
			for _, v := range []string{proctest.AtOnce, clitest.Index()} {
				k, v, _ := strings.Cut(v, "=")
				env.Setenv(k, v)
			}
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"model": scriptModel, "requests": scriptRequests, "request": scriptRequest,
			"messages": scriptMessages, "lines": scriptLines,
			"models-server": scriptModelsServer, "lists": scriptLists, "describes": scriptDescribes,
			"locked": scriptLocked, "embedder": scriptEmbedder, "embedded": scriptEmbedded,
		},
	}
}

// scriptLocked starts a tool server where one has to sign in: LOCKED is its address.
func scriptLocked(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: locked")
	}
	l := mcptest.Lock()
	ts.Defer(l.Stop)
	ts.Setenv("LOCKED", l.URL)
}

// scriptModel starts the model of a script.
func scriptModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: model FILE")
	}
	answers, err := parseAnswers(ts.ReadFile(args[0]))
	ts.Check(err)
	s, err := llmtest.Start(answers...)
	ts.Check(err)
	s.Always(llmtest.Text("ok"))
	ts.Defer(func() { _ = s.Stop() })
	models.put(ts, s)
	ts.Setenv("MODEL", strings.TrimPrefix(s.URL, "http://"))
	ts.Setenv("OPENAI_BASE_URL", s.URL)
	ts.Setenv("KEN_MODEL", "test")
}

// parseAnswers reads one answer a line; when all are used up the model says
// "ok":
//
//	text Hel|lo           tokens, finish reason, end mark
//	late Hel|lo           the same, when whatever is asked beside it has long come
//	cut Hel|lo            tokens, then the connection breaks
//	open Hel|lo           tokens, then the stream ends in order, without finish reason
//	error 500 no luck     an HTTP status with a message
//	html <p>hello</p>     a page of a proxy
//	call NAME {...}       a call of a tool; several are parted by " | "
//	json {...}            a JSON body instead of a stream
//	raw data: ...\n\n     bytes as they are, with Go's escapes
func parseAnswers(text string) ([]llmtest.Script, error) {
	var list []llmtest.Script
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		verb, rest, _ := strings.Cut(line, " ")
		parts := strings.Split(rest, "|")
		switch verb {
		case "":
		case "text":
			list = append(list, llmtest.Text(parts...))
		case "late":
			late := llmtest.Text(parts...)
			late.Steps[0].Pause = time.Second
			list = append(list, late)
		case "cut":
			list = append(list, llmtest.Cut(parts...))
		case "open":
			for i, p := range parts {
				parts[i] = llmtest.Token(p)
			}
			list = append(list, llmtest.Raw(parts...))
		case "error":
			code, message, _ := strings.Cut(rest, " ")
			status, err := strconv.Atoi(code)
			if err != nil {
				return nil, err
			}
			list = append(list, llmtest.Error(status, message))
		case "html":
			page := llmtest.Raw(rest)
			list = append(list, page.With("Content-Type", "text/html"))
		case "call":
			var calls []string
			for i, c := range strings.Split(rest, " | ") {
				name, args, _ := strings.Cut(c, " ")
				const form = `{"index":%d,"id":"call%d%d","type":"function","function":{"name":%q,"arguments":%q}}`
				calls = append(calls, fmt.Sprintf(form, i, len(list)+1, i, name, args))
			}
			all := llmtest.Delta(`{"tool_calls":[` + strings.Join(calls, ",") + `]}`)
			list = append(list, llmtest.Raw(all, llmtest.Finish("tool_calls"), llmtest.Done))
		case "json":
			list = append(list, llmtest.JSON(rest))
		case "raw":
			raw, err := strconv.Unquote(`"` + strings.ReplaceAll(rest, `"`, `\"`) + `"`)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
			list = append(list, llmtest.Raw(raw))
		default:
			return nil, fmt.Errorf("no answer %q", verb)
		}
	}
	return list, nil
}

func scriptRequests(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: requests N")
	}
	if got := fmt.Sprint(len(models.get(ts).Requests())); got != args[0] {
		ts.Fatalf("the model was asked %s times, want %s", got, args[0])
	}
}

// asked returns question N of the script's model.
func asked(ts *testscript.TestScript, arg string) llmtest.Request {
	n, err := strconv.Atoi(arg)
	ts.Check(err)
	reqs := models.get(ts).Requests()
	if n < 0 {
		n += len(reqs) + 1
	}
	if n < 1 || n > len(reqs) {
		ts.Fatalf("no question %s: the model was asked %d times", arg, len(reqs))
	}
	return reqs[n-1]
}

func scriptRequest(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: request N FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), asked(ts, args[0]).Body, 0o600))
}

func scriptMessages(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: messages N FILE")
	}
	var b strings.Builder
	for _, m := range asked(ts, args[0]).Messages() {
		fmt.Fprintf(&b, "%s: %s\n", m.Role, m.Content)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o600))
}

func scriptLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines N FILE")
	}
	if got := fmt.Sprint(strings.Count(ts.ReadFile(args[1]), "\n")); got != args[0] {
		ts.Fatalf("%s has %s lines, want %s", args[1], got, args[0])
	}
}
