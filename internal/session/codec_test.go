package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ken/internal/jsonl"
)

// genValue makes JSON values in the normal form that survives a line: one
// line, no space around it.
func genValue() *rapid.Generator[json.RawMessage] {
	return rapid.Custom(func(t *rapid.T) json.RawMessage {
		text := genText().Draw(t, "text")
		quoted := string(jsonl.AppendString(nil, text))
		return json.RawMessage(rapid.SampledFrom([]string{
			"1.50", "-0", "1e400", "true", `"\ud800"`, `[]`, `{ }`, quoted, `{"a":` + quoted + `, "a":[1,{"b":` + quoted + `}]}`,
		}).Draw(t, "value"))
	})
}

func genText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "plain", "two\nlines\r\n", "\x00\x1b[31m\x7f", "\u2028\u2029\ufeff\ufffd", `"\`, "[erased]",
	}))
}

func genExtra() *rapid.Generator[[]Field] {
	return rapid.Custom(func(t *rapid.T) []Field {
		// No name twice, and none that has a meaning somewhere.
		var fields []Field
		for _, s := range slices.Sorted(maps.Keys(rapid.MapOfN(genText(), rapid.Bool(), 0, 3).Draw(t, "names"))) {
			fields = append(fields, Field{"x-" + s, genValue().Draw(t, "value")})
		}
		return fields
	})
}

func genTime() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		if rapid.Bool().Draw(t, "none") {
			return time.Time{}
		}
		return time.Unix(rapid.Int64Range(0, 253402300799).Draw(t, "seconds"), 0).UTC()
	})
}

func genTurn() *rapid.Generator[Turn] {
	return rapid.Custom(func(t *rapid.T) Turn {
		turn := Turn{
			N:    rapid.IntRange(1, MaxTurn).Draw(t, "n"),
			Time: genTime().Draw(t, "time"),
			Role: rapid.SampledFrom([]Role{RoleUser, RoleAssistant, RoleTool, "developer"}).Draw(t, "role"),
		}
		turn.Content = genText().Draw(t, "content")
		turn.Scope = genText().Draw(t, "scope")
		turn.Model = genText().Draw(t, "model")
		turn.Finish = rapid.SampledFrom([]string{"", FinishStop, FinishCancelled, "eos"}).Draw(t, "finish")
		turn.ToolCallID = genText().Draw(t, "id")
		turn.From = rapid.SampledFrom([]string{"", "tool", "external"}).Draw(t, "from")
		turn.Recalled = rapid.Bool().Draw(t, "recalled")
		turn.Speaker = genText().Draw(t, "speaker")
		turn.Extra = genExtra().Draw(t, "extra")
		if v := genValue().Draw(t, "usage"); v[0] == '{' {
			turn.Usage = v
		}
		if v := genValue().Draw(t, "calls"); v[0] == '[' {
			turn.ToolCalls = v
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "raw") {
			if turn.Raw == nil {
				turn.Raw = map[string]json.RawMessage{}
			}
			turn.Raw[genText().Draw(t, "name")+fmt.Sprint(i)] = genValue().Draw(t, "value")
		}
		return turn
	})
}

// sameText makes strings comparable that are not UTF-8: what is no text is
// written as U+FFFD.
func sameText() cmp.Option {
	return cmp.Transformer("text", func(s string) string { return string([]rune(s)) })
}

func TestPropertyLoadOfWriteIsTheTurns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var file bytes.Buffer
		var want []Entry
		line := 0
		for range rapid.IntRange(0, 8).Draw(t, "lines") {
			var b []byte
			var err error
			e := Entry{}
			if rapid.Bool().Draw(t, "turn") {
				turn := genTurn().Draw(t, "turn")
				e.Turn = &turn
				b, err = turn.Line()
			} else {
				event := Event{Time: genTime().Draw(t, "time"), Name: rapid.StringN(1, -1, -1).Draw(t, "event"), Fields: genExtra().Draw(t, "fields")}
				e.Event = &event
				b, err = event.line()
			}
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Count(b, []byte("\n")) != 1 {
				t.Fatalf("not one line: %q", b)
			}
			line++
			e.Line, e.Offset, e.Len = line, int64(file.Len()), int64(len(b)-1)
			want = append(want, e)
			file.Write(b)
		}
		got, err := Read(&file, "s")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got.Entries, sameText(), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("entries (-want +got):\n%s", d)
		}
		if got.Warning() != "" {
			t.Fatal(got.Warning())
		}
	})
}

func TestPropertyHeader(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := Header{
			Format: 1, Session: "s", Started: genTime().Draw(t, "time"), Model: genText().Draw(t, "model"),
			KenVersion: genText().Draw(t, "version"), Channel: ChannelWeb, Scope: genText().Draw(t, "scope"),
			CopiedFrom: genText().Draw(t, "from"), CopiedTo: rapid.IntRange(0, MaxTurn).Draw(t, "to"), Extra: genExtra().Draw(t, "extra"),
		}
		b, err := want.Line()
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseLine(b)
		if err != nil || len(got.notes) > 0 {
			t.Fatal(err, got.notes)
		}
		if d := cmp.Diff(&want, got.header, sameText(), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("header (-want +got):\n%s", d)
		}
	})
}

// What a server sent beside the text is sent back as it came (the thought
// signatures of some are refused otherwise), so it must live through the file.
func TestRawFieldsSurviveByteForByte(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	calls := `[{"id":"a b","type":"function","function":{"name":"f","arguments":"{\"x\":1}"},"extra_content":{"google":{"thought_signature":"AbC+/=="}},"odd":1.0}]`
	raw := map[string]json.RawMessage{
		"reasoning_content": json.RawMessage(`"a\/b\u00e9\ud83d\ude00"`),
		"reasoning_details": json.RawMessage(`[{"type":"x","signature":"\u003c==","n":1E2}]`),
		"empty":             json.RawMessage(`""`),
		"nothing":           json.RawMessage(`null`),
	}
	in := Turn{Role: RoleAssistant, ToolCalls: json.RawMessage(calls), Raw: raw, Usage: json.RawMessage(`{"total_tokens": 7,"x":{"y":[]}}`)}
	if _, err := w.AppendTurn(in); err != nil {
		t.Fatal(err)
	}
	mustClose(t, w)
	// Twice: what was read and is written again is still the same.
	for range 2 {
		got := mustLoad(t, w.Path()).Live().Turns[0]
		if string(got.ToolCalls) != calls || string(got.Usage) != string(in.Usage) || cmp.Diff(raw, got.Raw) != "" {
			t.Fatalf("came back as\n%s\n%s\n%s", got.ToolCalls, got.Usage, got.Raw)
		}
		b, err := got.Line()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(mustRead(t, w.Path()), string(b)) {
			t.Fatalf("written again as\n%s\nnot as in\n%s", b, mustRead(t, w.Path()))
		}
	}
}

func TestRawValueOverSeveralLinesStaysOneLine(t *testing.T) {
	t.Parallel()
	turn := Turn{N: 1, Role: RoleAssistant, ToolCalls: json.RawMessage("\n[\r\n  {\"id\": \"a\\nb\"}\n]\n")}
	b, err := turn.Line()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"role":"assistant","content":"","n":1,"tool_calls":[    {"id": "a\nb"} ]}` + "\n"
	if string(b) != want {
		t.Errorf("got  %swant %s", b, want)
	}
}

func TestLinesThatAreNotWritten(t *testing.T) {
	t.Parallel()
	deep := json.RawMessage(strings.Repeat("[", jsonl.MaxDepth+1) + strings.Repeat("]", jsonl.MaxDepth+1))
	for name, turn := range map[string]Turn{
		"no role":                {Content: "x"},
		"raw is no JSON":         {Role: RoleAssistant, Raw: map[string]json.RawMessage{"a": json.RawMessage(`{"b":`)}},
		"two values in one":      {Role: RoleAssistant, Usage: json.RawMessage(`{},"n":9`)},
		"tool_calls is no array": {Role: RoleAssistant, ToolCalls: json.RawMessage(`"x"`)},
		"nested too deep":        {Role: RoleAssistant, ToolCalls: deep},
		"a name that is taken":   {Role: RoleUser, Extra: []Field{{"content", json.RawMessage(`"y"`)}}},
		"longer than a line":     {Role: RoleUser, Content: strings.Repeat("x", MaxLine)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDir(t)
			w := create(t, d)
			if n, err := w.AppendTurn(turn); err == nil || n != 0 {
				t.Errorf("it got number %d, %v", n, err)
			}
			if n, err := w.AppendTurn(user("next")); err != nil || n != 1 {
				t.Errorf("the next turn got number %d, %v", n, err)
			}
			if tr := mustLoad(t, w.Path()); len(tr.Turns()) != 1 || tr.Warning() != "" {
				t.Errorf("the file holds %+v, %s", tr.Turns(), tr.Warning())
			}
		})
	}
	for name, e := range map[string]Event{
		"no name":        {},
		"a turn":         {Name: "x", Fields: []Field{StringField("role", "user")}},
		"two names":      {Name: "x", Fields: []Field{StringField("event", "y")}},
		"no JSON inside": {Name: "x", Fields: []Field{{"a", json.RawMessage("oops")}}},
	} {
		if b, err := e.line(); err == nil {
			t.Errorf("%s: written as %s", name, b)
		}
	}
	if b, err := (Event{Name: "x", Fields: []Field{{"a", nil}}}).line(); err != nil || string(b) != `{"event":"x","a":null}`+"\n" {
		t.Errorf("a field without value: %s, %v", b, err)
	}
}

func TestTimesThatAreRead(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 10, 19, 0, 1, 0, time.UTC)
	for value, want := range map[string]time.Time{
		`"2026-05-10T19:00:01Z"`:          at,
		`"2026-05-10T21:00:01+02:00"`:     at,
		`"2026-05-10T19:00:01.25Z"`:       at.Add(250 * time.Millisecond),
		`1778439601`:                      at,
		`1778439601.5`:                    at.Add(500 * time.Millisecond),
		`"yesterday"`:                     {},
		`-1`:                              {},
		`1e300`:                           {},
		`true`:                            {},
		`null`:                            {},
		`"2026-05-10T19:00:01"`:           {},
		`"\u0032026-05-10T19:00:01Z"`:     at,
		`[ "2026-05-10T19:00:01Z" ]`:      {},
		`"10000-01-01T00:00:00Z"`:         {},
		`253402300800`:                    {},
		`{"seconds":1778439601,"nano":0}`: {},
	} {
		l, err := parseLine([]byte(`{"ts":` + value + `,"role":"user","content":"x"}`))
		if err != nil || !l.turn.Time.Equal(want) {
			t.Errorf("%s: %v, %v; want %v", value, l.turn, err, want)
		}
		if noted := len(l.notes) > 0; noted != (want.IsZero() && value != "null") {
			t.Errorf("%s: notes %q", value, l.notes)
		}
	}
	for _, year := range []int{-1, 10000} {
		b, err := Turn{N: 1, Role: RoleUser, Time: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)}.Line()
		if err != nil || bytes.Contains(b, []byte("ts")) {
			t.Errorf("year %d: %s, %v", year, b, err)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(sample))
	for i := 0; i < len(sample); i += 37 {
		f.Add([]byte(sample[:i]))
	}
	for _, s := range badLines() {
		f.Add([]byte(sample + s.line + "\n" + sample))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		tr, err := Read(bytes.NewReader(file), "s")
		if err != nil {
			t.Fatal(err)
		}
		listed := Listing{Name: "s"}
		if err := listed.scan(sectionOf(file)); err != nil {
			t.Fatal(err)
		}
		if listed.Header.Session != tr.Header.Session || listed.Turns < len(tr.Turns()) ||
			listed.First != tr.First() || listed.Title != tr.Title() {
			t.Errorf("listed as %+v, read as %+v with %d turns, title %q", listed, tr.Header, len(tr.Turns()), tr.Title())
		}
		at := 0
		for _, e := range tr.Entries {
			if (e.Turn == nil) == (e.Event == nil) || e.Line <= at || e.Offset+e.Len > int64(len(file)) {
				t.Fatalf("entry %+v after line %d", e, at)
			}
			at = e.Line
			if e.Turn != nil && (e.Turn.N < 1 || e.Turn.N > tr.Last() || e.Turn.Role == "") {
				t.Fatalf("turn %+v, last number %d", e.Turn, tr.Last())
			}
		}
		tr.Warning()
		if !utf8.ValidString(tr.Title()) {
			t.Errorf("title %q", tr.Title())
		}
		if live := tr.Live(); len(live.Turns) > len(tr.Turns()) {
			t.Error("more turns are live than there are")
		}
		// What could be read can be written, and is then the same, but for what
		// had to be noted, and for parts of seconds.
		for _, e := range tr.Entries {
			if e.Turn == nil || len(tr.Problems) > 0 {
				continue
			}
			b, err := e.Turn.Line()
			if err != nil {
				t.Fatalf("%+v: %v", e.Turn, err)
			}
			again, err := parseLine(b)
			if err != nil {
				t.Fatal(err)
			}
			e.Turn.Time = e.Turn.Time.Truncate(time.Second)
			if d := cmp.Diff(e.Turn, again.turn, cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("written again (-want +got):\n%s", d)
			}
		}
	})
}
