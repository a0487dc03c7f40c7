package programs

import (
	"strings"
)

// builtin judges the builtins of a shell that set names, or change what the shell does,
// by the options that are known; nil: it is none of them.
func builtin(name string) func(l *findings) {
	switch name {
	case "compgen", "complete", "compopt":
		return completes
	case "enable":
		return enables
	case "hash":
		return hashes
	case "bind":
		return binds
	case "read", "mapfile", "readarray", "getopts":
		return reads
	case "set":
		return sets
	case "shopt":
		return shopts
	case "unset":
		return unsets
	case "export", "declare", "typeset", "local", "readonly":
		return declares
	case "ulimit":
		return limits
	case "fc":
		return corrects
	case "umask", "unalias", "suspend", "shift", "caller", "disown", "dirs":
		return func(*findings) {}
	}
	return nil
}

// shellFlags says that all flags are among letters, and says so of the first that is not.
func shellFlags(l *findings, flags []typedFlag, letters string) {
	for _, f := range flags {
		if len(f.Name) != 2 || strings.IndexByte(letters, f.Name[1]) < 0 {
			l.Caution("an option of the shell that is not known to be harmless: "+f.Name, f.Word)
		}
	}
}

// completes judges what makes words: some of its options run commands and functions,
// and -W expands its word as the shell does, commands in it included.
func completes(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "oAGWFCXPSV"})
	for _, f := range flags {
		if isOneOf(f.Name, "-W", "-C", "-F") {
			l.Danger("has the shell run or expand a text", f.Word)
			if f.Name != "-F" {
				l.Shell(f.Value, f.Arg, false)
			}
		}
	}
	shellFlags(l, flags, "oAGWFCXPSabcdefgjksuvpr")
	if l.Name != "compgen" && (len(operands) > 0 || !with(flags, "-p")) {
		l.Caution("changes what the shell does for the person", l.Words[0])
	}
	for _, w := range operands {
		if w.Hole && l.Name == "compgen" {
			l.Caution("a word that is not known before", w)
		}
	}
}

func enables(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "f"})
	shellFlags(l, flags, "apsndf")
	if f, ok := has(flags, "-f"); ok {
		l.Danger("loads code into the shell", f.Word)
	}
	if len(operands) > 0 {
		l.Caution("changes what a name means", operands[0])
	}
}

func hashes(l *findings) {
	flags, _ := parse(l.Args(), flagSpec{Args: "p"})
	shellFlags(l, flags, "ldrtp")
	if f, ok := has(flags, "-p"); ok {
		l.Danger("changes what a usual command does", f.Word)
	}
}

func binds(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "mfquxr"})
	shellFlags(l, flags, "mlpPsSvVqX")
	if f, ok := has(flags, "-x"); ok {
		l.Danger("binds a command to a key", f.Word)
		l.Shell(f.Value, f.Arg, false)
	}
	if len(operands) > 0 {
		l.Caution("changes what a key does", operands[0])
		for _, w := range operands {
			if _, macro, ok := strings.Cut(w.Text, ":"); ok && strings.ContainsAny(macro, `"'`) {
				l.Danger("has a key type a text", w)
			}
		}
	}
}

func reads(l *findings) {
	if l.Name == "getopts" {
		return
	}
	spec, letters := flagSpec{Args: "adinNptu"}, "adeinNprstuE"
	if l.Name != "read" {
		spec, letters = flagSpec{Args: "dnOsuCc"}, "dnOstuCc"
	}
	flags, _ := parse(l.Args(), spec)
	shellFlags(l, flags, letters)
	if f, ok := has(flags, "-C"); ok && l.Name != "read" {
		l.Danger("runs a command for each line", f.Word)
		l.Shell(f.Value, f.Arg, false)
		l.Shell(f.Value+" 0 line", f.Arg, false)
	}
}

func sets(l *findings) {
	args := l.Args()
	if len(args) == 0 {
		l.Caution("shows all variables, which may hold secrets", l.Words[0])
	}
	for i, w := range args {
		t := w.Text
		switch {
		case t == "--", t == "-":
			return
		case len(t) < 2 || t[0] != '-' && t[0] != '+':
			if i > 0 && len(args[i-1].Text) > 1 && strings.HasSuffix(args[i-1].Text, "o") && strings.ContainsAny(args[i-1].Text[:1], "-+") {
				if !isOneOf(t, "allexport", "braceexpand", "errexit", "errtrace", "noclobber", "noglob", "nounset", "pipefail", "verbose", "xtrace", "posix", "physical", "functrace", "monitor", "notify", "emacs", "vi") {
					l.Caution("an option of the shell that is not known to be harmless: "+t, w)
				}
				continue
			}
			return // words that become $1 and so on
		case w.Hole:
			l.Caution("an option that is not known before", w)
		default:
			if odd := strings.Trim(t[1:], "aBbeEfCuvxoPTm"); odd != "" {
				l.Caution("an option of the shell that is not known to be harmless: "+t, w)
			}
		}
	}
}

func shopts(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{})
	shellFlags(l, flags, "supqo")
	if !with(flags, "-s", "-u") {
		return
	}
	for _, w := range operands {
		if !isOneOf(w.Text, "nullglob", "globstar", "dotglob", "extglob", "failglob", "nocaseglob", "nocasematch", "lastpipe", "inherit_errexit", "globskipdots", "checkwinsize", "pipefail", "errexit", "nounset", "xpg_echo", "globasciiranges", "huponexit", "checkjobs") {
			l.Caution("an option of the shell that is not known to be harmless: "+w.Text, w)
		}
	}
}

func unsets(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{})
	shellFlags(l, flags, "vfn")
	for _, w := range operands {
		name, _, _ := strings.Cut(w.Text, "[")
		switch {
		case w.Hole && !HasAny(w.Text, "["):
			l.Caution("takes away a variable that is not known before", w)
		case !with(flags, "-f"):
			l.Settings = append(l.Settings, Setting{Name: name, Word: w, Unset: true})
		}
	}
}

// declares judges a declaration that the shell sees as a plain command: behind another
// builtin.
func declares(l *findings) {
	for _, w := range l.Args() {
		switch {
		case strings.Contains(w.Text, "=") && !IsFlag(w):
			setting(l, w)
		case w.Hole:
			l.Caution("a variable that is not known before", w)
		case IsFlag(w) && strings.ContainsAny(w.Text, "nfi"):
			l.Caution("an option of the shell that is not known to be harmless: "+w.Text, w)
		}
	}
}

func limits(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{})
	shellFlags(l, flags, "SHabcdefiklmnpqrstuvxPRT")
	for _, w := range operands {
		if !isOneOf(w.Text, "unlimited", "hard", "soft") && strings.Trim(w.Text, "0123456789") != "" {
			l.Caution("a limit that is not known before", w)
		}
	}
}

// corrects judges fc, which runs what was run before.
func corrects(l *findings) {
	flags, _ := parse(l.Args(), flagSpec{Args: "e"})
	shellFlags(l, flags, "elnrs")
	if !with(flags, "-l") {
		l.Danger("runs again what was run before", l.Words[0])
	}
}
