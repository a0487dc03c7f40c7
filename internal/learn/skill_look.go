package learn

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/learn/habits"
	"ken/internal/review"
	"ken/internal/skill"
	"ken/internal/text"
)

// mostRead is how many conversations are opened at most to find those that are enough, the newest.
const mostRead = 5 * habits.Newest

// Habits are what the newest conversations show of what comes again and again.
type Habits struct {
	habits.Found
	Known int // signals that are left out, since a skill or a draft for them is there, or was refused
}

// ReadHabits looks at the newest conversations. live are the skills that are in force. What was said and is forgotten shows nothing;
// so does a conversation that cannot be read, which is a warning. No model is asked.
func ReadHabits(ctx context.Context, h *app.View, live []skill.Skill) (Habits, error) {
	m, err := h.Moment().Memory(ctx)
	if err != nil {
		return Habits{}, err
	}
	dir := h.Conversations.Dir()
	paths, err := dir.Paths()
	if err != nil {
		return Habits{}, err
	}
	var traces []habits.Trace
	for _, path := range paths[:min(len(paths), mostRead)] {
		if err := ctx.Err(); err != nil {
			return Habits{}, err
		}
		t, err := dir.Load(path)
		if err != nil {
			h.Warn(fmt.Errorf("a conversation is left out: %w", err))
			continue
		}
		if tr := habits.Of(t, m.Forgotten.Of(t.Header)); tr.Enough() {
			traces = append(traces, tr)
		}
		if len(traces) == habits.Newest {
			break
		}
	}
	l := Habits{Found: habits.Find(traces, coveredBy(live))}
	known, err := skillsProposed(ctx, h)
	if err != nil {
		return Habits{}, err
	}
	made, err := skillsThere(h, live)
	if err != nil {
		return Habits{}, err
	}
	known = append(known, made...)
	l.Signals = slices.DeleteFunc(l.Signals, func(s habits.Signal) bool {
		there := slices.ContainsFunc(known, func(p past) bool { return p.isFor(s.Words) })
		if there {
			l.Known++
		}
		return there
	})
	return l, nil
}

// coveredBy are the words of the keywords of skills, a list for each keyword.
func coveredBy(live []skill.Skill) (list [][]string) {
	for _, s := range live {
		for _, k := range s.Keywords {
			list = append(list, text.Core(k))
		}
	}
	return list
}

// A past is a draft that was proposed before, and that waits or was refused.
type past struct {
	name    string
	sum     string // of the bytes that were proposed
	refused bool
	about   []string // text.Core of its name, what it is for and its keywords
}

// aboutOf are the words of what a skill says that it is for.
func aboutOf(s skill.Skill) []string {
	return text.Core(s.Name + " " + s.Description + " " + strings.Join(s.Keywords, " "))
}

// skillsThere are the skills that are in force and the drafts that wait, each also by what it was made for,
// whatever it is called now.
func skillsThere(h *app.View, live []skill.Skill) (list []past, err error) {
	add := func(s skill.Skill) {
		list = append(list, past{name: s.Name, about: aboutOf(s)})
		for _, words := range habitsOf(s) {
			list = append(list, past{name: s.Name, about: words})
		}
	}
	for _, s := range live {
		if len(s.Keywords) > 0 || s.Trigger != skill.Match { // else it does not count
			add(s)
		}
	}
	dir := h.Settings.Paths().Skills()
	drafts, err := skill.Drafts{Dir: dir}.List()
	if err != nil {
		return nil, err
	}
	for _, d := range drafts {
		add(d.Skill)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*", "SKILL.md"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths { // what is known of a skill in force has not what it was made for
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if s, err := skill.Parse(b, filepath.Base(filepath.Dir(path))); err == nil {
			for _, words := range habitsOf(s) {
				list = append(list, past{name: s.Name, about: words})
			}
		}
	}
	return list, nil
}

// skillsProposed are the drafts that wait or were refused.
func skillsProposed(ctx context.Context, h *app.View) (list []past, err error) {
	q, err := readQueue(ctx, h)
	if err != nil {
		return nil, err
	}
	for i, w := range q.all() {
		if w.Proposal == nil || w.Proposal.Of != review.OfSkill {
			continue
		}
		r := &w.Proposal.Record
		name, sum, ok := skill.Proposed(r)
		if !ok {
			continue
		}
		about, _, _ := strings.Cut(r.Content, " (drafts/")
		list = append(list, past{name, sum, i >= len(q.pending), text.Core(about + " " + strings.Join(r.Tags, " "))})
	}
	return list, nil
}

// isFor reports whether a draft is for what has such words: more than half of them are its own.
func (p past) isFor(words []string) bool { return 2*text.Shared(p.about, words) > len(words) }

// alike reports whether a skill is the draft in other words.
func (p past) alike(s skill.Skill) bool {
	const like = 0.5
	share, _ := text.Similarity(p.about, aboutOf(s))
	return share >= like || strings.EqualFold(p.name, s.Name)
}
