package programs

import (
	"path"
	"strings"
)

// IsShell says that a program of that name, or path, is a shell.
func IsShell(name string) bool {
	return in(path.Base(name), "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "mksh", "csh", "tcsh", "rbash", "lksh", "yash", "pdksh", "ksh93", "nu", "elvish", "xonsh", "pwsh", "osh", "hush")
}

// RunsInput says that words start a shell or an interpreter that takes its program
// from standard input.
func RunsInput(words []Word) bool {
	name, _ := nameOf(words[0].Text)
	args := words[1:]
	switch {
	case IsShell(name):
		for i := 0; i < len(args); i++ {
			t := args[i].Text
			switch {
			case strings.HasPrefix(t, "--") && t != "--":
				if in(t, "--rcfile", "--init-file") {
					i++
				}
				if in(t, "--version", "--help") {
					return false
				}
			case in(t, "-", "-s", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
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
	case isInterpreter(name):
		for i := 0; i < len(args); i++ {
			t := args[i].Text
			switch {
			case in(t, "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
				return true
			case in(t, "--version", "-V", "-v", "--help", "-h"):
				return false
			case in(t, "-W", "-X", "-I", "-r", "-M") && i+1 < len(args):
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
	return in(name, "at", "batch", "parallel", "source", ".") && (len(args) == 0 || in(args[0].Text, "/dev/stdin", "-"))
}

func (l *look) shellProgram() {
	args := l.args()
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case in(t, "--rcfile", "--init-file"):
			l.danger("runs a file before the first command", args[i])
			i++
		case hasPrefixAny(t, "--rcfile=", "--init-file="):
			l.danger("runs a file before the first command", args[i])
		case in(t, "--version", "--help", "--"):
		case strings.HasPrefix(t, "--"):
			if !in(t, "--norc", "--noprofile", "--posix", "--login", "--restricted", "--verbose", "--no-rcs") {
				l.caution("an option of a shell that is not known", args[i])
			}
			if t == "--command" && i+1 < len(args) {
				l.code(args[i+1], args[i+2:])
				return
			}
		case len(t) > 1 && (t[0] == '-' || t[0] == '+'):
			if t[0] == '-' && strings.Contains(t, "c") {
				// The text is the first word that is no option.
				for i++; i < len(args) && isFlag(args[i]); i++ {
					if strings.HasSuffix(args[i].Text, "o") {
						i++
					}
				}
				if i < len(args) {
					l.code(args[i], args[i+1:])
				} else if l.IsFed {
					l.danger("runs as code what it is fed", l.Words[0])
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
		case t == "-", in(t, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
			return
		default:
			l.script(args[i])
			return
		}
	}
	if l.IsFed {
		l.danger("runs as code what it is fed", l.Words[0])
	}
}

// code judges the text behind -c.
func (l *look) code(w Word, rest []Word) {
	l.shell(w.Text, w, false)
	if l.IsFed && hasAny(w.Text, "{}", "$1", "$@", "$0", "$*", "${1", "${@") && runsWords(w.Text) {
		l.danger("runs as code what it is fed", w)
	}
	if in(strings.TrimSpace(w.Text), "$0", "$@", `"$0"`, `"$@"`, "$*", "$1", `"$1"`, `$0 "$@"`, `"$0" "$@"`, `exec "$@"`) && len(rest) > 0 {
		l.run(rest, false)
	}
}

// runsWords says that a shell text runs its own arguments, rather than use them.
func runsWords(t string) bool {
	t = strings.TrimSpace(t)
	return hasPrefixAny(t, "{}", "$", `"$`, "eval", "exec", "sh ", "bash ", ". ", "source ") || hasAny(t, "; {}", "| sh", "|sh", "eval ")
}

// script judges a file of commands that is run.
func (l *look) script(w Word) {
	switch {
	case strings.HasPrefix(w.Text, "<()"), w.Subst:
		l.danger("runs as code what a command prints", w)
	case w.Hole || w.Glob:
		l.danger("runs a file that is not known before", w)
	case hasPrefixAny(w.Text, "http:", "https:", "/dev/tcp", "/proc/"), hasPrefixAny(w.Text, "/tmp/", "/var/tmp/", "/dev/shm/"):
		l.danger("runs a file that anybody may have written", w)
	default:
		l.caution("runs a file of commands", w)
	}
}

// runners are the functions of programs that run others.
func (l *look) runners() func() {
	switch l.name {
	case "env":
		return l.env
	case "xargs", "gxargs":
		return l.xargs
	case "eval":
		return l.eval
	case "source", ".":
		return l.source
	case "command":
		return l.command
	case "ssh", "autossh", "mosh", "slogin", "dropbear", "pdsh", "pssh", "clush", "dsh":
		return l.ssh
	case "su":
		return l.su
	case "sudoedit":
		return func() {
			l.caution("takes other rights", l.Words[0])
			for _, w := range l.args() {
				l.deed(Write, w)
			}
		}
	case "watch", "gwatch", "hyperfine", "ts-node-e", "nodemon", "xvfb":
		return l.watch
	case "parallel", "rush", "sem":
		return l.parallel
	case "script", "scriptreplay":
		return l.scriptProgram
	case "flock":
		return l.flock
	case "busybox", "toybox":
		return l.busybox
	case "docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc", "lxc", "incus", "k", "crictl":
		return l.container
	case "expect":
		return l.expect
	case "direnv", "aws-vault", "op", "doppler", "poetry", "pipenv", "uv", "bundle", "npm", "pnpm", "yarn", "rye", "hatch", "pdm", "conda", "nix", "nix-shell", "pixi", "mise", "asdf", "infisical", "chamber", "dotenvx", "teller", "stack", "cabal", "opam", "rbenv", "pyenv", "fnm", "volta", "heroku", "fly", "flyctl", "gcloud", "ip", "vagrant", "multipass", "lima", "limactl", "colima", "minikube", "systemd-nspawn", "machinectl", "toolbox", "distrobox", "wsl", "adb":
		return l.runsBehind
	case "sshpass":
		return func() {
			_, rest := parse(l.args(), spec{args: "pfdPe", first: true})
			l.caution("logs in with a password", l.Words[0])
			l.run(rest, false)
		}
	case "coproc", "noglob", "nocorrect", "builtin-x", "-":
		return func() {
			l.caution("a word of another shell", l.Words[0])
			l.run(l.args(), false)
		}
	case "screen":
		return l.screen
	}
	return nil
}

// setting judges NAME=value before a command.
func (l *look) setting(w Word) {
	name, value, _ := strings.Cut(w.Text, "=")
	l.Settings = append(l.Settings, Setting{Name: name, Value: value, Word: w})
}

func (l *look) env() {
	args := l.args()
	i := 0
	for i < len(args) {
		w := args[i]
		t := w.Text
		switch {
		case in(t, "-i", "-", "--ignore-environment", "-0", "--null", "-v", "--debug", "--list-signal-handling") || hasPrefixAny(t, "--default-signal", "--ignore-signal", "--block-signal", "-u", "--unset=") && len(t) > 2:
			i++
		case in(t, "-u", "--unset", "-C", "--chdir", "-P", "-a", "--argv0"):
			i += 2
		case strings.HasPrefix(t, "--chdir="), t == "-iv", t == "-vi":
			i++
		case t == "-S" || t == "--split-string" || t == "-vS" || t == "-iS":
			if i+1 < len(args) {
				rest := append([]Word{}, args[i+1:]...)
				l.split(rest)
			}
			return
		case strings.HasPrefix(t, "-S"), strings.HasPrefix(t, "--split-string="), strings.HasPrefix(t, "-vS"):
			rest := append([]Word{}, args[i:]...)
			rest[0].Text = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(t, "--split-string="), "-v"), "-S")
			l.split(rest)
			return
		case t == "--":
			i++
			l.envRest(args[i:])
			return
		case isFlag(w):
			l.caution("an option of a wrapper that is not known: "+t, w)
			i++
		default:
			l.envRest(args[i:])
			return
		}
	}
}

func (l *look) split(rest []Word) {
	l.caution("takes a string apart and runs it", rest[0])
	code := rest[0].Text
	for _, w := range rest[1:] {
		code += " " + quote(w)
	}
	l.shell(code, rest[0], false)
}

// quote writes a word so that a shell reads it as it is.
func quote(w Word) string {
	if w.Hole {
		return w.Text
	}
	return "'" + strings.ReplaceAll(w.Text, "'", `'\''`) + "'"
}

func (l *look) envRest(args []Word) {
	for len(args) > 0 && strings.Contains(args[0].Text, "=") {
		l.setting(args[0])
		args = args[1:]
	}
	l.run(args, false)
}

func (l *look) xargs() {
	flags, rest := parse(l.args(), spec{args: "aEIJLnPRsdS", longs: []string{"--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--max-lines", "--replace", "--process-slot-var", "--eof"}, first: true})
	for _, f := range flags {
		if !in(f.name, "-0", "-r", "-t", "-a", "-E", "-I", "-J", "-L", "-n", "-P", "-R", "-s", "-d", "-i", "-l", "-x", "-o", "-S", "-e", "--null", "--no-run-if-empty", "--verbose", "--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--max-lines", "--replace", "--exit", "--eof", "--open-tty", "--show-limits") {
			l.caution("an option of a wrapper that is not known: "+f.name, f.word)
		}
	}
	var fed []Word
	for _, b := range l.Before {
		if name, _ := nameOf(b[0].Text); name == "find" || fed == nil {
			fed = b
		}
	}
	if len(rest) == 0 {
		return // it echoes
	}
	mark := "{}"
	if f, ok := has(flags, "-I", "-J", "--replace"); ok && f.value != "" {
		mark = f.value
	}
	if strings.Contains(rest[0].Text, mark) && mark != "" {
		l.danger("runs what it is fed", rest[0])
		return
	}
	words := append([]Word(nil), rest...)
	if mark != "{}" {
		for i := range words {
			words[i].Text = strings.ReplaceAll(words[i].Text, mark, "{}")
		}
	}
	name, _ := nameOf(rest[0].Text)
	if IsShell(name) && len(rest) == 1 || name == "eval" {
		l.danger("runs what it is fed", rest[0])
	}
	l.runFed(words, fed)
}

func (l *look) eval() {
	args := l.args()
	if len(args) == 0 {
		return
	}
	whole := args[0]
	whole.Text = text(args)
	for _, w := range args {
		whole.Subst = whole.Subst || w.Subst
		whole.Hole = whole.Hole || w.Hole
		whole.Tainted = whole.Tainted || w.Tainted
		whole.End = max(whole.End, w.End)
	}
	l.caution("runs a string", l.Words[0])
	if whole.Hole {
		l.danger("runs as code what is not known before", whole)
	}
	l.shell(whole.Text, whole, false)
}

func (l *look) source() {
	if len(l.args()) == 0 {
		return
	}
	l.script(l.args()[0])
}

func (l *look) command() {
	args := l.args()
	for len(args) > 0 && isFlag(args[0]) {
		if in(args[0].Text, "-v", "-V", "-pv", "-pV") {
			return
		}
		if args[0].Text != "-p" && args[0].Text != "--" {
			l.caution("an option that is not known", args[0])
		}
		args = args[1:]
	}
	l.run(args, false)
}

func (l *look) ssh() {
	flags, rest := parse(l.args(), spec{args: "BbcDEeFIiJLlmOopQRSWwgPx", first: true})
	if !in(l.name, "pdsh", "pssh", "clush", "dsh") {
		flags, rest = parse(l.args(), spec{args: "BbcDEeFIiJLlmOopQRSWw", first: true})
	}
	l.caution("reaches another machine", l.Words[0])
	for _, f := range flags {
		switch {
		case f.name == "-o" && hasAnyFold(f.value, "proxycommand", "localcommand", "permitlocal", "knownhostscommand", "proxyusefdpass"):
			l.danger("runs a program", f.arg)
		case f.name == "-o" && hasAnyFold(f.value, "stricthostkeychecking=no", "userknownhostsfile=/dev/null"):
			l.caution("does not look who answers", f.arg)
		case in(f.name, "-F", "-I", "-S") && f.given:
			l.caution("an option that may run a program: "+f.name, f.word)
		case f.name == "-R", f.name == "-w":
			l.danger("opens this machine to another", f.word)
		}
	}
	if len(rest) == 0 {
		return
	}
	rest = rest[1:]
	// ssh takes options behind the host, too.
	if len(rest) > 0 && isFlag(rest[0]) {
		more, behind := parse(rest, spec{args: "BbcDEeFIiJLlmOopQRSWw", first: true})
		for _, f := range more {
			if f.name == "-o" && hasAnyFold(f.value, "proxycommand", "localcommand", "knownhostscommand") {
				l.danger("runs a program", f.arg)
			}
		}
		rest = behind
	}
	if len(rest) == 0 {
		return
	}
	w := rest[0]
	w.End = rest[len(rest)-1].End
	for _, r := range rest {
		w.Hole = w.Hole || r.Hole
		w.Subst = w.Subst || r.Subst
	}
	l.shell(text(rest), w, false)
}

func (l *look) su() {
	flags, rest := parse(l.args(), spec{args: "csgGwT", longs: []string{"--command", "--shell", "--group", "--session-command"}})
	l.caution("takes other rights", l.Words[0])
	if f, ok := has(flags, "-c", "--command", "--session-command"); ok {
		w := f.arg
		w.Text = f.value
		l.shell(f.value, w, true)
	} else if l.Piped || l.Input {
		l.danger("runs as code what it is fed, with other rights", l.Words[0])
	}
	_ = rest
}

func (l *look) watch() {
	flags, rest := parse(l.args(), spec{args: "nqwmrpiLPs", longs: []string{"--interval", "--warmup", "--runs", "--min-runs", "--max-runs", "--prepare", "--cleanup", "--setup", "--conclude", "--shell", "--export-json", "--export-markdown", "--export-csv", "--parameter-list", "--exec", "--watch", "--ext"}, first: l.name == "watch"})
	if l.name != "watch" {
		l.caution("runs commands", l.Words[0])
	}
	for _, f := range flags {
		if in(f.name, "--prepare", "--cleanup", "--setup", "--conclude", "--exec") || f.name == "-p" && l.name != "watch" {
			l.shell(f.value, f.arg, false)
		}
		if !in(f.name, "-n", "-d", "-t", "-b", "-e", "-g", "-c", "-x", "-p", "-q", "-w", "--interval", "--differences", "--no-title", "--beep", "--errexit", "--chgexit", "--color", "--exec", "--precise", "--no-wrap") {
			l.caution("an option of a wrapper that is not known: "+f.name, f.word)
		}
	}
	if len(rest) == 0 {
		return
	}
	if l.name == "watch" {
		w := rest[0]
		for _, r := range rest {
			w.Subst = w.Subst || r.Subst
		}
		l.shell(text(rest), w, false)
		return
	}
	for _, w := range rest {
		l.shell(w.Text, w, false)
	}
}

func (l *look) parallel() {
	flags, rest := parse(l.args(), spec{args: "jPnNLSaIkdC", longs: []string{"--jobs", "--max-procs", "--colsep", "--delay", "--timeout", "--joblog", "--sshlogin", "--arg-file", "--tmpdir", "--results", "--retries", "--load", "--workdir", "--env", "--tagstring", "--max-args"}, first: true})
	l.caution("runs commands", l.Words[0])
	for _, f := range flags {
		if in(f.name, "-S", "--sshlogin", "--transferfile", "--onall", "--nonall") {
			l.danger("runs commands on other machines", f.word)
		}
	}
	var cmd []Word
	lists := false
	var given []Word
	for _, w := range rest {
		if in(w.Text, ":::", "::::", ":::+", "::::+") {
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
			l.danger("runs as commands the lines that it is fed", l.Words[0])
		}
		for _, w := range given {
			l.shell(w.Text, w, false)
		}
		return
	}
	if hasAny(cmd[0].Text, "{") {
		l.danger("runs as commands what it is fed", cmd[0])
	}
	code := text(cmd)
	for _, w := range given {
		// each with what it would be given
		filled := strings.ReplaceAll(code, "{}", w.Text)
		if filled == code {
			filled = code + " " + w.Text
		}
		l.shell(filled, w, false)
		if len(l.Deeds) > 16 {
			break
		}
	}
	words := append([]Word(nil), cmd...)
	if strings.Contains(cmd[0].Text, " ") {
		l.Deeds = append(l.Deeds, Deed{Act: Shell, Text: code, Word: cmd[0], IsFed: len(given) == 0, Root: l.Root})
		return
	}
	if len(given) == 0 {
		var fed []Word
		if len(l.Before) > 0 {
			fed = l.Before[0]
		}
		l.runFed(words, fed)
	} else {
		l.run(words, false)
	}
}

func (l *look) scriptProgram() {
	flags, operands := parse(l.args(), spec{args: "cEIOBTom", longs: []string{"--command", "--log-out", "--log-in", "--log-io", "--log-timing", "--output-limit", "--echo"}})
	l.caution("records a terminal in a file", l.Words[0])
	for _, f := range flags {
		if in(f.name, "-c", "--command") {
			w := f.arg
			l.shell(f.value, w, false)
		}
	}
	if len(operands) > 0 {
		l.deed(Write, operands[0])
		l.run(operands[1:], false) // as BSD has it
	}
}

func (l *look) flock() {
	flags, rest := parse(l.args(), spec{args: "wE", longs: []string{"--wait", "--timeout", "--conflict-exit-code"}, first: true})
	for _, f := range flags {
		if f.name == "-c" || f.name == "--command" {
			l.caution("an option before its place", f.word)
		}
	}
	if len(rest) < 2 {
		return
	}
	l.caution("makes a lock file", rest[0])
	rest = rest[1:]
	if in(rest[0].Text, "-c", "--command") && len(rest) > 1 {
		l.shell(rest[1].Text, rest[1], false)
		return
	}
	l.run(rest, false)
}

func (l *look) busybox() {
	if len(l.args()) == 0 || in(l.args()[0].Text, "--list", "--help", "--list-full", "--long") {
		return
	}
	if in(l.args()[0].Text, "--install") {
		l.danger("replaces programs", l.args()[0])
		return
	}
	l.run(l.args(), false)
}

// container judges docker run, kubectl exec and the like: the table for the rest.
func (l *look) container() {
	l.byTable()
	args := l.args()
	verb := -1
	for i, w := range args {
		if in(w.Text, "exec", "run", "create", "debug", "rsh") {
			verb = i
			break
		}
	}
	if l.name == "docker" || l.name == "podman" || l.name == "nerdctl" {
		l.mounts()
		for _, w := range args {
			if w.Subst && len(args) > 0 && in(args[0].Text, "rm", "rmi", "kill", "stop", "volume", "image", "container") {
				l.danger("acts on every container that a search finds", w)
			}
		}
		if l.IsFed && len(args) > 0 && in(args[0].Text, "rm", "rmi", "kill", "stop", "volume") {
			l.danger("acts on everything that a search finds", l.Words[0])
		}
	}
	if verb < 0 {
		if l.IsFed && hasAny(text(args), "delete") {
			l.danger("acts on everything that a search finds", l.Words[0])
		}
		return
	}
	rest := args[verb+1:]
	for i, w := range rest {
		if w.Text == "--" {
			l.run(rest[i+1:], false)
			return
		}
	}
	_, operands := parse(rest, spec{args: "evpwuhlmnc", first: true, longs: []string{"--name", "--entrypoint", "--network", "--net", "--env", "--volume", "--mount", "--user", "--workdir", "--hostname", "--publish", "--platform", "--memory", "--cpus", "--env-file", "--label", "--restart", "--add-host", "--gpus", "--namespace", "--container", "--context", "--pull", "--shm-size", "--device", "--cap-add", "--security-opt", "--pid", "--index", "--image", "--profile", "--link", "--expose", "--dns", "--ulimit", "--tmpfs", "--runtime", "--userns", "--ipc", "--uts", "--volumes-from"}})
	if len(operands) > 1 {
		l.run(operands[1:], false)
	}
	flags, _ := parse(rest, spec{longs: []string{"--entrypoint"}})
	if f, ok := has(flags, "--entrypoint"); ok && len(operands) > 1 {
		l.run(append([]Word{{Text: f.value, At: f.arg.At, End: f.arg.End}}, operands[1:]...), false)
	}
}

// mounts judges what a container gets of the machine.
func (l *look) mounts() {
	flags, _ := parse(l.args(), spec{args: "vepwuhlm", longs: []string{"--volume", "--mount", "--network", "--net", "--cap-add", "--pid", "--device", "--entrypoint", "--name"}})
	for _, f := range flags {
		v := f.value
		switch {
		case in(f.name, "-v", "--volume", "--mount"):
			from := v
			if i := strings.Index(v, "source="); i >= 0 {
				from = v[i+7:]
			} else if i := strings.Index(v, "src="); i >= 0 {
				from = v[i+4:]
			}
			from, _, _ = strings.Cut(from, ",")
			from, _, _ = strings.Cut(from, ":")
			if in(from, "/", "~", "$HOME", "/etc", "/root", "/home", "/usr", "/var", "/boot", "/dev", "/proc", "/sys", "/var/run/docker.sock", "/run/docker.sock", "/var/run", "/run") || hasPrefixAny(from, "/etc/", "/root/", "~/.ssh", "$HOME/.ssh", "/dev/", "/boot/", "~/.aws", "$HOME/.aws", "/var/lib/docker") {
				l.danger("gives a container the machine", f.arg)
			}
		case f.name == "--privileged" && v != "false", in(f.name, "--pid", "--userns", "--cgroupns") && v == "host", f.name == "--cap-add" && v != "", f.name == "--device":
			l.danger("gives a container the machine", f.word)
		}
	}
}

func (l *look) expect() {
	flags, operands := parse(l.args(), spec{args: "cf"})
	l.caution("runs a program and types for the person", l.Words[0])
	for _, f := range flags {
		if f.name == "-c" {
			l.danger("runs a program and types for the person", f.arg)
			for _, part := range strings.Split(f.value, ";") {
				if cmd, ok := strings.CutPrefix(strings.TrimSpace(part), "spawn "); ok {
					l.shell(cmd, f.arg, false)
				}
			}
		}
	}
	if len(operands) == 0 && (l.Piped || l.Input) {
		l.danger("runs as code what it is fed", l.Words[0])
	}
}

// runsBehind judges programs that run what stands behind one of their words.
func (l *look) runsBehind() {
	l.byTable()
	if len(l.Effects) == 0 && rows()[l.name] == nil {
		l.caution("a program of which nothing is known", l.Words[0])
	}
	args := l.args()
	for i, w := range args {
		if !in(w.Text, "run", "exec", "x", "shell", "--", "-c", "--run", "--command", "netns", "-x", "-e", "develop", "ssh", "run:detached", "start") || i > 5 {
			continue
		}
		rest := args[i+1:]
		switch {
		case in(w.Text, "--run", "--command", "-c", "ssh") && len(rest) > 0:
			if in(l.name, "nix-shell", "npm", "pnpm", "nix", "fly", "flyctl", "vagrant", "heroku", "npx", "gcloud", "limactl") {
				for _, r := range rest {
					if strings.Contains(r.Text, " ") || w.Text != "ssh" {
						l.shell(strings.TrimPrefix(r.Text, "--command="), r, false)
						break
					}
				}
			}
		default:
			_, operands := parse(rest, spec{first: true, args: "nap", longs: []string{"--env", "--name", "--project", "--profile", "--with", "--from", "--python", "--extra", "--group"}})
			if w.Text == "netns" || l.name == "ip" {
				if len(operands) > 1 && in(operands[0].Text, "exec") {
					operands = operands[2:]
				} else {
					operands = nil
				}
			}
			if in(l.name, "npm", "pnpm", "yarn") && w.Text != "exec" && w.Text != "x" && w.Text != "--" {
				operands = nil // the name of a script of the project
			}
			if in(l.name, "aws-vault", "chamber", "conda") && len(operands) > 1 && !in(operands[0].Text, "python", "python3", "rm", "sh", "bash") {
				operands = operands[1:]
			}
			if len(operands) > 0 && !operands[0].Hole {
				l.runKnown(operands)
			}
		}
	}
}

// runKnown hands on a command if its name is one that is known: else it may be the
// name of a task.
func (l *look) runKnown(words []Word) {
	name, _ := nameOf(words[0].Text)
	if rows()[name] != nil || IsShell(name) || isInterpreter(name) || (&look{Call: Call{Words: words}, name: name}).byName() != nil {
		l.run(words, false)
	}
}

func (l *look) screen() {
	for i, w := range l.args() {
		switch {
		case in(w.Text, "-ls", "-list") || hasPrefixAny(w.Text, "-ls"):
			return
		case w.Text == "-X" && i+1 < len(l.args()) && in(l.args()[i+1].Text, "stuff", "exec", "eval", "source"):
			l.danger("types or runs commands in another terminal", w)
		}
	}
	l.caution("starts or changes a terminal session", l.Words[0])
	_, rest := parse(l.args(), spec{args: "SscehpTtrRxX", first: true})
	if len(rest) > 0 {
		l.runKnown(rest)
	}
}
