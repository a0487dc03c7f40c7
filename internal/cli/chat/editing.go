package chat

import (
	"context"
	"os"
	"strings"

	"ken/internal/cli/term"
	"ken/internal/repl"
	"ken/internal/repl/edit"
)

// lineEditor is the editor of the shell. What it reads is in the history.
type lineEditor struct {
	*edit.Editor
	app  *term.Run
	keep bool // on disk
}

// ReadLine implements repl.Editor. A line with a secret can be had again in this
// shell, and is in no file.
func (e *lineEditor) ReadLine(ctx context.Context, prompt string) (string, error) {
	line, err := e.Editor.ReadLine(ctx, prompt)
	if err != nil {
		return line, err
	}
	e.remember(line)
	return line, nil
}

// remember takes a line into the history.
func (e *lineEditor) remember(line string) {
	if err := e.Remember(line, e.keep && e.app.Home.Keys.MaskText(line) == line); err != nil {
		e.app.Warn(err)
		e.keep = false // once is enough
	}
}

// openEditor has what is typed read by an editor, if the terminal is one that can
// be edited on; else nothing changes.
func (s *REPL) openEditor(ctx context.Context) (closeIt func()) {
	a := s.app
	out, ok := a.Env.Stdout.(*os.File)
	if !s.term.Asks || !ok || a.Env.Input == nil {
		return func() {}
	}
	cfg, _ := a.Home.Settings.InForce() // they are open
	path := ""
	if cfg.Session.Autosave && !a.Home.Settings.ReadOnly() {
		path = a.Home.Settings.Paths().LineHistory()
	}
	history, err := edit.OpenHistory(path)
	if err != nil {
		a.Warn(err)
	}
	o := edit.Options{
		In: a.Env.Stdin, Out: out, Input: a.Env.Input, Output: a.Env.Output, Term: a.Env.Getenv("TERM"), Plain: !a.Screen.Color(out),
		ASCII: !a.Screen.Unicode(),
		Limit: repl.MaxInput, Keys: cfg.Keys, History: history,
		More:     func(text string) bool { return repl.Incomplete(text, s.LineContext()) },
		Here:     s.typedAt,
		Complete: func(line string) edit.Completion { return s.tree.Complete(ctx, line) },
		Edit:     a.Person.EditText,
		Paint:    s.term.Paint,
	}
	if cfg.UI.Suggest && !o.Plain { // in one colour nobody could tell it from what is typed
		o.Suggest = func(entry string) bool {
			return a.Home.Keys.MaskText(entry) == entry && !strings.Contains(entry, "[masked:")
		}
	}
	e, typed, err := edit.Open(o)
	if err != nil {
		if a.Flags.Verbose {
			a.Warn(err)
		}
		m, err := edit.OpenMarked(o, typed)
		if err != nil {
			s.term.Typed = edit.After(a.Env.Stdin, typed)
			return func() {}
		}
		s.term.Typed = m
		return m.Close
	}
	for _, problem := range e.Problems() {
		a.Say("ken: warning: ", problem)
	}
	s.term.Editor = &lineEditor{Editor: e, app: a, keep: path != ""}
	return func() {
		s.term.Editor = nil
		e.Close()
	}
}

// typedAt is where the person stands, as the history has it: not at all if that says a secret.
func (s *REPL) typedAt() (dir, scope string) {
	p := s.app.Home.Here.Place()
	dir, scope = p.Dir, p.RepoScope()
	if both := dir + "\n" + scope; s.app.Home.Keys.MaskText(both) != both {
		return "", ""
	}
	return dir, scope
}
