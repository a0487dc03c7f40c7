package redact

import (
	"strings"
	"testing"
)

// runs are what a text may hold for long: a rule that looks so far and no further meets its end in them.
func runs() []string {
	var out []string
	for _, unit := range []string{
		" ", "\n", "-", "\"", "*", " .", "é", "7", "a", "“", "A", ":", "(", "\\", "/", "=", "パ", "a ", ", ", "\x80", "_x", "\t", "> ", "\u200b",
	} {
		out = append(out, strings.Repeat(unit, max(90, 300/len(unit))))
	}
	return out
}

// A long run of one sign, before, in or behind what is a secret, ends no rule beyond the text that it reads,
// neither with a panic nor by going on for ever.
//
//ken:unraced
func TestRuns(t *testing.T) {
	t.Parallel()
	m, all := New([]byte("key")), runs()
	try := func(s string) {
		out, _ := m.Mask(s)
		if again, _ := m.Mask(out); again != out {
			t.Errorf("masked again: %.200q", s)
		}
	}
	for _, s := range []string{
		"use @ as the password", "code6 G-785603 is your verification code@", "verification code@", "pin@",
		"enter 785603@to verify it is you", "PASSCOMMAND=\"printf %s@\"", "--password-command 'echo @x'",
	} {
		for _, run := range all {
			try(strings.ReplaceAll(s, "@", run))
		}
	}
	var texts []string
	for _, p := range positives(21) {
		texts = append(texts, p.String())
	}
	for _, l := range leaks(t, 21) {
		texts = append(texts, l.text)
	}
	texts = append(texts, negatives()...)
	for i, s := range texts {
		run := all[i%len(all)]
		try(run + s)
		try(s + run)
		for at, n := 0, 0; n < 6; n++ {
			k := strings.IndexAny(s[at:], " \n")
			if k < 0 {
				break
			}
			at += k + 1
			run = all[(i+n)%len(all)]
			try(s[:at-1] + run + s[at:])
		}
	}
}
