//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"ken/bench/floors"
	"ken/bench/model"
)

func TestCountCalls(t *testing.T) {
	t.Parallel()
	const table = `% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 51.06    0.000241           2       114           rt_sigaction
 10.00    0.000011          11         1         1 access
------ ----------- ----------- --------- --------- ----------------
`
	tests := []struct {
		name, table string
		want        float64
		fails       bool
	}{
		{"newer total", table + "100.00    0.000472           2       115         1 total\n", 115, false},
		{"older total", table + "100.00    0.000472                   115         1 total\n", 115, false},
		{"nothing", "", 0, true},
		{"another table", " 1 2 3 four write\n", 0, true},
	}
	for _, tt := range tests {
		got, err := countCalls(tt.table)
		if got != tt.want || (err != nil) != tt.fails {
			t.Errorf("%s: %v, %v; want %v", tt.name, got, err, tt.want)
		}
	}
}

// TestWatch sees every token once, however the output is cut up and dressed.
func TestWatch(t *testing.T) {
	t.Parallel()
	a := model.Answer{Tokens: 40}
	text := strings.ReplaceAll("\x1b[1m"+a.Text(), "\n", "\x1b[0m\r\n")
	for size := 1; size <= 20; size++ {
		w := &watch{}
		for i := 0; i < len(text); i += size {
			if _, err := w.Write([]byte(text[i:min(i+size, len(text))])); err != nil {
				t.Fatal(err)
			}
		}
		if len(w.seen) != a.Tokens {
			t.Errorf("in pieces of %d bytes: %d tokens seen, want %d", size, len(w.seen), a.Tokens)
		}
	}
	w := &watch{}
	_, _ = w.Write([]byte(model.Word(0) + model.Word(2)))
	x := &model.Exchange{Sent: make([]time.Time, 3)}
	if _, err := w.delays(x); err == nil || !strings.Contains(err.Error(), "3 tokens were sent and 1 shown") {
		t.Errorf("a token that was not shown: error %v", err)
	}
}

// TestPeak checks that a program's peak is its own, not that of the large
// process that measures it.
func TestPeak(t *testing.T) {
	t.Parallel()
	ballast := bytes.Repeat([]byte{1}, 100<<20)
	b := &bench{dir: t.TempDir(), floors: map[string]string{}}
	var err error
	if b.stderr, err = os.Create(filepath.Join(b.dir, "stderr")); err != nil {
		t.Fatal(err)
	}
	defer b.stderr.Close()
	empty, err := b.floor(t.Context(), floors.Empty)
	if err != nil {
		t.Fatal(err)
	}
	mb, err := b.peak(t.Context(), program{bin: empty, dir: b.dir}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if mb < 0.1 || mb > 50 {
		t.Errorf("an empty program has a peak of %v MB", mb)
	}
	runtime.KeepAlive(ballast)
	if _, err := b.peak(t.Context(), program{bin: "/nonexistent", dir: b.dir}, io.Discard); err == nil {
		t.Error("a program that does not exist has a peak")
	}
}

// TestPrompt answers a shell that asks where the cursor is before it prompts.
func TestPrompt(t *testing.T) {
	t.Parallel()
	b := &bench{}
	script := func(text string) program {
		return program{bin: "/bin/sh", args: []string{"-c", text}, env: environment(t.TempDir())}
	}
	r, err := b.prompt(t.Context(), script(`stty -icanon -echo; printf 'hello\033[6n'; dd bs=1 count=6 2>/dev/null | grep -q R; stty icanon; printf '[ken x]> '; cat >/dev/null`))
	if err != nil {
		t.Fatal(err)
	}
	if s := r[promptMS]; len(s) != 1 || s[0] <= 0 {
		t.Errorf("time to the prompt: %v", s)
	}
	if _, err := b.prompt(t.Context(), script("echo bye")); err == nil || !strings.Contains(err.Error(), "without a prompt") {
		t.Errorf("a shell without a prompt: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.prompt(ctx, script("cat")); err == nil {
		t.Error("a shell was started after the end")
	}
}
