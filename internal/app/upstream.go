package app

import "ken/internal/models"

// An Upstream is where requests for a model are passed on to.
type Upstream = models.Upstream

// Upstream returns where the model of exactly this name is asked, as models.UpstreamOf does.
func (v *View) Upstream(name string) (up Upstream, known bool, err error) {
	return models.UpstreamOf(v.Models(), name)
}

// A Secret is one that is not printed.
type Secret = models.Secret

// UserSecret is the secret by which a program signs who asks, as models.UserSecret finds it.
func (v *View) UserSecret() (Secret, error) {
	cfg, err := v.Settings.Read()
	if err != nil {
		return Secret{}, err
	}
	return models.UserSecret(cfg.Serve, v.Settings.o.Getenv)
}
