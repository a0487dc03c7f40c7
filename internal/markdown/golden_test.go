package markdown

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// show is what a terminal of some width is sent for a text.
func show(t testing.TB, text string, width int, o Options) string {
	t.Helper()
	return showPieces(t, width, o, text)
}

func showPieces(t testing.TB, width int, o Options, pieces ...string) string {
	t.Helper()
	var b strings.Builder
	o.Width = func() int { return width }
	w := New(&b, o)
	for _, p := range pieces {
		if n, err := w.WriteString(p); err != nil || n != len(p) {
			t.Fatal(n, err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func samples(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) < 25 {
		t.Fatal(files, err)
	}
	all := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(f), ".md")] = string(text)
	}
	return all
}

// TestGolden compares what is shown of each sample, at several widths, with and
// without styles, with a file that somebody has read. In it ␛ stands for ESC.
func TestGolden(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t) {
		var b strings.Builder
		for _, width := range []int{20, 60, 100, 200} {
			for _, look := range []struct {
				name string
				o    Options
			}{
				{"plain", Options{Unicode: true}},
				{"styled", Options{Unicode: true, Styled: true}},
				{"ASCII", Options{}},
			} {
				if look.name == "ASCII" && width != 60 {
					continue
				}
				fmt.Fprintf(&b, "---------- %d cells, %s\n%s", width, look.name, strings.ReplaceAll(show(t, text, width, look.o), "\x1b", "␛"))
			}
		}
		file := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("%s (go test -update writes it anew; -want +got):\n%s", name, diff)
		}
	}
}
