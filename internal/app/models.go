package app

import (
	"ken/internal/app/embeddings"
	"ken/internal/models"
)

// Models are the models of this run.
func (v *View) Models() *models.Set {
	if v.models == nil {
		v.models = &models.Set{
			Settings: v.Settings.Read, Getenv: func(name string) string { return v.o.Getenv(name) },
			Agreed: func(server, model string) bool {
				use, _ := v.Meetings.saidOfModel(server, model)
				return use
			},
			Now: v.o.Now, Local: v.o.Local, Kept: v.Settings.models, Notify: v.Notef,
		}
	}
	return v.models
}

// Embeddings returns the embedding model that is configured; nil if there is none, which
// is no error. It sends nothing.
func (v *View) Embeddings() (*embeddings.Model, error) {
	cfg, err := v.Settings.Read()
	if err != nil {
		return nil, err
	}
	a := v.app
	a.near.Lock()
	defer a.near.Unlock()
	if a.embeddings != nil && a.embeddings.Config == cfg.Embeddings {
		return a.embeddings, nil
	}
	clock := a.o.Clock
	if clock == nil {
		clock = a.o.Now
	}
	a.embeddings, err = embeddings.New(cfg, v.o.Getenv, v.Settings.paths.Vectors(), clock)
	return a.embeddings, err
}
