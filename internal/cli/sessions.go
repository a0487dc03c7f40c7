package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/session"
	"ken/internal/termsafe"
)

func (a *app) sessionsCommand() *cobra.Command {
	list := a.sessionsListCommand()
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "conversations of the past; without a word: list them",
		Args:  noSubcommand,
		RunE:  list.RunE,
	}
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.AddCommand(list, a.sessionsShowCommand())
	return cmd
}

func (a *app) sessionsListCommand() *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "all conversations, newest first",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.sessionsList(asJSON, all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	cmd.Flags().BoolVar(&all, "all", false, "also single questions asked with ken ask")
	return cmd
}

// sessionView is the JSON form of a listed session.
type sessionView struct {
	Name    string `json:"name"`
	Session string `json:"session"`
	Path    string `json:"path"`
	MTime   string `json:"mtime"`
	Started string `json:"started,omitempty"`
	Turns   int    `json:"turns"`
	Channel string `json:"channel,omitempty"`
	Scope   string `json:"scope,omitempty"`
	Model   string `json:"model,omitempty"`
	First   string `json:"first"`
	Active  bool   `json:"active,omitempty"`
}

func (a *app) sessionsList(asJSON, all bool) error {
	if _, err := a.settings(); err != nil {
		return err
	}
	list, warnings, err := a.sessionDir().List()
	if err != nil {
		return err
	}
	for _, w := range warnings {
		a.warn(w)
	}
	active := ""
	if a.shell != nil {
		active = a.shell.rec.Path()
	}
	views := []sessionView{}
	hidden := 0
	for _, l := range list {
		if l.OneShot() && !all {
			hidden++
			continue
		}
		views = append(views, sessionView{
			Name: l.Name, Session: l.Header.Session, Path: l.Path, MTime: stamp(l.ModTime), Started: stamp(l.Header.Started),
			Turns: l.Turns, Channel: string(l.Header.Channel), Scope: l.Header.Scope, Model: l.Header.Model,
			First: l.First, Active: l.Path == active,
		})
	}
	if asJSON {
		return a.printJSON(views)
	}
	if hidden > 0 {
		defer a.status("%s not shown; --all shows them", count(hidden, "single question"))
	}
	if len(views) == 0 {
		return a.println("(no sessions)")
	}
	rows := make([][]string, len(views))
	for i, v := range views {
		name := v.Name
		if v.Active {
			name = "*" + name
		}
		rows[i] = []string{name, v.MTime, fmt.Sprint(v.Turns), v.First}
	}
	return a.printTable([]string{"name", "written", "turns", "first words"}, rows)
}

func (a *app) sessionsShowCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "one conversation, turn by turn",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.sessionsShow(cmd, args[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

func (a *app) sessionsShow(cmd *cobra.Command, name string, asJSON bool) error {
	if _, err := a.settings(); err != nil {
		return err
	}
	path, err := a.findSession(name)
	if err != nil {
		return err
	}
	t, err := a.sessionDir().Load(path)
	if err != nil {
		return err
	}
	if w := t.Warning(); w != "" {
		a.say("ken: warning: ", w)
	}
	if asJSON {
		return a.printJSON(viewTranscript(t))
	}
	head := fmt.Sprintf("session %s, begun %s, %s", t.Header.Session, when(t.Header.Started), count(len(t.Turns()), "turn"))
	if err := a.println(head); err != nil {
		return err
	}
	return a.printTurns(t.Turns())
}

// findSession resolves what a person calls a session.
func (a *app) findSession(name string) (string, error) {
	path, err := a.sessionDir().Find(name)
	if errors.Is(err, session.ErrNone) {
		return "", (&exitError{code: exitFailure, err: err}).hint("see what there is: %s", a.verb("sessions list --all"))
	}
	return path, err
}

// turnView is the JSON form of a turn.
type turnView struct {
	N         int                        `json:"n"`
	TS        string                     `json:"ts,omitempty"`
	Role      string                     `json:"role"`
	Content   string                     `json:"content"`
	Model     string                     `json:"model,omitempty"`
	Finish    string                     `json:"finish,omitempty"`
	From      string                     `json:"from,omitempty"`
	Usage     json.RawMessage            `json:"usage,omitempty"`
	ToolCalls json.RawMessage            `json:"tool_calls,omitempty"`
	Raw       map[string]json.RawMessage `json:"raw,omitempty"`
}

type transcriptView struct {
	Session string     `json:"session"`
	Name    string     `json:"name"`
	Started string     `json:"started,omitempty"`
	Model   string     `json:"model,omitempty"`
	Channel string     `json:"channel,omitempty"`
	Scope   string     `json:"scope,omitempty"`
	Turns   []turnView `json:"turns"`
}

func viewTranscript(t *session.Transcript) transcriptView {
	v := transcriptView{
		Session: t.Header.Session, Name: t.Name, Started: stamp(t.Header.Started), Model: t.Header.Model,
		Channel: string(t.Header.Channel), Scope: t.Header.Scope, Turns: []turnView{},
	}
	for _, turn := range t.Turns() {
		v.Turns = append(v.Turns, turnView{
			N: turn.N, TS: stamp(turn.Time), Role: string(turn.Role), Content: turn.Content, Model: turn.Model,
			Finish: turn.Finish, From: turn.From, Usage: turn.Usage, ToolCalls: turn.ToolCalls, Raw: turn.Raw,
		})
	}
	return v
}

// printTurns writes turns for a person: number and speaker, then the text.
func (a *app) printTurns(turns []session.Turn) error {
	for _, t := range turns {
		who := string(t.Role)
		switch t.Role {
		case session.RoleUser:
			who = "you"
		case session.RoleAssistant:
			who = "ken"
		}
		if t.Finish == session.FinishCancelled || t.Finish == session.FinishTruncated || t.Finish == session.FinishError {
			who += " (" + t.Finish + ")"
		}
		head := fmt.Sprintf("%d %s: ", t.N, termsafe.Line(who))
		text := strings.ReplaceAll(strings.TrimRight(t.Content, "\n"), "\n", "\n"+strings.Repeat(" ", len(head)))
		if err := a.println(head + text); err != nil {
			return err
		}
	}
	return nil
}

func (s *shell) resumeCommand() *cobra.Command {
	var fork bool
	cmd := &cobra.Command{
		Use: "resume NAME", Short: "go on with an earlier conversation", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.resume(cmd, args[0], fork)
		},
	}
	cmd.Flags().BoolVar(&fork, "fork", false, "in a copy of it")
	return cmd
}

// resume continues the session called name. What is live already is not thrown
// away for it: nothing could bring it back.
func (s *shell) resume(cmd *cobra.Command, name string, fork bool) error {
	a := s.app
	if n := len(s.conv.Turns()); n > 0 {
		return (&exitError{code: exitFailure, err: fmt.Errorf("this conversation has %s: not resumed over it", count(n, "turn"))}).
			hint(":reset first, then :resume %s", name)
	}
	path, err := a.findSession(name)
	if err != nil {
		return err
	}
	if path == s.rec.Path() {
		return errors.New("that is this conversation")
	}
	rec, turns, err := a.openSession(path, fork)
	if err != nil {
		return err
	}
	if err := s.rec.Close(); err != nil {
		a.warn(fmt.Errorf("the session so far was not saved: %w", err))
	}
	s.rec = rec
	s.conv.Continue(turns, rec)
	a.status("going on with %s: %s", rec.Name(), count(len(turns), "turn"))
	return nil
}

func (s *shell) saveCommand() *cobra.Command {
	var duplicate bool
	cmd := &cobra.Command{
		Use: "save [NAME]", Short: "write the session to disk; with NAME, call it so", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.Join(args, "")
			save := s.rec.Save
			if duplicate {
				save = s.rec.SaveCopy
			}
			path, err := save(name)
			if err != nil {
				return err
			}
			return s.app.println("saved " + path)
		},
	}
	cmd.Flags().BoolVar(&duplicate, "copy", false, "keep a copy called NAME, and go on in this one")
	return cmd
}
