package programs

import (
	"strings"
)

// container judges docker run, kubectl exec and the like: the table for the rest.
func container(l *findings) {
	byTable(l)
	args := l.Args()
	for i, w := range args {
		if i > 0 && isOneOf(args[i-1].Text, "-f", "--filename") && strings.Contains(w.Text, "://") {
			l.Danger("takes from elsewhere what it runs", w)
		}
	}
	verb := -1
	for i, w := range args {
		if isOneOf(w.Text, "exec", "run", "create", "debug", "rsh") {
			verb = i
			break
		}
	}
	if l.Name == "docker" || l.Name == "podman" || l.Name == "nerdctl" {
		mounts(l)
		for _, w := range args {
			if w.Subst && len(args) > 0 && isOneOf(args[0].Text, "rm", "rmi", "kill", "stop", "volume", "image", "container") {
				l.Danger("acts on every container that a search finds", w)
			}
		}
		if l.IsFed && len(args) > 0 && isOneOf(args[0].Text, "rm", "rmi", "kill", "stop", "volume") {
			l.Danger("acts on everything that a search finds", l.Words[0])
		}
	}
	if verb < 0 {
		if l.IsFed && HasAny(textOf(args), "delete") {
			l.Danger("acts on everything that a search finds", l.Words[0])
		}
		return
	}
	rest := args[verb+1:]
	for i, w := range rest {
		if w.Text == "--" {
			l.Run(rest[i+1:], false)
			return
		}
	}
	_, operands := parse(rest, flagSpec{Args: "evpwuhlmnc", First: true, Longs: []string{"--name", "--entrypoint", "--network", "--net", "--env", "--volume", "--mount", "--user", "--workdir", "--hostname", "--publish", "--platform", "--memory", "--cpus", "--env-file", "--label", "--restart", "--add-host", "--gpus", "--namespace", "--container", "--context", "--pull", "--shm-size", "--device", "--cap-add", "--security-opt", "--pid", "--index", "--image", "--profile", "--link", "--expose", "--dns", "--ulimit", "--tmpfs", "--runtime", "--userns", "--ipc", "--uts", "--volumes-from"}})
	if len(operands) > 1 {
		l.Run(operands[1:], false)
	}
	flags, _ := parse(rest, flagSpec{Longs: []string{"--entrypoint"}})
	if f, ok := has(flags, "--entrypoint"); ok && len(operands) > 1 {
		l.Run(append([]Word{{Text: f.Value, At: f.Arg.At, End: f.Arg.End}}, operands[1:]...), false)
	}
}

// mounts judges what a container gets of the machine.
func mounts(l *findings) {
	flags, _ := parse(l.Args(), flagSpec{Args: "vepwuhlm", Longs: []string{"--volume", "--mount", "--network", "--net", "--cap-add", "--pid", "--device", "--entrypoint", "--name"}})
	for _, f := range flags {
		v := f.Value
		switch {
		case isOneOf(f.Name, "-v", "--volume", "--mount"):
			from := v
			if i := strings.Index(v, "source="); i >= 0 {
				from = v[i+7:]
			} else if i := strings.Index(v, "src="); i >= 0 {
				from = v[i+4:]
			}
			from, _, _ = strings.Cut(from, ",")
			from, _, _ = strings.Cut(from, ":")
			if isOneOf(from, "/", "~", "$HOME", "/etc", "/root", "/home", "/usr", "/var", "/boot", "/dev", "/proc", "/sys", "/var/run/docker.sock", "/run/docker.sock", "/var/run", "/run") || HasPrefixAny(from, "/etc/", "/root/", "~/.ssh", "$HOME/.ssh", "/dev/", "/boot/", "~/.aws", "$HOME/.aws", "/var/lib/docker") {
				l.Danger("gives a container the machine", f.Arg)
			}
		case f.Name == "--privileged" && v != "false", isOneOf(f.Name, "--pid", "--userns", "--cgroupns") && v == "host", f.Name == "--cap-add" && v != "", f.Name == "--device":
			l.Danger("gives a container the machine", f.Word)
		}
	}
}

func expect(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "cf"})
	l.Caution("runs a program and types for the person", l.Words[0])
	for _, f := range flags {
		if f.Name == "-c" {
			l.Danger("runs a program and types for the person", f.Arg)
			for _, part := range strings.Split(f.Value, ";") {
				if cmd, ok := strings.CutPrefix(strings.TrimSpace(part), "spawn "); ok {
					l.Shell(cmd, f.Arg, false)
				}
			}
		}
	}
	if len(operands) == 0 && (l.Piped || l.Input) {
		l.Danger("runs as code what it is fed", l.Words[0])
	}
}

// runsBehind judges programs that run what stands behind one of their words.
func runsBehind(l *findings) {
	byTable(l)
	if l.Worst() == Safe && !isKnown(l.Name) {
		l.Caution("a program of which nothing is known", l.Words[0])
	}
	args := l.Args()
	for i, w := range args {
		if !isOneOf(w.Text, "run", "exec", "x", "shell", "--", "-c", "--run", "--command", "netns", "-x", "-e", "develop", "ssh", "run:detached", "start") || i > 5 {
			continue
		}
		rest := args[i+1:]
		switch {
		case isOneOf(w.Text, "--run", "--command", "-c", "ssh") && len(rest) > 0:
			if isOneOf(l.Name, "nix-shell", "npm", "pnpm", "nix", "fly", "flyctl", "vagrant", "heroku", "npx", "gcloud", "limactl") {
				for _, r := range rest {
					if strings.Contains(r.Text, " ") || w.Text != "ssh" {
						l.Shell(strings.TrimPrefix(r.Text, "--command="), r, false)
						break
					}
				}
			}
		default:
			_, operands := parse(rest, flagSpec{First: true, Args: "nap", Longs: []string{"--env", "--name", "--project", "--profile", "--with", "--from", "--python", "--extra", "--group"}})
			if w.Text == "netns" || l.Name == "ip" {
				if len(operands) > 1 && isOneOf(operands[0].Text, "exec") {
					operands = operands[2:]
				} else {
					operands = nil
				}
			}
			if isOneOf(l.Name, "npm", "pnpm", "yarn") && w.Text != "exec" && w.Text != "x" && w.Text != "--" {
				operands = nil // the name of a script of the project
			}
			if isOneOf(l.Name, "aws-vault", "chamber", "conda") && len(operands) > 1 && !isOneOf(operands[0].Text, "python", "python3", "rm", "sh", "bash") {
				operands = operands[1:]
			}
			for n := 0; n < len(operands) && n < 3; n++ {
				runKnown(l, operands[n:])
			}
		}
	}
}

// runKnown hands on a command if its name is one that is known: else it may be the
// name of a task.
func runKnown(l *findings, words []Word) {
	name, _ := NameOf(words[0].Text)
	if isKnown(name) || IsShell(name) || IsInterpreter(name) || byName(name) != nil {
		l.Run(words, false)
	}
}

func screen(l *findings) {
	for i, w := range l.Args() {
		switch {
		case isOneOf(w.Text, "-ls", "-list") || HasPrefixAny(w.Text, "-ls"):
			return
		case w.Text == "-X" && i+1 < len(l.Args()) && isOneOf(l.Args()[i+1].Text, "stuff", "exec", "eval", "source"):
			l.Danger("types or runs commands in another terminal", w)
		}
	}
	l.Caution("starts or changes a terminal session", l.Words[0])
	_, rest := parse(l.Args(), flagSpec{Args: "SscehpTtrRxX", First: true})
	if len(rest) > 0 {
		runKnown(l, rest)
	}
}
