package owner_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/app"
	"ken/internal/app/owner"
	"ken/internal/fault"
	"ken/internal/review"
)

// suggests has an assistant suggest texts.
func (d *desk) suggests(kind string, texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		notes := d.app.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: "notes"}})
		done, err := notes.Remember(d.t.Context(), app.Statement{Text: text, Kind: kind})
		if err != nil || done.Did != "proposed" {
			d.t.Fatalf("%q: %+v, %v", text, done, err)
		}
	}
}

// waits is what waits, by reference.
func (d *desk) waits(kind, from string) (refs string, chosen []owner.Choice) {
	d.t.Helper()
	q, err := d.Queue(d.t.Context(), kind, from)
	if err != nil {
		d.t.Fatal(err)
	}
	var list []string
	for _, w := range q.Rows {
		list, chosen = append(list, w.Ref), append(chosen, owner.Choice{Ref: w.Ref, Mark: w.Mark})
	}
	slices.Sort(list)
	return strings.Join(list, " "), chosen
}

// TestDecide: several of what waits are answered together, and taken back together; what would bind commands, was changed
// or waits no more is left, and said.
func TestDecide(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	rule := d.states("rule", "never run rm -rf")
	d.suggests("fact", "the drum prints", "the kettle\u200b is blue")
	d.suggests("pref", "short answers", "always confirm git push")
	d.suggests("rule", "never run git push")
	if _, err := d.app.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: "notes"}}).Pin(t.Context(), rule, true, "often"); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(d.home, "memory.jsonl")
	f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	const line = `{"id":40,"kind":"fact","content":"the ladle\u200b is\n  long","origin":"agent:elsewhere"}` + "\n"
	if _, err := f.WriteString(line); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	q, err := d.Queue(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if kinds, from := strings.Join(q.Kinds, " "), strings.Join(q.From, " "); q.Total != 7 ||
		kinds != "fact pin pref rule" || from != "agent:elsewhere agent:notes" {
		t.Errorf("%d wait: %s; %s", q.Total, kinds, from)
	}
	var bind []string
	for _, w := range q.Rows {
		if w.Ref == "40" && w.Text != "the ladle‹U+200B› is\n  long" {
			t.Errorf("what is invisible: %q", w.Text)
		}
		if w.Binds {
			bind = append(bind, w.Ref)
		}
	}
	if slices.Sort(bind); strings.Join(bind, " ") != "p5 p6" {
		t.Errorf("bind: %q", bind)
	}
	refs, facts := d.waits("fact", "agent:notes")
	if refs != "p1 p2" {
		t.Errorf("facts: %s", refs)
	}
	_, all := d.waits("", "")
	all[slices.IndexFunc(all, func(c owner.Choice) bool { return c.Ref == "p3" })].Mark = facts[0].Mark
	done, err := d.Decide(t.Context(), "yes", append(all, owner.Choice{Ref: "p99"}))
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, l := range done.Left {
		left = append(left, l.Ref)
		if l.Err == nil || l.Ref == "p99" && !errors.Is(l.Err, review.ErrNotWaiting) {
			t.Errorf("%s: %v", l.Ref, l.Err)
		}
	}
	slices.Sort(left)
	if slices.Sort(done.Done); strings.Join(done.Done, " ") != "40 p1 p2 p4" || len(done.Kept) != 4 ||
		strings.Join(left, " ") != "p3 p5 p6 p99" {
		t.Errorf("%+v", done)
	}
	if got := d.refs(owner.Filter{Kind: "fact"}); len(got) != 3 {
		t.Errorf("remembered: %q", got)
	}
	if _, err := d.TakeBack(t.Context(), done.Back); err != nil {
		t.Fatal(err)
	}
	if refs, _ := d.waits("", ""); refs != "40 p1 p2 p3 p4 p5 p6" || len(d.refs(owner.Filter{Kind: "fact"})) != 0 {
		t.Errorf("taken back: %s waits", refs)
	}
	// A no, to a suggestion and to a line, and what is put off.
	_, all = d.waits("fact", "")
	if done, err = d.Decide(t.Context(), "no", all); err != nil || len(done.Done) != 3 || len(done.Kept) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	if refs, _ := d.waits("fact", ""); refs != "" {
		t.Errorf("refused: %s waits", refs)
	}
	if _, err := d.TakeBack(t.Context(), done.Back); err != nil {
		t.Error(err)
	}
	refs, all = d.waits("fact", "agent:notes")
	if refs != "p1 p2" {
		t.Errorf("taken back: %s waits", refs)
	}
	if done, err = d.Decide(t.Context(), "later", all[:1]); err != nil || len(done.Done) != 1 || len(done.Back) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestDecideRefuses: what is nothing to decide is an error, and nothing that binds commands is taken back by a Back that was made up.
func TestDecideRefuses(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	rule := d.states("rule", "never run rm -rf")
	d.suggests("fact", "the drum prints")
	_, all := d.waits("", "")
	before := d.log()
	for what, err := range map[string]error{
		"a verdict":       second(d.Decide(t.Context(), "keep", all)),
		"nothing chosen":  second(d.Decide(t.Context(), "yes", nil)),
		"nothing to undo": second(d.TakeBack(t.Context(), nil)),
		"no line":         second(d.TakeBack(t.Context(), []string{"x y"})),
		"no proposal":     second(d.TakeBack(t.Context(), []string{"px"})),
	} {
		if fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := d.TakeBack(t.Context(), []string{rule}); fault.KindOf(err) != fault.Refused {
		t.Errorf("a rule: %v", err)
	}
	if d.log() != before {
		t.Error("something was written")
	}
}

func second[T any](_ T, err error) error { return err }
