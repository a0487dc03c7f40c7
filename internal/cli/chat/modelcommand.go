package chat

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/models"
	"ken/internal/repl"
	"ken/internal/repl/choose"
	"ken/internal/view"
)

const (
	// modelsWait is how long a list of models waits for the servers, and switching for what the
	// server says of the model.
	modelsWait = 2 * time.Second
	studyWait  = 500 * time.Millisecond
	// mostModels is how many models of servers are listed, unless all are wanted.
	mostModels = 20
)

// ModelCommand is `model`, a command of a shell.
func ModelCommand(a *term.Run, shell *REPL) *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "model [MODEL]",
		Short: "the models there are; with MODEL, talk to that one from now on",
		Long: `Model lists the models that can be asked, * before the one in force: your presets, and
what their servers list. On a terminal you choose from the list as you type.

MODEL is a preset, a name that one of the servers lists or what only one of them begins
with, or PRESET/NAME for a model at the server of a preset that is in no list. It
answers until you leave; to keep it, set model, or models.PRESET.model. Where nothing is
configured, a model on this machine is looked for.`,
		Args:        cobra.MaximumNArgs(1),
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if err := a.Home.Models().Look(ctx); err != nil {
				return err
			}
			if len(args) == 1 {
				return changeModel(ctx, a, shell, args[0])
			}
			if !asJSON && !all {
				switch name, err := chooseModel(ctx, a); {
				case err == nil && name == "":
					return nil
				case err == nil:
					return changeModel(ctx, a, shell, name)
				case !errors.Is(err, repl.ErrNoTerminal):
					return err
				}
			}
			return listModels(ctx, a, asJSON, all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the list as a JSON array")
	cmd.Flags().BoolVar(&all, "all", false, "list all that the servers list, and choose none")
	return cmd
}

// listModels prints the models.
func listModels(ctx context.Context, a *term.Run, asJSON, all bool) error {
	l, err := a.Home.Models().List(ctx, modelsWait)
	switch {
	case err != nil:
		return err
	case asJSON:
		return a.PrintJSON(l)
	}
	more := 0
	if !all {
		l, more = l.Few(mostModels)
	}
	if err := a.Println(l.Text(a.Screen.Width())); err != nil || more == 0 {
		return err
	}
	a.Status("%s more are listed: %s", view.Thousands(more, "model"), a.Verb("model --all"))
	return nil
}

// chooseModel has the person choose; "" is nothing.
func chooseModel(ctx context.Context, a *term.Run) (string, error) {
	if !a.Person.Present() {
		return "", repl.ErrNoTerminal
	}
	l, err := a.Home.Models().List(ctx, modelsWait)
	if err != nil {
		return "", err
	}
	c, err := which.FromList(ctx, a, choose.Options{
		Ask: "which model?",
		Entries: func(context.Context) iter.Seq[choose.Entry] {
			return func(yield func(choose.Entry) bool) {
				for _, m := range l {
					text := m.Call()
					if text != m.Model {
						text += ": " + m.Model
					}
					if m.Current {
						text += " (in force)"
					}
					note := m.Host
					if !m.Assumed {
						note = view.Thousands(m.ContextTokens, "token") + "  " + note
					}
					if !yield(choose.Entry{ID: m.Name, Text: text, Note: note}) {
						return
					}
				}
			}
		},
	})
	if err != nil || !c.Taken {
		return "", err
	}
	return c.ID, nil
}

// changeModel has a model answer from now on.
func changeModel(ctx context.Context, a *term.Run, shell *REPL, name string) error {
	p, err := shell.SwitchModel(ctx, name)
	if err != nil {
		return err
	}
	f := a.Home.Models().Study(ctx, p, studyWait)
	size := view.Thousands(f.Window, "token")
	if f.WindowBy == models.ByNobody {
		size += ", which is assumed"
	}
	if p.Name == p.Model.Model || p.Of() != "" {
		a.Status("model: %s (at %s; %s)", p.Model.Model, p.Host(), size)
		return nil
	}
	a.Status("model: %s (%s at %s; %s)", p.Name, p.Model.Model, p.Host(), size)
	return nil
}
