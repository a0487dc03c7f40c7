package learn

import (
	"context"
	"time"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/models"
	"ken/internal/termsafe"
)

// judgesFor is how long a judgement may take: a person waits for it.
const judgesFor = 3 * time.Minute

// mostJudged is how long an answer may be, in bytes: a skill of 4,000 characters and what is said of it, in any script.
const mostJudged = 32 << 10

// OpenJudge returns the model that judges, and says which, once. nil: there is none, or none that the person wants to read what is
// theirs. Errors: the settings, and what is wrong with the model that they name.
func OpenJudge(ctx context.Context, h *app.View) (*models.Once, error) {
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
	return m, nil
}
