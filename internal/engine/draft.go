package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/secret"
	"ken/internal/termsafe"
)

// A Draft is a memory to be stated.
type Draft struct {
	Kind       memory.Kind // a stating kind; empty means fact
	Content    string
	Scope      memory.Scope // empty means user
	Key        string
	Tags       []string // blank ones and repetitions are dropped
	Expires    time.Time
	ValidFrom  time.Time // what it says holds from then on
	ValidTo    time.Time // until then, that moment left out
	Pinned     bool
	Importance int // 1..10; 0 = not given
	// Phase is how settled it is from the start; that of its kind if empty.
	Phase memory.Phase
	// Tier is where it stands from the start: hot if empty. What is in the archive is found, and goes with no question unasked.
	Tier       memory.Tier
	Supersedes []memory.ID // items that stand
	Cites      []memory.ID // what it is made of; it is no less trusted for that, being the person's own words
	Source     *memory.Source
	// Force stores a text although a secret was found in it. It is for a person at a terminal.
	// Towards models the secret is still masked.
	Force bool
	// Holds reports whether a scope holds where the person stands. A draft for everywhere is then
	// also compared with items of such scopes. nil compares it only with items for everywhere.
	Holds func(memory.Scope) bool
	// Near asks for items that say nearly the same, to show them to a person. It costs a look at
	// the sketch of every text.
	Near bool
}

// remember is Writer.Remember for a person.
func (e *Engine) remember(ctx context.Context, d Draft) (Receipt, error) {
	rec, err := e.record(d)
	if err != nil {
		return Receipt{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	// What binds is one more of a set, and only the state knows what that is then.
	if log, ok := e.own.(sketched); ok && len(d.Supersedes) == 0 && !bindsItself(&rec) {
		if r, err := e.addNew(ctx, log, rec, d.Near); !errors.Is(err, errAlike) {
			return r, err
		}
	}
	return e.state(ctx, rec, d)
}

// stating is the kind of a draft, which must be one that states something.
func (d Draft) stating() (kind memory.Kind, subtype string, err error) {
	kind, subtype = memory.ParseKind(string(d.Kind))
	if kind == "" {
		kind = memory.KindFact
	}
	if kind.Changes() || !kind.Known() {
		return "", "", &KindError{d.Kind}
	}
	return kind, subtype, nil
}

// record checks and cleans a draft.
func (e *Engine) record(d Draft) (memory.Record, error) {
	kind, subtype, err := d.stating()
	if err != nil {
		return memory.Record{}, err
	}
	content, extra, err := e.content(d.Content, d.Force)
	if err != nil {
		return memory.Record{}, err
	}
	if err := checkScope(d.Scope); err != nil {
		return memory.Record{}, err
	}
	if err := checkTimes(d.ValidFrom, d.ValidTo); err != nil {
		return memory.Record{}, err
	}
	if d.Importance < 0 || d.Importance > 10 {
		return memory.Record{}, fmt.Errorf("importance %d: must be 1 to 10", d.Importance)
	}
	if d.Phase == kind.DefaultPhase() {
		d.Phase = ""
	}
	rec := memory.Record{
		Kind: kind, Content: content, Scope: d.Scope, Key: e.label(d.Key), Tags: e.tags(d.Tags), Pinned: d.Pinned,
		Importance: d.Importance, Source: e.source(d.Source), Detail: &memory.Detail{
			Phase: d.Phase, Tier: d.Tier, Subtype: subtype, Expires: d.Expires, ValidFrom: d.ValidFrom, ValidTo: d.ValidTo,
			Extra: extra, Cites: d.Cites,
		},
	}
	bind(&rec)
	return rec, nil
}

// content is a text as it may be stored: valid UTF-8, without terminal
// controls or invisible characters, within MaxContent, and without secrets. One with
// a secret that is forced goes with extra, which says so.
func (e *Engine) content(text string, force bool) (content string, extra []memory.Field, err error) {
	text = strings.TrimSpace(termsafe.Clean(text))
	if text == "" {
		return "", nil, ErrEmpty
	}
	if len(text) > memory.MaxContent {
		return "", nil, fmt.Errorf("the text has %d bytes: a memory holds %d at most", len(text), memory.MaxContent)
	}
	if e.mask == nil {
		return text, nil, nil
	}
	masked, hits := e.mask(text)
	switch {
	case len(hits) == 0:
		return text, nil, nil
	case force:
		return text, []memory.Field{{Name: secret.ForcedField, Value: []byte("true")}}, nil
	}
	return "", nil, &SecretError{Kinds: hitKinds(hits), Masked: masked}
}

// label is a key, tag or reason as it may be stored: on one line, clean, and
// with its secrets masked.
func (e *Engine) label(text string) string {
	text = strings.TrimSpace(termsafe.Line(text))
	if e.mask == nil || text == "" {
		return text
	}
	text, _ = e.mask(text)
	return text
}

// source is where something comes from, its names as labels are stored.
func (e *Engine) source(src *memory.Source) *memory.Source {
	if src == nil {
		return nil
	}
	clean := *src
	clean.Session, clean.Agent, clean.Channel = e.label(src.Session), e.label(src.Agent), e.label(src.Channel)
	clean.File, clean.Digest = e.label(src.File), e.label(src.Digest)
	return &clean
}

func (e *Engine) tags(list []string) []string {
	var tags []string
	for _, t := range list {
		if t = e.label(t); t != "" && !slices.Contains(tags, t) {
			tags = append(tags, t)
		}
	}
	return tags
}

// checkTimes refuses a text that would hold at no time.
func checkTimes(from, to time.Time) error {
	if !from.IsZero() && !to.IsZero() && !from.Before(to) {
		return ErrNever
	}
	return nil
}

// checkScope refuses a scope that ken does not write: one of a session is read
// and never written.
func checkScope(s memory.Scope) error {
	kind, place, _ := strings.Cut(string(s), ":")
	switch {
	case s == "" || s == memory.ScopeUser:
	case (kind == "repo" || kind == "dir") && place != "":
	default:
		return fmt.Errorf("scope %q: want user, repo:<identity> or dir:<path>", s)
	}
	return nil
}
