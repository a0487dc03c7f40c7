package llm_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
)

const vectors = "../../testdata/vectors/streams"

// A vector is one file of the corpus; its README says what the fields mean.
type vector struct {
	About       string  `json:"about"`
	Status      int     `json:"status"`
	ContentType string  `json:"content_type"`
	Gzip        bool    `json:"gzip"`
	End         string  `json:"end"`
	Chunks      []chunk `json:"chunks"`
	Want        want    `json:"want"`
}

type want struct {
	Text          string                     `json:"text"`
	TextRepeat    int                        `json:"text_repeat"`
	Reasoning     string                     `json:"reasoning"`
	ToolCalls     []wantCall                 `json:"tool_calls"`
	ErrorContains string                     `json:"error_contains"`
	ErrorKind     llm.Kind                   `json:"error_kind"`
	Truncated     bool                       `json:"truncated"`
	Finish        string                     `json:"finish"`
	Usage         *llm.Usage                 `json:"usage"`
	Warnings      int                        `json:"warnings"`
	Raw           map[string]json.RawMessage `json:"raw"`
}

type wantCall struct {
	ID        string                     `json:"id"`
	Name      string                     `json:"name"`
	Arguments string                     `json:"arguments"`
	Problem   bool                       `json:"problem"`
	Extra     map[string]json.RawMessage `json:"extra"`
}

type chunk []byte

func (c *chunk) UnmarshalJSON(b []byte) error {
	var plain string
	if json.Unmarshal(b, &plain) == nil {
		*c = chunk(plain)
		return nil
	}
	var long struct {
		Raw, Hex string
		Repeat   int
	}
	if err := json.Unmarshal(b, &long); err != nil {
		return err
	}
	*c = bytes.Repeat([]byte(long.Raw), max(long.Repeat, 1))
	if long.Hex != "" {
		var err error
		*c, err = hex.DecodeString(long.Hex)
		return err
	}
	return nil
}

func readVector(t *testing.T, path string) vector {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var v vector
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if v.Want.TextRepeat > 0 {
		v.Want.Text = strings.Repeat(v.Want.Text, v.Want.TextRepeat)
	}
	return v
}

// body is what the server writes after the header.
func (v vector) body(t *testing.T) []byte {
	t.Helper()
	whole := bytes.Join(func() (out [][]byte) {
		for _, c := range v.Chunks {
			out = append(out, c)
		}
		return out
	}(), nil)
	if !v.Gzip {
		return whole
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(whole); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return z.Bytes()
}

func (v vector) script(pieces [][]byte) llmtest.Script {
	s := llmtest.Script{Status: v.Status, ContentType: v.ContentType}
	for _, p := range pieces {
		s.Steps = append(s.Steps, llmtest.Step{Write: string(p)})
	}
	if v.Gzip {
		s = s.With("Content-Encoding", "gzip")
	}
	switch v.End {
	case "hold":
		s.End = llmtest.Hold
	case "break":
		s.End = llmtest.Break
	}
	return s
}

// TestStreams serves every vector over HTTP: as its author cut it, whole, byte
// by byte, and cut at random places. All give the same.
func TestStreams(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(vectors, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("%d vectors in %s, want at least 50", len(files), vectors)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := readVector(t, path)
			body := v.body(t)
			var asWritten [][]byte
			for _, c := range v.Chunks {
				asWritten = append(asWritten, c)
			}
			cuts := map[string][][]byte{}
			seeds := uint64(1)
			if len(body) < 1<<20 { // the huge one is slow enough once
				cuts["whole"] = [][]byte{body}
				cuts["byte by byte"] = split(body, func() int { return 1 })
				seeds = 3
			}
			if !v.Gzip && len(body) < 1<<20 {
				cuts["as written"] = asWritten
			}
			for seed := range seeds {
				r := rand.New(rand.NewPCG(seed, 0))
				cuts[fmt.Sprint("at random ", seed)] = split(body, func() int { return 1 + r.IntN(1+len(body)/4) })
			}
			for cut, pieces := range cuts {
				v.check(t, cut, pieces)
			}
		})
	}
}

func split(b []byte, size func() int) [][]byte {
	var out [][]byte
	for len(b) > 0 {
		n := min(size(), len(b))
		out = append(out, b[:n])
		b = b[n:]
	}
	return out
}

func (v vector) check(t *testing.T, cut string, pieces [][]byte) {
	t.Helper()
	s := llmtest.New(t)
	s.Always(v.script(pieces)) // some of these are tried again
	c := llm.New(llm.Preset{Name: "fast", BaseURL: s.URL, Model: "test"}, llm.Options{
		Grace: graceFor(v),
		Sleep: noSleep,
	})
	defer c.Close()
	var shown strings.Builder
	a, err := c.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: "user", Content: "q"}}}, func(d llm.Delta) error {
		if d.Rethought {
			shown.Reset()
		}
		shown.WriteString(d.Text)
		return nil
	})
	if v.Want.ErrorContains != "" {
		var e *llm.Error
		switch {
		case !errors.As(err, &e):
			t.Errorf("%s: error %v, want one that contains %q", cut, err, v.Want.ErrorContains)
		case !strings.Contains(err.Error(), v.Want.ErrorContains):
			t.Errorf("%s: error %q does not contain %q", cut, err, v.Want.ErrorContains)
		case v.Want.ErrorKind != "" && e.Kind != v.Want.ErrorKind:
			t.Errorf("%s: kind %s of %v, want %s", cut, e.Kind, err, v.Want.ErrorKind)
		case e.Partial != nil && !reflect.DeepEqual(*e.Partial, a):
			t.Errorf("%s: Partial is not the answer", cut)
		}
	} else if err != nil {
		t.Errorf("%s: %v", cut, err)
	}
	got := wantOf(a, v.Want)
	wanted := v.Want
	wanted.ErrorContains, wanted.ErrorKind, wanted.TextRepeat = "", "", 0
	if v.Want.ErrorContains != "" {
		got.Truncated = wanted.Truncated // beside an error it says nothing new
	}
	if len(wanted.Text) > 1<<16 {
		if got.Text != wanted.Text {
			t.Errorf("%s: %d bytes of text, want %d", cut, len(got.Text), len(wanted.Text))
		}
		got.Text, wanted.Text = "", ""
	}
	if d := cmp.Diff(wanted, got, cmp.Transformer("json", compact)); d != "" {
		t.Errorf("%s: (-want +got)\n%s", cut, d)
	}
	if err == nil && !strings.HasSuffix(shown.String(), a.Message.Content) {
		t.Errorf("%s: the deltas showed %q, the answer is %q", cut, shown.String(), a.Message.Content)
	}
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return string(raw)
	}
	return b.String()
}

// wantOf writes an answer as a want. Made-up ids are checked, and left out where
// the vector names none.
func wantOf(a llm.Answer, w want) want {
	got := want{
		Text: a.Message.Content, Reasoning: a.Reasoning, Truncated: a.Truncated, Finish: a.Finish,
		Usage: a.Usage, Warnings: len(a.Warnings), Raw: a.Message.Raw,
	}
	seen := map[string]bool{}
	for i, c := range a.Message.ToolCalls {
		wc := wantCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments, Problem: c.Problem != "", Extra: c.Extra}
		if i < len(w.ToolCalls) && w.ToolCalls[i].ID == "" && len(c.ID) == 9 && !seen[c.ID] {
			wc.ID = ""
		}
		seen[c.ID] = true
		got.ToolCalls = append(got.ToolCalls, wc)
	}
	return got
}

func graceFor(v vector) time.Duration {
	if v.End == "hold" {
		return 20 * time.Millisecond
	}
	return 0
}
