package programs

import (
	"strings"

	"ken/internal/risk/programs/call"
	"ken/internal/risk/programs/code"
)

// otherShell judges a text for a shell whose grammar is not the one that is read: it may
// run code where that one has nothing.
func otherShell(l *call.Look) {
	args := l.Args()
	if len(args) == 0 || call.In(args[0].Text, "--version", "--help") {
		return
	}
	if call.In(l.Name, "pwsh", "powershell") {
		l.Danger("a shell that is not looked into", l.Words[0])
	}
	for i, w := range args {
		t := w.Text
		if !call.IsFlag(w) || !strings.Contains(t, "c") || strings.HasPrefix(t, "--") && t != "--command" || i+1 >= len(args) {
			continue
		}
		l.Caution("code of another shell, which is not looked into", w)
		for _, code := range args[i+1:] {
			tight := strings.ReplaceAll(code.Text, " ", "")
			switch {
			case call.HasAny(tight, "(e:", "(e'", "(e\"", "(+", "(#qe", "e:'", "(oe", "(Oe", ",e:", "^e:"), call.HasAny(code.Text, "zmodload", "autoload", "zsocket", "ztcp", "sysopen"):
				l.Danger("has a shell run a text while it looks for files, or load code", code)
			case l.Name == "fish" && (call.HasAny(code.Text, "set -U", "set --universal", "funcsave", "abbr ", "fish_add_path", "alias -s", "fish_config", "set -Ux", "-U ") || call.HasAny(tight, "--on-event", "--on-variable")):
				l.Danger("sets what the shell obeys later", code)
			}
			embedded(l, code, code.Text)
		}
	}
}

func shellProgram(l *call.Look) {
	args := l.Args()
	if len(args) == 2 && args[0].Text == "-n" && call.In(l.Name, "sh", "bash", "dash", "zsh", "ksh") && !call.IsFlag(args[1]) && !args[1].Subst && !args[1].Tainted && !args[1].Set {
		return // it looks for mistakes, and runs nothing
	}
	if call.In(l.Name, "zsh", "fish", "csh", "tcsh", "nu", "elvish", "xonsh", "pwsh", "powershell", "ksh", "ksh93", "yash") {
		otherShell(l)
	}
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case call.In(t, "--rcfile", "--init-file"):
			l.Danger("runs a file before the first command", args[i])
			i++
		case call.HasPrefixAny(t, "--rcfile=", "--init-file="):
			l.Danger("runs a file before the first command", args[i])
		case call.In(t, "--version", "--help", "--"):
		case strings.HasPrefix(t, "--"):
			if !call.In(t, "--norc", "--noprofile", "--posix", "--login", "--restricted", "--verbose", "--no-rcs") {
				l.Caution("an option of a shell that is not known", args[i])
			}
			if t == "--command" && i+1 < len(args) {
				given(l, args[i+1], args[i+2:])
				return
			}
		case len(t) > 1 && (t[0] == '-' || t[0] == '+'):
			if t[0] == '-' && strings.Contains(t, "c") {
				// The text is the first word that is no option.
				for i++; i < len(args) && call.IsFlag(args[i]); i++ {
					if strings.HasSuffix(args[i].Text, "o") {
						i++
					}
				}
				if i < len(args) {
					given(l, args[i], args[i+1:])
				} else if l.IsFed {
					l.Danger("runs as code what it is fed", l.Words[0])
				}
				return
			}
			if strings.HasSuffix(t, "o") || strings.HasSuffix(t, "O") {
				i++
			}
			if t == "-n" {
				// It only looks for mistakes.
				continue
			}
		case t == "-", call.In(t, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
			return
		default:
			code.Script(l, args[i])
			return
		}
	}
	if l.IsFed {
		l.Danger("runs as code what it is fed", l.Words[0])
	}
}

// given judges the text behind -c.
func given(l *call.Look, w call.Word, rest []call.Word) {
	l.Shell(w.Text, w, false)
	if len(rest) > 1 {
		l.Deeds[len(l.Deeds)-1].Words = rest[1:]
	}
	if l.IsFed && call.HasAny(w.Text, "{}", "$1", "$@", "$0", "$*", "${1", "${@") && runsWords(w.Text) {
		l.Danger("runs as code what it is fed", w)
	}
	if call.In(strings.TrimSpace(w.Text), "$0", "$@", `"$0"`, `"$@"`, "$*", "$1", `"$1"`, `$0 "$@"`, `"$0" "$@"`, `exec "$@"`) && len(rest) > 0 {
		l.Run(rest, false)
	}
}

// runsWords says that a shell text runs its own arguments, rather than use them.
func runsWords(t string) bool {
	t = strings.TrimSpace(t)
	return call.HasPrefixAny(t, "{}", "$", `"$`, "eval", "exec", "sh ", "bash ", ". ", "source ") || call.HasAny(t, "; {}", "| sh", "|sh", "eval ")
}
