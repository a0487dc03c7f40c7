package connect

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"ken/internal/config/edit"
	"ken/internal/jsonc"
	"ken/internal/regular"
)

// CheckClient is what who only looks whether a server is there calls itself. It is given nothing of the memory.
const CheckClient = "ken-check"

// A Server is a program that an assistant starts, as its settings have it.
type Server struct {
	Argv []string          // the program first, as it is written there
	Env  map[string]string // what it is given beside the environment of the assistant
	Only []string          // names of the environment that it gets, and no others; nil: all
	Path string            // of the file that says so
}

// Registered is the server of ken's that an assistant starts by its settings; false: none. What stands under ken's
// name and is not ken's is a *ForeignError; a file that cannot be read is a *HeldError or a *RejectedError.
func (a Agent) Registered(p Place) (s Server, there bool, err error) {
	for _, f := range a.Files(p, Want{Command: "ken"}) {
		if f.only != "" || f.lines || f.Keys == nil && f.elements != nil || f.word == acpWord {
			continue // it has no servers
		}
		keys := f.Keys
		if keys == nil {
			keys = []string{"mcpServers", "ken"}
		}
		old, err := regular.Read(f.Path, most)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return s, false, &HeldError{f.Path, regular.Cause(err)}
		}
		is, found, err := f.look(old, keys)
		switch {
		case err != nil:
			return s, false, &RejectedError{f.Path, err}
		case !found:
			continue
		case !startsKen(is, mcpWord):
			return s, false, &ForeignError{f.Path, strings.Join(keys, ".")}
		}
		s = serverOf(is)
		s.Path = f.Path
		if f.table != nil { // it gives what it is told to give, and no more
			s.Only = append(codexGives(), words(at(is, "env_vars"))...)
		}
		return s, true, nil
	}
	return s, false, nil
}

// look is what stands at keys in the text of a file.
func (f File) look(src []byte, keys []string) (is any, there bool, err error) {
	if f.table != nil {
		v, err := edit.Decode(src)
		is = at(v, keys...)
		return is, is != nil, err
	}
	if err := jsonc.Check(src, f.reader); err != nil {
		return nil, false, err
	}
	return jsonc.Get(src, keys...)
}

// Here reports whether an assistant is on this machine: it has settings, or find finds its program.
func (a Agent) Here(p Place, find func(name string) (string, error)) bool {
	if _, err := os.Stat(a.Dir(p)); err == nil {
		return true
	}
	if a.Program == "" {
		return false
	}
	_, err := find(a.Program)
	return err == nil
}

// words are the strings of a list.
func words(v any) (list []string) {
	all, _ := v.([]any)
	for _, w := range all {
		text, _ := w.(string)
		list = append(list, text)
	}
	return list
}

// serverOf reads a server in any of the forms in which assistants have it.
func serverOf(v any) (s Server) {
	if program, ok := at(v, "command").(string); ok {
		s.Argv = append([]string{program}, words(at(v, "args"))...)
	} else {
		s.Argv = words(at(v, "command"))
	}
	for _, name := range []string{"env", "environment"} {
		o, _ := at(v, name).(map[string]any)
		for key, value := range o {
			if text, ok := value.(string); ok {
				if s.Env == nil {
					s.Env = map[string]string{}
				}
				s.Env[key] = text
			}
		}
	}
	return s
}

// Environ is what the server is given of an environment.
func (s Server) Environ(all []string) (list []string) {
	for _, v := range all {
		name, _, _ := strings.Cut(v, "=")
		_, own := s.Env[name]
		if !own && (s.Only == nil || slices.Contains(s.Only, name)) {
			list = append(list, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		list = append(list, name+"="+s.Env[name])
	}
	return list
}
