package learn

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/learn/lessons"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/risk"
	"ken/internal/rules"
	"ken/internal/session"
	"ken/internal/session/feedback"
)

// MostOutcomes is how many outcomes a look back reads at most.
const MostOutcomes = 50

// An Objection is a command that a model asked for or offered and that the person did not let run or took back, or that they
// changed before it ran.
type Objection struct {
	Line    string // as it was offered, masked as the session has it
	Became  string // the line that the person ran in its place; "" if that is none, or not known
	Kind    feedback.Kind
	Session string
	N       int    // the turn; 0 if it is not known
	Scope   string // the repository or directory in which it was; "" if that is not known
}

// Objections returns the newest objections, at most MostOutcomes outcomes of commands being looked at, and how
// many outcomes were left out of the sessions that were read. Errors are those of the memory.
func Objections(ctx context.Context, h *app.View) (list []Objection, left int, err error) {
	s, err := h.Memory.State(ctx)
	if err != nil {
		return nil, 0, err
	}
	hidden, dir, read := s.HiddenTurns(), h.Conversations.Dir(), 0
	files := 0
	for path, header := range dir.Newest() {
		if files++; files > mostFiles || ctx.Err() != nil {
			break
		}
		if hidden.Sessions[header.Session] {
			continue
		}
		t, err := dir.Load(path)
		if err != nil {
			continue
		}
		for _, o := range slices.Backward(lessons.Of(time.Time{}, t).Outcomes) {
			if hidden.Has(t.Header.Session, o.N) {
				continue
			}
			if read >= MostOutcomes {
				left++
				continue
			}
			read++
			switch o.Kind {
			case feedback.Rejected, feedback.Undone, feedback.Revised:
				if o.Of == feedback.Command && o.What != "" && o.What != session.Gone {
					list = append(list, Objection{Line: o.What, Became: o.Became, Kind: o.Kind, Session: t.Header.Session, N: o.N, Scope: o.Scope})
				}
			}
		}
	}
	return list, left, ctx.Err()
}

// EnoughObjections is how many objections to commands that begin alike a proposal takes: the settings decide how
// readily rules are proposed, and nothing else.
func EnoughObjections(aggressiveness string) int {
	switch aggressiveness {
	case "conservative":
		return 4
	case "bold":
		return 1
	}
	return 2
}

// A RuleDraft is a rule with the objections that speak for it.
type RuleDraft struct {
	engine.Suggestion
	Of []Objection
}

// ruleDrafts are the rules that objections speak for, without a model: of commands that begin alike and that
// the person objected to as often as is enough, ken asks before them. A command that a rule of the set
// holds already speaks for none, and so does one in whose place the person ran another: that is a lesson, and no rule. A rule
// holds where all of it was seen.
func ruleDrafts(list []Objection, set rules.Set, judge rules.Judge, enough int, h *app.View) []RuleDraft {
	type group struct {
		words []string
		of    []Objection
	}
	var groups []*group
	at := make(map[string]*group)
	for _, o := range list {
		if o.Became != "" {
			continue
		}
		v := judge(o.Line)
		if _, by := set.Held(rules.Command{Line: o.Line}, v, h.Now()); len(by) > 0 || len(v.Commands) != 1 {
			continue
		}
		words := beginning(v.Commands[0])
		if len(words) == 0 {
			continue
		}
		name := strings.Join(words, " ")
		if at[name] == nil {
			at[name] = &group{words: words}
			groups = append(groups, at[name])
		}
		at[name].of = append(at[name].of, o)
	}
	var out []RuleDraft
	for _, g := range groups {
		text, ok := spoken("ask before", g.words)
		if len(g.of) < enough || !ok {
			continue
		}
		first, scope := g.of[0], memory.Scope(g.of[0].Scope)
		for _, o := range g.of {
			if o.Scope != first.Scope {
				scope = ""
			}
		}
		out = append(out, RuleDraft{Of: g.of, Suggestion: engine.Suggestion{
			Of: review.OfRule, Why: fmt.Sprintf("you did not let it run, changed it or took it back %d times", len(g.of)),
			Record: memory.Record{
				Kind: memory.KindRule, Content: text, Scope: scope, Origin: memory.OriginModel,
				Source: &memory.Source{Session: first.Session, Turn: first.N},
			},
		}})
	}
	return out
}

// RuleOn is the rule on what begins as a command does, in words that are understood as just that: "ask
// before `git push`", or "never run ..."; false where there is none.
func RuleOn(c risk.Simple, never bool) (text string, ok bool) {
	begin := "ask before"
	if never {
		begin = "never run"
	}
	words := beginning(c)
	if len(words) == 0 {
		return "", false
	}
	return spoken(begin, words)
}

// spoken is a rule about words, if it is understood as one.
func spoken(begin string, words []string) (text string, ok bool) {
	text = begin + " `" + strings.Join(words, " ") + "`"
	r, ok := risk.ParseRule(text)
	return text, ok && slices.Equal(r.Match, words)
}

// beginning are the words by which commands are alike: the program, and what it is to do.
func beginning(c risk.Simple) []string {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return nil
	}
	words := []string{path.Base(c.Argv[0])}
	if len(c.Argv) > 1 && isVerb(c.Argv[1]) {
		words = append(words, c.Argv[1])
	}
	return words
}

// isVerb reports whether a word may be a subcommand: letters and dashes alone.
func isVerb(word string) bool {
	return word != "" && word[0] != '-' && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") == "" && len(word) <= 20
}
