package programs

import (
	"strings"
)

// otherShell judges a text for a shell whose grammar is not the one that is read: it may
// run code where that one has nothing.
func otherShell(l *findings) {
	args := l.Args()
	if len(args) == 0 || isOneOf(args[0].Text, "--version", "--help") {
		return
	}
	if isOneOf(l.Name, "pwsh", "powershell") {
		l.Danger("a shell that is not looked into", l.Words[0])
	}
	for i, w := range args {
		t := w.Text
		if !IsFlag(w) || !strings.Contains(t, "c") || strings.HasPrefix(t, "--") && t != "--command" || i+1 >= len(args) {
			continue
		}
		l.Caution("code of another shell, which is not looked into", w)
		for _, code := range args[i+1:] {
			tight := strings.ReplaceAll(code.Text, " ", "")
			switch {
			case HasAny(tight, "(e:", "(e'", "(e\"", "(+", "(#qe", "e:'", "(oe", "(Oe", ",e:", "^e:"), HasAny(code.Text, "zmodload", "autoload", "zsocket", "ztcp", "sysopen"):
				l.Danger("has a shell run a text while it looks for files, or load code", code)
			case l.Name == "fish" && (HasAny(code.Text, "set -U", "set --universal", "funcsave", "abbr ", "fish_add_path", "alias -s", "fish_config", "set -Ux", "-U ") || HasAny(tight, "--on-event", "--on-variable")):
				l.Danger("sets what the shell obeys later", code)
			}
			embedded(l, code, code.Text)
		}
	}
}

func shellProgram(l *findings) {
	args := l.Args()
	if len(args) == 2 && args[0].Text == "-n" && isOneOf(l.Name, "sh", "bash", "dash", "zsh", "ksh") && !IsFlag(args[1]) && !args[1].Subst && !args[1].Tainted && !args[1].Set {
		return // it looks for mistakes, and runs nothing
	}
	if isOneOf(l.Name, "zsh", "fish", "csh", "tcsh", "nu", "elvish", "xonsh", "pwsh", "powershell", "ksh", "ksh93", "yash") {
		otherShell(l)
	}
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case isOneOf(t, "--rcfile", "--init-file"):
			l.Danger("runs a file before the first command", args[i])
			i++
		case HasPrefixAny(t, "--rcfile=", "--init-file="):
			l.Danger("runs a file before the first command", args[i])
		case isOneOf(t, "--version", "--help", "--"):
		case strings.HasPrefix(t, "--"):
			if !isOneOf(t, "--norc", "--noprofile", "--posix", "--login", "--restricted", "--verbose", "--no-rcs") {
				l.Caution("an option of a shell that is not known", args[i])
			}
			if t == "--command" && i+1 < len(args) {
				given(l, args[i+1], args[i+2:])
				return
			}
		case len(t) > 1 && (t[0] == '-' || t[0] == '+'):
			if t[0] == '-' && strings.Contains(t, "c") {
				// The text is the first word that is no option.
				for i++; i < len(args) && IsFlag(args[i]); i++ {
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
		case t == "-", isOneOf(t, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
			return
		default:
			judgeScript(l, args[i])
			return
		}
	}
	if l.IsFed {
		l.Danger("runs as code what it is fed", l.Words[0])
	}
}

// given judges the text behind -c.
func given(l *findings, w Word, rest []Word) {
	l.Shell(w.Text, w, false)
	if len(rest) > 1 {
		l.Operations[len(l.Operations)-1].Words = rest[1:]
	}
	if l.IsFed && HasAny(w.Text, "{}", "$1", "$@", "$0", "$*", "${1", "${@") && runsWords(w.Text) {
		l.Danger("runs as code what it is fed", w)
	}
	if isOneOf(strings.TrimSpace(w.Text), "$0", "$@", `"$0"`, `"$@"`, "$*", "$1", `"$1"`, `$0 "$@"`, `"$0" "$@"`, `exec "$@"`) && len(rest) > 0 {
		l.Run(rest, false)
	}
}

// runsWords says that a shell text runs its own arguments, rather than use them.
func runsWords(t string) bool {
	t = strings.TrimSpace(t)
	return HasPrefixAny(t, "{}", "$", `"$`, "eval", "exec", "sh ", "bash ", ". ", "source ") || HasAny(t, "; {}", "| sh", "|sh", "eval ")
}
