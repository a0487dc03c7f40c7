package shape

import (
	"strings"
	"testing"
)

func TestLook(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"", "ls -la", "a\tb\nc", "größer naïve", "日本語 مرحبا עברית", "привет мир", "Ωμέγα", "👩‍👩‍👧 ❤️", "a — b … “c”", "2.5µs"} {
		if got := Look(line); len(got) > 0 {
			t.Errorf("%q: %+v", line, got)
		}
	}
	for _, line := range []string{"a\x00", "a\x1b[1m", "a\rb", "a\x7f", "a\u0085", "\xff", "a\u202eb", "a\u2066b", "a\u200bb", "a\u00adb", "a\ufeffb", "a\U000e0041", "ls\u00a0-l", "a\u3000b", "а" + "bc", "rm\u043e", "ｒｍ", "a\u2215b", "𝗋𝗆", "a                                                  b", "a\n\n\n\n\n\n\n\nb", "a\u200db", "a\u2028b", "a\u3164b"} {
		if got := Look(line); len(got) == 0 {
			t.Errorf("%q: nothing is hidden in it", line)
		}
	}
}

// TestPadding: of padding all is told, whatever it is made of.
func TestPadding(t *testing.T) {
	t.Parallel()
	for _, pad := range []string{strings.Repeat(" ", 300), strings.Repeat("\n", 9), strings.Repeat(" ", 20) + strings.Repeat("\t", 30)} {
		got := Look("ls" + pad + "; id")
		if len(got) != 1 || got[0].At != 2 || got[0].End != 2+len(pad) {
			t.Errorf("%q: %+v", pad, got)
		}
	}
}

func TestClass(t *testing.T) {
	t.Parallel()
	here := Dirs{Dir: "/home/u/p", Home: "/home/u"}
	for path, want := range map[string]Class{
		"/dev/null": Nothing, "/dev/sda": Disk, "/proc/sysrq-trigger": Disk, "/etc/hosts": System, "/usr/bin/x": System,
		"out.txt": Plain, "../x": Plain, "../.bashrc": Start, "~/.ssh/config": Start, "/home/u/.zshrc": Start, "$HOME/.profile": Start,
		".git/hooks/pre-commit": Hooks, "sub/.git/config": Hooks, ".git/../.git/config": Hooks, "/tmp/x": Scratch, "/tmp/../etc/x": System,
		"~/.config/ken/config.toml": Own, ".ken/config.toml": Own, "/dev/tcp/1.2.3.4/80": Net, "/dev/../etc/passwd": System, "": Plain,
	} {
		if got := here.Class(path); got != want {
			t.Errorf("%q: %d, want %d", path, got, want)
		}
	}
}

func TestBroad(t *testing.T) {
	t.Parallel()
	for _, here := range []Dirs{{Dir: "/home/u/p", Home: "/home/u"}, {}} {
		for _, p := range []string{"/", "/*", "~", "~/", "$HOME", ".", "./", "..", "*", "./*", ".*", "$X/", "${X}/y", "/etc", "/usr/lib", "/home/other", "~other", ".git", "../x", "//", "/../", "/./", "~/x", "/tmp"} {
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
	if (Dirs{Dir: "/home/u/p"}).Broad("/home/u/p/build") != "" || (Dirs{Dir: "/"}).Broad("usr") == "" || (Dirs{Dir: "/home/u/p"}).Broad("/home/u") == "" {
		t.Error("the working directory does not count")
	}
}

func TestSecret(t *testing.T) {
	t.Parallel()
	var here Dirs
	for p, want := range map[string]bool{".env": true, "a/.env.local": true, ".env.example": false, "~/.ssh/id_rsa": true, "~/.ssh/id_rsa.pub": false, "~/.aws/credentials": true, "notes.txt": false, "/etc/shadow": true, "x.pem": true, "fullchain.pem": false, "cert.pem": false, "cert-key.pem": true, "ca.pem": false} {
		if got := here.Secret(p); got != want {
			t.Errorf("%q: %v", p, got)
		}
	}
}
