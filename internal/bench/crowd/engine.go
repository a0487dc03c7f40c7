package crowd

import (
	"context"
	"crypto/rand"
	"time"

	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/engine/alike"
	"ken/internal/memory/filelog"
	"ken/internal/redact"
)

// Engine opens the memory of the home directory, put together as the commands of
// ken do it, for a process that goes on. It also returns the path of its log.
func Engine(home string) (e *engine.Engine, log string, err error) {
	getenv := func(name string) string {
		if name == "KEN_HOME" {
			return home
		}
		return ""
	}
	paths, err := config.FindPaths(getenv, home, config.Default())
	if err != nil {
		return nil, "", err
	}
	masker := redact.New([]byte("bench"))
	return engine.New(engine.Options{
		Own: filelog.Open(paths.Memory(), filelog.Options{
			DeviceFile: paths.Device(), Head: paths.Head(), Sketch: alike.Sketch, Host: "bench", Now: time.Now, Rand: rand.Reader,
		}),
		Mask: masker.Mask, Now: time.Now,
	}), paths.Memory(), nil
}

// Remember keeps the text, or says why not.
func Remember(ctx context.Context, e *engine.Engine, text string) error {
	_, err := e.Remember(ctx, engine.Draft{Content: text})
	return err
}
