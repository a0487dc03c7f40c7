package web

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"ken/internal/app/owner"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// onPage is how many memories are on a page of them.
const onPage = 50

// A row is a memory as the page shows it.
type row struct {
	view.Item
	Slug, When, Mark string
	At               string // the id of where it stands
	Text             template.HTML
	Foreign, Binds   bool
	Heads            []head
	Rests            []string // what it rests on, a line each
	Asked, WhyNot    string   // what was searched for when it was opened, and why a question like that would not have it; "": it would
	Done             *done
	Fault            *trouble
}

// A head is a line of a history.
type head struct {
	Head    string
	Changes []change
}

type change struct{ Field, From, To string }

// slug is a reference as part of an id.
func slug(ref string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, strings.ToLower(ref))
}

// when is a stamp as a day here.
func when(stamp string) string {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return ""
	}
	return t.Local().Format(time.DateOnly)
}

func rowOf(v view.Item) row {
	return row{Item: v, Slug: slug(v.Ref), At: "m-" + slug(v.Ref), When: when(v.TS), Text: textOf(v.Content), Foreign: v.Origin != "user"}
}

type memories struct {
	Count, AsOf, Shown string
	Query              owner.Filter
	Choices            []choice
	Rows               []row
	Prev, Next         string
	Fault              *trouble
}

type choice struct {
	Label, Name, Now string
	Values           []string
}

// view answers with a view, or with the piece of it that the page's script asks for.
func (p *Page) view(w http.ResponseWriter, a asked) {
	title := map[string]string{
		"memory": "Memory", "review": "Review", "sessions": "Sessions", "timeline": "Timeline", "import": "Import",
		"health": "Health",
	}[a.path[0]]
	if title == "Import" && p.o.Imports == nil {
		title = ""
	}
	erasing := len(a.path) == 3 && a.path[0] == "memory" && a.path[2] == "erase"
	if title == "" || len(a.path) > 2 && !erasing || len(a.path) == 2 && a.path[0] != "memory" && a.path[0] != "sessions" {
		p.fail(w, http.StatusNotFound, "there is no such page")
		return
	}
	l := look{Title: title, Views: views(a.path[0])}
	var part string // of the template that shows the piece
	var piece any
	var err error
	switch {
	case erasing:
		var x owner.Erasing
		if x, err = p.o.Owner.PlanErase(a.ctx, a.path[1]); err == nil {
			l.Title, l.Erasing, part, piece = "Erase #"+x.Ref+"?", &x, "erasing", x
		}
	case len(a.path) == 2 && a.path[0] == "memory":
		l.Row, err = p.memory(a, a.path[1])
		if err == nil {
			l.Title, part, piece = "Memory #"+l.Row.Ref, "open", l.Row
		}
	case len(a.path) == 2:
		l.Transcript, err = p.transcript(a, a.path[1])
		if err == nil {
			l.Title = l.Transcript.Title
		}
	case a.path[0] == "memory":
		l.Memory, err = p.memories(a)
		part, piece = "list", l.Memory
	case a.path[0] == "review":
		l.Review, err = p.review(a)
		part, piece = "queue", l.Review
	case a.path[0] == "sessions":
		l.Sessions, err = p.sessions(a)
		part, piece = "talks", l.Sessions
	case a.path[0] == "timeline":
		l.Timeline, err = p.timeline(a)
	case a.path[0] == "import":
		l.Import, err = p.imports()
	case a.path[0] == "health":
		l.Health, err = p.health(a)
	}
	status := http.StatusOK
	if err != nil {
		l = look{Title: l.Title, Views: l.Views}
		if l.Fault, status = p.troubleOf(err); a.part {
			p.show(w, status, "fault", l.Fault)
			return
		}
	}
	if a.part && part != "" && err == nil {
		p.show(w, status, part, piece)
		return
	}
	p.show(w, status, "page", l)
}

func (p *Page) memories(a asked) (*memories, error) {
	q := owner.Filter{
		Text: a.form.Get("q"), Kind: a.form.Get("kind"), Scope: a.form.Get("scope"), Phase: a.form.Get("phase"), Origin: a.form.Get("origin"),
		Tier: a.form.Get("tier"), AsOf: a.form.Get("asof"), Past: a.form.Get("past") != "", Most: onPage,
	}
	q.From, _ = strconv.Atoi(a.form.Get("from"))
	m := &memories{Query: q, AsOf: q.AsOf}
	list, err := p.o.Owner.List(a.ctx, q)
	if err != nil {
		return nil, err
	}
	st, err := p.o.Owner.Status(a.ctx)
	if err != nil {
		return nil, err
	}
	m.Count = view.Memories(st.Active)
	for _, c := range []choice{
		{"Kind", "kind", q.Kind, list.Kinds},
		{"Scope", "scope", q.Scope, list.Scopes},
		{"Phase", "phase", q.Phase, list.Phases},
		{"Origin", "origin", q.Origin, list.Origins},
		{"Tier", "tier", q.Tier, list.Tiers},
	} {
		if len(c.Values) > 1 || c.Now != "" {
			m.Choices = append(m.Choices, c)
		}
	}
	for _, it := range list.Rows {
		r := rowOf(it)
		r.Asked = strings.TrimSpace(q.Text)
		m.Rows = append(m.Rows, r)
	}
	order := "newest first"
	if list.Best {
		order = "best first"
	}
	switch {
	case list.Total == 0 && q.Text == "" && st.Active == 0:
		m.Shown = "Nothing is remembered yet."
	case list.Total == 0:
		m.Shown = "Nothing is known about that."
	default:
		m.Shown = fmt.Sprintf("%d to %d of %d, %s", list.From+1, list.From+len(list.Rows), list.Total, order)
	}
	page := func(from int) string {
		v := url.Values{}
		for _, name := range []string{"q", "kind", "scope", "phase", "origin", "tier", "asof", "past"} {
			if s := a.form.Get(name); s != "" {
				v.Set(name, s)
			}
		}
		if from > 0 {
			v.Set("from", strconv.Itoa(from))
		}
		return "/memory?" + v.Encode()
	}
	if list.From > 0 {
		m.Prev = page(max(list.From-onPage, 0))
	}
	if list.Next > 0 {
		m.Next = page(list.Next)
	}
	return m, nil
}

func (p *Page) memory(a asked, ref string) (*row, error) {
	m, err := p.o.Owner.Memory(a.ctx, ref)
	if err != nil {
		return nil, err
	}
	r := rowOf(m.Item)
	r.Rests = m.Basis.Lines()
	r.Mark, r.Binds, r.At = m.Mark, m.Binds, inOf(a, ref)
	if r.Asked = strings.TrimSpace(a.form.Get("q")); r.Asked != "" {
		if r.WhyNot, err = p.o.Owner.WhyNot(a.ctx, ref, r.Asked); err != nil {
			return nil, err
		}
	}
	for i, h := range m.Heads {
		line := head{Head: h}
		if i < len(m.History) {
			for _, c := range m.History[i].Changed {
				line.Changes = append(line.Changes, change{c.Field, plain(c.From), plain(c.To)})
			}
		}
		r.Heads = append(r.Heads, line)
	}
	return &r, nil
}

type talks struct {
	Text, Count string
	Rows        []talked
}

type talked struct {
	owner.Talked
	When, TurnsText string
}

func (p *Page) sessions(a asked) (*talks, error) {
	v := &talks{Text: a.form.Get("q")}
	list, err := p.o.Owner.Sessions(a.ctx, strings.TrimSpace(v.Text))
	v.Count = view.Count(len(list), "conversation")
	for _, t := range list[:min(len(list), 500)] {
		v.Rows = append(v.Rows, talked{t, when(t.MTime), view.Count(t.Turns, "turn")})
	}
	return v, err
}

type transcript struct {
	owner.Transcript
	Title, When string
	Pieces      []piece
	GoesOn      string // the conversation where it can be gone on with; "": it cannot here
}

type piece struct {
	owner.Piece
	N         int
	You       bool
	Who, Left string
	Text      template.HTML

	Talk, Once string // of a conversation that can be gone on with: its id, and what forms carry
	First      bool   // it is the first question there
	Raw        string // of a question, to be asked in other words
	Note       bool   // it is no turn
	Outcomes   []outcome
	Fault      *trouble
}

// pieceOf is a piece of a conversation as the page shows it.
func pieceOf(x owner.Piece) piece {
	k := piece{Piece: x}
	if x.Turn == nil {
		return k
	}
	k.N, k.You, k.Who, k.Left = x.Turn.N, x.Turn.Role == "user" && !x.Turn.Nudge, "ken", x.Turn.Left
	said := x.Turn.Content
	if calls := view.Calls(x.Turn.ToolCalls, 0); len(calls) > 0 && !x.Hidden {
		said = strings.TrimSpace(said + "\n\n" + strings.Join(calls, "\n\n"))
	}
	if x.Turn.Nudge {
		k.Who = "ken, by itself"
	}
	if k.Text = textOf(said); k.You {
		k.Who, k.Raw = "you", x.Turn.Content
	}
	return k
}

func (p *Page) transcript(a asked, name string) (*transcript, error) {
	t, err := p.o.Owner.Transcript(a.ctx, name)
	if err != nil {
		return nil, err
	}
	v := &transcript{Transcript: t, Title: t.Called, When: when(t.Started)}
	if v.Title == "" {
		v.Title = "Conversation"
	}
	if p.hall != nil && !t.Imported {
		v.GoesOn = t.Session.Session
	}
	for _, x := range t.Pieces {
		v.Pieces = append(v.Pieces, pieceOf(x))
	}
	return v, nil
}

// plain is a value of a record as text.
func plain(b []byte) string {
	s := strings.TrimSpace(string(b))
	if text, err := strconv.Unquote(s); err == nil {
		s = text
	}
	return termsafe.Clean(s)
}
