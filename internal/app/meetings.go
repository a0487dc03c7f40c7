package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"ken/internal/ask"
	"ken/internal/config/edit"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/models"
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
	// Root is the first commit of the repository, if it was known: what it is recognised by under another name.
	Root string `json:"root,omitempty"`
	// Was is another name of the repository, of which it is settled whether its memories hold under this one; Line is the line of
	// the memory that says so.
	Was  string `json:"was,omitempty"`
	Line string `json:"line,omitempty"`
	// Later says that it was put off: it is asked again another day.
	Later bool `json:"later,omitempty"`
}

// Meetings are what the person said of the repositories where they stood and the models that
// were found: whether their memory is used there.
type Meetings struct {
	o        *terms
	settings *Settings
	here     *Here
	models   func() *models.Set
	memory   *Memory
	changed  func() // what may be used is not what it was

	met      *metRepo        // of here; nil: not looked at
	withheld bool            // what VouchModel said last
	now      map[string]bool // what was said of a model for this run: whether it gets what goes with a question
}

func (k *Meetings) file() *jsonl.Journal[meeting] {
	return &jsonl.Journal[meeting]{
		Path: k.settings.paths.Met(), Name: "what is known of repositories and models",
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

// all are those that stand, oldest first: the last line about each. A line that is
// none costs itself alone.
func (k *Meetings) all() ([]meeting, error) {
	lines, err := k.file().Read()
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
		about := meeting{Repo: strings.ToLower(m.Repo), Path: m.Path, Server: m.Server, Model: m.Model, Was: strings.ToLower(m.Was)}
		if !seen[about] {
			seen[about] = true
			out = append(out, m)
		}
	}
	slices.Reverse(out)
	return out
}

func (k *Meetings) keep(m meeting) error {
	if k.settings.ReadOnly() {
		return engine.OnlyRead()
	}
	m.Time = k.o.Now().UTC().Format(time.RFC3339)
	return k.file().Add(context.Background(), m)
}

// answered keeps what a person answered, or what follows from where they are.
func (k *Meetings) answered(m meeting) {
	if k.settings.ReadOnly() {
		return // it holds for this run
	}
	if err := k.keep(m); err != nil {
		k.o.Voice.Warn(fault.Once(fmt.Errorf("this is asked again next time: %w", err)))
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
func (k *Meetings) metHere() metRepo {
	if k.met != nil {
		return *k.met
	}
	repo := k.here.Place().Repo
	if repo == nil || k.settings.cfg == nil {
		return metRepo{known: true}
	}
	var r metRepo
	list, err := k.all()
	if err != nil {
		k.o.Voice.Warn(fault.Once(fmt.Errorf("which repositories are known: %w", err)))
		r.other = "?"
	}
	path, stamp := repo.Spot()
	for _, m := range list {
		switch {
		case m.Repo == "" || m.Was != "" || !slices.Contains(names(repo), strings.ToLower(m.Repo)):
		case m.Path == path || stamp != "" && m.Stamp == stamp && !repo.Claimed:
			r.known, r.never, r.again = m.Use && !m.Again, !m.Use && !m.Again, m.Again
		case m.Use && !m.Again:
			r.other = m.Path
		}
	}
	k.met = &r
	return r
}

// names are all by which a repository is known.
func names(r *place.Repo) []string {
	list := slices.Concat(r.Identities, r.Also)
	if r.RootID != "" {
		list = append(list, r.RootID)
	}
	return list
}

// familiar reports whether the memory of the repository where the person stands may be
// used there: it may not where a directory only says that it is a repository that is
// known from another place, until the person says yes. See SECURITY.md.
func (k *Meetings) familiar() bool {
	r := k.metHere()
	return r.known || !r.never && !r.again && r.other == ""
}

// MeetPlace takes note of the repository where the person stands, if there is memory of
// it at that moment, before any of that is sent: the first place of that name is reported, any other one is
// asked about on a terminal of the shell, and elsewhere not used, which is reported.
func (k *Meetings) MeetPlace(ctx context.Context, now *Moment) {
	repo := k.here.Place().Repo
	if repo == nil || !k.settings.MemoryOn() {
		return
	}
	r := k.metHere()
	if !r.known && !r.never && now.hasOf(ctx, repo) {
		k.meetNew(ctx, r)
		k.adopt(ctx, now)
	}
	if len(repo.Also) > 0 && k.outdated(ctx, now) {
		k.follow()
	}
	k.tellRenamed(ctx, now)
}

// meetNew is MeetPlace of a repository that was not met here.
func (k *Meetings) meetNew(ctx context.Context, r metRepo) {
	repo := k.here.Place().Repo
	name := termsafe.Line(k.here.Place().Scope()) // whole: it is what the directory claims
	path, _ := repo.Spot()
	if r.other == "" && !r.again {
		k.vouchPlace()
		if k.settings.ReadOnly() {
			return // for this run alone
		}
		k.o.Voice.Notef("memory of %s is used in %s from now on, and is asked about elsewhere", name, k.settings.Short(path))
		return
	}
	says := "this directory says it is " + name + ", "
	if r.other != "" {
		says += "known from " + k.settings.Short(termsafe.Line(r.other))
	} else {
		says += "and you took back what you said about it"
	}
	switch k.asks(ctx, ask.Question{Asks: says + ": use its memory here?", Enter: ask.Next, Choices: []ask.Choice{
		{Answer: ask.Yes}, {Answer: ask.No}, {Answer: ask.Next, Says: "not now"},
	}}) {
	case ask.Yes:
		k.vouchPlace()
		return
	case ask.No:
		k.meet(false, "")
		return
	case "":
	default:
		return
	}
	k.o.Voice.Notef("%s: its memory is not used here (to use it: %s, at a terminal)", says, fault.Command("memory trust met use ."))
}

// vouchPlace takes note that the person means the repository where they stand.
func (k *Meetings) vouchPlace() { k.meet(true, "") }

// BeginPlace is vouchPlace for who states a memory of the repository where they stand,
// if it is known from nowhere else.
func (k *Meetings) BeginPlace() {
	if r := k.metHere(); !r.known && !r.never && !r.again && r.other == "" && k.o.Actor.Origin() == "" {
		k.meet(true, k.here.root(context.Background()))
	}
}

// meet takes note of the repository where the person stands, and of its root if that is known.
func (k *Meetings) meet(use bool, root string) {
	repo := k.here.Place().Repo
	if repo == nil {
		return
	}
	if r := k.metHere(); r.known && use {
		return
	}
	path, stamp := repo.Spot()
	for _, name := range names(repo) {
		k.answered(meeting{Repo: name, Path: path, Stamp: stamp, Use: use, Root: root})
	}
	k.met = &metRepo{known: use, never: !use}
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
func (k *Meetings) Sends() bool {
	if !k.settings.MemoryOn() {
		return false
	}
	_, unknown := k.models().Unconfirmed()
	return !unknown
}

// asks asks the person, if one is there.
func (k *Meetings) asks(ctx context.Context, q ask.Question) ask.Answer {
	if k.o.Ask == nil {
		return ""
	}
	return k.o.Ask(ctx, q)
}

// VouchModel asks a person at a terminal once whether a model that was found gets what
// goes with a question, if there is anything: memory, or, as earlier says, a conversation
// that was held before. It reports whether what goes is another than before.
func (k *Meetings) VouchModel(ctx context.Context, earlier bool) (changed bool) {
	p, unknown := k.models().Unconfirmed()
	if unknown && (earlier || k.hasMemory()) && !k.refusedModel(p.Host(), p.Model.Model) {
		k.askModel(ctx, p)
		_, unknown = k.models().Unconfirmed()
	}
	changed = unknown != k.withheld
	k.withheld = unknown
	return changed
}

// askModel asks whether a model that was found gets what goes with a question. Enter is no for now: it is asked again
// tomorrow at the earliest. Who leaves is asked at the next start.
func (k *Meetings) askModel(ctx context.Context, p models.Preset) {
	name := termsafe.Line(p.Model.Model)
	q := ask.Question{
		Asks: fmt.Sprintf("use %s at %s with your memory and conversations?", name, p.Host()), Enter: ask.Next,
		Choices: []ask.Choice{
			{Answer: ask.Yes, Says: "from now on"}, {Answer: ask.Session, Says: "this time"}, {Answer: ask.No}, {Answer: ask.Next, Says: "not now"},
		},
	}
	said := k.asks(ctx, q)
	met := meeting{Server: p.Host(), Model: p.Model.Model, Use: said == ask.Yes, Later: said == ask.Next}
	switch said {
	case "":
		return
	case ask.Yes:
		k.answered(met)
		named := k.o.Getenv != nil && k.o.Getenv("OPENAI_BASE_URL") != "" // its server is
		if k.settings.ReadOnly() || p.From != models.FromThisMachine || named {
			return
		}
		if err := k.keepModel(ctx, p); err != nil {
			k.o.Voice.Warn(fault.Once(fmt.Errorf("%s is looked for again next time: %w", name, err)))
		}
		return
	case ask.No, ask.Next:
		k.answered(met)
	}
	if k.now == nil {
		k.now = make(map[string]bool)
	}
	k.now[p.Host()+" "+p.Model.Model] = said == ask.Session
	if said == ask.Session {
		return
	}
	until := "until you say otherwise"
	if said != ask.No {
		until = "for now"
	}
	k.o.Voice.Notef("%s answers without your memory and conversations %s (to use them: %s)", name, until,
		fault.Command("memory trust met use "+p.Host()))
}

// keptAs is the preset that a model of this machine is kept as.
const keptAs = "local"

// keepModel writes a model that was found into the settings, so that the next start looks for nothing.
func (k *Meetings) keepModel(ctx context.Context, p models.Preset) error {
	f := SettingsFile{Path: k.settings.paths.ConfigFile()}
	_, err := f.Change(ctx, k.settings.paths.State, func(f SettingsFile) ([]byte, error) {
		text, err := edit.Set(f.Text, []string{"models", keptAs, "base_url"}, edit.Quote(p.BaseURL))
		if err != nil {
			return nil, err
		}
		return edit.Set(text, []string{"models", keptAs, "model"}, edit.Quote(p.Model.Model))
	})
	if err == nil {
		k.o.Voice.Notef("kept in %s as models.%s (take it back: %s)", k.settings.Short(f.Path), keptAs,
			fault.Command("config set --unset models."+keptAs))
	}
	return err
}

// hasMemory reports whether there is anything that a question could take along.
func (k *Meetings) hasMemory() bool {
	if !k.settings.MemoryOn() {
		return false
	}
	for _, path := range []string{
		k.settings.paths.Memory(), k.settings.paths.Profile(), k.settings.paths.Working(),
		k.settings.paths.Peers(),
	} {
		if _, err := os.Stat(path); err == nil {
			return true
		}
	}
	return false
}

// saidOfModel reports what the person said of a model at a server; asked is false if
// they said nothing.
func (k *Meetings) saidOfModel(server, model string) (use, asked bool) {
	if use, asked = k.now[server+" "+model]; asked {
		return use, asked
	}
	list, _ := k.all() // what cannot be read says nothing
	for _, m := range list {
		if m.Server == server && m.Model == model && server != "" {
			use, asked = m.Use && !m.Again, !m.Again && !(m.Later && k.dayAfter(m.Time))
		}
	}
	return use, asked
}

// dayAfter reports whether a day has passed since a time.
func (k *Meetings) dayAfter(at string) bool {
	t, err := time.Parse(time.RFC3339, at)
	const day = 24 * time.Hour
	return err != nil || k.o.Now().Sub(t) >= day
}

func (k *Meetings) refusedModel(server, model string) bool {
	use, asked := k.saidOfModel(server, model)
	return asked && !use
}
