package risk

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"ken/internal/risk/programs"
)

// ken follows what is secret through the whole line. What a command reads or prints goes through
// pipes, substitutions, variables, files and inputs. Where it meets a program that is not known to
// keep it here, it is sent away.

const whySends = "sends what may be a secret to another machine"

// isSecret reports whether a path names a secret, or all of a home.
func (j *judge) isSecret(w programs.Word) bool {
	t := w.Text
	if t == "" || programs.IsFlag(w) && !strings.Contains(t, "=") {
		return false
	}
	secret := false
	for _, part := range []string{t, after(t, "@"), after(t, "="), after(t, "<"), after(t, "if=")} {
		if part == "" {
			continue
		}
		j.everywhere(func() {
			secret = secret || j.paths.Secret(part) || j.paths.SecretTree(part) || j.hot[j.paths.Clean(part)]
		})
	}
	return secret
}

func after(t, mark string) string {
	_, rest, _ := strings.Cut(t, mark)
	return rest
}

// shown reports whether a command shows what is secret: a file, all below a directory of secrets,
// or what a search for them finds.
func (j *judge) shown(words []programs.Word, w programs.Word, s scene) bool {
	tree := false
	if name, _ := programs.NameOf(words[0].Text); programs.TakesTrees(name, words[1:]) {
		tree = j.paths.SecretTree(w.Text) && !in(j.paths.Clean(w.Text), "~", "~/.config", "~/.local", "~/.local/share", "~/Library", "/home", "/Users")
	}
	if s.isFed && strings.Contains(w.Text, "{}") || s.isFed && len(words) == 1 {
		for _, f := range s.fed {
			tree = tree || j.paths.Secret(f.Text) || j.paths.SecretTree(f.Text) && !in(j.paths.Clean(f.Text), "~", "/home", "/Users", "~/.config")
		}
	}
	return tree || j.paths.Secret(w.Text)
}

// isSource reports whether a command prints or passes on what is secret.
func (j *judge) isSource(words []programs.Word) bool {
	if len(words) == 0 {
		return false
	}
	name, _ := programs.NameOf(words[0].Text)
	args := words[1:]
	if programs.PrintsSecrets(name, args) || in(name, "find", "gfind", "fd") && slices.ContainsFunc(args, j.isSecret) {
		return true
	}
	if !programs.Prints(name) && name != "cp" || in(name, "git", "openssl", "chmod", "chown", "rm", "mkdir", "touch", "ssh", "ssh-add", "ssh-copy-id", "ssh-keygen", "source", ".", "curl", "wget", "docker", "kubectl", "docker-compose", "ansible-playbook", "terraform", "cd", "read") {
		return false
	}
	whole := programs.TakesTrees(name, args)
	for i, w := range args {
		if j.isSecret(w) && !keyOption(words[i]) {
			return true
		}
		if whole && in(j.paths.Clean(w.Text), "~", "/", "/home", "/root", "/etc", "/Users", "/var") {
			return true
		}
	}
	return false
}

// sources reports whether a command in a list prints what is secret, or a list is fed it.
func (j *judge) sources(list []*syntax.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	if found, ok := j.sourced[list[0]]; ok {
		return found
	}
	found := false
	for _, st := range list {
		syntax.Walk(st, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CallExpr:
				found = found || len(n.Args) > 0 && j.isSource(j.words(n.Args))
			case *syntax.Redirect:
				found = found || n.Op == syntax.RdrIn && j.isSecret(j.word(n.Word))
			case *syntax.DeclClause:
				found = found || len(n.Args) == 0 || len(n.Args) == 1 && n.Args[0].Value != nil && in(n.Args[0].Value.Lit(), "-p", "-x", "-px")
			}
			return !found
		})
	}
	if j.sourced == nil {
		j.sourced = map[*syntax.Stmt]bool{}
	}
	j.sourced[list[0]] = found
	return found
}

// leaks judges a command as the end of such a way. reaches says that it is more than
// reading and printing.
func (j *judge) leaks(words []programs.Word, reaches bool, s scene) {
	first := words[0]
	name, _ := programs.NameOf(first.Text)
	if j.isSource(words) {
		j.read++
		for _, w := range words[1:] { // what is no secret may be where it goes
			if !programs.IsFlag(w) && !j.isSecret(w) {
				j.written = append(j.written, j.paths.Clean(w.Text))
			}
		}
	}
	j.gitSends(name, words, s)
	if !reaches || programs.Stays(name, words[1:]) {
		return
	}
	danger := func(w programs.Word) { j.say(Danger, whySends, s, w.At, w.End) }
	for _, b := range s.before {
		if j.isSource(b) {
			danger(first)
		}
	}
	if slices.ContainsFunc(s.inputs, j.isSecret) {
		danger(first)
	}
	if s.doc != nil && (s.doc.Secret || s.doc.Set && j.read > 0) {
		danger(first)
	}
	sender := programs.Sends(name, words[1:])
	if s.doc != nil && sender { // put .netrc
		for _, t := range strings.Fields(s.doc.Text) {
			if w := *s.doc; j.isSecret(programs.Word{Text: t}) {
				danger(w)
			}
		}
	}
	for _, w := range words[1:] {
		if strings.Contains(w.Text, "://") && secretName(w) && strings.Contains(w.Text, "?") && in(name, "curl", "wget", "wget2", "http", "https", "xh", "open", "xdg-open") && strings.Index(w.Text, "$") > strings.Index(w.Text, "?") {
			danger(w) // in an address it stands in the logs of others
		}
	}
	for i, w := range words[1:] {
		hot := false
		for _, part := range []string{w.Text, after(w.Text, "@")} {
			j.everywhere(func() { hot = hot || part != "" && j.hot[j.paths.Clean(part)] })
		}
		switch {
		case w.Secret, hot, (w.Set || w.Tainted) && j.read > 0:
			danger(w)
		case sender && j.isSecret(w) && !keyOption(words[i]) && !keyOption(w):
			danger(w)
		}
	}
}

// secretName reports whether a word has a variable in it whose name says that it holds a secret, or
// that is chosen by a name which is not known.
func secretName(w programs.Word) bool {
	if !w.Hole {
		return false
	}
	for rest := w.Text; ; {
		_, after, ok := strings.Cut(rest, "$")
		if !ok {
			return false
		}
		if strings.HasPrefix(after, "!") {
			return true
		}
		end := strings.IndexFunc(after, func(r rune) bool { return !isNameRune(r) })
		if end < 0 {
			end = len(after)
		}
		name := strings.ToUpper(after[:end])
		for _, part := range strings.Split(name, "_") {
			if in(part, "SECRET", "SECRETS", "TOKEN", "PASSWORD", "PASSWD", "PASSPHRASE", "APIKEY", "CREDENTIAL", "CREDENTIALS", "PGPASSWORD") || part == "KEY" && programs.HasAny(name, "API", "PRIVATE", "SECRET", "ACCESS", "SSH", "ENCRYPTION", "SIGNING", "MASTER") || part == "PASS" && strings.Contains(name, "_") {
				return true
			}
		}
		rest = after
	}
}

// keyOption reports whether a word is an option whose value is a key to log in with, and not to be
// sent.
func keyOption(w programs.Word) bool {
	name, _, _ := strings.Cut(w.Text, "=")
	return in(name, "-i", "-E", "-F", "--key", "--cert", "--cacert", "--ca-certificate", "--private-key", "--identity", "--ssh-key", "--kubeconfig", "--env-file", "--config", "--credentials-file", "--sse-c-key", "--exclude", "--include", "--password-file", "--exclude-from", "--files-from", "--ca-bundle", "--cert-key", "-o", "-e")
}

// gitSends judges git: what is secret and added is sent by a push, and a remote that the
// line itself makes may be anybody's.
func (j *judge) gitSends(name string, words []programs.Word, s scene) {
	if name != "git" {
		return
	}
	var rest []programs.Word
	for i := 1; i < len(words); i++ {
		if in(words[i].Text, "-C", "-c") {
			i++
			continue
		}
		if !programs.IsFlag(words[i]) || len(rest) > 0 {
			rest = append(rest, words[i])
		}
	}
	switch {
	case len(rest) < 1:
	case in(rest[0].Text, "notes", "tag", "commit", "stash") && slices.ContainsFunc(words, func(w programs.Word) bool { return w.Secret }):
		j.added = true
	case in(rest[0].Text, "add", "stage", "commit") && slices.ContainsFunc(rest[1:], j.isSecret):
		j.added = true
	case rest[0].Text == "remote" && len(rest) > 1 && in(rest[1].Text, "add", "set-url"):
		j.remote = true
	case rest[0].Text == "push" && j.added:
		j.say(Danger, whySends, s, words[0].At, rest[0].End)
	case rest[0].Text == "push" && j.remote:
		j.say(Danger, "sends the repository to a place that the line itself names", s, words[0].At, rest[0].End)
	}
}

// warm marks the files that were written since from by what reads secrets.
func (j *judge) warm(read, from int) {
	if j.read == read {
		return
	}
	if j.hot == nil {
		j.hot = map[string]bool{}
	}
	for _, p := range j.written[from:] {
		j.hot[p] = true
	}
}
