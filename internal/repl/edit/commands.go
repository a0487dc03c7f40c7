//go:build linux || darwin

package edit

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reeflective/readline"
	"github.com/reeflective/readline/inputrc"
)

// variables sets what does not depend on taste. What is said in inputrc stands
// otherwise.
func (e *Editor) variables() {
	for name, value := range map[string]any{
		"enable-bracketed-paste": false, // the pump sees to it, whatever inputrc says
		"convert-meta":           false, // on, it takes Latin letters for Alt with a letter
		"input-meta":             true,
		"output-meta":            true,
		"multiline-column":       false,
		"revert-all-at-newline":  true, // else it keeps what it showed, also of an entry that was erased
		"cursor-position-probe":  false,
	} {
		e.rl.Config.Vars[name] = value
	}
	if e.rl.Config.GetString("cursor-emacs") == "" {
		e.rl.Config.Vars["cursor-emacs"] = "default" // the shape that the person has
	}
	e.rl.Config.Vars["menu-complete-display-prefix"] = true
	if e.o.Plain {
		e.rl.Config.Vars["completion-selection-style"] = "\x1b[7m"
	}
}

// commands teaches the library ken's own actions, and does better what it does
// badly.
func (e *Editor) commands() {
	theirs := maps.Clone(e.rl.Keymap.Commands())
	if e.o.Suggest != nil {
		e.leave(theirs)
	}
	insert := theirs["self-insert"]
	edit := e.edit
	for _, name := range []string{"reverse-search-history", "forward-search-history"} {
		e.rl.Keymap.Register(map[string]func(){name: func() { e.search(theirs[name]) }})
	}
	for _, name := range []string{"delete-char", "end-of-file"} {
		e.rl.Keymap.Register(map[string]func(){name: func() { e.delete(theirs[name]) }})
	}
	e.rl.Keymap.Register(map[string]func(){
		spanAction:                 func() { e.nextSpan(theirs["menu-complete"]) },
		"abort":                    func() { e.abort(theirs["abort"]) },
		"emacs-editing-mode":       func() { e.leaveSearch(theirs["emacs-editing-mode"]) },
		"auto":                     e.auto,
		"cancel":                   e.cancel,
		"newline":                  e.newline,
		"none":                     func() { e.rl.History.SkipSave() },
		"suspend":                  e.suspend,
		"up":                       func() { e.upOr(theirs["previous-history"]) },
		"down":                     func() { e.downOr(theirs["next-history"]) },
		"self-insert":              func() { e.insert(insert) },
		"quoted-insert":            e.quoted,
		"edit-command-line":        edit,
		"edit-and-execute-command": edit,
		"vi-edit-command-line":     edit,
	})
	for name, f := range e.rl.Keymap.Commands() {
		e.rl.Keymap.Register(map[string]func(){name: func() {
			e.drawing = false
			defer func() { e.ran = true }()
			f()
		}})
	}
}

// interruptKey is Ctrl-C.
const interruptKey = 0x03

// typing are the keymaps in which a person types.
func typing() []string { return []string{"emacs", "emacs-standard", "vi-insert"} }

// bindings binds keys: ken's own, and then those that the person wants.
func (e *Editor) bindings() {
	for _, keymap := range typing() {
		binds := e.rl.Config.Binds[keymap]
		if binds == nil {
			continue
		}
		for _, b := range []struct {
			keys, action string
			over         []string // what it may take the place of
		}{
			{`\C-n`, "auto", []string{"", "next-history", "down-line-or-history", "menu-complete"}},
			{`\C-x\C-c`, "cancel", []string{""}},
			{`\C-j`, "newline", []string{"", "accept-line"}},
			{`\e\C-m`, "newline", []string{"", "self-insert", "vi-editing-mode"}},
			{`\C-z`, "suspend", []string{"", "self-insert"}},
			{`\C-i`, spanAction, []string{"", "complete", "menu-complete"}},
			{`\e[1~`, "beginning-of-line", []string{""}},
			{`\e[4~`, "end-of-line", []string{""}},
			{`\e[3~`, "delete-char", []string{""}},
			{`\e[Z`, "menu-complete-backward", []string{""}},
			{`\e[A`, "up", []string{"previous-history"}},
			{`\eOA`, "up", []string{"previous-history"}},
			{`\e[B`, "down", []string{"next-history"}},
			{`\eOB`, "down", []string{"next-history"}},
		} {
			if seq := inputrc.Unescape(b.keys); slices.Contains(b.over, bound(binds, seq)) {
				bind(binds, seq, b.action)
			}
		}
	}
	// While a person searches the keys of the search go from one entry found to the
	// next, where the library would end it.
	for _, keymap := range []string{isearch, "menu-select"} {
		binds := maps.Clone(e.rl.Config.Binds[keymap]) // the library shares it between shells
		bind(binds, inputrc.Unescape(`\C-r`), "menu-complete")
		bind(binds, inputrc.Unescape(`\C-s`), "menu-complete-backward")
		e.rl.Config.Binds[keymap] = binds
	}
	e.wanted()
	e.bindIdle()
	e.known = map[string]bool{}
	for _, binds := range e.rl.Config.Binds {
		for seq, bind := range binds {
			if bind.Action != "self-insert" {
				e.known[escaped(seq)] = true
			}
		}
	}
	e.single = map[string]*singles{}
	for _, keymap := range typing() {
		e.single[keymap] = singlesOf(e.rl.Config.Binds[keymap])
	}
}

// KeyProblems returns what is wrong with keys, which are as in Options; nil if nothing
// is. It needs no terminal.
func KeyProblems(keys map[string]string) []string {
	if len(keys) == 0 {
		return nil
	}
	e := &Editor{o: Options{Keys: keys}, rl: readline.NewShell(inputrc.WithApp("ken"))}
	e.commands()
	e.wanted()
	return e.problems
}

// wanted binds what the person wants. What cannot be bound is a problem, and the
// key does what it did.
func (e *Editor) wanted() {
	for _, keys := range slices.Sorted(maps.Keys(e.o.Keys)) {
		action := e.o.Keys[keys]
		seq := inputrc.Unescape(keys)
		_, known := e.rl.Keymap.Commands()[action]
		switch {
		case !isSequence(keys, seq):
			e.problems = append(e.problems, fmt.Sprintf("keys: %q is no key; write it as in inputrc: \"\\C-n\", \"\\M-x\", \"\\e[15~\"", keys))
			continue
		case !known:
			e.problems = append(e.problems, fmt.Sprintf("keys: %q: there is no action %q; actions are the commands of readline, and %s",
				keys, action, strings.Join(Actions(), ", ")))
			continue
		}
		for _, keymap := range []string{"emacs", "emacs-standard", "vi-insert", "vi-command", "vi", "vi-move"} {
			if binds := e.rl.Config.Binds[keymap]; binds != nil {
				bind(binds, seq, action)
			}
		}
	}
}

// isSequence reports whether keys, which mean seq, can be typed.
func isSequence(keys, seq string) bool {
	for _, half := range []string{`\`, `\C-`, `\M-`} {
		if strings.HasSuffix(keys, half) && !strings.HasSuffix(keys, `\`+half) {
			return false
		}
	}
	return seq != "" && utf8.ValidString(seq) && !strings.ContainsRune(seq, bell) && len(seq) <= maxSeq
}

// bind binds a sequence, however it is written: Alt is a bit there, or ESC.
func bind(binds map[string]inputrc.Bind, seq, action string) {
	maps.DeleteFunc(binds, func(other string, _ inputrc.Bind) bool { return escaped(other) == escaped(seq) })
	binds[seq] = inputrc.Bind{Action: action}
}

// bound is what a sequence is bound to; "" for nothing.
func bound(binds map[string]inputrc.Bind, seq string) string {
	for other, b := range binds {
		if escaped(other) == escaped(seq) && b.Action != "" {
			return b.Action
		}
	}
	return ""
}

// escaped is a sequence as a terminal sends it: Alt is ESC.
func escaped(seq string) string {
	var b strings.Builder
	for _, r := range seq {
		if inputrc.IsMeta(r) {
			b.WriteRune(inputrc.Esc)
			r = inputrc.Demeta(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isKey reports whether a sequence of a terminal is a key that does something.
func (e *Editor) isKey(seq string) bool { return e.known[seq] }

// insert takes a character that was typed, or opens the letters that have come.
func (e *Editor) insert(theirs func()) {
	typed := withoutMark(e.rl.Keys.Caller())
	if len(typed) > 0 && typed[0] == bell {
		e.open()
		typed = typed[1:]
	}
	switch {
	case len(typed) == 0:
	case len(typed) == 1 && typed[0] >= ' ' && typed[0] < 0x7f:
		theirs()
	default:
		e.rl.History.SkipSave()
		for _, r := range typed {
			if r == '\t' || r >= ' ' && r != 0x7f && r != bell {
				e.rl.Cursor().InsertAt(r)
				e.narrow()
			}
		}
	}
}

// abort drops what is under way: a menu, a search, else the line. Ctrl-C drops the line also
// where a menu has put something into it.
func (e *Editor) abort(theirs func()) {
	keys := e.rl.Keys.Caller()
	if len(keys) == 0 || keys[0] != interruptKey || e.rl.Keymap.Local() != "menu-select" {
		theirs()
		return
	}
	const echo = "echo-control-characters" // it would be left behind the line
	was := e.rl.Config.Vars[echo]
	e.rl.Config.Vars[echo] = false
	defer func() { e.rl.Config.Vars[echo] = was }()
	theirs()
	if e.rl.Keymap.Local() == "" { // that was what the menu had put into the line
		theirs()
	}
}

// open opens the letters that have come.
func (e *Editor) open() {
	e.rl.History.SkipSave()
	letters := e.pump.letters()
	if e.ctx.Err() != nil {
		e.end(e.ctx.Err())
		return
	}
	if e.begin != "" {
		e.rl.Line().Set([]rune(e.begin)...)
		e.rl.Cursor().Set(e.rl.Line().Len())
		e.begin = ""
	}
	for _, l := range letters {
		switch {
		case l.gone:
			e.end(io.EOF)
		case l.size > len(l.pasted):
			e.rl.Hint.SetTemporary("what was pasted is too long (" + thousands(l.size) + " bytes): it was not taken")
		default:
			e.paste(clean(string(l.pasted)))
		}
	}
}

// paste inserts a block.
func (e *Editor) paste(text string) {
	if text == "" {
		return
	}
	e.rl.History.Save()
	e.rl.Cursor().InsertAt([]rune(e.folder.fold("pasted", text))...)
}

// end ends the reading with an error.
func (e *Editor) end(err error) {
	e.rl.Display.AcceptLine()
	e.rl.History.Accept(false, false, err)
}

// delete deletes what is under the cursor. Behind the last character there is nothing,
// where the library would take that one.
func (e *Editor) delete(theirs func()) {
	if n := e.rl.Line().Len(); n > 0 && e.rl.Cursor().Pos() >= n {
		e.rl.History.SkipSave()
		return
	}
	theirs()
}

// upOr goes a line up inside a message of several, and else does what theirs does.
func (e *Editor) upOr(theirs func()) { e.lineOr(-1, theirs) }

// downOr is upOr for a line down.
func (e *Editor) downOr(theirs func()) { e.lineOr(1, theirs) }

// lineOr goes to the same place of the next line or the one before, or to its end if that
// is shorter. The library stops a character before the end of the first one.
func (e *Editor) lineOr(by int, theirs func()) {
	lines := strings.Split(string(*e.rl.Line()), "\n")
	n, column := 0, e.rl.Cursor().Pos()
	for column > utf8.RuneCountInString(lines[n]) {
		column -= utf8.RuneCountInString(lines[n]) + 1
		n++
	}
	if n+by < 0 || n+by >= len(lines) {
		theirs()
		return
	}
	e.rl.History.SkipSave()
	pos := min(column, utf8.RuneCountInString(lines[n+by]))
	for _, line := range lines[:n+by] {
		pos += utf8.RuneCountInString(line) + 1
	}
	e.rl.Cursor().Set(pos)
}

// auto begins the command for autonomous mode where there is nothing yet.
func (e *Editor) auto() {
	if e.asking || e.rl.Line().Len() > 0 {
		e.rl.Keymap.Commands()["down-line-or-history"]()
		return
	}
	e.rl.History.Save()
	e.rl.Cursor().InsertAt([]rune(":auto ")...)
}

// cancel answers a question with nothing.
func (e *Editor) cancel() {
	e.rl.History.SkipSave()
	if e.asking {
		e.end(ErrInterrupted)
	}
}

func (e *Editor) newline() {
	e.rl.History.Save()
	if !e.asking {
		e.rl.Cursor().InsertAt('\n')
	}
}

// quoted inserts the next key as it is, if it is a character that a line can
// hold.
func (e *Editor) quoted() {
	e.rl.History.Save()
	if key, _ := e.rl.Keys.ReadKey(); key == '\t' || key >= ' ' && key != 0x7f && key != bell {
		e.rl.Cursor().InsertAt(key)
	}
}

// suspend stops ken and what was started with it, as Ctrl-Z does elsewhere.
func (e *Editor) suspend() {
	e.rl.History.SkipSave()
	e.rl.Display.CursorBelowLine()
	e.flush()
	e.screen.stop()
	e.rl.Display.PrintPrimaryPrompt()
}

// edit lets the person change the line in the editor of their choice.
func (e *Editor) edit() {
	if e.o.Edit == nil || e.asking {
		return
	}
	e.rl.History.Save()
	e.rl.Display.CursorBelowLine()
	e.flush()
	e.pump.stop()
	e.input(false)
	back := e.Lend()
	text, err := e.o.Edit(e.ctx, e.folder.unfold(string(*e.rl.Line())))
	back()
	e.input(true)
	e.pump.start()
	e.rl.Display.PrintPrimaryPrompt()
	if err != nil {
		e.rl.Hint.SetTemporary(clean(err.Error()))
		return
	}
	e.rl.Line().Set([]rune(e.folder.fold("edited", clean(text)))...)
	e.rl.Cursor().Set(e.rl.Line().Len())
}

// leave has every command take what is suggested away before it does anything, but those that
// take it into the line.
func (e *Editor) leave(theirs map[string]func()) {
	accept := theirs["inline-suggest-accept"]
	for name, f := range theirs {
		var also func() // what a key of movement does at the end of the line
		switch name {
		case "forward-char", "inline-suggest-accept", "inline-suggest-accept-word":
			continue // they take what is suggested
		case "forward-word":
			also = theirs["inline-suggest-accept-word"]
		case "end-of-line":
			also = accept
		}
		theirs[name] = func() {
			if also != nil && e.rl.Cursor().Pos() == e.rl.Line().Len() {
				also()
			}
			e.rl.ClearInlineSuggestion()
			e.busy = true
			defer func() { e.busy = false }()
			f()
		}
	}
	e.rl.Keymap.Register(theirs)
}
