package pty

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// TestCapture: a capture is the beginning and the end of what was written, of the
// size it has, however it came.
func TestCapture(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(0, 40).Draw(t, "size")
		c := newCapture(size)
		var all []byte
		for _, p := range rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 60)).Draw(t, "chunks") {
			c.write(p)
			all = append(all, p...)
		}
		head := all[:min(len(all), size/3)]
		rest := all[len(head):]
		tail := rest[len(rest)-min(len(rest), size-size/3):]
		got := c.captured()
		if !bytes.Equal(got.Head, head) || !bytes.Equal(got.Tail, tail) || got.Left != int64(len(all)-len(head)-len(tail)) {
			t.Fatalf("%q and %q with %d between, want %q and %q of %q", got.Head, got.Tail, got.Left, head, tail, all)
		}
	})
}

// TestModes: what is switched on and off again leaves nothing to undo, and what is
// on the alternate screen is not kept.
func TestModes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ out, undo, kept string }{
		{"", "", ""},
		{"plain\r\n", "", "plain\r\n"},
		{"a\x1b[?1049hdrawn\x1b[?1049lb", "", "a\x1b[?1049hb"},
		{"a\x1b[?47hdrawn", "\x1b[?47l", "a\x1b[?47h"},
		{"\x1b[?1;25;1049hx\x1b[?1049;1l", "", "\x1b[?1;25;1049h"},
		{"\x1b[?25l\x1b[?25h", "", "\x1b[?25l\x1b[?25h"},
		{"\x1b[31mred\x1b[0m", "", "\x1b[31mred\x1b[0m"},
		{"\x1b[1;31mred\x1b[m", "", "\x1b[1;31mred\x1b[m"},
		{"\x1b[0;1m", "\x1b[0m", "\x1b[0;1m"},
		{"\x1b[>4;2m\x1b[>4m", "", "\x1b[>4;2m\x1b[>4m"},
		{"\x1b[>4;2m", "\x1b[>4m", "\x1b[>4;2m"},
		{"\x1b[>1u\x1b[>3u\x1b[<u", "\x1b[<1u", "\x1b[>1u\x1b[>3u\x1b[<u"},
		{"\x1b[>1u\x1b[<9u", "", "\x1b[>1u\x1b[<9u"},
		{"\x1b[2 q\x1b[ q", "", "\x1b[2 q\x1b[ q"},
		{"\x1b[2;9r\x1b[r", "", "\x1b[2;9r\x1b[r"},
		{"\x1b[4h", "\x1b[4l", "\x1b[4h"},
		{"\x1b[?1000h\x1b[4h\x1bc", "", "\x1b[?1000h\x1b[4h\x1bc"},
		{"\x1b[?25l\x1b[7m\x1b[!p", "", "\x1b[?25l\x1b[7m\x1b[!p"},
		{"\x0eqq\x0f", "", "\x0eqq\x0f"},
		{"\x0eqq", "\x0f", "\x0eqq"},
		{"\x1b(0qq\x1b(B", "", "\x1b(0qq\x1b(B"},
		{"\x1b=\x1b>", "", "\x1b=\x1b>"},
		{"\x1b[?9999h\x1b[?h\x1b[?;;h\x1b[?xh", "", "\x1b[?9999h\x1b[?h\x1b[?;;h\x1b[?xh"},
		{"\x1b[?10\x1849h", "", "\x1b[?10\x1849h"},
		{"\x1b[?10", "\x18", "\x1b[?10"},
		{"\x1b$", "\x18", "\x1b$"}, // what it wants would be taken from the prompt
		{"\x1b]52;c;eA==\x07", "", "\x1b]52;c;eA==\x07"},
		{"\x1b[" + string(bytes.Repeat([]byte("0"), 100)) + "?1049h", "", "\x1b[" + string(bytes.Repeat([]byte("0"), 100)) + "?1049h"},
	} {
		var m modes
		var kept []byte
		m.feed([]byte(c.out), func(p []byte) { kept = append(kept, p...) })
		if undo := m.undo(); undo != c.undo || string(kept) != c.kept {
			t.Errorf("%q: undo %q, kept %q, want %q, %q", c.out, undo, kept, c.undo, c.kept)
		}
	}
}

// FuzzModes: how output is cut does not matter, and what undo prints leaves
// nothing to undo.
func FuzzModes(f *testing.F) {
	for _, seed := range []string{"", "a\x1b[?1049hb\x1b[?1049l", "\x0e\x1b(0", "\x1b[>1u", "\x1b[", "\x1b[5;6r\x1b[4h\x1b=\x1b[3 q\x1b[>4;1m\x1b[1m"} {
		f.Add([]byte(seed), uint8(1))
	}
	f.Fuzz(func(t *testing.T, out []byte, size uint8) {
		var whole, cut modes
		var a, b []byte
		whole.feed(out, func(p []byte) { a = append(a, p...) })
		for rest := out; len(rest) > 0; {
			n := min(int(size)%16+1, len(rest))
			cut.feed(rest[:n], func(p []byte) { b = append(b, p...) })
			rest = rest[n:]
		}
		if whole.undo() != cut.undo() || !bytes.Equal(a, b) {
			t.Fatalf("%q in pieces of %d: undo %q and %q, kept %q and %q", out, size%16+1, whole.undo(), cut.undo(), a, b)
		}
		undo := whole.undo()
		whole.feed([]byte(undo), func([]byte) {})
		if left := whole.undo(); left != "" {
			t.Fatalf("%q: after %q there is %q left", out, undo, left)
		}
	})
}
