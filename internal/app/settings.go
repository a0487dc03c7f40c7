package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"ken/internal/app/policies"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/regular"
)

// Settings are what the person has settled: the settings in force, where their files are,
// and whether this conversation has a memory. They are read once, by Read.
type Settings struct {
	o    *terms
	note func(cfg *config.Config, maskKey string) // who wants to know what is in force

	cfg      *config.Config // nil: not read yet
	paths    config.Paths
	switched atomic.Pointer[bool] // what SwitchMemory said; nil if it never was called
}

// Read reads the settings, once; every other part of a view needs them
// first. Errors ask for the exit code of wrong usage.
func (s *Settings) Read() (config.Config, error) {
	if s.cfg != nil {
		return *s.cfg, nil
	}
	cfg, paths, err := config.Open(s.o.Getenv, s.UserDir(), s.o.Flags.Config)
	var theirs []string
	if s.o.Flags.ReadOnly || cfg.Memory.ReadOnly { // another person's memory: their words speak for nobody here
		theirs = []string{paths.Profile(), paths.Working()}
	}
	if own := paths.Own(theirs...); own != nil && paths != (config.Paths{}) {
		err = own // whatever else is wrong with what it says
	}
	if err != nil {
		var hinted interface{ Hint() string }
		if errors.As(err, &hinted) {
			return cfg, fault.New(fault.Usage, err).WithHint("%s", hinted.Hint())
		}
		return cfg, fault.New(fault.Usage, err)
	}
	s.cfg, s.paths = &cfg, paths
	s.note(s.cfg, s.maskKey())
	for _, key := range cfg.Unused() {
		s.o.Voice.Warn(fmt.Errorf("setting %s is kept for later: nothing reads it yet", key))
	}
	s.tellMissing(cfg)
	return cfg, nil
}

// tellMissing warns of presets that settings name and do not have.
func (s *Settings) tellMissing(cfg config.Config) {
	for _, p := range cfg.Missing() {
		s.o.Voice.Warn(errors.New(p.String() + "; going on without it"))
	}
}

// Take puts cfg in force in a running shell, but for what a conversation
// stands on that has begun: history, session, context but for what of the environment is sent, and
// of memory enabled, path and read_only.
func (s *Settings) Take(cfg config.Config) {
	environment := cfg.Context.Environment
	cfg.History, cfg.Session, cfg.Context = s.cfg.History, s.cfg.Session, s.cfg.Context
	cfg.Context.Environment = environment
	cfg.Memory.Enabled, cfg.Memory.Path, cfg.Memory.ReadOnly = s.cfg.Memory.Enabled, s.cfg.Memory.Path, s.cfg.Memory.ReadOnly
	s.cfg = &cfg
	s.note(s.cfg, s.maskKey())
}

// Paths say where files are. They are known once Read returned without
// an error.
func (s *Settings) Paths() config.Paths { return s.paths }

// Places says where files are, also under settings that cannot be read: those are what
// an editor may be asked for.
func (s *Settings) Places() (config.Paths, error) {
	if s.paths != (config.Paths{}) {
		return s.paths, nil
	}
	_, paths, err := config.Open(s.o.Getenv, s.UserDir(), s.o.Flags.Config)
	if paths == (config.Paths{}) {
		return paths, fault.New(fault.Usage, err)
	}
	return paths, nil
}

// maskKey is where the person's masking key is; "" where it is not there and not to be made.
func (s *Settings) maskKey() string {
	path := s.paths.MaskKey()
	if _, err := os.Stat(path); err != nil && s.ReadOnly() {
		return ""
	}
	return path
}

// models is where what servers of models said is kept; "" before Read.
func (s *Settings) models() string {
	if s.paths == (config.Paths{}) || s.ReadOnly() {
		return ""
	}
	return config.ModelsIn(s.paths)
}

// InForce returns the settings, if they were read; ok is false otherwise.
func (s *Settings) InForce() (cfg config.Config, ok bool) {
	if s.cfg == nil {
		return cfg, false
	}
	return *s.cfg, true
}

// SwitchMemory switches memory off or on for this conversation, whatever the settings say; after Read. It may be called from any
// goroutine.
func (s *Settings) SwitchMemory(on bool) { s.switched.Store(&on) }

// Switched returns what SwitchMemory said last; said is false if it never was called.
func (s *Settings) Switched() (on, said bool) {
	if is := s.switched.Load(); is != nil {
		return *is, true
	}
	return false, false
}

// MemoryOn reports whether this conversation reads memory; false before Read.
func (s *Settings) MemoryOn() bool {
	if s.cfg == nil || s.o.Flags.NoMemory {
		return false
	}
	if on, said := s.Switched(); said {
		return on
	}
	return s.cfg.Memory.Enabled
}

// ReadOnly reports whether the memory is only read: nothing is written to its data and its state, nor suggested, nor made of it.
// Before Read it goes by the flag alone.
func (s *Settings) ReadOnly() bool {
	return s.o.Flags.ReadOnly || s.cfg != nil && s.cfg.Memory.ReadOnly
}

// SaysReadOnly is ReadOnly before anything else is asked for: where the settings were not read yet it looks into them, and says
// nothing of what is wrong with them.
func (s *Settings) SaysReadOnly() bool {
	if s.cfg != nil || s.o.Flags.ReadOnly {
		return s.ReadOnly()
	}
	cfg, _, err := config.Open(s.o.Getenv, s.UserDir(), s.o.Flags.Config)
	return err == nil && cfg.Memory.ReadOnly
}

// UserDir returns the person's home directory; "" if there is none.
func (s *Settings) UserDir() string {
	if h := s.o.Getenv("HOME"); filepath.IsAbs(h) {
		return h
	}
	return ""
}

// Short returns a path as a person writes it: with ~ for their home directory.
func (s *Settings) Short(path string) string {
	return regular.Short(path, s.UserDir())
}

// Policies returns how memories age under these settings; after Read.
func (s *Settings) Policies() policies.Set {
	return policies.Set{Dir: s.paths.Policies(), Memory: s.cfg.Memory}
}
