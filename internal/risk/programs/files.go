package programs

import (
	"strings"
)

// ChangesFiles reports whether a program of that name does one thing to the files that it is given, so that it has no verb.
func ChangesFiles(name string) bool { return changeFiles(name) != nil }

// changeFiles is the function that judges a program of that name; nil: it is no program that
// changes files.
func changeFiles(name string) func(l *findings) {
	switch name {
	case "rm", "unlink", "rmdir", "trash", "trash-put", "gio":
		return rm
	case "shred", "wipe", "srm":
		return shred
	case "find", "gfind":
		return find
	case "chmod", "chown", "chgrp", "chattr", "setfacl":
		return rights
	case "dd", "dcfldd", "dc3dd":
		return dd
	case "cp", "mv", "install", "ln":
		return copies
	case "tee", "sponge":
		return tee
	case "truncate":
		return truncate
	case "touch", "mkdir", "mkfifo", "patch", "mknod":
		return makes
	case "tar", "bsdtar", "gtar":
		return tar
	case "rsync":
		return rsync
	case "scp", "sftp":
		return scp
	}
	return nil
}

func rm(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{})
	deep := with(flags, "-r", "-R", "--recursive", "--parents")
	if l.Name == "rmdir" {
		deep = false
	}
	for _, f := range flags {
		if f.Name == "--no-preserve-root" || strings.HasPrefix(f.Name, "--no-p") {
			l.Danger("lets the root directory be removed", f.Word)
		}
	}
	for _, w := range operands {
		if l.Name == "rmdir" { // it removes what is empty
			l.Operation(Write, w)
			continue
		}
		if deep && w.Glob && strings.HasPrefix(w.Text, "*") {
			l.Danger("removes everything that a pattern matches, with all below it", w)
		}
		l.Operations = append(l.Operations, Operation{Act: Remove, Words: []Word{w}, Word: w, Deep: deep, Root: l.Root})
	}
	l.Caution("removes files", l.Words[0])
	if l.IsFed && l.Name != "rmdir" {
		fed(l, "removes every file that a search finds", deep)
	}
}

// fed judges a change of all files that a command gets from elsewhere.
func fed(l *findings, why string, deep bool) {
	switch kind := narrow(l.Fed); {
	case kind == few && !deep, kind == few && !l.Root:
		l.Caution(why, l.Words[0])
	default:
		l.Danger(why, l.Words[0])
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
	if name, _ := NameOf(words[0].Text); name != "find" {
		return unknown
	}
	width, old, named := many, false, false
	for i, w := range words[1:] {
		next := ""
		if i+2 < len(words) {
			next = words[i+2].Text
		}
		switch w.Text {
		case "!", "-not", "-o", "-or":
			return many
		case "-name", "-iname", "-path", "-wholename", "-regex":
			named = true
			if junk(next) {
				width = few
			}
		case "-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin":
			old = old || strings.HasPrefix(next, "+")
		case "-empty":
			width = few
		case "-size":
			if next == "0" {
				width = few
			}
		}
		if (w.Text == "/" || w.Text == "~" || w.Text == "$HOME" || w.Text == "/etc" || w.Text == "/usr" || w.Text == "/home") && i < 6 {
			return many
		}
	}
	if old && named {
		return few
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
	for _, end := range []string{"~", ".bak", ".tmp", ".temp", ".swp", ".swo", ".orig", ".rej", ".pyc", ".pyo", ".o", ".class", ".old", ".DS_Store", "#", ".core"} {
		if strings.HasSuffix(pattern, end) {
			return true
		}
	}
	return len(strings.TrimRight(pattern, "*?")) >= 3 && !strings.ContainsAny(strings.TrimRight(pattern, "*?"), "*?[")
}

func shred(l *findings) {
	l.Danger("overwrites files so that nobody gets them back", l.Words[0])
}

// find: everything that does no more than test and print is harmless.
func find(l *findings) {
	args := l.Args()
	i := 0
	for i < len(args) {
		t := args[i].Text
		if isOneOf(t, "-H", "-L", "-P", "-E", "-x", "-X", "-d", "-s") || strings.HasPrefix(t, "-O") {
			i++
		} else if t == "-D" || t == "-f" {
			i += 2
		} else {
			break
		}
	}
	for i < len(args) && !strings.HasPrefix(args[i].Text, "-") && !isOneOf(args[i].Text, "(", ")", "!", ",") {
		i++ // where it begins
	}
	for ; i < len(args); i++ {
		w := args[i]
		switch t := w.Text; {
		case isOneOf(t, "(", ")", "!", ",", "-a", "-and", "-o", "-or", "-not", "-print", "-print0", "-ls", "-prune", "-quit", "-true", "-false", "-empty", "-executable", "-readable", "-writable", "-nogroup", "-nouser", "-depth", "-d", "-mount", "-xdev", "-daystart", "-follow", "-noleaf", "-ignore_readdir_race", "-noignore_readdir_race", "-warn", "-nowarn", "-regextype", "-help", "-version", "-X", "-x", "-xattr"):
			if t == "-regextype" {
				i++
			}
		case isOneOf(t, "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-lname", "-ilname", "-type", "-xtype", "-size", "-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-newer", "-anewer", "-cnewer", "-user", "-group", "-uid", "-gid", "-perm", "-maxdepth", "-mindepth", "-links", "-inum", "-samefile", "-fstype", "-used", "-context", "-printf", "-flags", "-Bmin", "-Btime", "-depth-n", "-files0-from", "-xattrname"), strings.HasPrefix(t, "-newer"):
			i++
		case t == "-delete":
			switch kind := narrow(l.Words); {
			case kind == few && !l.Root:
				l.Caution("removes what it finds", w)
			default:
				l.Danger("removes everything that it finds", w)
			}
		case isOneOf(t, "-exec", "-execdir", "-ok", "-okdir"):
			end := i + 1
			for end < len(args) && args[end].Text != ";" && !(args[end].Text == "+" && end > 0 && strings.HasSuffix(args[end-1].Text, "}")) {
				end++
			}
			if cmd := args[i+1 : end]; len(cmd) > 0 {
				l.RunFed(cmd, l.Words)
				l.Operations[len(l.Operations)-1].Away = isOneOf(w.Text, "-execdir", "-okdir")
				if strings.HasPrefix(cmd[0].Text, "{}") {
					l.Danger("runs what it finds", cmd[0])
				}
			}
			i = end
		case isOneOf(t, "-fprint", "-fprint0", "-fls", "-fprintf"):
			if i+1 < len(args) {
				i++
				l.Operation(Write, args[i])
				if t == "-fprintf" {
					i++
				}
			}
		case w.Hole, t == "":
			if w.Subst || w.Tainted || w.Set || w.Hole && w.Split && strings.HasPrefix(t, "$") && !strings.Contains(t, "/") {
				l.Caution("an expression that is not known before", w)
			}
		case len(t) > 1 && t[0] == '-' && strings.Trim(t, "-") != "":
			l.Caution("an expression of find that is not known", w)
		}
	}
	if l.IsFed {
		for _, w := range args {
			if isOneOf(w.Text, "-exec", "-delete") {
				l.Caution("gets words that are not known before", l.Words[0])
			}
		}
	}
}

func rights(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "mxnp", Longs: []string{"--reference", "--modify", "--remove", "--from"}})
	if l.Name == "chmod" { // -x, -rw are modes
		flags, operands = nil, nil
		for _, w := range l.Args() {
			t := w.Text
			if isOneOf(t, "-R", "--recursive", "-v", "-c", "-f", "-Rv", "-vR", "-Rf", "-fR", "--verbose", "--changes", "--silent", "--quiet", "--preserve-root", "--no-preserve-root", "-cR", "-Rc", "-h") || strings.HasPrefix(t, "--reference") {
				flags = append(flags, typedFlag{Name: t, Word: w})
				if strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") && strings.Contains(t, "R") {
					flags = append(flags, typedFlag{Name: "-R", Word: w})
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
	l.Caution("changes rights or owner", l.Words[0])
	if len(operands) > 0 {
		mode := operands[0]
		switch {
		case l.Name == "chmod" && (strings.Contains(mode.Text, "s") || len(mode.Text) == 4 && mode.Text[0] >= '2' && mode.Text[0] <= '7' || len(mode.Text) == 5 && mode.Text[0] == '0' && mode.Text[1] >= '2'):
			l.Danger("lets a program run with other rights", mode)
		case l.Name == "chmod" && isOneOf(mode.Text, "777", "0777", "a+rwx", "666", "a=rwx", "o+w", "ugo+rwx", "a+w", "000", "0000", "0666", "+w") && (deep || l.IsFed):
			l.Danger("lets everybody change, or nobody read, a whole tree", mode)
		case l.Name == "chattr" && HasAny(textOf(operands), "i", "a") && HasAny(textOf(l.Args()), "-i", "-a", "+i", "-R"):
			l.Danger("changes what guards a file", mode)
		}
		for _, w := range l.Args() {
			if t := w.Text; l.Name == "chattr" && len(t) > 1 && (t[0] == '-' || t[0] == '+') && strings.ContainsAny(t, "ia") {
				l.Danger("changes what guards a file", w)
			}
		}
		if l.Name != "setfacl" {
			operands = operands[1:]
		}
		for _, w := range operands {
			l.Operations = append(l.Operations, Operation{Act: Alter, Words: []Word{w}, Word: w, Deep: deep, Root: l.Root})
		}
	}
	if l.IsFed {
		if l.Bounded() && !deep {
			l.Caution("changes rights of all files that a search finds", l.Words[0])
		} else {
			l.Danger("changes rights of a whole tree", l.Words[0])
		}
	}
}

func dd(l *findings) {
	l.Caution("copies bytes", l.Words[0])
	for _, w := range l.Args() {
		if name, ok := strings.CutPrefix(w.Text, "of="); ok {
			out := w
			out.Text = name
			if strings.HasPrefix(name, "/dev/") && !isOneOf(name, "/dev/null", "/dev/stdout") {
				l.Danger("overwrites a device", w)
			}
			l.Operation(Write, out)
			for _, v := range l.Args() {
				if isOneOf(v.Text, "if=/dev/zero", "if=/dev/urandom", "if=/dev/random", "if=/dev/null") && !operand(l, "count") {
					l.Danger("overwrites a file with nothing", v)
				}
			}
		}
		if name, ok := strings.CutPrefix(w.Text, "if="); ok && l.Root && strings.HasPrefix(name, "/dev/") {
			l.Caution("reads a device", w)
		}
	}
}

func operand(l *findings, name string) bool {
	for _, w := range l.Args() {
		if strings.HasPrefix(w.Text, name+"=") {
			return true
		}
	}
	return false
}

func copies(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "tSmog", Longs: []string{"--target-directory", "--suffix", "--mode", "--owner", "--group", "--strip-program"}})
	l.Caution("makes or changes files", l.Words[0])
	if f, ok := has(flags, "--strip-program"); ok {
		l.Danger("runs a program", f.Word)
	}
	if f, ok := has(flags, "-m", "--mode"); ok && l.Name == "install" && len(f.Value) == 4 && f.Value[0] >= '2' {
		l.Danger("lets a program run with other rights", f.Arg)
	}
	target := Word{}
	if f, ok := has(flags, "-t", "--target-directory"); ok {
		target = f.Arg
		target.Text = f.Value
	} else if len(operands) > 1 {
		target = operands[len(operands)-1]
		operands = operands[:len(operands)-1]
	}
	if target.Text != "" {
		// A file copied into a directory has its own name there.
		l.Operation(Write, target)
		for _, w := range operands {
			if strings.HasSuffix(w.Text, "/.") || strings.HasSuffix(w.Text, "/.*") { // all of a directory, whatever it is called
				l.Operations = append(l.Operations, Operation{Act: Write, Words: []Word{target}, Word: target, Root: l.Root, Deep: true})
			}
			if strings.Contains(w.Text, "/") || w.Text != "" {
				into := target
				into.Text = strings.TrimSuffix(target.Text, "/") + "/" + w.Text[strings.LastIndexByte(w.Text, '/')+1:]
				if strings.HasSuffix(target.Text, "/") || isOneOf(target.Text, ".", "..", "~", "$HOME") {
					l.Operation(Write, into)
				}
			}
		}
	}
	for _, w := range operands {
		switch {
		case l.Name == "mv":
			l.Operations = append(l.Operations, Operation{Act: Move, Words: []Word{w}, Word: w, Root: l.Root})
		case l.Name == "cp" && strings.HasPrefix(w.Text, "/dev/") && target.Text != "":
			l.Danger("overwrites a file with what a device gives", w)
		}
	}
	if l.Name == "mv" && isOneOf(target.Text, "/dev/null") {
		l.Danger("throws files away", target)
	}
	if l.IsFed && l.Name == "mv" && len(l.Fed) > 1 && isOneOf(l.Fed[1].Text, "/", "~", "$HOME", "/home", "/usr", "/etc", "/var") {
		l.Danger("moves files from everywhere", l.Words[0])
	}
	if l.IsFed && l.Name == "mv" && target.Text == "/dev/null" {
		l.Danger("throws files away", target)
	}
}

func tee(l *findings) {
	_, operands := parse(l.Args(), flagSpec{})
	for _, w := range operands {
		l.Operation(Write, w)
	}
	if l.IsFed {
		l.Caution("writes files that are not known before", l.Words[0])
	}
	if l.Name == "sponge" && l.Input && !l.Piped {
		l.Danger("replaces a file by what it is fed", l.Words[0])
	}
	if len(operands) == 0 && l.Name == "tee" {
		return
	}
}

func truncate(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "srs", Longs: []string{"--size", "--reference"}})
	for _, w := range operands {
		l.Operation(Write, w)
	}
	f, _ := has(flags, "-s", "--size")
	if strings.HasPrefix(f.Value, "+") {
		l.Caution("makes a file longer", l.Words[0])
		return
	}
	l.Danger("cuts a file off", l.Words[0])
}

func makes(l *findings) {
	args := "drtmpiZ"
	if l.Name == "mkdir" || l.Name == "mkfifo" || l.Name == "mknod" {
		args = "mZ"
	}
	_, operands := parse(l.Args(), flagSpec{Args: args, Longs: []string{"--date", "--reference", "--time", "--mode", "--input"}})
	l.Caution("makes or changes files", l.Words[0])
	for _, w := range operands {
		// A directory below a home is no start file yet.
		if l.Name != "mkdir" || !HasPrefixAny(w.Text, "~/", "$HOME/", "/home/", "/Users/") {
			l.Operation(Write, w)
		}
	}
	if l.Name == "mknod" {
		l.Danger("makes a device", l.Words[0])
	}
}

func tar(l *findings) {
	args := l.Args()
	list, extract, dir, absolute := false, false, Word{}, Word{}
	for i, w := range args {
		t := w.Text
		switch {
		case compressor(args, i):
		case HasPrefixAny(t, "--to-command", "--use-compress", "--checkpoint-action", "--info-script", "--new-volume-script", "--rsh-command", "--rmt-command"):
			l.Danger("runs a program", w)
			if _, cmd, ok := strings.Cut(t, "exec="); ok {
				l.Shell(strings.Trim(cmd, `'"`), w, false)
			}
		case HasPrefixAny(t, "--to-c", "--use", "--checkpoint-a", "--info-s", "--new-v", "--rsh", "--rmt") && t != "--use":
			l.Danger("runs a program", w)
		case HasPrefixAny(t, "--remove-f", "--unlink", "--recursive-unlink"):
			l.Danger("removes files", w)
		case strings.HasPrefix(t, "--absolute"):
			absolute = w
		case strings.HasPrefix(t, "--overwrite-dir"):
			l.Caution("may write anywhere", w)
		case t == "--list":
			list = true
		case t == "--extract" || t == "--get":
			extract = true
		case t == "--delete":
			l.Caution("changes an archive", w)
		case strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") || i == 0 && !strings.HasPrefix(t, "-"):
			letters := strings.TrimPrefix(t, "-")
			list = list || strings.Contains(letters, "t")
			extract = extract || strings.Contains(letters, "x")
			if strings.ContainsAny(letters, "IF") {
				l.Danger("runs a program", w)
			}
			if strings.Contains(letters, "P") {
				absolute = w
			}
			if strings.Contains(letters, "C") && extract {
				for _, v := range args[i+1:] {
					if HasPrefixAny(v.Text, "/", "~") && !strings.Contains(v.Text, ".t") {
						dir = v
					}
				}
			}
			if strings.HasSuffix(letters, "C") && i+1 < len(args) {
				dir = args[i+1]
			}
		case strings.HasPrefix(t, "--directory="):
			dir = w
			dir.Text = t[len("--directory="):]
		}
	}
	if list && !extract && !writesArchive(l) {
		return
	}
	switch {
	case absolute.Text != "" && extract:
		l.Danger("may write anywhere: names in the archive are taken as they are", absolute)
	case absolute.Text != "":
		l.Caution("keeps names as they are", absolute)
	}
	l.Caution("makes or changes files", l.Words[0])
	if extract {
		if dir.Text == "" {
			dir = l.Words[0]
			dir.Text = "."
		}
		l.Operations = append(l.Operations, Operation{Act: Write, Words: []Word{dir}, Word: dir, Root: l.Root, Deep: true})
	}
}

func writesArchive(l *findings) bool {
	for i, w := range l.Args() {
		if t := w.Text; (i == 0 || strings.HasPrefix(t, "-")) && !strings.HasPrefix(t, "--") && strings.ContainsAny(t, "crux") && !strings.ContainsAny(t, "/.") {
			return true
		}
	}
	return false
}

func rsync(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "efBTM", Longs: []string{"--rsh", "--exclude", "--include", "--filter", "--exclude-from", "--include-from", "--rsync-path", "--password-file", "--backup-dir", "--temp-dir", "--log-file", "--bwlimit", "--port", "--chmod", "--chown", "--files-from", "--suffix", "--timeout", "--max-size", "--min-size", "--compare-dest", "--link-dest", "--out-format", "--partial-dir", "--remote-option"}})
	l.Caution("copies files", l.Words[0])
	for _, f := range flags {
		switch {
		case isOneOf(f.Name, "-e", "--rsh"):
			if name, _ := NameOf(strings.Fields(f.Value + " x")[0]); name != "ssh" || hasAnyFold(f.Value, "proxycommand", "localcommand", "knownhostscommand") {
				l.Danger("runs a program", f.Arg)
			}
		case f.Name == "--rsync-path":
			if name, _ := NameOf(f.Value); name != "rsync" && f.Value != "sudo rsync" {
				l.Danger("runs a program", f.Arg)
			}
		case strings.HasPrefix(f.Name, "--delete"), f.Name == "--del", f.Name == "--remove-source-files", f.Name == "--force":
			l.Danger("removes files that the other side has not, or has", f.Word)
		}
	}
	transfer(l, operands)
}

// transfer judges a copy between machines, the last word being where to.
func transfer(l *findings, operands []Word) {
	if len(operands) < 2 {
		return
	}
	to := operands[len(operands)-1]
	if remote(to) {
		for _, w := range operands[:len(operands)-1] {
			if !remote(w) {
				l.Operation(Send, w)
			}
		}
		return
	}
	l.Operation(Write, to)
}

func remote(w Word) bool {
	i := strings.IndexByte(w.Text, ':')
	return i > 0 && !strings.Contains(w.Text[:i], "/") || strings.HasPrefix(w.Text, "rsync://") || strings.HasPrefix(w.Text, "scp://")
}

func scp(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "PiocFSJlDX"})
	l.Caution("copies files between machines", l.Words[0])
	for _, f := range flags {
		if f.Name == "-S" || f.Name == "-D" || f.Name == "-o" && hasAnyFold(f.Value, "proxycommand", "localcommand", "knownhostscommand") || f.Name == "-F" {
			l.Danger("runs a program", f.Word)
		}
	}
	transfer(l, operands)
}

// compressor says that the option at i of tar names a usual program to compress
// with, or is part of such an option.
func compressor(args []Word, i int) bool {
	name, ok := strings.CutPrefix(args[i].Text, "--use-compress-program=")
	if args[i].Text == "-I" && i+1 < len(args) {
		name, ok = args[i+1].Text, true
	}
	return ok && isOneOf(name, "gzip", "pigz", "bzip2", "pbzip2", "lbzip2", "xz", "pxz", "zstd", "zstdmt", "lz4", "lzip", "plzip")
}
