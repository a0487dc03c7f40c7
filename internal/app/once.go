package app

import (
	"context"
	"errors"
	"time"

	"ken/internal/models"
)

// Once returns the model called name, or the one in force, that answers to a text in at most limit and most bytes. nil: there is
// none, or, which is noted, none that the person wants to read what is theirs.
func (v *View) Once(ctx context.Context, name string, limit time.Duration, most int) (*models.Once, error) {
	bounds := models.Bounds{Time: limit, Bytes: most, Mask: v.Keys.MaskText}
	m, err := models.OpenOnce(ctx, v.Models(), name, bounds)
	var stranger *models.StrangerError
	if errors.As(err, &stranger) {
		v.Meetings.VouchModel(ctx, true)
		m, err = models.OpenOnce(ctx, v.Models(), name, bounds)
	}
	if name == "" && errors.As(err, &stranger) {
		v.Notef("%v (%s)", stranger, stranger.Hint())
		return nil, nil
	}
	if name == "" && errors.Is(err, models.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}
