package programs

import (
	"strings"

	"ken/internal/risk/programs/call"
)

func curl(l *call.Look) {
	flags, _ := call.Parse(l.Args(), call.Spec{Args: "AbcCdDeEFhHKmoPQrtTuUwxXyYzP", Longs: []string{"--data", "--data-binary", "--data-raw", "--data-ascii", "--data-urlencode", "--json", "--form", "--form-string", "--upload-file", "--output", "--output-dir", "--config", "--header", "--request", "--user", "--user-agent", "--url", "--proxy", "--cookie", "--cookie-jar", "--max-time", "--connect-timeout", "--retry", "--referer", "--cert", "--key", "--cacert", "--write-out", "--dump-header", "--resolve", "--range", "--interface", "--unix-socket", "--trace", "--trace-ascii", "--stderr", "--libcurl", "--netrc-file", "--engine", "--hsts", "--etag-save", "--limit-rate", "--doh-url", "--retry-delay", "--max-redirs", "--proto", "--url-query"}})
	l.Caution("reaches the network", l.Words[0])
	for _, f := range flags {
		v := f.Arg
		v.Text = f.Value
		switch {
		case call.In(f.Name, "-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar", "--trace", "--trace-ascii", "--stderr", "--libcurl", "--etag-save", "--hsts", "--output-dir"):
			if f.Value != "" && f.Value != "-" {
				l.Deed(call.Write, v)
			}
		case call.In(f.Name, "-T", "--upload-file"):
			upload(l, v, f.Value == "-" || f.Value == ".")
		case call.In(f.Name, "-d", "--data", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "-F", "--form", "-H", "--header", "--data-raw", "--url-query", "-b", "-A", "-e", "-u"):
			i := strings.IndexByte(f.Value, '@')
			if j := strings.IndexByte(f.Value, '<'); i < 0 && call.In(f.Name, "-F", "--form") {
				i = j
			}
			switch {
			case f.Name == "--data-urlencode" && i >= 0 && !strings.Contains(f.Value[:i], "="):
				v.Text = f.Value[i+1:]
				upload(l, v, v.Text == "-")
			case i >= 0 && !call.In(f.Name, "--data-raw", "-u", "-A", "-e", "-b") && (i == 0 || f.Value[i-1] == '='):
				v.Text = f.Value[i+1:]
				upload(l, v, v.Text == "-")
			case v.Subst && !call.In(f.Name, "-H", "--header"):
				l.Danger("sends to another machine what a command prints", v)
			}
		case call.In(f.Name, "-K", "--config"):
			l.Danger("takes options from a file", f.Word)
		case call.In(f.Name, "--engine"):
			l.Danger("loads code", f.Word)
		case call.In(f.Name, "-X", "--request") && strings.EqualFold(f.Value, "delete"):
			l.Danger("deletes on another machine", f.Arg)
		case call.In(f.Name, "-Q", "--quote"):
			l.Danger("sends commands to another machine", f.Word)
		case call.In(f.Name, "--unix-socket", "--abstract-unix-socket"):
			if strings.Contains(f.Value, "docker.sock") || strings.Contains(f.Value, "containerd") {
				l.Danger("commands the containers of this machine", f.Arg)
			}
		}
	}
	for _, w := range l.Args() {
		if call.HasAny(w.Text, "_delete_by_query", "_shutdown", "/_forcemerge?only_expunge") {
			l.Danger("destroys data of a database", w)
		}
	}
	for _, w := range l.Args() {
		if w.Subst && !call.IsFlag(w) && call.HasAny(w.Text, "=$(", "/$(", ").", "@$(") {
			l.Danger("sends to another machine what a command prints", w)
		}
	}
	if l.Piped && !l.Doc && call.With(flags, "-d", "--data", "--data-binary", "-T", "--upload-file", "-F", "--form", "--json") {
		l.Danger("sends what it is fed to another machine", l.Words[0])
	}
}

// upload judges a file that is sent away.
func upload(l *call.Look, w call.Word, fed bool) {
	if fed {
		if (l.Piped || l.Input) && !l.Doc {
			l.Danger("sends what it is fed to another machine", w)
		}
		return
	}
	l.Caution("sends a file to another machine", w)
	l.Deed(call.Send, w)
	if l.IsFed && strings.Contains(w.Text, "{}") {
		l.Danger("sends all that a search finds to another machine", w)
	}
	if call.HasPrefixAny(w.Text, "/", "~", "$", "..") {
		l.Danger("sends a file from outside the working directory to another machine", w)
	}
}

func wget(l *call.Look) {
	flags, _ := call.Parse(l.Args(), call.Spec{Args: "OoaitTwQPUDRAIXlBe", Longs: []string{"--output-document", "--output-file", "--append-output", "--directory-prefix", "--post-file", "--post-data", "--body-file", "--body-data", "--header", "--execute", "--use-askpass", "--user", "--password", "--method", "--config", "--input-file", "--tries", "--timeout", "--user-agent"}})
	l.Caution("reaches the network", l.Words[0])
	for _, f := range flags {
		v := f.Arg
		v.Text = f.Value
		switch {
		case call.In(f.Name, "-O", "--output-document", "-o", "--output-file", "-a", "-P", "--directory-prefix"):
			if f.Value != "-" && f.Value != "" {
				l.Deed(call.Write, v)
			}
		case call.In(f.Name, "--post-file", "--body-file"):
			l.Danger("sends a file to another machine", f.Word)
		case call.In(f.Name, "--post-data", "--body-data") && v.Subst:
			l.Danger("sends to another machine what a command prints", f.Word)
		case call.In(f.Name, "-e", "--execute", "--use-askpass", "--config"):
			l.Danger("sets what wget runs", f.Word)
		}
	}
	for _, w := range l.Args() {
		if w.Subst && !call.IsFlag(w) && call.HasAny(w.Text, "=$(", "/$(", ").", "@$(") {
			l.Danger("sends to another machine what a command prints", w)
		}
	}
}

func netcat(l *call.Look) {
	byTable(l)
	if (l.Piped || l.Input) && !l.Doc {
		l.Danger("sends what it is fed to another machine", l.Words[0])
	}
}
