//go:build !linux && !darwin

package edit

import (
	"context"
	"fmt"
)

// An Editor reads lines from a terminal on which they can be edited. There is
// none on this system.
type Editor struct{}

// Open says that lines cannot be edited.
func Open(Options) (*Editor, []byte, error) {
	return nil, nil, fmt.Errorf("%w: on Linux and macOS only", ErrUnable)
}

// ReadLine says that lines cannot be edited.
func (*Editor) ReadLine(context.Context, string) (string, error) { return "", ErrUnable }

// Ask says that lines cannot be edited.
func (*Editor) Ask(context.Context, string) (string, error) { return "", ErrUnable }

// Remember does nothing.
func (*Editor) Remember(string, bool) error { return nil }

// Drop does nothing.
func (*Editor) Drop(func(string) bool) {}

// Problems are none.
func (*Editor) Problems() []string { return nil }

// KeyProblems are none.
func KeyProblems(map[string]string) []string { return nil }

// Begin does nothing.
func (*Editor) Begin(string) {}

// Ahead does nothing.
func (*Editor) Ahead([]byte) {}

// Lend does nothing.
func (*Editor) Lend() (back func()) { return func() {} }

// Close does nothing.
func (*Editor) Close() {}
