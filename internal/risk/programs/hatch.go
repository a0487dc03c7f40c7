package programs

import (
	"slices"
	"strings"
)

// hatches are the functions of programs that read and print, and have a way out to a
// shell or to files in the words that they take.
func hatches(name string) func(l *findings) {
	switch name {
	case "less", "more", "most", "pg", "zless", "zmore", "bzless", "bzmore", "xzless", "xzmore", "lzless", "lzmore":
		return pages
	case "dc":
		return dc
	case "jobs":
		return jobs
	case "calc", "mlr", "lnav":
		return scripted
	case "multitail":
		return multitail
	case "ldd", "pydoc", "pydoc3":
		return loads
	case "split", "csplit", "gsplit":
		return splits
	case "perf", "gdb", "lldb", "proot":
		return behindWords
	case "fzf", "sk":
		return picks
	case "identify", "soxi":
		return opensBy
	case "exiftool":
		return exiftool
	case "ffmpeg", "convert", "magick", "sox", "avconv", "qpdf", "pdftk", "ps2pdf", "cwebp", "dwebp", "gifsicle", "pngquant", "rsvg-convert":
		return converts
	case "pdftotext":
		return pdftotext
	case "jq", "gojq", "jaq", "yq":
		return filters
	}
	return nil
}

// pages judges a pager: behind a plus stands what it is to do first, as if typed.
func pages(l *findings) {
	byTable(l)
	for _, w := range l.Args() {
		t, first := strings.CutPrefix(w.Text, "+")
		t = strings.TrimLeft(t, "+")
		if !first || t == "" || strings.Trim(t, "0123456789") == "" || isOneOf(t, "F", "G", "g") {
			continue
		}
		if (t[0] == '/' || t[0] == '?') && !strings.ContainsAny(t, "\r\n") && !w.Hole {
			continue // a search; a line that ends in it would be followed by more
		}
		l.Danger("gives a pager commands to run", w)
	}
}

// dc runs a line of a shell behind "!", unless it compares.
func dc(l *findings) {
	byTable(l)
	words := l.Args()
	for _, b := range l.Before {
		words = append(words[:len(words):len(words)], b...)
	}
	for _, w := range words {
		for rest := w.Text; ; {
			_, after, ok := strings.Cut(rest, "!")
			if !ok {
				break
			}
			if after == "" || !strings.ContainsAny(after[:1], "<>=") {
				l.Danger("a calculator that is told to run a command", w)
				break
			}
			rest = after
		}
	}
	flags, operands := parse(l.Args(), flagSpec{Args: "ef", Longs: []string{"--expression", "--file"}})
	if f, ok := has(flags, "-f", "--file"); ok {
		l.Caution("runs what a file says", f.Word)
	}
	if len(operands) > 0 {
		l.Caution("runs what a file says", operands[0])
	}
	if l.Input && !l.Doc || l.Piped && !printed(l.Before) {
		l.Caution("runs what it is fed", l.Words[0])
	}
}

// jobs -x runs what stands behind it.
func jobs(l *findings) {
	byTable(l)
	for i, w := range l.Args() {
		if IsFlag(w) && strings.Contains(w.Text, "x") {
			l.Caution("runs a command", w)
			l.Run(l.Args()[i+1:], false)
			return
		}
	}
}

// printed says that what a command is fed stands in the line.
func printed(before [][]Word) bool {
	for _, b := range before {
		if name, _ := NameOf(b[0].Text); !isOneOf(name, "echo", "printf") {
			return false
		}
		for _, w := range b {
			if w.Hole {
				return false
			}
		}
	}
	return len(before) > 0
}

// scripted judges a program with a small language of its own.
func scripted(l *findings) {
	byTable(l)
	for i, w := range l.Args() {
		switch {
		case HasAny(w.Text, "system(", "system (", "exec(", "exec (", "shexec", "popen(") || l.Name == "calc" && strings.HasPrefix(strings.TrimSpace(w.Text), "!"):
			l.Danger("runs a command from a program of its own", w)
		case l.Name == "mlr" && HasAny(w.Text, "tee ", "dump >", "emit", "print", "prepipe") && HasAny(w.Text, ">", "|"):
			l.Caution("may write files, or run a command", w)
		case l.Name == "mlr" && isOneOf(w.Text, "--prepipe", "--prepipex", "--prepipe-bz2") && i+1 < len(l.Args()):
			next := l.Args()[i+1]
			l.Shell(next.Text, next, false)
		case l.Name == "lnav" && isOneOf(w.Text, "-c", "-f", "-e"), l.Name == "calc" && isOneOf(w.Text, "-f", "-c"), l.Name == "mlr" && isOneOf(w.Text, "-f", "-s", "split", "tee", "case"):
			l.Caution("is given commands of its own", w)
		}
	}
}

// multitail shows the output of commands, too.
func multitail(l *findings) {
	byTable(l)
	args := l.Args()
	for i, w := range args {
		if isOneOf(w.Text, "-l", "-L", "-r", "-R", "-ex", "-eX") && i+1 < len(args) {
			l.Caution("runs a command", w)
			l.Shell(args[i+1].Text, args[i+1], false)
		}
	}
}

// loads judges a program that runs, or may run, the file it reports on.
func loads(l *findings) {
	byTable(l)
	for _, w := range l.Args() {
		if IsFlag(w) || w.Text == "" {
			continue
		}
		if l.Name == "ldd" && HasPrefixAny(w.Text, "/bin/", "/usr/", "/lib", "/sbin/") && !strings.Contains(w.Text, "..") ||
			l.Name != "ldd" && !strings.ContainsAny(w.Text, "/$") && !strings.HasSuffix(w.Text, ".py") {
			continue
		}
		l.Caution("may run the file that it tells about", w)
	}
}

// splits judges split, which hands the parts to a command.
func splits(l *findings) {
	if !byTable(l) {
		l.Caution("makes files", l.Words[0])
	}
	flags, _ := parse(l.Args(), flagSpec{Args: "abCnlt", Longs: []string{"--filter"}})
	if f, ok := has(flags, "--filter"); ok {
		l.Shell(f.Value, f.Arg, false)
	}
}

// behindWords judges a program that starts the command behind its own words: each
// word may be its beginning.
func behindWords(l *findings) {
	if !byTable(l) {
		l.Caution("runs a command", l.Words[0])
	}
	args := l.Args()
	switch {
	case l.Name == "perf" && (len(args) == 0 || !isOneOf(args[0].Text, "stat", "record", "trace", "mem", "c2c", "kvm", "lock", "sched")):
		return
	case isOneOf(l.Name, "gdb", "lldb"):
		at := slices.IndexFunc(args, func(w Word) bool { return isOneOf(w.Text, "--args", "-args", "--") })
		args = args[at+1:]
		if at < 0 {
			return
		}
	}
	for i, w := range args[:min(len(args), 12)] {
		if !IsFlag(w) {
			runKnown(l, args[i:])
		}
	}
}

// picks judges a list to choose from, which runs commands on what is chosen.
func picks(l *findings) {
	if !byTable(l) {
		l.Caution("may run commands on what is chosen", l.Words[0])
	}
	args := l.Args()
	for i, w := range args {
		name, value, given := strings.Cut(w.Text, "=")
		if !isOneOf(name, "--preview", "--bind") {
			continue
		}
		at := w
		if !given && i+1 < len(args) {
			at = args[i+1]
			value = at.Text
		}
		if name == "--bind" {
			for _, open := range []string{"execute(", "execute-silent(", "become(", "reload(", "transform(", "execute:", "become:", "reload:"} {
				if _, code, ok := strings.Cut(value, open); ok {
					l.Shell(strings.TrimSuffix(code, ")"), at, false)
				}
			}
			continue
		}
		l.Shell(value, at, false)
	}
}

// opensBy judges programs that take more than names of files: a bar begins a command, a
// colon another way to read, which may remove the file or ask another machine.
func opensBy(l *findings) {
	byTable(l)
	_, operands := parse(l.Args(), flagSpec{Single: l.Name == "identify", Longs: []string{"-format"}})
	for _, w := range operands {
		name := strings.ToLower(w.Text)
		switch {
		case strings.HasPrefix(strings.TrimSpace(name), "|"):
			l.Danger("runs a command", w)
			l.Shell(strings.TrimPrefix(strings.TrimSpace(w.Text), "|"), w, false)
		case strings.HasPrefix(name, "ephemeral:"):
			l.Danger("removes the file that it shows", w)
		case HasPrefixAny(name, "msl:", "mvg:", "ephemeral:", "show:", "win:", "plasma:file", "url:", "http:", "https:", "ftp:"), strings.HasPrefix(name, "@"), HasAny(name, "@/", ":@"):
			l.Danger("is read as commands, or from elsewhere", w)
		case strings.ContainsAny(name, ":|@"), w.Hole && !strings.ContainsAny(name, "./"), strings.HasPrefix(name, "-") && name != "-":
			l.Caution("may be read in another way than as a file", w)
		case l.Name == "identify" && HasAny(name, ".pdf", ".ps", ".eps", ".svg", ".mvg", ".msl", ".xps", ".ai", ".mp4", ".mov"):
			l.Caution("is read by another program", w)
		}
	}
}

// converts judges a program whose last word is the file that it writes, or which names
// such files behind a sign.
func converts(l *findings) {
	if !byTable(l) {
		l.Caution("makes or changes files", l.Words[0])
	}
	if len(l.Args()) > 0 && l.Worst() == Safe && len(l.Operations) == 0 && isOneOf(l.Name, "sox", "qpdf", "pdftk", "gifsicle") {
		return // a row says that it only looks
	}
	args := l.Args()
	last := -1
	for i, w := range args {
		if !IsFlag(w) {
			last = i
		}
		name := strings.ToLower(strings.TrimSpace(w.Text))
		if l.Name != "ffmpeg" && (HasPrefixAny(name, "msl:", "ephemeral:", "show:", "text:@", "label:@", "caption:@", "@/", "|") || HasAny(name, ":@/", ":@~")) {
			l.Danger("is read as commands, removes what it shows, or reads another file", w)
		}
		if HasPrefixAny(name, "concat:/", "subfile,", "file:/etc", "file:/root") {
			l.Danger("reads a file in another way than by its name", w)
		}
		if l.Name == "ffmpeg" && i > 0 && args[i-1].Text != "-i" && strings.Contains(name, "://") && !IsFlag(w) {
			l.Danger("sends to another machine", w)
		}
	}
	if len(args) < 2 {
		return
	}
	for i, w := range args {
		if IsFlag(w) || i > 0 && args[i-1].Text == "-i" || i < last && !strings.Contains(w.Text, "/") || l.Name != "ffmpeg" && i < last {
			continue
		}
		for _, part := range strings.FieldsFunc(w.Text, func(r rune) bool { return strings.ContainsRune("]|:", r) }) {
			if !strings.HasPrefix(part, "[") {
				out := w
				out.Text = part
				l.Operation(Write, out)
			}
		}
	}
}

// exiftool prints the tags that are named; with a sign in it a tag is set.
func exiftool(l *findings) {
	for _, w := range l.Args() {
		t := w.Text
		if len(t) < 2 || t[0] != '-' || t == "--" {
			if strings.HasPrefix(strings.TrimSpace(t), "|") || strings.HasSuffix(strings.TrimSpace(t), "|") {
				l.Danger("runs a command", w)
			}
			continue
		}
		letters := strings.Trim(t[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:#") == ""
		switch {
		case isOneOf(t, "-s", "-S", "-a", "-u", "-n", "-j", "-json", "-csv", "-r", "-ee", "-T", "-t", "-fast", "-G", "-G1", "-G0", "-g", "-g1", "-l", "-q", "-f", "-c", "-d", "-b", "-ver", "-all", "-X", "-list", "-s3", "-s2", "-p"):
		case letters && t[1] >= 'A' && t[1] <= 'Z' && len(t) > 3:
		case HasPrefixAny(t, "-if", "-config", "-execute", "-@", "-stay_open", "-api", "-use"):
			l.Danger("gives a program code or commands to run: "+t, w)
		default:
			l.Caution("an option that may write: "+t, w)
		}
	}
}

// pdftotext writes a file beside the one that it reads, unless it is told to print.
func pdftotext(l *findings) {
	_, operands := parse(l.Args(), flagSpec{Single: true, Longs: []string{"-f", "-l", "-r", "-x", "-y", "-W", "-H", "-fixed", "-enc", "-eol", "-colspacing", "-opw", "-upw"}})
	if len(operands) == 2 && operands[1].Text == "-" {
		return // its options only say how it prints
	}
	l.Caution("writes a file", l.Words[0])
	if len(operands) > 1 {
		l.Operation(Write, operands[1])
	}
}

// filters can show the environment, or files beside those that are named.
func filters(l *findings) {
	byTable(l)
	if l.Name == "yq" && hasFlag(l.Args(), "-i", "--inplace", "-yi", "-iy") {
		for _, w := range l.Args() {
			if !IsFlag(w) && strings.ContainsAny(w.Text, "/.~") && !strings.Contains(w.Text, " ") {
				l.Operation(Write, w)
			}
		}
	}
	for _, w := range l.Args() {
		t := w.Text
		if HasAny(t, "$ENV", "$__prog") || t == "env" || HasAny(t, "env.", "env|", "env |", "|env", "| env", "strenv(", "env(", "envsubst", "load(", "load_str(", "system(", "input_filename|", "get_search_list") && !HasAny(t, ".env.", ".env|", ".env |") {
			l.Caution("shows the environment, or a file that is not named", w)
		}
	}
}
