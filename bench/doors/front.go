package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// How often a first token is waited for by each way, and the goal: what the endpoint may add to it.
const (
	firsts     = 300
	mostToWait = 3 * time.Millisecond
)

// model is one that answers at once, with a few tokens and the last word of the question.
func model() (url string, end func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // a cut one has no last word
		w.Header().Set("Content-Type", "text/event-stream")
		head, _, _ := bytes.Cut(body, []byte(` end"`))
		words := bytes.Fields(head)
		last := ""
		if len(words) > 0 {
			last = string(words[len(words)-1])
		}
		for i := range 20 {
			text := fmt.Sprintf("t%d ", i)
			if i == 19 {
				text = last
			}
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", text)
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
		}
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	})}
	go func() { _ = server.Serve(l) }() // until it is closed
	return "http://" + l.Addr().String(), func() { _ = server.Close() }, nil
}

// front measures the endpoint in front of a model.
func (b *bench) front(long time.Duration) error {
	url, end, err := model()
	if err != nil {
		return err
	}
	defer end()
	settings := fmt.Sprintf("[models.fast]\nbase_url = %q\nmodel = \"tiny\"\n", url)
	if err := os.WriteFile(filepath.Join(b.dir, "config.toml"), []byte(settings), 0o600); err != nil {
		return err
	}
	cmd := b.command("serve", "--tcp", "127.0.0.1:0")
	errs, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
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
	_, at, _ := strings.Cut(strings.TrimSpace(line), "serving at ")
	client := &http.Client{Transport: signed{b.tokens[0], &http.Transport{MaxIdleConnsPerHost: crowd}}}
	if err := b.first(client, url, at); err != nil {
		return err
	}
	return b.talk(client, at, long, cmd.Process.Pid)
}

// question is a body that asks a model.
func question(model, mark string) string {
	return `{"model":"` + model + `","stream":true,"messages":[{"role":"user","content":` +
		`"what does drawer 7 of desk 3 hold? ` + mark + ` end"}]}`
}

// first prints how long it takes until the first token is there, by each way in turn.
func (b *bench) first(client *http.Client, direct, through string) error {
	ways := []struct{ name, at, model string }{
		{"the model itself", direct, "tiny"}, {"through ken, no memory", through, "fast"}, {"through ken, with memory", through, "ken/fast"},
	}
	took := make([][]time.Duration, len(ways))
	for i := range firsts {
		for k, way := range ways {
			began := time.Now()
			resp, err := client.Post(way.at+"/v1/chat/completions", "application/json", strings.NewReader(question(way.model, fmt.Sprint(i))))
			if err != nil {
				return err
			}
			if _, err := resp.Body.Read(make([]byte, 1)); err != nil {
				return err
			}
			took[k] = append(took[k], time.Since(began))
			if k == 2 && resp.Header.Get("Ken-Why") == "" {
				return errors.New("the model was given no memory")
			}
			_, err = io.Copy(io.Discard, resp.Body)
			if err = errors.Join(err, resp.Body.Close()); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(b.out, "first token, %d times        %9s %9s %9s\n", firsts, "p50", "p99", "more p50")
	for k, way := range ways {
		slices.Sort(took[k])
		more := took[k][firsts/2] - took[0][firsts/2]
		fmt.Fprintf(b.out, "%-28s %9s %9s %9s\n", way.name, short(took[k][firsts/2]), short(took[k][firsts*99/100]), short(more))
		if k == 2 {
			reached := "reached"
			if more > mostToWait {
				reached = "missed"
			}
			fmt.Fprintf(b.out, "goal: at most %s more: %s\n", mostToWait, reached)
		}
	}
	return nil
}

func short(d time.Duration) string { return d.Round(10 * time.Microsecond).String() }

// talk has many clients ask at once for a while, each for an answer that is its own and whole.
func (b *bench) talk(client *http.Client, at string, long time.Duration, pid int) error {
	var all sync.WaitGroup
	var n, bad atomic.Int64
	end := time.Now().Add(long)
	for i := range crowd {
		all.Go(func() {
			for k := 0; time.Now().Before(end); k++ {
				mark := fmt.Sprintf("m%03d-%06d", i, k)
				text := []byte(nil)
				resp, err := client.Post(at+"/v1/chat/completions", "application/json", strings.NewReader(question("ken/fast", mark)))
				if err == nil {
					text, err = io.ReadAll(resp.Body)
					err = errors.Join(err, resp.Body.Close())
				}
				n.Add(1)
				if err != nil || resp.StatusCode != http.StatusOK || !bytes.Contains(text, []byte(mark)) ||
					!bytes.HasSuffix(text, []byte("data: [DONE]\n\n")) {
					bad.Add(1)
				}
			}
		})
	}
	all.Wait()
	fmt.Fprintf(b.out, "%d clients for %s: %d streams, %d errors, RSS %s\n", crowd, long, n.Load(), bad.Load(), resident(pid))
	if bad.Load() > 0 {
		return errors.New("not all was answered")
	}
	return nil
}
