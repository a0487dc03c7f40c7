package programs

import (
	"strings"
)

// special judges the programs whose flags do not say it all. done: the table has
// nothing to add; known: it is no unknown program.
func special(l *findings) (done, known bool) {
	if f := byName(l.Name); f != nil {
		if onlyHelp(l, rowsOf(l.Name)) && !isOneOf(l.Name, "eval", "env", "exec", ".", "source", "command", "alias", "trap") {
			return true, true
		}
		f(l)
		return true, true
	}
	switch {
	case strings.HasPrefix(l.Name, "ld-linux"), strings.HasPrefix(l.Name, "ld-musl"), strings.HasPrefix(l.Name, "ld.so"):
		l.Danger("starts a program by its loader", l.Words[0])
		l.Run(l.Args(), false)
		return true, true
	case strings.HasPrefix(l.Name, "mkfs"), strings.HasPrefix(l.Name, "fsck."):
		l.Danger("changes a disk", l.Words[0])
		return true, true
	case IsShell(l.Name):
		shellProgram(l)
		return true, true
	case IsInterpreter(l.Name):
		interpreter(l)
		script(l)
		inCode(l)
		if isOneOf(l.Name, "deno", "bun") {
			byTable(l)
		}
		return true, true
	}
	return false, false
}

// byName is the function of a program, if it has one.
func byName(name string) func(l *findings) {
	if f := changeFiles(name); f != nil {
		return f
	}
	if f := builtin(name); f != nil {
		return f
	}
	if f := unpackers(name); f != nil {
		return f
	}
	if f := runners(name); f != nil {
		return f
	}
	if f := everyday(name); f != nil {
		return f
	}
	if f := hatches(name); f != nil {
		return f
	}
	switch name {
	case "sysctl":
		return func(l *findings) {
			byTable(l)
			for _, w := range l.Args() {
				if strings.Contains(w.Text, "=") && !IsFlag(w) {
					l.Danger("changes the kernel", w)
				}
			}
		}
	case "apt", "apt-get", "dnf", "yum", "zypper", "aptitude", "pacman":
		return func(l *findings) {
			byTable(l)
			for _, w := range l.Args() {
				if strings.ContainsAny(w.Text, "*^~") && HasAny(textOf(l.Args()), "remove", "purge", "erase", "-R") {
					l.Danger("removes every package that a pattern matches", w)
				}
			}
		}
	case "ping", "ping6", "dig", "nslookup", "host", "traceroute", "tracepath", "mtr", "whois", "http", "https", "xh", "ftp", "lynx", "w3m", "links":
		return asks
	case "mount":
		return mount
	case "make", "gmake":
		return makeProgram
	case "ed", "red", "nano", "pico", "emacs", "micro", "joe":
		return edits
	case "go":
		return goTool
	case "git":
		return func(l *findings) {
			if args := l.Args(); len(args) == 2 && args[1].Text == "--help" && l.TrustedGit && isKnownVerb(args[0]) {
				return // a page of the manual, by the viewer that the person has set
			}
			lookGit(l)
		}
	case "awk", "gawk", "mawk", "nawk", "original-awk":
		return awk
	case "sed", "gsed", "ssed":
		return sed
	case "curl":
		return curl
	case "wget", "wget2":
		return wget
	case "nc", "ncat", "netcat", "telnet":
		return netcat
	case "psql", "mysql", "mariadb", "sqlite3", "sqlite", "mongo", "mongosh", "redis-cli", "valkey-cli", "cockroach", "clickhouse-client", "cqlsh", "sqlcmd", "duckdb", "usql", "snowsql", "mycli", "pgcli", "litecli", "cypher-shell":
		return database
	case "bq":
		return func(l *findings) {
			byTable(l)
			if args := l.Args(); len(args) > 0 && !isOneOf(args[0].Text, "ls", "show", "head", "version", "help") && !(len(args) > 1 && isOneOf(args[1].Text, "--dry_run", "--dry_run=true")) {
				database(l)
			}
		}
	case "crontab":
		return crontab
	case "kill", "killall", "pkill", "skill", "killall5", "xkill":
		return kill
	case "vim", "vi", "nvim", "view", "ex", "vimdiff", "gvim", "rvim":
		return vim
	case "printf":
		return printf
	case "trap", "alias":
		return later
	case "history":
		return history
	case "ssh-keygen":
		return keygen
	case "modprobe":
		return func(l *findings) {
			if len(l.Args()) > 0 && isOneOf(l.Args()[0].Text, "-n", "--show-depends", "-c", "--showconfig") {
				return
			}
			l.Danger("changes the kernel", l.Words[0])
		}
	case "date", "gdate":
		return date
	case "DROP", "drop", "TRUNCATE", "DELETE", "delete", "UPDATE", "ALTER", "FLUSHALL", "FLUSHDB", "flushall", "flushdb", "SELECT", "GRANT", "REVOKE":
		return func(l *findings) {
			l.Caution("a statement of a database, not a command", l.Words[0])
			if why := Statement(textOf(l.Words)); why != "" {
				l.Danger(why, l.Words[0])
			}
		}
	}
	return nil
}

// isKnownVerb says that a word is a verb of git, and no alias that a repository may set.
func isKnownVerb(w Word) bool {
	return isOneOf(w.Text, "add", "branch", "checkout", "cherry-pick", "clean", "clone", "commit", "config", "diff", "fetch", "grep",
		"init", "log", "merge", "mv", "pull", "push", "rebase", "reflog", "remote", "reset", "restore", "revert", "rm", "show", "stash",
		"status", "submodule", "switch", "tag", "worktree", "bisect", "blame")
}

// MayWrite says that a program may write to the files among its words, as far as is
// known: it is no program that only reads, no editor that a person looks at, and none
// that is judged by what it does to each.
func MayWrite(name string) bool {
	name, _ = NameOf(name)
	if isOneOf(name, "source", ".", "ssh", "ssh-add", "ssh-keygen", "git", "sudo", "export", "echo", "printf", "vim", "vi", "nano", "emacs", "code", "view", "kubectl", "helm", "terraform", "aws", "docker", "curl", "psql", "cd", "ken") || byName(name) != nil || IsShell(name) {
		return false
	}
	for _, r := range rowsOf(name) {
		if len(r.subs) == 0 && (r.level == Safe || r.wrapper || strings.Contains(r.why, "editor")) {
			return false
		}
	}
	return true
}

// Prints says that a program shows the content of the files it is given.
func Prints(name string) bool {
	name, _ = NameOf(name)
	return !isOneOf(name, "ls", "ll", "stat", "file", "test", "[", "find", "du", "wc", "md5sum", "sha1sum", "sha256sum", "cksum", "b2sum", "sha512sum", "readlink", "realpath", "basename", "dirname", "echo", "printf", "which", "cd", "exa", "eza", "lsd", "tree", "fd", "locate", "git", "cmp", "namei", "pathchk", "lsattr", "getfacl", "ssh-keygen", "pgrep", "type", "export", "unset", "[[", "df", "touch", "openssl", "mdls", "whereis")
}

func crontab(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "u"})
	switch {
	case with(flags, "-r"):
		l.Danger("removes all scheduled jobs", l.Words[0])
	case with(flags, "-e"):
		l.Caution("edits scheduled jobs", l.Words[0])
	case with(flags, "-l"):
	case len(operands) > 0 || l.Piped || l.Input:
		l.Danger("replaces all scheduled jobs", l.Words[0])
	default:
		l.Caution("changes scheduled jobs", l.Words[0])
	}
}

func kill(l *findings) {
	if args := l.Args(); len(args) > 0 && isOneOf(args[0].Text, "-l", "-L", "-0", "--list") && l.Name == "kill" {
		return // it asks
	}
	l.Caution("ends a process", l.Words[0])
	if l.IsFed {
		l.Danger("ends every process that a search finds", l.Words[0])
	}
	hard := false
	for _, w := range l.Args() {
		t := w.Text
		switch {
		case isOneOf(t, "-9", "-KILL", "-SIGKILL", "-s9", "--signal=KILL", "--signal=9"), t == "9", t == "KILL", t == "SIGKILL":
			hard = true
		case t == "-1" && (hard || len(l.Args()) > 1 && w.At != l.Args()[0].At || len(l.Args()) == 1), t == "1" && l.Name == "kill", t == "--" && l.Name == "kill":
			l.Danger("ends every process, or the first one", w)
		case isOneOf(l.Name, "killall", "pkill") && isOneOf(t, "-u", "-U", "--user", "-v", "-g", "-t") || strings.HasPrefix(t, "-u") && isOneOf(l.Name, "killall", "pkill"):
			l.Danger("ends every process of a person", w)
		case l.Name == "kill" && hard && strings.Contains(t, "`"):
			l.Danger("ends every process that a search finds", w)
		case w.Subst && l.Name == "kill" && hard && !strings.Contains(t, "$(cat"):
			l.Danger("ends every process that a search finds", w)
		case isOneOf(t, ".", "systemd", "init", "sshd", "-f.", ".*", "", "Xorg", "gnome-shell", "bash", "zsh", "sh", "NetworkManager", "dbus-daemon", "ken") && isOneOf(l.Name, "killall", "pkill"):
			l.Danger("ends what the person works with", w)
		}
	}
	if l.Name == "killall5" {
		l.Danger("ends every process", l.Words[0])
	}
	if l.Name == "pkill" && hard {
		l.Danger("ends every process that matches, at once", l.Words[0])
	}
}

func vim(l *findings) {
	l.Caution("starts an editor", l.Words[0])
	for i, w := range l.Args() {
		t := w.Text
		if l.Name == "ex" && len(t) > 2 && t[0] == '-' && t[1] != '-' && strings.ContainsAny(t, "cs") {
			l.Danger("gives an editor commands to run", w)
		}
		if t == "-c" || t == "--cmd" || t == "-S" || t == "-s" || t == "-u" || t == "-es" || t == "-W" || t == "-w" {
			if next := l.Args()[i+1:]; len(next) > 0 || t == "-es" {
				l.Danger("gives an editor commands to run", w)
			}
		}
		if strings.HasPrefix(t, "+") && len(t) > 1 && strings.Trim(t[1:], "0123456789") != "" && t[1] != '/' {
			l.Danger("gives an editor commands to run", w)
		}
	}
	for _, w := range l.Args() {
		if !IsFlag(w) && !strings.HasPrefix(w.Text, "+") && l.Root {
			l.Operation(Write, w)
		}
	}
}

func printf(l *findings) {
	for i, w := range l.Args() {
		if w.Text == "-v" && i+1 < len(l.Args()) && HasAny(l.Args()[i+1].Text, "$(", "`") {
			l.Danger("a command hidden in a subscript", l.Args()[i+1])
		}
	}
}

// later judges a text that is kept, to be run later.
func later(l *findings) {
	args := l.Args()
	if l.Name == "alias" {
		for _, w := range args {
			if name, value, ok := strings.Cut(w.Text, "="); ok {
				l.Caution("changes what a name means", w)
				l.Shell(value, w, false)
				l.Operations[len(l.Operations)-1].Later = true
				if name == "sudo" && value != "sudo " {
					l.Danger("changes what a usual command does", w)
				}
				if isKnown(name) || isOneOf(name, "sudo", "cd", "ls", "git", "ssh", "rm") {
					if !strings.HasPrefix(value, name) {
						l.Danger("changes what a usual command does", w)
					}
				}
			}
		}
		return
	}
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) >= 2 && !isOneOf(args[0].Text, "-l", "-p") {
		if isOneOf(args[0].Text, "-", "") {
			return
		}
		l.Shell(args[0].Text, args[0], false)
		l.Operations[len(l.Operations)-1].Later = true
		for _, w := range args[1:] {
			if isOneOf(w.Text, "DEBUG") && strings.Contains(args[0].Text, "BASH_COMMAND") &&
				HasAny(args[0].Text, "curl", "wget", "nc ", "ssh ", "/dev/tcp", "mail ", "logger -n") {
				l.Danger("sends every command that is typed to another machine", args[0])
			}
		}
	}
}

func history(l *findings) {
	for _, w := range l.Args() {
		if IsFlag(w) {
			l.Caution("changes the list of commands", w)
		}
	}
}

func keygen(l *findings) {
	flags, _ := parse(l.Args(), flagSpec{Args: "tbfCNPmFRIDaiEnOrsVYwzZ"})
	switch {
	case with(flags, "-D", "-w"):
		l.Danger("loads code", l.Words[0])
	case with(flags, "-l", "-F", "-B") && !with(flags, "-R", "-H", "-p", "-A"):
	default:
		l.Caution("makes or changes keys", l.Words[0])
	}
}

func date(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "drfv", Longs: []string{"--date", "--reference", "--file", "--set"}})
	if f, ok := has(flags, "-s", "--set"); ok {
		l.Danger("sets the clock of the machine", f.Word)
	}
	for _, f := range flags {
		if !isOneOf(f.Name, "-u", "-I", "-R", "-d", "-r", "-f", "-j", "-v", "-n", "--date", "--reference", "--file", "--utc", "--universal", "--iso-8601", "--rfc-3339", "--rfc-2822", "--rfc-email", "--debug", "--resolution", "--help", "--version") && f.Name != "-s" {
			// -Iseconds
			if strings.HasPrefix(f.Word.Text, "-I") {
				continue
			}
			l.Caution("an option that is not known to be harmless: "+f.Name, f.Word)
		}
	}
	for _, w := range operands {
		if !strings.HasPrefix(w.Text, "+") && !w.Hole && !with(flags, "-j", "-f") {
			l.Caution("sets the clock", w)
		}
	}
}

// goTool: a package with a version comes from elsewhere.
func goTool(l *findings) {
	byTable(l)
	args := l.Args()
	for i, w := range args {
		if i > 0 && isOneOf(args[0].Text, "run", "install") && strings.Contains(w.Text, "@") && strings.Contains(w.Text, "/") {
			l.Danger("runs code from elsewhere", w)
		}
	}
}

// asks judges a program that asks another machine: what it is asked is sent away.
func asks(l *findings) {
	byTable(l)
	for _, w := range l.Args() {
		if w.Subst {
			l.Danger("sends to another machine what a command prints", w)
		}
	}
}

func mount(l *findings) {
	byTable(l)
	for _, w := range l.Args() {
		if strings.Contains(w.Text, "remount") && strings.Contains(w.Text, "rw") {
			l.Danger("makes writable what was not", w)
		}
	}
	args := l.Args()
	if len(args) > 2 && HasAny(textOf(args), "--bind", "--rbind", "--move", "-B ", "-R ", "-M ", "bind", "overlay") {
		if to := args[len(args)-1]; isOneOf(to.Text, "/", "/etc", "/usr", "/bin", "/sbin", "/lib", "/var", "/boot", "/root",
			"/home", "/proc", "/sys", "/dev") ||
			HasPrefixAny(to.Text, "/etc/", "/usr/", "/bin/", "/sbin/", "/lib/", "/boot/", "/root/") {
			l.Danger("puts other files in the place of the system's", to)
		}
	}
}

// makeProgram: make takes variables as words, and one of them names its shell.
func makeProgram(l *findings) {
	byTable(l)
	for i, w := range l.Args() {
		name, _, set := strings.Cut(w.Text, "=")
		switch {
		case set && isOneOf(name, "SHELL", ".SHELLFLAGS", "MAKEFLAGS", "MAKE", "SHELL:", "SHELL+"):
			l.Danger("sets what make runs", w)
		case w.Text == "-f" && i+1 < len(l.Args()) && isOneOf(l.Args()[i+1].Text, "-", "/dev/stdin"), w.Text == "-f-":
			l.Danger("runs as code what it is fed", w)
		}
	}
}

// edits judges an editor that may be fed its commands.
func edits(l *findings) {
	byTable(l)
	if l.Piped || l.Input {
		l.Danger("gives an editor commands to run", l.Words[0])
	}
	if !l.Root && !l.Piped && !l.Input {
		return
	}
	for _, w := range l.Args() {
		if !IsFlag(w) {
			l.Operation(Write, w)
		}
	}
}

// script judges what the well-known script behind an interpreter is told, as if it
// stood alone.
func script(l *findings) {
	for i, w := range l.Args() {
		if IsFlag(w) {
			continue
		}
		base := w.Text[strings.LastIndexByte(w.Text, '/')+1:]
		if isOneOf(base, "artisan", "manage.py", "console", "wp-cli.phar", "wp", "drush", "rails", "rake", "composer.phar", "composer", "knex", "sequelize", "typeorm", "prisma", "ace", "spark", "yii") {
			named := w
			named.Text = base
			l.Run(append([]Word{named}, l.Args()[i+1:]...), false)
		}
		return
	}
}

// inCode looks for commands in the code that an interpreter is given, and judges what
// acts for the person.
func inCode(l *findings) {
	if l.Worst() == Safe {
		return // a print of literals
	}
	if l.Name == "osascript" {
		l.Danger("acts for the person", l.Words[0])
	}
	for _, w := range l.Args() {
		if strings.ContainsAny(w.Text, "'\"`([{") {
			embedded(l, w, w.Text)
		}
	}
	if l.Doc {
		for _, b := range l.Before {
			if len(b) == 1 {
				embedded(l, b[0], b[0].Text)
			}
		}
	}
}
