package environ

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// Bare returns what every program needs of env, the variables that pass names, and those of own, which come last and in
// the place of others of their names. Where a variable stands twice the last one counts.
func Bare(env, pass []string, own ...map[string]string) []string {
	var out []string
	put := func(name, value string) {
		out = slices.DeleteFunc(out, func(v string) bool { return strings.HasPrefix(v, name+"=") })
		out = append(out, name+"="+value)
	}
	for _, v := range env {
		name, value, ok := strings.Cut(v, "=")
		switch {
		case !ok, name == "":
		case needed(name), slices.Contains(pass, name):
			put(name, value)
		}
	}
	for _, set := range own {
		for _, name := range slices.Sorted(maps.Keys(set)) {
			put(name, set[name])
		}
	}
	return out
}

// needed reports whether every program gets a variable. On Windows none starts without some more.
func needed(name string) bool {
	switch strings.ToUpper(name) {
	case "SYSTEMROOT", "SYSTEMDRIVE", "PATHEXT", "COMSPEC", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
		"PROGRAMFILES", "TEMP", "TMP":
		return os.PathSeparator == '\\'
	}
	switch name {
	case "PATH", "HOME", "USER", "LANG", "TERM", "TMPDIR", "SHELL":
		return true
	}
	return strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_")
}
