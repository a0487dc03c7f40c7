package risk

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"ken/internal/risk/programs/call"
)

// words are the words of a command as it would get them, as far as that is known:
// braces are expanded, and variables that the line sets.
func (j *judge) words(args []*syntax.Word) []call.Word {
	var out []call.Word
	for _, a := range args {
		for _, w := range j.braces(a) {
			v := j.word(w)
			if v.Split && !v.Hole && strings.ContainsAny(v.Text, " \t\n") {
				for _, f := range strings.Fields(v.Text) {
					part := v
					part.Text = f
					out = append(out, part)
				}
				continue
			}
			out = append(out, v)
		}
	}
	return out
}

const maxBraces = 12 // commas in the braces of a word that are expanded

// braces expands the lists in a word, if there are few.
func (j *judge) braces(w *syntax.Word) []*syntax.Word {
	commas, open := 0, 0
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			commas += strings.Count(l.Value, ",")
			open += strings.Count(l.Value, "{")
			if strings.Contains(l.Value, "..") {
				return []*syntax.Word{w}
			}
		}
	}
	if open == 0 || commas == 0 || open > 2 || commas > maxBraces {
		return []*syntax.Word{w}
	}
	copied := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	var out []*syntax.Word
	for part, err := range expand.BracesSeq(nil, copied) {
		if err != nil {
			return []*syntax.Word{w}
		}
		out = append(out, part)
	}
	return out
}

// word is one word without its quotes.
func (j *judge) word(w *syntax.Word) call.Word {
	out := call.Word{}
	if w == nil {
		return out
	}
	if len(w.Parts) > 0 {
		out.At, out.End = int(w.Pos().Offset()), int(w.End().Offset())
	}
	var b strings.Builder
	for _, p := range w.Parts {
		j.part(&out, &b, p, false)
	}
	out.Text = b.String()
	if j.made += len(out.Text); j.made > j.mayMake() {
		if j.made -= len(out.Text); !j.full {
			j.full = true
			j.say(Danger, "more text than anybody reads", scene{}, 0, len(clip(j.line)))
		}
		out.Text, out.Hole, out.Set = "$", true, true
	}
	return out
}

func (j *judge) part(out *call.Word, b *strings.Builder, p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		b.WriteString(unescape(p.Value, quoted))
		out.Glob = out.Glob || !quoted && globs(p.Value)
	case *syntax.SglQuoted:
		if !p.Dollar {
			b.WriteString(p.Value)
			return
		}
		text, err := expand.Literal(nil, &syntax.Word{Parts: []syntax.WordPart{p}})
		if err != nil {
			text, out.Hole = p.Value, true
		}
		b.WriteString(text)
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			j.part(out, b, q, true)
		}
	case *syntax.ParamExp:
		j.value(out, b, p, quoted)
	case *syntax.CmdSubst:
		out.Hole, out.Subst, out.Split = true, true, out.Split || !quoted
		b.WriteString("$(" + firstName(p.Stmts) + ")")
	case *syntax.ProcSubst:
		out.Hole = true
		b.WriteString("<()")
	case *syntax.ArithmExp:
		out.Hole = true
		b.WriteString("$((")
		b.WriteString("))")
	case *syntax.BraceExp:
		out.Glob = true
		b.WriteString("{}")
	case *syntax.ExtGlob:
		out.Glob = true
		b.WriteString("*")
	default:
		out.Hole, out.Subst = true, true
	}
}

// document is the text that a here-document or here-string gives to a command.
func (j *judge) document(r *syntax.Redirect) (call.Word, bool) {
	if r.Op == syntax.WordHdoc {
		return j.word(r.Word), true
	}
	if r.Hdoc == nil {
		return call.Word{}, false
	}
	raw := false // a quoted end: nothing in the text means anything
	for _, p := range r.Word.Parts {
		l, ok := p.(*syntax.Lit)
		raw = raw || !ok || strings.Contains(l.Value, `\`)
	}
	out := call.Word{At: int(r.Pos().Offset()), End: int(r.Hdoc.End().Offset())}
	var b strings.Builder
	for _, p := range r.Hdoc.Parts {
		if l, ok := p.(*syntax.Lit); ok && raw {
			b.WriteString(l.Value)
			continue
		} else if ok {
			b.WriteString(unescapeDocument(l.Value))
			continue
		}
		j.part(&out, &b, p, true)
	}
	out.Text = b.String()
	return out, true
}

func unescapeDocument(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\$`, `$`, "\\`", "`", "\\\n", "").Replace(s)
}

// firstName is the name of the first command of a list, if it is plain.
func firstName(list []*syntax.Stmt) string {
	for len(list) > 0 {
		switch c := list[0].Cmd.(type) {
		case *syntax.CallExpr:
			if len(c.Args) > 0 {
				return c.Args[0].Lit()
			}
			return ""
		case *syntax.BinaryCmd:
			list = []*syntax.Stmt{c.X}
		default:
			return ""
		}
	}
	return ""
}

// unescape takes the backslashes out of unquoted or double-quoted text.
func unescape(s string, quoted bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case s[i] == '\n':
		case quoted && !strings.ContainsRune("$`\"\\", rune(s[i])):
			b.WriteByte('\\')
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// globs says that unquoted text would be matched with file names, or be several
// words.
func globs(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return true
		case '{':
			if strings.Contains(s[i:], "}") && (strings.Contains(s[i:], ",") || strings.Contains(s[i:], "..")) {
				return true
			}
		}
	}
	return false
}

// callsOf are the commands of a stage of a pipe, outermost first.
func (j *judge) callsOf(st *syntax.Stmt) [][]call.Word {
	var out [][]call.Word
	syntax.Walk(st, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 && len(out) < 20 {
			out = append(out, j.words(c.Args))
		}
		return true
	})
	return out
}

// assign judges NAME=value, and keeps it.
func (j *judge) assign(a *syntax.Assign, s scene, exported bool) {
	j.expansions(a.Value, s)
	if a.Index != nil {
		j.arithmetic(a.Index, s)
	}
	if a.Array != nil {
		j.inside(a.Array, s)
	}
	if a.Name == nil {
		if a.Value != nil && strings.Contains(j.word(a.Value).Text, "=") {
			name, _, _ := strings.Cut(j.word(a.Value).Text, "=")
			if harmfulVariable(name) {
				j.node(Danger, "sets a variable that programs obey", s, a)
			}
		}
		return
	}
	name := a.Name.Value
	w := j.word(a.Value)
	if !a.Naked {
		j.variableReason(name, w, s, a)
		if !w.Subst && (strings.Contains(w.Text, "[$(") || strings.Contains(w.Text, "[`")) {
			j.node(Danger, "a command hidden in text that is evaluated", s, a)
		}
		if exported && !harmfulVariable(name) {
			j.node(Caution, "sets a variable for what runs later", s, a)
		}
	}
}

// reference judges declare -n: the name stands for another variable from then on.
func (j *judge) reference(c *syntax.DeclClause, s scene) {
	refers := c.Variant.Value == "nameref"
	for _, a := range c.Args {
		if a.Name == nil && a.Value != nil {
			t := j.word(a.Value).Text
			refers = refers || len(t) > 1 && t[0] == '-' && strings.Contains(t, "n")
		}
	}
	for _, a := range c.Args {
		if !refers || a.Name == nil {
			continue
		}
		w := j.word(a.Value)
		if target, _, _ := strings.Cut(w.Text, "["); w.Hole || harmfulVariable(target) {
			j.node(Danger, "a name for a variable that programs obey", s, a)
		} else {
			j.node(Caution, "a name for another variable", s, a)
		}
	}
}

func (j *judge) variableReason(name string, value call.Word, s scene, n syntax.Node) {
	switch {
	case name == "IFS" && s.reads && !value.Hole: // IFS=, read a b
	case harmfulVariable(name) && !harmlessValue(name, value.Text):
		j.node(Danger, "sets a variable that programs obey", s, n)
	}
}

// harmlessValue are settings that turn something off.
func harmlessValue(name, value string) bool {
	switch name {
	case "PAGER", "GIT_PAGER", "MANPAGER", "SYSTEMD_PAGER", "AWS_PAGER", "GH_PAGER":
		return value == "cat" || value == ""
	case "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR":
		return value == "true" || value == ":" || value == "vim" || value == "nano" || value == "vi"
	case "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS":
		return true
	case "DISPLAY":
		return true
	case "ENV": // the name of a file, and a usual name for other things
		return !strings.ContainsAny(value, "/$")
	}
	return false
}

// harmfulVariable says that programs load code, run a program or find files by the
// variable.
func harmfulVariable(name string) bool {
	switch name {
	case "PATH", "IFS", "ENV", "BASH_ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "PS0", "PS1", "PS2", "CDPATH", "GLOBIGNORE", "HOME", "SHELL", "FPATH", "ZDOTDIR",
		"EDITOR", "VISUAL", "PAGER", "MANPAGER", "SYSTEMD_PAGER", "AWS_PAGER", "GH_PAGER", "GH_EDITOR", "BROWSER", "GH_BROWSER", "DELTA_PAGER", "BAT_PAGER", "SUDO_ASKPASS", "SSH_ASKPASS", "FCEDIT", "SUDO_EDITOR",
		"PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONINSPECT", "PYTHONBREAKPOINT", "PYTHONUSERBASE", "PYTHONWARNINGS", "PYTHONEXECUTABLE", "PYTHONCASEOK",
		"NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "NODE_TLS_REJECT_UNAUTHORIZED", "PERL5LIB", "PERLLIB", "PERL5OPT", "PERL5DB", "RUBYLIB", "RUBYOPT", "LUA_PATH", "LUA_CPATH", "LUA_INIT", "PHPRC", "PHP_INI_SCAN_DIR", "R_PROFILE", "R_PROFILE_USER", "R_ENVIRON",
		"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "MAVEN_OPTS", "GRADLE_OPTS", "ANT_OPTS",
		"RIPGREP_CONFIG_PATH", "LESSOPEN", "LESSCLOSE", "LESS", "LESSKEY", "LESSKEYIN", "LESSEDIT", "MANOPT", "INPUTRC", "TERMINFO", "TERMCAP", "TERMINFO_DIRS", "MAKEFLAGS", "MAKEFILES", "GNUMAKEFLAGS", "TAR_OPTIONS", "GREP_OPTIONS", "ACK_OPTIONS", "ACKRC", "FZF_DEFAULT_COMMAND", "FZF_DEFAULT_OPTS", "POSIXLY_CORRECT",
		"RSYNC_RSH", "RSYNC_CONNECT_PROG", "CVS_RSH", "SVN_SSH", "SVN_EDITOR", "HGEDITOR", "HGRCPATH", "KUBE_EDITOR", "KUBECONFIG", "DOCKER_HOST", "DOCKER_CONFIG", "DOCKER_CONTEXT",
		"VIMINIT", "EXINIT", "GVIMINIT", "MYVIMRC", "VIM", "VIMRUNTIME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS",
		"LD", "CC", "CXX", "AR", "AS", "RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTDOC", "RUSTFLAGS", "CARGO_HOME", "RUSTUP_TOOLCHAIN", "GOFLAGS", "GOROOT", "GOTOOLCHAIN", "GOTOOLDIR", "GOPROXY", "GONOSUMDB", "GONOSUMCHECK", "GOINSECURE", "GOSUMDB", "GCC_EXEC_PREFIX", "COMPILER_PATH",
		"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy", "CURL_HOME", "WGETRC", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES",
		"PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CONFIG_FILE", "PIP_TRUSTED_HOST", "NPM_CONFIG_REGISTRY", "npm_config_registry", "NPM_CONFIG_PREFIX", "npm_config_script_shell", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "BUNDLE_GEMFILE", "GEM_HOME", "GEM_PATH",
		"GCONV_PATH", "NLSPATH", "HOSTALIASES", "LOCPATH", "MALLOC_CHECK_", "RES_OPTIONS", "RESOLV_HOST_CONF", "TMPDIR_EXEC", "GTK_MODULES", "QT_PLUGIN_PATH", "PSQLRC", "PGSERVICEFILE", "PGPASSFILE", "PSQL_EDITOR", "PSQL_PAGER", "MYSQL_HOME", "HISTFILE", "HISTSIZE", "HISTFILESIZE", "HISTCONTROL", "HISTIGNORE", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_ENDPOINT_URL", "BASH_LOADABLES_PATH", "BASH_XTRACEFD", "EXECIGNORE", "COMP_WORDBREAKS", "TF_CLI_CONFIG_FILE", "ANSIBLE_CONFIG", "SCREENRC", "TMUX_TMPDIR", "NIX_PATH", "EMACSLOADPATH", "GDBHISTFILE", "ASAN_OPTIONS", "KEN_HOME", "KEN_ORIGIN":
		return true
	}
	for _, prefix := range []string{"LD_", "DYLD_", "GIT_", "BASH_FUNC_", "KEN_", "npm_config_", "NPM_CONFIG_", "CARGO_TARGET_", "CARGO_BUILD_", "ELECTRON_", "DOTNET_STARTUP", "CORECLR_", "COR_"} {
		if strings.HasPrefix(name, prefix) {
			return !in(name, "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "GIT_TRACE", "KEN_NOW")
		}
	}
	return false
}
