package app

import (
	"strings"

	"ken/internal/place"
)

// Names returns what scopes are called where a person reads them: those that are given,
// beside those of all repositories that were met.
func (h *Here) Names(scopes ...string) *place.Names {
	dirs := make(map[string]string)
	if h.settings.cfg != nil {
		list, _ := h.met() // what cannot be read is reported where it counts, and is no name
		for _, m := range list {
			if m.Repo != "" {
				dirs[strings.ToLower(m.Repo)] = dirOf(m.Path)
			}
		}
	}
	for _, s := range scopes {
		id, ok := strings.CutPrefix(strings.ToLower(s), "repo:")
		if !ok || !strings.HasPrefix(id, "root-") || dirs[id] != "" {
			continue
		}
		if here := h.Place(); here.Repo != nil && strings.EqualFold(here.Repo.RootID, id) {
			dirs[id] = here.Repo.Top
		}
	}
	return place.NamesOf(scopes, dirs)
}

// Resolve returns the whole scope that a person means by arg: a name as Names has it, or
// what place.Place.Resolve takes. known are scopes that exist.
func (h *Here) Resolve(arg string, known ...string) (string, error) {
	if strings.HasPrefix(arg, "repo:") && place.Identity(strings.TrimPrefix(arg, "repo:")) == "" {
		if here := h.Place(); here.Repo != nil {
			for _, id := range here.Repo.Identities {
				known = append(known, "repo:"+id)
			}
			known = append(known, "repo:"+here.Repo.RootID)
		}
		scope, ok, err := h.Names(known...).Scope(arg)
		if ok || err != nil {
			return scope, err
		}
	}
	return h.Place().Resolve(arg, known...)
}
