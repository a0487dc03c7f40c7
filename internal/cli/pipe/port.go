package pipe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/foreign"
	"ken/internal/memory"
	"ken/internal/place"
)

// args are the arguments of a port, as one JSON object or as flags.
type args struct {
	Key        string          `json:"key"`
	Value      json.RawMessage `json:"value"`
	Kind       string          `json:"kind"`
	TTL        string          `json:"ttl"`   // a time, or a phase
	Phase      string          `json:"phase"` // how settled it is; that of its kind if not given
	Scope      string          `json:"scope"` // "cwd" if not given
	OnlyOf     bool            `json:"profile_only"`
	Rules      []string        `json:"safety_rules"`
	Profile    string          `json:"profile"`
	Kinds      []string        `json:"kinds"`
	Keys       []string        `json:"keys"`
	Limit      *int            `json:"limit"`
	TaskClass  string          `json:"task_class"`
	Activation json.RawMessage `json:"activation_context"`
	Outcome    string          `json:"outcome"`
	Lessons    []string        `json:"lessons"`
	Goals      []string        `json:"goals"`
	Session    string          `json:"session"`
	Turn       int             `json:"turn"`
	Agent      string          `json:"agent"`
	DryRun     bool            `json:"dry_run"`

	program bool        // it came as JSON: a program speaks
	here    place.Place // where the call is for
	boosts  bool        // a profile puts what is of it first, and leaves out nothing
}

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
		verb(a, term.Writes{Memory: "a memory"}.Note(), "remember-preference", "remember_preference", "state one value of a key", remember, "key", "value", "kind", "ttl", "phase", "scope", "profile", "session", "turn", "agent"),
		verb(a, term.Writes{Nothing: true}.Note(), "recall-preferences", "recall_preferences", "what holds here, best first", recall, "scope", "task-class", "kinds", "profile", "profile-only", "limit", "activation-context"),
		verb(a, term.Writes{Memory: "that memories are forgotten"}.Note(), "forget", "", "what has those keys, or all of a scope", forget, "scope", "keys", "profile", "dry-run"),
		verb(a, term.Writes{Nothing: true}.Note(), "export", "export_memory", "what holds here, with counts", export,
			"scope", "profile", "kinds"),
		verb(a, term.Writes{Memory: "memories"}.Note(), "retrospection", "remember_retrospection_outcome", "what came of some work, with lessons and goals", retro, "outcome", "lesson", "goal", "safety-rule", "scope", "profile", "session", "turn", "agent"),
	)
	return cmd
}

// verb is one port, with what it writes and the flags named.
func verb(
	a *term.Run, writes map[string]string, name, alias, short string,
	run func(*term.Run, *cobra.Command, args) error, flags ...string,
) *cobra.Command {
	var p args
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
			f.StringVar(&value, name, "", "its `VALUE`")
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
		case "safety-rule":
			f.StringArrayVar(&p.Rules, name, nil, "a `TEXT`, which waits for a yes; may be given again")
		case "kinds":
			f.StringSliceVar(&p.Kinds, name, nil, "only these `KINDS`")
		case "keys":
			f.StringSliceVar(&p.Keys, name, nil, "only these `KEYS`; none: all")
		case "limit":
			f.IntVar(&limit, name, 50, "at most `N`")
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
		if _, err := a.Settings(); err != nil {
			return err
		}
		given := 0
		for _, name := range flags {
			if f.Changed(name) {
				given++
			}
		}
		if value != "" {
			p.Value, _ = json.Marshal(value) // a string always can
		}
		if activation != "" {
			p.Activation, _ = json.Marshal(activation)
		}
		p.Limit = &limit
		if len(args) == 1 && args[0] != "-" {
			return fault.Usagef("%s takes flags, or a JSON object on standard input", cmd.CommandPath())
		}
		if len(args) == 1 || given == 0 && a.Shell == nil && !term.IsTerminal(a.Env.Stdin) {
			if err := p.read(a); err != nil {
				return err
			}
		}
		if p.Limit == nil { // null, as programs write what they leave out
			p.Limit = &limit
		}
		if *p.Limit < 1 && f.Lookup("limit") != nil {
			return fault.Usagef("limit %d: want at least 1", *p.Limit)
		}
		p.standIn(a)
		return run(a, cmd, p)
	}
	return cmd
}

// profileHelp says what --profile is for a port.
func profileHelp(port string) string {
	switch port {
	case "remember-preference", "retrospection":
		return "it is of this `PROFILE`"
	case "recall-preferences":
		return "what is of this `PROFILE` comes first"
	}
	return "only what is of this `PROFILE`, or of none"
}

// standIn finds where the call is for: the directory that its activation context names,
// or its repository, if it is there; else where ken runs.
func (p *args) standIn(a *term.Run) {
	p.here = a.Place()
	var at struct {
		Cwd     string `json:"cwd"`
		GitRoot string `json:"git_root"`
	}
	if json.Unmarshal(p.Activation, &at) != nil {
		return // a text, or a list
	}
	for _, dir := range []string{at.Cwd, at.GitRoot} {
		if dir == "" {
			continue
		}
		here, err := a.PlaceOf(dir)
		if err == nil {
			p.here = here
			return
		}
		a.Warn(fmt.Errorf("the place of the activation context: %w", err))
	}
}

// read reads the arguments from standard input, over those of the flags. Nothing
// there is no arguments.
func (p *args) read(a *term.Run) error {
	if a.Shell != nil {
		return fault.Usagef("standard input is the shell's: give flags")
	}
	data, err := io.ReadAll(io.LimitReader(a.Env.Stdin, maxInput+1))
	switch {
	case err != nil:
		return fmt.Errorf("read the arguments: %w", err)
	case len(data) > maxInput:
		return fault.Usagef("the arguments are longer than %d bytes", maxInput)
	case len(bytes.TrimSpace(data)) == 0:
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(new(args)); err != nil && strings.Contains(err.Error(), "unknown field") {
		a.Warn(fmt.Errorf("an argument is passed over: %w", err))
	}
	if err := json.Unmarshal(data, p); err != nil {
		return fault.Usagef("the arguments are no JSON object of this port: %w", err)
	}
	p.program = true
	return nil
}

// phase is how settled it is that is stated. What is for one conversation only is not
// for a memory.
func (p args) phase() (memory.Phase, error) {
	if p.Phase == "" && slices.Contains([]string{"ephemeral", "fluid", "stabilized", "rigid"}, p.TTL) {
		p.Phase = p.TTL
	}
	switch phase := memory.Phase(p.Phase); phase {
	case "", memory.PhaseFluid, memory.PhaseStabilized, memory.PhaseRigid:
		return phase, nil
	case memory.PhaseEphemeral:
		return "", fault.Usagef("what is ephemeral is not remembered").WithHint("give it a life instead: ttl 12h")
	}
	return "", fault.Usagef("phase %q: want fluid, stabilized or rigid", p.Phase)
}

// origin is whose word the call is: the person's own command line acts; a program
// that speaks JSON, and whoever is in the lane of a model, suggests.
func (p args) origin(a *term.Run) memory.Origin {
	if !p.program {
		return a.Origin()
	}
	return a.Origin().Lowest(memory.OriginTool)
}

// writer is the memory in the hands of whose word the call is.
func (p args) writer(a *term.Run) (*engine.Writer, error) {
	e, err := a.Memory()
	if err != nil {
		return nil, err
	}
	return e.As(engine.ActorOf(p.origin(a), a.Actor().Face)), nil
}

// scope is the full scope that the arguments mean.
func (p args) scope() (memory.Scope, error) {
	name := p.Scope
	switch {
	case p.isHere():
		name = "here"
	case name == "global", name == "user/facts":
		name = "user"
	case name == "user/profile", name == "user/working":
		return "", fault.Usagef("%s is a text of yours, and not a scope of memories", name).WithHint("it can be recalled and exported; change it in an editor")
	}
	full, err := p.here.Resolve(name)
	if err != nil {
		return "", fault.Usagef("scope %s: %w", p.Scope, err)
	}
	return memory.Scope(full), nil
}

// isHere reports whether the scope is where the call is for.
func (p args) isHere() bool { return p.Scope == "" || p.Scope == "cwd" || p.Scope == "project" }

// tags are those that the profile asks for.
func (p args) tags() []string {
	if p.Profile == "" {
		return nil
	}
	return []string{foreign.ProfileTag(p.Profile)}
}

// isOf reports whether an item is of the profile that is asked for.
func (p args) isOf(it memory.Item) bool {
	return p.Profile != "" && slices.Contains(it.Record.Tags, foreign.ProfileTag(p.Profile))
}

// ofProfile reports whether an item belongs to the profile that is asked for:
// without one all do, and what has none belongs to all.
func (p args) ofProfile(it memory.Item) bool {
	has := slices.ContainsFunc(it.Record.Tags, func(t string) bool { return strings.HasPrefix(t, foreign.ProfileTag("")) })
	return p.Profile == "" || !has || slices.Contains(it.Record.Tags, foreign.ProfileTag(p.Profile))
}

// source is where it was said.
func (p args) source(a *term.Run) *memory.Source {
	if p.Session == "" && p.Agent == "" {
		return a.Source()
	}
	return &memory.Source{Session: p.Session, Turn: max(p.Turn, 0), Agent: p.Agent, Channel: "port"}
}

// about is what the items are wanted for, as words to search by.
func (p args) about() string {
	words := []string{p.TaskClass}
	var v any
	if json.Unmarshal(p.Activation, &v) == nil {
		if m, ok := v.(map[string]any); ok { // places, and no words
			delete(m, "cwd")
			delete(m, "git_root")
		}
		words = append(words, leaves(v)...)
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// leaves are the strings in a JSON value, names of fields left out.
func leaves(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, e := range v {
			out = append(out, leaves(e)...)
		}
	case map[string]any:
		for _, name := range sortedNames(v) {
			out = append(out, leaves(v[name])...)
		}
	}
	return out
}

var errNoOutcome = errors.New("nothing to keep: want an outcome, lessons, goals or safety rules")
