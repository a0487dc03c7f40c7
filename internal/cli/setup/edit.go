package setup

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/repl"
	"ken/internal/view"
)

func editCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use:   "edit",
		Short: "edit the settings file in your editor",
		Long: `Edit opens a copy of the file of settings in VISUAL, EDITOR or vi. The copy takes
the file's place once it can be read; until then the old file stays.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "changes settings"}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return editSettings(a, cmd) },
	}
}

func editSettings(a *term.Run, cmd *cobra.Command) error {
	f, _, err := readSettingsFile(a)
	if err != nil {
		return err
	}
	if !a.Person.Present() {
		return fault.New(fault.Refused, errors.New("no terminal for an editor")).
			WithHint("set single keys: %s KEY VALUE", fault.Command("config set"))
	}
	text := f.text
	if f.stat == nil {
		text = []byte(view.DefaultSettings())
	}
	draft, err := draftOf(text)
	if err != nil {
		return err
	}
	for {
		if err := a.Person.EditFile(cmd.Context(), draft); err != nil {
			return errors.Join(err, os.Remove(draft))
		}
		edited, err := os.ReadFile(draft)
		if err != nil {
			return fmt.Errorf("edit settings: %w", err)
		}
		if bytes.Equal(edited, f.text) {
			a.Status("nothing changed")
			return os.Remove(draft)
		}
		cfg, err := config.Parse(edited, short(a, f.path))
		if err == nil {
			return keepEdited(a, cmd, f, cfg, edited, draft)
		}
		a.Say("ken: error: ", err.Error())
		again, err := a.Person.Confirm(cmd.Context(), "edit it again? (no keeps the old file)")
		if errors.Is(err, repl.ErrNoTerminal) || err == nil && !again {
			return fault.New(fault.Refused, errors.New("the settings are as they were")).WithHint("what you wrote is in %s", draft)
		}
		if err != nil {
			return err
		}
	}
}

// draftOf writes a text to a file of its own, which only this person can read.
func draftOf(text []byte) (path string, err error) {
	d, err := os.CreateTemp("", "ken-config-*.toml")
	if err != nil {
		return "", fmt.Errorf("edit settings: %w", err)
	}
	_, err = d.Write(text)
	if err = errors.Join(err, d.Close()); err != nil {
		return "", fmt.Errorf("edit settings: %w", err)
	}
	return d.Name(), nil
}

// keepEdited puts what was edited in the place of f.
func keepEdited(a *term.Run, cmd *cobra.Command, f settingsFile, cfg config.Config, edited []byte, draft string) error {
	_, _, err := changeSettings(cmd.Context(), a, func(now settingsFile) ([]byte, error) {
		if !bytes.Equal(now.text, f.text) || (now.stat == nil) != (f.stat == nil) {
			return nil, fmt.Errorf("%s was changed while you edited a copy of it", short(a, f.path))
		}
		return edited, nil
	})
	if err != nil {
		return fault.New(fault.Failure, err).WithHint("what you wrote is in %s", draft)
	}
	for _, key := range cfg.Unused() {
		a.Say("ken: warning: ", fmt.Sprintf("setting %s is kept for later: nothing reads it yet", key))
	}
	if a.Shell != nil {
		a.Home.Settings.Take(cfg)
		a.Home.Memory.Changed()
		a.Status("in force now, but for history, session, context, memory.enabled and memory.path: those from the next start")
	}
	if err := os.Remove(draft); err != nil {
		a.Warn(err)
	}
	return a.Println("config: changed " + short(a, f.path))
}
