package question

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"ken/internal/agent/turn"
	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/frame"
	"ken/internal/prompts"
	"ken/internal/repl"
)

// A Prompt is a command of the person's own.
type Prompt = prompts.Prompt

// Prompts are the commands and roles of the person's own. The settings need not be read.
func Prompts(a *term.Run) prompts.Dir {
	paths, err := config.FindPaths(a.Env.Getenv, a.Home.Settings.UserDir(), config.Config{})
	if err != nil {
		return "" // there is no home
	}
	return prompts.Dir(filepath.Join(paths.Config, "commands"))
}

// Role is the text of the role of a name; "" for no name.
func Role(a *term.Run, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	p, err := Prompts(a).Load(name)
	if err != nil {
		return "", err
	}
	return p.Role()
}

// OfPrompt is Of for what was typed behind the name of a prompt, in the words of the
// prompt. What its file says is nobody's statement: nothing of it is remembered, it asks for
// nothing of ken's, and a file that it names is a word. Files that were typed or named,
// and what was piped in, go along.
func OfPrompt(ctx context.Context, a *term.Run, p Prompt, typed string, names []string) (turn.Question, error) {
	words, err := repl.SplitWords(typed)
	if err != nil {
		words = strings.Fields(typed)
	}
	text, err := p.Fill(typed, words)
	if err != nil {
		return turn.Question{}, err
	}
	q, err := of(ctx, a, frame.Data(text), typed, names)
	q.From, q.Sentence, q.Typed = "external", false, cmp.Or(strings.TrimSpace(typed), p.About, p.Name)
	return q, err
}
