package home

import "ken/internal/models"

// Models are the models of this run.
func (a *Home) Models() *models.Set {
	if a.models == nil {
		a.models = &models.Set{
			Settings: a.Settings.Read, Getenv: func(name string) string { return a.o.Getenv(name) },
			Agreed: func(server, model string) bool {
				use, _ := a.Meetings.saidOfModel(server, model)
				return use
			},
			Now: a.o.Now, Local: a.o.Local, Notify: a.Notef,
		}
	}
	return a.models
}
