package web

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"ken/internal/app/owner"
	"ken/internal/fault"
	"ken/internal/session"
	"ken/internal/view"
	"ken/internal/web/hall"
)

const (
	// atHand is how many conversations are listed beside the one that is held.
	atHand = 12
	// mostWait is how long a form that was sent without script waits for its answer.
	mostWait = 40 * time.Second
)

// A conversation is one as the page shows it.
type conversation struct {
	ID     string // "": a new one
	Talk   string // the same, as what runs has it
	Title  string
	Once   string // what forms of this page carry
	Pieces []piece
	Run    *running // under way; nil: nothing is
	Last   int      // the newest turn
	Ends   bool     // the last answer broke off
	Vain   bool     // the last question got no answer
	Place  owner.Spot
	Desk   owner.Desk
	Memory bool // it has memory
	Others []talked
	View   string // why it is only to be read; "": it can be gone on with
	Draft  string // what stands in the box
}

// A running is an answer that is being written, or what came of it.
type running struct {
	ID, Talk, Once, Doing string
	You, Text             any // template.HTML
	Said                  bool
	Outcomes              []outcome
	Done                  bool
	Pieces                []piece
	Fault                 *trouble
	Ends, Vain            bool
	Last                  int
	Status                string
	Heard                 bool // the status is for who does not see the answer
}

// An outcome is what was done with the memory in a conversation.
type outcome struct {
	hall.Outcome
	Talk, Once string
}

// converse is a new conversation, or the one with an id.
func (p *Page) converse(a asked, id string) (*conversation, error) {
	desk, err := p.o.Owner.Desk()
	if err != nil {
		return nil, err
	}
	c := &conversation{Desk: desk, Memory: desk.MemoryOn, Once: p.once, Draft: a.form.Get("text")}
	switch {
	case p.hall == nil:
		c.View = "There is no conversation on this page."
	case desk.ReadOnly:
		c.View = "The memory is only read here: conversations can be looked at, and nothing is asked."
	}
	list, err := p.o.Owner.Sessions(a.ctx, "")
	if err != nil {
		return nil, err
	}
	for _, t := range list[:min(len(list), atHand)] {
		c.Others = append(c.Others, talked{t, when(t.MTime), view.Count(t.Turns, "turn")})
	}
	if id == "" {
		return c, nil
	}
	return c, p.fill(a.ctx, c, id)
}

// fill puts what was said into a conversation.
func (p *Page) fill(ctx context.Context, c *conversation, id string) error {
	open, live := hall.Open{}, false
	if p.hall != nil {
		open, live = p.hall.Open(id)
	}
	t, err := p.o.Owner.Transcript(ctx, id)
	if err != nil && (!live || fault.KindOf(err) != fault.NotFound) {
		return err
	}
	if err != nil {
		t = unrecorded(open.Turns)
	}
	if open.Model != "" {
		c.Desk.Model = open.Model
	}
	switch {
	case live:
		c.Memory = open.Remembers
	case t.Memory != "":
		c.Memory = t.Memory == "on"
	}
	c.ID, c.Title = id, t.Called
	if t.Session.Session != "" {
		c.ID = t.Session.Session
	}
	c.Talk = c.ID
	if t.Imported {
		c.View = "Another program recorded this. It is gone on with in a copy, at the terminal."
	}
	c.Last, c.Place = t.Last, c.Desk.Spot(t.Scope)
	since := t.Last + 1
	if open.Live { // as it was before the record was read, which would else lack what came meanwhile
		c.Run, since = p.run(ctx, open.Run), open.Run.Known+1
	}
	c.Pieces = p.pieces(t, c.ID, 1, since, open.Notes)
	c.Ends, c.Vain = brokeOff(t)
	return nil
}

// unrecorded is a conversation that is in no file.
func unrecorded(turns []session.Turn) (t owner.Transcript) {
	for _, at := range turns {
		if at.Role != session.RoleUser && at.Role != session.RoleAssistant {
			continue
		}
		v := view.Turn{
			N: at.N, Role: string(at.Role), Content: at.Content, Finish: at.Finish, Nudge: at.Nudge, ToolCalls: at.ToolCalls,
		}
		t.Pieces, t.Last = append(t.Pieces, owner.Piece{Turn: &v}), max(t.Last, at.N)
	}
	return t
}

// brokeOff reports whether the last answer ended early, and whether the last question has none.
func brokeOff(t owner.Transcript) (ends, vain bool) {
	for _, x := range slices.Backward(t.Pieces) {
		if x.Turn == nil {
			continue
		}
		is := x.Turn
		if is.Role == string(session.RoleUser) {
			return false, !x.Hidden
		}
		f := is.Finish
		return f == session.FinishCancelled || f == session.FinishTruncated || f == session.FinishLength || f == session.FinishError, false
	}
	return false, false
}

// pieces are those of a conversation from one turn up to another, with the notes between them.
func (p *Page) pieces(t owner.Transcript, id string, from, to int, notes []hall.Note) (list []piece) {
	first := true
	put := func(until int) {
		for len(notes) > 0 && notes[0].After < until {
			if n := notes[0]; n.After >= from-1 {
				list = append(list, p.note(n, id))
			}
			notes = notes[1:]
		}
	}
	for _, x := range t.Pieces {
		if x.Turn == nil || x.Turn.N < from || x.Turn.N >= to {
			continue
		}
		put(x.Turn.N)
		k := pieceOf(x)
		k.Talk, k.Once = id, p.once
		k.First, first = first && x.Turn.N == 1, false
		if k.Text != "" || k.Hidden {
			list = append(list, k)
		}
	}
	put(to)
	return list
}

// note is what was said beside the turns.
func (p *Page) note(n hall.Note, id string) piece {
	k := piece{Note: true, Outcomes: p.outcomes(n.Outcomes, id), You: n.You != ""}
	if n.You != "" {
		k.Who, k.Text = "you", textOf(n.You)
	}
	if n.Err != nil {
		k.Fault = wrong(n.Err)
	}
	return k
}

func (p *Page) outcomes(list []hall.Outcome, id string) (all []outcome) {
	for _, t := range list {
		all = append(all, outcome{t, id, p.once})
	}
	return all
}

// run is how an answer stands.
func (p *Page) run(ctx context.Context, r *hall.Run) *running {
	s := r.Look()
	v := &running{
		ID: r.ID, Talk: r.Talk, Once: p.once, Doing: s.Doing, Text: textOf(s.Text), Said: s.Text != "", Outcomes: p.outcomes(s.Outcomes, r.Talk),
		Done: s.Done, Last: r.Known,
	}
	if r.You != "" {
		v.You = textOf(r.You)
	}
	if !s.Done {
		return v
	}
	switch {
	case s.Stopped:
		v.Status = "Stopped."
	case s.Err == nil:
		v.Status, v.Heard = "The answer is there.", true
	default:
		v.Status = "There is no answer."
		v.Fault = wrong(s.Err)
	}
	t, err := p.o.Owner.Transcript(ctx, r.Talk)
	if err != nil { // it is not recorded
		return v
	}
	v.Pieces = p.pieces(t, r.Talk, r.Known+1, t.Last+1, nil)
	if len(v.Pieces) > 0 {
		v.You, v.Said = nil, false
	}
	v.Last = max(t.Last, r.Known)
	v.Ends, v.Vain = brokeOff(t)
	return v
}

// converses are the paths of the conversation.
func converses(path []string) bool { return path[0] == "" || path[0] == "talk" || path[0] == "ask" }

// talkView answers what is asked of a conversation by a GET.
func (p *Page) talkView(w http.ResponseWriter, r *http.Request, a asked) {
	id := ""
	switch {
	case a.path[0] == "" && len(a.path) == 1:
	case a.path[0] == "talk" && len(a.path) == 2:
		id = a.path[1]
	case a.path[0] == "talk" && len(a.path) == 3 && a.path[2] == "events":
		p.stream(w, r, a)
		return
	case a.path[0] == "talk" && len(a.path) == 4 && a.path[2] == "why":
		p.whyView(w, a)
		return
	default:
		p.fail(w, http.StatusNotFound, "there is no such page")
		return
	}
	p.talkPage(w, a, id, http.StatusOK, nil)
}

// talkPage answers with a whole conversation, and with what went wrong.
func (p *Page) talkPage(w http.ResponseWriter, a asked, id string, status int, said *trouble) {
	c, err := p.converse(a, id)
	l := look{Title: "Conversation", Views: views(""), Fault: said}
	switch {
	case err != nil:
		l.Fault, status = p.troubleOf(err)
	default:
		l.Talk = c
		if c.Title != "" {
			l.Title = c.Title
		}
	}
	p.show(w, status, "page", l)
}

// whyView says which memories an answer had.
func (p *Page) whyView(w http.ResponseWriter, a asked) {
	n, _ := strconv.Atoi(a.path[3])
	v, err := p.why(a, a.path[1], n)
	l := look{Title: "Why", Views: views(""), Why: v}
	status := http.StatusOK
	if err != nil {
		if l.Fault, status = p.troubleOf(err); a.part {
			p.show(w, status, "fault", l.Fault)
			return
		}
	}
	if a.part {
		p.show(w, status, "why", v)
		return
	}
	p.show(w, status, "page", l)
}

// talkAct does what is asked of a conversation by a POST.
func (p *Page) talkAct(w http.ResponseWriter, a asked) {
	if !a.part && subtle.ConstantTimeCompare([]byte(a.form.Get("once")), []byte(p.once)) != 1 {
		p.talkPage(w, a, "", http.StatusForbidden, &trouble{
			What: "This form is of another page, or of before the server was started anew: nothing was asked.",
			Hint: "What you wrote stands below: send it again.",
		})
		return
	}
	if err := p.mayTalk(); err != nil {
		p.talkFault(w, a, a.form.Get("id"), err)
		return
	}
	switch {
	case a.path[0] == "ask" && len(a.path) == 1:
		p.ask(w, a, a.form.Get("id"))
	case a.path[0] == "talk" && len(a.path) == 3 && a.path[2] == "stop":
		p.hall.Stop(a.path[1])
		p.goOn(w, a, a.path[1], http.StatusNoContent)
	case a.path[0] == "talk" && len(a.path) == 3 && a.path[2] == "branch":
		p.branch(w, a, a.path[1])
	case a.path[0] == "talk" && len(a.path) == 3 && a.path[2] == "undo":
		p.undoSaid(w, a, a.path[1])
	case a.path[0] == "talk" && len(a.path) == 4 && a.path[2] == "why":
		p.amiss(w, a, a.path[1])
	default:
		p.fail(w, http.StatusNotFound, "there is no such page")
	}
}

// mayTalk refuses conversations where there are none.
func (p *Page) mayTalk() error {
	desk, err := p.o.Owner.Desk()
	switch {
	case err != nil:
		return err
	case p.hall == nil:
		return fault.Refusedf("there is no conversation on this page")
	case desk.ReadOnly:
		return fault.Refusedf("the memory is only read here, and nothing is asked")
	}
	return nil
}

// talkFault says what went wrong: beside the box where the page's script asks, else on the whole page.
func (p *Page) talkFault(w http.ResponseWriter, a asked, id string, err error) {
	t, status := p.troubleOf(err)
	if a.part {
		w.Header().Set("HX-Retarget", "#say")
		w.Header().Set("HX-Reswap", "innerHTML")
		p.show(w, status, "fault", t)
		return
	}
	p.talkPage(w, a, id, status, t)
}

// goOn has the browser look at a conversation: with script by a header, else by going there.
func (p *Page) goOn(w http.ResponseWriter, a asked, id string, status int) {
	at := "/talk/" + id
	switch {
	case a.part && status == http.StatusNoContent:
		w.WriteHeader(status)
	case a.part:
		w.Header().Set("HX-Redirect", at)
		w.WriteHeader(status)
	default:
		w.Header().Set("Location", "http://"+a.host+at+"#end")
		w.WriteHeader(http.StatusSeeOther)
	}
}

// ask has what was typed answered.
func (p *Page) ask(w http.ResponseWriter, a asked, id string) {
	q := hall.Asked{
		ID: id, Text: a.form.Get("text"), Model: a.form.Get("model"), Again: a.form.Get("again") != "", Memory: a.form.Get("memory"),
	}
	desk, err := p.o.Owner.Desk()
	if err != nil {
		p.talkFault(w, a, id, err)
		return
	}
	var t owner.Transcript
	switch {
	case id != "":
		t, err = p.o.Owner.Transcript(a.ctx, id)
		if _, live := p.hall.Open(id); err != nil && !live {
			p.talkFault(w, a, id, err)
			return
		}
		q.Dir, q.Known = desk.Spot(t.Scope).Dir, t.Last
	case a.form.Get("place") != "":
		i := slices.IndexFunc(desk.Spots, func(s owner.Spot) bool { return s.Dir == a.form.Get("place") })
		if i < 0 {
			p.talkFault(w, a, id, fault.Usagef("that is no place in which the memory is used").WithHint("choose one of the list"))
			return
		}
		q.Dir = desk.Spots[i].Dir
	}
	if q.Model != "" && !slices.Contains(desk.Models, q.Model) {
		p.talkFault(w, a, id, fault.Usagef("no model of that name is configured").WithHint("choose one of the list"))
		return
	}
	if !slices.Contains([]string{"", "on", "off"}, q.Memory) {
		p.talkFault(w, a, id, fault.Usagef("memory is on or off").WithHint("choose one of the list"))
		return
	}
	run, err := p.hall.Ask(a.ctx, q)
	if err != nil {
		p.talkFault(w, a, id, err)
		return
	}
	if !a.part { // the page shows the answer when it is whole
		wait, cancel := context.WithTimeout(a.ctx, mostWait)
		defer cancel()
		run.Wait(wait)
		p.goOn(w, a, run.Talk, http.StatusSeeOther)
		return
	}
	if id == "" || id != run.Talk {
		p.goOn(w, a, run.Talk, http.StatusOK)
		return
	}
	seen, _ := strconv.Atoi(a.form.Get("seen"))
	c := &conversation{ID: run.Talk, Last: run.Known, Run: p.run(a.ctx, run)}
	if seen < run.Known {
		c.Pieces = p.pieces(t, run.Talk, seen+1, run.Known+1, nil)
	}
	p.show(w, http.StatusOK, "asked", c)
}

// branch goes on in a copy of a conversation, and asks there what is to be asked in other words.
func (p *Page) branch(w http.ResponseWriter, a asked, id string) {
	n, _ := strconv.Atoi(a.form.Get("n"))
	t, err := p.o.Owner.Transcript(a.ctx, id)
	if err != nil {
		p.talkFault(w, a, id, err)
		return
	}
	desk, err := p.o.Owner.Desk()
	if err != nil {
		p.talkFault(w, a, id, err)
		return
	}
	at := t.Session.Session
	dir := desk.Spot(t.Scope).Dir
	name, text := "", a.form.Get("text")
	is := slices.IndexFunc(t.Pieces, func(x owner.Piece) bool { return x.Turn != nil && x.Turn.N == n })
	if is < 0 {
		p.talkFault(w, a, id, fault.NotFoundf("this conversation has no turn %d", n))
		return
	}
	if is > 0 || n > 1 { // before the first question there is nothing to copy
		if name, _, err = p.hall.Branch(a.ctx, at, dir, n); err != nil {
			p.talkFault(w, a, id, err)
			return
		}
		if text == "" {
			p.goOn(w, a, name, http.StatusOK)
			return
		}
	}
	q := hall.Asked{ID: name, Dir: dir, Text: text, Known: max(n-1, 0)}
	if name == "" { // it has nothing of the conversation but this
		q.Memory = p.memoryOf(at, t)
	}
	run, err := p.hall.Ask(a.ctx, q)
	if err != nil {
		p.talkFault(w, a, id, err)
		return
	}
	if !a.part {
		wait, cancel := context.WithTimeout(a.ctx, mostWait)
		defer cancel()
		run.Wait(wait)
	}
	p.goOn(w, a, run.Talk, http.StatusOK)
}

// amiss notes that a memory had nothing to do with an answer.
func (p *Page) amiss(w http.ResponseWriter, a asked, id string) {
	n, _ := strconv.Atoi(a.path[3])
	if err := p.o.Owner.Amiss(a.ctx, id, n, a.form.Get("ref")); err != nil {
		p.talkFault(w, a, id, err)
		return
	}
	if !a.part {
		w.Header().Set("Location", "http://"+a.host+"/talk/"+id+"/why/"+a.path[3])
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	p.show(w, http.StatusOK, "aside", aside{Said: true, Now: true})
}

// memoryOf says whether a conversation has memory: "on", "off", or "" where nobody has said so.
func (p *Page) memoryOf(id string, t owner.Transcript) string {
	open, ok := p.hall.Open(id)
	switch {
	case !ok:
		return t.Memory
	case open.Remembers:
		return "on"
	}
	return "off"
}

// undoSaid takes back what was done with the memory in a conversation.
func (p *Page) undoSaid(w http.ResponseWriter, a asked, id string) {
	said, err := p.hall.Undo(a.ctx, id, a.form.Get("line"))
	if fault.KindOf(err) == fault.NotFound && err != nil {
		said, err = p.o.Owner.Undo(a.ctx, a.form.Get("line")) // the conversation was closed since
	}
	if !a.part {
		if err != nil {
			p.talkFault(w, a, id, err)
			return
		}
		p.goOn(w, a, id, http.StatusSeeOther)
		return
	}
	v := struct {
		Done  *done
		Fault *trouble
	}{}
	status := http.StatusOK
	if err != nil {
		v.Fault, status = p.troubleOf(err)
	} else {
		v.Done = &done{Did: said}
	}
	p.show(w, status, "said", v)
}

// End stops what is being answered and closes the conversations, while ctx lasts.
func (p *Page) End(ctx context.Context) {
	if p.hall != nil {
		p.hall.Close(ctx)
	}
}

var errTooMany = errors.New("too many answers are being watched: close a tab")
