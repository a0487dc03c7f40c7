package termsafe

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
	"pgregory.net/rapid"
)

// A hostile text says what of it stays: the sequence in it goes whole.
type hostile struct{ name, in, want string }

// hostiles holds a text of each kind of sequence, in each of its spellings.
func hostiles() []hostile {
	list := []hostile{
		// CSI.
		{"clear", "a\x1b[2Jb", "ab"},
		{"cursor up", "a\x1b[1A\x1b[2Kb", "ab"},
		{"conceal", "\x1b[8mrm -rf ~\x1b[0m", "rm -rf ~"},
		{"colour", "\x1b[1;38;2;1;2;3mred\x1b[m", "red"},
		{"modes", "\x1b[?1049h\x1b[?25l\x1b[?2004hx", "x"},
		{"queries", "\x1b[6n\x1b[c\x1b[>c\x1b[=c\x1b[18tx", "x"},
		{"scroll region", "\x1b[1;1rx", "x"},
		{"keyboard protocol", "\x1b[>31ux", "x"},
		{"soft reset", "\x1b[!px", "x"},
		{"rectangle", "\x1b[1;1;9;9$zx", "x"},
		{"end of paste", "\x1b[201~rm -rf ~\n", "rm -rf ~\n"},
		{"C1 CSI", "\u009b2Jx", "x"},
		{"raw CSI", "\x9b2Jx", "\ufffdx"},
		{"CSI cut by CSI", "\x1b[3\x1b[2Jx", "x"},
		{"CSI cut by newline", "\x1b[3\nx", "\nx"},
		{"CSI cut by a letter", "\x1b[3éx", "éx"},
		{"CSI cancelled", "\x1b[3\x18mx", "mx"},
		// Strings.
		{"title", "a\x1b]0;title\x07b", "ab"},
		{"title with ST", "a\x1b]2;title\x1b\\b", "ab"},
		{"title with C1 ST", "a\x1b]2;title\u009cb", "ab"},
		{"title with raw ST", "a\x1b]2;title\x9cb", "ab"},
		{"title in UTF-8", "a\x1b]2;✜Ünï\x07b", "ab"},
		{"clipboard write", "\x1b]52;c;c2VjcmV0\x07x", "x"},
		{"clipboard read", "\x1b]52;c;?\x07x", "x"},
		{"C1 clipboard", "\u009d52;c;c2VjcmV0\u009cx", "x"},
		{"raw clipboard", "\x9d52;c;c2VjcmV0\x9cx", "\ufffdx"},
		{"link", "\x1b]8;;http://evil.test\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"copy", "\x1b]1337;CopyToClipboard=\x07x\x1b]1337;EndCopy\x07", "x"},
		{"file", "\x1b]1337;File=inline=1:AAAA\x07x", "x"},
		{"notify", "\x1b]777;notify;t;b\x07\x1b]9;hi\x07\x1b]99;;hi\x1b\\x", "x"},
		{"palette", "\x1b]4;1;rgb:00/00/00\x07x", "x"},
		{"DCS query", "\x1bP$q\"p\x1b\\x", "x"},
		{"sixel", "\x1bPq#0;2;0;0;0#0~~\n~~\x1b\\x", "x"},
		{"DCS goes on after BEL", "\x1bPa\x07b\x1b\\x", "x"},
		{"tmux", "\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\x", "x"},
		{"screen", "\x1bP\x1b]52;c;eA==\x07\x1b\\x", "x"},
		{"APC", "\x1b_Gf=100;AAAA\x1b\\x", "x"},
		{"PM", "\x1b^x\x1b\\y", "y"},
		{"SOS", "\x1bXx\x1b\\y", "y"},
		{"C1 DCS, SOS, PM, APC", "\u0090a\u009c\u0098b\u009c\u009ec\u009c\u009fd\u009cx", "x"},
		{"nested", "\x1b]0;\x1b]52;c;eA==\x07x", "x"},
		{"string cut by CSI", "\x1b]0;title\x1b[31mx", "x"},
		{"string cut by C1", "\x1b]0;title\u009b31mx", "x"},
		{"string cancelled", "\x1b]0;title\x1ax", "x"},
		{"string not ended", "a\x1b]0;title", "a"},
		{"string ends in ESC", "a\x1b]0;title\x1b", "a"},
		{"string ends in a character", "a\x1b]0;t\xe2\x82", "a"},
		{"string ends in a broken one", "a\x1b]0;t\xe2\x82", "a"},
		{"long string", "\x1b]52;c;" + strings.Repeat("A", MaxSequence) + "\x07x", "x"},
		{"very long string", "a\x1b]52;c;" + strings.Repeat("A", 5*MaxSequence) + "\x1b\\x", "ax"},
		{"string without end", "a\x1b]52;c;aGVsbG8=", "a"},
		{"string without end, and an answer", "a\x1b]0;x\nthe answer", "a\nthe answer"},
		{"long string without end", "a\x1bPq" + strings.Repeat("A", 2*MaxSequence) + "\nthe answer", "a\nthe answer"},
		{"string of several lines", "a\x1b_Gone\ntwo\x1b\\b", "ab"},
		{"string of the greatest length", "\x1b]" + strings.Repeat("A", MaxSequence-3) + "\x07x", "x"},
		{"string a byte longer", "\x1b]" + strings.Repeat("A", MaxSequence-2) + "\x07x", "x"},
		{"long string of a broken character", "\x1b]" + strings.Repeat("A", MaxSequence-4) + "\xe2\x82BC", ""},
		{"long CSI", "\x1b[" + strings.Repeat("1", MaxSequence-2) + "2x", "2x"},
		// Other escapes and controls.
		{"reset", "a\x1bcb", "ab"},
		{"save, restore, index", "\x1b7\x1b8\x1bD\x1bMx", "x"},
		{"character set", "\x1b(0\x1b)B\x1b*A\x1b%Gx", "x"},
		{"line size", "\x1b#8\x1b#3x", "x"},
		{"ESC at the end", "a\x1b", "a"},
		{"ESC before newline", "a\x1b\nb", "a\nb"},
		{"ESC before a letter", "a\x1béb", "aéb"},
		{"two ESC", "a\x1b\x1b[2Jb", "ab"},
		{"NUL", "a\x00b", "ab"},
		{"bell, tab, shift", "a\x07\tb\x0e\x0f\x05", "a\tb"},
		{"backspace", "rm -rf ~\b\b\b\b\b\b\b\bls      ", "rm -rf ~ls      "},
		{"delete", "ab\x7fc", "abc"},
		{"form feed", "a\vb\fc", "abc"},
		{"CR", "safe\rrm -rf ~", "safe\nrm -rf ~"},
		{"CR LF", "a\r\nb\r\n\r\nc\r\r\nd", "a\nb\n\nc\nd"},
		{"CR, erase, LF", "a\r\x1b[K\nb", "a\nb"},
		{"C1 controls", "a\u0084b\u0085c\u008dd", "abcd"},
		{"raw C1 controls", "a\x84b\x85c", "a\ufffdb\ufffdc"},
		{"line separators", "a\u2028b\u2029c", "a\nb\nc"},
		// Bytes.
		{"lead byte", "\xc3(", "\ufffd("},
		{"lead byte at the end", "a\xe2\x82", "a\ufffd"},
		{"cut character", "\xe2\x9bA", "\ufffdA"},
		{"surrogate", "\xed\xa0\x80x", "\ufffd\ufffd\ufffdx"},
		{"overlong ESC", "\xc0\x9b[2Jx", "\ufffd\ufffd2Jx"}, // the raw CSI ends at "["
		{"noncharacter", "a\ufffeb\uffffc\ufdd0", "a\ufffdb\ufffdc\ufffd"},
		// Invisible.
		{"zero width", "r\u200bm r\u2060m r\ufeffm r\u00adm", "rm rm rm rm"},
		{"joiners without a job", "r\u200dm r\u200cm", "rm rm"},
		{"joiner twice", "👩\u200d\u200d💻 می\u200c\u200cخ", "👩\u200d💻 می\u200cخ"},
		{"override", "safe \u202eexe.cod\u202c", "safe exe.cod"},
		{"isolates", "a\u2066b\u2067c\u2068d\u2069e", "abcde"},
		{"marks without a job", "a\u200eb\u200fc\u061cd", "abcd"},
		{"mark twice", "שלום\u200f\u200f!", "שלום\u200f!"},
		{"mark on the next line", "שלום\na\u200f", "שלום\na"},
		{"tags", "hi\U000e0068\U000e0069\U000e007f x\U000e0001", "hi x"},
		{"tags after a flag", "🏴\U000e0072\U000e006d\U000e007fx", "🏴x"},
		{"tags not ended", "🏴\U000e0067\U000e0062x", "🏴x"},
		{"tags of great length", "🏴" + strings.Repeat("\U000e0061", 100) + "\U000e007fx", "🏴x"},
		{"selectors", "a\ufe0fb\ufe01c\U000e0100d", "abcd"},
		{"run of selectors", "😀\ufe0f\ufe0f\ufe01\U000e0101\U000e0102x", "😀\ufe0fx"},
		{"fillers", "a\u3164b\uffa0c\u115fd\u034fe\u180ef", "abcdef"},
		{"annotation", "a\ufff9b\ufffac\ufffbd", "abcd"},
		{"deprecated and invisible operators", "a\u206ab\u2064c", "abc"},
	}
	return list
}

// benign holds texts that stay as they are.
func benign() []string {
	return []string{
		"", "plain", "a\tb\nc\n", "10\u00a0km", "┌─┐│└┘", "⣿⣷⠀", "مرحبا", "שלום עולם", "می\u200cخواهم", "नमस्ते", "क्\u200dष", "ക്\u200d ", "สวัสดี", "ភាសាខ្មែរ", "ကို",
		"Zürich naïve café", "e\u0301 a\u0308 q\u0307\u0323", "Tiếng Việt", "日本語 中文 한국어", "葛\U000e0100城", "ᠮᠣᠩᠭᠣᠯ\u180b", "Ελληνικά Кириллица", "∅\ufe00 ≨\ufe00", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
		"❤\ufe0f ☺\ufe0e", "👩\u200d💻", "👨\u200d👩\u200d👧\u200d👦", "🏳\ufe0f\u200d🌈", "❤\ufe0f\u200d🔥", "👍🏽 👩🏽\u200d🚀", "🇩🇪🇫🇷", "1\ufe0f⃣ #\ufe0f⃣ *\ufe0f⃣",
		"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🏴\u200d☠\ufe0f", "שלום\u200f! abc\u200e", "مرحبا\u061c 1", "\ue0b0 \uf113 \U000f0001", "\ufffd", "a\u2003b\u3000c", "٣٫١٤ ؀١٢", "\U0001fae8",
	}
}

// T1: whole, byte by byte, and cut in three at every place (of the few texts of
// thousands of bytes, at some).
func TestHostile(t *testing.T) {
	t.Parallel()
	for _, h := range hostiles() {
		if got := Clean(h.in); got != h.want {
			t.Errorf("%s: Clean(%.80q)\n got %.80q\nwant %.80q", h.name, h.in, got, h.want)
		}
		in, want := "до "+h.in+" <end>", Clean("до "+h.in+" <end>")
		if got := chunked(bytewise(in)...); got != want {
			t.Errorf("%s byte by byte: got %.80q, want %.80q", h.name, got, want)
		}
		for i := 0; i <= len(in); i += 1 + len(in)/300 {
			j := i + (len(in)-i)/2
			if got := chunked(in[:i], in[i:j], in[j:]); got != want {
				t.Errorf("%s cut at %d and %d: got %.80q, want %.80q", h.name, i, j, got, want)
				break
			}
		}
		checkClean(t, h.in)
	}
}

func TestBenign(t *testing.T) {
	t.Parallel()
	for _, s := range benign() {
		if got := Clean(s); got != s {
			t.Errorf("Clean(%+q) = %+q", s, got)
		}
		for i := 0; i <= len(s); i++ {
			if got := chunked(s[:i], s[i:]); got != s {
				t.Errorf("%+q cut at %d: %+q", s, i, got)
			}
		}
	}
	all := strings.Join(benign(), "\n")
	if got := Clean(all); got != all {
		t.Errorf("together: %+q", got)
	}
}

func chunked(chunks ...string) string {
	var c Cleaner
	var b strings.Builder
	for _, s := range chunks {
		b.WriteString(c.Write(s))
	}
	b.WriteString(c.Flush())
	return b.String()
}

func bytewise(s string) []string {
	out := make([]string, len(s))
	for i := range len(s) {
		out[i] = s[i : i+1]
	}
	return out
}

// A complainer is a test of testing or of rapid.
type complainer interface {
	Errorf(format string, args ...any)
}

// checkClean holds the laws that are true of any text.
func checkClean(t complainer, s string) {
	out := Clean(s)
	if !utf8.ValidString(out) {
		t.Errorf("Clean(%q) = %q is no UTF-8", s, out)
	}
	for _, r := range out {
		switch fateOf(r) {
		case shown, joiner, selector, mark, tag:
		default:
			t.Errorf("Clean(%q) = %q lets %U through", s, out, r)
			return
		}
	}
	if again := Clean(out); again != out {
		t.Errorf("Clean(%q) = %q, cleaned again %q", s, out, again)
	}
}

// T4: the laws on texts put together from the pieces of sequences.
func TestCleanLaws(t *testing.T) {
	t.Parallel()
	var pieces []string
	for _, h := range hostiles() {
		if len(h.in) < 100 {
			pieces = append(pieces, h.in)
		}
	}
	pieces = append(pieces, benign()...)
	pieces = append(pieces, "\x1b", "\x1b[", "\x1b]", "\x1bP", "\x1b\\", "\u009b", "\u009d", "\u009c", "\x9b", "\x07", "\r", "\n", "\x18", "\xe2", "\x82", "\xac", "🏴", "\U000e0067", "\U000e007f", "\u200d", "\ufe0f", "1;2", "m", "é")
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for _, i := range rapid.SliceOf(rapid.IntRange(0, len(pieces)-1)).Draw(t, "pieces") {
			b.WriteString(pieces[i])
		}
		s := b.String()
		checkClean(t, s)
		var chunks []string
		for rest := s; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "chunk")
			chunks, rest = append(chunks, rest[:n]), rest[n:]
		}
		if got, want := chunked(chunks...), Clean(s); got != want {
			t.Errorf("chunks %q: got %q, want %q", chunks, got, want)
		}
	})
}

// T2, T3: a terminal that is sent the clean text shows the cells, has the title
// and the modes, of one that is sent the text that stays.
func TestTerminalShowsTheSame(t *testing.T) {
	t.Parallel()
	for _, h := range hostiles() {
		if len(h.in) > 1000 {
			continue
		}
		if got, want := screen("top\n"+Clean(h.in)+"\nend"), screen("top\n"+h.want+"\nend"); got != want {
			t.Errorf("%s: the screen is\n%s\nwant\n%s", h.name, got, want)
		}
	}
}

// screen returns what a terminal of 40 x 12 shows of s, its title, its modes and
// what it answers.
func screen(s string) string {
	var answer strings.Builder
	term := vt10x.New(vt10x.WithSize(40, 12), vt10x.WithWriter(&answer))
	_, _ = term.Write([]byte(strings.ReplaceAll(s, "\n", "\r\n")))
	cursor := term.Cursor()
	return strings.Join([]string{term.String(), term.Title(), answer.String(), string(rune('0' + cursor.X)), string(rune('0' + cursor.Y)), string(rune(term.Mode()))}, "|")
}

func TestTerminalTestCanFail(t *testing.T) {
	t.Parallel()
	if screen("a\x1b]0;evil\x07") == screen("a") || screen("a\x1b[2Jb") == screen("ab") || screen("a\x1b[6n") == screen("a") || screen("a\x1b[?1h") == screen("a") {
		t.Error("the screen does not tell")
	}
}

// Nothing to remove: the same string, and no allocation, in one piece or in many.
func TestCleanAllocatesNothing(t *testing.T) {
	s := strings.Join(benign()[:12], " ") + strings.Repeat(" ordinary text\n", 50) + "❤\ufe0f 👩\u200d💻"
	var c Cleaner
	if n := testing.AllocsPerRun(100, func() {
		if Clean(s) != s || c.Write(s) != s || c.Flush() != "" {
			t.Error("changed")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What is held back is bounded, and Flush makes the Cleaner as new.
func TestCleanerHolds(t *testing.T) {
	t.Parallel()
	var c Cleaner
	for range 3 * MaxSequence {
		c.Write("\x1b]")
		c.Write("A")
		if len(c.held) > MaxSequence {
			t.Fatalf("holds %d bytes", len(c.held))
		}
	}
	c.Flush()
	if got := c.Write("x\u200f"); got != "x" {
		t.Errorf("after Flush: %q", got)
	}
	c.Write("ש")
	c.Flush()
	if got := c.Write("\u200f") + c.Write("\n"); got != "\n" {
		t.Errorf("after Flush the text before still counts: %q", got)
	}
}

// The ranges that pass without further questions need none.
func TestCommonIsShown(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if isCommon(r) && (fateOf(r) != shown || isRightToLeft(r)) && utf8.ValidRune(r) {
			t.Errorf("%U", r)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, h := range hostiles() {
		f.Add(h.in, 1)
	}
	for _, s := range benign() {
		f.Add(s, 2)
	}
	f.Fuzz(func(t *testing.T, s string, size int) {
		checkClean(t, s)
		size = 1 + max(0, size%17)
		var chunks []string
		for i := 0; i < len(s); i += size {
			chunks = append(chunks, s[i:min(len(s), i+size)])
		}
		if got, want := chunked(chunks...), Clean(s); got != want {
			t.Errorf("%q in pieces of %d: got %q, want %q", s, size, got, want)
		}
	})
}

// T7.
func BenchmarkClean(b *testing.B) {
	plain := strings.Repeat("The keeper of the house wrote: a good garden takes patience.\n", 1000)
	for name, s := range map[string]string{
		"ascii":  plain,
		"umlaut": strings.Repeat("Die Hüterin des Hauses schrieb: für den Garten braucht es Geduld.\n", 1000),
		"cjk":    strings.Repeat("家の管理人は書いた。よい庭には忍耐がいる。\n", 1000),
		"emoji":  strings.Repeat("done ✅ 👩\u200d💻 ❤\ufe0f next\n", 1000),
		"colour": strings.Repeat("\x1b[32mok\x1b[0m   internal/termsafe  0.012s  coverage: 98.1%\n", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Clean(s)
			}
		})
	}
	b.Run("token", func(b *testing.B) {
		var c Cleaner
		b.ReportAllocs()
		for b.Loop() {
			c.Write(" patience")
		}
	})
}
