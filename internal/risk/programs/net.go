package programs

import (
	"strings"
)

func curl(l *findings) {
	flags, _ := parse(l.Args(), flagSpec{Args: "AbcCdDeEFhHKmoPQrtTuUwxXyYzP", Longs: []string{"--data", "--data-binary", "--data-raw", "--data-ascii", "--data-urlencode", "--json", "--form", "--form-string", "--upload-file", "--output", "--output-dir", "--config", "--header", "--request", "--user", "--user-agent", "--url", "--proxy", "--cookie", "--cookie-jar", "--max-time", "--connect-timeout", "--retry", "--referer", "--cert", "--key", "--cacert", "--write-out", "--dump-header", "--resolve", "--range", "--interface", "--unix-socket", "--trace", "--trace-ascii", "--stderr", "--libcurl", "--netrc-file", "--engine", "--hsts", "--etag-save", "--limit-rate", "--doh-url", "--retry-delay", "--max-redirs", "--proto", "--url-query"}})
	l.Caution("reaches the network", l.Words[0])
	for _, f := range flags {
		v := f.Arg
		v.Text = f.Value
		switch {
		case isOneOf(f.Name, "-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar", "--trace", "--trace-ascii", "--stderr", "--libcurl", "--etag-save", "--hsts", "--output-dir"):
			if f.Value != "" && f.Value != "-" {
				l.Operation(Write, v)
			}
		case isOneOf(f.Name, "-T", "--upload-file"):
			upload(l, v, f.Value == "-" || f.Value == ".")
		case isOneOf(f.Name, "-d", "--data", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "-F", "--form", "-H", "--header", "--data-raw", "--url-query", "-b", "-A", "-e", "-u"):
			i := strings.IndexByte(f.Value, '@')
			if j := strings.IndexByte(f.Value, '<'); i < 0 && isOneOf(f.Name, "-F", "--form") {
				i = j
			}
			switch {
			case f.Name == "--data-urlencode" && i >= 0 && !strings.Contains(f.Value[:i], "="):
				v.Text = f.Value[i+1:]
				upload(l, v, v.Text == "-")
			case i >= 0 && !isOneOf(f.Name, "--data-raw", "-u", "-A", "-e", "-b") && (i == 0 || f.Value[i-1] == '='):
				v.Text = f.Value[i+1:]
				upload(l, v, v.Text == "-")
			case v.Subst && !isOneOf(f.Name, "-H", "--header"):
				l.Danger("sends to another machine what a command prints", v)
			}
		case isOneOf(f.Name, "-K", "--config"):
			l.Danger("takes options from a file", f.Word)
		case isOneOf(f.Name, "--engine"):
			l.Danger("loads code", f.Word)
		case isOneOf(f.Name, "-X", "--request") && strings.EqualFold(f.Value, "delete"):
			l.Danger("deletes on another machine", f.Arg)
		case isOneOf(f.Name, "-Q", "--quote"):
			l.Danger("sends commands to another machine", f.Word)
		case isOneOf(f.Name, "--unix-socket", "--abstract-unix-socket"):
			if strings.Contains(f.Value, "docker.sock") || strings.Contains(f.Value, "containerd") {
				l.Danger("commands the containers of this machine", f.Arg)
			}
		}
	}
	for _, w := range l.Args() {
		if HasAny(w.Text, "_delete_by_query", "_shutdown", "/_forcemerge?only_expunge") {
			l.Danger("destroys data of a database", w)
		}
	}
	for _, w := range l.Args() {
		if w.Subst && !IsFlag(w) && HasAny(w.Text, "=$(", "/$(", ").", "@$(") {
			l.Danger("sends to another machine what a command prints", w)
		}
	}
	if l.Piped && !l.Doc && with(flags, "-d", "--data", "--data-binary", "-T", "--upload-file", "-F", "--form", "--json") {
		l.Danger("sends what it is fed to another machine", l.Words[0])
	}
}

// upload judges a file that is sent away.
func upload(l *findings, w Word, fed bool) {
	if fed {
		if (l.Piped || l.Input) && !l.Doc {
			l.Danger("sends what it is fed to another machine", w)
		}
		return
	}
	l.Caution("sends a file to another machine", w)
	l.Operation(Send, w)
	if l.IsFed && strings.Contains(w.Text, "{}") {
		l.Danger("sends all that a search finds to another machine", w)
	}
	if HasPrefixAny(w.Text, "/", "~", "$", "..") {
		l.Danger("sends a file from outside the working directory to another machine", w)
	}
}

func wget(l *findings) {
	flags, _ := parse(l.Args(), flagSpec{Args: "OoaitTwQPUDRAIXlBe", Longs: []string{"--output-document", "--output-file", "--append-output", "--directory-prefix", "--post-file", "--post-data", "--body-file", "--body-data", "--header", "--execute", "--use-askpass", "--user", "--password", "--method", "--config", "--input-file", "--tries", "--timeout", "--user-agent"}})
	l.Caution("reaches the network", l.Words[0])
	for _, f := range flags {
		v := f.Arg
		v.Text = f.Value
		switch {
		case isOneOf(f.Name, "-O", "--output-document", "-o", "--output-file", "-a", "-P", "--directory-prefix"):
			if f.Value != "-" && f.Value != "" {
				l.Operation(Write, v)
			}
		case isOneOf(f.Name, "--post-file", "--body-file"):
			l.Danger("sends a file to another machine", f.Word)
		case isOneOf(f.Name, "--post-data", "--body-data") && v.Subst:
			l.Danger("sends to another machine what a command prints", f.Word)
		case isOneOf(f.Name, "-e", "--execute", "--use-askpass", "--config"):
			l.Danger("sets what wget runs", f.Word)
		}
	}
	for _, w := range l.Args() {
		if w.Subst && !IsFlag(w) && HasAny(w.Text, "=$(", "/$(", ").", "@$(") {
			l.Danger("sends to another machine what a command prints", w)
		}
	}
}

func netcat(l *findings) {
	byTable(l)
	if (l.Piped || l.Input) && !l.Doc {
		l.Danger("sends what it is fed to another machine", l.Words[0])
	}
}
