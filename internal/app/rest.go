package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"ken/internal/embed"
)

// resting reports whether the server let a question of this or another process wait
// in vain a short while ago: then this one does not. The person has seen that.
func resting(a *View, path string) bool {
	clock := a.Clock()
	if clock == nil {
		return false
	}
	fi, err := os.Stat(restPath(path))
	return err == nil && clock().Sub(fi.ModTime()).Abs() < embed.Rest
}

// rest notes that a question waited in vain, for the commands to come. That it
// cannot be noted costs them the same wait.
func rest(path string, err error) {
	if errors.Is(err, context.DeadlineExceeded) && os.MkdirAll(filepath.Dir(restPath(path)), 0o700) == nil {
		_ = os.WriteFile(restPath(path), nil, 0o600)
	}
}

// restPath is a file of which the time counts.
func restPath(path string) string { return path + ".slow" }
