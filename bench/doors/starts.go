package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// begins is how often each face is started.
const begins = 31

// A start is a face, and when it is there.
type start struct {
	name  string
	args  []string
	input string // its standard input; "": none
	// there reads what the face says until it is there.
	there func(out, errs *bufio.Reader) error
}

// starts prints how long it takes until each face is there, and the memory that it has then, its own and with what it shares.
func (b *bench) starts() error {
	asked := make(chan struct{}, 1)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/getUpdates") {
			select {
			case asked <- struct{}{}:
			default:
			}
			_, _ = io.Copy(io.Discard, r.Body) // so that it is seen who hangs up
			<-r.Context().Done()               // as one that has no news
			return
		}
		_, _ = io.WriteString(w, `{"ok":true,"result":{"id":17,"is_bot":true,"first_name":"ken","username":"ken_bot"}}`)
	}))
	defer api.Close()
	defer api.CloseClientConnections()
	token := filepath.Join(b.dir, "bot")
	settings := fmt.Sprintf("[telegram]\ntoken_file = %q\napi_url = %q\n", token, api.URL)
	if err := errors.Join(os.WriteFile(token, []byte("17:made-up\n"), 0o600),
		os.WriteFile(filepath.Join(b.dir, "config.toml"), []byte(settings), 0o600)); err != nil {
		return err
	}
	reply := func(out, _ *bufio.Reader) error {
		line, err := out.ReadString('\n')
		if err == nil && !strings.Contains(line, `"result"`) {
			err = fmt.Errorf("it answers %s", line)
		}
		return err
	}
	said := func(_, errs *bufio.Reader) error { _, err := errs.ReadString('\n'); return err }
	fmt.Fprintf(b.out, "%-28s %9s %9s %9s %9s\n", "start", "p50", "p90", "RSS", "own")
	for _, s := range []start{
		{name: "ken --version", args: []string{"--version"}},
		{name: "ken hook claude", args: []string{"hook", "claude"}, input: `{"hook_event_name":"SessionStart","source":"startup","cwd":"/"}`},
		{name: "ken mcp", args: []string{"mcp"}, input: hello("2025-06-18"), there: reply},
		{name: "ken mcp --no-block", args: []string{"mcp", "--no-block"}, input: hello("2025-06-18"), there: reply},
		{name: "ken acp", args: []string{"acp"}, input: hello(1), there: reply},
		{name: "ken serve", args: []string{"serve"}, there: said},
		{name: "ken serve --tcp", args: []string{"serve", "--tcp", "127.0.0.1:0"}, there: said},
		{name: "ken telegram", args: []string{"telegram"}, there: func(*bufio.Reader, *bufio.Reader) error {
			select {
			case <-asked:
				return nil
			case <-time.After(10 * time.Second):
				return errors.New("it asks for no news")
			}
		}},
	} {
		if err := b.start(s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return os.Remove(filepath.Join(b.dir, "config.toml"))
}

// hello is the first request of both protocols, which have the same fields.
func hello(version any) string {
	b, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "initialize",
		"params": map[string]any{
			"protocolVersion": version, "capabilities": map[string]any{}, "clientCapabilities": map[string]any{},
			"clientInfo": map[string]any{"name": "doors", "version": "1"},
		},
	})
	if err != nil {
		panic(err)
	}
	return string(b) + "\n"
}

// start starts a face again and again.
func (b *bench) start(s start) error {
	var took []time.Duration
	rss, own := "-", "-"
	for i := range begins {
		err := func() error {
			cmd := b.command(s.args...)
			in, err := cmd.StdinPipe()
			if err != nil {
				return err
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				return err
			}
			errs, err := cmd.StderrPipe()
			if err != nil {
				return err
			}
			began := time.Now()
			if err := cmd.Start(); err != nil {
				return err
			}
			if s.there == nil {
				return b.whole(cmd, in, out, errs, s.input, func() { took = append(took, time.Since(began)) })
			}
			if _, err := io.WriteString(in, s.input); err != nil {
				return err
			}
			readers := [2]*bufio.Reader{bufio.NewReader(out), bufio.NewReader(errs)}
			err = s.there(readers[0], readers[1])
			took = append(took, time.Since(began))
			if i == begins-1 {
				time.Sleep(time.Second) // what it does when nobody asks
				rss, own = resident(cmd.Process.Pid), status(cmd.Process.Pid, "RssAnon:")
			}
			_ = in.Close()
			_ = cmd.Process.Signal(syscall.SIGTERM)
			var all sync.WaitGroup
			for _, r := range readers {
				all.Go(func() { _, _ = io.Copy(io.Discard, r) })
			}
			all.Wait()
			_ = cmd.Wait() // how it ends by a signal is its own affair
			return err
		}()
		if err != nil {
			return err
		}
	}
	slices.Sort(took)
	fmt.Fprintf(b.out, "%-28s %9s %9s %9s %9s\n", s.name, short(took[len(took)/2]), short(took[len(took)*9/10]), rss, own)
	return nil
}

// whole waits until a command ends, which says its all.
func (b *bench) whole(cmd *exec.Cmd, in io.WriteCloser, out, errs io.Reader, input string, ended func()) error {
	_, err := io.WriteString(in, input)
	err = errors.Join(err, in.Close())
	_, _ = io.Copy(io.Discard, out)
	text, _ := io.ReadAll(errs)
	if err = errors.Join(err, cmd.Wait()); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	ended()
	return nil
}
