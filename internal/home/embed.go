package home

// Sense is the model of meaning that is configured; nil if there is none, which
// is no error. Nothing is asked of it.
func (a *Home) Sense() (*Sense, error) {
	cfg, err := a.Settings.Read()
	if err != nil {
		return nil, err
	}
	if a.sense != nil && a.sense.Config == cfg.Embeddings {
		return a.sense, nil
	}
	clock := a.o.Clock
	if clock == nil {
		clock = a.o.Now
	}
	a.sense, err = newSense(cfg, a.o.Getenv, a.Settings.paths.Vectors(), clock)
	return a.sense, err
}
