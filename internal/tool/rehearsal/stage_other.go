//go:build !linux

package rehearsal

import (
	"context"
	"errors"

	"ken/internal/tool/sandbox"
)

// A Stage is where the changes of one command go.
type Stage struct {
	Root string   // the project
	Own  []string // what lies below these is not applied
}

var errNone = errors.New("there is no rehearsal on this system")

// Open fails: there is no rehearsal on this system.
func Open(string, string) (*Stage, error) { return nil, errNone }

// Upper is where the changes of the project go.
func (s *Stage) Upper() string { return "" }

// Work is what the system needs besides.
func (s *Stage) Work() string { return "" }

// Temp is for temporary files of the command.
func (s *Stage) Temp() string { return "" }

// Another makes nothing.
func (s *Stage) Another(string) (sandbox.Layer, error) { return sandbox.Layer{}, errNone }

// Close does nothing.
func (s *Stage) Close() error { return nil }

// Changes are none.
func (s *Stage) Changes(context.Context) (Outcome, error) { return Outcome{}, errNone }

func (s *Stage) node(string) (Node, error) { return Node{}, errNone }
