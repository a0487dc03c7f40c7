package setup

import (
	"context"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/config/edit"
	"ken/internal/fault"
	"ken/internal/settings"
)

func initCommand(a *term.Run) *cobra.Command {
	var force bool
	var given settings.Model
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
	cmd.Flags().StringVar(&given.Name, "model", "", "the `NAME` of the model there")
	cmd.Flags().StringVar(&given.KeyEnv, "key-env", "", "the environment `VARIABLE` that holds its key")
	return cmd
}

func initSettings(a *term.Run, cmd *cobra.Command, force bool, given settings.Model) error {
	f, err := settings.Read(a.Home)
	if err != nil {
		return err
	}
	if f.Stat != nil && !force {
		return fault.Failuref("%s is there already", a.Home.Settings.Short(f.Path)).
			WithHint("change it: %s or %s; begin anew and keep the old one: %s --force", fault.Command("config set"), fault.Command("config edit"), fault.Command("config init"))
	}
	var first settings.First
	switch told := given != (settings.Model{}); {
	case told:
		first.Model, err = settings.Complete(cmd.Context(), a.Home.Models(), given)
	case term.IsTerminal(a.Env.Stdin) && term.IsTerminal(a.Env.Stderr) && a.Person.Present():
		first, err = askBasics(cmd.Context(), a)
	}
	if err != nil {
		return err
	}
	path, backup, err := settings.Begin(cmd.Context(), a.Home, first, force)
	if err != nil {
		return err
	}
	if backup != "" {
		a.Status("the old file is %s", a.Home.Settings.Short(backup))
	}
	return a.Println("config: wrote " + a.Home.Settings.Short(path))
}

// askBasics asks for what only the person knows.
func askBasics(ctx context.Context, a *term.Run) (first settings.First, err error) {
	first.Model, err = askModel(ctx, a)
	if err != nil {
		return first, err
	}
	for {
		first.Namespace, err = a.Person.AskLine(ctx, "namespace of your profile, such as your first name (Enter: none): ")
		if err != nil {
			return first, err
		}
		p, wrong := settings.Problem([]string{"memory", "user_namespace"}, edit.Quote(first.Namespace))
		if !wrong {
			return first, nil
		}
		a.Say("ken: ", p.What)
	}
}
