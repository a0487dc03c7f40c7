package llm

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A result is all that reading a body gives.
type result struct {
	Answer  Answer
	Err     string
	Torn    bool
	Partial bool
}

// read runs a body through the reader and the assembler, as an exchange does.
func read(src io.Reader) result {
	d, a := newEvents(src), newAssembler()
	var r result
	for !a.done {
		ev, err := d.next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.Err = err.Error()
			}
			break
		}
		if _, e := a.take(ev); e != nil {
			r.Err, r.Partial = e.Error(), true
			break
		}
	}
	if !r.Partial {
		a.end()
	}
	r.Answer = a.answer(map[string]bool{})
	r.Torn = a.torn
	return r
}

// pieces hands out a body in pieces whose sizes come from cuts, over and over.
type pieces struct {
	body, cuts []byte
	n          int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.body) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(p.cuts) > 0 {
		size = 1 + int(p.cuts[p.n%len(p.cuts)])
		p.n++
	}
	n := copy(b, p.body[:min(size, len(p.body))])
	p.body = p.body[n:]
	return n, nil
}

func FuzzSSE(f *testing.F) {
	paths, err := filepath.Glob("../../testdata/vectors/streams/*.json")
	if err != nil || len(paths) == 0 {
		f.Fatalf("%d vectors, %v", len(paths), err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		var v struct{ Chunks []json.RawMessage }
		if err := json.Unmarshal(data, &v); err != nil {
			f.Fatal(err)
		}
		var body []byte
		for _, c := range v.Chunks {
			if s, ok := text(c); ok {
				body = append(body, s...)
			}
		}
		f.Add(body, []byte{0})
		f.Add(body, []byte{3, 40, 0})
	}
	f.Fuzz(func(t *testing.T, body, cuts []byte) {
		whole := read(&pieces{body: body, cuts: []byte{255}})
		if d := cmp.Diff(whole, read(&pieces{body: body, cuts: cuts})); d != "" {
			t.Errorf("cut by %v: %s", cuts, d)
		}
		for _, c := range whole.Answer.Message.ToolCalls {
			if c.ID == "" || c.Problem == "" && !json.Valid([]byte(c.Arguments)) {
				t.Errorf("call %+v", c)
			}
		}
		// What was assembled can be sent back.
		b, err := Preset{}.body(Request{Messages: []Message{whole.Answer.Message}}, Preset{}.shape())
		if err != nil || !json.Valid(b) {
			t.Errorf("sent back as %s, %v", b, err)
		}
		record := MarshalToolCalls(whole.Answer.Message.ToolCalls)
		calls, err := ParseToolCalls(record)
		if err != nil {
			t.Fatalf("%s: %v", record, err)
		}
		if again := MarshalToolCalls(calls); string(again) != string(record) {
			t.Errorf("record %s reads as %s", record, again)
		}
	})
}

func FuzzThink(f *testing.F) {
	for _, s := range []string{
		"<think>a</think>b", "a</think>b", "<think>a<think>b</think>c</think>d", "use `</think>`", "<think>a",
		"a\n```\n</think>\n```\nb", " <THINKING>\n</Think>", "<think>`</think>", "a<thi", "\n\n",
	} {
		f.Add(s, []byte{1})
		f.Add(s, []byte{3, 5, 9})
	}
	f.Fuzz(func(t *testing.T, content string, cuts []byte) {
		var at []int
		n := 0
		for _, c := range cuts {
			n += 1 + int(c)
			if n < len(content) {
				at = append(at, n)
			}
		}
		checkSplits(t, content, at)
	})
}

func FuzzWalk(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"\"]"}],"c":null}`))
	f.Add([]byte(`["\ud83d\ude00", -1e9 , []]`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		if json.Valid(doc) {
			checkWalk(t, doc)
		}
	})
}
