package learned

import (
	"ken/internal/attach"
	"ken/internal/skill"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A Skill is the JSON shape of a skill, of a draft, or of a file that is none.
type Skill struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	From        string   `json:"from"`   // "you", "agent", "project" or "draft"
	Status      string   `json:"status"` // "used", "new", "changed", "ignored", "never", "draft", "refused" (a draft), "shadowed" or "skipped"
	Trigger     string   `json:"trigger,omitempty"`
	Keywords    []string `json:"keywords,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Related     []string `json:"related,omitempty"`
	License     string   `json:"license,omitempty"`
	Asks        []string `json:"allowed_tools,omitempty"` // it allows nothing
	Path        string   `json:"path"`
	Bytes       int64    `json:"bytes"`
	SHA256      string   `json:"sha256,omitempty"`
	Body        string   `json:"body,omitempty"` // where one is shown, and not listed
	Why         string   `json:"why,omitempty"`  // why it does not count
}

// SkillOf is the shape of what a file says.
func SkillOf(s skill.Skill) Skill {
	return Skill{
		Name: s.Name, Description: termsafe.Line(s.Description), Trigger: string(s.Trigger), Keywords: lines(s.Keywords), Tags: lines(s.Tags),
		Related: lines(s.Related), License: termsafe.Line(s.License), Asks: lines(s.AllowedTools),
	}
}

func lines(words []string) []string {
	var list []string
	for _, w := range words {
		list = append(list, termsafe.Line(w))
	}
	return list
}

// SkillTable lists skills.
func SkillTable(list []Skill, width int) string {
	rows := make([][]string, len(list))
	for i, s := range list {
		about := s.Description
		if s.Why != "" {
			about = s.Why
		}
		rows[i] = []string{s.Name, s.From, s.Status, s.Trigger, attach.Size(s.Bytes), about}
	}
	return view.Table([]string{"name", "from", "status", "trigger", "size", "about"}, rows, width)
}
