package app

import (
	"ken/internal/app/embeddings"
	"ken/internal/models"
)

// Models are the models of this run.
func (a *View) Models() *models.Set {
	if a.models == nil {
		a.models = &models.Set{
			Settings: a.Settings.Read, Getenv: func(name string) string { return a.o.Getenv(name) },
			Agreed: func(server, model string) bool {
				use, _ := a.Meetings.saidOfModel(server, model)
				return use
			},
			Now: a.o.Now, Local: a.o.Local, Kept: a.Settings.models, Notify: a.Notef,
		}
	}
	return a.models
}

// Embeddings returns the embedding model that is configured; nil if there is none, which
// is no error. It sends nothing.
func (a *View) Embeddings() (*embeddings.Model, error) {
	cfg, err := a.Settings.Read()
	if err != nil {
		return nil, err
	}
	if a.embeddings != nil && a.embeddings.Config == cfg.Embeddings {
		return a.embeddings, nil
	}
	clock := a.o.Clock
	if clock == nil {
		clock = a.o.Now
	}
	a.embeddings, err = embeddings.New(cfg, a.o.Getenv, a.Settings.paths.Vectors(), clock)
	return a.embeddings, err
}
