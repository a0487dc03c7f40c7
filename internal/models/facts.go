package models

import (
	"cmp"
	"context"
	"time"

	"ken/internal/config/edit"
	"ken/internal/fault"
	"ken/internal/llm/catalog"
	"ken/internal/llm/discover"
)

// Where a fact about a model is known from.
const (
	BySettings = "settings" // the person stated it
	ByServer   = "server"   // its server said so
	ByTable    = "table"    // it is publicly known
	ByGuess    = "guess"    // its server gives that to models as a rule
	ByNobody   = "assumed"
)

// Assumed is the window of a model of which nothing is known, in tokens.
const Assumed = 8192

// Facts are what is known of a model beside its name.
type Facts struct {
	Window   int       // tokens that a request and its answer may have; 1 or more
	WindowBy string    // how that is known
	WindowAt time.Time // when its server said so, or the table was looked up; zero: it is stated or assumed

	In, Out  float64   // the prices of a million tokens sent and received
	Currency string    // of the prices
	PriceBy  string    // how they are known; "": they are not
	PriceAt  time.Time // since when, as for the window
}

// Priced reports whether the prices are known.
func (f Facts) Priced() bool { return f.PriceBy != "" }

// usd is the currency of servers and of the table.
const usd = "USD"

// Facts returns what is known of a model now: what the person stated, else what its server said,
// else what is publicly known. Nobody is asked.
func (m *Set) Facts(p Preset) Facts {
	f := Facts{Window: Assumed, WindowBy: ByNobody}
	row, listed := catalog.Find(p.BaseURL, p.Model.Model)
	date, _ := time.Parse(time.DateOnly, row.Date) // a test reads them
	var said knownModel
	k := m.knownOf(p)
	if i := k.find(p.Model.Model); i >= 0 {
		said = k.models[i]
		if said.at.IsZero() {
			said.at = k.at
		}
	}
	switch {
	case p.ContextTokens > 0:
		f.Window, f.WindowBy = p.ContextTokens, BySettings
	case said.Window > 0 && !said.Guess:
		f.Window, f.WindowBy, f.WindowAt = said.Window, ByServer, said.at
	case listed:
		f.Window, f.WindowBy, f.WindowAt = row.Window, ByTable, date
	case said.Window > 0:
		f.Window, f.WindowBy, f.WindowAt = said.Window, ByGuess, said.at
	}
	if n := m.refused[refusal{plainBase(p.BaseURL), p.Model.Model}]; n > 0 && n < f.Window {
		f.Window, f.WindowBy, f.WindowAt = n, ByServer, m.Now() // whatever it said before
	}
	switch {
	case p.PriceIn > 0 || p.PriceOut > 0:
		f.In, f.Out, f.Currency, f.PriceBy = p.PriceIn, p.PriceOut, p.Currency, BySettings
	case said.Priced:
		f.In, f.Out, f.Currency, f.PriceBy, f.PriceAt = said.In, said.Out, usd, ByServer, k.at
	case row.Priced:
		f.In, f.Out, f.Currency, f.PriceBy, f.PriceAt = row.In, row.Out, usd, ByTable, date
	}
	return f
}

// knownOf is what is known of the server of a preset.
func (m *Set) knownOf(p Preset) known {
	base := plainBase(p.BaseURL)
	if k, ok := m.known[base]; ok {
		return k
	}
	if m.known == nil {
		m.known = make(map[string]known)
	}
	k := readKnown(m.kept(), base)
	m.known[base] = k
	return k
}

// kept is the directory of what servers said; "" where nothing is kept.
func (m *Set) kept() string {
	if m.Kept == nil {
		return ""
	}
	return m.Kept()
}

// How long what a server said is not asked again: one on this machine is started anew with
// another size from one hour to the next.
const (
	freshHere = time.Hour
	freshAway = 24 * time.Hour
)

// Bounds of asking a server about a model.
const (
	lessonEnds = 5 * time.Second
	// Moment is how long a question may wait for the window of its model, where it does not fit
	// what is taken to be the window.
	Moment = time.Second
	// patience is how long a server is not called silent.
	patience = 100 * time.Millisecond
	// silentFor is how long a server that did not answer is not asked again beside a question.
	silentFor = time.Minute
)

// A Lesson is what a server is being asked about a model, beside the question that goes
// there anyway.
type Lesson struct {
	set    *Set
	of     Preset
	cancel context.CancelFunc
	said   chan lore // nil: nobody is asked
	since  time.Time // when it was asked
	quiet  bool      // whoever asks says what came
}

// A lore is what a server said.
type lore struct {
	list  []discover.Model // nil: it gave none
	model discover.Model
	err   error
}

// Learn asks the server of a model how much the model reads and what it costs, if the person
// has not stated it and the server did not say so lately. It returns at once; End ends
// the asking.
func (m *Set) Learn(ctx context.Context, p Preset) *Lesson {
	l := &Lesson{set: m, of: p, cancel: func() {}}
	since := m.Now().Sub(m.silent[plainBase(p.BaseURL)])
	if p.ContextTokens > 0 || m.fresh(p) || since >= 0 && since < silentFor {
		return l
	}
	return m.ask(ctx, l)
}

// ask asks the server of a lesson.
func (m *Set) ask(ctx context.Context, l *Lesson) *Lesson {
	server, err := m.server(l.of)
	if err != nil || plainBase(l.of.BaseURL) == "" || l.of.Model.Model == "" {
		return l // whoever asks the question says what is wrong
	}
	ctx, l.cancel = context.WithTimeout(ctx, lessonEnds)
	said := make(chan lore, 1)
	l.said, l.since = said, m.Now()
	name, alone := l.of.Model.Model, catalog.IsVendor(l.of.BaseURL)
	go func() { said <- study(ctx, server, name, alone) }() // End may be there first, and l.said nil by then
	return l
}

// study asks a server for its list and, where that says nothing of a window, in other
// ways; alone says that it has none.
func study(ctx context.Context, s discover.Server, name string, alone bool) lore {
	list, err := discover.Models(ctx, s)
	if err != nil && ctx.Err() != nil {
		return lore{err: err}
	}
	said := lore{list: list, model: discover.Model{Name: name}}
	listed := known{}
	listed.take(list, time.Time{})
	if i := listed.find(name); i >= 0 {
		said.model = listed.models[i].Model
		said.model.Name = name
	}
	if said.model.Window > 0 && !said.model.Guess || alone {
		return said
	}
	more, merr := discover.Describe(ctx, s, name)
	switch {
	case ctx.Err() != nil:
		return lore{list: list, err: ctx.Err()}
	case merr == nil && (more.Window > 0 || more.Images != discover.Unsaid):
		if more.Window > 0 {
			said.model.Window, said.model.Guess = more.Window, more.Guess
		}
		said.model.Images = cmp.Or(said.model.Images, more.Images)
	case err != nil && said.model.Window == 0:
		said.err = err
	}
	return said
}

// fresh reports whether the server said lately what it says of a model, be it nothing. What
// is a guess is asked again: the model may be loaded by now.
func (m *Set) fresh(p Preset) bool {
	k := m.knownOf(p)
	i := k.find(p.Model.Model)
	if i < 0 || k.models[i].at.IsZero() || k.models[i].Guess {
		return false
	}
	return m.recent(p, k.models[i].at)
}

// recent reports whether what the server of a preset said at that time is not to be asked again.
func (m *Set) recent(p Preset, at time.Time) bool {
	long := freshAway
	if discover.IsLocal(p.BaseURL) {
		long = freshHere
	}
	age := m.Now().Sub(at)
	return age >= 0 && age < long
}

// Window returns the size of the window of the model, in tokens, waiting for its server for at most so
// long.
func (l *Lesson) Window(ctx context.Context, wait time.Duration) int {
	l.wait(ctx, wait)
	return l.set.Facts(l.of).Window
}

// wait waits for the server.
func (l *Lesson) wait(ctx context.Context, wait time.Duration) {
	if l.said == nil {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case said := <-l.said:
		l.said = nil
		l.set.take(l.of, said, l.quiet)
	case <-timer.C:
	case <-ctx.Done():
	}
}

// End keeps what the server said, if it did, and ends the asking. It waits for nobody: a list that is not
// there when the answer is was slower than the model, and a run may end here.
func (l *Lesson) End() {
	if l.said != nil {
		select {
		case said := <-l.said:
			l.set.take(l.of, said, l.quiet)
		default:
			if l.set.Now().Sub(l.since) >= patience { // it is slow, or says nothing; else the answer was quick
				l.set.tried(l.of)
			}
		}
		l.said = nil
	}
	l.cancel()
}

// tried notes that a server did not say in time what it was asked.
func (m *Set) tried(p Preset) {
	if m.silent == nil {
		m.silent = make(map[string]time.Time)
	}
	m.silent[plainBase(p.BaseURL)] = m.Now()
}

// take keeps what a server said of a model, and says once if it is not known how much
// that reads.
func (m *Set) take(p Preset, said lore, quiet bool) {
	if said.err != nil && said.list == nil {
		m.tried(p)
		return
	}
	first := false
	m.change(p, func(k *known) {
		first = k.find(p.Model.Model) < 0 || k.models[k.find(p.Model.Model)].at.IsZero()
		if said.list != nil {
			k.take(said.list, m.Now())
		}
		if said.err == nil {
			k.learn(said.model, m.Now())
		}
	})
	if f := m.Facts(p); said.err == nil && first && !quiet && f.WindowBy == ByNobody {
		m.Notify("nobody says how much %s reads: %d tokens are assumed%s", p.Model.Model, f.Window, m.howToSize(p))
	}
}

// change changes what is known of the server of a preset, and keeps it.
func (m *Set) change(p Preset, do func(*known)) {
	base, k := plainBase(p.BaseURL), m.knownOf(p)
	if m.kept() != "" {
		k = readKnown(m.kept(), base) // others may have written meanwhile
	}
	do(&k)
	m.known[base] = k
	writeKnown(m.kept(), base, k)
}

// howToSize is how the window of a preset is stated.
func (m *Set) howToSize(p Preset) fault.Text {
	if p.From != FromConfig || p.base != "" {
		return fault.Text{}
	}
	return fault.Textf(" (state it: %s)", fault.Command("config set "+edit.Key("models", p.Name, "context_tokens")+"=N"))
}

// Study asks the server of a model as Learn does, for a person who wants to know, and waits for at
// most so long. An answer that does not come leaves what is known.
func (m *Set) Study(ctx context.Context, p Preset, wait time.Duration) Facts {
	delete(m.silent, plainBase(p.BaseURL))
	l := m.Learn(ctx, p)
	l.quiet = true
	defer l.End()
	l.wait(ctx, wait)
	return m.Facts(p)
}
