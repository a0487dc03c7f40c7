package main

import (
	"context"
	"fmt"
	"os"

	"ken/internal/cli"
)

func main() {
	env, err := cli.System()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ken: error:", err)
		os.Exit(2)
	}
	os.Exit(cli.Run(context.Background(), env))
}
