//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	if n := os.Getenv(toolsEnv); n != "" {
		serveTools(n, os.Stdin, os.Stdout)
		return
	}
	ken := flag.String("ken", "bin/ken", "the `FILE` of ken")
	dir := flag.String("dir", "", "`DIR` with node_modules: what stands beside ken")
	runs := flag.Int("n", 10, "how often each is run")
	flag.Parse()
	if err := measure(context.Background(), os.Stdout, *ken, *dir, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "rounds:", err)
		os.Exit(1)
	}
}

// A contender is an assistant that is asked the question.
type contender struct {
	name, version string
	home, project string
	argv, env     []string
}

const question = "What colour is the kettle in notes.md?"

// patience is how long one run may take.
const patience = 2 * time.Minute

func measure(ctx context.Context, out io.Writer, ken, dir string, runs int) error {
	work, err := os.MkdirTemp("", "rounds-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if ken, err = filepath.Abs(ken); err != nil {
		return err
	}
	model, err := listen()
	if err != nil {
		return err
	}
	defer model.server.Close()
	list, err := contenders(ctx, work, ken, dir, model.url)
	if err != nil {
		return err
	}
	if err := rounds(ctx, out, model, list, runs); err != nil {
		return err
	}
	return sizes(ctx, out, model, list[0])
}

// contenders are ken, and those that are there beside it.
func contenders(ctx context.Context, work, ken, dir, url string) ([]contender, error) {
	bin := func(name string) string { return filepath.Join(dir, "node_modules", ".bin", name) }
	all := []contender{
		{name: "ken", argv: []string{ken, "ask", question}},
		{name: "codex", argv: []string{
			bin("codex"), "exec", "--skip-git-repo-check", "-c", "model=scripted", "-c", "model_provider=scripted", "-c",
			fmt.Sprintf(`model_providers.scripted={name="scripted",base_url=%q,env_key="MODEL_KEY",wire_api="responses"}`, url), question,
		}, env: []string{"MODEL_KEY=test"}},
		{name: "opencode", argv: []string{bin("opencode"), "run", "-m", "scripted/scripted", question}, env: []string{
			"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1",
			`OPENCODE_CONFIG_CONTENT={"provider":{"scripted":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"` + url +
				`","apiKey":"test"},"models":{"scripted":{"tool_call":true,"limit":{"context":100000,"output":4000}}}}}}`,
		}},
		{name: "qwen", argv: []string{bin("qwen"), "--auth-type", "openai", "--approval-mode", "yolo", question}, env: []string{
			"OPENAI_API_KEY=test", "OPENAI_BASE_URL=" + url, "OPENAI_MODEL=scripted", "QWEN_CODE_NO_RELAUNCH=1",
		}},
	}
	var list []contender
	for _, c := range all {
		if _, err := os.Stat(c.argv[0]); err != nil {
			if c.name == "ken" {
				return nil, err
			}
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", c.name, err)
			continue
		}
		c.home, c.project = filepath.Join(work, c.name), filepath.Join(work, c.name, "project")
		for path, text := range map[string]string{
			filepath.Join(c.project, "notes.md"):              "# Notes\n\n" + inFile + "\n",
			filepath.Join(c.project, ".git", "HEAD"):          "ref: refs/heads/main\n",
			filepath.Join(c.home, "ken", "config.toml"):       settings(url),
			filepath.Join(c.home, ".qwen", "settings.json"):   `{"privacy":{"usageStatisticsEnabled":false},"telemetry":{"enabled":false}}`,
			filepath.Join(c.home, "tmp", "of-this-run-alone"): "",
		} {
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
				return nil, err
			}
		}
		cmd := exec.CommandContext(ctx, c.argv[0], "--version")
		cmd.Env = c.environ()
		said, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s --version: %w", c.name, err)
		}
		c.version = strings.TrimPrefix(strings.TrimSpace(strings.SplitN(string(said), "\n", 2)[0]), c.name+" ")
		list = append(list, c)
	}
	return list, nil
}

// settings are ken's.
func settings(url string) string {
	return fmt.Sprintf("model = \"scripted\"\n[models.scripted]\nbase_url = %q\nmodel = \"scripted\"\ncontext_tokens = 100000\n", url)
}

func (c contender) environ() []string {
	return append([]string{
		"HOME=" + c.home, "KEN_HOME=" + filepath.Join(c.home, "ken"), "TMPDIR=" + filepath.Join(c.home, "tmp"), "PATH=" + os.Getenv("PATH"),
		"TERM=xterm-256color", "LANG=C.UTF-8",
	}, c.env...)
}

func (c contender) command(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	cmd.Dir, cmd.Env = c.project, c.environ()
	return cmd
}

// A run is what one question took.
type run struct {
	wall, cpu, trip time.Duration
	requests        int
	first, all      int // bytes of the request that was answered with the call, and of all
}

// ask has an assistant answer the question.
func (c contender) ask(ctx context.Context, model *script) (r run, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	model.take()
	cmd := c.command(ctx)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	began := time.Now()
	err = cmd.Run()
	r.wall = time.Since(began)
	if err != nil {
		return r, fmt.Errorf("%s: %w: %s %s", c.name, err, last(said.String()), last(out.String()))
	}
	r.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	var call *seen
	back := false
	for _, s := range model.take() {
		r.requests++
		r.all += len(s.body)
		switch {
		case s.called != "" && call == nil:
			call, r.first = &s, len(s.body)
		case s.result != "" && call != nil && !back:
			back = strings.Contains(s.result, inFile)
			r.trip = s.arrived.Sub(call.ended)
		}
	}
	if !back || !strings.Contains(out.String(), answer) {
		return r, fmt.Errorf("%s: the command was not run, or the answer not shown: %s %s", c.name, last(said.String()), last(out.String()))
	}
	return r, nil
}

// last is the end of a text.
func last(s string) string { return strings.TrimSpace(s[max(0, len(s)-600):]) }

// rounds measures all in turn, first to last and last to first, and prints the medians beside ken's.
func rounds(ctx context.Context, out io.Writer, model *script, list []contender, runs int) error {
	got := make([][]run, len(list))
	for i := range runs + 1 {
		order := make([]int, len(list))
		for j := range order {
			order[j] = j
		}
		if i%2 == 1 {
			slices.Reverse(order)
		}
		for _, j := range order {
			r, err := list[j].ask(ctx, model)
			if err != nil {
				return err
			}
			if i > 0 { // the first one warms caches up
				got[j] = append(got[j], r)
			}
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "a question with one call, %d runs each in turn, medians (times ken)\n", runs)
	fmt.Fprint(w, "\tversion\twall\t\tCPU\t\tcall to result\t\trequests\tfirst request\t\tall bytes\t\t\n")
	for j, c := range list {
		fmt.Fprintf(w, "%s\t%s", c.name, c.version)
		for _, of := range []func(run) float64{
			func(r run) float64 { return ms(r.wall) }, func(r run) float64 { return ms(r.cpu) }, func(r run) float64 { return ms(r.trip) },
		} {
			fmt.Fprintf(w, "\t%.1f ms\t(%.1f)", median(got[j], of), over(got[j], got[0], of))
		}
		fmt.Fprintf(w, "\t%.0f", median(got[j], func(r run) float64 { return float64(r.requests) }))
		for _, of := range []func(run) float64{
			func(r run) float64 { return float64(r.first) }, func(r run) float64 { return float64(r.all) },
		} {
			fmt.Fprintf(w, "\t%.0f\t(%.1f)", median(got[j], of), over(got[j], got[0], of))
		}
		fmt.Fprint(w, "\t\n")
	}
	return w.Flush()
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func median(list []run, of func(run) float64) float64 {
	var all []float64
	for _, r := range list {
		all = append(all, of(r))
	}
	return middle(all)
}

// over is the median of the ratios, run by run.
func over(list, ken []run, of func(run) float64) float64 {
	var all []float64
	for i := range list {
		if of(ken[i]) > 0 {
			all = append(all, of(list[i])/of(ken[i]))
		}
	}
	return middle(all)
}

func middle(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}
