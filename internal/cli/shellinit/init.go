package shellinit

import (
	_ "embed" // for the scripts
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
)

//go:embed ken.bash
var bashScript string

//go:embed ken.zsh
var zshScript string

//go:embed ken.fish
var fishScript string

// DefaultKey is the key that turns a typed line into a command line.
const DefaultKey = "C-x C-k"

// Commands are those that a shell of the person's own uses.
func Commands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{initCommand(a), completionCommand(a), suggestCommand(a)}
}

func initCommand(a *term.Run) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use:   "init [flags] [bash|zsh|fish]",
		Short: "print the setup for your shell, with completion",
		Long: `Init prints a script for your own shell. It goes where the shell starts:

  bash, in ~/.bashrc:                    eval "$(ken init bash)"
  zsh, in ~/.zshrc:                      eval "$(ken init zsh)"
  fish, in ~/.config/fish/config.fish:   ken init fish | source

Without a name it is for the shell of $SHELL. Tab then completes ken's commands. A key,
Ctrl-X Ctrl-K if you name no other, has the model turn the line you typed into a command
line; it stands there for you to edit, and is never run by itself. A line that begins with
"? " is a question: ? how do I undo the last commit
And ken ask --last "what went wrong?" knows the last command and how it ended, and
with --output inside tmux what it printed. The prompt is marked for terminals that jump
from one to the next (OSC 133).`,
		Example:     "  ken init zsh --key 'M-k'",
		Args:        cobra.MaximumNArgs(1),
		Annotations: term.Writes{Own: "what shells last ran"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := a.Home.Settings.Read(); err != nil {
				return err
			}
			shell, err := shellOf(a, args)
			if err != nil {
				return err
			}
			text, err := script(a, shell, key)
			if err != nil {
				return err
			}
			words, err := completion(cmd.Root(), shell)
			if err != nil {
				return err
			}
			text += words
			_, err = io.WriteString(a.Env.Stdout, text)
			return err
		},
	}
	cmd.Flags().StringVar(&key, "key", DefaultKey, "`KEYS` that ask for a command line: C-x is Ctrl-X, M-k is Alt-K, a blank between two")
	return cmd
}

// script is the script for a shell, with the place of its files in it.
func script(a *term.Run, shell, key string) (string, error) {
	dir := a.Home.Settings.Paths().Runtime
	text, write := "", (func([]stroke) string)(nil)
	switch shell {
	case "bash":
		text, write = bashScript, bashKey
	case "zsh":
		text, write = zshScript, zshKey
	case "fish":
		text, write = fishScript, fishKey
	default:
		return "", fault.Usagef("there is no script for %q", shell).WithHint("bash, zsh or fish")
	}
	strokes, err := parseKey(key)
	if err != nil {
		return "", fault.Usagef("%w", err).WithHint("for example: --key 'C-x C-k', or --key M-k")
	}
	if strings.ContainsAny(dir, "'\\\n") {
		return "", fmt.Errorf("the directory %q has characters that a shell reads in its own way", dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make a directory for what the shell reports: %w", err)
	}
	sweep(dir)
	return strings.NewReplacer("@DIR@", dir, "@KEY@", write(strokes)).Replace(text), nil
}

// sweep removes what shells that are gone left behind. What cannot be removed now is
// removed the next time.
func sweep(dir string) {
	files, _ := filepath.Glob(filepath.Join(dir, "shell.*"))
	for _, f := range files {
		pid, err := strconv.Atoi(strings.TrimPrefix(filepath.Ext(f), "."))
		if err == nil && !alive(pid) {
			_ = os.Remove(f)
		}
	}
}

// A stroke is one key that is pressed with Ctrl or Alt.
type stroke struct {
	alt bool
	key byte
}

// parseKey reads keys as "C-x M-k" has them.
func parseKey(s string) ([]stroke, error) {
	var keys []stroke
	for word := range strings.FieldsSeq(s) {
		if len(word) != 3 || word[1] != '-' || word[0] != 'C' && word[0] != 'M' || word[2] < 'a' || word[2] > 'z' {
			return nil, fmt.Errorf("%q is no key: C- or M- and a small letter", word)
		}
		keys = append(keys, stroke{word[0] == 'M', word[2]})
	}
	if len(keys) == 0 {
		return nil, errors.New("no key is named")
	}
	return keys, nil
}

func spell(keys []stroke, ctrl, alt string) string {
	var b strings.Builder
	for _, k := range keys {
		if k.alt {
			b.WriteString(alt)
		} else {
			b.WriteString(ctrl)
		}
		b.WriteByte(k.key)
	}
	return b.String()
}

func bashKey(keys []stroke) string { return spell(keys, `\C-`, `\e`) }
func zshKey(keys []stroke) string  { return spell(keys, `^`, `\e`) }
func fishKey(keys []stroke) string { return spell(keys, `\c`, `\e`) }
