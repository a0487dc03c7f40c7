package programs

import (
	"strings"
)

// toldBad looks at a call that does more than ask, whatever its program is, for what its
// words say: a text that fetches and runs, what others use every day, data that leaves or
// is overwritten. It only adds.
func toldBad(l *findings) {
	if l.Worst() == Safe {
		if len(l.Operations) > 0 && isOneOf(l.Name, "sponge", "tee", "dd") {
			fetched(l)
		}
		return
	}
	fetched(l)
	production(l)
	overwrites(l)
	keysGone(l)
}

// fetched finds a text, in a word or in what the call is fed, that runs what it fetches.
func fetched(l *findings) {
	if isOneOf(l.Name, "echo", "printf", "grep", "rg", "git") {
		return
	}
	words := l.Args()
	if l.Doc || l.Piped {
		for _, b := range l.Before {
			if name, _ := NameOf(b[0].Text); !isOneOf(name, "grep", "rg") {
				words = append(words[:len(words):len(words)], b...)
			}
		}
	}
	for _, w := range words {
		tight := strings.ReplaceAll(w.Text, " ", "")
		if HasAny(tight, "curl", "wget") && HasAny(tight, "|sh", "|bash", "|sudo", "|zsh", "|python", "|perl") {
			l.Danger("keeps or runs a text that runs what it fetches", w)
		}
	}
}

// production finds a call of a service that changes what is used by everybody.
func production(l *findings) {
	if !isService(l.Name) || readsFirst(commandPath(l)) {
		return
	}
	args := l.Args()
	for i, w := range args {
		name, value, given := strings.Cut(strings.ToLower(w.Text), "=")
		if !given && i+1 < len(args) {
			value = strings.ToLower(args[i+1].Text)
		}
		value = strings.TrimPrefix(strings.TrimPrefix(value, "environment="), "env=")
		switch {
		case isOneOf(name, "--prod", "--production"),
			isOneOf(name, "--env", "--environment", "--target", "--stage", "-e", "-f", "environment", "env", "stage") && isOneOf(value, "prod", "production", "live"):
			l.Danger("changes what is used by everybody", w)
		case strings.HasPrefix(name, "--lifecycle") && value != "":
			l.Danger("changes how long a service keeps its data", w)
		}
	}
}

// overwrites finds options of a program of which little is known by which what is there
// goes.
func overwrites(l *findings) {
	collects := false
	for _, w := range l.Args() {
		name, value, _ := strings.Cut(strings.ToLower(w.Text), "=")
		if HasPrefixAny(name, "--overwrite-dest", "--overwrite-exist", "--force-overwrite", "--replace-exist", "--drop-exist") && value != "false" {
			l.Danger("destroys what is there: "+w.Text, w)
		}
		if collects && isOneOf(name, "-f", "--force", "-y", "--yes", "-a", "--all") && little(l.Name) {
			l.Danger("throws away what it finds unused, without asking", w)
		}
		collects = collects || isOneOf(name, "gc", "expunge", "vacuum")
	}
}

// keysGone finds what takes the guard off a key, or gives another machine its use.
func keysGone(l *findings) {
	flags, _ := parse(l.Args(), flagSpec{Args: "tbfCNPmFIaiEnOrsVYwzZ"})
	if f, ok := has(flags, "-N"); ok && l.Name == "ssh-keygen" && with(flags, "-p") && f.Value == "" && !f.Arg.Hole {
		l.Danger("takes the password off a key", f.Word)
	}
	for _, w := range l.Args() {
		if l.Name == "mosh" && HasPrefixAny(w.Text, "--ssh=", "--client=", "--server=") {
			_, value, _ := strings.Cut(w.Text, "=")
			if first, _, _ := strings.Cut(strings.TrimSpace(value), " "); !isOneOf(first, "ssh", "mosh-server", "mosh-client") {
				l.Danger("runs a program in the place of its own", w)
			}
		}
		if isOneOf(l.Name, "lldb", "gdb") && HasAny(w.Text, "platform shell ", "shell ", "script ", "python ", "source ") {
			l.Danger("gives a debugger commands to run", w)
		}
		if isOneOf(l.Name, "split", "csplit", "gsplit") && strings.HasPrefix(w.Text, "--filter=") && HasAny(w.Text, "curl ", "wget ", "nc ", "ncat ", "ssh ", "socat ") {
			l.Danger("sends the parts of a file to another machine", w)
		}
	}
}
