package talk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/agent/loop"
	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/teach"
	"ken/internal/view"
)

// act does what a typed line plainly asks of the memory, before a model has a word in it. done says that no model is to be asked.
func (t *Talk) act(ctx context.Context, line string, asked bool, told func(string)) (done bool) {
	if !t.home.Settings.MemoryOn() || t.o.Who.Kind != app.Person {
		return false
	}
	if asked && app.AsksSaid(line) { // no model knows other conversations
		found, err := t.d.Said(ctx, line)
		if err != nil {
			t.home.Warn(fmt.Errorf("conversations were not searched: %w", err))
		}
		if err != nil || len(found) == 0 {
			return false
		}
		told("from your conversations; the model was not asked\n" + app.NamedText(t.home, found, false))
		return true
	}
	switch r := teach.Read(line); r.Act {
	case teach.Keep:
		t.keep(ctx, r, asked, told)
		return !asked // it still goes to the model, which is to know of it
	case teach.Correct, teach.Propose: // which memory a correction is about would have to be asked
		return t.suggest(ctx, r, asked, told)
	case teach.Forget:
		return t.forgetSaid(ctx, r, asked, told)
	case teach.Hint:
		told("to keep something: " + t.o.Press("remember", "TEXT") + "; to have something forgotten: " + t.o.Press("forget", "TEXT or NUMBER"))
		return !asked
	}
	return false
}

// keep remembers what was taught, and says so.
func (t *Talk) keep(ctx context.Context, r teach.Reading, asked bool, told func(string)) {
	if err := t.mayKeep(r); err != nil {
		told("nothing was remembered: " + err.Error())
		return
	}
	got, err := t.d.Lesson(asked).Keep(ctx, r.Text, r.Kind, r.Scope)
	switch {
	case !got.Same.IsZero():
		told("already remembered as #" + got.Same.String())
	case err != nil:
		told("nothing was remembered: " + err.Error())
	default:
		told(t.did("remembered", got.IDs[0].String(), ""))
		for _, it := range got.Near {
			if it.Relation.Contradicts() {
				told(t.against(it.Item))
			}
		}
	}
}

// against says of a memory that what was just remembered contradicts it.
func (t *Talk) against(it memory.Item) string {
	return fmt.Sprintf("#%s hardly holds beside it: %s; to replace it: %s", it.Ref(),
		view.Excerpt(t.home.Keys.MaskText(it.Record.Content), mostWords), t.o.Press("forget", it.Ref()))
}

// suggest has what a line states wait for the person's yes, unless the settings say that nothing is to be extracted.
func (t *Talk) suggest(ctx context.Context, r teach.Reading, asked bool, told func(string)) (done bool) {
	if cfg, ok := t.home.Settings.InForce(); !ok || cfg.Given("memory.auto_extract") && cfg.Memory.AutoExtract == "off" {
		return false
	}
	p, err := t.d.Lesson(asked).Suggest(ctx, r.Text, r.Kind, r.Scope)
	if err != nil || !p.New {
		return false
	}
	told(fmt.Sprintf("worth keeping? p%d waits for your yes at the terminal: ken review", p.ID))
	return !asked
}

// forgetSaid forgets what a line names, if that can be one memory only, and shows it otherwise, with what was said. done is
// false where nothing is meant and the line may be about something else.
func (t *Talk) forgetSaid(ctx context.Context, r teach.Reading, asked bool, told func(string)) (done bool) {
	if r.Scope != "" || r.Key != "" {
		told("what is said of a place or a key is forgotten at the terminal: ken forget; one memory: " + t.o.Press("forget", "NUMBER"))
		return true
	}
	hits, all, err := t.meant(ctx, r.Text)
	if err != nil {
		told("nothing was forgotten: " + err.Error())
		return true
	}
	if len(hits)+len(all.Items)+len(all.Turns) == 0 {
		told("nothing is remembered about " + r.Text + ", and no conversation mentions it")
		return !asked || r.Certain()
	}
	said := ""
	if len(hits) == 1 && len(all.Turns) == 0 && !r.All {
		said, err = t.forgetOne(ctx, hits)
	} else {
		said = t.offered(r.Text, hits, all)
	}
	if err != nil {
		said = "nothing was forgotten: " + err.Error()
	}
	told(said)
	return true
}

// meant is what may be meant of memories and conversations by what is to be forgotten. Of a name that is a small word only what
// says it: its likes are about anything.
func (t *Talk) meant(ctx context.Context, what string) (hits []view.Hit, all app.Mentions, err error) {
	if !app.SmallName(what) {
		if hits, err = t.hits(ctx, what); err != nil {
			return nil, all, err
		}
	}
	all, err = app.MentionsOf(ctx, t.home, what)
	return hits, all.Beside(), err
}

// offered shows what says something, and how all of it or one is forgotten.
func (t *Talk) offered(what string, hits []view.Hit, all app.Mentions) string {
	var lines []string
	if len(hits)+len(all.Items) == 0 {
		lines = append(lines, "Nothing is remembered about "+what+".")
	} else {
		lines = append(lines, "Which is meant? Nothing was done yet.")
	}
	listed := make(map[string]bool)
	show := func(ref, text string) {
		if !listed[ref] && len(listed) < mostFound {
			listed[ref] = true
			lines = append(lines, "- "+t.o.Press("forget", ref)+" "+view.Excerpt(text, mostWords))
		}
	}
	for _, it := range all.Items {
		show(it.Ref(), t.home.Keys.MaskText(it.Record.Content))
	}
	for _, h := range hits {
		show(h.Ref, h.Content)
	}
	if n := len(all.Turns); n > 0 {
		lines = append(lines, fmt.Sprintf("%s in %s say it, such as: %s", view.Count(n, "turn"),
			view.Count(all.Conversations(), "conversation"), view.Excerpt(t.home.Keys.MaskText(all.Turns[0].Text), mostWords)))
	}
	return strings.Join(append(lines, "All that says it: "+t.o.Press("forget", "everything about "+what)), "\n")
}

// forgetAll forgets all memories and turns that say something.
func (t *Talk) forgetAll(ctx context.Context, what string) (string, error) {
	all, err := app.MentionsOf(ctx, t.home, what)
	if err != nil {
		return "", err
	}
	if len(all.Items)+len(all.Turns) == 0 {
		return "Nothing is remembered about " + what + ", and no conversation mentions it.", nil
	}
	refs, turns := make([]string, len(all.Items)), make([]memory.Turn, len(all.Turns))
	for i, it := range all.Items {
		refs[i] = it.Ref()
	}
	for i, turn := range all.Turns {
		turns[i] = turn.Turn
	}
	done, err := t.forgetsAll(ctx, refs, turns)
	if err != nil {
		return "", err
	}
	t.wrote(done.Line)
	what = view.Memories(len(refs)) + " and " + view.Count(len(turns), "turn")
	return fmt.Sprintf("forgot %s (undo: %s)", what, t.o.Press("undo", done.Line)), nil
}

// did says what was done, with the command that takes it back.
func (t *Talk) did(verb, ref, text string) string {
	t.wrote(ref)
	if text != "" {
		text = ": " + text
	}
	return verb + " #" + ref + text + " (undo: " + t.o.Press("undo", ref) + ")"
}

// A written is a line of the memory, and the change of a file that was the newest when it was written.
type written struct{ ref, behind string }

// wrote notes a line that can be taken back.
func (t *Talk) wrote(ref string) {
	behind := t.acts.NewestChange(t.d.Recorder())
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done = append(t.done, written{ref, behind})
}

// forget forgets the memory of a reference, or the only one that words find; of several it asks which is meant.
func (t *Talk) forget(ctx context.Context, what string) (string, error) {
	if r := teach.Read("forget " + what); r.Act == teach.Forget && r.All && r.Scope == "" && r.Key == "" {
		return t.forgetAll(ctx, r.Text)
	}
	ref := strings.TrimPrefix(strings.TrimSpace(what), "#")
	word := func(c rune) bool { return (c < '0' || c > '9') && c != '-' }
	if ref == "" || strings.ContainsFunc(ref, word) && !strings.Contains(ref, "/") {
		if app.SmallName(what) {
			_, all, err := t.meant(ctx, what)
			if err == nil && len(all.Items)+len(all.Turns) > 0 {
				return t.offered(what, nil, all), nil
			}
			return "Nothing that is remembered is meant by that.", err
		}
		hits, err := t.hits(ctx, what)
		if err != nil || len(hits) == 0 {
			return "Nothing that is remembered is meant by that.", err
		}
		return t.forgetOne(ctx, hits)
	}
	return t.forgetRef(ctx, ref)
}

// forgetOne forgets the memory that was found, or asks which one is meant.
func (t *Talk) forgetOne(ctx context.Context, hits []view.Hit) (string, error) {
	if len(hits) > 1 {
		return t.list("forget", hits), nil
	}
	return t.forgetRef(ctx, hits[0].Ref)
}

func (t *Talk) forgetRef(ctx context.Context, ref string) (string, error) {
	done, err := t.forgets(ctx, ref)
	if err != nil {
		return "", err
	}
	lines := make([]string, len(done))
	for i, o := range done {
		if lines[i] = o.Did + " " + o.Name() + o.Note; o.Line != "" {
			t.wrote(o.Line)
			lines[i] += " (undo: " + t.o.Press("undo", o.Line) + ")"
		}
	}
	return strings.Join(lines, "\n"), nil
}

// undo takes back a line of the memory or a change of a file by its name, or the newest of both in this conversation.
func (t *Talk) undo(ctx context.Context, ref string) (string, error) {
	if ref = strings.TrimPrefix(strings.TrimSpace(ref), "#"); ref == "" {
		last, file := t.newest(), t.acts.NewestChange(t.d.Recorder())
		if ref = last.ref; file != "" && (ref == "" || file != last.behind) {
			ref = file
		}
		if ref == "" {
			return "", fault.NotFoundf("nothing was changed in this conversation").
				WithHint("name it by its number: %s; files: ken undo", t.o.Press("undo", "NUMBER"))
		}
	}
	if loop.IsChange(ref) {
		done, again, err := t.acts.TakeBack(ctx, t.d.Recorder(), ref)
		if err != nil {
			return "", err
		}
		return done + " (undo: " + t.o.Press("undo", again) + ")", nil
	}
	said, err := t.undoes(ctx, ref)
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(t.done)
	t.done = slices.DeleteFunc(t.done, func(done written) bool { return done.ref == ref })
	if len(t.done) < n && t.o.Own == nil {
		t.tookBack(ref)
	}
	return said, nil
}

// tookBack has the conversation know that a line of the memory was taken back which was written here, as package feedback
// reads it.
func (t *Talk) tookBack(ref string) {
	e := session.Event{Name: "feedback"}
	for _, f := range [][2]string{{"kind", "undone"}, {"of", "memory"}, {"ref", ref}} {
		e.Fields = append(e.Fields, session.StringField(f[0], f[1]))
	}
	if err := t.d.Recorder().AppendEvent(e); err != nil {
		t.home.Warn(fmt.Errorf("the session does not know that #%s was taken back: %w", ref, err))
	}
}

// newest is the line that was written last; none has no reference.
func (t *Talk) newest() written {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.done) == 0 {
		return written{}
	}
	return t.done[len(t.done)-1]
}

const (
	mostFound = 9   // memories that are shown of a search
	mostWords = 200 // of a memory in a list, in cells
)

// hits are the memories that a text finds here.
func (t *Talk) hits(ctx context.Context, text string) (list []view.Hit, err error) {
	hits, err := t.memory().Recall(ctx, app.Question{Text: text, Limit: mostFound * 3})
	for _, h := range hits {
		if h.In == "memory" && len(list) < mostFound {
			list = append(list, h)
		}
	}
	return list, err
}

// list shows memories; with a verb each has the command that means it.
func (t *Talk) list(verb string, hits []view.Hit) string {
	if len(hits) == 0 {
		return "Nothing is remembered about that."
	}
	var lines []string
	if verb != "" {
		lines = append(lines, "Which is meant? Nothing was done yet.")
	}
	for _, h := range hits {
		name := "#" + h.Ref
		if verb != "" {
			name = t.o.Press(verb, h.Ref)
		}
		lines = append(lines, "- "+name+" "+view.Excerpt(h.Content, mostWords))
	}
	return strings.Join(lines, "\n")
}
