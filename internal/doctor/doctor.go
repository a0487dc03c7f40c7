package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/config"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/regular"
	"ken/internal/runner"
	"ken/internal/termsafe"
	"ken/internal/tool/mcp"
	"ken/internal/tool/sandbox"
	"ken/internal/view"
)

// A Person is who is told: what surrounds them, and how they type a command of ken there.
type Person interface {
	Getenv(name string) string                        // a variable; "" if it is not set
	FindProgram(name string) (path string, err error) // as the person's shell finds it
	Verb(command string) string                       // the line that they type for a command of ken
	NextStep(err error) string                        // what to do after an error, with commands as Verb has them; "": nothing is known
}

// Options say how far a doctor goes, and what a face says of itself.
type Options struct {
	Config  string // the file of settings that was named; "": the usual one
	Offline bool   // no server of a model is asked
	// Starter is how the servers are started that assistants have in their settings; nil: none is, for the reason in Unstarted.
	Starter   *mcp.Starter
	Unstarted string
	Self      string       // the path of this program; "": as the person's shell finds it
	Servers   *mcp.Servers // the tool servers, of which none is started; nil: nothing is said of them

	Keys     func(keys map[string]string) []string // what is wrong with the keys of the line editor; nil: there is none
	Terminal []view.Sign                           // what the face is drawn on
	Users    []view.Sign                           // who else uses the memory by faces
}

// Look says how all that ken needs around it stands, masked: settings, models, the disk, the memory, the person's programs, the
// assistants of this machine. Each gap has its next step. It changes nothing; what it writes to try a disk it takes away again.
func Look(ctx context.Context, h *app.View, person Person, o Options) []view.Sign {
	d := &doctor{h: h, person: person, o: o, found: []view.Sign{}} // none is an empty array
	d.look(ctx)
	for i, s := range d.found {
		d.found[i].Says = h.Keys.MaskText(s.Says)
	}
	return d.found
}

// A doctor looks at the set-up.
type doctor struct {
	h      *app.View
	person Person
	o      Options
	found  []view.Sign
}

// ok says of what that it is as it should be.
func (d *doctor) ok(what, format string, args ...any) {
	d.found = append(d.found, view.Sign{Level: view.SignOK, What: what, Says: fmt.Sprintf(format, args...)})
}

// gap says of what that something is missing, and the next step that closes the gap.
func (d *doctor) gap(what, says, next string) {
	d.found = append(d.found, view.Sign{Level: view.SignGap, What: what, Says: says, Next: next})
}

// note says of what something that is good to know, and what can be done about it.
func (d *doctor) note(what, says, next string) {
	d.found = append(d.found, view.Sign{Level: view.SignNote, What: what, Says: says, Next: next})
}

// look looks at everything, the settings first: all else depends on them.
func (d *doctor) look(ctx context.Context) {
	cfg, paths, err := config.Open(d.person.Getenv, d.h.Settings.UserDir(), d.o.Config)
	d.settings(cfg, paths, err)
	if err == nil {
		if _, err = d.h.Settings.Read(); err != nil { // somebody else's file may say what binds
			d.gap("settings", err.Error(), d.person.NextStep(err))
		} else {
			d.models(ctx, cfg)
			d.met()
			d.embeddings(ctx)
		}
	}
	if paths != (config.Paths{}) {
		d.files(ctx, paths, err == nil)
	}
	d.found = append(d.found, d.o.Terminal...)
	d.around(ctx, cfg)
	d.continuity(cfg, err == nil)
}

// settings looks at the file of settings; err is what reading it said.
func (d *doctor) settings(cfg config.Config, paths config.Paths, err error) {
	file, mend := d.h.Settings.Short(paths.ConfigFile()), "mend it: "+d.person.Verb("config edit")
	switch _, serr := os.Stat(paths.ConfigFile()); {
	case err != nil:
		next := mend
		if config.ProblemsOf(err) == nil {
			next = cmp.Or(d.person.NextStep(err), "write it: "+d.person.Verb("config init"))
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			d.gap("settings", line, next)
		}
	case serr != nil:
		d.note("settings", "all defaults; no "+file, d.person.Verb("config init")+" writes one")
	default:
		for _, p := range cfg.Missing() {
			d.gap("settings", p.Key+": "+p.What, mend)
		}
		if d.o.Keys != nil {
			for _, what := range d.o.Keys(cfg.Keys) {
				d.gap("settings", what, mend)
			}
		}
		n := 0
		for _, s := range cfg.Settings() {
			if s.Row > 0 {
				n++
			}
		}
		d.ok("settings", "%s, %s", file, view.Count(n, "setting"))
	}
}

// met says where the person never wants their memory: a yes that is missed.
func (d *doctor) met() {
	list, err := d.h.Meetings.List()
	if err != nil {
		d.gap("met", err.Error(), "")
		return
	}
	for _, m := range list {
		if m.Status != "never" {
			continue
		}
		says := "you said that " + termsafe.Line(m.Name) + " never gets your memory"
		if m.Repo != "" {
			says = "you said that the memory of " + termsafe.Line(m.Repo) + " is never used in " + termsafe.Line(d.h.Settings.Short(m.Name))
		}
		d.note("met", says, "take it back: "+d.person.Verb("memory trust met revoke "+m.Name))
	}
}

// files looks at what ken keeps.
func (d *doctor) files(ctx context.Context, paths config.Paths, readable bool) {
	d.disk(ctx, paths)
	if !readable {
		return // where the files are is not known
	}
	s, err := d.h.Memory.State(ctx)
	if err != nil {
		d.gap("memory", err.Error(), d.person.Verb("doctor --files"))
		return
	}
	now := d.h.Now()
	c := &checker{paths: paths, mask: d.h.Keys.MaskText, now: now, person: d.person}
	c.dir(filepath.Dir(paths.Memory()), false) // copies that programs made
	if err := c.memory(ctx); err != nil {
		d.gap("memory", err.Error(), d.person.Verb("doctor --files"))
		return
	}
	says := view.Thousands(len(asof.Items(s, now)), "item") + " in " + d.h.Settings.Short(paths.Memory())
	switch {
	case c.Errors > 0:
		d.gap("memory", fmt.Sprintf("%s; %s", says, view.Count(c.Errors, "error")), "see where: "+d.person.Verb("doctor --files"))
	case c.Warnings > 0:
		d.note("memory", fmt.Sprintf("%s; %s", says, view.Count(c.Warnings, "warning")), "see where: "+d.person.Verb("doctor --files"))
	default:
		d.ok("memory", "%s", says)
	}
	if list, err := d.h.Conversations.Dir().Paths(); err != nil {
		d.gap("sessions", err.Error(), d.person.Verb("doctor --files"))
	} else {
		d.ok("sessions", "%s", view.Thousands(len(list), "conversation"))
	}
	d.clock(s)
}

// clock looks whether the clock can be right: what is written now must not be
// older than what was written before.
func (d *doctor) clock(s *memory.State) {
	now := d.h.Now()
	var newest time.Time
	for _, it := range s.Items() {
		if it.Changed.After(newest) {
			newest = it.Changed
		}
	}
	switch {
	case now.Year() < 2025 || now.Year() > 2100:
		d.gap("clock", view.When(now)+" cannot be", "set the clock of this machine")
	case newest.After(now.Add(24 * time.Hour)):
		d.note("clock", fmt.Sprintf("%s, but the newest memory is of %s", view.When(now), view.When(newest)),
			"one of the clocks that wrote here is wrong")
	default:
		d.ok("clock", "%s", view.When(now))
	}
}

// around looks at the programs that ken starts, and at those that start it.
func (d *doctor) around(ctx context.Context, cfg config.Config) {
	getenv := d.person.Getenv
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	if plain := strings.ToLower(strings.ReplaceAll(locale, "-", "")); strings.Contains(plain, "utf8") {
		d.ok("locale", "%s", locale)
	} else {
		d.note("locale", cmp.Or(locale, "none")+" is not UTF-8: other programs may not show all letters", "export LANG=C.UTF-8")
	}
	shell := cmp.Or(cfg.Shell.Program, getenv("SHELL"), "/bin/sh")
	if _, err := d.person.FindProgram(shell); err != nil {
		d.gap("shell", causeOf(errors.Unwrap(err))+": "+shell, d.person.Verb("config set shell.program /bin/sh"))
	} else {
		d.ok("shell", "%s", shell)
	}
	editor := cmp.Or(getenv("VISUAL"), getenv("EDITOR"), "vi")
	program, _, _ := strings.Cut(editor, " ")
	if _, err := d.person.FindProgram(program); err != nil {
		d.note("editor", program+" is not there", "export EDITOR=PROGRAM")
	} else {
		d.ok("editor", "%s", editor)
	}
	if git, err := d.person.FindProgram("git"); err != nil {
		d.note("git", "not there: a repository without a remote counts as a directory", "install git, if you like")
	} else {
		d.ok("git", "%s", git)
	}
	d.sandbox(cfg)
	d.rehearsal(ctx)
	d.toolServers()
	d.assistants(ctx)
	d.found = append(d.found, d.o.Users...)
	d.completion(filepath.Base(shell))
}

// sandbox says what a model's commands can be held with here, and whether they are.
func (d *doctor) sandbox(cfg config.Config) {
	m := sandbox.Here()
	has, lacks, enough := m.String(), m.Lacks(), m.Most() != ""
	wanted := cfg.Safety.Sandbox
	if lacks != "" && enough {
		has += "; " + lacks
	}
	switch {
	case !enough && wanted == "off":
		d.note("sandbox", "off; this machine has "+has, "")
	case !enough:
		d.gap("sandbox", wanted+": no command of a model runs, since this machine has "+has, d.person.Verb("config set safety.sandbox off"))
	case wanted == "off":
		d.note("sandbox", "off; a model's commands could be held with "+has, d.person.Verb("config set safety.sandbox auto"))
	default:
		d.ok("sandbox", "%s: a model's commands are held with %s", wanted, has)
	}
}

// rehearsal says whether a command can be rehearsed here.
func (d *doctor) rehearsal(ctx context.Context) {
	if err := runner.CanRehearse(ctx, d.person.Getenv("TMPDIR")); err != nil {
		d.note("rehearsal", "not on this machine: "+termsafe.Line(err.Error()), "")
		return
	}
	d.ok("rehearsal", "what a command would change can be tried aside: %s", d.person.Verb("rehearse COMMAND"))
}

// toolServers says which tool servers did not answer lately. None is started.
func (d *doctor) toolServers() {
	if d.o.Servers == nil {
		return // what is wrong with the settings is said of them
	}
	for _, st := range d.o.Servers.List() {
		if !st.Unawaited.IsZero() {
			says := st.Name + " did not answer: no question waits for it until " + view.When(st.Unawaited)
			d.note("tools", says, "ask it once more: "+d.person.Verb("mcp list"))
		}
	}
}

// completion looks in the usual places for the words that the person's shell
// completes.
func (d *doctor) completion(shell string) {
	home := d.person.Getenv("HOME")
	under := func(variable, usual string) string {
		if dir := d.person.Getenv(variable); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(home, usual)
	}
	data, conf := under("XDG_DATA_HOME", ".local/share"), under("XDG_CONFIG_HOME", ".config")
	var files []string
	switch shell {
	case "bash":
		files = []string{
			filepath.Join(data, "bash-completion/completions/ken"), "/usr/share/bash-completion/completions/ken",
			"/etc/bash_completion.d/ken", "/opt/homebrew/etc/bash_completion.d/ken", "/usr/local/etc/bash_completion.d/ken",
		}
	case "zsh":
		files = []string{
			filepath.Join(home, ".zfunc/_ken"), filepath.Join(data, "zsh/site-functions/_ken"),
			"/usr/share/zsh/site-functions/_ken", "/usr/local/share/zsh/site-functions/_ken", "/opt/homebrew/share/zsh/site-functions/_ken",
		}
	case "fish":
		files = []string{filepath.Join(conf, "fish/completions/ken.fish"), "/usr/share/fish/vendor_completions.d/ken.fish"}
	default:
		return
	}
	for _, f := range files {
		if _, err := os.Stat(f); err == nil {
			d.ok("completion", "%s", d.h.Settings.Short(f))
			return
		}
	}
	for _, f := range []string{".bashrc", ".bash_profile", ".zshrc", ".config/fish/config.fish"} {
		f = filepath.Join(home, f)
		if text, err := regular.Read(f, 4<<20); err == nil && strings.Contains(string(text), "ken completion") {
			d.ok("completion", "%s", d.h.Settings.Short(f))
			return
		}
	}
	d.note("completion", "not set up for "+shell, "see "+d.person.Verb("completion "+shell+" --help"))
}
