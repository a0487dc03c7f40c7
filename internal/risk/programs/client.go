package programs

import (
	"slices"
	"strings"
)

// A client is what is known of a program that speaks to a database.
type client struct {
	single   bool     // long options have one dash
	says     []string // options whose value is a statement
	takes    []string // harmless options with a value
	plain    []string // harmless options without
	optional []string // harmless options whose value stands in the same word
	writes   []string // options whose value is a file that is written
	runs     []string // options whose value a shell runs
	harms    []string // options that load code, or run what others wrote
	words    bool     // words behind the first are statements
}

// clientOf is what is known of the client of that name. Of one that is not known,
// no option is harmless.
func clientOf(name string) client {
	at := []string{"-h", "--host", "-p", "--port", "-U", "-u", "--user", "--username", "-d", "--database", "--dbname"}
	switch name {
	case "psql":
		return client{
			says: []string{"-c", "--command"}, takes: append(at, "-F", "-R", "-P", "-T", "-v", "--set", "--variable", "--pset", "--field-separator", "--record-separator"),
			plain:  []string{"-w", "-W", "-A", "-t", "-x", "-q", "-X", "-e", "-E", "-a", "-b", "-z", "-0", "-1", "-n", "-l", "--list", "--csv", "--tuples-only", "--no-align", "--expanded", "--no-psqlrc", "--quiet", "--no-password", "--echo-all", "--echo-queries", "--single-transaction", "-V"},
			writes: []string{"-o", "--output", "-L", "--log-file"},
		}
	case "mysql", "mariadb":
		return client{
			says: []string{"-e", "--execute", "--init-command"}, takes: []string{"-h", "-P", "-u", "-D", "-S", "--host", "--port", "--user", "--database", "--socket", "--protocol", "--default-character-set", "--connect-timeout"},
			plain:    []string{"-N", "-B", "-s", "-t", "-v", "-E", "-H", "-X", "-A", "-r", "-q", "-V", "--table", "--batch", "--silent", "--skip-column-names", "--raw", "--vertical", "--column-names", "--html", "--xml", "--quick", "--verbose", "--no-auto-rehash", "--safe-updates", "--ssl"},
			optional: []string{"-p", "--password"}, writes: []string{"--tee"}, runs: []string{"--pager"}, harms: []string{"--plugin-dir", "--default-auth"},
		}
	case "sqlite3", "sqlite":
		return client{
			single: true, words: true, says: []string{"-cmd"}, takes: []string{"-separator", "-nullvalue", "-newline", "-mmap", "-maxsize"},
			plain: []string{"-header", "-noheader", "-csv", "-json", "-column", "-line", "-list", "-box", "-table", "-markdown", "-html", "-quote", "-ascii", "-tabs", "-readonly", "-batch", "-bail", "-echo", "-stats", "-safe", "-nofollow", "-version"},
		}
	case "duckdb":
		return client{
			single: true, words: true, says: []string{"-c", "-s", "-cmd"}, takes: []string{"-separator", "-nullvalue", "-newline"},
			plain: []string{"-header", "-noheader", "-csv", "-json", "-column", "-line", "-list", "-box", "-table", "-markdown", "-html", "-quote", "-ascii", "-readonly", "-batch", "-bail", "-echo", "-safe", "-version"},
			harms: []string{"-unsigned"},
		}
	case "clickhouse-client":
		return client{says: []string{"-q", "--query"}, takes: []string{"-h", "--host", "--port", "-u", "--user", "--password", "-d", "--database", "-f", "--format"}, plain: []string{"-m", "--multiline", "-s", "--secure", "-t", "--time"}}
	case "cqlsh", "mycli", "usql", "cockroach", "pgcli", "litecli", "cypher-shell":
		return client{says: []string{"-e", "--execute", "-c", "--command"}, takes: []string{"-h", "--host", "-p", "--port", "-u", "-U", "--user", "-k", "-d", "-a", "--format"}, plain: []string{"--no-color", "--insecure"}}
	case "sqlcmd", "snowsql", "bq", "mongo", "mongosh":
		return client{says: []string{"-Q", "-q", "--query", "--eval", "-e"}, takes: []string{"-S", "-U", "-P", "-d", "--host", "--port", "--username", "--format"}, plain: []string{"--quiet", "--use_legacy_sql"}, words: name == "bq"}
	}
	return client{}
}

// database judges a client of a database by its options and by the statements it is
// given. It is harmless only where every option is, and every statement reads.
func database(l *findings) {
	if isOneOf(l.Name, "redis-cli", "valkey-cli") {
		redis(l)
		return
	}
	c := clientOf(l.Name)
	spec := flagSpec{Single: c.single}
	for _, o := range slices.Concat(c.says, c.takes, c.writes, c.runs, c.harms, []string{"-f", "--file", "--init", "-init"}) {
		if c.single || strings.HasPrefix(o, "--") {
			spec.Longs = append(spec.Longs, o)
		} else if len(o) == 2 {
			spec.Args += o[1:]
		}
	}
	for _, o := range c.optional {
		if !strings.HasPrefix(o, "--") {
			spec.Rest += o[1:]
		}
	}
	flags, operands := parse(l.Args(), spec)
	asks, said := true, false
	say := func(w Word, text string) {
		said = true
		asks = statements(l, w, text) && asks
	}
	for _, f := range flags {
		v := f.Arg
		v.Text = f.Value
		switch {
		case isOneOf(f.Name, c.says...):
			say(v, f.Value)
		case isOneOf(f.Name, c.writes...):
			written(l, v)
		case isOneOf(f.Name, c.runs...):
			l.Shell(f.Value, v, false)
		case isOneOf(f.Name, c.harms...):
			l.Danger("loads code, or runs what others wrote: "+f.Name, f.Word)
		case isOneOf(f.Name, "-f", "--file", "-init", "--init-file"):
			asks = false
			if strings.HasPrefix(v.Text, "<()") || v.Subst {
				l.Danger("runs as code what a command prints", v)
			}
		case isOneOf(f.Name, "-l", "--list", "-version", "--version", "-V"):
			said = true
		case isOneOf(f.Name, c.takes...), isOneOf(f.Name, c.plain...), isOneOf(f.Name, c.optional...):
		default:
			asks = false
		}
	}
	if c.words && len(operands) > 1 {
		for _, w := range operands[1:] {
			say(w, w.Text)
		}
	}
	var others []Word
	for _, w := range l.Words {
		if asksOnly(w.Text) {
			continue // words in its strings are data
		}
		others = append(others, w)
		if why := Statement(w.Text); why != "" {
			l.Danger(why, w)
		}
	}
	if why := Statement(textOf(others)); why != "" {
		l.Danger(why, l.Words[0])
	}
	for _, b := range l.Before {
		if why := Statement(textOf(b)); why != "" {
			l.Danger(why, l.Words[0])
		}
		if l.Doc && len(b) == 1 {
			say(b[0], b[0].Text)
		}
	}
	if !asks || !said || l.IsFed || (l.Piped || l.Input) && !l.Doc {
		l.Caution("speaks to a database", l.Words[0])
	}
}

// written judges a file that a client writes: behind a bar stands a command.
func written(l *findings, w Word) {
	if cmd, ok := strings.CutPrefix(strings.TrimSpace(w.Text), "|"); ok {
		l.Caution("runs a command by a database", w)
		if first, _, _ := strings.Cut(strings.TrimSpace(cmd), " "); isOneOf(first[strings.LastIndexByte(first, '/')+1:], "sh", "bash", "dash", "zsh", "ksh", "sudo") || IsInterpreter(first) {
			l.Danger("runs as code what a database says", w)
		}
		l.Shell(cmd, w, false)
		return
	}
	if w.Text != "" {
		l.Operation(Write, w)
	}
}

// statements judges what a client is told, statement by statement, and says whether
// all of it only asks. What does not: its paths may be written.
func statements(l *findings, w Word, text string) bool {
	if w.Subst || w.Tainted || w.Set {
		l.Caution("a statement that is not known before", w)
		return false
	}
	if why := Statement(text); why != "" && !asksOnly(text) {
		l.Danger(why, w)
	}
	all := l.Name != "duckdb" || !HasAny(text, "://", "~", "/.", "'.") &&
		!hasAnyFold(text, "/etc/", "/proc/", "secret", "token", ".pem", ".key")
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case isOneOf(first, "\\!", "system", ".shell", ".system"):
			all = false
			l.Danger("runs a command by a database", w)
			l.Shell(rest, w, false)
		case isOneOf(l.Name, "mongosh", "mongo") && asksMongo(line):
		case first[0] == '.' || first[0] == '\\':
			all = clientCommand(l, w, first, strings.TrimSpace(rest)) && all
		default:
			for part := range strings.SplitSeq(line, ";") {
				all = readsOnly(part) && all
			}
		}
	}
	if lines := strings.Count(text, "\n"); lines > 0 && !all && readsOnly(text) {
		all = true // one statement on many lines
	}
	if !all {
		paths(l, w, text)
	}
	return all
}

// clientCommand judges a command of the client itself, and says whether it only asks.
func clientCommand(l *findings, w Word, name, rest string) bool {
	if HasPrefixAny(name, "\\d", "\\l") && !HasPrefixAny(name, "\\lo", "\\load") || isOneOf(name, "\\conninfo", "\\timing", "\\x", "\\encoding", "\\z", "\\sf", "\\sv", "\\h", "\\?", "\\q",
		".tables", ".schema", ".fullschema", ".databases", ".dbinfo", ".indexes", ".indices", ".headers", ".header", ".mode", ".show", ".stats", ".width", ".nullvalue", ".separator", ".help", ".version", ".timer", ".echo", ".bail", ".dump", ".quit", ".exit") {
		return !strings.Contains(rest, "|")
	}
	if at := strings.IndexByte(rest, '|'); at >= 0 {
		l.Danger("runs a command by a database", w)
		l.Shell(strings.Trim(rest[at+1:], "'\""), w, false)
	}
	if isOneOf(name, "\\copy", "\\lo_import", "\\lo_export", ".load") {
		l.Danger("runs a command, or reads and writes files, by a database", w)
	}
	return false
}

// paths hands on every word of statements that looks like a path, as one that is
// written.
func paths(l *findings, w Word, text string) {
	folded := strings.ToLower(strings.Join(strings.Fields(text), " "))
	switch {
	case HasAny(folded, "to 's3:", "to 'http", "to 'gs:", "to 'gcs:", "to 'az:", "function url(", "function s3(", "function remote(",
		"function remotesecure(", "into outfile 's3:", "export data options", "unload ("):
		l.Danger("sends data of a database to another place", w)
	case strings.Contains(folded, "create or replace table"):
		l.Danger("replaces a table, with its data", w)
	case isOneOf(l.Name, "mongosh", "mongo") && HasAny(strings.ReplaceAll(folded, " ", ""), "updatemany({},", "deletemany({", "remove({})", "update({},"):
		l.Danger("changes every document", w)
	}
	if hasAnyFold(text, "load_extension", "readfile(", "writefile(", "edit(", "sys_exec", "sys_eval", "pg_read_file", "lo_export", "lo_import", "pg_write", "dblink", "load_file", "xp_cmdshell") {
		l.Danger("runs a command, or reads and writes files, by a database", w)
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n'\",;()=", r) })
	for _, p := range words {
		if strings.ContainsAny(p, "/~") && len(p) > 1 && len(l.Operations) < 20 {
			out := w
			out.Text = p
			l.Operation(Write, out)
		}
	}
}

// readsOnly says that every statement of a text only asks. A function may do anything:
// those that are called must be known.
func readsOnly(code string) bool {
	bare, ok := bareStatement(code)
	if !ok {
		return false
	}
	for part := range strings.SplitSeq(bare, ";") {
		part = strings.TrimSpace(part)
		if part != "" && !readsOne(strings.ToUpper(part)) {
			return false
		}
	}
	return true
}

// asksOnly says that a word is a question to a database, whatever stands in its
// strings.
func asksOnly(text string) bool {
	return HasPrefixAny(strings.ToUpper(strings.TrimSpace(text)), "SELECT ", "WITH ", "SHOW ", "EXPLAIN ") && readsOnly(text)
}

func readsOne(part string) bool {
	first := part
	if i := strings.IndexFunc(first, func(r rune) bool { return r < 'A' || r > 'Z' }); i > 0 {
		first = first[:i]
	}
	switch first {
	case "EXPLAIN":
		rest := strings.TrimSpace(strings.TrimPrefix(part, "EXPLAIN"))
		if strings.HasPrefix(rest, "(") {
			if _, after, ok := strings.Cut(rest, ")"); ok {
				rest = strings.TrimSpace(after)
			}
		}
		for _, w := range []string{"ANALYZE", "VERBOSE", "QUERY PLAN", "FORMAT=JSON", "EXTENDED"} {
			rest = strings.TrimSpace(strings.TrimPrefix(rest, w))
		}
		return readsOne(rest)
	case "PRAGMA":
		name := strings.TrimSpace(strings.TrimPrefix(part, "PRAGMA"))
		name, arg, _ := strings.Cut(name, "(")
		name = name[strings.LastIndexByte(name, '.')+1:]
		return !strings.Contains(part, "=") && (isOneOf(name, "TABLE_INFO", "TABLE_XINFO", "TABLE_LIST", "INDEX_LIST", "INDEX_INFO", "FOREIGN_KEY_LIST") || arg == "" && isOneOf(strings.TrimSpace(name),
			"DATABASE_LIST", "USER_VERSION", "SCHEMA_VERSION", "JOURNAL_MODE", "PAGE_COUNT", "PAGE_SIZE", "FREELIST_COUNT", "INTEGRITY_CHECK", "QUICK_CHECK", "FOREIGN_KEYS", "FOREIGN_KEY_CHECK", "ENCODING", "COMPILE_OPTIONS", "CACHE_SIZE", "SYNCHRONOUS", "AUTO_VACUUM", "TABLE_LIST"))
	case "SHOW":
		return harmlessWords(strings.Replace(part, "SHOW CREATE ", "SHOW ", 1))
	case "SELECT", "WITH", "VALUES", "DESCRIBE", "DESC", "USE", "TABLE":
		return harmlessWords(part)
	}
	return false
}

// harmlessWords says that a question has no word that makes it more than one, and
// calls no function that is not known.
func harmlessWords(part string) bool {
	word := ""
	gap := false
	for i := 0; i <= len(part); i++ {
		b := byte(' ')
		if i < len(part) {
			b = part[i]
		}
		if b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '.' || b == '$' {
			if gap {
				word, gap = "", false
			}
			word += string(b)
			continue
		}
		if word != "" && !gap && isOneOf(word, "INTO", "DELETE", "UPDATE", "INSERT", "MERGE", "DROP", "ALTER", "CREATE", "TRUNCATE", "GRANT", "REVOKE", "COPY", "CALL", "EXEC", "EXECUTE", "DO", "LOCK", "OUTFILE", "DUMPFILE", "NEXTVAL", "SET", "ATTACH", "LOAD", "INSTALL", "EXPORT", "IMPORT", "SHARE") {
			return false
		}
		switch {
		case b == '(' && word != "" && !harmlessCall(word):
			return false
		case b == ':' && i+1 < len(part) && part[i+1] == '=', b == '\\' && !(i+1 < len(part) && part[i+1] == 'G' && i+2 >= len(part)), b == '@' && strings.Contains(part, ":="), b == '`':
			return false
		case b == ' ' || b == '\t' || b == '\n':
			gap = true
		default:
			word, gap = "", false
		}
	}
	return true
}

func harmlessCall(word string) bool {
	return isOneOf(word, "IN", "AND", "OR", "NOT", "WHERE", "FROM", "JOIN", "SELECT", "VALUES", "EXISTS", "AS", "ON", "USING", "OVER", "BY", "UNION", "ALL", "ANY", "SOME", "LIKE", "BETWEEN", "THEN", "ELSE", "WHEN", "CASE", "WITH", "FILTER", "DISTINCT", "INTERVAL", "HAVING", "EXCEPT", "INTERSECT", "LATERAL", "GROUP", "LIMIT",
		"COUNT", "SUM", "AVG", "MIN", "MAX", "NOW", "COALESCE", "IFNULL", "NULLIF", "NVL", "LOWER", "UPPER", "LENGTH", "CHAR_LENGTH", "CHARACTER_LENGTH", "OCTET_LENGTH", "SUBSTR", "SUBSTRING", "LEFT", "RIGHT", "TRIM", "LTRIM", "RTRIM", "REPLACE", "INSTR", "POSITION", "CONCAT", "CONCAT_WS", "FORMAT", "PRINTF", "HEX", "REVERSE", "REPEAT", "LPAD", "RPAD", "INITCAP", "SPLIT_PART",
		"ROUND", "ABS", "CEIL", "CEILING", "FLOOR", "MOD", "POWER", "SQRT", "SIGN", "RANDOM", "RAND", "GREATEST", "LEAST", "CAST", "CONVERT", "TYPEOF", "TOTAL", "IIF", "IF",
		"DATE", "TIME", "DATETIME", "STRFTIME", "JULIANDAY", "UNIXEPOCH", "DATE_TRUNC", "DATE_PART", "DATE_FORMAT", "DATE_ADD", "DATE_SUB", "DATEDIFF", "TIMESTAMPDIFF", "EXTRACT", "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "AGE", "TO_CHAR", "TO_DATE", "TO_TIMESTAMP", "TO_NUMBER", "FROM_UNIXTIME", "UNIX_TIMESTAMP", "CURDATE", "CURRENT_DATE", "CURRENT_TIMESTAMP", "TIMESTAMP",
		"READ_CSV", "READ_CSV_AUTO", "READ_PARQUET", "PARQUET_SCAN", "READ_JSON", "READ_JSON_AUTO", "READ_NDJSON",
		"PARQUET_METADATA", "PARQUET_SCHEMA",
		"GROUP_CONCAT", "STRING_AGG", "ARRAY_AGG", "JSON_AGG", "JSONB_AGG", "JSON_EXTRACT", "JSON_ARRAY_LENGTH", "JSON_OBJECT", "JSON_BUILD_OBJECT", "JSON_GROUP_ARRAY", "ROW_TO_JSON", "JSONB_ARRAY_ELEMENTS", "JSON_EACH", "UNNEST", "GENERATE_SERIES", "ARRAY_LENGTH",
		"ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE", "PERCENTILE_CONT", "STDDEV", "VARIANCE", "BOOL_AND", "BOOL_OR", "MEDIAN", "CORR", "QUANTILE", "UNIQ", "UNIQEXACT", "COUNTIF", "SUMIF", "AVGIF", "ARGMAX", "ARGMIN", "APPROX_COUNT_DISTINCT", "BIT_LENGTH", "STRPOS", "TRANSLATE", "ASCII", "MD5", "SHA1", "SHA256", "LN", "LOG", "LOG2", "LOG10", "EXP", "PI", "JSON_VALUE", "JSON_TYPE", "JSON_UNQUOTE", "JSONB_TYPEOF", "JSONB_OBJECT_KEYS", "JSONB_AGG", "JSONB_ARRAY_LENGTH", "REGEXP_REPLACE", "REGEXP_MATCHES", "REGEXP_LIKE", "REGEXP_SUBSTR",
		"TODAY", "YESTERDAY", "TODATE", "TODATETIME", "TOYYYYMM", "TOSTARTOFHOUR", "TOSTARTOFDAY", "TOSTARTOFWEEK", "TOSTARTOFMONTH", "FORMATREADABLESIZE", "FORMATREADABLEQUANTITY", "WEEK", "QUARTER", "DAYNAME", "DAYOFWEEK", "MONTHNAME", "LAST_DAY", "TO_DAYS", "PG_BLOCKING_PIDS", "PG_GET_FUNCTIONDEF", "PG_GET_CONSTRAINTDEF", "PG_WAL_LSN_DIFF", "FORMAT_TYPE", "SCHEMA",
		"VERSION", "CURRENT_DATABASE", "CURRENT_USER", "CURRENT_SCHEMA", "DATABASE", "USER", "SQLITE_VERSION", "PG_SIZE_PRETTY", "PG_DATABASE_SIZE", "PG_TOTAL_RELATION_SIZE", "PG_RELATION_SIZE", "PG_TABLE_SIZE", "PG_INDEXES_SIZE", "PG_IS_IN_RECOVERY", "PG_POSTMASTER_START_TIME", "PG_BACKEND_PID", "PG_LAST_WAL_REPLAY_LSN", "PG_CURRENT_WAL_LSN", "PG_GET_VIEWDEF", "PG_GET_INDEXDEF", "OBJ_DESCRIPTION")
}

// bareStatement empties the strings of a statement and drops its comments; false: a
// string is not closed.
func bareStatement(code string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(code); i++ {
		switch {
		case code[i] == '\'' || code[i] == '"':
			end := strings.IndexByte(code[i+1:], code[i])
			if end < 0 {
				return "", false
			}
			// What a backslash does in a string differs from one database to the next.
			if strings.Contains(code[i+1:i+1+end], "\\") {
				return "", false
			}
			if code[i] == '"' {
				b.WriteString("NAME")
			} else {
				b.WriteString("''")
			}
			i += end + 1
		case code[i] == '$' && i+1 < len(code) && (code[i+1] < '0' || code[i+1] > '9'):
			return "", false // a string of another kind: $$it's$$
		case code[i] == '[' && strings.ContainsAny(code[i:i+1+max(strings.IndexByte(code[i+1:], ']'), 0)], "'\""):
			return "", false // so is a name in brackets
		case strings.HasPrefix(code[i:], "--") || strings.HasPrefix(code[i:], "/*") || code[i] == '#':
			return "", false // a comment, which some databases run
		default:
			b.WriteByte(code[i])
		}
	}
	return b.String(), true
}

func redis(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "hpansuirtID", Longs: []string{"--user", "--pass", "--sni", "--cacert", "--cert", "--key", "--pattern", "--eval", "--rdb", "--functions-rdb", "--pipe-timeout"}, First: true})
	asks := true
	for _, f := range flags {
		v := f.Arg
		v.Text = f.Value
		switch {
		case isOneOf(f.Name, "-h", "-p", "-a", "-n", "-u", "-s", "-c", "-3", "-2", "-r", "-i", "-t", "--user", "--pass", "--raw", "--no-raw", "--csv", "--json", "--tls", "--no-auth-warning", "--scan", "--pattern", "--bigkeys", "--memkeys", "--hotkeys", "--stat", "--latency", "--latency-history", "--version", "-v"):
			// -u names the server; a name of the line itself is asked.
		case isOneOf(f.Name, "--rdb", "--functions-rdb"):
			written(l, v)
		default:
			asks = false
		}
	}
	if len(operands) == 0 {
		for _, b := range l.Before {
			if why := Statement(textOf(b)); why != "" || len(b) > 1 && isOneOf(strings.ToLower(b[1].Text), "flushall", "flushdb", "shutdown") {
				l.Danger("destroys data of a database", l.Words[0])
			}
		}
		if !with(flags, "--scan", "--bigkeys", "--memkeys", "--hotkeys", "--stat", "--latency", "--latency-history", "--version", "-v") || !asks {
			l.Caution("speaks to a database", l.Words[0])
		}
		return
	}
	verb, second := strings.ToLower(operands[0].Text), ""
	if len(operands) > 1 {
		second = strings.ToLower(operands[1].Text)
	}
	reads := isOneOf(verb, "get", "mget", "hget", "hmget", "hgetall", "keys", "ttl", "pttl", "type", "exists", "llen", "lrange", "lindex", "smembers", "scard", "zrange", "zrevrange", "zrangebyscore", "zcard", "zcount", "info", "ping", "dbsize", "strlen", "scan", "sscan", "hscan", "zscan", "hkeys", "hvals", "hlen", "hexists", "time", "lastsave", "role", "echo", "xlen", "xrange", "zscore", "zrank", "sismember", "getrange", "bitcount", "command", "randomkey") ||
		isOneOf(verb+" "+second, "config get", "object encoding", "object freq", "object idletime", "object refcount", "memory usage", "memory stats", "memory doctor", "slowlog get", "slowlog len", "client list", "client info", "client id", "acl whoami", "acl list", "cluster info", "cluster nodes", "cluster slots", "xinfo stream", "xinfo groups", "latency latest", "pubsub channels")
	if verb == "config" && second == "get" {
		for _, w := range operands[2:] {
			if hasAnyFold(w.Text, "pass", "auth", "*") {
				reads = false
			}
		}
	}
	if !reads || !asks || l.Piped || l.Input {
		l.Caution("speaks to a database", l.Words[0])
	}
	switch verb {
	case "flushall", "flushdb", "shutdown", "debug", "replicaof", "slaveof", "failover", "eval", "evalsha", "module", "script", "swapdb", "migrate", "function", "fcall", "restore":
		l.Danger("destroys data, or takes a database out of use", operands[0])
	case "config", "acl", "cluster", "client":
		if !reads && !(verb == "config" && second == "get") {
			l.Danger("changes a database's settings, or who may", operands[0])
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
