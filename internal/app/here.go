package app

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/fault"
	"ken/internal/place"
)

// Here is where the person stands: the repository or the directory, and what the settings
// switch off there. It is found when it is first asked for, and forgotten when they move.
type Here struct {
	o        *terms
	settings *Settings

	place *place.Place              // nil: not found yet
	met   func() ([]meeting, error) // what is known of repositories
	os    string                    // "" as well; it does not change
}

// Place returns where the person stands, found once. What cannot be found out is
// reported and counts as a plain directory.
func (h *Here) Place() place.Place {
	if h.place != nil {
		return *h.place
	}
	if h.o.Dir == "" {
		h.place = &place.Place{}
		return *h.place
	}
	p, err := place.Finder{Home: h.settings.UserDir(), Cache: h.cache()}.Find(context.Background(), h.o.Dir)
	if err != nil {
		h.o.Voice.Warn(fmt.Errorf("find the repository of %s: %w", h.o.Dir, err))
	}
	if p.Broken != nil {
		h.o.Voice.Warn(fault.Once(p.Broken))
	}
	if !h.named(&p) {
		return p
	}
	h.place = &p
	return p
}

// named adds the names that a repository had, as the person said; ok is false while it is not known yet where that is told.
func (h *Here) named(p *place.Place) (ok bool) {
	if p.Repo == nil {
		return true
	}
	if h.settings.cfg == nil {
		return false
	}
	list, _ := h.met() // what cannot be read is reported where it counts
	p.Repo.Also = formerly(p.Repo, list)
	return true
}

// root is what the repository where the person stands is recognised by, should it have another name; "" if that cannot be known. It
// may take a process of git, once.
func (h *Here) root(ctx context.Context) string {
	p := h.Place()
	if p.Repo == nil {
		return ""
	}
	return place.Finder{Home: h.settings.UserDir(), Cache: h.cache()}.Root(ctx, p.Repo)
}

// PlaceOf returns the place of another directory than the one where the person stands.
func (h *Here) PlaceOf(dir string) (place.Place, error) {
	if !filepath.IsAbs(dir) {
		return place.Place{}, fmt.Errorf("%s: want an absolute path", dir)
	}
	p, err := place.Finder{Home: h.settings.UserDir(), Cache: h.cache()}.Find(context.Background(), dir)
	h.named(&p)
	return p, err
}

// cache is where it is kept what is known of repositories; "": nowhere.
func (h *Here) cache() string {
	if h.settings.ReadOnly() {
		return ""
	}
	return h.settings.paths.Places()
}

// Spot distinguishes the place where the person stands from others: what holds there, and which
// of several directories that say they are the same repository it is.
func (h *Here) Spot() string {
	here := h.Place()
	if here.Repo == nil {
		return here.Scope()
	}
	path, _ := here.Repo.Spot()
	return here.Scope() + "\n" + path
}

// scopesOff reports whether the settings switch any scope off. It needs Settings.
func (h *Here) scopesOff() bool { return len(h.settings.cfg.Memory.DisabledScopes) > 0 }

// ScopeOff reports whether the settings switch a scope off where the person
// stands: memory.disabled_scopes names it, a directory above it, or the end of the
// repository's name. It needs Settings.
func (h *Here) ScopeOff(scope string) bool {
	return h.scopesOff() && h.Off()(scope) // else nobody need know where the person stands
}

// Off is ScopeOff where the person stands now, for whoever works beside them.
func (h *Here) Off() func(scope string) bool {
	if !h.scopesOff() {
		return func(string) bool { return false }
	}
	here, off := h.Place(), slices.Clone(h.settings.cfg.Memory.DisabledScopes)
	for i, d := range off {
		if id, ok := strings.CutPrefix(d, "repo:"); ok && place.Identity(id) != "" {
			off[i] = "repo:" + place.Identity(id)
		}
	}
	return func(scope string) bool {
		return slices.ContainsFunc(off, func(d string) bool { return here.Within(scope, d) })
	}
}
