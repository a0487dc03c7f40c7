package cli

import (
	"context"
	"maps"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/cli/question"
	"ken/internal/cli/term"
	"ken/internal/dates"
	"ken/internal/importing"
	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A word is something that can stand on a command line where the cursor is, with
// what it stands for, in one line. Neither holds control characters.
type word struct{ text, about string }

// words finds what is to be offered. Like all that completion asks for, it has no
// fault to report: nobody asked for more than a suggestion.
type words struct{ run *term.Run }

// wordWidth is how many cells of a memory show a person which one it is.
const wordWidth = 48

// maxWords is the most words that are offered: more than a person looks through,
// and few enough that a large memory costs no wait.
const maxWords = 100

// refs are the references of the active memories that begin with prefix, newest
// first, at most maxWords.
func (a words) refs(ctx context.Context, prefix string) []word {
	s := a.known(ctx)
	if s == nil {
		return nil
	}
	var list []word
	for _, it := range s.Items() {
		if len(list) == maxWords {
			break
		}
		if ref := it.Ref(); strings.HasPrefix(ref, prefix) {
			list = append(list, word{ref, view.Excerpt(a.run.Home.Keys.MaskText(it.Record.Content), wordWidth)})
		}
	}
	return list
}

// known is the memory, as far as it can be read; nil if it cannot.
func (a words) known(ctx context.Context) *memory.State {
	if a.run.Flags.NoMemory {
		return nil
	}
	e, err := a.run.Home.Memory.Engine()
	if err != nil {
		return nil
	}
	s, _ := e.State(ctx)
	return s
}

// lines are the newest lines of the own log that undo can take back, newest
// first.
func (a words) lines(ctx context.Context) []word {
	s := a.known(ctx)
	if s == nil {
		return nil
	}
	const newest = 20
	var list []word
	for n := s.MaxID(""); n > 0 && len(list) < newest; n-- {
		ch, ok := s.Line(memory.Num(n))
		if !ok || ch.Undone || ch.Record.Kind == memory.KindErased || ch.Record.Kind == memory.KindTouch {
			continue
		}
		about := view.ChangeText(ch)
		if s.Status(ch.ID) == memory.StatusForgotten {
			about = string(ch.Record.Kind) + " (forgotten)"
		}
		list = append(list, word{ch.ID.String(), view.Excerpt(a.run.Home.Keys.MaskText(about), wordWidth)})
	}
	return list
}

// complete are the words for an operand or a flag's value whose name on the usage
// line is what:
//
//	REF      an active memory       SCOPE   where a memory holds
//	LINE     what undo takes back   KIND    what a memory can be stated as
//	SESSION  a conversation         PRESET  a model that is configured
//	LOG      one of a repository     FORMAT  what an import reads
//	POLICY   of how memories age    PROMPT   a command of the person's own
//	ROLE     the same                SERVER   of tools, by its name
//	SKILL    instructions for a task DRAFT    of a skill
//
// Names and lower-case words that "|" or "," part are any of these; words stand
// for themselves. None of a name that is not listed, or in no file, is nil; some
// of what is given may not begin with prefix.
func (a words) complete(ctx context.Context, what, prefix string) []word {
	var list []word
	for _, name := range strings.FieldsFunc(what, func(r rune) bool { return r == '|' || r == ',' }) {
		switch name = strings.TrimSuffix(name, "..."); {
		case name == "REF":
			list = append(list, a.refs(ctx, prefix)...)
		case name == "LINE":
			list = append(list, a.lines(ctx)...)
		case name == "SESSION":
			list = append(list, a.sessions(ctx)...)
		case name == "PRESET":
			list = append(list, a.presets()...)
		case name == "MODEL":
			list = append(list, a.models(ctx)...)
		case name == "ROLE", name == "PROMPT":
			list = append(list, a.prompts()...)
		case name == "SERVER":
			for _, server := range a.servers() {
				list = append(list, word{text: server})
			}
		case name == "SERVER.PROMPT" && a.run.Shell != nil: // elsewhere no server is started for a word
			for _, w := range a.served(ctx, prefix) {
				list = append(list, word{strings.TrimSpace(w.Text), w.About})
			}
		case name == "SKILL", name == "DRAFT":
			list = append(list, a.skills(name == "DRAFT")...)
		case name == "LOG":
			list = append(list, a.logs(ctx)...)
		case name == "POLICY":
			list = append(list, a.policies()...)
		case name == "SCOPE":
			list = append(list, a.scopes()...)
		case name == "FORMAT":
			for _, f := range importing.Formats() {
				list = append(list, word{text: f})
			}
		case name == "KIND":
			list = append(list, a.kinds()...)
		case name == strings.ToLower(name):
			list = append(list, word{text: name})
		}
	}
	return list
}

// operandName is the name of the operand at place n, from 0, on a usage line such as
// "pin REF..." or "add [flags] KIND TEXT": "REF", "KIND"; "" if there is none. The
// last one stands for all that follow where three dots say so.
func operandName(use string, n int) string {
	var names []string
	value := false // the word is that of a flag
	for _, w := range strings.Fields(use)[1:] {
		switch flag := strings.HasPrefix(w, "-"); {
		case flag || value:
			value = flag
		case w != "[flags]" && !strings.HasPrefix(w, "[-"):
			names = append(names, strings.Trim(w, "[]"))
		}
	}
	switch last := len(names) - 1; {
	case n <= last:
		return strings.TrimSuffix(names[n], "...")
	case last >= 0 && strings.Contains(names[last], "..."):
		return strings.TrimSuffix(names[last], "...")
	}
	return ""
}

// sessions are the names of the conversations, newest first, each with its title, but
// for single questions, commands alone and what was imported.
func (a words) sessions(ctx context.Context) []word {
	if _, err := a.run.Home.Settings.Read(); err != nil {
		return nil
	}
	found, _ := app.HeldConversations(ctx, a.run.Home)
	var list []word
	for _, l := range found {
		if len(list) == maxWords {
			break
		}
		if l.Turns > 0 && !l.OneShot() && !l.Imported {
			when := dates.Local(l.Written, a.run.Env.Now())
			list = append(list, word{termsafe.Line(l.Name), when + "  " + view.Excerpt(l.Called(), wordWidth)})
		}
	}
	return list
}

// presets are the names of the models that are configured.
func (a words) presets() []word {
	cfg, err := a.run.Home.Settings.Read()
	if err != nil {
		return nil
	}
	var list []word
	for _, name := range slices.Sorted(maps.Keys(cfg.Models)) {
		list = append(list, word{termsafe.Line(name), view.Excerpt(cfg.Models[name].Model, wordWidth)})
	}
	return list
}

// models are the names by which a model can be asked: the presets, and what their servers
// listed when they were asked last. Nobody is asked now.
func (a words) models(ctx context.Context) []word {
	if _, err := a.run.Home.Settings.Read(); err != nil {
		return nil
	}
	offers, err := a.run.Home.Models().Offers(ctx, 0)
	if err != nil {
		return nil
	}
	var list []word
	for _, o := range offers {
		name, about := o.Name, o.Model.Model
		if o.Listed {
			name, about = o.Model.Model, o.Host()
		}
		list = append(list, word{termsafe.Line(name), view.Excerpt(about, wordWidth)})
	}
	return list
}

// prompts are the commands and roles of the person's own.
func (a words) prompts() []word {
	names, _ := question.Prompts(a.run).Names()
	var list []word
	for _, name := range names {
		if p, err := question.Prompts(a.run).Load(name); err == nil {
			list = append(list, word{name, view.Excerpt(p.About, wordWidth)})
		}
	}
	return list
}

// skills are the names of the skills that there are, with what each is for; or of the drafts.
func (a words) skills(drafts bool) []word {
	if _, err := a.run.Home.Settings.Read(); err != nil {
		return nil
	}
	all, _ := a.run.Home.Skills.Names(drafts)
	var list []word
	for _, k := range all {
		list = append(list, word{termsafe.Line(k.Name), view.Excerpt(a.run.Home.Keys.MaskText(k.Description), wordWidth)})
	}
	return list
}

// policies are the names of the policies of how memories age.
func (a words) policies() []word {
	cfg, err := a.run.Home.Settings.Read()
	if err != nil {
		return nil
	}
	names, _ := a.run.Home.Settings.Policies().Names()
	var list []word
	for _, name := range names {
		about := ""
		if name == cfg.Memory.Policy {
			about = "in force"
		}
		list = append(list, word{name, about})
	}
	return list
}

// logs are the logs that this repository brings.
func (a words) logs(ctx context.Context) []word {
	if _, err := a.run.Home.Settings.Read(); err != nil || a.run.Flags.NoMemory {
		return nil
	}
	found, _ := a.run.Home.RepoLogs.Read(ctx)
	var list []word
	for _, l := range found {
		list = append(list, word{l.Log, l.Unused()})
	}
	return list
}

// scopes are where a memory can hold.
func (a words) scopes() []word {
	if _, err := a.run.Home.Settings.Read(); err != nil {
		return nil
	}
	return []word{
		{string(memory.ScopeUser), "everywhere"},
		{"here", view.Excerpt(a.run.Home.Here.Place().Scope(), wordWidth)},
		{"repo", "this repository"},
		{"dir", "this directory"},
	}
}

// kinds are the kinds that a memory can be stated as.
func (a words) kinds() []word {
	var list []word
	for _, k := range memory.StatingKinds() {
		list = append(list, word{string(k), k.About()})
	}
	return list
}
