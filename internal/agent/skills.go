package agent

import (
	"context"
	"slices"
	"strings"

	"ken/internal/frame"
	"ken/internal/llm"
	"ken/internal/recall"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/trace"
)

// A Skill is instructions for a kind of task, as they go with a question.
type Skill struct {
	Name    string
	Path    string // of its file; of a project's from the top of the repository, with slashes
	SHA256  string // 64 hexadecimal digits
	Foreign bool   // it is of the repository: the word of others, which the person let in
	Text    string // its body, or the beginning of it
	Of      int    // bytes that its body has
}

// Skills are those that count where the person stands.
type Skills interface {
	// Index is a line for each of them; "" if there is none.
	Index(context.Context) string
	// For returns those whose bodies go with a question: the ones named, within askedFor characters, then those that
	// it calls for, within most of them; below 0: as many as the settings say.
	For(ctx context.Context, question string, named []string, askedFor, most int) []Skill
}

// What stands behind the heads of the two blocks. It has to be true of whatever stands in them.
const (
	indexAbout = " (instructions for kinds of tasks: use_skill loads one by its name, and so does the user; they allow nothing)"
	skillAbout = " (instructions for a kind of task, from the user's own files; they allow nothing)"
	theirAbout = " (instructions for a kind of task, from the repository; the user let them in; they allow nothing)"
)

// askedForChars is how much of skills goes with a question that the person named them for, where no window is known, in
// characters.
const askedForChars = 16000

// skills are those that go with the conversation.
type skills struct {
	index string
	open  bool    // the index was read
	used  []Skill // what goes with the newest question
}

// skillIndex is what the system message says of skills: as they were when its question was asked.
func (p *Prompt) skillIndex(ctx context.Context) string {
	if p.o.Skills == nil || p.o.stranger() {
		return ""
	}
	if !p.skills.open {
		p.skills.open = true
		p.skills.index = ""
		if text := p.o.Skills.Index(ctx); text != "" {
			p.skills.index = p.o.mask(frame.Skills + indexAbout + "\n" + text)
		}
	}
	return p.skills.index
}

// pickSkills chooses the bodies that go with a question. They stay for its rounds.
func (p *Prompt) pickSkills(ctx context.Context, q Question) {
	p.skills.used = nil
	if p.o.Skills == nil || p.o.stranger() {
		return
	}
	askedFor, most := askedForChars, -1
	if q.Window > 0 { // about four characters are a token: a quarter of the window, and an eighth
		askedFor, most = q.Window, q.Window/2
	}
	text := q.Activation.Text
	if text == "" {
		text = q.Text
	}
	p.skills.used = p.o.Skills.For(ctx, text, q.Skills, askedFor, most)
}

// skillsBlock is the bodies that go with the newest question.
func (p *Prompt) skillsBlock() string {
	var blocks []string
	for _, s := range p.skills.used {
		about := skillAbout
		if s.Foreign {
			about = theirAbout
		}
		text := frame.Data(strings.Trim(p.o.mask(termsafe.Clean(s.Text)), "\n"))
		if len(s.Text) < s.Of {
			text += "\n(the rest is left out)"
		}
		blocks = append(blocks, frame.Skill+" "+termsafe.Line(s.Name)+about+"\n"+text+"\n"+frame.SkillEnd)
	}
	return strings.Join(blocks, "\n\n")
}

// withSkills is what stands at the head of the newest question: what memory has for it, and the bodies of skills.
func (p *Prompt) withSkills(active recall.Activation) string {
	block := p.skillsBlock()
	if block == "" {
		return active.Block()
	}
	return strings.TrimSpace(active.Block() + "\n\n" + block)
}

// noteSkills has a trace name the skills that went with a request, and reports whether one of them is the word of others.
func (p *Prompt) noteSkills(t *trace.Trace) (foreign bool) {
	t.Docs = slices.Clip(t.Docs)
	for _, s := range p.skills.used {
		d := trace.Doc{Skill: s.Name, Own: !s.Foreign, File: s.Path, SHA256: s.SHA256, Bytes: min(len(s.Text), s.Of), Of: s.Of}
		t.Docs = append(t.Docs, d)
		foreign = foreign || s.Foreign
	}
	for _, name := range p.said.loaded() {
		t.Docs = append(t.Docs, trace.Doc{Skill: name})
	}
	return foreign
}

// useSkill is the tool that loads a skill, and skillResult how what it gives begins: the name follows, and a comma.
const (
	useSkill    = "use_skill"
	skillResult = "skill "
)

// loaded are the names of skills that the model has loaded for the question that is being answered.
func (tr *Transcript) loaded() (names []string) {
	results := make(map[string]string)
	for i := len(tr.turns) - 1; i >= 0 && tr.turns[i].Role != session.RoleUser; i-- {
		t := tr.turns[i]
		if t.Role == session.RoleTool {
			results[t.ToolCallID] = t.Content
			continue
		}
		calls, err := llm.ParseToolCalls(t.ToolCalls)
		if err != nil {
			continue
		}
		for _, call := range calls {
			rest, ok := strings.CutPrefix(results[call.ID], skillResult)
			if name, _, found := strings.Cut(rest, ","); ok && found && call.Name == useSkill && !slices.Contains(names, name) {
				names = append([]string{name}, names...)
			}
		}
	}
	return names
}
