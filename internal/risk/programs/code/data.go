package code

import (
	"strings"

	"ken/internal/risk/programs/call"
)

// Statement says what a statement of a database destroys, or "".
func Statement(text string) string {
	if !call.HasAnyFold(text, "drop", "truncate", "delete", "flush", "update", "remove", "alter", "shutdown", "grant", "copy", "outfile", "xp_cmdshell", "dbms_", "config set", "debug", "destroy", "purge", "detach", "vacuum") {
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
		case w == "DROP" && call.In(next, "TABLE", "DATABASE", "SCHEMA", "COLUMN", "TABLESPACE", "USER", "ROLE", "COLLECTION", "KEYSPACE", "OWNED", "VIEW", "FUNCTION", "TRIGGER", "EXTENSION", "BUCKET", "MEASUREMENT", "MATERIALIZED", "SEQUENCE", "TYPE", "PROCEDURE", "SERIES", "LOGIN", "GRAPH", "CONSTRAINT", "PARTITION"):
			return "destroys data of a database: " + w + " " + next
		case w == "TRUNCATE" && next != "" && next != "-S":
			return "destroys data of a database: " + w
		case w == "DELETE" && next == "FROM" && (!where || trueCondition(text)):
			return "deletes every row of a table"
		case w == "UPDATE" && third == "SET" && !where:
			return "changes every row of a table"
		case call.In(w, "FLUSHALL", "FLUSHDB"):
			return "destroys data of a database: " + w
		case w == "GRANT" && call.In(next, "ALL", "SUPERUSER", "SUPER"), w == "ALTER" && call.In(next, "USER", "ROLE", "SYSTEM", "LOGIN"):
			return "changes who may do what in a database"
		case w == "XP_CMDSHELL", w == "OUTFILE", w == "DUMPFILE":
			return "runs a command, or writes a file, by a database"
		case w == "DROP" && i > 0 && (strings.HasPrefix(words[i-1], "DB.") || strings.Contains(words[i-1], ".")):
			return "destroys data of a database"
		case call.HasAny(w, ".DROP", "DROPDATABASE", "DROPINDEXES", "DROPUSER", "DROPALLUSERS"):
			return "destroys data of a database"
		case (strings.HasSuffix(w, ".REMOVE") || strings.HasSuffix(w, ".DELETEMANY")) && call.HasAny(strings.ReplaceAll(text, " ", ""), "({})", "()"):
			return "deletes every entry of a collection"
		case w == "COPY" && call.HasAnyFold(text, "program"):
			return "runs a command by a database"
		}
	}
	return ""
}

func trueCondition(text string) bool {
	t := strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	return call.HasAny(t, "WHERE1=1", "WHERETRUE", "WHERE'1'='1'", "OR1=1", "WHERE1")
}

// Database judges a client of a database by the statements it is given.
func Database(l *call.Look) {
	l.Caution("speaks to a database", l.Words[0])
	code, plain := false, true
	args := l.Args()
	redis := call.In(l.Name, "redis-cli", "valkey-cli")
	for i, w := range args {
		t := w.Text
		if why := Statement(t); why != "" {
			l.Danger(why, w)
		}
		value := ""
		switch {
		case call.In(t, "-c", "-e", "--command", "--execute", "--eval", "-cmd", "-q", "--query", "-Q") && i+1 < len(args):
			value = args[i+1].Text
		case strings.HasPrefix(t, "--command="), strings.HasPrefix(t, "--execute="), strings.HasPrefix(t, "--eval="), strings.HasPrefix(t, "--query="):
			_, value, _ = strings.Cut(t, "=")
		case len(t) > 2 && (strings.HasPrefix(t, "-e") || strings.HasPrefix(t, "-c")) && !call.In(l.Name, "sqlite3") && t[1] != '-':
			value = t[2:]
		case call.In(l.Name, "sqlite3", "sqlite", "duckdb", "bq") && !call.IsFlag(w) && i > 0:
			value = t
		}
		if value != "" {
			code = true
			plain = plain && readsOnly(value) && !w.Subst && !w.Tainted && !w.Set
			if call.HasAny(value, `\!`, ".shell", ".system", ".load", "load_extension", "readfile(", "writefile(", `\o |`, `\copy`, "sys_exec", "sys_eval", "pg_read_file", "lo_export") {
				l.Danger("runs a command, or reads and writes files, by a database", w)
			}
		}
	}
	if redis {
		redisCommand(l)
		return
	}
	if why := Statement(call.Text(l.Words)); why != "" {
		l.Danger(why, l.Words[0])
	}
	if code && plain && !l.Piped && !l.Input || call.In(call.Text(args), "-l", "--list", "--version", "-V") {
		l.Effects = nil // it reads, and says what
	}
	if len(l.Before) > 0 {
		for _, b := range l.Before {
			if why := Statement(call.Text(b)); why != "" {
				l.Danger(why, l.Words[0])
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
		if strings.HasPrefix(part, `\d`) || strings.HasPrefix(part, `\l`) || call.In(part, `\conninfo`, `\timing`, ".tables", ".schema", ".databases", ".indexes", ".indices") || strings.HasPrefix(part, ".schema ") {
			continue
		}
		if !call.In(first, "SELECT", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "PRAGMA") || call.HasAnyFold(part, " into ", "for update", "nextval", "pg_terminate", "pg_cancel", "dblink", "pg_sleep", "setval", "lo_", "pg_read", "pg_write", "load_file", "analyze ", "delete", "update ", "insert", "load_extension", "readfile", "writefile", "journal_mode", "set_config", "pg_reload", "pg_switch", "=") && first == "PRAGMA" {
			return false
		}
		if call.HasAnyFold(part, " into ", "nextval(", "pg_terminate", "pg_cancel", "dblink", "setval(", "lo_export", "lo_import", "pg_read", "pg_write", "load_file", "delete ", "update ", "insert ", "load_extension", "readfile(", "writefile(", "set_config", "pg_reload", "copy ") {
			return false
		}
	}
	return true
}

func redisCommand(l *call.Look) {
	_, operands := call.Parse(l.Args(), call.Spec{Args: "hpansucir", Longs: []string{"--user", "--pass", "-u"}, First: true})
	if len(operands) == 0 {
		return
	}
	switch strings.ToLower(operands[0].Text) {
	case "get", "mget", "hget", "hgetall", "keys", "ttl", "pttl", "type", "exists", "llen", "lrange", "smembers", "scard", "zrange", "zcard", "info", "ping", "dbsize", "strlen", "scan", "hkeys", "hvals", "hlen", "time", "lastsave", "role", "echo", "object", "memory", "slowlog", "xlen", "xrange", "zscore", "sismember":
		l.Effects = nil
	case "flushall", "flushdb", "shutdown", "debug", "replicaof", "slaveof", "cluster", "failover", "eval", "evalsha", "module", "acl", "script", "swapdb", "migrate":
		l.Danger("destroys data, or takes a database out of use", operands[0])
	case "config":
		if len(operands) > 1 && strings.ToLower(operands[1].Text) == "get" {
			l.Effects = nil
		} else {
			l.Danger("changes a database's settings", operands[0])
		}
	case "del", "unlink":
		if l.IsFed {
			l.Danger("deletes by pattern", operands[0])
		}
		for _, w := range operands[1:] {
			if w.Subst || w.Glob {
				l.Danger("deletes what is not known before", w)
			}
		}
	}
}
