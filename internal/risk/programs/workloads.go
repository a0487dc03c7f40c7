package programs

import (
	"strings"
)

// workloads judges what a cluster runs and who reaches it: a workload that is replaced,
// a source that is changed, a machine or a copy taken out of use, a port opened.
func workloads(l *findings) {
	path := commandPath(l)
	verb, second, third := pathWord(path, 0), pathWord(path, 1), pathWord(path, 2)
	at := l.Words[0]
	if len(path) > 0 {
		at = path[min(len(path), 2)-1]
	}
	args := l.Args()
	for _, w := range args {
		if isOneOf(w.Text, "--dry-run", "--dry-run=client", "--dry-run=server", "--help", "-h") {
			return
		}
	}
	reads := readsFirst(path)
	switch l.Name {
	case "kubectl", "oc", "k", "kubecolor":
		kube(l, verb, second, third, at)
	case "crictl":
		if isOneOf(verb, "rm", "rmp", "rmi", "stop", "stopp") {
			l.Danger("takes down what runs in a cluster", at)
		}
	case "helm":
		if isOneOf(verb, "rollback", "upgrade") && (verb == "rollback" || HasAny(textOf(args), "image.repository=", "image=", ".image")) {
			l.Danger("replaces what runs in a cluster", at)
		}
	case "argocd":
		if verb == "app" && isOneOf(second, "set", "rollback", "delete", "terminate-op", "patch", "unset", "delete-resource") ||
			verb == "app" && second == "sync" && hasFlag(args, "--force", "--prune", "--replace") || isOneOf(verb, "cluster", "account", "repo", "repocreds", "proj", "cert", "gpg", "admin") && !reads {
			l.Danger("replaces what runs in a cluster, or who may", at)
		}
	case "flux":
		if verb == "create" && second == "source" || isOneOf(verb, "suspend", "uninstall", "delete", "bootstrap") {
			l.Danger("changes what a cluster takes from elsewhere, or stops that", at)
		}
	case "istioctl", "linkerd":
		if isOneOf(verb, "install", "upgrade", "uninstall", "x", "experimental", "operator", "tag", "revision") && !reads {
			l.Danger("changes the network of a cluster", at)
		}
	case "consul":
		switch {
		case isOneOf(verb, "lock", "exec", "watch"):
			l.Danger("runs a command, or runs it on other machines", at)
			for _, w := range args[1:] {
				if strings.Contains(w.Text, " ") {
					l.Shell(w.Text, w, false)
				}
			}
		case verb == "snapshot" && second == "restore", isOneOf(verb, "leave", "force-leave", "maint", "keyring", "acl", "intention", "config", "connect") && !reads:
			l.Danger("changes what others use", at)
		case verb == "kv" && second == "import":
			l.Danger("overwrites what others use", at)
		}
	case "nomad":
		if verb == "job" && isOneOf(second, "revert", "periodic", "promote", "restart", "eval", "scale") || isOneOf(verb, "stop", "revert", "acl", "sentinel", "quota") && !reads || verb == "alloc" && isOneOf(second, "exec", "stop", "restart", "signal") || verb == "node" && isOneOf(second, "drain", "eligibility") || verb == "system" {
			l.Danger("takes down, or replaces, what runs in a cluster", at)
		}
	case "etcdctl":
		if verb == "put" && strings.HasPrefix(second, "/registry") || verb == "snapshot" && second == "restore" || isOneOf(verb, "defrag", "compaction", "move-leader", "txn", "elect") {
			l.Danger("changes the store of a cluster", at)
		}
	case "rke2", "k3s", "k0s":
		if !reads && (HasAny(verb+" "+second, "etcd-snapshot", "certificate", "secrets-encrypt", "token", "reset", "stop") && !isOneOf(second, "save", "ls", "list") || isOneOf(verb, "kubectl", "crictl", "ctr")) {
			if isOneOf(verb, "kubectl", "crictl", "ctr") && len(path) > 1 {
				l.Run(args[1:], false)
				return
			}
			l.Danger("changes what a cluster keeps", at)
		}
	case "velero":
		if isOneOf(second, "delete", "set") {
			l.Danger("changes the backups of a cluster", at)
		}
	}
}

// pathWord is the word of a path in that place, "" if there is none.
func pathWord(path []Word, i int) string {
	if i >= len(path) {
		return ""
	}
	return strings.ToLower(path[i].Text)
}

// hasFlag says that one of the options is among the words.
func hasFlag(args []Word, names ...string) bool {
	for _, w := range args {
		name, value, given := strings.Cut(w.Text, "=")
		if isOneOf(name, names...) && (!given || value != "false") {
			return true
		}
	}
	return false
}

// kube judges the verbs of a cluster's own client.
func kube(l *findings, verb, second, third string, at Word) {
	args := l.Args()
	all := strings.ToLower(textOf(args))
	switch {
	case verb == "set" && isOneOf(second, "image", "selector", "last-applied", "sa", "serviceaccount", "subject"):
		l.Danger("replaces what runs in a cluster", at)
	case verb == "taint" && HasAny(all, ":noexecute"), verb == "argo" && HasAny(all, " promote", " abort", " undo", " retry", " set image"), verb == "evict":
		l.Danger("takes down, or replaces, what runs in a cluster", at)
	case verb == "rollout" && second == "undo":
		l.Danger("replaces what runs in a cluster", at)
	case isOneOf(verb, "annotate", "label", "patch", "edit") && HasAny(all, "snippet", "auth-", "whitelist", "allow-", "role-arn", "pod-security", "iam.gke", "backend-protocol", "configmap/coredns", "aws-auth", "unschedulable", "psp", "seccomp", "apparmor", "sysctls"):
		l.Danger("changes what guards a cluster", at)
	case isOneOf(verb, "annotate", "patch", "edit", "delete", "replace") && isOneOf(strings.Split(second, "/")[0], "ingress", "ing", "ingresses", "networkpolicy", "netpol", "networkpolicies", "crd", "apiservice", "pv", "pvc", "poddisruptionbudget", "pdb", "psp", "limitrange", "resourcequota", "quota", "storageclass", "gateway", "virtualservice", "certificate", "issuer", "clusterissuer"):
		l.Danger("changes what guards a cluster, or its ways in", at)
	case verb == "expose" && HasAny(all, "loadbalancer", "nodeport", "external-ip"):
		l.Danger("opens something to others", at)
	case isOneOf(verb, "patch", "edit") && HasAny(strings.ReplaceAll(all, " ", ""), `"loadbalancer"`, `"nodeport"`, `"image":`, `"replicas":0`, `"command":`, `"selector":`, `"suspend":true`, `"externalips"`, `"op":"remove"`):
		l.Danger("replaces what runs in a cluster, or opens it to others", at)
	case verb == "proxy" && hasFlag(args, "--address", "--accept-hosts", "--disable-filter"), verb == "port-forward" && hasFlag(args, "--address"):
		if !HasAny(all, "--address=localhost", "--address=127.0.0.1", "--address localhost", "--address 127.0.0.1") {
			l.Danger("opens something to others", at)
		}
	case hasFlag(args, "--raw") && !isOneOf(verb, "get", "config"):
		l.Danger("sends a raw request to a cluster", at)
	case verb == "autoscale" && HasAny(all, "--max=0", "--max 0"):
		l.Danger("scales to nothing", at)
	case !readsFirst(commandPath(l)) && !isOneOf(verb, "", "logs", "port-forward") && HasAny(" "+all+" ", "kube-system", "istio-system", "cert-manager ", "gatekeeper-system", "calico-system"):
		l.Danger("changes what a cluster itself needs", at)
	case verb == "cp" && strings.Contains(third, ":") && !strings.Contains(second, ":"):
		l.Danger("changes what runs in a cluster", at)
	case isOneOf(verb, "run", "create", "debug") && HasAny(all, "--profile=sysadmin", "--profile sysadmin", "hostpid", "hostnetwork"):
		l.Danger("gives a container the machine", at)
	}
}
