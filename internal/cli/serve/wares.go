package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"ken/internal/agent/turn"
	"ken/internal/cli/question"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/repl"
	"ken/internal/termsafe"
	"ken/internal/tool/mcp"
	"ken/internal/view"
)

// Sends has a question answered in the conversation of the shell; nil outside it.
type Sends func(ctx context.Context, q turn.Question) error

// wareCommands are those about what servers have for people.
func wareCommands(a *term.Run, send Sends, asJSON *bool) []*cobra.Command {
	return []*cobra.Command{
		{
			Use: "resources [SERVER]", Short: "list what servers have to read, for @SERVER:URI", Args: cobra.MaximumNArgs(1),
			Long: `Resources lists the texts and files that servers have. In the shell @SERVER:URI attaches one to your question,
as @FILE does. Where a URI has parts in braces, write what you mean in their place.`,
			Annotations: term.Writes{Nothing: true}.Note(),
			RunE:        func(cmd *cobra.Command, args []string) error { return listResources(cmd.Context(), a, args, *asJSON) },
		},
		{
			Use: "prompts [SERVER]", Short: "list the questions that servers have ready", Args: cobra.MaximumNArgs(1),
			Annotations: term.Writes{Nothing: true}.Note(),
			RunE:        func(cmd *cobra.Command, args []string) error { return listPrompts(cmd.Context(), a, args, *asJSON) },
		},
		{
			Use: "prompt SERVER.PROMPT [ARG=VALUE...]", Short: "show a question that a server has ready; in the shell, ask it",
			Long: `Prompt has a server write a question. In the shell that is the same as :SERVER.PROMPT ARG=VALUE...: what the
server needs to know and was not told is asked, its text is shown, and goes to the model once you said yes. The
words are the server's and not yours: nothing of them is remembered, and they allow nothing. Outside the shell the
text is printed.`,
			Example:     "  ken mcp prompt files.summary path=notes.txt\n  ken mcp prompt files.summary path=notes.txt | ken ask",
			Args:        cobra.MinimumNArgs(1),
			Annotations: term.Writes{Own: "the conversation"}.Note(),
			RunE:        func(cmd *cobra.Command, args []string) error { return askPrompt(cmd.Context(), a, send, args) },
		},
	}
}

// A stock is what one server has, or why that is not known.
type stock[T any] struct {
	server string
	list   []T
	not    []string
	err    error
}

// stocks asks servers what they have, all at once; the one that args name, or all.
func stocks[T any](ctx context.Context, a *term.Run, args []string,
	read func(mcp.Wares, context.Context, string) ([]T, []string, error),
) ([]stock[T], error) {
	s, err := a.Servers()
	if err != nil {
		return nil, err
	}
	names := s.Names()
	if len(args) > 0 {
		if !slices.Contains(names, args[0]) {
			return nil, noServer(args[0])
		}
		names = args[:1]
	}
	if len(names) == 0 {
		a.Status("no tool servers: a table [mcp.servers.NAME] in the settings is one")
	}
	s.Start()
	found := make([]stock[T], len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() {
			found[i].server = name
			found[i].list, found[i].not, found[i].err = read(s.Wares(), ctx, name)
		})
	}
	all.Wait()
	_ = s.Said() // the list says it
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(args) > 0 && found[0].err != nil {
		return nil, failed(ctx, s, found[0].err)
	}
	for _, f := range found {
		for _, why := range f.not {
			a.Status("%s: left out: %s", f.server, why)
		}
		if f.err != nil {
			a.Status("%s", termsafe.Line(f.err.Error()))
		}
	}
	return found, nil
}

// failed is an error of a server, which has told all that is to be told of it.
func failed(ctx context.Context, s *mcp.Servers, err error) error {
	_ = s.Said()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fault.Failuref("%s", termsafe.Line(err.Error()))
}

func listResources(ctx context.Context, a *term.Run, args []string, asJSON bool) error {
	found, err := stocks(ctx, a, args, mcp.Wares.Resources)
	if err != nil {
		return err
	}
	shown, lines := []view.ServerResource{}, []string{}
	for _, f := range found {
		for _, r := range f.list {
			v := view.ServerResource{Name: f.server + ":" + r.URI, Server: f.server, URI: r.URI, About: r.About, Open: r.Open()}
			shown = append(shown, v)
			lines = append(lines, strings.TrimSuffix(v.Name+": "+r.About, ": "))
		}
	}
	return term.Answer(a, asJSON, shown, func() string {
		if len(lines) == 0 {
			return "(nothing to read)"
		}
		return a.Home.Keys.MaskText(strings.Join(lines, "\n"))
	})
}

func listPrompts(ctx context.Context, a *term.Run, args []string, asJSON bool) error {
	found, err := stocks(ctx, a, args, mcp.Wares.Prompts)
	if err != nil {
		return err
	}
	shown, lines := []view.ServerPrompt{}, []string{}
	for _, f := range found {
		for _, p := range f.list {
			v := view.ServerPrompt{Name: f.server + "." + p.Name, Server: f.server, About: p.About}
			line := v.Name
			for _, arg := range p.Args {
				name := termsafe.Line(arg.Name)
				v.Arguments = append(v.Arguments, view.PromptArgument{Name: name, Required: arg.Required})
				if name += "="; !arg.Required {
					name = "[" + name + "]"
				}
				line += " " + name
			}
			shown = append(shown, v)
			lines = append(lines, strings.TrimSuffix(line+": "+p.About, ": "))
		}
	}
	return term.Answer(a, asJSON, shown, func() string {
		if len(lines) == 0 {
			return "(no prompts)"
		}
		return a.Home.Keys.MaskText(strings.Join(lines, "\n"))
	})
}

// askPrompt has a server write a question, shows it, and sends it once the person said yes.
func askPrompt(ctx context.Context, a *term.Run, send Sends, args []string) error {
	server, name, _ := strings.Cut(args[0], ".")
	s, err := a.Servers()
	if err != nil {
		return err
	}
	if !slices.Contains(s.Names(), server) {
		return noServer(server)
	}
	list, _, err := s.Wares().Prompts(ctx, server)
	if err != nil {
		return failed(ctx, s, err)
	}
	i := slices.IndexFunc(list, func(p mcp.Prompt) bool { return p.Name == name })
	if i < 0 {
		return fault.NotFoundf("%s has no prompt %q", server, termsafe.Line(name)).WithHint("%s", fault.Command("mcp prompts "+server))
	}
	p := list[i]
	given, err := arguments(ctx, a, args[0], p, args[1:])
	if err != nil {
		return err
	}
	text, err := s.Wares().Prompt(ctx, server, p.Name, given)
	if err != nil {
		return failed(ctx, s, err)
	}
	shown := question.Shown(a, text)
	if strings.TrimSpace(shown) == "" {
		return fault.Failuref("%s says nothing", args[0])
	}
	if send == nil {
		return a.Println(shown)
	}
	a.Status("the words of the server %s, not yours:", server)
	if err := a.Println(shown); err != nil {
		return err
	}
	switch ok, err := a.Person.Confirm(ctx, "send it?"); {
	case errors.Is(err, repl.ErrNoTerminal):
		return fault.Refusedf("nobody can be asked: it was not sent").WithHint("ken mcp prompt %s | ken ask", args[0])
	case err != nil:
		return err
	case !ok:
		a.Status("not sent")
		return nil
	}
	return send(ctx, question.OfServer(shown, strings.Join(args, " ")))
}

// arguments are those of a prompt by their names: what was given, and what else it needs, which is asked.
func arguments(ctx context.Context, a *term.Run, called string, p mcp.Prompt, words []string) (map[string]string, error) {
	given := map[string]string{}
	takes := make([]string, len(p.Args))
	for i, arg := range p.Args {
		takes[i] = termsafe.Line(arg.Name) + "="
	}
	for _, w := range words {
		name, value, ok := strings.Cut(w, "=")
		_, twice := given[name]
		known := slices.ContainsFunc(p.Args, func(arg mcp.Arg) bool { return arg.Name == name })
		if !ok || !known || twice {
			return nil, fault.Usagef("%s cannot take %q", called, termsafe.Line(w)).
				WithHint("it takes %s", cmp.Or(strings.Join(takes, " "), "nothing"))
		}
		given[name] = value
	}
	for i, arg := range p.Args {
		if _, ok := given[arg.Name]; ok || !arg.Required {
			continue
		}
		missing := fault.Usagef("%s needs %s", called, arg.Label).WithHint("%s %s...", fault.Command("mcp prompt "+called), takes[i])
		value, err := a.Person.AskLine(ctx, fmt.Sprintf("%s needs %s > ", called, arg.Label))
		switch {
		case errors.Is(err, repl.ErrNoTerminal), err == nil && value == "":
			return nil, missing
		case err != nil:
			return nil, err
		}
		given[arg.Name] = value
	}
	return given, nil
}
