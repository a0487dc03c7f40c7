// Doors measures what it costs that an assistant adds and recalls, by each way that there is to one memory, beside the reference
// server of the protocol: doors -ken FILE [-dir DIRECTORY], in which npm installed @modelcontextprotocol/server-memory. With
// -front it measures the endpoint in front of a model, and with -starts how soon each face is there.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// How much is remembered, and how often each thing is done. A client may suggest sixty times in a minute.
const (
	memories = 1000
	adds     = 150
	recalls  = 450
	tokens   = 4
	crowd    = 64
)

func main() {
	ken := flag.String("ken", "bin/ken", "the `FILE` of ken")
	npm := flag.String("dir", "", "a `DIR` with node_modules")
	long := flag.Duration("for", time.Minute, "how long 64 clients ask at once")
	front := flag.Bool("front", false, "measure the endpoint in front of a model instead")
	starts := flag.Bool("starts", false, "measure how soon each face is there instead")
	flag.Parse()
	do := func(b *bench) error { return b.doors(*npm, *long) }
	switch {
	case *front:
		do = func(b *bench) error { return b.front(*long) }
	case *starts:
		do = (*bench).starts
	}
	if err := run(os.Stdout, *ken, do); err != nil {
		fmt.Fprintln(os.Stderr, "doors:", err)
		os.Exit(1)
	}
}

// A bench is a memory to measure.
type bench struct {
	out      io.Writer
	ken, dir string
	tokens   []string
}

func run(out io.Writer, ken string, do func(*bench) error) error {
	dir, err := os.MkdirTemp("", "doors")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if ken, err = filepath.Abs(ken); err != nil {
		return err
	}
	b := &bench{out: out, ken: ken, dir: dir}
	var lines strings.Builder
	for i := range memories {
		fmt.Fprintf(&lines, `{"id":%d,"ts":"2026-03-01T00:00:00Z","kind":"fact","content":"%s"}`+"\n", i+1, text(i))
	}
	if err := os.WriteFile(filepath.Join(dir, "memory.jsonl"), []byte(lines.String()), 0o600); err != nil {
		return err
	}
	for i := range tokens {
		token, err := b.command("serve", "token", "add", fmt.Sprintf("t%d", i)).Output()
		if err != nil {
			return err
		}
		b.tokens = append(b.tokens, strings.TrimSpace(string(token)))
	}
	return do(b)
}

// doors measures each way to the memory.
func (b *bench) doors(npm string, long time.Duration) error {
	fmt.Fprintf(b.out, "%-28s %9s %9s %9s %9s %9s %9s\n", "by", "ready", "add p50", "add p99", "recall", "p99", "RSS")
	if err := b.streams("ken mcp", b.command("mcp"), "recall", "remember", false); err != nil {
		return err
	}
	for _, args := range [][]string{{"mcp", "--http", "127.0.0.1:0"}, {"serve", "--tcp", "127.0.0.1:0"}, {"serve"}} {
		if err := b.web(args, long); err != nil {
			return err
		}
	}
	if npm == "" {
		return nil
	}
	cmd := exec.Command(filepath.Join(npm, "node_modules", ".bin", "node"),
		filepath.Join(npm, "node_modules", "@modelcontextprotocol", "server-memory", "dist", "index.js"))
	cmd.Env = append(os.Environ(), "MEMORY_FILE_PATH="+filepath.Join(b.dir, "reference.jsonl"))
	return b.streams("server-memory (npm)", cmd, "search_nodes", "create_entities", true)
}

// text is one memory.
func text(i int) string {
	return fmt.Sprintf("drawer %d of desk %d holds string number %d", i%97, i%31, i)
}

func (b *bench) command(args ...string) *exec.Cmd {
	cmd := exec.Command(b.ken, args...)
	cmd.Env = []string{"KEN_HOME=" + b.dir, "HOME=" + b.dir, "PATH=" + os.Getenv("PATH")}
	cmd.Dir = b.dir
	return cmd
}

// streams measures a server over standard streams.
func (b *bench) streams(name string, cmd *exec.Cmd, recall, add string, reference bool) error {
	began := time.Now()
	s, err := connect(&mcp.CommandTransport{Command: cmd})
	if err != nil {
		return err
	}
	ready := time.Since(began)
	defer func() { _ = s.Close() }()
	if reference {
		var all []map[string]any
		for i := range memories {
			all = append(all, entity(i))
		}
		if err := call(s, add, map[string]any{"entities": all}); err != nil {
			return err
		}
	}
	return b.measure(name, ready, []*mcp.ClientSession{s}, recall, add, reference, cmd.Process.Pid)
}

func entity(i int) map[string]any {
	return map[string]any{"name": fmt.Sprintf("drawer-%d", i), "entityType": "fact", "observations": []string{text(i)}}
}

// web measures a server over HTTP.
func (b *bench) web(args []string, long time.Duration) error {
	cmd := b.command(args...)
	errs, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}()
	line, err := bufio.NewReader(errs).ReadString('\n')
	if err != nil {
		return err
	}
	ready := time.Since(began)
	_, at, _ := strings.Cut(strings.TrimSpace(line), "serving at ")
	way := &http.Transport{MaxIdleConnsPerHost: crowd}
	if !strings.HasPrefix(at, "http") {
		socket := at
		at = "http://localhost"
		way.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}
	}
	var sessions []*mcp.ClientSession
	for _, t := range b.tokens {
		s, err := connect(&mcp.StreamableClientTransport{
			Endpoint: strings.TrimSuffix(at, "/mcp") + "/mcp", DisableStandaloneSSE: true, HTTPClient: &http.Client{Transport: signed{t, way}},
		})
		if err != nil {
			return err
		}
		sessions = append(sessions, s)
	}
	name := "ken " + strings.Join(args, " ")
	if err := b.measure(name, ready, sessions, "recall", "remember", false, cmd.Process.Pid); err != nil {
		return err
	}
	if args[0] == "serve" && len(args) > 1 {
		if err := b.ask(at, &http.Client{Transport: signed{b.tokens[0], way}}, long, cmd.Process.Pid); err != nil {
			return err
		}
	}
	time.Sleep(time.Until(began.Add(61 * time.Second))) // the next may suggest again
	return nil
}

// ask has many clients recall at once for a while.
func (b *bench) ask(at string, client *http.Client, long time.Duration, pid int) error {
	var all sync.WaitGroup
	var n, bad atomic.Int64
	end := time.Now().Add(long)
	for range crowd {
		all.Go(func() {
			for time.Now().Before(end) {
				resp, err := client.Get(at + "/api/recall?q=drawer+string")
				if err == nil {
					_, err = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
				if n.Add(1); err != nil || resp.StatusCode != http.StatusOK {
					bad.Add(1)
				}
			}
		})
	}
	all.Wait()
	fmt.Fprintf(b.out, "%d clients for %s: %d answers, %d errors, RSS %s\n", crowd, long, n.Load(), bad.Load(), resident(pid))
	if bad.Load() > 0 {
		return errors.New("not all was answered")
	}
	return nil
}

// signed sends a token along.
type signed struct {
	token string
	way   http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (s signed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.token)
	return s.way.RoundTrip(r)
}

func connect(to mcp.Transport) (*mcp.ClientSession, error) {
	return mcp.NewClient(&mcp.Implementation{Name: "doors", Version: "1"}, nil).Connect(context.Background(), to, nil)
}

func call(s *mcp.ClientSession, tool string, args map[string]any) error {
	r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err == nil && r.IsError {
		err = fmt.Errorf("%s: %v", tool, r.Content[0])
	}
	return err
}

// measure prints a row. What is added and recalled differs from call to call.
func (b *bench) measure(name string, ready time.Duration, by []*mcp.ClientSession, recall, add string, reference bool, pid int) error {
	idle, own := resident(pid), status(pid, "RssAnon:")
	timed := func(times int, one func(i int) error) ([]time.Duration, error) {
		took := make([]time.Duration, 0, times)
		for i := range times {
			began := time.Now()
			if err := one(i); err != nil {
				return nil, err
			}
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		return took, nil
	}
	found, err := timed(recalls, func(i int) error {
		return call(by[i%len(by)], recall, map[string]any{"query": fmt.Sprintf("drawer %d", i%97)})
	})
	if err != nil {
		return err
	}
	added, err := timed(adds, func(i int) error {
		args := map[string]any{"text": fmt.Sprintf("lamp %d of %s is blue", i, name)}
		if reference {
			args = map[string]any{"entities": []map[string]any{entity(memories + i)}}
		}
		return call(by[i%len(by)], add, args)
	})
	if err != nil {
		return err
	}
	at := func(d []time.Duration, percent int) string {
		return d[len(d)*percent/100].Round(10 * time.Microsecond).String()
	}
	fmt.Fprintf(b.out, "%-28s %9s %9s %9s %9s %9s %s idle, %s own, %s\n", name, ready.Round(100*time.Microsecond),
		at(added, 50), at(added, 99), at(found, 50), at(found, 99), idle, own, resident(pid))
	return nil
}

// resident is the memory that a process holds, as the system says: also what it shares with others, as the program's own file.
func resident(pid int) string { return status(pid, "VmRSS:") }

// status is a size that the system says of a process.
func status(pid int, name string) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "?"
	}
	for line := range strings.Lines(string(text)) {
		if kb, ok := strings.CutPrefix(line, name); ok {
			var n int
			_, _ = fmt.Sscan(kb, &n)
			return fmt.Sprintf("%.1f MB", float64(n)/1024)
		}
	}
	return "?"
}
