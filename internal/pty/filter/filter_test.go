package filter

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// whole filters a text in one piece.
func whole(s string) string {
	var f Filter
	out := string(f.Next([]byte(s)))
	return out + string(f.Flush())
}

// pieces filters it cut at the given places.
func pieces(s string, cuts ...int) string {
	var f Filter
	var out []byte
	from := 0
	for _, to := range append(cuts, len(s)) {
		out = append(out, f.Next([]byte(s[from:to]))...)
		from = to
	}
	return string(append(out, f.Flush()...))
}

// A passage is an output and what of it passes.
type passage struct{ name, in, want string }

func passages() []passage {
	tmux := func(s string) string {
		return "\x1bPtmux;" + strings.ReplaceAll(s, "\x1b", "\x1b\x1b") + "\x1b\\"
	}
	same := func(name, s string) passage { return passage{name, s, s} }
	return []passage{
		{"clipboard write", "a\x1b]52;c;c2VjcmV0\x07b", "ab"},
		{"clipboard read", "a\x1b]52;c;?\x1b\\b", "ab"},
		{"its number with zeros", "a\x1b]0052;c;?\x07b", "ab"},
		{"its number with a blank", "a\x1b] 52;c;?\x07b", "ab"},
		{"its number with a plus", "a\x1b]+52;c;?\x07b", "ab"},
		{"its number with more", "a\x1b]52x;c;?\x07b", "ab"},
		{"controls in its number", "a\x1b]5\n2;c;?\x07b", "ab"},
		{"C1 clipboard", "a\u009d52;c;?\u009cb", "ab"},
		{"raw clipboard", "a\x9d52;c;?\x9cb", "ab"},
		{"clipboard, cancelled", "a\x1b]52;c;eA\x18b", "ab"},
		{"clipboard, not ended", "a\x1b]52;c;eA", "a"},
		{"a long text", "a\x1b]52;c;" + strings.Repeat("eA==", 100_000) + "\x07b", "ab"},
		{"kitty's clipboard", "a\x1b]5522;type=read;Lg==\x1b\\b", "ab"},
		{"copy", "a\x1b]1337;CopyToClipboard=\x07x\x1b]1337;EndCopy\x07b", "axb"},
		{"copy by value", "a\x1b]1337;Copy=:eA==\x07b", "ab"},
		{"variable", "a\x1b]1337;ReportVariable=eA==\x07b", "ab"},
		{"font", "a\x1b]50;?\x07b", "ab"},
		{"title report", "a\x1b[21tb", "ab"},
		{"label report", "a\x1b[20tb", "ab"},
		{"title report with more", "a\x1b[021;1tb", "ab"},
		{"a control inside", "a\x1b[2\n1tb", "ab"},
		{"C1 title report", "a\u009b21tb", "ab"},
		{"raw title report", "a\x9b21tb", "ab"},
		{"sum of the screen", "a\x1b[1;1;1;1;1;1*yb", "ab"},
		{"state report", "a\x1b[1$ub\x1b[2$wc", "abc"},
		{"settings", "a\x1bP$qm\x1b\\b", "ab"},
		{"settings with a number", "a\x1bP1$q\"p\x1b\\b", "ab"},
		{"C1 settings", "a\u0090$qm\u009cb", "ab"},
		{"keys", "a\x1bP1;1|17/0d\x1b\\b", "ab"},
		{"answerback", "a\x05b", "ab"},
		{"answerback inside", "a\x1b[\x0531mb", "ab"},
		{"answerback in a number", "a\x1b]0\x05;t\x07b", "ab"},
		{"through tmux", "a" + tmux("\x1b]52;c;eA==\x07") + "b", "a\x1bPtmux;\x1b\\b"},
		{"through tmux, among others", tmux("x\x1b]52;c;eA==\x07\x1b[31my"), tmux("x\x1b[31my")},
		{"through tmux twice", tmux(tmux("x\x1b[21ty")), tmux(tmux("xy"))},
		{"through tmux too often", tmux(tmux(tmux(tmux("x")))), tmux(tmux(tmux("")))},
		{"over two wrappings", tmux("\x1b]5") + tmux("2;c;eA==\x07"), tmux("") + tmux("2;c;eA==\x07")},
		{"through screen", "a\x1bP\x1b]52;c;eA==\x07\x1b\\b", "a\x1b\\b"},
		{"what is cut off goes too", "a\x1b[2\x1b]52;c;?\x071tb", "a1tb"},
		{"an escape before", "a\x1b\x1b]52;c;?\x07[21tb", "a[21tb"},
		{"in a title", "\x1b]2;a\x1b]52;c;?\x07b\x07", PushTitle + "\x1b]2;ab\x07"},
		{"a long sequence", "a\x1b[" + strings.Repeat("1;", MaxHeld) + "tb", "ab"},
		{"a long number", "a\x1b]" + strings.Repeat("1", 2*MaxHeld) + ";x\x07b", "ab"},
		{"cut by a character", "a\x1b[2\u009d52;c;?\x07b", "ab"},

		{"file to keep", "a\x1b]1337;File=name=eA==;size=1:eA==\x07b", "ab"},
		{"file to keep, said so", "a\x1b]1337;File=inline=0:eA==\x07b", "ab"},
		{"file, both ways", "a\x1b]1337;File=inline=1;inline=0:eA==\x07b", "ab"},
		{"file in parts", "a\x1b]1337;MultipartFile=inline=1\x07\x1b]1337;FilePart=eA==\x07\x1b]1337;FileEnd\x07b", "ab"},
		{"file, its key with controls", "a\x1b]1337;Fi\nle=name=eA==:eA==\x07b", "ab"},
		{"file, through tmux", tmux("x\x1b]1337;File=name=eA==:eA==\x07y"), tmux("xy")},
		{"a long file", "a\x1b]1337;File=name=eA==:" + strings.Repeat("QUJD", 300_000) + "\x07b", "ab"},
		{"a file that never ends", "a\x1b]1337;File=name=eA==:" + strings.Repeat("QUJD", 300_000) + "\nb", "a\nb"},
		{"transfer", "a\x1b]5113;ac=send;id=1\x1b\\b", "ab"},
		{"a key that nobody knows", "a\x1b]1337;RunThis=eA==\x07b", "ab"},
		{"a number that nobody knows", "a\x1b]4711;x\x07b", "ab"},
		{"no number", "a\x1b]x;y\x07b", "ab"},
		{"notes", "a\x1b]9;you won\x07\x1b]777;notify;a;b\x07\x1b]99;;x\x1b\\b", "ab"},
		{"a program to run", "a\x1b]9;7;cmd\x07b", "ab"},
		{"picture from a file", "a\x1b_Ga=T,t=f;L2V0Yw==\x1b\\b", "ab"},
		{"picture from a file that goes", "a\x1b_Gt=t,a=T;L2V0Yw==\x1b\\b", "ab"},
		{"picture from memory", "a\x1b_Gf=100,t=s;eA==\x1b\\b", "ab"},
		{"picture, both ways", "a\x1b_Gt=d,t=f;eA==\x1b\\b", "ab"},
		{"picture from a file, through tmux", tmux("\x1b_Gt=f;eA==\x1b\\x"), tmux("x")},
		{"picture from a file, by C1", "a\u009fGt=f;eA==\u009cb", "ab"},
		{"what nobody knows", "a\x1b_X;y\x1b\\b\x1b^p\x1b\\c\x1bXs\x1b\\d", "abcd"},
		{"remote control", "a\x1bP@kitty-cmd{}\x1b\\b", "ab"},
		{"fonts", "a\x1bP1;1;1{ @x\x1b\\b", "ab"},
		{"what tmux does not know", "a\x1bPtmax;x\x1b\\b", "ab"},
		{"printer", "a\x1b[5ib\x1b[4ic\x1b[?5id\x1b[?4ie\x1b[if\x1b[?10ig", "abcdefg"},

		{"title", "a\x1b]0;t\x07b", "a" + PushTitle + "\x1b]0;t\x07b"},
		{"two titles", "\x1b]2;t\x07\x1b]2;u\x07", PushTitle + "\x1b]2;t\x07\x1b]2;u\x07"},
		same("text", "a\tb\r\n\x0e\x0f\x08\x07é漢😀"),
		same("characters with C1 bytes", "✜ “x” 𝄞 \xc3\x9d\xc5\x9b"),
		same("no text", "\xff\xfe\xc3\x00\xe2\x82"),
		same("colours and modes", "\x1b[1;31mx\x1b[0m\x1b[?1049h\x1b[2J\x1b[?25l\x1b[?1000;1006h"),
		same("sizes and titles' stack", "\x1b[18t\x1b[14t\x1b[22;2t\x1b[23;2t\x1b[8;24;80t"),
		same("questions", "\x1b[c\x1b[>c\x1b[6n\x1b[?u\x1b]11;?\x07\x1b[>q\x1bP+q544e\x1b\\\x1b[?1$p"),
		same("save and restore", "\x1b[s\x1b[u\x1b7\x1b8\x1b[>1u\x1b[<u"),
		same("links", "\x1b]8;;https://example.org\x1b\\x\x1b]8;;\x1b\\"),
		same("marks", "\x1b]133;A\x07\x1b]7;file:///tmp\x07\x1b]1337;SetMark\x07"),
		same("picture", "\x1bPq#0;2;0;0;0#0~~-"+strings.Repeat("~", 9000)+"\x1b\\"),
		same("kitty's picture", "\x1b_Gf=100,a=T;"+strings.Repeat("AAAA", 2000)+"\x1b\\"),
		same("progress", "\x1b]9;4;1;50\x07\x1b]9;4\x07"),
		same("a picture's parts", "\x1b_Gm=1;AAAA\x1b\\\x1b_Gm=0,t=d;AAAA\x1b\\\x1b_Ga=d\x1b\\"),
		same("what goes together", "\x1bP=1s\x1b\\x\x1bP=2s\x1b\\"),
		same("the Linux console's colours", "\x1b]R\x1b]P0102030x"),
		same("characters that begin no string", "â\u0082\u009d and more â\u009f\u0098"),
		same("file", "\x1b]1337;File=inline=1:"+strings.Repeat("AAAA", 2000)+"\x07"),
		same("picture through tmux", tmux("\x1b_Gf=100;AAAA\x1b\\")),
		same("title's reset", "\x1b]104\x1b\\"),
		same("character sets", "\x1b(0lqk\x1b(B\x1b%G\x1b#8"),
		same("cancelled", "\x1b[3\x18m\x1b]0\x1am"),
		same("cut off", "a\x1b[3\x1b[2J"),
		same("not ended", "a\x1b[3"),
	}
}

// TestSinkB: what a live command may not do goes, and all else passes as it came, in
// whatever pieces it comes.
//
//ken:unraced
func TestSinkB(t *testing.T) {
	t.Parallel()
	for _, p := range passages() {
		if got := whole(p.in); got != p.want {
			t.Errorf("%s: %.80q, want %.80q", p.name, got, p.want)
			continue
		}
		var every []int
		for i := range min(len(p.in), 20_000) {
			every = append(every, i)
			if len(p.in) > 1000 && i%97 != 0 {
				continue
			}
			if got := pieces(p.in, i); got != p.want {
				t.Errorf("%s cut at %d: %.80q, want %.80q", p.name, i, got, p.want)
				break
			}
		}
		if got := pieces(p.in, every...); got != p.want {
			t.Errorf("%s byte by byte: %.80q, want %.80q", p.name, got, p.want)
		}
	}
}

// parts are what outputs are drawn from.
func parts() []string {
	list := []string{
		"\x1b", "[", "]", "P", "\\", "\x07", "\x18", "\x05", "5", "2", "52;c;", "0;t", "21t", "t", "$q", "m", "tmux;", "\x1b\x1b",
		"\xc2", "\x9d", "\x9b", "\x90", "\x9c", "\u009d", "\u009b", "é", "\n", ";", "0", "1337;", "Copy", "=", "|", "*y", "(", "%", "@", "_G", "x",
	}
	for _, p := range passages() {
		if len(p.in) < 200 {
			list = append(list, p.in)
		}
	}
	return list
}

// TestPieces: the pieces do not matter, and what passed passes again but for the title
// that is laid away.
func TestPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts()), 1, 12).Draw(t, "parts"), "")
		want := whole(s)
		cut := rapid.IntRange(0, len(s)).Draw(t, "cut")
		if got := pieces(s, cut); got != want {
			t.Fatalf("cut at %d: %q, want %q", cut, got, want)
		}
		if at := does(want); at != "" {
			t.Fatalf("%q leaves %q, which %s", s, want, at)
		}
	})
}

// does is a terminal of the simplest kind, written another way than the filter: it
// says what a text makes it do that it should not.
func does(s string) string {
	b := []byte(s)
	if bytes.IndexByte(b, enq) >= 0 {
		return "answers back"
	}
	b = bytes.ReplaceAll(b, []byte("\u009d"), []byte("\x1b]"))
	b = bytes.ReplaceAll(b, []byte("\u009b"), []byte("\x1b["))
	b = bytes.ReplaceAll(b, []byte("\u0090"), []byte("\x1bP"))
	for {
		i := bytes.IndexByte(b, esc)
		if i < 0 || i+2 > len(b) {
			return ""
		}
		kind := b[i+1]
		b = b[i+1:]
		if kind != '[' && kind != ']' && kind != 'P' {
			continue
		}
		var params []byte
		final := byte(0)
		for _, c := range b[1:] {
			if c == esc || c == can || c == sub || c >= 0x80 {
				break
			}
			if c < 0x20 || c == del {
				if c == bel && kind == ']' {
					break
				}
				continue
			}
			if kind != ']' && c >= 0x40 || kind == ']' && c == ';' {
				final = c
				break
			}
			params = append(params, c)
		}
		switch p := strings.TrimLeft(string(params), "0"); {
		case kind == '[' && final == 't' && !strings.ContainsAny(p, " !\"#$%&'()*+,-./") && (p == "20" || p == "21" || strings.HasPrefix(p, "21;") || strings.HasPrefix(p, "20;")):
			return "reports the title"
		case kind == '[' && final == 'y' && strings.HasSuffix(p, "*"):
			return "sums the screen up"
		case kind == ']' && final == ';' && (p == "52" || p == "50" || p == "5522"):
			return "uses the clipboard"
		case kind == 'P' && final == 'q' && strings.HasSuffix(p, "$"):
			return "reports a setting"
		case kind == 'P' && final == '|':
			return "sets keys"
		}
	}
}

// FuzzFilter: no output makes a terminal do what it should not, nor depends on its
// pieces.
func FuzzFilter(f *testing.F) {
	for _, p := range passages() {
		if len(p.in) < 500 {
			f.Add([]byte(p.in), len(p.in)/2)
		}
	}
	f.Fuzz(func(t *testing.T, p []byte, cut int) {
		s := string(p)
		got := whole(s)
		if cut = max(0, min(cut, len(s))); pieces(s, cut) != got {
			t.Fatalf("cut at %d: %q, want %q", cut, pieces(s, cut), got)
		}
		if at := does(got); at != "" {
			t.Fatalf("%q leaves %q, which %s", s, got, at)
		}
		if !bytes.ContainsAny(p, "\x1b\x05") && !rawC1(p) && got != s {
			t.Fatalf("%q came out as %q", s, got)
		}
	})
}

func rawC1(p []byte) bool {
	for _, b := range p {
		if b >= 0x80 && b < 0xa0 {
			return true
		}
	}
	return false
}

// TestMemory: however much is dropped or held back, little is kept.
func TestMemory(t *testing.T) {
	t.Parallel()
	for _, begin := range []string{"\x1b]52;c;", "\x1b[", "\x1b]", "\x1bP", "\x1bPtmux;\x1b\x1b]52;", "\x1bPtmux;", "\x1b"} {
		var f Filter
		f.Next([]byte(begin))
		for range 1000 {
			f.Next(bytes.Repeat([]byte("1"), 4096))
			if n := cap(f.held) + cap(f.out); n > 8*MaxHeld {
				t.Fatalf("after %q %d bytes are kept", begin, n)
			}
		}
	}
}

// BenchmarkFilter: what live output costs, in bytes.
func BenchmarkFilter(b *testing.B) {
	line := "the quick brown fox jumps over the lazy dog 0123456789\r\n"
	texts := map[string]string{
		"plain": strings.Repeat(line, 1200), "words": strings.Repeat("größer, “ça va”, 漢字 ✜\r\n", 2000),
		"colours": strings.Repeat("\x1b[1;32mok\x1b[0m  \x1b[38;5;244minternal/pty\x1b[0m 0.12s\r\n", 1000),
	}
	noise := make([]byte, 64<<10)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	texts["noise"] = string(noise)
	for _, name := range []string{"plain", "words", "colours", "noise"} {
		b.Run(name, func(b *testing.B) {
			p := []byte(texts[name])
			var f Filter
			b.SetBytes(int64(len(p)))
			b.ReportAllocs()
			for b.Loop() {
				f.Next(p)
			}
		})
	}
}
