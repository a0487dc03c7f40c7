package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// manySessions makes n files of turns turns each, as a year of use leaves them.
func manySessions(tb testing.TB, n, turns int) Dir {
	tb.Helper()
	d := Dir{Path: tb.TempDir()}
	at := time.Date(2026, 5, 10, 19, 0, 1, 0, time.UTC)
	for i := range n {
		id := at.Add(time.Duration(i)*time.Minute).Format(idTime) + fmt.Sprintf("-%04x", i)
		h := Header{Format: Format, Session: id, Started: at, Channel: ChannelTerminal, Scope: "repo:example.org/me/kettle"}
		b, err := h.Line()
		if err != nil {
			tb.Fatal(err)
		}
		for j := range turns {
			role := RoleUser
			if j%2 == 1 {
				role = RoleAssistant
			}
			l, err := Turn{N: j + 1, Time: at, Role: role, Content: strings.Repeat("how the kettle is wired, and why; ", 10)}.Line()
			if err != nil {
				tb.Fatal(err)
			}
			b = append(b, l...)
		}
		if err := os.WriteFile(filepath.Join(d.Path, id+suffix), b, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return d
}

func BenchmarkList(b *testing.B) {
	d := manySessions(b, 1000, 20)
	b.ReportAllocs()
	for b.Loop() {
		list, warnings, err := d.List()
		if err != nil || len(warnings) > 0 || len(list) != 1000 || list[7].Turns != 20 {
			b.Fatal(len(list), warnings, err)
		}
	}
}

func BenchmarkLatest(b *testing.B) {
	d := manySessions(b, 1000, 20)
	for b.Loop() {
		if _, _, err := d.Latest(func(h Header) bool { return h.Channel == ChannelTerminal }); err != nil {
			b.Fatal(err)
		}
	}
}

// shelf makes a directory of sessions that were written to a minute apart, the
// first of the names first.
func shelf(t *testing.T, names ...string) Dir {
	t.Helper()
	d := newDir(t)
	for i, name := range names {
		h := fmt.Sprintf(`{"meta":{"session":"id-of-%s","channel":"terminal","scope":"repo:%[1]s"}}`, name)
		if isID(name) {
			h = fmt.Sprintf(`{"meta":{"session":"%s","channel":"ask","scope":"dir:~/x"}}`, name)
		}
		write(t, d.file(name), h+"\n"+`{"role":"user","content":"about `+name+`","n":1}`+"\n")
		touch(t, d.file(name), i)
	}
	return d
}

func touch(t *testing.T, path string, minute int) {
	t.Helper()
	at := start().Add(time.Duration(minute) * time.Minute)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func TestR68List(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	if list, warnings, err := d.List(); len(list) > 0 || len(warnings) > 0 || err != nil {
		t.Fatalf("a directory that is not there: %v, %v, %v", list, warnings, err)
	}
	write(t, d.file("20260510T190001Z-7f3a"), sample)
	write(t, d.file("by hand"), "damaged\n"+`{"content":"first\nsecond","role":"user"}`+"\r\n\n"+`{"role":"tool"}`)
	write(t, d.file("torn"), sample+`{"ts":"2026-05-10T19:02:00Z","role":"user","content":"half`)
	write(t, d.file("empty"), "")
	write(t, d.file(".hidden"), sample)
	write(t, filepath.Join(d.Path, "notes.txt"), sample)
	write(t, d.Imports().file("foreign"), sample)
	for i, name := range []string{"torn", "by hand", "20260510T190001Z-7f3a"} {
		touch(t, d.file(name), i)
	}
	list, warnings, err := d.List()
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	got := []string{}
	for _, l := range list {
		got = append(got, fmt.Sprintf("%s (%s) %s: %d turns, %s", l.Name, l.Header.Session, l.Written.UTC().Format("15:04"), l.Turns, l.First))
		if fi, err := os.Stat(l.Path); err != nil || fi.Size() != l.Size {
			t.Errorf("%s: size %d, %v", l.Path, l.Size, err)
		}
	}
	want := []string{
		"20260510T190001Z-7f3a (20260510T190001Z-7f3a) 19:02: 4 turns, why does the kettle test hang?",
		"torn (20260510T190001Z-7f3a) 19:02: 4 turns, why does the kettle test hang?", // as its lines say
		"by hand (by hand) 19:01: 2 turns, first",                                     // as its file says
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("list (-want +got):\n%s", d)
	}
	if imports, _, err := d.Imports().List(); err != nil || len(imports) != 1 || imports[0].Name != "foreign" {
		t.Errorf("imports %v, %v", imports, err)
	}
}

// What the list says is what loading says.
func TestListAgreesWithLoad(t *testing.T) {
	t.Parallel()
	for _, file := range []string{sample, "\ufeff" + sample, sample + sample, sample[200:], "\n\n" + sample, `{"event":"x"}` + "\n" + sample} {
		tr, err := Read(strings.NewReader(file), "s")
		if err != nil {
			t.Fatal(err)
		}
		l := Listing{Name: "s"}
		if err := l.scan(sectionOf([]byte(file))); err != nil {
			t.Fatal(err)
		}
		if l.Turns != len(tr.Turns()) || l.First != tr.First() || l.Title != tr.Title() {
			t.Errorf("%.60q: listed %d turns, %q; read %d, %q", file, l.Turns, l.First, len(tr.Turns()), tr.Title())
		}
		if d := cmp.Diff(tr.Header, l.Header); d != "" {
			t.Errorf("%.60q: header (-read +listed):\n%s", file, d)
		}
	}
}

func TestOneShot(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		channel Channel
		turns   int
		want    bool
	}{{ChannelAsk, 1, true}, {ChannelAsk, 2, true}, {ChannelAsk, 3, false}, {ChannelTerminal, 2, false}} {
		l := Listing{Header: Header{Channel: tt.channel}, Turns: tt.turns}
		if l.OneShot() != tt.want {
			t.Errorf("%s with %d turns: %v", tt.channel, tt.turns, l.OneShot())
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	d := shelf(t, "20260510T190001Z-7f3a", "20260510T190001Z-80aa", "20260511T080000Z-7f3a", "demo", "demo two", "kettle")
	write(t, d.Imports().file("foreign"), `{"meta":{"session":"chat/1:2"}}`+"\n")
	for name, want := range map[string]string{
		"20260510T190001Z-7f3a":       "20260510T190001Z-7f3a",
		"20260510T190001Z-7f3a.jsonl": "20260510T190001Z-7f3a",
		" demo ":                      "demo", // although it begins another
		"demo two":                    "demo two",
		"demo t":                      "demo two",
		"k":                           "kettle",
		"id-of-kettle":                "kettle",
		"id-of-demo":                  "demo",
		"id-of-k":                     "kettle",
		"20260511":                    "20260511T080000Z-7f3a",
		"20260510T190001Z-8":          "20260510T190001Z-80aa",
		"foreign":                     "import/foreign",
		"chat/1:2":                    "import/foreign",
		"chat":                        "import/foreign",
	} {
		path, err := d.Find(name)
		if err != nil || path != filepath.Join(d.Path, filepath.FromSlash(want)+suffix) {
			t.Errorf("Find(%q) = %q, %v; want %s", name, path, err, want)
		}
	}
	for _, name := range []string{"", " ", ".jsonl", "none", "../sessions/demo", d.file("demo"), "emo"} {
		if path, err := d.Find(name); !errors.Is(err, ErrNone) {
			t.Errorf("Find(%q) = %q, %v", name, path, err)
		}
	}
	for name, want := range map[string][]string{
		"2026":            {"20260510T190001Z-7f3a", "20260510T190001Z-80aa", "20260511T080000Z-7f3a"},
		"20260510T190001": {"20260510T190001Z-7f3a", "20260510T190001Z-80aa"},
		"de":              {"demo", "demo two"},
		"id-of":           {"demo", "demo two", "kettle"},
	} {
		_, err := d.Find(name)
		var ambiguous *AmbiguousError
		if !errors.As(err, &ambiguous) {
			t.Errorf("Find(%q): %v", name, err)
			continue
		}
		if d := cmp.Diff(want, ambiguous.Names); d != "" || !strings.Contains(err.Error(), strings.Join(want, ", ")) {
			t.Errorf("Find(%q): %v (-want +got):\n%s", name, err, d)
		}
	}
}

func TestLatest(t *testing.T) {
	t.Parallel()
	d := shelf(t, "20260510T190001Z-7f3a", "demo", "kettle")
	if err := os.Mkdir(d.file("dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	for want, match := range map[string]func(Header) bool{
		"kettle":                nil,
		"demo":                  func(h Header) bool { return h.Scope == "repo:demo" },
		"20260510T190001Z-7f3a": func(h Header) bool { return h.Channel == ChannelAsk },
	} {
		if path, h, err := d.Latest(match); err != nil || stem(path) != want || !strings.HasSuffix(h.Session, want) {
			t.Errorf("%q with session %q, %v; want %s", path, h.Session, err, want)
		}
	}
	if _, _, err := d.Latest(func(Header) bool { return false }); !errors.Is(err, ErrNone) {
		t.Errorf("none: %v", err)
	}
	if _, _, err := newDir(t).Latest(nil); !errors.Is(err, ErrNone) {
		t.Errorf("no directory: %v", err)
	}
}

func TestRef(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]Ref{
		"20260510T190001Z-7f3a:12": {"20260510T190001Z-7f3a", 12},
		"chat:1:2":                 {"chat:1", 2},
		"a::7":                     {"a:", 7},
		"x:2147483647":             {"x", MaxTurn},
	} {
		if got, err := ParseRef(s); err != nil || got != want || got.String() != s {
			t.Errorf("ParseRef(%q) = %+v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", ":", ":1", "x", "x:", "x:0", "x:-1", "x:+1", "x:01", "x:1 ", "x:1.0", "x:a", "x:2147483648", "x:99999999999999999999"} {
		if got, err := ParseRef(s); err == nil {
			t.Errorf("ParseRef(%q) = %+v", s, got)
		}
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("east", 2*3600)
	id, err := newID(time.Date(2026, 5, 10, 21, 0, 1, 999, east), strings.NewReader("\x7f\x3a"))
	if err != nil || id != "20260510T190001Z-7f3a" || !isID(id) {
		t.Errorf("id %q, %v", id, err)
	}
	for _, s := range []string{"", "demo", "20260510T190001Z", "20260510T190001Z-", "20260510T190001Z-7f3", "20260510T190001Z-7F3A", "20260510T190001Z-7f3g", "20261310T190001Z-7f3a", "20260510T190001Z-7f3a-2"} {
		if isID(s) {
			t.Errorf("%q is taken for an id", s)
		}
	}
}

// A shell that asks which session to go on with must not make anybody wait. What
// a list costs is counted in allocations, which no other process on the machine
// changes: it reads few lines of a session in full, however many there are.
// BenchmarkList has the time.
func TestListOfAThousandSessionsReadsFewLines(t *testing.T) {
	cost := func(turns int) float64 {
		d := manySessions(t, 1000, turns)
		return testing.AllocsPerRun(1, func() {
			list, _, err := d.List()
			if err != nil || len(list) != 1000 || list[0].Turns != turns {
				t.Fatal(len(list), err)
			}
		})
	}
	short, long := cost(2), cost(20)
	t.Logf("allocations: %.0f with 2 turns a session, %.0f with 20", short, long)
	if long > 1.1*short || long > 100*1000 {
		t.Errorf("listing 1,000 sessions takes %.0f allocations with 2 turns each, %.0f with 20", short, long)
	}
}

// TestTitleOfOutput: a conversation is called by the first question, never by what a command
// printed before it, blank lines and all.
func TestTitleOfOutput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ content, want string }{
		{"hello you", "hello you"},
		{"\n\n two\nlines", "two"},
		{"[exec output]\n$ git status\nOn branch main\n\nUntracked files:\n  x\n[end of exec output]\n\nhello you\n\nand more", "hello you"},
		{"[exec output]\n$ git status\nOn branch main\n\nUntracked files:\n\nhello you", "hello you"},
		{"[exec output]\n$ ls\na\n[end of exec output]\n\n", ""},
		{"[erased]", ""},
		{"why?\n\n[stdin]\nTraceback\n  line 1", "why?"},
		{"\n\n[stdin]\nTraceback", "[stdin]"},
		{"```go\nfunc main() {}\n```\nwhat does it do", "what does it do"},
		{"~~~\nonly code\n~~~", "only code"},
		{"Traceback (most recent call last):\n  File a.py\nKeyError: 3\n\nwhat is wrong with it?", "what is wrong with it?"},
		{"2026-05-10 GET /a\n2026-05-10 GET /b\n2026-05-10 GET /c\n2026-05-10 GET /d\n\nwhich of these fails", "which of these fails"},
		{"goroutine 1 [running]\nmain.go:3\nmain.go:4\nwhy does it hang?", "why does it hang?"},
		{"what is wrong here?\na\nb\nc\nd", "what is wrong here?"},
		{"fix this\n\na\nb\nc\n\nd", "fix this"},
		{"\x1b[31mred\x1b[0m \x07bell\u202e", "red bell"},
		{"\x1b[2J\u200b\n\x07\nhello", "hello"},
		{strings.Repeat("東", 100), strings.Repeat("東", 66)},
	} {
		if got := title(c.content); got != c.want {
			t.Errorf("title of %q: %q, want %q", c.content, got, c.want)
		}
	}
}

// TestTitled: what the person calls a session is its title until they take it back, in lists
// and when it is read; it is cleaned, and is no sign that the session went on.
func TestTitled(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	const head = `{"meta":{"session":"a","started":"2026-05-10T10:00:00Z"}}
{"role":"user","content":"why does it hang?","n":1,"ts":"2026-05-10T11:00:00Z"}
`
	title := func(name string) string {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		return `{"ts":"2026-05-11T11:00:00Z","event":"title","title":` + string(quoted) + "}\n"
	}
	for _, c := range []struct{ lines, want string }{
		{head, "why does it hang?"},
		{head + title("the kettle"), "the kettle"},
		{head + title("the kettle") + title("tea"), "tea"},
		{head + title("the kettle") + title(""), "why does it hang?"},
		{title("before all") + head, "before all"},
		{head + `{"event":"title","title":3}` + "\n", "why does it hang?"},
		{head + title("\x1b[2Jred\nrow\x07"), "red row"},
		{head + `{"event":"other","title":"no"}` + "\n", "why does it hang?"},
	} {
		write(t, d.file("a"), c.lines)
		list, _, err := d.List()
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		tr, err := d.Load(d.file("a"))
		if err != nil {
			t.Fatal(err)
		}
		if list[0].Title != c.want || tr.Title() != c.want || tr.First() != "why does it hang?" || list[0].First != tr.First() {
			t.Errorf("%s: listed %q, read %q, first %q and %q", c.lines, list[0].Title, tr.Title(), list[0].First, tr.First())
		}
		if got := list[0].Written.UTC().Format(time.RFC3339); got != "2026-05-10T11:00:00Z" {
			t.Errorf("%s: written %s", c.lines, got)
		}
	}
}

// TestFileTimes: what programs do to the times of files changes no order.
func TestFileTimes(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	for i, name := range []string{"old", "new", "ran", "long"} {
		text := fmt.Sprintf(`{"meta":{"session":"id-of-%s","started":"2026-05-10T10:00:00Z"}}
{"role":"user","content":"hi","n":1,"ts":"2026-05-10T1%d:00:00Z"}
`, name, i+1)
		switch name {
		case "ran":
			text += `{"event":"exec","ts":"2026-05-10T18:00:00Z","cmd":"ls"}` + "\n" + `{"event":"model"}` + "\n"
		case "long": // the last line with a time stands far before the end
			text += strings.Repeat(`{"role":"assistant","content":"`+strings.Repeat("x", 9000)+`"}`+"\n", 20) + `{"role":"user","ts":"2027`
		}
		write(t, d.file(name), text)
		touch(t, d.file(name), 9-i)
	}
	want := []string{"ran", "long", "new", "old"}
	list, _, err := d.List()
	if err != nil {
		t.Fatal(err)
	}
	var got, quick []string
	for _, l := range list {
		got = append(got, l.Name)
	}
	for path := range d.Newest() {
		quick = append(quick, stem(path))
	}
	if diff := cmp.Diff([][]string{want, want}, [][]string{got, quick}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
