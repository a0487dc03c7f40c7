package battery

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/cli"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/review"
)

// runKen runs the program itself over a home.
func runKen(t *testing.T, h *Home, args ...string) (code int, out string) {
	t.Helper()
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }() // it was only read
	var b bytes.Buffer
	code = cli.Run(t.Context(), term.Env{
		Args: args, Stdin: in, Stdout: &b, Stderr: &b, Dir: h.Dir, Now: time.Now,
		Getenv: func(name string) string {
			switch name {
			case "KEN_HOME":
				return h.Dir
			case "HOME":
				return filepath.Join(h.Dir, "nowhere")
			}
			return ""
		},
	})
	return code, b.String()
}

// TestDamageIsTold: ken check finds nothing in a sound home, and each line that is
// damaged in any file.
func TestDamageIsTold(t *testing.T) {
	t.Parallel()
	h := NewHome(temp(t)())
	if err := os.WriteFile(filepath.Join(h.Dir, "config.toml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, d := range Drivers() {
		if d.Ready != nil {
			continue // it begins with damage
		}
		if err := d.Run(t.Context(), h, NewLedger()); err != nil {
			t.Fatal(d.Name, err)
		}
	}
	if code, out := runKen(t, h, "check"); code != 0 {
		t.Fatalf("a sound home: exit %d: %s", code, out)
	}
	files, err := h.sessionFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(files, h.Memory(), h.Review()) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := appendRaw(path, damaged+"\n"); err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprint(bytes.Count(text, []byte("\n")) + 1)
		code, out := runKen(t, h, "check")
		if code != 1 || !strings.Contains(out, filepath.Base(path)) || !strings.Contains(out, line) {
			t.Errorf("%s is damaged on line %s: exit %d: %s", filepath.Base(path), line, code, out)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// late is a log before whose next append something else happens.
type late struct {
	*filelog.Log
	before func()
}

// Append implements memory.Log.
func (l *late) Append(ctx context.Context, at memory.Cursor, plan func([]memory.Entry) ([]memory.Record, error)) (memory.Cursor, error) {
	if do := l.before; do != nil {
		l.before = nil
		do()
	}
	return l.Log.Append(ctx, at, plan)
}

// TestYesBehindNo answers a proposal with yes in one process, when another has just
// answered with no: the no stands, and whoever said yes is told.
func TestYesBehindNo(t *testing.T) {
	t.Parallel()
	h, l := NewHome(temp(t)()), NewLedger()
	ref, err := proposed(t.Context(), l, h.Engine(), "answered twice")
	if err != nil {
		t.Fatal(err)
	}
	own := &late{Log: h.Log()}
	own.before = func() {
		err := l.Do(Refused, "answered twice", Stands, Gone, func() error {
			_, err := h.Engine().Decide(t.Context(), ref, engine.Answer{Verdict: review.No})
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	e := engine.New(engine.Options{Own: own, Now: h.Now, Queue: h.queue()}).As(engine.Actor{Kind: engine.Person})
	if _, err := e.Decide(t.Context(), ref, engine.Answer{Verdict: review.Yes}); !errors.Is(err, review.ErrDecided) {
		t.Errorf("the yes: %v, want ErrDecided", err)
	}
	l.Set(Active, "answered twice", Gone)
	if err := Check(t.Context(), h, l, false); err != nil {
		t.Error(err)
	}
}
