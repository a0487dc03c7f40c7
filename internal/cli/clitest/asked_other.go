//go:build !unix

package clitest

import "ken/internal/proctest"

// runsAsked has no terminals here.
func runsAsked(proctest.Outside) (code int) { return 2 }
