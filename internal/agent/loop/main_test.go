package loop_test

import (
	"fmt"
	"os"
	"testing"

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
