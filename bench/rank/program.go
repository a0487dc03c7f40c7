package rank

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A program is ken with the conversations imported into a home of its own.
type program struct {
	ken, home string
	clock     func() time.Time
	// wall and cpu are what the process took that answered last.
	wall, cpu time.Duration
}

// newProgram imports the conversations.
func newProgram(ctx context.Context, d *dataset, o Options) (*program, error) {
	p := &program{ken: o.Ken, home: filepath.Join(o.Dir, "home"), clock: o.Clock}
	if err := os.Mkdir(p.home, 0o700); err != nil {
		return nil, fmt.Errorf("make a home: %w", err)
	}
	var lines bytes.Buffer
	for i := range d.turns {
		line, err := d.turns[i].importLine()
		if err != nil {
			return nil, err
		}
		lines.Write(append(line, '\n'))
	}
	if _, err := p.run(ctx, lines.Bytes(), "import", "--format", "turns", "-"); err != nil {
		return nil, err
	}
	return p, nil
}

// run runs ken in its home.
func (p *program) run(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, p.ken, args...)
	cmd.Dir = p.home
	cmd.Env = []string{"KEN_HOME=" + p.home, "HOME=" + p.home, "PATH=" + os.Getenv("PATH")}
	cmd.Stdin = bytes.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	start := p.clock()
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ken %s: %w\n%s", args[0], err, errs.Bytes())
	}
	p.wall, p.cpu = p.clock().Sub(start), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	return out, nil
}

// ask asks all questions in one process, each of its own conversation or, pooled,
// of all.
func (p *program) ask(ctx context.Context, d *dataset, pooled bool) (finder, error) {
	var lines bytes.Buffer
	for i := range d.questions {
		q := &d.questions[i]
		ask := map[string]any{"id": q.ID, "query": q.Text, "k": depth}
		if !pooled {
			ask["scope"] = q.Conv
		}
		line, err := json.Marshal(ask)
		if err != nil {
			return nil, fmt.Errorf("question %s: %w", q.ID, err)
		}
		lines.Write(append(line, '\n'))
	}
	out, err := p.run(ctx, lines.Bytes(), "recall", "--jsonl")
	if err != nil {
		return nil, err
	}
	found, err := turnsFound(out)
	if err != nil {
		return nil, err
	}
	if len(found) != len(d.questions) {
		return nil, fmt.Errorf("%d answers to %d questions", len(found), len(d.questions))
	}
	return func(q *question, _ string) []string { return found[q.ID] }, nil
}

// turnsFound reads answers of `ken recall --jsonl`: by the id of the question the ids of
// the turns, best first.
func turnsFound(out []byte) (map[string][]string, error) {
	found := make(map[string][]string)
	for line := range bytes.Lines(out) {
		var answer struct {
			ID   string `json:"id"`
			Hits []struct {
				Turn string `json:"turn"`
			} `json:"hits"`
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			return nil, fmt.Errorf("answer of ken: %w", err)
		}
		list := make([]string, len(answer.Hits))
		for i, h := range answer.Hits {
			list[i] = h.Turn
		}
		found[answer.ID] = list
	}
	return found, nil
}
