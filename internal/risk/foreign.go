package risk

import (
	"strings"

	"ken/internal/risk/programs"
)

// foreign judges letters outside ASCII in what names a machine, a person there or a
// package: names of these are in ASCII, and a letter that looks like a dot or like
// another letter leads elsewhere.
func (j *judge) foreign(name string, w programs.Word, s scene) {
	host := ""
	switch _, rest, isURL := strings.Cut(w.Text, "://"); {
	case isURL:
		host, _, _ = strings.Cut(strings.ReplaceAll(strings.ReplaceAll(rest, "?", "/"), "#", "/"), "/")
	case reaches(name) && !strings.ContainsAny(w.Text, " \t\n{"):
		host, _, _ = strings.Cut(w.Text, "/")
		if programs.IsFlag(w) {
			_, host, _ = strings.Cut(host, "=")
		}
		if !strings.ContainsAny(host, ".@:․。．｡") && !in(name, "ssh", "ping", "nc", "ncat", "telnet", "mosh") {
			host = ""
		}
	case installer(name) && !programs.IsFlag(w) && !strings.ContainsAny(w.Text, " /"):
		host = w.Text
	case strings.Contains(w.Text, "@") && !strings.ContainsAny(w.Text, " \t\n"):
		_, host, _ = strings.Cut(w.Text, "@")
		host, _, _ = strings.Cut(host, "/")
		if !strings.ContainsAny(host, ".:․。．｡") {
			host = ""
		}
	}
	if !ascii(host) {
		j.say(Danger, "a letter outside ASCII in the name of a machine or a package", s, w.At, w.End)
	}
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// reaches reports whether a program takes names of machines.
func reaches(name string) bool {
	return in(name, "curl", "wget", "ssh", "scp", "sftp", "rsync", "ping", "ping6", "dig", "nslookup", "host", "whois", "traceroute", "mtr", "nc", "ncat", "netcat", "telnet", "ftp", "lftp", "mosh", "http", "https", "xh", "git", "aria2c", "lynx", "w3m", "links", "nmap", "openssl", "socat", "psql", "mysql", "redis-cli", "mongosh", "docker", "podman", "helm", "go", "xdg-open", "open")
}

// installer reports whether a program takes names of packages.
func installer(name string) bool {
	return in(name, "npm", "npx", "pnpm", "yarn", "bun", "bunx", "pip", "pip2", "pip3", "pipx", "uv", "uvx", "poetry", "conda", "mamba", "gem", "bundle", "cargo", "go", "composer", "luarocks", "cpan", "cpanm", "brew", "port", "apt", "apt-get", "aptitude", "dnf", "yum", "zypper", "pacman", "yay", "paru", "apk", "snap", "flatpak", "nix", "nix-env", "nix-shell", "opam", "cabal", "stack", "mix", "hex", "dotnet", "nuget", "choco", "winget", "scoop", "docker", "podman", "helm", "krew", "code", "asdf", "mise", "rustup", "deno", "xbps-install", "emerge", "pkg", "guix")
}
