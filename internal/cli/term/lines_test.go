package term

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnswerLines: one reply for each line that is not blank, in order, each before the
// next line is read; what cannot be read costs its own reply and is never quoted.
func TestAnswerLines(t *testing.T) {
	t.Parallel()
	type request struct {
		ID   int      `json:"id"`
		Text string   `json:"text"`
		Tags []string `json:"tags"`
	}
	type reply struct {
		ID  int    `json:"id"`
		Say string `json:"say"`
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out bytes.Buffer
	a := New(Env{Stdin: r, Stdout: &out})
	lines := []struct{ in, want string }{
		{`{"id":1,"text":"a"}`, `{"id":1,"say":"line 1: a <nil>"}`},
		{"  \t", ""},
		{`{"id":2,"text":"<\u001b[2J>"}`, `{"id":2,"say":"line 3: <\u001b[2J> <nil>"}`},
		{`hunter2`, `{"id":0,"say":"line 4:  no JSON"}`},
		{`["hunter2"]`, `{"id":0,"say":"line 5:  no JSON object"}`},
		{`{"id":3,"text":["hunter2"]}`, `{"id":3,"say":"line 6:  text is no string"}`},
		{`{"id":4,"tags":"hunter2"}`, `{"id":4,"say":"line 7:  tags is not what it should be"}`},
		{`{"id":5,"text":"` + strings.Repeat("hunter2", 30) + `"}`, `{"id":0,"say":"line 8:  longer than 100 bytes"}`},
		{`{"id":6,"text":"raw"}`, "raw\\u001b"},
		{`{"id":7,"text":"none"}`, ""},
	}
	n := 0
	feed := func() { // the next line is written only when this one is answered
		if n == len(lines) {
			w.Close()
			return
		}
		if _, err := io.WriteString(w, lines[n].in+"\n"); err != nil {
			t.Error(err)
		}
		if n++; strings.TrimSpace(lines[n-1].in) == "" {
			if _, err := io.WriteString(w, lines[n].in+"\n"); err != nil {
				t.Error(err)
			}
			n++
		}
	}
	feed()
	err = AnswerLines(a, "cup", 100, func(line int, q request, bad error) (any, bool, error) {
		defer feed()
		switch q.Text {
		case "raw":
			return []byte("raw\x1b"), true, nil
		case "none":
			return nil, false, nil
		}
		return reply{q.ID, fmt.Sprintf("line %d: %s %v", line, q.Text, bad)}, true, nil
	})
	if err == nil || err.Error() != "6 cups not answered" {
		t.Errorf("error %v, want 6 cups not answered", err)
	}
	var want strings.Builder
	for _, l := range lines {
		if l.want != "" {
			want.WriteString(l.want + "\n")
		}
	}
	if out.String() != want.String() {
		t.Errorf("got\n%swant\n%s", out.String(), want.String())
	}

	stop := errors.New("stop")
	path := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(path, []byte("{}\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a.Env.Stdin = f
	calls := 0
	err = AnswerLines(a, "cup", 100, func(int, request, error) (any, bool, error) { calls++; return nil, true, stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("an error of the answer: %v after %d calls", err, calls)
	}
}
