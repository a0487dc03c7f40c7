package term

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"ken/internal/termsafe"
)

// poured is how much is written at a time.
const poured = 64 << 10

// Pour prints what write writes, and a line end, cleaned as by Println: for texts that
// are too long to be held whole.
func Pour(a *Run, write func(w io.Writer) error) error {
	if !a.Screen.Unicode() && IsTerminal(a.Env.Stdout) { // a sign and what follows it may come in two pieces
		var whole strings.Builder
		if err := write(&whole); err != nil {
			return err
		}
		return a.PrintAsIs(a.Screen.Signs(a.Env.Stdout, whole.String()))
	}
	out := bufio.NewWriterSize(a.Env.Stdout, poured)
	c := cleaned{to: out}
	if err := write(&c); err != nil {
		return err
	}
	if _, err := out.WriteString(c.Flush() + "\n"); err != nil {
		return err
	}
	return out.Flush()
}

// cleaned writes what a terminal may be shown.
type cleaned struct {
	termsafe.Cleaner

	to *bufio.Writer
}

func (c *cleaned) Write(b []byte) (int, error) {
	_, err := c.to.WriteString(c.Cleaner.Write(string(b)))
	return len(b), err
}

// PrintList is PrintJSON of an array of n values, each made when it is its turn.
func PrintList(a *Run, n int, value func(n int) any) error {
	out := bufio.NewWriterSize(a.Env.Stdout, poured)
	between, end := "[\n  ", "[]\n"
	for i := range n {
		b, err := json.MarshalIndent(value(i), "  ", "  ")
		if err != nil {
			return fmt.Errorf("print JSON: %w", err)
		}
		_, _ = out.WriteString(between) // Flush reports it
		_, _ = out.Write(termsafe.JSONSafe(b))
		between, end = ",\n  ", "\n]\n"
	}
	_, _ = out.WriteString(end)
	return out.Flush()
}
