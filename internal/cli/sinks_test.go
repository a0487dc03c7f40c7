//go:build linux || darwin

package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// hostileTexts are those of the vectors that JSON can hold as they are.
func hostileTexts(t *testing.T) []string {
	t.Helper()
	f, err := os.Open("../../testdata/vectors/terminal/texts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var s struct{ Kind, Text string }
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		if s.Kind == "hostile" && s.Text != "" {
			all = append(all, s.Text)
		}
	}
	if len(all) < 60 {
		t.Fatalf("only %d texts", len(all))
	}
	return all
}

// inert fails if an output would do anything to a terminal.
func inert(t *testing.T, what, out string) {
	t.Helper()
	at := strings.IndexFunc(out, func(r rune) bool { return (r < 0x20 || r >= 0x7f && r < 0xa0) && r != '\n' && r != '\t' })
	if at >= 0 {
		t.Errorf("%s: %q", what, out[max(0, at-40):min(len(out), at+40)])
	}
}

// TestSinkAViews: memories, proposals, tags and scopes with hostile texts, written into the
// files by another program, act on no terminal whatever view shows them.
func TestSinkAViews(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	home := filepath.Join(dir, "ken")
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	var log, queue strings.Builder
	log.WriteString(`{"meta":{"format":1,"log":"here-1","created":"2026-01-01T00:00:00Z"}}` + "\n")
	texts := hostileTexts(t)
	for i, s := range texts {
		line, err := json.Marshal(map[string]any{
			"id": i + 1, "ts": "2026-01-01T00:00:00Z", "kind": "fact", "content": "kettle " + s + " end", "tags": []string{"tag" + s}, "subtype": s,
		})
		if err != nil {
			t.Fatal(err)
		}
		log.Write(append(line, '\n'))
		line, err = json.Marshal(map[string]any{
			"id": i + 1, "ts": "2026-01-01T00:00:00Z", "kind": "proposal", "of": "memory", "origin": "model", "why": "because " + s,
			"record": map[string]any{"kind": "fact", "content": "pan " + s + " end"}, "hash": fmt.Sprintf("%08x", i),
		})
		if err != nil {
			t.Fatal(err)
		}
		queue.Write(append(line, '\n'))
	}
	for name, text := range map[string]string{"memory.jsonl": log.String(), "review.jsonl": queue.String()} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shown := 0
	for _, args := range [][]string{
		{"memory", "list"},
		{"memory", "list", "--json"},
		{"memory", "show", "1"},
		{"memory", "show", "30", "--json"},
		{"recall", "kettle end"},
		{"recall", "--json", "kettle end"},
		{"ask", "what do you know about kettle end"},
		{"memory", "export"},
		{"review", "--json"},
		{"why-not", "3"},
		{"check"},
		{"doctor"},
		{"memory", "scan"},
	} {
		out, _ := clitest.Command(t, dir, nil, args...).CombinedOutput() // some of them find fault with the files
		if len(out) == 0 {
			t.Errorf("%v prints nothing", args)
		}
		inert(t, strings.Join(args, " "), string(out))
		if strings.Contains(string(out), " end") {
			shown++
		} else {
			t.Logf("%v shows none of them: %.200s", args, out)
		}
	}
	if shown < 8 {
		t.Errorf("only %d views show them", shown)
	}
}

// TestSinkAModel: what a model says, and what it suggests, acts on no terminal, and is
// kept clean.
func TestSinkAModel(t *testing.T) {
	t.Parallel()
	texts := hostileTexts(t)
	dir := t.TempDir()
	model := llmtest.New(t)
	model.Always(llmtest.Text("x"))
	for i, s := range texts {
		half := len(s) / 2
		for half > 0 && s[half]&0xc0 == 0x80 {
			half--
		}
		model.Always(llmtest.Text("answer "+s[:half], s[half:]+" end"))
		args := []string{"ask", "say it"}
		if i%4 == 3 {
			args = []string{"suggest", "say it"}
		}
		cmd := clitest.Command(t, dir, model, args...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%q: %v\n%s", s, err, out)
		}
		inert(t, fmt.Sprintf("%q", s), string(out))
	}
	var kept strings.Builder
	for line := range strings.SplitSeq(clitest.Sessions(t, dir), "\n") {
		var turn struct{ Content string }
		if json.Unmarshal([]byte(line), &turn) == nil {
			kept.WriteString(turn.Content + "\n")
		}
	}
	inert(t, "the sessions", kept.String())
}

// TestSinkATitle: a name that others chose, of a directory or a link, changes nothing on
// the terminal, and a link goes where its text says.
func TestSinkATitle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	evil := "d\x1b]2;gotcha\x07\x1b[31m"
	if err := os.Mkdir(filepath.Join(dir, evil), 0o700); err != nil {
		t.Fatal(err)
	}
	model := llmtest.New(t, llmtest.Text("see [the bank](https://evil.test/), <file:///etc/passwd>, [x](javascript:alert) and https://example.org/a\x1b]2;gotcha\x07 done"))
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send("cd d*\r")
	x.Await("]> ")
	x.Send("where?\r")
	x.Await("done")
	x.Await("]> ")
	x.Send(":quit\r")
	x.Exit()
	text := x.Text()
	for _, no := range []string{"\x1b]2;", "\x1b]0;", "gotcha\x07", "\x1b]8;;file", "\x1b]8;;javascript"} {
		if strings.Contains(text, no) {
			t.Errorf("the terminal got %q", no)
		}
	}
	for rest := text; ; {
		i := strings.Index(rest, "\x1b]8;;http")
		if i < 0 {
			break
		}
		rest = rest[i+len("\x1b]8;;"):]
		target := rest[:strings.IndexAny(rest, "\x1b\x07")]
		shown, _, _ := strings.Cut(rest[len(target):], "\x1b]8;;")
		if !strings.Contains(shown, target) {
			t.Errorf("a link to %q says %q", target, shown)
		}
	}
}
