package web

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"ken/internal/app/owner"
	"ken/internal/termsafe"
	"ken/internal/view"
	"ken/internal/view/why"
)

// A reasons is which memories an answer had, as the page shows it.
type reasons struct {
	Talk   string
	N      int
	Shaped string
	About  []string // of the answer, a line each
	Groups []group
	Passed []passed
}

// A group is memories that came in one way.
type group struct {
	Title, Spent string
	Grounds      []ground // that shaped the answer
	Beside       []ground // that were sent beside them
}

// A ground is one memory, and why it is there.
type ground struct {
	why.Ground
	At, When, Score, Mark string
	Text                  template.HTML
	Bars                  []bar
	May                   bool   // it can be changed on the page
	Aside                 *aside // nil: nothing can be said of it
	Rests                 []string
}

// A bar is a part of a score.
type bar struct {
	X, Wide, Nr int
	Name        string
}

// An aside is where it is said that a memory had nothing to do with an answer.
type aside struct {
	Talk, Once, Ref string
	N               int
	Said            bool
	Now             bool // with this
}

type passed struct {
	why.Passed
	Slug string
}

const barWide = 120

// why is the panel of an answer.
func (p *Page) why(a asked, id string, n int) (*reasons, error) {
	r, err := p.o.Owner.Why(a.ctx, id, n)
	if err != nil {
		return nil, err
	}
	v := &reasons{Talk: r.Session, N: n, Shaped: r.Shaped}
	if v.Shaped == "" {
		v.Shaped = "Nothing was called up for the question."
	}
	v.About = aboutOf(r)
	amiss, err := p.o.Owner.AmissIn(a.ctx, id, n)
	if err != nil {
		return nil, err
	}
	most := 0.0
	for _, e := range r.Provenance {
		for _, it := range e.Items {
			if it.Score != nil {
				most = max(most, math.Abs(*it.Score))
			}
		}
	}
	for _, e := range r.Provenance {
		g := group{Title: "Recalled for the question", Spent: fmt.Sprintf("%d of %s", e.Tokens, view.Count(e.Budget, "token"))}
		if e.Source == why.SourceBackground {
			g.Title = "In the start-up block"
		}
		for _, it := range e.Items {
			one := p.ground(a, n, it, most)
			if one.Text != "" && p.hall != nil {
				one.Aside = &aside{Talk: r.Session, Once: p.once, Ref: it.Ref, N: n, Said: slices.Contains(amiss, it.Ref)}
			}
			if it.As == why.AsStanding {
				g.Beside = append(g.Beside, one)
			} else {
				g.Grounds = append(g.Grounds, one)
			}
		}
		v.Groups = append(v.Groups, g)
	}
	for _, x := range r.Passed {
		v.Passed = append(v.Passed, passed{x, slug(x.Ref)})
	}
	return v, nil
}

// ground is one memory of a panel. most is the highest score there.
func (p *Page) ground(a asked, n int, it why.Ground, most float64) ground {
	g := ground{Rests: it.Basis.Lines(), Ground: it, At: fmt.Sprintf("w-%d-%s", n, slug(it.Ref)), When: when(it.TS)}
	if it.Content != "" {
		g.Text = textOf(it.Content)
	}
	if it.Score != nil {
		g.Score = it.Parts.Text(*it.Score)
		x := 0
		for i, part := range it.Parts {
			if wide := int(math.Abs(part.Score) / max(most, 1e-9) * barWide); wide > 0 && part.Score > 0 {
				g.Bars = append(g.Bars, bar{x, wide, i % 5, part.Name})
				x += wide
			}
		}
	}
	if now, err := p.o.Owner.Memory(a.ctx, it.Ref); err == nil && now.Status == "" && !now.Binds {
		g.May, g.Mark = true, owner.Mark(now.Content)
	}
	return g
}

// aboutOf is what a report says of an answer besides the memories.
func aboutOf(r why.Report) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, termsafe.Line(fmt.Sprintf(format, args...))) }
	if s := r.Standing; s != nil {
		if s.Working == "sent" {
			add("Your recent context went along.")
		}
		if s.Account == "sent" {
			add("A model's account of where the last conversation stopped went along.")
		}
		if s.Profile {
			add("Your profile went along.")
		}
	}
	for _, f := range r.Attached {
		add("Attached: %s (%s)", f.Name, f.Kind)
	}
	for _, d := range r.Docs {
		switch {
		case d.Skill == "":
			add("%s of this repository went along.", d.File)
		case d.File == "":
			add("The model loaded the skill %s.", d.Skill)
		case d.Own:
			add("Your skill %s went along.", d.Skill)
		default:
			add("The skill %s of this repository went along.", d.Skill)
		}
	}
	if r.Left != "" {
		add("The answer is not in the context any more: %s", r.Left)
	}
	return lines
}
