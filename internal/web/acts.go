package web

import (
	"net/http"
	"strings"

	"ken/internal/view"
)

// A done is what was done, and how it is taken back.
type done struct {
	Did, Line, Ref, Target string
	In                     string // the id of where the memory stands
}

// inOf is the id of where a memory stands that is changed: on the list, or in the panel of an answer.
func inOf(a asked, ref string) string {
	in := a.form.Get("in")
	if rest, ok := strings.CutPrefix(in, "w-"); ok && slug(rest) == rest {
		return in
	}
	return "m-" + slug(ref)
}

// doneOf is an outcome for the page. What changed row ref is taken back there, otherwise where it was said.
func doneOf(o view.Outcome, target string) *done {
	d := &done{Did: map[string]string{
		"remembered": "Remembered", "duplicate": "It is remembered already", "edited": "Saved", "forgot": "Forgotten", "pinned": "Pinned",
		"unpinned": "Unpinned", "proposed": "It waits for you",
	}[o.Did], Ref: o.Ref, Target: target}
	if d.Did == "" {
		d.Did = o.Did
	}
	d.Did += ": #" + o.Ref
	if len(o.Contradicts) > 0 {
		d.Did += "; it hardly holds beside #" + strings.Join(o.Contradicts, ", #")
	}
	if d.Line = o.Line; d.Line == "" {
		d.Line = strings.TrimPrefix(o.Undo, "ken undo ")
	}
	return d
}

// act does what the person asks for.
func (p *Page) act(w http.ResponseWriter, a asked) {
	switch {
	case len(a.path) == 1 && a.path[0] == "memory":
		o, err := p.o.Owner.Remember(a.ctx, a.form.Get("kind"), a.form.Get("text"))
		said := struct {
			Done  *done
			Fault *trouble
		}{}
		status := http.StatusOK
		if err != nil {
			said.Fault, status = p.troubleOf(err)
		} else {
			said.Done = doneOf(o, "#said")
		}
		p.show(w, status, "said", said)
	case len(a.path) == 3 && a.path[0] == "memory":
		o, known, err := p.change(a, a.path[1], a.path[2])
		if !known {
			p.fail(w, http.StatusNotFound, "there is no such page")
			return
		}
		d := doneOf(o, "#"+inOf(a, a.path[1]))
		d.In = inOf(a, a.path[1])
		p.changed(w, a, a.path[1], d, err)
	case len(a.path) == 2 && a.path[0] == "review" && (a.path[1] == "say" || a.path[1] == "back"):
		p.decide(w, a, a.path[1])
	case len(a.path) == 2 && a.path[0] == "undo":
		said, err := p.o.Owner.Undo(a.ctx, a.path[1])
		p.changed(w, a, a.form.Get("ref"), &done{Did: sentence(said)}, err)
	case len(a.path) == 2 && a.path[0] == "import" && a.path[1] == "undo":
		p.importUndo(w, a)
	case len(a.path) == 2 && a.path[0] == "health" && p.o.Doctor != nil:
		p.examine(w, a)
	default:
		p.fail(w, http.StatusNotFound, "there is no such page")
	}
}

// sentence is a text that begins with a capital letter.
func sentence(text string) string {
	return strings.ToUpper(text[:min(len(text), 1)]) + text[min(len(text), 1):]
}

// change changes one memory; known is false if there is no such change.
func (p *Page) change(a asked, ref, what string) (o view.Outcome, known bool, err error) {
	switch what {
	case "edit":
		o, err = p.o.Owner.Edit(a.ctx, ref, a.form.Get("was"), a.form.Get("text"))
	case "forget":
		o, err = p.o.Owner.Forget(a.ctx, ref, a.form.Get("was"))
	case "pin", "unpin":
		o, err = p.o.Owner.Pin(a.ctx, ref, what == "pin")
	default:
		return o, false, nil
	}
	return o, true, err
}

// changed answers with the memory as it is now, and what was done with it.
func (p *Page) changed(w http.ResponseWriter, a asked, ref string, d *done, err error) {
	status := http.StatusOK
	var t *trouble
	if err != nil {
		d = nil
		t, status = p.troubleOf(err)
	}
	r, lost := p.memory(a, ref)
	if lost != nil {
		p.show(w, status, "said", struct {
			Done  *done
			Fault *trouble
		}{d, t})
		return
	}
	r.Done, r.Fault = d, t
	p.show(w, status, "open", r)
}
