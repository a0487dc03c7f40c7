package programs

import "strings"

// special judges the programs whose flags do not say it all. done: the table has
// nothing to add; known: it is no unknown program.
func (l *look) special() (done, known bool) {
	if f := l.byName(); f != nil {
		if l.onlyHelp(false) && !in(l.name, "eval", "env", "exec", ".", "source") {
			return true, true
		}
		f()
		return true, true
	}
	switch {
	case strings.HasPrefix(l.name, "ld-linux"), strings.HasPrefix(l.name, "ld-musl"), strings.HasPrefix(l.name, "ld.so"):
		l.danger("starts a program by its loader", l.Words[0])
		l.run(l.args(), false)
		return true, true
	case strings.HasPrefix(l.name, "mkfs"), strings.HasPrefix(l.name, "fsck."):
		l.danger("changes a disk", l.Words[0])
		return true, true
	case IsShell(l.name):
		l.shellProgram()
		return true, true
	case isInterpreter(l.name):
		l.interpreter()
		return true, true
	}
	return false, false
}

// byName is the function of a program, if it has one.
func (l *look) byName() func() {
	if f := l.files(); f != nil {
		return f
	}
	if f := l.runners(); f != nil {
		return f
	}
	switch l.name {
	case "git":
		return l.git
	case "awk", "gawk", "mawk", "nawk", "original-awk":
		return l.awk
	case "sed", "gsed", "ssed":
		return l.sed
	case "curl":
		return l.curl
	case "wget", "wget2":
		return l.wget
	case "nc", "ncat", "netcat", "telnet":
		return l.netcat
	case "psql", "mysql", "mariadb", "sqlite3", "sqlite", "mongo", "mongosh", "redis-cli", "valkey-cli", "cockroach", "clickhouse-client", "cqlsh", "sqlcmd", "duckdb", "usql", "bq", "snowsql", "mycli", "pgcli", "litecli", "influx", "cypher-shell":
		return l.database
	case "crontab":
		return l.crontab
	case "kill", "killall", "pkill", "skill", "killall5", "xkill":
		return l.kill
	case "vim", "vi", "nvim", "view", "ex", "vimdiff", "gvim", "rvim":
		return l.vim
	case "printf":
		return l.printf
	case "trap", "alias":
		return l.later
	case "history":
		return l.history
	case "ssh-keygen":
		return l.keygen
	case "modprobe":
		return func() {
			if len(l.args()) > 0 && in(l.args()[0].Text, "-n", "--show-depends", "-c", "--showconfig") {
				return
			}
			l.danger("changes the kernel", l.Words[0])
		}
	case "date":
		return l.date
	case "DROP", "drop", "TRUNCATE", "DELETE", "delete", "UPDATE", "ALTER", "FLUSHALL", "FLUSHDB", "flushall", "flushdb", "SELECT", "GRANT", "REVOKE":
		return func() {
			l.caution("a statement of a database, not a command", l.Words[0])
			if why := Statement(text(l.Words)); why != "" {
				l.danger(why, l.Words[0])
			}
		}
	}
	return nil
}

// Prints says that a program shows the content of the files it is given.
func Prints(name string) bool {
	name, _ = nameOf(name)
	return !in(name, "ls", "ll", "stat", "file", "test", "[", "find", "du", "wc", "md5sum", "sha1sum", "sha256sum", "cksum", "b2sum", "sha512sum", "readlink", "realpath", "basename", "dirname", "echo", "printf", "which", "cd", "exa", "eza", "lsd", "tree", "fd", "locate", "git", "cmp", "namei", "pathchk", "lsattr", "getfacl", "ssh-keygen", "pgrep", "type", "export", "unset", "[[", "grep-c", "test-f", "df", "touch", "openssl", "mdls", "whereis")
}

// Statement says what a statement of a database destroys, or "".
func Statement(text string) string {
	if !hasAnyFold(text, "drop", "truncate", "delete", "flush", "update", "remove", "alter", "shutdown", "grant", "copy", "outfile", "xp_cmdshell", "dbms_", "config set", "debug", "destroy", "purge", "detach", "vacuum") {
		return ""
	}
	words := strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool {
		return !(r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.' || r == '=' || r == ';' || r == '$')
	})
	where := false
	for _, w := range words {
		where = where || strings.Trim(w, ";") == "WHERE"
	}
	for i, w := range words {
		next, third := "", ""
		if i+1 < len(words) {
			next = strings.Trim(words[i+1], ";")
		}
		if i+2 < len(words) {
			third = strings.Trim(words[i+2], ";")
		}
		switch w = strings.Trim(w, ";"); {
		case w == "DROP" && in(next, "TABLE", "DATABASE", "SCHEMA", "COLUMN", "TABLESPACE", "USER", "ROLE", "COLLECTION", "KEYSPACE", "OWNED", "VIEW", "FUNCTION", "TRIGGER", "EXTENSION", "BUCKET", "MEASUREMENT", "MATERIALIZED", "SEQUENCE", "TYPE", "PROCEDURE", "SERIES", "LOGIN", "GRAPH", "CONSTRAINT", "PARTITION"):
			return "destroys data of a database: " + w + " " + next
		case w == "TRUNCATE" && next != "" && next != "-S":
			return "destroys data of a database: " + w
		case w == "DELETE" && next == "FROM" && (!where || trueCondition(text)):
			return "deletes every row of a table"
		case w == "UPDATE" && third == "SET" && !where:
			return "changes every row of a table"
		case in(w, "FLUSHALL", "FLUSHDB"):
			return "destroys data of a database: " + w
		case w == "GRANT" && in(next, "ALL", "SUPERUSER", "SUPER"), w == "ALTER" && in(next, "USER", "ROLE", "SYSTEM", "LOGIN"):
			return "changes who may do what in a database"
		case w == "XP_CMDSHELL", w == "OUTFILE", w == "DUMPFILE":
			return "runs a command, or writes a file, by a database"
		case w == "DROP" && i > 0 && (strings.HasPrefix(words[i-1], "DB.") || strings.Contains(words[i-1], ".")):
			return "destroys data of a database"
		case hasAny(w, ".DROP", "DROPDATABASE", "DROPINDEXES", "DROPUSER", "DROPALLUSERS"):
			return "destroys data of a database"
		case (strings.HasSuffix(w, ".REMOVE") || strings.HasSuffix(w, ".DELETEMANY")) && hasAny(strings.ReplaceAll(text, " ", ""), "({})", "()"):
			return "deletes every entry of a collection"
		case w == "COPY" && hasAnyFold(text, "program"):
			return "runs a command by a database"
		}
	}
	return ""
}

func trueCondition(text string) bool {
	t := strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	return hasAny(t, "WHERE1=1", "WHERETRUE", "WHERE'1'='1'", "OR1=1", "WHERE1")
}

func hasAnyFold(text string, parts ...string) bool {
	text = strings.ToLower(text)
	return hasAny(text, parts...)
}

func (l *look) database() {
	l.caution("speaks to a database", l.Words[0])
	code, plain := false, true
	args := l.args()
	redis := in(l.name, "redis-cli", "valkey-cli")
	for i, w := range args {
		t := w.Text
		if why := Statement(t); why != "" {
			l.danger(why, w)
		}
		value := ""
		switch {
		case in(t, "-c", "-e", "--command", "--execute", "--eval", "-cmd", "-q", "--query", "-Q") && i+1 < len(args):
			value = args[i+1].Text
		case strings.HasPrefix(t, "--command="), strings.HasPrefix(t, "--execute="), strings.HasPrefix(t, "--eval="), strings.HasPrefix(t, "--query="):
			_, value, _ = strings.Cut(t, "=")
		case len(t) > 2 && (strings.HasPrefix(t, "-e") || strings.HasPrefix(t, "-c")) && !in(l.name, "sqlite3") && t[1] != '-':
			value = t[2:]
		case in(l.name, "sqlite3", "sqlite", "duckdb", "bq") && !isFlag(w) && i > 0:
			value = t
		}
		if value != "" {
			code = true
			plain = plain && readsOnly(value) && !w.Subst
			if hasAny(value, `\!`, ".shell", ".system", ".load", "load_extension", "readfile(", "writefile(", `\o |`, `\copy`, "sys_exec", "sys_eval", "pg_read_file", "lo_export") {
				l.danger("runs a command, or reads and writes files, by a database", w)
			}
		}
	}
	if redis {
		l.redis()
		return
	}
	if why := Statement(text(l.Words)); why != "" {
		l.danger(why, l.Words[0])
	}
	if code && plain && !l.Piped && !l.Input || in(text(args), "-l", "--list", "--version", "-V") {
		l.Effects = nil // it reads, and says what
	}
	if l.Piped && len(l.Before) > 0 {
		for _, b := range l.Before {
			if why := Statement(text(b)); why != "" {
				l.danger(why, l.Words[0])
			}
		}
	}
}

// readsOnly says that every statement of a text only asks.
func readsOnly(code string) bool {
	for _, part := range strings.Split(code, ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		first := strings.ToUpper(part)
		if i := strings.IndexAny(first, " (\n\t"); i > 0 {
			first = first[:i]
		}
		if strings.HasPrefix(part, `\d`) || strings.HasPrefix(part, `\l`) || in(part, `\conninfo`, `\timing`, ".tables", ".schema", ".databases", ".indexes", ".indices") || strings.HasPrefix(part, ".schema ") {
			continue
		}
		if !in(first, "SELECT", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "PRAGMA") || hasAnyFold(part, " into ", "for update", "nextval", "pg_terminate", "pg_cancel", "dblink", "pg_sleep", "setval", "lo_", "pg_read", "pg_write", "load_file", "analyze ", "delete", "update ", "insert", "load_extension", "readfile", "writefile", "journal_mode", "set_config", "pg_reload", "pg_switch", "=") && first == "PRAGMA" {
			return false
		}
		if hasAnyFold(part, " into ", "nextval(", "pg_terminate", "pg_cancel", "dblink", "setval(", "lo_export", "lo_import", "pg_read", "pg_write", "load_file", "delete ", "update ", "insert ", "load_extension", "readfile(", "writefile(", "set_config", "pg_reload", "copy ") {
			return false
		}
	}
	return true
}

func (l *look) redis() {
	_, operands := parse(l.args(), spec{args: "hpansucir", longs: []string{"--user", "--pass", "-u"}, first: true})
	if len(operands) == 0 {
		return
	}
	switch strings.ToLower(operands[0].Text) {
	case "get", "mget", "hget", "hgetall", "keys", "ttl", "pttl", "type", "exists", "llen", "lrange", "smembers", "scard", "zrange", "zcard", "info", "ping", "dbsize", "strlen", "scan", "hkeys", "hvals", "hlen", "time", "lastsave", "role", "echo", "object", "memory", "slowlog", "xlen", "xrange", "zscore", "sismember":
		l.Effects = nil
	case "flushall", "flushdb", "shutdown", "debug", "replicaof", "slaveof", "cluster", "failover", "eval", "evalsha", "module", "acl", "script", "swapdb", "migrate":
		l.danger("destroys data, or takes a database out of use", operands[0])
	case "config":
		if len(operands) > 1 && strings.ToLower(operands[1].Text) == "get" {
			l.Effects = nil
		} else {
			l.danger("changes a database's settings", operands[0])
		}
	case "del", "unlink":
		if l.IsFed {
			l.danger("deletes by pattern", operands[0])
		}
		for _, w := range operands[1:] {
			if w.Subst || w.Glob {
				l.danger("deletes what is not known before", w)
			}
		}
	}
}

func (l *look) crontab() {
	flags, operands := parse(l.args(), spec{args: "u"})
	switch {
	case with(flags, "-r"):
		l.danger("removes all scheduled jobs", l.Words[0])
	case with(flags, "-e"):
		l.caution("edits scheduled jobs", l.Words[0])
	case with(flags, "-l"):
	case len(operands) > 0 || l.Piped || l.Input:
		l.danger("replaces all scheduled jobs", l.Words[0])
	default:
		l.caution("changes scheduled jobs", l.Words[0])
	}
}

func (l *look) kill() {
	l.caution("ends a process", l.Words[0])
	if l.IsFed {
		l.danger("ends every process that a search finds", l.Words[0])
	}
	hard := false
	for _, w := range l.args() {
		t := w.Text
		switch {
		case in(t, "-9", "-KILL", "-SIGKILL", "-s9", "--signal=KILL", "--signal=9"), t == "9", t == "KILL", t == "SIGKILL":
			hard = true
		case t == "-1" && (hard || len(l.args()) > 1 && w.At != l.args()[0].At || len(l.args()) == 1), t == "1" && l.name == "kill", t == "--" && l.name == "kill":
			l.danger("ends every process, or the first one", w)
		case in(l.name, "killall", "pkill") && in(t, "-u", "-U", "--user", "-v", "-g", "-t") || strings.HasPrefix(t, "-u") && in(l.name, "killall", "pkill"):
			l.danger("ends every process of a person", w)
		case in(t, ".", "systemd", "init", "sshd", "-f.", ".*", "", "Xorg", "gnome-shell", "bash", "zsh", "sh", "NetworkManager", "dbus-daemon", "ken") && in(l.name, "killall", "pkill"):
			l.danger("ends what the person works with", w)
		case w.Subst && in(l.name, "kill") && l.manyFound(w):
			l.danger("ends every process that a search finds", w)
		}
	}
	if l.name == "killall5" {
		l.danger("ends every process", l.Words[0])
	}
	if l.name == "pkill" && hard {
		l.danger("ends every process that matches, at once", l.Words[0])
	}
	if l.name == "kill" && len(l.args()) > 0 && in(l.args()[0].Text, "-l", "-L", "-0", "--list") {
		l.Effects = nil
	}
}

// manyFound: a substitution is not looked into here, whose command is judged by
// itself; what is fed by one is as uncertain as what xargs gets.
func (l *look) manyFound(Word) bool { return false }

func (l *look) vim() {
	l.caution("starts an editor", l.Words[0])
	for i, w := range l.args() {
		t := w.Text
		if t == "-c" || t == "--cmd" || t == "-S" || t == "-s" || t == "-u" || t == "-es" || t == "-W" || t == "-w" {
			if next := l.args()[i+1:]; len(next) > 0 || t == "-es" {
				l.danger("gives an editor commands to run", w)
			}
		}
		if strings.HasPrefix(t, "+") && len(t) > 1 && strings.Trim(t[1:], "0123456789") != "" && t[1] != '/' {
			l.danger("gives an editor commands to run", w)
		}
	}
	for _, w := range l.args() {
		if !isFlag(w) && !strings.HasPrefix(w.Text, "+") && l.Root {
			l.deed(Write, w)
		}
	}
}

func (l *look) printf() {
	for i, w := range l.args() {
		if w.Text == "-v" && i+1 < len(l.args()) && hasAny(l.args()[i+1].Text, "$(", "`") {
			l.danger("a command hidden in a subscript", l.args()[i+1])
		}
	}
}

// later judges a text that is kept, to be run later.
func (l *look) later() {
	args := l.args()
	if l.name == "alias" {
		for _, w := range args {
			if name, value, ok := strings.Cut(w.Text, "="); ok {
				l.caution("changes what a name means", w)
				l.shell(value, w, false)
				if rows()[name] != nil || in(name, "sudo", "cd", "ls", "git", "ssh", "rm") {
					if !strings.HasPrefix(value, name) {
						l.danger("changes what a usual command does", w)
					}
				}
			}
		}
		return
	}
	if len(args) >= 2 && !in(args[0].Text, "-l", "-p") {
		if in(args[0].Text, "-", "--", "") {
			return
		}
		l.shell(args[0].Text, args[0], false)
	}
}

func (l *look) history() {
	for _, w := range l.args() {
		if isFlag(w) {
			l.caution("changes the list of commands", w)
		}
	}
}

func (l *look) keygen() {
	flags, _ := parse(l.args(), spec{args: "tbfCNPmFRIDaiEnOrsVYwzZ"})
	switch {
	case with(flags, "-D", "-w"):
		l.danger("loads code", l.Words[0])
	case with(flags, "-l", "-F", "-B") && !with(flags, "-R", "-H", "-p", "-A"):
	default:
		l.caution("makes or changes keys", l.Words[0])
	}
}

func (l *look) date() {
	flags, operands := parse(l.args(), spec{args: "drfv", longs: []string{"--date", "--reference", "--file", "--set"}})
	if f, ok := has(flags, "-s", "--set"); ok {
		l.caution("sets the clock", f.word)
	}
	for _, f := range flags {
		if !in(f.name, "-u", "-I", "-R", "-d", "-r", "-f", "-j", "-v", "-n", "--date", "--reference", "--file", "--utc", "--universal", "--iso-8601", "--rfc-3339", "--rfc-2822", "--rfc-email", "--debug", "--resolution", "--help", "--version") && f.name != "-s" {
			// -Iseconds
			if strings.HasPrefix(f.word.Text, "-I") {
				continue
			}
			l.caution("an option that is not known to be harmless: "+f.name, f.word)
		}
	}
	for _, w := range operands {
		if !strings.HasPrefix(w.Text, "+") && !w.Hole && !with(flags, "-j", "-f") {
			l.caution("sets the clock", w)
		}
	}
}
