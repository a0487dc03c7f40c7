package crowd

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"time"

	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/memory/filelog"
	"ken/internal/redact"
)

// Engine opens the memory of the home directory, put together as the commands of
// ken do it, for a process that goes on. It also returns the path of its log.
func Engine(home string, now func() time.Time) (e *engine.Writer, log string, err error) {
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
			DeviceFile: paths.Device(), Head: paths.Head(), Sketches: engine.Sketches, Host: "bench", Now: now, Rand: rand.Reader,
		}),
		Mask: masker.Mask, Now: now,
	}).As(engine.Actor{Kind: engine.Person}), paths.Memory(), nil
}

// Obey holds the memory of the home directory open, as a server would, and adds
// what it reads, as Start expects it.
func Obey(ctx context.Context, home string, in io.Reader, out io.Writer, now func() time.Time) error {
	e, _, err := Engine(home, now)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, "ready"); err != nil {
		return err
	}
	texts := bufio.NewScanner(in)
	for texts.Scan() {
		said := "kept"
		if _, err := e.Remember(ctx, engine.Draft{Content: texts.Text()}); err != nil {
			said = strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		if _, err := fmt.Fprintln(out, said); err != nil {
			return err
		}
	}
	return texts.Err()
}
