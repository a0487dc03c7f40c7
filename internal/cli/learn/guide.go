package learn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"ken/internal/app"
	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/learn"
	"ken/internal/learn/lessons"
	"ken/internal/memory"
	"ken/internal/models"
	"ken/internal/repl"
	"ken/internal/review"
	"ken/internal/termsafe"
	"ken/internal/view/learned"
)

// mostLessons is how many lessons are asked for.
const mostLessons = 3

// A guided is a look back that asks.
type guided struct {
	a     *term.Run
	seen  learned.Look
	found learn.Found
	scope memory.Scope
	over  bool         // the person ended it
	judge *models.Once // the model that judges; nil: it was not opened yet

	kept []kept
}

// A kept is what was kept of it.
type kept struct {
	did   string // "kept", "changed", "forgot", "drafted"
	name  string // "#3", or that of a draft
	kind  memory.Kind
	text  string
	undo  string    // the command that takes it back, as the person types it here
	cites memory.ID // of the memory; zero where it is none, or in words of somebody else: a record would be no more trusted than these
}

// recordKey is the key of the record of a look, which takes the place of the one before.
const recordKey = "retrospect"

// run asks one question after the other about what was seen, and keeps what is answered for a scope (""
// is everywhere) at once, so that nothing that ends it costs it.
func (g *guided) run(ctx context.Context) error {
	g.a.Say("", "\nEnter goes on, Ctrl-C ends it; what you say is kept at once.")
	err := g.questions(ctx)
	return errors.Join(err, g.end(context.WithoutCancel(ctx)))
}

func (g *guided) questions(ctx context.Context) error {
	steps := []func(context.Context) error{g.stale, g.findings, g.suggestions}
	for _, q := range [...]struct {
		kind     memory.Kind
		question string
	}{
		{memory.KindGoal, "a goal for what comes next? > "},
		{memory.KindPref, "a preference that is clearer now? > "},
	} {
		steps = append(steps, func(ctx context.Context) error {
			text := g.text(ctx, q.question, "")
			return g.remember(ctx, q.kind, text, g.scope)
		})
	}
	steps = append(steps, g.lessons, func(ctx context.Context) error {
		text := g.text(ctx, "a rule about commands, such as \"always confirm git push\"? > ", "")
		return g.remember(ctx, memory.KindRule, text, g.scope)
	})
	for _, step := range steps {
		if g.over || ctx.Err() != nil {
			return nil
		}
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// put puts a question; who leaves it ends the look.
func (g *guided) put(ctx context.Context, q ask.Question) ask.Answer {
	said, err := g.a.Person.Put(ctx, q)
	if err != nil && ctx.Err() == nil && !errors.Is(err, repl.ErrNoTerminal) {
		g.a.Report(err)
	}
	if err != nil || said == ask.Stop {
		g.over = true
	}
	return said
}

// text asks for a text that begins with begin; "" where there is none, which may mean that it is over.
func (g *guided) text(ctx context.Context, question, begin string) string {
	var line string
	err := g.a.Person.OnTerminal(func(t *repl.Terminal) (err error) {
		line, err = t.AskFrom(ctx, question, begin)
		return err
	})
	switch {
	case errors.Is(err, repl.ErrInterrupted), errors.Is(err, io.EOF), ctx.Err() != nil, errors.Is(err, repl.ErrNoTerminal):
		g.over = true
		return ""
	case err != nil:
		g.a.Report(err)
		g.over = true
		return ""
	}
	return strings.TrimSpace(line)
}

// stale asks which memories are wrong by now, and has them changed or forgotten.
func (g *guided) stale(ctx context.Context) error {
	for len(g.seen.Used) > 0 && !g.over {
		word, ref, _ := strings.Cut(g.text(ctx, "wrong or stale? e REF changes a memory, f REF forgets it > ", ""), " ")
		if word == "" {
			return nil
		}
		ref = strings.TrimPrefix(strings.TrimSpace(ref), "#")
		id, err := memory.ParseID(ref)
		if err != nil || word != "e" && word != "f" {
			g.a.Status("say e or f, and the number of a memory, as in: f 3")
			continue
		}
		if word == "e" {
			err = g.change(ctx, id)
		} else {
			err = g.forget(ctx, id)
		}
		if err != nil {
			g.a.Report(err)
		}
	}
	return nil
}

func (g *guided) change(ctx context.Context, id memory.ID) error {
	s, err := g.a.Home.Memory.State(ctx)
	if err != nil {
		return err
	}
	it, status := s.Get(id)
	if status != memory.StatusActive {
		return fault.NotFoundf("#%s is %s", id, status)
	}
	was := termsafe.Line(it.Record.Content) // of several lines it is another text
	text := g.text(ctx, "text: ", was)
	if text == "" || text == strings.TrimSpace(was) {
		return nil
	}
	w, err := g.a.Home.Memory.Writer()
	if err != nil {
		return err
	}
	r, err := w.Edit(ctx, id, engine.Edit{Content: &text})
	if err != nil {
		return err
	}
	g.did("changed", id, "", text, r, false, "")
	return nil
}

func (g *guided) forget(ctx context.Context, id memory.ID) error {
	w, err := g.a.Home.Memory.Writer()
	if err != nil {
		return err
	}
	r, err := w.Forget(ctx, "", id)
	if err != nil {
		return err
	}
	g.did("forgot", id, "", "", r, false, "")
	return nil
}

// let says yes to a draft that waits, as the person has it now; without a text it goes on to wait.
func (g *guided) let(ctx context.Context, d learned.Draft, text string) {
	if text == "" {
		return
	}
	ans := engine.Answer{Verdict: review.Yes}
	if text != d.Text {
		ans.Content = &text
	}
	w, err := g.a.Home.Memory.Writer()
	if err != nil {
		g.a.Report(err)
		return
	}
	r, err := w.Decide(ctx, d.Ref, ans)
	var noted *engine.QueueError
	switch {
	case errors.As(err, &noted):
		g.a.Warn(err)
	case err != nil:
		g.a.Report(fault.New(fault.Failure, fmt.Errorf("%s: %w", d.Ref, err)))
		return
	}
	g.warn(text)
	g.did("kept", r.IDs[0], memory.Kind(d.Kind), text, r, true, memory.Scope(d.Scope))
}

// wanted asks whether a draft is kept: as it is, as the person changes it, or "".
func (g *guided) wanted(ctx context.Context, draft string) string {
	switch g.put(ctx, ask.Question{Asks: "keep it?", Choices: []ask.Choice{{Answer: ask.Yes, Says: "keep"}, {Answer: ask.Edit}}}) {
	case ask.Yes:
		return draft
	case ask.Edit:
		return g.text(ctx, "text: ", draft)
	}
	return ""
}

// lessons asks for lessons in the person's own words.
func (g *guided) lessons(ctx context.Context) error {
	for n := g.count(memory.KindLesson); n < mostLessons && !g.over; n++ {
		question := "a lesson? > "
		if n > 0 {
			question = "another lesson? > "
		}
		text := g.text(ctx, question, "")
		if text == "" {
			return nil
		}
		if err := g.remember(ctx, memory.KindLesson, text, g.scope); err != nil {
			return err
		}
	}
	return nil
}

func (g *guided) count(kind memory.Kind) (n int) {
	for _, k := range g.kept {
		if k.kind == kind {
			n++
		}
	}
	return n
}

// remember keeps what the person said for a scope, in force at once. A text that cannot be kept is told, and is not the end.
func (g *guided) remember(ctx context.Context, kind memory.Kind, text string, scope memory.Scope) error {
	if text == "" {
		return nil
	}
	w, err := g.a.Home.Memory.Writer()
	if err != nil {
		return err
	}
	draft := engine.Draft{Kind: kind, Content: text, Scope: scope, Source: g.a.Source(), Near: true}
	r, err := w.Remember(ctx, draft)
	switch {
	case err != nil:
		g.a.Report(term.NotSaved(err))
		return nil
	case !r.Same.IsZero():
		g.a.Status("already remembered as #%s", r.Same)
		return nil
	}
	if binds := app.Remembered(r, draft, g.a.Verb).Binds; binds != "" {
		g.a.Status("%s", binds)
	}
	g.warn(text)
	g.a.TellNear(r)
	g.did("kept", r.IDs[0], kind, text, r, false, scope)
	return nil
}

// warn says of a text that names something which ken asks about that it goes on to do so.
func (g *guided) warn(text string) {
	if level, what := lessons.Risky(text); what != "" {
		g.a.Status("it names a command of level %s: %s. What is remembered never lowers what ken asks about", level, termsafe.Line(what))
	}
}

func (g *guided) did(did string, id memory.ID, kind memory.Kind, text string, r engine.Receipt, other bool, scope memory.Scope) {
	line := r.IDs[len(r.IDs)-1]
	k := kept{did: did, name: "#" + id.String(), kind: kind, text: text, undo: g.a.Verb("undo " + line.String())}
	if kind != "" && !other {
		k.cites = id
	}
	g.kept = append(g.kept, k)
	if did == "kept" {
		g.a.Status("%s", g.a.Kept(line, scope))
	} else {
		g.a.Status("%s %s (undo: %s)", did, k.name, k.undo)
	}
}

// end keeps a record of the look, and says what was kept of it.
func (g *guided) end(ctx context.Context) error {
	if len(g.kept) == 0 {
		return g.a.Println("nothing was kept")
	}
	var kinds []memory.Kind
	var cites []memory.ID
	var b strings.Builder
	b.WriteString("kept of this look back:\n")
	for _, k := range g.kept {
		what := k.did
		if k.kind != "" {
			kinds, what = append(kinds, k.kind), string(k.kind)
		}
		if !k.cites.IsZero() {
			cites = append(cites, k.cites)
		}
		line := fmt.Sprintf("  %-8s %s", what, k.name)
		if k.text != "" {
			line += " " + termsafe.Line(k.text)
		}
		b.WriteString(line + " (undo: " + k.undo + ")\n")
	}
	if err := g.record(ctx, kinds, cites, &b); err != nil {
		g.a.Report(term.NotSaved(err))
	}
	return g.a.Println(strings.TrimRight(b.String(), "\n"))
}

// record keeps when it was looked back, and what of it was kept: the next look begins there.
func (g *guided) record(ctx context.Context, kinds []memory.Kind, cites []memory.ID, b *strings.Builder) error {
	if len(kinds) == 0 {
		return nil
	}
	w, err := g.a.Home.Memory.Writer()
	if err != nil {
		return err
	}
	content := fmt.Sprintf("looked back on %s; kept %s", g.a.Env.Now().UTC().Format("2006-01-02 15:04"), counted(kinds))
	r, err := w.Remember(ctx, engine.Draft{
		Kind: memory.KindRetro, Content: content, Key: recordKey, Cites: cites, Source: g.a.Source(),
		Tier: memory.TierArchive, // no model needs it
	})
	if err != nil || len(r.IDs) == 0 {
		return err
	}
	fmt.Fprintf(b, "  %-8s #%s %s (undo: %s)\n", memory.KindRetro, r.IDs[0], content, g.a.Verb("undo "+r.IDs[0].String()))
	return nil
}

// counted is "2 lessons and 1 goal".
func counted(kinds []memory.Kind) string {
	var names []memory.Kind
	n := make(map[memory.Kind]int)
	for _, k := range kinds {
		if n[k]++; n[k] == 1 {
			names = append(names, k)
		}
	}
	parts := make([]string, len(names))
	for i, k := range names {
		parts[i] = fmt.Sprintf("%d %s", n[k], k)
		if n[k] > 1 {
			parts[i] += "s"
		}
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
