package programs

import (
	"path"
	"strings"
)

// IsShell says that a program of that name, or path, is a shell.
func IsShell(name string) bool {
	return isOneOf(path.Base(name), "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "mksh", "csh", "tcsh", "rbash", "lksh", "yash", "pdksh", "ksh93", "nu", "elvish", "xonsh", "pwsh", "osh", "hush")
}

// RunsInput says that words start a shell or an interpreter that takes its program
// from standard input.
func RunsInput(words []Word) bool {
	name, _ := NameOf(words[0].Text)
	args := words[1:]
	switch {
	case IsShell(name):
		for i := 0; i < len(args); i++ {
			t := args[i].Text
			switch {
			case strings.HasPrefix(t, "--") && t != "--":
				if isOneOf(t, "--rcfile", "--init-file") {
					i++
				}
				if isOneOf(t, "--version", "--help") {
					return false
				}
			case isOneOf(t, "-", "-s", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
				return true
			case len(t) > 1 && (t[0] == '-' || t[0] == '+'):
				if strings.Contains(t, "c") && t[0] == '-' {
					return false
				}
				if strings.Contains(t, "s") && t[0] == '-' {
					return true
				}
				if strings.HasSuffix(t, "o") || strings.HasSuffix(t, "O") {
					i++
				}
			case t == "--":
			default:
				return false
			}
		}
		return true
	case IsInterpreter(name):
		for i := 0; i < len(args); i++ {
			t := args[i].Text
			switch {
			case isOneOf(t, "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
				return true
			case isOneOf(t, "--version", "-V", "-v", "--help", "-h"), name == "perl" && strings.HasPrefix(t, "-V:") && len(args) == 1:
				return false
			case isOneOf(t, "-W", "-X", "-I", "-r", "-M") && i+1 < len(args):
				if t == "-r" && strings.HasPrefix(name, "php") {
					return false
				}
				i++
			case len(t) > 1 && t[0] == '-':
				if codeFlag(name, t) != "" || t == "-m" || t == "-n" && !strings.HasPrefix(name, "p") {
					return false
				}
			default:
				return false
			}
		}
		return true
	}
	return isOneOf(name, "at", "batch", "parallel", "source", ".") && (len(args) == 0 || isOneOf(args[0].Text, "/dev/stdin", "-"))
}

// runners are the functions of programs that run others.
func runners(name string) func(l *findings) {
	switch name {
	case "env":
		return env
	case "xargs", "gxargs":
		return xargs
	case "eval":
		return eval
	case "source", ".":
		return source
	case "command":
		return command
	case "ssh", "autossh", "mosh", "slogin", "dropbear", "pdsh", "pssh", "parallel-ssh", "clush", "dsh":
		return ssh
	case "su":
		return su
	case "sudoedit":
		return func(l *findings) {
			l.Caution("takes other rights", l.Words[0])
			for _, w := range l.Args() {
				l.Operation(Write, w)
			}
		}
	case "watch", "gwatch", "hyperfine", "nodemon", "xvfb":
		return watch
	case "parallel", "rush", "sem":
		return parallel
	case "script", "scriptreplay":
		return scriptProgram
	case "flock":
		return flock
	case "busybox", "toybox":
		return busybox
	case "docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc", "lxc", "incus", "k", "crictl":
		return container
	case "expect":
		return expect
	case "direnv", "aws-vault", "op", "doppler", "poetry", "pipenv", "uv", "bundle", "npm", "pnpm", "yarn", "rye", "hatch", "pdm", "conda", "nix", "nix-shell", "pixi", "mise", "asdf", "infisical", "chamber", "dotenvx", "teller", "stack", "cabal", "opam", "rbenv", "pyenv", "fnm", "volta", "heroku", "fly", "flyctl", "gcloud", "ip", "vagrant", "multipass", "lima", "limactl", "colima", "minikube", "systemd-nspawn", "machinectl", "toolbox", "distrobox", "wsl", "adb":
		return runsBehind
	case "sshpass":
		return func(l *findings) {
			_, rest := parse(l.Args(), flagSpec{Args: "pfdPe", First: true})
			l.Caution("logs in with a password", l.Words[0])
			l.Run(rest, false)
		}
	case "coproc", "noglob", "nocorrect", "-":
		return func(l *findings) {
			l.Caution("a word of another shell", l.Words[0])
			l.Run(l.Args(), false)
		}
	case "screen":
		return screen
	}
	return nil
}

// setting judges NAME=value before a command.
func setting(l *findings, w Word) {
	name, value, _ := strings.Cut(w.Text, "=")
	l.Settings = append(l.Settings, Setting{Name: name, Value: value, Word: w})
}

func env(l *findings) {
	args := l.Args()
	i := 0
	var away *Word
	defer func() {
		for i := range l.Operations {
			if away != nil {
				l.Operations[i].Away, l.Operations[i].Dir = true, *away
			}
		}
	}()
	for i < len(args) {
		w := args[i]
		t := w.Text
		switch {
		case isOneOf(t, "-i", "-", "--ignore-environment", "-iv", "-vi"):
			bare := Word{}
			away = &bare // what keeps git calm is gone, too
			i++
		case isOneOf(t, "-u", "--unset") && i+1 < len(args):
			l.Settings = append(l.Settings, Setting{Name: args[i+1].Text, Word: args[i+1], Unset: true})
			i += 2
		case len(t) > 2 && strings.HasPrefix(t, "-u"), strings.HasPrefix(t, "--unset="):
			l.Settings = append(l.Settings, Setting{Name: strings.TrimPrefix(strings.TrimPrefix(t, "--unset="), "-u"), Word: w, Unset: true})
			i++
		case isOneOf(t, "-C", "--chdir"):
			if i+1 < len(args) {
				away = &args[i+1]
			}
			i += 2
		case isOneOf(t, "-0", "--null", "-v", "--debug", "--list-signal-handling"), HasPrefixAny(t, "--default-signal", "--ignore-signal", "--block-signal"):
			i++
		case isOneOf(t, "-P", "-a", "--argv0"):
			i += 2
		case strings.HasPrefix(t, "--chdir="), strings.HasPrefix(t, "-C"):
			to := w
			to.Text = strings.TrimPrefix(strings.TrimPrefix(t, "--chdir="), "-C")
			away = &to
			i++
		case t == "-S" || t == "--split-string" || t == "-vS" || t == "-iS":
			if i+1 < len(args) {
				rest := append([]Word{}, args[i+1:]...)
				split(l, rest)
			}
			return
		case strings.HasPrefix(t, "-S"), strings.HasPrefix(t, "--split-string="), strings.HasPrefix(t, "-vS"):
			rest := append([]Word{}, args[i:]...)
			rest[0].Text = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(t, "--split-string="), "-v"), "-S")
			split(l, rest)
			return
		case t == "--":
			i++
			envRest(l, args[i:])
			return
		case IsFlag(w):
			l.Caution("an option of a wrapper that is not known: "+t, w)
			i++
		default:
			envRest(l, args[i:])
			return
		}
	}
	l.Caution("shows the environment, which may hold secrets", l.Words[0])
}

func split(l *findings, rest []Word) {
	l.Caution("takes a string apart and runs it", rest[0])
	code := rest[0].Text
	for _, w := range rest[1:] {
		code += " " + quote(w)
	}
	l.Shell(code, rest[0], false)
}

// quote writes a word so that a shell reads it as it is.
func quote(w Word) string {
	if w.Hole {
		return w.Text
	}
	return "'" + strings.ReplaceAll(w.Text, "'", `'\''`) + "'"
}

func envRest(l *findings, args []Word) {
	for len(args) > 0 && strings.Contains(args[0].Text, "=") {
		setting(l, args[0])
		args = args[1:]
	}
	if len(args) == 0 {
		l.Caution("shows the environment, which may hold secrets", l.Words[0])
	}
	l.Run(args, false)
}

func xargs(l *findings) {
	flags, rest := parse(l.Args(), flagSpec{Args: "aEIJLnPRsdS", Longs: []string{"--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--max-lines", "--replace", "--process-slot-var", "--eof"}, First: true})
	for _, f := range flags {
		if HasPrefixAny(f.Word.Text, "-i", "-l", "-e") {
			continue // what is behind the letter belongs to it
		}
		if !isOneOf(f.Name, "-0", "-r", "-t", "-a", "-E", "-I", "-J", "-L", "-n", "-P", "-R", "-s", "-d", "-i", "-l", "-x", "-o", "-S", "-e", "--null", "--no-run-if-empty", "--verbose", "--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--max-lines", "--replace", "--exit", "--eof", "--open-tty", "--show-limits") {
			l.Caution("an option of a wrapper that is not known: "+f.Name, f.Word)
		}
	}
	var fed []Word
	for _, b := range l.Before {
		if name, _ := NameOf(b[0].Text); name == "find" || fed == nil {
			fed = b
		}
	}
	if len(rest) == 0 {
		return // it echoes
	}
	mark := "{}"
	if f, ok := has(flags, "-I", "-J", "--replace"); ok && f.Value != "" {
		mark = f.Value
	}
	if strings.Contains(rest[0].Text, mark) && mark != "" {
		l.Danger("runs what it is fed", rest[0])
		return
	}
	words := append([]Word(nil), rest...)
	if mark != "{}" {
		for i := range words {
			words[i].Text = strings.ReplaceAll(words[i].Text, mark, "{}")
		}
	}
	name, _ := NameOf(rest[0].Text)
	if IsShell(name) && len(rest) == 1 || name == "eval" {
		l.Danger("runs what it is fed", rest[0])
	}
	l.RunFed(words, fed)
}

func eval(l *findings) {
	args := l.Args()
	if len(args) == 0 {
		return
	}
	whole := args[0]
	whole.Text = textOf(args)
	for _, w := range args {
		whole.Subst = whole.Subst || w.Subst
		whole.Hole = whole.Hole || w.Hole
		whole.Tainted = whole.Tainted || w.Tainted
		whole.Set = whole.Set || w.Set
		whole.Glob = whole.Glob || w.Glob
		whole.End = max(whole.End, w.End)
	}
	// What stands in the line as it is was judged as if it stood without eval.
	if whole.Hole || l.IsFed || whole.Subst || whole.Tainted || whole.Set || whole.Glob {
		l.Caution("runs a string", l.Words[0])
	}
	if whole.Hole {
		l.Danger("runs as code what is not known before", whole)
	}
	l.Shell(whole.Text, whole, false)
}

func source(l *findings) {
	if len(l.Args()) == 0 {
		return
	}
	judgeScript(l, l.Args()[0])
}

func command(l *findings) {
	args := l.Args()
	for len(args) > 0 && IsFlag(args[0]) {
		if isOneOf(args[0].Text, "-v", "-V", "-pv", "-pV") {
			return
		}
		if args[0].Text != "-p" && args[0].Text != "--" {
			l.Caution("an option that is not known", args[0])
		}
		args = args[1:]
	}
	l.Run(args, false)
}

func su(l *findings) {
	flags, rest := parse(l.Args(), flagSpec{Args: "csgGwT", Longs: []string{"--command", "--shell", "--group", "--session-command"}})
	l.Caution("takes other rights", l.Words[0])
	if f, ok := has(flags, "-c", "--command", "--session-command"); ok {
		w := f.Arg
		w.Text = f.Value
		l.Shell(f.Value, w, true)
	} else if l.Piped || l.Input {
		l.Danger("runs as code what it is fed, with other rights", l.Words[0])
	} else if len(rest) < 3 {
		l.Danger("starts a shell with other rights", l.Words[0])
	}
}

func watch(l *findings) {
	flags, rest := parse(l.Args(), flagSpec{Args: "nqwmrpiLPs", Longs: []string{"--interval", "--warmup", "--runs", "--min-runs", "--max-runs", "--prepare", "--cleanup", "--setup", "--conclude", "--shell", "--export-json", "--export-markdown", "--export-csv", "--parameter-list", "--exec", "--watch", "--ext"}, First: l.Name == "watch"})
	if l.Name != "watch" {
		l.Caution("runs commands", l.Words[0])
	}
	for _, f := range flags {
		if isOneOf(f.Name, "--prepare", "--cleanup", "--setup", "--conclude", "--exec") || f.Name == "-p" && l.Name != "watch" {
			l.Shell(f.Value, f.Arg, false)
		}
		if !isOneOf(f.Name, "-n", "-d", "-t", "-b", "-e", "-g", "-c", "-x", "-p", "-q", "-w", "--interval", "--differences", "--no-title", "--beep", "--errexit", "--chgexit", "--color", "--exec", "--precise", "--no-wrap") {
			l.Caution("an option of a wrapper that is not known: "+f.Name, f.Word)
		}
	}
	if len(rest) == 0 {
		return
	}
	if l.Name == "watch" {
		w := rest[0]
		for _, r := range rest {
			w.Subst = w.Subst || r.Subst
			w.Tainted = w.Tainted || r.Tainted
			w.Set = w.Set || r.Set
		}
		l.Shell(textOf(rest), w, false)
		return
	}
	for _, w := range rest {
		l.Shell(w.Text, w, false)
	}
}

func parallel(l *findings) {
	flags, rest := parse(l.Args(), flagSpec{Args: "jPnNLSaIkdC", Longs: []string{"--jobs", "--max-procs", "--colsep", "--delay", "--timeout", "--joblog", "--sshlogin", "--arg-file", "--tmpdir", "--results", "--retries", "--load", "--workdir", "--env", "--tagstring", "--max-args"}, First: true})
	l.Caution("runs commands", l.Words[0])
	for _, f := range flags {
		if isOneOf(f.Name, "-S", "--sshlogin", "--transferfile", "--onall", "--nonall") {
			l.Danger("runs commands on other machines", f.Word)
		}
	}
	var cmd []Word
	lists := false
	var given []Word
	for _, w := range rest {
		if isOneOf(w.Text, ":::", "::::", ":::+", "::::+") {
			lists = true
			continue
		}
		if lists {
			given = append(given, w)
		} else {
			cmd = append(cmd, w)
		}
	}
	if len(cmd) == 0 {
		if len(given) == 0 || l.Piped || l.Input || l.IsFed {
			l.Danger("runs as commands the lines that it is fed", l.Words[0])
		}
		for _, w := range given {
			l.Shell(w.Text, w, false)
		}
		return
	}
	if HasAny(cmd[0].Text, "{") {
		l.Danger("runs as commands what it is fed", cmd[0])
	}
	code := textOf(cmd)
	for _, w := range given {
		// each with what it would be given
		filled := strings.ReplaceAll(code, "{}", w.Text)
		if filled == code {
			filled = code + " " + w.Text
		}
		l.Shell(filled, w, false)
		if len(l.Operations) > 16 {
			break
		}
	}
	words := append([]Word(nil), cmd...)
	if strings.Contains(cmd[0].Text, " ") {
		l.Operations = append(l.Operations, Operation{Act: Shell, Text: code, Word: cmd[0], IsFed: len(given) == 0, Root: l.Root})
		return
	}
	if len(given) == 0 {
		var fed []Word
		if len(l.Before) > 0 {
			fed = l.Before[0]
		}
		l.RunFed(words, fed)
	} else {
		l.Run(words, false)
	}
}

func scriptProgram(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "cEIOBTom", Longs: []string{"--command", "--log-out", "--log-in", "--log-io", "--log-timing", "--output-limit", "--echo"}})
	l.Caution("records a terminal in a file", l.Words[0])
	for _, f := range flags {
		if isOneOf(f.Name, "-c", "--command") {
			w := f.Arg
			l.Shell(f.Value, w, false)
		}
	}
	if len(operands) > 0 {
		l.Operation(Write, operands[0])
		l.Run(operands[1:], false) // as BSD has it
	}
}

func flock(l *findings) {
	flags, rest := parse(l.Args(), flagSpec{Args: "wE", Longs: []string{"--wait", "--timeout", "--conflict-exit-code"}, First: true})
	for _, f := range flags {
		if f.Name == "-c" || f.Name == "--command" {
			l.Caution("an option before its place", f.Word)
		}
	}
	if len(rest) < 2 {
		return
	}
	l.Caution("makes a lock file", rest[0])
	rest = rest[1:]
	if isOneOf(rest[0].Text, "-c", "--command") && len(rest) > 1 {
		l.Shell(rest[1].Text, rest[1], false)
		return
	}
	l.Run(rest, false)
}

func busybox(l *findings) {
	if len(l.Args()) == 0 || isOneOf(l.Args()[0].Text, "--list", "--help", "--list-full", "--long") {
		return
	}
	if isOneOf(l.Args()[0].Text, "--install") {
		l.Danger("replaces programs", l.Args()[0])
		return
	}
	l.Run(l.Args(), false)
}
