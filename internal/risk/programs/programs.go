package programs

import (
	"slices"
	"strings"
)

// Look returns what is known of c.
func Look(c Call) Result {
	l := &findings{Call: c}
	l.Name, l.Project = NameOf(c.Words[0].Text)
	if l.Project != "" {
		l.Caution("runs a program of its own directory", c.Words[0])
	}
	special, found := special(l)
	switch {
	case special:
	case l.Defined && l.Project == "":
		return l.Result()
	case byTable(l):
	case !found:
		l.Caution("a program of which nothing is known", c.Words[0])
	}
	chosen(l)
	raise(l, l.Worst() > Safe && little(l.Name) && (!special ||
		isOneOf(l.Name, "systemd-nspawn", "toolbox", "distrobox", "wsl", "adb", "proot", "teller", "dotenvx", "ed", "joe")))
	return l.Result()
}

// little says that not much is known of what a program changes: nothing, or only that it
// changes something or runs other programs. Rows of what it only asks say nothing of that.
func little(name string) bool {
	for _, r := range rowsOf(name) {
		asks := len(r.subs) > 0 && r.level == Safe
		if !asks && (len(r.subs) > 0 || r.level == Safe || r.wrapper || r.effects != nothingStated && r.effects[0] != 'x') {
			return false
		}
	}
	return true
}

// Known says that a program or a builtin of that name is known.
func Known(name string) bool { return len(rowsOf(name)) > 0 || byName(name) != nil }

// chosen judges words that the line itself makes of what is not known: where a program
// has an option that runs or writes something, such a word may be it.
func chosen(l *findings) {
	if l.Worst() > Safe || !mayObey(l.Name) {
		return
	}
	if l.IsFed && !fromFind(l) && isOneOf(l.Name, "find", "gfind", "git", "sed", "gsed", "awk", "gawk", "mawk", "date", "man", "dc", "less", "more", "env") {
		l.Caution("gets words that are not known before", l.Words[0])
		return
	}
	for _, w := range l.Args() {
		switch {
		case w.Text == "--":
			return
		case (w.Set || w.Tainted || w.Subst) && strings.HasPrefix(w.Text, "$") && !namesFiles(w):
			l.Caution("words that may be options, which are not known before", w)
			return
		}
	}
}

// mayObey says that a word of the program can be an option that runs or writes
// something.
func mayObey(name string) bool {
	if isOneOf(name, "find", "gfind", "git", "sed", "gsed", "ssed", "awk", "gawk", "mawk", "nawk", "date", "man", "env", "command", "xargs", "dc", "less", "more") {
		return true
	}
	return slices.ContainsFunc(rowsOf(name), func(r row) bool { return !r.fed })
}
