package learn

import (
	"context"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/rules"
	"ken/internal/view/learned"
)

// A Scale says what changes of the rules come to, for people and programs: it holds them
// against the commands that were recorded, which it reads once. It is for one run and not
// for more than one goroutine.
type Scale struct {
	home     *app.View
	judge    rules.Judge
	commands []rules.Command
	read     bool
}

// NewScale returns a scale over what h has recorded. dir is the person's home directory, as
// commands name it.
func NewScale(h *app.View, dir string) *Scale { return &Scale{home: h, judge: CommandJudge(dir)} }

// CommandJudge says what a line could do, wherever it ran.
func CommandJudge(dir string) rules.Judge {
	here := risk.Here{Home: dir}
	return func(line string) risk.Assessment { return risk.Judge(line, here) }
}

// Difference is what one set makes of another. Errors are those of Commands.
func (w *Scale) Difference(ctx context.Context, old, next rules.Set) (learned.Difference, error) {
	if !w.read {
		commands, err := Commands(ctx, w.home, MostCommands)
		if err != nil {
			return learned.Difference{}, err
		}
		w.commands, w.read = commands, true
	}
	return learned.DifferenceOf(rules.Between(old, next), old, next, learned.Basis{
		Commands: w.commands, Judge: w.judge, Now: w.home.Now(), Clean: w.home.Keys.MaskText,
	}), nil
}

// Waiting is what a yes to a record that waits would make of the rules of s. Errors are those of
// Commands.
func (w *Scale) Waiting(ctx context.Context, s *memory.State, rec memory.Record) (learned.Difference, error) {
	rec = engine.Kept(s, rec)
	old := rules.Of(s)
	d, err := w.Difference(ctx, old, rules.Of(rules.After(s, w.home.Now(), []memory.Record{rec})))
	d.Near = w.near(old, &rec)
	return d, err
}

// Touched is Waiting for a record that may be about anything: nil if no yes to it changes a rule.
func (w *Scale) Touched(ctx context.Context, s *memory.State, rec memory.Record) (*learned.Difference, error) {
	if let := engine.Kept(s, rec); !rules.MayChange(s, &let) {
		return nil, nil
	}
	d, err := w.Waiting(ctx, s, rec)
	if err != nil || len(d.Changes) == 0 && rec.Kind != memory.KindRule {
		return nil, err
	}
	return &d, nil
}

// near names a rule that says nearly what a record says; "" if there is none.
func (w *Scale) near(set rules.Set, rec *memory.Record) string {
	text := engine.ReadText(rec.Content)
	for i := range set {
		if r := &set[i]; r.ID != rec.Target && text.IsNear(engine.ReadText(r.Text)) {
			return r.Name() + ": " + w.home.Keys.MaskText(r.Text)
		}
	}
	return ""
}
