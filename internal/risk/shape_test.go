package risk

import (
	"strings"
	"testing"
)

func TestLook(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"", "ls -la", "a\tb\nc", "größer naïve", "日本語 مرحبا עברית", "привет мир", "Ωμέγα", "👩‍👩‍👧 ❤️", "a — b … “c”", "2.5µs",
	} {
		if got := hiddenParts(line); len(got) > 0 {
			t.Errorf("%q: %+v", line, got)
		}
	}
	for _, line := range []string{
		"a\x00", "a\x1b[1m", "a\rb", "a\x7f", "a\u0085", "\xff", "a\u202eb", "a\u2066b", "a\u200bb", "a\u00adb", "a\ufeffb",
		"a\U000e0041", "ls\u00a0-l", "a\u3000b", "а" + "bc", "rm\u043e", "ｒｍ", "a\u2215b", "𝗋𝗆",
		"a                                                  b", "a\n\n\n\n\n\n\n\nb", "a\u200db", "a\u2028b", "a\u3164b",
	} {
		if got := hiddenParts(line); len(got) == 0 {
			t.Errorf("%q: nothing is hidden in it", line)
		}
	}
}

// TestPadding: of padding all is reported, whatever it is made of.
func TestPadding(t *testing.T) {
	t.Parallel()
	for _, pad := range []string{strings.Repeat(" ", 300), strings.Repeat("\n", 9), strings.Repeat(" ", 20) + strings.Repeat("\t", 30)} {
		got := hiddenParts("ls" + pad + "; id")
		if len(got) != 1 || got[0].At != 2 || got[0].End != 2+len(pad) {
			t.Errorf("%q: %+v", pad, got)
		}
	}
}

func TestClass(t *testing.T) {
	t.Parallel()
	here := pathDirs{Dir: "/home/u/p", Home: "/home/u"}
	for path, want := range map[string]pathClass{
		"/dev/null": noPath, "/dev/sda": diskPath, "/proc/sysrq-trigger": diskPath, "/etc/hosts": systemPath, "/usr/bin/x": systemPath,
		"out.txt": plainPath, "../x": plainPath, "../.bashrc": startPath, "~/.ssh/config": startPath, "/home/u/.zshrc": startPath,
		"$HOME/.profile":        startPath,
		".git/hooks/pre-commit": hooksPath, "sub/.git/config": hooksPath, ".git/../.git/config": hooksPath, "/tmp/x": scratchPath,
		"/tmp/../etc/x":             systemPath,
		"~/.config/ken/config.toml": ownPath, ".ken/config.toml": ownPath, "/dev/tcp/1.2.3.4/80": netPath,
		"/dev/../etc/passwd": systemPath, "": plainPath,
	} {
		if got := here.Class(path); got != want {
			t.Errorf("%q: %d, want %d", path, got, want)
		}
	}
}

func TestBroad(t *testing.T) {
	t.Parallel()
	for _, here := range []pathDirs{{Dir: "/home/u/p", Home: "/home/u"}, {}} {
		for _, p := range []string{
			"/", "/*", "~", "~/", "$HOME", ".", "./", "..", "*", "./*", ".*", "$X/", "${X}/y", "/etc", "/usr/lib", "/home/other",
			"~other", ".git", "../x", "//", "/../", "/./", "~/x", "/tmp",
		} {
			if here.Broad(p) == "" {
				t.Errorf("%+v: %q is not broad", here, p)
			}
		}
		for _, p := range []string{"build", "./build", "a/b/c", "/tmp/x", "*.o", "build/*", ""} {
			if why := here.Broad(p); why != "" {
				t.Errorf("%+v: %q is broad: %s", here, p, why)
			}
		}
	}
	if (pathDirs{Dir: "/home/u/p"}).Broad("/home/u/p/build") != "" || (pathDirs{Dir: "/"}).Broad("usr") == "" || (pathDirs{Dir: "/home/u/p"}).Broad("/home/u") == "" {
		t.Error("the working directory does not count")
	}
}

func TestSecret(t *testing.T) {
	t.Parallel()
	var here pathDirs
	for p, want := range map[string]bool{".env": true, "a/.env.local": true, ".env.example": false, "~/.ssh/id_rsa": true, "~/.ssh/id_rsa.pub": false, "~/.aws/credentials": true, "notes.txt": false, "/etc/shadow": true, "x.pem": true, "fullchain.pem": false, "cert.pem": false, "cert-key.pem": true, "ca.pem": false} {
		if got := here.Secret(p); got != want {
			t.Errorf("%q: %v", p, got)
		}
	}
}
