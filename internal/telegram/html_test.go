package telegram

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	"ken/internal/telegram/telegramtest"
	"ken/internal/termsafe"
)

// TestPartsOfBlocks are texts whose HTML is plain to see.
func TestPartsOfBlocks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                "",
		"a < b & c > d":                   "a &lt; b &amp; c &gt; d",
		`\_ a_b \*`:                       "_ a_b *",
		"**b** *i* ~~s~~ `c <x>`":         "<b>b</b> <i>i</i> <s>s</s> <code>c &lt;x&gt;</code>",
		"***both***":                      "<b><i>both</i></b>",
		"**a `c` b**":                     "<b>a </b><code>c</code><b> b</b>",
		"# Title\n\ntext":                 "<b>Title</b>\n\ntext",
		"a\n\nb":                          "a\n\nb",
		"- a\n- b\n  1. c\n- [x] d":       "• a\n• b\n\n   1. c\n☑ d",
		"> q\n> > r\n\nz":                 "<blockquote>q\n\n│ r</blockquote>\n\nz",
		"```go\nif a < b {}\n```":         `<pre><code class="language-go">if a &lt; b {}</code></pre>`,
		"```\na\n```\n```\nb\n```":        "<pre>a</pre>\n\n<pre>b</pre>",
		"```a\"b><\nx\n```":               "<pre>x</pre>",
		"CMD: ls -l":                      `<pre><code class="language-bash">ls -l</code></pre>`,
		"[x](https://a.b/?c=d&e)":         `<a href="https://a.b/?c=d&amp;e">x</a> (a.b)`,
		"<https://a.b>":                   `<a href="https://a.b">https://a.b</a>`,
		"[x](HTtP://a.b)":                 `<a href="http://a.b">x</a> (a.b)`,
		"[x](javascript:alert(1))":        "x (javascript:alert(1))",
		"![p](https://a.b/p.png)":         `<a href="https://a.b/p.png">p</a> (a.b)`,
		"<script>alert(1)</script>":       "&lt;script&gt;alert(1)&lt;/script&gt;",
		"|a|b|\n|-|-|\n|1|22|":            "<pre>a  b\n-  --\n1  22</pre>",
		"a\x1b[31mb\x1b]52;c;x\x07\u202e": "ab",
	} {
		var all strings.Builder
		for _, p := range Parts(text) {
			all.WriteString(p.HTML)
		}
		if all.String() != want {
			t.Errorf("%q:\n%s\nwant\n%s", text, all.String(), want)
		}
	}
}

// TestPartsOfWideTables: what a phone could not show in columns is shown row by row.
func TestPartsOfWideTables(t *testing.T) {
	t.Parallel()
	text := "| name | what it is for |\n|-|-|\n| one | " + strings.Repeat("long ", 10) + "|\n| two | b |"
	want := "<b>name</b>: one\n<b>what it is for</b>: " + strings.TrimSpace(strings.Repeat("long ", 10)) +
		"\n\n<b>name</b>: two\n<b>what it is for</b>: b"
	if got := Parts(text); len(got) != 1 || got[0].HTML != want {
		t.Errorf("%+v\nwant %s", got, want)
	}
}

// TestPartsOfCode: code that is longer than a message is closed where the message ends, at a line, and opened again.
func TestPartsOfCode(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("word ", 300) + "\n\n```go\n" + strings.Repeat("x := \"é\" // <&>\n", 400) + "```\n\nend"
	parts := Parts(text)
	if len(parts) < 2 || len(parts) > 3 {
		t.Fatal(len(parts))
	}
	for i, p := range parts {
		checkPart(t, p)
		if i > 0 && !strings.HasPrefix(p.HTML, `<pre><code class="language-go">x := `) {
			t.Errorf("message %d begins %.60q", i, p.HTML)
		}
		if i < len(parts)-1 && !strings.HasSuffix(p.HTML, "\n</code></pre>") {
			t.Errorf("message %d ends %q", i, p.HTML[max(0, len(p.HTML)-60):])
		}
	}
}

// TestPartsAtALine: where a message cannot end at a paragraph it ends at a line, and else behind a word.
func TestPartsAtALine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		strings.Repeat("y", 1000) + "\n" + strings.Repeat("x", 4000):                                  1001,
		strings.Repeat("y", 1000) + " " + strings.Repeat("x", 4000):                                   1001,
		strings.Repeat("a paragraph\n\n", 250) + strings.Repeat("word ", 500):                         250 * 13,
		strings.Repeat("y", 1000) + "\n" + strings.Repeat("x", 500) + " " + strings.Repeat("x", 3500): 1001,
		strings.Repeat("z", 5000): maxUnits,
		strings.Repeat("y", 3000) + "\n" + strings.Repeat("x", 500) + " " + strings.Repeat("x", 900): 3001,
	} {
		if parts := Parts(text); len(parts) != 2 || len(parts[0].Text) != want {
			t.Errorf("%.20q...: %d messages, the first of %d, want %d", text, len(parts), len(parts[0].Text), want)
		}
	}
}

// A failer is a test of testing or of rapid.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkPart holds what is true of every message.
func checkPart(t failer, p Part) {
	t.Helper()
	shown, err := telegramtest.Parse(p.HTML)
	if err != nil {
		t.Errorf("%v: %q", err, p.HTML)
	}
	if shown != p.Text {
		t.Errorf("shown is %q, said was %q", shown, p.Text)
	}
	if n := len(utf16.Encode([]rune(p.Text))); n > maxUnits || n == 0 {
		t.Errorf("%d units", n)
	}
	if termsafe.Clean(p.Text) != p.Text || !utf8.ValidString(p.HTML) {
		t.Errorf("not clean: %q", p.Text)
	}
}

// joined is a text without what joins, varies and turns the characters beside it, which goes where the end of a message parts it
// from them.
func joined(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r == 0x61c, r == 0xfe0e, r == 0xfe0f, r == 0x20e3, r >= 0xe0000 && r <= 0xe007f:
			return -1
		}
		return r
	}, s)
}

// checkParts holds the laws of the messages of a text.
func checkParts(t failer, text string, most int) {
	t.Helper()
	atoms := atomsOf(text)
	whole := part(atoms).Text
	var all strings.Builder
	for _, p := range split(atoms, most) {
		checkPart(t, p)
		if n := units(p.Text); n > most {
			t.Errorf("%d units, want at most %d", n, most)
		}
		all.WriteString(p.Text)
	}
	if joined(all.String()) != joined(whole) {
		t.Errorf("%q: together\n%q\nwhole\n%q", text, all.String(), whole)
	}
}

func pieces() []string {
	return []string{
		"a", "word ", "**", "*", "`", "```", "```go\n", "~~", "\n", "\n\n", "- ", "1. ", "> ", "# ", "|", "|-|-|\n", "[", "](",
		")", "https://x.y/",
		"<", ">", "&", "&amp;", "\"", "<b>", "</b>", "<pre>", "\\", "é", "漢字", "👩\u200d💻", "🇩🇪", "\x1b[31m",
		"\x00", "\xff", "\u202e", "CMD: ", "[x] ", "\u200d", "\u200c", "\u200f", "\ufe0f", "\u0627",
		strings.Repeat("x", 200), strings.Repeat("y ", 150), strings.Repeat("line\n", 60), strings.Repeat("👩\u200d💻", 40), "    ",
	}
}

// TestLawParts: whatever a model says, the messages say it all in order, each can be sent, and none is too long.
func TestLawParts(t *testing.T) {
	t.Parallel()
	list := pieces()
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(list)-1), 0, 80).Draw(t, "pieces") {
			b.WriteString(list[i])
		}
		checkParts(t, b.String(), rapid.SampledFrom([]int{wide, 100, 333, maxUnits}).Draw(t, "most"))
	})
}

// TestPartsOfCorpus is T6: what terminals are attacked with, and what pages are, is text in a message.
func TestPartsOfCorpus(t *testing.T) {
	t.Parallel()
	for _, text := range append(hostile(), corpus(t)...) {
		checkParts(t, text, maxUnits)
		checkParts(t, "```\n"+text+"\n```", maxUnits)
		for _, p := range Parts(text) {
			if strings.ContainsFunc(p.HTML, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c < 0xa0 }) {
				t.Errorf("%q: %q", text, p.HTML)
			}
		}
	}
}

// hostile are texts that pages are attacked with.
func hostile() []string {
	return []string{
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "\"><script>alert(1)</script>", "'><b>",
		"javascript:alert(1)", "[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))", "[a](data:text/html;base64,PHNj)", "[a](vbscript:x)",
		"[a](\"https://a.b\" onclick=x)", "[a](https://a.b\"onmouseover=\"x)", "[a](<https://a.b>)", "[a](https://a.b '><b>')",
		"</pre><b>", "</code></pre>", "```\n</pre></code><script>\n```", "`</code><b>`",
		"<tg-spoiler>x</tg-spoiler>", "<a href=\"tg://user?id=1\">x</a>",
		"[x](tg://user?id=1)", "&lt;b&gt;", "&amp;lt;", "&#60;script&#62;", "&unknown;", "&", "<", ">", "<!-- x -->", "<![CDATA[x]]>",
		"[https://good.example](https://evil.example)", "[x](https://good.example@evil.example)", "<blockquote expandable>x",
	}
}

// corpus are the samples of the terminal's renderer, and what terminals are attacked with.
func corpus(t testing.TB) (list []string) {
	t.Helper()
	files, err := filepath.Glob("../markdown/testdata/*.md")
	if err != nil || len(files) < 25 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(b))
	}
	texts, err := os.ReadFile("../../testdata/vectors/terminal/texts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := len(list)
	for line := range bytes.Lines(texts) {
		var s struct {
			Text   string
			Base64 []byte `json:"text_b64"`
		}
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s.Text+string(s.Base64))
	}
	if len(list) < n+85 {
		t.Fatalf("%d texts of terminals", len(list)-n)
	}
	return list
}

// FuzzParts: the laws, of any bytes.
func FuzzParts(f *testing.F) {
	for _, text := range append(hostile(), corpus(f)...) {
		f.Add(text, 100)
	}
	for _, p := range pieces() {
		f.Add(p+p+"\n"+p, maxUnits)
	}
	f.Fuzz(func(t *testing.T, text string, most int) {
		checkParts(t, text, wide+max(0, most%maxUnits))
	})
}
