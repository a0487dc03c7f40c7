package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/config/edit"
	"ken/internal/fault"
	"ken/internal/llm/discover"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/models"
	"ken/internal/regular"
	lineedit "ken/internal/repl/edit"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// modelWait is how long a doctor waits for the server of a model.
const modelWait = 2 * time.Second

func doctorCommand(a *term.Run) *cobra.Command {
	var asJSON, offline bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "look at the set-up, and name what closes each gap",
		Long: `Doctor looks at what ken needs around it: settings, a model, the disk, the memory,
the terminal. Each line says ok, gap or note, and what closes a gap. It asks the server
of your model for its list, and nobody else; --offline leaves that out. The exit code is
1 if there is a gap.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(term.UsesMemory()),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := &doctor{app: a, offline: offline, signs: []view.Sign{}}
			d.look(cmd.Context())
			return d.tell(asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	cmd.Flags().BoolVar(&offline, "offline", false, "ask no server")
	return cmd
}

// A doctor looks at the set-up.
type doctor struct {
	app     *term.Run
	offline bool
	signs   []view.Sign
}

func (d *doctor) ok(what, format string, args ...any) {
	d.signs = append(d.signs, view.Sign{Level: "ok", What: what, Says: fmt.Sprintf(format, args...)})
}

func (d *doctor) gap(what, says, next string) {
	d.signs = append(d.signs, view.Sign{Level: "gap", What: what, Says: says, Next: next})
}

func (d *doctor) note(what, says, next string) {
	d.signs = append(d.signs, view.Sign{Level: "note", What: what, Says: says, Next: next})
}

func (d *doctor) tell(asJSON bool) error {
	gaps := 0
	for i, s := range d.signs {
		d.signs[i].Says = d.app.Home.Keys.MaskText(s.Says)
		if s.Level == "gap" {
			gaps++
		}
	}
	var err error
	if asJSON {
		err = d.app.PrintJSON(d.signs)
	} else {
		err = d.app.Println(view.Signs(d.signs))
	}
	if err == nil && gaps > 0 {
		err = term.Reported(fault.Failuref("%s", view.Count(gaps, "gap")))
	}
	return err
}

// look looks at everything, the settings first: all else depends on them.
func (d *doctor) look(ctx context.Context) {
	cfg, paths, err := readSettings(d.app)
	file := short(d.app, paths.ConfigFile())
	switch _, serr := os.Stat(paths.ConfigFile()); {
	case err != nil:
		next := "mend it: " + d.app.Verb("config edit")
		if problemsOf(err) == nil {
			next = cmp.Or(d.app.NextStep(err), "write it: "+d.app.Verb("config init"))
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			d.gap("settings", line, next)
		}
	case serr != nil:
		d.note("settings", "all defaults; no "+file, d.app.Verb("config init")+" writes one")
	default:
		for _, p := range cfg.Missing() {
			d.gap("settings", p.Key+": "+p.What, "mend it: "+d.app.Verb("config edit"))
		}
		for _, what := range lineedit.KeyProblems(cfg.Keys) {
			d.gap("settings", what, "mend it: "+d.app.Verb("config edit"))
		}
		n := 0
		for _, s := range cfg.Settings() {
			if s.Row > 0 {
				n++
			}
		}
		d.ok("settings", "%s, %s", file, view.Count(n, "setting"))
	}
	if err == nil {
		if _, err = d.app.Home.Settings.Read(); err == nil {
			d.models(ctx, cfg)
			d.met()
			d.signs = append(d.signs, embeddingSigns(ctx, d.app, d.offline)...)
		}
	}
	if paths != (config.Paths{}) {
		d.files(ctx, paths, err == nil)
	}
	d.around(cfg)
	d.signs = append(d.signs, continuitySigns(d.app, cfg, err == nil)...)
}

// met says where the person never wants their memory: a yes that is missed.
func (d *doctor) met() {
	list, err := d.app.Home.Meetings.List()
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
			says = "you said that the memory of " + termsafe.Line(m.Repo) + " is never used in " + termsafe.Line(d.app.Home.Settings.Short(m.Name))
		}
		d.note("met", says, "take it back: "+d.app.Verb("memory trust met revoke "+m.Name))
	}
}

// models looks at the model in force and at those that stand in for it.
func (d *doctor) models(ctx context.Context, cfg config.Config) {
	set := d.app.Home.Models()
	if !d.offline {
		if err := set.Look(ctx); err != nil {
			return // the person wants no more
		}
	}
	p, err := set.Preset("")
	if err != nil {
		next := d.app.Verb("config set model NAME")
		if len(cfg.Models) == 0 {
			next = d.app.Verb("config init") + " asks for one; or " + d.app.NextStep(err)
		}
		d.gap("model", err.Error(), next)
		return
	}
	d.model(ctx, "model", p)
	for _, name := range cfg.Fallback {
		if name != p.Name && cfg.Has(name) {
			d.model(ctx, "fallback", models.Preset{Name: name, Model: cfg.Models[name], From: models.FromConfig})
		}
	}
}

// model looks at one preset: its key, and whether its server has the model.
func (d *doctor) model(ctx context.Context, what string, p models.Preset) {
	name, m := p.Name, p.Model
	key, from, err := m.Key(d.app.Env.Getenv)
	if err != nil {
		d.gap(what, name+": "+err.Error(), cmp.Or(d.app.NextStep(err), "mend the file, or name another one"))
		return
	}
	if from = "key from " + from; key == "" {
		from = "no key"
	}
	set := func(key, value, variable string) string {
		if p.From != models.FromConfig {
			return "set " + variable
		}
		return d.app.Verb("config set " + edit.Key("models", name, key) + " " + value)
	}
	elsewhere := "start the server, or " + set("base_url", "ADDRESS", "OPENAI_BASE_URL")
	switch {
	case m.BaseURL == "":
		d.gap(what, name+": no address", set("base_url", "ADDRESS", "OPENAI_BASE_URL"))
		return
	case m.Model == "":
		d.gap(what, name+": no model is named", set("model", "NAME", "KEN_MODEL"))
		return
	case d.offline:
		d.note(what, fmt.Sprintf("%s: %s, %s; its server was not asked", name, m.Model, from), "")
		return
	case p.From == models.FromThisMachine:
		d.ok(what, "%s at %s, found on this machine", name, p.Host())
		return
	}
	ask, cancel := context.WithTimeout(ctx, modelWait)
	defer cancel()
	found, err := discover.Models(ask, discover.Server{BaseURL: m.BaseURL, Key: key, Plain: m.PlainHTTP})
	list := make([]string, len(found))
	for i := range found {
		list[i] = found[i].Name
	}
	at := "the server at " + p.Host()
	var errno syscall.Errno
	switch {
	case errors.Is(err, discover.ErrExposed):
		d.gap(what, fmt.Sprintf("%s: %s (%s, %s)", name, discover.ErrExposed, p.Host(), from), "use an https:// address, or "+set("plain_http", "true", "plain_http in a [models.NAME]"))
	case errors.Is(err, discover.ErrKey):
		d.gap(what, fmt.Sprintf("%s: %s refuses the key (%s)", name, at, from), set("api_key_env", "VARIABLE", "OPENAI_API_KEY"))
	case errors.Is(err, discover.ErrNoList):
		d.note(what, fmt.Sprintf("%s: %s answers, but does not list its models", name, at), "try it: "+d.app.Verb("ask hello"))
	case errors.Is(err, context.DeadlineExceeded):
		d.gap(what, fmt.Sprintf("%s: %s gave no answer within %s", name, at, modelWait), elsewhere)
	case errors.As(err, &errno):
		d.gap(what, fmt.Sprintf("%s: %s: %v", name, at, errno), elsewhere)
	case err != nil:
		d.gap(what, fmt.Sprintf("%s: %s: %v", name, at, errors.Unwrap(err)), elsewhere)
	case !slices.Contains(list, m.Model) && !slices.Contains(list, m.Model+":latest"):
		const most = 5
		has := strings.Join(list[:min(len(list), most)], ", ")
		if len(list) > most {
			has += ", ..."
		}
		d.gap(what, fmt.Sprintf("%s: %s has no %s; it has %s", name, at, m.Model, cmp.Or(has, "none")), set("model", "NAME", "KEN_MODEL"))
	default:
		d.ok(what, "%s: %s at %s, %s", name, m.Model, p.Host(), from)
	}
}

// files looks at what ken keeps.
func (d *doctor) files(ctx context.Context, paths config.Paths, readable bool) {
	d.disk(ctx, paths)
	if !readable {
		return // where the files are is not known
	}
	s, err := d.app.Home.Memory.State(ctx)
	if err != nil {
		d.gap("memory", err.Error(), d.app.Verb("check"))
		return
	}
	now := d.app.Env.Now()
	c := &checker{paths: paths, mask: d.app.Home.Keys.MaskText, now: now, verb: d.app.Verb}
	c.dir(filepath.Dir(paths.Memory()), false) // copies that programs made
	if err := c.memory(ctx); err != nil {
		d.gap("memory", err.Error(), d.app.Verb("check"))
		return
	}
	says := view.Thousands(len(asof.Items(s, now)), "item") + " in " + short(d.app, paths.Memory())
	switch {
	case c.Errors > 0:
		d.gap("memory", fmt.Sprintf("%s; %s", says, view.Count(c.Errors, "error")), "see where: "+d.app.Verb("check"))
	case c.Warnings > 0:
		d.note("memory", fmt.Sprintf("%s; %s", says, view.Count(c.Warnings, "warning")), "see where: "+d.app.Verb("check"))
	default:
		d.ok("memory", "%s", says)
	}
	if list, err := d.app.Home.Conversations.Dir().Paths(); err != nil {
		d.gap("sessions", err.Error(), d.app.Verb("check"))
	} else {
		d.ok("sessions", "%s", view.Thousands(len(list), "conversation"))
	}
	d.clock(s)
}

// clock looks whether the clock can be right: what is written now must not be
// older than what was written before.
func (d *doctor) clock(s *memory.State) {
	now := d.app.Env.Now()
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
		d.note("clock", fmt.Sprintf("%s, but the newest memory is of %s", view.When(now), view.When(newest)), "one of the clocks that wrote here is wrong")
	default:
		d.ok("clock", "%s", view.When(now))
	}
}

// around looks at the terminal and at the programs that ken starts.
func (d *doctor) around(cfg config.Config) {
	d.terminal()
	getenv := d.app.Env.Getenv
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	if plain := strings.ToLower(strings.ReplaceAll(locale, "-", "")); strings.Contains(plain, "utf8") {
		d.ok("locale", "%s", locale)
	} else {
		d.note("locale", cmp.Or(locale, "none")+" is not UTF-8: other programs may not show all letters", "export LANG=C.UTF-8")
	}
	shell := cmp.Or(cfg.Shell.Program, getenv("SHELL"), "/bin/sh")
	if _, err := d.app.Process.FindProgram(shell); err != nil {
		d.gap("shell", causeOf(errors.Unwrap(err))+": "+shell, d.app.Verb("config set shell.program /bin/sh"))
	} else {
		d.ok("shell", "%s", shell)
	}
	editor := cmp.Or(getenv("VISUAL"), getenv("EDITOR"), "vi")
	program, _, _ := strings.Cut(editor, " ")
	if _, err := d.app.Process.FindProgram(program); err != nil {
		d.note("editor", program+" is not there", "export EDITOR=PROGRAM")
	} else {
		d.ok("editor", "%s", editor)
	}
	if git, err := d.app.Process.FindProgram("git"); err != nil {
		d.note("git", "not there: a repository without a remote counts as a directory", "install git, if you like")
	} else {
		d.ok("git", "%s", git)
	}
	d.completion(filepath.Base(shell))
}

// completion looks in the usual places for the words that the person's shell
// completes.
func (d *doctor) completion(shell string) {
	home := d.app.Env.Getenv("HOME")
	data := cmp.Or(d.app.Env.Getenv("XDG_DATA_HOME"), filepath.Join(home, ".local/share"))
	conf := cmp.Or(d.app.Env.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
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
			d.ok("completion", "%s", short(d.app, f))
			return
		}
	}
	for _, f := range []string{".bashrc", ".bash_profile", ".zshrc", ".config/fish/config.fish"} {
		f = filepath.Join(home, f)
		if text, err := regular.Read(f, 4<<20); err == nil && strings.Contains(string(text), "ken completion") {
			d.ok("completion", "%s", short(d.app, f))
			return
		}
	}
	d.note("completion", "not set up for "+shell, "see "+d.app.Verb("completion "+shell+" --help"))
}
