package programs

import (
	"strings"
)

// onlyPrints says that code is one print of what cannot do harm: literals, sums, and
// names of the language that are known to tell something and do nothing.
func onlyPrints(language, code string) bool {
	c := strings.TrimSuffix(strings.TrimSpace(code), ";")
	language = strings.TrimRight(language, "0123456789.")
	for {
		// What is imported must have been loaded already: any other module could be a file
		// of the directory.
		rest, ok := strings.CutPrefix(c, "import ")
		if !ok || !isOneOf(language, "python", "pypy") {
			break
		}
		names, after, ok := strings.Cut(rest, ";")
		if !ok {
			return false
		}
		for n := range strings.SplitSeq(names, ",") {
			if !isOneOf(strings.TrimSpace(n), "sys", "os", "time") {
				return false
			}
		}
		c = strings.TrimSpace(after)
	}
	for _, p := range []string{"print(", "console.log(", "puts ", "print ", "echo ", "say ", "p "} {
		if rest, ok := strings.CutPrefix(c, p); ok {
			return harmlessExpression(language, strings.TrimSuffix(rest, ")"))
		}
	}
	// node -p prints whatever it is given.
	return isOneOf(language, "node", "nodejs") && HasPrefixAny(c, "process.", "Math.", "Date.now()", "new Date().") && harmlessExpression(language, c)
}

// harmlessExpression says that an expression has only literals, operators and known
// names.
func harmlessExpression(language, c string) bool {
	for i := 0; i < len(c); {
		b := c[i]
		switch {
		case b == '\'' || b == '"':
			end := literal(c[i:])
			if end == 0 {
				return false
			}
			i += end
		case b >= '0' && b <= '9' || strings.IndexByte(".+-*/%, ()[]<>!", b) >= 0 && !strings.HasPrefix(c[i:], "<<") && !strings.HasPrefix(c[i:], ">>") && b != '>' && b != '<':
			i++
		case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_':
			end := i
			for end < len(c) && (c[end] >= 'a' && c[end] <= 'z' || c[end] >= 'A' && c[end] <= 'Z' || c[end] >= '0' && c[end] <= '9' || c[end] == '_' || c[end] == '.') {
				end++
			}
			if !harmlessName(language, c[i:end]) {
				return false
			}
			i = end
		default:
			return false
		}
	}
	return true
}

// literal is the length of the string that text begins with; 0: it is none, or one in
// which something is put.
func literal(text string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch b := text[i]; {
		case b == '\\' && i+1 < len(text) && (text[i+1] == 'n' || text[i+1] == 't'):
			i++
		case b == '\\' || b == '`', quote == '"' && strings.IndexByte("#$@{", b) >= 0:
			return 0
		case b == quote:
			return i + 1
		}
	}
	return 0
}

func harmlessName(language, name string) bool {
	switch language {
	case "python", "pypy":
		return isOneOf(name, "sys.version", "sys.version_info", "sys.platform", "sys.executable", "sys.path", "sys.prefix", "sys.maxsize", "sys.byteorder", "sys.argv", "sys.implementation.name", "sys.getdefaultencoding", "sys.getrecursionlimit", "sys.getsizeof",
			"os.getcwd", "os.name", "os.sep", "os.linesep", "os.cpu_count", "os.getpid", "os.uname", "os.getlogin", "os.getuid", "time.time", "time.ctime", "time.strftime", "time.tzname", "time.monotonic",
			"len", "int", "float", "str", "bool", "abs", "min", "max", "sum", "round", "pow", "divmod", "range", "sorted", "list", "tuple", "set", "hex", "bin", "oct", "ord", "chr", "repr", "True", "False", "None", "and", "or", "not", "in", "is", "if", "else", "for", "x", "i", "j", "n", "sep", "end")
	case "node", "nodejs":
		return isOneOf(name, "process.version", "process.versions", "process.versions.v8", "process.versions.node", "process.arch", "process.platform", "process.pid", "process.cwd", "process.uptime", "process.memoryUsage", "process.execPath", "process.argv", "process.argv.length", "process.release.name", "process.title", "process.hrtime", "process.getuid",
			"Math.PI", "Math.E", "Math.max", "Math.min", "Math.round", "Math.floor", "Math.ceil", "Math.sqrt", "Math.pow", "Math.abs", "Math.random", "Math.log2", "Date.now", "new", "Date", ".toISOString", ".getTime", ".getFullYear", ".toString", "typeof", "undefined", "null", "true", "false", "NaN", "JSON.stringify", "Number.MAX_SAFE_INTEGER", "parseInt", "parseFloat", "Number", "String")
	case "php":
		return isOneOf(name, "PHP_VERSION", "PHP_OS", "PHP_EOL", "PHP_INT_MAX", "PHP_MAJOR_VERSION", "phpversion", "php_sapi_name", "php_uname", "date", "time", "strlen", "count", "strtoupper", "strtolower", "max", "min", "round", "abs", "pi")
	case "ruby", "jruby":
		return isOneOf(name, "RUBY_VERSION", "RUBY_PLATFORM", "RUBY_ENGINE", "Time.now", "Dir.pwd", "Math::PI", "sum", "size", "length", "upcase", "downcase", "reverse", "round", "to_s", "to_i", "to_f", "nil", "true", "false")
	}
	return false
}
