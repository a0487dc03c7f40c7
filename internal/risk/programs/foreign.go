package programs

import (
	"strings"
)

// What a program takes from a place that the person did not choose before, what it may
// load as code, and what takes a guard from it: by the form of the words, whatever the
// program is. All of it only adds.

// trusts finds where a call takes a source of code from another place: a registry, an
// index, a repository of charts, a mirror, a plugin by its address.
func trusts(l *findings) {
	if l.Worst() == Safe || isOneOf(l.Name, "git", "curl", "wget", "wget2", "http", "https", "xh", "open", "xdg-open", "ab", "wrk", "hey", "k6", "vegeta", "siege", "youtube-dl", "yt-dlp", "lynx", "w3m", "links", "psql", "mongosh", "mongo", "redis-cli", "svn", "hg", "echo", "printf", "docker", "podman", "ssh", "rsync", "aria2c", "ffmpeg", "ffprobe", "mpv", "vlc", "ping", "websocat", "grpcurl", "gh", "glab") {
		return
	}
	args := l.Args()
	asked := false
	for _, w := range args[:min(len(args), 6)] {
		if IsFlag(w) {
			continue
		}
		for _, t := range strings.FieldsFunc(strings.ToLower(w.Text), func(r rune) bool { return strings.ContainsRune(":-_.", r) }) {
			asked = asked || isOneOf(t, "add", "install", "i", "set", "config", "pull", "use", "import", "index", "repo", "repository", "registry", "source", "sources", "remote", "plugin", "plugins", "extension", "extensions", "channel", "mirror", "tap", "bucket", "feed", "get", "update", "upgrade", "init", "apply", "create", "dependency", "load", "register", "app", "bootstrap", "template", "mod", "fetch", "switch")
		}
	}
	if _, is := installerOf(l.Name); !asked && !is && !isOneOf(l.Name, "cpan", "cpanm", "ghcup", "mvn", "gradle", "dotnet", "nuget", "guix", "R", "Rscript") {
		return
	}
	for i, w := range args {
		t := w.Text
		if !HasAny(t, "http://", "https://", "ftp://", "git://", "ssh://", "git+", "git@", "oci://", "s3://", "file:///tmp") || HasAny(t, "://localhost", "://127.0.0.1", "://[::1]") {
			continue
		}
		if i > 0 && hasAnyFold(args[i-1].Text, "proxy", "homepage", "callback", "webhook", "description", "--message", "-m") {
			continue
		}
		l.Danger("takes from elsewhere what it runs or trusts later", w)
	}
}

// loadsCode finds options whose value is code, or names a file of it: where anybody may
// have put the file, and where the option can be nothing else.
func loadsCode(l *findings) {
	if l.Worst() == Safe || isOneOf(l.Name, "echo", "printf", "cp", "mv", "rm", "mkdir", "touch", "ln", "tar", "find", "grep", "rg", "ls", "cat", "tee", "dd", "curl", "wget", "git") {
		return
	}
	short := runsProject(l.Name)
	args := l.Args()
	for i, w := range args {
		if !IsFlag(w) {
			continue
		}
		name, value, given := strings.Cut(w.Text, "=")
		if !given && i+1 < len(args) {
			value = args[i+1].Text
		}
		attached := ""
		if len(name) > 2 && name[1] != '-' {
			attached = w.Text[2:] // -I/tmp/x, -r./x
		}
		low := strings.ToLower(name)
		says := HasAny(low, "rule", "filter", "import", "require", "toolchain", "agent", "preset", "loader", "settings", "rcfile", "include", "conf", "format", "template", "transform", "extension", "plugin", "script", "module", "module", "preload", "init", "hook", "load", "library", "source-dir", "rootdir", "workdir", "resolver", "reporter", "engine", "driver", "password-file", "homedir", "profile-dir", "data-dir") && !HasAny(low, "out", "log", "dest", "report-", "cache")
		if (says || short && len(name) == 2 && !isOneOf(name, "-o", "-O", "-d", "-C", "-D")) && anybodys(value) || short && anybodys(attached) && name[:2] != "-o" {
			l.Danger("loads what anybody may have written: "+name, w)
		}
	}
}

// runsProject says that a program runs code that an option names.
func runsProject(name string) bool {
	return isOneOf(strings.TrimRight(name, "0123456789."), "eslint", "prettier", "pytest", "py.test", "node", "nodejs", "ruby", "python", "perl", "php", "lua", "julia", "R", "Rscript", "webpack", "jest", "vitest", "vite", "rollup", "mocha", "karma", "tsc", "babel", "stylelint", "pandoc", "make", "gmake", "cmake", "meson", "gradle", "mvn", "ant", "java", "ansible", "ansible-playbook", "terraform", "tofu", "ssh", "scp", "sftp", "nmap", "vim", "nvim", "emacs", "web-ext", "rake", "rspec", "bundle", "mypy", "pylint", "flake8", "tox", "nox", "sphinx-build", "mkdocs", "jekyll", "hugo", "nginx", "httpd", "apache2", "haproxy", "mysqld", "postgres", "redis-server", "gawk", "awk", "tmux", "screen", "zsh", "bash", "gdb", "lldb", "gpg", "gpg2", "conky", "rofi", "i3", "sway", "mutt", "neomutt", "ldconfig", "snmpd", "sshd", "logrotate", "sendmail", "exim", "postfix", "wpa_supplicant", "dnsmasq", "openssl", "ssh-add")
}

// anybodys says that a path lies where anybody may have written it, or a fetched file is.
func anybodys(p string) bool {
	p = strings.TrimPrefix(strings.TrimPrefix(p, "@"), "file://")
	return HasPrefixAny(p, "/tmp/", "/var/tmp/", "/dev/shm/", "/run/user/", "http:", "https:", "ftp:", "<()", "data:text/javascript", "data:application/javascript") || HasAny(p, "/Downloads/")
}

// unguards finds words that switch a check off, whatever the program is.
func unguards(l *findings) {
	if l.Worst() == Safe || isOneOf(l.Name, "echo", "printf", "git", "curl", "wget") {
		return
	}
	args := l.Args()
	for i, w := range args {
		t := strings.ToLower(w.Text)
		name, value, given := strings.Cut(t, "=")
		if !given && i+1 < len(args) {
			value = strings.ToLower(args[i+1].Text)
		}
		off := isOneOf(value, "false", "0", "no", "off", "never", "none", "disabled", "disable")
		switch {
		case HasPrefixAny(t, "--disable-auth", "--disable-secur", "--disable-verif", "--disable-sandbox", "--disable-sign", "--disable-web-security", "--disable-tls", "--no-sandbox", "--skipinteg", "--skippgp", "--skipcheck", "--no-auth", "--without-auth", "--noauth", "--allow-root-", "--no-disable-api-termination", "--unsafe-", "--allow-unsafe", "--skip-verif", "--skip-signature", "--no-signature", "--ignore-signature", "--allow-unsigned", "--no-require-auth", "--enable-unsafe"):
			l.Danger("takes a guard away: "+w.Text, w)
		case off && HasAny(name, "secure", "verify", "strict-ssl", "sslverify", "safe-", "signature", "gpgcheck", "sandbox", "protected", "check_revocation", "verification", "validate-cert", "tls_verify") && !HasAny(name, "insecure", "disable"):
			l.Danger("takes a guard away: "+w.Text, w)
		case strings.HasPrefix(name, "--") && strings.HasSuffix(name, "-hook") && value != "":
			l.Danger("has a command run: "+w.Text, w)
		case isOneOf(l.Name, "xattr") && HasAny(t, "quarantine") && HasPrefixAny(args[0].Text, "-d", "-rd", "-dr", "-c", "-cr"):
			l.Danger("takes a guard away: "+w.Text, w)
		case HasAny(strings.ReplaceAll(t, " ", ""), `"command":`) && strings.HasPrefix(t, "{"):
			l.Danger("names a command that is run later", w)
		}
	}
}

// destroys finds a program of which little is known that says itself that it destroys.
func destroys(l *findings) {
	parts := func(t string) []string {
		return strings.FieldsFunc(strings.ToLower(t), func(r rune) bool { return strings.ContainsRune("-_.:/", r) })
	}
	for _, t := range parts(l.Name) {
		if isOneOf(t, "uninstall", "killall", "destroy", "wipe", "nuke", "purge", "teardown", "selfdestruct", "factoryreset", "unprovision") {
			l.Danger("destroys, as its name says", l.Words[0])
		}
	}
	n := 0
	for _, w := range l.Args() {
		if IsFlag(w) {
			for _, t := range parts(w.Text) {
				if isOneOf(t, "wipe", "destroy", "nuke", "purge", "erase", "delete", "empty") && !HasPrefixAny(w.Text, "--no", "--dry") {
					l.Danger("destroys, as its words say", w)
				}
			}
			continue
		}
		if n++; n > 4 || strings.Contains(w.Text, " ") || strings.Contains(w.Text, "/") {
			continue
		}
		for _, t := range parts(w.Text) {
			if isOneOf(t, "delete", "destroy", "purge", "wipe", "drop", "terminate", "nuke", "revoke", "deregister", "erase", "uninstall", "truncate", "factoryreset", "teardown", "decommission", "unpublish", "transfer", "share", "down", "rollback", "promote", "flush", "reimage", "restore", "rm", "rmp", "rmi", "prune", "disable", "suspend", "poweroff", "shutdown", "reboot", "clear", "reset") {
				l.Danger("destroys, or takes out of use, as its words say", w)
			}
		}
	}
}

// barred finds an operand that a program runs as a command: one that begins with a bar.
func barred(l *findings) {
	if isOneOf(l.Name, "echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "ack", "git", "sed", "gsed", "awk", "gawk", "mawk", "jq", "yq", "tr", "cut", "column", "paste", "test", "[", "sort", "split", "expr", "let", "gh", "perl", "python", "python3", "ruby", "node", "psql", "mysql", "sqlite3", "ls", "find", "cat", "docker", "kubectl", "vim", "tmux", "ps", "join", "nl", "seq", "date", "stat", "fzf", "csvcut", "mlr", "xsv", "q", "curl", "say", "read", "tput", "numfmt", "pr", "aws", "gcloud", "az", "fold", "fmt", "wc", "uniq", "comm", "diff", "basename", "dirname", "xargs", "watch", "basenc") {
		return
	}
	for _, w := range l.Args() {
		t := strings.TrimSpace(w.Text)
		if cmd, ok := strings.CutPrefix(t, "|"); ok && strings.Trim(cmd, " |") != "" {
			l.Danger("a word that may be run as a command", w)
			l.Shell(cmd, w, false)
		}
		if HasAny(t, "%pipe%") {
			l.Danger("a word that is run as a command", w)
		}
	}
}

// places finds what a program runs, or writes, by a place in one of its words: a disk
// behind an equals sign, a file that anybody may have put there and that is started.
func places(l *findings) {
	if l.Worst() == Safe || isOneOf(l.Name, "echo", "printf", "dd") {
		return
	}
	for _, w := range l.Args() {
		for _, part := range strings.FieldsFunc(w.Text, func(r rune) bool { return r == ',' || r == '=' }) {
			if part != w.Text && HasPrefixAny(part, "/dev/sd", "/dev/nvme", "/dev/vd", "/dev/hd", "/dev/disk", "/dev/mmcblk", "/dev/mapper", "/dev/mem") {
				disk := w
				disk.Text = part
				l.Operation(Write, disk)
			}
		}
	}
	args := l.Args()
	for i, w := range args {
		name, value, given := strings.Cut(w.Text, "=")
		if !given && i+1 < len(args) {
			value = args[i+1].Text
		}
		if IsFlag(w) && (HasAny(name, "--out", "--log", "--dump", "--save", "--record", "--trace", "--export", "--write", "--report") || name == "-o") && HasPrefixAny(value, "/etc/", "/usr/", "/boot/", "/lib", "/bin/", "/sbin/", "~/.", "$HOME/.") && len(l.Operations) < 20 {
			out := w
			out.Text = value
			l.Operation(Write, out)
		}
	}
	if _, lies := NameOf(l.Words[0].Text); lies != "" && (anybodys(lies) || strings.HasPrefix(lies, "/tmp/")) {
		l.Danger("runs a file that anybody may have written", l.Words[0])
	}
	if isOneOf(l.Name, "run-parts", "scriptlive", "scriptreplay", "valgrind", "pkexec", "wine", "mono", "qemu-x86_64", "qemu-user", "rr", "ltrace", "uftrace", "dash", "gs", "groff", "troff", "redis-server", "m4", "ocaml", "tclsh", "sh", "bash", "zsh", "source", ".", "open", "xdg-open", "java", "dotnet") {
		for _, w := range l.Args() {
			if anybodys(w.Text) && !IsFlag(w) {
				l.Danger("runs a file that anybody may have written", w)
			}
		}
	}
}

// more judges words of single programs that are as bad as what the rules above find.
func more(l *findings) {
	args := l.Args()
	for i, w := range args {
		name, value, given := strings.Cut(w.Text, "=")
		if !given && i+1 < len(args) {
			value = args[i+1].Text
		}
		switch l.Name {
		case "gio":
			if w.Text == "--empty" {
				l.Danger("empties the bin", w)
			}
		case "ruby", "jruby":
			if HasPrefixAny(w.Text, "-r./", "-r/", "-r../", "-r~", "-I/tmp") {
				l.Danger("loads code of a file before all else", w)
			}
		case "qemu-img", "qemu-nbd", "virt-resize", "virt-sparsify":
			if HasPrefixAny(w.Text, "/dev/") && i > 0 && args[0].Text != "info" {
				l.Danger("writes to a disk", w)
			}
		case "nmap", "nping", "ncat":
			if name == "--script" && !isOneOf(value, "default", "safe", "discovery", "version", "ssl-cert", "ssl-enum-ciphers", "http-title", "banner") {
				l.Danger("attacks, or runs code, by a script", w)
			}
		case "gzip", "bzip2", "xz", "zstd", "gunzip", "pigz", "lz4", "compress", "7z", "7za":
			if isOneOf(w.Text, "-sdel") {
				l.Danger("removes what it packs", w)
			}
			if strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.Contains(w.Text, "r") && l.Name[0] != '7' || w.Text == "--recursive" {
				for _, p := range args {
					if !IsFlag(p) && HasPrefixAny(p.Text, "/", "~", "..", "$HOME") && !HasPrefixAny(p.Text, "/tmp/") {
						l.Danger("replaces every file of a tree outside the working directory", p)
					}
				}
			}
		case "patch":
			if isOneOf(name, "-d", "--directory") || strings.HasPrefix(w.Text, "-d") && len(w.Text) > 2 && w.Text[1] != '-' {
				into := w
				if into.Text = value; !given && !isOneOf(w.Text, "-d", "--directory") {
					into.Text = w.Text[2:]
				}
				l.Operations = append(l.Operations, Operation{Act: Write, Words: []Word{into}, Word: into, Root: l.Root, Deep: true})
			}
		case "hostname", "domainname":
			if !IsFlag(w) || isOneOf(w.Text, "-F", "-b", "--file") {
				l.Danger("changes the name of this machine", w)
			}
		case "hostnamectl":
			if i == 0 && HasPrefixAny(w.Text, "set-") || i == 1 && isOneOf(args[0].Text, "hostname") {
				l.Danger("changes the name of this machine", w)
			}
		case "troff", "groff", "nroff", "pic":
			if strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.Contains(w.Text, "U") {
				l.Danger("lets a text run commands", w)
			}
		case "bpftrace", "stap", "perf-trace":
			if w.Text == "--unsafe" || w.Text == "-g" || HasAny(w.Text, "system(", "override(", "signal(") {
				l.Danger("runs commands from the kernel's events", w)
			}
		case "unshare", "capsh", "bwrap", "firejail", "setpriv":
			if HasPrefixAny(w.Text, "-r", "--map-root", "--gid=0", "--uid=0", "--ambient", "--dev-bind", "--noprofile") && isOneOf(l.Name, "capsh", "setpriv") {
				l.Danger("takes other rights", w)
			}
		case "latexmk":
			if HasAny(w.Text, "system", "exec", "`") {
				l.Danger("runs a command from a program of its own", w)
			}
		case "renice":
			if isOneOf(w.Text, "-u", "--user", "-g", "--pgrp") {
				l.Danger("changes every process of a person", w)
			}
		case "docker", "podman", "nerdctl", "buildah":
			if i > 0 && strings.HasSuffix(w.Text, "=0") && HasAny(textOf(args[:2]), "scale") {
				l.Danger("scales to nothing", w)
			}
			if isOneOf(name, "--output", "-o") && HasAny(value, "type=registry", "push=true") {
				l.Danger("publishes", w)
			}
			if name == "--secret" && HasAny(value, ".ssh/", ".aws/", ".gnupg/", ".netrc", "id_rsa") {
				l.Danger("gives a build a secret of the person", w)
			}
		case "sdk", "mise", "asdf", "rtx", "jenv", "update-java-alternatives":
			if HasPrefixAny(w.Text, "/", "~/", "path:", "vfox:http") && i > 0 {
				l.Danger("installs a file that no one vouches for", w)
			}
		case "rsync":
			if name == "--rsync-path" && !isOneOf(value, "rsync", "/usr/bin/rsync", "sudo rsync") {
				l.Danger("runs a command on another machine", w)
			}
		case "ssh-keygen":
			if w.Text == "-f" && (l.Piped || l.Input || l.Doc) && HasAny(value, ".ssh/", "/etc/ssh") && !HasAny(textOf(args), "-l", "-y") {
				l.Danger("overwrites a key without asking", w)
			}
			if w.Text == "-R" && strings.ContainsAny(value, "*?") {
				l.Danger("forgets whom the person trusts", w)
			}
		}
	}
}
