package app

import (
	"fmt"
	"path/filepath"
	"strings"

	"ken/internal/fault"
	"ken/internal/place"
	"ken/internal/regular"
)

// A Met is what the person said of a model at a server, or of a directory that is, or says
// that it is, a repository: whether their memory is used there.
type Met struct {
	What string // "model", "directory" or "former name"
	// Name is MODEL@HOST:PORT, the path of the directory, or the identity that the repository had.
	Name   string
	Repo   string // the identity of the repository
	Status string // "used" or "never"
	TS     string
}

// List lists what stands in met.jsonl, oldest first; after Settings.
func (k *Meetings) List() ([]Met, error) {
	list, err := k.all()
	if err != nil {
		return nil, err
	}
	out := []Met{}
	for _, m := range list {
		if m.Again {
			continue
		}
		v := Met{What: "directory", Name: dirOf(m.Path), Repo: m.Repo, Status: "never", TS: m.Time}
		switch {
		case m.Server != "":
			v.What, v.Name = "model", m.Model+"@"+m.Server
		case m.Was != "":
			v.What, v.Name = "former name", m.Was
		}
		if m.Use {
			v.Status = "used"
		}
		out = append(out, v)
	}
	return out, nil
}

// dirOf is the directory of a repository whose spot is path.
func dirOf(path string) string {
	if filepath.Base(path) == ".git" {
		return filepath.Dir(path)
	}
	return path
}

// A MetVerdict is what a person says of a model or a directory that may be met.
type MetVerdict string

// The verdicts: the memory is used there, it never is, the person is asked again.
const (
	MetUse    MetVerdict = "use"
	MetNever  MetVerdict = "never"
	MetRevoke MetVerdict = "revoke"
)

// Decide keeps what the person says of who: MODEL@HOST:PORT, or a directory, which may
// be gone if the verdict is MetRevoke. It gives the names under which that stands in List.
func (k *Meetings) Decide(v MetVerdict, who string) (names []string, err error) {
	about, err := k.by(v, who)
	if err != nil {
		return nil, err
	}
	for _, m := range about {
		m.Use, m.Again = v == MetUse, v == MetRevoke
		if err := k.keep(m); err != nil {
			return names, fmt.Errorf("not saved: %w", err)
		}
		name := m.Repo + " in " + k.settings.Short(dirOf(m.Path))
		if m.Server != "" {
			name = m.Model + "@" + m.Server
		}
		names = append(names, name)
	}
	k.met = nil
	k.changed()
	return names, nil
}

// by are the lines that a verdict on who is about.
func (k *Meetings) by(v MetVerdict, who string) ([]meeting, error) {
	model, server, isModel := strings.Cut(who, "@")
	if i := strings.LastIndex(who, "@"); isModel {
		model, server = who[:i], who[i+1:]
	}
	isModel = isModel && model != "" && strings.Contains(server, ":") && !strings.ContainsAny(who[:1], "/.~")
	dir, _ := regular.Expand(who, k.settings.UserDir())
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(k.o.Dir, dir)
	}
	var repo *place.Repo
	path, stamp := "", ""
	if !isModel {
		p, err := k.here.PlaceOf(filepath.Clean(dir))
		if err != nil && v != MetRevoke {
			return nil, err
		}
		if repo = p.Repo; repo != nil {
			path, stamp = repo.Spot()
		}
	}
	switch {
	case v != MetRevoke && isModel:
		return []meeting{{Server: server, Model: model}}, nil
	case v != MetRevoke && repo == nil:
		return nil, fault.NotFoundf("%s: no repository, and no MODEL@HOST:PORT", who).WithHint("see what there is: %s", fault.Command("memory trust met"))
	case v != MetRevoke:
		var list []meeting
		for _, name := range names(repo) {
			list = append(list, meeting{Repo: name, Path: path, Stamp: stamp})
		}
		return list, nil
	}
	all, err := k.all()
	if err != nil {
		return nil, err
	}
	var list []meeting
	for _, m := range all {
		here := m.Path != "" && (m.Path == path || dirOf(m.Path) == filepath.Clean(dir) || stamp != "" && m.Stamp == stamp)
		if !m.Again && (isModel && m.Server == server && m.Model == model || !isModel && here) {
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return nil, fault.NotFoundf("%s: you said nothing about it", who).WithHint("see what there is: %s", fault.Command("memory trust met"))
	}
	return list, nil
}
