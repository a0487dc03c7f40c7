package programs

import (
	"path"
	"strings"

	"ken/internal/risk/programs/call"
	"ken/internal/risk/programs/code"
)

// IsShell says that a program of that name, or path, is a shell.
func IsShell(name string) bool {
	return call.In(path.Base(name), "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "mksh", "csh", "tcsh", "rbash", "lksh", "yash", "pdksh", "ksh93", "nu", "elvish", "xonsh", "pwsh", "osh", "hush")
}

// RunsInput says that words start a shell or an interpreter that takes its program
// from standard input.
func RunsInput(words []call.Word) bool {
	name, _ := call.NameOf(words[0].Text)
	args := words[1:]
	switch {
	case IsShell(name):
		for i := 0; i < len(args); i++ {
			t := args[i].Text
			switch {
			case strings.HasPrefix(t, "--") && t != "--":
				if call.In(t, "--rcfile", "--init-file") {
					i++
				}
				if call.In(t, "--version", "--help") {
					return false
				}
			case call.In(t, "-", "-s", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
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
	case code.IsInterpreter(name):
		for i := 0; i < len(args); i++ {
			t := args[i].Text
			switch {
			case call.In(t, "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
				return true
			case call.In(t, "--version", "-V", "-v", "--help", "-h"), name == "perl" && strings.HasPrefix(t, "-V:") && len(args) == 1:
				return false
			case call.In(t, "-W", "-X", "-I", "-r", "-M") && i+1 < len(args):
				if t == "-r" && strings.HasPrefix(name, "php") {
					return false
				}
				i++
			case len(t) > 1 && t[0] == '-':
				if code.Flag(name, t) != "" || t == "-m" || t == "-n" && !strings.HasPrefix(name, "p") {
					return false
				}
			default:
				return false
			}
		}
		return true
	}
	return call.In(name, "at", "batch", "parallel", "source", ".") && (len(args) == 0 || call.In(args[0].Text, "/dev/stdin", "-"))
}

// runners are the functions of programs that run others.
func runners(name string) func(l *call.Look) {
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
		return func(l *call.Look) {
			l.Caution("takes other rights", l.Words[0])
			for _, w := range l.Args() {
				l.Deed(call.Write, w)
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
		return func(l *call.Look) {
			_, rest := call.Parse(l.Args(), call.Spec{Args: "pfdPe", First: true})
			l.Caution("logs in with a password", l.Words[0])
			l.Run(rest, false)
		}
	case "coproc", "noglob", "nocorrect", "-":
		return func(l *call.Look) {
			l.Caution("a word of another shell", l.Words[0])
			l.Run(l.Args(), false)
		}
	case "screen":
		return screen
	}
	return nil
}

// setting judges NAME=value before a command.
func setting(l *call.Look, w call.Word) {
	name, value, _ := strings.Cut(w.Text, "=")
	l.Settings = append(l.Settings, call.Setting{Name: name, Value: value, Word: w})
}

func env(l *call.Look) {
	args := l.Args()
	i := 0
	var away *call.Word
	defer func() {
		for i := range l.Deeds {
			if away != nil {
				l.Deeds[i].Away, l.Deeds[i].Dir = true, *away
			}
		}
	}()
	for i < len(args) {
		w := args[i]
		t := w.Text
		switch {
		case call.In(t, "-i", "-", "--ignore-environment", "-iv", "-vi"):
			bare := call.Word{}
			away = &bare // what keeps git calm is gone, too
			i++
		case call.In(t, "-u", "--unset") && i+1 < len(args):
			l.Settings = append(l.Settings, call.Setting{Name: args[i+1].Text, Word: args[i+1], Unset: true})
			i += 2
		case len(t) > 2 && strings.HasPrefix(t, "-u"), strings.HasPrefix(t, "--unset="):
			l.Settings = append(l.Settings, call.Setting{Name: strings.TrimPrefix(strings.TrimPrefix(t, "--unset="), "-u"), Word: w, Unset: true})
			i++
		case call.In(t, "-C", "--chdir"):
			if i+1 < len(args) {
				away = &args[i+1]
			}
			i += 2
		case call.In(t, "-0", "--null", "-v", "--debug", "--list-signal-handling"), call.HasPrefixAny(t, "--default-signal", "--ignore-signal", "--block-signal"):
			i++
		case call.In(t, "-P", "-a", "--argv0"):
			i += 2
		case strings.HasPrefix(t, "--chdir="), strings.HasPrefix(t, "-C"):
			to := w
			to.Text = strings.TrimPrefix(strings.TrimPrefix(t, "--chdir="), "-C")
			away = &to
			i++
		case t == "-S" || t == "--split-string" || t == "-vS" || t == "-iS":
			if i+1 < len(args) {
				rest := append([]call.Word{}, args[i+1:]...)
				split(l, rest)
			}
			return
		case strings.HasPrefix(t, "-S"), strings.HasPrefix(t, "--split-string="), strings.HasPrefix(t, "-vS"):
			rest := append([]call.Word{}, args[i:]...)
			rest[0].Text = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(t, "--split-string="), "-v"), "-S")
			split(l, rest)
			return
		case t == "--":
			i++
			envRest(l, args[i:])
			return
		case call.IsFlag(w):
			l.Caution("an option of a wrapper that is not known: "+t, w)
			i++
		default:
			envRest(l, args[i:])
			return
		}
	}
	l.Caution("shows the environment, which may hold secrets", l.Words[0])
}

func split(l *call.Look, rest []call.Word) {
	l.Caution("takes a string apart and runs it", rest[0])
	code := rest[0].Text
	for _, w := range rest[1:] {
		code += " " + quote(w)
	}
	l.Shell(code, rest[0], false)
}

// quote writes a word so that a shell reads it as it is.
func quote(w call.Word) string {
	if w.Hole {
		return w.Text
	}
	return "'" + strings.ReplaceAll(w.Text, "'", `'\''`) + "'"
}

func envRest(l *call.Look, args []call.Word) {
	for len(args) > 0 && strings.Contains(args[0].Text, "=") {
		setting(l, args[0])
		args = args[1:]
	}
	if len(args) == 0 {
		l.Caution("shows the environment, which may hold secrets", l.Words[0])
	}
	l.Run(args, false)
}

func xargs(l *call.Look) {
	flags, rest := call.Parse(l.Args(), call.Spec{Args: "aEIJLnPRsdS", Longs: []string{"--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--max-lines", "--replace", "--process-slot-var", "--eof"}, First: true})
	for _, f := range flags {
		if call.HasPrefixAny(f.Word.Text, "-i", "-l", "-e") {
			continue // what is behind the letter belongs to it
		}
		if !call.In(f.Name, "-0", "-r", "-t", "-a", "-E", "-I", "-J", "-L", "-n", "-P", "-R", "-s", "-d", "-i", "-l", "-x", "-o", "-S", "-e", "--null", "--no-run-if-empty", "--verbose", "--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--max-lines", "--replace", "--exit", "--eof", "--open-tty", "--show-limits") {
			l.Caution("an option of a wrapper that is not known: "+f.Name, f.Word)
		}
	}
	var fed []call.Word
	for _, b := range l.Before {
		if name, _ := call.NameOf(b[0].Text); name == "find" || fed == nil {
			fed = b
		}
	}
	if len(rest) == 0 {
		return // it echoes
	}
	mark := "{}"
	if f, ok := call.Has(flags, "-I", "-J", "--replace"); ok && f.Value != "" {
		mark = f.Value
	}
	if strings.Contains(rest[0].Text, mark) && mark != "" {
		l.Danger("runs what it is fed", rest[0])
		return
	}
	words := append([]call.Word(nil), rest...)
	if mark != "{}" {
		for i := range words {
			words[i].Text = strings.ReplaceAll(words[i].Text, mark, "{}")
		}
	}
	name, _ := call.NameOf(rest[0].Text)
	if IsShell(name) && len(rest) == 1 || name == "eval" {
		l.Danger("runs what it is fed", rest[0])
	}
	l.RunFed(words, fed)
}

func eval(l *call.Look) {
	args := l.Args()
	if len(args) == 0 {
		return
	}
	whole := args[0]
	whole.Text = call.Text(args)
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

func source(l *call.Look) {
	if len(l.Args()) == 0 {
		return
	}
	code.Script(l, l.Args()[0])
}

func command(l *call.Look) {
	args := l.Args()
	for len(args) > 0 && call.IsFlag(args[0]) {
		if call.In(args[0].Text, "-v", "-V", "-pv", "-pV") {
			return
		}
		if args[0].Text != "-p" && args[0].Text != "--" {
			l.Caution("an option that is not known", args[0])
		}
		args = args[1:]
	}
	l.Run(args, false)
}

func su(l *call.Look) {
	flags, rest := call.Parse(l.Args(), call.Spec{Args: "csgGwT", Longs: []string{"--command", "--shell", "--group", "--session-command"}})
	l.Caution("takes other rights", l.Words[0])
	if f, ok := call.Has(flags, "-c", "--command", "--session-command"); ok {
		w := f.Arg
		w.Text = f.Value
		l.Shell(f.Value, w, true)
	} else if l.Piped || l.Input {
		l.Danger("runs as code what it is fed, with other rights", l.Words[0])
	} else if len(rest) < 3 {
		l.Danger("starts a shell with other rights", l.Words[0])
	}
}

func watch(l *call.Look) {
	flags, rest := call.Parse(l.Args(), call.Spec{Args: "nqwmrpiLPs", Longs: []string{"--interval", "--warmup", "--runs", "--min-runs", "--max-runs", "--prepare", "--cleanup", "--setup", "--conclude", "--shell", "--export-json", "--export-markdown", "--export-csv", "--parameter-list", "--exec", "--watch", "--ext"}, First: l.Name == "watch"})
	if l.Name != "watch" {
		l.Caution("runs commands", l.Words[0])
	}
	for _, f := range flags {
		if call.In(f.Name, "--prepare", "--cleanup", "--setup", "--conclude", "--exec") || f.Name == "-p" && l.Name != "watch" {
			l.Shell(f.Value, f.Arg, false)
		}
		if !call.In(f.Name, "-n", "-d", "-t", "-b", "-e", "-g", "-c", "-x", "-p", "-q", "-w", "--interval", "--differences", "--no-title", "--beep", "--errexit", "--chgexit", "--color", "--exec", "--precise", "--no-wrap") {
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
		l.Shell(call.Text(rest), w, false)
		return
	}
	for _, w := range rest {
		l.Shell(w.Text, w, false)
	}
}

func parallel(l *call.Look) {
	flags, rest := call.Parse(l.Args(), call.Spec{Args: "jPnNLSaIkdC", Longs: []string{"--jobs", "--max-procs", "--colsep", "--delay", "--timeout", "--joblog", "--sshlogin", "--arg-file", "--tmpdir", "--results", "--retries", "--load", "--workdir", "--env", "--tagstring", "--max-args"}, First: true})
	l.Caution("runs commands", l.Words[0])
	for _, f := range flags {
		if call.In(f.Name, "-S", "--sshlogin", "--transferfile", "--onall", "--nonall") {
			l.Danger("runs commands on other machines", f.Word)
		}
	}
	var cmd []call.Word
	lists := false
	var given []call.Word
	for _, w := range rest {
		if call.In(w.Text, ":::", "::::", ":::+", "::::+") {
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
	if call.HasAny(cmd[0].Text, "{") {
		l.Danger("runs as commands what it is fed", cmd[0])
	}
	code := call.Text(cmd)
	for _, w := range given {
		// each with what it would be given
		filled := strings.ReplaceAll(code, "{}", w.Text)
		if filled == code {
			filled = code + " " + w.Text
		}
		l.Shell(filled, w, false)
		if len(l.Deeds) > 16 {
			break
		}
	}
	words := append([]call.Word(nil), cmd...)
	if strings.Contains(cmd[0].Text, " ") {
		l.Deeds = append(l.Deeds, call.Deed{Act: call.Shell, Text: code, Word: cmd[0], IsFed: len(given) == 0, Root: l.Root})
		return
	}
	if len(given) == 0 {
		var fed []call.Word
		if len(l.Before) > 0 {
			fed = l.Before[0]
		}
		l.RunFed(words, fed)
	} else {
		l.Run(words, false)
	}
}

func scriptProgram(l *call.Look) {
	flags, operands := call.Parse(l.Args(), call.Spec{Args: "cEIOBTom", Longs: []string{"--command", "--log-out", "--log-in", "--log-io", "--log-timing", "--output-limit", "--echo"}})
	l.Caution("records a terminal in a file", l.Words[0])
	for _, f := range flags {
		if call.In(f.Name, "-c", "--command") {
			w := f.Arg
			l.Shell(f.Value, w, false)
		}
	}
	if len(operands) > 0 {
		l.Deed(call.Write, operands[0])
		l.Run(operands[1:], false) // as BSD has it
	}
}

func flock(l *call.Look) {
	flags, rest := call.Parse(l.Args(), call.Spec{Args: "wE", Longs: []string{"--wait", "--timeout", "--conflict-exit-code"}, First: true})
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
	if call.In(rest[0].Text, "-c", "--command") && len(rest) > 1 {
		l.Shell(rest[1].Text, rest[1], false)
		return
	}
	l.Run(rest, false)
}

func busybox(l *call.Look) {
	if len(l.Args()) == 0 || call.In(l.Args()[0].Text, "--list", "--help", "--list-full", "--long") {
		return
	}
	if call.In(l.Args()[0].Text, "--install") {
		l.Danger("replaces programs", l.Args()[0])
		return
	}
	l.Run(l.Args(), false)
}
