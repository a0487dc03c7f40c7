//go:build unix

package term

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"ken/internal/fault"
	"ken/internal/pty/pair"
)

// TestColor: the settings go before the environment, and that before what the
// output is.
func TestColor(t *testing.T) {
	t.Parallel()
	tty, terminal, err := pair.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	defer terminal.Close()
	for _, c := range []struct {
		settings, env  string
		terminal, pipe bool
		markdown       bool // on the terminal
	}{
		{"", "TERM=xterm", true, false, true},
		{"", "TERM=dumb", false, false, false},
		{"", "", false, false, false},
		{"", "TERM=xterm NO_COLOR=1", false, false, true},
		{"", "TERM=xterm NO_COLOR=0", false, false, true},
		{"", "TERM=xterm CLICOLOR_FORCE=1", true, true, true},
		{"", "TERM=xterm CLICOLOR_FORCE=0", true, false, true},
		{"", "TERM=xterm CLICOLOR_FORCE=1 NO_COLOR=1", false, false, true},
		{`color = "always"`, "TERM=xterm NO_COLOR=1", true, true, true},
		{`color = "never"`, "TERM=xterm CLICOLOR_FORCE=1", false, false, true},
		{`color = "auto"`, "TERM=xterm", true, false, true},
		{"markdown = false", "TERM=xterm", true, false, false},
	} {
		var env []string
		for _, kv := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(kv, "=")
			env = append(env, name, value)
		}
		r := newRun(t, "[ui]\n"+c.settings+"\n", env...)
		if _, ok := r.Screen.Markdown(); ok {
			t.Errorf("%s %s: markdown in a pipe", c.settings, c.env)
		}
		if got := r.Screen.Color(&bytes.Buffer{}); got != c.pipe {
			t.Errorf("%s %s: colour in a pipe: %t", c.settings, c.env, got)
		}
		if got := r.Screen.Color(terminal); got != c.terminal {
			t.Errorf("%s %s: colour on a terminal: %t", c.settings, c.env, got)
		}
		r.Env.Stdout = terminal
		styled, ok := r.Screen.Markdown()
		if ok != c.markdown || ok && styled != c.terminal {
			t.Errorf("%s %s: markdown %t, styled %t", c.settings, c.env, ok, styled)
		}
		if r.Screen.Watched() {
			t.Errorf("%s %s: watched, though one output is none", c.settings, c.env)
		}
		r.Env.Stderr = terminal
		if got := r.Screen.Watched(); got != strings.Contains(c.env, "TERM=xterm") {
			t.Errorf("%s %s: watched: %t", c.settings, c.env, got)
		}
	}
}

// TestUnicode: the first locale that is set counts.
func TestUnicode(t *testing.T) {
	t.Parallel()
	for env, want := range map[string]bool{
		"": true, "LANG=C.UTF-8": true, "LANG=de_DE.utf8": true, "LANG=C": false, "LANG=POSIX": false, "LC_CTYPE=UTF-8": true,
		"LC_ALL=C LANG=en_US.UTF-8": false, "LC_CTYPE=en_US.UTF-8 LANG=C": true, "LC_ALL= LANG=C": false,
	} {
		var list []string
		for _, kv := range strings.Fields(env) {
			name, value, _ := strings.Cut(kv, "=")
			list = append(list, name, value)
		}
		if got := newRun(t, "", list...).Screen.Unicode(); got != want {
			t.Errorf("%s: %t", env, got)
		}
	}
}

// TestInterject: what is said goes through whoever shows something meanwhile.
func TestInterject(t *testing.T) {
	t.Parallel()
	r := newRun(t, "")
	r.Status("one")
	r.Interject(func(say func()) {
		r.err.WriteString("<")
		say()
		r.err.WriteString(">")
	})
	r.Status("two")
	r.Report(fault.Usagef("no").WithHint("go"))
	r.Interject(nil)
	r.Status("three")
	want := "[ken] one\n<[ken] two\n><ken: error: no\n><ken: hint: go\n>[ken] three\n"
	if got := r.err.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestE13Paint: who speaks has a colour where colours are, for the background that there
// is; a pipe gets none.
func TestE13Paint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ settings, env, want string }{
		{"", "", "\x1b[2m[ken]\x1b[0m one\n\x1b[1;31mken: error:\x1b[0m two\n\x1b[33mken: warning:\x1b[0m three\n"},
		{"", "COLORFGBG=0;15", "\x1b[2m[ken]\x1b[0m one\n\x1b[1;31mken: error:\x1b[0m two\n\x1b[35mken: warning:\x1b[0m three\n"},
		{`theme = "dark"`, "COLORFGBG=0;15", "\x1b[2m[ken]\x1b[0m one\n\x1b[1;31mken: error:\x1b[0m two\n\x1b[33mken: warning:\x1b[0m three\n"},
		{`theme = "none"`, "", "\x1b[2m[ken]\x1b[0m one\n\x1b[1mken: error:\x1b[0m two\nken: warning: three\n"},
		{"", "NO_COLOR=1", "[ken] one\nken: error: two\nken: warning: three\n"},
		{`color = "auto"`, "CLICOLOR_FORCE=0", "[ken] one\nken: error: two\nken: warning: three\n"},
	} {
		name, value, _ := strings.Cut(c.env, "=")
		env := []string{name, value, "CLICOLOR_FORCE", "1"} // the first of a name counts
		r := newRun(t, "[ui]\n"+c.settings+"\n", env...)
		if _, err := r.Home.Settings.Read(); err != nil {
			t.Fatal(err)
		}
		r.Status("one")
		r.Report(errors.New("two"))
		r.Warn(errors.New("three"))
		if got := r.err.String(); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.settings, c.env, got, c.want)
		}
	}
}
