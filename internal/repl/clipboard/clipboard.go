package clipboard

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// Most is the longest text that a terminal is given, in bytes: as base64 it is 100,000, where
// common terminals cut or drop the sequence.
const Most = 74_994

// A Way says how a text is copied.
type Way string

// The ways. Auto is a program where the screen is that of this machine and there is one, else
// the terminal.
const (
	Auto     Way = "auto"
	Program  Way = "program"
	Terminal Way = "terminal"
	Off      Way = "off"
)

var (
	// ErrNone says that there is nothing by which a text could be copied.
	ErrNone = errors.New("there is no clipboard to copy to")
	// ErrTooLong says that a text is longer than Most, and only the terminal could copy it.
	ErrTooLong = fmt.Errorf("it is longer than the %d bytes that a terminal copies", Most)
	// ErrOff says that copying is switched off.
	ErrOff = errors.New("copying is switched off")
)

// A Board is what a text can be copied by.
type Board struct {
	OS     string // runtime.GOOS
	Getenv func(string) string
	// Find says where a program is; an error if it is nowhere.
	Find func(name string) (path string, err error)
	// Run runs a program with a text as its standard input.
	Run func(ctx context.Context, argv []string, input string) error
	// Screen is the person's terminal.
	Screen io.Writer
}

// A tool is a program that copies its standard input.
type tool struct {
	argv []string
	on   string // the system, or "" for those of a display
	env  string // the variable that says that its display is there; "" : none is needed
	wide bool   // it takes UTF-16
}

func tools() []tool {
	return []tool{
		{argv: []string{"pbcopy"}, on: "darwin"},
		{argv: []string{"clip.exe"}, on: "windows", wide: true},
		{argv: []string{"clip.exe"}, env: "WSL_DISTRO_NAME", wide: true},
		{argv: []string{"wl-copy"}, env: "WAYLAND_DISPLAY"},
		{argv: []string{"xclip", "-selection", "clipboard"}, env: "DISPLAY"},
		{argv: []string{"xsel", "--clipboard", "--input"}, env: "DISPLAY"},
	}
}

// Copy copies a text, and says by what: the name of a program, or "the terminal". The error is
// ErrNone, ErrTooLong, ErrOff, or that of the program; then nothing was copied.
func (b Board) Copy(ctx context.Context, text string, way Way) (by string, err error) {
	if way == Off {
		return "", ErrOff
	}
	failed := error(ErrNone)
	if way != Terminal && (way == Program || !b.remote()) {
		for _, t := range tools() {
			if t.on != "" && t.on != b.OS || t.env != "" && b.Getenv(t.env) == "" {
				continue
			}
			path, err := b.Find(t.argv[0])
			if err != nil {
				continue
			}
			input := text
			if t.wide {
				input = wide(text)
			}
			if err := b.Run(ctx, append([]string{path}, t.argv[1:]...), input); err != nil {
				failed = fmt.Errorf("%s: %w", t.argv[0], err)
				continue // its display may be gone
			}
			return t.argv[0], nil
		}
	}
	if way == Program || !b.shows() {
		return "", failed
	}
	return b.terminal(ctx, text)
}

// remote reports whether the person sits at another machine, whose clipboard programs here do
// not reach.
func (b Board) remote() bool {
	return b.Getenv("SSH_CONNECTION") != "" || b.Getenv("SSH_TTY") != ""
}

// shows reports whether the terminal is one that may know the sequence; one that does not know it
// shows nothing of it.
func (b Board) shows() bool {
	switch b.Getenv("TERM") {
	case "", "dumb", "linux", "vt100", "cons25":
		return false
	}
	return b.Screen != nil
}

// terminal has the terminal copy a text. Inside tmux that is tmux's to do: it passes the sequence
// on only if it was told to, but hands its own buffer to the terminal.
func (b Board) terminal(ctx context.Context, text string) (string, error) {
	if len(text) > Most {
		return "", ErrTooLong
	}
	inside := b.Getenv("TMUX") != ""
	if inside {
		if path, err := b.Find("tmux"); err == nil && b.Run(ctx, []string{path, "load-buffer", "-w", "-"}, text) == nil {
			return "tmux", nil
		}
	}
	_, err := io.WriteString(b.Screen, Sequence(text, inside))
	return "the terminal", err
}

// Sequence is what has a terminal copy a text: OSC 52, inside tmux also wrapped so that one which
// passes sequences through (allow-passthrough) does so.
func Sequence(text string, tmux bool) string {
	osc := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a"
	if !tmux {
		return osc
	}
	return osc + "\x1bPtmux;" + strings.ReplaceAll(osc, "\x1b", "\x1b\x1b") + "\x1b\\"
}

// wide is a text in UTF-16, which clip.exe takes for what it is by its first two bytes.
func wide(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}
