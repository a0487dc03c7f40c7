package programs

import (
	"strings"
)

// asksByVerb judges the client of a service whose commands are nouns and then a verb:
// one that lists, shows or describes is harmless, with the options that such verbs have
// everywhere. What may be a key, what could be a file, and an option of another name are
// not. It says whether the call is such a question.
//
// Only a client whose row says "verbs" is read so: in all its commands these verbs must
// ask and do nothing else.
func asksByVerb(l *findings) bool {
	args := l.Args()
	verb := -1
	for i, w := range args[:min(len(args), 5)] {
		if w.Hole || w.Glob || w.Split || strings.Trim(w.Text, "abcdefghijklmnopqrstuvwxyz0123456789-:._") != "" || IsFlag(w) {
			break
		}
		if holdsKeys(w.Text) {
			return false
		}
		if asksVerb(w.Text) {
			verb = i
			break
		}
	}
	if verb < 0 || args[verb].Text == "get" && (verb == 0 || HasAny(args[verb-1].Text, "object", "file", "blob", "artifact",
		"backup", "archive", "image", "dump", "export", "download")) {
		return false
	}
	for i := verb + 1; i < len(args); i++ {
		w := args[i]
		name, value, given := strings.Cut(w.Text, "=")
		switch {
		case w.Subst || w.Tainted || w.Set || HasAny(w.Text, "://", "git@", "$(", "`", "<()"):
			return false
		case !IsFlag(w):
			if holdsKeys(w.Text) {
				return false
			}
			continue
		case isOneOf(name, "--json", "--no-header", "--no-headers", "--all", "-A", "-a", "--wide", "--verbose", "-v", "--quiet",
			"-q", "--no-color", "--help", "-h", "--show-labels", "--no-pager", "--no-truncate", "--recursive", "--details", "--csv",
			"--yaml", "--plain", "--text", "--raw-json", "--uri", "--long", "-l"):
			continue
		case !isOneOf(name, "-o", "--output", "-f", "--format", "-n", "--namespace", "--limit", "--page", "--per-page",
			"--page-size", "--max-items", "--filter", "--filters", "--query", "--region", "--zone", "--location", "--project",
			"--project-id", "--org", "--org-id", "--organization", "--organization-id", "--name", "--id", "--sort", "--sort-by",
			"--order", "--order-by", "--columns", "--fields", "--selector", "--label", "--labels", "--since", "--until", "--start",
			"--end", "--tail", "--status", "--state", "--type", "--tag", "--tags", "--resource-group", "-g", "--subscription",
			"--cluster", "--app", "--service", "--environment", "--env", "--scope", "-s", "-p", "-r", "--owner", "--workspace",
			"--team", "--account", "--context", "--profile"):
			return false
		}
		if !given {
			if i++; i >= len(args) {
				return true
			}
			value = args[i].Text
			if IsFlag(args[i]) || args[i].Hole {
				return false // one of the two is no option and its value
			}
		}
		if isOneOf(name, "-o", "--output", "-f", "--format") && !plainFormat(value) {
			return false // elsewhere it is the name of a file
		}
	}
	return true
}

// asksVerb says that a verb of a service's client asks.
func asksVerb(verb string) bool {
	_, behind, noun := strings.Cut(verb, ":") // apps:list
	if noun {
		verb = behind
	}
	return isOneOf(verb, "list", "ls", "show", "describe", "get", "info", "status", "whoami",
		"version") || HasPrefixAny(verb, "list-", "describe-")
}

// holdsKeys says that a noun of a service may be a key, or what holds one.
func holdsKeys(noun string) bool {
	for part := range strings.FieldsFuncSeq(strings.ToLower(noun), func(r rune) bool { return strings.ContainsRune("-_:./", r) }) {
		if isOneOf(part, "secret", "secrets", "token", "tokens", "credential", "credentials", "creds", "password", "passwords",
			"key", "keys", "apikey", "apikeys", "kubeconfig", "env", "environment", "envs", "variable", "variables", "var", "vars",
			"auth", "login", "session", "connection", "dsn", "cert", "certs", "config", "conf", "settings", "exec", "run", "ssh",
			"plugin", "plugins", "extension", "extensions", "shell", "local") {
			return true
		}
	}
	return false
}

// plainFormat says that a value names a form of output, and no file.
func plainFormat(value string) bool {
	form, _, given := strings.Cut(value, "=")
	return isOneOf(form, "json", "yaml", "yml", "table", "wide", "text", "name", "csv", "tsv", "human", "plain", "pretty",
		"json-pretty", "ndjson", "value", "none", "id", "list", "default", "short", "jsonl", "term",
		"markdown") && (!given || isOneOf(form, "json", "yaml", "table", "human", "value")) ||
		given && isOneOf(form, "jsonpath", "custom-columns", "go-template", "template")
}
