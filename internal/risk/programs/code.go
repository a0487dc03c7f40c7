package programs

import (
	"path"
	"strings"
)

// IsInterpreter says that a program of that name, or path, runs code of another
// language than a shell's.
func IsInterpreter(name string) bool {
	name = strings.TrimRight(path.Base(name), "0123456789.")
	return isOneOf(name, "python", "pypy", "perl", "ruby", "node", "nodejs", "php", "lua", "luajit", "Rscript", "julia", "tclsh", "wish", "osascript", "jruby", "irb", "ipython", "micropython", "guile", "racket", "sbcl", "clisp", "scala", "groovy", "jshell", "swipl", "octave", "gnuplot", "qjs", "bun", "deno", "elixir", "iex", "erl", "ghci", "runghc", "jython", "raku", "expectk", "R")
}

// codeFlag is the flag of an interpreter in t that has the program behind it, or
// "".
func codeFlag(name, t string) string {
	name = strings.TrimRight(path.Base(name), "0123456789.")
	long := isOneOf(t, "--eval", "--print", "--expression", "--exec", "--command", "-eval") || HasPrefixAny(t, "--eval=", "--print=")
	switch {
	case long:
		return t
	case strings.HasPrefix(t, "--"), len(t) < 2, t[0] != '-':
		return ""
	}
	letters := map[string]string{"python": "c", "pypy": "c", "ipython": "c", "jython": "c", "micropython": "c", "perl": "eE", "ruby": "e", "jruby": "e", "node": "ep", "nodejs": "ep", "php": "rBRE", "lua": "e", "luajit": "e", "Rscript": "e", "julia": "eE", "osascript": "e", "elixir": "e", "groovy": "e", "scala": "e", "guile": "c", "racket": "e", "bun": "e", "qjs": "e", "raku": "e", "erl": "", "runghc": "e", "R": "e", "ghci": "e", "gnuplot": "e", "swipl": "g", "clisp": "x", "tclsh": "e", "wish": "e", "groovysh": "e", "octave": "", "irb": "", "expectk": "c"}[name]
	if letters == "" {
		return ""
	}
	for i := 1; i < len(t); i++ {
		if strings.IndexByte(letters, t[i]) >= 0 {
			return t[:i+1]
		}
		if name == "python" && isOneOf(t[i:i+1], "m", "W", "X") {
			return ""
		}
		if name == "perl" && isOneOf(t[i:i+1], "M", "I", "m", "0", "F", "x", "i") && t[i] != '0' && t[i] != 'i' {
			return ""
		}
	}
	return ""
}

// interpreter judges python, perl and their like by the code on their line.
func interpreter(l *findings) {
	args := l.Args()
	if len(args) == 1 && args[0].Text == "-v" {
		return
	}
	if len(args) == 1 && l.Name == "perl" && strings.HasPrefix(args[0].Text, "-V:") && strings.Trim(args[0].Text[3:], "abcdefghijklmnopqrstuvwxyz_") == "" {
		return // it reports how it was built
	}
	perlish := isOneOf(strings.TrimRight(l.Name, "0123456789."), "perl", "ruby")
	for i := 0; i < len(args); i++ {
		w := args[i]
		t := w.Text
		if f := codeFlag(l.Name, t); f != "" {
			code := w
			if rest := strings.TrimPrefix(strings.TrimPrefix(t, f), "="); rest != "" && !strings.HasPrefix(t, "--") {
				code.Text = rest
			} else if i+1 < len(args) {
				i++
				code = args[i]
			}
			if perlish && (strings.Contains(t, "i") && strings.HasPrefix(t, "-") || inPlace(l)) {
				inPlaceEdit(l, w)
			}
			res := Code(l.Name, code)
			l.Add(res)
			continue
		}
		switch {
		case isOneOf(t, "--version", "-V", "--help", "-h") || t == "-v" && !perlish || t == "-c" && perlish:
			if len(args) == 1 {
				return
			}
		case t == "-S" && HasPrefixAny(l.Name, "php"):
			l.Danger("opens this machine's files to others", w)
			return
		case t == "-l" && strings.HasPrefix(l.Name, "php") && i == 0 && len(args) == 2 && !IsFlag(args[1]):
			return // it looks for mistakes, and runs nothing
		case isOneOf(t, "--check", "-c") && isOneOf(l.Name, "node", "nodejs") && i == 0 && len(args) == 2 && !IsFlag(args[1]):
			return
		case isOneOf(t, "-m"):
			if i+1 < len(args) {
				module(l, args[i+1], args[i+2:])
			}
			return
		case t == "eval" && l.Name == "deno":
			for _, w := range args[i+1:] {
				if !IsFlag(w) {
					l.Add(Code(l.Name, w))
				}
			}
			return
		case t == "run" && isOneOf(l.Name, "deno", "bun") || isOneOf(t, "x", "install", "add") && l.Name == "bun":
			if i+1 < len(args) {
				judgeScript(l, args[i+1])
				if HasPrefixAny(args[i+1].Text, "http") || t == "x" {
					l.Danger("runs code from elsewhere", args[i+1])
				}
			}
			return
		case isOneOf(t, "-r", "--require", "--import", "--loader", "-I", "-M", "-d", "-W", "-X", "-e") && len(t) == 2 || HasPrefixAny(t, "--require", "--import", "--loader", "--experimental-loader", "--inspect", "-d:"):
			l.Caution("an option of an interpreter that may load code: "+t, w)
			if _, value, given := strings.Cut(t, "="); HasAny(t, "--require", "--import", "--loader", "--experimental-loader") || t == "-r" && !strings.HasPrefix(l.Name, "php") {
				if !given && i+1 < len(args) {
					value = args[i+1].Text
				}
				if HasPrefixAny(value, ".", "/", "~", "data:", "http", "$") {
					l.Danger("loads code of a file before all else: "+t, w)
				}
			}
			if !strings.Contains(t, "=") && !isOneOf(t, "-d") && !HasPrefixAny(t, "--inspect") {
				i++
			}
		case t == "-i" && !perlish || t == "--interactive" || t == "-a":
			l.Caution("starts an interpreter that nobody watches", w)
		case perlish && readsCode(t), isOneOf(t, "--vanilla", "--no-init-file", "--no-save", "--no-restore", "--slave", "-q") &&
			isOneOf(l.Name, "R", "Rscript", "julia"):
		case IsFlag(w) && t != "-":
			if perlish && strings.HasPrefix(t, "-i") {
				inPlaceEdit(l, w)
			}
			l.Caution("an option of an interpreter: "+t, w)
		case t == "-" || isOneOf(t, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
			return
		default:
			if hasCode(args[:i], l.Name) {
				for _, f := range args[i:] {
					opensByName(l, f)
				}
				return
			}
			judgeScript(l, w)
			return
		}
	}
	if l.IsFed && !hasCode(args, l.Name) {
		l.Danger("runs as code what it is fed", l.Words[0])
	}
}

// readsCode says that an option of perl or ruby only says how it goes through lines.
func readsCode(t string) bool {
	if len(t) < 2 || t[0] != '-' {
		return false
	}
	return strings.Trim(t[1:], "nplaw") == "" || t[1] == 'F' || t[1] == '0' && strings.Trim(t[2:], "0123456789") == ""
}

func hasCode(args []Word, name string) bool {
	for _, w := range args {
		if codeFlag(name, w.Text) != "" {
			return true
		}
	}
	return false
}

// opensByName: perl and ruby run a file whose name has a bar, and write one behind a mark.
func opensByName(l *findings, w Word) {
	if !isOneOf(strings.TrimRight(l.Name, "0123456789."), "perl", "ruby", "jruby") {
		return
	}
	t := w.Text
	if strings.ContainsAny(t, "|<>&") || t == "*" || w.Subst || w.Tainted || w.Set || l.IsFed {
		l.Caution("a name of a file that may be run as a command", w)
	}
}

func inPlace(l *findings) bool {
	for _, w := range l.Args() {
		if strings.HasPrefix(w.Text, "-i") || w.Text == "-pi" {
			return true
		}
	}
	return false
}

// inPlaceEdit judges an edit of files where they stand.
func inPlaceEdit(l *findings, w Word) {
	l.Caution("edits files where they stand", w)
	for i, f := range l.Args() {
		if code := l.Args(); strings.HasPrefix(f.Text, "-") && strings.HasSuffix(f.Text, "ne") && i+1 < len(code) && !HasAny(code[i+1].Text, "print", "say", "puts", "$_ ") {
			l.Danger("empties files: it prints none of their lines", f)
		}
	}
	if l.IsFed && !l.Bounded() {
		l.Danger("edits every file of a tree", w)
	}
	for _, f := range l.Args() {
		if f.Subst && !IsFlag(f) {
			l.Danger("edits every file that a search finds", f)
		}
		if !IsFlag(f) && HasAny(f.Text, "/", ".", "~") {
			l.Operation(Write, f)
		}
	}
}

// module judges python -m.
func module(l *findings, w Word, rest []Word) {
	switch w.Text {
	case "platform", "json.tool", "calendar", "this", "site", "sysconfig", "tokenize", "ast", "dis":
		// A file of the directory may have that name, and is run instead.
		l.Obey(w, shadows()...)
		for _, f := range rest {
			if IsFlag(f) && !isOneOf(f.Text, "--sort-keys", "--no-ensure-ascii", "--json-lines", "--compact", "--indent", "--tab",
				"--no-indent", "-h", "--help") {
				l.Caution("an option of a module that is not known: "+f.Text, f)
			}
		}
		if words := operands(rest); words > 1 || words > 0 && l.IsFed {
			l.Caution("a further word, which may be written to", rest[len(rest)-1])
		}
	case "zipfile", "tarfile":
		l.Obey(w, shadows()...)
		if len(rest) != 2 || !isOneOf(rest[0].Text, "-l", "--list", "-t", "--test") || IsFlag(rest[1]) || l.IsFed {
			l.Caution("makes or changes files", w)
		}
	case "timeit", "pdb", "cProfile", "profile", "trace", "code", "runpy", "doctest", "unittest.mock":
		l.Caution("runs a module", w)
		for _, code := range rest {
			if !IsFlag(code) && strings.ContainsAny(code.Text, " (;=") {
				l.Add(Code(l.Name, code))
			}
		}
	case "pip", "pipx", "uv", "black", "isort", "flake8", "mypy", "pylint", "ruff", "twine", "poetry":
		l.Run(append([]Word{w}, rest...), false)
	case "http.server", "SimpleHTTPServer", "pyftpdlib", "smtpd":
		l.Danger("opens this machine's files to others", w)
	default:
		l.Caution("runs a module", w)
	}
}

// Code judges code in another language by its words: it finds what runs, removes,
// sends or decodes, and never that code is safe, except a lone print.
func Code(name string, w Word) Result {
	l := &findings{Call: Call{Words: []Word{{Text: name}, w}}}
	c := w.Text
	if w.Subst || w.Tainted || w.Set {
		l.Danger("runs as code what is not known before", w)
	}
	if !w.Hole && !w.Subst && !w.Tainted && !w.Set {
		modules, reckons := computes(name, c)
		if onlyPrints(name, c) {
			return l.Result()
		}
		if reckons {
			if isOneOf(name, "R", "Rscript") {
				l.Obey(w, "./.Rprofile", "./.Renviron")
			}
			for _, m := range modules {
				if !isOneOf(m, "sys", "time") { // these are loaded already
					l.Obey(w, shadows()...)
					break
				}
			}
			return l.Result()
		}
	}
	l.Caution("runs code of another language", w)
	folded := strings.ToLower(strings.Join(strings.Fields(c), " "))
	tight := strings.ReplaceAll(folded, " ", "")
	switch {
	case HasAny(tight, "os.system", "system.cmd(", "os.cmd(", "sys.process", "run-program", "system.process", "shell-command", "subprocess", "os.popen", "popen(", "pty.spawn", "os.exec", "os.spawn", "posix_spawn", "child_process", "execsync", "spawnsync", "execfile", "shell_exec", "passthru", "proc_open", "pcntl_exec", "system(", "system'", "system\"", "system`", "system;", "exec(", "exec'", "exec\"", "`", "%x", "qx", "kernel.", "open3", "io.popen", "os.execute", "commands.getoutput", "ctypes", "cffi", "process.binding", "doshellscript", "runtime.getruntime", "processbuilder", "syscall", "backtick", "spawn(", "spawn'", "fork", "openprocess", "deno.run", "deno.command", "bun.spawn", "|\")", "|')", "-|", "|-", "run(") && !strings.Contains(tight, "run()"), strings.HasPrefix(folded, "system "), strings.HasPrefix(folded, "exec "), HasAny(folded, "; system ", ";system ", "system \"", "exec \""):
		l.Danger("runs a program from code", w)
		quoted(l, c, w)
	case HasAny(tight, "eval(", "eval'", "compile(", "__import__", "importlib", "getattr(", "b64decode", "base64", "decode('", "fromhex", "codecs.", "marshal", "pickle", "zlib.decompress", "fromcharcode", "atob(", "buffer.from", "chr(", "pack(", "pack'", "instance_eval", "unserialize", "assert(", "create_function", "new function", "newfunction", "vm.run", "\\x", "eval{", "require(process", "loadstring", "globals()", "__builtins__", "__subclasses__", "[::-1]", "reverse()", "rot13", "join("):
		if HasAny(tight, "join(") && !HasAny(tight, "exec", "eval", "import(", "getattr", "system", "spawn") {
			break
		}
		l.Danger("runs or hides code in code", w)
		quoted(l, c, w)
	case HasAny(tight, "rmtree", "os.remove", "os.unlink", "unlink", "rmdir", "rm_rf", "rm_r", "rmsync", "removesync(", "deno.remove", "removedirs", "shutil.move", "fs.rm", "fileutils", "file.delete", "os.rename", "truncate", "delete(", ".deltree", "remove_tree", "rename(", "chmod", "chown", "symlink", "os.kill", "process.kill", "writefile", "write_text", "write_bytes", "file_put_contents", "file.write", "appendfile", "copyfile", "shutil", "outputstream", "createwritestream", "open(dest", "setuid", "setgid", "os.replace", "dropdatabase", "drop_all"):
		l.Danger("removes or writes files from code", w)
	case HasAny(tight, "socket", "urlopen", "urllib", "requests", "http", "fetch(", "xmlhttp", "net.connect", "net.socket", "ftplib", "smtplib", "telnetlib", "paramiko", "lwp", "net::", "open-uri", "curl_", "fsockopen", "websocket", "dgram", "tcpsocket", "io::socket", "asyncio.open_connection"):
		l.Danger("speaks to the network from code", w)
	case writesByOpen(tight):
		l.Danger("writes files from code", w)
	case HasAny(folded, "/etc/shadow", "id_rsa", ".ssh/", "/proc/self", ".aws/", "environ"):
		l.Caution("reads what may be a secret", w)
	}
	if HasAny(tight, "write", "dump(", "save", "+>", "'a'", "\"a\"", "'w", "\"w", "copy", "symlink", "link(", "to_csv", "to_json", "'>", "\">", "mkdir", "touch", "rename", "extract", "unpack", "sink(", "spit", ".open('a", ".open(\"a") {
		named(l, c, w)
	}
	if Statement(c) != "" {
		l.Danger("destroys data of a database", w)
	}
	return l.Result()
}

// operands is how many words are no options and no values of them.
func operands(words []Word) int {
	n := 0
	for i, w := range words {
		if !IsFlag(w) && (i == 0 || words[i-1].Text != "--indent") {
			n++
		}
	}
	return n
}

// shadows are the files of a directory that python would take for a module of its own,
// which modules that only reckon import.
func shadows() []string {
	var out []string
	for _, m := range strings.Fields("abc argparse ast base64 binascii bisect calendar cmath codecs collections contextlib " +
		"contextvars copy copyreg csv datetime hmac platform secrets selectors socket uuid " +
		"decimal dis enum fractions fnmatch functools gettext hashlib heapq html importlib inspect io ipaddress itertools json " +
		"keyword linecache locale math " +
		"ntpath numbers opcode operator optparse os pathlib platform posixpath random re reprlib shutil site sre_compile " +
		"sre_constants sre_parse statistics " +
		"string struct subprocess sysconfig textwrap this threading token tokenize traceback types typing unicodedata urllib " +
		"warnings weakref zipfile") {
		out = append(out, "./"+m, "./"+m+".*", "./_"+m+".*")
	}
	return out
}

// writesByOpen finds open(..., 'w') and its like.
func writesByOpen(tight string) bool {
	return strings.Contains(tight, "open") && HasAny(tight, ",'w", ",\"w", ",'a", ",\"a", ",'x", ",\"x", "mode='w", "mode=\"w", ",'r+", ",\"r+", "'>", "\">", ",'>", "'+<")
}

// named hands on every quoted text of code that looks like a path, as one that may be
// written: code that writes says where in too many ways to list.
func named(l *findings, code string, w Word) {
	for n, part := range strings.FieldsFunc(code, func(r rune) bool { return r == '\'' || r == '"' || r == '`' }) {
		if n > 40 {
			return
		}
		if HasPrefixAny(part, "/", "~", ".", "$HOME") && len(part) > 1 && !strings.ContainsAny(part, " \t\n(){};,") {
			out := w
			out.Text = part
			l.Operation(Write, out)
		}
	}
}

// quoted judges every quoted text of code as a command.
func quoted(l *findings, code string, w Word) {
	for n := 0; n < 16; n++ {
		i := strings.IndexAny(code, "'\"`")
		if i < 0 {
			return
		}
		quote := code[i]
		end := strings.IndexByte(code[i+1:], quote)
		if end < 0 {
			return
		}
		if inner := code[i+1 : i+1+end]; strings.ContainsAny(inner, " /") {
			l.Operations = append(l.Operations, Operation{Act: Shell, Text: inner, Word: w})
		}
		code = code[i+1+end+1:]
	}
}

// awk judges awk by its program.
func awk(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "FvfEeilDpo", Longs: []string{"--field-separator", "--assign", "--file", "--exec", "--source", "--include", "--load"}})
	var code []Word
	fromFile := false
	for _, f := range flags {
		switch {
		case isOneOf(f.Name, "-f", "-E", "--file", "--exec"):
			fromFile = true
			l.Caution("runs a file of awk", f.Word)
		case isOneOf(f.Name, "-l", "--load", "-i", "--include"):
			l.Caution("loads code, or edits files where they stand", f.Word)
			if strings.ContainsAny(f.Value, "/$~") {
				l.Danger("loads code of a file", f.Word)
			}
			if f.Value == "inplace" && l.IsFed {
				l.Danger("edits every file of a tree", f.Word)
			}
		case isOneOf(f.Name, "-e", "--source"):
			w := f.Arg
			w.Text = f.Value
			code = append(code, w)
		case isOneOf(f.Name, "-d", "-o", "-p", "-D", "--dump-variables", "--profile", "--pretty-print", "--debug"):
			l.Caution("writes a file", f.Word)
		case isOneOf(f.Name, "-F", "-v", "--field-separator", "--assign", "-b", "-n", "-N", "-P", "-r", "-S", "-t", "-M", "-c", "-O", "-s", "--posix", "--csv", "-k", "--traditional", "--re-interval", "--sandbox", "--characters-as-bytes", "-W"):
		default:
			l.Caution("an option that is not known to be harmless: "+f.Name, f.Word)
		}
	}
	if !fromFile && len(code) == 0 && len(operands) > 0 {
		code = operands[:1]
	}
	for _, w := range code {
		awkCode(l, w)
	}
}

func awkCode(l *findings, w Word) {
	c := w.Text
	if w.Subst || w.Tainted || w.Set {
		l.Caution("code that is not known before", w)
	}
	bare := blank(c)
	switch {
	case strings.Contains(c, "/inet"):
		l.Danger("awk speaks to the network", w)
	case strings.Contains(bare, "system"), strings.Contains(strings.ReplaceAll(strings.ReplaceAll(bare, "||", "  "), "|&", "| "), "|"):
		l.Caution("awk runs a command", w)
		before := len(l.Operations)
		quoted(l, c, w)
		if len(l.Operations) == before || callsVariable(bare) {
			if !pipesTo(c, "sort", "uniq", "cat", "head", "wc", "column", "tail") {
				l.Danger("awk runs what it reads as a command", w)
			}
		}
		if pipesTo(c, "sh", "bash", "/bin/sh", "zsh", "bash -s", "/bin/bash") {
			l.Danger("awk runs what it reads as a command", w)
		}
	case printsTo(bare):
		l.Caution("awk writes a file", w)
		for _, part := range strings.Split(c, `"`) {
			if HasPrefixAny(part, "/", "~", ".") && !strings.ContainsAny(part, " {}()") {
				out := w
				out.Text = part
				l.Operation(Write, out)
			}
		}
	case indirect(bare):
		l.Danger("awk calls what a variable names", w)
	case HasAny(bare, "@load", "@include", "getline", "ENVIRON", "close(", "@"):
		l.Caution("awk reads or loads what is not on the line", w)
	}
}

// indirect finds @f(...): a function whose name a variable holds.
func indirect(bare string) bool {
	for rest := bare; ; {
		_, after, ok := strings.Cut(rest, "@")
		if !ok {
			return false
		}
		name := strings.TrimLeft(after, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
		if len(name) < len(after) && strings.HasPrefix(strings.TrimSpace(name), "(") {
			return true
		}
		rest = after
	}
}

// callsVariable finds system($0), $1 | getline: a command that is not literal.
func callsVariable(bare string) bool {
	t := strings.ReplaceAll(bare, " ", "")
	return HasAny(t, "system($", "$0|", "$1|", "$2|", "$NF|", "system(cmd", "cmd|", "c|getline", "system(l", "system(x", "system(s", "system(a", "system(r", "system(v", "system(n)", "system(c") || strings.Contains(t, "system(\"\"") && strings.Contains(t, "$")
}

func pipesTo(code string, names ...string) bool {
	t := strings.ReplaceAll(code, " ", "")
	for _, n := range names {
		n = strings.ReplaceAll(n, " ", "")
		if strings.Contains(t, `|"`+n+`"`) || strings.Contains(t, `|"`+n+`-`) {
			return true
		}
	}
	return false
}

// printsTo finds > behind a print.
func printsTo(bare string) bool {
	for {
		i := strings.Index(bare, "print")
		if i < 0 {
			return false
		}
		bare = bare[i+5:]
		depth := 0
		for j := 0; j < len(bare); j++ {
			switch b := bare[j]; {
			case b == '(':
				depth++
			case b == ')':
				depth--
			case b == '>' && depth <= 0:
				return true
			}
			if bare[j] == ';' || bare[j] == '}' || bare[j] == '\n' {
				break
			}
		}
	}
}

// blank empties the strings and regular expressions of awk code.
func blank(c string) string {
	out := []byte(c)
	var last byte
	for i := 0; i < len(out); i++ {
		b := out[i]
		regex := b == '/' && (last == 0 || strings.IndexByte("(,{;!~&|=\n", last) >= 0)
		if b == '"' || regex {
			for i++; i < len(out) && out[i] != b; i++ {
				if out[i] == '\\' {
					out[i] = '"'
					i++
				}
				if i < len(out) {
					out[i] = '"'
				}
			}
			last = '"'
			continue
		}
		if b == '#' {
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
			continue
		}
		if b != ' ' && b != '\t' {
			last = b
		}
	}
	return string(out)
}

// judgeScript judges a file of commands that is run.
func judgeScript(l *findings, w Word) {
	switch {
	case strings.HasPrefix(w.Text, "<()"), w.Subst:
		l.Danger("runs as code what a command prints", w)
	case w.Hole || w.Glob:
		l.Danger("runs a file that is not known before", w)
	case HasPrefixAny(w.Text, "http:", "https:", "/dev/tcp", "/proc/"), HasPrefixAny(w.Text, "/tmp/", "/var/tmp/", "/dev/shm/", "/run/user/"), HasAny(w.Text, "/Downloads/"):
		l.Danger("runs a file that anybody may have written", w)
	default:
		l.Caution("runs a file of commands", w)
	}
}
