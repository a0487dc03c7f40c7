package programs

import (
	"strings"
)

// ssh judges a shell on another machine, or on many.
func ssh(l *findings) {
	if args := l.Args(); l.Name == "ssh" && len(args) == 2 && args[0].Text == "-G" && !args[1].Hole && !IsFlag(args[1]) {
		return // it reports what is set for a host
	}
	if args := l.Args(); l.Name == "ssh" && len(args) == 2 && args[0].Text == "-Q" && !IsFlag(args[1]) {
		return // it reports what it can do
	}
	takes := "BbcDEeFIiJLlmOopQRSWw"
	switch l.Name {
	case "pdsh", "clush", "dsh":
		takes = "wxgPltufXnFSmRo"
	case "pssh", "parallel-ssh", "pscp", "prsync", "pnuke", "pslurp":
		takes = "hHlpoetOxX"
	case "autossh":
		takes += "M"
	}
	many := isOneOf(l.Name, "pdsh", "clush", "dsh", "pssh", "parallel-ssh", "pnuke")
	flags, rest := parse(l.Args(), flagSpec{Args: takes, First: true})
	l.Caution("reaches another machine", l.Words[0])
	if !many {
		sshFlags(l, flags)
	}
	if len(rest) == 0 {
		return
	}
	if !many {
		rest = rest[1:]
	} else {
		l.Caution("orders many machines", l.Words[0])
	}
	// ssh takes options behind the host, too.
	if len(rest) > 0 && IsFlag(rest[0]) {
		more, behind := parse(rest, flagSpec{Args: "BbcDEeFIiJLlmOopQRSWw", First: true})
		sshFlags(l, more)
		rest = behind
	}
	if len(rest) == 0 {
		return
	}
	if l.Name == "mosh" {
		l.Run(rest, false)
	}
	if asRoot(textOf(rest)) {
		l.Danger("changes another machine with other rights", rest[0])
	}
	w := rest[0]
	w.End = rest[len(rest)-1].End
	for _, r := range rest {
		w.Hole = w.Hole || r.Hole
		w.Subst = w.Subst || r.Subst
		w.Tainted = w.Tainted || r.Tainted
		w.Set = w.Set || r.Set
	}
	l.Shell(textOf(rest), w, false)
}

// sshFlags judges the options of ssh: what runs here, what loads code, and what opens
// one of the machines to others.
func sshFlags(l *findings, flags []typedFlag) {
	for _, f := range flags {
		switch {
		case f.Name == "-o" && hasAnyFold(f.Value, "proxycommand", "localcommand", "permitlocal", "knownhostscommand", "proxyusefdpass", "pkcs11provider", "securitykeyprovider", "remoteforward", "gatewayports", "setenv=", "include "):
			l.Danger("runs a program, or opens a machine to another", f.Arg)
		case f.Name == "-o" && hasAnyFold(f.Value, "stricthostkeychecking=no", "userknownhostsfile=/dev/null"):
			l.Caution("does not look who answers", f.Arg)
		case f.Name == "-F" && HasPrefixAny(f.Value, "/") && !HasPrefixAny(f.Value, "/dev/null", "/etc/ssh/", "/home/", "/Users/"):
			l.Danger("obeys a file that may run a program", f.Word)
		case f.Name == "-A", f.Name == "-o" && hasAnyFold(f.Value, "forwardagent=yes", "forwardagent yes"):
			l.Danger("lets another machine use the person's keys", f.Word)
		case f.Name == "-I":
			l.Danger("loads code", f.Word)
		case isOneOf(f.Name, "-F", "-S") && f.Given:
			l.Caution("an option that may run a program: "+f.Name, f.Word)
		case f.Name == "-R", f.Name == "-w":
			l.Danger("opens this machine to another", f.Word)
		case f.Name == "-g", isOneOf(f.Name, "-L", "-D") && HasPrefixAny(f.Value, "0.0.0.0:", "*:", ":", "[::]:", "0:"):
			l.Danger("opens what is reached to others", f.Word)
		}
	}
}

// asRoot says that a text for another machine takes other rights, and does not only
// read with them.
func asRoot(text string) bool {
	for _, sudo := range []string{"sudo ", "doas "} {
		for rest := text; ; {
			_, after, ok := strings.Cut(rest, sudo)
			if !ok {
				break
			}
			words := strings.Fields(after)
			for len(words) > 0 && strings.HasPrefix(words[0], "-") {
				words = words[1:]
			}
			second := ""
			if len(words) > 1 {
				second = words[1]
			}
			if len(words) > 0 && !isOneOf(words[0], "journalctl", "cat", "ls", "tail", "head", "less", "grep", "zgrep", "df", "du", "ss", "netstat", "lsof", "dmesg", "ps", "top", "htop", "free", "id", "whoami", "stat", "find", "wc", "lsblk", "fdisk", "uptime", "last", "iotop", "which") &&
				!(isOneOf(words[0], "systemctl", "docker", "nginx", "ufw", "crictl", "kubectl", "apachectl", "service", "iptables", "virsh", "zpool", "zfs") && isOneOf(second, "status", "list-units", "list-timers", "is-active", "show", "cat", "ps", "logs", "images", "-t", "-T", "get", "describe", "list", "-L", "stats", "inspect")) {
				return true
			}
			rest = after
		}
	}
	return false
}
