package loop_test

import (
	"fmt"
	"os"
	"testing"

	"ken/internal/session"
	"ken/internal/tool/lane"
)

// TestMain lets this binary be what ends the commands that it starts.
func TestMain(m *testing.M) {
	if err := lane.Enter(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(m.Run())
}

// noted is a Journal that is a function.
type noted func(session.Event) error

func (n noted) Commit(e session.Event) error      { return n(e) }
func (n noted) AppendEvent(e session.Event) error { return n(e) }

// apart is a Journal that hears what begins and what came of it apart.
type apart struct{ begun, ended func(session.Event) error }

func (a apart) Commit(e session.Event) error      { return a.begun(e) }
func (a apart) AppendEvent(e session.Event) error { return a.ended(e) }
