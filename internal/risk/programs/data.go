package programs

import (
	"strings"
)

// Statement returns what a statement of a database destroys, or "".
func Statement(text string) string {
	if !hasAnyFold(text, "drop", "truncate", "delete", "flush", "update", "remove", "alter", "shutdown", "grant", "copy", "outfile", "xp_cmdshell", "dbms_", "config set", "debug", "destroy", "purge", "detach", "vacuum", "pg_terminate", "pg_reload", "pg_promote", "install", "load", "create", "set global", "kill", "revoke", "reset", "rename", "merge", "optimize", "attach") {
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
		case w == "DROP" && isOneOf(next, "TABLE", "DATABASE", "SCHEMA", "COLUMN", "TABLESPACE", "USER", "ROLE", "COLLECTION", "KEYSPACE", "OWNED", "VIEW", "FUNCTION", "TRIGGER", "EXTENSION", "BUCKET", "MEASUREMENT", "MATERIALIZED", "SEQUENCE", "TYPE", "PROCEDURE", "SERIES", "LOGIN", "GRAPH", "CONSTRAINT", "PARTITION"):
			return "destroys data of a database: " + w + " " + next
		case w == "TRUNCATE" && next != "" && next != "-S":
			return "destroys data of a database: " + w
		case w == "DELETE" && next == "FROM" && (!where || trueCondition(text)):
			return "deletes every row of a table"
		case w == "UPDATE" && third == "SET" && !where:
			return "changes every row of a table"
		case isOneOf(w, "FLUSHALL", "FLUSHDB"):
			return "destroys data of a database: " + w
		case w == "GRANT" && isOneOf(next, "ALL", "SUPERUSER", "SUPER"), w == "ALTER" && isOneOf(next, "USER", "ROLE", "SYSTEM", "LOGIN"):
			return "changes who may do what in a database"
		case w == "XP_CMDSHELL", w == "OUTFILE", w == "DUMPFILE":
			return "runs a command, or writes a file, by a database"
		case w == "DROP" && i > 0 && (strings.HasPrefix(words[i-1], "DB.") || strings.Contains(words[i-1], ".")):
			return "destroys data of a database"
		case HasAny(w, ".DROP", "DROPDATABASE", "DROPINDEXES", "DROPUSER", "DROPALLUSERS"):
			return "destroys data of a database"
		case (strings.HasSuffix(w, ".REMOVE") || strings.HasSuffix(w, ".DELETEMANY")) && HasAny(strings.ReplaceAll(text, " ", ""), "({})", "()"):
			return "deletes every entry of a collection"
		case w == "DETACH" && next == "DELETE", w == "ALTER" && next == "TABLE" && isOneOf("DELETE", words[i+1:]...), w == "DELETE" && len(words) <= i+2 && i > 0 && isOneOf(words[0], "MATCH", "OPTIONAL"):
			return "destroys data of a database: " + w
		case w == "INSTALL" && next != "" && i == 0, w == "LOAD" && i > 0 && strings.HasSuffix(words[i-1], ";"), w == "CREATE" && (isOneOf(next, "EXTENSION", "LANGUAGE", "SERVER", "USER", "ROLE", "LOGIN", "ALIAS") || third == "FUNCTION" && hasAnyFold(text, "language c", "plpython", "plperl", "soname")), w == "SET" && isOneOf(next, "GLOBAL", "PERSIST"), w == "REVOKE" && third != "":
			return "loads code into a database, or changes who may, or its settings"
		case w == "COPY" && hasAnyFold(text, "program"):
			return "runs a command by a database"
		case strings.HasPrefix(w, "PG_TERMINATE_BACKEND"), w == "PG_RELOAD_CONF", w == "PG_PROMOTE":
			return "ends or changes what others work with in a database"
		}
	}
	return ""
}

func trueCondition(text string) bool {
	t := strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	return HasAny(t, "WHERE1=1", "WHERETRUE", "WHERE'1'='1'", "OR1=1", "WHERE1")
}
