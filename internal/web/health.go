package web

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"ken/internal/view"
)

// A health is how the memory and what stands around it are.
type health struct {
	Numbers []string
	Setup   *setup // nil: nobody looks
	Clients []Client
}

// A setup is what the doctor says, what is missing first.
type setup struct {
	Says    string
	Signs   []view.Sign
	Offline bool // no server was asked
	Focus   bool // somebody asked for it just now
}

func (p *Page) health(a asked) (*health, error) {
	st, err := p.o.Owner.Status(a.ctx)
	if err != nil {
		return nil, err
	}
	on := "Memory is on"
	if !st.On {
		on = "Memory is off"
	}
	v := &health{Numbers: []string{
		on, fmt.Sprintf("%d remembered, %d of them hold everywhere", st.Active, st.Here), waits(st.Waiting),
	}}
	if p.o.Doctor != nil {
		v.Setup = p.setup(a, true)
	}
	if p.o.Clients != nil {
		v.Clients, err = p.o.Clients()
	}
	return v, err
}

func (p *Page) setup(a asked, offline bool) *setup {
	s := &setup{Signs: p.o.Doctor.Look(a.ctx, offline), Offline: offline}
	order := []string{view.SignGap, view.SignNote, view.SignOK}
	slices.SortStableFunc(s.Signs, func(x, y view.Sign) int {
		return cmp.Compare(slices.Index(order, x.Level), slices.Index(order, y.Level))
	})
	gaps := 0
	for _, sign := range s.Signs {
		if sign.Level == view.SignGap {
			gaps++
		}
	}
	if s.Says = "No gaps"; gaps > 0 {
		s.Says = view.Count(gaps, "gap")
	}
	return s
}

// A checked is what a check of all files found.
type checked struct {
	Says     string
	Findings []found
	Hints    []string
}

type found struct{ Level, Text string }

// examine looks at the set-up with the servers of models asked, or at all files.
func (p *Page) examine(w http.ResponseWriter, a asked) {
	switch a.path[1] {
	case "servers":
		s := p.setup(a, false)
		s.Focus = true
		p.show(w, http.StatusOK, "setup", s)
	case "files":
		report, err := p.o.Doctor.Files(a.ctx)
		if err != nil {
			t, status := p.troubleOf(err)
			p.show(w, status, "fault", t)
			return
		}
		c := checked{Says: sentence(report.Summary()), Hints: report.Hints()}
		for _, f := range report.Findings {
			c.Findings = append(c.Findings, found{f.Level, f.Text(func(path string) string { return path })})
		}
		p.show(w, http.StatusOK, "checked", c)
	default:
		p.fail(w, http.StatusNotFound, "there is no such page")
	}
}
