package runner

import (
	"slices"
	"strings"

	"ken/internal/config"
	"ken/internal/tool/environ"
	"ken/internal/tool/lane"
)

// filter tells what of the environment stays at home.
func (r *Runner) filter(cfg config.Config) environ.Filter {
	return environ.Filter{Used: r.home.Keys.Variables(), Pass: cfg.Shell.ModelEnvPass, Known: r.home.Keys.Holds}
}

// environ is the environment of the lane, and what of the person's stays at home.
func (r *Runner) environ(cfg config.Config, calm bool) (env []string, kept []environ.Kept) {
	var own []string
	if r.ports.Environ != nil {
		own = r.ports.Environ()
	}
	return lane.Environ(own, calm, r.filter(cfg))
}

// Kept lists the variables that a line in the lane of a model does not get, by name.
func (r *Runner) Kept() ([]environ.Kept, error) {
	cfg, err := r.home.Settings.Read()
	if err != nil {
		return nil, err
	}
	_, kept := r.environ(cfg, false)
	return kept, nil
}

// missed tells the person of variables that stayed at home and that a line which failed
// asks for: it, or what it printed, names them.
func (r *Runner) missed(line string, ran lane.Result, kept []environ.Kept) {
	if ran.Exit == 0 {
		return
	}
	var names []string
	for _, k := range kept {
		if !slices.Contains(names, k.Name) && (hasWord(line, k.Name) || hasWord(ran.Output, k.Name)) {
			names = append(names, k.Name)
		}
	}
	if len(names) > 0 {
		r.home.Notef("a model's commands do not get %s (shell.model_env_pass)", strings.Join(names, ", "))
	}
}

// hasWord reports whether a name stands in a text as a word.
func hasWord(text, name string) bool {
	isName := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 || name == "" {
			return false
		}
		start, end := at+i, at+i+len(name)
		if (start == 0 || !isName(text[start-1])) && (end == len(text) || !isName(text[end])) {
			return true
		}
		at = end
	}
}
