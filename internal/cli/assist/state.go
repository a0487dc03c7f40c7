package assist

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/connect"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/termsafe"
	"ken/internal/tool/mcp"
)

// How an assistant stands.
const (
	isAbsent  = "not here"
	isFree    = "not set up"
	isSet     = "set up"
	isOther   = "differs"
	isRefused = "cannot be set up"
	isMute    = "does not answer"
)

// leave is said of an assistant that calls recall without asking its person, by ken setup.
const leave = "it calls recall without asking"

// state is how an assistant stands, and why where that is not plain.
func (s *setup) state(agent connect.Agent) (is, why string) {
	whole, some := false, false
	all := s.wants(agent)
	for _, want := range all {
		in := *s
		in.out, want.Command, want.Project = false, s.want.Command, s.want.Project
		missing, err := in.plan(agent, want)
		if err != nil {
			return isRefused, err.Error()
		}
		if whole = len(missing) == 0; whole {
			if want.Recall {
				why = leave
			}
			break
		}
	}
	in := *s
	in.out = true
	there, err := in.plan(agent, s.want)
	if err != nil {
		return isRefused, err.Error()
	}
	some = len(there) > 0
	switch {
	case whole:
		return isSet, why
	case some:
		return isOther, "see: " + s.a.Verb("setup "+agent.Name+s.where()+" --dry-run")
	case s.here(agent):
		return isFree, ""
	}
	return isAbsent, ""
}

// wants are what counts as set up: what is asked for, and what is not asked about either way.
func (s *setup) wants(agent connect.Agent) (all []connect.Want) {
	hooks := []connect.When{connect.AtStart, connect.Never, connect.AtPrompt}
	if s.hooks != "" || !agent.Hooks || s.project {
		hooks = []connect.When{s.want.Hooks}
	}
	for _, recall := range []bool{s.want.Recall && agent.Asks, agent.Asks && !s.project} {
		for _, tell := range []bool{s.want.Lines, agent.HasLines()} {
			for _, when := range hooks {
				all = append(all, connect.Want{Hooks: when, Recall: recall, Lines: tell, Scope: s.want.Scope})
				if s.want.Scope == "" && !s.project {
					all = append(all, connect.Want{Hooks: when, Recall: recall, Lines: tell, Scope: connect.UserWord})
				}
			}
		}
	}
	return all
}

// here reports whether an assistant is on this machine.
func (s *setup) here(agent connect.Agent) bool {
	return agent.Here(s.place, s.a.Process.FindProgram)
}

// list prints how each assistant stands.
func (s *setup) list(ctx context.Context) error {
	wrong := 0
	for _, agent := range connect.Agents() {
		is, why := s.state(agent)
		if s.check {
			is, why = s.answers(ctx, agent, is, why)
		}
		if is == isOther || is == isRefused || is == isMute {
			wrong++
		}
		line := fmt.Sprintf("%-14s %-14s %s", agent.Name, agent.Title, is)
		if why != "" {
			line += ": " + why
		}
		if err := s.a.Println(line); err != nil {
			return err
		}
	}
	if s.check && wrong > 0 {
		return term.Reported(fault.Failuref("not all are as they would be set up"))
	}
	return nil
}

// answers is how an assistant stands once what is in its settings was started, as it would start it: no
// assistant tells its person that it does not answer. For a person only.
func (s *setup) answers(ctx context.Context, agent connect.Agent, is, why string) (now, because string) {
	if is != isSet && is != isOther || s.project || s.a.Lane.In() {
		return is, why
	}
	server, there, err := agent.Registered(s.place)
	if err == nil && there {
		_, err = mcp.Probe(ctx, server, s.a.Starter())
	}
	if err != nil {
		return isMute, termsafe.Line(err.Error())
	}
	return is, why
}

// checkOne says how an assistant stands; it is a failure unless it is set up.
func (s *setup) checkOne(ctx context.Context, agent connect.Agent) error {
	is, why := s.state(agent)
	is, why = s.answers(ctx, agent, is, why)
	whole := is == isSet
	if why != "" {
		is += ": " + why
	}
	if whole {
		return s.a.Println(agent.Name + ": " + is)
	}
	return fault.Failuref("%s: %s", agent.Name, is)
}

// lockWait is how long to wait for others that change files of the state.
const lockWait = 5 * time.Second

// keptCopies is how many old texts of a file are kept.
const keptCopies = 3

// keep returns what keeps the old text of a file of others: it may hold their secrets, so nobody else may read it.
func (s *setup) keep(ctx context.Context, agent connect.Agent, c connect.Change) func(old []byte) error {
	return func(old []byte) (err error) {
		paths, err := s.a.Home.Settings.Places()
		if err != nil && paths == (config.Paths{}) {
			return err
		}
		dir := config.SetupIn(paths)
		if err := jsonl.MakeDir(jsonl.OS{}, dir); err != nil {
			return err
		}
		lock, err := jsonl.LockDir(ctx, paths.State, lockWait) // or an erasing might miss it
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, lock.Unlock()) }()
		of := agent.Name + "-" + strings.TrimPrefix(filepath.Base(c.Path), ".") + "-"
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		var kept []string
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), of) {
				kept = append(kept, e.Name())
			}
		}
		slices.Sort(kept) // by time
		for len(kept) >= keptCopies {
			if err := os.Remove(filepath.Join(dir, kept[0])); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			kept = kept[1:]
		}
		path := filepath.Join(dir, of+s.a.Env.Now().UTC().Format("20060102T150405.000000000Z"))
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return err
		}
		_, err = f.Write(old)
		return errors.Join(err, f.Sync(), f.Close())
	}
}

// note changes what is noted of the directories that were made for files of assistants, so that they go with those. Where it cannot be
// noted they stay, which is a warning.
func (s *setup) note(ctx context.Context, change func(made []string) []string) {
	if err := s.noted(ctx, change); err != nil {
		s.a.Warn(fmt.Errorf("directories that were made for it will stay when it is removed: %w", err))
	}
}

func (s *setup) noted(ctx context.Context, change func(made []string) []string) (err error) {
	paths, err := s.a.Home.Settings.Places()
	if err != nil && paths == (config.Paths{}) {
		return err
	}
	if err := jsonl.MakeDir(jsonl.OS{}, config.SetupIn(paths)); err != nil {
		return err
	}
	lock, err := jsonl.LockDir(ctx, paths.State, lockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	path := filepath.Join(config.SetupIn(paths), "directories")
	var made []string
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = json.Unmarshal(b, &made) // what cannot be read says of none
	now := change(slices.Clone(made))
	if slices.Equal(now, made) {
		return nil
	}
	if len(now) == 0 {
		return os.Remove(path)
	}
	if b, err = json.Marshal(now); err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o600)
}
