package escape_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	. "ken/internal/escape"
)

// read is what each character of s is: P plain, O opens, . inside, E ends, C cancels,
// S stray.
func read(s string) (string, State) {
	var b strings.Builder
	at := Text
	for _, r := range s {
		var what Event
		at, what = at.Next(r)
		b.WriteByte("PO.ECS"[what])
	}
	return b.String(), at
}

func TestNext(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"tea":                       "PPP",
		"\r\n\a\x18é":               "PPPPP",
		"\x1b[31mx":                 "OO..EP",
		"\x1b[?1;2 qx":              "OO.....EP",
		"\u009b1mx":                 "O.EP",
		"\x1b[3\a1mx":               "OO.S.EP",
		"\x1b[3é\x1b1m":             "OO.SS.E",
		"\x1b[3\x18x":               "OO.CP",
		"\x1b7x":                    "OEP",
		"\x1b(0x":                   "O.EP",
		"\x1b([x":                   "O.EP",
		"\x1b%\x1bGx":               "O.SEP",
		"\x1b\x1b[m":                "OSOE",
		"\x1b]0;tea\ax":             "OO.....EP",
		"\x1b]0;tea\x1b\\x":         "OO......EP",
		"\x1b]0;t\x1b[mx":           "OO....OEP",
		"\x1b]0;t\x1b\x1b\\x":       "OO....SEP",
		"\u009d0\u009cx":            "O.EP",
		"\x1bPq\a\n\x1b\\x":         "OO....EP",
		"\x1b_G\u009cx":             "OO.EP",
		"\x1bXa\x1b\\\x1b^b\u009cx": "OO..EOO.EP",
		"\x1b_a\u0090b":             "OO.S.",
		"\x1b]a\x1ab":               "OO.CP",
		"\x1b]a\x1b\x1ab":           "OO..CP",
	} {
		if got, _ := read(s); got != want {
			t.Errorf("%q is\n%s, not\n%s", s, got, want)
		}
	}
	for s, want := range map[string]State{
		"": Text, "\x1b": Escape, "\x1b(": Intermediate, "\x1b[1": CSI, "\x1b]": OSC, "\x1bP": DCS, "\x1bX": SOS, "\x1b^": PM, "\x1b_": APC,
	} {
		if _, got := read(s); got != want {
			t.Errorf("behind %q: %d, not %d", s, got, want)
		}
	}
	if _, at := read("\x1bPq\x1b"); at.String() != DCS || !at.Ending() {
		t.Errorf("behind an ESC in a string: %d", at)
	}
	if CSI.String() != Text || APC.String() != APC || OSC.Ending() {
		t.Error("what a string is")
	}
}

// TestLaws: the laws of the package comment, at any place of any stream.
func TestLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		char := rapid.OneOf(rapid.SampledFrom([]rune("\x1b\x1b[]PX^_\\\a\x18\x1a\u0090\u009b\u009c\u009d 0;m(%\n")), rapid.Rune())
		laws(t, rapid.SliceOfN(char, 0, 40).Draw(t, "stream"))
	})
}

func FuzzNext(f *testing.F) {
	for _, s := range []string{"\x1b[1;31mtea\x1b[m", "\x1b]0;tea\a\x1b(0", "\x1bPq\x1b\\\u009b1\x18", "\x1b_G\x1b[\x1a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { laws(t, []rune(s)) })
}

func laws(t rapid.TB, stream []rune) {
	at := Text
	for _, r := range stream {
		to, what := at.Next(r)
		switch {
		case (r == CAN || r == SUB) && to != Text:
			t.Fatalf("%d goes on behind %q", at, r)
		case what == Stray && to != at && !at.Ending():
			t.Fatalf("a stray %q brings %d to %d", r, at, to)
		case (what == Ended || what == Cancelled || what == Plain) && to != Text:
			t.Fatalf("behind the end of %d is %d", at, to)
		case (what == Opened || what == Inside) && to == Text:
			t.Fatalf("%q opens nothing in %d", r, at)
		case what == Plain && at != Text:
			t.Fatalf("%q is plain in %d", r, at)
		}
		at = to
	}
}
