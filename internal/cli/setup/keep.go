package setup

import (
	"context"

	"ken/internal/cli/term"
	"ken/internal/config/edit"
	"ken/internal/models"
)

// KeepModel writes a model that was found, and that the person said yes to, into the settings, so that the next start
// looks for nothing.
func KeepModel(a *term.Run) func(context.Context, models.Preset) error {
	return func(ctx context.Context, p models.Preset) error {
		var wishes []wish
		for _, w := range [...]struct{ key, value string }{{"base_url", p.BaseURL}, {"model", p.Model.Model}} {
			wishes = append(wishes, wish{key: []string{"models", keptAs, w.key}, value: edit.Quote(w.value)})
		}
		_, after, err := changeSettings(ctx, a, func(f settingsFile) ([]byte, error) { return changed(f, wishes) })
		if err == nil {
			a.Status("kept in %s as models.%s (take it back: %s)", short(a, after.path), keptAs, a.Verb("config set --unset models."+keptAs))
		}
		return err
	}
}

// keptAs is the preset that a model of this machine is kept as.
const keptAs = "local"
