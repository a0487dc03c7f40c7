package learn

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ken/internal/fault"
	"ken/internal/learn/extract"
	"ken/internal/learn/habits"
	"ken/internal/skill"
	"ken/internal/termsafe"
)

//go:embed prompts/evolve.txt
var skillInstructions string

const (
	// mostShown is how much of an answer that cannot be read is shown, in characters.
	mostShown = 500
	// mostMaterial is how much a model is given to judge, in bytes.
	mostMaterial = habits.MostEvidence
	// mostNames is how much of that the names of skills may take.
	mostNames = 400
	// mostRationale is the longest rationale, in columns.
	mostRationale = 200
)

// A SkillProposal is what a model, or the person, would have made a skill.
type SkillProposal struct {
	Skill     skill.Skill
	Rationale string // in a line; "" if there is none
	None      string // why no skill would help: then there is none
}

// An AnswerError says that an answer is no proposal. Nothing was written.
type AnswerError struct {
	Answer string // what the model said: its beginning, safe to show
	Err    error
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("the model's answer is no proposal (%v); nothing was written. It said:\n%s", e.Err, e.Answer)
}

func (e *AnswerError) Unwrap() error { return e.Err }

// AskSkill has a model judge signals, and returns what it proposes, as it stands in the answer. names are those that are taken. Errors:
// those of the model, and *AnswerError.
func AskSkill(
	ctx context.Context, m extract.Model, signals []habits.Signal, names []string, mask func(string) string,
) (SkillProposal, error) {
	answer, err := m.Answer(ctx, skillInstructions, skillMaterial(signals, names))
	if err != nil {
		return SkillProposal{}, err
	}
	p, err := ParseSkill(answer)
	if err != nil {
		shown := termsafe.CutWith(termsafe.Clean(mask(answer)), mostShown, "...")
		return SkillProposal{}, fault.New(fault.Model, &AnswerError{shown, err})
	}
	return p, nil
}

// skillMaterial is what a model is shown: mostMaterial bytes at most.
func skillMaterial(signals []habits.Signal, names []string) string {
	list := ""
	for _, n := range names {
		if len(list)+len(n) > mostNames {
			break
		}
		list += " " + termsafe.Line(n)
	}
	evidence := habits.Evidence(signals)
	const head = "What was counted:\n"
	skills := "\nSkills that there are:" + list + "\n"
	if list == "" {
		skills = ""
	}
	for len(head)+len(evidence)+len(skills) > mostMaterial {
		evidence = evidence[:strings.LastIndexByte(strings.TrimSuffix(evidence, "\n"), '\n')+1]
	}
	return head + evidence + skills
}

// ParseSkill reads the answer of a model: one JSON object, alone or as what stands between the outermost braces. It changes nothing of
// what it finds, and fails where a field is missing or of another type.
func ParseSkill(answer string) (SkillProposal, error) {
	fields, err := object(answer)
	if err != nil {
		i, j := strings.IndexByte(answer, '{'), strings.LastIndexByte(answer, '}')
		if i < 0 || j < i {
			return SkillProposal{}, errors.New("there is no JSON object in it")
		}
		if fields, err = object(answer[i : j+1]); err != nil {
			return SkillProposal{}, err
		}
	}
	var p SkillProposal
	if raw, ok := fields["none"]; ok && len(fields) == 1 {
		if json.Unmarshal(raw, &p.None) == nil && strings.TrimSpace(p.None) != "" {
			p.None = termsafe.Line(p.None)
			return p, nil
		}
	}
	trigger := ""
	for _, f := range []struct {
		name  string
		place any
		least bool // it may be missing
	}{
		{"name", &p.Skill.Name, false},
		{"description", &p.Skill.Description, false},
		{"trigger", &trigger, false},
		{"keywords", &p.Skill.Keywords, true},
		{"body", &p.Skill.Body, false},
		{"rationale", &p.Rationale, true},
	} {
		raw, ok := fields[f.name]
		switch {
		case !ok && f.least:
		case !ok:
			return SkillProposal{}, fmt.Errorf("it has no %s", f.name)
		default:
			if err := json.Unmarshal(raw, f.place); err != nil {
				return SkillProposal{}, fmt.Errorf("its %s is of another type", f.name)
			}
		}
	}
	p.Skill.Trigger = skill.Trigger(trigger)
	return p, nil
}

// object is one JSON object, and nothing behind it.
func object(s string) (fields map[string]json.RawMessage, err error) {
	if err := json.Unmarshal([]byte(s), &fields); err != nil {
		return nil, errors.New("it is not JSON")
	}
	if fields == nil {
		return nil, errors.New("it is not a JSON object")
	}
	return fields, nil
}
