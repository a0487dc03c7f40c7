package llm_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"net/http"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"ken/internal/llm"
	"ken/internal/llm/delta"
	"ken/internal/llm/llmtest"
)

// peak is the most that the heap holds above what it held at first while do runs, in
// bytes.
func peak(do func()) uint64 {
	read := func() uint64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	first := read()
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		highest := first
		for {
			select {
			case <-stop:
				most <- highest
				return
			case <-time.After(time.Millisecond):
				highest = max(highest, read())
			}
		}
	}()
	do()
	close(stop)
	return <-most - first
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string cannot fail
	}
	return string(b)
}

// endless is one event after another, some hundred megabytes of them.
func endless(event string) llmtest.Script {
	block := strings.Repeat(event, max(1, (64<<10)/len(event)))
	return llmtest.Script{Steps: []llmtest.Step{{Write: block, Repeat: (160 << 20) / len(block)}}}
}

// What comes of an answer that does not end.
const (
	cut    = "cut off"
	small  = "kept small"
	failed = "an error"
)

// A flood is an answer that does not end, and what comes of it.
type flood struct {
	script llmtest.Script
	want   string
}

// TestEndless: however a server goes on without an end, what is held of its answer
// stays small, the call ends, and what came is an answer that reached its length.
// It is not parallel: it measures the heap.
func TestEndless(t *testing.T) {
	page := strings.Repeat("made of words, ", 256)
	testFloods(t, map[string]flood{
		"text":               {endless(llmtest.Token(page)), cut},
		"white space":        {endless(llmtest.Token(strings.Repeat(" \n", 500))), cut},
		"a thought":          {endless(llmtest.Token("<think>" + page)), cut},
		"reasoning":          {endless(llmtest.Delta(`{"reasoning_content":` + quoted(page) + `}`)), cut},
		"reasoning details":  {endless(llmtest.Delta(`{"reasoning_details":[{"type":"reasoning.text","text":` + quoted(page) + `}]}`)), cut},
		"arguments":          {endless(llmtest.Delta(`{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":` + quoted(page) + `}}]}`)), cut},
		"calls":              {endless(llmtest.Delta(`{"tool_calls":[{"function":{"name":"f","arguments":"{}"}},{"function":{"name":"g","arguments":"{}"}}]}`)), cut},
		"one large event":    {llmtest.Raw("data: "+`{"choices":[{"index":0,"delta":{"content":"`, strings.Repeat("b", 12<<20), `"}}]}`+"\n\n", llmtest.Finish("stop")+llmtest.Done), cut},
		"a page with 500":    {refusal(http.StatusInternalServerError), failed},
		"a page with 404":    {refusal(http.StatusNotFound), failed},
		"a compressed flood": {packed(t, ": ping\n", 160<<20), failed},
	})
}

// TestEndlessDrops is TestEndless for what comes in small pieces, or is dropped: its floods are long.
//
//ken:unraced
func TestEndlessDrops(t *testing.T) {
	testFloods(t, map[string]flood{
		"tokens":            {endless(llmtest.Token("a ")), cut},
		"many small things": {endless(llmtest.Delta(`{"content":"a","annotations":[` + strings.Repeat("{},", 2000) + `{}]}`)), small},
		"text after images": {endless(llmtest.Delta(`{"images":["` + strings.Repeat("iVBORw0K", 4000) + `"],"content":"a page"}`)), small},
		"comments":          {endless(": OPENROUTER PROCESSING\n\n"), failed},
		"a comment":         {llmtest.Script{Steps: []llmtest.Step{{Write: ": "}, {Write: strings.Repeat("x", 64<<10), Repeat: 2560}}}, failed},
		"pings":             {endless("data: {}\n\n"), failed},
		"blank lines":       {endless("\n\n"), failed},
		"events that broke": {endless("data: {\"choices\": oops\n\n"), failed},
	})
}

func testFloods(t *testing.T, floods map[string]flood) {
	t.Helper()
	const most = 1 << 20
	for name, c := range floods {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(t)
			s.Always(c.script)
			client := llm.New(llm.Preset{Name: "fast", BaseURL: s.URL, Model: "test"}, llm.Options{MostAnswer: most, Sleep: noSleep})
			defer client.Close()
			var a llm.Answer
			var err error
			held := peak(func() {
				a, err = client.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: "user", Content: "q"}}}, nil)
			})
			if held > 96<<20 {
				t.Errorf("%d MiB were held", held>>20)
			}
			if c.want == failed {
				if e := (*llm.Error)(nil); !errors.As(err, &e) || len(e.Error()) > 2000 {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil || (a.Finish == delta.FinishLength) != (c.want == cut) || a.Truncated != (c.want == small) {
				t.Fatalf("finish %q, %v", a.Finish, err)
			}
			size := len(a.Message.Content) + len(a.Reasoning) + len(llm.MarshalToolCalls(a.Message.ToolCalls))
			for _, v := range a.Message.Raw {
				size += len(v)
			}
			if size > 2*most || len(a.Warnings) == 0 || (c.want == cut) != strings.Contains(strings.Join(a.Warnings, "\n"), "cut off: it is longer than the 1 MiB") {
				t.Errorf("%d bytes, %q", size, a.Warnings)
			}
		})
	}
}

func refusal(status int) llmtest.Script {
	s := endless("<html>nothing of use</html>\n").With("Content-Type", "text/html")
	s.Status = status
	return s
}

// packed is so many bytes of lines as a server sends them that compresses unasked.
func packed(t *testing.T, line string, n int) llmtest.Script {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	block := []byte(strings.Repeat(line, 1<<16))
	for ; n > 0; n -= len(block) {
		if _, err := z.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return llmtest.Raw(b.String()).With("Content-Encoding", "gzip")
}

// TestImagesAreLeftOut: what nothing here shows is neither kept nor sent back, and
// the text beside it is.
func TestImagesAreLeftOut(t *testing.T) {
	t.Parallel()
	picture := strings.Repeat("iVBORw0K", 400<<10)
	s := llmtest.New(t, llmtest.Raw(llmtest.Delta(`{"content":"here ","images":[{"url":"`+picture+`"}]}`), llmtest.Delta(`{"content":"it is","images":[{"url":"`+picture+`"}]}`), llmtest.Finish("stop")+llmtest.Done))
	c := llm.New(llm.Preset{Name: "fast", BaseURL: s.URL, Model: "test"}, llm.Options{})
	defer c.Close()
	a, err := c.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: "user", Content: "q"}}}, nil)
	if err != nil || a.Message.Content != "here it is" || a.Finish != "stop" || len(a.Message.Raw) != 0 {
		t.Errorf("%q, %q, %d fields, %v", a.Message.Content, a.Finish, len(a.Message.Raw), err)
	}
	if len(a.Warnings) != 1 || a.Warnings[0] != `the field "images" of the answer is longer than 1024 KiB and was left out` {
		t.Errorf("warnings %q", a.Warnings)
	}
}
