// Package judge asks a model about what was learnt: the one of models.strong, since a weak one judges badly. What it answers is
// text that others check; nothing that it says is kept by itself.
package judge

import (
	"context"
	"time"

	"ken/internal/fault"
	"ken/internal/home"
	"ken/internal/models"
	"ken/internal/termsafe"
)

// judgesFor is how long a judgement may take: a person waits for it.
const judgesFor = 3 * time.Minute

// mostJudged is how long an answer may be, in bytes: a skill of 4,000 characters and what is said of it, in any script.
const mostJudged = 32 << 10

// A Judge is the model that judges.
type Judge struct{ m *models.Once }

// OpenJudge returns the model that judges, and says which, once. nil: there is none, or none that the person wants to read what is
// theirs. Errors: the settings, and what is wrong with the model that they name.
func OpenJudge(ctx context.Context, h *home.Home) (*Judge, error) {
	cfg, err := h.Models().Settings()
	if err != nil {
		return nil, err
	}
	name := cfg.Judge()
	m, err := h.Once(ctx, name, judgesFor, mostJudged)
	if m == nil || err != nil {
		return nil, err
	}
	if name == "" {
		h.Notef("%s judges, the model in use (to have another: %s)", termsafe.Line(m.Preset), fault.Command("config set models.strong NAME"))
	} else {
		h.Notef("%s judges", termsafe.Line(m.Preset))
	}
	return &Judge{m}, nil
}

// Preset is the name of the preset that is asked.
func (j *Judge) Preset() string { return j.m.Preset }

// Ask returns the answer to material under instructions, without blanks around it. It is asked for at the temperature of the preset: 0.2
// where that sets none, as every request. Secrets of the material do not leave. Errors:
// what the server says; the time is up (fault.Limit); the answer is too long.
func (j *Judge) Ask(ctx context.Context, instructions, material string) (string, error) {
	return j.m.Answer(ctx, instructions, material)
}
