package setup

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/repl"
	"ken/internal/settings"
	"ken/internal/view"
)

func editCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use:   "edit",
		Short: "edit the settings file in your editor",
		Long: `Edit opens a copy of the file of settings in VISUAL, EDITOR or vi. The copy takes
the file's place once it can be read; until then the old file stays.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "changes settings", Settings: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return editSettings(a, cmd) },
	}
}

func editSettings(a *term.Run, cmd *cobra.Command) (err error) {
	f, err := settings.Read(a.Home)
	if err != nil {
		return err
	}
	if !a.Person.Present() {
		return fault.New(fault.Refused, errors.New("no terminal for an editor")).
			WithHint("set single keys: %s KEY VALUE", fault.Command("config set"))
	}
	text := f.Text
	if f.Stat == nil {
		text = []byte(view.DefaultSettings())
	}
	d, err := a.Person.Draft(cmd.Context(), "config.toml", text)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Done()) }()
	for {
		if err := a.Person.EditFile(cmd.Context(), d.Path()); err != nil {
			return err
		}
		edited, err := d.Text()
		if err != nil {
			return fmt.Errorf("edit settings: %w", err)
		}
		if bytes.Equal(edited, f.Text) {
			a.Status("nothing changed")
			return nil
		}
		cfg, err := config.Parse(edited, a.Home.Settings.Short(f.Path))
		if err == nil {
			return keepEdited(a, cmd, f, cfg, edited, d.Keep)
		}
		a.Say("ken: error: ", err.Error())
		again, err := a.Person.Confirm(cmd.Context(), "edit it again? (no keeps the old file)")
		if errors.Is(err, repl.ErrNoTerminal) || err == nil && !again {
			return keptDraft(a, fault.New(fault.Refused, errors.New("the settings are as they were")), d.Keep)
		}
		if err != nil {
			return err
		}
	}
}

// keptDraft leaves what was edited to the person, and says where.
func keptDraft(a *term.Run, err *fault.Error, keep func() (string, error)) error {
	path, lost := keep()
	if lost != nil {
		return errors.Join(err, lost)
	}
	return err.WithHint("what you wrote is in %s for a week", a.Home.Settings.Short(path))
}

// keepEdited puts what was edited in the place of f.
func keepEdited(a *term.Run, cmd *cobra.Command, f settings.File, cfg config.Config, edited []byte, keep func() (string, error)) error {
	_, _, err := settings.Change(cmd.Context(), a.Home, func(now settings.File) ([]byte, error) {
		if !bytes.Equal(now.Text, f.Text) || (now.Stat == nil) != (f.Stat == nil) {
			return nil, fmt.Errorf("%s was changed while you edited a copy of it", a.Home.Settings.Short(f.Path))
		}
		return edited, nil
	})
	if err != nil {
		return keptDraft(a, fault.New(fault.Failure, err), keep)
	}
	for _, key := range cfg.Unused() {
		a.Say("ken: warning: ", fmt.Sprintf("setting %s is kept for later: nothing reads it yet", key))
	}
	if a.Shell != nil {
		a.Home.Settings.Take(cfg)
		a.Home.Memory.Changed()
		a.Status("in force now, but for history, session, context, memory.enabled and memory.path: those from the next start")
	}
	return a.Println("config: changed " + a.Home.Settings.Short(f.Path))
}
