package expected

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/regular"
	"ken/internal/text"
	"ken/internal/trace"
	"ken/internal/view"
	"ken/internal/view/why"
)

// mostNamed is how many memories that say the text of a test are explained.
const mostNamed = 3

// Run runs the tests of a file for the person of h, of whom it needs Settings. The error is
// that of ctx; what else goes wrong is in the results.
func Run(ctx context.Context, h *app.View, f File) ([]view.ExpectedResult, error) {
	name := h.Settings.Short(f.Path)
	if f.Bad != nil {
		return []view.ExpectedResult{{File: name, Error: f.Bad.Error()}}, nil
	}
	var results []view.ExpectedResult
	for i, t := range f.Tests {
		r := view.ExpectedResult{File: name, N: i + 1, Name: t.Name, Ask: h.Keys.MaskText(t.Ask), In: t.In}
		err := f.run(ctx, h, t, &r)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			r.Error = err.Error()
		}
		r.OK = err == nil && len(r.Missing) == 0 && len(r.Unwanted) == 0
		results = append(results, r)
	}
	return results, nil
}

// A check is one question with what came of it.
type check struct {
	home  *app.View // of who stands where the test is asked
	test  Test
	state *memory.State
	src   why.Source
	sent  []memory.Item // that go with the question
	when  time.Time
}

// run runs one test.
func (f File) run(ctx context.Context, h *app.View, t Test, r *view.ExpectedResult) error {
	if strings.TrimSpace(t.Ask) == "" {
		return errors.New(`a test has a question: ask = "..."`)
	}
	if len(t.These)+len(t.Not) == 0 {
		return errors.New(`a test says what it expects: these = [...], not = [...]`)
	}
	now := h.Now()
	when, err := t.when(now)
	if err != nil {
		return err
	}
	if t.At != nil {
		r.At = when.Format(time.RFC3339)
	}
	dir, err := f.dir(h, t.In)
	if err != nil {
		return err
	}
	c := check{home: h.At(dir, when), test: t, when: when}
	if err := c.ask(ctx); err != nil {
		return err
	}
	for _, said := range t.These {
		miss, err := c.missing(ctx, said)
		if err != nil {
			return err
		}
		r.Missing = append(r.Missing, miss...)
	}
	for _, said := range t.Not {
		unwanted, err := c.unwanted(said)
		if err != nil {
			return err
		}
		r.Unwanted = append(r.Unwanted, unwanted...)
	}
	return nil
}

// dir is the directory where a test is asked; "" is where the person stands.
func (f File) dir(h *app.View, in string) (string, error) {
	dir, known := regular.Expand(in, h.Settings.UserDir())
	switch {
	case known && f.Root != "" && !filepath.IsAbs(dir):
		dir = filepath.Join(f.Root, in)
	case in == "":
		return "", nil
	case !filepath.IsAbs(dir):
		return "", fmt.Errorf("in = %q: want a whole path, or one from ~", in)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("in = %q: %w", in, regular.Cause(err))
	}
	if fi, err := os.Stat(real); err != nil || !fi.IsDir() {
		return "", fmt.Errorf("in = %q is no directory", in)
	}
	if f.Root != "" {
		top, err := filepath.EvalSymlinks(f.Root)
		if err != nil {
			return "", regular.Cause(err)
		}
		if rel, err := filepath.Rel(top, real); err != nil || !filepath.IsLocal(rel) {
			return "", fmt.Errorf("in = %q leads out of the repository that the test came with", in)
		}
	}
	return real, nil
}

// ask asks the question as a new conversation would.
func (c *check) ask(ctx context.Context) error {
	if _, err := c.home.Settings.Read(); err != nil {
		return err
	}
	m := c.home.Moment()
	var err error
	if c.state, err = m.State(ctx); err != nil {
		return err
	}
	block, err := m.Background(ctx)
	if err != nil {
		return err
	}
	called, err := app.Activate(ctx, m, app.ActivationQuery{Text: c.test.Ask}, block)
	if err != nil {
		return err
	}
	for _, g := range called.Chosen {
		c.sent = append(c.sent, g.Item)
	}
	for _, p := range block.Chosen {
		c.sent = append(c.sent, *p.Item)
	}
	c.src = why.Source{Trace: trace.Of(block, called), Now: why.In(c.state), Mask: c.home.Keys.MaskText, Question: c.test.Ask}
	return nil
}

// A said is what a test names: memories, or why there are none.
type said struct {
	items  []memory.Item
	status string
}

// find finds what a test names.
func (c *check) find(text string) (said, error) {
	if strings.TrimSpace(text) == "" {
		return said{}, errors.New("a memory is named by #REF or by words that it says, not by nothing")
	}
	if ref, ok := strings.CutPrefix(text, "#"); ok {
		id, err := memory.ParseID(ref)
		if err != nil {
			return said{}, fmt.Errorf("%q is no reference of a memory: want #12", text)
		}
		return c.byRef(id.From(c.state.OwnLog())), nil
	}
	var s said
	for it := range c.state.Each(memory.StatusActive) {
		if says(it, text) {
			s.items = append(s.items, it)
		}
	}
	if len(s.items) == 0 {
		s.status = "no memory that is active says so"
		for it := range c.state.Each(memory.StatusWaiting) {
			if says(it, text) {
				s.status = "[" + it.Ref() + "] says so, and waits: nobody has said yes to it"
			}
		}
	}
	return s, nil
}

// byRef is the memory of an id, or what took its place.
func (c *check) byRef(id memory.ID) said {
	it, status := c.state.Get(id)
	switch status {
	case memory.StatusActive:
		return said{items: []memory.Item{it}}
	case memory.StatusUnknown:
		return said{status: "there is no such memory"}
	case memory.StatusSuperseded:
		if by := asof.Replacing(c.state, it.ID); len(by) > 0 {
			return said{items: by}
		}
	case memory.StatusWaiting:
		return said{status: "it waits: nobody has said yes to it"}
	}
	return said{status: "it is " + status.String()}
}

// isSent reports whether a memory goes with the question.
func (c *check) isSent(it memory.Item) bool {
	return slices.ContainsFunc(c.sent, func(s memory.Item) bool { return s.Ref() == it.Ref() })
}

// missing says why nothing of what a test names goes with the question; nil if something
// does.
func (c *check) missing(ctx context.Context, text string) ([]view.ExpectedMiss, error) {
	s, err := c.find(text)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(s.items, c.isSent) {
		return nil, nil
	}
	said := c.home.Keys.MaskText(text)
	if len(s.items) == 0 {
		return []view.ExpectedMiss{{Said: said, Reason: s.status}}, nil
	}
	var list []view.ExpectedMiss
	for i, it := range s.items {
		if i == mostNamed {
			break
		}
		v := why.VerdictOf(c.src, it.Ref())
		if !v.Then {
			v.Reason, err = app.WhyNot(ctx, c.home, c.state, it.ID, app.Answered{Question: c.test.Ask, At: c.when, Traced: true})
			if err != nil {
				return nil, err
			}
		}
		list = append(list, view.ExpectedMiss{
			Said: said, Ref: it.Ref(), Content: c.content(it), Reason: v.Reason, Score: v.Score, Parts: v.Parts,
		})
	}
	return list, nil
}

// unwanted says why what a test does not want goes with the question; nil if nothing does.
func (c *check) unwanted(text string) ([]view.ExpectedMiss, error) {
	s, err := c.find(text)
	if err != nil {
		return nil, err
	}
	var list []view.ExpectedMiss
	for _, it := range s.items {
		if len(list) == mostNamed || !c.isSent(it) {
			continue
		}
		v := why.VerdictOf(c.src, it.Ref())
		list = append(list, view.ExpectedMiss{
			Said: c.home.Keys.MaskText(text), Ref: it.Ref(), Content: c.content(it), Reason: v.Reason, Score: v.Score, Parts: v.Parts,
		})
	}
	return list, nil
}

// content is what a memory says, as it may be shown.
func (c *check) content(it memory.Item) string {
	safe, _ := app.MaskedItem(c.home, it)
	return safe.Record.Content
}

// says reports whether a memory has a text in it, compared as erasing compares them.
func says(it memory.Item, said string) bool {
	return strings.Contains(text.Normal(it.Record.Content), text.Normal(said))
}

// Of returns the test that an answer was right: that the question has the memories that the
// answer was given for it, but for those of not. Memories that only stood in the
// start-up block are not expected, unless they have to do with the question.
func Of(question string, t trace.Trace, in string, these, not []string) Test {
	made := Test{Ask: question, In: in}
	add := func(list *[]string, ref string) {
		if ref = "#" + strings.TrimPrefix(ref, "#"); !slices.Contains(*list, ref) {
			*list = append(*list, ref)
		}
	}
	for _, ref := range not {
		add(&made.Not, ref)
	}
	for _, g := range t.Chosen {
		if g.Activated() && !slices.Contains(made.Not, "#"+g.Ref) {
			add(&made.These, g.Ref)
		}
	}
	for _, ref := range these {
		add(&made.These, ref)
	}
	return made
}
