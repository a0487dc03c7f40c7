package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
)

func main() {
	dir := flag.String("wordnet", "/usr/share/wordnet", "the `directory` with WordNet's database files")
	names := flag.String("names", "", "a `file` of lines name,has_nickname,short form")
	out := flag.String("o", "", "the `file` to write")
	flag.Parse()
	if err := run(*dir, *names, *out); err != nil {
		fmt.Fprintln(os.Stderr, "lexicon:", err)
		os.Exit(1)
	}
}

// run writes the list to the file out.
func run(dir, names, out string) error {
	n, err := readNet(os.DirFS(dir))
	if err != nil {
		return err
	}
	short, err := os.ReadFile(names)
	if err != nil {
		return fmt.Errorf("read the names: %w", err)
	}
	l := newList(n)
	l.words()
	l.names(string(short))
	var b bytes.Buffer
	l.write(&b)
	if err := os.WriteFile(out, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	return nil
}
