package programs

import (
	"strings"
)

// PrintsSecrets says that a command prints what is secret by itself: the environment, a
// store of passwords, the clipboard, tokens.
func PrintsSecrets(name string, args []Word) bool {
	text := ""
	switch name {
	case "env", "printenv", "set", "export", "declare", "typeset", "history", "pbpaste", "wl-paste", "keyctl", "secret-tool", "pass", "gopass", "lastpass", "lpass", "bw", "chamber":
	case "xclip", "xsel", "security", "gpg", "gpg2", "op", "vault", "doppler", "infisical", "gh", "glab", "gcloud", "aws", "az", "kubectl", "oc", "k", "git", "terraform", "tofu", "pulumi", "heroku", "ps":
		text = textOf(args)
	default:
		return false
	}
	switch name {
	case "env", "printenv":
		if name == "env" {
			for _, w := range args {
				if !isOneOf(w.Text, "-0", "--null", "-v", "--debug") {
					return false
				}
			}
			return true
		}
		for _, w := range args {
			if !IsFlag(w) && !hasAnyFold(w.Text, "key", "secret", "token", "pass", "cred", "auth", "cookie") {
				return false
			}
		}
		return true
	case "set":
		return len(args) == 0
	case "export", "declare", "typeset":
		return len(args) == 0 || len(args) == 1 && isOneOf(args[0].Text, "-p", "-x", "-px")
	case "history":
		return true
	case "pbpaste", "wl-paste", "keyctl", "secret-tool", "pass", "gopass", "lastpass", "lpass", "bw", "chamber":
		return true
	case "xclip", "xsel":
		return HasAny(" "+text+" ", " -o", " --output", " -out")
	case "security":
		return HasAny(text, "find-", "dump-keychain", "export")
	case "gpg", "gpg2":
		return HasAny(text, "--export-secret", "--decrypt", "-d ")
	case "op", "vault", "doppler", "infisical":
		return HasAny(text, "read", "get", "secrets", "token", "lookup")
	case "gh", "glab":
		return HasAny(text, "auth token", "auth status -t", "auth status --show-token")
	case "gcloud":
		return HasAny(text, "print-access-token", "print-identity-token", "versions access")
	case "aws":
		return HasAny(text, "configure get", "export-credentials", "get-secret-value", "get-session-token", "--with-decryption", "get-login-password", "get-authorization-token", "create-access-key", "assume-role")
	case "az":
		return HasAny(text, "get-access-token", "secret show", "keys list", "list-keys")
	case "kubectl", "oc", "k":
		return HasAny(text, "get secret", "view --raw", "get -o yaml secret") || HasAny(text, "get ") && HasAny(text, ",secret", "secret/", "secrets")
	case "git":
		return HasAny(text, "credential fill")
	case "terraform", "tofu", "pulumi":
		return HasAny(text, "output", "state pull", "--show-secrets")
	case "heroku":
		return strings.HasPrefix(text, "config")
	case "ps":
		return len(args) > 0 && isOneOf(args[0].Text, "auxe", "auxeww", "eww", "axe", "-eE", "e")
	}
	return false
}

// TakesTrees says that a command takes all that is below a directory.
func TakesTrees(name string, args []Word) bool {
	switch name {
	case "tar", "bsdtar", "gtar":
		if len(args) == 0 {
			return false
		}
		for i, w := range args {
			if w.Text == "--create" || (i == 0 || strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--")) && strings.Contains(w.Text, "c") && !strings.ContainsAny(w.Text, "/.") {
				return true
			}
		}
	case "zip", "7z", "7za", "rar", "dar", "borg", "restic":
		return true
	case "grep", "egrep", "rg", "ag", "ack", "ugrep":
		for _, w := range args {
			if name != "grep" && name != "egrep" || w.Text == "--recursive" || strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.ContainsAny(w.Text, "rR") {
				return true
			}
		}
	}
	return false
}

// Stays says of a command that is not harmless that what it is fed stays on this machine
// nevertheless, as far as is known, or is a key that it is meant to get.
func Stays(name string, args []Word) bool {
	text := textOf(args)
	if IsShell(name) || IsInterpreter(name) && !hasAnyFold(text, "socket", "http", "urllib", "request", "fetch(", "smtp") {
		return true
	}
	if HasAny(" "+text+" ", " login ", " --password-stdin ", " --with-token ", " --passphrase-fd ") {
		return true
	}
	switch name {
	case "openssl":
		return len(args) == 0 || !isOneOf(args[0].Text, "s_client", "s_server", "s_time")
	case "logger":
		return !HasAny(" "+text, " -n", " --server")
	case "docker", "podman", "nerdctl", "kubectl", "oc", "helm":
		return !HasAny(" "+text+" ", " push ", " cp ", " exec ", " login ")
	case "tee", "sponge", "dd", "cp", "mv", "ln", "install", "rm", "rmdir", "shred", "touch", "mkdir", "truncate", "chmod", "chown", "chgrp", "chattr", "setfacl", "split", "csplit", "tar", "bsdtar", "gtar", "zip", "unzip", "7z", "7za", "rar", "unrar", "cpio", "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "lz4", "pigz",
		"gpg", "gpg2", "age", "rage", "base64", "base32", "xxd", "sed", "gsed", "awk", "gawk", "mawk", "nawk", "grep", "egrep", "rg", "sort", "uniq", "jq", "yq", "cut", "tr", "cat", "bat", "head", "tail", "less", "more", "vim", "vi", "nvim", "nano", "emacs", "code", "ed", "ex", "diff", "patch", "find", "fd", "xargs", "parallel", "env", "printenv",
		"xclip", "xsel", "pbcopy", "wl-copy", "clip", "tmux", "screen", "source", ".", "eval", "export", "set", "unset", "declare", "read", "mapfile", "readarray", "echo", "printf", "trap", "alias", "cd", "pushd", "popd", "exec", "command", "builtin", "test", "[", "history",
		"sudo", "doas", "su", "nohup", "setsid", "time", "timeout", "nice", "ionice", "watch", "flock", "script", "strace", "chroot",
		"ssh-add", "ssh-keygen", "ssh-agent", "ssh-keyscan", "certutil", "keytool", "pass", "gopass", "secret-tool", "security", "keyctl", "op", "htpasswd", "chpasswd", "passwd", "useradd", "usermod", "crontab", "systemctl", "service", "kill", "pkill", "killall", "mount", "umount", "cryptsetup",
		"make", "cmake", "go", "cargo", "npm", "yarn", "pnpm", "npx", "pip", "pip3", "mvn", "gradle", "pytest", "tox", "nox", "rustc", "gcc", "cc", "clang", "javac", "terraform", "tofu", "ansible", "ansible-playbook", "ansible-vault", "sops", "git", "sqlite3", "direnv", "dotenv", "envsubst", "nginx", "apachectl", "ls", "stat", "file", "wc", "ken":
		return true
	}
	return false
}

// Sends says that a program sends the files among its words to another machine.
func Sends(name string, args []Word) bool {
	switch name {
	case "aws", "gsutil", "gcloud", "az", "rclone", "s3cmd", "s4cmd", "mc", "b2", "rsync", "scp", "sftp", "ftp", "lftp", "ncftpput", "mail", "mailx", "mutt", "neomutt", "msmtp", "sendmail", "swaks", "sendemail", "s-nail", "http", "https", "xh", "httpie", "croc", "wormhole", "magic-wormhole", "ffsend", "transfer", "dropbox", "gdrive", "ipfs", "telegram-send", "azcopy", "restic", "borg", "duplicity", "curlie", "wget", "bitsadmin", "rcp", "tftp", "smbclient", "gist", "ntfy", "slackcat", "pastebinit", "termbin", "logger", "cadaver", "nc", "ncat", "socat", "oci", "doctl", "ossutil", "coscmd":
		return true
	case "gh", "glab":
		return HasAny(textOf(args), "gist create", "gist edit", "release upload", "release create", "snippet")
	case "kubectl", "oc", "docker", "podman":
		return len(args) > 0 && args[0].Text == "cp" && name != "docker" && name != "podman"
	}
	return false
}

// RemoteShell says that words log in to another machine without a command: a shell there
// reads what they are fed.
func RemoteShell(words []Word) bool {
	name, _ := NameOf(words[0].Text)
	if !isOneOf(name, "ssh", "slogin", "mosh", "autossh", "rsh", "telnet") {
		return false
	}
	flags, rest := parse(words[1:], flagSpec{Args: "BbcDEeFIiJLlmOopQRSWw", First: true})
	if len(rest) > 1 && IsFlag(rest[1]) {
		_, behind := parse(rest[1:], flagSpec{Args: "BbcDEeFIiJLlmOopQRSWw", First: true})
		rest = append(rest[:1:1], behind...)
	}
	return len(rest) == 1 && !with(flags, "-N", "-W", "-O", "-G", "-V", "-Q")
}
