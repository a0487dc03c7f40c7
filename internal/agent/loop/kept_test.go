//go:build unix

package loop_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"ken/internal/agent/loop"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/session/outputs"
	"ken/internal/tokens"
	"ken/internal/tool"
)

// shelf keeps outputs in memory. It implements loop.Outputs.
type shelf struct {
	held map[string]string
	from memory.Origin
	next int
}

func (s *shelf) Keep(nth int, text string, from memory.Origin) (string, error) {
	name := outputs.Name(s.next, nth)
	s.held[name], s.from = text, from
	return name, nil
}

func (s *shelf) Get(_ context.Context, name string) (string, memory.Origin, error) {
	text, ok := s.held[name]
	if !ok {
		return "", "", fs.ErrNotExist
	}
	return text, s.from, nil
}

// keeping begins a question of a model with a small window, whose outputs are kept as those of turn 12.
func (b *bench) keeping() *shelf {
	s := &shelf{held: map[string]string{}, next: 12}
	b.Begin(loop.Asked{Model: "test", Window: 8192, Outputs: s})
	return s
}

// TestKept: what does not fit into a result is kept whole, clean and masked, and all of it can be read page by page; what fits,
// was read from a file, or was kept before is not kept.
func TestKept(t *testing.T) {
	t.Parallel()
	key := "ghp_" + strings.Repeat("a1B2c3", 6)
	var lines, long strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&lines, "line %d\n", i+1)
		fmt.Fprintf(&long, "word%d ", i)
	}
	b := open(t, "", map[string]string{
		"many.txt": lines.String(), "short.txt": "short\n", "one.txt": long.String() + "\n",
		"notes.txt": lines.String() + "key = " + key + "\n" + "\x1b[31mred\x1b[0m\n" + lines.String(),
	})
	s := b.keeping()
	r := b.call(t, "shell", `{"command":"cat notes.txt"}`)
	if !strings.Contains(r.Text, "left out: read_file out:12]") || tokens.Estimate(r.Text) > tool.Room(8192, 1) {
		t.Errorf("%d tokens: %.200s", tokens.Estimate(r.Text), r.Text)
	}
	kept := s.held["12"]
	bad := strings.Contains(kept, key) || strings.Contains(kept, "\x1b")
	if bad || !strings.Contains(kept, "[masked:") || !strings.Contains(kept, "\nred\n") {
		t.Errorf("kept neither clean nor masked: %.100q", kept)
	}
	for command, whole := range map[string]string{"cat many.txt": lines.String(), "cat one.txt": long.String()} {
		s.next++
		r := b.call(t, "shell", fmt.Sprintf(`{"command":%q}`, command))
		name := fmt.Sprintf("out:%d", s.next)
		if !strings.Contains(r.Text, "left out: read_file "+name+"]") {
			t.Fatalf("%s: %s", command, r.Text)
		}
		var got strings.Builder
		for offset, more := 1, true; more; {
			b.begin() // else the same file is asked for too often
			b.Begin(loop.Asked{Model: "test", Window: 8192, Outputs: s})
			r := b.call(t, "read_file", fmt.Sprintf(`{"path":%q,"offset":%d}`, name, offset))
			at := strings.LastIndex(r.Text, "\n[")
			if r.State != tool.Done || r.From != "tool" || tokens.Estimate(r.Text) > tool.Room(8192, 1) || at < 0 {
				t.Fatalf("%+v", r)
			}
			got.WriteString(r.Text[:at+1])
			var next int
			if _, note, ok := strings.Cut(r.Text[at:], "next: offset "); !ok {
				more = false
			} else if _, err := fmt.Sscanf(note, "%d", &next); err != nil || next <= offset {
				t.Fatalf("%s, %v", r.Text[at:], err)
			}
			offset = next
		}
		bare := func(text string) string { return strings.ReplaceAll(text, "\n", "") }
		if bare(got.String()) != bare(whole) {
			t.Errorf("%s: the pages have %d bytes, want %d: %.100q", command, got.Len(), len(whole), got.String())
		}
	}
	if len(s.held) != 3 {
		t.Errorf("%d are kept", len(s.held))
	}
	for call, want := range map[string]string{
		`shell {"command":"cat short.txt"}`:                  "short",
		`read_file {"path":"many.txt"}`:                      "there are more left out; next: offset ",
		`read_file {"path":"out:99"}`:                        "nothing is kept as out:99",
		`read_file {"path":"out:x"}`:                         "no such file",
		`read_file {"path":"./out:12"}`:                      "no such file",
		`read_file {"path":"out:12","offset":7,"limit":2}`:   "line 7\nline 8\n[lines 7-8 of ",
		`read_file {"path":"out:12.1"}`:                      "nothing is kept",
		`edit_file {"path":"out:12","old":"a","new":"b"}`:    "no such file",
		`read_file {"path":"out:12","offset":100000}`:        "there is no line 100000",
		`search_files {"pattern":"line 1$","path":"out:12"}`: "no such directory",
	} {
		name, args, _ := strings.Cut(call, " ")
		if r := b.call(t, name, args); !strings.Contains(r.Text, want) {
			t.Errorf("%s: %s", call, r.Text)
		}
	}
	if len(s.held) != 3 {
		t.Errorf("%d are kept", len(s.held))
	}
}

// TestKeptLines: command lines in the text of an answer have an output each; what is read again is from where it was.
func TestKeptLines(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{"a.txt": ""})
	s := b.keeping()
	var texts []string
	b.Lines(t.Context(), 11, []string{"seq 4000", "echo a", "seq 5000"}, loop.Watch{}, func(r loop.Reply) { texts = append(texts, r.Text) })
	for i, want := range []string{"read_file out:12.1]", "exit 0", "read_file out:12.3]"} {
		if !strings.Contains(texts[i], want) {
			t.Errorf("%d: %s", i, texts[i])
		}
	}
	s.from = memory.OriginExternal
	r := b.call(t, "read_file", `{"path":"out:12.3","offset":4999}`)
	if r.From != memory.OriginExternal || !strings.HasPrefix(r.Text, "4999\n5000\n") {
		t.Errorf("%+v", r)
	}
	twice := llm.ToolCall{Name: "shell", Arguments: `{"command":"seq 3000"}`}
	replies, _ := b.Answer(t.Context(), []llm.ToolCall{twice, twice}, loop.Watch{})
	if replies[0].Text != replies[1].Text || len(s.held) != 3 {
		t.Errorf("%d are kept", len(s.held))
	}
}
