package agent

import (
	"slices"
	"strings"

	"ken/internal/frame"
)

// An around is the environment as the system message has it. It stays as it is, whatever
// changes meanwhile, until what stands before it does: the prompt cache of a server ends
// at the first change, and a cd is no reason to read the whole conversation again. What
// has changed goes with each question instead, at its head.
type around struct {
	lines []string
	after string // what stood before it
	open  bool   // it was chosen
}

// surroundings is the environment as it is now, for the model in force.
func (p *Prompt) surroundings() []string {
	if p.o.Surroundings == nil {
		return nil
	}
	return p.o.Surroundings.Environment(!p.o.stranger())
}

// environment returns the environment as it stands behind blocks in the system message,
// and what of it has changed since, for the head of the question.
func (p *Prompt) environment(blocks []string) (block, since string) {
	now := p.surroundings()
	after := strings.Join(blocks, "\n\n")
	if p.o.stranger() {
		after = "\x00" + after // who knows less is not told what another one was
	}
	if !p.around.open || p.around.after != after || len(now) == 0 {
		p.around = around{lines: now, after: after, open: true}
	}
	if len(p.around.lines) > 0 {
		block = p.o.mask(frame.Environment + "\n" + strings.Join(p.around.lines, "\n"))
	}
	return block, p.around.since(now, p.o.mask)
}

// since says what is another than in a: the lines that are new, and "none" for what is no
// more. "" if nothing is.
func (a around) since(now []string, mask func(string) string) string {
	var lines []string
	for _, line := range now {
		if !slices.Contains(a.lines, line) {
			lines = append(lines, line)
		}
	}
	for _, line := range a.lines {
		name, _, _ := strings.Cut(line, ":")
		if !slices.ContainsFunc(now, func(s string) bool { return strings.HasPrefix(s, name+":") }) {
			lines = append(lines, name+": none")
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return mask(frame.Environment + " (as it is now)\n" + strings.Join(lines, "\n") + "\n" + frame.EnvironmentEnd)
}
