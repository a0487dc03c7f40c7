package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"ken/internal/app"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/regular"
	"ken/internal/tool/lane"
	"ken/internal/tool/sandbox"
)

// hold has a command run in the sandbox that the settings ask for; without one c stays as it
// is. away takes away what the sandbox needed, when the command is over. Errors:
// fault.Refused where the machine has no such sandbox, so that nothing runs bare.
func (r *Runner) hold(cfg config.Config, c *lane.Command) (away func(), err error) {
	away = func() {}
	if cfg.Safety.Sandbox == string(sandbox.Off) {
		return away, nil
	}
	box, err := sandbox.Open(r.wish(cfg))
	if err != nil {
		return away, noSandbox(cfg, err)
	}
	under := r.ports.Getenv("TMPDIR")
	if !filepath.IsAbs(under) {
		under = "/tmp"
	}
	temp, err := os.MkdirTemp(under, "ken-lane-")
	if err != nil {
		return away, noSandbox(cfg, err)
	}
	c.Box, c.Env = box.WithTemp(temp), lane.WithTemp(c.Env, temp)
	return func() { _ = os.RemoveAll(temp) }, nil
}

// noSandbox is why nothing runs.
func noSandbox(cfg config.Config, err error) error {
	return fault.New(fault.Refused, fmt.Errorf("not run, since safety.sandbox = %q: %w", cfg.Safety.Sandbox, err)).
		WithHint("see what this machine has: %s", fault.Command("doctor"))
}

// wish is what the settings ask for here: the project is changed, and what the person
// named; ken's own files are hidden.
func (r *Runner) wish(cfg config.Config) sandbox.Wish {
	w := sandbox.Wish{Mode: sandbox.Mode(cfg.Safety.Sandbox), Dir: r.ports.Dir(), Hide: Own(r.home.Settings, cfg)}
	w.Write = []string{w.Dir}
	if at := r.home.Here.Place(); at.Repo != nil {
		w.Write = append(w.Write, at.Repo.Top)
	}
	for _, dir := range cfg.Safety.SandboxWrite {
		w.Write = append(w.Write, r.inHome(dir))
	}
	for i, path := range w.Hide {
		w.Hide[i] = r.inHome(path)
	}
	return w
}

// inHome is a path of the settings with the person's home in place of "~".
func (r *Runner) inHome(path string) string {
	full, _ := regular.Expand(path, r.ports.Getenv("HOME"))
	return full
}

// Own lists the directories and files that are ken's own: settings, memory, state, what is
// derived, and the files of keys. Some may not be there, and some begin with "~".
func Own(s *app.Settings, cfg config.Config) []string {
	p := s.Paths()
	own := []string{p.Config, p.ConfigFile(), p.Data, p.Memory(), p.State, p.Cache, p.Runtime}
	for _, m := range cfg.Models {
		own = append(own, m.APIKeyFile)
	}
	return own
}

// Held says how a line in the lane of a model is held here, for a person; "" if it is not.
// Errors are those of running one.
func (r *Runner) Held() (string, error) {
	cfg, err := r.home.Settings.Read()
	if err != nil || cfg.Safety.Sandbox == string(sandbox.Off) {
		return "", err
	}
	box, err := sandbox.Open(r.wish(cfg))
	if err != nil {
		return "", noSandbox(cfg, err)
	}
	return box.String(), nil
}

// denials are what programs print when the system holds them back.
var denials = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)permission denied|operation not permitted|read-only file system|\bE(ACCES|PERM|ROFS)\b` +
		`|network is unreachable|could not resolve host|temporary failure in name resolution|invalid cross-device link`)
})

// explain says to the person and to who reads the output why something was denied, if that
// may have been the sandbox.
func (r *Runner) explain(ran *lane.Result, box *sandbox.Box) {
	if box == nil || ran.Exit == 0 || !denials().MatchString(ran.Output) {
		return
	}
	why := fmt.Sprintf("a denial outside the project, or of the network, is the sandbox (safety.sandbox, %s: %s)", box.Mode, box)
	r.home.Notef("%s", why)
	if ran.Output != "" && !strings.HasSuffix(ran.Output, "\n") {
		ran.Output += "\n"
	}
	ran.Output += "[ken] " + why + "\n"
}
