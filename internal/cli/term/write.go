package term

import "ken/internal/engine"

// NotSaved says in plain words that a writing command did not write.
func NotSaved(err error) error { return engine.NotSaved(err) }
