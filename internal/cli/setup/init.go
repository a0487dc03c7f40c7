package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"ken/internal/cli/setup/model"
	"ken/internal/cli/term"
	"ken/internal/config/edit"
	"ken/internal/fault"
	"ken/internal/view"
)

func initCommand(a *term.Run) *cobra.Command {
	var force bool
	var given model.First
	cmd := &cobra.Command{
		Use:   "init",
		Short: "write a settings file that shows all defaults",
		Long: `Init writes a file of settings in which every key stands with its default, commented
out. On a terminal it asks for your model and your namespace first: it lists the models that
it finds here, or at the server that you name, and tries the one that you choose with one
short question. A file that is there is not replaced, unless you say --force: it is kept
beside the new one then. Without a terminal, or to be asked nothing of the model, say
--server, and --model unless the server has only one.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "changes settings", Settings: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return initSettings(a, cmd, force, given) },
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that is there; it is kept as .bak")
	cmd.Flags().StringVar(&given.BaseURL, "server", "", "the model is at `ADDRESS`, or at the vendor of that name")
	cmd.Flags().StringVar(&given.Model, "model", "", "the `NAME` of the model there")
	cmd.Flags().StringVar(&given.KeyEnv, "key-env", "", "the environment `VARIABLE` that holds its key")
	return cmd
}

func initSettings(a *term.Run, cmd *cobra.Command, force bool, given model.First) error {
	f, _, err := readSettingsFile(a)
	if err != nil {
		return err
	}
	if f.Stat != nil && !force {
		return fault.Failuref("%s is there already", a.Home.Settings.Short(f.Path)).
			WithHint("change it: %s or %s; begin anew and keep the old one: %s --force", fault.Command("config set"), fault.Command("config edit"), fault.Command("config init"))
	}
	text := []byte(view.DefaultSettings())
	switch told := given != (model.First{}); {
	case told:
		if given, err = model.Flags(cmd.Context(), a, given); err != nil {
			return err
		}
		for key, value := range map[string]string{"base_url": given.BaseURL, "model": given.Model, "api_key_env": given.KeyEnv} {
			if p, wrong := problemOf([]string{"models", "x", key}, edit.Quote(value)); wrong {
				return fault.Usagef("%s", p.What)
			}
		}
		if text, err = withModel(text, given); err != nil {
			return err
		}
	case term.IsTerminal(a.Env.Stdin) && term.IsTerminal(a.Env.Stderr) && a.Person.Present():
		if text, err = askBasics(cmd.Context(), a, text); err != nil {
			return err
		}
	}
	backup := ""
	_, _, err = changeSettings(cmd.Context(), a, func(now settingsFile) ([]byte, error) {
		if now.Stat == nil {
			return text, nil
		}
		if !force {
			return nil, fmt.Errorf("%s: %w", now.Path, fs.ErrExist)
		}
		backup, err = backUp(now)
		return text, err
	})
	if err != nil {
		return err
	}
	if backup != "" {
		a.Status("the old file is %s", a.Home.Settings.Short(backup))
	}
	return a.Println("config: wrote " + a.Home.Settings.Short(f.Path))
}

// backUp copies the file to the first free name behind it.
func backUp(f settingsFile) (path string, err error) {
	for n := 1; ; n++ {
		path = f.Path + ".bak"
		if n > 1 {
			path = fmt.Sprintf("%s.bak%d", f.Path, n)
		}
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.Stat.Mode().Perm())
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("keep the old settings: %w", err)
		}
		_, err = out.Write(f.Text)
		if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
			return "", fmt.Errorf("keep the old settings: %w", err)
		}
		return path, nil
	}
}

// askBasics asks for what only the person knows, and puts it into text.
func askBasics(ctx context.Context, a *term.Run, text []byte) ([]byte, error) {
	ask := func(question, offer string, key ...string) (string, error) {
		if offer != "" {
			question += " [" + offer + "]"
		}
		for {
			answer, err := a.Person.AskLine(ctx, question+": ")
			if err != nil {
				return "", err
			}
			if answer == "" {
				answer = offer
			}
			if p, wrong := problemOf(key, edit.Quote(answer)); wrong {
				a.Say("ken: ", p.What)
				continue
			}
			return answer, nil
		}
	}
	set := func(value string, key ...string) (err error) {
		if value != "" {
			text, err = edit.Set(text, key, edit.Quote(value))
		}
		return err
	}
	first, err := model.Ask(ctx, a, func(key, value string) string {
		p, _ := problemOf([]string{"models", "x", key}, edit.Quote(value))
		return p.What
	})
	if err != nil {
		return nil, err
	}
	if text, err = withModel(text, first); err != nil {
		return nil, err
	}
	label, err := ask("namespace of your profile, such as your first name (Enter: none)", "", "memory", "user_namespace")
	if err != nil {
		return nil, err
	}
	return text, set(label, "memory", "user_namespace")
}

// withModel puts a model into text, if there is one.
func withModel(text []byte, f model.First) ([]byte, error) {
	if f.Preset == "" {
		return text, nil
	}
	var err error
	set := func(value string, key ...string) {
		if err == nil && value != "" {
			text, err = edit.Set(text, key, edit.Quote(value))
		}
	}
	set(f.Preset, "model")
	set(f.BaseURL, "models", f.Preset, "base_url")
	set(f.Model, "models", f.Preset, "model")
	set(f.KeyEnv, "models", f.Preset, "api_key_env")
	return text, err
}
