//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/telegram/telegramtest"
)

// A phone is a bot at work, as a process, a Bot API and a model.
type phone struct {
	t     *testing.T
	dir   string
	api   *telegramtest.Server
	model *llmtest.Server
	cmd   *exec.Cmd
	said  *bytes.Buffer
}

const phoneUser, phoneStranger = int64(1001), int64(2002)

// newPhone is a bot that does not run yet and that nobody is paired with.
func newPhone(t *testing.T) *phone {
	t.Helper()
	dir := t.TempDir()
	p := &phone{t: t, dir: dir, api: telegramtest.New(), model: llmtest.New(t)}
	s := httptest.NewServer(p.api)
	t.Cleanup(s.Close)
	clitest.Write(t, filepath.Join(dir, "bot"), telegramtest.Token()+"\n")
	clitest.Configure(t, dir, "[memory]\nuser_namespace = \"me\"\n[telegram]\ntoken_file = \"~/bot\"\napi_url = \""+s.URL+"\"\n")
	p.model.Always(llmtest.Text("All right."))
	return p
}

// start runs `ken telegram` until end is called.
func (p *phone) start() {
	p.t.Helper()
	p.cmd, p.said = clitest.Command(p.t, p.dir, p.model, "telegram"), new(bytes.Buffer)
	p.cmd.Stderr = p.said
	p.cmd.Stdout = p.said
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
}

// end ends it with a signal, and returns its exit code.
func (p *phone) end(by syscall.Signal) int {
	p.t.Helper()
	line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "cmdline")) // where there is one
	if err == nil && strings.Contains(string(line), telegramtest.Token()) {
		p.t.Error("the token is an argument of the process")
	}
	if err := p.cmd.Process.Signal(by); err != nil {
		p.t.Fatal(err)
	}
	_ = p.cmd.Wait()
	if strings.Contains(p.said.String(), telegramtest.Token()) {
		p.t.Error("the token is said")
	}
	return p.cmd.ProcessState.ExitCode()
}

// wait waits until n messages were sent, and returns what the last one shows.
func (p *phone) wait(n int) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	calls, err := p.api.Wait(ctx, n, "sendMessage")
	if err != nil {
		p.t.Fatalf("%v\n%s", err, p.said.String())
	}
	return calls[len(calls)-1].Shown
}

// pair pairs a user with a new code.
func (p *phone) pair(user int64) {
	p.t.Helper()
	out, errs, code := clitest.Run(p.t, p.dir, "", "telegram", "pair")
	if code != 0 {
		p.t.Fatal(code, errs)
	}
	p.api.Send(telegramtest.Text(user, strings.TrimSpace(out)))
}

// system is the system message of the newest request, of n.
func (p *phone) system(n int) string {
	p.t.Helper()
	all, err := p.model.Await(n)
	if err != nil {
		p.t.Fatal(err)
	}
	return all[n-1].Messages()[0].Content
}

// TestS61: what one face was told is known on the phone after a compaction, in every chat, and what the phone was told on the
// others. Another account is refused.
func TestS61(t *testing.T) {
	t.Parallel()
	p := newPhone(t)
	cmd := clitest.Command(t, p.dir, p.model)
	cmd.Stdin = strings.NewReader("I am moving to Lisbon in June.\nMy boat stays where it is.\nand now?\nand then?\n:compact\n")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "/working after compaction") {
		t.Fatalf("%v\n%s", err, out)
	}
	n := len(p.model.Requests())
	p.start()
	p.pair(phoneUser)
	if got := p.wait(1); !strings.HasPrefix(got, "Paired.") {
		t.Fatal(got)
	}
	p.api.Send(telegramtest.Text(phoneUser, "Where am I going to live?"))
	if got, sys := p.wait(2), p.system(n+1); got != "All right." || !strings.Contains(sys, "Lisbon") {
		t.Errorf("%q; the request begins\n%s", got, sys)
	}
	p.api.Send(telegramtest.Message(phoneUser, `"is_topic_message":true,"message_thread_id":3,"text":"And when?"`))
	if got, sys := p.wait(3), p.system(n+2); got != "All right." || !strings.Contains(sys, "Lisbon") {
		t.Errorf("the other chat: %q\n%s", got, sys)
	}
	p.api.Send(telegramtest.Text(phoneStranger, "Where is Ada going to live?"))
	p.api.Send(telegramtest.Text(phoneStranger, "/start 12345678"))
	p.api.Send(telegramtest.Text(phoneUser, "/remember my boat is called Annabel"))
	got := p.wait(4)
	if !strings.HasPrefix(got, "remembered #1: my boat is called Annabel") || !strings.Contains(got, "/undo_1") {
		t.Errorf("%q", got)
	}
	for _, line := range clitest.MemoryLines(t, p.dir) {
		if line["content"] != nil {
			source, _ := line["source"].(map[string]any)
			if source["channel"] != "telegram" || line["origin"] != nil {
				t.Errorf("%v", line)
			}
		}
	}
	ask := clitest.Command(t, p.dir, p.model, "ask", "what is my boat called?")
	if out, err := ask.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if all := p.model.Requests(); len(all) != n+3 || !strings.Contains(string(all[n+2].Body), "Annabel") {
		t.Errorf("%d requests; the last is\n%s", len(all)-n, all[len(all)-1].Body)
	}
	for _, c := range p.api.Calls("sendMessage", "sendMessageDraft", "sendChatAction") {
		if c.Fields["chat_id"] != "1001" {
			t.Errorf("%+v", c)
		}
	}
	p.api.Send(telegramtest.Text(phoneUser, "/undo_1"))
	p.wait(5)
	if out, _, _ := clitest.Run(t, p.dir, "", "memory", "list"); strings.Contains(out, "Annabel") {
		t.Errorf("undone, and listed: %s", out)
	}
	out, _, _ := clitest.Run(t, p.dir, "", "sessions", "list", "--json")
	if strings.Count(out, `"telegram"`) != 2 {
		t.Errorf("%s", out)
	}
	if code := p.end(syscall.SIGTERM); code != 0 || strings.Count(p.said.String(), "somebody who is not paired wrote") != 1 {
		t.Errorf("%d\n%s", code, p.said.String())
	}
	for _, line := range p.api.Wrong() {
		t.Error(line)
	}
}

// TestTelegramKilled: a message that was being answered when the bot was killed is not answered again, the next one is, in
// the same conversation.
func TestTelegramKilled(t *testing.T) {
	t.Parallel()
	p := newPhone(t)
	p.start()
	p.pair(phoneUser)
	p.wait(1)
	p.api.Send(telegramtest.Text(phoneUser, "one"))
	p.wait(2)
	p.model.Add(llmtest.Hang("so "))
	id := p.api.Send(telegramtest.Text(phoneUser, "two"))
	if _, err := p.model.Await(2); err != nil {
		t.Fatal(err)
	}
	p.end(syscall.SIGKILL)
	p.api.Again(id, telegramtest.Text(phoneUser, "two")) // nobody confirmed it
	p.start()
	p.api.Send(telegramtest.Text(phoneUser, "three"))
	p.wait(4)
	said := []string{p.api.Calls("sendMessage")[2].Shown, p.api.Calls("sendMessage")[3].Shown}
	if slices.Sort(said); !slices.Equal(said, []string{"All right.", "I was ended before I had answered. If it still matters, ask again."}) {
		t.Errorf("%q", said)
	}
	all := p.model.Requests()
	last := all[len(all)-1]
	if len(all) != 3 || !strings.Contains(string(last.Body), `three"`) || !strings.Contains(string(last.Body), `"one"`) {
		t.Errorf("%d requests, the last is\n%s", len(all), last.Body)
	}
	if code := p.end(syscall.SIGINT); code != 0 {
		t.Errorf("%d\n%s", code, p.said.String())
	}
}

// TestTelegramReads: a model is offered what reads and nothing that acts, and a command that it proposes says that it needs
// the terminal.
func TestTelegramReads(t *testing.T) {
	t.Parallel()
	p := newPhone(t)
	p.model.Always(llmtest.Text("CMD: touch made\n"))
	p.start()
	p.pair(phoneUser)
	p.wait(1)
	p.api.Send(telegramtest.Text(phoneUser, "make a file"))
	if got := p.wait(2); !strings.Contains(got, "touch made") || !strings.Contains(got, "needs the terminal") {
		t.Errorf("%q", got)
	}
	all := p.model.Requests()
	for _, tool := range []string{"shell", "edit", "write"} {
		if slices.ContainsFunc(all, func(r llmtest.Request) bool { return strings.Contains(string(r.Body), `"name":"`+tool+`"`) }) {
			t.Errorf("%s is offered: %s", tool, all[0].Body)
		}
	}
	p.model.Always(llmtest.Text("done"))
	p.model.Add(llmtest.Call("c1", "shell", `{"command":"touch made"}`))
	p.api.Send(telegramtest.Text(phoneUser, "do it"))
	p.wait(3)
	if _, err := os.Stat(filepath.Join(p.dir, "made")); err == nil {
		t.Error("it was made")
	}
	if code := p.end(syscall.SIGTERM); code != 0 {
		t.Errorf("%d\n%s", code, p.said.String())
	}
}

// TestTelegramAlone: of two bots for one token the older one ends, and says why.
func TestTelegramAlone(t *testing.T) {
	t.Parallel()
	p := newPhone(t)
	p.start()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := p.api.Polled(ctx, 1); err != nil {
		t.Fatal(err)
	}
	first, said := p.cmd, p.said
	p.start()
	if err := first.Wait(); err == nil || !strings.Contains(said.String(), "ken: error: another program answers for this bot") {
		t.Errorf("%v\n%s", err, said.String())
	}
	if code := p.end(syscall.SIGTERM); code != 0 {
		t.Errorf("%d\n%s", code, p.said.String())
	}
}
