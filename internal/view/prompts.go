package view

import (
	"ken/internal/prompts"
	"ken/internal/termsafe"
)

// A Prompt is the JSON shape of a command of the person's own.
type Prompt struct {
	Name  string `json:"name"`
	About string `json:"about,omitempty"`
	Args  string `json:"args,omitempty"`
	Model string `json:"model,omitempty"`
	Path  string `json:"path"`
	Role  bool   `json:"role"`            // it takes no arguments, and can be a role
	Text  string `json:"text,omitempty"`  // where one is shown, and not listed
	Fault string `json:"fault,omitempty"` // why it is not used
}

// PromptOf is the shape of a prompt; unused says why it is not used, if it is not.
func PromptOf(p prompts.Prompt, unused string) Prompt {
	return Prompt{
		Name: p.Name, About: termsafe.Line(p.About), Args: termsafe.Line(p.Args), Model: termsafe.Line(p.Model),
		Path: p.Path, Role: p.Text != "" && !p.Takes(), Fault: termsafe.Line(unused),
	}
}

// PromptTable lists prompts.
func PromptTable(list []Prompt, width int) string {
	rows := make([][]string, len(list))
	for i, p := range list {
		about := p.About
		if p.Fault != "" {
			about = "not used: " + p.Fault
		}
		use := "command"
		if p.Role {
			use = "command, role"
		}
		if p.Fault != "" {
			use = "-"
		}
		rows[i] = []string{p.Name, p.Args, use, about}
	}
	return Table([]string{"name", "args", "as", "about"}, rows, width)
}
