package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/setup/model"
	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/regular"
	lineedit "ken/internal/repl/edit"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// Signs says how something stands that the doctor does not know.
type Signs func(ctx context.Context, a *term.Run) []view.Sign

func doctorCommand(a *term.Run, others Signs) *cobra.Command {
	var asJSON, offline bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "check the setup and say how to fix each gap",
		Long: `Doctor looks at what ken needs around it: settings, a model, the disk, the memory,
the terminal, the assistants that use the memory. Each line says ok, gap or note, and what
closes a gap. It asks the server of your model for its list, and nobody else; --offline
leaves that out. What assistants start by their settings it starts as well, for two seconds
at most. The exit code is 1 if there is a gap.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(term.UsesMemory()),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := &doctor{app: a, offline: offline, others: others}
			d.Signs = []view.Sign{} // none is an empty array
			d.look(cmd.Context())
			return d.tell(asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	cmd.Flags().BoolVar(&offline, "offline", false, "ask no server")
	return cmd
}

// Look is what doctor says of the set-up, without asking any server or starting anything.
func Look(ctx context.Context, a *term.Run) []view.Sign {
	d := &doctor{app: a, offline: true}
	d.look(ctx)
	for i, s := range d.Signs {
		d.Signs[i].Says = a.Home.Keys.MaskText(s.Says)
	}
	return d.Signs
}

// A doctor looks at the set-up.
type doctor struct {
	model.Found
	app     *term.Run
	offline bool
	others  Signs
}

func (d *doctor) tell(asJSON bool) error {
	gaps := 0
	for i, s := range d.Signs {
		d.Signs[i].Says = d.app.Home.Keys.MaskText(s.Says)
		if s.Level == "gap" {
			gaps++
		}
	}
	var err error
	if asJSON {
		err = d.app.PrintJSON(d.Signs)
	} else {
		err = d.app.Println(view.Signs(d.Signs))
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
			d.Gap("settings", line, next)
		}
	case serr != nil:
		d.Note("settings", "all defaults; no "+file, d.app.Verb("config init")+" writes one")
	default:
		for _, p := range cfg.Missing() {
			d.Gap("settings", p.Key+": "+p.What, "mend it: "+d.app.Verb("config edit"))
		}
		for _, what := range lineedit.KeyProblems(cfg.Keys) {
			d.Gap("settings", what, "mend it: "+d.app.Verb("config edit"))
		}
		n := 0
		for _, s := range cfg.Settings() {
			if s.Row > 0 {
				n++
			}
		}
		d.OK("settings", "%s, %s", file, view.Count(n, "setting"))
	}
	if err == nil {
		if _, err = d.app.Home.Settings.Read(); err == nil {
			model.Look(ctx, d.app, cfg, d.offline, &d.Found)
			d.met()
			d.Signs = append(d.Signs, embeddingSigns(ctx, d.app, d.offline)...)
		}
	}
	if paths != (config.Paths{}) {
		d.files(ctx, paths, err == nil)
	}
	d.around(ctx, cfg)
	d.Signs = append(d.Signs, continuitySigns(d.app, cfg, err == nil)...)
}

// met says where the person never wants their memory: a yes that is missed.
func (d *doctor) met() {
	list, err := d.app.Home.Meetings.List()
	if err != nil {
		d.Gap("met", err.Error(), "")
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
		d.Note("met", says, "take it back: "+d.app.Verb("memory trust met revoke "+m.Name))
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
		d.Gap("memory", err.Error(), d.app.Verb("doctor --files"))
		return
	}
	now := d.app.Env.Now()
	c := &checker{paths: paths, mask: d.app.Home.Keys.MaskText, now: now, verb: d.app.Verb}
	c.dir(filepath.Dir(paths.Memory()), false) // copies that programs made
	if err := c.memory(ctx); err != nil {
		d.Gap("memory", err.Error(), d.app.Verb("doctor --files"))
		return
	}
	says := view.Thousands(len(asof.Items(s, now)), "item") + " in " + short(d.app, paths.Memory())
	switch {
	case c.Errors > 0:
		d.Gap("memory", fmt.Sprintf("%s; %s", says, view.Count(c.Errors, "error")), "see where: "+d.app.Verb("doctor --files"))
	case c.Warnings > 0:
		d.Note("memory", fmt.Sprintf("%s; %s", says, view.Count(c.Warnings, "warning")), "see where: "+d.app.Verb("doctor --files"))
	default:
		d.OK("memory", "%s", says)
	}
	if list, err := d.app.Home.Conversations.Dir().Paths(); err != nil {
		d.Gap("sessions", err.Error(), d.app.Verb("doctor --files"))
	} else {
		d.OK("sessions", "%s", view.Thousands(len(list), "conversation"))
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
		d.Gap("clock", view.When(now)+" cannot be", "set the clock of this machine")
	case newest.After(now.Add(24 * time.Hour)):
		d.Note("clock", fmt.Sprintf("%s, but the newest memory is of %s", view.When(now), view.When(newest)), "one of the clocks that wrote here is wrong")
	default:
		d.OK("clock", "%s", view.When(now))
	}
}

// around looks at the terminal and at the programs that ken starts.
func (d *doctor) around(ctx context.Context, cfg config.Config) {
	d.terminal()
	getenv := d.app.Env.Getenv
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	if plain := strings.ToLower(strings.ReplaceAll(locale, "-", "")); strings.Contains(plain, "utf8") {
		d.OK("locale", "%s", locale)
	} else {
		d.Note("locale", cmp.Or(locale, "none")+" is not UTF-8: other programs may not show all letters", "export LANG=C.UTF-8")
	}
	shell := cmp.Or(cfg.Shell.Program, getenv("SHELL"), "/bin/sh")
	if _, err := d.app.Process.FindProgram(shell); err != nil {
		d.Gap("shell", causeOf(errors.Unwrap(err))+": "+shell, d.app.Verb("config set shell.program /bin/sh"))
	} else {
		d.OK("shell", "%s", shell)
	}
	editor := cmp.Or(getenv("VISUAL"), getenv("EDITOR"), "vi")
	program, _, _ := strings.Cut(editor, " ")
	if _, err := d.app.Process.FindProgram(program); err != nil {
		d.Note("editor", program+" is not there", "export EDITOR=PROGRAM")
	} else {
		d.OK("editor", "%s", editor)
	}
	if git, err := d.app.Process.FindProgram("git"); err != nil {
		d.Note("git", "not there: a repository without a remote counts as a directory", "install git, if you like")
	} else {
		d.OK("git", "%s", git)
	}
	d.sandbox(cfg)
	d.rehearsal(ctx)
	d.toolServers()
	if d.others != nil {
		d.Signs = append(d.Signs, d.others(ctx, d.app)...)
	}
	d.completion(filepath.Base(shell))
}

// sandbox says what a model's commands can be held with here, and whether they are.
func (d *doctor) sandbox(cfg config.Config) {
	if d.app.Env.Sandbox == nil {
		return
	}
	has, lacks, enough := d.app.Env.Sandbox()
	wanted := cfg.Safety.Sandbox
	if lacks != "" && enough {
		has += "; " + lacks
	}
	switch {
	case !enough && wanted == "off":
		d.Note("sandbox", "off; this machine has "+has, "")
	case !enough:
		d.Gap("sandbox", wanted+": no command of a model runs, since this machine has "+has, d.app.Verb("config set safety.sandbox off"))
	case wanted == "off":
		d.Note("sandbox", "off; a model's commands could be held with "+has, d.app.Verb("config set safety.sandbox auto"))
	default:
		d.OK("sandbox", "%s: a model's commands are held with %s", wanted, has)
	}
}

// rehearsal says whether a command can be rehearsed here.
func (d *doctor) rehearsal(ctx context.Context) {
	if d.app.Env.Rehearsal == nil {
		return
	}
	err := d.app.Env.Rehearsal(ctx, d.app.Env.Getenv("TMPDIR"))
	if err != nil {
		d.Note("rehearsal", "not on this machine: "+termsafe.Line(err.Error()), "")
		return
	}
	d.OK("rehearsal", "what a command would change can be tried aside: %s", d.app.Verb("rehearse COMMAND"))
}

// toolServers says which tool servers did not answer lately. None is started.
func (d *doctor) toolServers() {
	s, err := d.app.Servers()
	if err != nil {
		return // it is said of the settings
	}
	for _, st := range s.List() {
		if !st.Unawaited.IsZero() {
			says := st.Name + " did not answer: no question waits for it until " + view.When(st.Unawaited)
			d.Note("tools", says, "ask it once more: "+d.app.Verb("mcp list"))
		}
	}
}

// completion looks in the usual places for the words that the person's shell
// completes.
func (d *doctor) completion(shell string) {
	home := d.app.Env.Getenv("HOME")
	under := func(variable, usual string) string {
		if dir := d.app.Env.Getenv(variable); filepath.IsAbs(dir) {
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
			d.OK("completion", "%s", short(d.app, f))
			return
		}
	}
	for _, f := range []string{".bashrc", ".bash_profile", ".zshrc", ".config/fish/config.fish"} {
		f = filepath.Join(home, f)
		if text, err := regular.Read(f, 4<<20); err == nil && strings.Contains(string(text), "ken completion") {
			d.OK("completion", "%s", short(d.app, f))
			return
		}
	}
	d.Note("completion", "not set up for "+shell, "see "+d.app.Verb("completion "+shell+" --help"))
}
