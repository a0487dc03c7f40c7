package web

import (
	"fmt"
	"net/http"
	"strings"

	"ken/internal/app/owner"
	"ken/internal/llm"
	"ken/internal/view"
)

// waiting is what waits for the person, as the page shows it.
type waiting struct {
	Count, Shown string
	Kind, From   string // what it was asked for by
	Choices      []choice
	Rows         []wait
	May          bool // there is something to decide here
	Done         *decided
	Fault        *trouble
}

// A wait is one thing that waits.
type wait struct {
	owner.Waiting
	When string
}

// A decided is what answers came to, and how they are taken back.
type decided struct {
	Did        string
	Back       []string
	Left       []string // what could not be decided, a line each
	Kind, From string
}

// waits says how many wait.
func waits(n int) string {
	switch n {
	case 0:
		return "Nothing waits for you"
	case 1:
		return "One waits for you"
	}
	return fmt.Sprintf("%d wait for you", n)
}

// review is what waits and is of the kind and from the source that the address names.
func (p *Page) review(a asked) (*waiting, error) {
	v := &waiting{Kind: a.form.Get("kind"), From: a.form.Get("from")}
	q, err := p.o.Owner.Queue(a.ctx, v.Kind, v.From)
	if err != nil {
		return nil, err
	}
	v.Count = waits(q.Total)
	for _, c := range []choice{{"Kind", "kind", v.Kind, q.Kinds}, {"From", "from", v.From, q.From}} {
		if len(c.Values) > 1 || c.Now != "" {
			v.Choices = append(v.Choices, c)
		}
	}
	if len(v.Choices) > 0 {
		v.Shown = fmt.Sprintf("%d of %d shown", len(q.Rows), q.Total)
	}
	for _, w := range q.Rows {
		v.Rows = append(v.Rows, wait{w, when(w.TS)})
		v.May = v.May || !w.Binds
	}
	return v, nil
}

// decide answers what the person chose of the queue, or takes that back.
func (p *Page) decide(w http.ResponseWriter, a asked, what string) {
	d := &decided{Kind: a.form.Get("kind"), From: a.form.Get("from")}
	var err error
	if what == "back" {
		var done []string
		if done, err = p.o.Owner.TakeBack(a.ctx, a.form["ref"]); len(done) > 0 {
			d.Did = "Taken back: " + strings.Join(done, ", ")
		}
	} else {
		err = p.answer(a, d)
	}
	status := http.StatusOK
	var t *trouble
	if err != nil {
		t, status = p.troubleOf(err)
	}
	v, lost := p.review(a)
	if lost != nil {
		t, status = p.troubleOf(lost)
		p.show(w, status, "fault", t)
		return
	}
	if v.Fault = t; d.Did != "" || len(d.Left) > 0 {
		v.Done = d
	}
	p.show(w, status, "queue", v)
}

// answer gives an answer to all that was chosen.
func (p *Page) answer(a asked, d *decided) error {
	var chosen []owner.Choice
	for _, one := range a.form["choose"] {
		ref, mark, _ := strings.Cut(one, " ")
		chosen = append(chosen, owner.Choice{Ref: ref, Mark: mark})
	}
	got, err := p.o.Owner.Decide(a.ctx, a.form.Get("say"), chosen)
	if err != nil {
		return err
	}
	if len(got.Done) > 0 {
		did := map[string]string{"yes": "Kept", "no": "Refused", "later": "Put off, behind the others"}
		d.Did = did[got.Verdict] + ": " + strings.Join(got.Done, ", ")
	}
	if len(got.Kept) > 0 {
		d.Did += "; written as #" + strings.Join(got.Kept, ", #")
	}
	d.Back = got.Back
	for _, l := range got.Left {
		d.Left = append(d.Left, l.Ref+": "+llm.Sentence(l.Err))
	}
	if len(d.Left) > 0 && d.Did == "" {
		d.Did = "Nothing was decided; " + view.Count(len(d.Left), "answer") + " could not be followed"
	}
	return nil
}
