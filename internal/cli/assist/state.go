package assist

import (
	"context"
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
)

// How an assistant stands.
const (
	isAbsent  = "not here"
	isFree    = "not set up"
	isSet     = "set up"
	isOther   = "differs"
	isRefused = "cannot be set up"
)

// state is how an assistant stands, and why where that is not plain.
func (s *setup) state(agent connect.Agent) (is, why string) {
	whole, some := false, false
	for _, hooks := range []bool{true, false} {
		in := *s
		in.out = false
		missing, err := in.plan(agent, connect.Want{Command: s.want.Command, Hooks: hooks})
		if err != nil {
			return isRefused, err.Error()
		}
		whole = whole || len(missing) == 0
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
		return isSet, ""
	case some:
		return isOther, "see: " + s.a.Verb("setup "+agent.Name+" --dry-run")
	case s.here(agent):
		return isFree, ""
	}
	return isAbsent, ""
}

// here reports whether an assistant is on this machine.
func (s *setup) here(agent connect.Agent) bool {
	if _, err := os.Stat(agent.Dir(s.place)); err == nil {
		return true
	}
	_, err := s.a.Process.FindProgram(agent.Program)
	return err == nil
}

// list prints how each assistant stands.
func (s *setup) list() error {
	wrong := 0
	for _, agent := range connect.Agents() {
		is, why := s.state(agent)
		if is == isOther || is == isRefused {
			wrong++
		}
		line := fmt.Sprintf("%-9s %-12s %s", agent.Name, agent.Title, is)
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

// checkOne says how an assistant stands; it is a failure unless it is set up.
func (s *setup) checkOne(agent connect.Agent) error {
	is, why := s.state(agent)
	if is == isSet {
		return s.a.Println(agent.Name + ": " + is)
	}
	if why != "" {
		is += ": " + why
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
