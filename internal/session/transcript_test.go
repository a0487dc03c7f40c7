//ken:slow

package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ken/internal/jsonl"
)

// sample is a session with a line of each sort.
const sample = `{"meta":{"format":1,"session":"20260510T190001Z-7f3a","started":"2026-05-10T19:00:01Z","model":"fast","channel":"terminal","later":{"a":[1]}}}
{"ts":"2026-05-10T19:00:04Z","role":"user","content":"why does the kettle test hang?","n":1}
{"ts":"2026-05-10T19:00:09Z","role":"assistant","content":"It waits for a port — \"8080\".","n":2,"finish":"stop","raw":{"reasoning":"hm"}}
{"ts":"2026-05-10T19:01:30Z","event":"exec","cmd":"go test ./kettle","exit":1,"bytes":512}
{"ts":"2026-05-10T19:02:00Z","role":"tool","content":"{}","n":3,"tool_call_id":"c1","mood":"fine"}
{"ts":"2026-05-10T19:02:00Z","role":"narrator","content":"[erased]","n":4}
`

// Cut off at every byte, a session loads all whole lines and says what it
// skipped; and whoever goes on writes on a line of his own.
func TestS22TornLog(t *testing.T) {
	t.Parallel()
	whole, err := Read(strings.NewReader(sample), "s")
	if err != nil || len(whole.Entries) != 5 || whole.Warning() != "" {
		t.Fatal(err, whole.Entries, whole.Warning())
	}
	d := newDir(t)
	d.FS = quickFS{}
	for i := range len(sample) {
		torn := sample[:i]
		path := d.file("torn")
		write(t, path, torn)
		tr := mustLoad(t, path)

		// A line counts with its end, or whole without one.
		lines := strings.SplitAfter(torn, "\n")
		tail := lines[len(lines)-1]
		entries := max(len(lines)-2, 0)
		isTorn := tail != ""
		if tail != "" && strings.HasPrefix(sample[i:], "\n") {
			isTorn = false
			if len(lines) > 1 {
				entries++
			}
		}
		if d := cmp.Diff(whole.Entries[:entries], tr.Entries, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("cut at %d (-want +got):\n%s", i, d)
		}
		if got := len(tr.Problems) == 1 && tr.Problems[0].Torn && tr.Problems[0].Line == len(lines); got != isTorn || len(tr.Problems) > 1 {
			t.Fatalf("cut at %d, in line %d: problems %+v", i, len(lines), tr.Problems)
		}
		if isTorn != strings.Contains(tr.Warning(), fmt.Sprintf(": line %d: ", len(lines))) {
			t.Fatalf("cut at %d: warning %q", i, tr.Warning())
		}

		w, _, err := d.Open(path)
		if err != nil {
			t.Fatalf("cut at %d: %v", i, err)
		}
		n, err := w.AppendTurn(user("going on"))
		if err != nil {
			t.Fatalf("cut at %d: %v", i, err)
		}
		mustClose(t, w)
		after := mustLoad(t, path)
		turns := after.Turns()
		if len(turns) != len(tr.Turns())+1 || turns[len(turns)-1].Content != "going on" || turns[len(turns)-1].N != n {
			t.Fatalf("cut at %d: after going on there are %+v", i, turns)
		}
		if n <= tr.Last()-1 || isTorn && n < len(tr.Turns())+2 {
			t.Fatalf("cut at %d: the new turn has number %d, which the torn one may have had", i, n)
		}
		if file := mustRead(t, path); !strings.HasPrefix(file, torn) {
			t.Fatalf("cut at %d: the torn bytes are gone", i)
		}
	}
}

func TestR69LinesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, tt := range badLines() {
		file := sample + tt.line + "\n" + `{"role":"user","content":"after","n":5}` + "\n"
		tr, err := Read(strings.NewReader(file), "s")
		if err != nil {
			t.Fatal(err)
		}
		if got := tr.Turns(); len(got) != 5 || got[4].Content != "after" {
			t.Errorf("%.80q: turns %q", tt.line, contents(got))
		}
		if len(tr.Problems) != 1 || tr.Problems[0].Line != 7 || tr.Problems[0].Torn || tr.Problems[0].Partly ||
			!strings.Contains(tr.Problems[0].Error(), "line 7: ") || !strings.Contains(tr.Problems[0].Error(), tt.why) {
			t.Errorf("%.80q: problems %+v, want %q", tt.line, tr.Problems, tt.why)
		}
		if want := "session s: skipped: line 7: "; !strings.HasPrefix(tr.Warning(), want) {
			t.Errorf("%.80q: warning %q", tt.line, tr.Warning())
		}
	}
}

type badLine struct{ line, why string }

func badLines() []badLine {
	return []badLine{
		{`{"ts":"2026-05-10T19:02:00Z","role":"us`, "ends too early"},
		{`{"role":"user","content":"x"} {"role":"user","content":"y"}`, "text after the object"},
		{"\x00\x00\x00\x00", "NUL bytes"},
		{"\x00\x00" + `{"role":"user","content":"x"}`, "NUL bytes"},
		{`{"role":"user","content":"a` + "\x00" + `b"}`, "control character"},
		{"plain words", "not a JSON object"},
		{`[{"role":"user","content":"x"}]`, "not a JSON object"},
		{"<<<<<<< HEAD", "not a JSON object"},
		{`{}`, "neither a turn"},
		{`{"content":"x"}`, "neither a turn"},
		{`{"role":null,"content":"x"}`, "neither a turn"},
		{`{"role":7,"content":"x"}`, "role is no string"},
		{`{"role":"","content":"x"}`, "the role is empty"},
		{`{"role":"user","content":["x"]}`, "content is no string"},
		{`{"event":"","a":1}`, "the event has no name"},
		{`{"event":{},"a":1}`, "event is no string"},
		{`{"meta":"x"}`, "meta is no object"},
		{`{"role":"user","content":"x",}`, "comma"},
		{`{"role":"user","content":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`, "nested"},
	}
}

func TestLinesReadInPart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line, note string
		want       Turn
	}{
		{`"n":0`, "n is no number from 1", Turn{N: 1}},
		{`"n":-3`, "n is no number from 1", Turn{N: 1}},
		{`"n":1.0`, "n is no number from 1", Turn{N: 1}},
		{`"n":"7"`, "n is no number from 1", Turn{N: 1}},
		{`"n":2147483648`, "n is no number from 1", Turn{N: 1}},
		{`"n":2147483647`, "", Turn{N: MaxTurn}},
		{`"n":null`, "", Turn{N: 1}},
		{`"n":7,"n":8`, "n stands there twice", Turn{N: 8}},
		{`"ts":"soon"`, "ts is no time", Turn{N: 1}},
		{`"usage":"x"`, "usage is no object", Turn{N: 1}},
		{`"usage":null,"tool_calls":null,"raw":null,"recalled":null,"model":null`, "", Turn{N: 1}},
		{`"raw":[1]`, "raw is no object", Turn{N: 1}},
		{`"recalled":"yes"`, "recalled is no boolean", Turn{N: 1}},
		{`"model":"a\ud800b"`, "part of model is not text", Turn{N: 1, Model: "a\ufffdb"}},
		{"\"model\":\"a\xffb\"", "part of model is not text", Turn{N: 1, Model: "a\ufffdb"}},
		{`"N":7,"Model":"x"`, "", Turn{N: 1, Extra: []Field{{"N", []byte("7")}, {"Model", []byte(`"x"`)}}}},
		{`"event":"x","meta":{}`, "", Turn{N: 1, Extra: []Field{{"event", []byte(`"x"`)}, {"meta", []byte(`{}`)}}}},
	} {
		tr, err := Read(strings.NewReader(`{"role":"user","content":"x",`+tt.line+"}\n"), "s")
		if err != nil {
			t.Fatal(err)
		}
		tt.want.Role, tt.want.Content = RoleUser, "x"
		if d := cmp.Diff([]Turn{tt.want}, tr.Turns()); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.line, d)
		}
		var got string
		if len(tr.Problems) > 0 {
			got = tr.Problems[0].Cause.Error()
			if p := tr.Problems[0]; !p.Partly || p.Torn {
				t.Errorf("%s: %+v", tt.line, p)
			}
		}
		if got != tt.note {
			t.Errorf("%s: told %q, want %q", tt.line, got, tt.note)
		}
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		file, id, problem string
		headed            bool
	}{
		"empty file":          {"", "name", "", false},
		"only blank lines":    {"\n \r\n\t\n", "name", "", false},
		"first line":          {`{"meta":{"session":"a"}}` + "\n", "a", "", true},
		"after a mark":        {"\ufeff" + `{"meta":{"session":"a"}}` + "\n", "a", "", true},
		"with carriage":       {`{"meta":{"session":"a"}}` + "\r\n", "a", "", true},
		"after blank lines":   {"\n\n" + `{"meta":{"session":"a"}}` + "\n", "a", "", true},
		"after a damaged one": {`{"meta":{"sess` + "\n" + `{"meta":{"session":"a"}}` + "\n", "a", "line 1: byte 14: the line ends too early", true},
		"without a session":   {`{"meta":{"model":"fast"}}` + "\n", "name", "", true},
		"two of them":         {`{"meta":{"session":"a"}}` + "\n" + `{"meta":{"session":"b"}}` + "\n", "a", "line 2: a header that is not the first line", true},
		"after a turn":        {`{"role":"user","content":"x"}` + "\n" + `{"meta":{"session":"b"}}` + "\n", "name", "line 2: a header that is not the first line", false},
		"of a newer ken":      {`{"meta":{"format":2,"session":"a"}}` + "\n", "a", "line 1: written by a newer ken (format 2)", true},
	} {
		tr, err := Read(strings.NewReader(tt.file), "name")
		if err != nil {
			t.Fatal(err)
		}
		problem := ""
		for _, p := range tr.Problems {
			problem += p.Error()
		}
		if tr.Header.Session != tt.id || tr.Headed != tt.headed || problem != tt.problem {
			t.Errorf("%s: session %q, headed %v, problems %q", name, tr.Header.Session, tr.Headed, problem)
		}
		path := filepath.Join(t.TempDir(), "name.jsonl")
		write(t, path, tt.file)
		if h, err := readHeader(path); err != nil || h.Session != tt.id {
			t.Errorf("%s: the header alone says %q, %v", name, h.Session, err)
		}
	}
}

func TestTurnNumbers(t *testing.T) {
	t.Parallel()
	line := func(n int) string {
		if n == 0 {
			return `{"role":"user","content":"x"}` + "\n"
		}
		return fmt.Sprintf(`{"role":"user","content":"x","n":%d}`+"\n", n)
	}
	for _, tt := range []struct {
		lines string
		want  []int
		last  int
	}{
		{line(0) + line(0) + line(0), []int{1, 2, 3}, 3},
		{line(1) + line(3), []int{1, 3}, 3},               // a line was deleted
		{line(7) + line(0), []int{7, 2}, 7},               // its place among the turns
		{line(2) + line(2), []int{2, 2}, 2},               // copied by hand
		{line(5) + line(1), []int{5, 1}, 5},               // moved by hand
		{line(1) + "damaged\n", []int{1}, 2},              // it may have been turn 2
		{line(1) + "damaged\n" + line(3), []int{1, 3}, 3}, // it was
		{line(MaxTurn) + "damaged\n", []int{MaxTurn}, MaxTurn},
	} {
		tr, err := Read(strings.NewReader(tt.lines), "s")
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, turn := range tr.Turns() {
			got = append(got, turn.N)
		}
		if d := cmp.Diff(tt.want, got); d != "" || tr.Last() != tt.last {
			t.Errorf("%s: last %d, want %d; numbers (-want +got):\n%s", tt.lines, tr.Last(), tt.last, d)
		}
	}
	tr, err := Read(strings.NewReader(`{"role":"user","content":"first","n":2}`+"\n"+`{"role":"user","content":"last","n":2}`+"\n"), "s")
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := tr.Turn(2); !ok || got.Content != "last" {
		t.Errorf("turn 2 of two: %+v, %v", got, ok)
	}
	if _, ok := tr.Turn(1); ok {
		t.Error("there is a turn 1")
	}
}

func TestTurnNumbersUsedUp(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	write(t, d.file("full"), fmt.Sprintf(`{"role":"user","content":"x","n":%d}`+"\n", MaxTurn))
	w, _, err := d.Open(d.file("full"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if n, err := w.AppendTurn(user("one more")); err == nil || n != 0 {
		t.Errorf("it got number %d, %v", n, err)
	}
}

func TestLive(t *testing.T) {
	t.Parallel()
	turn := func(n int) string { return fmt.Sprintf(`{"role":"user","content":"%d","n":%d}`+"\n", n, n) }
	event := func(e Event) string {
		b, err := e.line()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	reset := event(Event{Name: EventReset})
	for name, tt := range map[string]struct{ file, summary, turns string }{
		"all":                  {turn(1) + turn(2), "", "1 2"},
		"nothing":              {"", "", ""},
		"reset":                {turn(1) + reset + turn(2), "", "2"},
		"reset at the end":     {turn(1) + reset, "", ""},
		"other events":         {turn(1) + event(Event{Name: EventModel}) + turn(2), "", "1 2"},
		"compact":              {turn(1) + turn(2) + event(Compact("S", "", 0)) + turn(3), "S", "3"},
		"compact, keeping":     {turn(1) + turn(2) + turn(3) + event(Compact("S", "", 3)) + turn(4), "S", "3 4"},
		"twice":                {turn(1) + event(Compact("S", "", 0)) + turn(2) + turn(3) + event(Compact("T", "", 3)) + turn(4), "T", "3 4"},
		"compact, then reset":  {turn(1) + event(Compact("S", "", 1)) + reset + turn(2), "", "2"},
		"reset, then compact":  {turn(1) + reset + turn(2) + event(Compact("S", "", 1)) + turn(3), "S", "2 3"},
		"unanswered":           {turn(1) + turn(2) + turn(3) + event(Event{Name: EventUnanswered, Fields: []Field{IntField("n", 3)}}) + turn(4), "", "1 2 4"},
		"unanswered, no n":     {turn(1) + event(Event{Name: EventUnanswered}) + turn(2), "", "1 2"},
		"keep_from no number":  {turn(1) + `{"event":"compact","summary":"S","keep_from":"x"}` + "\n", "S", ""},
		"keep_from below zero": {turn(1) + `{"event":"compact","summary":"S","keep_from":-4}` + "\n", "S", ""},
		"without a summary":    {turn(1) + `{"event":"compact"}` + "\n" + turn(2), "", "2"},
	} {
		tr, err := Read(strings.NewReader(tt.file), "s")
		if err != nil {
			t.Fatal(err)
		}
		live := tr.Live()
		if got := strings.Join(contents(live.Turns), " "); got != tt.turns || live.Summary != tt.summary {
			t.Errorf("%s: %q with summary %q, want %q with %q", name, got, live.Summary, tt.turns, tt.summary)
		}
	}
}

func TestEventFields(t *testing.T) {
	t.Parallel()
	e := Event{Name: "x", Fields: []Field{StringField("s", "ü\n"), IntField("i", -3), IntField("n", 7), StringField("s", "last"), {"f", []byte("1.5")}}}
	if e.Text("s") != "last" || e.Text("n") != "" || e.Text("none") != "" {
		t.Errorf("texts %q, %q, %q", e.Text("s"), e.Text("n"), e.Text("none"))
	}
	if e.Int("n") != 7 || e.Int("i") != 0 || e.Int("s") != 0 || e.Int("f") != 0 || e.Int("none") != 0 {
		t.Errorf("numbers %d, %d, %d, %d, %d", e.Int("n"), e.Int("i"), e.Int("s"), e.Int("f"), e.Int("none"))
	}
	if e.Value("none") != nil || string(e.Value("f")) != "1.5" {
		t.Errorf("values %s, %s", e.Value("none"), e.Value("f"))
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"hello":           "hello",
		"  hello \nworld": "hello",
		"\n\n\nhello":     "hello",
		"":                "",
		"\n \n":           "",
		"[exec output]\n$ ls\na\n\nwhat is a?\nreally":              "what is a?",
		"[exec output]\n$ ls\n\n[exec output]\n$ pwd\n\nwhat is a?": "what is a?",
		"[exec output]\nnothing else":                               "",
		"what is this?\n\n[stdin]\nabc":                             "what is this?",
		strings.Repeat("ü", 150):                                    strings.Repeat("ü", 100),
		strings.Repeat("x", 199) + "ü":                              strings.Repeat("x", 199),
	} {
		if got := title(content); got != want {
			t.Errorf("title(%q) = %q, want %q", content, got, want)
		}
	}
	tr, err := Read(strings.NewReader(`{"role":"assistant","content":"welcome"}`+"\n"+`{"role":"user","content":" "}`+"\n"+`{"role":"user","content":"hi"}`+"\n"), "s")
	if err != nil || tr.Title() != "hi" {
		t.Errorf("title %q, %v", tr.Title(), err)
	}
}

func TestWarningOfManyLines(t *testing.T) {
	t.Parallel()
	tr, err := Read(strings.NewReader(strings.Repeat("oops\n", 30)+`{"role":"user","n":"x"}`+"\n"), "s")
	if err != nil {
		t.Fatal(err)
	}
	want := "session s: skipped (30) or read in part: line 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ... (31 lines): not a JSON object"
	if got := tr.Warning(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	tr, err = Read(strings.NewReader(`{"role":"user","n":"x"}`+"\n"), "s")
	if err != nil || tr.Warning() != "session s: read in part: line 1: n is no number from 1" {
		t.Errorf("%s, %v", tr.Warning(), err)
	}
}

//ken:unraced
func TestLongLines(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	long := strings.Repeat("0123456789abcdef", 1<<16) // 1 MiB
	say(t, w, long, "ok")
	write(t, d.file("too-long"), mustRead(t, w.Path())+`{"role":"user","content":"`+strings.Repeat("x", MaxLine)+`"}`+"\n"+`{"role":"user","content":"after","n":4}`+"\n")
	tr := mustLoad(t, d.file("too-long"))
	if got := tr.Turns(); len(got) != 3 || got[0].Content != long || got[2].Content != "after" {
		t.Errorf("%d turns", len(got))
	}
	if len(tr.Problems) != 1 || tr.Problems[0].Line != 4 || !errors.Is(&tr.Problems[0], ErrTooLong) {
		t.Errorf("problems %+v", tr.Problems)
	}
}

// A reader without the lock may see half of a line that is just being written.
func TestDirLoadWaitsForALineInTheMaking(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	d.Wait = time.Minute
	path := d.file("s")
	const half = len(sample) - 10
	write(t, path, sample[:half])
	synctest.Test(t, func(t *testing.T) {
		lock, err := jsonl.LockDir(t.Context(), d.Lock, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan *Transcript)
		go func() {
			tr, err := d.Load(path)
			if err != nil {
				t.Error(err)
			}
			done <- tr
		}()
		synctest.Wait() // it has read half of the line and waits for the lock
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(sample[half:]); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if err := lock.Unlock(); err != nil {
			t.Fatal(err)
		}
		if tr := <-done; len(tr.Turns()) != 4 || tr.Warning() != "" {
			t.Errorf("loaded %d turns, %s", len(tr.Turns()), tr.Warning())
		}
	})
}

func TestDirLoadGoesOnWithoutTheLock(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	d.Wait = time.Millisecond
	write(t, d.file("s"), sample[:len(sample)-10])
	lock, err := jsonl.LockDir(t.Context(), d.Lock, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	tr, err := d.Load(d.file("s"))
	if err != nil || len(tr.Turns()) != 3 || !tr.torn() {
		t.Errorf("%v, %d turns", err, len(tr.Turns()))
	}
}
