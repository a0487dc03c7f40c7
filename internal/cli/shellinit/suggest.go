package shellinit

import (
	"context"
	_ "embed" // for what a model reads
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/frame"
	"ken/internal/llm"
	"ken/internal/models"
	"ken/internal/termsafe"
)

//go:embed suggest.txt
var suggestPrompt string

// maxLine is the most bytes of a suggested line.
const maxLine = 4096

func suggestCommand(a *term.Run) *cobra.Command {
	var model, shell string
	cmd := &cobra.Command{
		Use:   "suggest [flags] TEXT",
		Short: "suggest a command line for what you describe; never runs it",
		Long: `Suggest asks the model for one command line that does what TEXT says, and prints it.
Nothing is run, and nothing is remembered. With the script of ken init, a key of your
shell puts that line in the place of the one you typed, for you to look at and edit.`,
		Example:     "  ken suggest \"the ten largest files below this directory\"",
		Annotations: term.Writes{Nothing: true}.Note(term.TextArgument()),
		RunE: func(cmd *cobra.Command, args []string) error {
			text := strings.TrimSpace(strings.Join(args, " "))
			if text == "" {
				return fault.Usagef("a command for what?").WithHint("%s \"...\"", fault.Command("ask --command"))
			}
			line, err := suggest(cmd.Context(), a, model, shell, text)
			if err != nil {
				return err
			}
			return a.PrintAsIs(line)
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&model, "model", "m", "", "ask `MODEL`, a preset or a name that its server lists, and no other one in its place")
	fl.StringVar(&shell, "shell", "", "a line for `SHELL`: bash, zsh or fish")
	return cmd
}

// suggest asks the model.
func suggest(ctx context.Context, a *term.Run, preset, shell, text string) (string, error) {
	if _, err := a.Home.Settings.Read(); err != nil {
		return "", err
	}
	model, _, err := a.Home.Models().Ask(ctx, preset, models.QuestionAlone)
	if errors.Is(err, models.ErrNone) {
		return "", fault.New(fault.Model, err).WithHint("name one: %s", fault.Command("config init"))
	}
	if err != nil {
		return "", err
	}
	system := strings.TrimSpace(suggestPrompt)
	_, found := a.Home.Models().Unconfirmed()
	around := a.Home.Here.Environment(!found)
	if shell != "" {
		around.Shell = termsafe.Line(shell)
	}
	if lines := around.Lines(); len(lines) > 0 {
		system += "\n\n" + a.Home.Keys.MaskText(frame.Environment+"\n"+strings.Join(lines, "\n"))
	}
	ans, err := model.Stream(ctx, llm.Request{Messages: []llm.Message{
		{Role: "system", Content: system},
		{Role: "user", Content: a.Home.Keys.MaskText(termsafe.Clean(text))},
	}}, func(llm.Delta) error { return nil })
	if err != nil {
		return "", err
	}
	a.Home.Models().Spend(ans)
	line := oneLine(ans.Message.Content)
	switch {
	case line == "":
		return "", fault.New(fault.Model, errors.New("the model suggested nothing"))
	case strings.HasPrefix(line, "#"):
		return "", fault.New(fault.Model, fmt.Errorf("the model has no command for that: %s", strings.TrimSpace(strings.TrimPrefix(line, "#"))))
	case len(line) > maxLine:
		return "", fault.New(fault.Model, errors.New("the model suggested more than a line"))
	}
	return line, nil
}

// oneLine is the command line in what a model answered: the first that is none of a
// fence, without a prompt sign. It has no line end, so nothing in it runs by itself.
func oneLine(answer string) string {
	for line := range strings.SplitSeq(termsafe.Clean(answer), "\n") {
		line = strings.TrimSpace(strings.ReplaceAll(line, "\t", " "))
		if line == "" || strings.HasPrefix(line, "```") {
			continue
		}
		if inner := strings.Trim(line, "`"); len(line) > 2 && "`"+inner+"`" == line {
			line = inner
		}
		line = strings.TrimPrefix(line, "CMD: ")
		return strings.TrimSpace(strings.TrimPrefix(line, "$ "))
	}
	return ""
}
