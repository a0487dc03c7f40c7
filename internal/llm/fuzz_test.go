package llm_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/llm"
	"ken/internal/llm/delta"
	"ken/internal/llm/wire"
)

// A result is all that reading a body gives.
type result struct {
	Whole   delta.Whole
	Err     string
	Partial bool
}

// read runs a body through the reader and the assembler, as an exchange does.
func read(src io.Reader) result {
	d, a := wire.NewReader(src), delta.New()
	var r result
	for !a.Done() {
		ev, err := d.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.Err = err.Error()
			}
			break
		}
		if _, e := a.Take(ev); e != nil {
			r.Err, r.Partial = e.Message, true
			break
		}
	}
	if !r.Partial {
		a.End()
	}
	r.Whole = a.Whole(map[string]bool{})
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
			if s, ok := wire.Text(c); ok {
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
		for _, c := range whole.Whole.ToolCalls {
			if c.ID == "" || c.Problem == "" && !json.Valid([]byte(c.Arguments)) {
				t.Errorf("call %+v", c)
			}
		}
		// What was assembled can be sent back.
		w := whole.Whole
		m := llm.Message{Role: "assistant", Content: w.Content, ToolCalls: w.ToolCalls, Raw: w.Raw}
		b, err := llm.New(llm.Preset{Model: "m"}, llm.Options{}).Body(llm.Request{Messages: []llm.Message{m}})
		if err != nil || !json.Valid(b) {
			t.Errorf("sent back as %s, %v", b, err)
		}
		record := llm.MarshalToolCalls(whole.Whole.ToolCalls)
		calls, err := llm.ParseToolCalls(record)
		if err != nil {
			t.Fatalf("%s: %v", record, err)
		}
		if again := llm.MarshalToolCalls(calls); string(again) != string(record) {
			t.Errorf("record %s reads as %s", record, again)
		}
	})
}
