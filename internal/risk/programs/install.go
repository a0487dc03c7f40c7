package programs

import (
	"strings"
)

// An installer is a program that fetches code and installs it.
type installer struct {
	verbs []string // what installs; none: every call does
	takes string   // short options with a value that is no package
	longs []string // long ones
	plain string   // characters of a name beside letters, digits and "._+-"
	own   bool     // a path below the directory is the project itself
	risky []string // verbs that run what is fetched at once, or install it for every project
}

// installerOf is what is known of the installer of that name.
func installerOf(name string) (installer, bool) {
	longs := []string{"--target", "--prefix", "--root", "--python", "--version", "--group", "--env", "--name", "--channel", "--loglevel", "--dir", "--target-release", "--path", "--features", "--requirement", "--constraint", "--registry", "--cache", "--tag", "--filter", "--workspace", "--bin", "--profile"}
	switch name {
	case "npm", "pnpm", "cnpm", "yarn", "bun":
		return installer{verbs: []string{"install", "i", "add", "in", "ins", "isntall", "link", "ln"}, takes: "CF", longs: longs, plain: "/@^~<>=*| ", own: true}, true
	case "pip", "pip2", "pip3", "pipx", "uv", "poetry", "pdm", "pipenv", "rye", "hatch", "conda", "mamba", "micromamba", "pixi":
		return installer{verbs: []string{"install", "add", "inject", "download", "wheel", "upgrade", "update", "create", "sync"}, takes: "rctpnGEC", longs: longs, plain: "[]=<>~!,*:;' ", own: true}, true
	case "gem", "cargo", "luarocks", "cpan", "opam", "nimble", "dub", "shards", "mix", "rebar3", "raco", "stack", "cabal", "juliaup", "apm", "vcpkg", "conan", "code", "codium", "code-insiders":
		return installer{verbs: []string{"install", "add", "fetch", "--install-extension", "binstall"}, takes: "vnjFp", longs: longs, plain: "@=~<>:[], /", own: name == "cargo" || name == "stack" || name == "cabal"}, true
	case "cpanm":
		return installer{plain: ":@~/", takes: "lL", longs: longs}, true
	case "apt", "apt-get", "aptitude", "dnf", "yum", "microdnf", "zypper", "apk", "opkg", "pacman", "yay", "paru", "emerge", "xbps-install", "pkg", "pkg_add", "pkgin", "port", "brew", "snap", "flatpak", "choco", "winget", "scoop", "mas", "slackpkg", "urpmi", "eopkg", "swupd", "nala", "apt-fast", "tdnf":
		return installer{verbs: []string{"install", "add", "in", "reinstall", "localinstall", "upgrade", "update", "-S", "-Sy", "-Syu", "-U", "emerge"}, takes: "tco", longs: longs, plain: "=:~*@/,"}, true
	case "rpm", "dpkg":
		return installer{verbs: []string{"-i", "-U", "-F", "-ivh", "-Uvh", "-Fvh", "--install", "--unpack"}, plain: "="}, true
	case "composer":
		return installer{verbs: []string{"require", "install", "create-project", "update"}, takes: "d", longs: longs, plain: "/:^~*|<>=@, "}, true
	case "nix-env", "guix":
		return installer{verbs: []string{"-i", "-iA", "-if", "install", "--install", "-f", "package"}, takes: "A", longs: longs, plain: ""}, true
	case "nix":
		return installer{verbs: []string{"profile", "shell", "develop", "build"}, plain: "#^", risky: []string{"run"}}, true
	case "helm", "krew", "terraform", "asdf", "rustup", "nvm", "fnm", "volta", "mise", "sdk":
		return installer{verbs: []string{"plugin", "plugin-add"}, plain: "@:/"}, true
	case "deno":
		return installer{verbs: []string{"install"}, plain: ":/@^~"}, true
	}
	return installer{}, false
}

// installs judges the words that an installer is given: what is no plain name is code
// from elsewhere, and so is what a guard is taken from.
func installs(l *findings) {
	in, ok := installerOf(l.Name)
	if !ok {
		return
	}
	flags, operands := parse(l.Args(), flagSpec{Args: in.takes, Longs: in.longs})
	if len(operands) > 0 && isOneOf(operands[0].Text, in.risky...) {
		l.Danger("runs code from elsewhere", operands[0])
	}
	begin := -1
	if len(in.verbs) == 0 {
		begin = 0
	}
	for i, w := range operands[:min(len(operands), 3)] {
		if isOneOf(w.Text, in.verbs...) {
			begin = i + 1
			break
		}
	}
	if begin < 0 {
		for _, w := range l.Args() {
			if IsFlag(w) && isOneOf(w.Text, in.verbs...) {
				begin = 0
			}
		}
		if begin < 0 {
			return
		}
	}
	for _, w := range operands[begin:] {
		if why := in.strange(l.Name, w); why != "" {
			l.Danger(why, w)
		}
	}
	for _, f := range flags {
		switch {
		case HasPrefixAny(f.Name, "--dangerous", "--allow-un", "--allow-insecure", "--force-depends", "--force-all", "--force-remove", "--no-gpg", "--nogpg", "--no-check-gpg", "--no-sig", "--nosig", "--nodigest", "--trusted-host", "--allow-untrusted", "--insecure", "--no-verify", "--skip-verify", "--unsafe", "--ignore-checks", "--disable-signature", "--skip-signature", "--from-git", "--git", "--index", "--extra-index", "--repofrom", "--repository", "--source", "--from", "--accept-flake-config", "--force-no-verify", "--skip-checksum", "--ignore-checksums", "--ignore-security", "--untrusted", "--no-secure", "--trust-"):
			l.Danger("an installer without a guard, or from elsewhere: "+f.Name, f.Word)
		case f.Given && HasAny(f.Value, "://", "git+", "git@"):
			l.Danger("installs code from elsewhere", f.Arg)
		}
	}
}

// strange says why a word given to an installer is no plain name; "" if it is one.
func (in installer) strange(name string, w Word) string {
	const elsewhere = "installs code from elsewhere"
	t := w.Text
	switch {
	case t == "" || w.Hole && !w.Subst && !strings.HasPrefix(t, "<()") && !strings.Contains(t, ":"):
		return "" // a name that is not known, and asked about
	case in.own && (isOneOf(t, ".", "./", "..") || strings.HasPrefix(t, ".[") || strings.HasPrefix(t, "./") && !strings.ContainsAny(t, "*") && !HasAny(t, ".whl", ".tgz", ".tar", ".zip", ".gem", "..")):
		return "" // the project itself
	case HasAny(t, "://", "git+", "git@", "npm:", "file:", "link:", "github:", "gitlab:", "bitbucket:", "gist:", "http:", "https:", "@git", "<()", " @ ", "\\"):
		return elsewhere
	case HasPrefixAny(t, "/", "~", "./", "../", "$HOME"), strings.Contains(t, "../"):
		return "installs a file that no one vouches for"
	}
	for _, end := range []string{".deb", ".rpm", ".apk", ".whl", ".tgz", ".tar.gz", ".tar.xz", ".tar.zst", ".pkg", ".dmg", ".snap", ".flatpak", ".flatpakref", ".vsix", ".crx", ".xpi", ".gem", ".jar", ".msi", ".exe", ".zip", ".appimage", ".nupkg", ".rock", ".run", ".egg"} {
		if strings.HasSuffix(strings.ToLower(t), end) {
			return "installs a file that no one vouches for"
		}
	}
	slashes := strings.Count(t, "/")
	switch {
	case isOneOf(name, "npm", "pnpm", "cnpm", "yarn", "bun") && (slashes > 1 || slashes == 1 && t[0] != '@'):
		return elsewhere // owner/name: a repository
	case name == "brew" && slashes > 1:
		return elsewhere // a tap of somebody
	case isOneOf(name, "nix", "nix-env") && strings.Contains(t, ":"):
		return elsewhere
	}
	for _, r := range t {
		if r >= 0x80 {
			return "a name with letters that look like others"
		}
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._+-"+in.plain, r)) && !w.Hole && !w.Glob {
			return elsewhere
		}
	}
	return ""
}
