package session

import (
	"bytes"
	stdcmp "cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func sectionOf(b []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b)))
}

// wholeListing is what a list says of a session whose bytes are all read: the plain way, as an oracle.
func wholeListing(b []byte, f file) Listing {
	l := Listing{Name: stem(f.path), Path: f.path, Size: f.size}
	var last time.Time
	begun, given := false, ""
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	for text := range bytes.Lines(b) {
		kind, fields, err := scanLine(text, nil)
		if err != nil {
			continue
		}
		parsed, err := parseFields(kind, fields)
		if !begun || kind == "role" && l.First == "" {
			switch {
			case err != nil:
				continue
			case kind == "meta" && !begun:
				l.Header = *parsed.header
			case kind == "role" && parsed.turn.ByPerson() && len(text) <= MaxLine:
				if l.First = title(parsed.turn.Content); l.First != "" {
					l.FirstN = stdcmp.Or(parsed.turn.N, l.Turns+1)
				}
			}
			begun = true
		}
		switch {
		case kind == "role":
			l.Turns++
		case kind == "event" && isTitle(fields) && err == nil:
			given = cleanTitle(parsed.event.Text("title"))
		}
	}
	for text := range bytes.Lines(b) {
		parsed, err := parseLine(bytes.TrimRight(text, "\r\n"))
		switch {
		case err != nil:
		case parsed.turn != nil:
			l.Said = parsed.turn.Time
			if !l.Said.IsZero() {
				last = l.Said
			}
		case parsed.event != nil && !parsed.event.Time.IsZero() && parsed.event.Name != eventTitle && parsed.event.Name != eventFeedback:
			last = parsed.event.Time
		}
	}
	l.Title = stdcmp.Or(given, l.First)
	l.Header.Session = stdcmp.Or(l.Header.Session, l.Name)
	l.Written = written(l.Header, last, f)
	return l
}

// randomSession is a session file as people, crashes and programs leave them.
func randomSession(r *rand.Rand) []byte {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	quoted := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	said := func() string {
		n := 1
		if r.IntN(10) == 0 {
			n = 3_000 + r.IntN(6_000) // longer than is held whole
		}
		text := pick("why does it hang? ", "\n", "\u00e4\"\\ \n", "[erased]",
			"[exec output]\n$ ls\n[end of exec output]\n\n", "```\ncode\n```\n", "  ")
		return quoted(strings.Repeat(text, n) + pick("", "and now?", "\n\n[stdin]\nx"))
	}
	at := func() string {
		return pick("", fmt.Sprintf(`"ts":"2026-05-10T19:%02d:%02dZ",`, r.IntN(60), r.IntN(60)),
			fmt.Sprintf(`"ts":%d.5,`, 1_700_000_000+r.IntN(1e6)), `"ts":"then",`)
	}
	turn := func() string {
		return `{` + at() + `"role":` + pick(`"user"`, `"user"`, `"assistant"`, `"tool"`, `"other"`, `""`, `7`) + `,"content":` +
			pick(said(), said(), said(), "null", "[1]") +
			pick("", `,"nudge":true`, fmt.Sprintf(`,"n":%d`, r.IntN(9)), `,"raw":{"a":`+said()+`}`) + `}`
	}
	var b bytes.Buffer
	b.WriteString(pick("", "", "", "\ufeff"))
	b.WriteString(pick(`{"meta":{"session":"a","started":"2026-05-10T19:10:01Z","channel":"terminal"}}`+"\n",
		`{"meta":{"session":"a","x":`+said()+"}}\n", ""))
	for range r.IntN(12) {
		line := ""
		switch r.IntN(10) {
		case 0:
			line = `{` + at() + `"event":"title","title":` + pick(said(), `""`, `3`, `"the kettle"`) + `}`
		case 1:
			line = `{` + at() + `"event":` + pick(`"exec"`, `"feedback"`, `"auto"`, `"\u0061uto"`, `"act"`, `""`) + `,"cmd":` + said() + `}`
		case 2:
			line = pick("", "by hand", "\x00\x00", `{"role":"user","content":"half`, `{"meta":{"session":"b"}}`, `{"a":1}`, `[]`)
		default:
			line = turn()
		}
		if r.IntN(15) == 0 { // damaged
			line = line[:r.IntN(len(line)+1)] + pick("", "\x01", "x")
		}
		b.WriteString(line + pick("\n", "\n", "\n", "\r\n", "\n\n"))
	}
	if r.IntN(4) == 0 { // torn
		torn := turn()
		b.WriteString(torn[:r.IntN(len(torn)+1)])
	}
	return b.Bytes()
}

// TestLawListInParts: what a list says of a session by its lines, one at a time and the last ones first, is what it says
// of the whole file; and the sessions that were written to last are known by as much.
func TestLawListInParts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 1))
	d := newDir(t)
	for i := range 150 {
		b := append(randomSession(r), '\n')
		path := d.file("s")
		write(t, path, string(b))
		fi, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		f := file{path, fi.ModTime(), fi.Size()}
		got, err := Look(path)
		if err != nil {
			t.Fatal(err)
		}
		want := wholeListing(b, f)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("session %d: (-whole +in parts)\n%s\n%.3000q", i, d, b)
		}
		h, at, err := recent(f)
		tr, rerr := Load(path)
		wantEvents(t, tr, path)
		if err != nil || rerr != nil || h.Session != tr.Header.Session || !at.Equal(written(h, at, f)) {
			t.Fatalf("session %d: %+v, %v, %v", i, h, err, rerr)
		}
		if h.Session == want.Header.Session && !at.Equal(want.Written) {
			t.Fatalf("session %d: written %s, by its end %s\n%.3000q", i, want.Written, at, b)
		}
	}
}

// wantEvents checks that the events of some names are those of the whole transcript, and that it is known whether it has a turn.
func wantEvents(t *testing.T, tr *Transcript, path string) {
	t.Helper()
	got, err := Events(path, "auto", "act", eventTitle)
	said, serr := HasTurn(path)
	if err != nil || serr != nil || said != (len(tr.Turns()) > 0) {
		t.Fatalf("%v, %v; has a turn: %v, want %d", err, serr, said, len(tr.Turns()))
	}
	var want []Entry
	for _, e := range tr.Entries {
		if e.Event != nil && (e.Event.Name == "auto" || e.Event.Name == "act" || e.Event.Name == eventTitle) {
			want = append(want, e)
		}
	}
	if d := cmp.Diff(want, got.Entries); d != "" || cmp.Diff(tr.Header, got.Header) != "" || tr.Headed != got.Headed {
		t.Fatalf("events (-whole +in parts)\n%s\nheader %+v, want %+v", d, got.Header, tr.Header)
	}
}

// A large is a reader of a session that is made while it is read, and counts what is read of it.
type large struct {
	head, line, tail string
	lines            int
	read             int64
	watch            bool   // what is held meanwhile, now and then
	first, most      uint64 // bytes at first, and at most
}

func (l *large) size() int64 { return int64(len(l.head) + l.lines*len(l.line) + len(l.tail)) }

func (l *large) ReadAt(b []byte, off int64) (n int, err error) {
	if l.watch && (l.first == 0 || off>>22 != (off+int64(len(b)))>>22) {
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		if l.first == 0 {
			l.first = now.HeapAlloc
		}
		l.most = max(l.most, now.HeapAlloc)
	}
	for n < len(b) {
		switch at := off + int64(n); {
		case at >= l.size():
			l.read += int64(n)
			return n, io.EOF
		case at < int64(len(l.head)):
			n += copy(b[n:], l.head[at:])
		case at < int64(len(l.head)+l.lines*len(l.line)):
			n += copy(b[n:], l.line[int(at-int64(len(l.head)))%len(l.line):])
		default:
			n += copy(b[n:], l.tail[at-int64(len(l.head)+l.lines*len(l.line)):])
		}
	}
	l.read += int64(n)
	return n, nil
}

// allocated is how many bytes do allocates.
func allocated(do func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// TestListCosts: a list holds little of a session however long it and its lines are, and when it was written to last is
// known by its end.
func TestListCosts(t *testing.T) { // alone: what other tests allocate would count
	const head = `{"meta":{"session":"a"}}` + "\n" + `{"role":"user","content":"why does it hang?","n":1}` + "\n"
	for name, l := range map[string]*large{
		"many lines": {
			line:  `{"ts":"2026-05-10T19:00:01Z","role":"assistant","content":"` + strings.Repeat("it waits; ", 300) + `"}` + "\n",
			lines: 20_000,
		},
		"long lines": {line: `{"role":"assistant","content":"` + strings.Repeat(`it \"waits\"\n`, 1<<20) + `"}` + "\n", lines: 5},
		"no end":     {line: `{"role":"user","content":"`, lines: 2_000_000},
	} {
		l.head, l.tail = head, `{"ts":"2026-05-10T20:00:01Z","role":"user","content":"and now?"}`+"\n"
		src := io.NewSectionReader(l, 0, l.size())
		var got Listing
		cost := allocated(func() {
			if err := got.scan(src); err != nil {
				t.Fatal(err)
			}
		})
		want := l.lines + 2
		if name == "no end" {
			want = 1
		}
		if got.Turns != want || got.First != "why does it hang?" || cost > 1<<20 {
			t.Errorf("%s: %d turns, %q; %d bytes allocated for a session of %d MB", name, got.Turns, got.First, cost, l.size()>>20)
		}
		if name == "no end" {
			continue
		}
		l.read = 0
		last, said, err := lastTimes(src, true)
		if want := time.Date(2026, 5, 10, 20, 0, 1, 0, time.UTC); err != nil || !last.Equal(want) || !said.Equal(want) {
			t.Errorf("%s: written %s, said %s, %v", name, last, said, err)
		}
		if l.read > 64<<10 {
			t.Errorf("%s: %d bytes are read to know when it was written to last", name, l.read)
		}
	}
}

// TestCopyCosts: a copy of a session holds a line of it at a time.
func TestCopyCosts(t *testing.T) { // alone: what other tests hold would count
	d := newDir(t)
	l := &large{
		head: `{"meta":{"session":"a"}}` + "\n", tail: `{"torn`, lines: 2000, watch: true,
		line: `{"ts":"2026-05-10T19:00:01Z","role":"assistant","content":"` + strings.Repeat("it waits; ", 1000) + `"}` + "\n",
	}
	w, err := d.copyTo("", "long", 0, func() (*io.SectionReader, func() error, error) {
		return io.NewSectionReader(l, 0, l.size()), func() error { return nil }, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fi, err := os.Stat(w.path)
	if err != nil || fi.Size() < int64(l.lines*len(l.line)) || w.last != l.lines+1 { // what is torn may have been one
		t.Errorf("%v, %v; %d turns", fi, err, w.last)
	}
	if l.most > l.first+2<<20 {
		t.Errorf("%d bytes are held for a copy of %d", l.most-l.first, l.size())
	}
	if err := w.held.release(); err != nil {
		t.Fatal(err)
	}
}
