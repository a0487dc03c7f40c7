package pipe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/view/port"
)

// maxInput is the largest object that a port reads, in bytes.
const maxInput = 1 << 20

// PortCommand is `port`, the way in for programs that call ken: the same acts as those of
// other commands, under fixed names, with JSON in and out.
func PortCommand(a *term.Run) *cobra.Command {
	cmd := &cobra.Command{
		Use: "port", Short: "memory for programs: fixed names, JSON in and out", Hidden: true,
		Long: `Port is for programs that keep memory through ken. Each port takes its arguments as
flags, or as one JSON object on standard input, and answers with one JSON object.
What comes as JSON is a program's word: it is suggested, and waits in ` + "`ken review`" + `.`,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		verb(a, term.Writes{Memory: "a memory"}.Note(), "remember-preference", "remember_preference", "state one value of a key", as((*app.Ports).Remember), "key", "value", "kind", "ttl", "phase", "scope", "profile", "session", "turn", "agent"),
		verb(a, term.Writes{Nothing: true}.Note(), "recall-preferences", "recall_preferences", "what holds here, best first", as((*app.Ports).Recall), "scope", "task-class", "kinds", "profile", "profile-only", "limit", "activation-context"),
		verb(a, term.Writes{Memory: "that memories are forgotten"}.Note(), "forget", "", "what has those keys, or all of a scope", as((*app.Ports).Forget), "scope", "keys", "profile", "dry-run"),
		verb(a, term.Writes{Nothing: true}.Note(), "export", "export_memory", "what holds here, with counts", as((*app.Ports).Export),
			"scope", "profile", "kinds"),
		verb(a, term.Writes{Memory: "a rule"}.Note(), "procedural-rule", "remember_procedural_rule", "propose a rule, which waits for a yes",
			as((*app.Ports).Rule), "rule", "rationale", "scope", "profile", "session", "turn", "agent"),
		verb(a, term.Writes{Memory: "memories"}.Note(), "retrospection", "remember_retrospection_outcome", "what came of some work, with lessons and goals", as((*app.Ports).Retrospect), "outcome", "lesson", "goal", "safety-rule", "scope", "profile", "session", "turn", "agent"),
	)
	return cmd
}

// An act is what a port does.
type act func(ctx context.Context, p *app.Ports, c port.Call) (answer any, err error)

// as is the act that a method of the ports is.
func as[T any](do func(*app.Ports, context.Context, port.Call) (T, error)) act {
	return func(ctx context.Context, p *app.Ports, c port.Call) (any, error) { return do(p, ctx, c) }
}

// portsOf are the ports in the hands of whose word a call is: the person's own command
// line acts; a program that speaks JSON, and whoever is in the lane of a model, suggests.
func portsOf(a *term.Run, program bool) *app.Ports {
	v := a.Home
	if program {
		v = v.As(engine.ActorOf(v.Actor().Origin().Lowest(memory.OriginTool), v.Actor().Face))
	}
	return v.Ports(a.Source(), a.Verb)
}

// verb is one port, with what it writes and the flags named.
func verb(
	a *term.Run, writes map[string]string, name, alias, short string,
	run act, flags ...string,
) *cobra.Command {
	var p port.Call
	var value, activation string
	limit := 0
	cmd := &cobra.Command{Use: name, Short: short, Args: cobra.MaximumNArgs(1), ValidArgs: []string{"-"}, Annotations: writes}
	if alias != "" {
		cmd.Aliases = []string{alias}
	}
	f := cmd.Flags()
	for _, name := range flags {
		switch name {
		case "key":
			f.StringVar(&p.Key, name, "", "the `KEY`")
		case "value":
			f.StringVar(&value, name, "", "its `VALUE`: JSON where it is some, else a text")
		case "kind":
			f.StringVar(&p.Kind, name, "preference", "`KIND` of memory")
		case "ttl":
			f.StringVar(&p.TTL, name, "", "forget it by itself after `TIME`: 12h, 30d, 8w; or a phase")
		case "phase":
			f.StringVar(&p.Phase, name, "", "how settled it is: fluid, stabilized or rigid")
		case "scope":
			f.StringVar(&p.Scope, name, "cwd", "cwd, project, user, or a full `SCOPE`")
		case "profile":
			f.StringVar(&p.Profile, name, "", profileHelp(cmd.Name()))
		case "profile-only":
			f.BoolVar(&p.OnlyOf, name, false, "nothing of other profiles")
		case "rule":
			f.StringVar(&p.Rule, name, "", "the `TEXT` of it")
		case "rationale":
			f.StringVar(&p.Rationale, name, "", "why, in a `LINE`")
		case "safety-rule":
			f.StringArrayVar(&p.Rules, name, nil, "a `TEXT`, which waits for a yes; may be given again")
		case "kinds":
			f.StringSliceVar(&p.Kinds, name, nil, "only these `KINDS`")
		case "keys":
			f.StringSliceVar(&p.Keys, name, nil, "only these `KEYS`; none: all")
		case "limit":
			f.IntVar(&limit, name, port.DefaultLimit, "at most `N`")
		case "task-class":
			f.StringVar(&p.TaskClass, name, "", "what it is for, in a `WORD`")
		case "activation-context":
			f.StringVar(&activation, name, "", "what it is about, in a `TEXT`")
		case "dry-run":
			f.BoolVar(&p.DryRun, name, false, "only say what would be forgotten")
		case "outcome":
			f.StringVar(&p.Outcome, name, "", "what came of it: a `TEXT`")
		case "lesson":
			f.StringArrayVar(&p.Lessons, name, nil, "a `TEXT`; may be given again")
		case "goal":
			f.StringArrayVar(&p.Goals, name, nil, "a `TEXT`; may be given again")
		case "session":
			f.StringVar(&p.Session, name, "", "the `SESSION` that it comes from")
		case "turn":
			f.IntVar(&p.Turn, name, 0, "the turn `N` of it")
		case "agent":
			f.StringVar(&p.Agent, name, "", "the `NAME` of who says so")
		}
	}
	f.Bool("json", true, "as always")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if _, err := a.Home.Settings.Read(); err != nil {
			return err
		}
		given, program := 0, false
		for _, name := range flags {
			if f.Changed(name) {
				given++
			}
		}
		if value != "" {
			p.Value = port.ValueIn(value)
		}
		if activation != "" {
			p.Activation, _ = json.Marshal(activation)
			if strings.HasPrefix(activation, "{") { // it may say where the call is for
				p.Activation = port.ValueIn(activation)
			}
		}
		if f.Lookup("limit") != nil {
			p.Limit = &limit
		}
		if len(args) == 1 && args[0] != "-" {
			return fault.Usagef("%s takes flags, or a JSON object on standard input", cmd.CommandPath())
		}
		if len(args) == 1 || given == 0 && a.Shell == nil && !term.IsTerminal(a.Env.Stdin) {
			var err error
			if program, err = read(a, &p); err != nil {
				return err
			}
		}
		if p.Limit == nil && f.Lookup("limit") != nil { // null, as programs write what they leave out
			p.Limit = &limit
		}
		answer, err := run(cmd.Context(), portsOf(a, program), p)
		if err == nil {
			err = a.PrintJSON(answer)
		}
		if f, ok := answer.(port.Forgotten); ok && err == nil && len(f.Forgotten) == 0 {
			err = term.Reported(fault.Failuref("nothing to forget"))
		}
		return err
	}
	return cmd
}

// profileHelp says what --profile is for a port.
func profileHelp(port string) string {
	switch port {
	case "remember-preference", "retrospection", "procedural-rule":
		return "it is of this `PROFILE`"
	case "recall-preferences":
		return "what is of this `PROFILE` comes first"
	}
	return "only what is of this `PROFILE`, or of none"
}

// read reads the arguments from standard input, over those of the flags. Nothing
// there is no arguments, and program false.
func read(a *term.Run, c *port.Call) (program bool, err error) {
	if a.Shell != nil {
		return false, fault.Usagef("standard input is the shell's: give flags")
	}
	data, err := io.ReadAll(io.LimitReader(a.Env.Stdin, maxInput+1))
	switch {
	case err != nil:
		return false, fmt.Errorf("read the arguments: %w", err)
	case len(data) > maxInput:
		return false, fault.Usagef("the arguments are longer than %d bytes", maxInput)
	case len(bytes.TrimSpace(data)) == 0:
		return false, nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(new(port.Call)); err != nil && strings.Contains(err.Error(), "unknown field") {
		a.Warn(fmt.Errorf("an argument is passed over: %w", err))
	}
	if err := json.Unmarshal(data, c); err != nil {
		return false, fault.Usagef("the arguments are no JSON object of this port: %w", err)
	}
	return true, nil
}
