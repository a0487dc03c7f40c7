//go:build unix

package browser_test

import (
	"bufio"
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"golang.org/x/sys/unix"

	"ken/internal/app"
	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
	"ken/internal/ttytest"
)

func TestMain(m *testing.M) {
	proctest.Apart(proctest.Outside{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Exit: os.Exit})
	os.Exit(m.Run())
}

// patience is how long a browser may take for what takes it a moment: far more than a loaded machine needs.
const patience = 30 * time.Second

// chromium is the browser; without one the test is skipped, or fails where one must be there.
func chromium(t *testing.T) string {
	t.Helper()
	set := os.Getenv("KEN_BROWSER")
	if set != "" && set != "must" {
		return set
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if set == "must" {
		t.Fatal("there is no chromium, and KEN_BROWSER=must")
	}
	t.Skip("there is no chromium here: install it, or name a browser in KEN_BROWSER")
	return ""
}

// A stage is ken serving a memory, a model with a script, and a browser that may open tabs.
type stage struct {
	dir, ken, home string
	link, base     string // what ken serve page printed; http://HOST
	talk           string // the name of a conversation
	model          *llmtest.Server
	ctx            context.Context // of the browser, which has nobody's tokens
}

// newStage has ken serve a memory of some months, and starts a browser.
func newStage(t *testing.T) *stage {
	t.Helper()
	path := chromium(t)
	s := &stage{dir: t.TempDir(), model: llmtest.New(t)}
	s.home = filepath.Join(s.dir, "home")
	s.ken = os.Getenv("KEN_BINARY")
	if s.ken == "" {
		s.ken = filepath.Join(s.dir, "ken")
		build := proctest.Go(t, "build", "-o", s.ken, "./cmd/ken")
		build.Dir = filepath.Join("..", "..") // this module requires less than ken does
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build: %v\n%s", err, out)
		}
	}
	if err := os.Mkdir(s.home, 0o700); err != nil {
		t.Fatal(err)
	}
	s.remember(t)
	s.model.Always(llmtest.Text("The **staging** host is `kettle`, see [the notes](https://notes.example/kettle).\n\n",
		"| host | port |\n|---|---|\n| kettle | 8443 |\n"))
	if out, err := s.command(t, "ask", "where is staging?").CombinedOutput(); err != nil {
		t.Fatalf("ask: %v\n%s", err, out)
	}
	talks, err := filepath.Glob(filepath.Join(s.home, "sessions", "*.jsonl"))
	if err != nil || len(talks) != 1 {
		t.Fatalf("conversations: %v, %v", talks, err)
	}
	s.talk = strings.TrimSuffix(filepath.Base(talks[0]), ".jsonl")
	s.serve(t)
	s.enter(t)
	s.browse(t, path)
	return s
}

// command is ken over the memory of the stage.
func (s *stage) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := proctest.Command(t, s.ken, args...)
	cmd.Env = append(cmd.Env, "KEN_HOME="+s.home, "HOME="+s.dir,
		"KEN_MODEL=scripted", "OPENAI_BASE_URL="+s.model.URL, "OPENAI_API_KEY=none", "TZ=UTC")
	cmd.Dir = s.dir
	return cmd
}

// remember puts in what a person has after some months.
func (s *stage) remember(t *testing.T) {
	t.Helper()
	at := time.Now().Add(-100 * 24 * time.Hour)
	env := map[string]string{"KEN_HOME": s.home, "HOME": s.dir}
	a := app.Open(app.Options{Getenv: func(n string) string { return env[n] }, Now: func() time.Time { return at }})
	defer func() { _ = a.Close() }()
	me := a.View(app.Standing{Actor: app.Actor{Kind: app.Person}})
	agent := a.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: "notes"}})
	state := func(days int, kind, text string) string {
		at = at.Add(time.Duration(days) * 24 * time.Hour)
		done, err := me.Remember(t.Context(), app.Statement{Text: text, Kind: kind})
		if err != nil || done.Did != "remembered" {
			t.Fatalf("%q: %+v, %v", text, done, err)
		}
		return done.Ref
	}
	state(0, "fact", "The staging host is called kettle and listens at port 8443.")
	state(3, "pref", "I like **short** answers, in plain words.")
	old := state(9, "decision", "We release on Fridays.")
	state(0, "workflow", "To release:\n\n1. `make check`\n2. tag it, as `v1.2.3`\n3. tell #releases\n\n"+
		"```\ngit tag -s v1.2.3\ngit push --tags\n```")
	state(12, "context", "Marta runs the data team; her desk is by the window.")
	gone := state(20, "fact", "The printer is on the second floor.")
	state(5, "fact", "A long name: "+strings.Repeat("configuration_of_the_staging_environment_", 6)+"end")
	state(0, "fact", "| service | owner |\n|---|---|\n| kettle | Marta |\n| drum | nobody yet |")
	state(14, "goal", "Ship the second version before the summer.")
	state(2, "fact", `<img src=x onerror="document.title='owned'"> is a text`)
	pinned := state(10, "pref", "My time zone is Europe/Lisbon.")
	if _, err := me.Edit(t.Context(), old, "We release on Tuesdays, before noon.", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := me.Forget(t.Context(), "", gone); err != nil {
		t.Fatal(err)
	}
	if _, err := me.Pin(t.Context(), pinned, true, ""); err != nil {
		t.Fatal(err)
	}
	far := app.Statement{Text: "The labels are printed at night."}
	far.Scope = "repo:git.example.com/" + strings.Repeat("agroupofgroups", 6) + "/" + strings.Repeat("labels", 12)
	if _, err := me.Remember(t.Context(), far); err != nil {
		t.Fatal(err)
	}
	waits := app.Statement{Text: "The drum service prints the labels.", Why: "said in a call"}
	if _, err := agent.Remember(t.Context(), waits); err != nil {
		t.Fatal(err)
	}
}

// serve starts ken serve, which ends with the test.
func (s *stage) serve(t *testing.T) {
	t.Helper()
	cmd := s.command(t, "serve", "--tcp", "127.0.0.1:0")
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(errs)
	for lines.Scan() {
		if _, at, ok := strings.Cut(lines.Text(), "serving at "); ok {
			s.base = strings.TrimSpace(at)
			break
		}
	}
	if s.base == "" {
		t.Fatal("ken serve said nothing")
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines.Scan() {
			if strings.Contains(lines.Text(), "error") {
				t.Errorf("ken serve: %s", lines.Text())
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-read
		_ = cmd.Wait()
	})
}

// enter takes the link from the terminal at which ken serve page shows it.
func (s *stage) enter(t *testing.T) {
	t.Helper()
	at, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	// A browser that says what it was started with: the link has a token, which no argument may have.
	said := filepath.Join(s.dir, "said")
	if err := unix.Mkfifo(said, 0o600); err != nil {
		t.Fatal(err)
	}
	teller := filepath.Join(s.dir, "teller")
	if err := os.WriteFile(teller, []byte("#!/bin/sh\necho \"$@\" >'"+said+"'\n"), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	cmd := s.command(t, "serve", "page", "--open", "--tcp", at.Host)
	cmd.Env = append(cmd.Env, "BROWSER="+teller)
	term := ttytest.OpenSized(t, cmd, 24, 200)
	if code := term.Exit(); code != 0 {
		t.Fatalf("ken serve page: %d\n%s", code, term.Text())
	}
	term.AwaitEnd()
	s.link = regexp.MustCompile(`http://ken:\S+/enter`).FindString(term.Text())
	if s.link == "" {
		t.Fatalf("no link in\n%s", term.Text())
	}
	if strings.Contains(term.Text(), "nothing was opened") {
		t.Fatal(term.Text())
	}
	if opened, err := os.ReadFile(said); err != nil || strings.TrimSpace(string(opened)) != s.base+"/enter" { // once it is said
		t.Errorf("the browser was sent to %q, %v", opened, err)
	}
}

// beside is another ken, over a memory of its own that is made by fill, in the same browser.
func (s *stage) beside(t *testing.T, name string, fill func(*stage)) *stage {
	t.Helper()
	other := &stage{dir: filepath.Join(s.dir, name), ken: s.ken, model: s.model, ctx: s.ctx}
	other.home = filepath.Join(other.dir, "home")
	if err := os.MkdirAll(other.home, 0o700); err != nil {
		t.Fatal(err)
	}
	fill(other)
	other.serve(t)
	other.enter(t)
	return other
}

// browse starts the browser, which ends with the test.
func (s *stage) browse(t *testing.T, path string) {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.UserDataDir(filepath.Join(s.dir, "browser")),
		chromedp.NoInheritEnv, chromedp.Env(proctest.Environ(t)...),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("hide-scrollbars", true),
		// Whoever asks for another name than this machine's is told that there is none.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	all, end := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	ctx, closed := chromedp.NewContext(all)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx)
		closed()
		end()
		chromedp.FromContext(ctx).Allocator.Wait()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("the browser does not start: %v", err)
	}
	s.ctx = ctx
}
