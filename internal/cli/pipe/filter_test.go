package pipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/term"
)

const password = "Kiwi!48" + "meadow"

// newApp is a run whose standard input is the reading end of a pipe, with the
// writing end and what it prints.
func newApp(t *testing.T) (*term.Run, *os.File, *bytes.Buffer) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	home := filepath.Join(t.TempDir(), "ken")
	var out bytes.Buffer
	return term.New(term.Env{Stdin: r, Stdout: &out, Stderr: io.Discard, Getenv: func(name string) string {
		if name == "KEN_HOME" {
			return home
		}
		return ""
	}}), w, &out
}

// run feeds pieces to the command and returns what it printed.
func run(t *testing.T, name string, args []string, pieces ...string) (string, error) {
	t.Helper()
	a, w, out := newApp(t)
	go func() {
		for _, p := range pieces {
			_, _ = io.WriteString(w, p)
		}
		_ = w.Close()
	}()
	for _, c := range Commands(a) {
		if c.Name() == name {
			c.SetArgs(args)
			c.SilenceErrors, c.SilenceUsage = true, true
			err := c.Execute()
			return out.String(), err
		}
	}
	t.Fatalf("no command %s", name)
	return "", nil
}

// A secret is masked, and an escape sequence removed, wherever the text is cut.
func TestPieces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, gone, kept string }{
		"redact": {"so my password is " + password + ", ok\n", password, "so my password is [masked:password:"},
		"clean":  {"a\x1b]52;c;aGk=\x07b \x1b[31mred\n", "\x1b", "ab red\n"},
	} {
		for i := range len(c.in) {
			got, err := run(t, name, []string{}, c.in[:i], c.in[i:])
			if err != nil || strings.Contains(got, c.gone) || !strings.Contains(got, c.kept) || strings.Contains(got, "52;c") {
				t.Fatalf("%s cut at %d: %q, %v", name, i, got, err)
			}
		}
	}
}

// A long text passes whole, also where its pieces meet.
func TestLongText(t *testing.T) {
	t.Parallel()
	var in, want strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&in, "line %d of some text that nobody minds\n", i)
		if i%997 == 0 {
			fmt.Fprintf(&in, "DB_PASSWORD=%s%d ./run\n", password, i)
		}
	}
	for line := range strings.SplitAfterSeq(in.String(), "\n") {
		if !strings.HasPrefix(line, "DB_") {
			want.WriteString(line)
		}
	}
	got, err := run(t, "redact", []string{}, in.String())
	if err != nil || strings.Contains(got, password) || strings.Count(got, "DB_PASSWORD=[masked:password:") != 21 {
		t.Fatalf("%d masked, %v", strings.Count(got, "[masked:"), err)
	}
	var rest strings.Builder
	for line := range strings.SplitAfterSeq(got, "\n") {
		if !strings.HasPrefix(line, "DB_") {
			rest.WriteString(line)
		}
	}
	if rest.String() != want.String() {
		t.Error("other lines changed")
	}
}

// Each line is answered before the next is read, so that a program can ask, wait
// and ask again.
func TestAnswersAtOnce(t *testing.T) {
	t.Parallel()
	a, w, _ := newApp(t)
	r, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	a.Env.Stdout = out
	done := make(chan error, 1)
	go func() {
		cmd := redactCommand(a)
		cmd.SetArgs([]string{"--jsonl"})
		done <- cmd.Execute()
		_ = out.Close()
	}()
	dec := json.NewDecoder(r)
	for i := range 1000 {
		if _, err := fmt.Fprintf(w, `{"id":%d,"text":"pw: %s"}`+"\n", i, password); err != nil {
			t.Fatal(err)
		}
		var got struct {
			ID   int
			Text string
			Hits []struct{ Kind string }
		}
		if err := dec.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if got.ID != i || strings.Contains(got.Text, password) || len(got.Hits) != 1 || got.Hits[0].Kind != "password" {
			t.Fatalf("line %d: %+v", i, got)
		}
	}
	_ = w.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	_ = r.Close()
}

// There is an answer to each line, of its own shape, whatever the line is.
func FuzzLines(f *testing.F) {
	f.Add("{\"id\":1,\"text\":\"pw: x\"}\n\n{\"id\":null}\n[\n")
	f.Add(`{"id":"a","text":"\ud800 \u001b[31m","id":2}`)
	f.Fuzz(func(t *testing.T, in string) {
		lines := 0
		for line := range strings.SplitSeq(in, "\n") {
			if strings.TrimPrefix(strings.Trim(line, " \t\r\n\v\f\u0085\u00a0"), "\ufeff") != "" {
				lines++
			}
		}
		for _, name := range []string{"redact", "clean"} {
			out, err := run(t, name, []string{"--jsonl"}, in)
			bad := 0
			for line := range strings.Lines(out) {
				var r map[string]json.RawMessage
				if jerr := json.Unmarshal([]byte(line), &r); jerr != nil || r["id"] == nil {
					t.Fatalf("%s: %q: %q: %v", name, in, line, jerr)
				}
				if r["error"] != nil {
					bad++
				}
			}
			if (err != nil) != (bad > 0) || strings.IndexByte(out, 0x1b) >= 0 || strings.Contains(out, "\u009b") {
				t.Fatalf("%s: %q: %d bad, %v: %q", name, in, bad, err, out)
			}
			if n := strings.Count(out, "\n"); n > lines {
				t.Fatalf("%s: %q: %d answers to %d lines", name, in, n, lines)
			}
		}
	})
}
