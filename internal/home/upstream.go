package home

import "ken/internal/models"

// An Upstream is where requests for a model are passed on to.
type Upstream = models.Upstream

// Upstream returns where the model of exactly this name is asked, as models.UpstreamOf does.
func (a *Home) Upstream(name string) (up Upstream, known bool, err error) {
	return models.UpstreamOf(a.Models(), name)
}
