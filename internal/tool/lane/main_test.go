//go:build linux || darwin

//ken:slow

package lane_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"ken/internal/tool/lane"
)

// TestMain lets this binary be what holds a command and what ends it, and a program that
// runs one and then waits to be killed.
func TestMain(m *testing.M) {
	if err := lane.Enter(os.Args); err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	if line := os.Getenv("KEN_TEST_LINE"); line != "" {
		runsForTest(line)
	}
	os.Exit(m.Run())
}

// runsForTest runs a line, says what it prints and that it is over, and ends with its standard input.
func runsForTest(line string) {
	shell, err := exec.LookPath("bash")
	if err == nil {
		_, err = lane.Run(context.Background(), lane.Command{Line: line, Shell: shell, Bash: true, Env: os.Environ(), Keep: 100, Live: os.Stdout})
	}
	fmt.Println("over", err)
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}
