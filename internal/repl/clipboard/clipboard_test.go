package clipboard

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
)

// TestCopy: a program of this machine copies where the person sits at it, their terminal where
// they do not or there is none, and nothing is said to be copied that was not.
func TestCopy(t *testing.T) {
	t.Parallel()
	down := errors.New("exit status 1")
	const screen = "TERM=xterm-256color"
	for name, c := range map[string]struct {
		os, env string // "KEY=value KEY=value"
		there   string // programs
		fails   bool   // do they
		way     Way
		text    string
		by      string
		err     error
	}{
		"a Mac":                {"darwin", screen, "pbcopy xclip", false, Auto, "x", "pbcopy", nil},
		"Wayland first":        {"linux", screen + " WAYLAND_DISPLAY=w DISPLAY=:0", "wl-copy xclip", false, Auto, "x", "wl-copy", nil},
		"X":                    {"linux", screen + " DISPLAY=:0", "wl-copy xclip xsel", false, Auto, "x", "xclip", nil},
		"xsel":                 {"linux", screen + " DISPLAY=:0", "xsel", false, Auto, "x", "xsel", nil},
		"Windows below":        {"linux", screen + " WSL_DISTRO_NAME=u", "clip.exe", false, Auto, "x", "clip.exe", nil},
		"no display":           {"linux", screen, "xclip wl-copy pbcopy", false, Auto, "x", "the terminal", nil},
		"no program":           {"linux", screen + " DISPLAY=:0", "", false, Auto, "x", "the terminal", nil},
		"a display gone":       {"linux", screen + " DISPLAY=:0", "xclip", true, Auto, "x", "the terminal", nil},
		"far away":             {"linux", screen + " DISPLAY=:0 SSH_TTY=/dev/pts/1", "xclip", false, Auto, "x", "the terminal", nil},
		"far away, a program":  {"linux", screen + " DISPLAY=:0 SSH_TTY=/dev/pts/1", "xclip", false, Program, "x", "xclip", nil},
		"the terminal wanted":  {"darwin", screen, "pbcopy", false, Terminal, "x", "the terminal", nil},
		"dumb":                 {"linux", "TERM=dumb", "", false, Auto, "x", "", ErrNone},
		"no terminal's name":   {"linux", "", "", false, Auto, "x", "", ErrNone},
		"the console":          {"linux", "TERM=linux", "", false, Auto, "x", "", ErrNone},
		"dumb, with a program": {"darwin", "TERM=dumb", "pbcopy", false, Auto, "x", "pbcopy", nil},
		"only a broken one":    {"darwin", "TERM=dumb", "pbcopy", true, Auto, "x", "", down},
		"no program, wanted":   {"linux", screen, "", false, Program, "x", "", ErrNone},
		"off":                  {"darwin", screen, "pbcopy", false, Off, "x", "", ErrOff},
		"as long as may be":    {"linux", screen, "", false, Auto, strings.Repeat("x", Most), "the terminal", nil},
		"too long":             {"linux", screen, "", false, Auto, strings.Repeat("x", Most+1), "", ErrTooLong},
		"long for a program":   {"darwin", screen, "pbcopy", false, Auto, strings.Repeat("x", Most+1), "pbcopy", nil},
		"tmux":                 {"linux", screen + " TMUX=/tmp/t,1,0", "tmux", false, Auto, "x", "tmux", nil},
		"an older tmux":        {"linux", screen + " TMUX=/tmp/t,1,0", "tmux", true, Auto, "x", "the terminal", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := make(map[string]string)
			for _, pair := range strings.Fields(c.env) {
				key, value, _ := strings.Cut(pair, "=")
				env[key] = value
			}
			var shown bytes.Buffer
			got := ""
			b := Board{
				OS: c.os, Getenv: func(key string) string { return env[key] }, Screen: &shown,
				Find: func(name string) (string, error) {
					if strings.Contains(" "+c.there+" ", " "+name+" ") {
						return "/bin/" + name, nil
					}
					return "", errors.New("not found")
				},
				Run: func(_ context.Context, _ []string, input string) error {
					if c.fails {
						return down
					}
					got = input
					return nil
				},
			}
			by, err := b.Copy(t.Context(), c.text, c.way)
			if by != c.by || !errors.Is(err, c.err) {
				t.Fatalf("by %q, %v; want %q, %v", by, err, c.by, c.err)
			}
			switch {
			case err != nil && (got != "" || shown.Len() > 0):
				t.Errorf("copied %q, showed %q", got, shown.String())
			case by == "the terminal" && env["TMUX"] == "":
				want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(c.text)) + "\a"
				if shown.String() != want {
					t.Errorf("showed %.80q", shown.String())
				}
			case by == "the terminal":
				want := "\x1b]52;c;eA==\a\x1bPtmux;\x1b\x1b]52;c;eA==\a\x1b\\"
				if shown.String() != want {
					t.Errorf("showed %q", shown.String())
				}
			case by == "clip.exe" && got != "\xff\xfex\x00", by != "" && by != "clip.exe" && got != c.text:
				t.Errorf("gave %.80q", got)
			}
		})
	}
}
