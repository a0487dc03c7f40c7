package risk

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"ken/internal/risk/programs"
)

// variable judges that the line sets a variable: one that is known to run, load or
// find something is a danger; so is one whose name says so, where programs get it; of
// all others that programs get only those that are known to be harmless are nothing.
func variableLevel(name string, value programs.Word, exported bool) (Level, string) {
	switch {
	case name == "JAVA_HOME" && value.Subst && exported:
		return Caution, "sets a variable for what runs, which may obey it"
	case harmfulVariable(name):
		if harmlessValue(name, value.Text) && !value.Hole {
			return Safe, ""
		}
		return Danger, "sets a variable that programs obey"
	case !exported, harmlessVariable(name), name == "TERM" && strings.Trim(value.Text, letters+"-+.") == "" && !value.Hole:
		return Safe, ""
	case telling(name) && !harmlessValue(name, value.Text):
		return Danger, "sets a variable that programs obey"
	case programs.HasPrefixAny(value.Text, "/tmp/", "/var/tmp/", "/dev/shm/") &&
		(strings.HasSuffix(name, "_DIR") || strings.HasSuffix(name, "_PATH") || strings.HasSuffix(name, "_LIB") || strings.HasSuffix(name, "_PREFIX")):
		return Danger, "sets a variable by which programs may be found where anybody may have put them"
	case name == "PGOPTIONS" && harmlessValue(name, value.Text) && !value.Hole:
		return Safe, ""
	}
	return Caution, "sets a variable for what runs, which may obey it"
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

func (j *judge) variableReason(name string, value programs.Word, exported bool, s scene, n syntax.Node) {
	if name == "IFS" && s.reads && !value.Hole { // IFS=, read a b
		return
	}
	level, why := variableLevel(name, value, exported)
	j.node(level, why, s, n)
}

// unsetLevel judges that a variable is taken away from what runs.
func unsetLevel(name string) (Level, string) {
	const why = "takes away a variable that guards something"
	switch {
	case name == "", in(name, "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMOUT", "PROMPT_COMMAND", "SUDO_USER"), programs.HasPrefixAny(name, "HIST", "KEN_", "GIT_CONFIG", "SSL_", "AUDIT", "BASH_"):
		return Danger, why
	case harmfulVariable(name):
		return Caution, why
	}
	return Safe, ""
}

// harmlessVariable reports whether no program runs, loads, finds or sends anything by the variable.
func harmlessVariable(name string) bool {
	if strings.HasPrefix(name, "LC_") {
		return true
	}
	switch name {
	case "LANG", "LANGUAGE", "TZ", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "CI", "DEBUG", "VERBOSE", "LOG_LEVEL", "LOGLEVEL", "COLUMNS", "LINES", "TIMEFORMAT", "HISTTIMEFORMAT",
		"NODE_ENV", "RAILS_ENV", "RACK_ENV", "APP_ENV", "FLASK_ENV", "MIX_ENV", "ENVIRONMENT", "PORT",
		"RUST_LOG", "RUST_BACKTRACE", "RUST_LIB_BACKTRACE", "CARGO_TERM_COLOR", "GOOS", "GOARCH", "GOARM", "GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GOTRACEBACK", "CGO_ENABLED",
		"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONHASHSEED", "PY_COLORS",
		"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_DEFAULT_OUTPUT", "AWS_DEFAULT_PROFILE", "CLOUDSDK_CORE_PROJECT", "CLOUDSDK_COMPUTE_ZONE", "CLOUDSDK_COMPUTE_REGION",
		"PGUSER", "PGDATABASE", "PGTZ", "PGCONNECT_TIMEOUT", "DEBIAN_FRONTEND", "SOURCE_DATE_EPOCH", "DOCKER_BUILDKIT", "BUILDKIT_PROGRESS", "COMPOSE_PROJECT_NAME", "TF_IN_AUTOMATION", "TF_INPUT", "HOMEBREW_NO_AUTO_UPDATE", "HOMEBREW_NO_ANALYTICS",
		"BLOCKSIZE", "BLOCK_SIZE", "DU_BLOCK_SIZE", "LS_COLORS", "LSCOLORS", "GREP_COLOR", "GREP_COLORS", "TIME_STYLE", "QUOTING_STYLE", "MANWIDTH", "OMP_NUM_THREADS", "MALLOC_ARENA_MAX",
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "KEN_NOW", "DISPLAY":
		return true
	}
	return false
}

// telling reports whether a variable's name says that programs run, load, find or reach something
// by it. A shell's own variable of such a name is nothing.
func telling(name string) bool {
	n := strings.ToUpper(name)
	for _, end := range []string{
		"_PYTHON", "_CMD", "_COMMAND", "_PROG", "_PROGRAM", "_BIN", "_BINARY", "_EXE", "_EXECUTABLE", "_EDITOR", "_PAGER", "_BROWSER", "_SHELL", "_RSH", "_SSH", "_ASKPASS", "_HELPER", "_PRELOAD", "_WRAPPER", "_LAUNCHER", "_LOADER",
		"_STARTUP", "_HOOK", "_HOOKS", "_PLUGIN", "_PLUGINS", "_PLUGIN_PATH", "_PLUGIN_DIR", "_PLUGINS_DIR", "_MODULES", "_MODULE_PATH", "_MODULES_PATH", "_LIBRARY_PATH", "_DRIVERS_PATH", "_LAYER_PATH", "_LIB_PATH", "_CLASSPATH", "_SEARCH_PATH", "_INCLUDE_PATH",
		"_EXTERNAL_DIFF", "_JAVA_OPTS", "_JVM_OPTS", "_JAVA_OPTIONS", "_NODE_OPTIONS", "_OPTS", "_OPTIONS", "_CLI_ARGS", "_EXTRA_ARGS", "_AFLAGS", "_ZFLAGS", "_RC", "RCFILE", "_RC_PATH", "_INIT", "_INITFILE", "_CONFIG", "_CONFIG_PATH", "_CONFIG_FILE", "_CONFIG_DIR", "_CONFIG_HOME", "_CONFIGFILE", "_CONF", "_CONF_DIR", "_INVENTORY",
		"_HOME", "_ROOT", "_DATA_DIR", "_EXTENSION_DIR", "_EXTENSIONS_DIR", "_EXTENSION_PATH", "_PROXY", "_ADDR", "_ENDPOINT", "_ENDPOINT_URL", "_REGISTRY", "_INDEX_URL", "_REPOSITORY_URL", "_API_URL", "_BASE_URL", "_SERVER_URL", "_MIRROR", "_SSL_VERIFY", "_TLS_VERIFY", "_VERIFY_SSL", "_SKIP_VERIFY", "_INSECURE", "_CA_BUNDLE", "_CACERT", "_CA_CERT",
		"_LOAD_PATH", "_BINARY_SITE", "_LIBS", "_DEPOT_PATH", "_GIT_PATH", "_CURL_PATH", "_SSH_PATH", "_DOMAIN", "_DIST_URL", "_DIST_SERVER", "_DOWNLOAD_URL", "_DOWNLOAD_HOST", "_INSTALL_URL", "_CHANNEL_URL", "_SOURCE_URL", "_REPO_URL", "_GIT_REMOTE", "_BOTTLE_DOMAIN", "_EXEC_PATH", "_SCRIPT", "_SCRIPTS", "_ENTRYPOINT", "_INTERPRETER",
		"_LOGFILE", "KEYLOGFILE", "_TRACE_FILE", "_AUTH_SOCK", "_AUTH",
	} {
		if strings.HasSuffix(n, end) {
			return true
		}
	}
	for _, begin := range []string{"LUA_INIT", "TF_CLI_ARGS", "TF_PLUGIN", "ERL_", "PYTHON", "RUBY", "PERL", "NODE_", "JAVA_", "MAVEN_", "GRADLE_", "GOCACHEPROG", "GOAUTH", "GOENV", "GOEXPERIMENT", "GOPATH", "GOVCS", "GONO", "GOPRIVATE", "PKG_CONFIG", "CMAKE_", "CCACHE_", "QT_", "GTK_", "GIO_", "GST_", "VK_", "LIBGL_", "LIBVA_", "MAGICK_", "SSLKEYLOG", "XDG_", "PIP_", "UV_", "POETRY_", "NPM_", "YARN_", "PNPM_", "DENO_", "BUN_", "CARGO_", "RUSTUP_", "OPENSSL_", "CURL_", "WGET", "SSH_", "GPG", "GNUPG", "KRB5", "LESS", "MAN", "TERMINFO", "READLINE"} {
		if strings.HasPrefix(n, begin) {
			return true
		}
	}
	return in(n, "MANPATH", "INFOPATH", "TMPDIR", "EDITOR", "PAGER")
}

// harmlessValue are settings that turn something off.
func harmlessValue(name, value string) bool {
	switch name {
	case "LESS": // letters that only say how it shows
		return value != "" && strings.Trim(value, "-FRXSiIMmNqQgGwWJ") == ""
	case "KUBECONFIG": // the person's own
		own := value[min(len(value), max(strings.Index(value, "/"), 0)):]
		return programs.HasPrefixAny(value, "~/.kube/", "$HOME/.kube/", "${HOME}/.kube/") && !programs.HasAny(own, "..", ":", "$", "*")
	case "PAGER", "GIT_PAGER", "MANPAGER", "SYSTEMD_PAGER", "AWS_PAGER", "GH_PAGER":
		return in(value, "cat", "", "less", "more", "/usr/bin/less", "less -R", "less -F", "less -FRX", "less -S")
	case "PGOPTIONS": // settings of the session that only limit it
		rest := strings.TrimSpace(value)
		for rest != "" {
			one, ok := strings.CutPrefix(rest, "-c ")
			if !ok {
				return false
			}
			one, rest, _ = strings.Cut(strings.TrimSpace(one), " ")
			key, _, _ := strings.Cut(one, "=")
			if !in(key, "default_transaction_read_only", "statement_timeout", "lock_timeout", "client_min_messages",
				"idle_in_transaction_session_timeout", "work_mem", "TimeZone", "timezone") || one == "default_transaction_read_only=off" {
				return false
			}
			rest = strings.TrimSpace(rest)
		}
		return true
	case "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR":
		return value == "true" || value == ":" || value == "vim" || value == "nano" || value == "vi"
	case "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS":
		return true
	case "GIT_TRACE", "GIT_TRACE_PERFORMANCE", "GIT_CURL_VERBOSE": // else a file
		return in(value, "0", "1", "2", "true", "false")
	case "DISPLAY":
		return true
	case "JAVA_HOME":
		return programs.HasPrefixAny(value, "/usr/lib/jvm/", "/Library/Java/") && !strings.Contains(value, "..")
	case "TMPDIR":
		return value == "/tmp" || strings.HasPrefix(value, "/tmp/")
	case "NODE_TLS_REJECT_UNAUTHORIZED":
		return value == "1"
	case "XDG_RUNTIME_DIR":
		return programs.HasPrefixAny(value, "/run/user/")
	case "GIT_PROTOCOL_FROM_USER":
		return true
	case "ENV": // the name of a file, and a usual name for other things
		return !strings.ContainsAny(value, "/$")
	}
	return false
}

// harmfulVariable reports whether programs load code, run a program or find files by the variable.
func harmfulVariable(name string) bool {
	switch name {
	case "PATH", "IFS", "ENV", "BASH_ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "PS0", "PS1", "PS2", "CDPATH", "OLDPWD", "DIRSTACK", "GLOBIGNORE", "HOME", "SHELL", "FPATH", "ZDOTDIR",
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
		"GCONV_PATH", "NLSPATH", "HOSTALIASES", "LOCPATH", "MALLOC_CHECK_", "RES_OPTIONS", "RESOLV_HOST_CONF", "TMPDIR_EXEC", "GTK_MODULES", "QT_PLUGIN_PATH", "PSQLRC", "PGSERVICEFILE", "PGPASSFILE", "PSQL_EDITOR", "PSQL_PAGER", "MYSQL_HOME", "HISTFILE", "HISTSIZE", "HISTFILESIZE", "HISTCONTROL", "HISTIGNORE", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_ENDPOINT_URL", "BASH_LOADABLES_PATH", "BASH_XTRACEFD", "EXECIGNORE", "COMP_WORDBREAKS", "TF_CLI_CONFIG_FILE", "ANSIBLE_CONFIG", "SCREENRC", "TMUX_TMPDIR", "NIX_PATH", "EMACSLOADPATH", "GDBHISTFILE", "ASAN_OPTIONS", "KEN_HOME", "KEN_ORIGIN", "BASH":
		return true
	}
	for _, prefix := range []string{"LD_", "DYLD_", "GIT_", "BASH_", "KEN_", "LUA_INIT", "TF_CLI_ARGS", "npm_config_", "NPM_CONFIG_", "CARGO_TARGET_", "CARGO_BUILD_", "ELECTRON_", "DOTNET_STARTUP", "CORECLR_", "COR_"} {
		if strings.HasPrefix(name, prefix) {
			return !in(name, "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "KEN_NOW")
		}
	}
	return false
}
