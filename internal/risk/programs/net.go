package programs

import "strings"

func (l *look) curl() {
	flags, _ := parse(l.args(), spec{args: "AbcCdDeEFhHKmoPQrtTuUwxXyYzP", longs: []string{"--data", "--data-binary", "--data-raw", "--data-ascii", "--data-urlencode", "--json", "--form", "--form-string", "--upload-file", "--output", "--output-dir", "--config", "--header", "--request", "--user", "--user-agent", "--url", "--proxy", "--cookie", "--cookie-jar", "--max-time", "--connect-timeout", "--retry", "--referer", "--cert", "--key", "--cacert", "--write-out", "--dump-header", "--resolve", "--range", "--interface", "--unix-socket", "--trace", "--trace-ascii", "--stderr", "--libcurl", "--netrc-file", "--engine", "--hsts", "--etag-save", "--limit-rate", "--doh-url", "--retry-delay", "--max-redirs", "--proto", "--url-query"}})
	l.caution("reaches the network", l.Words[0])
	for _, f := range flags {
		v := f.arg
		v.Text = f.value
		switch {
		case in(f.name, "-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar", "--trace", "--trace-ascii", "--stderr", "--libcurl", "--etag-save", "--hsts", "--output-dir"):
			if f.value != "" && f.value != "-" {
				l.deed(Write, v)
			}
		case in(f.name, "-T", "--upload-file"):
			l.upload(v, f.value == "-" || f.value == ".")
		case in(f.name, "-d", "--data", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "-F", "--form", "-H", "--header", "--data-raw", "--url-query", "-b", "-A", "-e", "-u"):
			i := strings.IndexByte(f.value, '@')
			if j := strings.IndexByte(f.value, '<'); i < 0 && in(f.name, "-F", "--form") {
				i = j
			}
			switch {
			case i >= 0 && !in(f.name, "--data-raw", "-u", "-A", "-e", "-b") && (i == 0 || f.value[i-1] == '='):
				v.Text = f.value[i+1:]
				l.upload(v, v.Text == "-")
			case v.Subst && !in(f.name, "-H", "--header"):
				l.danger("sends to another machine what a command prints", v)
			}
		case in(f.name, "-K", "--config"):
			l.danger("takes options from a file", f.word)
		case in(f.name, "--engine"):
			l.danger("loads code", f.word)
		case in(f.name, "-X", "--request") && strings.EqualFold(f.value, "delete"):
			l.danger("deletes on another machine", f.arg)
		case in(f.name, "-Q", "--quote"):
			l.danger("sends commands to another machine", f.word)
		case in(f.name, "--unix-socket", "--abstract-unix-socket"):
			if strings.Contains(f.value, "docker.sock") || strings.Contains(f.value, "containerd") {
				l.danger("commands the containers of this machine", f.arg)
			}
		}
	}
	for _, w := range l.args() {
		if w.Subst && !isFlag(w) && hasAny(w.Text, "?", "$()") && hasAny(w.Text, "://", "$()") && hasAny(w.Text, "=$()", "/$()", "$().", "=$(") {
			l.danger("sends to another machine what a command prints", w)
		}
	}
	if l.Piped && with(flags, "-d", "--data", "--data-binary", "-T", "--upload-file", "-F", "--form", "--json") {
		l.danger("sends what it is fed to another machine", l.Words[0])
	}
}

// upload judges a file that is sent away.
func (l *look) upload(w Word, fed bool) {
	if fed {
		if l.Piped || l.Input {
			l.danger("sends what it is fed to another machine", w)
		}
		return
	}
	l.caution("sends a file to another machine", w)
	l.deed(Send, w)
	if hasPrefixAny(w.Text, "/", "~", "$", "..") {
		l.danger("sends a file from outside the working directory to another machine", w)
	}
}

func (l *look) wget() {
	flags, _ := parse(l.args(), spec{args: "OoaitTwQPUDRAIXlBe", longs: []string{"--output-document", "--output-file", "--append-output", "--directory-prefix", "--post-file", "--post-data", "--body-file", "--body-data", "--header", "--execute", "--use-askpass", "--user", "--password", "--method", "--config", "--input-file", "--tries", "--timeout", "--user-agent"}})
	l.caution("reaches the network", l.Words[0])
	for _, f := range flags {
		v := f.arg
		v.Text = f.value
		switch {
		case in(f.name, "-O", "--output-document", "-o", "--output-file", "-a", "-P", "--directory-prefix"):
			if f.value != "-" && f.value != "" {
				l.deed(Write, v)
			}
		case in(f.name, "--post-file", "--body-file"):
			l.danger("sends a file to another machine", f.word)
		case in(f.name, "--post-data", "--body-data") && v.Subst:
			l.danger("sends to another machine what a command prints", f.word)
		case in(f.name, "-e", "--execute", "--use-askpass", "--config"):
			l.danger("sets what wget runs", f.word)
		}
	}
	for _, w := range l.args() {
		if w.Subst && !isFlag(w) && hasAny(w.Text, "=$()", "/$()", "$().") {
			l.danger("sends to another machine what a command prints", w)
		}
	}
}

func (l *look) netcat() {
	l.byTable()
	if l.Piped || l.Input {
		l.danger("sends what it is fed to another machine", l.Words[0])
	}
}
