package memory

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/pick"
	"ken/internal/scrub"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// eraseSaid offers, by number, the memories and turns that say a text that is nobody's whole
// text, and adds those that are meant to want. go on is false where the person wants none. Where
// nothing of the kind says it other files still may.
func (f *eraseFlags) eraseSaid(a *term.Run, cmd *cobra.Command, want *scrub.Want, text string) (goOn bool, err error) {
	m, err := app.MentionsOf(cmd.Context(), a.Home, text)
	if err != nil {
		return false, err
	}
	if f.keepSessions {
		m.Turns = nil
	}
	all := len(m.Items) + len(m.Turns)
	chosen := make([]int, all)
	for i := range chosen {
		chosen[i] = i
	}
	if all > 0 && !f.yes && !f.dryRun {
		if chosen, err = askSaid(a, cmd, m, text); err != nil || len(chosen) == 0 {
			return false, err
		}
	}
	for _, i := range chosen {
		if i < len(m.Items) {
			want.IDs = append(want.IDs, m.Items[i].ID)
		} else {
			want.Turns = append(want.Turns, m.Turns[i-len(m.Items)].Turn)
		}
	}
	if len(chosen) == all && !app.SmallName(text) {
		want.Words = []string{text} // and wherever else it stands, but for a name that is another word elsewhere
	}
	return true, nil
}

// askSaid shows what says a text, numbered, and asks which of it is to be erased.
func askSaid(a *term.Run, cmd *cobra.Command, m app.Mentions, text string) ([]int, error) {
	a.Say("", fmt.Sprintf("no memory is just %q; %s in %s and %s say it:", termsafe.Line(text),
		view.Count(len(m.Turns), "turn"), view.Count(m.Conversations(), "conversation"), view.Memories(len(m.Items))))
	var lines []string
	for _, it := range m.Items {
		lines = append(lines, "#"+it.Ref()+": "+view.ExcerptSaid(a.Home.Keys.MaskText(it.Record.Content), 60))
	}
	for _, t := range m.Turns {
		lines = append(lines, "turn "+which.SaidText(a, t))
	}
	for i, line := range lines {
		if i == mostListed {
			a.Say("  ", fmt.Sprintf("... and %d more", len(lines)-i))
			break
		}
		a.Say("  ", strconv.Itoa(i+1)+" "+line)
	}
	answer, err := a.Person.AskLine(cmd.Context(), "erase which? (numbers, or all; Enter: none) ")
	if err != nil {
		return nil, err
	}
	numbers := make([]string, len(lines))
	for i := range lines {
		numbers[i] = strconv.Itoa(i + 1)
	}
	named, err := pick.Reading{}.Chosen(numbers, answer)
	list := make([]int, len(named))
	for i, n := range named {
		list[i] = slices.Index(numbers, n)
	}
	return list, err
}
