package programs

import (
	"strings"
)

// everyday are the functions of programs that look at data, where it is the value of
// an option or a word in its place that says whether they do more.
func everyday(name string) func(l *findings) {
	switch name {
	case "fd", "fdfind":
		return fd
	case "cloc":
		return cloc
	case "mlr":
		return miller
	case "pandoc":
		return pandoc
	case "plutil":
		return plutil
	case "PlistBuddy":
		return plistBuddy
	}
	return nil
}

// fd runs a command on what it finds. It is a danger, but where the command only looks
// at the files that it is given.
func fd(l *findings) {
	for i, w := range l.Words {
		if i == 0 || !isOneOf(w.Text, "-x", "-X", "--exec", "--exec-batch") {
			continue
		}
		cmd := l.Words[i+1:]
		if len(cmd) == 0 || HasAny(strings.TrimSuffix(textOf(cmd), " {}"), ";", "{") || !isOneOf(cmd[0].Text, "wc", "head",
			"tail", "cat", "ls", "stat", "file", "du", "basename", "dirname", "realpath", "md5sum", "sha1sum", "sha256sum", "grep",
			"rg", "jq", "nl", "strings", "echo") {
			break
		}
		all := l.Words
		l.Words = all[:i]
		byTable(l)
		l.Words = all
		l.RunFed(cmd, all[:1])
		return
	}
	byTable(l)
}

// cloc counts lines, of files that git or svn names, or another command.
func cloc(l *findings) {
	var words []Word
	for i, w := range l.Words {
		if i == 0 || !isOneOf(w.Text, "--vcs=git", "--vcs=auto", "--vcs=svn") {
			words = append(words, w)
		}
	}
	all := l.Words
	l.Words = words
	byTable(l)
	l.Words = all
}

// miller judges mlr, whose settings in the directory can name no code: it only prints
// by the verbs and options that are known. An option may also stand at the end.
func miller(l *findings) {
	args := l.Args()
	verb := 0
	for verb < len(args) && IsFlag(args[verb]) {
		if isOneOf(args[verb].Text, "--ifs", "--ofs", "--fs", "--ips", "--ops", "--irs", "--ofmt", "--from") {
			verb++
		}
		verb++
	}
	fine := verb < len(args) && millerVerb(args[verb]) && !l.IsFed
	for i, w := range args {
		t := w.Text
		switch {
		case i > 0 && args[i-1].Text == "then" && !millerVerb(w), w.Hole && !w.Glob, strings.Contains(t, "://"):
			fine = false
		case !IsFlag(w), isOneOf(t, "--icsv", "--ocsv", "--csv", "--itsv", "--otsv", "--tsv", "--ijson", "--ojson", "--json", "--ijsonl", "--ojsonl", "--jsonl", "--ixtab", "--oxtab", "--xtab", "--ipprint", "--opprint", "--pprint", "--inidx", "--onidx", "--nidx", "--idkvp", "--odkvp", "--omd",
			"--c2p", "--c2j", "--c2t", "--c2m", "--c2x", "--c2l", "--t2c", "--t2j", "--t2p", "--t2m", "--j2c", "--j2t", "--j2p", "--j2m", "--ifs", "--ofs", "--fs", "--ips", "--ops", "--irs", "--ofmt", "--from",
			"--implicit-csv-header", "--headerless-csv-input", "--headerless-csv-output", "--hi", "--ho", "--allow-ragged-csv-input", "--barred", "--right"):
		default: // of a verb: a letter or two
			fine = fine && i > verb && (len(t) == 2 || len(t) == 3 && t[1] != '-') && !isOneOf(t, "-I", "-s")
		}
	}
	if !fine {
		scripted(l)
	}
}

// millerVerb says that a verb of mlr only computes.
func millerVerb(w Word) bool {
	return isOneOf(w.Text, "cat", "head", "tail", "tac", "sort", "uniq", "nothing", "label", "cut", "having-fields", "regularize", "rename", "reorder", "count", "count-distinct", "count-similar", "count-values", "stats1", "stats2", "merge-fields", "top", "step", "unsparsify", "sparsify", "fill-down", "fill-empty", "histogram", "sec2gmt", "sec2gmtdate", "most-frequent", "least-frequent", "summary", "sort-within-records", "decimate", "format-values", "json-parse", "json-stringify", "altkv", "nest", "reshape", "group-by", "group-like", "grep", "fraction", "seqgen")
}

// pandoc prints the text that it makes of text, if no option says more. Formats that
// name files, run code or fetch what they show are not among those that are known.
func pandoc(l *findings) {
	flags, files := parse(l.Args(), flagSpec{Args: "ftrw", Longs: []string{"--from", "--to", "--read", "--write", "--columns", "--wrap"}})
	reads := false
	for _, f := range flags {
		format, _, _ := strings.Cut(f.Value, "+")
		format, _, _ = strings.Cut(format, "-")
		switch {
		case isOneOf(f.Name, "--list-input-formats", "--list-output-formats", "--list-extensions", "--list-highlight-languages"):
			reads = len(files) == 0 && len(flags) == 1
		case isOneOf(f.Name, "-f", "--from", "-r", "--read") && isOneOf(format, "markdown", "gfm", "commonmark", "commonmark_x", "markdown_strict", "json", "csv", "tsv"):
		case isOneOf(f.Name, "-t", "--to", "-w", "--write") && isOneOf(format, "plain", "markdown", "gfm", "commonmark", "html", "json", "native", "rst", "org", "latex", "man"):
			reads = true
		case isOneOf(f.Name, "--columns", "--wrap"):
		default:
			byTable(l)
			return
		}
	}
	for _, w := range files {
		if w.Hole && !w.Glob || strings.Contains(w.Text, ":") || !with(flags, "-f", "--from", "-r", "--read") && !strings.HasSuffix(w.Text, ".md") {
			reads = false
		}
	}
	if !reads {
		byTable(l)
	}
}

// plutil prints, and does not change the file, if it is told to write to its output.
func plutil(l *findings) {
	args := l.Args()
	t := func(i int) string {
		if i < len(args) {
			return args[i].Text
		}
		return ""
	}
	switch {
	case len(args) == 4 && t(0) == "-extract" && t(2) == "raw" && !IsFlag(args[3]):
	case len(args) == 5 && t(0) == "-convert" && isOneOf(t(1), "xml1", "json", "binary1", "swift", "objc") && t(2) == "-o" && t(3) == "-" && !IsFlag(args[4]):
	case len(args) == 6 && t(0) == "-extract" && isOneOf(t(2), "xml1", "json") && t(3) == "-o" && t(4) == "-" && !IsFlag(args[5]):
	default:
		byTable(l)
	}
}

// plistBuddy prints what it is told to.
func plistBuddy(l *findings) {
	flags, files := parse(l.Args(), flagSpec{Args: "c"})
	reads := len(flags) > 0 && len(files) == 1 && !l.Piped && !l.Input
	for _, f := range flags {
		verb, _, _ := strings.Cut(f.Value, " ")
		reads = reads && (f.Name == "-x" || f.Name == "-c" && strings.EqualFold(verb, "print") && !f.Arg.Hole && !strings.ContainsAny(f.Value, ";\n"))
	}
	if !reads {
		l.Caution("changes a file of settings", l.Words[0])
	}
}

// helpOf says that a call is only one for the help of a subcommand that takes words,
// which the parsers of these programs print whatever the words are.
func helpOf(l *findings) bool {
	args := l.Args()
	if l.Name == "aws" && len(args) > 0 && len(args) <= 4 && args[len(args)-1].Text == "help" ||
		l.Name == "gcloud" && len(args) > 1 && len(args) <= 6 && args[len(args)-1].Text == "--help" {
		for _, w := range args[:len(args)-1] {
			if w.Hole || strings.Trim(w.Text, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || IsFlag(w) {
				return false
			}
		}
		return true
	}
	if len(args) < 3 || len(args) > 6 || args[len(args)-1].Text != "--help" {
		return false
	}
	for _, w := range args {
		if w.Hole || w.Split || IsFlag(w) && w.Text != "--help" {
			return false
		}
	}
	verb := args[0].Text
	switch l.Name {
	case "kubectl", "oc":
		return isOneOf(verb, "get", "describe", "logs", "delete", "apply", "create", "scale", "edit", "patch", "replace", "rollout", "expose", "label", "annotate", "drain", "cordon", "uncordon", "taint", "top", "autoscale", "wait", "explain", "set", "cp", "port-forward")
	case "docker", "podman":
		return isOneOf(verb, "rm", "rmi", "stop", "start", "restart", "kill", "pull", "push", "tag", "rename", "pause", "unpause", "logs", "inspect", "volume", "network", "image")
	case "helm":
		return isOneOf(verb, "install", "upgrade", "uninstall", "rollback", "list", "status", "get", "history", "show", "template")
	}
	return false
}
