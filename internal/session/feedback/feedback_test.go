package feedback_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/session"
	"ken/internal/session/feedback"
)

// at is the time of the tests.
func at() time.Time { return time.Date(2026, 5, 10, 19, 0, 1, 0, time.UTC) }

func dir(t *testing.T) session.Dir {
	t.Helper()
	root := t.TempDir()
	return session.Dir{Path: filepath.Join(root, "sessions"), Lock: root, Run: filepath.Join(root, "run"), Now: at}
}

// TestRoundTrip: each kind of each thing is read back as it was written, with the session that it stands in.
func TestRoundTrip(t *testing.T) {
	d := dir(t)
	w, err := d.Create(session.Header{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AppendTurn(session.Turn{Role: session.RoleUser, Content: "clean up"}); err != nil {
		t.Fatal(err)
	}
	want := []feedback.Outcome{feedback.OfTurn(feedback.Retried, 2), feedback.OfLine(feedback.Revised, 2, 0)}
	for _, k := range feedback.Kinds() {
		for _, of := range []feedback.Thing{
			feedback.Command, feedback.Memory, feedback.Answer, feedback.File, feedback.Tool, feedback.Suggestion,
		} {
			want = append(want, feedback.Outcome{Kind: k, Of: of, Ref: "laptop-7f3a/3"})
		}
	}
	for i, o := range want {
		if err := w.AppendEvent(o.Event()); err != nil {
			t.Fatal(err)
		}
		want[i].Session, want[i].At = w.ID(), at()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := d.Load(w.Path())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, feedback.Read(read)); diff != "" {
		t.Errorf("what is read (-want +got):\n%s", diff)
	}
	if w := read.Warning(); w != "" {
		t.Errorf("the session is read with a warning: %s", w)
	}
}

// TestNoText: what is no reference is not written, and not taken for one when somebody else wrote it.
func TestNoText(t *testing.T) {
	for _, text := range []string{"rm -rf /home/me", "päron", "a\nb", strings.Repeat("x", 129), "\x1b[31m"} {
		o := feedback.Outcome{Kind: feedback.Rejected, Of: feedback.Command, Ref: text}
		if v := o.Event().Value("ref"); v != nil {
			t.Errorf("%q is written as a reference: %s", text, v)
		}
		e := session.Event{Name: feedback.Event, Fields: []session.Field{
			session.StringField("kind", "rejected"), session.StringField("of", "command"), session.StringField("ref", text),
		}}
		if o, ok := feedback.Of(e); !ok || o.Ref != "" {
			t.Errorf("%q is read as a reference: %v %q", text, ok, o.Ref)
		}
	}
}

// TestUnknown: a kind and a thing of a later version are passed over, and stay in the session.
func TestUnknown(t *testing.T) {
	for _, fields := range [][2]string{{"praised", "command"}, {"failed", "dream"}, {"", ""}} {
		e := session.Event{Name: feedback.Event, Fields: []session.Field{
			session.StringField("kind", fields[0]), session.StringField("of", fields[1]),
		}}
		if _, ok := feedback.Of(e); ok {
			t.Errorf("%v is read as an outcome", fields)
		}
	}
}

// TestNewest: the newest files come first, what is too old or too many is not opened, and what cannot be read is told.
func TestNewest(t *testing.T) {
	d := dir(t)
	if err := os.MkdirAll(d.Path, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		path := filepath.Join(d.Path, fmt.Sprintf("2026050%dT190001Z-7f3a.jsonl", i))
		if err := os.WriteFile(path, []byte(`{"ts":"2026-05-01T00:00:00Z","role":"user","content":"x"}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		when := at().AddDate(0, 0, -10*(10-i))
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	// In the place of the oldest there is what cannot be read: nobody tries who does not need it.
	oldest := filepath.Join(d.Path, "20260500T190001Z-7f3a.jsonl")
	if err := errors.Join(os.Remove(oldest), os.Mkdir(oldest, 0o700), os.Chtimes(oldest, time.Unix(1, 0), time.Unix(1, 0))); err != nil {
		t.Fatal(err)
	}
	count := func(since time.Time, most int) (n int, first string) {
		for s, err := range feedback.Newest(t.Context(), d, since, most) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 1 {
				first = s.Header.Session
			}
		}
		return n, first
	}
	for _, c := range []struct {
		since time.Time
		most  int
		want  int
	}{{time.Unix(1e9, 0), 0, 9}, {time.Time{}, 4, 4}, {at().AddDate(0, 0, -31), 0, 3}, {at(), 0, 0}} {
		n, first := count(c.since, c.most)
		if n != c.want || n > 0 && first != "20260509T190001Z-7f3a" {
			t.Errorf("since %v, %d at most: %d sessions from %q, want %d", c.since, c.most, n, first, c.want)
		}
	}
	told := 0
	for _, err := range feedback.Newest(t.Context(), d, time.Time{}, 0) {
		if err != nil {
			told++
		}
	}
	if told != 1 {
		t.Errorf("of what cannot be read %d errors are told", told)
	}
	now := time.Unix(2e9, 0) // as in a directory that was restored, in any order
	for i := range 10 {
		path := filepath.Join(d.Path, fmt.Sprintf("2026050%dT190001Z-7f3a.jsonl", i))
		if err := os.Chtimes(path, now, now.Add(time.Duration(i*7%10)*time.Millisecond)); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for s, err := range feedback.Newest(t.Context(), d, at(), 3) {
		if err != nil {
			t.Fatal(err)
		}
		seen[s.Header.Session[:8]] = true
	}
	if len(seen) != 3 || !seen["20260509"] || !seen["20260508"] || !seen["20260507"] {
		t.Errorf("of restored ones %v are looked at", seen)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, err := range feedback.Newest(ctx, d, time.Time{}, 0) {
		if err == nil {
			t.Error("it goes on when nobody waits any more")
		}
	}
}

// lines is a session of these lines behind a header.
func lines(t *testing.T, header string, list ...string) *session.Transcript {
	t.Helper()
	text := `{"meta":{"format":1,"session":"20260510T190001Z-7f3a","started":"2026-05-10T19:00:01Z"` + header + "}}\n"
	text += strings.Join(list, "\n") + "\n"
	tr, err := session.Read(strings.NewReader(text), "20260510T190001Z-7f3a")
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// told are outcomes in short: "failed command call_1 @2".
func told(list []feedback.Outcome) string {
	var out []string
	for _, o := range list {
		out = append(out, fmt.Sprintf("%s %s %s @%d", o.Kind, o.Of, o.Ref, o.N))
	}
	return strings.Join(out, "; ")
}

// TestFromOtherLines: what acts, changes of files and questions that were asked again say of themselves are outcomes, once
// each, in a session of any version.
func TestFromOtherLines(t *testing.T) {
	const (
		ts       = `{"ts":"2026-05-10T19:00:04Z",`
		question = ts + `"role":"user","content":"q"}`
		answer   = ts + `"role":"assistant","content":"a"}`
	)
	act := func(rest string) string { return ts + `"event":"act",` + rest + "}" }
	const (
		changed  = `"id":"a1","path":"/a",` + `"before":"","after":"aa","who":"fast"`
		back     = `"id":"a2","tool":"undo","path":"/a","undoes":"a1","before":"aa","after":""`
		again    = `"id":"a3","tool":"undo","path":"/a","undoes":"a2","before":"","after":"aa"`
		replaced = ts + `"event":"unanswered","n":1,"to":2,"why":"replaced"}`
	)
	begun := func(tool, how string) string {
		return act(`"id":"c1","tool":"` + tool + `","how":"` + how + `","state":"begun"`)
	}
	done := func(rest string) string { return act(`"id":"c1","state":"done",` + rest) }
	for name, c := range map[string]struct {
		want  string
		lines []string
	}{
		"let by a level": {"", []string{begun("shell", "level"), done(`"outcome":"done","exit":0`)}},
		"let by a yes":   {"accepted command c1 @2", []string{begun("shell", "once"), done(`"outcome":"done","exit":0`)}},
		"a yes, and fails": {"accepted command c1 @2; failed command c1 @2", []string{
			begun("shell", "session"), done(`"outcome":"failed","exit":2`),
		}},
		"fails":            {"failed tool c1 @2", []string{begun("recall", "level"), done(`"outcome":"expired"`)}},
		"a no":             {"rejected tool c1 @2", []string{act(`"id":"c1","tool":"edit_file","how":"refused","state":"refused"`)}},
		"skipped":          {"rejected command 2.1 @2", []string{act(`"id":"2.1","tool":"shell","how":"refused","state":"skipped"`)}},
		"by nobody's word": {"", []string{act(`"id":"c1","tool":"shell","how":"deny","state":"refused"`)}},
		"killed":           {"", []string{begun("shell", "level")}},
		"taken back":       {"undone file a1 @0", []string{act(changed), act(back)}},
		"taken back, void": {"", []string{act(back), act(`"id":"a2","state":"void"`)}},
		"back again":       {"undone file a1 @0", []string{act(back), act(again)}},
		"asked again":      {"retried answer 2 @2", []string{replaced, question, answer}},
		"asked in vain": {"", []string{
			replaced, question, ts + `"event":"unanswered","n":3}`, ts + `"event":"left","n":1,"to":2,"by":3}`,
		}},
		"swapped back": {"retried answer 2 @2", []string{
			replaced, question, answer, ts + `"event":"unanswered","n":3,"to":4,"why":"replaced","by":1}`, ts + `"event":"left","n":1,"to":2}`,
		}},
		"dropped":   {"", []string{ts + `"event":"unanswered","n":1,"to":2,"why":"dropped"}`}},
		"no answer": {"", []string{question, ts + `"event":"unanswered","n":3,"to":3,"why":"replaced"}`}},
		"damaged":   {"", []string{"{", `{"event":"feedback"}`, `{"event":"feedback","kind":7,"of":[]}`, act(`"id":7`)}},
	} {
		if got := told(feedback.Read(lines(t, "", append([]string{question, answer}, c.lines...)...))); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	copied := lines(t, `,"copied_from":"20260501T190001Z-7f3a"`,
		`{"ts":"2026-05-01T19:00:01Z","event":"feedback","kind":"revised","of":"command","ref":"2.1","n":2}`,
		`{"ts":"2026-05-11T19:00:01Z","event":"feedback","kind":"rejected","of":"command","ref":"4.1","n":4}`)
	if got := told(feedback.Read(copied)); got != "rejected command 4.1 @4" {
		t.Errorf("of a copy: %q", got)
	}
}

// TestNeverText: whatever is handed in as a reference, an outcome that is written holds no word of it that a reference could not
// hold, and is read back as it stands.
func TestNeverText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := feedback.Outcome{
			Kind: rapid.SampledFrom(feedback.Kinds()).Draw(t, "kind"), Of: feedback.Command,
			Ref: rapid.String().Draw(t, "ref"), N: rapid.IntRange(0, 1000).Draw(t, "n"),
		}
		e := o.Event()
		for _, f := range e.Fields {
			if bytes.ContainsAny(f.Value, " \t\r\n") || len(f.Value) > 140 {
				t.Fatalf("%s is %s", f.Name, f.Value)
			}
		}
		got, ok := feedback.Of(e)
		if got.Ref != "" && got.Ref != o.Ref || !ok || got.Kind != o.Kind || got.N != o.N {
			t.Fatalf("%+v is read back as %+v", o, got)
		}
	})
}
