package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"ken/internal/bench/crowd"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: writer HOME")
		os.Exit(2)
	}
	if err := write(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "writer:", err)
		os.Exit(1)
	}
}

func write(ctx context.Context, home string) error {
	e, _, err := crowd.Engine(home)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		said := "kept"
		if err := crowd.Remember(ctx, e, in.Text()); err != nil {
			said = strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		fmt.Println(said)
	}
	return in.Err()
}
