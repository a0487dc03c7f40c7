package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	xterm "golang.org/x/term"

	"ken/internal/app"
	"ken/internal/cli/serve"
	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/doctor"
	"ken/internal/fault"
	"ken/internal/repl"
	lineedit "ken/internal/repl/edit"
	"ken/internal/view"
)

func doctorCommand(a *term.Run) *cobra.Command {
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
			o := doctor.Options{
				Config: a.Flags.Config, Offline: offline, Self: a.Env.Self, Unstarted: "it is started for a person only",
				Keys: lineedit.KeyProblems, Terminal: []view.Sign{terminal(a)}, Users: append(serve.ClientSigns(a), serve.PhoneSigns(a)...),
			}
			o.Servers, _ = a.Servers() // what is wrong with the settings is said of them
			if !a.Lane.In() {
				start := a.Starter()
				o.Starter = &start
			}
			return tellSigns(a, doctor.Look(cmd.Context(), a.Home, person{a}, o), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	cmd.Flags().BoolVar(&offline, "offline", false, "ask no server")
	return cmd
}

// A Doctor looks at the set-up for somebody who is not at this terminal. It starts nothing, and is safe for concurrent use.
type Doctor struct{ Run *term.Run }

// Look implements web.Doctor.
func (d Doctor) Look(ctx context.Context, offline bool) []view.Sign {
	h := d.Run.Home.App().View(app.Standing{Dir: d.Run.Env.Dir}) // a view is for one look
	return doctor.Look(ctx, h, person{d.Run}, doctor.Options{
		Config: d.Run.Flags.Config, Offline: offline, Keys: lineedit.KeyProblems,
		Unstarted: "whether it answers is seen at the terminal: ken doctor",
	})
}

// Files implements web.Doctor.
func (d Doctor) Files(ctx context.Context) (view.Report, error) { return files(ctx, d.Run) }

// files checks all files.
func files(ctx context.Context, a *term.Run) (view.Report, error) {
	_, paths, wrong := readSettings(a)
	if wrong != nil && paths == (config.Paths{}) {
		return view.Report{}, fault.New(fault.Usage, wrong)
	}
	return doctor.Files(ctx, person{a}, paths, wrong, a.Env.Now())
}

// A person is who runs a command, as a doctor knows them.
type person struct{ *term.Run }

// Getenv implements doctor.Person.
func (p person) Getenv(name string) string { return p.Env.Getenv(name) }

// FindProgram implements doctor.Person.
func (p person) FindProgram(name string) (string, error) { return p.Process.FindProgram(name) }

func tellSigns(a *term.Run, signs []view.Sign, asJSON bool) error {
	var err error
	if asJSON {
		err = a.PrintJSON(signs)
	} else {
		err = a.Println(view.Signs(signs))
	}
	gaps := len(slices.DeleteFunc(slices.Clone(signs), func(s view.Sign) bool { return s.Level != view.SignGap }))
	if err == nil && gaps > 0 {
		err = term.Reported(fault.Failuref("%s", view.Count(gaps, "gap")))
	}
	return err
}

// terminal is how what the shell is drawn on stands.
func terminal(a *term.Run) view.Sign {
	sign := func(level, says, next string) view.Sign {
		return view.Sign{Level: level, What: "terminal", Says: says, Next: next}
	}
	out, ok := a.Env.Stdout.(*os.File)
	kind := a.Env.Getenv("TERM")
	switch {
	case !ok || !term.IsTerminal(out) || !term.IsTerminal(a.Env.Stdin):
		return sign(view.SignNote, "none: input or output is not a terminal", "")
	case kind == "" || kind == "dumb":
		return sign(view.SignNote, "TERM says that it can do nothing: lines are read plainly", "export TERM=xterm-256color, if it can")
	}
	colour := "colours"
	if a.Env.Getenv("NO_COLOR") != "" {
		colour = "no colours (NO_COLOR)"
	}
	w, h, err := xterm.GetSize(int(out.Fd()))
	if err != nil || w == 0 || h == 0 {
		return sign(view.SignNote, kind+": it does not report its size", "stty rows 24 cols 80")
	}
	if a.Shell == nil && !repl.AnswersCursor() { // the shell has the terminal otherwise
		return sign(view.SignNote, fmt.Sprintf("%s, %dx%d: it does not report where its cursor is, so lines are read plainly", kind, w, h), "")
	}
	return sign(view.SignOK, fmt.Sprintf("%s, %dx%d, %s", kind, w, h, colour), "")
}

func checkCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "check all files for damage; changes nothing",
		Long: `Check reads the settings, the memory, its replicas and all sessions, and reports every
line that cannot be read and every file that others may read. Nothing is repaired: the
files are yours. The exit code is 1 if something is damaged, and 0 if there is nothing
but warnings and notes.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(term.UsesMemory()),
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := files(cmd.Context(), a)
			if err != nil {
				return err
			}
			return tellReport(a, &found, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return cmd
}

func tellReport(a *term.Run, r *view.Report, asJSON bool) error {
	if asJSON {
		if err := a.PrintJSON(r); err != nil {
			return err
		}
	} else {
		_, paths, _ := readSettings(a)
		near := func(path string) string {
			if rel, err := filepath.Rel(paths.Data, path); err == nil && filepath.IsLocal(rel) && rel != "." {
				return rel
			}
			return a.Home.Settings.Short(path)
		}
		for _, f := range r.Findings {
			if err := a.Println(f.Text(near)); err != nil {
				return err
			}
		}
		if err := a.Println(r.Summary()); err != nil {
			return err
		}
		for _, h := range r.Hints() {
			a.Say("ken: hint: ", h)
		}
	}
	if r.Errors > 0 {
		return term.Reported(fault.Failuref("%s", r.Summary()))
	}
	return nil
}
