package home

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/place"
	"ken/internal/termsafe"
)

// A meeting is one line of the file of what the person knows: a repository at a place,
// or a model at a server. The last line about one counts.
type meeting struct {
	Time   string `json:"ts"`
	Repo   string `json:"repo,omitempty"` // an identity: example.org/me/tea
	Path   string `json:"path,omitempty"`
	Stamp  string `json:"stamp,omitempty"`
	Server string `json:"server,omitempty"` // host:port
	Model  string `json:"model,omitempty"`
	Use    bool   `json:"use"` // the memory is used there
	// Again says that an answer was taken back: the person is asked again.
	Again bool `json:"again,omitempty"`
}

func (a *Home) metFile() *jsonl.Journal[meeting] {
	return &jsonl.Journal[meeting]{
		Path: a.Settings.paths.Met(), Name: "what is known of repositories and models",
		Parse: func(line []byte) (m meeting, err error) {
			err = json.Unmarshal(line, &m)
			return m, err
		},
		Encode: func(dst []byte, m meeting) []byte {
			line, _ := json.Marshal(m) // texts and booleans alone
			return append(dst, line...)
		},
	}
}

// meetings are those that stand, oldest first: the last line about each. A line that is
// none costs itself alone.
func (a *Home) meetings() ([]meeting, error) {
	lines, err := a.metFile().Read()
	var list []meeting
	for _, r := range lines {
		if r.Err == nil {
			list = append(list, r.Value)
		}
	}
	return latest(list), err
}

// latest leaves out what a later line about the same replaces.
func latest(list []meeting) []meeting {
	seen := make(map[meeting]bool)
	var out []meeting
	for _, m := range slices.Backward(list) {
		about := meeting{Repo: strings.ToLower(m.Repo), Path: m.Path, Server: m.Server, Model: m.Model}
		if !seen[about] {
			seen[about] = true
			out = append(out, m)
		}
	}
	slices.Reverse(out)
	return out
}

func (a *Home) keepMeeting(m meeting) error {
	m.Time = a.o.Now().UTC().Format(time.RFC3339)
	return a.metFile().Add(context.Background(), m)
}

// answered keeps what a person answered, or what follows from where they are.
func (a *Home) answered(m meeting) {
	if err := a.keepMeeting(m); err != nil {
		a.Warn(fault.Once(fmt.Errorf("this is asked again next time: %w", err)))
	}
}

// A metRepo says what is known of the repository at a place.
type metRepo struct {
	known bool   // it was met here, and may be used
	never bool   // it was met here, and may not
	again bool   // the person took their answer back
	other string // where else a repository of that name was met; "" if nowhere
}

// metHere looks up the repository where the person stands.
func (a *Home) metHere() metRepo {
	if a.met != nil {
		return *a.met
	}
	repo := a.Here.Place().Repo
	if repo == nil || a.Settings.cfg == nil {
		return metRepo{known: true}
	}
	var r metRepo
	list, err := a.meetings()
	if err != nil {
		a.Warn(fault.Once(fmt.Errorf("which repositories are known: %w", err)))
		r.other = "?"
	}
	path, stamp := repo.Spot()
	for _, m := range list {
		switch {
		case m.Repo == "" || !slices.Contains(names(repo), strings.ToLower(m.Repo)):
		case m.Path == path || stamp != "" && m.Stamp == stamp && !repo.Claimed:
			r.known, r.never, r.again = m.Use && !m.Again, !m.Use && !m.Again, m.Again
		case m.Use && !m.Again:
			r.other = m.Path
		}
	}
	a.met = &r
	return r
}

// names are all by which a repository is known.
func names(r *place.Repo) []string {
	list := slices.Clone(r.Identities)
	if r.RootID != "" {
		list = append(list, r.RootID)
	}
	return list
}

// familiar reports whether the memory of the repository where the person stands may be
// used there: it may not where a directory only says that it is a repository that is
// known from another place, until the person says yes. See SECURITY.md.
func (a *Home) familiar() bool {
	r := a.metHere()
	return r.known || !r.never && !r.again && r.other == ""
}

// MeetPlace takes note of the repository where the person stands, if there is memory of
// it at that moment, before any of that is sent: the first place of that name is told, any other one is
// asked about on a terminal of the shell, and elsewhere not used, which is told.
func (a *Home) MeetPlace(ctx context.Context, m *Moment) {
	repo := a.Here.Place().Repo
	if repo == nil || !a.Settings.MemoryOn() {
		return
	}
	r := a.metHere()
	if r.known || r.never || !m.hasOf(ctx, repo) {
		return
	}
	name := termsafe.Line(a.Here.Place().Scope())
	path, _ := repo.Spot()
	if r.other == "" && !r.again {
		a.vouchPlace()
		a.Notef("memory of %s is used in %s from now on, and is asked about elsewhere", name, a.Settings.Short(path))
		return
	}
	says := "this directory says it is " + name + ", "
	if r.other != "" {
		says += "known from " + a.Settings.Short(termsafe.Line(r.other))
	} else {
		says += "and you took back what you said about it"
	}
	switch a.asks(ctx, says+": use its memory here? [y/N] ") {
	case Yes:
		a.vouchPlace()
		return
	case No:
		a.meet(false)
		return
	case Left:
		return
	case Nobody:
	}
	a.Notef("%s: its memory is not used here (to use it: %s, at a terminal)", says, fault.Command("memory trust met use ."))
}

// vouchPlace takes note that the person means the repository where they stand.
func (a *Home) vouchPlace() { a.meet(true) }

// BeginPlace is vouchPlace for who states a memory of the repository where they stand,
// if it is known from nowhere else.
func (a *Home) BeginPlace() {
	if r := a.metHere(); !r.known && !r.never && !r.again && r.other == "" && a.o.Who().Origin() == "" {
		a.vouchPlace()
	}
}

func (a *Home) meet(use bool) {
	repo := a.Here.Place().Repo
	if repo == nil {
		return
	}
	if r := a.metHere(); r.known && use {
		return
	}
	path, stamp := repo.Spot()
	for _, name := range names(repo) {
		a.answered(meeting{Repo: name, Path: path, Stamp: stamp, Use: use})
	}
	a.met = &metRepo{known: use, never: !use}
}

// hasOf reports whether there may be memory of a repository.
func (m *Moment) hasOf(ctx context.Context, repo *place.Repo) bool {
	from, err := m.Memory(ctx)
	if err != nil {
		return false // none of it can be sent
	}
	for _, c := range from.Corpora {
		for _, scope := range c.Names {
			if id, ok := strings.CutPrefix(scope, "repo:"); ok && slices.Contains(names(repo), strings.ToLower(id)) {
				return true
			}
		}
	}
	return false
}

// Sends reports whether memory goes with a question: it is on, and the model in force is
// one that the person named or agreed to.
func (a *Home) Sends() bool {
	if !a.Settings.MemoryOn() {
		return false
	}
	_, unknown := a.Models().Unconfirmed()
	return !unknown
}

// asks asks the person, if one is there.
func (a *Home) asks(ctx context.Context, question string) Answer {
	if a.o.Ask == nil {
		return Nobody
	}
	return a.o.Ask(ctx, question)
}

// VouchModel asks a person at a terminal once whether a model that was found gets what
// goes with a question, if there is anything: memory, or, as earlier says, a conversation
// that was held before. It reports whether what goes is another than before.
func (a *Home) VouchModel(ctx context.Context, earlier bool) (changed bool) {
	p, unknown := a.Models().Unconfirmed()
	if unknown && (earlier || a.hasMemory()) && !a.refusedModel(p.Host(), p.Model.Model) {
		says := a.asks(ctx, fmt.Sprintf("use %s at %s with your memory and conversations? [y/N] ", termsafe.Line(p.Model.Model), p.Host()))
		if says == Yes || says == No {
			a.answered(meeting{Server: p.Host(), Model: p.Model.Model, Use: says == Yes})
		}
		_, unknown = a.Models().Unconfirmed()
	}
	changed = unknown != a.withheld
	a.withheld = unknown
	return changed
}

// hasMemory reports whether there is anything that a question could take along.
func (a *Home) hasMemory() bool {
	if !a.Settings.MemoryOn() {
		return false
	}
	for _, path := range []string{a.Settings.paths.Memory(), a.Settings.paths.Profile(), a.Settings.paths.Working(),
		a.Settings.paths.Peers()} {
		if _, err := os.Stat(path); err == nil {
			return true
		}
	}
	return false
}

// saidOfModel reports what the person said of a model at a server; asked is false if
// they said nothing.
func (a *Home) saidOfModel(server, model string) (use, asked bool) {
	list, _ := a.meetings() // what cannot be read says nothing
	for _, m := range list {
		if m.Server == server && m.Model == model && server != "" {
			use, asked = m.Use && !m.Again, !m.Again
		}
	}
	return use, asked
}

func (a *Home) refusedModel(server, model string) bool {
	use, asked := a.saidOfModel(server, model)
	return asked && !use
}
