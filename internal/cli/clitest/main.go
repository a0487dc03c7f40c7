package clitest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ken/internal/cli"
	"ken/internal/proctest"
	"ken/internal/tool/lane"
	"ken/internal/tool/mcp/mcptest"
)

// Main runs the tests of a package in a session of their own, and lets their binary be
// ken: under that name it runs the program, so that scripts and terminal tests start real
// processes. As asked it runs another program and types for the person (`ttyin FILE`, then
// `exec asked ken ...`). It does not return.
func Main(m *testing.M, o proctest.Outside) {
	if err := lane.Enter(os.Args); err != nil { // what ken starts to hold a command and to end it
		fmt.Fprintln(o.Err, "ken: error:", err)
		o.Exit(2)
	}
	if name := filepath.Base(os.Args[0]); name != "ken" && name != "asked" && name != "toolserver" && name != "browser" {
		proctest.Apart(o)
	}
	testscript.Main(m, map[string]func(){
		"ken":   func() { o.Exit(ken(o.Err)) },
		"asked": func() { o.Exit(runsAsked(o)) },
		// browser ADDRESS goes there, and where that sends it.
		"browser": func() {
			if _, err := mcptest.Browse(os.Args[len(os.Args)-1], true); err != nil {
				fmt.Fprintln(o.Err, "browser:", err)
				o.Exit(1)
			}
			o.Exit(0)
		},
		// toolserver HOW is a tool server: see mcptest.Serve.
		"toolserver": func() {
			if err := mcptest.Serve(strings.Join(os.Args[1:], " "), o.In, o.Out); err != nil {
				fmt.Fprintln(o.Err, "toolserver:", err)
				o.Exit(1)
			}
			o.Exit(0)
		},
	})
}

// ken is the program. It knows of no model of this machine but those that listen at the
// host:port pairs in KEN_TEST_LOCAL, and says in the file KEN_TEST_ALLOCATED how many
// bytes it allocated.
func ken(stderr io.Writer) (code int) {
	env, err := cli.System()
	if err != nil {
		fmt.Fprintln(stderr, "ken: error:", err)
		return 2
	}
	env.Self = "" // this program is a tool server as well
	env.Local = strings.Fields(os.Getenv("KEN_TEST_LOCAL"))
	code = cli.Run(context.Background(), env)
	if path := os.Getenv("KEN_TEST_ALLOCATED"); path != "" {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if err := os.WriteFile(path, strconv.AppendUint(nil, m.TotalAlloc, 10), 0o600); err != nil {
			panic(err)
		}
	}
	return code
}
