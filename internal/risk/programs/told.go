package programs

import (
	"strings"

	"ken/internal/risk/programs/call"
)

// toldBad looks at a call that does more than ask, whatever its program is, for what its
// words say: a text that fetches and runs, what others use every day, data that leaves or
// is overwritten. It only adds.
func toldBad(l *call.Look) {
	if l.Worst() == call.Safe {
		if len(l.Deeds) > 0 && call.In(l.Name, "sponge", "tee", "dd") {
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
func fetched(l *call.Look) {
	if call.In(l.Name, "echo", "printf", "grep", "rg", "git") {
		return
	}
	words := l.Args()
	if l.Doc || l.Piped {
		for _, b := range l.Before {
			if name, _ := call.NameOf(b[0].Text); !call.In(name, "grep", "rg") {
				words = append(words[:len(words):len(words)], b...)
			}
		}
	}
	for _, w := range words {
		tight := strings.ReplaceAll(w.Text, " ", "")
		if call.HasAny(tight, "curl", "wget") && call.HasAny(tight, "|sh", "|bash", "|sudo", "|zsh", "|python", "|perl") {
			l.Danger("keeps or runs a text that runs what it fetches", w)
		}
	}
}

// production finds a call of a service that changes what is used by everybody.
func production(l *call.Look) {
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
		case call.In(name, "--prod", "--production"),
			call.In(name, "--env", "--environment", "--target", "--stage", "-e", "-f", "environment", "env", "stage") && call.In(value, "prod", "production", "live"):
			l.Danger("changes what is used by everybody", w)
		case strings.HasPrefix(name, "--lifecycle") && value != "":
			l.Danger("changes how long a service keeps its data", w)
		}
	}
}

// overwrites finds options of a program of which little is known by which what is there
// goes.
func overwrites(l *call.Look) {
	collects := false
	for _, w := range l.Args() {
		name, value, _ := strings.Cut(strings.ToLower(w.Text), "=")
		if call.HasPrefixAny(name, "--overwrite-dest", "--overwrite-exist", "--force-overwrite", "--replace-exist", "--drop-exist") && value != "false" {
			l.Danger("destroys what is there: "+w.Text, w)
		}
		if collects && call.In(name, "-f", "--force", "-y", "--yes", "-a", "--all") && little(l.Name) {
			l.Danger("throws away what it finds unused, without asking", w)
		}
		collects = collects || call.In(name, "gc", "expunge", "vacuum")
	}
}

// keysGone finds what takes the guard off a key, or gives another machine its use.
func keysGone(l *call.Look) {
	flags, _ := call.Parse(l.Args(), call.Spec{Args: "tbfCNPmFIaiEnOrsVYwzZ"})
	if f, ok := call.Has(flags, "-N"); ok && l.Name == "ssh-keygen" && call.With(flags, "-p") && f.Value == "" && !f.Arg.Hole {
		l.Danger("takes the password off a key", f.Word)
	}
	for _, w := range l.Args() {
		if l.Name == "mosh" && call.HasPrefixAny(w.Text, "--ssh=", "--client=", "--server=") {
			_, value, _ := strings.Cut(w.Text, "=")
			if first, _, _ := strings.Cut(strings.TrimSpace(value), " "); !call.In(first, "ssh", "mosh-server", "mosh-client") {
				l.Danger("runs a program in the place of its own", w)
			}
		}
		if call.In(l.Name, "lldb", "gdb") && call.HasAny(w.Text, "platform shell ", "shell ", "script ", "python ", "source ") {
			l.Danger("gives a debugger commands to run", w)
		}
		if call.In(l.Name, "split", "csplit", "gsplit") && strings.HasPrefix(w.Text, "--filter=") && call.HasAny(w.Text, "curl ", "wget ", "nc ", "ncat ", "ssh ", "socat ") {
			l.Danger("sends the parts of a file to another machine", w)
		}
	}
}
