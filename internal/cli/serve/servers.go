package serve

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/repl"
	"ken/internal/termsafe"
	"ken/internal/tool/mcp"
	"ken/internal/view"
)

// ServersCommand is the command `mcp` with all below it. send is nil outside the shell.
func ServersCommand(a *term.Run, send Sends) *cobra.Command {
	var asJSON bool
	var m MCP
	cmd := &cobra.Command{
		Use: "mcp", Short: "serve the memory to an assistant; below: tool servers",
		Long: `Mcp speaks the Model Context Protocol over its standard streams: an assistant starts it,
recalls from the memory, and suggests. What it suggests waits in the review. With --http it
answers at an address of this machine instead, whoever has a token of ken serve token, and
gives them what holds everywhere.

The words below it are about the other direction, the tool servers of your settings
([mcp.servers.NAME]): programs and addresses that speak the same protocol and have tools
for models. A tool is called after you were asked, unless mcp.auto_approve names it. What
servers have for you goes into a question of the shell: a resource as @SERVER:URI, a prompt
as :SERVER.PROMPT.`,
		Example: "  ken mcp --as claude\n  ken mcp --http 127.0.0.1:8766\n  ken mcp list\n  ken mcp tools files\n" +
			"  ken mcp tool files.read_file\n  ken mcp resources files",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true, Person: "serves the memory", When: []string{"--http"}, Spares: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.Shell == nil {
				return m.Run(cmd.Context(), a)
			}
			return listServers(cmd.Context(), a, asJSON)
		},
	}
	if a.Shell == nil {
		cmd.Flags().StringVar(&m.Name, "as", "", "what the assistant is called, whatever it says: `NAME`")
		cmd.Flags().StringVar(&m.HTTP, "http", "", "answer at `ADDRESS` of this machine itself: 127.0.0.1:8766")
		cmd.Flags().StringVar(&m.Scope, "scope", "", "give what holds everywhere, and nothing of the project it works in: `user`")
		cmd.Flags().BoolVar(&m.NoBlock, "no-block", false, "greet without what the memory has in front of every conversation")
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "list the servers, and how each is", Args: cobra.NoArgs,
			Annotations: term.Writes{Nothing: true}.Note(),
			RunE:        func(cmd *cobra.Command, _ []string) error { return listServers(cmd.Context(), a, asJSON) },
		},
		&cobra.Command{
			Use: "tools [SERVER]", Short: "list the tools of a server, or of all", Args: cobra.MaximumNArgs(1),
			Annotations: term.Writes{Nothing: true}.Note(),
			RunE:        func(cmd *cobra.Command, args []string) error { return listTools(cmd.Context(), a, args, asJSON) },
		},
		&cobra.Command{
			Use: "tool SERVER.TOOL", Short: "show one tool; one that is new or changed is accepted here", Args: cobra.ExactArgs(1),
			Long: `Tool shows what a tool is for and what it is given. What the tools of a server are is kept
when you first approve of one. One that has changed since, or came later, is offered to no model
before you have seen here what is different, and said yes.`,
			Annotations: term.Writes{Own: "what you accept of a tool server"}.Note(),
			RunE:        func(cmd *cobra.Command, args []string) error { return showTool(cmd.Context(), a, args[0], asJSON) },
		},
		&cobra.Command{
			Use: "log SERVER", Short: "show the last that a server printed beside its messages", Args: cobra.ExactArgs(1),
			Annotations: term.Writes{Nothing: true}.Note(),
			RunE:        func(cmd *cobra.Command, args []string) error { return showLog(cmd.Context(), a, args[0]) },
		},
		&cobra.Command{
			Use: "connect SERVER|URL [NAME]", Short: "connect anew, or to a server at an address until you leave", Args: cobra.RangeArgs(1, 2),
			Annotations: term.Writes{Person: "connects to tool servers"}.Note(),
			RunE:        func(cmd *cobra.Command, args []string) error { return connect(cmd.Context(), a, args) },
		},
		&cobra.Command{
			Use: "disconnect SERVER", Short: "end a server until you leave", Args: cobra.ExactArgs(1),
			Annotations: term.Writes{Person: "ends tool servers"}.Note(),
			RunE: func(_ *cobra.Command, args []string) error {
				s, err := a.Servers()
				if err != nil {
					return err
				}
				if !s.Disconnect(args[0]) {
					return noServer(args[0])
				}
				a.Status("%s: disconnected", args[0])
				return nil
			},
		},
		&cobra.Command{
			Use: "login SERVER", Short: "sign in to a server at an address", Args: cobra.ExactArgs(1),
			Long: `Login has you sign in to a server at an address that wants it. The address where you do is shown, and
opened in a browser if you say so; ken waits for the browser to come back. Where that runs on
another machine, give the address at which it ended. What ken gets is kept, for that server alone,
until you log out.`,
			Annotations: term.Writes{Person: "signs in to tool servers"}.Note(),
			RunE:        func(cmd *cobra.Command, args []string) error { return login(cmd.Context(), a, args[0]) },
		},
		&cobra.Command{
			Use: "logout SERVER", Short: "forget what signing in to a server gave", Args: cobra.ExactArgs(1),
			Annotations: term.Writes{Person: "signs out of tool servers"}.Note(),
			RunE:        func(cmd *cobra.Command, args []string) error { return logout(cmd.Context(), a, args[0]) },
		},
	)
	cmd.AddCommand(wareCommands(a, send, &asJSON)...)
	for _, c := range cmd.Commands() {
		switch c.Name() {
		case "list", "tools", "resources", "prompts":
			c.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
		case "tool":
			c.Flags().BoolVar(&asJSON, "json", false, "as one JSON object; nothing is asked")
		}
	}
	return cmd
}

// started are the servers, each connected to or failed.
func started(ctx context.Context, a *term.Run) (*mcp.Servers, error) {
	s, err := a.Servers()
	if err != nil {
		return nil, err
	}
	s.Start()
	s.Await(ctx)
	return s, ctx.Err()
}

func noServer(name string) error {
	return fault.New(fault.NotFound, fmt.Errorf("no tool server %q", termsafe.Line(name))).WithHint("%s", fault.Command("mcp list"))
}

func listServers(ctx context.Context, a *term.Run, asJSON bool) error {
	s, err := started(ctx, a)
	if err != nil {
		return err
	}
	list := s.List()
	_ = s.Said() // the list says it
	if asJSON {
		shown := make([]view.ToolServer, len(list))
		for i, st := range list {
			shown[i] = view.ToolServer{
				Name: st.Name, Where: termsafe.Line(a.Home.Keys.MaskText(st.Where)), Is: st.Is,
				Why: termsafe.Line(a.Home.Keys.MaskText(st.Why)), Protocol: termsafe.Line(st.Version),
				Tools: st.Tools, Waiting: st.Waiting, Noise: st.Noise, Unawaited: view.Stamp(st.Unawaited),
			}
		}
		return a.PrintJSON(shown)
	}
	if len(list) == 0 {
		a.Status("no tool servers: a table [mcp.servers.NAME] in the settings is one")
		return nil
	}
	wide := 0
	for _, st := range list {
		wide = max(wide, len(st.Name))
	}
	for _, st := range list {
		how := view.Count(st.Tools, "tool")
		switch {
		case st.Is != "ready":
			how = st.Why
			if !st.Unawaited.IsZero() {
				how += "; no question waits for it until " + view.When(st.Unawaited)
			}
		case st.Waiting > 0:
			how += fmt.Sprintf(", %d to look at", st.Waiting)
		}
		line := fmt.Sprintf("%-*s  %-6s  %s: %s", wide, st.Name, st.Is, termsafe.Line(how), termsafe.Line(st.Where))
		if err := a.Println(a.Home.Keys.MaskText(line)); err != nil {
			return err
		}
	}
	return nil
}

// shapeOf is a tool as a program reads it.
func shapeOf(t mcp.Tool, waits string) view.ServerTool {
	return view.ServerTool{Name: t.Shown, Wire: t.Wire, Server: t.Server, Description: t.Description, Waits: waits}
}

func listTools(ctx context.Context, a *term.Run, args []string, asJSON bool) error {
	s, err := started(ctx, a)
	if err != nil {
		return err
	}
	shown := []view.ServerTool{}
	for _, st := range s.List() {
		if len(args) > 0 && st.Name != args[0] {
			continue
		}
		tools, not, _ := s.Tools(st.Name)
		for _, t := range tools {
			if shown = append(shown, shapeOf(t, "")); asJSON {
				continue
			}
			if err := a.Println(t.Shown + ": " + t.Description); err != nil {
				return err
			}
		}
		for _, why := range not {
			a.Status("not offered: %s", why)
		}
		if st.Is != "ready" {
			a.Status("%s: %s", st.Name, termsafe.Line(a.Home.Keys.MaskText(st.Why)))
		}
	}
	if len(args) > 0 {
		if _, _, ok := s.Tools(args[0]); !ok {
			return noServer(args[0])
		}
	}
	_ = s.Said()
	if !asJSON {
		return nil
	}
	for _, c := range s.Changes() {
		if len(args) == 0 || c.Tool.Server == args[0] {
			shown = append(shown, shapeOf(c.Tool, c.Is))
		}
	}
	return a.PrintJSON(shown)
}

// showTool shows a tool; of one that waits it shows what is different, and asks.
func showTool(ctx context.Context, a *term.Run, name string, asJSON bool) error {
	s, err := started(ctx, a)
	if err != nil {
		return err
	}
	_ = s.Said()
	for _, c := range s.Changes() {
		if c.Tool.Shown == name || c.Tool.Wire == name {
			if asJSON {
				v := shapeOf(c.Tool, c.Is)
				v.Parameters, v.Difference = c.Tool.Schema(), c.Difference()
				return a.PrintJSON(v)
			}
			return acceptTool(ctx, a, s, c)
		}
	}
	server, _, _ := strings.Cut(name, ".")
	tools, _, ok := s.Tools(server)
	if !ok {
		return noServer(server)
	}
	for _, t := range tools {
		if t.Shown != name {
			continue
		}
		if asJSON {
			v := shapeOf(t, "")
			v.Parameters = t.Schema()
			return a.PrintJSON(v)
		}
		lines := append([]string{t.Shown + ": " + t.Description, "for models: " + t.Wire}, t.Asks()...)
		return a.Println(strings.Join(lines, "\n"))
	}
	err = fmt.Errorf("%s has no tool %q that is offered", server, termsafe.Line(name))
	return fault.New(fault.NotFound, err).WithHint("%s", fault.Command("mcp tools "+server))
}

func acceptTool(ctx context.Context, a *term.Run, s *mcp.Servers, c mcp.Change) error {
	a.Status("%s is %s since you approved of %s:", c.Tool.Shown, c.Is, c.Tool.Server)
	if err := a.Println(strings.Join(c.Difference(), "\n")); err != nil {
		return err
	}
	ok, err := a.Person.Confirm(ctx, "offer it to models?")
	switch {
	case errors.Is(err, repl.ErrNoTerminal):
		again := fault.Command("mcp tool " + c.Tool.Shown)
		return fault.Refusedf("nobody can be asked: %s stays as it is", c.Tool.Shown).WithHint("%s on a terminal", again)
	case err != nil:
		return err
	case !ok:
		a.Status("%s is not offered", c.Tool.Shown)
		return nil
	}
	if err := s.Accept(ctx, c); err != nil {
		return err
	}
	a.Status("%s is offered", c.Tool.Shown)
	return nil
}

func showLog(ctx context.Context, a *term.Run, name string) error {
	s, err := started(ctx, a)
	if err != nil {
		return err
	}
	text, ok := s.Log(name)
	if !ok {
		return noServer(name)
	}
	for _, st := range s.List() {
		if st.Name == name && st.Noise > 0 {
			a.Status("%s printed %s that were no messages", name, view.Count(st.Noise, "line"))
		}
	}
	_ = s.Said()
	if text == "" {
		a.Status("%s printed nothing", name)
		return nil
	}
	return a.Println(strings.TrimRight(termsafe.Clean(a.Home.Keys.MaskText(strings.ToValidUTF8(text, "\ufffd"))), "\n"))
}

func connect(ctx context.Context, a *term.Run, args []string) error {
	s, err := a.Servers()
	if err != nil {
		return err
	}
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return err
	}
	name := args[0]
	set, known := cfg.MCP.Servers[name]
	if u, err := url.Parse(name); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		set, known = config.Server{URL: name}, true
		if name = hostName(u.Hostname()); len(args) > 1 {
			name = args[1]
		}
		if wrong := config.ServerName(name); wrong != "" {
			return fault.Usagef("%q is no name of a server: %s", termsafe.Line(name), wrong)
		}
		if _, taken := cfg.MCP.Servers[name]; taken { // what the settings approve of is theirs alone
			return fault.Usagef("the settings have a server %q: give this one another name", name)
		}
	}
	if !known {
		return noServer(name)
	}
	if a.Shell == nil {
		a.Status("it is ended again at once: outside the shell nothing uses it")
	}
	if err := s.Connect(ctx, name, set); err != nil {
		_ = s.Said()
		return fmt.Errorf("connect to %s: %w", name, err)
	}
	tools, _, _ := s.Tools(name)
	a.Status("%s: connected, %s", name, view.Count(len(tools), "tool"))
	return nil
}

// hostName is a name for the server of a host.
func hostName(host string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r == '.' || r == '-':
			return '-'
		}
		return -1
	}, strings.ToLower(strings.TrimPrefix(host, "www.")))
	return strings.Trim(name[:min(len(name), 16)], "-")
}
