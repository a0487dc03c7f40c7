package programs

import (
	"strings"
)

// raise looks at a call once more, whatever is known of its program: what takes a
// guard away, what is installed, what a service is told, and what a program of which
// little is known might run. It only adds.
func raise(l *findings, unknown bool) {
	guards(l)
	installs(l)
	trusts(l)
	loadsCode(l)
	unguards(l)
	barred(l)
	places(l)
	more(l)
	toldBad(l)
	if isService(l.Name) {
		service(l)
		workloads(l)
	}
	if unknown {
		odd(l)
		destroys(l)
	}
}

// guards finds options that take a guard away, whatever the program is.
func guards(l *findings) {
	if isOneOf(l.Name, "echo", "printf", "grep", "rg", "egrep", "fgrep", "test", "[", "find", "ls", "cat") {
		return
	}
	args := l.Args()
	reaches := isOneOf(l.Name, "restic", "borg", "rclone", "sshfs", "rsync", "scp", "sftp", "hg", "svn", "duplicity", "unison", "docker", "podman", "mosh", "ansible", "ansible-playbook", "virsh", "mutagen", "kopia", "rdiff-backup", "darcs", "bzr")
	for i, w := range args {
		if reaches && hasAnyFold(w.Text, "proxycommand", "localcommand", "knownhostscommand") {
			l.Danger("runs a program", w)
		}
		if !IsFlag(w) {
			continue
		}
		name, value, given := strings.Cut(strings.ToLower(w.Text), "=")
		if given && isOneOf(value, "false", "no", "0") {
			continue
		}
		if !given && i+1 < len(args) {
			value = args[i+1].Text
		}
		if HasAny(name, "script", "plugin", "hook", "load", "module", "init", "eval", "exec", "lib", "config", "extension") && HasPrefixAny(value, "/tmp/", "/var/tmp/", "/dev/shm/", "http:", "https:", "ftp:", "<()") {
			l.Danger("loads what anybody may have written: "+w.Text, w)
		}
		if HasAny(name, "-script", "-plugin", "-load-module", "-module-path") && (HasPrefixAny(value, "/", "~/", "../") || strings.HasSuffix(value, ".nse")) && !strings.Contains(name, "post-script") {
			l.Danger("loads code of a file: "+w.Text, w)
		}
		if HasPrefixAny(name, "--dangerous", "--yolo", "--shell-escape", "-shell-escape", "--enable-write18", "-enable-write18", "--no-preserve-root", "--allow-unauthenticated", "--i-know-what", "--yes-i-really", "--i-really") {
			l.Danger("takes a guard away: "+w.Text, w)
		}
	}
}

// odd judges a program of which nothing, or little, is known: any word may begin a
// command, and any text with blanks may be one.
func odd(l *findings) {
	args := l.Args()
	for i, w := range args[:min(len(args), 24)] {
		if IsFlag(w) {
			if _, value, ok := strings.Cut(w.Text, "="); ok && strings.Contains(value, " ") {
				embedded(l, w, value)
			}
			continue
		}
		behind := i > 0 && args[i-1].Text == "--"
		if beginsCommand(w.Text, behind) && (behind || i+1 < len(args)) {
			runKnown(l, args[i:])
		}
		if strings.ContainsAny(w.Text, " \t(){};|") {
			embedded(l, w, w.Text)
		}
		if !isKnown(l.Name) && strings.HasPrefix(w.Text, "/") && len(l.Operations) < 20 {
			l.Operation(Write, w)
		}
	}
	if l.Doc {
		for _, b := range l.Before {
			if len(b) == 1 {
				embedded(l, b[0], b[0].Text)
			}
		}
	}
}

// beginsCommand says that a word can be meant as the name of a known program, rather
// than as a verb of the program before it.
func beginsCommand(text string, sure bool) bool {
	name, _ := NameOf(text)
	if !sure && isOneOf(name, "init", "format", "at", "batch", "sc", "sg", "del", "erase", "cmd", "route", "service", "pass", "op", "security", "install", "link", "split", "script", "reset", "set", "test", "run", "start", "stop", "time", "watch", "copy", "move", "import", "export", "sync", "build", "look", "view", "file", "host", "size", "join", "sort", "type", "read", "exit", "help", "info", "log", "top", "last", "free", "date", "less", "more", "most", "head", "tail", "delete", "drop", "update", "select", "grant", "alter", "truncate", "restore", "code", "node", "go", "make", "task", "just", "act", "dart", "scrub", "passwd", "halt", "reboot", "shutdown", "lock", "super", "please", "batch", "trust") {
		return false
	}
	return name != "" && (isKnown(name) || IsShell(name) || IsInterpreter(name) || byName(name) != nil)
}

// embedded finds commands in a text of a language that is not looked into: what
// stands in brackets, quotes or between marks, and begins with a known program.
func embedded(l *findings, w Word, text string) {
	pieces := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("(){}[]\"'`;|&\n", r) })
	for _, piece := range pieces[:min(len(pieces), 24)] {
		piece = strings.TrimSpace(strings.TrimLeft(piece, " \t!:=<>,-@%^"))
		first, rest, _ := strings.Cut(piece, " ")
		if strings.TrimSpace(rest) != "" && beginsCommand(first, true) && !isOneOf(first, "set", "test", "time", "is", "if", "at", "find") || first == "find" && strings.HasPrefix(strings.TrimSpace(rest), "/") ||
			rest == "" && isOneOf(first, "reboot", "poweroff", "halt") {
			l.Operations = append(l.Operations, Operation{Act: Shell, Text: piece, Word: w, Root: l.Root, IsFed: l.IsFed})
		}
	}
}

// isService says that a program orders a cluster, a cloud or another service.
func isService(name string) bool {
	return isOneOf(name, "aws", "gcloud", "az", "oci", "doctl", "linode-cli", "hcloud", "scw", "exo", "civo", "vultr-cli", "ibmcloud", "aliyun", "tccli", "openstack", "govc", "mc", "fly", "flyctl", "vercel", "netlify", "railway", "render", "wrangler", "firebase", "supabase", "planetscale", "pscale", "turso", "neonctl", "heroku", "cf", "dokku", "okta", "auth0", "twilio", "stripe", "shopify", "glab", "gh", "hub", "tea",
		"kubectl", "oc", "k", "kubecolor", "helm", "argocd", "flux", "istioctl", "linkerd", "velero", "eksctl", "kops", "kubeadm", "talosctl", "rancher", "nomad", "consul", "vault", "etcdctl", "boundary", "waypoint", "gsutil", "bq", "s3cmd", "b2", "akamai", "ceph", "rbd", "copilot", "eb", "sam", "amplify", "tailscale", "upsun", "platform", "clever", "surge", "cloudflared", "datadog-ci", "pagerduty", "snyk", "circleci", "travis", "jira", "confluent", "atlas", "mongocli", "ccloud", "rpk", "kafka-topics", "kafka-acls", "kafka-configs", "rke2", "k3s", "k0s", "crictl", "nerdctl", "ldcli", "terragrunt", "op", "pulumi", "flagsmith")
}

// service judges what a service is told by the nouns and verbs of the call: it may
// only raise a level.
func service(l *findings) {
	if helpOf(l) {
		return
	}
	path := commandPath(l)
	var tokens []string
	for _, w := range path {
		tokens = append(tokens, strings.FieldsFunc(strings.ToLower(w.Text), func(r rune) bool { return strings.ContainsRune("-_:./", r) })...)
	}
	at := l.Words[0]
	if len(path) > 0 {
		at.End = max(at.End, path[len(path)-1].End)
	}
	reads := readsFirst(path)
	if isOneOf(l.Name, "kubectl", "oc", "k", "kubecolor") && len(path) > 0 && isOneOf(path[0].Text, "get", "describe") {
		for _, w := range l.Args() {
			for kind := range strings.SplitSeq(w.Text, ",") {
				if strings.HasPrefix(strings.ToLower(kind), "secret") {
					l.Caution("shows secrets", w)
				}
			}
		}
	}
	for _, w := range l.Args() {
		reads = reads || isOneOf(w.Text, "--dry-run", "--dry-run=client", "--dry-run=server", "--dryrun", "--help", "-h")
	}
	if !reads {
		verbs(l, tokens, at)
		gives(l)
	}
	told(l)
}

// readsFirst says that the first verb of a command path is one that asks. What stands
// behind it may be a name.
func readsFirst(path []Word) bool {
	for i, w := range path {
		first := strings.ToLower(w.Text)
		if i == 0 && len(path) > 1 && first == "logs" && strings.Contains(path[1].Text, "-") {
			continue // the service of that name
		}
		if _, after, ok := strings.Cut(first, ":"); ok { // heroku pg:info
			first = after
		}
		first, _, _ = strings.Cut(first, "-")
		switch {
		case isOneOf(first, "list", "ls", "get", "describe", "show", "head", "view", "status", "logs", "info", "search", "read", "tail", "diff", "history", "version", "help", "check", "validate", "plan", "wait", "inspect", "explain", "top", "events", "whoami", "lookup", "ps", "simulate", "can", "filter", "template", "lint", "cat", "du", "query", "preview", "estimate"):
			return true
		case isOneOf(first, "add", "set", "update", "create", "delete", "put", "remove", "invoke", "run", "send", "execute", "exec", "attach", "modify", "apply", "enable", "disable", "start", "stop", "restart", "scale", "deploy", "import", "upload", "copy", "cp", "mv", "rm", "sync", "ssh", "grant", "revoke", "reset", "destroy", "patch", "replace", "edit", "install", "uninstall", "upgrade", "rollback", "restore", "backup", "register", "deregister", "associate", "authorize", "cancel", "change", "generate", "promote", "publish", "push", "terminate", "open", "close", "move", "purge"):
			return false
		}
	}
	return false
}

// commandPath are the words that say what is to be done: those before the first
// option, without the options of the program itself.
func commandPath(l *findings) []Word {
	args := l.Args()
	whole := wholeOf(rowsOf(l.Name))
	var path []Word
	for i := 0; i < len(args) && len(path) < 5; i++ {
		t := args[i].Text
		if !IsFlag(args[i]) {
			path = append(path, args[i])
			continue
		}
		if len(path) > 1 {
			break
		}
		name, _, given := strings.Cut(t, "=")
		if u, ok := whole.flags[name]; ok && u.arg && !given {
			i++
		}
	}
	return path
}

// verbs judges the tokens of a command path that does not only read.
func verbs(l *findings, tokens []string, at Word) {
	for i, t := range tokens {
		switch {
		case isOneOf(t, "iam", "policy", "policies", "role", "roles", "rolebinding", "binding", "permission", "permissions", "acl", "acls", "access", "keys", "apikeys", "credential", "credentials", "member", "members", "collaborators", "users", "user", "token", "tokens", "sso", "saml", "mfa", "password", "passwords", "firewall", "firewalls", "ingress", "cors", "waf", "grant", "grants", "sharing", "certificate", "certificates", "keypair", "authorization", "authorizations"):
			if len(tokens) > 1 && !isOneOf(l.Name, "kubectl", "oc", "k", "jira", "heroku") && tokens[0] != "auth" && !(tokens[0] == "api" && l.Worst() == Safe) {
				l.Danger("changes who may do what in a service", at)
			}
		case isOneOf(t, "lifecycle", "retention", "versioning", "encryption", "trail", "trails", "audit", "logging", "backup", "backups", "replication", "guardduty", "detector", "securityhub", "protection") && i > 0 && !isOneOf(l.Name, "velero", "heroku", "talosctl"):
			l.Danger("changes what guards the data of a service", at)
		case isOneOf(t, "dns", "route53", "domains", "domain", "nameservers", "record", "recordsets", "records"):
			l.Danger("changes where a name leads", at)
		case isOneOf(t, "secret", "secrets", "secretsmanager", "kms", "keyvault", "vault") && !isOneOf(l.Name, "kubectl", "oc", "k", "vault"):
			l.Danger("changes secrets of a service", at)
		case isOneOf(t, "exec", "execute", "ssh", "ssm", "rsh") && !isOneOf(l.Name, "kubectl", "oc", "k", "kubecolor"), t == "run" && i+1 < len(tokens) && tokens[i+1] == "command", t == "send" && i+1 < len(tokens) && tokens[i+1] == "command", t == "metadata" && i > 0 && isOneOf(tokens[i-1], "add", "set", "update"), t == "function" && i > 0 && tokens[i-1] == "update", t == "extension" && l.Name == "az", t == "iamidentitymapping", t == "podidentityassociation", t == "code" && i > 0 && tokens[i-1] == "function", t == "startup":
			l.Danger("runs or changes code on other machines", at)
		case isOneOf(t, "stop", "suspend", "pause", "kill", "rebuild", "reset", "delete", "terminate", "destroy", "purge", "deregister", "revoke", "disable", "detach", "reboot", "wipe", "drop", "shutdown", "deallocate", "failover", "evict", "unpublish", "teardown", "undeploy", "abort", "reimage", "poweroff", "transfer"):
			if !isOneOf(l.Name, "kubectl", "oc", "k", "kubecolor", "gh", "hub", "heroku") {
				l.Danger("destroys, or takes out of use, in a service", at)
			}
		case isOneOf(t, "down", "rollback", "promote", "revert", "share", "traffic", "prune", "uninstall", "rm", "rmi", "rmp", "factory", "unlink", "expose", "cutover", "switchover", "unlock", "seal") && !isOneOf(l.Name, "kubectl", "oc", "k", "kubecolor", "helm", "gh", "hub", "docker"):
			l.Danger("takes out of use, or replaces, what others use", at)
		case t == "variable" && l.Name == "glab", t == "variables", t == "import" && i > 0 && isOneOf(tokens[i-1], "auth", "users", "db", "database", "data"), t == "apply" && i > 0 && isOneOf(tokens[i-1], "all"):
			l.Danger("changes what others use", at)
		case isOneOf(t, "refund", "refunds", "payout", "payouts", "billing", "charges"):
			l.Danger("moves money", at)
		}
	}
}

// told judges the words and options of what a service is told: down to nothing, open to
// everybody, a command for another machine, a statement for a database.
func told(l *findings) {
	args := l.Args()
	for i, w := range args {
		t := strings.ToLower(w.Text)
		name, value, given := strings.Cut(t, "=")
		if !given && i+1 < len(args) {
			value = strings.ToLower(args[i+1].Text)
		}
		switch {
		case IsFlag(w) && value == "0" && HasAny(name, "replica", "count", "capacity", "size", "nodes", "instances", "scale", "units", "weight", "desired", "concurren", "workers", "max-"):
			l.Danger("scales to nothing", w)
		case !IsFlag(w) && (given && value == "0" || t == "0") && HasAny(strings.ToLower(textOf(args)), "scale"):
			l.Danger("scales to nothing", w)
		case IsFlag(w) && strings.Contains(name, "public") && !isOneOf(value, "false", "no", "disabled", "off", "0") && !strings.HasPrefix(name, "--no-") && !HasAny(name, "public-ip", "public-key", "include-public", "publicly", "--public-only"),
			HasAny(t, "allusers", "allauthenticatedusers", "visibility=public", "private=false", "public-read", `"principal":"*"`, `"principal": "*"`, `"aws":"*"`) || name == "--publicly-accessible" || t == "0.0.0.0/0" || value == "0.0.0.0/0" && given:
			l.Danger("opens something to everybody", w)
		case HasAny(t, `finalizers":null`, `finalizers":[]`, `finalizers": null`, `finalizers": []`, `reclaimpolicy":"delete`, "blockpublicacls=false", `"effect":"noexecute"`):
			l.Danger("takes a guard away", w)
		}
		if strings.Contains(w.Text, " ") {
			if why := Statement(w.Text); why != "" {
				l.Danger(why, w)
			}
			embedded(l, w, w.Text)
		}
	}
	if isOneOf(l.Name, "gh", "glab") && len(args) > 2 && isOneOf(args[0].Text, "workflow", "ci", "pipeline") && isOneOf(args[1].Text, "run", "trigger", "play") {
		for _, w := range args[2:] {
			if hasAnyFold(w.Text, "wipe", "destroy", "teardown", "delete", "purge", "nuke", "rollback", "drop", "reset") {
				l.Danger("starts what destroys, as its name says", w)
			}
		}
	}
	if isOneOf(l.Name, "gh", "glab", "hub") && len(args) > 0 && args[0].Text == "api" {
		api(l, args[1:])
	}
}

// gives judges options of a call that does not only read: who may do what, code that a
// machine runs when it starts, and guards that are taken away.
func gives(l *findings) {
	args := l.Args()
	for i, w := range args {
		if !IsFlag(w) {
			continue
		}
		name, value, given := strings.Cut(strings.ToLower(w.Text), "=")
		if !given && i+1 < len(args) {
			value = strings.ToLower(args[i+1].Text)
		}
		switch {
		case isOneOf(name, "--role", "--roles", "--permission", "--permissions", "--policy", "--policies", "--grants", "--grant", "--member", "--members", "--principal", "--principals", "--scopes", "--assign-identity", "--acl", "--clusterrole", "--cluster-role", "--iam-account-roles"):
			l.Danger("gives rights in a service", w)
		case HasAny(name, "user-data", "userdata", "startup-script", "custom-data", "bootstrap-script", "run-command", "init-script"), name == "--only" && strings.Contains(value, "rules"):
			l.Danger("changes code or rules on other machines", w)
		case HasAny(name, "protection", "retention", "versioning", "backup", "encryption", "logging", "firewall") && (HasPrefixAny(name, "--no-", "--disable-", "--remove-", "--clear-", "--skip-") || isOneOf(value, "false", "off", "disabled", "0", "none")):
			l.Danger("takes a guard away", w)
		case HasAny(name, "source-address", "source-range", "cidr", "allowed-ip", "authorized-networks", "start-ip", "allow-from") && HasAny(value, "*", "internet", "any", "0.0.0.0", "::/0"):
			l.Danger("opens something to everybody", w)
		case HasAny(name, "authorized", "allowed", "ip-range", "ip-rules", "deny", "restrict") && !strings.HasPrefix(name, "--no-") && (given || i+1 < len(args)) && isOneOf(value, "", "[]", "null", "none"), name == "--default-action" && value == "allow":
			l.Danger("opens something to everybody", w)
		case HasAny(name, "termination", "deletion") && HasPrefixAny(name, "--no-"):
			l.Danger("takes a guard away", w)
		case isOneOf(name, "-k", "--kustomize", "-f", "--filename") && HasAny(value, "://", "github.com/", "gitlab.com/", "git@", "?ref="):
			l.Danger("takes from elsewhere what it runs", w)
		}
	}
	for _, w := range args {
		t := strings.ReplaceAll(strings.ToLower(w.Text), " ", "")
		if t == "--privileged" || t == "--privileged=true" || HasAny(t, `"privileged":true`, `"hostpid":true`, `"hostnetwork":true`, `"hostipc":true`, `"hostpath"`) {
			l.Danger("gives a container the machine", w)
		}
	}
}

// api judges a raw request to a forge.
func api(l *findings, args []Word) {
	flags, operands := parse(args, flagSpec{Args: "XHfFqtp", Longs: []string{"--method", "--header", "--field", "--raw-field", "--jq", "--template", "--input", "--hostname", "--cache", "--preview"}})
	method, sends := "", false
	for _, f := range flags {
		switch f.Name {
		case "-X", "--method":
			method = strings.ToUpper(f.Value)
		case "-f", "-F", "--field", "--raw-field", "--input":
			sends = true
			if hasAnyFold(f.Value, "mutation") && len(operands) > 0 && operands[0].Text == "graphql" {
				l.Danger("changes something by a query", f.Arg)
			}
		}
	}
	if method == "DELETE" {
		l.Danger("deletes on another machine", l.Words[0])
	}
	if method != "" && method != "GET" || sends && method != "GET" {
		for _, w := range operands {
			if hasAnyFold(w.Text, "collaborator", "/keys", "/hooks", "secret", "protection", "permission", "transfer", "/members", "memberships", "invitation", "/actions/", "runners", "/git/refs", "visibility", "/rulesets", "installations", "/variables", "dispatches", "/pages", "vulnerability-alerts") {
				l.Danger("changes who may, or what runs, on another machine", w)
			}
		}
	}
}
