package programs

import "strings"

// files are the functions of programs that change files.
func (l *look) files() func() {
	switch l.name {
	case "rm", "unlink", "rmdir", "trash", "trash-put", "gio":
		return l.rm
	case "shred", "wipe", "srm":
		return l.shred
	case "find", "gfind":
		return l.find
	case "chmod", "chown", "chgrp", "chattr", "setfacl":
		return l.rights
	case "dd", "dcfldd", "dc3dd":
		return l.dd
	case "cp", "mv", "install", "ln":
		return l.copies
	case "tee", "sponge":
		return l.tee
	case "truncate":
		return l.truncate
	case "touch", "mkdir", "mkfifo", "patch", "mknod":
		return l.makes
	case "tar", "bsdtar", "gtar":
		return l.tar
	case "rsync":
		return l.rsync
	case "scp", "sftp":
		return l.scp
	}
	return nil
}

func (l *look) rm() {
	flags, operands := parse(l.args(), spec{})
	deep := with(flags, "-r", "-R", "--recursive", "--parents")
	if l.name == "rmdir" {
		deep = false
	}
	for _, f := range flags {
		if f.name == "--no-preserve-root" || strings.HasPrefix(f.name, "--no-p") {
			l.danger("lets the root directory be removed", f.word)
		}
	}
	for _, w := range operands {
		l.Deeds = append(l.Deeds, Deed{Act: Remove, Words: []Word{w}, Word: w, Deep: deep, Root: l.Root})
	}
	l.caution("removes files", l.Words[0])
	if l.IsFed && l.name != "rmdir" {
		l.fed("removes every file that a search finds", deep)
	}
}

// fed judges a change of all files that a command gets from elsewhere.
func (l *look) fed(why string, deep bool) {
	switch kind := narrow(l.Fed); {
	case kind == few && !deep, kind == few && !l.Root:
		l.caution(why, l.Words[0])
	default:
		l.danger(why, l.Words[0])
	}
}

type width uint8

const (
	unknown width = iota // it is not known what is found
	few                  // files of a kind that is made to be thrown away, old ones, or one name
	many
)

// narrow says how much the find in words finds.
func narrow(words []Word) width {
	if len(words) == 0 {
		return unknown
	}
	if name, _ := nameOf(words[0].Text); name != "find" {
		return unknown
	}
	width := many
	for i, w := range words[1:] {
		next := ""
		if i+2 < len(words) {
			next = words[i+2].Text
		}
		switch w.Text {
		case "!", "-not", "-o", "-or":
			return many
		case "-name", "-iname", "-path", "-wholename", "-regex":
			if junk(next) {
				width = few
			}
		case "-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-empty":
			if w.Text == "-empty" || strings.HasPrefix(next, "+") {
				width = few
			}
		case "-size":
			if next == "0" {
				width = few
			}
		}
		if (w.Text == "/" || w.Text == "~" || w.Text == "$HOME" || w.Text == "/etc" || w.Text == "/usr" || w.Text == "/home") && i < 6 {
			return many
		}
	}
	return width
}

// junk says that a pattern matches one name, or what editors and compilers leave.
func junk(pattern string) bool {
	if pattern == "" {
		return false
	}
	if !strings.ContainsAny(pattern, "*?[$") {
		return true
	}
	for _, end := range []string{"~", ".bak", ".tmp", ".temp", ".swp", ".swo", ".orig", ".rej", ".pyc", ".pyo", ".o", ".class", ".cache", ".old", ".DS_Store", "#", ".gz", ".zip", ".log.1", ".core"} {
		if strings.HasSuffix(pattern, end) {
			return true
		}
	}
	return strings.Trim(pattern, "*?.") != "" && !strings.HasPrefix(pattern, "*") && !strings.HasPrefix(pattern, "?")
}

func (l *look) shred() {
	l.danger("overwrites files so that nobody gets them back", l.Words[0])
}

// find: everything that does no more than test and print is harmless.
func (l *look) find() {
	args := l.args()
	i := 0
	for i < len(args) {
		t := args[i].Text
		if in(t, "-H", "-L", "-P", "-E", "-x", "-X", "-d", "-s") || strings.HasPrefix(t, "-O") {
			i++
		} else if t == "-D" || t == "-f" {
			i += 2
		} else {
			break
		}
	}
	for i < len(args) && !strings.HasPrefix(args[i].Text, "-") && !in(args[i].Text, "(", ")", "!", ",") {
		i++ // where it begins
	}
	for ; i < len(args); i++ {
		w := args[i]
		switch t := w.Text; {
		case in(t, "(", ")", "!", ",", "-a", "-and", "-o", "-or", "-not", "-print", "-print0", "-ls", "-prune", "-quit", "-true", "-false", "-empty", "-executable", "-readable", "-writable", "-nogroup", "-nouser", "-depth", "-d", "-mount", "-xdev", "-daystart", "-follow", "-noleaf", "-ignore_readdir_race", "-noignore_readdir_race", "-warn", "-nowarn", "-regextype", "-help", "-version", "-print0x", "-X", "-x"):
			if t == "-regextype" {
				i++
			}
		case in(t, "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-lname", "-ilname", "-type", "-xtype", "-size", "-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-newer", "-anewer", "-cnewer", "-user", "-group", "-uid", "-gid", "-perm", "-maxdepth", "-mindepth", "-links", "-inum", "-samefile", "-fstype", "-used", "-context", "-printf", "-flags", "-Bmin", "-Btime", "-depth-n", "-files0-from", "-xattr", "-xattrname"), strings.HasPrefix(t, "-newer"):
			i++
		case t == "-delete":
			switch kind := narrow(l.Words); {
			case kind == few && !l.Root:
				l.caution("removes what it finds", w)
			default:
				l.danger("removes everything that it finds", w)
			}
		case in(t, "-exec", "-execdir", "-ok", "-okdir"):
			end := i + 1
			for end < len(args) && args[end].Text != ";" && !(args[end].Text == "+" && end > 0 && strings.HasSuffix(args[end-1].Text, "}")) {
				end++
			}
			if cmd := args[i+1 : end]; len(cmd) > 0 {
				l.runFed(cmd, l.Words)
				if strings.HasPrefix(cmd[0].Text, "{}") {
					l.danger("runs what it finds", cmd[0])
				}
			}
			i = end
		case in(t, "-fprint", "-fprint0", "-fls", "-fprintf"):
			if i+1 < len(args) {
				i++
				l.deed(Write, args[i])
				if t == "-fprintf" {
					i++
				}
			}
		case w.Hole, t == "":
			if w.Subst || w.Tainted || w.Hole && w.Split && strings.HasPrefix(t, "$") && !strings.Contains(t, "/") {
				l.caution("an expression that is not known before", w)
			}
		case len(t) > 1 && t[0] == '-' && strings.Trim(t, "-") != "":
			l.caution("an expression of find that is not known", w)
		}
	}
	if l.IsFed {
		for _, w := range args {
			if in(w.Text, "-exec", "-delete") {
				l.caution("gets words that are not known before", l.Words[0])
			}
		}
	}
}

func (l *look) rights() {
	flags, operands := parse(l.args(), spec{args: "mxnp", longs: []string{"--reference", "--modify", "--remove", "--from"}})
	if l.name == "chmod" { // -x, -rw are modes
		flags, operands = nil, nil
		for _, w := range l.args() {
			t := w.Text
			if in(t, "-R", "--recursive", "-v", "-c", "-f", "-Rv", "-vR", "-Rf", "-fR", "--verbose", "--changes", "--silent", "--quiet", "--preserve-root", "--no-preserve-root", "-cR", "-Rc", "-h") || strings.HasPrefix(t, "--reference") {
				flags = append(flags, flag{name: t, word: w})
				if strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") && strings.Contains(t, "R") {
					flags = append(flags, flag{name: "-R", word: w})
				}
				if strings.HasPrefix(t, "--reference") {
					operands = append(operands, Word{})
				}
				continue
			}
			operands = append(operands, w)
		}
	}
	deep := with(flags, "-R", "--recursive")
	l.caution("changes rights or owner", l.Words[0])
	if len(operands) > 0 {
		mode := operands[0]
		switch {
		case l.name == "chmod" && (strings.Contains(mode.Text, "s") || len(mode.Text) == 4 && mode.Text[0] >= '2' && mode.Text[0] <= '7' || len(mode.Text) == 5 && mode.Text[0] == '0' && mode.Text[1] >= '2'):
			l.danger("lets a program run with other rights", mode)
		case l.name == "chmod" && in(mode.Text, "777", "0777", "a+rwx", "666", "a=rwx", "o+w", "ugo+rwx", "a+w", "000", "0000", "0666", "+w") && (deep || l.IsFed):
			l.danger("lets everybody change, or nobody read, a whole tree", mode)
		case l.name == "chattr" && hasAny(text(operands), "i", "a") && hasAny(text(l.args()), "-i", "-a", "+i", "-R"):
			l.danger("changes what guards a file", mode)
		}
		for _, w := range operands[1:] {
			l.Deeds = append(l.Deeds, Deed{Act: Alter, Words: []Word{w}, Word: w, Deep: deep, Root: l.Root})
		}
	}
	if l.IsFed {
		if l.bounded() && !deep {
			l.caution("changes rights of all files that a search finds", l.Words[0])
		} else {
			l.danger("changes rights of a whole tree", l.Words[0])
		}
	}
}

// bounded says that the find that feeds a command begins in one named directory.
func (l *look) bounded() bool {
	if len(l.Fed) < 2 {
		return false
	}
	if name, _ := nameOf(l.Fed[0].Text); name != "find" {
		return false
	}
	dir := l.Fed[1].Text
	for i, w := range l.Fed {
		if w.Text == "-maxdepth" && i+1 < len(l.Fed) && in(l.Fed[i+1].Text, "1", "0") {
			return true
		}
	}
	return !isFlag(l.Fed[1]) && !l.Fed[1].Hole && dir != "" && !strings.ContainsAny(dir[:1], "./~$") && dir != "(" && dir != "!"
}

func (l *look) dd() {
	l.caution("copies bytes", l.Words[0])
	for _, w := range l.args() {
		if name, ok := strings.CutPrefix(w.Text, "of="); ok {
			out := w
			out.Text = name
			if strings.HasPrefix(name, "/dev/") && !in(name, "/dev/null", "/dev/stdout") {
				l.danger("overwrites a device", w)
			}
			l.deed(Write, out)
			for _, v := range l.args() {
				if in(v.Text, "if=/dev/zero", "if=/dev/urandom", "if=/dev/random", "if=/dev/null") && !l.has("count") {
					l.danger("overwrites a file with nothing", v)
				}
			}
		}
		if name, ok := strings.CutPrefix(w.Text, "if="); ok && l.Root && strings.HasPrefix(name, "/dev/") {
			l.caution("reads a device", w)
		}
	}
}

func (l *look) has(name string) bool {
	for _, w := range l.args() {
		if strings.HasPrefix(w.Text, name+"=") {
			return true
		}
	}
	return false
}

func (l *look) copies() {
	flags, operands := parse(l.args(), spec{args: "tSmog", longs: []string{"--target-directory", "--suffix", "--mode", "--owner", "--group", "--strip-program"}})
	l.caution("makes or changes files", l.Words[0])
	if f, ok := has(flags, "--strip-program"); ok {
		l.danger("runs a program", f.word)
	}
	if f, ok := has(flags, "-m", "--mode"); ok && l.name == "install" && len(f.value) == 4 && f.value[0] >= '2' {
		l.danger("lets a program run with other rights", f.arg)
	}
	target := Word{}
	if f, ok := has(flags, "-t", "--target-directory"); ok {
		target = f.arg
		target.Text = f.value
	} else if len(operands) > 1 {
		target = operands[len(operands)-1]
		operands = operands[:len(operands)-1]
	}
	if target.Text != "" {
		// A file copied into a directory has its own name there.
		l.deed(Write, target)
		for _, w := range operands {
			if strings.Contains(w.Text, "/") || w.Text != "" {
				into := target
				into.Text = strings.TrimSuffix(target.Text, "/") + "/" + w.Text[strings.LastIndexByte(w.Text, '/')+1:]
				if strings.HasSuffix(target.Text, "/") || in(target.Text, ".", "..", "~", "$HOME") {
					l.deed(Write, into)
				}
			}
		}
	}
	for _, w := range operands {
		switch {
		case l.name == "mv":
			l.Deeds = append(l.Deeds, Deed{Act: Move, Words: []Word{w}, Word: w, Root: l.Root})
		case l.name == "cp" && strings.HasPrefix(w.Text, "/dev/") && target.Text != "":
			l.danger("overwrites a file with what a device gives", w)
		}
	}
	if l.name == "mv" && in(target.Text, "/dev/null") {
		l.danger("throws files away", target)
	}
	if l.IsFed && l.name == "mv" && target.Text == "/dev/null" {
		l.danger("throws files away", target)
	}
}

func (l *look) tee() {
	_, operands := parse(l.args(), spec{})
	for _, w := range operands {
		l.deed(Write, w)
	}
	if l.IsFed {
		l.caution("writes files that are not known before", l.Words[0])
	}
	if l.name == "sponge" && l.Input && !l.Piped {
		l.danger("replaces a file by what it is fed", l.Words[0])
	}
	if len(operands) == 0 && l.name == "tee" {
		return
	}
}

func (l *look) truncate() {
	flags, operands := parse(l.args(), spec{args: "srs", longs: []string{"--size", "--reference"}})
	for _, w := range operands {
		l.deed(Write, w)
	}
	f, _ := has(flags, "-s", "--size")
	if strings.HasPrefix(f.value, "+") {
		l.caution("makes a file longer", l.Words[0])
		return
	}
	l.danger("cuts a file off", l.Words[0])
}

func (l *look) makes() {
	_, operands := parse(l.args(), spec{args: "drtmpiZ", longs: []string{"--date", "--reference", "--time", "--mode", "--input"}})
	l.caution("makes or changes files", l.Words[0])
	for _, w := range operands {
		l.deed(Write, w)
	}
	if l.name == "mknod" {
		l.danger("makes a device", l.Words[0])
	}
}

func (l *look) tar() {
	args := l.args()
	list, extract, dir := false, false, Word{}
	for i, w := range args {
		t := w.Text
		switch {
		case hasPrefixAny(t, "--to-command", "--use-compress", "--checkpoint-action", "--info-script", "--new-volume-script", "--rsh-command", "--rmt-command"):
			l.danger("runs a program", w)
			if _, cmd, ok := strings.Cut(t, "exec="); ok {
				l.shell(strings.Trim(cmd, `'"`), w, false)
			}
		case hasPrefixAny(t, "--to-c", "--use", "--checkpoint-a", "--info-s", "--new-v", "--rsh", "--rmt") && t != "--use":
			l.danger("runs a program", w)
		case hasPrefixAny(t, "--remove-f", "--unlink", "--recursive-unlink"):
			l.danger("removes files", w)
		case hasPrefixAny(t, "--absolute", "--overwrite-dir"):
			l.caution("may write anywhere", w)
		case t == "--list":
			list = true
		case t == "--extract" || t == "--get":
			extract = true
		case t == "--delete":
			l.caution("changes an archive", w)
		case strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") || i == 0 && !strings.HasPrefix(t, "-"):
			letters := strings.TrimPrefix(t, "-")
			list = list || strings.Contains(letters, "t")
			extract = extract || strings.Contains(letters, "x")
			if strings.ContainsAny(letters, "IF") {
				l.danger("runs a program", w)
			}
			if strings.Contains(letters, "P") {
				l.caution("may write anywhere", w)
			}
			if strings.HasSuffix(letters, "C") && i+1 < len(args) {
				dir = args[i+1]
			}
		case strings.HasPrefix(t, "--directory="):
			dir = w
			dir.Text = t[len("--directory="):]
		}
	}
	if list && !extract && !l.writesArchive() {
		return
	}
	l.caution("makes or changes files", l.Words[0])
	if dir.Text != "" && extract {
		l.deed(Write, dir)
	}
}

func (l *look) writesArchive() bool {
	for i, w := range l.args() {
		if t := w.Text; (i == 0 || strings.HasPrefix(t, "-")) && !strings.HasPrefix(t, "--") && strings.ContainsAny(t, "crux") && !strings.ContainsAny(t, "/.") {
			return true
		}
	}
	return false
}

func hasPrefixAny(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func (l *look) rsync() {
	flags, operands := parse(l.args(), spec{args: "efBTM", longs: []string{"--rsh", "--exclude", "--include", "--filter", "--exclude-from", "--include-from", "--rsync-path", "--password-file", "--backup-dir", "--temp-dir", "--log-file", "--bwlimit", "--port", "--chmod", "--chown", "--files-from", "--suffix", "--timeout", "--max-size", "--min-size", "--compare-dest", "--link-dest", "--out-format", "--partial-dir", "--remote-option"}})
	l.caution("copies files", l.Words[0])
	for _, f := range flags {
		switch {
		case in(f.name, "-e", "--rsh"):
			if name, _ := nameOf(strings.Fields(f.value + " x")[0]); name != "ssh" || hasAnyFold(f.value, "proxycommand", "localcommand", "knownhostscommand") {
				l.danger("runs a program", f.arg)
			}
		case f.name == "--rsync-path":
			if name, _ := nameOf(f.value); name != "rsync" && f.value != "sudo rsync" {
				l.danger("runs a program", f.arg)
			}
		case strings.HasPrefix(f.name, "--delete"), f.name == "--del", f.name == "--remove-source-files", f.name == "--force":
			l.danger("removes files that the other side has not, or has", f.word)
		}
	}
	l.transfer(operands)
}

// transfer judges a copy between machines, the last word being where to.
func (l *look) transfer(operands []Word) {
	if len(operands) < 2 {
		return
	}
	to := operands[len(operands)-1]
	if remote(to) {
		for _, w := range operands[:len(operands)-1] {
			if !remote(w) {
				l.deed(Send, w)
			}
		}
		return
	}
	l.deed(Write, to)
}

func remote(w Word) bool {
	i := strings.IndexByte(w.Text, ':')
	return i > 0 && !strings.Contains(w.Text[:i], "/") || strings.HasPrefix(w.Text, "rsync://") || strings.HasPrefix(w.Text, "scp://")
}

func (l *look) scp() {
	flags, operands := parse(l.args(), spec{args: "PiocFSJlDX"})
	l.caution("copies files between machines", l.Words[0])
	for _, f := range flags {
		if f.name == "-S" || f.name == "-D" || f.name == "-o" && hasAnyFold(f.value, "proxycommand", "localcommand", "knownhostscommand") || f.name == "-F" {
			l.danger("runs a program", f.word)
		}
	}
	l.transfer(operands)
}
