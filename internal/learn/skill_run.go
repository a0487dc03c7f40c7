package learn

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ken/internal/app"
	"ken/internal/audit"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/learn/extract"
	"ken/internal/learn/habits"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/session"
	"ken/internal/skill"
	"ken/internal/termsafe"
	"ken/internal/text"
)

const (
	// act is what the audit calls it when a draft is made.
	actSkill = "skill-draft"
	// madeBy is what a draft says of who made it.
	madeBy = "ken skills evolve"
	// metadata is the key under which a draft says so.
	metadata = "metadata"
	// mostBody is the longest body, in characters: what goes with a question at most.
	mostBody = 4000
	// mostRefs is how many turns a draft and its proposal name, and the audit.
	mostRefs = 12
	// patience is how long a run waits for another one.
	patience = 100 * time.Millisecond
)

var (
	// ErrSecond says that this run made its draft already.
	ErrSecond = errors.New("a run makes one draft, and this one has made it")
	// ErrBusy says that another process is at it.
	ErrBusy = errors.New("another run is at it")
	// ErrTaken says that there is a skill, or a draft, of that name.
	ErrTaken = errors.New("there is a skill or a draft of that name")
	// ErrRefused says that a draft like it was refused.
	ErrRefused = errors.New("a draft like it was refused")
)

// A SkillRun makes one draft. It is not safe for concurrent use.
type SkillRun struct {
	home   *app.View
	drafts skill.Drafts
	lock   *jsonl.Lock
	live   []skill.Skill
	made   bool
	// testOnlyStep is called before each step, and may end the run there as a crash would.
	testOnlyStep func(step string) error
}

// A Made is a draft that was made.
type Made struct {
	skill.Draft
	Proposal int64    // that waits in the queue
	Flags    []string // what a reader should look at twice
	Evidence []session.Ref
}

// BeginSkill begins a run, and adds what the one before left out, if that broke off. live are the skills that are in force, of all
// directories. Errors: ErrBusy, and those of the files. End it with Close.
func BeginSkill(ctx context.Context, h *app.View, live []skill.Skill) (*SkillRun, error) {
	if _, err := h.Settings.Read(); err != nil {
		return nil, err
	}
	p := h.Settings.Paths()
	lock, err := jsonl.LockDir(ctx, filepath.Join(p.Run(), "evolve"), patience)
	if errors.Is(err, jsonl.ErrBusy) {
		return nil, fault.New(fault.Refused, ErrBusy)
	}
	if err != nil {
		return nil, err
	}
	r := &SkillRun{home: h, lock: lock, live: live, drafts: skill.Drafts{Dir: p.Skills(), Lock: p.Data, Mask: h.Keys.MaskText}}
	if err := errors.Join(r.drafts.Mend(ctx), r.mend(ctx)); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// Close ends the run.
func (r *SkillRun) Close() error { return r.lock.Unlock() }

// Names are those that are taken: of skills and of drafts.
func (r *SkillRun) Names() ([]string, error) {
	var names []string
	for _, s := range r.live {
		names = append(names, s.Name)
	}
	drafts, err := r.drafts.List()
	for _, d := range drafts {
		names = append(names, d.Name)
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// Make checks a proposal, and makes its draft; origin is where its text is from. Nothing is written where it fails with ErrSecond,
// ErrTaken, ErrRefused, or for what is wrong with the proposal.
func (r *SkillRun) Make(ctx context.Context, p SkillProposal, signals []habits.Signal, origin memory.Origin) (Made, error) {
	if r.made {
		return Made{}, ErrSecond
	}
	s := p.Skill
	if n := utf8.RuneCountInString(s.Body); n > mostBody {
		return Made{}, fault.Refusedf("body: %d characters, more than %d", n, mostBody)
	}
	names, err := r.Names()
	if err != nil {
		return Made{}, err
	}
	if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, s.Name) }) {
		return Made{}, fault.New(fault.Refused, fmt.Errorf("%s: %w", termsafe.Line(s.Name), ErrTaken))
	}
	if err := s.Validate(); err != nil {
		return Made{}, fault.New(fault.Refused, err)
	}
	if origin.Rank() > 0 { // what the person writes themselves is theirs
		if err := matter(s, signals); err != nil {
			return Made{}, fault.New(fault.Refused, err)
		}
	}
	known, err := skillsProposed(ctx, r.home)
	if err != nil {
		return Made{}, err
	}
	for _, k := range known {
		if k.refused && k.alike(s) {
			return Made{}, fault.New(fault.Refused, fmt.Errorf("%s is like %s: %w", termsafe.Line(s.Name), k.name, ErrRefused))
		}
	}
	signals = ownSignals(s, signals)
	at := refs(signals)
	s.Other = append(s.Other, provenance(at, origin, r.home.Keys.MaskText(p.Rationale), r.home.Keys.MaskText(habitWords(signals))))
	if err := r.step("draft"); err != nil {
		return Made{}, err
	}
	r.made = true // also where it fails half-way: a run that is not sure makes nothing more
	d, err := r.drafts.Create(ctx, s)
	if err != nil {
		return Made{}, err
	}
	m := Made{Draft: d, Evidence: at, Flags: suspect(s.Body)}
	m.Proposal, err = r.propose(ctx, d)
	if err != nil {
		return m, err
	}
	return m, r.account(ctx, d)
}

func (r *SkillRun) step(name string) error {
	if r.testOnlyStep == nil {
		return nil
	}
	return r.testOnlyStep(name)
}

// ownSignals are the signals that a skill is for: of which it names more than half of the words, or else the
// one of which it names most.
func ownSignals(s skill.Skill, signals []habits.Signal) (list []habits.Signal) {
	about := past{about: aboutOf(s)}
	best, most := -1, 0
	for i, g := range signals {
		if about.isFor(g.Words) {
			list = append(list, g)
		}
		if n := text.Shared(about.about, g.Words); n > most {
			best, most = i, n
		}
	}
	if len(list) == 0 && best >= 0 {
		list = signals[best : best+1]
	}
	return list
}

// habitWords are the words of signals, by which their skill is known again under any name.
func habitWords(signals []habits.Signal) string {
	words := make([]string, len(signals))
	for i, g := range signals {
		words[i] = strings.Join(g.Words, " ")
	}
	return strings.Join(words, ", ")
}

// refs are the turns that signals were found in, from each some.
func refs(signals []habits.Signal) (list []session.Ref) {
	for i := 0; len(list) < mostRefs; i++ {
		more := false
		for _, s := range signals {
			if i < len(s.At) && len(list) < mostRefs {
				more = true
				if !slices.Contains(list, s.At[i]) {
					list = append(list, s.At[i])
				}
			}
		}
		if !more {
			break
		}
	}
	return list
}

// provenance is what a draft says of where it is from, in front matter.
func provenance(at []session.Ref, origin memory.Origin, why, habits string) skill.Field {
	var seen []string
	for _, a := range at {
		seen = append(seen, a.String())
	}
	raw := "\n  made-by: " + madeBy
	if origin != "" {
		raw += "\n  origin: " + string(origin)
	}
	if len(seen) > 0 {
		raw += "\n  seen-in: " + string(jsonl.AppendString(nil, strings.Join(seen, " ")))
	}
	if habits = termsafe.Line(habits); habits != "" {
		raw += "\n  habit: " + string(jsonl.AppendString(nil, habits))
	}
	if why = termsafe.Cut(termsafe.Line(why), mostRationale); why != "" {
		raw += "\n  why: " + string(jsonl.AppendString(nil, why))
	}
	return skill.Field{Key: metadata, Raw: raw}
}

// habitsOf are the words of what a skill was made for, a list for each habit; nil if it was not made here.
func habitsOf(s skill.Skill) (list [][]string) {
	for _, f := range s.Other {
		for line := range strings.Lines(f.Raw) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			if words, ok := jsonl.Value(value).Text(); ok && f.Key == metadata && key == "habit" {
				for words := range strings.SplitSeq(words, ", ") {
					list = append(list, strings.Fields(words))
				}
			}
		}
	}
	return list
}

// provenanceOf is what note says in a draft; ok is false if it was not made here.
func provenanceOf(d skill.Draft) (seen []string, origin memory.Origin, why string, ok bool) {
	for _, f := range d.Skill.Other {
		if f.Key != metadata {
			continue
		}
		for line := range strings.Lines(f.Raw) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			text, _ := jsonl.Value(value).Text()
			switch key {
			case "made-by":
				ok = value == madeBy
			case "origin":
				origin = memory.Origin(value)
			case "seen-in":
				seen = strings.Fields(text)
			case "why":
				why = text
			}
		}
	}
	if origin != "" {
		origin = origin.Lowest(memory.OriginModel) // a draft is a file: what it says raises nothing
	}
	return seen, origin, why, ok
}

// suspect says what looks like an attempt in a body. That it tells a model what to do is what a body is for.
func suspect(body string) []string {
	return slices.DeleteFunc(extract.FlagsOf(body, false), func(f string) bool { return f == "order" })
}

// matter says why a draft that a model wrote is none of what was counted: its description, which goes with every question, has to
// speak of one of the signals and may not look like an attempt; nor may its body set other instructions aside. What else is in a
// body that is to be looked at twice is told (Made.Flags): steps may send and fetch.
func matter(s skill.Skill, signals []habits.Signal) error {
	words := text.Core(s.Description)
	if !slices.ContainsFunc(signals, func(g habits.Signal) bool { return text.Shared(g.Words, words) > 0 }) {
		return errors.New("its description says nothing of what was counted")
	}
	flags := extract.Suspect(s.Description)
	if slices.Contains(extract.Suspect(s.Body), "override") {
		flags = append(flags, "override")
	}
	if len(flags) > 0 {
		return fmt.Errorf("it looks like an attempt (%s)", strings.Join(flags, ", "))
	}
	return nil
}

// propose has a draft wait for the person.
func (r *SkillRun) propose(ctx context.Context, d skill.Draft) (int64, error) {
	if err := r.step("proposal"); err != nil {
		return 0, err
	}
	seen, origin, why, _ := provenanceOf(d)
	rec := d.Record(origin)
	rec.Tags = d.Skill.Keywords
	if len(seen) > 0 {
		if ref, err := session.ParseRef(seen[0]); err == nil {
			rec.Source = &memory.Source{Session: ref.Session, Turn: ref.Turn}
		}
		why = strings.TrimPrefix(why+"; seen in "+strings.Join(seen, " "), "; ")
	}
	if flags := suspect(d.Skill.Body); len(flags) > 0 {
		why = "look twice: " + strings.Join(flags, ", ") + "; " + why
	}
	got, err := propose(ctx, r.home, as(engine.Suggestion{Record: rec, Of: review.OfSkill, Why: why}))
	if err != nil || len(got) == 0 {
		return 0, err
	}
	return got[0].ID, nil
}

// account writes the line of the audit: which draft, of which bytes, and what it was made of.
func (r *SkillRun) account(ctx context.Context, d skill.Draft) error {
	if err := r.step("audit"); err != nil {
		return err
	}
	seen, _, _, _ := provenanceOf(d)
	refs := append([]string{skillRef(d.Name)}, seen...)
	return auditOf(r.home).Append(ctx, audit.Entry{Act: actSkill, By: "user", Hash: d.SHA256, Refs: refs})
}

// skillRef is a draft in the audit.
func skillRef(name string) string { return "skill/" + name }

func auditOf(h *app.View) audit.Log {
	p := h.Settings.Paths()
	return audit.Log{Path: p.Audit(), Dir: p.Data, Now: h.Now}
}

// mend proposes the drafts of earlier runs that wait nowhere, and accounts for those that the audit has not.
func (r *SkillRun) mend(ctx context.Context) error {
	drafts, err := r.drafts.List()
	if err != nil {
		return err
	}
	drafts = slices.DeleteFunc(drafts, func(d skill.Draft) bool {
		_, _, _, ok := provenanceOf(d)
		return !ok || d.Bad != nil
	})
	if len(drafts) == 0 {
		return nil
	}
	known, err := skillsProposed(ctx, r.home)
	if err != nil {
		return err
	}
	told := make(map[string]bool)
	for e, err := range auditOf(r.home).Entries() {
		if err != nil {
			return err
		}
		if e.Act == actSkill && len(e.Refs) > 0 {
			told[e.Refs[0]] = true
		}
	}
	for _, d := range drafts {
		if !slices.ContainsFunc(known, func(p past) bool { return p.name == d.Name }) {
			if _, err := r.propose(ctx, d); err != nil {
				return err
			}
		}
		if !told[skillRef(d.Name)] {
			if err := r.account(ctx, d); err != nil {
				return err
			}
		}
	}
	return nil
}
