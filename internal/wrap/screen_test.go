//go:build unix

package wrap

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/pty/pair"
)

// on returns the terminal's side of a terminal, and how to read what it was sent.
func on(t *testing.T, rows, cols int) (tty *os.File, resize func(cols int), sent func() string) {
	t.Helper()
	keys, tty, err := pair.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = keys.Close(), tty.Close() })
	resize = func(cols int) {
		if err := pair.Resize(keys, rows, cols); err != nil {
			t.Fatal(err)
		}
	}
	resize(cols)
	return tty, resize, func() string {
		if _, err := tty.WriteString("\x00"); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		for !bytes.HasSuffix(b.Bytes(), []byte{0}) {
			if _, err := io.CopyN(&b, keys, 1); err != nil {
				t.Fatal(err)
			}
		}
		return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\x00"), "\r\n", "\n")
	}
}

const note = "using qwen3:8b at 127.0.0.1:11434 (found; keep it: :model keep qwen3:8b)"

// TestE8Note: a line of ken's own is as wide as the terminal is at that moment, and in a
// pipe it is one line.
func TestE8Note(t *testing.T) {
	t.Parallel()
	tty, resize, _ := on(t, 24, 40)
	for _, c := range []struct {
		cols int
		want string
	}{
		{20, "[ken] using qwen3:8b\n      at\n      127.0.0.1:11434\n      (found; keep\n      it:\n      :model keep qwen3:8b)"},
		{40, "[ken] using qwen3:8b at 127.0.0.1:11434\n      (found; keep it:\n      :model keep qwen3:8b)"},
		{80, "[ken] " + note},
		{200, "[ken] " + note},
		{5, "[ken] using qwen3:8b\n      at\n      127.0.0.1:11434\n      (found; keep\n      it:\n      :model keep qwen3:8b)"},
	} {
		resize(c.cols)
		if diff := cmp.Diff(c.want, Note(tty, "[ken] ", note)); diff != "" {
			t.Errorf("%d cells (-want +got):\n%s", c.cols, diff)
		}
	}
	long := strings.Repeat(note+" ", 900)
	if got := Note(&bytes.Buffer{}, "[ken] ", long); got != "[ken] "+long {
		t.Error("changed where there is no terminal")
	}
	resize(30)
	if got, want := Note(tty, "ken: error: ", "no answer came from the server of the model"),
		"ken: error: no answer came\n     from the server of the\n     model"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Question(tty, "run it? [y] run  [e] edit  [N] no > "), "run it? [y] run  [e] edit\n  [N] no > "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestE8Writer: lines that come in pieces are laid out once they are whole.
func TestE8Writer(t *testing.T) {
	t.Parallel()
	tty, _, sent := on(t, 24, 24)
	for _, w := range []struct {
		to   io.Writer
		text func() string
		want string
	}{
		{tty, sent, "  ask      one answer of\n           the model\nend of it"},
		{new(bytes.Buffer), nil, "  ask      one answer of the model\nend of it"},
	} {
		x := NewWriter(w.to)
		for _, piece := range []string{"  ask ", "     one answer", " of the model\nend", " of it"} {
			if n, err := io.WriteString(x, piece); n != len(piece) || err != nil {
				t.Fatal(n, err)
			}
		}
		if err := x.Flush(); err != nil {
			t.Fatal(err)
		}
		got := ""
		if b, ok := w.to.(*bytes.Buffer); ok {
			got = b.String()
		} else {
			got = w.text()
		}
		if got != w.want {
			t.Errorf("%q, want %q", got, w.want)
		}
	}
}
