package term

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/ask"
	"ken/internal/repl"
	"ken/internal/termsafe"
	"ken/internal/trust"
	"ken/internal/view"
	"ken/internal/wrap"
)

// ShowRepoLog shows the lines of a log, or of a doc, that the person has not let in, a screen at a
// time: what scrolled away unseen cannot be agreed to. seen is false if they left
// before the end.
func (p *Person) ShowRepoLog(ctx context.Context, l trust.Brought) (seen bool, err error) {
	lines := view.Count(len(l.New), "line")
	head := fmt.Sprintf("this repository brings memory, %s: %s", l.Path, lines)
	switch {
	case l.Changed:
		head = fmt.Sprintf("%s of this repository has changed: %s new, %d gone", l.Path, lines, l.Gone)
	case l.Skill:
		head = fmt.Sprintf("this repository brings a skill, %s, instructions for models: %s", l.Path, lines)
	case l.Doc:
		head = fmt.Sprintf("this repository has %s, for assistants that work here: %s", l.Path, lines)
	}
	p.say("[ken] ", head)
	var text []string
	for _, line := range l.New {
		row := view.LogLine(line.Number, line.Text)
		if l.Doc || l.Skill {
			row = fmt.Sprintf("%5d  %s", line.Number, termsafe.Visible(strings.TrimRight(string(line.Text), " \r")))
		}
		text = append(text, strings.Split(row, "\n")...)
	}
	wide, _ := p.Size()
	above := strings.Count(wrap.Text("[ken] "+head, wide, len("[ken] ")), "\n") + 1
	return p.pages(ctx, above, text, func(line string) error {
		p.say("", line)
		return nil
	})
}

// Pages shows lines a screen at a time with show, and asks before each next screen. seen
// is false if the person left before the last one. What fits on a screen is shown as it
// is, and so is everything where nobody can be asked.
func (p *Person) Pages(ctx context.Context, lines []string, show func(string) error) (seen bool, err error) {
	return p.pages(ctx, 1, lines, show)
}

// pages is Pages below so many rows that are to stay in sight.
func (p *Person) pages(ctx context.Context, above int, lines []string, show func(string) error) (seen bool, err error) {
	wide, high := p.Size()
	pages := paged(lines, wide, high, above)
	for i, page := range pages {
		for _, line := range page {
			if err := show(line); err != nil {
				return false, err
			}
		}
		if i+1 == len(pages) {
			break
		}
		said, err := p.Put(ctx, ask.Question{
			Asks: fmt.Sprintf("page %d of %d:", i+1, len(pages)), Enter: ask.Next,
			Choices: []ask.Choice{{Answer: ask.Stop}, {Answer: ask.Next, Says: "goes on"}},
		})
		if errors.Is(err, repl.ErrNoTerminal) {
			continue
		}
		if err != nil || said != ask.Next {
			return false, err
		}
	}
	return true, nil
}

// paged cuts lines into what fits on a screen together with a question of two rows. A
// line that is longer than a screen goes over several. Above the first page stand rows already.
func paged(lines []string, wide, high, above int) (pages [][]string) {
	room := max(high-3, 1)
	var page []string
	left := max(high-2-above, 1)
	turn := func() {
		if len(page) > 0 {
			pages = append(pages, page)
		}
		page, left = nil, room
	}
	for _, line := range lines {
		for wrapped := range strings.SplitSeq(wrap.Rows(line, wide), "\n") {
			for _, row := range termsafe.Rows(wrapped, wide) {
				if left == 0 {
					turn()
				}
				page = append(page, row)
				left--
			}
		}
	}
	turn()
	if len(pages) <= 1 {
		return [][]string{lines}
	}
	return pages
}
