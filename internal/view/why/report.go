package why

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
	"ken/internal/trace"
	"ken/internal/view"
)

// The sources of an envelope.
const (
	SourceQuestion   = "question"   // recalled for the question
	SourceBackground = "background" // in the start-up block
	SourceMemory     = "memory"     // asked for by a program
)

// An Envelope says where memories come from.
type Envelope struct {
	Source  string   `json:"source"`
	Count   int      `json:"count"` // of the items
	Context Context  `json:"activation_context"`
	Tokens  int      `json:"tokens,omitempty"` // that they took
	Budget  int      `json:"budget,omitempty"` // in tokens
	Items   []Ground `json:"items"`            // never null
}

// A Context says for what memories were called up.
type Context struct {
	Scope string          `json:"scope"`           // where
	About json.RawMessage `json:"about,omitempty"` // as a program gave it
}

// A Ground says of one memory why it is here, and where it comes from.
type Ground struct {
	Ref string `json:"ref"`
	// Since says what became of it after the answer: "edited since", "forgotten
	// since", ...; empty if it is what it was.
	Since   string         `json:"since,omitempty"`
	Kind    string         `json:"kind,omitempty"`
	Phase   string         `json:"phase,omitempty"`
	Scope   string         `json:"scope,omitempty"`
	TS      string         `json:"ts,omitempty"`
	Content string         `json:"content,omitempty"` // masked
	Origin  string         `json:"origin,omitempty"`
	By      string         `json:"by,omitempty"`
	Log     string         `json:"log,omitempty"`
	Line    int            `json:"line,omitempty"`
	Source  *memory.Source `json:"source"` // where it was said; null if nowhere
	As      As             `json:"as,omitempty"`
	Why     string         `json:"why"`
	Score   *float64       `json:"score,omitempty"`
	Parts   view.Parts     `json:"parts,omitempty"` // sum to the score
	Tokens  int            `json:"tokens,omitempty"`
	// Basis is what it rests on, down to what was said; absent if that is nothing.
	Basis *view.Basis `json:"basis,omitempty"`
}

// A Passed is a memory that was left out.
type Passed struct {
	Ref    string `json:"ref"`
	Since  string `json:"since,omitempty"`
	Kind   string `json:"kind,omitempty"`
	Phase  string `json:"phase,omitempty"`
	Reason string `json:"reason"`
	In     string `json:"in,omitempty"` // "background": the start-up block had no place for it, and the question has nothing to do with it
}

// A Report says which memories one answer had.
type Report struct {
	Session string `json:"session"`
	N       int    `json:"n"` // the turn of the answer
	TS      string `json:"ts,omitempty"`
	Phase   string `json:"phase"` // "fluid": what is recalled may change with the next word
	Shaped  string `json:"shaped,omitempty"`
	// Origin is the least trusted of what went along, and what is suggested from the answer has
	// it: "tool", "external", ...; "" where that is a model's.
	Origin string `json:"origin,omitempty"`
	// Left says why the answer is not in the context any more: "replaced", "dropped", ...; By is the
	// turn of the answer in its place, 0: there is none.
	Left       string     `json:"left,omitempty"`
	By         int        `json:"by,omitempty"`
	Provenance []Envelope `json:"provenance"`
	Passed     []Passed   `json:"passed"` // best first; never null
	Standing   *Standing  `json:"context,omitempty"`
	Attached   []File     `json:"attached,omitempty"` // that went along with the question
	Docs       []Doc      `json:"docs,omitempty"`     // files for agents, of the repository
	// Environment is where the person is, as the model is told, a line each; of an answer that
	// was given before nobody knows it.
	Environment []string `json:"environment,omitempty"`
}

// A File is one that went along with a question.
type File struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`            // "text", "image" or "directory"
	Bytes int64  `json:"bytes,omitempty"` // 0 of a directory
}

// filesOf are files as they are shown.
func filesOf(field json.RawMessage, mask func(string) string) (files []File) {
	for _, a := range trace.ReadAttached(field) {
		files = append(files, File{mask(a.Name), a.Kind, a.Bytes})
	}
	return files
}

// A Doc is a file that the repository has for agents, or a skill, and that went with the question.
type Doc struct {
	Skill  string `json:"skill,omitempty"` // its name
	Own    bool   `json:"own,omitempty"`   // the skill is the person's
	File   string `json:"file"`            // in the repository, unless it is the person's; "" of a skill that the model loaded
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"` // of it that went
	Of     int    `json:"of"`    // that it has
}

func docsOf(list []trace.Doc) []Doc {
	var out []Doc
	for _, d := range list {
		out = append(out, Doc(d))
	}
	return out
}

// Scopes are those of the memories that the answer had.
func (r Report) Scopes() []string {
	var scopes []string
	for _, e := range r.Provenance {
		for _, it := range e.Items {
			scopes = append(scopes, it.Scope)
		}
	}
	return scopes
}

// NameScopes has the report say what those are called, for a person.
func (r Report) NameScopes(name func(scope string) string) {
	for _, e := range r.Provenance {
		for i, it := range e.Items {
			e.Items[i].Scope = name(it.Scope)
		}
	}
}

// A Standing says what the conversation began with, beside the memories: the profile
// and the working memory. There is none if no namespace is set.
type Standing struct {
	Profile bool   `json:"profile"`           // was sent
	Working string `json:"working"`           // "sent", "expired", "none" or "unread"
	Updated string `json:"updated,omitempty"` // when what was sent was written
	Expires string `json:"expires,omitempty"` // when it does, or did
	Account string `json:"account,omitempty"` // of a model, where the last conversation stopped: "sent" or "unseen"
	Written string `json:"written,omitempty"` // when that was
	Outside bool   `json:"outside,omitempty"` // text from outside may have been read for it
	Said    string `json:"said,omitempty"`    // what it says, as far as it is still there
}

func (src Source) standing(c trace.Context) *Standing {
	if c == (trace.Context{}) {
		return nil
	}
	said := ""
	if c.Account != "" && src.Account != nil {
		if text, written := src.Account(); written.Equal(c.Written) {
			said = src.Mask(text)
		}
	}
	return &Standing{
		Said:    said,
		Profile: c.Profile, Working: c.Working, Updated: view.Stamp(c.Updated), Expires: view.Stamp(c.Expires),
		Account: c.Account, Written: view.Stamp(c.Written), Outside: c.Outside,
	}
}

// A Source says what a report is made of.
type Source struct {
	Trace trace.Trace
	// Now gives an item as it stands now; nil: it cannot be read.
	Now         func(ref string) (memory.Item, memory.Status)
	Session     string
	From        string              // of the turn of the answer
	Left        session.Left        // why the answer is not in the context; "": it is
	By          int                 // the turn of the answer in its place; 0: there is none
	Attached    json.RawMessage     // to the question, as its turn has it
	Scope       string              // where the person stood
	Question    string              // to which it is the answer; "" if that is not known any more
	Mask        func(string) string // required
	Environment []string            // see Report
	// Basis gives what an item rests on: see BasisIn. Nil: it is not shown.
	Basis func(memory.Item) *view.Basis
	// Account gives what stands in the working memory of where a conversation stopped, and when it was
	// written; nil: it is not shown.
	Account func() (text string, written time.Time)
	Seal    *memory.Seal // of the sums of a trace that was read; nil: those are taken for the same
}

// TraceIn is the trace of answer n of a conversation; empty if there is none.
func TraceIn(t *session.Transcript, n int) trace.Trace {
	tr, _ := trace.In(t, n)
	tr.N = n
	return tr
}

// In finds the items of a state.
func In(s *memory.State) func(ref string) (memory.Item, memory.Status) {
	return func(ref string) (memory.Item, memory.Status) {
		id, err := memory.ParseID(ref)
		if err != nil {
			return memory.Item{}, memory.StatusUnknown
		}
		return s.Get(id.From(s.OwnLog()))
	}
}

// BasisIn finds what items of a state rest on, each text as mask gives it. seal is as of
// view.CitesOf.
func BasisIn(s *memory.State, seal func() (*memory.Seal, error), mask func(string) string) func(memory.Item) *view.Basis {
	cites := view.CitesOf(s, seal)
	return func(it memory.Item) *view.Basis { return cites.Tree(it, mask) }
}

// Of is the report of a trace.
func Of(src Source) Report {
	t := src.Trace
	r := Report{
		Session: src.Session, N: t.N, TS: view.Stamp(t.Time), Phase: string(memory.PhaseFluid),
		Provenance: []Envelope{}, Passed: []Passed{}, Standing: src.standing(t.Context),
		Origin: src.From, Left: string(src.Left), By: src.By,
		Attached: filesOf(src.Attached, src.Mask),
		Docs:     docsOf(t.Docs), Environment: src.Environment,
	}
	for _, e := range [...]Envelope{
		{Source: SourceQuestion, Budget: t.Budget.Tokens},
		{Source: SourceBackground, Budget: t.Budget.Background},
	} {
		for _, g := range t.Chosen {
			if g.Standing == (e.Source == SourceBackground) {
				e.Items = append(e.Items, src.ground(g))
				e.Tokens += g.Tokens
			}
		}
		if e.Count = len(e.Items); e.Count > 0 {
			e.Context.Scope = src.Scope
			r.Provenance = append(r.Provenance, e)
		}
	}
	for _, p := range t.Passed {
		it, since := src.now(p.Ref)
		v := Passed{Ref: p.Ref, Since: since, Reason: string(p.Reason)}
		if p.Standing {
			v.In = SourceBackground
		}
		if it != nil {
			v.Kind, v.Phase = string(it.Record.Kind), string(it.Phase)
		}
		r.Passed = append(r.Passed, v)
	}
	r.Shaped = shaped(r)
	return r
}

// now is an item as it stands now, and what became of it; nil where nothing of it is
// to be shown.
func (src *Source) now(ref string) (*memory.Item, string) {
	if src.Now == nil {
		return nil, "not to be read now"
	}
	it, status := src.Now(ref)
	switch status {
	case memory.StatusActive:
		return &it, ""
	case memory.StatusSuperseded:
		return &it, "superseded since"
	case memory.StatusUnknown:
		return nil, "gone since"
	case memory.StatusChange:
		return nil, "changed since"
	}
	return nil, status.String() + " since"
}

// ground returns what is shown of an item that was given.
func (src *Source) ground(g trace.Given) Ground {
	it, since := src.now(g.Ref)
	v := Ground{Ref: g.Ref, Since: since, Tokens: g.Tokens, Parts: parts(g.Parts), As: AsStanding}
	if g.Activated() {
		v.As = AsActivated
	}
	if len(g.Parts) > 0 {
		sum := 0.0
		for _, p := range g.Parts {
			sum += p.Score
		}
		v.Score = &sum
	}
	if it == nil {
		v.Why = reasons(g, nil, "")
		return v
	}
	edited := !g.Still(*it, src.Seal)
	if edited && since == "" {
		v.Since = "edited since"
	}
	rec := it.Record
	if at := rec.Source; at != nil && src.Session != "" && at.Session == src.Session && src.Trace.N > 0 && at.Turn == src.Trace.N-1 {
		v.As = AsStanding // the question itself taught it
	}
	if rec.Kind == memory.KindRule && v.As == AsStanding {
		v.As = AsRule
	}
	v.Kind, v.Phase, v.Scope, v.TS = string(rec.Kind), string(it.Phase), string(view.ScopeOf(*it)), view.Stamp(rec.Time)
	v.Content, v.Origin, v.By = src.Mask(rec.Content), string(it.Origin), rec.By
	v.Log, v.Line, v.Source = it.Log, it.Line, rec.Source
	if src.Basis != nil {
		v.Basis = src.Basis(*it)
	}
	question := src.Question
	if edited {
		question = "" // which words it had then is not known
	}
	v.Why = reasons(g, it, question)
	return v
}

// parts are those of a score, as programs get them.
func parts(list []recall.Part) view.Parts {
	var out view.Parts
	for _, p := range list {
		out = append(out, view.Part{Name: string(p.Name), Score: p.Score})
	}
	return out
}

// reasons says in words why an item was given. it is nil if nothing of it may be
// shown, question "" if its words cannot be compared.
func reasons(g trace.Given, it *memory.Item, question string) string {
	has := func(names ...recall.PartName) bool {
		return slices.ContainsFunc(g.Parts, func(p recall.Part) bool { return p.Score > 0 && slices.Contains(names, p.Name) })
	}
	var words []string
	if it != nil {
		switch scope := string(view.ScopeOf(*it)); {
		case strings.HasPrefix(scope, "repo:"):
			words = append(words, "repo match")
		case strings.HasPrefix(scope, "dir:"):
			words = append(words, "directory match")
		}
		if it.Pinned {
			words = append(words, "pinned")
		}
		if k := it.Record.Kind; k.Is(memory.Guides) {
			words = append(words, "kind "+string(k))
		}
	}
	if it != nil && question != "" && len(g.Parts) > 0 {
		if shared := recall.Shared(question, *it); len(shared) > 0 {
			words = append(words, "words: "+strings.Join(shared, " "))
		}
	} else if has(recall.PartWords, recall.PartStems, recall.PartTags) {
		words = append(words, "words of the question")
	}
	if has(recall.PartBefore) {
		words = append(words, "the question before")
	}
	if slices.ContainsFunc(g.Parts, func(p recall.Part) bool { return p.Name == recall.PartArchive }) {
		words = append(words, "archived")
	}
	switch {
	case len(words) == 0 && g.Standing && len(g.Parts) == 0:
		return "newest of what holds here"
	case len(words) == 0:
		return "a hit for the question"
	}
	return strings.Join(words, "; ")
}

// GroundOf is an item as a program gets it that asked for memories itself.
func GroundOf(it memory.Item, why string) Ground {
	rec := it.Record
	return Ground{
		Ref: it.Ref(), Kind: string(rec.Kind), Phase: string(it.Phase), Scope: string(view.ScopeOf(it)), TS: view.Stamp(rec.Time),
		Origin: string(it.Origin), By: rec.By, Log: it.Log, Line: it.Line, Source: rec.Source, Why: why,
	}
}

// Refs are the references of all that the answer had, in the order of its trace.
func (r Report) Refs() []string {
	refs := []string{}
	for _, e := range r.Provenance {
		for _, it := range e.Items {
			refs = append(refs, it.Ref)
		}
	}
	return refs
}

// day is the date of a time in an RFC 3339 form.
func day(ts string) string {
	if t, err := time.Parse(time.RFC3339, ts); err == nil {
		return t.Format(time.DateOnly)
	}
	return "no date"
}
