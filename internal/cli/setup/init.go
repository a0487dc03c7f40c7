package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/config/edit"
	"ken/internal/fault"
	"ken/internal/view"
)

func initCommand(a *term.Run) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "write a file of settings that shows all defaults",
		Long: `Init writes a file of settings in which every key stands with its default, commented
out. On a terminal it asks for your model and your namespace first; Enter leaves one
out. A file that is there is not replaced, unless you say --force: it is kept beside
the new one then.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "changes settings"}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return initSettings(a, cmd, force) },
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that is there; it is kept as .bak")
	return cmd
}

func initSettings(a *term.Run, cmd *cobra.Command, force bool) error {
	f, _, err := readSettingsFile(a)
	if err != nil {
		return err
	}
	if f.stat != nil && !force {
		return fault.Failuref("%s is there already", short(a, f.path)).
			WithHint("change it: %s or %s; begin anew and keep the old one: %s --force", fault.Command("config set"), fault.Command("config edit"), fault.Command("config init"))
	}
	text := []byte(view.DefaultSettings())
	if term.IsTerminal(a.Env.Stdin) && term.IsTerminal(a.Env.Stderr) && a.Person.Present() {
		if text, err = askBasics(cmd.Context(), a, text); err != nil {
			return err
		}
	}
	backup := ""
	_, _, err = changeSettings(cmd.Context(), a, func(now settingsFile) ([]byte, error) {
		if now.stat == nil {
			return text, nil
		}
		if !force {
			return nil, fmt.Errorf("%s: %w", now.path, fs.ErrExist)
		}
		backup, err = backUp(now)
		return text, err
	})
	if err != nil {
		return err
	}
	if backup != "" {
		a.Status("the old file is %s", short(a, backup))
	}
	return a.Println("config: wrote " + short(a, f.path))
}

// backUp copies the file to the first free name behind it.
func backUp(f settingsFile) (path string, err error) {
	for n := 1; ; n++ {
		path = f.path + ".bak"
		if n > 1 {
			path = fmt.Sprintf("%s.bak%d", f.path, n)
		}
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.stat.Mode().Perm())
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("keep the old settings: %w", err)
		}
		_, err = out.Write(f.text)
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
	address, err := ask("model server, such as http://127.0.0.1:11434/v1 (Enter: look here)", a.Env.Getenv("OPENAI_BASE_URL"), "models", "x", "base_url")
	if err != nil {
		return nil, err
	}
	if address != "" {
		name := "main"
		if u, err := url.Parse(address); err == nil && isLoopback(u.Hostname()) {
			name = "local"
		}
		model, err := ask("name of the model there", a.Env.Getenv("KEN_MODEL"), "models", "x", "model")
		if err != nil {
			return nil, err
		}
		offer := ""
		if strings.TrimSpace(a.Env.Getenv("OPENAI_API_KEY")) != "" {
			offer = "OPENAI_API_KEY"
		}
		keyEnv, err := ask("environment variable that holds its key (Enter: "+cmp.Or(offer, "none")+")", offer, "models", "x", "api_key_env")
		if err != nil {
			return nil, err
		}
		err = errors.Join(
			set(name, "model"), set(address, "models", name, "base_url"),
			set(model, "models", name, "model"), set(keyEnv, "models", name, "api_key_env"),
		)
		if err != nil {
			return nil, err
		}
	}
	label, err := ask("namespace of your profile, such as your first name (Enter: none)", "", "memory", "user_namespace")
	if err != nil {
		return nil, err
	}
	return text, set(label, "memory", "user_namespace")
}

// isLoopback reports whether a host is this machine, by its name alone.
func isLoopback(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}
