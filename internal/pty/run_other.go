//go:build !linux && !darwin

package pty

import "context"

// Run is not there on this system: the error is ErrUnsupported.
func Run(context.Context, Command) (Result, error) { return Result{}, ErrUnsupported }

// Pipe is not there either.
func Pipe(context.Context, Command) (Result, error) { return Result{}, ErrUnsupported }
