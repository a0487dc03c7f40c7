package risk

import (
	"path"
	"strings"
)

// A pathClass is what changing a path means. Classes are no scale.
type pathClass uint8

// The classes.
const (
	plainPath   pathClass = iota // a file like any other, as far as its name shows
	scratchPath                  // below a directory for temporary files
	noPath                       // /dev/null, or the terminal: nothing is kept
	startPath                    // read or run when a shell, a session or the machine starts
	systemPath                   // of the system, or of another person
	diskPath                     // a disk, memory, or a switch of the kernel
	hooksPath                    // run by git, or read by it to know what to run
	ownPath                      // ken's own files
	netPath                      // a connection that the shell opens
)

// Why says of a class what is dangerous about writing there; "" if nothing is.
func (c pathClass) Why() string {
	return [...]string{
		startPath:  "writes to a file that is run at a start or a login",
		systemPath: "writes to the system",
		diskPath:   "writes to a device or the kernel",
		hooksPath:  "writes what git runs",
		ownPath:    "writes to ken's own files",
		netPath:    "opens a connection to another machine",
	}[c]
}

// pathDirs are the directories that paths begin at.
type pathDirs struct {
	Dir  string // the working directory, absolute; "" if unknown
	Home string // absolute; "" if unknown
}

// Clean makes of p a path that can be compared: "~/..." below the home directory,
// else absolute, or relative to a directory that is not known. Variables that name
// a home are read; others stay.
func (b pathDirs) Clean(p string) string {
	for _, home := range []string{"$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(p, home); ok && (rest == "" || rest[0] == '/') {
			p = "~" + rest
		}
	}
	for _, here := range []string{"$PWD", "${PWD}", "~+"} {
		if rest, ok := strings.CutPrefix(p, here); ok && (rest == "" || rest[0] == '/') {
			p = "." + rest
		}
	}
	if p == "" {
		return ""
	}
	if p[0] != '/' && p[0] != '~' && p[0] != '$' && b.Dir != "" {
		p = b.Dir + "/" + p
	}
	if p[0] == '~' && strings.Contains(p, "..") {
		p = b.outOfHome(p)
	}
	p = path.Clean(p)
	if b.Home != "" && b.Home != "/" {
		if rest, ok := strings.CutPrefix(p, path.Clean(b.Home)); ok && (rest == "" || rest[0] == '/') {
			p = "~" + rest
		}
	}
	if rest, ok := strings.CutPrefix(p, "~root"); ok && (rest == "" || rest[0] == '/') {
		p = "/root" + rest
	}
	return p
}

// outOfHome writes out the home directory of a path that may lead out of it.
func (b pathDirs) outOfHome(p string) string {
	who, rest, _ := strings.Cut(p, "/")
	home := b.Home
	switch {
	case who == "~root":
		home = "/root"
	case who != "~":
		home = "/home/" + who[1:]
	case home == "":
		home = "/home/~" // nobody's name
	}
	q := path.Clean(home + "/" + rest)
	if inside, ok := strings.CutPrefix(q, home); ok && (inside == "" || inside[0] == '/') {
		return who + inside
	}
	return q
}

// Inside reports whether p lies below the working directory, and is not that directory.
func (b pathDirs) Inside(p string) bool {
	q := b.Clean(p)
	if b.Dir == "" {
		return q != "" && q[0] != '/' && q[0] != '~' && q[0] != '$' && q != "." && q != ".." && !strings.HasPrefix(q, "../")
	}
	dir := b.Clean(b.Dir)
	return strings.HasPrefix(q, strings.TrimSuffix(dir, "/")+"/")
}

// Class returns what p is.
func (b pathDirs) Class(p string) pathClass {
	q := matching(b.Clean(p))
	switch {
	case q == "":
		return plainPath
	case strings.HasPrefix(q, "/dev/tcp/"), strings.HasPrefix(q, "/dev/udp/"):
		return netPath
	case in(q, "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/stdin"), strings.HasPrefix(q, "/dev/fd/"), strings.HasPrefix(q, "/dev/pts/"):
		return noPath
	case strings.HasPrefix(q, "/dev/shm/"):
		return scratchPath
	case below(q, "/dev"), below(q, "/proc"), below(q, "/sys"):
		return diskPath
	case isOwn(q):
		return ownPath
	case isHook(q):
		return hooksPath
	case isStart(q):
		return startPath
	case below(q, "/tmp"), below(q, "/var/tmp"), below(q, "/private/tmp"):
		return scratchPath
	case isSystem(q):
		return systemPath
	}
	return plainPath
}

func isOwn(q string) bool {
	for _, dir := range []string{"~/.config/ken", "~/.local/share/ken", "~/.local/state/ken", "~/.cache/ken", "$KEN_HOME", "${KEN_HOME}"} {
		if below(q, dir) {
			return true
		}
	}
	name := path.Base(q)
	return name == ".ken" || strings.Contains(q, "/.ken/") || strings.HasPrefix(q, ".ken/") ||
		in(name, "approvals.jsonl", "trust.jsonl", "tools.jsonl", "clients.jsonl", "telegram.json")
}

func isHook(q string) bool {
	if strings.HasPrefix(q, "~/.config/git/") {
		return true
	}
	if !strings.Contains(q, ".git") && !strings.Contains(q, ".husky") {
		return false // most paths, and a line may have hundreds
	}
	name, whole := path.Base(q), "/"+q
	return strings.Contains(whole, "/.git/hooks") || strings.HasSuffix(whole, "/.git/config") || strings.Contains(whole, "/.git/info/attributes") ||
		in(name, ".gitconfig", ".gitattributes", ".gitmodules") || strings.Contains(whole, "/.githooks/") || strings.Contains(whole, "/.husky/")
}

// isStart reports whether something runs, or obeys, the file at its start, or puts it before other
// programs: what begins with a dot in a home, but for caches, and in a project what tools obey.
func isStart(q string) bool {
	name := path.Base(q)
	switch {
	case in(name, ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout",
		".kshrc", ".cshrc", ".tcshrc", ".login", ".xinitrc", ".xsession", ".xprofile", ".inputrc", ".envrc", ".pam_environment",
		"config.fish", "authorized_keys", "authorized_keys2", ".vimrc", ".exrc", ".nvimrc", ".npmrc", ".pypirc", ".netrc", ".curlrc", ".wgetrc", ".pythonrc", ".tmux.conf",
		"ld.so.preload", "sudoers", "crontab", "sitecustomize.py", "usercustomize.py", ".bash_history", ".zsh_history", ".mcp.json",
		".yarnrc.yml", ".yarnrc", ".pnp.cjs", ".gdbinit", ".lldbinit", ".Rprofile", ".psqlrc", ".sqliterc", ".irbrc", ".pryrc", ".emacs", ".dir-locals.el", ".bazelrc", ".gemrc", ".condarc", ".mise.toml",
		"Jenkinsfile", "jenkinsfile", "azure-pipelines.yml", "bitbucket-pipelines.yml", "appveyor.yml", "buildspec.yml", "cloudbuild.yaml",
		".pre-commit-config.yaml", "lefthook.yml", ".gitlab-ci.yml", "pip.conf", ".perltidyrc", ".perlcriticrc", ".screenrc", ".mailcap", ".lessfilter", ".guile", ".ghci", ".ocamlinit", ".octaverc", ".Renviron", ".rspec", ".lldbinit-Xcode"):
		return true
	case strings.HasSuffix(name, ".pth"):
		return true
	case strings.HasPrefix(q, ".ssh/") || strings.Contains(q, "/.ssh/") || strings.HasSuffix(q, "/.ssh"):
		return true
	}
	whole := "/" + q
	if strings.Contains(whole, "/.") || strings.Contains(whole, "/venv/") {
		for _, dir := range []string{
			"/.vscode/", "/.github/workflows", "/.github/actions", "/.circleci/", "/.venv/bin/", "/venv/bin/", "/.venv/Scripts/", "/node_modules/.bin/", "/.cargo/config", "/.mvn/", "/.devcontainer/", "/.idea/", "/.emacs.d/", "/.bundle/config",
			"/.claude/", "/.cursor/", "/.codex/", "/.gemini/", "/.direnv/", "/.config/fish/", "/.config/autostart/", "/.config/systemd/", "/.vim/", "/.ipython/", "/.jupyter/",
		} {
			if strings.Contains(whole+"/", dir) {
				return true
			}
		}
	}
	if rest, ok := home(q); ok {
		switch {
		case rest == "" || rest == ".":
			return false
		case below(rest, ".cache"), below(rest, ".local/share/Trash"), below(rest, ".local/tmp"), rest == ".DS_Store", rest == ".config", rest == ".local", rest == ".local/share":
			return false
		case rest[0] == '.':
			return true
		}
		for _, dir := range []string{"bin", "sbin", "go/bin", "perl5/bin", "Library/LaunchAgents", "Library/Preferences", "Library/Application Scripts", "Library/Services", "Library/Scripts", "Library/KeyBindings"} {
			if below(rest, dir) {
				return true
			}
		}
	}
	for _, dir := range []string{"/Library/LaunchAgents", "/Library/LaunchDaemons", "/var/spool/cron", "/etc/cron.d", "/etc/profile.d", "/etc/init.d", "/etc/systemd"} {
		if below(q, dir) {
			return true
		}
	}
	return false
}

// home is what stands behind the home directory of a path, the person's or another's.
func home(q string) (rest string, ok bool) {
	if strings.HasPrefix(q, "~") {
		_, rest, _ = strings.Cut(q, "/")
		return rest, true
	}
	for _, dir := range []string{"/home/", "/Users/"} {
		if rest, ok = strings.CutPrefix(q, dir); ok {
			_, rest, _ = strings.Cut(rest, "/")
			return rest, true
		}
	}
	return "", false
}

// matching is a path of a bad class that a path with globs may be; the path itself if
// there is none.
func matching(q string) string {
	if !strings.ContainsAny(q, "*?[{") {
		return q
	}
	parts := strings.Split(q, "/")
	for i, part := range parts {
		if !strings.ContainsAny(part, "*?[{") {
			continue
		}
		if strings.ContainsAny(part, "{") {
			part = "*" // a list of names
			if parts[i][0] == '.' {
				part = ".*"
			}
		}
		for _, name := range usual(parts[:i]) {
			if ok, err := path.Match(part, name); err == nil && ok && (name[0] != '.' || part[0] == '.' || part[0] == '[') {
				parts[i] = name
				break
			}
		}
	}
	return strings.Join(parts, "/")
}

// usual are names of which one would do harm, in the directory that parts are.
func usual(parts []string) []string {
	above := strings.Join(parts, "/")
	switch {
	case len(parts) == 1 && parts[0] == "":
		return []string{"etc", "usr", "bin", "sbin", "boot", "dev", "root", "lib", "var", "opt", "home"}
	case above == "/home", above == "/Users":
		return []string{"u"}
	case above == "/etc":
		return []string{"passwd", "sudoers", "crontab"}
	case strings.HasSuffix(above, ".git"):
		return []string{"hooks", "config"}
	case strings.HasSuffix(above, ".ssh"):
		return []string{"authorized_keys", "config"}
	}
	return []string{".bashrc", ".bash_profile", ".profile", ".zshrc", ".git", ".ssh", ".config", ".vscode", ".github", ".envrc", ".npmrc"}
}

func isSystem(q string) bool {
	if q == "" || q[0] != '/' && q[0] != 'C' {
		return false
	}
	for _, dir := range []string{"/etc", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/boot", "/opt", "/var", "/root", "/run", "/srv", "/efi", "/nix", "/System", "/Library", "/Applications", "/private/etc", "/private/var", "C:"} {
		if below(q, dir) {
			return true
		}
	}
	return q == "/"
}

// Secret reports whether p holds keys, passwords or tokens by its name.
func (b pathDirs) Secret(p string) bool {
	q := b.Clean(p)
	name := path.Base(q)
	switch {
	case strings.HasSuffix(name, ".pub"):
		return false
	case in(name, ".env", ".netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials", ".vault-token", ".htpasswd", "shadow", "gshadow", "sudoers", "master.passwd",
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials", "credentials.json", "credentials.db", "secrets.yml", "secrets.yaml", "secrets.json", "keychain", ".my.cnf",
		".token", ".pw", ".passwd", ".password", ".passwords", ".secret", ".secrets", ".api_key", ".apikey", ".credentials", ".cookies", ".mypass", ".s3cfg", ".boto", ".fetchmailrc", ".authinfo", ".authinfo.gpg", "token.txt", "password.txt", "passwords.txt", "secret.txt", "secrets.txt", "environ", "terraform.tfstate", "service-account.json", "kubeconfig", "wallet.dat", "Login Data", "Cookies", "key4.db", "logins.json", "mask.key", ".bash_history", ".zsh_history", "SAM"):
		return true
	case strings.HasPrefix(name, ".env.") && !in(name, ".env.example", ".env.sample", ".env.template", ".env.dist"):
		return true
	case strings.HasSuffix(name, ".pem") && !strings.Contains(name, "key") && (strings.Contains(name, "cert") || strings.Contains(name, "chain") || strings.Contains(name, "bundle") || in(name, "ca.pem", "root.pem", "ca-root.pem")):
		return false // what is shown to everybody
	case strings.HasSuffix(name, ".pem"), strings.HasSuffix(name, ".key"), strings.HasSuffix(name, ".p12"), strings.HasSuffix(name, ".pfx"), strings.HasSuffix(name, ".kdbx"), strings.HasSuffix(name, ".keystore"), strings.HasSuffix(name, ".jks"):
		return true
	case strings.HasSuffix("/"+path.Dir(q), "/logins"): // ken's, at tool servers
		return strings.HasSuffix(name, ".json") || strings.ContainsAny(name, "*?[")
	case strings.Contains("/"+q, "/.ssh/") && !in(name, "config", "known_hosts", "authorized_keys"):
		return true
	}
	return strings.Contains("/"+q, "/.gnupg/") || strings.HasSuffix(q, "/.kube/config") || strings.Contains(q, "/.docker/config.json") ||
		strings.Contains(q, "/.config/gh/hosts") || strings.Contains(q, "/.aws/") || strings.Contains(q, "/gcloud/") && strings.Contains(name, "cred") ||
		strings.Contains(q, "/run/secrets/") || strings.HasPrefix(q, "/dev/mem") || strings.HasPrefix(q, "/etc/ssl/private")
}

// Holds reports whether files that are run at a start, or belong to the system, lie directly in the
// directory q, which is clean.
func (b pathDirs) Holds(q string) bool {
	if rest, ok := home(q); ok {
		return rest == "" || in(rest, ".config", ".local", ".local/share")
	}
	return in(q, "/", "/home", "/Users", "..") || strings.HasPrefix(q, "/..") || isSystem(q)
}

// SecretTree reports whether p is a directory that holds keys, passwords or tokens, or all of a
// home.
func (b pathDirs) SecretTree(p string) bool {
	q := strings.TrimRight(b.Clean(p), "*/")
	q = strings.TrimSuffix(q, "/.")
	rest, ok := home(q)
	if !ok {
		return in(q, "/root", "/home", "/Users", "/etc/ssl/private", "/run/secrets", "/etc/shadow", "/etc/ssh") || q != "" && in(path.Base(q), ".ssh", ".gnupg", ".aws", ".kube")
	}
	switch {
	case rest == "":
		return true
	case in(rest, ".config", ".local/share", "Library", ".local", "Library/Application Support"):
		return true
	}
	for _, dir := range []string{
		".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config/gcloud", ".config/gh", ".config/op", ".config/rclone", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/hub", ".config/doctl", ".config/heroku", ".config/sops", ".config/age", ".config/ken",
		".local/state/ken",
		".mozilla", ".thunderbird", ".bitcoin", ".ethereum", ".electrum", ".password-store", ".local/share/keyrings", ".local/share/ken", ".vault-token", ".terraform.d", ".m2", ".gem", ".cargo/credentials", ".cargo/credentials.toml", ".oci", ".netrc", ".pki", ".putty", ".config/solana", "Library/Keychains", "Library/Cookies", "Library/Messages", "Library/Mail",
		"Library/Application Support/Google/Chrome", "Library/Application Support/Firefox", "snap/firefox", ".step", ".minikube", ".databricks", ".snowflake", ".claude", ".codex",
	} {
		if below(rest, dir) {
			return true
		}
	}
	return false
}

// Broad returns why removing p, or changing all below it, would cost more than one
// can oversee; "" if it would not. Globs stand in p as they were written.
func (b pathDirs) Broad(p string) string {
	if p == "" {
		return ""
	}
	bare := strings.TrimRight(p, "/")
	if in(strings.TrimPrefix(bare, "./"), "*", ".*", "{*,.*}", "*.*", ".[!.]*", ".??*", "**", "?*", "[!.]*") || bare == "." || bare == "" {
		return "everything here, or everywhere"
	}
	q := b.Clean(p)
	stem := strings.TrimRight(q, "*?/")
	if stem == "" {
		return "everything"
	}
	if stem == "~" {
		return "a home directory"
	}
	if b.Dir != "" && (stem == b.Clean(b.Dir) || strings.HasPrefix(b.Clean(b.Dir), strings.TrimSuffix(stem, "/")+"/")) {
		return "the working directory, or one above it"
	}
	inside := b.Inside(p)
	switch {
	case stem == "~" || strings.HasPrefix(stem, "~") && !strings.HasPrefix(stem, "~/"):
		return "a home directory"
	case strings.HasPrefix(stem, "$"), strings.HasPrefix(stem, "/$"):
		return "a directory that is not known: the variable may be empty"
	case stem == ".." || strings.HasPrefix(stem, "../"):
		return "outside the working directory"
	case strings.HasSuffix("/"+stem, "/.git"):
		return "the repository with all its history"
	case inside && !in(b.Clean(b.Dir), "/", "~") && b.Class(b.Dir) != systemPath:
		return ""
	case in(stem, "/tmp", "/var/tmp", "/private/tmp"), strings.HasPrefix(stem, "~/"), stem[0] == '/' && b.Class(stem) != scratchPath:
		return "outside the working directory"
	}
	return ""
}

func below(q, dir string) bool {
	return q == dir || strings.HasPrefix(q, dir) && q[len(dir)] == '/'
}
