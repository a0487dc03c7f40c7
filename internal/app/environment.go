package app

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/place"
	"ken/internal/termsafe"
)

// mostValue bounds a value of an environment, in cells: whoever names a directory or a
// branch says no more than its name.
const mostValue = 160

// Environment returns what a model is told of where the person stands, clean and each value
// on one line; the zero one where the settings switch it off. known says that the model is one that
// the person named: any other learns the system, the shell and the day, and nothing of
// theirs. It reads some small files and starts no process. It needs Settings.
func (h *Here) Environment(known bool) place.Environment {
	if cfg := h.settings.cfg; cfg == nil || !cfg.Context.Environment {
		return place.Environment{}
	}
	if h.os == "" {
		h.os = place.OS()
	}
	now := h.o.Now().Local()
	link, _ := os.Readlink("/etc/localtime") // there may be none
	e := place.Environment{
		OS: h.os, Shell: h.shell(), Date: place.Day(now), Zone: place.Zone(now, h.o.Getenv("TZ"), link),
	}
	if known {
		here, names := h.Place(), h.accounts()
		e.Directory = place.Unnamed(here.Dir, names...)
		if here.Repo != nil {
			e.Repository, e.Branch = place.Unnamed(here.Repo.Name(), names...), place.Unnamed(here.Repo.Branch(), names...)
		}
	}
	return e.Map(brief)
}

// brief is a value on one line, of which the end is left out or, of a path, the middle.
func brief(value string) string {
	value = strings.TrimSpace(termsafe.Line(value))
	if over := len(value) - 4*mostValue; over > 0 { // marks upon marks
		value = strings.ToValidUTF8(value[over:], "")
	}
	if termsafe.Width(value) <= mostValue {
		return value
	}
	parts := strings.Split(value, "/")
	for n := 1; n < len(parts); n++ {
		if tail := "…/" + strings.Join(parts[n:], "/"); termsafe.Width(tail) <= mostValue {
			return tail
		}
	}
	return termsafe.Cut(value, mostValue)
}

// shell is the name of the person's shell.
func (h *Here) shell() string {
	path := cmp.Or(h.settings.cfg.Shell.Program, h.o.Getenv("SHELL"), h.o.Getenv("ComSpec"))
	if path == "" {
		return ""
	}
	name := filepath.Base(filepath.FromSlash(strings.ReplaceAll(path, `\`, "/")))
	return strings.TrimSuffix(name, ".exe")
}

// accounts are the names by which the person is known to this machine.
func (h *Here) accounts() []string {
	var names []string
	for _, v := range []string{"USER", "LOGNAME", "USERNAME"} {
		if name := h.o.Getenv(v); name != "" {
			names = append(names, name)
		}
	}
	return names
}
