package mcp_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/config"
	"ken/internal/tool/mcp"
)

// TestLate: a server that a question waited for in vain is not waited for by those of later runs, for an hour and no longer
// than it was waited for; another one under its name is, and one that answers is forgotten.
func TestLate(t *testing.T) {
	t.Parallel()
	const wait = 50 * time.Millisecond
	now := time.Now().Truncate(time.Second) // deadlines of writes to servers go by it
	slow := odd(t, "silent")
	o := options(t, map[string]config.Server{"slow": slow})
	o.Late, o.Now = filepath.Join(o.Dir, "late"), func() time.Time { return now }
	ask := func(what string, o mcp.Options, wait time.Duration, waits bool) {
		t.Helper()
		s := mcp.New(o)
		defer s.Close()
		s.Start()
		s.Greet(t.Context(), wait)
		said := strings.Join(s.Said(), "\n")
		if want := "slow: not waited for, since it did not answer within 50ms before; mcp list asks it once more"; (said != want) != waits {
			t.Errorf("%s: said %q", what, said)
		}
		if is := s.List()[0].Is; is != "starting" {
			t.Errorf("%s: it is %s, and not being connected to", what, is)
		}
	}
	ask("the first", o, wait, true)
	ask("the second", o, wait, false)
	now = now.Add(time.Hour - time.Second)
	ask("within the hour", o, wait, false)
	if got, want := mcp.New(o).List()[0].Unawaited, now.Add(time.Second); !got.Equal(want) {
		t.Errorf("it is not waited for until %v, want %v", got, want)
	}
	other := o
	other.Settings.Servers = map[string]config.Server{"slow": {Command: append(slow.Command, "x"), Env: slow.Env}}
	ask("another one under its name", other, wait, true)
	now = now.Add(time.Second)
	ask("after the hour", o, wait, true)
	ask("again", o, wait, false)
	now = now.Add(-time.Minute)
	ask("by a clock that went back", o, wait, true)

	// It answers: the environment of its table is no part of who it is.
	o.Settings.Servers = map[string]config.Server{"slow": {Command: slow.Command, Env: odd(t, "plain").Env}}
	s := up(t, o)
	if st := s.List()[0]; st.Is != "ready" || !st.Unawaited.IsZero() {
		t.Errorf("%+v", st)
	}
	s = mcp.New(o)
	t.Cleanup(s.Close)
	s.Start()
	s.Greet(t.Context(), time.Minute)
	if said := s.Said(); len(said) > 0 || s.List()[0].Is != "ready" {
		t.Errorf("it was not waited for: %q, %+v", said, s.List()[0])
	}
}

// TestLateByItself: a server whose own time is shorter than what a question waits is late when that is over.
func TestLateByItself(t *testing.T) {
	t.Parallel()
	slow := odd(t, "silent")
	slow.ConnectTimeout = 50 * time.Millisecond
	o := options(t, map[string]config.Server{"slow": slow})
	o.Late = filepath.Join(o.Dir, "late")
	for _, want := range []string{"slow: it did not answer in time", "slow: not waited for"} {
		s := mcp.New(o)
		s.Start()
		s.Greet(t.Context(), time.Minute)
		if said := s.Said(); len(said) == 0 || !strings.HasPrefix(said[0], want) {
			t.Errorf("said %q, want %s", said, want)
		}
		s.Close()
	}
}
