package battery

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/foreign"
	"ken/internal/memory"
)

// A form is one kind of file as what stands in it is made.
type form struct {
	name string
	head string
	// line is a sound line that says the text.
	line func(n int, text string) string
	// place is the file in a home.
	place func(h *Home) string
	kept  Kept // Add is nil if ken never adds to such a file
}

func forms() []form {
	byName := func(name string) Kept {
		all := Files()
		return all[slices.IndexFunc(all, func(k Kept) bool { return k.Name == name })]
	}
	read := func(_ *Home, path string) (texts []string, told []int, err error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		for e, err := range foreign.Read(f, foreign.Turns, foreign.Options{File: path}) {
			var bad *foreign.LineError
			switch {
			case errors.As(err, &bad):
				told = append(told, bad.Line)
			case err != nil:
				return nil, nil, err
			}
			for _, turn := range e.Turns {
				texts = append(texts, turn.Text)
			}
		}
		return texts, told, nil
	}
	return []form{
		{
			name: "Memory", place: (*Home).Memory, kept: byName("Memory"),
			line: func(n int, text string) string { return fmt.Sprintf(`{"id":%d,"kind":"fact","content":"%s"}`, n, text) },
		},
		{
			name: "Review", place: (*Home).Review, kept: byName("Review"),
			line: func(n int, text string) string {
				return fmt.Sprintf(`{"id":%d,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"%s"},"origin":"model"}`, n, text)
			},
		},
		{
			name: "Session", kept: byName("Session"),
			head:  `{"meta":{"format":1,"session":"20260510T190001Z-7f3a","started":"2026-05-10T19:00:01Z","channel":"terminal"}}` + "\n",
			place: func(h *Home) string { return filepath.Join(h.Dir, "sessions", "20260510T190001Z-7f3a.jsonl") },
			line:  func(n int, text string) string { return fmt.Sprintf(`{"role":"user","content":"%s","n":%d}`, text, n) },
		},
		{
			name: "Import", kept: Kept{Texts: read},
			place: func(h *Home) string { return filepath.Join(h.Dir, "import", "turns.jsonl") },
			line: func(n int, text string) string {
				return fmt.Sprintf(`{"session":"standup","turn":%d,"role":"user","text":"%s"}`, n, text)
			},
		},
	}
}

// sized is a sound line of size bytes.
func (f form) sized(size int) string {
	return f.line(70, strings.Repeat("x", size-len(f.line(70, ""))))
}

// A fixture is something that may stand between two sound lines.
type fixture struct {
	name string
	text func(f form) string
	// whole makes the file of what stands in it, if it is not head, line, text, line.
	whole func(head, one, text, two string) string
	// spent says that it uses up all numbers, so that nothing can be added.
	spent bool
	big   bool // of 16 MiB and more
}

func same(text string) func(form) string { return func(form) string { return text } }

// fixtures are all of them.
func fixtures() []fixture {
	list := slices.Concat(sizes(), bytesOfAllSorts(), numbers(), types(), structures(), meanings())
	between := func(name, text string) { list = append(list, fixture{name: name, text: same(text)}) }
	for _, depth := range []int{100, 999, 1000, 1001, 10_000, 100_000} {
		nest := func(open, end string) string {
			return `{"id":71,"role":"user","content":"x","text":"x","deep":` + strings.Repeat(open, depth) + "1" + strings.Repeat(end, depth) + "}"
		}
		between(fmt.Sprintf("%d arrays deep", depth), nest("[", "]"))
		between(fmt.Sprintf("%d objects deep", depth), nest(`{"a":`, "}"))
	}
	between("arrays that never end", strings.Repeat("[", 100_000))
	between("objects that never end", strings.Repeat(`{"a":`, 100_000))
	return list
}

func sizes() (list []fixture) {
	for _, one := range []string{"x", "{", "}", "[", `"`, "0", ",", ":", "\\", "-"} {
		list = append(list, fixture{name: "one byte " + one, text: same(one)})
	}
	for _, size := range []int{512, 4096, 64 << 10, 1 << 20, 1<<20 + 1, 16 << 20, 16<<20 + 1} {
		list = append(list, fixture{name: fmt.Sprintf("a line of %d bytes", size), big: size >= 16<<20, text: func(f form) string { return f.sized(size) }})
	}
	for _, size := range []int{4096, 1 << 20, 17 << 20} {
		list = append(list,
			fixture{name: fmt.Sprintf("%d bytes that are no JSON", size), big: size >= 16<<20, text: same(strings.Repeat("y", size))},
			fixture{name: fmt.Sprintf("%d NUL bytes", size), big: size >= 16<<20, text: same(strings.Repeat("\x00", size))})
	}
	return list
}

func bytesOfAllSorts() (list []fixture) {
	add := func(name, text string) { list = append(list, fixture{name: name, text: same(text)}) }
	in := func(name, raw string) {
		list = append(list, fixture{name: name + " in a text", text: func(f form) string { return f.line(72, "a"+raw+"b") }})
	}
	for _, part := range [][2]int{{0, 32}, {32, 128}, {128, 192}, {192, 224}, {224, 240}, {240, 256}} {
		var inside, alone strings.Builder
		for b := part[0]; b < part[1]; b++ {
			if b != '\n' && b != '"' && b != '\\' {
				inside.WriteByte(byte(b))
			}
			alone.WriteString(string([]byte{byte(b), '\n'}))
		}
		in(fmt.Sprintf("the bytes from %d to %d", part[0], part[1]), inside.String())
		add(fmt.Sprintf("each byte from %d to %d alone", part[0], part[1]), alone.String())
	}
	for name, raw := range map[string]string{
		"NUL": "\x00", "a lone CR": "\r", "a vertical tab": "\v", "a form feed": "\f", "DEL": "\x7f", "NEL": "\u0085",
		"U+2028": "\u2028", "U+2029": "\u2029", "a byte order mark": "\ufeff", "U+FFFE": "\ufffe", "U+FFFF": "\uffff",
		"an overlong slash": "\xc0\xaf", "a surrogate in UTF-8": "\xed\xa0\x80", "above U+10FFFF": "\xf4\x90\x80\x80", "a cut character": "\xe6\x97",
		"an escape sequence": "\x1b[31m", "a bidi override": "\u202e", "a tag": "\U000e0041", "a lone escaped surrogate": `\ud800`,
		"a low surrogate first": `\udc00\ud800`, "an escaped pair": `\ud83d\ude42`, "an escaped NUL": `\u0000`, "a bad escape": `\x41`, "a cut escape": `\u12`,
	} {
		in(name, raw)
	}
	slices.SortFunc(list, func(a, b fixture) int { return strings.Compare(a.name, b.name) })
	add("NUL before a line", "\x00\x00{\"id\":73}")
	add("LF CR", "\r")
	return list
}

func numbers() (list []fixture) {
	for _, n := range []string{
		"0", "-1", "-0", "1.5", "1e2", "1e400", "-1e400", "1e999999999", "NaN", "Infinity", "-Infinity", "0x10", "01", "1.", ".5", "+1", "1_000",
		"9007199254740991", "9007199254740992", "9007199254740993", "9223372036854775808", "18446744073709551616", `"5"`, "null", strings.Repeat("9", 5000),
	} {
		name := n
		if len(n) > 30 {
			name = "5,000 digits"
		}
		list = append(list, fixture{name: "the number " + name, spent: n == fmt.Sprint(memory.MaxID), text: same(`{"id":` + n + `,"n":` + n + `,"turn":` + n + `,"session":"standup","role":"user","content":"x","text":"x"}`)})
	}
	return list
}

func types() (list []fixture) {
	for _, field := range []string{"id", "kind", "content", "text", "ts", "tags", "scope", "source", "target", "role", "session", "record", "meta", "tool_calls"} {
		for _, value := range []string{"null", "true", "[]", "{}"} {
			list = append(list, fixture{name: field + " is " + value, text: same(fmt.Sprintf(`{"%s":%s,"x":1}`, field, value))})
		}
	}
	return list
}

func structures() (list []fixture) {
	for _, s := range [][2]string{
		{"two objects on a line", `{"id":74,"content":"a"}{"id":75,"content":"b"}`},
		{"garbage behind an object", `{"id":74,"content":"a"} and more`},
		{"a trailing comma", `{"id":74,"content":"a"},`},
		{"a trailing comma inside", `{"id":74,"content":"a",}`},
		{"single quotes", `{'id':74,'content':'a'}`},
		{"names without quotes", `{id:74,content:"a"}`},
		{"a comment", "// nothing\n# nothing\n/* nothing */"},
		{"merge marks", "<<<<<<< HEAD\n=======\n>>>>>>> theirs"},
		{"a pretty-printed object", "{\n  \"id\": 74,\n  \"content\": \"a\"\n}"},
		{"plain text", "remember the milk"},
		{"an empty object", "{}"},
		{"an empty array", "[]"},
		{"a string", `"text"`},
		{"null", "null"},
		{"true", "true"},
		{"a field twice", `{"id":74,"id":75,"content":"a","content":"b","role":"user","role":"tool"}`},
		{"names in other cases", `{"ID":74,"Content":"a","ROLE":"user"}`},
		{"escaped names", `{"\u0069d":74,"\u0063ontent":"a","role":"user","text":"a"}`},
		{"an empty name", `{"":1,"id":74,"content":"a","role":"user","text":"a"}`},
		{"a thousand fields", `{"id":74` + strings.Repeat(`,"f":1`, 1000) + `}`},
		{"blank lines", "\n   \n\t\n\n"},
		{"a thousand blank lines", strings.Repeat("\n", 1000)},
		{"cut in a name", `{"id":74,"cont`},
		{"cut in an escape", `{"id":74,"content":"\`},
	} {
		list = append(list, fixture{name: s[0], text: same(s[1])})
	}
	whole := func(name string, make func(head, one, text, two string) string) {
		list = append(list, fixture{name: name, text: same("{}"), whole: make})
	}
	whole("a byte order mark first", func(head, one, _, two string) string { return "\ufeff" + head + one + "\n" + two + "\n" })
	whole("CR LF", func(head, one, _, two string) string { return strings.ReplaceAll(head+one+"\n"+two+"\n", "\n", "\r\n") })
	whole("no final line end", func(head, one, _, two string) string { return head + one + "\n" + two })
	whole("NUL at the end", func(head, one, _, two string) string { return head + one + "\n" + two + "\n\x00\x00\x00" })
	whole("a torn tail", func(head, one, _, two string) string { return head + one + "\n" + two + "\n" + `{"id":9,"con` })
	whole("in an array", func(head, one, _, two string) string { return head + "[\n" + one + "\n,\n" + two + "\n]\n" })
	whole("in an array behind it", func(head, one, _, two string) string { return head + one + "\n" + two + "\n]\n" })
	return list
}

func meanings() (list []fixture) {
	for _, s := range [][2]string{
		{"an unknown kind", `{"id":80,"kind":"horoscope","content":"x","role":"oracle","text":"x","session":"s","event":"unheard"}`},
		{"unknown fields", `{"id":80,"kind":"fact","content":"x","zodiac":{"sign":["crab"]}}`},
		{"a newer format", `{"meta":{"format":999,"log":"laptop-7f3a"}}`},
		{"a header in the middle", `{"meta":{"format":1,"log":"laptop-7f3a","session":"s"}}`},
		{"a number twice", `{"id":80,"content":"a"}` + "\n" + `{"id":80,"content":"b"}`},
		{"a tombstone first", `{"id":81,"kind":"forget","target":80}` + "\n" + `{"id":80,"content":"a"}`},
		{"a tombstone of itself", `{"id":81,"kind":"forget","target":81}`},
		{"a tombstone of nothing", `{"id":81,"kind":"forget","target":8000}`},
		{"a tombstone without target", `{"id":81,"kind":"forget"}`},
		{"ten thousand targets", `{"id":81,"kind":"forget","targets":[` + strings.Repeat("900,", 9999) + "900]}"},
		{"supersedes itself", `{"id":80,"content":"a","supersedes":80}`},
		{"a circle of two", `{"id":80,"content":"a","supersedes":81}` + "\n" + `{"id":81,"content":"b","supersedes":80}`},
		{"a circle of three", `{"id":80,"content":"a","supersedes":81}` + "\n" + `{"id":81,"content":"b","supersedes":82}` + "\n" + `{"id":82,"content":"c","supersedes":80}`},
		{"an edit of an edit", `{"id":80,"kind":"edit","target":81,"content":"x"}` + "\n" + `{"id":81,"kind":"edit","target":80,"content":"y"}`},
		{"undo of undo of itself", `{"id":80,"kind":"undo","target":80}` + "\n" + `{"id":81,"kind":"undo","target":80}`},
		{"erased before it is stated", `{"id":80,"kind":"erased"}` + "\n" + `{"id":80,"content":"a"}`},
		{"a decision before its proposal", `{"id":81,"kind":"decision","target":80,"verdict":"yes"}` + "\n" + `{"id":80,"kind":"proposal","of":"memory","record":{"content":"a"},"origin":"model"}`},
		{"two decisions", `{"id":81,"kind":"decision","target":800,"verdict":"yes"}` + "\n" + `{"id":82,"kind":"decision","target":800,"verdict":"no"}`},
		{"times that cannot be", `{"id":80,"ts":"2026-02-31T25:61:61Z","content":"a","expires":"never","role":"user"}`},
		{"a time of seconds", `{"id":80,"ts":1789000000,"content":"a","role":"user","text":"a","session":"s"}`},
		{"a compaction of what is not there", `{"event":"compact","summary":"x","keep_from":99999}`},
		{"a turn of number 2^31", `{"role":"user","content":"x","n":2147483648}`},
	} {
		list = append(list, fixture{name: s[0], text: same(s[1])})
	}
	return list
}

// TestF10 puts everything between two sound lines that may come to stand there, in
// a memory, a queue, a conversation and a transcript to be imported. The sound
// lines are read, what is no JSON is told by its line, `ken check` finds it,
// and adding to the file changes no byte of it.
func TestF10(t *testing.T) {
	t.Parallel()
	list := fixtures()
	if len(list) < 120 {
		t.Errorf("%d fixtures", len(list))
	}
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			var r Report
			root := temp(t)
			for _, x := range list {
				if raced && x.big {
					continue // without the race detector they are tried
				}
				h := NewHome(root())
				r.Add(contentCase(t, h, f, x), "%s: %s", f.name, x.name)
				if err := os.RemoveAll(h.Dir); err != nil {
					t.Fatal(err)
				}
			}
			report(t, r, nil)
		})
	}
}

func contentCase(t *testing.T, h *Home, f form, x fixture) error {
	t.Helper()
	one, two := f.line(5, "good one"), f.line(6, "good two")
	text := f.head + one + "\n" + x.text(f) + "\n" + two + "\n"
	if x.whole != nil {
		text = x.whole(f.head, one, x.text(f), two)
	}
	path := f.place(h)
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600),
		os.WriteFile(filepath.Join(h.Dir, "config.toml"), nil, 0o600))
	if err != nil {
		return err
	}
	look := func(want ...string) error {
		texts, told, err := f.kept.Texts(h, path)
		if err != nil {
			return err
		}
		for _, w := range want {
			if !slices.Contains(texts, w) {
				return fmt.Errorf("%w: %q is not among %.200q", ErrLost, w, texts)
			}
		}
		return mustTell(path, told)
	}
	if err := look("good one", "good two"); err != nil {
		return err
	}
	if f.kept.Add == nil {
		return nil
	}
	if err := checkTells(t, h, path); err != nil {
		return err
	}
	added := []string{"good one", "good two", "added"}
	if err := f.kept.Add(h, path, "added"); err != nil {
		if !x.spent || !strings.Contains(err.Error(), fmt.Sprint(memory.MaxID)) {
			return fmt.Errorf("add: %w", err)
		}
		added = added[:2] // there is no number left, and that was said
	}
	if err := look(added...); err != nil {
		return fmt.Errorf("afterwards: %w", err)
	}
	now, err := os.ReadFile(path)
	if err == nil && !strings.HasPrefix(string(now), text) {
		err = fmt.Errorf("%w: bytes of the file changed", ErrLost)
	}
	return err
}

// noObjects are the numbers of the lines that are no JSON object, as another
// reader than ken's sees it.
func noObjects(path string) ([]int, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []int
	for i, line := range bytes.Split(bytes.TrimPrefix(b, []byte("\ufeff")), []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && (!json.Valid(line) || line[0] != '{') {
			list = append(list, i+1)
		}
	}
	return list, nil
}

// mustTell checks that each line that is no object was told.
func mustTell(path string, told []int) error {
	bad, err := noObjects(path)
	if err != nil {
		return err
	}
	for _, n := range bad {
		if !slices.Contains(told, n) {
			return fmt.Errorf("line %d is no object, and nobody is told; told are %d lines", n, len(told))
		}
	}
	return nil
}

// checkTells runs `ken check`: it tells each line that is no object.
func checkTells(t *testing.T, h *Home, path string) error {
	t.Helper()
	bad, err := noObjects(path)
	if err != nil {
		return err
	}
	code, out := runKen(t, h, "check")
	if len(bad) > 0 && code != 1 {
		return fmt.Errorf("ken check: exit %d", code)
	}
	if !slices.Contains(bad, 1) && strings.Contains(out, filepath.Base(path)+":1: error") {
		return fmt.Errorf("ken check tells the first line, which is sound: %.300s", out)
	}
	for _, n := range bad {
		if !strings.Contains(out, fmt.Sprintf("%s:%d: error", filepath.Base(path), n)) {
			return fmt.Errorf("ken check does not tell line %d: %.300s", n, out)
		}
	}
	return nil
}
