package app

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/memory"
	"ken/internal/trace"
	"ken/internal/view"
)

// What stands between a program and a model asks of a memory.

// Called is what of the memory a question calls for.
type Called struct {
	On   bool   // memory is on
	Text string // the block, marked as data; "" if nothing is called for
	Mark string // what the memories said then: it is another one once any of them changed; see Still
	Hits []CalledHit
}

// A CalledHit is a memory that a question called for, and why.
type CalledHit struct {
	Ref    string
	Always string // why it goes with every question: "pinned" or "rule"; "": this one called for it
	Score  float64
	Parts  view.Parts // which sum to it
}

// Refs are the memories in it.
func (c Called) Refs() (refs []string) {
	for _, h := range c.Hits {
		refs = append(refs, h.Ref)
	}
	return refs
}

// CallUp returns what a question calls for at a place, behind what is pinned and rules, masked, within the budgets of the settings;
// Gave notes that it was sent.
// To call for nothing is no error, nor is a memory that is off. Errors: what the files say.
func (v *View) CallUp(ctx context.Context, question string) (got Called, err error) {
	return v.called(ctx, question, -1)
}

// CallBehind is CallUp for who has the start-up block of at most so many bytes already, as Block returns it: nothing of that is
// in it again.
func (v *View) CallBehind(ctx context.Context, question string, most int) (got Called, err error) {
	return v.called(ctx, question, max(most, 0))
}

// called is CallUp; where most is no negative number, CallBehind.
func (v *View) called(ctx context.Context, question string, most int) (got Called, err error) {
	if got.On, err = v.on(); err != nil || !got.On || strings.TrimSpace(question) == "" {
		return got, err
	}
	always, a, err := CallUp(ctx, v.Moment(), question, most)
	if err != nil {
		return got, err
	}
	got.Text = a.Behind(always)
	for _, p := range always.Chosen {
		hit := CalledHit{Ref: p.Item.Ref(), Always: "pinned"}
		if !p.Item.Pinned {
			hit.Always = "rule"
		}
		got.Hits = append(got.Hits, hit)
		got.Mark += markOf(*p.Item)
	}
	for _, f := range a.Chosen {
		hit := CalledHit{Ref: f.Item.Ref(), Score: f.Score}
		for _, p := range f.Parts {
			hit.Parts = append(hit.Parts, view.Part{Name: string(p.Name), Score: p.Score})
		}
		got.Hits = append(got.Hits, hit)
		got.Mark += markOf(f.Item)
	}
	return got, nil
}

func markOf(it memory.Item) string { return fmt.Sprintf("%s=%v,", it.Ref(), trace.SumOf(it)) }

// Still reports whether memories that were called for stand, hold at the place and say what they said. Errors: what the files say.
func (v *View) Still(ctx context.Context, was Called) (is bool, err error) {
	if on, err := v.on(); err != nil || on != was.On {
		return false, err
	}
	s, err := v.Memory.State(ctx)
	if err != nil {
		return false, err
	}
	mark, find := "", Active(s)
	for _, hit := range was.Hits {
		it, ok := find(hit.Ref)
		scope := string(view.ScopeOf(it))
		if !ok || !v.Here.Place().Holds(scope) || v.Here.ScopeOff(scope) {
			return false, nil
		}
		mark += markOf(it)
	}
	return mark == was.Mark, nil
}

// ModelNames returns the names of the models that the person named, in the order in which they are listed elsewhere.
func (v *View) ModelNames() (names []string, err error) {
	list, err := v.Models().Presets()
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names, err
}

// A Front is what the settings say of the endpoint in front of models.
type Front struct {
	Owner  []string          // what programs call the person, where they say who asks
	Alias  map[string]string // other names of models
	Signed Secret            // by which a program signs who asks; the zero value: none does
	Record bool              // what is asked, and the answers, are kept
}

// Serving returns what the settings say of the endpoint. Errors: of the settings, and of a secret that is not where they say.
func (v *View) Serving() (f Front, err error) {
	cfg, err := v.Settings.Read()
	if err != nil {
		return f, err
	}
	f.Owner, f.Alias, f.Record = cfg.Serve.Owner, cfg.Serve.Alias, cfg.Serve.Record
	f.Signed, err = v.UserSecret()
	return f, err
}
