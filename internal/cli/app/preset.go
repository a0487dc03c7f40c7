package app

import "ken/internal/models"

// Models are the models of this run.
func (a *App) Models() *models.Set {
	if a.models == nil {
		a.models = &models.Set{
			Settings: a.Settings, Getenv: func(name string) string { return a.Env.Getenv(name) },
			Agreed: func(server, model string) bool {
				use, _ := a.saidOfModel(server, model)
				return use
			},
			Now: a.Env.Now, Local: a.Env.Local, Tell: a.Status, Verb: a.Verb,
			Pick: func() string {
				if a.Shell != nil {
					return ":model NAME"
				}
				return "ken ask -m NAME"
			},
		}
	}
	return a.models
}
