//go:build linux || darwin

package edit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/reeflective/readline"
	"github.com/reeflective/readline/inputrc"
)

// shellOf is an editor that has no terminal.
func shellOf(t *testing.T, h *History) *Editor {
	t.Helper()
	e := &Editor{o: Options{History: h}, rl: readline.NewShell(inputrc.WithApp("ken"))}
	e.rl.History.Add("history", source{e})
	e.commands()
	return e
}

// TestDrawnWithoutHistory: to draw a line after a key nothing of the history is looked at,
// unless the person's inputrc has the library suggest of it; a command sees all of it.
func TestDrawnWithoutHistory(t *testing.T) {
	t.Parallel()
	h := &History{}
	for i := range 100 {
		if err := h.Add(fmt.Sprintf("entry %d", i), false); err != nil {
			t.Fatal(err)
		}
	}
	e := shellOf(t, h)
	seen := func() string {
		suggested := e.rl.History.Suggest(e.rl.Line())
		return string(suggested)
	}
	e.rl.Line().Set([]rune("entry 9")...)
	key := e.rl.Keymap.Commands()["backward-char"]
	key()
	e.begins()
	if got := seen(); got != "entry 9" {
		t.Errorf("while the line is drawn the library found %q", got)
	}
	e.rl.Keymap.Commands()["previous-history"]()
	if got := string(*e.rl.Line()); got != "entry 99" {
		t.Errorf("Up after that: %q", got)
	}
	e.rl.Line().Set([]rune("entry 9")...)
	e.rl.Config.Vars["history-autosuggest"] = true
	key()
	e.begins()
	if got := seen(); got != "entry 99" {
		t.Errorf("with history-autosuggest the library found %q", got)
	}
}

// TestSingles: a key is one that inserts itself only if it begins nothing else.
func TestSingles(t *testing.T) {
	t.Parallel()
	insert := inputrc.Bind{Action: "self-insert"}
	s := singlesOf(map[string]inputrc.Bind{
		"a": insert, "b": insert, "ba": {Action: "end-of-line"}, "c": {Action: "undo"},
		"d": {Action: "self-insert", Macro: true}, "\x01": insert,
	})
	var got []byte
	for c, is := range s {
		if is {
			got = append(got, byte(c))
		}
	}
	if string(got) != "a" {
		t.Errorf("single are %q", got)
	}
}

// TestMarked: a key is marked only while the library has seen to all that came before it.
func TestMarked(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	p := &pump{keysR: r, keysW: w}
	plain := singlesOf(map[string]inputrc.Bind{"a": {Action: "self-insert"}})
	read := func() string {
		b := make([]byte, 100)
		n, err := r.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		return string(b[:n])
	}
	var got []string
	send := func(keys string) {
		p.send([]byte(keys))
		got = append(got, read())
	}
	send("a")
	p.settled(true, plain)
	send("a")
	send("a")
	send("b") // does something
	send("a")
	p.settled(false, plain) // some of it was not seen to
	send("a")
	p.send([]byte("\x12"))
	p.settled(true, plain) // nor was what was not read
	got = append(got, read())
	send("a")
	p.settled(true, plain)
	send("aa")
	marked := "a" + string(mark)
	if diff := cmp.Diff([]string{"a", marked, marked, "b", "a", "a", "\x12", "a", "aa"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for typed, want := range map[string]string{
		"a": "a", marked: "a", marked + "\u0301": "a\u0301", string(mark): "",
		"é" + string(mark): "é" + string(mark), marked + string(mark): marked,
	} {
		if got := string(withoutMark([]rune(typed))); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}

// TestTypedOneByOne: keys that come one by one are what they are where all come together,
// to each command that takes another key as well.
func TestTypedOneByOne(t *testing.T) {
	t.Parallel()
	inputrc := filepath.Join(t.TempDir(), "inputrc")
	if err := os.WriteFile(inputrc, []byte("\"jk\": end-of-line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := open(t, "INPUTRC="+inputrc)
	c.AwaitRow(">")
	for _, k := range []struct {
		rows []string // of each piece that is typed: keys and what the line then is
		want string
	}{
		{[]string{"a", "a", "b", "ab", " ", "ab", "~", "ab ~"}, "ab ~"},
		{[]string{"e", "e", "\u0301", "e\u0301", "x", "e\u0301x"}, "e\u0301x"},
		{[]string{"a", "a", "\x01", "a", "j", "a", "k", "a", "b", "ab"}, "ab"},                               // jk is bound
		{[]string{"a", "a", "\x18(", "a", "x", "ax", "y", "axy", "\x18)", "axy", "\x18e", "axyxy"}, "axyxy"}, // a macro
		{[]string{"a", "a", "\x163", "a3", "b", "a3b"}, "a3b"},
		{[]string{"a", "a", "b", "ab", "c", "abc", "\x01\x1dc", "abc", "-", "ab-c"}, "ab-c"}, // to a character
	} {
		for i := 0; i < len(k.rows); i += 2 {
			c.Send(k.rows[i])
			c.AwaitRow("> " + strings.TrimRight(k.rows[i+1], " "))
		}
		c.enter("", fmt.Sprintf("%q", k.want))
	}
}
