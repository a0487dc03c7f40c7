package app

import "ken/internal/agent"

// Models are the models of this run.
func (a *App) Models() *agent.Models {
	if a.models == nil {
		a.models = &agent.Models{
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
