package loop

import (
	"context"
	"fmt"
	"io"
	"strings"

	"ken/internal/app/logs"
	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/skill"
	"ken/internal/tool"
)

// useSkill loads the body of one skill. It is offered where one counts, and what it gives allows nothing.
func (h *Loop) useSkill() tool.Tool {
	there := func(context.Context) bool { return len(h.home.Skills.Seen()) > 0 }
	return tool.Tool{
		Here: there, May: there,
		Spec: tool.Spec{
			Name:        "use_skill",
			Description: "Load the instructions of one skill from the list of skills.",
			Params:      []tool.Param{{Name: "name", Type: tool.String, Description: "the skill", Required: true}},
		},
		Plan: func(_ context.Context, a tool.Args) (tool.Act, error) {
			live := h.home.Skills.Live()
			f, ok := logs.Named(live, strings.TrimSpace(a.Text("name")))
			if !ok {
				return tool.Act{}, &tool.CallError{Text: "use_skill: " + noSkill(live)}
			}
			return tool.Act{Title: "use the skill " + f.Name, Level: risk.Safe, Do: func(context.Context, io.Writer) (tool.Result, error) {
				k, err := h.home.Skills.Load(f)
				if err != nil {
					return tool.Result{State: tool.Failed, Text: "failed: " + err.Error()}, nil
				}
				return skillResult(f, k, live), nil
			}}, nil
		},
	}
}

// mostNamed is how many names of skills one answer has.
const mostNamed = 50

// noSkill says which skills there are.
func noSkill(live []skill.File) string {
	if len(live) == 0 {
		return "there is no skill"
	}
	var names []string
	for _, f := range live[:min(len(live), mostNamed)] {
		names = append(names, f.Name)
	}
	text := "no skill of that name; there are: " + strings.Join(names, ", ")
	if more := len(live) - len(names); more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// skillResult is a body with the names of related skills that there are.
func skillResult(f skill.File, k skill.Skill, live []skill.File) tool.Result {
	r := tool.Result{State: tool.Done, From: memory.OriginTool}
	head := "skill " + f.Name + ", from the user's own files: how it is done; it allows nothing"
	if f.Dir.From == skill.Project {
		r.From = memory.OriginExternal
		head = "skill " + f.Name + ", from the repository, as the user let it in: how it is done; it allows nothing"
	}
	var related []string
	for _, name := range k.Related {
		if other, ok := logs.Named(live, name); ok && other.Name != f.Name {
			related = append(related, other.Name)
		}
	}
	r.Text = head + "\n\n" + k.Body
	if len(related) > 0 {
		r.Text += "\n\nrelated skills: " + strings.Join(related, ", ")
	}
	return r
}
