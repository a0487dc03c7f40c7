package app

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ken/internal/engine"
)

// NotSaved says in plain words that a writing command did not write.
func NotSaved(err error) error {
	var (
		secret *engine.SecretError
		kind   *engine.KindError
	)
	if errors.As(err, &secret) || errors.As(err, &kind) || errors.Is(err, engine.ErrEmpty) {
		return err
	}
	return fmt.Errorf("not saved: %w", err)
}

// ParseLife reads a time span as people write it: 30d, 8w, 12h, or Go's form.
func ParseLife(s string) (time.Duration, error) {
	var unit time.Duration
	switch {
	case strings.HasSuffix(s, "d"):
		unit = 24 * time.Hour
	case strings.HasSuffix(s, "w"):
		unit = 7 * 24 * time.Hour
	}
	const longest = 100 * 365 * 24 * time.Hour
	var life time.Duration
	var err error
	if unit != 0 {
		var n int
		n, err = strconv.Atoi(s[:len(s)-1])
		if n > int(longest/unit) {
			n = int(longest/unit) + 1
		}
		life = time.Duration(n) * unit
	} else {
		life, err = time.ParseDuration(s)
	}
	switch {
	case err != nil:
		return 0, errors.New("want a time like 12h, 30d or 8w")
	case life <= 0 || life > longest:
		return 0, errors.New("must be longer than nothing and at most 100 years")
	}
	return life, nil
}
