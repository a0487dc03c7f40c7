package chat

import (
	"context"
	"slices"

	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/trust"
)

// askRepoLogs shows what the repository brings and nobody has looked at, and
// asks what to do with it: once, since every answer is kept. Where nobody can
// be asked it counts for nothing.
func (s *REPL) askRepoLogs(ctx context.Context) {
	a := s.app
	if !s.term.Asks || a.Lane.In() {
		return
	}
	logs := s.brought(ctx)
	logs = append(logs, s.broughtSkills()...)
	for _, l := range logs {
		if l.Refused != nil && !l.Doc && !l.Skill { // of docs whoever reads them says so
			a.Status("not used: %s: %v", l.Path, l.Refused)
		}
		if !l.Undecided() {
			continue
		}
		var verdict trust.Verdict
		seen, err := a.Person.ShowRepoLog(ctx, l)
		if seen {
			verdict, err = s.askVerdict(ctx, l)
		}
		if err == nil && verdict != "" {
			err = a.Home.RepoLogs.Decide(ctx, verdict, l)
		}
		switch {
		case err != nil && ctx.Err() == nil:
			a.Warn(err)
			fallthrough
		case verdict == "", err != nil:
			a.Status("not used for now: %s", l.Path)
			return
		}
		tellVerdict(a, verdict, l)
	}
}

// brought is what the repository brings: memory, unless that is off, and docs. What cannot be
// read is reported by whoever uses it.
func (s *REPL) brought(ctx context.Context) []trust.Brought {
	repo := s.app.Home.RepoLogs
	var all []trust.Brought
	if s.app.Home.Settings.MemoryOn() {
		logs, err := repo.Read(ctx)
		if err != nil {
			return nil
		}
		all = logs
	}
	docs, err := repo.Docs(ctx)
	if err != nil {
		return all
	}
	return append(all, docs...)
}

// mostSkills is how many skills of a repository are shown one by one before the first question.
const mostSkills = 3

// broughtSkills are the skills that the repository brings and nobody has looked at; of many it is told where they
// are seen.
func (s *REPL) broughtSkills() []trust.Brought {
	list, err := s.app.Home.Skills.Brought()
	if err != nil {
		return nil // whoever uses them reports it
	}
	list = slices.DeleteFunc(list, func(b trust.Brought) bool { return !b.Undecided() })
	if len(list) > mostSkills {
		s.app.Status("this repository brings %d skills, which are not used (see them: %s)", len(list), s.app.Verb("skills trust"))
		return nil
	}
	return list
}

// askVerdict asks what becomes of what the repository brings. "" is no answer: the person broke it off.
func (s *REPL) askVerdict(ctx context.Context, l trust.Brought) (trust.Verdict, error) {
	q := ask.Question{Asks: "use it here?", No: "not until it changes", Choices: []ask.Choice{
		{Answer: ask.Yes, Says: "use it"}, {Answer: ask.Why}, {Answer: ask.Never, Says: "do not ask again"},
	}}
	for {
		said, err := s.app.Person.Put(ctx, q)
		switch {
		case err != nil:
			return "", err
		case said == ask.Yes:
			return trust.Use, nil
		case said == ask.No:
			return trust.Ignore, nil
		case said == ask.Never:
			return trust.Never, nil
		case said == ask.Stop:
			return "", nil
		}
		use := "it counts here, as the word of others"
		if l.Skill {
			use = "models are shown it here, as the word of others, and it allows nothing"
		} else if l.Doc {
			use = "it goes with your questions here, as the word of others, and allows nothing"
		}
		s.app.Say("", use)
	}
}

// tellVerdict says what an answer means, and how to take it back.
func tellVerdict(a *term.Run, v trust.Verdict, l trust.Brought) {
	back := a.Verb("memory trust revoke " + l.Log)
	switch v {
	case trust.Use:
		a.Status("%s is used in this repository (take it back: %s)", l.Log, back)
	case trust.Ignore:
		a.Status("%s is ignored until it changes (use it: %s)", l.Log, a.Verb("memory trust use "+l.Log))
	case trust.Never:
		a.Status("%s is never used, and not asked about (take it back: %s)", l.Log, back)
	}
}

// tellRepoLogs says that the repository brings something, to a person who is in
// the middle of something else.
func (s *REPL) tellRepoLogs(ctx context.Context) {
	a := s.app
	if !s.term.Asks || a.Lane.In() {
		return
	}
	logs := s.brought(ctx)
	for _, l := range logs {
		if l.Undecided() && !l.Doc {
			a.Status("this repository brings memory, %s (see it: %s)", l.Path, a.Verb("memory trust use "+l.Log))
		}
	}
}

// tellDocs has it said which docs of the repository go with the questions, and which do not.
func (s *REPL) tellDocs(ctx context.Context) {
	if _, unknown := s.app.Home.Models().Unconfirmed(); !unknown { // else none does
		s.app.Home.RepoLogs.UsedDocs(ctx)
	}
}
