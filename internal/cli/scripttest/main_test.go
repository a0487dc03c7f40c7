//ken:slow

package scripttest

import (
	"os"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/proctest"
)

func TestMain(m *testing.M) {
	clitest.Main(m, proctest.Outside{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Exit: os.Exit})
}
